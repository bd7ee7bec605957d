// File streams for toml++, which declares a function that reads a file: this libc++ is configured to have no files, and then the types
// are not even declared. The function is never called, and is not linked.
#pragma once

#include <__config_site>
#undef _LIBCPP_HAS_NO_FILESYSTEM
