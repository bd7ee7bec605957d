// The list of methods, turned from types into values. All instances of the core are compiled in this file.
#include <cstring>
#include <type_traits>

#include "polhode/free_motion/methods.hpp"
#include "systems/body/free_body.hpp"
#include "systems/body/rigid_body.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

template <FreeMotionMethod Method, Summation summation>
class FreeBody final : public Simulation {
 public:
  FreeBody(const Body<double>& body, const State<double>& initial, double step,
           const typename Method::Options& options)
      : rotor_(body, initial, options) {
    description_.system = "free-body";
    description_.method = Method::info.name;
    description_.compensated = summation == Summation::compensated;
    description_.step = step;
    description_.state = body_state();
    description_.derived = body_rotation();
    description_.invariants = {
        {"energy", 1, 1, "kinetic energy, user's units"},
        {"momentum_norm", 1, 1, "size of the angular momentum, user's units"},
        {"spatial_momentum", 3, 1, "angular momentum in space, user's units"},
    };
  }

  const Description& description() const override { return description_; }

  void look(Snapshot& snapshot) const override {
    const BodyView view = view_of<summation>(rotor_);
    snapshot.state.clear();
    append_state(view, snapshot.state);
    snapshot.derived.clear();
    append_rotation(view, snapshot.derived);
    snapshot.invariants = {view.free.energy, view.free.momentum_norm};
    append(snapshot.invariants, view.free.spatial_momentum.c);
  }

 private:
  using Sums = Motion<double, summation>;
  static_assert(std::is_trivially_copyable_v<Sums>);

  void move(std::int64_t count) override { rotor_.steps(description_.step, count); }
  std::vector<std::byte> motion_bytes() const override {
    std::vector<std::byte> bytes(sizeof(Sums));
    std::memcpy(bytes.data(), &rotor_.motion(), sizeof(Sums));
    return bytes;
  }
  void take_motion_bytes(const std::vector<std::byte>& bytes) override {
    if (bytes.size() != sizeof(Sums)) throw InputError("the checkpoint is of another simulation");
    Sums sums;
    std::memcpy(&sums, bytes.data(), sizeof(Sums));
    rotor_.restore(sums);
  }

  FreeRotor<Method, summation> rotor_;
  Description description_;
};

template <class Method>
MethodEntry entry_of() {
  MethodEntry entry{std::string(Method::info.name),
                    std::string(Method::info.summary),
                    Method::info.order,
                    Method::info.increments,
                    {}};
  [[maybe_unused]] const typename Method::Options options{};
  if constexpr (requires { options.quadrature; })
    entry.options.push_back({"quadrature", 0, 10, "Gauss nodes of the third-kind integral; 0: exact", {}});
  if constexpr (requires { options.frame; })
    entry.options.push_back(
        {"frame", 0, 3, "the frame of section 1.4 of the paper; 0: the method's own choice", {}});
  return entry;
}

}  // namespace

std::vector<MethodEntry> free_motion_methods() {
  std::vector<MethodEntry> entries;
  for_each_free_motion_method<double>(
      [&]<class Method>(std::type_identity<Method>) { entries.push_back(entry_of<Method>()); });
  return entries;
}

std::unique_ptr<Simulation> make_free_body(const Body<double>& body, const State<double>& initial,
                                           double step, const FreeMotionChoice& choice) {
  std::unique_ptr<Simulation> result;
  for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
    if (choice.method != Method::info.name) return;
    const auto options = options_of<typename Method::Options>(choice);
    if constexpr (Method::info.increments) {
      if (choice.compensated) {
        result = std::make_unique<FreeBody<Method, Summation::compensated>>(body, initial, step, options);
        return;
      }
    }
    result = std::make_unique<FreeBody<Method, Summation::plain>>(body, initial, step, options);
  });
  if (!result) throw InputError("there is no method " + quoted(choice.method));
  return result;
}

}  // namespace polhode::program
