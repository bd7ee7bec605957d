// The methods for other instructions than those of the rest: in the browser there are none.
#include "batch/instruction_set.hpp"

namespace POLHODE_CORE {

const MethodFunctions* method_functions() { return nullptr; }

}  // namespace POLHODE_CORE
