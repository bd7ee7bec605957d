#include "reproduce/experiments/experiments.hpp"

namespace polhode::program {

const std::vector<ExperimentEntry>& experiment_registry() {
  using namespace experiments;
  static const std::vector<ExperimentEntry> registry{
      {"vilmart-fig1", "energy by Jacobi's functions: round-off that drifts, and one that does not",
       vilmart_fig1},
      {"vilmart-fig2", "discrete Moser-Veselov of order 10, standard and compensated", vilmart_fig2},
      {"safstrom-fig1", "Euler's equations: error against cost", safstrom_fig1},
      {"safstrom-fig2", "Euler's equations: energy over a long time", safstrom_fig2},
      {"safstrom-fig3", "fast heavy top: error against cost", safstrom_fig3},
      {"safstrom-fig4", "fast heavy top: energy", safstrom_fig4},
      {"safstrom-fig5", "heavy top: error against cost", safstrom_fig5},
      {"safstrom-fig6", "heavy top by SEJ: energy and path for three steps", safstrom_fig6},
      {"safstrom-fig7", "heavy top by MR: energy and path for three steps", safstrom_fig7},
      {"safstrom-fig8", "heavy top: energy error against the size of the inertia", safstrom_fig8},
      {"console-fig1", "pendulum by SY8: compensated summation", console_fig1},
      {"console-fig2", "two bodies on the sphere: standard and accurate constraint", console_fig2},
      {"console-fig3", "two bodies on the sphere: multipliers to a tolerance", console_fig3},
      {"console-triple", "triple coupled pendulum: standard and accurate constraint", console_triple},
      {"zanna-fig5", "exact methods: digits over the triangle of inertias", zanna_fig5},
      {"zanna-fig6", "exact and semi-exact methods: cost relative to the cheapest dmv", zanna_fig6},
      {"zanna-fig7", "perturbed rotation over a very long time", zanna_fig7},
  };
  return registry;
}

}  // namespace polhode::program
