// The states of the kit, computed twice with 50 digits: by the closed form of the library, and by Taylor series of the equations
// in the frame of the tensor, which share nothing with it.
//
// The first writes them: POLHODE_WRITE_STATES=FILE conformance_test --gtest_filter='*ClosedForm*'.

#include <gtest/gtest.h>

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/bodies.hpp"
#include "conformance/states.hpp"
#include "polhode/free_motion/trajectory.hpp"

namespace polhode::program {
namespace {

using Big =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;

using Seven = std::array<Big, 7>;

/// Thirty-two digits, or 0 for what is zero but for rounding.
std::string decimal(const Big& x) {
  return abs(x) < Big("1e-42") ? "0" : x.str(31, std::ios_base::scientific);
}

std::array<std::string, 7> decimals(Seven x) {
  std::array<std::string, 7> result;
  for (std::size_t i = 0; i < 7; ++i) result[i] = decimal(x[i]);
  std::size_t first = 0;
  while (first < 3 && result[first] == "0") ++first;
  if (x[first] < 0)
    for (std::size_t i = 0; i < 4; ++i) result[i] = decimal(-x[i]);
  return result;
}

/// The inverse of a symmetric matrix, by its adjugate.
Matrix<Big> inverse(const Matrix<Big>& a) {
  Matrix<Big> result;
  const Vector<Big> first = cross(a[1], a[2]), second = cross(a[2], a[0]), third = cross(a[0], a[1]);
  const Big determinant = dot(a[0], first);
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = {first[i] / determinant, second[i] / determinant, third[i] / determinant};
  }
  return result;
}

Seven by_closed_form(const KitBody& kit, int time) {
  const Matrix<Big> tensor = convert<Big>(kit.tensor());
  const Vector<Big> momentum = tensor * convert<Big>(kit.omega);
  const Trajectory<Big> trajectory(Body<Big>(tensor), {momentum, convert<Big>(kit.attitude)});
  const State<Big> s = trajectory.at(Big(time));
  const Vector<Big> omega = inverse(tensor) * s.momentum;
  return {s.attitude[0], s.attitude[1], s.attitude[2], s.attitude[3], omega[0], omega[1], omega[2]};
}

/// J w' = (J w) x w and q' = q (0, w)/2 by their series, with steps that end where the terms are below 1e-44.
class TaylorMotion {
 public:
  explicit TaylorMotion(const KitBody& kit)
      : tensor_(convert<Big>(kit.tensor())), inverse_(inverse(tensor_)) {
    const Vector<Big> momentum = tensor_ * convert<Big>(kit.omega);
    const Vector<Big> omega = convert<Big>(kit.omega);
    for (std::size_t i = 0; i < 3; ++i) {
      m_[i][0] = momentum[i];
      w_[i][0] = omega[i];
    }
    for (std::size_t i = 0; i < 4; ++i) q_[i][0] = kit.attitude[i];
  }

  void advance_to(double time) {
    while (time_ < time) step(time);
  }
  Seven state() const { return {q_[0][0], q_[1][0], q_[2][0], q_[3][0], w_[0][0], w_[1][0], w_[2][0]}; }

 private:
  static constexpr std::size_t order = 50;
  using Series = std::array<Big, order + 1>;

  static Big product(const Series& a, const Series& b, std::size_t k) {
    Big total(0);
    for (std::size_t j = 0; j <= k; ++j) total += a[j] * b[k - j];
    return total;
  }

  void step(double time) {
    for (std::size_t k = 0; k < order; ++k) {
      const Big scale = Big(1) / Big(k + 1);
      Vector<Big> coefficient;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
        coefficient[i] = m_[i][k + 1] = scale * (product(m_[j], w_[l], k) - product(m_[l], w_[j], k));
        q_[i + 1][k + 1] =
            scale / 2 *
            (product(q_[0], w_[i], k) + product(q_[j + 1], w_[l], k) - product(q_[l + 1], w_[j], k));
      }
      q_[0][k + 1] =
          -scale / 2 * (product(q_[1], w_[0], k) + product(q_[2], w_[1], k) + product(q_[3], w_[2], k));
      const Vector<Big> omega = inverse_ * coefficient;
      for (std::size_t i = 0; i < 3; ++i) w_[i][k + 1] = omega[i];
    }
    // A step of 1/512 times an integer in which the last terms are small, and no further than the time.
    const double unit = 1.0 / 512;
    double h = 0;
    for (double longer = unit; time_ + longer <= time && last_terms(longer) < 1e-44; longer += unit)
      h = longer;
    if (!(h > 0)) throw std::runtime_error("the series does not converge fast enough");
    for (Series& a : m_) sum(a, h);
    for (Series& a : w_) sum(a, h);
    for (Series& a : q_) sum(a, h);
    time_ += h;
  }

  /// The last two terms of the attitude and, relative to omega, of omega.
  double last_terms(double h) const {
    double largest = 0, speed = 1e-30;
    for (const Series& a : w_) speed = std::max(speed, std::abs(static_cast<double>(a[0])));
    for (const std::size_t k : {order - 1, order}) {
      for (const Series& a : q_)
        largest = std::max(largest, std::abs(static_cast<double>(a[k])) * std::pow(h, k));
      for (const Series& a : w_)
        largest = std::max(largest, std::abs(static_cast<double>(a[k])) * std::pow(h, k) / speed);
    }
    return largest;
  }

  static void sum(Series& a, double h) {
    Big total(0);
    for (std::size_t k = order + 1; k-- > 0;) total = total * h + a[k];
    a[0] = total;
  }

  Matrix<Big> tensor_, inverse_;
  std::array<Series, 3> m_, w_;
  std::array<Series, 4> q_;
  double time_ = 0;
};

TEST(KitStates, AreThoseOfTheClosedForm) {
  std::string lines;
  for (const KitBody& body : kit_bodies())
    for (const int time : kit_times) {
      const auto expected = decimals(by_closed_form(body, time));
      lines += "{\"" + std::string(body.name) + "\", " + std::to_string(time) + ", {";
      for (std::size_t i = 0; i < 7; ++i) lines += (i == 0 ? "\"" : ", \"") + expected[i] + "\"";
      lines += "}},\n";
    }
  if (const char* const file = std::getenv("POLHODE_WRITE_STATES")) {
    std::ofstream(file) << lines;
    GTEST_SKIP() << "written";
  }
  std::ifstream file(std::string(POLHODE_SOURCE_DIR) + "/src/conformance/states.inc");
  EXPECT_EQ(lines, std::string(std::istreambuf_iterator<char>(file), {}));
  EXPECT_EQ(kit_states().size(), kit_bodies().size() * kit_times.size());
}

/// Every one of the 32 digits.
TEST(KitStates, AreThoseOfTaylorSeries) {
  for (const KitBody& body : kit_bodies()) {
    TaylorMotion motion(body);
    for (const int time : kit_times) {
      motion.advance_to(time);
      const auto found = decimals(motion.state());
      const KitState& known = kit_state(body.name, time);
      for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(found[i], known.digits[i]) << body.name << ' ' << time;
    }
  }
}

}  // namespace
}  // namespace polhode::program
