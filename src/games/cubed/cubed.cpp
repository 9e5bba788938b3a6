#include "games/cubed/cubed.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>

#include "games/cubed/playing.hpp"

namespace tessera {

using namespace cubed;

// ── Options ──

std::span<const OptionField<Cubed::Options>> Cubed::option_fields() {
  using Field = OptionField<Options>;
  static constexpr std::array<std::string_view, 2> matching{"all", "two"};
  static constexpr std::array fields{
      Field::boolean<&Options::bridge>("bridge",
                                       "Laying a piece that joins separate groups earns a second lay in the same turn.")
          .from_seats(2),
      Field::boolean<&Options::fill>("fill", "Laying a piece between six others lets you give a piece to another seat.")
          .from_seats(2),
      Field::first(),
      Field::choice<&Options::matching>("matching", matching,
                                        "Which touching pieces must match: all of them, or at least two."),
      Field::boolean<&Options::open_hands>("open_hands", "Everybody sees all hands.").from_seats(2),
      Field::integer<&Options::rounds>("rounds", 1, 9, "Rounds of a game; 1 with one seat.").from_seats(2),
      Field::boolean<&Options::take>("take", "A turn may be to draw up to three pieces at once and keep one.")
          .from_seats(2),
      Field::turn_limit(),
  };
  return fields;
}

std::optional<Error> Cubed::check(const Options& options) {
  if (options.seats > 1) return std::nullopt;
  if (options.rounds != 1)
    return option_refused("rounds", std::to_string(options.rounds), Phrase::of("{} with 1 seat", 1));
  const auto refused = [](std::string_view option) {
    return option_refused(option, "true", Phrase::of("{} with 1 seat", "false"));
  };
  if (options.bridge) return refused("bridge");
  if (options.fill) return refused("fill");
  if (options.open_hands) return refused("open_hands");
  if (options.take) return refused("take");
  return std::nullopt;
}

Cubed::Cubed(const Options& options) : options_(options), fits_(options.matching) {}

int Cubed::hand_size() const {
  constexpr std::array sizes{25, 25, 18, 13, 11, 9};
  return sizes[static_cast<std::size_t>(options_.seats - 1)];
}

Cubed::State Cubed::start() const {
  State state;
  state.seat = state.began = static_cast<std::uint8_t>(options_.first);
  return state;
}

Turn Cubed::turn(const State& state) const {
  switch (state.step) {
    case Step::deal: return {Phase::chance, -1};
    case Step::over: return {Phase::over, -1};
    case Step::start:
    case Step::draw:
    case Step::take: return {Phase::chance, static_cast<std::int8_t>(state.seat)};
    default: return {Phase::decision, static_cast<std::int8_t>(state.seat)};
  }
}

Result Cubed::result(const State& state) const { return {state.winners, state.scores}; }

// ── Legal moves ──

bool Cubed::may_lay(const State& state) const {
  return state.step == Step::begin || state.step == Step::after_draw || state.step == Step::bridge;
}

bool Cubed::may_pass(const State& state) const {
  return (state.step == Step::begin && state.bag.empty() && !alone()) || state.step == Step::after_draw ||
         state.step == Step::bridge || state.step == Step::fill;
}

bool Cubed::can_lay(const State& state) const {
  const Kinds hand = state.hands[state.seat].kinds();
  const int laid = state.table.laid();
  if (laid == 0) return (hand & ~blocking_kinds) != 0;
  for (const OpenPlace& place : state.table.open()) {
    for (int turn = 0; turn < 3; ++turn) {
      if ((fits_.kinds(place, turn, laid) & hand) != 0) return true;
    }
  }
  return false;
}

Kinds Cubed::fitting(const State& state) const {
  const int laid = state.table.laid();
  if (laid == 0) return every_kind & ~blocking_kinds;
  Kinds fit = 0;
  for (const OpenPlace& place : state.table.open()) {
    for (int turn = 0; turn < 3; ++turn) fit |= fits_.kinds(place, turn, laid);
  }
  return fit;
}

void Cubed::legal(const State& state, MoveList<Cubed>& moves) const {
  const PieceSet& hand = state.hands[state.seat];
  const auto each_kind = [](Kinds left, auto&& visit) {
    for (; left != 0; left &= left - 1) visit(std::countr_zero(left));
  };
  const int laid = state.table.laid();
  if (may_lay(state) && laid == 0) {
    each_kind(hand.kinds() & ~blocking_kinds, [&](int kind) { moves.push_back(lay_move(kind, 0, {})); });
  } else if (may_lay(state)) {
    for (const OpenPlace& place : state.table.open()) {
      for (int turn = 0; turn < 3; ++turn) {
        const Move here = lay_move(0, turn, place.cell);
        each_kind(fits_.kinds(place, turn, laid) & hand.kinds(),
                  [&](int kind) { moves.push_back(here | static_cast<Move>(kind)); });
      }
    }
  }
  if (state.step == Step::begin && !alone() && !state.bag.empty()) {
    moves.push_back(act_move(Act::draw));
    for (int n = 1; options_.take && n <= std::min(3, state.bag.size()); ++n)
      moves.push_back(act_move(Act::take, 0, n));
  }
  if (state.step == Step::keep) {
    each_kind(state.drawn.kinds(), [&](int kind) { moves.push_back(act_move(Act::keep, kind)); });
  }
  if (state.step == Step::fill) {
    each_kind(hand.kinds(), [&](int kind) {
      for (int to = 0; to < options_.seats; ++to) {
        if (to != state.seat) moves.push_back(act_move(Act::give, kind, to));
      }
    });
  }
  if (may_pass(state)) moves.push_back(act_move(Act::pass));
}

// ── Playing ──

bool Cubed::round_ends(const State& state) const {
  return state.hands[state.seat].empty() || (state.table.laid() > 0 && state.table.open().empty()) ||
         state.idle == options_.seats;
}

void Cubed::pass_turn(State& state, bool could_lay) const {
  const bool drew_in_vain = state.step == Step::after_draw && !could_lay;
  const bool laid = state.step == Step::bridge || state.step == Step::fill;
  end_turn(state, !laid && (drew_in_vain || state.bag.empty()));
}

void Cubed::end_turn(State& state, bool idle) const {
  ++state.turns;
  state.idle = static_cast<std::uint8_t>(idle ? state.idle + 1 : 0);
  state.bridged = false;
  state.draws = 0;
  if (round_ends(state)) {
    state.step = Step::count;
  } else if (state.turns >= options_.turn_limit) {
    // Cut off. Alone, where the score is what is left in hand, that is counted; else the round is not.
    state.step = alone() ? Step::count : Step::over;
  } else {
    state.seat = static_cast<std::uint8_t>(state.seat + 1 == options_.seats ? 0 : state.seat + 1);
    state.step = Step::begin;
  }
}

void Cubed::apply(State& state, const Outcome& outcome) const {
  happen(state, outcome, Silent{});
  settle(state, Silent{}, can_lay_nothing());
}

void Cubed::play(State& state, Move move) const {
  happen(state, move, Silent{});
  settle(state, Silent{}, can_lay_nothing());
}

/// Without what follows by itself: that others pass, and what a round's end lays open, depends on their hands.
std::vector<Effect> Cubed::foreseen(const State& state, Move move) const {
  return hide(state, effects_of(state, [&](State& next, Told& told) { happen(next, move, told); }),
              Viewer::seat(state.seat));
}

std::vector<Effect> Cubed::effects(const State& state, Move move, Viewer viewer) const {
  return hide(state,
              effects_of(state,
                         [&](State& next, Told& told) {
                           happen(next, move, told);
                           settle(next, told, can_lay_nothing());
                         }),
              viewer);
}

std::vector<Effect> Cubed::effects(const State& state, const Outcome& outcome, Viewer viewer) const {
  return hide(state,
              effects_of(state,
                         [&](State& next, Told& told) {
                           happen(next, outcome, told);
                           settle(next, told, can_lay_nothing());
                         }),
              viewer);
}

// ── Chance ──

std::uint64_t Cubed::outcome_total(const State& state) const {
  const int size = state.bag.size();
  switch (state.step) {
    case Step::draw: return static_cast<std::uint64_t>(size);
    case Step::take: return choose(size, state.draws);
    case Step::start: return falling(size, state.bag.count_of(blocking_kinds) + 1);
    default: return 0;
  }
}

std::vector<Draw> Cubed::take_apart(const State& state, const Outcome& outcome) const {
  std::vector<Draw> draws;
  PieceSet bag = state.step == Step::deal ? PieceSet::full() : state.bag;
  const auto take = [&](Kind kind) {
    draws.push_back({static_cast<std::uint32_t>(bag.size()), static_cast<std::uint32_t>(bag.rank(kind))});
    bag.remove(kind);
  };
  if (state.step == Step::deal && alone()) {
    // First the blocking pieces that stay, then those that go out at once as the fourth, then the rest.
    const PieceSet stay = outcome.hands[0].only(blocking_kinds);
    stay.each(take);
    outcome.out.each([&](Kind kind) {
      take(kind);
      draws.push_back({static_cast<std::uint32_t>(stay.size() + 1), static_cast<std::uint32_t>(stay.rank(kind))});
    });
    (outcome.hands[0] - stay).each(take);
    return draws;
  }
  for (const PieceSet& hand : outcome.hands) hand.each(take);
  outcome.out.each(take);
  outcome.drawn.each(take);
  return draws;
}

}  // namespace tessera
