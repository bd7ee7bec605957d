#include "output/attitude_output.hpp"

#include <optional>
#include <sstream>

#include "output/text_file.hpp"
#include "scenario/error.hpp"
#include "tables/attitude_message.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// Where a quantity of this name and size begins in a row.
std::optional<std::size_t> place_in_row(const Description& description, const char* name, std::size_t size) {
  std::size_t place = 0;
  for (const Quantity& q : recorded_quantities(description)) {
    if (q.name == name && q.size == size) return place;
    place += q.size;
  }
  return {};
}

std::size_t attitude_in_row(const PartialFile& file, const Provenance& provenance) {
  const auto place = place_in_row(provenance.description, "attitude", 4);
  if (!place)
    throw ScenarioError(
        file.name(), "--output",
        filled("this format is for the attitude of a rigid body, and the system {} has none: use "
               ".csv or .h5",
               provenance.description.system));
  return *place;
}

Quaternion<double> attitude_at(std::span<const double> row, std::size_t place) {
  return {row[place], row[place + 1], row[place + 2], row[place + 3]};
}

class AttitudeMessageOutput final : public Output {
 public:
  AttitudeMessageOutput(std::unique_ptr<PartialFile> file, const Provenance& provenance, std::size_t place)
      : file_(std::move(file)), place_(place) {
    labels_.object_name = provenance.description.system;
    std::istringstream lines(provenance.scenario);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) comments_.push_back(line);
  }

  void record(std::span<const double> row) override {
    if (!head_) begin(row[0]);
    last_ = row[0];
    file_.write(attitude_line(labels_, row[0], attitude_at(row, place_)));
  }

  void finish(Ending, std::int64_t) override {
    if (!head_) begin(0.0);
    file_.write(attitude_message_end);
    file_.replace(head_->stop_place, attitude_date(labels_, last_));
    file_.finish();
  }

 private:
  void begin(double time) {
    head_ = attitude_message_head(labels_, comments_, time);
    last_ = time;
    file_.write(head_->text);
  }

  TextFile file_;
  std::size_t place_;
  AttitudeLabels labels_;
  std::vector<std::string> comments_;
  std::optional<AttitudeHead> head_;
  double last_ = 0.0;
};

class MsopckOutput final : public Output {
 public:
  MsopckOutput(std::unique_ptr<PartialFile> file, const Provenance& provenance, std::size_t place)
      : file_(std::move(file)),
        place_(place),
        rate_(place_in_row(provenance.description, "angular_velocity", 3)) {}

  void record(std::span<const double> row) override {
    std::string line = number(row[0]);
    const Quaternion<double> q = conjugate(attitude_at(row, place_));
    for (const double x : q.c) line += ' ' + number(x + 0.0);  // 0, not -0
    for (std::size_t i = 0; rate_ && i < 3; ++i) line += ' ' + number(row[*rate_ + i]);
    file_.write(line + '\n');
  }

  /// The format has no place for how the run ended: a run that was cut short has fewer rows.
  void finish(Ending, std::int64_t) override { file_.finish(); }

 private:
  TextFile file_;
  std::size_t place_;
  std::optional<std::size_t> rate_;
};

}  // namespace

std::unique_ptr<Output> open_attitude_message(std::unique_ptr<PartialFile> file,
                                              const Provenance& provenance) {
  const std::size_t place = attitude_in_row(*file, provenance);
  if (file->is_special())
    throw ScenarioError(
        file->name(), "--output",
        "an attitude message begins with the time of its end: it cannot be written to a device or a pipe");
  if (provenance.description.step < 0)
    throw ScenarioError(file->name(), "--output",
                        "the times of an attitude message must increase: the step is negative");
  return std::make_unique<AttitudeMessageOutput>(std::move(file), provenance, place);
}

std::unique_ptr<Output> open_msopck(std::unique_ptr<PartialFile> file, const Provenance& provenance) {
  const std::size_t place = attitude_in_row(*file, provenance);
  return std::make_unique<MsopckOutput>(std::move(file), provenance, place);
}

}  // namespace polhode::program
