#include "scenario/section.hpp"

#include <algorithm>
#include <cmath>

#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {

Section::Section(const Document& document, std::string name)
    : Section(document, name, find(document.root, name)) {}

Section::Section(const Document& document, std::string name, const Value* value)
    : document_(&document), name_(std::move(name)) {
  if (value == nullptr) return;
  const auto* const table = std::get_if<Table>(&value->content);
  if (table == nullptr)
    throw ScenarioError(document.source_of(name_), name_,
                        filled("must be a table, [{}], not {}", name_, description(*value)));
  table_ = *table;
}

Section Section::table(std::string_view key) const {
  return {*document_, filled("{}.{}", name_, key), find(table_, key)};
}

std::vector<Section> Section::tables(std::string_view key) const {
  return tables_in(*document_, filled("{}.{}", name_, key), find(table_, key));
}

std::vector<Section> Section::tables_of(const Document& document, const std::string& key) {
  return tables_in(document, key, find(document.root, key));
}

std::vector<Section> Section::tables_in(const Document& document, const std::string& path,
                                        const Value* value) {
  if (value == nullptr) return {};
  const auto* const array = std::get_if<Array>(&value->content);
  if (array == nullptr || array->empty())
    throw ScenarioError(document.source_of(path), path,
                        "must be an array of tables, not " + description(*value));
  std::vector<Section> result;
  for (const Value& entry : *array)
    result.push_back(Section(document, filled("{}[{}]", path, result.size()), &entry));
  return result;
}

void Section::fail(std::string_view key, const std::string& reason) const {
  const std::string path = key.empty() ? name_ : filled("{}.{}", name_, key);
  // What is not there is missing from the file.
  throw ScenarioError(key.empty() || has(key) ? document_->source_of(path) : document_->name, path, reason);
}

std::vector<std::string> Section::keys() const {
  std::vector<std::string> result;
  for (const Entry& e : table_) result.push_back(e.key);
  return result;
}

void Section::allow(const std::vector<std::string>& known) const {
  for (const Entry& e : table_)
    if (std::find(known.begin(), known.end(), e.key) == known.end())
      fail(e.key, "there is no such key" + suggestion(e.key, known));
}

const Value& Section::value(std::string_view key) const {
  const Value* const found = find(table_, key);
  if (found == nullptr) fail(key, "is missing");
  return *found;
}

const Value& Section::take(std::string_view key) {
  const Value& result = value(key);
  note(key, result);
  return result;
}

double Section::finite(std::string_view key, const Value& value, const std::string& which) const {
  if (const auto* const integer = std::get_if<std::int64_t>(&value.content))
    return static_cast<double>(*integer);
  const auto* const number = std::get_if<double>(&value.content);
  if (number == nullptr) fail(key, filled("{}must be a number, not {}", which, description(value)));
  if (!std::isfinite(*number)) fail(key, filled("{}must be a finite number, not {}", which, *number));
  return *number;
}

double Section::number(std::string_view key) { return finite(key, take(key), ""); }

double Section::positive(std::string_view key) {
  const double x = number(key);
  if (!(x > 0.0)) fail(key, "must be positive, not " + description(value(key)));
  return x;
}

double Section::number_or(std::string_view key, double otherwise) {
  if (has(key)) return number(key);
  note(key, {otherwise});
  return otherwise;
}

double Section::positive_or(std::string_view key, double otherwise) {
  return has(key) ? positive(key) : number_or(key, otherwise);
}

std::int64_t Section::integer_or(std::string_view key, std::int64_t smallest, std::int64_t otherwise) {
  const std::int64_t x = has(key) ? integer(key) : otherwise;
  note(key, {x});
  if (x < smallest) fail(key, filled("must be at least {}, not {}", smallest, x));
  return x;
}

std::string Section::string_or(std::string_view key, const std::string& otherwise) {
  if (has(key)) return string(key);
  note(key, {otherwise});
  return otherwise;
}

Vector<double> Section::vector(std::string_view key) {
  const std::vector<double> v = numbers(key, 3);
  return {v[0], v[1], v[2]};
}

Vector<double> Section::nonzero_vector(std::string_view key) {
  const Vector<double> result = vector(key);
  if (result == Vector<double>{}) fail(key, "must not be zero");
  return result;
}

Vector<double> Section::nonzero_vector_or(std::string_view key, const Vector<double>& otherwise) {
  if (has(key)) return nonzero_vector(key);
  note(key, {Array{{otherwise[0]}, {otherwise[1]}, {otherwise[2]}}});
  return otherwise;
}

std::int64_t Section::integer(std::string_view key) {
  const Value& found = take(key);
  const auto* const result = std::get_if<std::int64_t>(&found.content);
  if (result == nullptr) fail(key, "must be an integer, not " + description(found));
  return *result;
}

bool Section::boolean(std::string_view key) {
  const Value& found = take(key);
  const auto* const result = std::get_if<bool>(&found.content);
  if (result == nullptr) fail(key, "must be true or false, not " + description(found));
  return *result;
}

std::string Section::string(std::string_view key) {
  const Value& found = take(key);
  const auto* const result = std::get_if<std::string>(&found.content);
  if (result == nullptr) fail(key, "must be a string, not " + description(found));
  return *result;
}

std::vector<double> Section::numbers(std::string_view key, std::size_t count) {
  const auto* const array = std::get_if<Array>(&value(key).content);
  if (array == nullptr || array->size() != count)
    fail(key, filled("must be an array of {} {}, not {}", count, count == 1 ? "number" : "numbers",
                     description(value(key))));
  return numbers(key);
}

std::vector<double> Section::numbers(std::string_view key) {
  const Value& found = take(key);
  const auto* const array = std::get_if<Array>(&found.content);
  if (array == nullptr || array->empty()) fail(key, "must be an array of numbers, not " + description(found));
  std::vector<double> result;
  for (const Value& entry : *array)
    result.push_back(finite(key, entry, filled("entry [{}] ", result.size())));
  return result;
}

std::vector<std::vector<double>> Section::rows(std::string_view key, std::size_t width) {
  const Value& found = take(key);
  const auto* const rows = std::get_if<Array>(&found.content);
  if (rows == nullptr)
    fail(key, filled("must be an array of arrays of {} numbers, not {}", width, description(found)));
  std::vector<std::vector<double>> result(rows->size());
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto* const row = std::get_if<Array>(&(*rows)[i].content);
    if (row == nullptr || row->size() != width)
      fail(key,
           filled("entry [{}] must be an array of {} numbers, not {}", i, width, description((*rows)[i])));
    for (std::size_t j = 0; j < width; ++j)
      result[i].push_back(finite(key, (*row)[j], filled("entry [{}][{}] ", i, j)));
  }
  return result;
}

Matrix<double> Section::matrix(std::string_view key) {
  const auto* const array = std::get_if<Array>(&value(key).content);
  if (array == nullptr || array->size() != 3)
    fail(key, "must be a 3x3 matrix, not " + description(value(key)));
  const std::vector<std::vector<double>> found = rows(key, 3);
  Matrix<double> result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = found[i][j];
  return result;
}

bool Section::is_nested(std::string_view key) const {
  const auto* const array = std::get_if<Array>(&value(key).content);
  return array != nullptr && !array->empty() && std::holds_alternative<Array>(array->front().content);
}

std::string Section::text(const std::string& heading) const {
  std::string result = heading + "\n";
  for (const Entry& e : noted_) result += filled("{} = {}\n", e.key, toml_text(e.value));
  return result;
}

}  // namespace polhode::program
