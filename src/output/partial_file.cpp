#include "output/partial_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <system_error>
#include <variant>

#include "scenario/error.hpp"

namespace polhode::program {

namespace {

/// Of the whole file, for this opening of it. Not flock(): the HDF5 library has one of its own on the same file. True also
/// where the file system knows no locks.
bool locked(int descriptor) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return ::fcntl(descriptor, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// The file that the name leads to, whether it is there or not.
std::filesystem::path end_of_links(std::filesystem::path file) {
  std::error_code none;
  for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(file, none)); ++links) {
    const std::filesystem::path next = std::filesystem::read_symlink(file, none);
    if (none || links == 40) break;  // the opening says why
    file = next.is_absolute() ? next : file.parent_path() / next;
  }
  return file;
}

/// Whether one of the texts in a value, at any depth, is the name of such a file.
bool names_one_of(const Value& value, const std::function<bool(const std::string&)>& is_such) {
  const auto deeper = [&](const Value& inner) { return names_one_of(inner, is_such); };
  if (const auto* const text = std::get_if<std::string>(&value.content)) return is_such(*text);
  if (const auto* const array = std::get_if<Array>(&value.content))
    return std::ranges::any_of(*array, deeper);
  const auto* const table = std::get_if<Table>(&value.content);
  return table != nullptr && std::ranges::any_of(*table, deeper, &Entry::value);
}

}  // namespace

bool brought_to_disk(int descriptor) {
  int status = 0;
  while ((status = ::fsync(descriptor)) != 0 && errno == EINTR) {
  }
  // What cannot be brought there at all, as a pipe, is no failure.
  return status == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool folder_brought_to_disk(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // A folder that may be written to but not read.
  if (descriptor < 0) return errno == EACCES;
  const bool done = brought_to_disk(descriptor);
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return done;
}

PartialFile::PartialFile(const std::string& file) : name_(file), target_(end_of_links(file).string()) {
  struct stat status {};
  if (::stat(target_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) refuse("is a directory");
    special_ = !S_ISREG(status.st_mode);
  }
  path_ = special_ ? target_ : target_ + ".partial";
  // Whether it can be written is found out now, before anything is computed.
  if (special_) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) refuse(std::string("cannot be opened: ") + std::strerror(errno));
    return;
  }
  while (!make_new()) {
  }
}

/// False if somebody was quicker; then there is something new to look at.
bool PartialFile::make_new() {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  const bool made = descriptor_ >= 0;
  if (!made) {
    if (errno != EEXIST) refuse(std::string("cannot be opened: ") + std::strerror(errno));
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor_ < 0 && errno == ENOENT) return false;
    if (descriptor_ < 0 && errno != ELOOP) refuse(path_ + " is in the way: " + std::strerror(errno));
  }
  struct stat own {
  }, there{};
  if (descriptor_ < 0 || ::fstat(descriptor_, &own) != 0 || !S_ISREG(own.st_mode)) {
    if (descriptor_ >= 0) ::close(descriptor_);
    refuse(path_ + " is in the way, and is not a regular file");
  }
  const bool free = locked(descriptor_);
  const bool current = ::lstat(path_.c_str(), &there) == 0 && same_file(own, there);
  if (made && free && current) return true;
  // With the lock of a file that is not ours: a run that was killed has left it.
  if (free && current) ::unlink(path_.c_str());
  ::close(descriptor_);
  descriptor_ = -1;
  if (!free && current && !made) refuse("another process writes to it");
  return false;
}

PartialFile::~PartialFile() {
  if (!kept_ && !special_) ::unlink(path_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PartialFile::keep() {
  if (!special_) {
    if (!brought_to_disk(descriptor_)) fail("cannot be written");
    if (std::rename(path_.c_str(), target_.c_str()) != 0) fail("cannot be given its name");
  }
  kept_ = true;
  if (!special_ && !folder_brought_to_disk(target_)) fail("has its name, which may not last");
}

void PartialFile::fail(const std::string& what) const {
  throw RunError(name_ + ": " + what + ": " + std::strerror(errno));
}

void PartialFile::refuse(const std::string& reason) const { throw ScenarioError(name_, "--output", reason); }

void PartialFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("cannot be written");
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void PartialFile::replace(std::size_t place, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("cannot be written");
    text.remove_prefix(static_cast<std::size_t>(count));
    place += static_cast<std::size_t>(count);
  }
}

void write_file(PartialFile& file, std::string_view text) {
  file.write(text);
  file.keep();
}

void refuse_own_input(const std::string& output, const Document& scenario) {
  struct stat there {};
  if (::stat(output.c_str(), &there) != 0 || !S_ISREG(there.st_mode)) return;
  const auto is_it = [&](const std::filesystem::path& file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 && same_file(there, status);
  };
  if (is_it(scenario.name)) throw ScenarioError(output, "--output", "is the scenario itself");
  const std::filesystem::path folder = std::filesystem::path(scenario.name).parent_path();
  if (names_one_of({scenario.root}, [&](const std::string& text) { return is_it(folder / text); }))
    throw ScenarioError(output, "--output", "is a file that the scenario names");
}

}  // namespace polhode::program
