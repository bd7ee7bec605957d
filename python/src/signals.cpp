#include "signals.hpp"

#include <atomic>

#include "bindings.hpp"
#include "gil.hpp"

namespace polhode::python {

namespace {

std::atomic<unsigned long>& main_thread() {
  static std::atomic<unsigned long> identity = 0;
  return identity;
}

}  // namespace

void bind_signals() {
  main_thread() = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
  // The main thread of a child is the one that has forked.
  if (const py::module_ os = py::module_::import("os"); py::hasattr(os, "register_at_fork"))
    os.attr("register_at_fork")(py::arg("after_in_child") =
                                    py::cpp_function([] { main_thread() = PyThread_get_thread_ident(); }));
}

void check_signals() {
  if (PyThread_get_thread_ident() != main_thread()) return;
  const AcquiredGil acquired;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace polhode::python
