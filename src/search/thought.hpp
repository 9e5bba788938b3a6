#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rules/game.hpp"

namespace tessera {

struct MoveChance {
  Move move;
  double chance;  ///< of winning, for the seat that makes it

  friend bool operator==(const MoveChance&, const MoveChance&) = default;
  /// The better first; equals in a fixed order.
  friend bool operator<(const MoveChance& a, const MoveChance& b) {
    return a.chance != b.chance ? a.chance > b.chance : a.move < b.move;
  }
};

/// What came of thinking about a decision.
struct Thought {
  Move move = 0;                  ///< the best
  double chance = 0;              ///< of winning with it
  std::vector<MoveChance> moves;  ///< every legal move; the best first, then as they are judged
  std::uint64_t simulations = 0;  ///< positions judged or games simulated on the way

  friend bool operator==(const Thought&, const Thought&) = default;
};

/// When to stop thinking though simulations are left: asked now and then. For people who wait.
using StopEarly = std::function<bool()>;

/// A thought from every legal move's chance, of which the move at `best` is to be played.
Thought conclude(std::vector<MoveChance> moves, std::size_t best, std::uint64_t simulations);

/// What a search has found out about a move.
struct Tried {
  Move move;
  double visits;
  double sum;    ///< of the chances in these visits
  double guess;  ///< the evaluation's
};

/// The thought of a search: the move that was tried most, of equals the one that won more. A guess counts as
/// `guess_visits`. No move is said to be better than the chosen one: it would have been tried more.
Thought conclude(std::span<const Tried> tried, double guess_visits, std::uint64_t simulations);

}  // namespace tessera
