// Elliptic functions as NumPy ufuncs: broadcasting, out=, where=, the GIL released, float64 only.
#include <array>
#include <cmath>
#include <limits>

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION  // asked for by NumPy's headers
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>

#include "bindings.hpp"
#include "polhode/elliptic/carlson.hpp"
#include "polhode/elliptic/jacobi.hpp"
#include "polhode/elliptic/legendre.hpp"

namespace polhode::python {

namespace {

using elliptic::Modulus;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <std::size_t n>
using Numbers = std::array<double, n>;

/// Whether (k^2, k'^2) is a modulus. A ufunc answers a number outside of its domain with NaN.
bool is_modulus(double k2, double kp2) { return k2 >= 0 && k2 <= 1 && kp2 >= 0 && kp2 <= 1; }

Numbers<3> jacobi(const Numbers<3>& x) {
  if (!is_modulus(x[1], x[2])) return {not_a_number, not_a_number, not_a_number};
  const auto [sn, cn, dn] = elliptic::jacobi(x[0], Modulus<double>{x[1], x[2]});
  return {sn, cn, dn};
}
Numbers<1> sn(const Numbers<3>& x) { return {jacobi(x)[0]}; }
Numbers<1> cn(const Numbers<3>& x) { return {jacobi(x)[1]}; }
Numbers<1> dn(const Numbers<3>& x) { return {jacobi(x)[2]}; }
Numbers<1> am(const Numbers<3>& x) {
  return {is_modulus(x[1], x[2]) ? elliptic::am(x[0], Modulus<double>{x[1], x[2]}) : not_a_number};
}

Numbers<1> first(const Numbers<3>& x) {
  return {is_modulus(x[1], x[2]) ? elliptic::incomplete_first(x[0], Modulus<double>{x[1], x[2]})
                                 : not_a_number};
}
Numbers<1> complete_first(const Numbers<2>& x) {
  return {is_modulus(x[0], x[1]) ? elliptic::complete_first(Modulus<double>{x[0], x[1]}) : not_a_number};
}

/// E(phi) in the form whose terms are all positive [DLMF 19.25.10].
Numbers<1> second(const Numbers<3>& x) {
  const double phi = x[0], k2 = x[1], kp2 = x[2];
  if (!is_modulus(k2, kp2)) return {not_a_number};
  if (!std::isfinite(phi)) return {phi};
  const auto [half_turns, s, c] = elliptic::detail::reduce_amplitude(phi);
  double principal = s;
  if (kp2 > 0) {
    const double dn2 = c * c + kp2 * (s * s);
    principal =
        kp2 * (s * elliptic::rf(c * c, dn2, 1.0) + k2 * (s * s * s) / 3 * elliptic::rd(c * c, 1.0, dn2)) +
        k2 * (s * c) / std::sqrt(dn2);
  }
  if (half_turns == 0) return {principal};
  const DoubleDouble complete = elliptic::complete_second(Modulus<double>{k2, kp2}.to<DoubleDouble>());
  return {static_cast<double>(DoubleDouble(2 * half_turns) * complete + DoubleDouble(principal))};
}
Numbers<1> complete_second(const Numbers<2>& x) {
  return {is_modulus(x[0], x[1]) ? elliptic::complete_second(Modulus<double>{x[0], x[1]}) : not_a_number};
}

Numbers<1> third(const Numbers<4>& x) {
  if (!is_modulus(x[2], x[3]) || !(x[0] < 1)) return {not_a_number};
  return {elliptic::incomplete_third(x[1], x[0], Modulus<double>{x[2], x[3]})};
}
Numbers<1> complete_third(const Numbers<3>& x) {
  if (!is_modulus(x[1], x[2]) || !(x[0] <= 1)) return {not_a_number};
  if (x[0] == 1) return {std::numeric_limits<double>::infinity()};
  return {elliptic::complete_third(x[0], Modulus<double>{x[1], x[2]})};
}

/// Arguments of Carlson's functions: not negative, and finite.
template <std::size_t n>
bool are_carlson(const Numbers<n>& x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (!(x[i] >= 0) || !std::isfinite(x[i])) return false;
  return true;
}

Numbers<1> rf(const Numbers<3>& x) {
  if (!are_carlson(x, 3)) return {not_a_number};
  if ((x[0] == 0) + (x[1] == 0) + (x[2] == 0) > 1) return {std::numeric_limits<double>::infinity()};
  return {elliptic::rf(x[0], x[1], x[2])};
}
Numbers<1> rc(const Numbers<2>& x) {
  if (!are_carlson(x, 1) || !std::isfinite(x[1])) return {not_a_number};
  if (x[1] == 0) return {std::numeric_limits<double>::infinity()};
  return {elliptic::rc(x[0], x[1])};
}
Numbers<1> rj(const Numbers<4>& x) {
  if (!are_carlson(x, 4)) return {not_a_number};
  if (x[3] == 0 || (x[0] == 0) + (x[1] == 0) + (x[2] == 0) > 1)
    return {std::numeric_limits<double>::infinity()};
  return {elliptic::rj(x[0], x[1], x[2], x[3])};
}
Numbers<1> rd(const Numbers<3>& x) {
  if (!are_carlson(x, 3)) return {not_a_number};
  if (x[2] == 0 || (x[0] == 0 && x[1] == 0)) return {std::numeric_limits<double>::infinity()};
  return {elliptic::rd(x[0], x[1], x[2])};
}

/// The inner loop of a ufunc over a function of n numbers with results r.
template <std::size_t n, std::size_t r, Numbers<r> (*function)(const Numbers<n>&)>
void loop(char** data, const npy_intp* counts, const npy_intp* strides, void*) {
  std::array<char*, n + r> at;
  std::copy_n(data, n + r, at.begin());
  for (npy_intp i = 0; i < counts[0]; ++i) {
    Numbers<n> x;
    for (std::size_t k = 0; k < n; ++k) x[k] = *reinterpret_cast<const double*>(at[k]);
    const Numbers<r> y = function(x);
    for (std::size_t k = 0; k < r; ++k) *reinterpret_cast<double*>(at[n + k]) = y[k];
    for (std::size_t k = 0; k < n + r; ++k) at[k] += strides[k];
  }
}

template <std::size_t n, std::size_t r, Numbers<r> (*function)(const Numbers<n>&)>
void add(py::module_& m, const char* name, const char* doc) {
  static PyUFuncGenericFunction loops[] = {&loop<n, r, function>};
  static void* data[] = {nullptr};
  static const std::array<char, n + r> types = [] {
    std::array<char, n + r> result;
    result.fill(NPY_DOUBLE);
    return result;
  }();
  // NumPy of Debian 12 declares the types without const, and does not write to them.
  PyObject* const ufunc = PyUFunc_FromFuncAndData(loops, data, const_cast<char*>(types.data()), 1, n, r,
                                                  PyUFunc_None, name, doc, 0);
  if (ufunc == nullptr) throw py::error_already_set();
  m.add_object(name, py::reinterpret_steal<py::object>(ufunc));
}

bool load_numpy() {
  if (_import_array() < 0) return false;
  return _import_umath() >= 0;
}

}  // namespace

void bind_elliptic(py::module_& parent) {
  if (!load_numpy()) throw py::error_already_set();
  py::module_ m =
      parent.def_submodule("elliptic", "The ufuncs behind polhode.elliptic; moduli as pairs (k2, kp2).");
  add<3, 3, jacobi>(m, "jacobi", "u, k2, kp2 -> sn, cn, dn");
  add<3, 1, sn>(m, "sn", "u, k2, kp2");
  add<3, 1, cn>(m, "cn", "u, k2, kp2");
  add<3, 1, dn>(m, "dn", "u, k2, kp2");
  add<3, 1, am>(m, "am", "u, k2, kp2");
  add<3, 1, first>(m, "first", "phi, k2, kp2");
  add<2, 1, complete_first>(m, "complete_first", "k2, kp2");
  add<3, 1, second>(m, "second", "phi, k2, kp2");
  add<2, 1, complete_second>(m, "complete_second", "k2, kp2");
  add<4, 1, third>(m, "third", "n, phi, k2, kp2");
  add<3, 1, complete_third>(m, "complete_third", "n, k2, kp2");
  add<3, 1, rf>(m, "RF",
                "Carlson's RF(x, y, z); x, y, z >= 0, at most one of them zero.\n\n"
                ">>> polhode.elliptic.RF(1, 2, 0).round(12)\n1.311028777146");
  add<2, 1, rc>(m, "RC",
                "Carlson's RC(x, y) = RF(x, y, y); the principal value where y < 0.\n\n"
                ">>> polhode.elliptic.RC(0, 0.25).round(12)\n3.14159265359");
  add<4, 1, rj>(m, "RJ",
                "Carlson's RJ(x, y, z, p); p > 0.\n\n"
                ">>> polhode.elliptic.RJ(2, 3, 4, 5).round(12)\n0.142975796672");
  add<3, 1, rd>(m, "RD",
                "Carlson's RD(x, y, z) = RJ(x, y, z, z); z > 0.\n\n"
                ">>> polhode.elliptic.RD(0, 2, 1).round(12)\n1.797210352103");
}

}  // namespace polhode::python
