// The change of a momentum p' = rate(p) over a stage, for those who ask for rates: of one body, or of many at once.
#pragma once

#include <optional>

#include "polhode/arithmetic/gauss_collocation.hpp"
#include "polhode/arithmetic/selection.hpp"
#include "polhode/arithmetic/vector.hpp"

namespace POLHODE_CORE {

/// The midpoint rule and the classical method of order 4, for numbers, packs and dual numbers.
namespace explicit_kick {

/// Whether the rate changes by less than a tenth of itself over half of a stage.
template <class T>
MaskOf<T> is_smooth(const Vector<T>& first, const Vector<T>& middle) {
  const Vector<T> change = middle - first;
  return is_at_most(dot(change, change), T(0.01) * dot(first, first));
}

/// The place of the second and third rate, and that of the last.
template <class T, class U>
Vector<U> middle(const Vector<U>& p, const T& length, const Vector<U>& rate) {
  return p + (length / T(2)) * rate;
}
template <class T, class U>
Vector<U> end(const Vector<U>& p, const T& length, const Vector<U>& rate) {
  return p + length * rate;
}
/// Of order 4; that of order 2 is length * middle.
template <class T, class U>
Vector<U> change(const T& length, const Vector<U>& first, const Vector<U>& middle, const Vector<U>& again,
                 const Vector<U>& last) {
  return (length / T(6)) * ((first + last) + T(2) * (middle + again));
}

}  // namespace explicit_kick

/// A Runge-Kutta method of the given order, with a place where the rate is wanted, until it is done: explicit where the order is 4 at most
/// and the rate changes little over the stage, so that it is asked for as rarely as can be, and Gauss otherwise. Where the iteration of
/// that does not contract, the stage is halved, and the halves are.
template <Scalar T>
class MomentumChange {
 public:
  using V = Vector<T>;

  /// The method of Gauss has that order at least, and outlives this.
  MomentumChange(int order, const GaussMethod<T>& method, const V& p, const T& length)
      : order_(order), method_(&method), p_(p), length_(length), place_(p) {}

  const V& place() const { return place_; }
  /// The rate there.
  void take(const V& rate) {
    switch (wanted_) {
      case Wanted::first:
        first_ = rate;
        if (order_ > 4) return divide(1);
        return want(Wanted::middle, explicit_kick::middle(p_, length_, rate));
      case Wanted::middle:
        if (!explicit_kick::is_smooth(first_, rate)) return divide(1);
        if (order_ <= 2) return finish(length_ * rate);
        middle_ = rate;
        return want(Wanted::again, explicit_kick::middle(p_, length_, rate));
      case Wanted::again:
        again_ = rate;
        return want(Wanted::last, explicit_kick::end(p_, length_, rate));
      case Wanted::last:
        return finish(explicit_kick::change(length_, first_, middle_, again_, rate));
      case Wanted::slope:
        return begin_piece(rate);
      case Wanted::stage:
        return take_stage(rate);
    }
  }

  /// When it is done: the change; none where the rate is too strong for a stage of this length, however it is divided.
  bool is_done() const { return done_; }
  const std::optional<V>& change() const { return change_; }
  /// Into how many pieces the stage was divided; 0 where the explicit formula did.
  int pieces() const { return pieces_; }

 private:
  enum class Wanted { first, middle, again, last, slope, stage };
  static constexpr int most_pieces = 1024;
  static T size(const V& v) { return norm(v); }

  void want(Wanted wanted, const V& place) {
    wanted_ = wanted;
    place_ = place;
  }
  void finish(const std::optional<V>& change) {
    change_ = change;
    done_ = true;
  }

  void divide(int pieces) {
    if (pieces > most_pieces) return finish({});
    pieces_ = pieces;
    piece_ = 0;
    sum_ = {};
    begin_ = p_ + sum_;
    begin_piece(first_);
  }
  void begin_piece(const V& slope) {
    iteration_.emplace(*method_, length_ / T(pieces_), slope, norm(begin_), size);
    stage_ = 0;
    want(Wanted::stage, begin_ + iteration_->increment(0));
  }
  void take_stage(const V& rate) {
    iteration_->set_rate(stage_, rate);
    if (++stage_ == iteration_->stages()) {
      stage_ = 0;
      const auto verdict = iteration_->iterate(*method_, size);
      if (verdict.failed) return divide(2 * pieces_);
      if (verdict.converged) return end_piece();
    }
    place_ = begin_ + iteration_->increment(stage_);
  }
  void end_piece() {
    sum_ = sum_ + iteration_->increment_of_step(*method_);
    if (++piece_ == pieces_) return finish(sum_);
    begin_ = p_ + sum_;
    want(Wanted::slope, begin_);
  }

  int order_;
  const GaussMethod<T>* method_;
  V p_;
  T length_;
  V place_, first_{}, middle_{}, again_{}, sum_{}, begin_{};
  Wanted wanted_ = Wanted::first;
  std::optional<GaussIteration<T, V>> iteration_;
  std::size_t stage_ = 0;
  int pieces_ = 0, piece_ = 0;
  bool done_ = false;
  std::optional<V> change_;
};

}  // namespace POLHODE_CORE
