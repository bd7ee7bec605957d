// One exact step of many bodies, straight from and to arrays.
//
// Batch keeps its bodies between the steps, with what compensation knows of them; making and reading one costs many times
// a step. Here a pack of bodies is loaded, stepped by the same kernel and stored, all in registers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "polhode/batch/batch.hpp"
#include "wide_pack.hpp"

namespace polhode::python {

/// The bits are those of FreeRotor<Exact<double>> after one step, for every body.
class ExactStep {
 public:
  /// The method was made for this body.
  ExactStep(const Body<double>& body, const Exact<double>& exact, double h)
      : body_(body),
        exact_(exact),
        h_(h),
        inner_h_(std::ldexp(h, -body.inertia_exponent())),
        turned_(!(body.axes() == Matrix<DoubleDouble>::identity())),
        turn_(packed(body.turn())),
        axes_{packed(body.axes())} {
    for (std::size_t lane = 0; lane < Pack::width; ++lane)
      kernel_.visit_with(exact_.short_flow(), [lane](Pack& pack, double x) { pack.set(lane, x); });
  }

  /// Throws InputError if the state is not one.
  void one(const double* momentum, const double* attitude, double* new_momentum, double* new_attitude) const {
    Rotor<double, Summation::compensated> rotor(
        body_,
        {{{momentum[0], momentum[1], momentum[2]}}, {attitude[0], attitude[1], attitude[2], attitude[3]}});
    rotor.steps_with(exact_, h_, 1);
    const State<double> s = rotor.state();
    std::copy(s.momentum.c.begin(), s.momentum.c.end(), new_momentum);
    std::copy(s.attitude.c.begin(), s.attitude.c.end(), new_attitude);
  }

  /// Bodies first..last of arrays (N, 3) and (N, 4); the results may be written over what is read. failed(i, error) is told
  /// of an entry that is no state.
  template <class Failed>
  void many(std::size_t first, std::size_t last, const double* momenta, const double* attitudes,
            double* new_momenta, double* new_attitudes, const Failed& failed) const {
    for (; first < last; first += Pack::width) {
      const std::size_t present = std::min(Pack::width, last - first);
      const Loaded in(momenta + 3 * first, attitudes + 4 * first, present);
      const Stored out = stepped(in);
      for (std::size_t lane = 0; lane < present; ++lane) {
        const std::size_t i = first + lane;
        if (out.good[lane]) {
          for (std::size_t k = 0; k < 3; ++k) new_momenta[3 * i + k] = out.momentum[k][lane];
          for (std::size_t k = 0; k < 4; ++k) new_attitudes[4 * i + k] = out.attitude[k][lane];
        } else {
          try {
            one(momenta + 3 * i, attitudes + 4 * i, new_momenta + 3 * i, new_attitudes + 4 * i);
          } catch (const InputError& e) {
            failed(i, e);
          }
        }
      }
    }
  }

 private:
  using Sums = Motion<Pack, Summation::compensated>;

  /// The states of a pack as they were given, and the units of the momenta.
  struct Loaded {
    Loaded(const double* momenta, const double* attitudes, std::size_t present) {
      for (std::size_t lane = 0; lane < Pack::width; ++lane) {
        // A pack that is not full repeats its last body.
        const double* const m = momenta + 3 * std::min(lane, present - 1);
        const double* const q = attitudes + 4 * std::min(lane, present - 1);
        const double largest = std::fmax(std::fmax(std::abs(m[0]), std::abs(m[1])), std::abs(m[2]));
        // Momenta of ordinary size only: their exponent is that of a normal number, and scaling loses nothing.
        const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52);
        const double sum = m[0] + m[1] + m[2] + (q[0] + q[1] + q[2] + q[3]);
        good[lane] = biased > 123 && biased < 1923 && std::isfinite(sum);
        exponent[lane] = good[lane] ? biased - 1023 : 0;
        const double down = power_of_two(-exponent[lane]);
        for (std::size_t k = 0; k < 3; ++k) momentum[k].set(lane, m[k] * down);
        for (std::size_t k = 0; k < 4; ++k) attitude[k].set(lane, q[k]);
      }
    }
    Vector<Pack> momentum;
    Quaternion<Pack> attitude{{}, {}, {}, {}};
    std::array<int, Pack::width> exponent{};
    std::array<bool, Pack::width> good{};
  };

  struct Stored {
    Vector<Pack> momentum;
    Quaternion<Pack> attitude{{}, {}, {}, {}};
    std::array<bool, Pack::width> good{};
  };

  // Flat, because what is not inlined costs more than what it computes.
  [[gnu::flatten, gnu::noinline]] Stored stepped(const Loaded& in) const {
    Sums motion = begin(in);
    Pack inner, up;
    for (std::size_t lane = 0; lane < Pack::width; ++lane) {
      inner.set(lane, inner_h_ * power_of_two(in.exponent[lane]));  // exact, or too short to move
      up.set(lane, power_of_two(in.exponent[lane]));
    }
    const Vector<Pack> m = motion.momentum();
    const Pack size2 = dot(m, m), norm2 = norm_squared(motion.attitude());
    const Pack angle2 = kernel_.square_angle(size2, inner);
    kernel_.step(motion, size2, inner);

    Stored out;
    for (std::size_t lane = 0; lane < Pack::width; ++lane)
      out.good[lane] = in.good[lane] && std::isnormal(inner_h_) &&
                       angle2[lane] <= exact_.square_angle_limit() && norm2[lane] > 0x1p-99 &&
                       norm2[lane] < 0x1p99 && Rotor<double, Summation::compensated>::moves(inner[lane]);
    Vector<WidePack> end;
    for (std::size_t k = 0; k < 3; ++k)
      end[k] = WidePack(motion.momentum()[k]) + WidePack(motion.momentum_error()[k]);
    Quaternion<WidePack> attitude{0.0, 0.0, 0.0, 0.0};
    for (std::size_t k = 0; k < 4; ++k)
      attitude[k] = WidePack(motion.attitude()[k]) + WidePack(motion.attitude_error()[k]);
    if (turned_) {
      end = transpose(axes_) * end;
      attitude = attitude * turn_;
    }
    const WidePack inverse = WidePack(1.0) / sqrt(norm_squared(attitude));
    for (std::size_t k = 0; k < 3; ++k) out.momentum[k] = end[k].high() * up;
    for (std::size_t k = 0; k < 4; ++k) out.attitude[k] = (inverse * attitude[k]).high();
    return out;
  }

  /// The states in the principal frame. Without a turn that is the identity, but for the sign of a zero.
  Sums begin(const Loaded& in) const {
    Sums motion;
    if (!turned_) {
      Vector<Pack> m;
      Quaternion<Pack> q{{}, {}, {}, {}};
      for (std::size_t k = 0; k < 3; ++k) m[k] = in.momentum[k] + Pack(0.0);
      for (std::size_t k = 0; k < 4; ++k) q[k] = in.attitude[k] + Pack(0.0);
      motion.assign(m, q);
      return motion;
    }
    Vector<WidePack> m;
    Quaternion<WidePack> q{0.0, 0.0, 0.0, 0.0};
    for (std::size_t k = 0; k < 3; ++k) m[k] = in.momentum[k];
    for (std::size_t k = 0; k < 4; ++k) q[k] = in.attitude[k];
    motion.assign(axes_ * m, q * conjugate(turn_));
    return motion;
  }

  static double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
  }
  static Quaternion<WidePack> packed(const Quaternion<DoubleDouble>& q) {
    return {WidePack(q[0]), WidePack(q[1]), WidePack(q[2]), WidePack(q[3])};
  }
  static Matrix<WidePack> packed(const Matrix<DoubleDouble>& a) {
    Matrix<WidePack> result;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) result[i][j] = WidePack(a[i][j]);
    return result;
  }

  Body<double> body_;
  Exact<double> exact_;
  double h_, inner_h_;
  bool turned_;
  Quaternion<WidePack> turn_;
  Matrix<WidePack> axes_;
  ShortFlow<Pack> kernel_;
};

}  // namespace polhode::python
