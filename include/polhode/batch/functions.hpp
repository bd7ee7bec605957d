// The boundary between code for one set of instructions and code for another: plain numbers and plain functions.
//
// A program may hold the loops of the batch twice, for every machine of its architecture and for those that have AVX2, and choose
// at run time. The second time the namespace polhode is compiled under another name, so that the linker cannot take an
// inline function of the one for that of the other; the namespace of this file keeps its name. Nothing in it may become a
// function in an object file.
#pragma once

#include <cstddef>
#include <cstdint>

namespace polhode_shared {

/// The sums of some bodies side by side, in their principal frames and inner units: a row for each number, a lane for each
/// body. As many lanes as the widest register takes, and whole cache lines: threads share none.
///
/// A lane without a body is one at rest.
struct alignas(64) BatchBlock {
  static constexpr std::size_t lanes = 4;
  /// Momentum, its compensation, attitude, its compensation.
  static constexpr std::size_t rows = 14;

  double sums[rows][lanes];
  /// Two factors that make an inner time of a time: one would not hold every power of two.
  double units[2][lanes];
};

/// `count` steps of length h.
struct BatchJob {
  const void* kinds;
  BatchBlock* blocks;
  double h;
  std::int64_t count;
};

/// The same for states of one kind of body that come and go as arrays (n, 3) and (n, 4), in the user's frame and units. The
/// results may be written over what is read.
struct StatesJob {
  const void* kinds;
  /// The principal axes by rows and the same as a quaternion, first the high parts of all, then the low ones. Null
  /// where the user's frame is the principal one.
  const double* axes;
  const double* turn;
  int inertia_exponent;
  double h;
  std::int64_t count;
  const double* momenta;
  const double* attitudes;
  double* new_momenta;
  double* new_attitudes;
};

/// The batch for one set of instructions.
struct BatchFunctions {
  const char* name;

  /// The constants of bodies with the given inner moments, three for each: one body for all lanes, or one for each.
  void* (*make_kinds)(const double* moments, std::size_t count);
  void (*free_kinds)(void* kinds);

  /// The blocks first..last.
  void (*advance)(const BatchJob& job, std::size_t first, std::size_t last);

  /// The states first..last. left[i - first] becomes true for those that are not done: what is no state, and numbers of
  /// extraordinary size.
  void (*advance_states)(const StatesJob& job, std::size_t first, std::size_t last, bool* left);
};

}  // namespace polhode_shared
