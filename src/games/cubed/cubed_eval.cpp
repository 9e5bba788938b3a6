#include "games/cubed/cubed_eval.hpp"

#include <cmath>

#include "games/cubed/cubed_weights.hpp"

namespace tessera {

using namespace cubed;

namespace {

/// What is counted of each seat. All of it weighs less while rounds are left to play.
enum Feature : std::size_t {
  score = 0,        ///< points of earlier rounds
  points = 1,       ///< points in hand
  pieces = 2,       ///< pieces in hand
  fitting = 3,      ///< pieces in hand that could be laid now
  dead_points = 4,  ///< points of those that could not
  to_move = 5,
  blocking = 6,
  wild = 7,
  shortest = 8,     ///< no other hand is shorter
  points_late = 9,  ///< points in hand, the more the shorter the shortest hand is
  pieces_late = 10,
  stuck = 11,      ///< nothing fits
  last_fits = 12,  ///< one piece left, and it fits
};

}  // namespace

CubedEval::CubedEval(const Cubed& game) : game_(&game), weights_(cubed::learned_weights) {}

std::array<CubedEval::Weights, max_seats> CubedEval::features(const Cubed::State& state) const {
  std::array<Weights, max_seats> all{};
  const int seats = game_->options().seats;
  const double less =
      1 / std::sqrt(1.0 + std::max(0, game_->options().rounds - state.round - (state.round_over ? 0 : 1)));
  for (int seat = 0; seat < seats; ++seat) all[seat][score] = state.scores[seat] / 20.0 * less;
  if (state.round_over || state.step == Cubed::Step::deal) return all;  // the hands are counted, or not yet dealt

  const Kinds fit = game_->fitting(state);
  int least = 65;
  for (int seat = 0; seat < seats; ++seat) least = std::min(least, state.hands[seat].size());
  for (int seat = 0; seat < seats; ++seat) {
    const PieceSet& hand = state.hands[seat];
    Weights& found = all[seat];
    const int fits = hand.count_of(fit);
    found[points] = hand.points() / 20.0 * less;
    found[pieces] = hand.size() / 10.0 * less;
    found[fitting] = fits / 10.0 * less;
    found[dead_points] = hand.only(~fit).points() / 20.0 * less;
    found[to_move] = state.seat == seat ? less : 0;
    found[blocking] = hand.count_of(blocking_kinds) * less;
    found[wild] = hand.count_of(wild_kinds) * less;
    found[shortest] = hand.size() == least ? less : 0;
    found[points_late] = hand.points() / (4.0 + least) * less;
    found[pieces_late] = hand.size() / (4.0 + least) * less;
    found[stuck] = fits == 0 ? less : 0;
    found[last_fits] = hand.size() == 1 && fits == 1 ? less : 0;
  }
  return all;
}

Chances CubedEval::chances(const Cubed::State& state) const {
  if (game_->options().seats == 1) return chances_alone(state);
  const auto found = features(state);
  std::array<double, max_seats> scores{};
  for (int seat = 0; seat < game_->options().seats; ++seat) {
    for (std::size_t i = 0; i < feature_count; ++i) scores[seat] += weights_[i] * found[seat][i];
  }
  return chances_from(*game_, scores);
}

/// Alone the hand is to be played to its last piece: the fewer are left and the more of them fit, the better.
Chances CubedEval::chances_alone(const Cubed::State& state) const {
  const PieceSet& hand = state.hands[0];
  const int fits = hand.count_of(game_->fitting(state));
  return {logistic(2.5 - 0.15 * hand.size() + 0.1 * fits - 0.2 * hand.count_of(blocking_kinds))};
}

std::uint64_t CubedEval::key(const Cubed::State& state) const {
  std::uint64_t key =
      mixed(static_cast<std::uint64_t>(state.turns) << 32 | static_cast<std::uint64_t>(state.step) << 24 |
            static_cast<std::uint64_t>(state.seat) << 16 | static_cast<std::uint64_t>(state.round) << 8 |
            static_cast<std::uint64_t>(state.idle) << 4 | state.draws);
  const auto add = [&](const PieceSet& set) {
    key = mixed(key + set.kinds());
    key = mixed(key + static_cast<std::uint64_t>(set.size()));
  };
  for (int seat = 0; seat < game_->options().seats; ++seat) add(state.hands[seat]);
  add(state.bag);
  add(state.drawn);
  for (const OpenPlace& place : state.table.open()) {
    const auto q = static_cast<std::uint8_t>(place.cell.q);
    const auto r = static_cast<std::uint8_t>(place.cell.r);
    const std::uint64_t where = std::uint64_t{q} << 8 | r;
    key += mixed(where << 32 | std::uint64_t{place.facing[0]} << 16 | std::uint64_t{place.facing[1]} << 8 |
                 place.facing[2]);
  }
  return key;
}

int CubedEval::urge(const Cubed::State&, Move move) const {
  const int kind = Cubed::laid_by(move);
  return kind < 0 ? 0 : points_of(kind);
}

}  // namespace tessera
