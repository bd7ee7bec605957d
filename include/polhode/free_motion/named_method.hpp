// A method for the free body that is chosen by its name when the program runs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "polhode/error.hpp"
#include "polhode/free_motion/held_method.hpp"
#include "polhode/free_motion/methods.hpp"

namespace POLHODE_CORE {

/// A method by its name, with options where it has some: {"dmv10"}, {"frb-quaternion", {{"quadrature", 5}}}.
struct MethodChoice {
  std::string name = "exact";
  std::vector<std::pair<std::string, int>> options{};
  /// The methods of double in an object for other instructions, with the same bits; null: those of this one.
  const MethodFunctions* functions = nullptr;
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

/// The same by places.
template <class Method>
std::vector<OptionValue> option_values(const MethodChoice& choice) {
  std::vector<OptionValue> values;
  const auto entries = option_entries<Method>();
  for (const auto& [name, value] : choice.options)
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i].info.name == name) values.push_back({i, value});
  return values;
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
    std::size_t place = 0;
    for_each_free_motion_method<T>([&]<class Method>(std::type_identity<Method>) {
      names += (names.empty() ? "" : ", ") + std::string(Method::info.name);
      const std::size_t here = place++;
      if (choice.name != Method::info.name) return;
      info = Method::info;
      held_ = std::make_shared<MethodHere<Method>>(Method(inertia, detail::options_of<Method>(choice)));
      if constexpr (std::same_as<T, double>) {
        if (choice.functions == nullptr) return;
        const auto options =
            detail::option_values<Method>(choice);  // which are valid: this object has taken them
        held_ = std::make_shared<MethodElsewhere>(*choice.functions, here, inertia, options.data(),
                                                  options.size());
      }
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
  std::shared_ptr<const HeldMethod<T>> held_;
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::method_descriptions;
using core::MethodChoice;
using core::MethodDescription;
using core::NamedMethod;
}  // namespace polhode
