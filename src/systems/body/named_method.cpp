// All methods for the free body, compiled in one place.
#include "polhode/free_motion/named_method.hpp"

template class polhode::core::NamedMethod<double>;
