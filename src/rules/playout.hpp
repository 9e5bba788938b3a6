#pragma once

#include <cstdint>

#include "rules/game.hpp"

namespace tessera {

/// Plays `state` to its end, every decision uniformly at random among the legal moves. Returns the number of
/// transitions: chance events and decisions.
template <Game G, Uniform U>
std::uint64_t playout(const G& game, typename G::State& state, U& uniform) {
  MoveList<G> moves;
  for (std::uint64_t transitions = 0;; ++transitions) {
    switch (game.turn(state).phase) {
      case Phase::chance: game.apply(state, game.draw(state, uniform)); break;
      case Phase::decision:
        moves.clear();
        game.legal(state, moves);
        game.play(state, moves[uniform(static_cast<std::uint32_t>(moves.size()))]);
        break;
      case Phase::over: return transitions;
    }
  }
}

/// The number of paths of `depth` transitions from `state`; a path that ends earlier because the game does counts as
/// one. A chance event that is too many to list counts as one outcome, drawn from `seed`.
template <Game G>
std::uint64_t perft(const G& game, const typename G::State& state, int depth, std::uint64_t seed) {
  const Phase phase = game.turn(state).phase;
  if (depth == 0 || phase == Phase::over) return 1;
  std::uint64_t leaves = 0;
  const auto count_after = [&](auto&& change) {
    typename G::State next = state;
    change(next);
    leaves += perft(game, next, depth - 1, seed);
  };
  if (phase == Phase::decision) {
    MoveList<G> moves;
    game.legal(state, moves);
    if (depth == 1) return moves.size();
    for (const Move move : moves) count_after([&](auto& next) { game.play(next, move); });
  } else if (game.outcome_total(state) == 0) {
    Random random(seed, game.stream(state));
    count_after([&](auto& next) { game.apply(next, game.draw(next, random)); });
  } else {
    game.each_outcome(state, [&](const auto& outcome, std::uint64_t) {
      count_after([&](auto& next) { game.apply(next, outcome); });
    });
  }
  return leaves;
}

}  // namespace tessera
