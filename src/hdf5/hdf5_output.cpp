// Output as HDF5: one dataset for each quantity, extended as the run goes on, and attributes that say what was run.
#include <array>
#include <utility>

#include "hdf5/hdf5_file.hpp"
#include "hdf5/hdf5_output.hpp"
#include "polhode/version.hpp"

namespace polhode::program {

namespace {

constexpr hsize_t rows_per_block = 1024;

struct Series {
  Quantity quantity;
  Hdf5Handle dataset;
  std::vector<double> block;

  std::vector<hsize_t> extents(hsize_t rows) const {
    return quantity.size == 1 ? std::vector<hsize_t>{rows} : std::vector<hsize_t>{rows, quantity.size};
  }
};

class Hdf5Output final : public Output {
 public:
  Hdf5Output(std::unique_ptr<PartialFile> file, const Provenance& p)
      : file_(std::move(file)), description_(p.description) {
    file_.text_attribute(file_.id(), "polhode_version", std::string(polhode::version));
    file_.text_attribute(file_.id(), "scenario", p.scenario);
    file_.text_attribute(file_.id(), "system", p.description.system);
    file_.text_attribute(file_.id(), "method", p.description.method);
    file_.number_attribute(file_.id(), "step", p.description.step);
    file_.integer_attribute(file_.id(), "steps", p.steps);
    file_.integer_attribute(file_.id(), "every", p.every);
    file_.integer_attribute(file_.id(), "compensated", p.description.compensated ? 1 : 0);
    for (const Quantity& q : recorded_quantities(p.description)) {
      Series series{q, {}, {}};
      series.dataset = file_.dataset(q.name, series.extents(0), q.meaning, rows_per_block);
      series_.push_back(std::move(series));
    }
  }

  void record(std::span<const double> row) override {
    std::size_t first = 0;
    for (Series& s : series_) {
      const auto part = row.subspan(first, s.quantity.size);
      s.block.insert(s.block.end(), part.begin(), part.end());
      first += s.quantity.size;
    }
    if (++rows_in_block_ == rows_per_block) write_block();
  }

  void add_events(const std::vector<WatchedEvent>& watched, const std::vector<SeenEvent>& seen) override {
    if (watched.empty()) return;
    std::string names;
    for (std::size_t i = 0; i < watched.size(); ++i)
      names += (i == 0 ? "" : "; ") + std::to_string(i + 1) + ": " + watched[i].name;
    file_.group("events");
    add_event_series({"event", 1, 1, names}, seen,
                     [](const SeenEvent& s) { return static_cast<double>(s.event + 1); });
    add_event_series({"t", 1, 1, "time, user's units"}, seen, [](const SeenEvent& s) { return s.time; });
    for (const bool in_state : {true, false}) {
      std::size_t first = 0;
      for (const Quantity& q : in_state ? description_.state : description_.derived) {
        add_event_series(q, seen, [&](const SeenEvent& s) {
          return std::span(in_state ? s.snapshot.state : s.snapshot.derived).subspan(first, q.size);
        });
        first += q.size;
      }
    }
  }

  void finish(Ending ending, std::int64_t steps) override {
    write_block();
    file_.text_attribute(file_.id(), "ending", ending_text(ending));
    file_.integer_attribute(file_.id(), "steps_taken", steps);
    for (Series& s : series_) file_.check(s.dataset.close());
    file_.finish();
  }

 private:
  /// /events/QUANTITY: what is seen of each event, a number or a span of numbers.
  template <class Seen>
  void add_event_series(const Quantity& quantity, const std::vector<SeenEvent>& events, const Seen& seen) {
    Series series{quantity, {}, {}};
    for (const SeenEvent& event : events) {
      if constexpr (std::is_arithmetic_v<decltype(seen(event))>) {
        series.block.push_back(seen(event));
      } else {
        const auto numbers = seen(event);
        series.block.insert(series.block.end(), numbers.begin(), numbers.end());
      }
    }
    series.dataset =
        file_.dataset("events/" + quantity.name, series.extents(0), quantity.meaning, rows_per_block);
    if (!events.empty())
      file_.write_part(series.dataset, series.extents(0), 0, events.size(), series.block.data());
    file_.check(series.dataset.close());
  }

  void write_block() {
    if (rows_in_block_ == 0) return;
    for (Series& s : series_) {
      file_.write_part(s.dataset, s.extents(rows_), rows_, rows_in_block_, s.block.data());
      s.block.clear();
    }
    rows_ += rows_in_block_;
    rows_in_block_ = 0;
  }

  Hdf5File file_;
  Description description_;
  std::vector<Series> series_;
  hsize_t rows_ = 0;
  hsize_t rows_in_block_ = 0;
};

}  // namespace

std::unique_ptr<Output> open_hdf5(std::unique_ptr<PartialFile> file, const Provenance& provenance) {
  return std::make_unique<Hdf5Output>(std::move(file), provenance);
}

}  // namespace polhode::program
