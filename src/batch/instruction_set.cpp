#include "batch/instruction_set.hpp"

#include <cstdlib>
#include <string>

#include "polhode/batch/compiled_functions.hpp"
#include "polhode/error.hpp"

#if defined(POLHODE_BATCH_AVX2)
namespace polhode_avx2 {
const polhode_shared::BatchFunctions& functions_of_object();
const polhode_shared::MethodFunctions& methods_of_object();
}  // namespace polhode_avx2
#endif
#if defined(POLHODE_BATCH_AVX512)
namespace polhode_avx512 {
const polhode_shared::BatchFunctions& functions_of_object();
}  // namespace polhode_avx512
#endif

namespace POLHODE_CORE {

const std::vector<const BatchFunctions*>& available_batch_functions() {
  static const std::vector<const BatchFunctions*> list = [] {
    std::vector<const BatchFunctions*> result{&compiled_batch_functions()};
#if defined(POLHODE_BATCH_AVX2) || defined(POLHODE_BATCH_AVX512)
    __builtin_cpu_init();
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#if defined(POLHODE_BATCH_AVX2)
    if (has_avx2) result.push_back(&polhode_avx2::functions_of_object());
#endif
#if defined(POLHODE_BATCH_AVX512)
    if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
      result.push_back(&polhode_avx512::functions_of_object());
#endif
    return result;
  }();
  return list;
}

const BatchFunctions& batch_functions_named(std::string_view name) {
  const auto& list = available_batch_functions();
  if (name == "plain") return *list.front();
  std::string names = "plain";
  for (const BatchFunctions* const functions : list) {
    if (name == functions->name) return *functions;
    names += std::string(", ") + functions->name;
  }
  throw InputError("there is no instruction set \"" + std::string(name) +
                   "\" in this build on this machine; there are " + names);
}

const BatchFunctions& batch_functions() {
  static const BatchFunctions& chosen = []() -> const BatchFunctions& {
    const char* const wish = std::getenv("POLHODE_INSTRUCTION_SET");
    if (wish == nullptr || *wish == '\0') return *available_batch_functions().back();
    try {
      return batch_functions_named(wish);
    } catch (const InputError& e) {
      throw InputError(std::string("POLHODE_INSTRUCTION_SET: ") + e.what());
    }
  }();
  return chosen;
}

const MethodFunctions* method_functions() {
  if (&batch_functions() == available_batch_functions().front()) return nullptr;
#if defined(POLHODE_BATCH_AVX2)
  return &polhode_avx2::methods_of_object();
#else
  return nullptr;
#endif
}

}  // namespace POLHODE_CORE
