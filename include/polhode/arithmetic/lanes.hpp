// The components of a vector or of a quaternion, on which an operation works at once.
//
// For any scalar this is an array. For double and float it is one register of four lanes (two of two doubles where the target has no
// wider ones), of which a vector leaves the last one idle. Each component goes through the same operations either way, so that
// the bits are the same: a kernel that is written in terms of it is one source for a body, whose components are the lanes,
// and for a pack of bodies.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <utility>

#include "polhode/arithmetic/error_free.hpp"
#include "polhode/arithmetic/quaternion.hpp"

namespace POLHODE_CORE {

template <class T, std::size_t size>
class Components {
 public:
  constexpr Components() = default;
  // One by one: compilers copy a small array as a block of memory, and what was just computed has to go there first.
  constexpr Components(const Components& other) : Components(other.c_, Indices()) {}
  constexpr Components& operator=(const Components& other) {
    [&]<std::size_t... i>(std::index_sequence<i...>) { ((c_[i] = other.c_[i]), ...); }
    (Indices());
    return *this;
  }
  explicit constexpr Components(const std::array<T, size>& c) : Components(c, Indices()) {}
  template <std::convertible_to<T>... U>
  requires(sizeof...(U) == size) constexpr Components(const U&... c) : c_{c...} {}
  /// All of them alike.
  explicit constexpr Components(const T& x) { c_.fill(x); }

  constexpr T operator[](std::size_t i) const { return c_[i]; }
  constexpr void set(std::size_t i, const T& x) { c_[i] = x; }

  friend constexpr Components operator+(const Components& a, const Components& b) {
    return apply(a, b, [](const T& x, const T& y) { return x + y; });
  }
  friend constexpr Components operator-(const Components& a, const Components& b) {
    return apply(a, b, [](const T& x, const T& y) { return x - y; });
  }
  /// Component by component.
  friend constexpr Components operator*(const Components& a, const Components& b) {
    return apply(a, b, [](const T& x, const T& y) { return x * y; });
  }
  friend constexpr Components operator/(const Components& a, const Components& b) {
    return apply(a, b, [](const T& x, const T& y) { return x / y; });
  }
  friend constexpr Components operator*(const T& s, const Components& a) { return Components(s) * a; }
  constexpr Components& operator+=(const Components& b) { return *this = *this + b; }

  /// The components i, j, ... in the places 0, 1, ...
  template <std::size_t... from>
  constexpr Components shuffled() const {
    return Components(c_[from]...);
  }

 private:
  using Indices = std::make_index_sequence<size>;
  template <std::size_t... i>
  constexpr Components(const std::array<T, size>& c, std::index_sequence<i...>) : c_{c[i]...} {}

  template <class Operation>
  static constexpr Components apply(const Components& a, const Components& b, Operation&& operation) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return Components(operation(a.c_[i], b.c_[i])...);
    }
    (Indices());
  }

  std::array<T, size> c_{};
};

/// The register of the components. (GCC takes no attribute that depends on a parameter.)
template <class T>
struct ComponentRegister {};
template <>
struct ComponentRegister<double> {
#if defined(__AVX__)
  using Lanes [[gnu::vector_size(32)]] = double;
#else
  using Lanes [[gnu::vector_size(16)]] = double;
#endif
};
template <>
struct ComponentRegister<float> {
  using Lanes [[gnu::vector_size(16)]] = float;
};

template <class T, std::size_t size>
requires((std::same_as<T, double> || std::same_as<T, float>)&&(size == 3 ||
                                                               size == 4)) class Components<T, size> {
  using Lanes = typename ComponentRegister<T>::Lanes;
  static constexpr std::size_t width = sizeof(Lanes) / sizeof(T);
  static constexpr std::size_t registers = 4 / width;

 public:
  Components() = default;
  // At once: lanes that are set one by one go through memory, and a register is loaded from there only much later.
  explicit Components(const std::array<T, size>& c)
      : lanes_(of(c[0], c[1], c[2], size == 3 ? T(0) : c[size - 1])) {}
  template <std::convertible_to<T>... U>
  requires(sizeof...(U) == size) Components(const U&... c)
      : Components(std::array<T, size>{static_cast<T>(c)...}) {}
  explicit Components(T x) {
    for (Lanes& lanes : lanes_) lanes = x - Lanes{};
  }

  T operator[](std::size_t i) const { return lanes_[i / width][i % width]; }
  void set(std::size_t i, T x) { lanes_[i / width][i % width] = x; }

  friend Components operator+(const Components& a, const Components& b) {
    Components result;
    for (std::size_t i = 0; i < registers; ++i) result.lanes_[i] = a.lanes_[i] + b.lanes_[i];
    return result;
  }
  friend Components operator-(const Components& a, const Components& b) {
    Components result;
    for (std::size_t i = 0; i < registers; ++i) result.lanes_[i] = a.lanes_[i] - b.lanes_[i];
    return result;
  }
  friend Components operator*(const Components& a, const Components& b) {
    Components result;
    for (std::size_t i = 0; i < registers; ++i) result.lanes_[i] = a.lanes_[i] * b.lanes_[i];
    return result;
  }
  friend Components operator/(const Components& a, const Components& b) {
    Components result;
    for (std::size_t i = 0; i < registers; ++i) result.lanes_[i] = a.lanes_[i] / b.lanes_[i];
    return result;
  }
  friend Components operator*(T s, const Components& a) { return Components(s) * a; }
  Components& operator+=(const Components& b) { return *this = *this + b; }

  template <std::size_t... from>
  Components shuffled() const {
    if constexpr (size == 3) {
      return rearranged<from..., 3>();
    } else {
      return rearranged<from...>();
    }
  }

  friend ErrorFree<Components> two_product(const Components& a,
                                           const Components& b) requires std::same_as<T, double> {
    const Components product = a * b;
#if defined(__AVX__) && defined(__FMA__)
    Components error;
    error.lanes_[0] =
        static_cast<Lanes>(__builtin_ia32_vfmaddpd256(a.lanes_[0], b.lanes_[0], -product.lanes_[0]));
    return {product, error};
#elif defined(__ARM_FEATURE_FMA)
    Components error;
    for (std::size_t i = 0; i < registers; ++i)
      error.lanes_[i] = Lanes{__builtin_fma(a.lanes_[i][0], b.lanes_[i][0], -product.lanes_[i][0]),
                              __builtin_fma(a.lanes_[i][1], b.lanes_[i][1], -product.lanes_[i][1])};
    return {product, error};
#else
    const auto split = [](const Components& x) {
      const Components scaled = 134217729.0 * x;
      const Components high = scaled - (scaled - x);
      return ErrorFree<Components>{high, x - high};
    };
    const auto [a_high, a_low] = split(a);
    const auto [b_high, b_low] = split(b);
    Components error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    unsigned doubted = 0;
    for (std::size_t i = 0; i < registers; ++i)
      doubted |= errors_in_doubt(a.lanes_[i], b.lanes_[i], product.lanes_[i], error.lanes_[i],
                                 ((1U << size) - 1) >> (i * width))
                 << (i * width);
    if (doubted != 0) [[unlikely]]
      for (std::size_t i = 0; i < size; ++i)
        if ((doubted >> i & 1) != 0) error.set(i, rounded_error_of_product(a[i], b[i], product[i]));
    return {product, error};
#endif
  }

 private:
  static std::array<Lanes, registers> of(T a, T b, T c, T d) {
    if constexpr (registers == 1)
      return {Lanes{a, b, c, d}};
    else
      return {Lanes{a, b}, Lanes{c, d}};
  }

  template <int i, int j, int k, int l>
  Components rearranged() const {
    Components result;
    if constexpr (registers == 1) {
      result.lanes_[0] = __builtin_shufflevector(lanes_[0], lanes_[0], i, j, k, l);
    } else {
      result.lanes_[0] = __builtin_shufflevector(lanes_[0], lanes_[1], i, j);
      result.lanes_[1] = __builtin_shufflevector(lanes_[0], lanes_[1], k, l);
    }
    return result;
  }

  std::array<Lanes, registers> lanes_{};
};

/// Any other scalar: component by component.
template <class T, std::size_t size>
requires(!std::floating_point<T>) ErrorFree<Components<T, size>> two_product(const Components<T, size>& a,
                                                                             const Components<T, size>& b) {
  ErrorFree<Components<T, size>> result;
  for (std::size_t i = 0; i < size; ++i) {
    const auto [value, error] = two_product(a[i], b[i]);
    result.value.set(i, value);
    result.error.set(i, error);
  }
  return result;
}

/// Those of a vector, and of a quaternion.
template <class T>
using ThreeLanes = Components<T, 3>;
template <class T>
using FourLanes = Components<T, 4>;

template <class T>
ThreeLanes<T> components(const Vector<T>& v) {
  return ThreeLanes<T>(v.c);
}

/// (v1, v2, v0) and (v2, v0, v1), with which a cross product is made.
template <class T>
ThreeLanes<T> next(const ThreeLanes<T>& v) {
  return v.template shuffled<1, 2, 0>();
}
template <class T>
ThreeLanes<T> previous(const ThreeLanes<T>& v) {
  return v.template shuffled<2, 0, 1>();
}

template <class T>
ThreeLanes<T> cross(const ThreeLanes<T>& a, const ThreeLanes<T>& b) {
  return next(a) * previous(b) - previous(a) * next(b);
}

template <class T>
T sum(const ThreeLanes<T>& v) {
  return (v[0] + v[1]) + v[2];
}

/// With signs of 1 and -1.
template <class T>
FourLanes<T> with_signs(const FourLanes<T>& q, const std::array<double, 4>& signs) {
  if constexpr (std::same_as<T, double> || std::same_as<T, float>) {
    return q * FourLanes<T>(signs[0], signs[1], signs[2], signs[3]);
  } else {
    FourLanes<T> result = q;
    for (std::size_t i = 0; i < 4; ++i)
      if (signs[i] < 0) result.set(i, -q[i]);
    return result;
  }
}

/// v -> q (0, v), for several v.
template <class T>
class TimesVector {
 public:
  explicit TimesVector(const FourLanes<T>& q)
      : first_(with_signs<T>(q.template shuffled<1, 0, 3, 2>(), {{-1, 1, 1, -1}})),
        second_(with_signs<T>(q.template shuffled<2, 3, 0, 1>(), {{-1, -1, 1, 1}})),
        third_(with_signs<T>(q.template shuffled<3, 2, 1, 0>(), {{-1, 1, -1, 1}})) {}

  FourLanes<T> operator()(const ThreeLanes<T>& v) const {
    return v[0] * first_ + (v[1] * second_ + v[2] * third_);
  }
  ErrorFree<FourLanes<T>> with_error(const ThreeLanes<T>& v) const {
    const auto a = two_product(FourLanes<T>(v[0]), first_), b = two_product(FourLanes<T>(v[1]), second_),
               c = two_product(FourLanes<T>(v[2]), third_);
    const auto [bc, bc_error] = two_sum(b.value, c.value);
    const auto [value, error] = two_sum(a.value, bc);
    return {value, (error + bc_error) + (a.error + (b.error + c.error))};
  }

 private:
  FourLanes<T> first_, second_, third_;
};

}  // namespace POLHODE_CORE
