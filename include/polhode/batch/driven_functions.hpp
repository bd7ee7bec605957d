// The boundary between codes for different instructions, for bodies under torque: plain numbers and plain functions, as in
// functions.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "polhode/batch/blocks.hpp"

namespace polhode_shared {

/// A stage of a step: a free motion, or a kick.
struct DrivenStage {
  bool is_kick;
  bool ends_step;  ///< after it the norms of the attitudes are looked at
  double length;
  double time[2];  ///< at its beginning, high and low part
  /// Which of the exponentials of the damping belongs to its length.
  std::size_t relaxation;
};

/// Numbers of the bodies: in rows, a lane for each body of a block; the next block has them `stride` numbers later, or the same
/// ones if it is 0.
struct DrivenRows {
  const double* numbers;
  std::size_t stride;
};

/// One of the kicks that act together, of all bodies: KickKind, and its numbers.
struct DrivenKick {
  int kind;
  DrivenRows rows;
  /// What depends on the time: `width` numbers for each source at each stage. The source of a body is given at its place; null: all
  /// have the first.
  const double* of_time;
  std::size_t width;
  std::size_t sources;
  const std::uint32_t* source_at;
};

/// The coefficients of GaussMethod.
struct DrivenGauss {
  std::size_t stages;
  const double *nodes, *weights, *matrix;
};

/// Stages of the bodies in blocks. units are the unit of time and that of torque: DrivenRotor's.
struct DrivenJob {
  const void* kinds;
  CompensatedBlock* blocks;
  /// Where the blocks are copied from at first; null: nowhere.
  const CompensatedBlock* from;
  const DrivenStage* stages;
  std::size_t stage_count;
  const DrivenKick* kicks;
  std::size_t kick_count;

  /// The exponentials of damping, decay (9), response (9), whether the body is damped (1), for each length of a kick. Null: none is
  /// damped.
  const DrivenRows* relaxations;

  /// What carries the bodies, unless it changes with time: l in inner units (6, high and low parts by turns), the diagonal of I^-1 (3),
  /// d (1), whether the body is carried (1), whether it has wheels (1). Null: none, or they go body by body.
  DrivenRows carried;
  DrivenGauss gauss;

  /// What is done body by body, with the number of the stage and that of the block. carry: the free motion, null if it is free in all
  /// bodies; with `carried` it is for blocks where that is not so of all. ask: the torques of a kick of KickKind::other; q and t are rows. finish: the kick, when its torque is
  /// known, in inner units; null if it is a kick and damping alone.
  void* context;
  void (*carry)(void* context, std::size_t stage, std::size_t block);
  void (*ask)(void* context, std::size_t stage, std::size_t block, std::size_t kick, const double* q,
              double* t);
  void (*finish)(void* context, std::size_t stage, std::size_t block, const double* t);

  /// For each block: 0, or the number of the stage where a torque was not finite, times 2^lanes, and a bit for each lane of such a torque.
  /// The block stays as it was before that stage.
  std::uint64_t* failures;
};

/// The attitudes of bodies at norm one in their user's frames, as rows (n, 4) in the order of `body_at`.
struct ShowJob {
  const CompensatedBlock* blocks;
  DrivenRows turns;  ///< the rotation of each body (4), whether it is turned (1)
  const std::uint32_t* body_at;
  double* attitudes;
};

/// What is done in one pass over the bodies of a kick under torques of the angular velocity: places are where the rates are wanted.
enum class ControlPass {
  first,   ///< the place of the first rate
  middle,  ///< the first rate, and the place of that in the middle of the stage
  again,  ///< that rate, and the place of the third; where it differs much from the first, the lane stays open
  last,   ///< the third rate, and the place of the last
  add,    ///< the last rate, and the change of the momentum, in lanes that are not open
  show,   ///< what is seen at the places that are given
  take,   ///< the rates there, in lanes that are open
};

/// A pass. Numbers that are not users' arrays are rows: three for each block.
struct ControlJob {
  ControlPass pass;
  CompensatedBlock* blocks;
  double length;      ///< of the stage
  bool is_midpoint;   ///< after the rate in the middle there is no other
  DrivenRows frames;  ///< the axes of each body (9), whether it is turned (1)
  DrivenRows inverse;
  bool is_diagonal;        ///< the inverse inertia has three numbers, or nine
  DrivenRows damping;      ///< nine numbers; null: none is damped
  const double* momentum;  ///< relative to wheels; null: that of the blocks
  const double* kicks;     ///< torques of attitude and time in inner units; null: none
  const double* own;       ///< torques of the angular velocity of single bodies; null: none
  double* places;          ///< null: not needed
  double* rates[3];        ///< the first, that in the middle, the third; `take` writes the first

  const std::uint32_t* body_at;
  double* omega;                 ///< as rows (n, 3), what the functions see
  const double* const* torques;  ///< as rows (n, 3), what they have found
  std::size_t torque_count;

  /// For each block a bit for each lane that the explicit formulas do not do.
  std::uint8_t* open;
  /// For each block: 0, or 1 + the number of the lane where a torque is not finite.
  std::uint64_t* failures;
};

}  // namespace polhode_shared
