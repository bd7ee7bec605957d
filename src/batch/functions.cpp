// The batch once more, for other instructions than the rest of the program: cmake/PolhodeBatch.cmake compiles this file with
// -Dpolhode=polhode_avx2, or another such name.
//
// So all inline functions of the headers exist a second time under names of their own: the linker keeps one function of
// each name, and it might be one that the machine at hand cannot run. For the same reason nothing of the standard library may
// be left in the object as a function, but what has a type of ours in its name; a test looks whether it is so.
#include "polhode/batch/compiled_functions.hpp"

namespace polhode {

const polhode_shared::BatchFunctions& functions_of_object() { return core::compiled_batch_functions(); }

}  // namespace polhode
