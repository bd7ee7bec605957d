// Kicks of all bodies of a batch under torques of the angular velocity that are functions of arrays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "polhode/batch/block_passes.hpp"
#include "polhode/batch/driven_members.hpp"

namespace POLHODE_CORE {

/// What is computed on the way, kept from call to call.
struct ArrayWork {
  std::vector<Quaternion<double>> attitudes;         // and omega, below: unless they have places of their own
  std::vector<std::vector<Vector<double>>> torques;  // of the functions of attitude and time
  std::vector<std::vector<Vector<double>>> controls;  // and of those of the angular velocity
  std::vector<Vector<double>> omega;
  std::vector<double> kicks, momentum, own, places, first, middle, again;  // rows: three for each block
  std::vector<std::uint8_t> open;
  std::vector<std::uint64_t> failures;
};

/// One of these kicks: MomentumFlow::controlled_step of each body. The torques are asked for all bodies at once; the explicit formulas
/// go by packs, and bodies that need others go on one by one, as long as there are some.
class ControlledKick {
 public:
  using Block = polhode_shared::CompensatedBlock;
  using Stage = polhode_shared::DrivenStage;
  using Pass = polhode_shared::ControlPass;

  ControlledKick(const DrivenMembers& members, const ArrayTorques& arrays, const BatchFunctions& functions,
                 const MomentumFlow<double>& flow, const Stage& stage, std::vector<Block>& blocks,
                 ArrayTorques::Attitudes attitudes, ArrayWork& work)
      : members_(members),
        arrays_(arrays),
        functions_(functions),
        flow_(flow),
        stage_(stage),
        time_(stage.time[0], stage.time[1]),
        blocks_(blocks),
        attitudes_(attitudes),
        work_(work),
        rows_(members.control_rows(time_)) {
    const std::size_t rows = 3 * lanes * blocks.size();
    work.controls.resize(arrays.controls.size());
    for (auto& torques : work.controls) torques.resize(members.size());
    for (auto* const one : {&work.places, &work.first, &work.middle}) one->resize(rows);
    if (is_kicked()) work.kicks.resize(rows);
    if (flow.order() > 2) work.again.resize(rows);
    if (members.plan().is_controlled) work.own.resize(rows);
    if (members.plan().has_rotor) work.momentum.resize(rows);
    work.open.assign(blocks.size(), 0);
    work.failures.assign(blocks.size(), 0);
    for (const auto& torques : work.controls) found_.push_back(torques.data()->c.data());
  }

  /// Whether there are torques of attitude and time, too: they are in work.kicks after begin() and before go().
  bool is_kicked() const { return !members_.plan().kicks.empty() || !arrays_.torques.empty(); }

  /// What the functions see first.
  void begin(BlockPasses& passes) {
    if (members_.plan().has_rotor)
      passes.add([this](std::size_t first, std::size_t last) {
        for (std::size_t at = first * lanes; at < last * lanes; ++at)
          set_row(work_.momentum, at, members_.relative_momentum(at, blocks_[at / lanes], time_));
      });
    add(passes, Pass::first);
  }

  /// All the rest; what is put off keeps `self`, which is this.
  template <class Make>
  void go(BlockPasses& passes, const Make& make, const std::shared_ptr<ControlledKick>& self) {
    if (flow_.order() > 4) {
      make();
      work_.open.assign(blocks_.size(), all_lanes);
      return go_on();
    }
    const auto ask_after = [&](Pass which) {
      ask();
      add(passes, which);
      make();
    };
    ask_after(Pass::middle);
    if (flow_.order() > 2) {
      ask_after(Pass::again);
      ask_after(Pass::last);
    }
    ask();
    add(passes, Pass::add);
    passes.hold(work_.open, [self] { self->go_on(); });
  }

 private:
  static constexpr std::size_t lanes = Block::lanes;
  static constexpr std::uint8_t all_lanes = (1U << lanes) - 1;

  /// A body that the explicit formulas did not do.
  struct Open {
    std::size_t at;
    MomentumChange<double> change;
  };

  void go_on() {
    std::vector<Open> open;
    for (std::size_t at = 0; at < members_.body_at().size(); ++at) {
      if (!is_open(at)) continue;
      const double inner = stage_.length * blocks_[at / lanes].units[0][at % lanes];
      open.push_back({at, flow_.change(members_.relative_momentum(at, blocks_[at / lanes], time_), inner)});
      if (flow_.order() > 4) continue;
      // The first rates are known.
      open.back().change.take(row(work_.first, at));
      open.back().change.take(row(work_.middle, at));
    }
    while (!open.empty()) {
      for (const Open& one : open) set_row(work_.places, one.at, one.change.place());
      make_now(Pass::show);
      ask();
      make_now(Pass::take);
      for (Open& one : open) one.change.take(row(work_.first, one.at));
      std::erase_if(open, [&](const Open& one) {
        if (!one.change.is_done()) return false;
        members_.add_momentum(one.at, blocks_[one.at / lanes], one.change, time_);
        work_.open[one.at / lanes] &= static_cast<std::uint8_t>(~(1U << one.at % lanes));
        return true;
      });
    }
  }

  bool is_open(std::size_t at) const { return (work_.open[at / lanes] >> at % lanes & 1) != 0; }
  static Vector<double> row(const std::vector<double>& rows, std::size_t at) {
    const double* const x = &rows[at / lanes * 3 * lanes + at % lanes];
    return {x[0], x[lanes], x[2 * lanes]};
  }
  static void set_row(std::vector<double>& rows, std::size_t at, const Vector<double>& v) {
    for (std::size_t k = 0; k < 3; ++k) rows[(at / lanes * 3 + k) * lanes + at % lanes] = v[k];
  }

  void add(BlockPasses& passes, Pass which) {
    passes.add([this, job = job(which)](std::size_t first,
                                        std::size_t last) { functions_.pass_controls(job, first, last); },
               [this] { examine(); });
  }
  void make_now(Pass which) {
    functions_.pass_controls(job(which), 0, blocks_.size());
    examine();
  }
  void examine() const {
    std::size_t bad = members_.size();
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (work_.failures[i] != 0)
        bad = std::min<std::size_t>(bad, members_.body_at()[i * lanes + work_.failures[i] - 1]);
    if (bad < members_.size()) members_.throw_not_finite(bad, blocks_, time_);
  }

  polhode_shared::ControlJob job(Pass which) {
    if (which != Pass::take && which != Pass::add)
      omega_ = ArrayTorques::placed(arrays_.place_of_rates, work_.omega, members_.size());
    const DrivenPlan& plan = members_.plan();
    const bool needs_places =
        plan.is_controlled || plan.is_damped || which == Pass::show || which == Pass::take;
    return {.pass = which,
            .blocks = blocks_.data(),
            .length = stage_.length,
            .is_midpoint = flow_.order() <= 2,
            .frames = members_.axes().shown(),
            .inverse = rows_.inverse->shown(),
            .is_diagonal = rows_.inverse->rows() == 3,
            .damping = rows_.damping ? rows_.damping->shown() : polhode_shared::DrivenRows{nullptr, 0},
            .momentum = plan.has_rotor ? work_.momentum.data() : nullptr,
            .kicks = is_kicked() ? work_.kicks.data() : nullptr,
            .own = plan.is_controlled ? work_.own.data() : nullptr,
            .places = needs_places ? work_.places.data() : nullptr,
            .rates = {work_.first.data(), work_.middle.data(), work_.again.data()},
            .body_at = members_.body_at().data(),
            .omega = omega_.data()->c.data(),
            .torques = found_.data(),
            .torque_count = found_.size(),
            .open = work_.open.data(),
            .failures = work_.failures.data()};
  }

  /// The functions, with what the last pass shows.
  void ask() {
    if (members_.plan().is_controlled)
      for (std::size_t at = 0; at < members_.body_at().size(); ++at)
        set_row(work_.own, at,
                members_.own_control(at, blocks_[at / lanes], row(work_.places, at), *rows_.inverse, time_));
    for (std::size_t k = 0; k < arrays_.controls.size(); ++k)
      arrays_.controls[k](attitudes_, omega_, static_cast<double>(time_), work_.controls[k]);
  }

  const DrivenMembers& members_;
  const ArrayTorques& arrays_;
  const BatchFunctions& functions_;
  const MomentumFlow<double>& flow_;
  const Stage& stage_;
  DoubleDouble time_;
  std::vector<Block>& blocks_;
  ArrayTorques::Attitudes attitudes_;
  std::span<Vector<double>> omega_;
  ArrayWork& work_;
  DrivenMembers::ControlRows rows_;
  std::vector<const double*> found_;
};

}  // namespace POLHODE_CORE
