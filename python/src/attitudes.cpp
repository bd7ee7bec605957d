// Attitudes as quaternions, and attitude messages of others, read.
#include "arrays.hpp"
#include "bindings.hpp"
#include "tables/attitude_message.hpp"

namespace polhode::python {

void bind_attitudes(py::module_& m) {
  m.def(
      "quaternions", [](py::handle attitude) { return attitude_rows(attitude).array; }, py::arg("attitude"),
      "Attitudes (..., 4), scalar first, of quaternions, rotation matrices or a scipy Rotation.");
  m.def(
      "read_attitude_message",
      [](const std::string& file) {
        const program::AttitudeMessage message = program::read_attitude_message(file);
        const auto count = static_cast<py::ssize_t>(message.times.size());
        Doubles times(count), attitudes(Shape{count, 4});
        std::copy(message.times.begin(), message.times.end(), times.mutable_data());
        double* to = attitudes.mutable_data();
        for (const Quaternion<double>& q : message.attitudes) to = std::copy(q.c.begin(), q.c.end(), to);
        return py::make_tuple(times, attitudes, message.labels.object_name, message.labels.space_frame,
                              message.labels.body_frame);
      },
      py::arg("file"), "Times, attitudes, and the names of the object and of the two frames.");
}

}  // namespace polhode::python
