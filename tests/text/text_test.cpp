#include "text/text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "tests/text/json_reader.hpp"
#include "text/json.hpp"

namespace polhode::program {

using namespace core;
namespace {

using polhode::testing::JsonReader;

TEST(Text, NumbersReadBackToTheSameDouble) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::bit_cast<double>(random());
    if (!std::isfinite(x)) continue;
    EXPECT_EQ(std::strtod(shortest(x).c_str(), nullptr), x);
    EXPECT_EQ(JsonReader::read(Json(x).text()).number(), x);
  }
  EXPECT_EQ(shortest(10000.0), "10000.0");
  EXPECT_EQ(shortest(-0.0), "-0.0");
  EXPECT_EQ(shortest(0.01), "0.01");
}

TEST(Text, JsonHasNoNumberThatIsNone) {
  EXPECT_EQ(Json(std::nan("")).text(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).text(), "null");
}

TEST(Text, JsonEscapesWhatItMust) {
  const std::string nasty("a\"b\\c\nd\te\x01\x7f", 11);
  EXPECT_EQ(JsonReader::read(Json(nasty).text()).string(), nasty);
  EXPECT_EQ(Json::object({{"a", 1}, {"b", Json::array({true, "x"})}}).text(),
            R"({"a": 1, "b": [true, "x"]})");
}

TEST(Text, MessagesStayOnOneLine) { EXPECT_EQ(one_line("a\nb\rc"), "a\\nb\\x0dc"); }

TEST(Text, BytesThatAreNotTextAreMadeVisible) {
  EXPECT_EQ(one_line("\u00e9 \u6f22 \U0001f600"), "\u00e9 \u6f22 \U0001f600");
  EXPECT_EQ(one_line("a\xff"), "a\\xff");
  EXPECT_EQ(one_line("\xc3"), "\\xc3");                             // cut
  EXPECT_EQ(one_line("\xc0\xaf"), "\\xc0\\xaf");                    // longer than needed
  EXPECT_EQ(one_line("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last character
  EXPECT_EQ(one_line("\xc2\x9b"), "\\xc2\\x9b");                    // a control character of terminals
}

TEST(Text, LongTextsAreCutInTheMiddle) {
  EXPECT_EQ(shortened("0123456789", 10), "0123456789");
  EXPECT_EQ(shortened("0123456789a", 11), "0123456789a");
  EXPECT_EQ(shortened("0123456789abcdef", 11), "0123 ... ef");
  const std::string accents = shortened("\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", 16);
  EXPECT_EQ(one_line(accents), accents);  // no character is cut in two
  EXPECT_LE(accents.size(), 16U);
}

TEST(Text, SuggestsTheNearestName) {
  const std::vector<std::string> names{"exact", "dmv10", "rk4"};
  EXPECT_EQ(suggestion("dvm10", names), "; did you mean \"dmv10\"?");
  EXPECT_EQ(suggestion("Exact", names), "; did you mean \"exact\"?");
  EXPECT_EQ(suggestion("verlet", names), "; known: exact, dmv10, rk4");
  EXPECT_EQ(suggestion("x", {}), "; known: none");
  EXPECT_EQ(suggestion(std::string(1000000, 'x'), names), "; known: exact, dmv10, rk4");
}

}  // namespace
}  // namespace polhode::program
