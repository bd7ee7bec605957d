// MuJoCo 2: a free joint for each body; variants are its integrators "Euler" (the default), "implicit" and "RK4".
#include <mujoco/mujoco.h>

#include <unistd.h>
#include <cstdio>
#include <string>

#include "adapter.hpp"

namespace {

using namespace engines;

class MujocoWorld final : public World {
 public:
  MujocoWorld(double dt, std::string integrator) : dt_(dt), integrator_(std::move(integrator)) {}
  ~MujocoWorld() override {
    if (data_ != nullptr) mj_deleteData(data_);
    if (model_ != nullptr) mj_deleteModel(model_);
  }

  bool add(const KitBody& b) override {
    const Principal p(b);
    bodies_.push_back(b);
    principal_.push_back(p);
    // The model has to be compiled as a whole; of a world with one body it is seen now whether it is refused.
    if (bodies_.size() == 1 && !build()) return false;
    built_ = bodies_.size() == 1;
    return true;
  }
  void step(double) override {
    if (!built_) build();
    mj_step(model_, data_);
    // A state that has become too large is replaced by the initial one; that is a failure here.
    failed_ = failed_ || data_->warning[mjWARN_BADQPOS].number + data_->warning[mjWARN_BADQVEL].number +
                                 data_->warning[mjWARN_BADQACC].number >
                             0;
  }
  void get(std::size_t i, Vec& omega, Quat& q) override {
    const mjtNum* const p = data_->qpos + 7 * i + 3;
    const mjtNum* const w = data_->qvel + 6 * i + 3;
    q = principal_[i].attitude_to_kit({p[0], p[1], p[2], p[3]});
    omega = principal_[i].to_kit({w[0], w[1], w[2]});
    if (failed_) omega.fill(NAN);
  }

 private:
  bool build() {
    if (data_ != nullptr) mj_deleteData(data_);
    if (model_ != nullptr) mj_deleteModel(model_);
    data_ = nullptr;
    std::string xml =
        "<mujoco><size njmax='0' nconmax='0' nstack='8000000'/><option gravity='0 0 0' timestep='" +
        digits(dt_) + "' integrator='" + integrator_ + "'/><worldbody>";
    for (const Principal& p : principal_)
      xml += "<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='" + digits(p.moments[0]) + " " +
             digits(p.moments[1]) + " " + digits(p.moments[2]) + "'/></body>";
    xml += "</worldbody></mujoco>";
    const std::string file = "/tmp/polhode-mujoco-" + std::to_string(::getpid()) + ".xml";
    if (std::FILE* const stream = std::fopen(file.c_str(), "w")) {
      std::fputs(xml.c_str(), stream);
      std::fclose(stream);
    }
    char error[1000] = "";
    model_ = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
    std::remove(file.c_str());
    if (model_ == nullptr) {
      std::fprintf(stderr, "%s: %s\n", bodies_[0].name.c_str(), error);
      return false;
    }
    data_ = mj_makeData(model_);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Quat q = principal_[i].attitude_to_principal(bodies_[i].q);
      const Vec w = principal_[i].to_principal(bodies_[i].omega);
      for (std::size_t j = 0; j < 4; ++j) data_->qpos[7 * i + 3 + j] = q[j];
      for (std::size_t j = 0; j < 3; ++j) data_->qvel[6 * i + 3 + j] = w[j];
    }
    built_ = true;
    return true;
  }
  static std::string digits(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return text;
  }

  double dt_;
  std::string integrator_;
  bool built_ = false, failed_ = false;
  std::vector<KitBody> bodies_;
  std::vector<Principal> principal_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string integrator = argc > 3 ? argv[3] : "Euler";
  return run_engine([&](double dt) { return std::make_unique<MujocoWorld>(dt, integrator); }, argc, argv);
}
