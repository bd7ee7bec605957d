#include "reproduce/verdict.hpp"

#include <algorithm>

#include "text/json.hpp"

namespace polhode::program {

bool all_hold(const std::vector<Claim>& claims) {
  return std::all_of(claims.begin(), claims.end(), [](const Claim& c) { return c.pass; });
}

std::string verdict_json(const Experiment& experiment, const std::vector<Claim>& claims) {
  std::vector<Json> list;
  for (const Claim& c : claims)
    list.push_back(Json::object({{"claim", c.claim},
                                 {"paper", c.paper},
                                 {"measured", c.measured},
                                 {"bound", c.bound},
                                 {"pass", c.pass}}));
  return Json::object({{"name", experiment.name}, {"claims", Json::array(list)}}).text() + "\n";
}

}  // namespace polhode::program
