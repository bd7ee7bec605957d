// What the command says about itself.
#include <gtest/gtest.h>

#include <utility>

#include "polhode/free_motion/methods.hpp"
#include "polhode/splitting/leading_error.hpp"
#include "polhode/splitting/schemes.hpp"
#include "polhode/version.hpp"
#include "tests/command/process.hpp"
#include "tests/text/json_reader.hpp"

namespace polhode::testing {

using namespace core;
namespace {

TEST(List, MethodsAreThoseOfTheLibrary) {
  const Outcome o = polhode({"list", "methods", "--json"});
  ASSERT_EQ(o.status, 0);
  const JsonValue json = JsonReader::read(o.output);
  const Outcome text = polhode({"list", "methods"});
  std::size_t i = 0;
  for_each_free_motion_method<double>([&]<class Method>(std::type_identity<Method>) {
    const JsonValue& entry = json[i++];
    EXPECT_EQ(entry["name"].string(), Method::info.name);
    EXPECT_EQ(entry["order"].number(), Method::info.order);
    EXPECT_EQ(std::get<bool>(entry["compensated"].v), Method::info.increments);
    EXPECT_EQ(entry["summary"].string(), Method::info.summary);
    EXPECT_NE(text.output.find(std::string(Method::info.summary)), std::string::npos);
  });
  for (; i < json.list().size(); ++i) EXPECT_NE(json[i]["systems"][0].string(), "free-body");
}

TEST(List, MethodsForBodiesUnderTorque) {
  const JsonValue json = JsonReader::read(polhode({"list", "methods", "--json"}).output);
  for (const auto& [system, scheme] :
       {std::pair{"heavy-top", "aba-8-6-4"}, {"satellite", "rkn6-14"}, {"dipole", "rkn6-14"}}) {
    std::vector<std::string> names;
    for (const JsonValue& entry : json.list()) {
      bool mine = false;
      for (const JsonValue& s : entry["systems"].list()) mine = mine || s.string() == system;
      if (!mine) continue;
      names.push_back(entry["name"].string());
      if (names.back() != "splitting") continue;
      EXPECT_EQ(entry["options"][0]["name"].string(), "scheme");
      EXPECT_EQ(entry["options"][0]["default"].string(), scheme);
      EXPECT_EQ(entry["options"][0]["choices"].list().size(), schemes.size());
      EXPECT_EQ(entry["options"][1]["default"].string(), "exact");
    }
    EXPECT_EQ(names, (std::vector<std::string>{"splitting", "sej", "mr", "rk4"})) << system;
  }
}

TEST(List, SchemesAreThoseOfTheLibrary) {
  const JsonValue json = JsonReader::read(polhode({"list", "schemes", "--json"}).output);
  const std::string text = polhode({"list", "schemes"}).output;
  ASSERT_EQ(json.list().size(), schemes.size());
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    EXPECT_EQ(json[i]["name"].string(), schemes[i].name);
    EXPECT_EQ(json[i]["order"].number(), schemes[i].order);
    EXPECT_EQ(json[i]["stages"].number(), static_cast<double>(schemes[i].stages()));
    EXPECT_EQ(json[i]["effective_error"].number(), *leading_error(schemes[i]).effective);
    EXPECT_NE(("\n" + text).find("\n" + std::string(schemes[i].name) + " "), std::string::npos);
  }
  EXPECT_NE(text.find("14 kicks  E_f 0.63  "), std::string::npos) << text;
  EXPECT_NE(text.find("order 4  (8, 6, 4)   7 kicks"), std::string::npos) << text;
}

TEST(List, WithoutANameHasEverything) {
  const JsonValue json = JsonReader::read(polhode({"list", "--json"}).output);
  EXPECT_EQ(json.keys(),
            (std::vector<std::string>{"experiments", "methods", "schemes", "systems", "torques"}));
  EXPECT_EQ(json["systems"][0]["name"].string(), "free-body");
  EXPECT_TRUE(polhode({"list"}).output.starts_with("systems:\nfree-body  "));
}

TEST(List, EveryPartIsAnArray) {
  for (const char* part : {"systems", "torques", "methods", "schemes", "experiments"}) {
    const Outcome o = polhode({"list", part, "--json"});
    EXPECT_EQ(o.status, 0);
    EXPECT_NO_THROW(JsonReader::read(o.output).list()) << o.output;
    EXPECT_EQ(polhode({"list", part}).status, 0);
  }
}

TEST(Help, IsPrintedOnRequest) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"run", "--help"}, {"list", "-h"}, {"bench", "--help"}}) {
    const Outcome o = polhode(arguments);
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.error, "");
    EXPECT_NE(o.output.find("Usage: polhode"), std::string::npos);
  }
}

TEST(Version, IsThatOfTheLibrary) {
  const Outcome o = polhode({"--version"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.output, "polhode " + std::string(version) + "\n");
}

}  // namespace
}  // namespace polhode::testing
