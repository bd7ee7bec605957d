#include "output/text_file.hpp"

#include <cerrno>
#include <cstring>

#include "scenario/error.hpp"

namespace polhode::program {

TextFile::TextFile(std::unique_ptr<PartialFile> file)
    : file_(std::move(file)), stream_(std::fopen(file_->path().c_str(), "w")) {
  if (stream_ == nullptr) fail();
}

TextFile::~TextFile() {
  if (stream_ != nullptr) std::fclose(stream_);
}

void TextFile::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) fail();
}

void TextFile::replace(std::size_t place, const std::string& text) {
  if (std::fseek(stream_, static_cast<long>(place), SEEK_SET) != 0) fail();
  write(text);
  if (std::fseek(stream_, 0, SEEK_END) != 0) fail();
}

void TextFile::finish() {
  if (std::fflush(stream_) != 0) fail();
  const int closed = std::fclose(stream_);
  stream_ = nullptr;
  if (closed != 0) fail();
  file_->keep();
}

void TextFile::fail() const {
  throw RunError(file_->name() + ": cannot be written: " + std::strerror(errno));
}

}  // namespace polhode::program
