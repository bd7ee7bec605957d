// Everything small that reads text: keys of --set and of ensembles, numbers of the command line, sentences made printable.
#include <vector>

#include "ensemble/key_path.hpp"
#include "input/toml.hpp"
#include "input/toml_shape.hpp"
#include "scenario/error.hpp"
#include "tests/fuzz/input.hpp"
#include "text/json.hpp"
#include "text/text.hpp"

using namespace polhode;
using namespace polhode::program;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);

  const std::string line = one_line(text);
  for (const char c : line) fuzz::require(c != '\n' && static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  fuzz::require(one_line(line) == line);  // nothing is left to be made visible
  fuzz::require(shortened(line, 100).size() <= 100);
  fuzz::require(one_line(shortened(line, 100)) == shortened(line, 100));  // no character is cut
  quoted(text);
  suggestion(text, {"exact", "dmv10"});
  toml_shape(text);

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
