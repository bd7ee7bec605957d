// The two flows of a body on which anything acts: the motion that turns it, and the change of its momentum at a fixed attitude.
//
// docs/driven-bodies.md has the equations. Both flows are solved to round-off, or to the order of the scheme where a torque
// depends on the angular velocity: so every scheme for two flows keeps its order, whatever acts.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "polhode/arithmetic/dual.hpp"
#include "polhode/arithmetic/gauss_collocation.hpp"
#include "polhode/arithmetic/relaxation.hpp"
#include "polhode/body/inertia.hpp"
#include "polhode/body/motion.hpp"
#include "polhode/splitting/carried_turn.hpp"
#include "polhode/splitting/momentum_change.hpp"
#include "polhode/torque/actions.hpp"
#include "polhode/torque/parameter.hpp"

namespace POLHODE_CORE {

/// A method that fails at a step too long for it leaves an attitude that is no number: not the torque's fault.
template <Scalar T>
void examine_torque(const Vector<T>& t, const Quaternion<T>& q, const Wide<T>& time) {
  if (!isfinite(t[0] + t[1] + t[2]))
    throw MotionError((isfinite(norm_squared(q)) ? "the torque at time " : "the state at time ") +
                      digits_of(static_cast<double>(time)) + " is not a finite number");
}

/// What acts, in inner units: those of a time, of a torque, and of momentum and inertia as powers of two.
template <Scalar T>
class Driving {
 public:
  using W = Wide<T>;

  Driving(const Actions<T>& actions, const T& time_unit, const T& torque_unit, int momentum_exponent,
          int inertia_exponent, std::int64_t& evaluations)
      : actions_(&actions),
        time_unit_(time_unit),
        torque_unit_(torque_unit),
        momentum_exponent_(momentum_exponent),
        inertia_exponent_(inertia_exponent),
        evaluations_(&evaluations) {}

  const Actions<T>& actions() const { return *actions_; }
  const T& time_unit() const { return time_unit_; }
  const T& torque_unit() const { return torque_unit_; }

  /// b(q, t), counted and examined.
  Vector<T> torque(const Quaternion<T>& q, const W& time) const {
    if (!actions_->has_kicks()) return {};
    ++*evaluations_;
    const Vector<T> t = actions_->torque(q, time);
    examine_torque(t, q, time);
    return torque_unit_ * t;
  }
  /// k(q, omega, t) for an inner omega.
  Vector<T> control(const Quaternion<T>& q, const Vector<T>& omega, const W& time) const {
    ++*evaluations_;
    const Vector<T> t = actions_->control(q, time_unit_ * omega, time);
    examine_torque(t, q, time);
    return torque_unit_ * t;
  }
  /// The derivative of torque() by a small rotation, and those of control().
  Matrix<T> torque_derivative(const Quaternion<T>& q, const W& time) const {
    return scaled(torque_unit_, actions_->torque_derivative(q, time));
  }
  ControlSlopes<T> control_derivative(const Quaternion<T>& q, const Vector<T>& omega, const W& time) const {
    const ControlSlopes<T> found = actions_->control_derivative(q, time_unit_ * omega, time);
    return {scaled(torque_unit_, found.by_rotation), scaled(torque_unit_ * time_unit_, found.by_rate)};
  }
  /// What a parameter changes: b, k, l, I^-1, C I^-1 in the user's unit of time, and d.
  Vector<T> torque_by(const Parameter<T>& p, const Quaternion<T>& q, const W& time) const {
    return torque_unit_ * p.torque(q, time);
  }
  Vector<T> control_by(const Parameter<T>& p, const Quaternion<T>& q, const Vector<T>& omega,
                       const W& time) const {
    return torque_unit_ * p.control(q, time_unit_ * omega, time);
  }
  Vector<T> rotor_momentum_by(const Parameter<T>& p, const W& time) const {
    Vector<W> l = p.rotor_momentum(time);
    for (W& x : l.c) x = ldexp(x, -momentum_exponent_);
    return convert<T>(l);
  }
  Matrix<T> inverse_inertia_by(const Parameter<T>& p, const W& time) const {
    Matrix<W> inverse = p.inverse_inertia(*actions_, time);
    for (auto& row : inverse.rows)
      for (W& x : row.c) x = ldexp(x, inertia_exponent_);
    return convert<T>(inverse);
  }
  Matrix<W> damping_rate_by(const Parameter<T>& p, const W& time) const {
    Matrix<W> sum = actions_->damping() * p.inverse_inertia(*actions_, time);
    const Matrix<W> other = p.damping() * actions_->inverse_inertia(time);
    for (std::size_t i = 0; i < 3; ++i) sum[i] = sum[i] + other[i];
    return sum;
  }
  T dissipation_by(const Parameter<T>& p) const { return ldexp(p.dissipation(), momentum_exponent_); }
  /// The derivative of the moments, in the inner unit.
  Vector<T> moments_by(const Parameter<T>& p) const {
    Vector<T> result = p.moments();
    for (T& x : result.c) x = ldexp(x, -inertia_exponent_);
    return result;
  }
  /// l(t).
  Vector<W> rotor_momentum(const W& time) const {
    Vector<W> l = actions_->rotor_momentum(time);
    for (W& x : l.c) x = ldexp(x, -momentum_exponent_);
    return l;
  }
  /// I(t)^-1.
  Matrix<T> inverse_inertia(const W& time) const {
    Matrix<W> inverse = actions_->inverse_inertia(time);
    for (auto& row : inverse.rows)
      for (W& x : row.c) x = ldexp(x, inertia_exponent_);
    return convert<T>(inverse);
  }
  /// C I(t)^-1, in the user's unit of time.
  Matrix<W> damping_rate(const W& time) const {
    return actions_->damping() * actions_->inverse_inertia(time);
  }
  T dissipation() const { return ldexp(actions_->dissipation(), momentum_exponent_); }

  /// The right-hand side of the equations of motion, for methods that do not split.
  State<T> rate(const State<T>& y, const W& time) const {
    const Vector<T> p = y.momentum - convert<T>(rotor_momentum(time));
    const Vector<T> omega = inverse_inertia(time) * p;
    const Vector<T> turning = omega + dissipation() * cross(y.momentum, omega);
    Vector<T> change = cross(y.momentum, turning) + torque(y.attitude, time);
    if (actions_->has_controls()) change = change + control(y.attitude, omega, time);
    if (actions_->is_damped()) change = change - (T(1) / time_unit_) * (convert<T>(damping_rate(time)) * p);
    return {change, T(0.5) * times_vector(y.attitude, turning)};
  }

 private:
  static Matrix<T> scaled(const T& factor, const Matrix<T>& m) {
    return {factor * m[0], factor * m[1], factor * m[2]};
  }

  const Actions<T>* actions_;
  T time_unit_, torque_unit_;
  int momentum_exponent_, inertia_exponent_;
  std::int64_t* evaluations_;
};

/// The motion that turns the body: m' = m x Omega, q' = q (0, Omega)/2 with Omega = omega + d m x omega and
/// omega = I(t)^-1 (m - l(t)). Without wheels, dissipation and changing inertia it is the free motion.
///
/// With them, the rotation r of a piece of the step is found by collocation, r' = r (0, Omega)/2 with m = r^-1 m0 r. Then
/// q r and r^-1 m r are computed in extended precision: the momentum in space stays whatever the error of r. Pieces of up to
/// a quarter of a radian make that error round-off; where l and I change faster than the body turns, the order is 12.
template <Scalar T>
class CarriedMotion {
 public:
  using W = Wide<T>;

  template <class M, class Method>
  void step(M& motion, const Method& method, const Driving<T>& driving, const T& length, const W& start) {
    if (is_free(driving, length, start)) return method.step(motion, length * driving.time_unit());
    in_pieces(motion, driving, length, start, [](const T&, const W&) {});
  }

  /// Where it is not the free motion. visit(length, start) is called before each piece moves the body,
  /// and may ask for with_derivatives().
  template <class M, class Visit>
  void in_pieces(M& motion, const Driving<T>& driving, const T& length, const W& start, Visit&& visit) {
    const carried::Node<T> node{convert<T>(driving.rotor_momentum(start)), driving.inverse_inertia(start)};
    const T angle = carried::largest_rate(motion.momentum(), node, driving.dissipation()) *
                    abs(length * driving.time_unit());
    if (!carried::can_be_divided(angle))
      throw MotionError("the step at time " + digits_of(static_cast<double>(start)) +
                        " is too long, or the state there is not a finite number");
    const double pieces = carried::pieces(angle);
    const T piece = length / T(pieces);
    for (double i = 0; i < pieces; ++i) turn(motion, driving, piece, start + W(i) * W(piece), visit);
  }

  /// Whether the motion is the free one: nothing carries, or all that does are wheels that stand still all the time.
  bool is_free(const Driving<T>& driving, const T& length, const W& start) const {
    const Actions<T>& actions = driving.actions();
    if (!actions.carries()) return true;
    if (actions.dissipates() || actions.inertia_changes() || !actions.rotor_changes()) return false;
    for (std::size_t i = 0; i < method_.stages(); ++i)
      if (!(driving.rotor_momentum(start + W(method_.node(i)) * W(length)) == Vector<W>{})) return false;
    return true;
  }

  /// That of the turns.
  const GaussMethod<T>& method() const { return method_; }

  /// The piece that is visited, with the derivatives of its rotation by the momentum before it: the stages of the same
  /// collocation, over dual numbers.
  template <class M>
  Quaternion<Dual<T, 3>> with_derivatives(const M& motion, const Driving<T>& driving, const T& length) const {
    using U = Dual<T, 3>;
    const Vector<T> m = motion.momentum();
    Vector<U> m0;
    for (std::size_t j = 0; j < 3; ++j) m0[j] = U::variable(m[j], j);
    std::vector<carried::Node<U>> nodes(nodes_.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].inverse = convert<U>(nodes_[i].inverse);
      for (std::size_t j = 0; j < 3; ++j) nodes[i].relative[j] = U::variable(nodes_[i].relative[j], j);
    }
    return dual_turn(nodes, m0, U(driving.dissipation()), length * driving.time_unit());
  }
  /// The same by a parameter; `start` is the time at the beginning of the piece.
  template <class M>
  Quaternion<Dual<T, 1>> with_derivatives(const M& motion, const Driving<T>& driving, const T& length,
                                          const W& start, const Parameter<T>& parameter) const {
    using U = Dual<T, 1>;
    std::vector<carried::Node<U>> nodes(nodes_.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const W time = start + W(method_.node(i)) * W(length);
      const Vector<T> rotor = driving.rotor_momentum_by(parameter, time);
      const Matrix<T> inverse = driving.inverse_inertia_by(parameter, time);
      for (std::size_t j = 0; j < 3; ++j) {
        nodes[i].relative[j] = U(nodes_[i].relative[j], {-rotor[j]});
        for (std::size_t k = 0; k < 3; ++k)
          nodes[i].inverse[j][k] = U(nodes_[i].inverse[j][k], {inverse[j][k]});
      }
    }
    return dual_turn(nodes, convert<U>(motion.momentum()),
                     U(driving.dissipation(), {driving.dissipation_by(parameter)}),
                     length * driving.time_unit());
  }

 private:
  static constexpr bool is_double = std::same_as<T, double>;

  template <class U>
  Quaternion<U> dual_turn(const std::vector<carried::Node<U>>& nodes, const Vector<U>& m0,
                          const U& dissipation, const T& inner) const {
    bool dissipates = !(dissipation == U(0));  // or a derivative by a coefficient that is zero
    for (const T& g : dissipation.gradient()) dissipates = dissipates || !(g == T(0));
    Quaternion<U> r =
        dual_gauss_step<Quaternion<U>>(method_, inner, [&](std::size_t i, const Quaternion<U>& y) {
          return carried::rate(nodes[i], m0, dissipation, dissipates, y);
        });
    r[0] += U(1);
    return r;
  }

  template <class M, class Visit>
  void turn(M& motion, const Driving<T>& driving, const T& length, const W& start, Visit& visit) {
    const Actions<T>& actions = driving.actions();
    nodes_.resize(method_.stages());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const W time = start + W(method_.node(i)) * W(length);
      if (i == 0 || actions.rotor_changes() || actions.inertia_changes()) {
        nodes_[i] = {convert<T>(motion.wide_momentum() - driving.rotor_momentum(time)),
                     driving.inverse_inertia(time)};
      } else {
        nodes_[i] = nodes_[0];
      }
    }
    visit(length, start);
    const auto node = [&](std::size_t i) -> const carried::Node<T>& { return nodes_[i]; };
    const T dissipation = driving.dissipation();
    if (!carried::turn<T, W>(motion, method_, node, dissipation, !(dissipation == T(0)),
                             length * driving.time_unit(), true))
      throw MotionError("the motion with wheels, dissipation or changing inertia at time " +
                        digits_of(static_cast<double>(start)) + " cannot be solved: take a shorter step");
  }

  GaussMethod<T> method_{is_double ? 6 : 8};
  std::vector<carried::Node<T>> nodes_;
};

/// The change of the momentum at a fixed attitude and time: p' = b - C I^-1 p + k(omega) with p = m - l. Without k it is exact:
/// a kick, or an exponential. With k it is a Runge-Kutta method of the order of the scheme: explicit where that is 2 or 4 and the
/// torque changes little over the stage, so that k is asked for as rarely as can be, and Gauss otherwise.
template <Scalar T>
class MomentumFlow {
 public:
  using W = Wide<T>;

  explicit MomentumFlow(int order) : order_(order), method_(static_cast<std::size_t>(order + 1) / 2) {}

  template <class M>
  void step(M& motion, const Driving<T>& driving, const T& length, const W& time) {
    const Actions<T>& actions = driving.actions();
    const Vector<T> kick = driving.torque(motion.attitude(), time);
    if (actions.has_controls()) return controlled_step(motion, driving, kick, length, time, &pieces_);
    const T inner = length * driving.time_unit();
    if (!actions.is_damped()) return motion.add_momentum(inner * kick);
    const Relaxation<T>& damping = relaxation_over(driving, length, time);
    motion.add_momentum(damping.decay * relative(motion, driving, time) + damping.response * (inner * kick));
  }

  /// The same with torques of the angular velocity; the others are given.
  template <class M>
  void controlled_step(M& motion, const Driving<T>& driving, const Vector<T>& kick, const T& length,
                       const W& time, int* pieces_taken = nullptr) const {
    const Quaternion<T> q = motion.attitude();
    const bool damped = driving.actions().is_damped();
    const Matrix<T> inverse = driving.inverse_inertia(time);
    const Matrix<T> damping = damped ? per_inner_time(driving, time) : Matrix<T>{};
    const auto rate_at = [&](const Vector<T>& at) {
      const Vector<T> rate = kick + driving.control(q, inverse * at, time);
      return damped ? rate - damping * at : rate;
    };
    MomentumChange<T> sought = change(relative(motion, driving, time), length * driving.time_unit());
    while (!sought.is_done()) sought.take(rate_at(sought.place()));
    if (pieces_taken != nullptr) *pieces_taken = sought.pieces();
    motion.add_momentum(found(sought, time));
  }

  /// The change of p over an inner time, for those who compute the rates of many bodies at once.
  MomentumChange<T> change(const Vector<T>& p, const T& inner) const { return {order_, method_, p, inner}; }
  int order() const { return order_; }
  /// What it has found. Throws MotionError where it has found nothing.
  static const Vector<T>& found(const MomentumChange<T>& change, const W& time) {
    if (change.change()) return *change.change();
    throw MotionError(
        "the torque of the angular velocity at time " + digits_of(static_cast<double>(time)) +
        " is too strong for the step: take a shorter one; where it jumps, smooth it or take the "
        "method rk4");
  }

  /// The derivative of what the last step, from `before` on, has added to the momentum: by the momentum, and by a small rotation.
  struct Slopes {
    Matrix<T> by_momentum{};
    Matrix<T> by_rotation{};
  };
  template <class M>
  Slopes derivative(const M& before, const Driving<T>& driving, const T& length, const W& time) {
    const Actions<T>& actions = driving.actions();
    const Quaternion<T> q = before.attitude();
    const T inner = length * driving.time_unit();
    const Matrix<T> slope = driving.torque_derivative(q, time);
    if (!actions.has_controls()) {
      Matrix<T> kick = slope;
      for (auto& row : kick.rows) row = inner * row;
      if (!actions.is_damped()) return {{}, kick};
      const Relaxation<T>& damping = relaxation_over(driving, length, time);
      return {damping.decay, damping.response * kick};
    }
    using U = Dual<T, 6>;
    const Vector<T> kick = driving.torque(q, time), momentum = relative(before, driving, time);
    Vector<U> b, p;
    for (std::size_t i = 0; i < 3; ++i) {
      b[i] = U(kick[i], {T(0), T(0), T(0), slope[i][0], slope[i][1], slope[i][2]});
      p[i] = U::variable(momentum[i], i);
    }
    const auto control = [&](const Vector<T>& omega, const ControlSlopes<T>& slopes) {
      const Vector<T> value = driving.control(q, omega, time);
      Vector<U> k;
      for (std::size_t i = 0; i < 3; ++i) {
        const Vector<T>& row = slopes.by_rotation[i];
        k[i] = U(value[i], {T(0), T(0), T(0), row[0], row[1], row[2]});
      }
      return k;
    };
    const Matrix<T> damping = actions.is_damped() ? per_inner_time(driving, time) : Matrix<T>{};
    const Vector<U> change =
        dual_change(driving, q, time, inner, p, b, convert<U>(driving.inverse_inertia(time)),
                    convert<U>(damping), control);
    return {detail::gradients(change), detail::gradients(change, 3)};
  }

  /// The same by a parameter.
  template <class M>
  Vector<T> derivative(const M& before, const Driving<T>& driving, const T& length, const W& time,
                       const Parameter<T>& parameter) {
    using U = Dual<T, 1>;
    const Actions<T>& actions = driving.actions();
    const Quaternion<T> q = before.attitude();
    const T inner = length * driving.time_unit();
    const Vector<T> kick = driving.torque(q, time), momentum = relative(before, driving, time);
    const Vector<T> kick_by = driving.torque_by(parameter, q, time),
                    rotor = driving.rotor_momentum_by(parameter, time);
    const Matrix<W> rate = driving.damping_rate(time), rate_by = driving.damping_rate_by(parameter, time);
    if (!actions.has_controls() && rate == Matrix<W>{} && rate_by == Matrix<W>{}) return inner * kick_by;
    if (!actions.has_controls()) {
      Matrix<Dual<W, 1>> lasting;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          lasting[i][j] = Dual<W, 1>(W(length) * rate[i][j], {W(length) * rate_by[i][j]});
      const Relaxation<Dual<W, 1>> found = relaxation(lasting);
      Vector<T> sum{};
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          const Dual<W, 1>&decay = found.decay[i][j], &response = found.response[i][j];
          sum[i] += static_cast<T>(decay.gradient()[0]) * momentum[j] -
                    static_cast<T>(decay.value()) * rotor[j] +
                    inner * (static_cast<T>(response.gradient()[0]) * kick[j] +
                             static_cast<T>(response.value()) * kick_by[j]);
        }
      }
      return sum;
    }
    Vector<U> b, p;
    Matrix<U> inverse, damping;
    const Matrix<T> value = driving.inverse_inertia(time), by = driving.inverse_inertia_by(parameter, time);
    for (std::size_t i = 0; i < 3; ++i) {
      b[i] = U(kick[i], {kick_by[i]});
      p[i] = U(momentum[i], {-rotor[i]});
      for (std::size_t j = 0; j < 3; ++j) {
        inverse[i][j] = U(value[i][j], {by[i][j]});
        damping[i][j] = U(static_cast<T>(rate[i][j]) / driving.time_unit(),
                          {static_cast<T>(rate_by[i][j]) / driving.time_unit()});
      }
    }
    const auto control = [&](const Vector<T>& omega, const ControlSlopes<T>&) {
      const Vector<T> of = driving.control(q, omega, time),
                      of_by = driving.control_by(parameter, q, omega, time);
      return Vector<U>(U(of[0], {of_by[0]}), U(of[1], {of_by[1]}), U(of[2], {of_by[2]}));
    };
    const Vector<U> change = dual_change(driving, q, time, inner, p, b, inverse, damping, control);
    return {change[0].gradient()[0], change[1].gradient()[0], change[2].gradient()[0]};
  }

  /// p = m - l.
  template <class M>
  static Vector<T> relative(const M& motion, const Driving<T>& driving, const W& time) {
    if (!driving.actions().has_rotor()) return motion.momentum();
    return convert<T>(motion.wide_momentum() - driving.rotor_momentum(time));
  }

  /// C I(t)^-1 in inverse inner time.
  static Matrix<T> per_inner_time(const Driving<T>& driving, const W& time) {
    Matrix<T> rate = convert<T>(driving.damping_rate(time));
    for (auto& row : rate.rows) row = (T(1) / driving.time_unit()) * row;
    return rate;
  }

  /// The exponential of a stage.
  static Relaxation<T> relaxation_of(const Driving<T>& driving, const T& length, const W& time) {
    Matrix<W> rate = driving.damping_rate(time);
    for (auto& row : rate.rows) row = W(length) * row;
    const Relaxation<W> wide = relaxation(rate);
    return {convert<T>(wide.decay), convert<T>(wide.response)};
  }

 private:
  /// What the last step has added, over dual numbers: p' = b - damping p + control, from the momentum p. control(omega, slopes)
  /// has the derivatives at a fixed omega; those by omega are added here.
  template <class U, class Control>
  Vector<U> dual_change(const Driving<T>& driving, const Quaternion<T>& q, const W& time, const T& inner,
                        const Vector<U>& p, const Vector<U>& b, const Matrix<U>& inverse,
                        const Matrix<U>& damping, const Control& control) const {
    const auto rate_at = [&](const Vector<U>& at) {
      const Vector<U> omega = inverse * at;
      const Vector<T> value(omega[0].value(), omega[1].value(), omega[2].value());
      const ControlSlopes<T> slopes = driving.control_derivative(q, value, time);
      Vector<U> k = control(value, slopes);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) k[i] += U(slopes.by_rate[i][j]) * (omega[j] - U(value[j]));
      return (b + k) - damping * at;
    };
    if (pieces_ == 0) {
      const Vector<U> first = rate_at(p), middle = rate_at(explicit_kick::middle(p, inner, first));
      if (order_ <= 2) return inner * middle;
      const Vector<U> again = rate_at(explicit_kick::middle(p, inner, middle));
      return explicit_kick::change(inner, first, middle, again, rate_at(explicit_kick::end(p, inner, again)));
    }
    Vector<U> change{};
    for (int i = 0; i < pieces_; ++i) {
      const Vector<U> begin = p + change;
      change = change + dual_gauss_step<Vector<U>>(method_, inner / T(pieces_),
                                                   [&](std::size_t, const Vector<U>& increment) {
                                                     return rate_at(begin + increment);
                                                   });
    }
    return change;
  }

  /// The exponential of a stage. Those of the lengths of a scheme are kept, unless they change with the inertia.
  const Relaxation<T>& relaxation_over(const Driving<T>& driving, const T& length, const W& time) {
    const bool keep = !driving.actions().inertia_changes();
    if (keep)
      for (const auto& [known, found] : relaxations_)
        if (known == length) return found;
    constexpr std::size_t most_lengths = 64;
    if (!keep || relaxations_.size() == most_lengths) relaxations_.clear();
    relaxations_.push_back({length, relaxation_of(driving, length, time)});
    return relaxations_.back().second;
  }

  int order_;
  GaussMethod<T> method_;
  std::vector<std::pair<T, Relaxation<T>>> relaxations_;
  int pieces_ = 0;  // of the last step of a control law; 0: it was explicit
};

}  // namespace POLHODE_CORE
