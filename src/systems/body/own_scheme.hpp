// Splitting schemes by their coefficients, as a scenario gives them.
#pragma once

#include <string>
#include <vector>

#include "polhode/splitting/own_scheme.hpp"
#include "run/simulation.hpp"
#include "scenario/section.hpp"

namespace polhode::program {

/// Whether the section gives a scheme by its coefficients: scheme = { a = [...], b = [...] }.
bool has_own_scheme(const Section& method);

/// That scheme; its coefficients are numbers, or texts of more digits. Throws ScenarioError.
OwnScheme read_own_scheme(Section& method);

SchemeFigures figures_of(const Scheme& scheme);

/// What deserves a sentence: an order that is not known, coefficients that need more digits.
std::vector<std::string> doubts_about(const Scheme& scheme);

}  // namespace polhode::program
