#pragma once

#include <string_view>

// The one place where the version is written: the build system and the packages read it from these lines.
#define POLHODE_VERSION_MAJOR 0
#define POLHODE_VERSION_MINOR 2
#define POLHODE_VERSION_PATCH 0

#define POLHODE_DETAIL_TEXT_OF(x) #x
#define POLHODE_DETAIL_DOTTED(a, b, c) \
  POLHODE_DETAIL_TEXT_OF(a) "." POLHODE_DETAIL_TEXT_OF(b) "." POLHODE_DETAIL_TEXT_OF(c)

namespace polhode {

inline constexpr std::string_view version =
    POLHODE_DETAIL_DOTTED(POLHODE_VERSION_MAJOR, POLHODE_VERSION_MINOR, POLHODE_VERSION_PATCH);

}  // namespace polhode

#undef POLHODE_DETAIL_DOTTED
#undef POLHODE_DETAIL_TEXT_OF
