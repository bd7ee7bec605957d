#include "signals.hpp"

#include "bindings.hpp"
#include "gil.hpp"

namespace polhode::python {

namespace {

unsigned long& main_thread() {
  static unsigned long identity = 0;
  return identity;
}

}  // namespace

void bind_signals() {
  main_thread() = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
}

void check_signals() {
  if (PyThread_get_thread_ident() != main_thread()) return;
  const AcquiredGil acquired;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace polhode::python
