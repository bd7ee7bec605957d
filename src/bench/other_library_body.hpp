// The free body as a general ordinary differential equation in (m, q), as a user of such a library writes it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "bench/row_source.hpp"

namespace polhode::program {

/// The momentum, then the attitude.
using OtherState = std::array<double, 7>;

OtherState other_state(const State<double>& s);

/// The attitude brought to norm one.
State<double> state_of(const OtherState& y);

DoubleDouble energy_of(const Vector<double>& moments, const OtherState& y);

/// m' = m x w, q' = q (0, w) / 2, with w = I^-1 m.
struct OtherEquations {
  explicit OtherEquations(const Vector<double>& moments)
      : inverse{1.0 / moments[0], 1.0 / moments[1], 1.0 / moments[2]} {}

  void rate(const double* y, double* dy) const {
    const double w0 = inverse[0] * y[0], w1 = inverse[1] * y[1], w2 = inverse[2] * y[2];
    dy[0] = y[1] * w2 - y[2] * w1;
    dy[1] = y[2] * w0 - y[0] * w2;
    dy[2] = y[0] * w1 - y[1] * w0;
    dy[3] = -0.5 * (y[4] * w0 + y[5] * w1 + y[6] * w2);
    dy[4] = 0.5 * (y[3] * w0 + y[5] * w2 - y[6] * w1);
    dy[5] = 0.5 * (y[3] * w1 + y[6] * w0 - y[4] * w2);
    dy[6] = 0.5 * (y[3] * w2 + y[4] * w1 - y[5] * w0);
  }

  std::array<double, 3> inverse;
};

/// What the other libraries with fixed steps have in common; each of them only moves y.
class OtherLibraryBody : public Simulation {
 public:
  OtherLibraryBody(std::string name, const BenchProblem& problem, double step);

  const Description& description() const override { return description_; }
  void look(Snapshot& snapshot) const override;

  void advance(std::int64_t count) override {
    move(count);
    steps_ += count;
  }
  std::int64_t steps() const override { return steps_; }
  double time() const override { return static_cast<double>(steps_) * step(); }
  EvaluationCounts evaluations() const override { return {}; }
  std::vector<std::byte> save() const override;
  void restore(std::span<const std::byte> bytes) override;

 protected:
  const OtherEquations& equations() const { return equations_; }
  double step() const { return description_.step; }
  OtherState& y() { return y_; }

 private:
  virtual void move(std::int64_t count) = 0;

  Description description_;
  Vector<double> moments_;
  OtherEquations equations_;
  OtherState y_;
  std::int64_t steps_ = 0;
};

std::unique_ptr<Simulation> make_gsl_rk8pd(const BenchProblem& problem, double step);
std::unique_ptr<Simulation> make_odeint_rkf78(const BenchProblem& problem, double step);

}  // namespace polhode::program
