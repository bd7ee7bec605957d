// The subcommands, called with their arguments parsed. Each returns the exit status, or throws.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command/manual.hpp"

namespace polhode::command {

enum Status : int { fine = 0, failed = 1, wrong_input = 2 };

struct RunArguments {
  std::string scenario;
  std::vector<std::string> overrides;  ///< key=value
  std::string output;                  ///< empty: none
  std::string every;                   ///< as given; empty: not given
  bool json = false;
};
int run(const RunArguments& arguments);

struct ListArguments {
  std::string part;  ///< empty: all
  bool json = false;
  bool names = false;
};
int list(const ListArguments& arguments);

struct BenchArguments {
  std::string output;  ///< empty: none
  bool json = false;
  bool lengths = false;
};
int bench(const BenchArguments& arguments);

struct ReproduceArguments {
  std::vector<std::string> names;  ///< empty: all
  std::string folder = "out";
  std::string threads;  ///< as given; empty: not given
  bool quick = false;
  bool again = false;
};
int reproduce(const ReproduceArguments& arguments);

struct EnsembleArguments {
  std::string scenario;
  std::vector<std::string> overrides;  ///< key=value
  std::string output;                  ///< empty: the scenario's name with .h5, in the current folder
  std::string every;                   ///< as given; empty: not given
  std::string threads;                 ///< as given; empty: not given
  bool again = false;
  bool json = false;
};
int ensemble(const EnsembleArguments& arguments);

struct ConformanceArguments {
  std::string folder = "conformance";
  std::string states;  ///< a file to score; empty: the kit is written
  bool json = false;
};
int conformance(const ConformanceArguments& arguments);

struct HelpArguments {
  std::string topic;    ///< empty: the list of topics
  bool manual = false;  ///< as a manual page
};
/// `commands`: what there is to say of the options of each command, and first of the program itself.
int help(const HelpArguments& arguments, const std::vector<CommandManual>& commands);

/// The value of --threads, as given; 0 for none. Throws ScenarioError.
unsigned thread_count(const std::string& text);

/// A positive integer on the command line. Throws ScenarioError that names the option.
std::int64_t positive_integer(const std::string& option, const std::string& text);

/// To standard output, complete or not at all well. Throws RunError, for example when the disk is full.
void print(const std::string& text);

/// A sentence to standard error, on one line of reasonable length.
void print_note(const std::string& sentence);

}  // namespace polhode::command
