// What the command explains: topics, names for shells, how it is cited. The manual pages are tested where they are installed.
#include <gtest/gtest.h>

#include "polhode/version.hpp"
#include "tests/command/process.hpp"
#include "tests/text/json_reader.hpp"

namespace polhode::testing {

namespace {

TEST(Help, EveryCommandIsATopic) {
  const std::string topics = polhode({"help"}).output;
  const std::string usage = polhode({"--help"}).output;
  std::size_t at = usage.find("Subcommands:");
  ASSERT_NE(at, std::string::npos);
  int count = 0;
  while ((at = usage.find("\n  ", at)) != std::string::npos) {
    at += 3;
    if (usage[at] == ' ') continue;  // of a description that goes on
    const std::string name = usage.substr(at, usage.find(' ', at) - at);
    EXPECT_NE(topics.find("\n    " + name + " "), std::string::npos) << name;
    const Outcome o = polhode({"help", name});
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.output.rfind(name + ": ", 0), 0u);
    EXPECT_NE(o.output.find("polhode " + name), std::string::npos);
    ++count;
  }
  EXPECT_GE(count, 7);
}

TEST(Help, UnknownTopicIsRefused) {
  const Outcome o = polhode({"help", "scenarios"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.error, "polhode: help: there is no topic \"scenarios\"; did you mean \"scenario\"?\n");
  EXPECT_EQ(o.output, "");
}

TEST(Help, CitationNamesTheVersion) {
  const Outcome o = polhode({"--cite"});
  EXPECT_EQ(o.status, 0);
  EXPECT_NE(o.output.find("version = {" + std::string(version) + "}"), std::string::npos);
}

TEST(List, NamesAreThoseOfTheJson) {
  for (const std::string part : {"systems", "torques", "methods", "schemes", "experiments"}) {
    std::string expected;
    const JsonValue listed = JsonReader::read(polhode({"list", part, "--json"}).output);
    for (const JsonValue& entry : listed.list()) {
      const std::string line = entry["name"].string() + "\n";
      if (("\n" + expected).find("\n" + line) == std::string::npos) expected += line;
    }
    EXPECT_EQ(polhode({"list", part, "--names"}).output, expected) << part;
  }
  EXPECT_EQ(polhode({"list", "methods", "--names", "--json"}).status, 2);
}

}  // namespace
}  // namespace polhode::testing
