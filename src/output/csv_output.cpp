// Output as comma-separated values: comments that say what was run, a line of names, lines of numbers.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <sstream>

#include "output/output.hpp"
#include "polhode/version.hpp"
#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

std::string header(const Provenance& p) {
  std::string text = fmt::format("# polhode {}\n# scenario:\n", polhode::version);
  std::istringstream lines(p.scenario);
  for (std::string line; std::getline(lines, line);)
    text += line.empty() ? "#\n" : fmt::format("#   {}\n", line);
  text += fmt::format("# a row every {} steps, and the last\n# columns:\n", p.every);
  std::string names;
  for (const Quantity& q : recorded_quantities(p.description)) {
    for (std::size_t i = 0; i < q.size; ++i) {
      if (!names.empty()) names += ',';
      names += q.size == 1 ? q.name : fmt::format("{}_{}", q.name, q.first_index + static_cast<int>(i));
    }
    text += fmt::format("#   {}: {}\n", q.name, q.meaning);
  }
  return text + names + "\n";
}

class CsvOutput final : public Output {
 public:
  CsvOutput(std::unique_ptr<PartialFile> file, const Provenance& provenance)
      : file_(std::move(file)), stream_(std::fopen(file_->path().c_str(), "w")) {
    if (stream_ == nullptr) fail();
    write(header(provenance));
  }
  ~CsvOutput() override {
    if (stream_ != nullptr) std::fclose(stream_);
  }
  CsvOutput(const CsvOutput&) = delete;
  CsvOutput& operator=(const CsvOutput&) = delete;

  void record(std::span<const double> row) override {
    line_.clear();
    for (const double x : row) {
      if (!line_.empty()) line_ += ',';
      fmt::format_to(std::back_inserter(line_), "{}", x);
    }
    line_ += '\n';
    write(line_);
  }

  void finish(Ending ending, std::int64_t steps) override {
    if (ending != Ending::completed) write(fmt::format("# {} at step {}\n", ending_text(ending), steps));
    if (std::fflush(stream_) != 0) fail();
    const int closed = std::fclose(stream_);
    stream_ = nullptr;
    if (closed != 0) fail();
    file_->keep();
  }

 private:
  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) fail();
  }
  [[noreturn]] void fail() const {
    throw RunError(file_->name() + ": cannot be written: " + std::strerror(errno));
  }

  std::unique_ptr<PartialFile> file_;
  std::FILE* stream_;
  std::string line_;
};

}  // namespace

std::unique_ptr<Output> open_csv(std::unique_ptr<PartialFile> file, const Provenance& provenance) {
  return std::make_unique<CsvOutput>(std::move(file), provenance);
}

}  // namespace polhode::program
