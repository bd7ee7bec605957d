// What acts on the bodies of a batch, laid out for the kernels.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "polhode/batch/driven_functions.hpp"
#include "polhode/error.hpp"
#include "polhode/torque/actions.hpp"

namespace POLHODE_CORE {

/// A row for each number, a lane for each body, block by block. Where all bodies have the same numbers, one block stands for all.
class LaneRows {
 public:
  static constexpr std::size_t lanes = polhode_shared::CompensatedBlock::lanes;

  LaneRows() = default;
  LaneRows(std::size_t rows, std::size_t blocks) : rows_(rows), numbers_(rows * lanes * blocks) {}

  double& at(std::size_t place, std::size_t row) {
    return numbers_[(place / lanes * rows_ + row) * lanes + place % lanes];
  }
  double at(std::size_t place, std::size_t row) const {
    return numbers_[place / lanes * stride() + row * lanes + place % lanes];
  }
  void set(std::size_t place, const std::vector<double>& numbers) {
    for (std::size_t row = 0; row < rows_; ++row) at(place, row) = numbers[row];
  }

  /// To be called when all are set.
  void share_what_is_equal() {
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (!same_bits(numbers_[i], numbers_[i / lanes % rows_ * lanes])) return;
    numbers_.resize(rows_ * lanes);
    shared_ = true;
  }

  std::size_t rows() const { return rows_; }
  polhode_shared::DrivenRows shown() const { return {numbers_.data(), stride()}; }

 private:
  std::size_t stride() const { return shared_ ? 0 : rows_ * lanes; }
  static bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }

  std::size_t rows_ = 0;
  bool shared_ = false;
  std::vector<double> numbers_;
};

/// One of the kicks that act together, of all bodies.
class KickOfBodies {
 public:
  using OfTime = std::function<std::array<double, 4>(const DoubleDouble&)>;
  static constexpr std::size_t width = 4;

  /// As the first body has it, for as many places.
  KickOfBodies(const KickForm<double>& form, std::size_t places)
      : kind_(form.kind),
        numbers_(form.numbers.size() + (is_ellipse(form) ? form.source.size() - 1 : 0),
                 places / LaneRows::lanes),
        is_ellipse_(is_ellipse(form)),
        source_at_(form.of_time ? places : 0) {}

  /// The form of the body at a place. One of another kind makes all of them KickKind::other.
  void set(std::size_t place, const KickForm<double>& form) {
    if (form.kind != kind_) kind_ = KickKind::other;
    if (kind_ == KickKind::other) return;
    std::vector<double> numbers = form.numbers;
    is_ellipse_ = is_ellipse_ && is_ellipse(form);
    if (is_ellipse_) numbers.insert(numbers.end(), form.source.begin() + 1, form.source.end());
    numbers.resize(numbers_.rows());
    numbers_.set(place, numbers);
    if (!form.of_time) return;
    const auto [entry, is_new] = known_.try_emplace(form.source, static_cast<std::uint32_t>(sources_.size()));
    if (is_new) sources_.push_back(form.of_time);
    source_at_[place] = entry->second;
  }

  /// To be called when all are set.
  void finish() {
    known_.clear();
    // Orbits of their own go by packs.
    if (kind_ == KickKind::gravity_gradient && is_ellipse_ && 4 * sources_.size() > source_at_.size()) {
      kind_ = KickKind::ellipse_gradient;
      sources_.clear();
    }
    if (sources_.size() < 2) source_at_.clear();
    numbers_.share_what_is_equal();
  }

  KickKind kind() const { return kind_; }
  std::size_t sources() const { return kind_ == KickKind::other ? 0 : sources_.size(); }
  std::array<double, width> at(std::size_t source, const DoubleDouble& time) const {
    return sources_[source](time);
  }

  /// For the kernels; of_time is that of each source at each stage.
  polhode_shared::DrivenKick shown(const double* of_time) const {
    return {.kind = static_cast<int>(kind_),
            .rows = numbers_.shown(),
            .of_time = of_time,
            .width = width,
            .sources = sources(),
            .source_at = source_at_.empty() ? nullptr : source_at_.data()};
  }

 private:
  static bool is_ellipse(const KickForm<double>& form) {
    return form.kind == KickKind::gravity_gradient &&
           static_cast<TimeSource>(static_cast<int>(form.source.front())) == TimeSource::ellipse;
  }

  KickKind kind_;
  LaneRows numbers_;
  bool is_ellipse_;
  std::vector<OfTime> sources_;
  std::vector<std::uint32_t> source_at_;
  std::map<std::vector<double>, std::uint32_t> known_;  // while they are set
};

/// What acts on one body, with the forms of its kicks.
struct ActingOnBody {
  Actions<double> actions;
  std::vector<KickForm<double>> forms;

  explicit ActingOnBody(Actions<double> all) : actions(std::move(all)) {
    for (std::size_t i = 0; i < actions.kick_count(); ++i) forms.push_back(actions.kick_form(i));
  }
};

/// What acts on all of them.
struct DrivenPlan {
  std::vector<KickOfBodies> kicks;
  bool splits = false;  ///< whether anything changes the momentum at a fixed attitude
  bool is_controlled = false;
  bool is_damped = false;  ///< any of them, and so on
  bool has_rotor = false, rotor_changes = false, carries = false, inertia_changes = false, dissipates = false,
       asks = false;

  /// Throws InputError where a body has things of other kinds than the first one.
  void examine(std::size_t body, const ActingOnBody& acting, std::size_t places) {
    const Actions<double>& actions = acting.actions;
    if (body == 0) {
      splits = actions.kicks();
      is_controlled = actions.has_controls();
      for (const KickForm<double>& form : acting.forms) kicks.emplace_back(form, places);
    }
    if (splits != actions.kicks() || is_controlled != actions.has_controls() ||
        kicks.size() != acting.forms.size())
      throw InputError("on body " + std::to_string(body) +
                       " of the batch, counted from 0, act things of other kinds than on the first");
    is_damped = is_damped || actions.is_damped();
    has_rotor = has_rotor || actions.has_rotor();
    rotor_changes = rotor_changes || actions.rotor_changes();
    carries = carries || actions.carries();
    inertia_changes = inertia_changes || actions.inertia_changes();
    dissipates = dissipates || actions.dissipates();
  }
  void set(std::size_t place, const ActingOnBody& acting) {
    for (std::size_t k = 0; k < kicks.size(); ++k) kicks[k].set(place, acting.forms[k]);
  }

  void finish() {
    for (KickOfBodies& kick : kicks) {
      kick.finish();
      asks = asks || kick.kind() == KickKind::other;
    }
  }

  /// Whether what carries the bodies is a function of time.
  bool carriers_change() const { return rotor_changes || inertia_changes; }
  /// Whether kicks are more than torques and damping of packs.
  bool kicks_one_by_one() const { return is_controlled || (is_damped && carriers_change()); }
  /// Whether what acts on each body is needed after the plan is made.
  bool needs_actions() const { return asks || is_damped || carries || is_controlled; }
};

}  // namespace POLHODE_CORE
