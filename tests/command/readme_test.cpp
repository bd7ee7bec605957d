// What the README and the manual of the command show is what happens.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

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

/// The fenced blocks of a language.
std::vector<std::string> blocks(const std::string& readme, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  std::vector<std::string> result;
  for (auto at = readme.find(fence); at != std::string::npos; at = readme.find(fence, at)) {
    at += fence.size();
    result.push_back(readme.substr(at, readme.find("```", at) - at));
  }
  EXPECT_FALSE(result.empty()) << language;
  return result;
}

/// The first of them.
std::string block(const std::string& readme, const std::string& language) {
  return blocks(readme, language).at(0);
}

TEST(Readme, ShowsTheExampleAndItsOutput) {
  const std::string readme = text_of("README.md");
  EXPECT_EQ(block(readme, "cpp"), text_of("examples/first_steps.cpp"));
  EXPECT_EQ(block(readme, "text"), text_of("examples/first_steps.expected"));
}

TEST(Readme, ShowsWhatTheCommandPrints) {
  std::vector<std::string> shown;
  for (const char* document : {"README.md", "docs/command.md", "docs/site/start-shell.md"})
    for (const std::string& block : blocks(text_of(document), "console")) shown.push_back(block);
  EXPECT_GE(shown.size(), 3U);
  for (const std::string& block : shown) {
    const std::string prompt = "$ build/bin/polhode run ";
    const std::size_t end = block.find('\n');
    ASSERT_TRUE(block.starts_with(prompt)) << block;
    const std::string scenario = block.substr(prompt.size(), end - prompt.size());
    const Outcome result = polhode({"run", std::string(POLHODE_SOURCE_DIR) + "/" + scenario});
    // The lines that follow, cost and warning, are those of the day.
    EXPECT_EQ(result.output.substr(0, block.size() - end - 1), block.substr(end + 1));
  }
}

TEST(Readme, TheScenarioOfTheManualRuns) {
  const std::string scenario = block(text_of("docs/command.md"), "toml");
  const std::string name = ::testing::TempDir() + "readme.toml";
  std::ofstream(name) << scenario;
  EXPECT_EQ(polhode({"run", name}).status, 0);
}

}  // namespace
}  // namespace polhode::testing
