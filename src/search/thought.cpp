#include "search/thought.hpp"

#include <algorithm>

namespace tessera {

Thought conclude(std::vector<MoveChance> moves, std::size_t best, std::uint64_t simulations) {
  std::swap(moves[0], moves[best]);
  std::sort(moves.begin() + 1, moves.end());
  const MoveChance chosen = moves[0];
  return {chosen.move, chosen.chance, std::move(moves), simulations};
}

Thought conclude(std::span<const Tried> tried, double guess_visits, std::uint64_t simulations) {
  std::vector<MoveChance> moves;
  std::size_t best = 0;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const Tried& one = tried[i];
    const double visits = one.visits + guess_visits;
    moves.push_back({one.move, visits > 0 ? (one.sum + guess_visits * one.guess) / visits : one.guess});
    const Tried& leading = tried[best];
    if (one.visits != leading.visits ? one.visits > leading.visits : one.sum > leading.sum) best = i;
  }
  const double most = moves[best].chance;
  for (MoveChance& move : moves) move.chance = std::min(move.chance, most);
  return conclude(std::move(moves), best, simulations);
}

}  // namespace tessera
