// A chain of pendulums.

#include "polhode/constrained/systems/pendulum_chain.hpp"
#include "systems/coordinates/motion.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

std::size_t read_links(Section& system) {
  constexpr std::int64_t most = 100000;
  const std::int64_t links = system.has("links") ? system.integer("links") : 8;
  system.note("links", {links});
  if (links < 1 || links > most) system.fail("links", filled("must be 1 to {}, not {}", most, links));
  return static_cast<std::size_t>(links);
}

std::unique_ptr<Simulation> build_pendulum_chain(const System& entry, Scenario& scenario) {
  entry.allow_keys(scenario.system(), {"kind"});
  Section& state = scenario.state();
  state.allow({"position", "momentum", "angles"});
  const std::size_t links = read_links(scenario.system());
  const CoordinateSystem<systems::PendulumChain> system{.name = entry.name,
                                                        .system = systems::PendulumChain(links)};
  if (const auto angles = read_angles(state, links))
    return build_motion_of(scenario, system,
                           system.system.at_rest([&](std::size_t i) { return (*angles)[i]; }));
  return build_motion_of(scenario, system, read_point(state, system.system));
}

}  // namespace

namespace entries {
System pendulum_chain() {
  return {"pendulum-chain",
          "a chain of pendulums in the plane",
          {{"links", "how many; default 8"}},
          constrained_methods,
          build_pendulum_chain};
}
}  // namespace entries

}  // namespace polhode::program
