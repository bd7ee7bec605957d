// The methods for the free body once more, for other instructions than the rest of the program, as functions.cpp has the batch.
#include <cstring>

#include "polhode/free_motion/held_method.hpp"
#include "polhode/free_motion/methods.hpp"

namespace POLHODE_CORE {

namespace {

void* make_method(std::size_t place, const double* moments, const OptionValue* values, std::size_t count) {
  const Inertia<double> inertia(Vector<double>{{moments[0], moments[1], moments[2]}});
  HeldMethod<double>* made = nullptr;
  std::size_t next = 0;
  for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
    if (next++ != place) return;
    typename Method::Options options{};
    for (std::size_t i = 0; i < count; ++i)
      option_entries<Method>()[values[i].place].set(options, values[i].value);
    made = new MethodHere<Method>(Method(inertia, options));
  });
  return made;
}

template <Summation summation>
void repeat_steps(const void* method, void* motion, double h, std::int64_t count, double* memory) {
  Motion<double, summation> aligned;
  MethodMemory<double> kept;
  std::memcpy(&aligned, motion, sizeof aligned);
  std::memcpy(&kept, memory, sizeof kept);
  static_cast<const HeldMethod<double>*>(method)->repeat(aligned, h, count, kept);
  std::memcpy(motion, &aligned, sizeof aligned);
  std::memcpy(memory, &kept, sizeof kept);
}

}  // namespace
}  // namespace POLHODE_CORE

namespace polhode {

const polhode_shared::MethodFunctions& methods_of_object() {
  using namespace core;
  static constexpr polhode_shared::MethodFunctions functions{
      .make = make_method,
      .free = [](void* method) { delete static_cast<HeldMethod<double>*>(method); },
      .repeat_plain = repeat_steps<Summation::plain>,
      .repeat_compensated = repeat_steps<Summation::compensated>};
  return functions;
}

}  // namespace polhode
