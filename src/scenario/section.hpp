// One table of a scenario, read with every check that its values need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/arithmetic/vector.hpp"
#include "scenario/document.hpp"
#include "scenario/error.hpp"

namespace polhode::program {

/// Each value is asked for by key and type; a value of another type, not finite or missing is a ScenarioError.
/// What is asked for is noted, defaults included: the scenario as it is run.
class Section {
 public:
  Section(const Document& document, std::string name);

  /// Throws unless every key of the table is one of these.
  void allow(const std::vector<std::string>& keys) const;
  std::vector<std::string> keys() const;

  /// The table under the key as a section of its own; empty if there is none.
  Section table(std::string_view key) const;
  /// The tables of an array, each as a section that is named key[1], key[2]; none if there is no such key.
  std::vector<Section> tables(std::string_view key) const;
  /// The same of the document itself.
  static std::vector<Section> tables_of(const Document& document, const std::string& key);
  /// As messages name it: "method", "torque[0].orbit".
  const std::string& name() const { return name_; }
  /// What was asked for, defaults included.
  const Table& noted() const { return noted_; }

  bool has(std::string_view key) const { return find(table_, key) != nullptr; }
  const Value& value(std::string_view key) const;
  double number(std::string_view key);
  double positive(std::string_view key);
  std::int64_t integer(std::string_view key);
  /// The value of the key, or the default; either is noted.
  double number_or(std::string_view key, double otherwise);
  double positive_or(std::string_view key, double otherwise);
  std::int64_t integer_or(std::string_view key, std::int64_t smallest, std::int64_t otherwise);
  std::string string_or(std::string_view key, const std::string& otherwise);
  bool boolean(std::string_view key);
  std::string string(std::string_view key);
  std::vector<double> numbers(std::string_view key, std::size_t count);
  /// As many as there are, at least one.
  std::vector<double> numbers(std::string_view key);
  /// An array of any number of arrays, each of so many numbers.
  std::vector<std::vector<double>> rows(std::string_view key, std::size_t width);
  Vector<double> vector(std::string_view key);
  /// The same, but zero is refused.
  Vector<double> nonzero_vector(std::string_view key);
  Vector<double> nonzero_vector_or(std::string_view key, const Vector<double>& otherwise);
  Matrix<double> matrix(std::string_view key);
  /// Whether the value is an array of arrays.
  bool is_nested(std::string_view key) const;

  /// Notes a value that was not in the file: a default, or the number of steps of a duration.
  void note(std::string_view key, Value value) { assign(noted_, key, std::move(value)); }
  /// The section as it is run, in TOML, under that heading: "[method]".
  std::string text(const std::string& heading) const;
  std::string text() const { return text("[" + name_ + "]"); }

  [[noreturn]] void fail(std::string_view key, const std::string& reason) const;

 private:
  Section(const Document& document, std::string name, const Value* value);
  static std::vector<Section> tables_in(const Document& document, const std::string& path,
                                        const Value* value);
  const Value& take(std::string_view key);
  double finite(std::string_view key, const Value& value, const std::string& which) const;

  const Document* document_;
  std::string name_;
  Table table_;
  Table noted_;
};

/// Runs `make` and lays the blame for an InputError on the key.
template <class F>
auto blaming(const Section& section, std::string_view key, F make) -> decltype(make()) {
  try {
    return make();
  } catch (const ScenarioError&) {
    throw;
  } catch (const InputError& e) {
    section.fail(key, e.what());
  }
}

}  // namespace polhode::program
