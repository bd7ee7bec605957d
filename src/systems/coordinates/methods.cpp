// The methods for systems in coordinates, with their options.
#include "polhode/constrained/multistep_methods.hpp"
#include "systems/coordinates/coordinates.hpp"

namespace polhode::program {

namespace {

MethodOption precision_option() {
  return MethodOption::choice("precision", {"compensated", "double", "double-double"},
                              "in what the state is carried");
}

MethodOption iterations_option(int otherwise) {
  return MethodOption::integer("max_iterations", 1, 10000, otherwise,
                               "after so many iterations without an end the run fails");
}

std::vector<MethodOption> iteration_options() {
  return {
      MethodOption::choice("constraint", {"accurate", "standard", "wide"},
                           "how the constraints are evaluated: at the position with its rounding error, "
                           "exactly (accurate) or in "
                           "double-double (wide), or at the rounded position (standard)"),
      MethodOption::integer("extrapolation", 0, 3, 3,
                            "the degree by which the past multipliers are continued to a first guess; with "
                            "constraint = \"standard\" the default is 1"),
      MethodOption::choice("stopping", {"convergence", "tolerance"}, "when an iteration ends"),
      {"tolerance", "of the last increment of the position, with stopping = \"tolerance\"", {1e-15}},
      {"apply_last", "whether the increment below the tolerance is applied", {true}},
      iterations_option(MultiplierOptions{}.max_iterations)};
}

void append(std::vector<MethodOption>& to, const std::vector<MethodOption>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

std::vector<MethodOption> multistep_options(bool constrained) {
  std::vector<MethodOption> options{
      precision_option(),
      MethodOption::choice("force_sum", {"error-free", "rounded"},
                           "of precision = \"compensated\": without rounding errors, or as in section 2.3 of "
                           "Console and Hairer"),
      MethodOption::choice(
          "form", {"staggered", "naive", "summed"},
          "velocities on the staggered grid, the sums of the method as printed, or first and "
          "second sums of accelerations"),
      MethodOption::choice("compensation", {"both", "position", "momentum"},
                           "which of the two sums carries its rounding errors, with force_sum = \"rounded\" "
                           "or form = \"summed\""),
      MethodOption::choice("momentum_formula", {"wide", "staggered", "differences"},
                           "how the momentum that is shown is computed: from velocities in double-double, or "
                           "in the precision of the forces from velocities (staggered) or positions "
                           "(differences)"),
      MethodOption::choice("start", {"extrapolation", "gauss"},
                           "how the starting values are computed: by extrapolation, or by a Gauss method of "
                           "order 16")};
  if (constrained) {
    options.push_back(MethodOption::choice(
        "multipliers", {"closed-form", "newton"},
        "how the multipliers are found; in closed form where each constraint is a sphere"));
    append(options, iteration_options());
  }
  return options;
}

std::vector<MethodEntry> methods(bool constrained) {
  std::vector<MethodEntry> result;
  const std::vector<MethodOption> options = multistep_options(constrained);
  for (const MultistepMethod& m : multistep_methods) {
    if (constrained && !m.table.stable_with_constraints()) continue;
    result.push_back({std::string(m.name), std::string(m.summary), m.table.order(), true, options});
  }
  MethodEntry own{"multistep",
                  "the symmetric multistep method with rho = (z - 1)^2 prod (z^2 + 2 a z + 1); without roots "
                  "that of Console and Hairer, of order 8",
                  0,
                  true,
                  {{"roots", "the numbers a", {Array{{-0.8}, {-0.4}, {0.7}}}}},
                  "2 roots + 2"};
  append(own.options, options);
  result.push_back(own);

  std::vector<MethodOption> common{precision_option()};
  if (constrained)
    append(common, iteration_options());
  else
    common.push_back(iterations_option(50));
  result.push_back({"rattle", constrained ? "RATTLE" : "the Stormer-Verlet method", 2, true, common});
  const std::string stages = "the number of stages";
  MethodEntry lobatto{"lobatto",
                      "the Lobatto IIIA-IIIB pair",
                      0,
                      true,
                      {MethodOption::integer("stages", 2, 4, 3, stages)},
                      "2 stages - 2"};
  append(lobatto.options, common);
  result.push_back(lobatto);
  if (!constrained)
    result.push_back(
        {"gauss",
         "the symplectic Runge-Kutta method of Gauss, iterated until nothing changes",
         0,
         true,
         {MethodOption::integer("stages", 1, 8, 6, stages), precision_option(), iterations_option(100)},
         "2 stages"});
  return result;
}

}  // namespace

std::vector<MethodEntry> unconstrained_methods() { return methods(false); }
std::vector<MethodEntry> constrained_methods() { return methods(true); }

}  // namespace polhode::program
