#pragma once

#include "search/evaluation.hpp"

/// How moves are chosen in playouts.
namespace tessera {

/// Any legal move.
struct AnyMove {
  template <Game G>
  Move operator()(const G&, const typename G::State&, const MoveList<G>& moves, Random& random) const {
    return moves[random(static_cast<std::uint32_t>(moves.size()))];
  }
};

/// The move after which the evaluation thinks best of the seat's chances; the first of several. Now and then, so that
/// playouts differ, any move.
template <class E>
struct BestNow {
  const E& evaluation;
  std::uint32_t any_move_percent = 5;

  template <Game G>
  Move operator()(const G& game, const typename G::State& state, const MoveList<G>& moves, Random& random) const {
    if (moves.size() == 1) return moves[0];
    if (random(100) < any_move_percent) return AnyMove{}(game, state, moves, random);
    const int seat = game.turn(state).seat;
    Move best = moves[0];
    double most = -1;
    for (const Move move : moves) {
      typename G::State next = state;
      game.play(next, move);
      const double chance = judge(game, evaluation, next)[seat];
      if (chance <= most) continue;
      most = chance;
      best = move;
    }
    return best;
  }
};

/// The most urgent of a few moves that are drawn, as an evaluation sees it that has an opinion on moves
/// (`urge(state, move)`, the higher the better); else any move. Cheap, so that playouts are many.
template <class E>
struct Urgent {
  const E& evaluation;
  int drawn_moves = 3;

  template <Game G>
  Move operator()(const G& game, const typename G::State& state, const MoveList<G>& moves, Random& random) const {
    Move best = AnyMove{}(game, state, moves, random);
    if constexpr (requires { evaluation.urge(state, best); }) {
      int most = evaluation.urge(state, best);
      for (int i = 1; i < drawn_moves; ++i) {
        const Move move = AnyMove{}(game, state, moves, random);
        const int urge = evaluation.urge(state, move);
        if (urge <= most) continue;
        most = urge;
        best = move;
      }
    }
    return best;
  }
};

/// Plays `state` on by `policy` until it is over or so many chance events have passed; a negative number: to its end.
template <Game G, class Policy>
void play_on(const G& game, typename G::State& state, const Policy& policy, int chance_events, Random& random) {
  MoveList<G> moves;
  for (;;) {
    switch (game.turn(state).phase) {
      case Phase::chance:
        if (chance_events == 0) return;
        --chance_events;
        game.apply(state, game.draw(state, random));
        break;
      case Phase::decision:
        moves.clear();
        game.legal(state, moves);
        game.play(state, policy(game, state, moves, random));
        break;
      case Phase::over: return;
    }
  }
}

}  // namespace tessera
