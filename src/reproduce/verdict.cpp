#include "reproduce/verdict.hpp"

#include "text/json.hpp"

namespace polhode::program {

std::string verdict_json(const Experiment& experiment, const std::vector<Claim>& claims) {
  std::vector<Json> list;
  for (const Claim& c : claims)
    list.push_back(Json::object({{"claim", c.claim},
                                 {"paper", c.paper},
                                 {"measured", c.measured},
                                 {"bound", c.bound},
                                 {"source", c.as_printed ? "paper" : "ours"},
                                 {"as_printed", c.as_printed ? Json(name_of(*c.as_printed)) : Json::null()},
                                 {"pass", c.pass}}));
  return Json::object({{"name", experiment.name}, {"claims", Json::array(list)}}).text() + "\n";
}

}  // namespace polhode::program
