#include "output/xyz_output.hpp"

#include "output/text_file.hpp"
#include "polhode/version.hpp"
#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

class XyzOutput final : public Output {
 public:
  XyzOutput(std::unique_ptr<PartialFile> file, const Provenance& provenance)
      : simulation_(*provenance.simulation), file_(std::move(file)) {}

  void record(std::span<const double> row) override {
    simulation_.atoms(frame_);
    std::string text = std::to_string(frame_.positions.size()) + '\n';
    if (frame_.box) {
      const Vector<double>& edge = *frame_.box;
      text += filled("Lattice=\"{} 0 0 0 {} 0 0 0 {}\" pbc=\"T T T\" ", edge[0], edge[1], edge[2]);
    } else {
      text += "pbc=\"F F F\" ";
    }
    text +=
        filled("Properties=species:S:1:pos:R:3 Time={} program=\"polhode {}\"\n", row[0], polhode::version);
    for (std::size_t i = 0; i < frame_.positions.size(); ++i) {
      text += frame_.elements[i];
      for (const double x : frame_.positions[i].c) text += ' ' + rounded("%.8f", x);
      text += '\n';
    }
    file_.write(text);
  }

  /// The format has no place for how the run ended: a run that was cut short has fewer frames.
  void finish(Ending, std::int64_t) override { file_.finish(); }

 private:
  const Simulation& simulation_;
  TextFile file_;
  AtomFrame frame_;
};

}  // namespace

std::unique_ptr<Output> open_xyz(std::unique_ptr<PartialFile> file, const Provenance& provenance) {
  AtomFrame frame;
  if (provenance.simulation == nullptr || !provenance.simulation->atoms(frame))
    throw ScenarioError(file->name(), "--output",
                        filled("a trajectory in XYZ is of atoms, and the system {} has none: use .csv or .h5",
                               provenance.description.system));
  return std::make_unique<XyzOutput>(std::move(file), provenance);
}

}  // namespace polhode::program
