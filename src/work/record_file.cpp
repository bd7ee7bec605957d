#include "work/record_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "output/partial_file.hpp"
#include "polhode/version.hpp"
#include "scenario/error.hpp"

namespace polhode::program {

namespace {

constexpr std::string_view records_begin_with = "polhode records 1\n";
constexpr const char* no_records = "is not a file of records; it is left as it is";

std::uint64_t program_checksum() {
  static const std::uint64_t value = [] {
    const Descriptor program(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
    struct stat status {};
    const bool there = program.is_open() && ::fstat(program.number(), &status) == 0;
    const auto sum =
        there ? checksum_of(program.number(), static_cast<std::uint64_t>(status.st_size)) : std::nullopt;
    return sum.value_or(0);
  }();
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

std::uint64_t index_of(std::span<const char> bytes) {
  std::uint64_t index = 0;
  std::memcpy(&index, bytes.data(), 8);
  return index;
}

bool is_whole(std::span<const char> bytes) {
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + bytes.size() - 8, 8);
  return sum == checksum(bytes.first(bytes.size() - 8));
}

/// As many bytes of the file as there are from this place on. Throws RunError where they cannot be read: what could not be read shall
/// not pass for what is not there, and be cut off.
std::size_t read_at(const std::string& name, const Descriptor& file, std::uint64_t place,
                    std::span<char> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        ::pread(file.number(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(place + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw RunError(name + ": cannot be read: " + std::strerror(errno));
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

std::string beginning_of(const std::string& name, const Descriptor& file, std::size_t length) {
  std::string text(length, '\0');
  text.resize(read_at(name, file, 0, text));
  return text;
}

struct Damage {
  std::size_t records = 0;  ///< whose checksum is wrong
  std::size_t tail = 0;     ///< bytes of a record that is not whole
};

/// Calls visit(unit, place, bytes) for each whole record from this place on.
template <class Visit>
Damage for_each_record(const std::string& name, const Descriptor& file, std::uint64_t place,
                       std::size_t units, std::size_t record_size, Visit&& visit) {
  Damage damage;
  std::string bytes(bytes_of(record_size), '\0');
  for (;; place += bytes.size()) {
    const std::size_t count = read_at(name, file, place, bytes);
    if (count < bytes.size()) {
      damage.tail = count;
      return damage;
    }
    if (is_whole(bytes) && index_of(bytes) < units)
      visit(index_of(bytes), place, std::span<const char>(bytes));
    else
      ++damage.records;
  }
}

}  // namespace

std::uint64_t checksum(std::span<const char> bytes, std::uint64_t start) {
  for (const char byte : bytes) {
    start ^= static_cast<unsigned char>(byte);
    start *= 0x100000001b3U;
  }
  return start;
}

std::optional<std::uint64_t> checksum_of(int descriptor, std::uint64_t size) {
  std::vector<char> block(1 << 20);
  std::uint64_t sum = checksum({});
  for (std::uint64_t place = 0; place < size;) {
    const std::size_t wanted = std::min<std::uint64_t>(block.size(), size - place);
    const ssize_t count = ::pread(descriptor, block.data(), wanted, static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    sum = checksum({block.data(), static_cast<std::size_t>(count)}, sum);
    place += static_cast<std::uint64_t>(count);
  }
  return sum;
}

std::string difference(const std::string& wanted, const std::string& found) {
  std::size_t line = 0;
  for (std::size_t i = 0; i < std::min(wanted.size(), found.size()) && wanted[i] == found[i]; ++i)
    if (wanted[i] == '\n') line = i + 1;
  const auto line_at = [&](const std::string& text) {
    return text.substr(line, std::min<std::size_t>(text.find('\n', line) - line, 60));
  };
  return fmt::format("\"{}\" instead of \"{}\"", line_at(found), line_at(wanted));
}

std::string record_identity(const std::vector<std::pair<std::string, std::string>>& properties) {
  std::string text = fmt::format("{}version {}\n", records_begin_with, polhode::version);
  for (const auto& [name, value] : properties) text += fmt::format("{} {}\n", name, value);
  return text + fmt::format("program {:016x}\n\n", program_checksum());
}

RecordFile::RecordFile(std::string file, const std::string& identity, std::size_t units,
                       std::size_t record_size, bool again)
    : file_(std::move(file)), record_size_(record_size), places_(units) {
  for (int tries = 0; !open(again); ++tries)
    if (tries == 100) refuse("another process works on it");
  const std::string beginning =
      beginning_of(file_, descriptor_, std::max<std::size_t>(identity.size(), 1024));
  if (identity.starts_with(beginning)) {  // new, or ended while its header was written
    begin(identity);
  } else {
    take(identity, beginning);
  }
}

/// False if there is something new to look at: the old file is removed, or somebody was quicker.
bool RecordFile::open(bool again) {
  descriptor_ = Descriptor(::open(file_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  const bool made = descriptor_.is_open();
  if (!made && errno == EEXIST) {
    descriptor_ = Descriptor(::open(file_.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!descriptor_.is_open() && errno == ENOENT) return false;
    if (!descriptor_.is_open() && errno == ELOOP) refuse("is a symbolic link, and is not written to");
  }
  if (!descriptor_.is_open()) refuse(std::string("cannot be opened: ") + std::strerror(errno));
  struct stat own {
  }, there{};
  if (::fstat(descriptor_.number(), &own) != 0 || !S_ISREG(own.st_mode))
    refuse("is not a regular file, and is not written to");
  if (own.st_nlink > 1) refuse("is a file of several names (hard links), and is not written to");
  if (::flock(descriptor_.number(), LOCK_EX | LOCK_NB) != 0) refuse("another process works on it");
  const bool current =
      ::lstat(file_.c_str(), &there) == 0 && own.st_dev == there.st_dev && own.st_ino == there.st_ino;
  if (current && (made || !again)) return true;
  if (current) {
    const std::string beginning = beginning_of(file_, descriptor_, records_begin_with.size());
    if (!records_begin_with.starts_with(beginning)) refuse(no_records);
    if (::unlink(file_.c_str()) != 0) refuse(std::string("cannot be removed: ") + std::strerror(errno));
  }
  return false;
}

std::size_t RecordFile::known_units() const {
  return places_.size() - static_cast<std::size_t>(std::count(places_.begin(), places_.end(), 0U));
}

void RecordFile::begin(const std::string& header) {
  if (::ftruncate(descriptor_.number(), 0) != 0 || ::lseek(descriptor_.number(), 0, SEEK_SET) != 0 ||
      ::write(descriptor_.number(), header.data(), header.size()) != static_cast<ssize_t>(header.size()))
    fail("cannot be written");
  bring_to_disk();
  if (!folder_brought_to_disk(file_)) fail("cannot be written");
}

void RecordFile::take(const std::string& header, const std::string& beginning) {
  if (!beginning.starts_with(records_begin_with)) refuse(no_records);
  if (!beginning.starts_with(header))
    refuse("belongs to another run (" + difference(header, beginning) +
           "); it is left as it is, --again replaces it");
  const Damage damage =
      for_each_record(file_, descriptor_, header.size(), places_.size(), record_size_,
                      [&](std::size_t unit, std::uint64_t place, auto) { places_[unit] = place; });
  if (damage.tail > 0) note_ = file_ + ": the last record is cut short and is computed again";
  if (damage.records > 0)
    note_ = fmt::format("{}: {} of the records are damaged and are computed again", file_, damage.records);
  const off_t end = ::lseek(descriptor_.number(), 0, SEEK_END);
  if (end < 0 || ::ftruncate(descriptor_.number(), end - static_cast<off_t>(damage.tail)) != 0)
    fail("cannot be written");
}

void RecordFile::append(std::size_t unit, std::span<const double> record) {
  const std::string bytes = packed(unit, record);
  const off_t before = ::lseek(descriptor_.number(), 0, SEEK_END);
  // A write that comes out short does not say why; one of the rest does.
  for (std::span<const char> rest(bytes); !rest.empty();) {
    const ssize_t count = ::write(descriptor_.number(), rest.data(), rest.size());
    if (count > 0) {
      rest = rest.subspan(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      const int reason = errno;
      const bool undone = ::ftruncate(descriptor_.number(), before) == 0;
      errno = reason;
      fail(undone ? "cannot be written" : "cannot be written and is cut short");
    }
  }
  places_[unit] = static_cast<std::uint64_t>(before);
  // Whatever ends the program, the records are whole; a failure of the power costs some seconds' worth of them.
  if (std::chrono::steady_clock::now() - on_disk_ > std::chrono::seconds(5)) bring_to_disk();
}

void RecordFile::bring_to_disk() {
  if (!brought_to_disk(descriptor_.number())) fail("cannot be written");
  on_disk_ = std::chrono::steady_clock::now();
}

void RecordFile::read(std::size_t unit, std::span<double> record) const {
  std::string bytes(bytes_of(record_size_), '\0');
  if (read_at(file_, descriptor_, places_[unit], bytes) < bytes.size())
    throw RunError(file_ + ": cannot be read: it has become shorter");
  if (!is_whole(bytes) || index_of(bytes) != unit)
    throw RunError(file_ + ": has been changed while it was in use");
  std::memcpy(record.data(), bytes.data() + 8, record.size_bytes());
}

Records RecordFile::records() const {
  Records result(places_.size(), record_size_);
  std::vector<double> record(record_size_);
  for (std::size_t unit = 0; unit < places_.size(); ++unit) {
    if (!known(unit)) continue;
    read(unit, record);
    result.set(unit, record);
  }
  return result;
}

void RecordFile::discard() {
  if (::unlink(file_.c_str()) != 0) fail("cannot be removed");
}

void RecordFile::refuse(const std::string& reason) const { throw ScenarioError(file_, "", reason); }

void RecordFile::fail(const std::string& what) const {
  throw RunError(file_ + ": " + what + ": " + std::strerror(errno));
}

bool read_finished(const std::string& name, const std::string& identity, Records& records) {
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open() || beginning_of(name, file, identity.size()) != identity) return false;
  std::vector<double> numbers(records.size());
  for_each_record(name, file, identity.size(), records.units(), records.size(),
                  [&](std::size_t unit, std::uint64_t, std::span<const char> bytes) {
                    std::memcpy(numbers.data(), bytes.data() + 8, 8 * numbers.size());
                    records.set(unit, numbers);
                  });
  return records.known_units() == records.units();
}

}  // namespace polhode::program
