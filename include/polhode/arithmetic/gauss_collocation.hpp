// Gauss methods: collocation at the nodes of Gauss-Legendre quadrature, symmetric, of order twice the number of stages.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "polhode/arithmetic/gauss_legendre.hpp"

namespace polhode::core {

/// The coefficients, computed in Wide<T> and rounded once.
template <Scalar T>
class GaussMethod {
 public:
  using W = Wide<T>;

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

 private:
  std::vector<T> nodes_, weights_, a_;
};

/// What a step of a Gauss method came to.
template <class Column>
struct GaussStep {
  Column increment{};
  bool converged = false;
};

/// The stages of a step of y' = rate(i, increment), where increment = y - y0 and i is the number of the node, by fixed-point
/// iteration: who asks for rates puts them in. `slope` is the rate at y0, from which it starts, `scale` the size of y, and size(column) a
/// norm. Column is a vector space with column + column, column - column and T * column.
///
/// The iteration ends when what it would still change of the step is far below the last place of y: what is left is
/// much the same in each step, and adds up. It fails where it does not contract by a factor of two.
template <Scalar T, class Column>
class GaussIteration {
 public:
  template <class Size>
  GaussIteration(const GaussMethod<T>& method, const T& h, const Column& slope, const T& scale,
                 const Size& size)
      : method_(&method), h_(h), scale_(scale), last_(size(h * slope)), y_(method.stages()), f_(y_.size()) {
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = (method.node(i) * h) * slope;
  }

  std::size_t stages() const { return y_.size(); }
  /// Where the rate of a stage is wanted.
  const Column& increment(std::size_t i) const { return y_[i]; }
  void set_rate(std::size_t i, const Column& rate) { f_[i] = rate; }

  enum class Verdict { goes_on, converged, failed };
  /// After the rates of all stages are set.
  template <class Size>
  Verdict iterate(const Size& size) {
    T change(0), largest(0);
    for (std::size_t i = 0; i < y_.size(); ++i) {
      Column sum = method_->a(i, 0) * f_[0];
      for (std::size_t j = 1; j < y_.size(); ++j) sum = sum + method_->a(i, j) * f_[j];
      const Column next = h_ * sum;
      const T moved = size(next - y_[i]), far = size(next);
      if (!(moved <= change)) change = moved;
      if (!(far <= largest)) largest = far;
      y_[i] = next;
    }
    if (!isfinite(change)) return Verdict::failed;
    // The next iteration would change the step by about `rest`; where rounding stops it, it has come as far as it can.
    const T unit = ScalarTraits<T>::epsilon(), rest = last_ > T(0) ? change * (change / last_) : change;
    const bool stalled = done_ > 1 && !(change < last_) && change <= T(64) * unit * (scale_ + largest);
    if (stalled || rest <= unit * (scale_ / T(256) + largest / T(1024)) || change <= T(2) * unit * largest)
      return Verdict::converged;
    if (done_ > 1 && T(2) * change > last_ && change > T(64) * unit * (scale_ + largest))
      return Verdict::failed;
    last_ = change;
    constexpr int most_iterations = 60;
    return ++done_ == most_iterations ? Verdict::failed : Verdict::goes_on;
  }

  /// Of the whole step.
  Column increment() const {
    Column sum = method_->weight(0) * f_[0];
    for (std::size_t j = 1; j < f_.size(); ++j) sum = sum + method_->weight(j) * f_[j];
    return h_ * sum;
  }

 private:
  const GaussMethod<T>* method_;
  T h_, scale_, last_;
  std::vector<Column> y_, f_;
  int done_ = 0;
};

/// One step of it.
template <Scalar T, class Column, class Rate, class Size>
GaussStep<Column> gauss_step(const GaussMethod<T>& method, const T& h, const Column& slope, const T& scale,
                             Rate&& rate, Size&& size) {
  using Iteration = GaussIteration<T, Column>;
  Iteration iteration(method, h, slope, scale, size);
  for (;;) {
    for (std::size_t i = 0; i < method.stages(); ++i) iteration.set_rate(i, rate(i, iteration.increment(i)));
    const auto verdict = iteration.iterate(size);
    if (verdict == Iteration::Verdict::converged) return {iteration.increment(), true};
    if (verdict == Iteration::Verdict::failed) return {};
  }
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

}  // namespace polhode::core
