// The boundary between code for one set of instructions and code for another: plain numbers and plain functions.
//
// A program may hold the loops of the batch several times, for every machine of its architecture and for those that have AVX2 or AVX-512,
// and choose at run time. But for the first of them the namespace polhode is compiled under another name, so that the linker cannot take an
// inline function of the one for that of the other; the namespace of this file keeps its name. Nothing in it may become a
// function in an object file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "polhode/batch/driven_functions.hpp"

namespace polhode_shared {

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

  /// The stages of bodies under torque, of the blocks first..last; the kinds are those of compensated sums.
  void (*advance_driven)(const DrivenJob& job, std::size_t first, std::size_t last);
  void (*show_attitudes)(const ShowJob& job, std::size_t first, std::size_t last);
  void (*pass_controls)(const ControlJob& job, std::size_t first, std::size_t last);
};

}  // namespace polhode_shared
