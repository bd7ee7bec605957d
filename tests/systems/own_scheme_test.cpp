// Splitting schemes by their coefficients in scenarios: the same bits as by their names, and what is said of them.
#include "systems/body/own_scheme.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "run/summary.hpp"
#include "tests/systems/driven_scenario.hpp"
#include "tests/text/json_reader.hpp"
#include "text/text.hpp"

namespace polhode::program {
namespace {

constexpr const char* s6 =
    "method.scheme={a=[0.0792036964311957,0.353172906049774,-0.0420650803577195],"
    "b=[0.209515106613362,-0.143851773179818]}";
constexpr const char* kick_first =
    "method.scheme={a=[0,0.245298957184271,0.60487266571108],"
    "b=[0.0829844064174052,0.396309801498368,-0.0390563049223486]}";
constexpr const char* more_digits =
    "method.scheme={a=['0.06943184420297371238802675555359524745214', "
    "'0.2605776340045981552106403648947824089476'],"
    "b=['0.1739274225687269286865319746109997036177']}";

Snapshot after(const std::string& example, const std::vector<std::string>& overrides) {
  Trial trial(example, overrides);
  trial.simulation().advance(50);
  return trial.simulation().look();
}

TEST(OwnSchemeInScenario, HasTheBitsOfTheName) {
  for (const auto& [own, name] :
       {std::pair{s6, "blanes-moan-4"}, {kick_first, "rkn4-6"}, {more_digits, "aba-8-2"}}) {
    for (const char* example : {"lagrange-top", "satellite-eccentric", "dipole-alternating"}) {
      for (const char* free : {"exact", "dmv10"}) {
        const std::string with = std::string("method.free=") + free;
        const Snapshot expected = after(example, {std::string("method.scheme=") + name, with});
        const Snapshot found = after(example, {own, with});
        EXPECT_EQ(found.state, expected.state) << name << " " << example << " " << free;
        EXPECT_EQ(found.invariants, expected.invariants) << name << " " << example << " " << free;
      }
    }
  }
}

TEST(OwnSchemeInScenario, MovesMolecules) {
  const std::vector<std::string> few{"state.equilibration=0", "method.step=0.001"};
  const auto with = [&](const std::string& scheme) {
    std::vector<std::string> all = few;
    all.push_back(scheme);
    Trial trial("water-cluster", all);
    trial.simulation().advance(3);
    return trial.simulation().look().state;
  };
  EXPECT_EQ(with(s6), with("method.scheme=blanes-moan-4"));
}

TEST(OwnSchemeInScenario, ScenarioAsItIsRunIsTheSame) {
  Trial first("lagrange-top", {more_digits});
  Scenario again(parse_document(first.scenario().text(), "again", {}));
  const auto second = build(again);
  second->advance(50);
  EXPECT_EQ(second->look().state, after("lagrange-top", {more_digits}).state);
}

TEST(OwnSchemeInScenario, OrderAndEffectiveErrorAreInTheSummary) {
  Trial trial("lagrange-top", {s6, "method.steps=10"});
  const RunResult result = trial.run();
  const Description& d = trial.simulation().description();
  EXPECT_EQ(trial.scenario().warnings(), std::vector<std::string>{});
  const std::string text = summary_text(d, result, {});
  EXPECT_NE(text.find("splitting (own with exact, compensated)"), std::string::npos) << text;
  EXPECT_NE(
      text.find("scheme            order 4, 6 kicks, effective error 0.5593 (0.5523 with quadratic kinetic "
                "energy)\n"),
      std::string::npos)
      << text;
  const auto json = testing::JsonReader::read(summary_json(d, result, {}));
  EXPECT_EQ(json["scheme"]["order"].number(), 4);
  EXPECT_EQ(json["scheme"]["stages"].number(), 6);
  EXPECT_NEAR(json["scheme"]["effective_error"].number(), 0.5593, 5e-5);
  EXPECT_NEAR(json["scheme"]["effective_error_nystrom"].number(), 0.5523, 5e-5);
  Trial named("lagrange-top", {"method.scheme=blanes-moan-4", "method.steps=10"});
  EXPECT_EQ(summary_text(named.simulation().description(), result, {}).find("scheme"), std::string::npos);
}

TEST(OwnSchemeInScenario, DoubtsAreWarnings) {
  const auto warnings = [](const std::string& scheme) {
    Trial trial("lagrange-top", {"method.scheme=" + scheme});
    return trial.scenario().warnings();
  };
  using Sentences = std::vector<std::string>;
  EXPECT_EQ(warnings("{a=[0.0792036964312,0.353172906049774,-0.0420650803577195],b=[0.209515106613362,"
                     "-0.143851773179818]}"),
            Sentences{});
  EXPECT_EQ(warnings("{a=[0.0792036,0.3531729,-0.0420650],b=[0.2095151,-0.1438517]}"),
            Sentences{"the own scheme misses the conditions of order 4 by 1.6e-08: its coefficients may need "
                      "more digits"});
  // Of order 2, and meant so.
  EXPECT_EQ(warnings("{a=[0.1],b=[0.3]}"), Sentences{});
  // Suzuki's fives of kahan-li-8 have order 10.
  std::vector<double> weights;
  const std::vector<double> half = half_of<double>(scheme("kahan-li-8"));
  for (std::size_t i = 1; i < half.size(); i += 2) weights.push_back(half[i]);
  for (std::size_t i = weights.size() - 1; i-- > 0;) weights.push_back(weights[i]);
  const double outer = 1.0 / (4.0 - std::pow(4.0, 1.0 / 9.0));
  std::string a, b;
  double before = 0.0;
  for (std::size_t i = 0; i < 42; ++i) {
    const double w = (i < 34 ? outer : 1.0 - 4.0 * outer) * weights[i % 17];
    a += (i == 0 ? "" : ",") + shortest((before + w) / 2);
    b += (i == 0 ? "" : ",") + shortest(w);
    before = w;
  }
  EXPECT_EQ(warnings("{a=[" + a + "],b=[" + b + "]}"),
            Sentences{"the order of the own scheme is 8 or higher: beyond that it is not found"});
}

TEST(OwnSchemeInScenario, WrongInputNamesTheKey) {
  const auto complaint = [](const std::string& scheme) -> std::string {
    try {
      const Trial trial("lagrange-top", {"method.scheme=" + scheme});
    } catch (const ScenarioError& e) {
      return e.key() + ": " + e.reason();
    }
    return "";
  };
  EXPECT_EQ(complaint("{}"), "method.scheme.a: is missing");
  EXPECT_EQ(complaint("{a=[0.1]}"), "method.scheme.b: is missing");
  EXPECT_EQ(complaint("{a=[0.1],b=[],c=1}"), "method.scheme.c: there is no such key; known: a, b");
  EXPECT_EQ(complaint("{a=[0.1],b=2}"), "method.scheme.b: must be an array of numbers, not 2");
  EXPECT_EQ(complaint("{a=[0.1,true],b=[]}"),
            "method.scheme.a: entry [1] must be a number, or its digits as a string, not true");
  EXPECT_EQ(complaint("{a=[],b=[]}"), "method.scheme: a scheme needs at least one coefficient a");
  EXPECT_EQ(complaint("{a=[0.1],b=[0.1,0.1]}"),
            "method.scheme: a scheme has as many coefficients a as b, or one more, not 1 and 2: the last of "
            "each is "
            "left out");
  EXPECT_EQ(complaint("{a=[inf],b=[]}"),
            "method.scheme: a[0] must be a finite number, or a text of digits without an "
            "exponent, not "
            "'inf'");
  EXPECT_EQ(complaint("{a=[20],b=[]}"), "method.scheme: a[0] must be at most 10 in size, not '20'");
  EXPECT_EQ(complaint("{a=[3,4],b=[0.1]}"),
            "method.scheme: the coefficients a leave -13.000000 for the last one, which must be at most 10 "
            "in size");
}

}  // namespace
}  // namespace polhode::program
