// The scorer finds what is wrong with a step, and says it.

#include "conformance/score.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <string>

#include "conformance/kit.hpp"
#include "polhode_step.h"
#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {
namespace {

using Vec = Vector<double>;
using Quat = Quaternion<double>;

Vec solved(const Matrix<double>& a, const Vec& b) {
  const Vec u = cross(a[1], a[2]);
  return (1 / dot(a[0], u)) * (b[0] * u + b[1] * cross(a[2], a[0]) + b[2] * cross(a[0], a[1]));
}

Quat rotation(const Vec& w, double h) {
  const double angle = norm(w) * h / 2;
  return angle > 0 ? Quat(std::cos(angle), (std::sin(angle) / norm(w)) * w) : Quat();
}

/// I (w - w0) = k (I w) x w by steps of Newton's method from w0, written for a tensor.
Vec newton(const Matrix<double>& tensor, const Vec& w0, double k, int iterations) {
  Vec w = w0;
  for (int n = 0; n < iterations; ++n) {
    Matrix<double> jacobian;
    for (std::size_t j = 0; j < 3; ++j) {
      Vec e{};
      e[j] = 1;
      const Vec column = tensor * e - k * (cross(tensor * e, w) + cross(tensor * w, e));
      for (std::size_t i = 0; i < 3; ++i) jacobian[j][i] = column[i];
    }
    // The columns were written as rows: solved() takes columns then.
    const Vec residual = k * cross(tensor * w, w) - tensor * (w - w0);
    const Vec bc = cross(jacobian[1], jacobian[2]);
    const double determinant = dot(jacobian[0], bc);
    w = w + Vec(dot(residual, bc) / determinant, dot(residual, cross(jacobian[2], jacobian[0])) / determinant,
                dot(residual, cross(jacobian[0], jacobian[1])) / determinant);
  }
  return w;
}

struct Motion {
  Matrix<double> tensor;
  polhode_tensor prepared;
  Vec omega;
  Quat q;
};
using Step = std::function<void(Motion&, double)>;

void exact_step(Motion& m, double h) { polhode_tensor_step(m.omega.c.data(), m.q.c.data(), &m.prepared, h); }

/// The lines of a program with this step; `show` may change a state before it is written.
std::string run(const Step& step, std::vector<int> frequencies = {60, 240},
                const std::function<void(Motion&)>& show = {}) {
  std::string text = "body,frequency,time,q0,q1,q2,q3,omega1,omega2,omega3\n";
  for (const KitBody& b : kit_bodies())
    for (const int frequency : frequencies) {
      Motion m{b.tensor(), {}, b.omega, b.attitude};
      double flat[9];
      for (std::size_t i = 0; i < 9; ++i) flat[i] = m.tensor[i / 3][i % 3];
      EXPECT_EQ(polhode_prepare(&m.prepared, flat), 1);
      long taken = 0;
      for (const int time : kit_times) {
        for (; taken < long{time} * frequency; ++taken) step(m, 1.0 / frequency);
        Motion shown = m;
        if (show) show(shown);
        char line[400];
        std::snprintf(line, sizeof line, "%s,%d,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n",
                      std::string(b.name).c_str(), frequency, time, shown.q[0], shown.q[1], shown.q[2],
                      shown.q[3], shown.omega[0], shown.omega[1], shown.omega[2]);
        text += line;
      }
    }
  return text;
}

ConformanceScore scored(const std::string& text) { return score(read_states(text, "states.csv")); }

bool says(const ConformanceScore& s, const std::string& words) {
  for (const std::string& v : s.verdicts)
    if (v.find(words) != std::string::npos) return true;
  return false;
}

TEST(Score, TheExactStepIsExact) {
  const ConformanceScore s = scored(run(exact_step));
  EXPECT_EQ(s.order, 0) << score_text(s);
  EXPECT_TRUE(says(s, "exact: the attitude is right to rounding")) << score_text(s);
  EXPECT_TRUE(says(s, "keeps the energy to rounding")) << score_text(s);
  EXPECT_FALSE(says(s, "momentum")) << score_text(s);
  EXPECT_FALSE(says(s, "leaves")) << score_text(s);
  EXPECT_EQ(s.recognition.velocity, "exact");
  EXPECT_EQ(s.recognition.attitude, "exact");
  EXPECT_TRUE(s.missing.empty());
  EXPECT_LT(s.frequencies[0].attitude.median, 1e-13);
}

TEST(Score, NamesAMissingGyroscopicTerm) {
  const ConformanceScore s = scored(run([](Motion& m, double h) { m.q = m.q * rotation(m.omega, h); }));
  EXPECT_TRUE(says(s, "has no gyroscopic term")) << score_text(s);
  EXPECT_TRUE(says(s, "does not keep the momentum in space")) << score_text(s);
  EXPECT_FALSE(says(s, "wrong order"));
}

TEST(Score, NamesTheWrongOrderOfTheProduct) {
  const ConformanceScore s = scored(run([](Motion& m, double h) {
    const Quat before = m.q;
    m.q = Quat();
    exact_step(m, h);
    m.q = m.q * before;
  }));
  EXPECT_TRUE(says(s, "multiplies the quaternions in the wrong order")) << score_text(s);
  EXPECT_TRUE(says(s, "does not converge") || says(s, "no order can be seen")) << score_text(s);
  EXPECT_TRUE(says(s, "keeps the energy to rounding")) << score_text(s);
}

TEST(Score, NamesOneStepOfNewton) {
  const ConformanceScore euler = scored(run([](Motion& m, double h) {
    m.omega = newton(m.tensor, m.omega, h, 1);
    m.q = m.q * rotation(m.omega, h);
  }));
  EXPECT_TRUE(says(euler, "takes one step of Newton's method")) << score_text(euler);
  EXPECT_TRUE(says(euler, "implicit Euler with one step")) << score_text(euler);
  EXPECT_TRUE(says(euler, "loses energy")) << score_text(euler);
  EXPECT_LT(euler.frequencies[0].energy.median, -1e-3);
  EXPECT_NEAR(euler.order, 1, 0.15) << score_text(euler);
  EXPECT_EQ(euler.recognition.attitude, "turned by the new omega");

  const auto midpoint = [](int iterations) {
    return [iterations](Motion& m, double h) {
      const Vec middle = newton(m.tensor, m.omega, h / 2, iterations);
      m.omega = 2.0 * middle - m.omega;
      m.q = m.q * rotation(middle, h);
    };
  };
  const ConformanceScore once = scored(run(midpoint(1)));
  EXPECT_TRUE(says(once, "takes one step of Newton's method")) << score_text(once);
  EXPECT_TRUE(says(once, "midpoint rule with one step")) << score_text(once);
  const ConformanceScore solution = scored(run(midpoint(8)));
  EXPECT_FALSE(says(solution, "Newton")) << score_text(solution);
  EXPECT_EQ(solution.recognition.velocity, "the implicit midpoint rule, solved");
  EXPECT_TRUE(says(solution, "keeps the energy to rounding")) << score_text(solution);
  EXPECT_NEAR(solution.order, 2, 0.15) << score_text(solution);
}

TEST(Score, NamesSinglePrecision) {
  std::string text = "body,step,time,q0,q1,q2,q3,omega1,omega2,omega3\n";
  for (const KitBody& b : kit_bodies()) {
    if (!b.diagonal()) continue;
    for (const int frequency : {60, 240}) {
      float omega[3], q[4], moments[3];
      for (std::size_t i = 0; i < 3; ++i) {
        omega[i] = static_cast<float>(b.omega[i]);
        moments[i] = static_cast<float>(b.inertia[i]);
      }
      for (std::size_t i = 0; i < 4; ++i) q[i] = static_cast<float>(b.attitude[i]);
      int taken = 0;
      for (const int time : kit_times) {
        for (; taken < time * frequency; ++taken)
          polhode_free_stepf(omega, q, moments, 1.0F / static_cast<float>(frequency));
        text += std::string(b.name) + "," + rounded("%.17g", 1.0 / frequency) + "," + std::to_string(time);
        for (const float x : {q[0], q[1], q[2], q[3], omega[0], omega[1], omega[2]})
          text += "," + rounded("%.9g", static_cast<double>(x));
        text += "\n";
      }
    }
  }
  const ConformanceScore s = scored(text);
  EXPECT_TRUE(says(s, "computes in single precision")) << score_text(s);
  EXPECT_EQ(s.order, 0) << score_text(s);
  EXPECT_EQ(s.recognition.velocity, "exact") << score_text(s);
  EXPECT_FALSE(says(s, "leaves stable spin")) << score_text(s);
  EXPECT_EQ(s.missing.size(), 4U);
  EXPECT_NEAR(s.frequencies[1].frequency, 240, 1e-9);
}

TEST(Score, NamesGainedEnergyAndASpinThatIsLeft) {
  const ConformanceScore s = scored(run([](Motion& m, double h) {
    m.omega = m.omega + h * solved(m.tensor, cross(m.tensor * m.omega, m.omega));
    m.q = m.q * rotation(m.omega, h);
  }));
  EXPECT_TRUE(says(s, "gains energy")) << score_text(s);
  EXPECT_GT(s.frequencies[0].energy.median, 1e-3);
  EXPECT_TRUE(says(s, "leaves stable spin")) << score_text(s);
  EXPECT_EQ(s.recognition.velocity, "explicit Euler");
  EXPECT_NEAR(s.order, 1, 0.15) << score_text(s);
}

TEST(Score, NamesWrongFrames) {
  const ConformanceScore inverse = scored(run(exact_step, {60}, [](Motion& m) { m.q = conjugate(m.q); }));
  EXPECT_TRUE(says(inverse, "inverse attitude")) << score_text(inverse);
  const ConformanceScore space =
      scored(run(exact_step, {60}, [](Motion& m) { m.omega = rotate(m.q, m.omega); }));
  EXPECT_TRUE(says(space, "omega in space")) << score_text(space);
}

TEST(Score, NamesWhatBlowsUp) {
  const ConformanceScore s = scored(run(exact_step, {60}, [](Motion& m) {
    if (m.tensor[2][2] == 26) m.omega[1] = NAN;
  }));
  EXPECT_TRUE(says(s, "blows up: not finite in 10 s at 60 Hz: generic-top")) << score_text(s);
  EXPECT_NE(score_json(s).find("\"worst\": null"), std::string::npos);
}

TEST(Score, RefusesWrongFilesInASentence) {
  const std::string names = "body,frequency,time,q0,q1,q2,q3,omega1,omega2,omega3\n";
  const auto reason = [](const std::string& text) -> std::string {
    try {
      read_states(text, "a.csv");
    } catch (const ScenarioError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(reason(""), "a.csv: there are no states in it");
  EXPECT_EQ(reason(names), "a.csv: there are no states in it");
  EXPECT_EQ(reason("body,time\n"), "a.csv: line 1: there is no column step or frequency");
  EXPECT_EQ(reason("body,time,step,q0,q1,q2,q3\n"),
            "a.csv: line 1: there is no column momentum1 (nor omega1 to omega3)");
  EXPECT_EQ(reason(names + "bok,60,1,1,0,0,0,0,0,0\n"),
            "a.csv: line 2: there is no body \"bok\"; did you mean \"box\"?");
  EXPECT_EQ(reason(names + "box,60,3,1,0,0,0,0,0,0\n"),
            "a.csv: line 2: the kit has no state at the time 3; it has 1, 2, 5 and 10");
  EXPECT_EQ(reason(names + "box,-60,1,1,0,0,0,0,0,0\n"),
            "a.csv: line 2: frequency must be positive, not -60");
  EXPECT_EQ(reason(names + "box,60,1,1,0,0,x,0,0,0\n"), "a.csv: line 2: q3: \"x\" is not a number");
  EXPECT_EQ(reason(names + "box,60,1\n"), "a.csv: line 2: 3 cells under 10 names");
}

TEST(Score, TakesMomentaAndComments) {
  const KitBody& b = *find_kit_body("tensor");
  const KitPoint p = kit_point(b, 2);
  const Vec m = b.tensor() * p.omega;
  char line[500];
  std::snprintf(line, sizeof line,
                "# of ours\ntime, body, frequency, q3,q2,q1,q0, momentum1,momentum2,momentum3, note\n"
                "2, tensor, 60, %.17g,%.17g,%.17g,%.17g, %.17g,%.17g,%.17g, good\n",
                p.attitude[3], p.attitude[2], p.attitude[1], p.attitude[0], m[0], m[1], m[2]);
  const ConformanceScore s = scored(line);
  EXPECT_LT(s.frequencies[0].attitude.worst, 1e-15);
  EXPECT_LT(s.frequencies[0].omega.worst, 1e-14);
}

}  // namespace
}  // namespace polhode::program
