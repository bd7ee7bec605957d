// Conversions from and to Eigen, for programs that use it; Eigen is included here and nowhere else.
#pragma once

#include <Eigen/Geometry>

#include "polhode/body/motion.hpp"

namespace polhode::eigen {

/// A vector or a matrix of Eigen that shares the memory of ours; it lives no longer than ours does.
inline Eigen::Map<Eigen::Vector3d> map(Vector<double>& v) { return Eigen::Map<Eigen::Vector3d>(v.c.data()); }
inline Eigen::Map<const Eigen::Vector3d> map(const Vector<double>& v) {
  return Eigen::Map<const Eigen::Vector3d>(v.c.data());
}

inline Eigen::Vector3d to_eigen(const Vector<double>& v) { return map(v); }
inline Eigen::Matrix3d to_eigen(const Matrix<double>& m) {
  Eigen::Matrix3d result;
  for (int i = 0; i < 3; ++i) result.row(i) = map(m[static_cast<std::size_t>(i)]).transpose();
  return result;
}
/// Eigen stores the scalar part last, but its constructor takes it first, as we do.
inline Eigen::Quaterniond to_eigen(const Quaternion<double>& q) { return {q[0], q[1], q[2], q[3]}; }

inline Vector<double> from_eigen(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }
inline Matrix<double> from_eigen(const Eigen::Matrix3d& m) {
  Matrix<double> result;
  for (int i = 0; i < 3; ++i)
    result[static_cast<std::size_t>(i)] = from_eigen(Eigen::Vector3d(m.row(i).transpose()));
  return result;
}
inline Quaternion<double> from_eigen(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

}  // namespace polhode::eigen
