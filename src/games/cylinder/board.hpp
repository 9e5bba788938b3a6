#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

/// The board of Cylinder: rows and columns that wrap, and where a marble can go on them.
namespace tessera {

/// A set of holes, a bit a hole.
struct HoleSet {
  static constexpr int max_holes = 13 * 48;
  static constexpr int max_words = (max_holes + 63) / 64;
  std::array<std::uint64_t, max_words> words{};

  bool has(int hole) const { return (words[hole >> 6] >> (hole & 63) & 1) != 0; }
  void add(int hole) { words[hole >> 6] |= std::uint64_t{1} << (hole & 63); }
  void remove(int hole) { words[hole >> 6] &= ~(std::uint64_t{1} << (hole & 63)); }

  bool empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    return any == 0;
  }

  friend bool operator==(const HoleSet&, const HoleSet&) = default;
};

/// Holes are numbered column by column: the hole in row r of column c is c × rows + r. So the columns that a move can
/// reach are one stretch of numbers, and what a marble can reach depends on its row alone once it is counted from the
/// first of these columns. Such a stretch is a *window*: it begins n columns left of the marble for a move of n steps
/// and is 2n+1 columns wide, or the whole board if that has fewer.
///
/// Marbles on the way are jumped, so what n steps reach is a matter of the board and is made once, in the constructor.
class CylinderBoard {
 public:
  static constexpr int max_rows = 13;
  static constexpr int max_columns = 48;
  static constexpr int max_steps = 6;
  static constexpr int widest = 2 * max_steps + 1;  ///< columns of the widest window

  /// One window's holes.
  using Window = std::array<std::uint64_t, 3>;
  static_assert(widest * max_rows <= 3 * 64);

  CylinderBoard(int green, int columns);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int holes() const { return holes_; }
  int words() const { return words_; }  ///< that a HoleSet uses on this board
  int upper_red() const { return green_; }
  int goal_row() const { return green_ + 1; }
  int lower_red() const { return green_ + 2; }

  int hole(int row, int column) const { return column * rows_ + row; }
  int row(int hole) const { return row_[hole]; }
  int column(int hole) const { return (hole - row_[hole]) / rows_; }
  bool is_goal(int hole) const { return row_[hole] == goal_row(); }
  bool is_red(int hole) const { return row_[hole] == upper_red() || row_[hole] == lower_red(); }
  const HoleSet& goal() const { return goal_; }  ///< the goal row

  /// The hole that a number counted past the last column means.
  int wrapped(int number) const { return number >= holes_ ? number - holes_ : number; }

  // ── Windows ──

  /// A HoleSet whose first columns follow once more after its last one, so that a window never wraps.
  using Unrolled = std::array<std::uint64_t, HoleSet::max_words + 4>;
  void unroll(const HoleSet& set, Unrolled& unrolled) const;

  int window_start(int hole, int steps) const {
    const int start = hole - row_[hole] - steps * rows_;
    return start < 0 ? start + holes_ : start;
  }
  int window_bits(int steps) const { return window_bits_[steps]; }
  int window_words(int steps) const { return (window_bits_[steps] + 63) / 64; }
  const Window& reach(int row, int steps) const { return reach_[row][steps]; }

  /// 64 holes from `start` on.
  static std::uint64_t stretch(const Unrolled& unrolled, int start) {
    const int word = start >> 6;
    const int shift = start & 63;
    return unrolled[word] >> shift | unrolled[word + 1] << 1 << (63 - shift);
  }

  // ── Walks ──

  bool reaches(int from, int to, int steps) const;
  /// The holes of one walk of exactly so many steps, both ends included; empty if there is none.
  std::vector<int> walk(int from, int to, int steps) const;

 private:
  bool extend_walk(std::vector<int>& walked, int to, int steps_left) const;

  int green_;
  int rows_;
  int columns_;
  int holes_;
  int words_;
  HoleSet goal_;
  std::array<std::uint8_t, HoleSet::max_holes> row_{};
  std::array<int, max_steps + 1> window_bits_{};
  std::array<std::array<Window, max_steps + 1>, max_rows> reach_{};
};

}  // namespace tessera
