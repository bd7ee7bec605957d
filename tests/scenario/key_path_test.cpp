#include "scenario/key_path.hpp"

#include <gtest/gtest.h>

#include "input/toml.hpp"

namespace polhode::program {
namespace {

TEST(KeyPath, FindsAndSetsEntries) {
  Document d = parse_document("a = {b = [1, [2, 3], {c = 4}]}", "x", {});
  const auto at = [&](const char* key) { return KeyPath::parsed(key)->find(d.root); };
  EXPECT_EQ(std::get<std::int64_t>(at("a.b[0]")->content), 1);
  EXPECT_EQ(std::get<std::int64_t>(at("a.b[1][1]")->content), 3);
  EXPECT_EQ(std::get<std::int64_t>(at("a.b[2].c")->content), 4);
  EXPECT_EQ(at("a.b[3]"), nullptr);
  EXPECT_EQ(at("a.c"), nullptr);
  EXPECT_EQ(at("a.b.c"), nullptr);
  EXPECT_TRUE(KeyPath::parsed("a.b[1][0]")->set(d.root, {5.0}));
  EXPECT_EQ(std::get<double>(at("a.b[1][0]")->content), 5.0);
  EXPECT_TRUE(KeyPath::parsed("a.new")->set(d.root, {6.0}));
  EXPECT_FALSE(KeyPath::parsed("a.b[7]")->set(d.root, {6.0}));
  for (const char* wrong :
       {"", ".", "a.", ".a", "a..b", "[0]", "a[", "a[x]", "a[1x]", "a[-1]", "a[0]b", "a b", "a\"b"})
    EXPECT_FALSE(KeyPath::parsed(wrong)) << wrong;
  EXPECT_TRUE(KeyPath::parsed("a.b")->overlaps(*KeyPath::parsed("a.b[0]")));
  EXPECT_FALSE(KeyPath::parsed("a.b[1]")->overlaps(*KeyPath::parsed("a.b[0]")));
  EXPECT_FALSE(KeyPath::parsed("a.b")->overlaps(*KeyPath::parsed("a.bc")));
  std::string deep = "a";
  for (int i = 1; i < KeyPath::most_parts; ++i) deep += ".a";
  EXPECT_TRUE(KeyPath::parsed(deep));
  EXPECT_FALSE(KeyPath::parsed(deep + "[0]"));
}

}  // namespace
}  // namespace polhode::program
