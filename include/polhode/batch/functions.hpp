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
template <class T, std::size_t row_count>
struct alignas(64) BatchBlock {
  using Number = T;
  static constexpr std::size_t lanes = 32 / sizeof(T);
  static constexpr std::size_t rows = row_count;

  T sums[rows][lanes];
  /// Two factors that make an inner time of a time: one would not hold every power of two.
  T units[2][lanes];
};

/// Momentum, its compensation, attitude, its compensation.
using CompensatedBlock = BatchBlock<double, 14>;
/// Momentum and attitude.
using PlainBlock = BatchBlock<double, 7>;
using FloatBlock = BatchBlock<float, 7>;

/// `count` steps of length h.
template <class Block>
struct BatchJob {
  const void* kinds;
  Block* blocks;
  typename Block::Number h;
  std::int64_t count;
};

/// The kinds of body that a batch has, by their inner moments, three for each; which one the body at each place has, places without
/// a body counted; null: all have the first.
template <class T>
struct BatchKindList {
  const T* moments;
  std::size_t count;
  const std::uint32_t* kind_at;
  std::size_t places;
};

/// What is done with blocks of one sort.
template <class Block>
struct BlockFunctions {
  void* (*make_kinds)(const BatchKindList<typename Block::Number>& list);
  void (*free_kinds)(void* kinds);

  /// The blocks first..last.
  void (*advance)(const BatchJob<Block>& job, std::size_t first, std::size_t last);
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

  BlockFunctions<CompensatedBlock> compensated;
  BlockFunctions<PlainBlock> plain;
  BlockFunctions<FloatBlock> of_float;

  /// The states first..last. left[i - first] becomes true for those that are not done: what is no state, and numbers of
  /// extraordinary size. The kinds are those of compensated sums.
  void (*advance_states)(const StatesJob& job, std::size_t first, std::size_t last, bool* left);
};

}  // namespace polhode_shared
