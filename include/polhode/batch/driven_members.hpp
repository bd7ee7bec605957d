// The bodies of a batch under torque: where each of them stands, its units, and what is done with it by itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "polhode/batch/array_torques.hpp"
#include "polhode/batch/body_kinds.hpp"
#include "polhode/batch/compiled_functions.hpp"
#include "polhode/batch/driven_plan.hpp"
#include "polhode/body/rotating_body.hpp"
#include "polhode/splitting/driven_units.hpp"
#include "polhode/torque/torque_list.hpp"

namespace POLHODE_CORE {

class DrivenMembers {
 public:
  using W = DoubleDouble;
  using Block = polhode_shared::CompensatedBlock;
  using Stage = polhode_shared::DrivenStage;
  using Sums = Motion<double, Summation::compensated>;
  using Member = RotatingBody<double, Summation::compensated>;
  using Lists = std::span<const TorqueList<double>>;

  DrivenMembers(std::span<const Body<double>> bodies, std::span<const State<double>> states, Lists torques,
                const ArrayTorques& arrays, const W& start)
      : units_(states.size()) {
    if (bodies.size() != 1 && bodies.size() != states.size())
      throw InputError("there are not as many bodies as states");
    if (torques.size() != 1 && torques.size() != states.size())
      throw InputError("there are not as many lists of torques as states");
    if (states.empty()) return;
    arrange(bodies);
    for (std::size_t i = 0; i < size(); ++i) in_body(i, [&] { examine(states[i]); });
    if (!arrays.empty()) show_frames();
    make_plan(torques, arrays);
    set_units(states, torques, arrays, start);
    if (!arrays.controls.empty() && !plan_.inertia_changes) control_rows_ = make_control_rows(start);
    if (plan_.carries && !plan_.carriers_change()) show_carried(start);
    fill(states);
  }

  std::size_t size() const { return units_.size(); }
  std::size_t place(std::size_t i) const { return place_of_[i]; }
  const std::vector<std::uint32_t>& body_at() const { return body_at_; }
  const Body<double>& body(std::size_t i) const { return bodies_[kind_at_[place_of_[i]]]; }
  /// Of momentum, as an exponent of two.
  int unit(std::size_t i) const { return units_[i]; }
  const DrivenPlan& plan() const { return plan_; }
  /// Where the plan needs them.
  const Actions<double>& actions(std::size_t i) const { return acting_[i]->actions; }
  /// As they are at the beginning.
  std::vector<Block> take_first_blocks() { return std::move(first_blocks_); }

  /// BatchKindList.
  std::vector<double> moments() const {
    std::vector<double> result;
    for (const Body<double>& body : bodies_)
      result.insert(result.end(), body.inertia().moments.c.begin(), body.inertia().moments.c.end());
    return result;
  }
  std::span<const std::uint32_t> kind_at() const {
    return bodies_.size() == 1 ? std::span<const std::uint32_t>() : kind_at_;
  }

  /// For functions of arrays: the turn of each body (4), whether it is turned; its axes (9), whether it is turned.
  const LaneRows& turns() const { return turns_; }
  const LaneRows& axes() const { return axes_; }

  /// DrivenJob::carried and its collocation.
  const LaneRows& carried() const { return carried_; }
  polhode_shared::DrivenGauss gauss() const {
    const GaussMethod<double>& method = carried_motion_.method();
    return {method.stages(), method.nodes(), method.weights(), method.matrix()};
  }

  /// Names the body in what is thrown, if there are several.
  template <class Action>
  void in_body(std::size_t i, Action&& action) const {
    try {
      action();
    } catch (const InputError& e) {
      throw InputError(named(i, e.what()));
    } catch (const MotionError& e) {
      throw MotionError(named(i, e.what()));
    }
  }

  /// In the principal frame and the user's unit.
  Vector<double> momentum(std::size_t i, const Sums& motion) const {
    return convert<double>(wide_momentum(i, motion));
  }
  Vector<double> angular_velocity(std::size_t i, const Member& member, const W& time) const {
    if (!plan_.carries || !actions(i).carries()) return member.angular_velocity();
    return convert<double>(
        body(i).to_user(actions(i).angular_velocity(wide_momentum(i, member.motion()), time)));
  }

  /// The exponentials of damping over the length of a kick, for all bodies; kept for the next time. None if the inertia changes.
  std::shared_ptr<const LaneRows> relaxations(double length) const {
    if (!plan_.is_damped || plan_.inertia_changes) return nullptr;
    const std::lock_guard lock(known_->mutex);
    for (const auto& [known, rows] : known_->rows)
      if (known == length) return rows;
    constexpr std::size_t most_lengths = 64;
    if (known_->rows.size() == most_lengths) known_->rows.clear();
    auto rows = std::make_shared<LaneRows>(19, places() / lanes);
    const ActingOnBody* last = nullptr;
    std::vector<double> numbers;
    for (std::size_t at = 0; at < places(); ++at) {
      const std::size_t i = body_at_[at];
      if (acting_[i].get() != last) numbers = relaxation_numbers(i, length);
      last = acting_[i].get();
      rows->set(at, numbers);
    }
    rows->share_what_is_equal();
    known_->rows.emplace_back(length, rows);
    return rows;
  }

  // ---- What is done body by body, with the lanes of one block.

  /// CarriedMotion::step.
  void carry(Block& block, std::size_t at, const Stage& stage) const {
    thread_local CarriedMotion<double> carried;
    for_each_lane(block, at, [&](std::size_t i, std::size_t, Sums& motion) {
      carried.step(motion, methods_[kind_at_[place_of_[i]]], driving(i), stage.length, time_of(stage));
    });
  }

  /// A kick that packs do not know.
  void ask(std::size_t at, std::size_t kick, const Stage& stage, const double* q, double* t) const {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Vector<double> torque =
          actions(body_at_[at * lanes + lane])
              .kick(kick, {q[lane], q[lanes + lane], q[2 * lanes + lane], q[3 * lanes + lane]},
                    time_of(stage));
      for (std::size_t k = 0; k < 3; ++k) t[k * lanes + lane] = torque[k];
    }
  }

  /// MomentumFlow::step, where the torques of attitude and time are known.
  void finish(Block& block, std::size_t at, const Stage& stage, const MomentumFlow<double>& flow,
              const LaneRows* relaxations, const double* t) const {
    for_each_lane(block, at, [&](std::size_t i, std::size_t lane, Sums& motion) {
      const Vector<double> kick{t[lane], t[lanes + lane], t[2 * lanes + lane]};
      const Driving<double> driven = driving(i);
      if (plan_.is_controlled)
        return in_body(i, [&] { flow.controlled_step(motion, driven, kick, stage.length, time_of(stage)); });
      const Vector<double> change = (stage.length * driven.time_unit()) * kick;
      if (!actions(i).is_damped()) return motion.add_momentum(change);
      const std::vector<double> own = relaxations == nullptr
                                          ? relaxation_numbers(i, stage.length, time_of(stage))
                                          : std::vector<double>();
      const auto number = [&](std::size_t row) {
        return relaxations == nullptr ? own[row] : relaxations->at(at * lanes + lane, row);
      };
      const auto matrix = [&](std::size_t row) {
        Matrix<double> m;
        for (std::size_t k = 0; k < 9; ++k) m[k / 3][k % 3] = number(row + k);
        return m;
      };
      motion.add_momentum(matrix(0) * MomentumFlow<double>::relative(motion, driven, time_of(stage)) +
                          matrix(9) * change);
    });
  }

  // ---- What kicks under torques of the angular velocity need (ControlledKick). `at` is the place of a body.

  /// I^-1 in inner units, three numbers or nine, and C I^-1 in inverse inner time, nine, and whether the body is damped; null: none is.
  struct ControlRows {
    std::shared_ptr<const LaneRows> inverse, damping;
  };
  ControlRows control_rows(const W& time) const {
    return plan_.inertia_changes ? make_control_rows(time) : control_rows_;
  }
  /// p = m - l.
  Vector<double> relative_momentum(std::size_t at, const Block& block, const W& time) const {
    return MomentumFlow<double>::relative(Steps::motion_of(block, at % lanes), driving(body_at_[at]), time);
  }
  void add_momentum(std::size_t at, Block& block, const MomentumChange<double>& change, const W& time) const {
    Sums motion = Steps::motion_of(block, at % lanes);
    in_body(body_at_[at], [&] { motion.add_momentum(MomentumFlow<double>::found(change, time)); });
    Steps::assign_to(block, at % lanes, motion);
  }
  /// The torques of the angular velocity that are functions of one body, at an inner momentum.
  Vector<double> own_control(std::size_t at, const Block& block, const Vector<double>& p,
                             const LaneRows& inverse, const W& time) const {
    Matrix<double> m{};
    for (std::size_t k = 0; k < inverse.rows(); ++k)
      (inverse.rows() == 3 ? m[k][k] : m[k / 3][k % 3]) = inverse.at(at, k);
    return actions(body_at_[at])
        .control(Steps::motion_of(block, at % lanes).attitude(), block.units[0][at % lanes] * (m * p), time);
  }
  [[noreturn]] void throw_not_finite(std::size_t i, const std::vector<Block>& blocks, const W& time) const {
    const Quaternion<double> q = Steps::motion_of(blocks[place(i) / lanes], place(i) % lanes).attitude();
    const double none = std::numeric_limits<double>::quiet_NaN();
    in_body(i, [&] { examine_torque({none, none, none}, q, time); });
    throw MotionError("the torque is not a finite number");
  }

 private:
  using Steps = PackSteps<double, Summation::compensated>;
  using Acting = std::shared_ptr<const ActingOnBody>;
  static constexpr std::size_t lanes = Block::lanes;

  static W time_of(const Stage& stage) { return {stage.time[0], stage.time[1]}; }
  std::size_t places() const { return body_at_.size(); }
  std::size_t kind_of(std::size_t i) const { return kind_at_[place_of_[i]]; }

  std::string named(std::size_t i, const char* sentence) const {
    return size() == 1 ? sentence : "body " + std::to_string(i) + ", counted from 0: " + sentence;
  }

  Vector<W> wide_momentum(std::size_t i, const Sums& motion) const {
    Vector<W> m = motion.wide_momentum();
    for (W& x : m.c) x = ldexp(x, units_[i]);
    return m;
  }

  Driving<double> driving(std::size_t i) const {
    thread_local std::int64_t not_counted = 0;
    const int of_inertia = body(i).inertia_exponent();
    const DrivenUnits<double> units(units_[i], of_inertia);
    return {actions(i), units.time, units.torque, units_[i], of_inertia, not_counted};
  }

  ControlRows make_control_rows(const W& time) const {
    const std::size_t width = plan_.inertia_changes ? 9 : 3;
    auto inverse = std::make_shared<LaneRows>(width, places() / lanes);
    auto damping = plan_.is_damped ? std::make_shared<LaneRows>(10, places() / lanes) : nullptr;
    for (std::size_t at = 0; at < places(); ++at) {
      const Driving<double> driven = driving(body_at_[at]);
      const Matrix<double> m = driven.inverse_inertia(time);
      for (std::size_t k = 0; k < width; ++k) inverse->at(at, k) = width == 3 ? m[k][k] : m[k / 3][k % 3];
      if (!damping || !driven.actions().is_damped()) continue;
      std::vector<double> numbers;
      append_numbers(numbers, MomentumFlow<double>::per_inner_time(driven, time));
      numbers.push_back(1.0);
      damping->set(at, numbers);
    }
    inverse->share_what_is_equal();
    if (damping) damping->share_what_is_equal();
    return {inverse, damping};
  }

  template <class Visit>
  void for_each_lane(Block& block, std::size_t at, const Visit& visit) const {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      Sums motion = Steps::motion_of(block, lane);
      visit(std::size_t{body_at_[at * lanes + lane]}, lane, motion);
      Steps::assign_to(block, lane, motion);
    }
  }

  std::vector<double> relaxation_numbers(std::size_t i, double length, const W& time = W(0)) const {
    std::vector<double> numbers;
    if (actions(i).is_damped()) {
      const Relaxation<double> found = MomentumFlow<double>::relaxation_of(driving(i), length, time);
      append_numbers(numbers, found.decay);
      append_numbers(numbers, found.response);
      numbers.push_back(1.0);
    }
    numbers.resize(19);
    return numbers;
  }

  // ---- Making them.

  /// Which body stands at which place, bodies of one kind together.
  void arrange(std::span<const Body<double>> bodies) {
    place_of_.resize(size());
    if (bodies.size() == 1) {
      bodies_.assign(1, bodies[0]);
      for (std::size_t i = 0; i < size(); ++i) place_of_[i] = static_cast<std::uint32_t>(i);
      kind_at_.assign((size() + lanes - 1) / lanes * lanes, 0);
    } else {
      const BodyKinds<double> kinds(bodies);
      bodies_ = kinds.different();
      place_of_ = kinds.places();
      kind_at_ = kinds.kind_at(lanes);
    }
    body_at_.resize(kind_at_.size());
    for (std::size_t i = 0; i < size(); ++i) body_at_[place_of_[i]] = static_cast<std::uint32_t>(i);
    // What is left of the last block repeats the last body.
    for (std::size_t at = size(); at < places(); ++at) body_at_[at] = body_at_[size() - 1];
  }

  void show_frames() {
    for (const Body<double>& body : bodies_) frames_.emplace_back(body);
    turns_ = LaneRows(5, places() / lanes);
    axes_ = LaneRows(10, places() / lanes);
    for (std::size_t at = 0; at < places(); ++at) {
      const UserFrame& frame = frames_[kind_at_[at]];
      std::vector<double> turn(frame.turn.c.begin(), frame.turn.c.end()), axes;
      append_numbers(axes, frame.axes);
      turn.push_back(frame.is_turned ? 1.0 : 0.0);
      axes.push_back(turn.back());
      turns_.set(at, turn);
      axes_.set(at, axes);
    }
    turns_.share_what_is_equal();
    axes_.share_what_is_equal();
  }

  void show_carried(const W& time) {
    carried_ = LaneRows(12, places() / lanes);
    for (std::size_t at = 0; at < places(); ++at) {
      const Driving<double> driven = driving(body_at_[at]);
      const Matrix<double> inverse = driven.inverse_inertia(time);
      std::vector<double> numbers;
      for (const W& x : driven.rotor_momentum(time).c) numbers.insert(numbers.end(), {x.high(), x.low()});
      for (std::size_t k = 0; k < 3; ++k) numbers.push_back(inverse[k][k]);
      numbers.push_back(driven.dissipation());
      numbers.push_back(driven.actions().carries() ? 1.0 : 0.0);
      numbers.push_back(driven.actions().has_rotor() ? 1.0 : 0.0);
      carried_.set(at, numbers);
    }
    carried_.share_what_is_equal();
  }

  /// What acts on each body; once for those that have it in common.
  template <class Visit>
  void for_each_acting(Lists torques, const Visit& visit) const {
    std::vector<Acting> of_kind(torques.size() == 1 ? bodies_.size() : 0);
    for (std::size_t i = 0; i < size(); ++i) {
      Acting acting = of_kind.empty() ? nullptr : of_kind[kind_of(i)];
      if (!acting) {
        acting = std::make_shared<const ActingOnBody>(
            (torques.size() == 1 ? torques[0] : torques[i]).attached(body(i)));
        if (!of_kind.empty()) of_kind[kind_of(i)] = acting;
      }
      visit(i, acting);
    }
  }

  void make_plan(Lists torques, const ArrayTorques& arrays) {
    for_each_acting(torques, [&](std::size_t i, const Acting& acting) {
      plan_.examine(i, *acting, places());
      plan_.set(place_of_[i], *acting);
      for (std::size_t at = size(); at < places() && place_of_[i] == size() - 1; ++at) plan_.set(at, *acting);
    });
    plan_.finish();
    plan_.splits = plan_.splits || !arrays.empty();
    if (plan_.needs_actions() || !arrays.controls.empty()) {
      acting_.resize(size());
      for_each_acting(torques, [&](std::size_t i, const Acting& acting) { acting_[i] = acting; });
    }
    if (plan_.carries)
      for (const Body<double>& body : bodies_) methods_.emplace_back(body.inertia());
  }

  /// driven_momentum_unit; what functions of arrays give at the beginning is added as torques of one body.
  void set_units(std::span<const State<double>> states, Lists torques, const ArrayTorques& arrays,
                 const W& start) {
    std::vector<Quaternion<double>> own_attitudes;
    std::vector<Vector<double>> own_omega;
    std::vector<std::vector<Vector<double>>> kicks(arrays.torques.size()), controls(arrays.controls.size());
    if (!arrays.empty()) {
      const auto attitudes = ArrayTorques::placed(arrays.place_of_attitudes, own_attitudes, size());
      std::span<Vector<double>> omega;
      if (!arrays.controls.empty()) omega = ArrayTorques::placed(arrays.place_of_rates, own_omega, size());
      for (std::size_t i = 0; i < size(); ++i) {
        const Quaternion<double> q = convert<double>(body(i).to_principal(states[i]).attitude);
        attitudes[i] = frames_[kind_of(i)].shown(unit_attitude(q));
        if (!omega.empty())
          omega[i] = frames_[kind_of(i)].shown(
              convert<double>(actions(i).angular_velocity(body(i).to_principal(states[i].momentum), start)));
      }
      const double time = static_cast<double>(start);
      for (std::size_t k = 0; k < kicks.size(); ++k) {
        kicks[k].resize(size());
        arrays.torques[k](attitudes, time, kicks[k]);
      }
      for (std::size_t k = 0; k < controls.size(); ++k) {
        controls[k].resize(size());
        arrays.controls[k](attitudes, omega, time, controls[k]);
      }
    }
    for_each_acting(torques, [&](std::size_t i, const Acting& acting) {
      in_body(i, [&] {
        if (arrays.empty()) {
          units_[i] = driven_momentum_unit(body(i), states[i], acting->actions, start);
        } else {
          Actions<double> all = acting->actions;
          const UserFrame& frame = frames_[kind_of(i)];
          for (const auto& kick : kicks)
            all.add_kick([t = frame.principal(kick[i])](const Quaternion<double>&, const W&) { return t; });
          for (const auto& control : controls)
            all.add_control([t = frame.principal(control[i])](const Quaternion<double>&,
                                                              const Vector<double>&, const W&) { return t; });
          units_[i] = driven_momentum_unit(body(i), states[i], all, start);
        }
        DrivenUnits<double>(units_[i], body(i).inertia_exponent());
      });
    });
  }

  void fill(std::span<const State<double>> states) {
    first_blocks_.resize(places() / lanes);
    for (std::size_t at = 0; at < places(); ++at) {
      const std::size_t i = body_at_[at];
      Block& block = first_blocks_[at / lanes];
      Steps::assign_to(block, at % lanes, Member(body(i), states[i], units_[i]).motion());
      const DrivenUnits<double> units(units_[i], body(i).inertia_exponent());
      block.units[0][at % lanes] = units.time;
      block.units[1][at % lanes] = units.torque;
    }
  }

  struct KnownRelaxations {
    std::mutex mutex;
    std::vector<std::pair<double, std::shared_ptr<const LaneRows>>> rows;
  };

  std::vector<Body<double>> bodies_;  // those that differ
  std::vector<std::uint32_t> place_of_, body_at_, kind_at_;
  std::vector<int> units_;
  DrivenPlan plan_;
  std::vector<Acting> acting_;          // where the plan needs them
  std::vector<Exact<double>> methods_;  // of the bodies that differ, where some are carried
  std::vector<UserFrame> frames_;       // of the bodies that differ, where there are functions of arrays
  LaneRows turns_, axes_, carried_;
  CarriedMotion<double> carried_motion_;
  ControlRows control_rows_;  // where there are functions of arrays, unless the inertia changes
  std::vector<Block> first_blocks_;
  std::shared_ptr<KnownRelaxations> known_ = std::make_shared<KnownRelaxations>();
};

}  // namespace POLHODE_CORE
