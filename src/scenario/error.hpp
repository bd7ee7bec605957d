// The exceptions of the program. The command turns each into one line and an exit status.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "core.hpp"
#include "polhode/error.hpp"

namespace polhode::program {

/// A scenario is wrong: names the source (a file, or "--set"), the key if there is one, and the reason.
class ScenarioError : public InputError {
 public:
  ScenarioError(std::string source, std::string key, std::string reason)
      : InputError(source + ": " + (key.empty() ? "" : key + ": ") + reason),
        source_(std::move(source)),
        key_(std::move(key)),
        reason_(std::move(reason)) {}

  const std::string& source() const { return source_; }
  const std::string& key() const { return key_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string source_, key_, reason_;
};

/// The input was good, and yet the run failed: a full disk, a state that is no longer finite.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace polhode::program
