#include "values.hpp"

namespace polhode::python {

namespace {

program::Value value_from(py::handle object) {
  if (py::isinstance<py::bool_>(object)) return {object.cast<bool>()};
  if (py::isinstance<py::int_>(object)) return {object.cast<std::int64_t>()};
  if (py::isinstance<py::float_>(object)) return {object.cast<double>()};
  if (py::isinstance<py::str>(object)) return {object.cast<std::string>()};
  if (py::isinstance<py::dict>(object)) {
    program::Table table;
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(object))
      table.push_back({key.cast<std::string>(), value_from(value)});
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
    program::override_value(document, key.cast<std::string>(), value_from(value));
  return document;
}

}  // namespace polhode::python
