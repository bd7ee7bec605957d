// A method for the free body that is chosen by its name when the program runs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "polhode/error.hpp"
#include "polhode/free_motion/methods.hpp"

namespace polhode::core {

/// A method by its name, with options where it has some: {"dmv10"}, {"frb-quaternion", {{"quadrature", 5}}}.
struct MethodChoice {
  std::string name = "exact";
  std::vector<std::pair<std::string, int>> options{};
};

/// What is known of a method: its properties, and the options that it has.
struct MethodDescription {
  MethodInfo info;
  std::vector<OptionInfo> options;
};

/// All methods, in the order of the list (polhode/free_motion/methods.hpp).
inline const std::vector<MethodDescription>& method_descriptions() {
  static const std::vector<MethodDescription> list = [] {
    std::vector<MethodDescription> result;
    for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
      result.push_back({Method::info, {}});
      for (const auto& entry : option_entries<Method>()) result.back().options.push_back(entry.info);
    });
    return result;
  }();
  return list;
}

namespace detail {

/// The options of a choice in the method's own type. Throws InputError if it has no such option, or not in that range.
template <class Method>
typename Method::Options options_of(const MethodChoice& choice) {
  typename Method::Options options{};
  for (const auto& [name, value] : choice.options) {
    bool known = false;
    for (const auto& entry : option_entries<Method>()) {
      if (entry.info.name != name) continue;
      known = true;
      if (value < entry.info.smallest || value > entry.info.largest)
        throw InputError(name + " must be " + std::to_string(entry.info.smallest) + " to " +
                         std::to_string(entry.info.largest) + ", not " + std::to_string(value));
      entry.set(options, value);
    }
    if (!known) throw InputError(name + ": the method " + choice.name + " has no such option");
  }
  return options;
}

}  // namespace detail

/// A method of the list by name: wherever a method is a type, this one serves, at the cost of an indirect call.
///
///   Rotor rotor(body, state, MethodChoice{"dmv10"});
///
/// Throws InputError if there is no such method, or it has no such option.
template <Scalar T = double>
class NamedMethod {
 public:
  using Value = T;
  using Options = MethodChoice;

  explicit NamedMethod(const Inertia<T>& inertia, const MethodChoice& choice = {}) {
    std::string names;
    for_each_free_motion_method<T>([&]<class Method>(std::type_identity<Method>) {
      names += (names.empty() ? "" : ", ") + std::string(Method::info.name);
      if (choice.name != Method::info.name) return;
      info = Method::info;
      held_ = std::make_shared<Holder<Method>>(Method(inertia, detail::options_of<Method>(choice)));
    });
    if (!held_)
      throw InputError("there is no method '" + choice.name.substr(0, 40) + "'; there are " + names);
  }

  MethodInfo info;  ///< of the method that was chosen

  template <Summation summation>
  void step(Motion<T, summation>& motion, const T& h) const {
    MethodMemory<T> none{};
    held_->repeat(motion, h, 1, none);
  }
  template <Summation summation>
  void step(Motion<T, summation>& motion, const T& h, MethodMemory<T>& memory) const {
    held_->repeat(motion, h, 1, memory);
  }
  template <Summation summation>
  void repeat(Motion<T, summation>& motion, const T& h, std::int64_t count, MethodMemory<T>& memory) const {
    held_->repeat(motion, h, count, memory);
  }

 private:
  struct Interface {
    Interface() = default;
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;
    virtual ~Interface() = default;
    virtual void repeat(Motion<T, Summation::plain>& motion, const T& h, std::int64_t count,
                        MethodMemory<T>& memory) const = 0;
    virtual void repeat(Motion<T, Summation::compensated>& motion, const T& h, std::int64_t count,
                        MethodMemory<T>& memory) const = 0;
  };
  template <class Method>
  struct Holder final : Interface {
    explicit Holder(const Method& m) : method(m) {}
    void repeat(Motion<T, Summation::plain>& motion, const T& h, std::int64_t count,
                MethodMemory<T>& memory) const override {
      steps(motion, h, count, memory);
    }
    void repeat(Motion<T, Summation::compensated>& motion, const T& h, std::int64_t count,
                MethodMemory<T>& memory) const override {
      steps(motion, h, count, memory);
    }
    template <class M>
    void steps(M& motion, const T& h, std::int64_t count, [[maybe_unused]] MethodMemory<T>& memory) const {
      if constexpr (MethodWithMemory<Method>) {
        for (std::int64_t i = 0; i < count; ++i) method.step(motion, h, memory);
      } else {
        for (std::int64_t i = 0; i < count; ++i) method.step(motion, h);
      }
    }
    Method method;
  };

  std::shared_ptr<const Interface> held_;
};

}  // namespace polhode::core

namespace polhode {
using core::method_descriptions;
using core::MethodChoice;
using core::MethodDescription;
using core::NamedMethod;
}  // namespace polhode
