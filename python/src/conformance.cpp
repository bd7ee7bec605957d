// The conformance kit and its scorer, as texts.
#include "bindings.hpp"
#include "conformance/kit.hpp"
#include "conformance/score.hpp"

namespace polhode::python {

void bind_conformance(py::module_& m) {
  m.def("conformance_kit", &program::kit_json, "The kit as JSON.");
  m.def(
      "conformance_score",
      [](const std::string& text, const std::string& source) {
        const program::ConformanceScore score = program::score(program::read_states(text, source));
        return py::make_tuple(program::score_json(score), program::score_text(score));
      },
      py::arg("text"), py::arg("source"), "The score of states as CSV: as JSON, and as a text for a person.");
}

}  // namespace polhode::python
