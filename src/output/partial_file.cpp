#include "output/partial_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "scenario/error.hpp"

namespace polhode::program {

PartialFile::PartialFile(const std::string& file) : name_(file), target_(file) {
  const auto refuse = [&](const std::string& reason) { throw ScenarioError(file, "--output", reason); };
  std::error_code ignored;
  const std::filesystem::path resolved = std::filesystem::canonical(file, ignored);
  if (!ignored) target_ = resolved.string();
  struct stat status {};
  if (::stat(target_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) refuse("is a directory");
    special_ = !S_ISREG(status.st_mode);
  }
  path_ = special_ ? target_ : target_ + ".partial";
  // Whether it can be written is found out now, before anything is computed.
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse(std::string("cannot be opened: ") + std::strerror(errno));
  ::close(descriptor);
}

PartialFile::~PartialFile() {
  if (!kept_ && !special_) ::unlink(path_.c_str());
}

void PartialFile::keep() {
  if (!special_ && std::rename(path_.c_str(), target_.c_str()) != 0)
    throw RunError(name_ + ": cannot be given its name: " + std::strerror(errno));
  kept_ = true;
}

void write_file(PartialFile& file, const std::string& text) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.path().c_str(), "w"),
                                                               std::fclose);
  if (!stream || std::fwrite(text.data(), 1, text.size(), stream.get()) != text.size() ||
      std::fflush(stream.get()) != 0)
    throw RunError(file.name() + ": cannot be written: " + std::strerror(errno));
  file.keep();
}

}  // namespace polhode::program
