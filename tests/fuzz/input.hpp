// The bytes of a fuzzer, taken one thing after the other. When they are used up, zeros follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace polhode::fuzz {

class Input {
 public:
  Input(const std::uint8_t* bytes, std::size_t size) : rest_(reinterpret_cast<const char*>(bytes), size) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t size = rest_.size() < sizeof(T) ? rest_.size() : sizeof(T);
    std::memcpy(&value, rest_.data(), size);
    rest_.remove_prefix(size);
    return value;
  }
  /// 0 to count - 1.
  std::size_t choose(std::size_t count) { return take<std::uint8_t>() % count; }
  /// Any double, or one of those that matter.
  double number() {
    static constexpr double special[] = {0.0,       -0.0,   1.0,    -1.0,  0.5,   0.01, 5e-324, -5e-324,
                                         0x1p-1022, 1e-160, 1e-308, 1e308, 1e154, 1e30, 0x1p52, 3.0};
    constexpr std::size_t count = sizeof special / sizeof *special;
    const std::size_t which = choose(2 * count);
    return which < count ? special[which] : take<double>();
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// A defect, found: the fuzzer keeps the input that shows it.
inline void require(bool fine) {
  if (!fine) __builtin_trap();
}

}  // namespace polhode::fuzz
