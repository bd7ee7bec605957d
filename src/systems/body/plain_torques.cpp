// Torques without a system of their own: a constant one, damping, wheels, dissipation inside the body.
#include "polhode/torque/constant_torque.hpp"
#include "systems/body/torque_part.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// Something of the core that acts by itself.
template <class Acting>
class ActingPart final : public TorquePart {
 public:
  ActingPart(const Acting& acting, Energy energy, bool inside)
      : acting_(acting), energy_(energy), inside_(inside) {}

  void act(Actions<double>& actions) const override { TorqueList<double>(acting_).act(actions); }
  Energy energy() const override { return energy_; }
  bool is_inside() const override { return inside_; }

 private:
  Acting acting_;
  Energy energy_;
  bool inside_;
};

using PartPointer = std::shared_ptr<const TorquePart>;
using Energy = TorquePart::Energy;

PartPointer read_constant(const TorqueKind&, Section& section, Scenario&, const GivenBody&) {
  const Vector<double> torque = section.vector("torque");
  const std::string frame = section.string_or("frame", "body");
  if (frame != "body" && frame != "space")
    section.fail("frame", "must be \"body\" or \"space\", not " + in_quotes(frame));
  return std::make_shared<ActingPart<ConstantTorque<double>>>(
      ConstantTorque<double>(torque, frame == "space"), Energy::changed, false);
}

/// A number, three of them, or a matrix.
template <class Make>
auto read_coefficient(Section& section, const Make& make) {
  const Value& value = section.value("coefficient");
  if (!std::holds_alternative<Array>(value.content)) return make(section.number("coefficient"));
  if (section.is_nested("coefficient")) return make(section.matrix("coefficient"));
  return make(section.vector("coefficient"));
}

PartPointer read_damping(const TorqueKind&, Section& section, Scenario&, const GivenBody&) {
  const Vector<double> medium = section.has("medium") ? section.vector("medium") : Vector<double>{};
  const Damping<double> damping = blaming(section, "coefficient", [&] {
    return read_coefficient(section, [&](const auto& c) { return Damping<double>(c, medium); });
  });
  return std::make_shared<ActingPart<Damping<double>>>(damping, Energy::changed, false);
}

PartPointer read_wheels(const TorqueKind&, Section& section, Scenario&, const GivenBody&) {
  return std::make_shared<ActingPart<Wheels<double>>>(Wheels<double>(section.vector("momentum")),
                                                      Energy::kept, true);
}

PartPointer read_dissipation(const TorqueKind&, Section& section, Scenario&, const GivenBody&) {
  const double coefficient = section.number("coefficient");
  const auto dissipation = blaming(section, "coefficient", [&] { return Dissipation<double>(coefficient); });
  return std::make_shared<ActingPart<Dissipation<double>>>(dissipation, Energy::changed, true);
}

}  // namespace

namespace torque_entries {

TorqueKind constant() {
  return {.name = "constant",
          .summary = "a constant torque",
          .python = "Constant",
          .keys = {{"torque", "three numbers", true},
                   {"frame", "in which it is constant: \"body\", the default, or \"space\""}},
          .read = read_constant};
}

TorqueKind damping() {
  return {
      .name = "damping",
      .summary = "the torque -coefficient omega, of what is around the body",
      .python = "Damping",
      .keys = {{"coefficient", "a number, three of them, or a symmetric matrix, positive semidefinite", true},
               {"medium", "the angular velocity in space of what damps, if it turns"}},
      .read = read_damping};
}

TorqueKind wheels() {
  return {.name = "wheels",
          .summary = "wheels in the body that turn at a constant rate: the gyrostat",
          .python = "Wheels",
          .keys = {{"momentum", "of the wheels relative to the body, in the body", true}},
          .read = read_wheels};
}

TorqueKind dissipation() {
  return {.name = "dissipation",
          .summary = "dissipation inside the body, which keeps the momentum in space",
          .python = "Dissipation",
          .keys = {{"coefficient", "d of the power d |m x omega|^2, the inverse of a momentum", true}},
          .read = read_dissipation};
}

}  // namespace torque_entries

}  // namespace polhode::program
