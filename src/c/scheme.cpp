#include "scheme.hpp"

#include <limits>
#include <vector>

#include "boundary.hpp"

using namespace polhode::c;

namespace {

std::vector<Decimal> read_coefficients(const double* list, std::int64_t count, const char* name) {
  require(count >= 0, "the number of coefficients is negative");
  // More are slips of the pen; so many take a second to examine.
  require(count <= 1000, "a scheme has at most 1000 coefficients of each kind");
  if (count > 0) require_pointer(list, name);
  return {list, list + count};
}

}  // namespace

int polhode_scheme_named(const char* name, polhode_scheme** scheme) {
  return guarded([&] {
    require_pointer(name, "name");
    require_pointer(scheme, "scheme");
    *scheme = new polhode_scheme{OwnScheme(polhode::scheme(name))};
  });
}

int polhode_scheme_own(const double* a, int64_t a_count, const double* b, int64_t b_count,
                       polhode_scheme** scheme) {
  return guarded([&] {
    require_pointer(scheme, "scheme");
    *scheme =
        new polhode_scheme{OwnScheme(read_coefficients(a, a_count, "a"), read_coefficients(b, b_count, "b"))};
  });
}

void polhode_scheme_free(polhode_scheme* scheme) { delete scheme; }

int polhode_scheme_figures(const polhode_scheme* scheme, int* order, int64_t* kicks,
                           double* effective_error) {
  return guarded([&] {
    require_pointer(scheme, "scheme");
    require_pointer(order, "order");
    require_pointer(kicks, "kicks");
    require_pointer(effective_error, "effective_error");
    const LeadingError error = leading_error(scheme->scheme);
    *order = error.order;
    *kicks = static_cast<std::int64_t>(scheme->scheme->stages());
    *effective_error = error.effective.value_or(std::numeric_limits<double>::quiet_NaN());
  });
}
