#include "tables/attitude_message.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "polhode/version.hpp"
#include "scenario/error.hpp"
#include "tables/lines.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// The standard has lines of at most 254 printable characters of ASCII: longer comments are continued.
void append_comment(std::string& text, std::string_view comment) {
  constexpr std::size_t longest = 240;
  do {
    text += "COMMENT ";
    for (const char c : comment.substr(0, longest)) text += c >= ' ' && c <= '~' ? c : '?';
    text += '\n';
    comment.remove_prefix(std::min(longest, comment.size()));
  } while (!comment.empty());
}

/// Frames that are fixed in a body, by the names of the standard.
bool is_body_frame(std::string_view name) {
  constexpr std::array<std::string_view, 9> beginnings{
      "SC_BODY", "ACTUATOR", "INSTRUMENT", "STARTRACKER", "SENSOR", "GYRO", "CSS", "DSS", "TAM"};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](auto beginning) { return name.starts_with(beginning); });
}

class MessageReader {
 public:
  MessageReader(const std::string& file, const Moment& epoch) : file_(file) { message_.labels.epoch = epoch; }

  AttitudeMessage read() {
    const std::string whole = read_text(file_);
    std::string_view text = whole, line;
    while (next_line(text, line)) {
      ++number_;
      line = trimmed(line);
      if (line.empty() || line == "COMMENT" || line.starts_with("COMMENT ")) continue;
      read_line(line);
    }
    if (version_.empty()) refuse("the file ends before CCSDS_AEM_VERS");
    if (place_ == Place::metadata) refuse("the file ends before META_STOP");
    if (place_ == Place::data) refuse("the file ends before DATA_STOP");
    if (message_.times.empty()) refuse("the message has no attitudes");
    return std::move(message_);
  }

 private:
  enum class Place { head, metadata, between, data };

  [[noreturn]] void refuse(const std::string& reason) const {
    throw ScenarioError(file_, filled("line {}", number_), reason);
  }

  void read_line(std::string_view line) {
    if (version_.empty() && !line.starts_with("CCSDS_AEM_VERS"))
      refuse("an attitude message begins with CCSDS_AEM_VERS");
    if (line == "META_START") {
      if (place_ == Place::metadata || place_ == Place::data) refuse("META_START where a block is not over");
      place_ = Place::metadata;
      values_.clear();
    } else if (line == "META_STOP") {
      if (place_ != Place::metadata) refuse("META_STOP without META_START");
      place_ = Place::between;
      take_metadata();
    } else if (line == "DATA_START") {
      if (place_ != Place::between) refuse("DATA_START without a block of metadata before it");
      place_ = Place::data;
    } else if (line == "DATA_STOP") {
      if (place_ != Place::data) refuse("DATA_STOP without DATA_START");
      place_ = Place::head;
    } else if (place_ == Place::data ||
               (place_ == Place::between && line.find('=') == std::string_view::npos)) {
      read_attitude(line);
    } else {
      read_value(line);
    }
  }

  void read_value(std::string_view line) {
    const std::size_t sign = line.find('=');
    if (sign == std::string_view::npos)
      refuse(filled("{} is not of the form KEYWORD = value", in_quotes(short_of(line))));
    const std::string key(trimmed(line.substr(0, sign))), value(trimmed(line.substr(sign + 1)));
    if (key == "CCSDS_AEM_VERS") {
      if (value != "1.0" && value != "2.0")
        refuse(filled("the version {} is not known", in_quotes(short_of(value))));
      version_ = value;
    } else if (key == "ORIGINATOR") {
      message_.labels.originator = value;
    } else if (place_ == Place::metadata && !values_.emplace(key, value).second) {
      refuse(filled("{} is given twice", short_of(key)));
    }
  }

  std::string needed(const char* key) const {
    const auto found = values_.find(key);
    if (found == values_.end()) refuse(filled("the metadata has no {}", key));
    return found->second;
  }
  /// Version 2.0 has no choice here.
  std::string chosen(const char* key, const char* first, const char* second, const char* of_version_2) const {
    const auto found = values_.find(key);
    if (found == values_.end() && version_ == "2.0") return of_version_2;
    const std::string value = needed(key);
    if (value != first && value != second)
      refuse(filled("{} must be {} or {}, not {}", key, first, second, in_quotes(short_of(value))));
    return value;
  }

  void take_metadata() {
    const std::string type = needed("ATTITUDE_TYPE");
    if (type != "QUATERNION")
      refuse(filled("ATTITUDE_TYPE must be QUATERNION, not {}", in_quotes(short_of(type))));
    scalar_first_ = chosen("QUATERNION_TYPE", "FIRST", "LAST", "LAST") == "FIRST";
    const bool forward = chosen("ATTITUDE_DIR", "A2B", "B2A", "A2B") == "A2B";
    std::string a = needed("REF_FRAME_A"), b = needed("REF_FRAME_B");
    const bool body_is_a = is_body_frame(a) && !is_body_frame(b);
    if (body_is_a) std::swap(a, b);
    conjugated_ = forward == body_is_a;
    for (const char* key : {"START_TIME", "STOP_TIME"}) moment(needed(key));
    AttitudeLabels labels = message_.labels;
    labels.object_name = needed("OBJECT_NAME");
    labels.object_id = needed("OBJECT_ID");
    labels.space_frame = a;
    labels.body_frame = b;
    labels.time_system = needed("TIME_SYSTEM");
    if (segments_++ > 0) {
      for (const auto part : {&AttitudeLabels::object_name, &AttitudeLabels::space_frame,
                              &AttitudeLabels::body_frame, &AttitudeLabels::time_system})
        if (labels.*part != message_.labels.*part)
          refuse(filled("the segments of the message are not of one object and one pair of frames: {} and {}",
                        short_of(message_.labels.*part), short_of(labels.*part)));
    }
    message_.labels = labels;
  }

  Moment moment(std::string_view text) const {
    const auto found = moment_of(text);
    if (!found) refuse(filled("{} is not a date of the form YYYY-MM-DDThh:mm:ss", in_quotes(short_of(text))));
    return *found;
  }

  void read_attitude(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() != 5)
      refuse(filled("an attitude is a date and four numbers, not {} words", words.size()));
    const double time = time_between(message_.labels.epoch, moment(words[0]));
    Quaternion<double> q;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto value = number_of(words[i + 1]);
      if (!value || !std::isfinite(*value))
        refuse(filled("{} is not a finite number", in_quotes(short_of(words[i + 1]))));
      q[scalar_first_ ? i : (i + 1) % 4] = *value;
    }
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (std::abs(size - 1) > 0.01)
      refuse(filled("the norm of the quaternion is {}, not 1", rounded("%.3g", size)));
    if (!message_.times.empty() && !(message_.times.back() < time)) {
      // The last attitude of a segment may be the first of the next.
      if (message_.times.back() == time && place_starts_segment()) return;
      refuse(filled("the times must increase, and {} is not after the one before", words[0]));
    }
    last_segment_ = segments_;
    message_.times.push_back(time);
    message_.attitudes.push_back(conjugated_ ? conjugate(q) : q);
  }
  bool place_starts_segment() const { return last_segment_ != segments_; }

  static std::string short_of(std::string_view text) { return one_line(text.substr(0, 40)); }

  std::string file_;
  AttitudeMessage message_;
  Place place_ = Place::head;
  std::int64_t number_ = 0;
  std::string version_;
  std::map<std::string, std::string> values_;
  bool scalar_first_ = true, conjugated_ = false;
  int segments_ = 0, last_segment_ = 0;
};

}  // namespace

std::string attitude_date(const AttitudeLabels& labels, double time) {
  const auto text = moment_text(moment_after(labels.epoch, time));
  if (!text || text->size() > attitude_stop_width)
    throw RunError(filled("the time {} has no date in an attitude message", time));
  return *text;
}

AttitudeHead attitude_message_head(const AttitudeLabels& labels, const std::vector<std::string>& comments,
                                   double start) {
  std::string text = "CCSDS_AEM_VERS = 1.0\n";
  append_comment(text, filled("polhode {}", polhode::version));
  for (const std::string& comment : comments) append_comment(text, comment);
  text += filled("CREATION_DATE = {}\nORIGINATOR = {}\n\n", *moment_text(moment_now()), labels.originator);
  text += "META_START\n";
  append_comment(text, filled("The quaternion turns the axes of {} into those of {}, and coordinates in {} "
                              "into coordinates in {}.",
                              labels.space_frame, labels.body_frame, labels.body_frame, labels.space_frame));
  append_comment(text, filled("A unit of time of the run is a second; its time zero is {}.",
                              attitude_date(labels, 0.0)));
  text += filled("OBJECT_NAME = {}\nOBJECT_ID = {}\nREF_FRAME_A = {}\nREF_FRAME_B = {}\nATTITUDE_DIR = A2B\n",
                 labels.object_name, labels.object_id, labels.space_frame, labels.body_frame);
  const std::string date = attitude_date(labels, start);
  text += filled("TIME_SYSTEM = {}\nSTART_TIME = {}\nSTOP_TIME = ", labels.time_system, date);
  const std::size_t place = text.size();
  text += left(date, attitude_stop_width) +
          "\nATTITUDE_TYPE = QUATERNION\nQUATERNION_TYPE = FIRST\nMETA_STOP\n\nDATA_START\n";
  return {text, place};
}

std::string attitude_line(const AttitudeLabels& labels, double time, const Quaternion<double>& attitude) {
  std::string line = attitude_date(labels, time);
  for (const double x : attitude.c) line += ' ' + number(x);
  return line + '\n';
}

std::string attitude_message_text(const AttitudeMessage& message, const std::vector<std::string>& comments) {
  if (message.times.size() != message.attitudes.size() || message.times.empty())
    throw InputError(filled("an attitude message of {} times has {} attitudes", message.times.size(),
                            message.attitudes.size()));
  auto [text, place] = attitude_message_head(message.labels, comments, message.times.front());
  const std::string stop = attitude_date(message.labels, message.times.back());
  text.replace(place, attitude_stop_width, stop);
  for (std::size_t i = 0; i < message.times.size(); ++i)
    text += attitude_line(message.labels, message.times[i], message.attitudes[i]);
  return text + attitude_message_end;
}

AttitudeMessage read_attitude_message(const std::string& file, const Moment& epoch) {
  return MessageReader(file, epoch).read();
}

}  // namespace polhode::program
