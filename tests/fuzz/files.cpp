// Files that others may have made or damaged: checkpoints and ensembles. The first byte chooses which.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ensemble/file.hpp"
#include "scenario/error.hpp"
#include "tests/fuzz/input.hpp"
#include "work/record_file.hpp"

using namespace polhode;
using namespace polhode::program;

namespace {

const std::string& file() {
  static const std::string name = [] {
    // In memory, where there is such a folder: records are brought to the disk one by one, and a disk has ten of them a second.
    std::string text = "/dev/shm/polhode-fuzz-XXXXXX";
    int descriptor = ::mkstemp(text.data());
    if (descriptor < 0) descriptor = ::mkstemp((text = "/tmp/polhode-fuzz-XXXXXX").data());
    fuzz::require(descriptor >= 0);
    ::close(descriptor);
    static std::string to_remove = text;
    std::atexit([] { ::unlink(to_remove.c_str()); });
    return text;
  }();
  return name;
}

void write(std::string_view bytes) {
  std::FILE* const stream = std::fopen(file().c_str(), "wb");
  fuzz::require(stream != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size());
  std::fclose(stream);
}

constexpr std::size_t units = 4, numbers = 3;

/// The fuzzer does not find a checksum by chance: where the bytes say so, they are put into a file that is right otherwise.
void records(fuzz::Input input) {
  const std::string identity = record_identity({{"fuzz", "1"}});
  const std::size_t kind = input.choose(3);
  ::unlink(file().c_str());
  {
    RecordFile good(file(), identity, units, numbers, false);
    for (std::size_t i = 0; i < units; ++i)
      good.append(i, std::vector<double>(numbers, static_cast<double>(i)));
  }
  if (kind == 0) write(input.rest());
  if (kind > 0) {
    std::FILE* const stream = std::fopen(file().c_str(), "r+b");
    std::fseek(stream, 0, SEEK_END);
    const long size = std::ftell(stream);
    const long place = static_cast<long>(input.take<std::uint16_t>()) % size;
    std::fseek(stream, place, SEEK_SET);
    const std::string_view bytes = input.rest().substr(0, kind == 1 ? std::string_view::npos : 1);
    std::fwrite(bytes.data(), 1, bytes.size(), stream);
    std::fclose(stream);
    if (kind == 2) fuzz::require(::truncate(file().c_str(), place) == 0);
  }
  Records found(units, numbers);
  read_finished(file(), identity, found);
  try {
    RecordFile again(file(), identity, units, numbers, false);
    const Records taken = again.records();
    for (std::size_t i = 0; i < units; ++i) {
      fuzz::require(taken.known(i) == again.known(i));
      // The bytes of the fuzzer may be a record of their own making, with its checksum; they are not found by chance.
      if (taken.known(i)) fuzz::require(taken[i][0] == static_cast<double>(i));
      if (!taken.known(i)) again.append(i, std::vector<double>(numbers, static_cast<double>(i)));
    }
    fuzz::require(again.known_units() == units);
  } catch (const ScenarioError& error) {
    fuzz::require(*error.what() != '\0');
  }
}

void ensemble(fuzz::Input input) {
  write(input.rest());
  try {
    if (const auto says = read_ensemble_file(file()))
      fuzz::require(!says->unchanged || !says->identity.empty());
  } catch (const ScenarioError& error) {
    fuzz::require(*error.what() != '\0');
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::Input input(bytes, size);
  if (input.choose(4) == 0)
    ensemble(input);
  else
    records(input);
  return 0;
}
