// The report: one HTML file that needs nothing beside it.
#pragma once

#include "reproduce/experiment.hpp"

namespace polhode::program {

/// An experiment that is finished, with its folder, where its figure lies.
struct Reproduction {
  Experiment experiment;
  Scale scale = Scale::full;
  Findings findings;
  std::string folder;
};

/// What became of the published claims, a sentence for each group of the report: "The papers: of 5 published claims 3 hold ...".
std::vector<std::string> printed_by_group(const std::vector<Reproduction>& reproductions);

/// A summary first, then each experiment with its figure, its claims, its parameters and the command that repeats it.
/// Throws RunError if a figure cannot be read.
std::string report_html(const std::vector<Reproduction>& reproductions);

std::string base64(std::span<const char> bytes);

/// With the characters that mean something in HTML replaced.
std::string html(const std::string& text);

}  // namespace polhode::program
