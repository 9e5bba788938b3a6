#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

#include "games/cubed/cubed.hpp"
#include "games/cubed/words.hpp"

/// The rules of play, each written once for playing, for showing and for following what others do. Included where they
/// are used: cubed.cpp and knowledge.cpp.
namespace tessera {

// ── Chance events ──

template <class Tell>
void Cubed::happen(State& state, const Outcome& outcome, Tell&& tell) const {
  using namespace cubed;
  if (state.step == Step::deal) {
    deal(state, outcome, tell);
    return;
  }
  state.bag -= outcome.drawn;
  if (state.step == Step::start) {
    state.bag -= outcome.out;
    state.out += outcome.out;
    outcome.out.each([&](Kind out) {
      tell([&] { return Effect{.kind = Effect::Kind::put_back, .piece = word(out), .path = {"bag", "out"}}; });
    });
    const int kind = outcome.drawn.least();
    tell([&] {
      return Effect{
          .kind = Effect::Kind::lay, .piece = word(kind), .becomes = laid_word(kind, 0), .path = {"bag", "0,0"}};
    });
    state.table.lay(kind, 0, {});
    state.step = Step::begin;
    return;
  }
  outcome.drawn.each([&](Kind kind) {
    tell([&] {
      return Effect{
          .kind = Effect::Kind::draw, .seat = state.seat, .piece = word(kind), .path = {"bag", hand_word(state.seat)}};
    });
  });
  if (state.step == Step::take) {
    state.drawn = outcome.drawn;
    state.step = Step::keep;
    return;
  }
  state.hands[state.seat] += outcome.drawn;
  if (alone()) ++state.draws;
  state.step = alone() ? Step::begin : Step::after_draw;
}

template <class Tell>
void Cubed::deal(State& state, const Outcome& outcome, Tell&& tell) const {
  using namespace cubed;
  // 1. What the last round left goes back into the bag.
  if constexpr (!std::is_same_v<std::remove_cvref_t<Tell>, Silent>) {
    state.table.each_laid([&](Cell cell, int kind, int turn) {
      tell([&] {
        return Effect{.kind = Effect::Kind::put_back,
                      .piece = laid_word(kind, turn),
                      .becomes = word(kind),
                      .path = {cell_word(cell), "bag"}};
      });
    });
    for (int seat = 0; seat < options_.seats; ++seat) {
      state.hands[seat].each([&](Kind kind) {
        tell([&] {
          return Effect{.kind = Effect::Kind::put_back, .piece = word(kind), .path = {hand_word(seat), "bag"}};
        });
      });
    }
  }
  // 2. New hands.
  state.table = {};
  state.bag = PieceSet::full() - outcome.out;
  for (int seat = 0; seat < options_.seats; ++seat) {
    state.hands[seat] = outcome.hands[seat];
    state.bag -= outcome.hands[seat];
    state.hands[seat].each([&](Kind kind) {
      tell([&] {
        return Effect{.kind = Effect::Kind::draw, .seat = seat, .piece = word(kind), .path = {"bag", hand_word(seat)}};
      });
    });
  }
  state.out = outcome.out;
  state.out.each([&](Kind kind) {
    tell([&] { return Effect{.kind = Effect::Kind::put_back, .piece = word(kind), .path = {"bag", "out"}}; });
  });
  // 3. The round begins.
  state.round_over = false;
  state.seat = state.began;
  state.step = alone() ? Step::start : Step::begin;
}

// ── Decisions ──

template <class Tell>
void Cubed::happen(State& state, Move move, Tell&& tell) const {
  using namespace cubed;
  const int seat = state.seat;
  const auto kind = static_cast<Kind>(kind_of(move));
  switch (act_of(move)) {
    case Act::lay: lay(state, kind, turn_of(move), cell_of(move), tell); break;
    case Act::draw: state.step = Step::draw; break;
    case Act::pass:
      tell([&] { return Effect{.kind = Effect::Kind::pass, .seat = seat}; });
      pass_turn(state, true);
      break;
    case Act::take:
      state.draws = static_cast<std::uint8_t>(number_of(move));
      state.step = Step::take;
      break;
    case Act::keep:
      state.hands[seat].add(kind);
      state.drawn.remove(kind);
      state.drawn.each([&](Kind returned) {
        tell([&] {
          return Effect{
              .kind = Effect::Kind::put_back, .seat = seat, .piece = word(returned), .path = {hand_word(seat), "bag"}};
        });
      });
      state.bag += state.drawn;
      state.drawn = {};
      state.draws = 0;
      end_turn(state, false);
      break;
    case Act::give: {
      const int to = number_of(move);
      tell([&] {
        return Effect{
            .kind = Effect::Kind::give, .seat = seat, .piece = word(kind), .path = {hand_word(seat), hand_word(to)}};
      });
      state.hands[seat].remove(kind);
      state.hands[to].add(kind);
      end_turn(state, false);
      break;
    }
  }
}

template <class Tell>
void Cubed::lay(State& state, int kind, int turn, Cell cell, Tell&& tell) const {
  using namespace cubed;
  tell([&] {
    return Effect{.kind = Effect::Kind::lay,
                  .seat = state.seat,
                  .piece = word(kind),
                  .becomes = laid_word(kind, turn),
                  .path = {hand_word(state.seat), cell_word(cell)}};
  });
  const bool extras = options_.bridge || options_.fill;
  const unsigned touched = extras && state.table.laid() > 0 ? state.table.occupied_round(cell) : 0;
  state.table.lay(kind, turn, cell);
  state.hands[state.seat].remove(kind);
  // The end of the round comes before what the variants grant. One lay cannot both bridge and fill: six pieces all
  // round are one group.
  if (!round_ends(state)) {
    const unsigned run_ends = touched & ~(touched >> 1 | touched << 5);
    if (options_.bridge && !state.bridged && std::popcount(run_ends & 63U) >= 2) {
      state.bridged = true;
      state.step = Step::bridge;
      return;
    }
    if (options_.fill && touched == 63U) {
      state.step = Step::fill;
      return;
    }
  }
  end_turn(state, false);
}

// ── What follows by itself ──

/// Passes for seats that can do nothing else, draws alone, counts the points of a round that has ended. `stuck(state)`
/// says whether the seat to decide can lay nothing.
template <class Tell, class Stuck>
void Cubed::settle(State& state, Tell&& tell, Stuck&& stuck) const {
  if (alone() && state.step == Step::begin && stuck(state)) {
    const bool lost = state.bag.empty() || state.draws == 2;
    state.step = lost ? Step::count : Step::draw;
  }
  while (may_lay(state) && may_pass(state) && stuck(state)) {
    tell([&] { return Effect{.kind = Effect::Kind::pass, .seat = state.seat}; });
    pass_turn(state, false);
  }
  if (state.step == Step::count) count_points(state, tell);
}

template <class Tell>
void Cubed::count_points(State& state, Tell&& tell) const {
  using namespace cubed;
  // 1. The round is won by the empty hand, else by the fewest points, first in turn order from the seat that began.
  std::array<int, max_seats> points{};
  for (int seat = 0; seat < options_.seats; ++seat) points[seat] = state.hands[seat].points();
  int winner = state.began;
  for (int i = 1; i < options_.seats; ++i) {
    const int seat = (state.began + i) % options_.seats;
    if (points[seat] < points[winner]) winner = seat;
  }
  // 2. Everybody's points are added and the hands are open.
  for (int seat = 0; seat < options_.seats; ++seat) {
    state.scores[seat] = static_cast<std::int16_t>(state.scores[seat] + points[seat]);
    state.hands[seat].each([&](Kind kind) {
      tell([&] {
        return Effect{
            .kind = Effect::Kind::show, .seat = seat, .piece = word(kind), .path = {hand_word(seat), hand_word(seat)}};
      });
    });
    tell([&] { return Effect{.kind = Effect::Kind::score, .seat = seat, .points = points[seat]}; });
  }
  const bool won = !alone() || state.hands[0].empty();
  if (!alone()) tell([&] { return Effect{.kind = Effect::Kind::round, .seat = winner}; });
  ++state.round;
  state.round_over = true;
  state.idle = 0;
  state.draws = 0;
  // 3. The next round, or the end of the game: by the last round, or by the limit of turns.
  if (state.round < options_.rounds && state.turns < options_.turn_limit) {
    state.seat = state.began = static_cast<std::uint8_t>(winner);
    state.step = Step::deal;
    return;
  }
  state.step = Step::over;
  if (state.round < options_.rounds || !won) return;
  const auto lowest = *std::min_element(state.scores.begin(), state.scores.begin() + options_.seats);
  for (int seat = 0; seat < options_.seats; ++seat) {
    if (state.scores[seat] != lowest) continue;
    state.winners |= static_cast<std::uint8_t>(1 << seat);
    tell([&] { return Effect{.kind = Effect::Kind::win, .seat = seat}; });
  }
}

}  // namespace tessera
