// Gauss methods: collocation at the nodes of Gauss-Legendre quadrature, symmetric, of order twice the number of stages.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "polhode/arithmetic/gauss_legendre.hpp"
#include "polhode/arithmetic/selection.hpp"

namespace POLHODE_CORE {

/// The coefficients as plain numbers, which stand elsewhere.
template <class T>
class GaussNumbers {
 public:
  GaussNumbers(std::size_t stages, const T* nodes, const T* weights, const T* a)
      : stages_(stages), nodes_(nodes), weights_(weights), a_(a) {}

  std::size_t stages() const { return stages_; }
  const T& node(std::size_t i) const { return nodes_[i]; }
  const T& weight(std::size_t i) const { return weights_[i]; }
  const T& a(std::size_t i, std::size_t j) const { return a_[i * stages_ + j]; }

 private:
  std::size_t stages_;
  const T *nodes_, *weights_, *a_;
};

/// The coefficients, computed in Wide<T> and rounded once.
template <Scalar T>
class GaussMethod {
 public:
  using W = Wide<T>;
  static constexpr std::size_t most_stages = 8;

  /// Of most_stages at most.
  explicit GaussMethod(std::size_t stages) : a_(stages * stages) {
    const auto nodes = gauss_legendre<W>(static_cast<int>(stages)).nodes;
    for (const auto& node : nodes) {
      nodes_.push_back(static_cast<T>(node.position));
      weights_.push_back(static_cast<T>(node.weight));
    }
    // a_ij is the integral of Lagrange's polynomial j from 0 to c_i, which the quadrature itself finds without error.
    for (std::size_t i = 0; i < stages; ++i) {
      for (std::size_t j = 0; j < stages; ++j) {
        W sum(0);
        for (const auto& node : nodes) {
          W value = node.weight;
          for (std::size_t k = 0; k < stages; ++k)
            if (k != j)
              value *= (nodes[i].position * node.position - nodes[k].position) /
                       (nodes[j].position - nodes[k].position);
          sum += value;
        }
        a_[i * stages + j] = static_cast<T>(sum * nodes[i].position);
      }
    }
  }

  std::size_t stages() const { return nodes_.size(); }
  const T& node(std::size_t i) const { return nodes_[i]; }
  const T& weight(std::size_t i) const { return weights_[i]; }
  const T& a(std::size_t i, std::size_t j) const { return a_[i * nodes_.size() + j]; }
  const T* nodes() const { return nodes_.data(); }
  const T* weights() const { return weights_.data(); }
  const T* matrix() const { return a_.data(); }

 private:
  std::vector<T> nodes_, weights_, a_;
};

/// What a step of a Gauss method came to; the increment is that of the lanes that have converged.
template <class Column, class Mask>
struct GaussStep {
  Column increment{};
  Mask converged{};
};

/// The stages of a step of y' = rate(i, increment), where increment = y - y0 and i is the number of the node, by fixed-point
/// iteration: who asks for rates puts them in. `slope` is the rate at y0, from which it starts, `scale` the size of y, and size(column) a
/// norm. T is a number or a pack, and Column a vector space over it with components c.
///
/// The iteration ends when what it would still change of the step is far below the last place of y: what is left is
/// much the same in each step, and adds up. It fails where it does not contract by a factor of two.
template <class T, class Column>
class GaussIteration {
 public:
  using Mask = MaskOf<T>;

  template <class Method, class Size>
  GaussIteration(const Method& method, const T& h, const Column& slope, const T& scale, const Size& size)
      : stages_(method.stages()), h_(h), scale_(scale), last_(size(h * slope)) {
    for (std::size_t i = 0; i < stages_; ++i) y_[i] = (T(method.node(i)) * h) * slope;
  }

  std::size_t stages() const { return stages_; }
  /// Where the rate of a stage is wanted.
  const Column& increment(std::size_t i) const { return y_[i]; }
  void set_rate(std::size_t i, const Column& rate) { f_[i] = rate; }

  /// Neither: it goes on.
  struct Verdict {
    Mask converged, failed;
  };
  /// After the rates of all stages are set.
  template <class Method, class Size>
  Verdict iterate(const Method& method, const Size& size) {
    T change(0), largest(0);
    for (std::size_t i = 0; i < stages_; ++i) {
      Column sum = T(method.a(i, 0)) * f_[0];
      for (std::size_t j = 1; j < stages_; ++j) sum = sum + T(method.a(i, j)) * f_[j];
      const Column next = h_ * sum;
      const T moved = size(next - y_[i]), far = size(next);
      change = select(is_at_most(moved, change), change, moved);
      largest = select(is_at_most(far, largest), largest, far);
      y_[i] = next;
    }
    const T unit = ScalarTraits<T>::epsilon(), before = last_;
    const Mask finite = is_at_most(change - change, T(0)), was_moved = is_less(T(0), before),
               small = is_at_most(change, T(64) * unit * (scale_ + largest));
    // The next iteration would change the step by about `rest`; where rounding stops it, it has come as far as it can.
    const T rest = select(was_moved, change * (change / select(was_moved, before, T(1))), change);
    Mask converged = either(is_at_most(rest, unit * (scale_ / T(256) + largest / T(1024))),
                            is_at_most(change, T(2) * unit * largest));
    Mask failed = none_of(finite);
    if (done_ > 1) {
      converged = either(converged, both(none_of(is_less(change, before)), small));
      failed = either(failed, both(is_less(before, T(2) * change), none_of(small)));
    }
    converged = both(converged, finite);
    last_ = change;
    constexpr int most_iterations = 60;
    if (++done_ == most_iterations) failed = none_of(converged);
    return {converged, both(failed, none_of(converged))};
  }

  /// Of the whole step.
  template <class Method>
  Column increment_of_step(const Method& method) const {
    Column sum = T(method.weight(0)) * f_[0];
    for (std::size_t j = 1; j < stages_; ++j) sum = sum + T(method.weight(j)) * f_[j];
    return h_ * sum;
  }

 private:
  static constexpr std::size_t most_stages = GaussMethod<double>::most_stages;

  std::size_t stages_;
  T h_, scale_, last_;
  std::array<Column, most_stages> y_, f_;
  int done_ = 0;
};

/// One step of it, in the lanes that are open.
template <class T, class Column, class Method, class Rate, class Size>
GaussStep<Column, MaskOf<T>> gauss_step(const Method& method, const T& h, const Column& slope, const T& scale,
                                        MaskOf<T> open, Rate&& rate, Size&& size) {
  GaussIteration<T, Column> iteration(method, h, slope, scale, size);
  GaussStep<Column, MaskOf<T>> found;
  while (any_lane(open)) {
    for (std::size_t i = 0; i < method.stages(); ++i) iteration.set_rate(i, rate(i, iteration.increment(i)));
    const auto verdict = iteration.iterate(method, size);
    const auto now = both(open, verdict.converged);
    if (any_lane(now)) {
      const Column increment = iteration.increment_of_step(method);
      for (std::size_t k = 0; k < increment.c.size(); ++k)
        found.increment.c[k] = select(now, increment.c[k], found.increment.c[k]);
      found.converged = either(found.converged, now);
    }
    open = both(open, none_of(either(verdict.converged, verdict.failed)));
  }
  return found;
}

/// The same over dual numbers, for a step that gauss_step has found already: the stages and their derivatives. The derivatives
/// come to rest an iteration or two after the values. A column has components c.
template <class Column, Scalar T, class Rate>
Column dual_gauss_step(const GaussMethod<T>& method, const T& h, Rate&& rate) {
  const std::size_t stages = method.stages();
  std::vector<Column> y(stages), f(stages);
  const auto size = [](const Column& column) {
    T largest(0);
    for (const auto& x : column.c) {
      if (largest < abs(x.value())) largest = abs(x.value());
      for (const T& g : x.gradient())
        if (largest < abs(g)) largest = abs(g);
    }
    return largest;
  };
  T last(0);
  constexpr int most_iterations = 200;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    for (std::size_t i = 0; i < stages; ++i) f[i] = rate(i, y[i]);
    T change(0), largest(0);
    for (std::size_t i = 0; i < stages; ++i) {
      Column sum = method.a(i, 0) * f[0];
      for (std::size_t j = 1; j < stages; ++j) sum = sum + method.a(i, j) * f[j];
      const Column next = h * sum;
      const T moved = size(next - y[i]), far = size(next);
      if (change < moved) change = moved;
      if (largest < far) largest = far;
      y[i] = next;
    }
    const T unit = ScalarTraits<T>::epsilon();
    if (change <= unit * largest / T(8)) break;
    if (iteration > 3 && !(change < last) && change <= T(64) * unit * largest) break;
    last = change;
  }
  Column sum = method.weight(0) * f[0];
  for (std::size_t j = 1; j < stages; ++j) sum = sum + method.weight(j) * f[j];
  return h * sum;
}

}  // namespace POLHODE_CORE
