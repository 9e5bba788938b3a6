#include "search/thought.hpp"

#include <algorithm>

namespace tessera {

Thought conclude(std::vector<MoveChance> moves, std::size_t best, std::uint64_t simulations) {
  std::swap(moves[0], moves[best]);
  std::sort(moves.begin() + 1, moves.end());
  const MoveChance chosen = moves[0];
  return {chosen.move, chosen.chance, std::move(moves), simulations};
}

}  // namespace tessera
