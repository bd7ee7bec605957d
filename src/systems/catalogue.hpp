// The lists of the command: systems, methods, schemes, experiments.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace polhode::program {

/// A name with one line about it.
struct NamedEntry {
  std::string name;
  std::string summary;
};

/// What is listed, of which a program may have more than the systems: the experiments are those of whoever asks.
class Catalogue {
 public:
  explicit Catalogue(std::vector<NamedEntry> experiments) : experiments_(std::move(experiments)) {}

  /// The parts that `list` knows: systems, methods, schemes, experiments.
  static const std::vector<std::string>& parts();

  /// One part, or all of them if the name is empty.
  std::string text(const std::string& part) const;
  std::string json(const std::string& part) const;
  /// The names alone, one a line, each once: for shells.
  std::string names(const std::string& part) const;

 private:
  std::vector<NamedEntry> experiments_;
};

}  // namespace polhode::program
