// Bullet: the gyroscopic term is implicit Euler with one step of Newton's method in the body frame, the default of its rigid bodies.
#include <btBulletDynamicsCommon.h>

#include "adapter.hpp"

namespace {

using namespace engines;

class BulletWorld final : public World {
 public:
  BulletWorld()
      : dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity(btVector3(0, 0, 0));
  }
  ~BulletWorld() override {
    for (const auto& b : bodies_) world_.removeRigidBody(b.get());
  }

  bool add(const KitBody& b) override {
    const Principal p(b);
    const Quat q = p.attitude_to_principal(b.q);
    const Vec omega = rotate(b.q, b.omega);
    btRigidBody::btRigidBodyConstructionInfo info(
        1, nullptr, &shape_, btVector3(scalar(p.moments[0]), scalar(p.moments[1]), scalar(p.moments[2])));
    info.m_linearDamping = info.m_angularDamping = 0;
    info.m_startWorldTransform =
        btTransform(btQuaternion(scalar(q[1]), scalar(q[2]), scalar(q[3]), scalar(q[0])));
    auto body = std::make_unique<btRigidBody>(info);
    body->setAngularVelocity(btVector3(scalar(omega[0]), scalar(omega[1]), scalar(omega[2])));
    body->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(body.get(), 1, 0);  // meets nothing
    bodies_.push_back(std::move(body));
    principal_.push_back(p);
    return true;
  }
  void step(double dt) override { world_.stepSimulation(scalar(dt), 0); }
  void get(std::size_t i, Vec& omega, Quat& q) override {
    const btQuaternion r = bodies_[i]->getOrientation();
    const btVector3 w = bodies_[i]->getAngularVelocity();
    q = principal_[i].attitude_to_kit({r.w(), r.x(), r.y(), r.z()});
    omega = rotate(conjugate(q), {w.x(), w.y(), w.z()});
  }

 private:
  static btScalar scalar(double x) { return static_cast<btScalar>(x); }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btSphereShape shape_{btScalar(0.5)};
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<Principal> principal_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_engine([](double) { return std::make_unique<BulletWorld>(); }, argc, argv,
                    sizeof(btScalar) == 4 ? 9 : 17);
}
