// Claims: what a paper says, what was measured, and the two results of each.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace polhode::program {

/// Whether a claim holds as the paper prints it.
enum class AsPrinted { holds, within_a_factor, does_not_hold, not_comparable };

/// As verdict.json has it: "holds", "within a factor", "does not hold", "not comparable".
std::string name_of(AsPrinted result);

/// A claim has a regression bound of ours, tight around what does hold, which decides the exit status. A claim of a paper has a second
/// result: whether it holds as printed. A claim without one is ours.
struct Claim {
  std::string claim;
  std::string paper;     ///< what the paper says
  std::string measured;  ///< what was found
  std::string bound;     ///< what had to be found
  bool pass = false;     ///< whether it was
  double value = 0;      ///< the number that was found
  std::optional<AsPrinted> as_printed{};
  double factor = 1;  ///< by which the print is missed, where it is

  /// The paper prints a number between low and high (infinite where it names one side only). A number that misses by at most
  /// `largest` is within a factor, one farther off does not hold.
  Claim printed(double low, double high, double largest = 10) const;
  Claim printed_at_most(double high, double largest = 10) const;
  Claim printed_at_least(double low, double largest = 10) const;
  /// The paper prints a statement without a number.
  Claim printed_as(bool holds) const;
  /// The paper's figure is one of its program or machine, or lacks what it depends on; docs/errata.md says which.
  Claim not_comparable() const;

  /// "holds", "within a factor of 2.5", ...; "ours" for claims of our own.
  std::string printed_text() const;
};

/// "1.25e-17": three digits are what a claim needs.
std::string brief(double x);

/// Passes if measured <= bound. What is not a number passes nothing.
Claim at_most(std::string claim, std::string paper, double measured, double bound,
              const std::string& unit = "");
Claim at_least(std::string claim, std::string paper, double measured, double bound,
               const std::string& unit = "");
Claim between(std::string claim, std::string paper, double measured, double low, double high,
              const std::string& unit = "");

bool all_pass(const std::vector<Claim>& claims);

/// How many claims keep their bounds, how many were published, and what became of these.
struct ClaimCount {
  std::size_t claims = 0, passed = 0, printed = 0;
  std::array<std::size_t, 4> as_printed{};  ///< in the order of AsPrinted

  void add(const std::vector<Claim>& more);
  /// "of 5 published claims 3 hold as printed, 1 within a factor, 1 does not, 0 cannot be compared"
  std::string printed_text() const;
};

}  // namespace polhode::program
