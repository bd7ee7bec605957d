// Everything small that reads text: keys of --set and of ensembles, numbers of the command line, sentences made printable, tables,
// messages and states of others.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "conformance/score.hpp"
#include "input/toml.hpp"
#include "input/toml_shape.hpp"
#include "scenario/error.hpp"
#include "scenario/key_path.hpp"
#include "tables/attitude_message.hpp"
#include "tables/ephemeris_file.hpp"
#include "tables/moment.hpp"
#include "tests/fuzz/input.hpp"
#include "text/json.hpp"
#include "text/text.hpp"

using namespace polhode;
using namespace polhode::program;

namespace {

/// A file in the memory.
const std::string& file_of(const std::string& text) {
  static const int descriptor = ::memfd_create("polhode-fuzz", 0);
  static const std::string name = "/proc/self/fd/" + std::to_string(descriptor);
  fuzz::require(::ftruncate(descriptor, 0) == 0);
  fuzz::require(::pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  return name;
}

void read_tables(const std::string& text) {
  try {
    const Ephemeris<double> table = read_ephemeris(file_of(text));
    table.at<double>(DoubleDouble(table.first_time()));
    table.at<double>(DoubleDouble(0.5 * table.first_time() + 0.5 * table.last_time()));
  } catch (const ScenarioError& error) {
    fuzz::require(*error.what() != '\0');
  }
  try {
    const AttitudeMessage message = read_attitude_message(file_of(text));
    fuzz::require(message.times.size() == message.attitudes.size());
  } catch (const ScenarioError& error) {
    fuzz::require(*error.what() != '\0');
  }
  if (const auto moment = moment_of(text))
    if (const auto written = moment_text(*moment)) fuzz::require(moment_of(*written) == moment);
}

/// The states of another program, and their score, whatever the numbers are.
void read_and_score(const std::string& text) {
  try {
    const GivenStates states = read_states(text, "fuzz");
    fuzz::require(!states.rows.empty());
    for (const GivenState& s : states.rows) fuzz::require(s.body != nullptr && s.frequency > 0);
    // Of more, or at shorter steps, the score repeats the motions for seconds.
    const bool quick =
        states.rows.size() <= 8 && std::all_of(states.rows.begin(), states.rows.end(),
                                               [](const GivenState& s) { return s.frequency < 200; });
    if (!quick) return;
    const ConformanceScore found = score(states);
    fuzz::require(!found.verdicts.empty());
    score_text(found);
    score_json(found);
  } catch (const ScenarioError& error) {
    fuzz::require(*error.what() != '\0');
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);

  const std::string line = one_line(text);
  for (const char c : line) fuzz::require(c != '\n' && static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  fuzz::require(one_line(line) == line);  // nothing is left to be made visible
  fuzz::require(shortened(line, 100).size() <= 100);
  fuzz::require(one_line(shortened(line, 100)) == shortened(line, 100));  // no character is cut
  in_quotes(text);
  suggestion(text, {"exact", "dmv10"});
  toml_shape(text);
  read_tables(text);
  read_and_score(text);

  try {
    const Document document = parse_document("[method]\nstep = 1\n", "fuzz", {text});
    fuzz::require(!document.overrides.empty());
  } catch (const ScenarioError& error) {
    fuzz::require(*error.what() != '\0');
  }
  if (const auto path = KeyPath::parsed(text)) {
    Table root{{"state", {Table{{"momentum", {Array{{1.0}, {2.0}, {3.0}}}}}}}};
    if (path->set(root, {true})) fuzz::require(path->find(root) != nullptr);
    fuzz::require(path->overlaps(*path));
  }
  return 0;
}
