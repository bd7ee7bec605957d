// DART: a skeleton of one free joint for each body, semi-implicit Euler in generalized coordinates.
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>

#include "adapter.hpp"

namespace {

using namespace engines;
using namespace dart;

class DartWorld final : public engines::World {
 public:
  explicit DartWorld(double dt) : world_(simulation::World::create()) {
    world_->setGravity(Eigen::Vector3d::Zero());
    world_->setTimeStep(dt);
  }

  bool add(const KitBody& b) override {
    auto skeleton = dynamics::Skeleton::create("body" + std::to_string(bodies_.size()));
    auto [joint, node] = skeleton->createJointAndBodyNodePair<dynamics::FreeJoint>();
    const auto& i = b.inertia;
    node->setInertia(dynamics::Inertia(1.0, Eigen::Vector3d::Zero(), moment(i)));
    Eigen::Isometry3d start = Eigen::Isometry3d::Identity();
    start.linear() = Eigen::Quaterniond(b.q[0], b.q[1], b.q[2], b.q[3]).toRotationMatrix();
    joint->setPositions(dynamics::FreeJoint::convertToPositions(start));
    joint->setAngularVelocity(Eigen::Vector3d(b.omega[0], b.omega[1], b.omega[2]), dynamics::Frame::World(),
                              node);
    world_->addSkeleton(skeleton);
    bodies_.push_back(node);
    return true;
  }
  void step(double) override { world_->step(); }
  void get(std::size_t i, Vec& omega, Quat& q) override {
    const Eigen::Quaterniond r(bodies_[i]->getWorldTransform().linear());
    const Eigen::Vector3d w = bodies_[i]->getAngularVelocity(dynamics::Frame::World(), bodies_[i]);
    q = {r.w(), r.x(), r.y(), r.z()};
    omega = {w[0], w[1], w[2]};
  }

 private:
  static Eigen::Matrix3d moment(const std::array<double, 6>& i) {
    Eigen::Matrix3d m;
    m << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
    return m;
  }

  simulation::WorldPtr world_;
  std::vector<dynamics::BodyNode*> bodies_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_engine([](double dt) { return std::make_unique<DartWorld>(dt); }, argc, argv);
}
