// The instructions that the batch and the methods for the free body use, chosen when the program runs.
#pragma once

#include <string_view>
#include <vector>

#include "polhode/batch/functions.hpp"
#include "polhode/free_motion/held_method.hpp"

namespace POLHODE_CORE {

/// What the program holds and this machine can run; the best one last.
const std::vector<const polhode_shared::BatchFunctions*>& available_batch_functions();

/// Of the given name; "plain" stands for the first. Throws InputError for an unknown name.
const polhode_shared::BatchFunctions& batch_functions_named(std::string_view name);

/// The best one, or the one that the environment variable POLHODE_INSTRUCTION_SET names, from the first call on. Throws
/// InputError if it names none.
const polhode_shared::BatchFunctions& batch_functions();

/// The methods for the same instructions, as MethodChoice has them: null where they are those of the caller. Throws as that does.
const polhode_shared::MethodFunctions* method_functions();

}  // namespace POLHODE_CORE
