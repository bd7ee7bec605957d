// Attitudes of a rigid body in formats that programs for spacecraft read.
#pragma once

#include <memory>

#include "output/output.hpp"

namespace polhode::program {

/// An attitude ephemeris message of the CCSDS: see tables/attitude_message.hpp. Throws ScenarioError if the system is not one
/// rigid body, or if the file is a device or a pipe: its head has the time of its end.
std::unique_ptr<Output> open_attitude_message(std::unique_ptr<PartialFile> file,
                                              const Provenance& provenance);

/// The table that msopck of SPICE makes a C-kernel of: seconds after J2000 (ET), a SPICE quaternion, and the angular velocity in
/// the body, one row a line and nothing else. A SPICE quaternion belongs to the matrix from the reference frame to the
/// body: it is the conjugate of ours. Throws ScenarioError if the system is not one rigid body.
std::unique_ptr<Output> open_msopck(std::unique_ptr<PartialFile> file, const Provenance& provenance);

}  // namespace polhode::program
