// The lock of the interpreter (GIL), let go and asked for, and calls of Python functions, in threads that nobody may wait for.
//
// While the interpreter ends, Python before 3.14 ends such a thread where it asks for the lock: pthread_exit() unwinds its stack.
// C++ must not be unwound so. Destructors would end the process, a catch (...) too, and objects of Python would be let go
// without the lock. Here the thread stays where it is instead, until the process has ended.
#pragma once

#include <cxxabi.h>
#include <unistd.h>

#include <utility>

#include "bindings.hpp"

namespace polhode::python {

[[noreturn]] inline void wait_for_the_end() {
  for (;;) ::pause();
}

/// What `call` returns, a call of Python's C interface alone: an object within it that has a destructor would be unwound.
template <class Call>
auto staying(const Call& call) -> decltype(call()) {
#ifdef __GLIBCXX__
  try {
    return call();
  } catch (abi::__forced_unwind&) {
    wait_for_the_end();
  }
#else
  return call();
#endif
}

/// The result of a Python function; throws its exception. NumPy lets the lock go where it copies an array: its methods are
/// called so, too.
template <class... Arguments>
py::object called(py::handle function, Arguments&&... arguments) {
  const py::tuple given = py::make_tuple(std::forward<Arguments>(arguments)...);
  PyObject* const result = staying([&] { return PyObject_CallObject(function.ptr(), given.ptr()); });
  if (result == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(result);
}

/// The GIL is let go while this lives.
class ReleasedGil {
 public:
  ReleasedGil() : state_(PyEval_SaveThread()) {}
  ReleasedGil(const ReleasedGil&) = delete;
  ReleasedGil& operator=(const ReleasedGil&) = delete;
  ~ReleasedGil() {
    staying([this] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* state_;
};

/// The GIL is held while this lives, whether the thread had it or not.
class AcquiredGil {
 public:
  AcquiredGil() : state_(ensured()) {}
  AcquiredGil(const AcquiredGil&) = delete;
  AcquiredGil& operator=(const AcquiredGil&) = delete;
  ~AcquiredGil() { PyGILState_Release(state_); }

 private:
  static PyGILState_STATE ensured() {
    // An interpreter that has ended does not know a thread that is new to it.
    if (Py_IsInitialized() == 0 && PyGILState_GetThisThreadState() == nullptr) wait_for_the_end();
    return staying([] { return PyGILState_Ensure(); });
  }

  PyGILState_STATE state_;
};

}  // namespace polhode::python
