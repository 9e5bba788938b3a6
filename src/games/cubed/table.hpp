#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "games/cubed/pieces.hpp"

/// The pieces on the table, and the open places between them.
namespace tessera::cubed {

/// A pointy-top hexagon in axial coordinates.
struct Cell {
  std::int8_t q = 0;
  std::int8_t r = 0;

  friend bool operator==(const Cell&, const Cell&) = default;
};

// Directions count clockwise from east: E, SE, SW, W, NW, NE. Two neighbouring directions are the sides of a diamond.
inline constexpr std::array<Cell, 6> steps{{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}};
constexpr int opposite(int direction) { return direction < 3 ? direction + 3 : direction - 3; }
constexpr Cell neighbour(Cell cell, int direction) {
  const Cell step = steps[static_cast<std::size_t>(direction)];
  return {static_cast<std::int8_t>(cell.q + step.q), static_cast<std::int8_t>(cell.r + step.r)};
}

/// The diamond that a side belongs to: 0 Top (NW, NE), 1 Right (E, SE), 2 Left (SW, W).
constexpr int diamond_of(int direction) { return direction < 2 ? 1 : direction < 4 ? 2 : 0; }

/// Which letter of a piece's name shows as `diamond` at `turn`: a third of a turn clockwise moves each letter from Top
/// to Right to Left to Top.
constexpr int letter_at(int diamond, int turn) { return (diamond - turn + 3) % 3; }

/// What a side of a laid piece shows to the empty cell that it faces; 0: there is no piece. An empty cell never faces
/// the colour of a blocking piece, since both its coloured sides touch pieces: so it need not be told apart, although
/// white does not match it.
using Face = std::uint8_t;
constexpr Face face_colour = 1;  ///< … 5: a colour
constexpr Face face_white = 6;
constexpr Face face_black = 7;
constexpr int open_faces = 7;  ///< the faces that an open place can have: all but black

Face face_of(int kind, int letter);

/// An empty cell that no black side faces and that touches enough pieces.
struct OpenPlace {
  Cell cell;
  /// What its three diamonds face: the face at the first side (NW, E, SW) times open_faces plus that at the second.
  std::array<std::uint8_t, 3> facing{};

  friend bool operator==(const OpenPlace&, const OpenPlace&) = default;
};

/// The table of one round.
///
/// How far it can reach: a piece that is the first in its column (value of q), and not the second of the round, has
/// both pieces that it touches in the one neighbouring column that is not empty. So every column between the outermost
/// two holds at least two pieces: where the second piece opened a column from a column of one, that column is
/// outermost, or was opened to its other side too and then holds two. So c columns take 2(c - 2) + 2 pieces, and 65
/// pieces reach over at most 33 columns; with the cells that they face, 35. The same is true of rows (values of r).
/// Therefore `q + 35 r` modulo 35² names the cells of one round without a clash, and no column or row is further than
/// 33 from the first piece. (Cells one step further out are looked at too, but they can clash only with cells that are
/// themselves outside the 33 columns or rows that hold pieces.)
class Table {
 public:
  static constexpr int side = 35;
  static constexpr int max_laid = 65;

  /// n pieces touch each other at 1 + 2(n - 2) or more sides (the second touches one piece, each later one two), so at
  /// most 6n - 2(2n - 3) = 2n + 6 of their sides are free, and an open place takes two of them.
  static constexpr int max_open = max_laid + 3;

  int laid() const { return laid_; }
  std::span<const OpenPlace> open() const { return {open_.data(), open_count_}; }
  const OpenPlace* find_open(int q, int r) const;

  /// A bit a direction in which the cell, which must be empty and touch a piece, has a piece as its neighbour.
  unsigned occupied_round(Cell cell) const;

  void lay(int kind, int turn, Cell cell);

  /// Every laid piece, row by row: visit(cell, kind, turn). And every cell that must stay empty: visit(cell).
  template <class Visit>
  void each_laid(Visit&& visit) const {
    each_cell([&](Cell cell, std::uint8_t content) {
      if (is_laid(content)) visit(cell, (content - 1) / 3, (content - 1) % 3);
    });
  }
  template <class Visit>
  void each_blocked(Visit&& visit) const {
    each_cell([&](Cell cell, std::uint8_t content) {
      if (content == blocked) visit(cell);
    });
  }

  friend bool operator==(const Table&, const Table&) = default;

 private:
  // What a cell holds: nothing, a piece (1 + kind · 3 + turn), an open place (181 + its index), or nothing for good.
  static constexpr std::uint8_t nothing = 0;
  static constexpr std::uint8_t first_open = 1 + kinds * 3;
  static constexpr std::uint8_t blocked = 255;
  static_assert(first_open + max_open <= blocked);
  static bool is_laid(std::uint8_t content) { return content != nothing && content < first_open; }
  static bool is_open(std::uint8_t content) { return content >= first_open && content != blocked; }

  static std::size_t index(Cell cell) {
    const int i = cell.q + side * cell.r;
    return static_cast<std::size_t>(i < 0 ? i + side * side : i);
  }

  template <class Visit>
  void each_cell(Visit&& visit) const {
    if (laid_ == 0) return;
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        const Cell cell{static_cast<std::int8_t>(least_.q - 1 + column), static_cast<std::int8_t>(least_.r - 1 + row)};
        visit(cell, grid_[index(cell)]);
      }
    }
  }

  void open(Cell cell, const std::array<std::uint8_t, 3>& facing);
  void close(std::size_t at);

  std::array<std::uint8_t, side * side> grid_{};
  std::array<OpenPlace, max_open> open_{};  ///< unused ones are zero
  std::uint8_t open_count_ = 0;
  std::uint8_t laid_ = 0;
  Cell least_;  ///< least q and least r of a laid piece
};

}  // namespace tessera::cubed
