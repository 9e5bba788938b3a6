#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "core/real.hpp"
#include "rules/game.hpp"

/// Chances of winning: what search makes as large as it can.
namespace tessera {

/// By seat, from 0 to 1. Seats of one side have the same; over all sides they make 1, or 0 where nobody won.
using Chances = std::array<double, max_seats>;

/// Who wins together with `seat`: its team, or itself.
template <Game G>
int side_of(const G& game, int seat) {
  if constexpr (requires { game.side(seat); }) {
    return game.side(seat);
  } else {
    return seat;
  }
}

/// Of a game that is over. A win that n sides share is worth 1/n to each.
template <Game G>
Chances chances_of(const G& game, const Result& result) {
  unsigned sides = 0;
  for (int seat = 0; seat < game.options().seats; ++seat) {
    if (result.won(seat)) sides |= 1U << side_of(game, seat);
  }
  Chances chances{};
  if (sides == 0) return chances;
  const double share = 1.0 / std::popcount(sides);
  for (int seat = 0; seat < game.options().seats; ++seat) chances[seat] = result.won(seat) ? share : 0;
  return chances;
}

/// Of a game that goes on, from a score a seat, in logits: of two sides, one that is ahead by x wins with the chance
/// 1 / (1 + e^-x). Scores of a side are added up.
template <Game G>
Chances chances_from(const G& game, const std::array<double, max_seats>& scores) {
  const int seats = game.options().seats;
  std::array<double, max_seats> side_scores{};
  std::array<bool, max_seats> plays{};
  for (int seat = 0; seat < seats; ++seat) {
    side_scores[side_of(game, seat)] += scores[seat];
    plays[side_of(game, seat)] = true;
  }
  double best = std::numeric_limits<double>::lowest();
  for (int side = 0; side < seats; ++side) {
    if (plays[side]) best = std::max(best, side_scores[side]);
  }
  double total = 0;
  for (int side = 0; side < seats; ++side) {
    if (!plays[side]) continue;
    side_scores[side] = portable_exp(side_scores[side] - best);
    total += side_scores[side];
  }
  Chances chances{};
  for (int seat = 0; seat < seats; ++seat) chances[seat] = side_scores[side_of(game, seat)] / total;
  return chances;
}

/// Well mixed bits of a 64-bit number (the last step of splitmix64): for keys of positions.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace tessera
