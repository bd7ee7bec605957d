// The methods for systems in coordinates, with their options.
#include "polhode/constrained/multistep_methods.hpp"
#include "systems/coordinates/coordinates.hpp"

namespace polhode::program {

namespace {

MethodOption precision_option() {
  return {"precision", 0, 0, "in what the state is carried", {"compensated", "double", "double-double"}};
}

MethodOption iterations_option() {
  return {"max_iterations", 1, 10000, "after so many iterations without an end the run fails"};
}

std::vector<MethodOption> iteration_options() {
  return {
      {"constraint",
       0,
       0,
       "how the constraints are evaluated: at the position with its rounding error, exactly (accurate) or in "
       "double-double (wide), or at the rounded position (standard)",
       {"accurate", "standard", "wide"}},
      {"extrapolation", 0, 3, "the degree by which the past multipliers are continued to a first guess"},
      {"stopping", 0, 0, "when an iteration ends", {"convergence", "tolerance"}},
      {.name = "tolerance",
       .meaning = "of the last increment of the position, with stopping = \"tolerance\"",
       .example = "1e-15"},
      {.name = "apply_last",
       .meaning = "whether the increment below the tolerance is applied",
       .example = "true"},
      iterations_option()};
}

void append(std::vector<MethodOption>& to, const std::vector<MethodOption>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

std::vector<MethodOption> multistep_options(bool constrained) {
  std::vector<MethodOption> options{
      precision_option(),
      {"force_sum",
       0,
       0,
       "of precision = \"compensated\": without rounding errors, or as in section 2.3 of Console and Hairer",
       {"error-free", "rounded"}},
      {"form", 0, 0, "on the staggered grid, or the sums of the method as printed", {"staggered", "naive"}}};
  if (constrained) {
    options.push_back({"multipliers",
                       0,
                       0,
                       "how the multipliers are found; in closed form where each constraint is a sphere",
                       {"closed-form", "newton"}});
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
                  "that of Console and "
                  "Hairer, of order 8",
                  0,
                  true,
                  {{.name = "roots", .meaning = "the numbers a", .example = "[-0.8, -0.4, 0.7]"}}};
  own.order_rule = "2 roots + 2";
  append(own.options, options);
  result.push_back(own);

  std::vector<MethodOption> stages{precision_option()};
  if (constrained)
    append(stages, iteration_options());
  else
    stages.push_back(iterations_option());
  result.push_back({"rattle", constrained ? "RATTLE" : "the Stormer-Verlet method", 2, true, stages});
  MethodEntry lobatto{
      "lobatto", "the Lobatto IIIA-IIIB pair", 0, true, {{"stages", 2, 4, "the number of stages"}}};
  lobatto.order_rule = "2 stages - 2";
  append(lobatto.options, stages);
  result.push_back(lobatto);
  if (!constrained) {
    MethodEntry gauss{"gauss",
                      "the symplectic Runge-Kutta method of Gauss, iterated until nothing changes",
                      0,
                      true,
                      {{"stages", 1, 8, "the number of stages"}, precision_option(), iterations_option()}};
    gauss.order_rule = "2 stages";
    result.push_back(gauss);
  }
  return result;
}

}  // namespace

std::vector<MethodEntry> unconstrained_methods() { return methods(false); }
std::vector<MethodEntry> constrained_methods() { return methods(true); }

}  // namespace polhode::program
