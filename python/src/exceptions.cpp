#include "exceptions.hpp"

#include "polhode/error.hpp"
#include "scenario/error.hpp"

namespace polhode::python {

py::object made_exception(const char* kind, const std::string& sentence) {
  return py::module_::import("polhode._core").attr(kind)(sentence);
}

py::object as_python(const std::exception_ptr& trouble, const std::string& before) {
  if (!trouble) return py::none();
  try {
    std::rethrow_exception(trouble);
  } catch (py::error_already_set& e) {
    e.restore();  // with its traceback, which value() alone would lose
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace != nullptr) PyException_SetTraceback(value, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return py::reinterpret_steal<py::object>(value);
  } catch (const program::ScenarioError& e) {  // which names the run itself
    return made_exception("InputError", e.what());
  } catch (const InputError& e) {
    return made_exception("InputError", before + e.what());
  } catch (const std::exception& e) {
    return made_exception("MotionError", before + e.what());
  }
}

}  // namespace polhode::python
