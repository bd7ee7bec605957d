// Moments of a calendar, to all digits of a time: 2000-01-01T12:00:00.1 is a tenth of a second after noon, exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core.hpp"

namespace polhode::program {

/// Every day has 86400 seconds: a calendar without leap seconds, as that of TDB, TT and TAI.
struct Moment {
  std::int64_t seconds = 0;  ///< since 2000-01-01T12:00:00
  std::string fraction{};    ///< the decimals of a second that follow, any number of them

  friend bool operator==(const Moment&, const Moment&) = default;
};

/// From YYYY-MM-DDThh:mm:ss or YYYY-DDDThh:mm:ss, with decimals or without, and with or without a Z; nothing if it is none.
std::optional<Moment> moment_of(std::string_view text);

/// As YYYY-MM-DDThh:mm:ss[.d...]; nothing outside of the years 1 to 9999.
std::optional<std::string> moment_text(const Moment& moment);

/// The moment that is a time in seconds after another, which is one of whole seconds. The time, in the fewest decimals that
/// read back to it, is added in decimals.
Moment moment_after(const Moment& epoch, double time);

/// The double nearest to the time from an epoch of whole seconds: that of moment_after, to the bit.
double time_between(const Moment& epoch, const Moment& moment);

/// The moment of the machine's clock, in UTC and whole seconds.
Moment moment_now();

}  // namespace polhode::program
