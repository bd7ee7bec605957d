// A method for the free body behind one function: in this object file, or in one for other instructions.
//
// A program may hold the methods twice, for every machine of its architecture and for those that have AVX2, and choose
// at run time. The second time the namespace polhode is compiled under another name, so that the linker cannot take an inline
// function of the one for that of the other; the namespace polhode_shared keeps its name. Nothing in it may become a function in
// an object file: what passes between the two is plain numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "polhode/free_motion/method.hpp"

namespace polhode_shared {

/// The value of an option, which is named by its place in the option_list of its method.
struct OptionValue {
  std::size_t place;
  int value;
};

/// All methods for one set of instructions.
struct MethodFunctions {
  /// The method at a place of the list (polhode/free_motion/methods.hpp) for three principal moments. The options are valid.
  void* (*make)(std::size_t place, const double* moments, const OptionValue* options, std::size_t count);
  void (*free)(void* method);

  /// Steps of a Motion<double>, whose numbers are the same in both objects, but not their alignment; and of the memory of the
  /// method (MethodMemory).
  using Repeat = void(const void* method, void* motion, double h, std::int64_t count, double* memory);
  Repeat* repeat_plain;
  Repeat* repeat_compensated;
};

}  // namespace polhode_shared

namespace POLHODE_CORE {

using polhode_shared::MethodFunctions;
using polhode_shared::OptionValue;

template <Scalar T>
struct HeldMethod {
  HeldMethod() = default;
  HeldMethod(const HeldMethod&) = delete;
  HeldMethod& operator=(const HeldMethod&) = delete;
  virtual ~HeldMethod() = default;
  virtual void repeat(Motion<T, Summation::plain>& motion, const T& h, std::int64_t count,
                      MethodMemory<T>& memory) const = 0;
  virtual void repeat(Motion<T, Summation::compensated>& motion, const T& h, std::int64_t count,
                      MethodMemory<T>& memory) const = 0;
};

/// One of the types of the list.
template <class Method>
class MethodHere final : public HeldMethod<typename Method::Value> {
 public:
  using T = typename Method::Value;

  explicit MethodHere(const Method& method) : method_(method) {}

  void repeat(Motion<T, Summation::plain>& motion, const T& h, std::int64_t count,
              MethodMemory<T>& memory) const override {
    steps(motion, h, count, memory);
  }
  void repeat(Motion<T, Summation::compensated>& motion, const T& h, std::int64_t count,
              MethodMemory<T>& memory) const override {
    steps(motion, h, count, memory);
  }

 private:
  template <class M>
  void steps(M& motion, const T& h, std::int64_t count, [[maybe_unused]] MethodMemory<T>& memory) const {
    if constexpr (MethodWithMemory<Method>) {
      for (std::int64_t i = 0; i < count; ++i) method_.step(motion, h, memory);
    } else {
      for (std::int64_t i = 0; i < count; ++i) method_.step(motion, h);
    }
  }

  Method method_;
};

/// A method of another object file.
class MethodElsewhere final : public HeldMethod<double> {
 public:
  MethodElsewhere(const MethodFunctions& functions, std::size_t place, const Inertia<double>& inertia,
                  const OptionValue* options, std::size_t count)
      : functions_(functions), method_(functions.make(place, inertia.moments.c.data(), options, count)) {}
  ~MethodElsewhere() override { functions_.free(method_); }

  void repeat(Motion<double, Summation::plain>& motion, const double& h, std::int64_t count,
              MethodMemory<double>& memory) const override {
    repeat(*functions_.repeat_plain, motion, h, count, memory);
  }
  void repeat(Motion<double, Summation::compensated>& motion, const double& h, std::int64_t count,
              MethodMemory<double>& memory) const override {
    repeat(*functions_.repeat_compensated, motion, h, count, memory);
  }

 private:
  template <Summation summation>
  void repeat(MethodFunctions::Repeat& steps, Motion<double, summation>& motion, double h, std::int64_t count,
              MethodMemory<double>& memory) const {
    static_assert(std::is_trivially_copyable_v<Motion<double, summation>>);
    static_assert(sizeof motion == (summation == Summation::compensated ? 16 : 8) * sizeof(double));
    steps(method_, &motion, h, count, memory.data());
  }

  const MethodFunctions& functions_;
  void* method_;
};

}  // namespace POLHODE_CORE
