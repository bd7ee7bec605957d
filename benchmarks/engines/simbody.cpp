// Simbody: free mobilizers with quaternions, by the integrator that its manual recommends, Runge-Kutta-Merson, at a fixed step; the variant "euler" is
// its semi-explicit Euler, of the kind that games use.
#include <Simbody.h>

#include <cstring>
#include <exception>

#include "adapter.hpp"

namespace {

using namespace SimTK;
namespace ours = engines;

class SimbodyWorld final : public ours::World {
 public:
  SimbodyWorld(double dt, bool euler) : matter_(system_), dt_(dt), euler_(euler) {}

  bool add(const ours::KitBody& b) override {
    try {
      const auto& i = b.inertia;
      // Its own test, which it leaves out where it was compiled without assertions.
      if (!Inertia::isValidInertiaMatrix(SymMat33(i[0], i[3], i[1], i[4], i[5], i[2]))) return false;
      const Body::Rigid rigid(MassProperties(1, Vec3(0), Inertia(i[0], i[1], i[2], i[3], i[4], i[5])));
      const MobilizedBody::Free body(matter_.Ground(), Transform(), rigid, Transform());
      indices_.push_back(body.getMobilizedBodyIndex());
      bodies_.push_back(b);
    } catch (const std::exception&) {
      return false;
    }
    return true;
  }
  void step(double) override {
    if (!integrator_) start();
    time_ += 1;
    integrator_->stepTo(time_ * dt_);
  }
  void get(std::size_t i, ours::Vec& omega, ours::Quat& q) override {
    const State& state = integrator_->getState();
    system_.realize(state, Stage::Velocity);
    const MobilizedBody& body = matter_.getMobilizedBody(indices_[i]);
    const Quaternion r = body.getBodyRotation(state).convertRotationToQuaternion();
    const Vec3 w = body.getBodyAngularVelocity(state);
    q = {r[0], r[1], r[2], r[3]};
    omega = ours::rotate(ours::conjugate(q), {w[0], w[1], w[2]});
  }

 private:
  void start() {
    system_.realizeTopology();
    State state = system_.getDefaultState();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const ours::KitBody& b = bodies_[i];
      const MobilizedBody& body = matter_.getMobilizedBody(indices_[i]);
      body.setQToFitRotation(state, Rotation(Quaternion(b.q[0], b.q[1], b.q[2], b.q[3])));
      const ours::Vec w = ours::rotate(b.q, b.omega);
      system_.realize(state, Stage::Position);
      body.setUToFitAngularVelocity(state, Vec3(w[0], w[1], w[2]));
    }
    if (euler_)
      integrator_ = std::make_unique<SemiExplicitEulerIntegrator>(system_, dt_);
    else
      integrator_ = std::make_unique<RungeKuttaMersonIntegrator>(system_);
    if (!euler_) integrator_->setFixedStepSize(dt_);
    integrator_->initialize(state);
  }

  MultibodySystem system_;
  SimbodyMatterSubsystem matter_;
  double dt_;
  bool euler_;
  long time_ = 0;
  std::vector<ours::KitBody> bodies_;
  std::vector<MobilizedBodyIndex> indices_;
  std::unique_ptr<Integrator> integrator_;
};

}  // namespace

int main(int argc, char** argv) {
  const bool euler = argc > 3 && std::strcmp(argv[3], "euler") == 0;
  return engines::run_engine([euler](double dt) { return std::make_unique<SimbodyWorld>(dt, euler); }, argc,
                             argv);
}
