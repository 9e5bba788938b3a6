#pragma once

#include <concepts>

#include "rules/chances.hpp"

namespace tessera {

/// A judgement of positions without search. Each game has one, in its folder: `MarblesEval` in marbles_eval.hpp.
template <class E, class G>
concept Evaluation =
    Game<G> && std::constructible_from<E, const G&> && requires(const E& evaluation, const typename G::State& state) {
      // Each seat's chance of winning. The state is not over, and nothing in it is hidden: search has guessed the rest.
      { evaluation.chances(state) } -> std::same_as<Chances>;
      // Equal states have equal keys, and others hardly ever.
      { evaluation.key(state) } -> std::same_as<std::uint64_t>;
    };

/// The chances in any state: what a result gave, or what the evaluation thinks.
template <Game G, Evaluation<G> E>
Chances judge(const G& game, const E& evaluation, const typename G::State& state) {
  return game.turn(state).phase == Phase::over ? chances_of(game, game.result(state)) : evaluation.chances(state);
}

}  // namespace tessera
