// A uniform field as a torque: the weight of a top, and the field about a dipole, which may alternate.
#pragma once

#include "polhode/torque/uniform_field.hpp"
#include "systems/body/torque_part.hpp"

namespace polhode::program {

/// A vector of the same direction, its size near one: the square of any other may vanish or overflow.
inline Vector<DoubleDouble> along(const Vector<double>& v) {
  const int exponent = momentum_exponent(v);
  Vector<DoubleDouble> u = convert<DoubleDouble>(v);
  for (DoubleDouble& x : u.c) x = ldexp(x, -exponent);
  return u;
}

/// The field u0 + u1 cos(frequency t + phase).
struct Field {
  Vector<double> constant{};
  Vector<double> swing{};
  double frequency = 0.0;
  double phase = 0.0;

  bool alternates() const { return !(swing == Vector<double>{}); }

  Vector<DoubleDouble> at(const DoubleDouble& time) const {
    Vector<DoubleDouble> result = convert<DoubleDouble>(constant);
    if (alternates())
      result =
          result + cos(DoubleDouble(frequency) * time + DoubleDouble(phase)) * convert<DoubleDouble>(swing);
    return result;
  }

  /// Whether the field keeps its direction; products of small integers and of multiples are exact in extended precision.
  bool keeps_direction() const {
    return cross(convert<DoubleDouble>(constant), convert<DoubleDouble>(swing)) == Vector<DoubleDouble>{};
  }
  Vector<DoubleDouble> direction() const {
    const auto u = along(constant == Vector<double>{} ? swing : constant);
    return (DoubleDouble(1) / norm(u)) * u;
  }
};

/// What a kind of field calls its things.
struct FieldNames {
  Quantity seen_in_space;  ///< the vector of the body that the field acts on
  Quantity field_momentum;
};

/// Whether the arm lies on an axis about which the body is symmetric.
inline bool on_symmetry_axis(const Body<double>& body, const Vector<double>& arm) {
  const Vector<DoubleDouble> a = body.to_principal(arm);
  const Vector<double>& i = body.moments();
  if (i[0] == i[2]) return true;
  if (i[0] == i[1]) return a[0] == DoubleDouble(0) && a[1] == DoubleDouble(0);
  return i[1] == i[2] && a[1] == DoubleDouble(0) && a[2] == DoubleDouble(0);
}

template <class Torque>
class FieldPart final : public AttachedPart<Torque> {
 public:
  /// The vector of the body is that of the scenario: the arm of a top, the moment of a dipole.
  FieldPart(FieldNames names, const Torque& torque, const Field& field, const Vector<double>& vector,
            const Body<double>& body)
      : AttachedPart<Torque>(torque),
        names_(std::move(names)),
        field_(field),
        vector_(vector),
        keeps_direction_(field.keeps_direction()),
        axial_(on_symmetry_axis(body, vector)) {}

  TorquePart::Energy energy() const override {
    return field_.alternates() ? TorquePart::Energy::changed : TorquePart::Energy::kept;
  }

  std::vector<Quantity> derived() const override {
    return {names_.seen_in_space, {"field_in_body", 3, 1, "the field seen from the body, user's units"}};
  }
  void derive(const DrivenView& view, std::vector<double>& numbers) const override {
    append(numbers, convert<double>(rotate(view.state.attitude, convert<DoubleDouble>(vector_))).c);
    append(numbers, convert<double>(rotate(conjugate(view.state.attitude), field_.at(view.time))).c);
  }

  std::vector<Quantity> invariants(bool wheels) const override {
    std::vector<Quantity> result;
    if (keeps_direction_) result.push_back(names_.field_momentum);
    if (axial_ && !wheels)
      result.push_back({"axial_momentum", 1, 1, "angular momentum about the axis of symmetry, user's units"});
    return result;
  }
  void measure(const DrivenView& view, bool wheels, std::vector<DoubleDouble>& numbers) const override {
    if (keeps_direction_) numbers.push_back(dot(view.free.spatial_momentum, field_.direction()));
    if (axial_ && !wheels) {
      const auto axis = along(vector_);
      numbers.push_back(dot(view.state.momentum, axis) / norm(axis));
    }
  }

 private:
  FieldNames names_;
  Field field_;
  Vector<double> vector_;
  bool keeps_direction_;
  bool axial_;
};

}  // namespace polhode::program
