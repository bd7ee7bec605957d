#include "output/text_file.hpp"

namespace polhode::program {

void TextFile::write(const std::string& text) {
  constexpr std::size_t block = 1 << 14;
  waiting_ += text;
  if (waiting_.size() < block) return;
  file_->write(waiting_);
  waiting_.clear();
}

void TextFile::replace(std::size_t place, const std::string& text) {
  file_->write(waiting_);
  waiting_.clear();
  file_->replace(place, text);
}

void TextFile::finish() {
  file_->write(waiting_);
  waiting_.clear();
  file_->keep();
}

}  // namespace polhode::program
