// polhode_step.h and the formulas of engines, as if they were engines: variants "double", "float", and the names of the methods.
#include <cstring>

#include "adapter.hpp"
#include "polhode/body/body.hpp"
#include "polhode/free_motion/engine_formulas.hpp"

namespace {

using namespace engines;

class DoubleWorld final : public World {
 public:
  bool add(const KitBody& b) override {
    const auto& [xx, yy, zz, xy, xz, yz] = b.inertia;
    const double tensor[9] = {xx, xy, xz, xy, yy, yz, xz, yz, zz};
    One one{{}, b.omega, b.q, xy == 0 && xz == 0 && yz == 0};
    if (polhode_prepare(&one.body, tensor) == 0) return false;
    bodies_.push_back(one);
    return true;
  }
  void step(double dt) override {
    for (One& b : bodies_)
      if (b.principal)
        polhode_free_step(b.omega.data(), b.q.data(), b.body.moments, dt);
      else
        polhode_tensor_step(b.omega.data(), b.q.data(), &b.body, dt);
  }
  void get(std::size_t i, Vec& omega, Quat& q) override { omega = bodies_[i].omega, q = bodies_[i].q; }

 private:
  struct One {
    polhode_tensor body;
    Vec omega;
    Quat q;
    bool principal;
  };
  std::vector<One> bodies_;
};

class FloatWorld final : public World {
 public:
  bool add(const KitBody& b) override {
    const Principal p(b);
    const Vec omega = p.to_principal(b.omega);
    const Quat q = p.attitude_to_principal(b.q);
    One one{};
    for (std::size_t i = 0; i < 3; ++i) one.omega[i] = float(omega[i]), one.moments[i] = float(p.moments[i]);
    for (std::size_t i = 0; i < 4; ++i) one.q[i] = float(q[i]);
    bodies_.push_back(one);
    principal_.push_back(p);
    return true;
  }
  void step(double dt) override {
    for (One& b : bodies_) polhode_free_stepf(b.omega, b.q, b.moments, float(dt));
  }
  void get(std::size_t i, Vec& omega, Quat& q) override {
    const One& b = bodies_[i];
    omega = principal_[i].to_kit({b.omega[0], b.omega[1], b.omega[2]});
    q = principal_[i].attitude_to_kit({b.q[0], b.q[1], b.q[2], b.q[3]});
  }

 private:
  struct One {
    float omega[3], q[4], moments[3];
  };
  std::vector<One> bodies_;
  std::vector<Principal> principal_;
};

/// A method of polhode; the frame is that of ascending moments.
template <template <class> class Method>
class MethodWorld final : public World {
 public:
  bool add(const KitBody& b) override {
    using namespace polhode;
    const auto& [xx, yy, zz, xy, xz, yz] = b.inertia;
    const Body<double> body(Matrix<double>{{{xx, xy, xz}}, {{xy, yy, yz}}, {{xz, yz, zz}}});
    const Vector<double> momentum(xx * b.omega[0] + xy * b.omega[1] + xz * b.omega[2],
                                  xy * b.omega[0] + yy * b.omega[1] + yz * b.omega[2],
                                  xz * b.omega[0] + yz * b.omega[1] + zz * b.omega[2]);
    auto start =
        convert<double>(body.to_principal(State<double>{momentum, {b.q[0], b.q[1], b.q[2], b.q[3]}}));
    for (double& x : start.momentum.c) x = std::ldexp(x, -body.inertia_exponent());
    methods_.emplace_back(body.inertia());
    motions_.emplace_back(start);
    bodies_.push_back(body);
    return true;
  }
  void step(double dt) override {
    for (std::size_t i = 0; i < motions_.size(); ++i) methods_[i].step(motions_[i], dt);
  }
  void get(std::size_t i, Vec& omega, Quat& q) override {
    using namespace polhode;
    const auto m = motions_[i].momentum();
    const auto& moments = bodies_[i].inertia().moments;
    const Vector<double> w(m[0] / moments[0], m[1] / moments[1], m[2] / moments[2]);
    const auto user = convert<double>(bodies_[i].to_user(convert<DoubleDouble>(w)));
    const auto attitude = normalized(motions_[i].attitude() * convert<double>(bodies_[i].turn()));
    for (std::size_t j = 0; j < 3; ++j) omega[j] = user[j];
    for (std::size_t j = 0; j < 4; ++j) q[j] = attitude[j];
  }

 private:
  std::vector<Method<double>> methods_;
  std::vector<polhode::core::Motion<double, polhode::Summation::plain>> motions_;
  std::vector<polhode::Body<double>> bodies_;
};

template <class W>
int run(int argc, char** argv, int digits = 17) {
  return run_engine([](double) { return std::make_unique<W>(); }, argc, argv, digits);
}

}  // namespace

int main(int argc, char** argv) {
  namespace methods = polhode::methods;
  const std::string variant = argc > 3 ? argv[3] : "double";
  if (variant == "double") return run<DoubleWorld>(argc, argv);
  if (variant == "float") return run<FloatWorld>(argc, argv, 9);
  if (variant == "explicit-euler") return run<MethodWorld<methods::ExplicitEuler>>(argc, argv);
  if (variant == "momentum-kept") return run<MethodWorld<methods::MomentumKept>>(argc, argv);
  if (variant == "implicit-euler") return run<MethodWorld<methods::ImplicitEuler>>(argc, argv);
  if (variant == "implicit-midpoint") return run<MethodWorld<methods::ImplicitMidpoint>>(argc, argv);
  std::fprintf(stderr, "there is no variant %s\n", variant.c_str());
  return 2;
}
