// The build without MPI.
#include <cstdlib>
#include <string>

#include "scenario/error.hpp"
#include "work/ranks.hpp"

namespace polhode::program {

Ranks::Ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const size = std::getenv(name);
    if (size != nullptr && std::string(size) != "1")
      throw ScenarioError("mpirun", "",
                          "this build of polhode knows no MPI (build it with -DPOLHODE_MPI=ON)");
  }
}

Ranks::~Ranks() = default;
void Ranks::broadcast(std::vector<std::uint64_t>&) {}
void Ranks::send(const Message&) {}
std::optional<Ranks::Message> Ranks::receive() { return std::nullopt; }
void Ranks::stop_helpers() {}
bool Ranks::told_to_stop() { return false; }
void Ranks::abort(int status) { std::_Exit(status); }

}  // namespace polhode::program
