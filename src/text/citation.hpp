// How polhode is cited.
#pragma once

#include <string>

namespace polhode::program {

/// A sentence for a list of references, and an entry for BibTeX.
std::string citation();

}  // namespace polhode::program
