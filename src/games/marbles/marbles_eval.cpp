#include "games/marbles/marbles_eval.hpp"

#include <bit>

#include "games/marbles/marbles_weights.hpp"

namespace tessera {
namespace {

/// What is counted of each seat.
enum Feature : std::size_t {
  stretch = 0,        ///< … 9: marbles in each tenth of the way round
  home = 10,          ///< … 13: whether h1 … h4 are taken
  in_base = 14,       ///< marbles in the base
  way = 15,           ///< how far all marbles have come, in rounds
  way_late = 16,      ///< the same times how far the furthest seat has come: late in the game a lead weighs more
  to_roll = 17,       ///< the seat is the next to roll
  danger_next = 18,   ///< what the next to roll can send back at once: by the way that would be lost, times the chance
  danger_later = 19,  ///< what others can
  danger_far = 20,    ///< what can be hit with a 6 and another roll
  stuck = 21,         ///< no marble on the ring, some in the base: only a 1 or a 6 helps
  near_home = 22,     ///< marbles on the last six spaces
  all_out = 23,       ///< no marble in the base
};

int lowest_place(Marbles::Track track) {
  const auto low = static_cast<std::uint64_t>(track);
  return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(track >> 64));
}

/// The bits of the six places behind `place`, that five places behind it the lowest … that right behind it the highest.
unsigned six_behind(Marbles::Track track, int place) {
  return static_cast<unsigned>(place >= 6 ? track >> (place - 6) : track << (6 - place)) & 63U;
}

}  // namespace

MarblesEval::MarblesEval(const Marbles& game) : game_(&game), weights_(marbles::learned_weights) {}

void MarblesEval::marbles_of(const Marbles::State& state, int seat, Weights& found) const {
  const int ring = game_->ring();
  int steps = 0;
  bool on_ring = false;
  for (Marbles::Track rest = state.track[seat]; rest != 0; rest &= rest - 1) {
    const int place = lowest_place(rest);
    steps += place + 1;
    if (place >= ring) {
      found[static_cast<std::size_t>(home + place - ring)] += 1;
      continue;
    }
    on_ring = true;
    found[static_cast<std::size_t>(stretch + place * 10 / ring)] += 1;
    if (place >= ring - 6) found[near_home] += 1;
  }
  found[in_base] = state.base[seat];
  found[way] = static_cast<double>(steps) / ring;
  found[to_roll] = state.seat == seat ? 1 : 0;
  found[stuck] = !on_ring && state.base[seat] > 0 ? 1 : 0;
  found[all_out] = state.base[seat] == 0 ? 1 : 0;
}

void MarblesEval::dangers_of(const Marbles::State& state, int seat, Weights& found) const {
  const int seats = game_->options().seats;
  const int ring = game_->ring();
  for (Marbles::Track rest = state.track[seat]; rest != 0; rest &= rest - 1) {
    const int place = lowest_place(rest);
    if (place >= ring) break;
    const double lost = (place + 8.0) / ring;  // the way, and the wait in the base
    const int space = game_->ring_space(seat, place);
    for (int other = 0; other < seats; ++other) {
      if (game_->side(other) == game_->side(seat)) continue;
      const int seen = game_->place_on(space, other);  // as the other counts
      const Marbles::Track track = state.track[other];
      int rolls = std::popcount(six_behind(track, seen));
      if (state.base[other] > 0) {
        for (const int roll : {1, 6}) rolls += game_->comes_out_at(roll) == seen ? 1 : 0;
      }
      found[other == state.seat ? danger_next : danger_later] += lost * rolls / 6;
      if (seen > 6) found[danger_far] += lost * std::popcount(six_behind(track, seen - 6)) / 36;
    }
  }
}

std::array<MarblesEval::Weights, max_seats> MarblesEval::features(const Marbles::State& state) const {
  std::array<Weights, max_seats> all{};
  double furthest = 0;
  for (int seat = 0; seat < game_->options().seats; ++seat) {
    marbles_of(state, seat, all[seat]);
    dangers_of(state, seat, all[seat]);
    furthest = std::max(furthest, all[seat][way]);
  }
  for (int seat = 0; seat < game_->options().seats; ++seat) all[seat][way_late] = all[seat][way] * furthest / 4;
  return all;
}

Chances MarblesEval::chances(const Marbles::State& state) const {
  const auto found = features(state);
  std::array<double, max_seats> scores{};
  for (int seat = 0; seat < game_->options().seats; ++seat) {
    for (std::size_t i = 0; i < feature_count; ++i) scores[seat] += weights_[i] * found[seat][i];
  }
  return chances_from(*game_, scores);
}

std::uint64_t MarblesEval::key(const Marbles::State& state) const {
  std::uint64_t key =
      mixed(static_cast<std::uint64_t>(state.turns) << 16 | static_cast<std::uint64_t>(state.phase) << 12 |
            static_cast<std::uint64_t>(state.roll) << 8 | state.seat);
  for (int seat = 0; seat < game_->options().seats; ++seat) {
    key = mixed(key + static_cast<std::uint64_t>(state.track[seat]));
    key = mixed(key + static_cast<std::uint64_t>(state.track[seat] >> 64));
  }
  return key;
}

}  // namespace tessera
