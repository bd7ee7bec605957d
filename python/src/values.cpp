#include "values.hpp"

#include "polhode/error.hpp"

namespace polhode::python {

namespace {

/// A text of Python may have halves of characters, which no file can have.
std::string text_from(py::handle object) {
  py::ssize_t size = 0;
  const char* const bytes =
      PyUnicode_Check(object.ptr()) ? PyUnicode_AsUTF8AndSize(object.ptr(), &size) : nullptr;
  if (bytes == nullptr) {
    PyErr_Clear();
    throw InputError("a text is not one of UTF-8: " + py::repr(object).cast<std::string>());
  }
  return {bytes, static_cast<std::size_t>(size)};
}

std::int64_t integer_from(py::handle object) {
  int overflow = 0;
  const auto value = static_cast<std::int64_t>(PyLong_AsLongLongAndOverflow(object.ptr(), &overflow));
  if (overflow != 0)
    throw InputError("the integer " + py::str(object).cast<std::string>() + " does not fit into 64 bits");
  return value;
}

program::Value value_from(py::handle object) {
  if (py::isinstance<py::bool_>(object)) return {object.cast<bool>()};
  if (py::isinstance<py::int_>(object)) return {integer_from(object)};
  if (py::isinstance<py::float_>(object)) return {object.cast<double>()};
  if (py::isinstance<py::str>(object)) return {text_from(object)};
  if (py::isinstance<py::dict>(object)) {
    program::Table table;
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(object))
      table.push_back({text_from(key), value_from(value)});
    return {std::move(table)};
  }
  if (py::isinstance<py::list>(object)) {
    program::Array array;
    for (const py::handle entry : py::reinterpret_borrow<py::list>(object))
      array.push_back(value_from(entry));
    return {std::move(array)};
  }
  return {program::Date{}};  // of a TOML file; nothing else comes here
}

}  // namespace

program::Document document_from(const py::dict& tables, const std::string& name, const py::dict& overrides) {
  program::Document document{name, std::get<program::Table>(value_from(tables).content), {}};
  for (const auto& [key, value] : overrides)
    program::override_value(document, text_from(key), value_from(value));
  return document;
}

}  // namespace polhode::python
