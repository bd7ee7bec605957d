#include "coordinates/system_functions.hpp"

#include "text/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::python {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
bool all_finite(std::span<const T> values) {
  return std::all_of(values.begin(), values.end(),
                     [](const T& x) { return std::isfinite(static_cast<double>(x)); });
}

Shape shape_at(const py::dict& given, const char* key) { return given[key].cast<Shape>(); }

}  // namespace

SystemFunctions::SystemFunctions(const py::dict& given)
    : dimension_(given["dimension"].cast<std::size_t>()),
      constraints_(given["constraints"].cast<std::size_t>()),
      quadratic_(given["quadratic"].cast<bool>()),
      extended_(given["extended"].cast<bool>()),
      mass_(given["mass"].cast<std::vector<double>>()),
      force_(given["force"], given["sign"].cast<double>() < 0 ? "gradient" : "force",
             {static_cast<py::ssize_t>(dimension_)}, given["sign"].cast<double>()),
      potential_(given["potential"], "potential", {}),
      constraint_(given["constraint"], "constraint", shape_at(given, "constraint_shape")),
      jacobian_(given["jacobian"], "jacobian", shape_at(given, "jacobian_shape")),
      rounded_(dimension_) {}

double SystemFunctions::mass(std::size_t i, std::size_t j) const {
  if (mass_.size() != dimension_) return mass_[i * dimension_ + j];
  return i == j ? mass_[i] : 0.0;
}

std::span<const double> SystemFunctions::rounded(std::span<const DoubleDouble> q) const {
  for (std::size_t i = 0; i < q.size(); ++i) rounded_[i] = q[i].high();
  return rounded_;
}

/// A position that is none is not shown to a function: what comes of it is none either, which the core will notice.
template <class T>
bool SystemFunctions::usable(std::span<const T> q, std::span<T> values) const {
  if (all_finite(q)) return true;
  std::fill(values.begin(), values.end(), T(nan));
  return false;
}

template <class T>
void SystemFunctions::examine(const PositionFunction& function, std::span<const T> q,
                              std::span<const T> values) const {
  if (!started_ || all_finite(values)) return;
  std::string place;
  for (const T& x : q) place += (place.empty() ? "" : ", ") + program::number(static_cast<double>(x));
  throw MotionError(program::filled("{} is not finite at the position [{}]", function.what(), place));
}

template <class T>
const std::vector<T>& SystemFunctions::last(const PositionFunction& function, std::span<const T> q,
                                            std::size_t size, LastValues<T>& kept) const {
  if (kept.values.size() == size &&
      std::equal(q.begin(), q.end(), kept.position.begin(), kept.position.end()))
    return kept.values;
  kept.position.clear();  // stays so, if the function fails
  kept.values.resize(size);
  if (usable(q, std::span<T>(kept.values))) {
    function.call(q, std::span<T>(kept.values));
    examine(function, q, std::span<const T>(kept.values));
    kept.position.assign(q.begin(), q.end());
  }
  return kept.values;
}

void SystemFunctions::force(std::span<const double> q, std::span<double> f) const {
  if (!usable(q, f)) return;
  force_.call(q, f);
  examine<double>(force_, q, f);
}

void SystemFunctions::force(std::span<const DoubleDouble> q, std::span<DoubleDouble> f) const {
  if (!usable(q, f)) return;
  if (extended_) {
    force_.call(q, f);
    return examine<DoubleDouble>(force_, q, f);
  }
  std::vector<double> values(dimension_);
  force(rounded(q), values);
  std::copy(values.begin(), values.end(), f.begin());
}

void SystemFunctions::examine_at(std::span<const double> q) const {
  const auto examined = [&](const PositionFunction& function, std::size_t size) {
    if (!function.given() || !all_finite(q)) return;
    std::vector<double> values(size);
    function.call(q, values);
    if (!all_finite<double>(values)) refuse(function.what() + " is not finite at the initial position");
  };
  examined(force_, dimension_);
  examined(jacobian_, constraints_ * dimension_);
}

double SystemFunctions::potential(std::span<const double> q) const {
  double value = nan;
  if (potential_.given() && all_finite(q)) potential_.call(q, std::span<double>(&value, 1));
  return value;
}

DoubleDouble SystemFunctions::potential(std::span<const DoubleDouble> q) const {
  if (!extended_) return potential(rounded(q));
  DoubleDouble value = nan;
  if (potential_.given() && all_finite(q)) potential_.call(q, std::span<DoubleDouble>(&value, 1));
  return value;
}

double SystemFunctions::constraint(std::span<const double> q, std::size_t i) const {
  return last(constraint_, q, constraints_, constraint_values_)[i];
}

DoubleDouble SystemFunctions::constraint(std::span<const DoubleDouble> q, std::size_t i) const {
  if (extended_) return last(constraint_, q, constraints_, wide_constraint_values_)[i];
  const std::span<const double> near = rounded(q);
  DoubleDouble value = constraint(near, i);
  const std::vector<double>& jacobian = last(jacobian_, near, constraints_ * dimension_, jacobian_values_);
  for (std::size_t j = 0; j < dimension_; ++j)
    value += DoubleDouble::product(jacobian[i * dimension_ + j], q[j].low());
  return value;
}

void SystemFunctions::gradient(std::span<const double> q, std::size_t i, std::span<double> row) const {
  const auto& values = last(jacobian_, q, constraints_ * dimension_, jacobian_values_);
  std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * dimension_), dimension_, row.begin());
}

void SystemFunctions::gradient(std::span<const DoubleDouble> q, std::size_t i,
                               std::span<DoubleDouble> row) const {
  const auto begin = static_cast<std::ptrdiff_t>(i * dimension_);
  if (extended_) {
    const auto& values = last(jacobian_, q, constraints_ * dimension_, wide_jacobian_values_);
    std::copy_n(values.begin() + begin, dimension_, row.begin());
  } else {
    const auto& values = last(jacobian_, rounded(q), constraints_ * dimension_, jacobian_values_);
    std::copy_n(values.begin() + begin, dimension_, row.begin());
  }
}

/// (G(q + s v) - G(q - s v)) v/(2 s), of all constraints.
template <class T>
std::vector<T> SystemFunctions::difference(std::span<const T> q, std::span<const T> v, double step) const {
  std::vector<T> place(dimension_), before(constraints_ * dimension_), after(before.size()),
      result(constraints_);
  const auto jacobian_at = [&](double s, std::vector<T>& values) {
    for (std::size_t j = 0; j < dimension_; ++j) place[j] = q[j] + T(s) * v[j];
    jacobian_.call(std::span<const T>(place), std::span<T>(values));
  };
  jacobian_at(-step, before);
  jacobian_at(step, after);
  for (std::size_t i = 0; i < constraints_; ++i)
    for (std::size_t j = 0; j < dimension_; ++j)
      result[i] += (after[i * dimension_ + j] - before[i * dimension_ + j]) * v[j] / T(2.0 * step);
  return result;
}

/// By differences of the Jacobian along v, extrapolated to none until round-off shows [Rid82]; a quadratic constraint needs
/// no more than the first of them, which has no error then.
template <class T>
std::vector<T> SystemFunctions::curvatures(std::span<const T> q, std::span<const T> v) const {
  const auto size_of = [](const auto& values) {
    double size = 0.0;
    for (const T& x : values)
      if (!(std::abs(static_cast<double>(x)) <= size)) size = std::abs(static_cast<double>(x));
    return size;  // NaN where there is one
  };
  std::vector<T> best(constraints_, T(0.0));
  const double speed = size_of(v), extent = size_of(q) > 0.0 ? size_of(q) : 1.0;
  if (speed == 0.0) return best;
  // A power of two, so that multiples of it are what they are.
  const auto power = [&](double fraction) {
    return std::exp2(std::round(std::log2(fraction * extent / speed)));
  };
  if (quadratic_) return difference(q, v, power(1.0));
  constexpr int levels = 16;
  std::vector<std::vector<T>> row;
  double error = HUGE_VAL, step = power(0.1);
  for (int j = 0; j < levels; ++j, step *= 0.5) {
    std::vector<T> value = difference(q, v, step);
    double factor = 1.0, estimate = HUGE_VAL;
    for (std::size_t k = 0; k < row.size(); ++k) {  // Aitken and Neville
      factor *= 4.0;
      std::vector<T> next(constraints_), change(constraints_);
      for (std::size_t i = 0; i < constraints_; ++i) {
        change[i] = (value[i] - row[k][i]) / T(factor - 1.0);
        next[i] = value[i] + change[i];
      }
      estimate = factor * size_of(change);  // how far it is from the values that it is made of
      if (estimate < error) {
        error = estimate;
        best = next;
      }
      row[k] = value;
      value = next;
    }
    row.push_back(value);
    if (j > 0 && (error == 0.0 || estimate > 4.0 * error)) break;
  }
  return best;
}

DoubleDouble SystemFunctions::curvature(std::span<const DoubleDouble> q, std::span<const DoubleDouble> v,
                                        std::size_t i) const {
  std::vector<DoubleDouble> key(q.begin(), q.end());
  key.insert(key.end(), v.begin(), v.end());
  if (key == curvatures_.position) return curvatures_.values[i];
  curvatures_.position.clear();
  if (!all_finite(std::span<const DoubleDouble>(key))) return nan;
  if (extended_) {
    curvatures_.values = curvatures(q, v);
  } else {
    std::vector<double> near(dimension_), velocity(dimension_);
    for (std::size_t j = 0; j < dimension_; ++j) {
      near[j] = q[j].high();
      velocity[j] = v[j].high();
    }
    const auto values = curvatures(std::span<const double>(near), std::span<const double>(velocity));
    curvatures_.values.assign(values.begin(), values.end());
  }
  curvatures_.position = std::move(key);
  return curvatures_.values[i];
}

}  // namespace polhode::python
