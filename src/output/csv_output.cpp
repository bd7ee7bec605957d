// Output as comma-separated values: comments that say what was run, a line of names, lines of numbers.
#include <sstream>

#include "output/output.hpp"
#include "output/text_file.hpp"
#include "polhode/version.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

/// The names of the columns.
std::string column_names(const std::vector<Quantity>& quantities) {
  std::string names;
  for (const Quantity& q : quantities) {
    for (std::size_t i = 0; i < q.size; ++i) {
      if (!names.empty()) names += ',';
      names += q.size == 1 ? q.name : filled("{}_{}", q.name, q.first_index + static_cast<int>(i));
    }
  }
  return names;
}

std::string header(const Provenance& p) {
  std::string text = filled("# polhode {}\n# scenario:\n", polhode::version);
  std::istringstream lines(p.scenario);
  for (std::string line; std::getline(lines, line);) text += line.empty() ? "#\n" : filled("#   {}\n", line);
  text += filled("# a row every {} steps, and the last\n# columns:\n", p.every);
  const std::vector<Quantity> quantities = recorded_quantities(p.description);
  for (const Quantity& q : quantities) text += filled("#   {}: {}\n", q.name, q.meaning);
  return text + column_names(quantities) + "\n";
}

class CsvOutput final : public Output {
 public:
  CsvOutput(std::unique_ptr<PartialFile> file, const Provenance& provenance)
      : file_(std::move(file)), description_(provenance.description) {
    file_.write(header(provenance));
  }

  void record(std::span<const double> row) override {
    line_.clear();
    for (const double x : row) {
      if (!line_.empty()) line_ += ',';
      line_ += number(x);
    }
    line_ += '\n';
    file_.write(line_);
  }

  /// As comments: programs that read the rows pass over them.
  void add_events(const std::vector<WatchedEvent>& watched, const std::vector<SeenEvent>& seen) override {
    if (watched.empty()) return;
    std::vector<Quantity> quantities = description_.state;
    quantities.insert(quantities.end(), description_.derived.begin(), description_.derived.end());
    file_.write("# events:\n");
    for (std::size_t i = 0; i < watched.size(); ++i)
      file_.write(filled("#   event {}: {}\n", i + 1, watched[i].name));
    file_.write("#   event,t," + column_names(quantities) + "\n");
    for (const SeenEvent& one : seen) {
      line_ = filled("#   {},{}", one.event + 1, one.time);
      for (const std::vector<double>* numbers : {&one.snapshot.state, &one.snapshot.derived})
        for (const double x : *numbers) line_.append(1, ',').append(number(x));
      file_.write(line_.append(1, '\n'));
    }
  }

  void finish(Ending ending, std::int64_t steps) override {
    if (ending != Ending::completed) file_.write(filled("# {} at step {}\n", ending_text(ending), steps));
    file_.finish();
  }

 private:
  TextFile file_;
  Description description_;
  std::string line_;
};

}  // namespace

std::unique_ptr<Output> open_csv(std::unique_ptr<PartialFile> file, const Provenance& provenance) {
  return std::make_unique<CsvOutput>(std::move(file), provenance);
}

}  // namespace polhode::program
