#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string_view>

/// The 65 pieces of Cubed, of 60 kinds, and sets of them.
namespace tessera::cubed {

/// A kind of piece, from 0, in the byte order of the kinds' names.
using Kind = std::uint8_t;
constexpr int kinds = 60;

/// A bit a kind.
using Kinds = std::uint64_t;
constexpr Kinds kind_bit(int kind) { return Kinds{1} << kind; }

/// A kind's name: its three diamonds clockwise, the least of the three rotations.
using Name = std::array<char, 3>;
constexpr std::string_view colours = "BCGPR";
constexpr char white = 'W';
constexpr char black = 'X';

namespace detail {

constexpr Name least_rotation(char a, char b, char c) {
  return std::min({Name{a, b, c}, Name{b, c, a}, Name{c, a, b}});
}

constexpr std::array<Name, kinds> make_names() {
  std::array<Name, kinds> names{};
  std::size_t made = 0;
  const std::size_t count = colours.size();
  for (std::size_t a = 0; a < count; ++a) {
    names[made++] = {colours[a], colours[a], colours[a]};
    names[made++] = {colours[a], black, black};
    for (std::size_t b = 0; b < count; ++b) {
      if (b != a) names[made++] = least_rotation(colours[a], colours[a], colours[b]);
      if (b > a) names[made++] = {colours[a], colours[b], white};
      for (std::size_t c = b + 1; b > a && c < count; ++c) {
        names[made++] = {colours[a], colours[b], colours[c]};
        names[made++] = {colours[a], colours[c], colours[b]};
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace detail

inline constexpr std::array<Name, kinds> names = detail::make_names();

constexpr std::string_view name_of(int kind) {
  const Name& name = names[static_cast<std::size_t>(kind)];
  return {name.data(), name.size()};
}

std::optional<Kind> find_kind(std::string_view name);

/// All kinds for which `holds(name)`.
template <class Holds>
constexpr Kinds kinds_where(Holds&& holds) {
  Kinds found = 0;
  for (int kind = 0; kind < kinds; ++kind) {
    if (holds(names[static_cast<std::size_t>(kind)])) found |= kind_bit(kind);
  }
  return found;
}

inline constexpr Kinds every_kind = kind_bit(kinds) - 1;
inline constexpr Kinds blocking_kinds = kinds_where([](const Name& n) { return n[2] == black; });
inline constexpr Kinds wild_kinds = kinds_where([](const Name& n) { return n[2] == white; });
inline constexpr Kinds triple_kinds = kinds_where([](const Name& n) { return n[0] == n[1] && n[1] == n[2]; });
inline constexpr Kinds double_kinds =
    kinds_where([](const Name& n) { return n[2] != black && ((n[0] == n[1]) != (n[1] == n[2])); });
inline constexpr Kinds single_kinds = every_kind & ~(blocking_kinds | wild_kinds | triple_kinds | double_kinds);

/// The points that a piece counts in a hand.
constexpr int points_of(int kind) {
  const Kinds bit = kind_bit(kind);
  if ((bit & single_kinds) != 0) return 1;
  if ((bit & double_kinds) != 0) return 2;
  if ((bit & triple_kinds) != 0) return 3;
  return (bit & blocking_kinds) != 0 ? 5 : 10;
}

/// Pieces without order: of a kind none, one or two (no kind has more copies; only blocking pieces have two).
class PieceSet {
 public:
  static constexpr PieceSet full() { return PieceSet(every_kind, blocking_kinds); }

  constexpr bool empty() const { return once_ == 0; }
  constexpr int size() const { return std::popcount(once_) + std::popcount(twice_); }
  constexpr bool has(int kind) const { return (once_ >> kind & 1) != 0; }
  constexpr int count(int kind) const { return static_cast<int>((once_ >> kind & 1) + (twice_ >> kind & 1)); }
  constexpr int count_of(Kinds these) const { return std::popcount(once_ & these) + std::popcount(twice_ & these); }
  constexpr Kinds kinds() const { return once_; }
  constexpr Kind least() const { return static_cast<Kind>(std::countr_zero(once_)); }

  constexpr void add(int kind) {
    assert(count(kind) < full().count(kind));
    twice_ |= once_ & kind_bit(kind);
    once_ |= kind_bit(kind);
  }
  constexpr void remove(int kind) {
    assert(has(kind));
    const Kinds bit = kind_bit(kind);
    once_ &= ~bit | twice_;
    twice_ &= ~bit;
  }
  constexpr PieceSet& operator+=(const PieceSet& other) {
    twice_ |= other.twice_ | (once_ & other.once_);
    once_ |= other.once_;
    return *this;
  }
  /// Every piece of `other` must be there.
  constexpr PieceSet& operator-=(const PieceSet& other) {
    assert(includes(other));
    once_ = (once_ & ~other.once_) | (twice_ & ~other.twice_);
    twice_ &= ~other.once_;
    return *this;
  }
  constexpr bool includes(const PieceSet& other) const {
    return (other.once_ & ~once_) == 0 && (other.twice_ & ~twice_) == 0;
  }
  constexpr PieceSet only(Kinds these) const { return PieceSet(once_ & these, twice_ & these); }

  constexpr int points() const {
    return count_of(single_kinds) + 2 * count_of(double_kinds) + 3 * count_of(triple_kinds) +
           5 * count_of(blocking_kinds) + 10 * count_of(wild_kinds);
  }

  /// The piece number `k`, from 0, when the pieces lie in the order of their kinds.
  Kind nth(std::uint32_t k) const;
  /// The number of pieces of lesser kinds.
  constexpr int rank(int kind) const { return count_of(kind_bit(kind) - 1); }

  /// Every piece, by kind; of two copies each.
  template <class Visit>
  constexpr void each(Visit&& visit) const {
    for (Kinds left = once_; left != 0; left &= left - 1) {
      const int kind = std::countr_zero(left);
      visit(static_cast<Kind>(kind));
      if ((twice_ >> kind & 1) != 0) visit(static_cast<Kind>(kind));
    }
  }

  constexpr PieceSet() = default;
  friend constexpr bool operator==(const PieceSet&, const PieceSet&) = default;

 private:
  constexpr PieceSet(Kinds once, Kinds twice) : once_(once), twice_(twice) {}

  Kinds once_ = 0;   ///< kinds of which there is at least one
  Kinds twice_ = 0;  ///< kinds of which there are two
};

constexpr PieceSet operator-(PieceSet left, const PieceSet& right) { return left -= right; }
constexpr PieceSet operator+(PieceSet left, const PieceSet& right) { return left += right; }

inline Kind PieceSet::nth(std::uint32_t k) const {
  assert(k < static_cast<std::uint32_t>(size()));
  // 1. How many pieces each byte of the masks stands for, and then byte by byte how many up to and with it.
  constexpr std::uint64_t ones = 0x0101010101010101;
  const auto byte_counts = [](std::uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    return (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
  };
  const std::uint64_t sums = (byte_counts(once_) + byte_counts(twice_)) * ones;
  // 2. The first byte whose sum passes k: sums are below 128, so that no byte borrows from the next.
  const std::uint64_t passed = ((sums | ones * 0x80) - ones * (k + 1)) & (ones * 0x80);
  const int shift = std::countr_zero(passed) - 7;
  k -= static_cast<std::uint32_t>((sums << 8) >> shift & 0xff);
  // 3. The piece within the byte.
  for (Kinds left = once_ >> shift & 0xff;; left &= left - 1) {
    const int kind = shift + std::countr_zero(left);
    const std::uint32_t copies = 1 + static_cast<std::uint32_t>(twice_ >> kind & 1);
    if (k < copies) return static_cast<Kind>(kind);
    k -= copies;
  }
}

}  // namespace tessera::cubed
