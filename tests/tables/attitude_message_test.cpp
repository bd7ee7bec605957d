#include "tables/attitude_message.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "polhode/arithmetic/vector.hpp"
#include "scenario/error.hpp"
#include "tests/output/temporary_folder.hpp"

namespace polhode::program {

using namespace core;
namespace {

using polhode::testing::TemporaryFolder;

TEST(AttitudeMessage, ComesBackToTheBit) {
  const TemporaryFolder folder;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  AttitudeMessage message;
  message.labels.object_name = "SOME BODY";
  message.labels.epoch = moment_of("2031-02-03T04:05:06").value();
  for (int i = -500; i < 500; ++i) {
    message.times.push_back(0.1 * i + 1e-9 * normal(random));
    message.attitudes.push_back(
        normalized(Quaternion<double>(normal(random), normal(random), normal(random), normal(random))));
  }
  const std::string text = attitude_message_text(message, {"first", std::string(500, 'x') + "\t\xc3\xa4"});
  const AttitudeMessage back = read_attitude_message(folder.write("a.aem", text), message.labels.epoch);
  EXPECT_EQ(back.times, message.times);
  EXPECT_TRUE(back.attitudes == message.attitudes);
  EXPECT_EQ(back.labels.object_name, "SOME BODY");
  EXPECT_EQ(back.labels.space_frame, "EME2000");
  EXPECT_EQ(back.labels.body_frame, "SC_BODY_1");
  EXPECT_EQ(back.labels.time_system, "TDB");
  EXPECT_EQ(back.labels.originator, "POLHODE");
  EXPECT_NE(text.find("\nSTOP_TIME = 2031-02-03T04:05:55.9"), std::string::npos) << text.substr(0, 1500);
  // What the standard asks of lines.
  std::size_t longest = 0, length = 0;
  for (const char c : text) {
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
    length = c == '\n' ? 0 : length + 1;
    longest = std::max(longest, length);
  }
  EXPECT_LE(longest, 254u);
}

/// A message in the shape of the standard, written by hand: a body that has turned by 90 degrees about axis 3.
std::string by_hand(const std::string& frames, const std::string& direction, const std::string& type,
                    const std::string& quaternion) {
  return "CCSDS_AEM_VERS = 1.0\n"
         "COMMENT by hand\n"
         "CREATION_DATE  = 2025-310T17:22:31\n"
         "ORIGINATOR     = NOBODY\n\n"
         "META_START\n"
         "COMMENT  = 5 is not a value here\n"
         "OBJECT_NAME          = BOX\n"
         "OBJECT_ID            = 2025-001A\n"
         "CENTER_NAME          = EARTH\n" +
         frames + "ATTITUDE_DIR         = " + direction +
         "\n"
         "TIME_SYSTEM          = TAI\n"
         "START_TIME           = 2025-11-06T00:00:00\n"
         "USEABLE_START_TIME   = 2025-11-06T00:00:00.5\n"
         "STOP_TIME            = 2025-11-06T00:00:02.25\n"
         "ATTITUDE_TYPE        = QUATERNION\n"
         "QUATERNION_TYPE      = " +
         type +
         "\n"
         "INTERPOLATION_METHOD = LINEAR\n"
         "INTERPOLATION_DEGREE = 1\n"
         "META_STOP\n\n"
         "DATA_START\n" +
         "2025-11-06T00:00:00 " + quaternion + "\n" + "2025-310T00:00:02.25   " + quaternion + "\n" +
         "DATA_STOP\n";
}

TEST(AttitudeMessage, HasTheDirectionsOfTheStandard) {
  const TemporaryFolder folder;
  const std::string usual = "REF_FRAME_A = EME2000\nREF_FRAME_B = SC_BODY_1\n",
                    other = "REF_FRAME_A = SC_BODY_1\nREF_FRAME_B = ICRF\n";
  // The axis 1 of the body is the axis 2 of space: the axes of space turn by +90 degrees to become those of the body.
  const std::string first = "0.70710678 0 0 0.70710678", last = "0.0 0.0 0.70710678 0.70710678";
  const std::string first_back = "0.70710678 0 0 -0.70710678", last_back = "0 0 -0.70710678 0.70710678";
  for (const std::string& text :
       {by_hand(usual, "A2B", "FIRST", first), by_hand(usual, "A2B", "LAST", last),
        by_hand(usual, "B2A", "FIRST", first_back), by_hand(usual, "B2A", "LAST", last_back),
        by_hand(other, "A2B", "FIRST", first_back), by_hand(other, "A2B", "LAST", last_back),
        by_hand(other, "B2A", "FIRST", first), by_hand(other, "B2A", "LAST", last)}) {
    const AttitudeMessage message =
        read_attitude_message(folder.write("a.aem", text), moment_of("2025-11-05T23:59:59").value());
    EXPECT_EQ(message.times, (std::vector<double>{1, 3.25}));
    EXPECT_EQ(message.labels.body_frame, "SC_BODY_1");
    EXPECT_EQ(message.labels.time_system, "TAI");
    EXPECT_EQ(message.labels.object_id, "2025-001A");
    for (const auto& q : message.attitudes) {
      const Vector<double> axis = rotate(q, Vector<double>(1, 0, 0));
      EXPECT_NEAR(axis[0], 0, 1e-12) << text;
      EXPECT_NEAR(axis[1], 1, 1e-7) << text;
    }
  }
}

TEST(AttitudeMessage, NamesTheLine) {
  const TemporaryFolder folder;
  const std::string file = folder / "a.aem";
  const std::string frames = "REF_FRAME_A = EME2000\nREF_FRAME_B = SC_BODY_1\n";
  const std::string good = by_hand(frames, "A2B", "FIRST", "1 0 0 0");
  const auto complaint = [&](const std::string& from, const std::string& to) -> std::string {
    std::string text = good;
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    folder.write("a.aem", text.replace(place, from.size(), to));
    try {
      read_attitude_message(file);
    } catch (const ScenarioError& e) {
      const std::string what = e.what();
      EXPECT_TRUE(what.starts_with(file + ": ")) << what;
      return what.substr(file.size() + 2);
    }
    return "none";
  };
  EXPECT_EQ(complaint("1 0 0 0", "1 0 0 0"), "none");
  EXPECT_EQ(complaint("CCSDS_AEM_VERS = 1.0\n", ""),
            "line 2: an attitude message begins with CCSDS_AEM_VERS");
  EXPECT_EQ(complaint("VERS = 1.0", "VERS = 3.0"), "line 1: the version \"3.0\" is not known");
  EXPECT_EQ(complaint("1 0 0 0", "1 0 0"), "line 25: an attitude is a date and four numbers, not 4 words");
  EXPECT_EQ(complaint("1 0 0 0", "1 0 nan 0"), "line 25: \"nan\" is not a finite number");
  EXPECT_EQ(complaint("1 0 0 0", "1 0 o 0"), "line 25: \"o\" is not a finite number");
  EXPECT_EQ(complaint("1 0 0 0", "1 0 1 0"), "line 25: the norm of the quaternion is 1.41, not 1");
  EXPECT_EQ(complaint("2025-11-06T00:00:00 1", "2025-11-31T00:00:00 1"),
            "line 25: \"2025-11-31T00:00:00\" is not a date of the form YYYY-MM-DDThh:mm:ss");
  EXPECT_EQ(complaint("2025-310T00:00:02.25", "2025-310T00:00:00"),
            "line 26: the times must increase, and 2025-310T00:00:00 is not after the one before");
  EXPECT_EQ(complaint("QUATERNION\n", "EULER_ANGLE\n"),
            "line 22: ATTITUDE_TYPE must be QUATERNION, not \"EULER_ANGLE\"");
  EXPECT_EQ(complaint("ATTITUDE_DIR         = A2B\n", ""), "line 21: the metadata has no ATTITUDE_DIR");
  EXPECT_EQ(complaint("= A2B", "= AB"), "line 22: ATTITUDE_DIR must be A2B or B2A, not \"AB\"");
  EXPECT_EQ(complaint("OBJECT_ID ", "OBJECT_NAME "), "line 9: OBJECT_NAME is given twice");
  EXPECT_EQ(complaint("META_STOP\n", ""), "line 23: DATA_START without a block of metadata before it");
  EXPECT_EQ(complaint("DATA_STOP\n", ""), "line 26: the file ends before DATA_STOP");
  EXPECT_THROW(read_attitude_message(folder / "none.aem"), ScenarioError);
}

}  // namespace
}  // namespace polhode::program
