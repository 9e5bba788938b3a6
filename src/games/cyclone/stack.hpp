#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace tessera {

/// Cubes one upon another, as one number: two bits a cube (its seat), the top cube lowest, and a 1 above the bottom
/// cube that says where the stack begins. Room for 31 cubes; Cyclone has at most 20.
class Stack {
 public:
  constexpr Stack() = default;
  explicit constexpr Stack(std::uint64_t code) : code_(code) { assert(code != 0); }

  constexpr std::uint64_t code() const { return code_; }
  constexpr bool empty() const { return code_ == 1; }
  constexpr bool at_least_two() const { return code_ >= 1U << 4; }
  constexpr int height() const { return (std::bit_width(code_) - 1) / 2; }
  constexpr int top() const { return static_cast<int>(code_ & 3); }

  /// The seat of a cube, counted from 0 at the bottom.
  constexpr int cube(int level) const { return static_cast<int>(code_ >> 2 * (height() - 1 - level) & 3); }

  constexpr Stack with(int seat) const { return Stack(code_ << 2 | static_cast<std::uint64_t>(seat)); }
  constexpr Stack without_top() const { return Stack(code_ >> 2); }

  /// Another stack put on top of this one, order kept.
  constexpr Stack with(Stack above) const {
    const int shift = 2 * above.height();
    return Stack(code_ << shift | (above.code_ ^ std::uint64_t{1} << shift));
  }

  friend constexpr bool operator==(const Stack&, const Stack&) = default;

 private:
  std::uint64_t code_ = 1;
};

}  // namespace tessera
