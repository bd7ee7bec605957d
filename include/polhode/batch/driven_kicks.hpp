// The torques on a pack of bodies, of each KickKind: the operations are those of the torques of one body, in their order.
#pragma once

#include <cmath>
#include <initializer_list>

#include "polhode/arithmetic/quaternion.hpp"
#include "polhode/arithmetic/selection.hpp"
#include "polhode/arithmetic/sine_cosine.hpp"
#include "polhode/arithmetic/wide_pack.hpp"
#include "polhode/batch/driven_functions.hpp"
#include "polhode/torque/kepler_equation.hpp"
#include "polhode/torque/kick_form.hpp"

namespace POLHODE_CORE {

/// Lets some rows of a block that comes later be fetched: where a few rows of each block are wanted, the machine does not foresee them.
inline void fetch_rows(const polhode_shared::CompensatedBlock* blocks, std::size_t i, std::size_t last,
                       std::initializer_list<std::size_t> rows) {
  constexpr std::size_t ahead = 12;
  if (i + ahead >= last) return;
  const auto* const block = reinterpret_cast<const char*>(blocks + i + ahead);
  for (const std::size_t row : rows)
    __builtin_prefetch(block + row * sizeof(double) * polhode_shared::CompensatedBlock::lanes);
}

/// The numbers of a kick for the lanes of one pack.
class KickRows {
 public:
  static constexpr std::size_t lanes = polhode_shared::CompensatedBlock::lanes;

  /// Those of a pack that begins at a place.
  KickRows(const polhode_shared::DrivenRows& rows, std::size_t place)
      : numbers_(rows.numbers + place / lanes * rows.stride + place % lanes) {}

  Pack number(std::size_t row) const { return Pack::load(numbers_ + row * lanes); }
  Vector<Pack> vector(std::size_t row) const { return {number(row), number(row + 1), number(row + 2)}; }
  Matrix<Pack> matrix(std::size_t row) const { return {vector(row), vector(row + 3), vector(row + 6)}; }
  Quaternion<Pack> quaternion(std::size_t row) const {
    return {number(row), number(row + 1), number(row + 2), number(row + 3)};
  }
  WidePack wide(std::size_t row) const { return {number(row), number(row + 1)}; }

 private:
  const double* numbers_;
};

namespace driven_kicks {

/// Component by component, where the condition is nonzero.
inline Vector<Pack> chosen(const Pack& condition, const Vector<Pack>& a, const Vector<Pack>& b) {
  const auto mask = is_less(Pack(0.0), condition);
  return {select(mask, a[0], b[0]), select(mask, a[1], b[1]), select(mask, a[2], b[2])};
}
inline Quaternion<Pack> chosen(const Pack& condition, const Quaternion<Pack>& a, const Quaternion<Pack>& b) {
  const auto mask = is_less(Pack(0.0), condition);
  return {select(mask, a[0], b[0]), select(mask, a[1], b[1]), select(mask, a[2], b[2]),
          select(mask, a[3], b[3])};
}

/// UniformField::torque.
inline Vector<Pack> field_torque(const KickRows& rows, std::size_t row, const Quaternion<Pack>& q) {
  return cross(rotate(conjugate(q), rows.vector(row)), rows.vector(row + 3));
}

/// floor of numbers whose size is below 2^51.
inline Pack floor_of(const Pack& x) {
  const Pack nearest = nearest_integer(x);
  return select(is_less(x, nearest), nearest - Pack(1.0), nearest);
}
/// floor of DoubleDouble.
inline WidePack floor_of(const WidePack& x) {
  if (all_within(Pack(-0x1p50), x.high(), x.high(), Pack(0x1p50))) [[likely]] {
    const Pack high = floor_of(x.high());
    const Pack low = select(is_less(high, x.high()), Pack(0.0), floor_of(x.low()));
    const auto [value, error] = two_sum(high, low);
    return {value, error};
  }
  Pack high, low;
  for (std::size_t lane = 0; lane < Pack::width; ++lane) {
    const DoubleDouble whole = floor(DoubleDouble(x.high()[lane], x.low()[lane]));
    high.set(lane, whole.high());
    low.set(lane, whole.low());
  }
  return {high, low};
}

/// KeplerOrbit::at of ellipses: the radial direction, and the distance.
struct Place {
  Vector<Pack> radial;
  Pack distance;
};
inline Place place_on_ellipse(const KickRows& rows, std::size_t row, const double* time) {
  const WidePack turn = WidePack(DoubleDouble(2.0) * pi<DoubleDouble>());
  WidePack mean = rows.wide(row) * WidePack(Pack(time[0]), Pack(time[1])) + WidePack(rows.number(row + 2));
  mean = mean - floor_of(mean / turn + WidePack(0.5)) * turn;
  const Pack e = rows.number(row + 3), angle = static_cast<Pack>(mean);
  const auto [s, c] = eccentric_direction(angle, e);
  const Pack distance = Pack(1.0) - e * c;
  const Pack x = (c - e) / distance, y = (rows.number(row + 4) * s) / distance;
  return {x * rows.vector(row + 5) + y * rows.vector(row + 8), distance};
}

/// GravityGradient::Attached::torque.
inline Vector<Pack> gradient_torque(const KickRows& rows, const Place& place, const Quaternion<Pack>& q) {
  const Vector<Pack> n = rotate(conjugate(q), place.radial);
  const Pack factor = Pack(1.0) / (place.distance * place.distance * place.distance);
  return factor * times(rows.vector(0), {{n[1] * n[2], n[2] * n[0], n[0] * n[1]}});
}

/// AttachedUserTorque::torque of ConstantTorque.
inline Vector<Pack> torque_fixed_in_space(const KickRows& rows, const Quaternion<Pack>& q) {
  const Quaternion<Pack> unit = normalized(q);
  const Vector<Pack> torque = rows.vector(0);
  const Pack turned = rows.number(16);
  const Vector<Pack> seen = rotate(conjugate(chosen(turned, unit * rows.quaternion(12), unit)), torque);
  return chosen(turned, rows.matrix(3) * seen, seen);
}

/// What depends on the time, for the lanes of a pack: a column of these numbers.
class OfTime {
 public:
  OfTime(const polhode_shared::DrivenKick& kick, std::size_t stage, std::size_t place)
      : numbers_(kick.of_time + stage * kick.sources * kick.width),
        width_(kick.width),
        sources_(kick.source_at == nullptr ? nullptr : kick.source_at + place) {}

  Pack operator[](std::size_t column) const {
    if (sources_ == nullptr) return Pack(numbers_[column]);
    Pack result;
    for (std::size_t lane = 0; lane < Pack::width; ++lane)
      result.set(lane, numbers_[sources_[lane] * width_ + column]);
    return result;
  }
  Vector<Pack> vector() const { return {(*this)[0], (*this)[1], (*this)[2]}; }

 private:
  const double* numbers_;
  std::size_t width_;
  const std::uint32_t* sources_;
};

[[gnu::flatten]] inline Vector<Pack> torque_of(const polhode_shared::DrivenKick& kick, std::size_t stage,
                                               const double* time, std::size_t place,
                                               const Quaternion<Pack>& q) {
  const KickRows rows(kick.rows, place);
  switch (static_cast<KickKind>(kick.kind)) {
    case KickKind::other:
      break;
    case KickKind::fixed:
      return rows.vector(0);
    case KickKind::uniform_field:
      return field_torque(rows, 0, q);
    case KickKind::alternating_field:
      return field_torque(rows, 0, q) + OfTime(kick, stage, place)[0] * field_torque(rows, 6, q);
    case KickKind::gravity_gradient: {
      const OfTime at(kick, stage, place);
      return gradient_torque(rows, {at.vector(), at[3]}, q);
    }
    case KickKind::ellipse_gradient:
      return gradient_torque(rows, place_on_ellipse(rows, 3, time), q);
    case KickKind::fixed_in_space:
      return torque_fixed_in_space(rows, q);
    case KickKind::medium:
      return rows.matrix(0) * rotate(conjugate(q), rows.vector(9));
    case KickKind::of_arrays: {
      const Vector<Pack> torque = OfTime(kick, stage, place).vector();
      return chosen(rows.number(9), rows.matrix(0) * torque, torque);
    }
  }
  return {};
}

}  // namespace driven_kicks

}  // namespace POLHODE_CORE
