#include "reproduce/experiment.hpp"

// One line an experiment: the function that returns its entry, in the order in which they are listed.
#define POLHODE_EXPERIMENTS(ENTRY) \
  ENTRY(vilmart_fig1)              \
  ENTRY(vilmart_fig2)              \
  ENTRY(vilmart_bodies)            \
  ENTRY(brouwer_map)               \
  ENTRY(safstrom_fig1)             \
  ENTRY(safstrom_fig2)             \
  ENTRY(safstrom_fig3)             \
  ENTRY(safstrom_fig4)             \
  ENTRY(safstrom_fig5)             \
  ENTRY(safstrom_fig6)             \
  ENTRY(safstrom_fig7)             \
  ENTRY(safstrom_fig8)             \
  ENTRY(console_fig1)              \
  ENTRY(console_fig2)              \
  ENTRY(console_fig3)              \
  ENTRY(console_text)              \
  ENTRY(console_triple)            \
  ENTRY(zanna_fig5)                \
  ENTRY(zanna_fig6)                \
  ENTRY(zanna_fig7)                \
  ENTRY(zanna_matrix)              \
  ENTRY(toutatis_1992)             \
  ENTRY(envisat_experiment)        \
  ENTRY(apophis_2029)              \
  ENTRY(hyperion_experiment)       \
  ENTRY(periods_67p_1i)

namespace polhode::program {

namespace experiments {
#define POLHODE_DECLARE(name) ExperimentEntry name();
POLHODE_EXPERIMENTS(POLHODE_DECLARE)
#undef POLHODE_DECLARE
}  // namespace experiments

const std::vector<ExperimentEntry>& experiment_registry() {
#define POLHODE_CALL(name) experiments::name(),
  static const std::vector<ExperimentEntry> registry{POLHODE_EXPERIMENTS(POLHODE_CALL)};
#undef POLHODE_CALL
  return registry;
}

}  // namespace polhode::program
