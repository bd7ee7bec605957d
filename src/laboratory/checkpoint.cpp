#include "laboratory/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "laboratory/error.hpp"
#include "polhode/version.hpp"

namespace polhode::laboratory {

namespace {

std::string contents_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::uint64_t program_checksum() {
  static const std::uint64_t value = checksum(contents_of("/proc/self/exe"));
  return value;
}

std::size_t bytes_of(std::size_t record_size) { return 8 * (record_size + 2); }

/// Index, numbers, checksum.
std::string packed(std::size_t unit, std::span<const double> record) {
  const std::uint64_t index = unit;
  std::string bytes(bytes_of(record.size()), '\0');
  std::memcpy(bytes.data(), &index, 8);
  std::memcpy(bytes.data() + 8, record.data(), 8 * record.size());
  const std::uint64_t sum = checksum({bytes.data(), bytes.size() - 8});
  std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
  return bytes;
}

struct Damage {
  std::size_t records = 0;  ///< whose checksum is wrong
  std::size_t tail = 0;     ///< bytes of a record that is not whole
};

/// Takes the whole records of the bytes.
Damage unpack(std::span<const char> bytes, Records& records) {
  Damage damage;
  const std::size_t length = bytes_of(records.size());
  std::vector<double> numbers(records.size());
  for (; bytes.size() >= length; bytes = bytes.subspan(length)) {
    std::uint64_t index = 0, sum = 0;
    std::memcpy(&index, bytes.data(), 8);
    std::memcpy(numbers.data(), bytes.data() + 8, 8 * numbers.size());
    std::memcpy(&sum, bytes.data() + length - 8, 8);
    if (sum == checksum(bytes.first(length - 8)) && index < records.units())
      records.set(index, numbers);
    else
      ++damage.records;
  }
  damage.tail = bytes.size();
  return damage;
}

/// The line of the found header that differs from the wanted one.
std::string difference(const std::string& wanted, const std::string& found) {
  std::size_t line = 0;
  for (std::size_t i = 0; i < std::min(wanted.size(), found.size()) && wanted[i] == found[i]; ++i)
    if (wanted[i] == '\n') line = i + 1;
  const auto line_at = [&](const std::string& text) {
    return text.substr(line, std::min<std::size_t>(text.find('\n', line) - line, 60));
  };
  return fmt::format("\"{}\" instead of \"{}\"", line_at(found), line_at(wanted));
}

}  // namespace

std::uint64_t checksum(std::span<const char> bytes, std::uint64_t start) {
  for (const char byte : bytes) {
    start ^= static_cast<unsigned char>(byte);
    start *= 0x100000001b3U;
  }
  return start;
}

std::string checkpoint_identity(const Experiment& e, Scale scale) {
  std::uint64_t sum = checksum({});
  for (const auto& [name, value] : e.parameters) {
    sum = checksum(name, sum);
    sum = checksum(value, sum);
  }
  return fmt::format(
      "polhode records 1\nversion {}\nexperiment {}\nscale {}\nparameters {:016x}\nunits {}\nnumbers {}\n"
      "program {:016x}\n\n",
      polhode::version, e.name, scale == Scale::quick ? "quick" : "full", sum, e.units, e.record_size,
      program_checksum());
}

CheckpointFile::CheckpointFile(const std::string& folder, const Experiment& experiment, Scale scale,
                               bool again)
    : file_(folder + "/records.bin"), records_(experiment.units, experiment.record_size) {
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) refuse(std::string("cannot be opened: ") + std::strerror(errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) refuse("another process works on it");
  const std::string header = checkpoint_identity(experiment, scale);
  const std::string contents = again ? "" : contents_of(file_);
  if (header.starts_with(contents)) {  // new, or ended while its header was written
    begin(header);
  } else {
    take(header, contents);
  }
}

CheckpointFile::~CheckpointFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void CheckpointFile::begin(const std::string& header) {
  if (::ftruncate(descriptor_, 0) != 0 || ::lseek(descriptor_, 0, SEEK_SET) != 0 ||
      ::write(descriptor_, header.data(), header.size()) != static_cast<ssize_t>(header.size()))
    fail("cannot be written");
}

void CheckpointFile::take(const std::string& header, const std::string& contents) {
  if (!contents.starts_with("polhode records 1\n")) refuse("is not a file of records; it is left as it is");
  if (!contents.starts_with(header))
    refuse("belongs to another run (" + difference(header, contents) +
           "); it is left as it is, --again replaces it");
  const Damage damage = unpack(std::span(contents).subspan(header.size()), records_);
  if (damage.tail > 0) note_ = file_ + ": the last record is cut short and is computed again";
  if (damage.records > 0)
    note_ = fmt::format("{}: {} of the records are damaged and are computed again", file_, damage.records);
  if (::ftruncate(descriptor_, static_cast<off_t>(contents.size() - damage.tail)) != 0 ||
      ::lseek(descriptor_, 0, SEEK_END) < 0)
    fail("cannot be written");
}

void CheckpointFile::append(std::size_t unit, std::span<const double> record) {
  const std::string bytes = packed(unit, record);
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  // A write that comes out short does not say why; one of the rest does.
  for (std::span<const char> rest(bytes); !rest.empty();) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count > 0) {
      rest = rest.subspan(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      const int reason = errno;
      const bool undone = ::ftruncate(descriptor_, before) == 0;
      errno = reason;
      fail(undone ? "cannot be written" : "cannot be written and is cut short");
    }
  }
  records_.set(unit, record);
}

void CheckpointFile::refuse(const std::string& reason) const {
  if (descriptor_ >= 0) ::close(descriptor_);
  throw ScenarioError(file_, "", reason);
}

void CheckpointFile::fail(const std::string& what) const {
  throw RunError(file_ + ": " + what + ": " + std::strerror(errno));
}

bool read_finished(const std::string& folder, const Experiment& experiment, Scale scale, Records& records) {
  const std::string contents = contents_of(folder + "/records.bin");
  const std::string header = checkpoint_identity(experiment, scale);
  if (!contents.starts_with(header)) return false;
  unpack(std::span(contents).subspan(header.size()), records);
  return records.known_units() == records.units();
}

}  // namespace polhode::laboratory
