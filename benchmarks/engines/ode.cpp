// The Open Dynamics Engine. Its bodies have a gyroscopic term by default; the other variant, "finite", is its finite rotation of the attitude.
#include <ode/ode.h>

#include <cstring>

#include "adapter.hpp"

namespace {

using namespace engines;

class OdeWorld final : public World {
 public:
  explicit OdeWorld(bool finite) : finite_(finite), world_(dWorldCreate()) {}
  ~OdeWorld() override { dWorldDestroy(world_); }

  bool add(const KitBody& b) override {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    const auto& i = b.inertia;
    dMassSetParameters(&mass, 1, 0, 0, 0, i[0], i[1], i[2], i[3], i[4], i[5]);
    dBodySetMass(body, &mass);
    dBodySetQuaternion(body, b.q.data());
    dBodySetFiniteRotationMode(body, finite_ ? 1 : 0);
    const Vec omega = rotate(b.q, b.omega);
    dBodySetAngularVel(body, omega[0], omega[1], omega[2]);
    bodies_.push_back(body);
    return true;
  }
  void step(double dt) override { dWorldStep(world_, dt); }
  void get(std::size_t i, Vec& omega, Quat& q) override {
    const dReal* const r = dBodyGetQuaternion(bodies_[i]);
    const dReal* const w = dBodyGetAngularVel(bodies_[i]);
    q = {r[0], r[1], r[2], r[3]};
    omega = rotate(conjugate(q), {w[0], w[1], w[2]});
  }

 private:
  bool finite_;
  dWorldID world_;
  std::vector<dBodyID> bodies_;
};

}  // namespace

int main(int argc, char** argv) {
  dInitODE2(0);
  const bool finite = argc > 3 && std::strcmp(argv[3], "finite") == 0;
  const int status = run_engine([finite](double) { return std::make_unique<OdeWorld>(finite); }, argc, argv);
  dCloseODE();
  return status;
}
