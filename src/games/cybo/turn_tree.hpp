#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

/// CYBO: every way in which a turn can go, as a tree of numbered nodes.
///
/// The rules of a turn are written once, where the tree is built; playing is a look into its table, and what a turn
/// came to is one small number that tells what was rolled and what it was worth.
namespace tessera::cybo {

enum class Level : std::uint8_t { beginner, advanced, master, grandmaster };

constexpr int sides = 12;

using Three = std::array<std::uint8_t, 3>;

/// The 14 lines. Columns come first, so that the lines that can become a Quad are those below `column_lines`.
constexpr std::array<Three, 14> lines{{
    {1, 2, 3},
    {2, 3, 4},
    {5, 6, 7},
    {6, 7, 8},
    {9, 10, 11},
    {10, 11, 12},  // columns
    {1, 5, 9},
    {2, 6, 10},
    {3, 7, 11},
    {4, 8, 12},  // rows
    {1, 6, 11},
    {2, 7, 12},
    {3, 6, 9},
    {4, 7, 10},  // diagonals
}};
constexpr std::size_t column_lines = 6;

/// The six orders in which a line can be rolled; the first two are the line's order, forwards and backwards.
constexpr std::array<Three, 6> orders{{{0, 1, 2}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}}};

/// A Trinity as it was rolled is numbered: its line × 6 + its order. Those in columns come first.
constexpr int trinities = static_cast<int>(lines.size() * orders.size());
constexpr int column_trinities = static_cast<int>(column_lines * orders.size());
constexpr Three trinity_numbers(int trinity) {
  const Three& line = lines[static_cast<std::size_t>(trinity) / orders.size()];
  const Three& order = orders[static_cast<std::size_t>(trinity) % orders.size()];
  return {line[order[0]], line[order[1]], line[order[2]]};
}

/// The number that makes a Quad of three of a column.
constexpr std::uint8_t fourth_number(const Three& column) {
  const int top = (column[0] - 1) / 4 * 4 + 1;
  return static_cast<std::uint8_t>(4 * top + 6 - column[0] - column[1] - column[2]);
}

/// A feat is what a grand master remembers of a turn: Trinities (0 … 83), and Quads by the Trinity they began with.
constexpr int feats = trinities + column_trinities;
constexpr int quad_feat(int trinity) { return trinities + trinity; }
/// The Trinity of a feat.
constexpr int feat_trinity(int feat) { return feat < trinities ? feat : feat - trinities; }

/// Numbers in the order in which they were rolled, then zeros. Five: beginners roll four times, and once for the Quad.
using Rolled = std::array<std::uint8_t, 5>;

class TurnTree {
 public:
  using Id = std::uint16_t;

  struct Node {
    static constexpr std::uint8_t none = 255;

    Rolled rolled{};
    std::uint8_t points = 0;  ///< turn over: what it was worth; Trinity: if one stops; trying for the Quad: at least
    std::uint8_t trinity = none;  ///< the Trinity that counts, if it was rolled without a wasted roll
  };

  /// The tree of a level, made when it is first asked for.
  static const TurnTree& of(Level level);

  // Three kinds of node, told apart by their number: one that waits for a roll, a Trinity in a column that waits for
  // the decision, and the end of a turn. Node 0 waits for the first roll.
  bool is_rolling(Id node) const { return node < first_choosing_; }
  bool is_choosing(Id node) const { return !is_rolling(node) && !is_over(node); }
  bool is_over(Id node) const { return node >= first_over_; }
  /// The Trinity is made, and the roll for the Quad is awaited.
  bool is_trying(Id node) const { return is_rolling(node) && nodes_[node].points != 0; }

  const Node& operator[](Id node) const { return nodes_[node]; }

  Id after_roll(Id node, int number) const {
    assert(is_rolling(node) && number >= 1 && number <= sides);
    return next_[node][static_cast<std::size_t>(number - 1)];
  }
  Id after_stop(Id node) const {
    assert(is_choosing(node));
    return next_[node][stop];
  }
  Id after_quad(Id node) const {
    assert(is_choosing(node));
    return next_[node][quad];
  }

  /// Grand master: where the turn of a seat with this signature begins (a feat + 1; 0: not qualified).
  Id root(std::uint8_t signature) const { return roots_[signature]; }
  /// Grand master: what a Trinity becomes when it repeats an earlier one of the seat; 0 for a node where nothing can.
  Id if_repeated(Id node) const { return if_repeated_[node]; }

 private:
  class Builder;
  TurnTree() = default;

  // A node's branches: by the number rolled, or by the decision.
  using Branches = std::array<Id, sides>;
  static constexpr std::size_t stop = 0;
  static constexpr std::size_t quad = 1;

  std::vector<Node> nodes_;
  std::vector<Branches> next_;  ///< of all nodes but the ends
  Id first_choosing_ = 0;
  Id first_over_ = 0;
  std::array<Id, feats + 1> roots_{};
  std::vector<Id> if_repeated_;  ///< grand master only
};

}  // namespace tessera::cybo
