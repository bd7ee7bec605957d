// The constants of the bodies of a batch.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "polhode/arithmetic/pack.hpp"
#include "polhode/batch/functions.hpp"
#include "polhode/free_motion/exact.hpp"

namespace POLHODE_CORE {

/// The blocks of sums of one sort.
template <class T, Summation summation>
using BlockOf =
    std::conditional_t<std::same_as<T, float>, polhode_shared::FloatBlock,
                       std::conditional_t<summation == Summation::plain, polhode_shared::PlainBlock,
                                          polhode_shared::CompensatedBlock>>;

/// Packs whose bodies are of one kind share its constants; others have theirs side by side.
///
/// Long steps have constants of their own, of double alone.
template <class T>
class BatchKinds {
 public:
  using Lanes = PackOf<T>;

  explicit BatchKinds(const polhode_shared::BatchKindList<T>& list) {
    methods_.reserve(list.count);
    for (std::size_t i = 0; i < list.count; ++i) {
      const T* const moments = list.moments + 3 * i;
      methods_.emplace_back(Inertia<T>(Vector<T>{{moments[0], moments[1], moments[2]}}));
    }
    if (list.kind_at == nullptr) {
      add_constants(methods_.front());
      return;
    }
    places_.resize(list.places);
    for (std::size_t i = 0; i < list.places; ++i) places_[i].number = list.kind_at[i];
    packs_.resize(list.places / Lanes::width);
    std::vector<Index> of_kind(list.count, Index{none});
    for (std::size_t i = 0; i < packs_.size(); ++i) {
      const Index* const kinds = &places_[i * Lanes::width];
      const bool alike = std::all_of(kinds, kinds + Lanes::width,
                                     [&](const Index& k) { return k.number == kinds[0].number; });
      Index& shared = of_kind[kinds[0].number];
      if (!alike || shared.number == none) {
        packs_[i].number = static_cast<std::uint32_t>(near_.size());
        if (alike) {
          shared = packs_[i];
          add_constants(methods_[kinds[0].number]);
        } else {
          add_constants(kinds);
        }
      } else {
        packs_[i] = shared;
      }
    }
  }

  /// Of the pack that begins at a place.
  const IncrementFlow<Lanes>& kernel(std::size_t place) const { return near_[pack_at(place)]; }
  const LongStep<Lanes>& long_step(std::size_t place) const requires std::same_as<T, double> {
    return far_[pack_at(place)];
  }
  /// Of the body at a place.
  const Exact<T>& method(std::size_t place) const {
    return methods_[places_.empty() ? 0 : places_[place].number];
  }
  const T& square_angle_limit() const { return methods_.front().square_angle_limit(); }

 private:
  /// A type of our own: vectors of it share no function with other objects (functions.hpp).
  struct Index {
    std::uint32_t number;
  };
  static constexpr std::uint32_t none = 0xffffffff;
  struct NoLongStep {};

  std::size_t pack_at(std::size_t place) const {
    return packs_.empty() ? 0 : packs_[place / Lanes::width].number;
  }

  /// Those of one kind for all lanes.
  void add_constants(const Exact<T>& method) {
    near_.emplace_back();
    far_.emplace_back();
    set_constants(method, [](Lanes& pack, T x) { pack = Lanes(x); });
  }
  /// Those of a kind for each lane.
  void add_constants(const Index* kinds) {
    near_.emplace_back();
    far_.emplace_back();
    for (std::size_t lane = 0; lane < Lanes::width; ++lane)
      set_constants(methods_[kinds[lane].number], [lane](Lanes& pack, T x) { pack.set(lane, x); });
  }
  template <class Set>
  void set_constants(const Exact<T>& method, const Set& set) {
    near_.back().visit_with(method.increment_flow(), set);
    if constexpr (std::same_as<T, double>) far_.back().visit_with(method.long_step(), set);
  }

  std::vector<Exact<T>> methods_;  // of the kinds
  std::vector<Index>
      places_;  // the kind at each place, and the constants of each pack; empty where there is one kind
  std::vector<Index> packs_;
  std::vector<IncrementFlow<Lanes>> near_;
  std::vector<std::conditional_t<std::same_as<T, double>, LongStep<Pack>, NoLongStep>> far_;
};

}  // namespace POLHODE_CORE
