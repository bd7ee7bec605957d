// An attitude ephemeris message (AEM) of the CCSDS, version 1.0: attitudes with the dates and the names of frames that belong to them.
//
// The quaternion of the standard, cos(phi/2) and sin(phi/2) times an axis, is the rotation of the axes of one frame to those of
// another. From the reference frame A to the frame B of the body (A2B) it is the attitude of this library, with the signs
// of Hamilton: the rotation that turns coordinates in the body into coordinates in space.
#pragma once

#include <string>
#include <vector>

#include "core.hpp"
#include "polhode/arithmetic/quaternion.hpp"
#include "tables/moment.hpp"

namespace polhode::program {

/// What a message says beside the attitudes; the defaults are what a run is written with.
struct AttitudeLabels {
  std::string originator = "POLHODE";
  std::string object_name = "BODY";
  std::string object_id = "UNKNOWN";
  std::string space_frame = "EME2000";   ///< REF_FRAME_A
  std::string body_frame = "SC_BODY_1";  ///< REF_FRAME_B
  std::string time_system = "TDB";
  Moment epoch{};  ///< of the time zero, in whole seconds: 2000-01-01T12:00:00
};

struct AttitudeMessage {
  AttitudeLabels labels;
  std::vector<double> times;                  ///< in seconds from the epoch
  std::vector<Quaternion<double>> attitudes;  ///< from body to space, scalar first, as they are in the file
};

/// The text up to the first attitude, which is at the time `start`. The time of the end is written as `stop`, filled up with
/// blanks; stop_place is where it is. Throws RunError for times that have no date.
struct AttitudeHead {
  std::string text;
  std::size_t stop_place;
};
AttitudeHead attitude_message_head(const AttitudeLabels& labels, const std::vector<std::string>& comments,
                                   double start);
/// How long the time of the end is, with blanks.
inline constexpr std::size_t attitude_stop_width = 96;

/// A date, and a line of an attitude. Throws RunError for times that have no date.
std::string attitude_date(const AttitudeLabels& labels, double time);
std::string attitude_line(const AttitudeLabels& labels, double time, const Quaternion<double>& attitude);
/// What stands after the last line.
inline constexpr const char* attitude_message_end = "DATA_STOP\n";

/// All of it, for Python and others that have the rows at hand.
std::string attitude_message_text(const AttitudeMessage& message,
                                  const std::vector<std::string>& comments = {});

/// Reads a message of quaternions, in any order of their components and in both directions. Several segments are read as one,
/// if their frames are the same. The times count from `epoch`. Throws ScenarioError, which names the file and the line.
AttitudeMessage read_attitude_message(const std::string& file, const Moment& epoch = {});

}  // namespace polhode::program
