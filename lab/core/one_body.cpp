// The page moves one body at a time, and WebAssembly has no threads for a batch: nothing goes in a group.
#include "systems/body/driven_body.hpp"

namespace polhode::program {

std::shared_ptr<const Groupable> driven_groupable(const DrivenBody&, double, const SplittingChoice&) {
  return nullptr;
}

}  // namespace polhode::program
