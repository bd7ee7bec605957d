// Schemes of one's own: the same bits as those of a name, and what is refused.
#include "polhode/splitting/own_scheme.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/torque/uniform_field.hpp"

namespace polhode {

using namespace core;
namespace {

/// The two lists of a scheme, without the last of each.
std::pair<std::vector<Decimal>, std::vector<Decimal>> lists(const Scheme& scheme) {
  std::vector<Decimal> a, b;
  if (scheme.first == Part::kick) a.emplace_back(0);
  bool kick = scheme.first == Part::kick;
  for (const std::string_view text : scheme.coefficients) {
    if (!text.empty()) (kick ? b : a).emplace_back(text);
    kick = !kick;
  }
  return {a, b};
}

template <class Rotor>
State<DoubleDouble> moved(Rotor rotor) {
  rotor.advance(0.1, 100);
  return rotor.wide_state();
}

auto top(const Scheme& scheme) {
  return driven(Body({1.0, 1.5, 0.5}), {.momentum = {0.2, 0.1, 5.0}}, UniformField({0.3, 0.0, 1.0}), scheme);
}

TEST(OwnScheme, HasTheBitsOfTheSchemeOfTheSameCoefficients) {
  int compared = 0;
  for (const Scheme& named : schemes) {
    if (named.of_strang_steps && named.name != "strang") continue;
    const auto [a, b] = lists(named);
    const OwnScheme own(a, b);
    EXPECT_EQ(moved(top(own)), moved(top(named))) << named.name;
    EXPECT_EQ(own->order, named.order) << named.name;
    EXPECT_EQ(own->stages(), named.stages()) << named.name;
    EXPECT_EQ(own->first, named.first) << named.name;
    ++compared;
  }
  EXPECT_EQ(compared, 12);
}

TEST(OwnScheme, NumbersAreTheDecimalsThatWereWritten) {
  const auto own = scheme({0.0378593198406116, 0.102635633102435, -0.0258678882665587, 0.314241403071477,
                           -0.130144459517415, 0.106417700369543, -0.00879424312851058},
                          {0.09171915262446165, 0.183983170005006, -0.05653436583288827, 0.004914688774712854,
                           0.143761127168358, 0.328567693746804});
  EXPECT_TRUE(own->nystrom);
  EXPECT_EQ(moved(top(own)), moved(top(scheme("rkn6-14"))));
  const std::vector<double> a{0.0, 0.245298957184271, 0.604872665711080};
  const std::array b{0.0829844064174052, 0.396309801498368, -0.0390563049223486};
  EXPECT_EQ(moved(top(scheme(a, b))), moved(top(scheme("rkn4-6"))));
}

TEST(OwnScheme, OutlivesWhatItWasMadeFrom) {
  // The scheme is gone when the rotor makes its stages.
  const auto expected = moved(top(scheme("blanes-moan-4")));
  const auto [a, b] = lists(scheme("blanes-moan-4"));
  auto rotor = top(OwnScheme(a, b));
  EXPECT_EQ(moved(rotor), expected);
  OwnScheme copy = scheme("strang");
  {
    const OwnScheme gone(a, b);
    copy = gone;
  }
  EXPECT_EQ(moved(top(copy)), expected);
}

std::string complaint(const std::vector<Decimal>& a, const std::vector<Decimal>& b) {
  try {
    OwnScheme(a, b);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(OwnScheme, WrongInputIsOneSentence) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(complaint({}, {}), "a scheme needs at least one coefficient a");
  EXPECT_EQ(
      complaint({0.1, 0.2, 0.3}, {0.4}),
      "a scheme has as many coefficients a as b, or one more, not 3 and 1: the last of each is left out");
  EXPECT_EQ(
      complaint({0.1}, {0.4, 0.1}),
      "a scheme has as many coefficients a as b, or one more, not 1 and 2: the last of each is left out");
  const std::string finite = " must be a finite number, or a text of digits without an exponent, not ";
  EXPECT_EQ(complaint({0.1, infinite}, {0.4}), "a[1]" + finite + "'inf'");
  EXPECT_EQ(complaint({0.1}, {std::nan("")}), "b[0]" + finite + "'nan'");
  EXPECT_EQ(complaint({"0.1e-3"}, {}), "a[0]" + finite + "'0.1e-3'");
  for (const char* text : {"", "-", ".", "1.2.3", "0,5", "--1", " 1"})
    EXPECT_EQ(complaint({text}, {}), "a[0]" + finite + "'" + text + "'");
  EXPECT_EQ(complaint({0.1}, {-10.5}), "b[0] must be at most 10 in size, not '-10.5'");
  EXPECT_EQ(complaint({1e300}, {}).substr(0, 40), "a[0] must be at most 10 in size, not '10");
  EXPECT_EQ(complaint({std::string(61, '0')}, {}), "a[0] must have at most 60 digits, not 61");
  EXPECT_EQ(complaint({3, 4}, {0.1}),
            "the coefficients a leave -13.000000 for the last one, which must be at most 10 in size");
  EXPECT_EQ(complaint({0, 4}, {7, 0.1}),
            "the coefficients b leave -13.200000 for the last one, which must be at most 10 in size");
}

TEST(OwnScheme, AllowsWhatIsUnusual) {
  EXPECT_EQ(complaint({"+.5"}, {}), "");
  EXPECT_EQ(complaint({1e-320}, {}), "");  // as good as zero: the kick is first
  EXPECT_EQ(OwnScheme({1e-320}, {})->first, Part::kick);
  EXPECT_EQ(complaint({1e-30}, {}), "");
  EXPECT_EQ(OwnScheme({1e-30}, {})->first, Part::free);
  // Yoshida's solution B of order 6.
  const std::vector<double> w{1.43984816797678, 0.00426068187079180, -2.13228522200144};
  const OwnScheme b({w[0] / 2, (w[0] + w[1]) / 2, (w[1] + w[2]) / 2}, {w[0], w[1], w[2]});
  EXPECT_EQ(b->order, 6);
}

}  // namespace
}  // namespace polhode
