// The bodies of [CS06], by each of the methods that are compared there.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "polhode/body/motion.hpp"
#include "reproduce/experiment.hpp"

namespace polhode::program::experiments {

/// A body whose initial attitude is the identity. The heavy top has the field (0, 0, 1) and its centre of mass at e3:
/// m' = m x w + u x e3, u' = u x w, H = m.w/2 + u3.
struct Top {
  Vector<double> moments;
  Vector<double> angular_velocity;
  bool heavy = true;

  Vector<double> momentum() const;
};

/// A top in motion by some method.
class TopMotion {
 public:
  virtual ~TopMotion() = default;
  virtual void advance(double h, std::int64_t count) = 0;
  virtual double energy_error() const = 0;  ///< since the beginning, computed in extended precision
  virtual Vector<double> angular_velocity() const = 0;
  virtual Vector<double> vertical() const = 0;   ///< u, the path of the centre of mass as [CS06] draws it
  virtual std::int64_t evaluations() const = 0;  ///< of the torque
};

/// Free: exact, jacobi-kept (elliptic functions as [CS06] prints them), frb-quaternion (the same with constants computed anew in
/// each step), mr, rk4. Heavy: sej, mr, rk4; strang-magnus4, strang-exact (SEJ with a better free motion), aba-8-6-4.
std::unique_ptr<TopMotion> make_top_motion(std::string_view method, const Top& top);

/// Energy errors after each of so many steps.
std::vector<double> energy_errors(std::string_view method, const Top& top, double h, std::int64_t steps);

Style method_style(std::string_view method, int mark = 0);

/// Error against cost over [0, 1], the three figures of this kind being alike.
struct WorkPrecision {
  std::string name, reference, title, setting;
  Top top;
  std::vector<std::string> methods;
  std::function<std::vector<Claim>(const std::vector<std::vector<double>>& errors,
                                   const std::vector<std::vector<double>>& seconds)>
      judge;  ///< [method][number of doublings of the steps]
};
Experiment work_precision(const WorkPrecision& what, Scale scale);

/// The least time in which a method gets below an error, or infinity.
double cost_of(double error, const std::vector<double>& errors, const std::vector<double>& seconds);

}  // namespace polhode::program::experiments
