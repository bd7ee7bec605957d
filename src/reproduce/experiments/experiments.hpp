// The experiments, each at either scale. The registry is in registry.cpp.
#pragma once

#include "reproduce/experiment.hpp"

namespace polhode::program::experiments {

Experiment vilmart_fig1(Scale scale);
Experiment vilmart_fig2(Scale scale);
Experiment safstrom_fig1(Scale scale);
Experiment safstrom_fig2(Scale scale);
Experiment safstrom_fig3(Scale scale);
Experiment safstrom_fig4(Scale scale);
Experiment safstrom_fig5(Scale scale);
Experiment safstrom_fig6(Scale scale);
Experiment safstrom_fig7(Scale scale);
Experiment safstrom_fig8(Scale scale);
Experiment console_fig1(Scale scale);
Experiment console_fig2(Scale scale);
Experiment console_fig3(Scale scale);
Experiment console_triple(Scale scale);
Experiment zanna_fig5(Scale scale);
Experiment zanna_fig6(Scale scale);
Experiment zanna_fig7(Scale scale);

}  // namespace polhode::program::experiments
