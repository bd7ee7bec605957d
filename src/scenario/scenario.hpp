// A scenario: a system, its initial state, and the method that moves it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenario/section.hpp"

namespace polhode::program {

/// What all scenarios have in common is read here; what belongs to a system, its builder reads from the sections.
class Scenario {
 public:
  /// Throws ScenarioError.
  explicit Scenario(Document document);

  // The sections refer to the document.
  Scenario(const Scenario&) = delete;
  Scenario& operator=(const Scenario&) = delete;
  ~Scenario() = default;

  const std::string& file() const { return document_.name; }
  const std::string& kind() const { return kind_; }
  const std::string& method_name() const { return method_name_; }
  double step() const { return step_; }
  std::int64_t steps() const { return steps_; }

  Section& system() { return system_; }
  Section& state() { return state_; }
  Section& method() { return method_; }
  Section& output() { return output_; }
  /// [[body]], [[torque]] and [[event]].
  std::vector<Section>& bodies() { return bodies_; }
  std::vector<Section>& torques() { return torques_; }
  std::vector<Section>& events() { return events_; }

  /// The keys of [method] that every scenario has.
  static const std::vector<std::string>& common_method_keys();

  /// Reads two of step, steps and duration. The builder calls it when it has accepted the keys of [method], so that
  /// a misspelt key is reported as such and not as a missing one.
  void read_steps();

  /// What doubtful input deserves a sentence, but not a refusal.
  void warn(const std::string& sentence) { warnings_.push_back(sentence); }
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// The scenario as it is run, with all keys, in TOML.
  std::string text() const;

 private:
  void read_number_of_steps();
  double read_duration();
  void read_divided_duration();

  Document document_;
  Section system_, state_, method_, output_;
  std::vector<Section> bodies_, torques_, events_;
  std::string kind_, method_name_;
  double step_ = 0.0;
  std::int64_t steps_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace polhode::program
