#pragma once

#include <algorithm>

#include "search/evaluation.hpp"
#include "search/thought.hpp"

namespace tessera {

/// One move ahead: each legal move is judged by the evaluation of what it leads to, on average over so many worlds that
/// `imagine(random)` gives. Their legal moves are the same.
template <Game G, Evaluation<G> E, class Imagine>
Thought look_ahead(const G& game, const E& evaluation, Imagine&& imagine, int worlds, Random& random) {
  std::vector<MoveChance> found;
  MoveList<G> moves;
  for (int i = 0; i < worlds; ++i) {
    const typename G::State world = imagine(random);
    const int seat = game.turn(world).seat;
    moves.clear();
    game.legal(world, moves);
    if (i == 0) {
      for (const Move move : moves) found.push_back({move, 0});
    }
    for (MoveChance& move : found) {
      typename G::State next = world;
      game.play(next, move.move);
      move.chance += judge(game, evaluation, next)[seat] / worlds;
    }
  }
  const auto best = std::min_element(found.begin(), found.end()) - found.begin();
  return conclude(std::move(found), static_cast<std::size_t>(best), found.size() * static_cast<std::size_t>(worlds));
}

}  // namespace tessera
