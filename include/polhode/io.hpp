// Vectors, quaternions and states as text, with all digits that a double has.
#pragma once

#include <limits>
#include <ostream>

#include "polhode/body/motion.hpp"

namespace POLHODE_CORE {

namespace detail {

template <class Numbers>
void write_numbers(std::ostream& out, const Numbers& numbers) {
  const auto precision = out.precision(std::numeric_limits<double>::max_digits10);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    out << (i == 0 ? "" : " ") << static_cast<double>(numbers[i]);
  out.precision(precision);
}

}  // namespace detail

template <class T>
std::ostream& operator<<(std::ostream& out, const Vector<T>& v) {
  detail::write_numbers(out, v.c);
  return out;
}
template <class T>
std::ostream& operator<<(std::ostream& out, const Quaternion<T>& q) {
  detail::write_numbers(out, q.c);
  return out;
}
/// "momentum x y z attitude w x y z".
template <class T>
std::ostream& operator<<(std::ostream& out, const State<T>& s) {
  return out << "momentum " << s.momentum << " attitude " << s.attitude;
}
inline std::ostream& operator<<(std::ostream& out, const DoubleDouble& x) {
  return out << static_cast<double>(x);
}

}  // namespace POLHODE_CORE
