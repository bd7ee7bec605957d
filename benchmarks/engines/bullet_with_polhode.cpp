// polhode_step.h in Bullet's place for the gyroscopic term: a tumbling box that falls, and bounces and comes to rest on the floor.
//
// Bullet keeps what it is good at: forces, contacts, friction. Its own gyroscopic term is switched off. Before each step the omega of
// the body is set to that at the end of a free step, and the attitude is turned likewise, less the turn by the new omega that Bullet will
// make itself. What contacts change of omega during Bullet's step is then turned with it, as for any body.
//
// Printed: in free flight, the energy of the rotation after 10 s, by Bullet and by both; then the fall, with the height at which the
// box comes to rest.
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "polhode_step.h"

namespace {

constexpr btScalar step_length = btScalar(1) / 60;

struct Scene {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  btStaticPlaneShape floor_shape{btVector3(0, 0, 1), 0};
  btBoxShape box_shape{btVector3(btScalar(0.05), btScalar(0.2), btScalar(0.45))};  // the OSRF box, 10 kg
  btRigidBody floor{btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &floor_shape)};
  btVector3 inertia;
  btRigidBody* box;

  Scene(btScalar height, btScalar gravity, bool with_polhode) {
    world.setGravity(btVector3(0, 0, -gravity));
    floor.setFriction(btScalar(0.5));
    floor.setRestitution(btScalar(0.3));
    world.addRigidBody(&floor);
    box_shape.setMargin(btScalar(0.005));
    inertia = btVector3(btScalar(10 * (0.16 + 0.81) / 12), btScalar(10 * (0.01 + 0.81) / 12),
                        btScalar(10 * (0.01 + 0.16) / 12));
    btRigidBody::btRigidBodyConstructionInfo info(10, nullptr, &box_shape, inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(btVector3(0, 0, height));
    info.m_friction = btScalar(0.5);
    info.m_restitution = btScalar(0.3);
    box = new btRigidBody(info);
    box->setDamping(0, 0);
    box->setSleepingThresholds(0, 0);
    box->setAngularVelocity(btVector3(btScalar(0.1), 5, btScalar(0.1)));
    if (with_polhode) box->setFlags(0);
    world.addRigidBody(box);
  }
  ~Scene() {
    world.removeRigidBody(box);
    world.removeRigidBody(&floor);
    delete box;
  }

  /// All that an engine has to do: from the state before a step, the omega and the attitude that Bullet's own step needs.
  void free_step() {
    const btTransform now = box->getWorldTransform();
    const btQuaternion r = now.getRotation();
    const btVector3 w = now.getBasis().transpose() * box->getAngularVelocity();
    double omega[3] = {w.x(), w.y(), w.z()}, q[4] = {r.w(), r.x(), r.y(), r.z()};
    const double moments[3] = {inertia.x(), inertia.y(), inertia.z()};
    polhode_free_step(omega, q, moments, step_length);
    const btQuaternion after{btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])};
    const btVector3 new_omega =
        btTransform(after) * btVector3(btScalar(omega[0]), btScalar(omega[1]), btScalar(omega[2]));
    // Bullet will turn the body by new_omega for the step: that much is taken off.
    const btScalar angle = new_omega.length() * step_length;
    const btQuaternion turn =
        angle > 0 ? btQuaternion(new_omega.normalized(), angle) : btQuaternion::getIdentity();
    btTransform before = now;
    before.setRotation((turn.inverse() * after).normalized());
    box->setWorldTransform(before);
    box->setAngularVelocity(new_omega);
    box->updateInertiaTensor();
  }

  double rotation_energy() const {
    const btVector3 w = box->getWorldTransform().getBasis().transpose() * box->getAngularVelocity();
    return 0.5 * (inertia.x() * w.x() * w.x() + inertia.y() * w.y() * w.y() + inertia.z() * w.z() * w.z());
  }
  double energy() const {
    return rotation_energy() + 5 * box->getLinearVelocity().length2() +
           98.1 * box->getWorldTransform().getOrigin().z();
  }

  void advance(bool with_polhode, int steps) {
    for (int i = 0; i < steps; ++i) {
      if (with_polhode) free_step();
      world.stepSimulation(step_length, 0);
    }
  }
};

double attitude_error(const btRigidBody& box) {
  static const double exact[4] = {0.22516456341395737, -0.61992756249945278, -0.27702915068719350,
                                  0.69874572364031057};
  const btQuaternion q = box.getOrientation();
  const double along = std::fabs(q.w() * exact[0] + q.x() * exact[1] + q.y() * exact[2] + q.z() * exact[3]);
  double apart = 0;
  const double sign = q.w() * exact[0] + q.x() * exact[1] + q.y() * exact[2] + q.z() * exact[3] < 0 ? -1 : 1;
  const double given[4] = {q.w(), q.x(), q.y(), q.z()};
  for (int i = 0; i < 4; ++i) apart += (given[i] - sign * exact[i]) * (given[i] - sign * exact[i]);
  return along < 0.9 ? 2 * std::acos(along) : 2 * std::asin(std::fmin(1, std::sqrt(apart)));
}

}  // namespace

int main() {
  bool good = true;
  std::printf("free flight, 10 s at 60 Hz\n");
  for (const bool with_polhode : {false, true}) {
    Scene scene(100, 0, with_polhode);
    const double before = scene.rotation_energy();
    scene.advance(with_polhode, 600);
    const double energy = scene.rotation_energy() / before - 1, error = attitude_error(*scene.box);
    std::printf("  %-20s energy %+.1e, attitude wrong by %.1e rad\n",
                with_polhode ? "with polhode_step.h" : "Bullet", energy, error);
    if (with_polhode) good = good && std::fabs(energy) < 1e-12 && error < 1e-9;
  }
  std::printf("a fall of 3 m, restitution 0.3, friction 0.5\n");
  for (const bool with_polhode : {false, true}) {
    Scene scene(3, btScalar(9.81), with_polhode);
    const double before = scene.energy();
    double most = before;
    for (int i = 0; i < 1200; ++i) {
      scene.advance(with_polhode, 1);
      most = std::fmax(most, scene.energy());
    }
    const double height = scene.box->getWorldTransform().getOrigin().z(),
                 speed = scene.box->getAngularVelocity().length();
    std::printf(
        "  %-20s after 20 s: height %.3f m, omega %.1e rad/s; energy at most %.4f of that at the start\n",
        with_polhode ? "with polhode_step.h" : "Bullet", height, speed, most / before);
    // It lies on one of its faces, and no step has added energy (Bullet's own fall adds a little: its step is semi-implicit).
    const bool lies =
        std::fabs(height - 0.05) < 0.02 || std::fabs(height - 0.2) < 0.02 || std::fabs(height - 0.45) < 0.02;
    good = good && lies && speed < 0.05 && most < 1.02 * before;
  }
  if (!good) std::printf("this is not what was expected\n");
  return good ? 0 : 1;
}
