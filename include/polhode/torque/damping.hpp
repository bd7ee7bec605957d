// The damping of a body by what is around it: a torque -C omega, or -C (omega - that of a medium that turns).
#pragma once

#include "polhode/body/diagonalize.hpp"
#include "polhode/torque/actions.hpp"

namespace POLHODE_CORE {

/// The torque -C (omega - omega_f), in the user's frame. C is a number, three numbers on the axes, or a symmetric matrix,
/// positive semidefinite. omega_f is the angular velocity of the medium in space: of the atmosphere, or of a field that
/// induces eddy currents; zero unless it is given. Throws InputError.
template <Scalar T = double>
class Damping {
 public:
  using W = Wide<T>;

  explicit Damping(const T& coefficient, const Vector<T>& medium = {})
      : Damping(Vector<T>{coefficient, coefficient, coefficient}, medium) {}
  explicit Damping(const Vector<T>& coefficients, const Vector<T>& medium = {})
      : Damping(diagonal(coefficients), medium) {}
  explicit Damping(const Matrix<T>& matrix, const Vector<T>& medium = {})
      : matrix_(examined(matrix)), medium_(medium) {
    for (const T& x : medium.c)
      if (!isfinite(x)) throw InputError("the angular velocity of the medium is not a finite number");
  }

  void act(Actions<T>& actions) const {
    const Matrix<W>& axes = actions.body().axes();
    actions.add_damping(axes * matrix_ * transpose(axes), medium_);
  }

 private:
  static Matrix<T> diagonal(const Vector<T>& c) {
    Matrix<T> result;
    for (std::size_t i = 0; i < 3; ++i) {
      if (c[i] < T(0)) throw InputError("a coefficient of the damping is negative");
      result[i][i] = c[i];
    }
    return result;
  }

  static Matrix<W> examined(const Matrix<T>& c) {
    T largest(0);
    for (const auto& row : c.rows) {
      for (const T& x : row.c) {
        if (!isfinite(x)) throw InputError("a coefficient of the damping is not a finite number");
        if (largest < abs(x)) largest = abs(x);
      }
    }
    Matrix<W> symmetric;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        if (abs(c[i][j] - c[j][i]) > T(64) * ScalarTraits<T>::epsilon() * largest)
          throw InputError("the matrix of the damping is not symmetric");
        symmetric[i][j] = (W(c[i][j]) + W(c[j][i])) / W(2);
      }
    }
    const Vector<W> values = diagonalize(symmetric).values;
    for (const W& value : values.c)
      if (value < -W(64) * W(ScalarTraits<T>::epsilon()) * W(largest))
        throw InputError("the matrix of the damping is not positive semidefinite: it would drive the body");
    return symmetric;
  }

  Matrix<W> matrix_;
  Vector<T> medium_;
};

Damping(double)->Damping<double>;
Damping(double, const Vector<double>&)->Damping<double>;
Damping(const Vector<double>&)->Damping<double>;
Damping(const Vector<double>&, const Vector<double>&)->Damping<double>;
Damping(const Matrix<double>&)->Damping<double>;
Damping(const Matrix<double>&, const Vector<double>&)->Damping<double>;

}  // namespace POLHODE_CORE

namespace polhode::torques {
using core::Damping;
}  // namespace polhode::torques
