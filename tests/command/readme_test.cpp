// What the README shows is what happens.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "tests/command/process.hpp"

namespace polhode::testing {
namespace {

std::string text_of(const std::string& name) {
  std::ifstream file(std::string(POLHODE_SOURCE_DIR) + "/" + name);
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The first fenced block of a language.
std::string block(const std::string& readme, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  const auto start = readme.find(fence);
  EXPECT_NE(start, std::string::npos) << language;
  const auto from = start + fence.size();
  return readme.substr(from, readme.find("```", from) - from);
}

TEST(Readme, ShowsTheExampleAndItsOutput) {
  const std::string readme = text_of("README.md");
  EXPECT_EQ(block(readme, "cpp"), text_of("examples/first_steps.cpp"));
  EXPECT_EQ(block(readme, "text"), text_of("examples/first_steps.expected"));
}

TEST(Readme, ShowsWhatTheCommandPrints) {
  const std::string shown = block(text_of("README.md"), "console");
  const std::string prompt = "$ build/bin/polhode run examples/water-molecule.toml\n";
  ASSERT_EQ(shown.substr(0, prompt.size()), prompt);
  const Outcome result = polhode({"run", std::string(POLHODE_SOURCE_DIR) + "/examples/water-molecule.toml"});
  // The lines that follow, cost and warning, are those of the day.
  EXPECT_EQ(result.output.substr(0, shown.size() - prompt.size()), shown.substr(prompt.size()));
}

TEST(Readme, ScenarioRuns) {
  const std::string scenario = block(text_of("README.md"), "toml");
  const std::string name = ::testing::TempDir() + "readme.toml";
  std::ofstream(name) << scenario;
  EXPECT_EQ(polhode({"run", name}).status, 0);
}

}  // namespace
}  // namespace polhode::testing
