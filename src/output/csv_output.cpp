// Output as comma-separated values: comments that say what was run, a line of names, lines of numbers.
#include <sstream>

#include "output/output.hpp"
#include "output/text_file.hpp"
#include "polhode/version.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

std::string header(const Provenance& p) {
  std::string text = filled("# polhode {}\n# scenario:\n", polhode::version);
  std::istringstream lines(p.scenario);
  for (std::string line; std::getline(lines, line);) text += line.empty() ? "#\n" : filled("#   {}\n", line);
  text += filled("# a row every {} steps, and the last\n# columns:\n", p.every);
  std::string names;
  for (const Quantity& q : recorded_quantities(p.description)) {
    for (std::size_t i = 0; i < q.size; ++i) {
      if (!names.empty()) names += ',';
      names += q.size == 1 ? q.name : filled("{}_{}", q.name, q.first_index + static_cast<int>(i));
    }
    text += filled("#   {}: {}\n", q.name, q.meaning);
  }
  return text + names + "\n";
}

class CsvOutput final : public Output {
 public:
  CsvOutput(std::unique_ptr<PartialFile> file, const Provenance& provenance) : file_(std::move(file)) {
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

  void finish(Ending ending, std::int64_t steps) override {
    if (ending != Ending::completed) file_.write(filled("# {} at step {}\n", ending_text(ending), steps));
    file_.finish();
  }

 private:
  TextFile file_;
  std::string line_;
};

}  // namespace

std::unique_ptr<Output> open_csv(std::unique_ptr<PartialFile> file, const Provenance& provenance) {
  return std::make_unique<CsvOutput>(std::move(file), provenance);
}

}  // namespace polhode::program
