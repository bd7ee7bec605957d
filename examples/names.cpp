// Names of the library that no other example uses, a line or two for each.
#include <cstdio>
#include <vector>

#include "polhode/polhode.hpp"

namespace {

using namespace polhode;

void rotations() {
  const Vector x(1.0, 0.0, 0.0), y(0.0, 1.0, 0.0);
  const Vector z = cross(x, y);
  const Quaternion<double> q =
      normalized(Quaternion<double>(1.0, 1.0, 0.0, 0.0));  // a quarter turn about axis 1
  const Matrix r = to_matrix(q);
  const Quaternion<double> same = attitude_from_matrix(r);
  const Matrix back = transpose(r);
  std::printf("z: %g, q0: %.6f %.6f, the matrix and its inverse: %g %g\n", z[2], q[0], same[0], r[2][1],
              back[2][1]);
}

void motions() {
  const Body body({1.0, 2.0, 3.0});
  const State<double> start{.momentum = {0.1, 2.0, 0.1}};
  const State<double> later = step(body, start, 0.5);

  FixedStepRotor<double> fixed(body, start, 0.5);  // constants computed once
  fixed.advance(1);
  std::printf("one step: %.12f, of a constant length: %.12f\n", later.momentum[1], fixed.state().momentum[1]);

  Rotor<Exact<double>, Summation::plain> plain(body, start);  // without compensation
  plain.advance(0.5, 1);
  Rotor<NamedMethod<double>> chosen(body, start, MethodChoice{"frb-quaternion", {{"quadrature", 5}}});
  chosen.advance(0.5, 1);
  std::printf("plain: %.12f, by Gauss nodes: %.9f\n", plain.state().momentum[1], chosen.state().momentum[1]);
  std::printf("the first method of %s: %s\n", method_descriptions().empty() ? "none" : "the list",
              std::string(method_descriptions().front().info.name).c_str());

  const TangentMap<double> map = tangent_map(body, start, 0.5);
  std::printf("d m2+/d m1: %.12f\n", map.momentum_by_momentum[1][0]);

  Batch batch(body, std::vector<State<double>>(100, start));
  batch.advance(0.5, 1);
  std::printf("a body of a batch: %.12f\n", batch.state(99).momentum[1]);

  try {
    const Body wrong({1.0, -2.0, 3.0});
  } catch (const InputError& error) {
    std::printf("refused: %s\n", error.what());
  }
}

void schemes_and_looks() {
  const splitting::LeadingError error = splitting::leading_error(scheme("strang"));
  std::printf("strang has order %d\n", error.order);

  // Any two flows: x' = p and p' = -x, ten steps of 0.1.
  struct Point {
    double x = 1.0, p = 0.0;
  } point;
  const auto flow = compose(
      scheme("rkn6-11"), 0.1, [](Point& a, double h) { a.x += h * a.p; },
      [](Point& a, double h) { a.p -= h * a.x; });
  flow(point, 10);
  std::printf("an oscillator: %.9f %.9f\n", point.x, point.p);

  const AlternatingField<double> field({0.0, 0.0, 1.0}, {0.0, 0.1, 0.0}, 2.0, 0.0, {0.0, 0.0, 1.0});
  auto dipole = driven(Body({1.0, 2.0, 3.0}), {.momentum = {0.1, 0.2, 1.0}}, field, scheme("rkn6-14"));
  dipole.advance(0.1, 10);
  const auto between = looking::at_time(dipole, 1.04);
  std::printf("between two steps: %.9f\n", between.state().attitude[0]);
}

void elliptic_functions() {
  using namespace polhode::elliptic;
  const auto half = Modulus<double>::from_squared(0.5);
  std::printf("K %.12f  E %.12f  Pi %.12f\n", complete_first(half), complete_second(half),
              complete_third(0.2, half));
  std::printf("F %.12f  Pi %.12f  am %.12f\n", incomplete_first(0.7, half), incomplete_third(0.7, 0.2, half),
              am(0.7, half));
  const JacobiFunctions<double> functions = jacobi(0.7, half);
  std::printf("sn %.12f cn %.12f dn %.12f\n", functions.sn, functions.cn, functions.dn);
  const AbelFunctions<double> three = abel(AbelModuli<double>{1.0, 0.5, 0.5}, 0.7);
  std::printf("S %.12f\n", three.s);
  std::printf("RF %.12f RC %.12f RJ %.12f RD %.12f\n", rf(1.0, 2.0, 3.0), rc(1.0, 2.0),
              rj(1.0, 2.0, 3.0, 4.0), rd(1.0, 2.0, 3.0));
}

}  // namespace

int main() {
  rotations();
  motions();
  schemes_and_looks();
  elliptic_functions();
  std::printf("more than ten schemes: %s, a version: %s\n", schemes.size() > 10 ? "yes" : "no",
              version.empty() ? "no" : "yes");
}
