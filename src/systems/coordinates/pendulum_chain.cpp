// A chain of pendulums.

#include "polhode/constrained/systems/pendulum_chain.hpp"
#include "systems/coordinates/motion.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

std::size_t read_links(Section& system) {
  constexpr std::int64_t otherwise = 8, most = 100000;
  if (!system.has("links")) {
    system.note("links", {otherwise});
    return otherwise;
  }
  const std::int64_t links = system.integer("links");
  if (links < 1 || links > most) system.fail("links", filled("must be 1 to {}, not {}", most, links));
  return static_cast<std::size_t>(links);
}

}  // namespace

std::unique_ptr<Simulation> build_pendulum_chain(Scenario& scenario) {
  scenario.system().allow({"kind", "links"});
  Section& state = scenario.state();
  state.allow({"position", "momentum", "angles"});
  const std::size_t links = read_links(scenario.system());
  const CoordinateSystem<systems::PendulumChain> system{.name = "pendulum-chain",
                                                        .system = systems::PendulumChain(links)};
  if (const auto angles = read_angles(state, links))
    return build_motion_of(scenario, system,
                           system.system.at_rest([&](std::size_t i) { return (*angles)[i]; }));
  return build_motion_of(scenario, system, read_point(state, system.system));
}

}  // namespace polhode::program
