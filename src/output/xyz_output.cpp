#include "output/xyz_output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "polhode/version.hpp"
#include "run/atoms.hpp"
#include "scenario/error.hpp"

namespace polhode::program {

namespace {

const AtomSource& source_of(const PartialFile& file, const Provenance& provenance) {
  const auto* const source = dynamic_cast<const AtomSource*>(provenance.simulation);
  if (source == nullptr)
    throw ScenarioError(
        file.name(), "--output",
        fmt::format("a trajectory in XYZ is of atoms, and the system {} has none: use .csv or .h5",
                    provenance.description.system));
  return *source;
}

class XyzOutput final : public Output {
 public:
  XyzOutput(std::unique_ptr<PartialFile> file, const Provenance& provenance)
      : source_(source_of(*file, provenance)),
        file_(std::move(file)),
        stream_(std::fopen(file_->path().c_str(), "w")) {
    if (stream_ == nullptr) fail();
  }
  ~XyzOutput() override {
    if (stream_ != nullptr) std::fclose(stream_);
  }
  XyzOutput(const XyzOutput&) = delete;
  XyzOutput& operator=(const XyzOutput&) = delete;

  void record(std::span<const double> row) override {
    source_.atoms(frame_);
    text_.clear();
    const auto out = std::back_inserter(text_);
    fmt::format_to(out, "{}\n", frame_.positions.size());
    if (frame_.box) {
      const Vector<double>& edge = *frame_.box;
      fmt::format_to(out, "Lattice=\"{} 0 0 0 {} 0 0 0 {}\" pbc=\"T T T\" ", edge[0], edge[1], edge[2]);
    } else {
      fmt::format_to(out, "pbc=\"F F F\" ");
    }
    fmt::format_to(out, "Properties=species:S:1:pos:R:3 Time={} program=\"polhode {}\"\n", row[0],
                   polhode::version);
    for (std::size_t i = 0; i < frame_.positions.size(); ++i) {
      const Vector<double>& r = frame_.positions[i];
      fmt::format_to(out, "{} {:.8f} {:.8f} {:.8f}\n", frame_.elements[i], r[0], r[1], r[2]);
    }
    if (std::fwrite(text_.data(), 1, text_.size(), stream_) != text_.size()) fail();
  }

  /// The format has no place for how the run ended: a run that was cut short has fewer frames.
  void finish(Ending, std::int64_t) override {
    if (std::fflush(stream_) != 0) fail();
    const int closed = std::fclose(stream_);
    stream_ = nullptr;
    if (closed != 0) fail();
    file_->keep();
  }

 private:
  [[noreturn]] void fail() const {
    throw RunError(file_->name() + ": cannot be written: " + std::strerror(errno));
  }

  const AtomSource& source_;
  std::unique_ptr<PartialFile> file_;
  std::FILE* stream_;
  AtomFrame frame_;
  std::string text_;
};

}  // namespace

std::unique_ptr<Output> open_xyz(std::unique_ptr<PartialFile> file, const Provenance& provenance) {
  return std::make_unique<XyzOutput>(std::move(file), provenance);
}

}  // namespace polhode::program
