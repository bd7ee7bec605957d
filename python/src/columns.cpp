#include "columns.hpp"

#include <algorithm>

#include "gil.hpp"

namespace polhode::python {

Columns::Columns(std::vector<program::Quantity> quantities, std::int64_t rows, program::Recorder* also)
    : quantities_(std::move(quantities)), also_(also) {
  for (const program::Quantity& q : quantities_) {
    Shape shape{static_cast<py::ssize_t>(rows)};
    if (!q.is_number()) shape.push_back(static_cast<py::ssize_t>(q.size));
    arrays_.emplace_back(shape);
    next_.push_back(arrays_.back().mutable_data());
  }
}

void Columns::record(std::span<const double> row) {
  const double* from = row.data();
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    next_[i] = std::copy_n(from, quantities_[i].size, next_[i]);
    from += quantities_[i].size;
  }
  ++rows_;
  if (also_ != nullptr) also_->record(row);
}

py::dict Columns::arrays() const {
  py::dict result;
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    const bool full = arrays_[i].shape(0) == rows_;
    result[py::str(quantities_[i].name)] =
        full ? py::object(arrays_[i]) : called(arrays_[i][py::slice(0, rows_, 1)].attr("copy"));
  }
  return result;
}

}  // namespace polhode::python
