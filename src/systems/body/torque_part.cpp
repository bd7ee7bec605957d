#include "systems/body/torque_part.hpp"

#include <algorithm>

#include "text/text.hpp"

namespace polhode::program {

TorqueList<double> list_of_parts(const TorqueParts& parts) {
  TorqueList<double> list;
  for (const auto& part : parts) list.add(SharedPart{part});
  return list;
}

ActingView::ActingView(TorqueParts parts) : parts_(std::move(parts)) {
  std::size_t outside = 0;
  for (const auto& part : parts_) {
    keeps_energy_ = keeps_energy_ && part->energy() == TorquePart::Energy::kept;
    knows_energy_ = knows_energy_ && part->energy() != TorquePart::Energy::unknown;
    if (part->is_inside()) {
      wheels_ = true;
    } else {
      only_ = part;
      ++outside;
    }
  }
  from_outside_ = outside > 0;
  if (outside != 1) only_ = nullptr;
}

std::vector<Quantity> ActingView::derived() const {
  std::vector<Quantity> result;
  for (const auto& part : parts_) {
    for (Quantity& q : part->derived()) {
      // Two parts of a kind: the second is field_in_body_b, so that no name is taken for a component.
      const std::string name = q.name;
      for (char suffix = 'b';
           std::ranges::any_of(result, [&](const Quantity& r) { return r.name == q.name; }); ++suffix)
        q.name = filled("{}_{}", name, std::string(1, suffix));
      result.push_back(std::move(q));
    }
  }
  return result;
}

void ActingView::derive(const DrivenView& view, std::vector<double>& numbers) const {
  for (const auto& part : parts_) part->derive(view, numbers);
}

std::vector<Quantity> ActingView::invariants() const {
  std::vector<Quantity> result;
  if (keeps_energy_) result.push_back({"energy", 1, 1, "kinetic and potential, user's units"});
  if (!from_outside_) {
    result.push_back({"momentum_norm", 1, 1, "size of the angular momentum, user's units"});
    result.push_back({"spatial_momentum", 3, 1, "angular momentum in space, user's units"});
  }
  if (only_)
    for (Quantity& q : only_->invariants(wheels_)) result.push_back(std::move(q));
  return result;
}

void ActingView::measure(const DrivenView& view, std::vector<DoubleDouble>& numbers) const {
  if (keeps_energy_) numbers.push_back(view.energy());
  if (!from_outside_) {
    numbers.push_back(view.free.momentum_norm);
    append(numbers, view.free.spatial_momentum.c);
  }
  if (only_) only_->measure(view, wheels_, numbers);
}

}  // namespace polhode::program
