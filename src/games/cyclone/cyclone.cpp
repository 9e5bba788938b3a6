#include "games/cyclone/cyclone.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace tessera {
namespace {

constexpr int tower_place = 48;  ///< the bit of a tower's word at which its place begins

struct StandsAt {
  int place;
  bool operator()(std::uint64_t tower) const { return static_cast<int>(tower >> tower_place) == place; }
};

}  // namespace

// ── Options ──

std::span<const OptionField<Cyclone::Options>> Cyclone::option_fields() {
  using Field = OptionField<Options>;
  static constexpr std::array fields{
      Field::integer<&Options::arm>("arm", 6, 12, "Spaces of each arm: fewer make a shorter game."),
      Field::first(),
      Field::boolean<&Options::may_stop>("may_stop",
                                         "Whether a seat may end its turn after an action though it could move on."),
      Field::turn_limit(),
      Field::boolean<&Options::turning>("turning",
                                        "With three or four seats: whether a cube on another seat's arm may step back "
                                        "towards the middle and go on to a third arm.")
          .from_seats(3),
  };
  return fields;
}

std::optional<Error> Cyclone::check(const Options&) { return std::nullopt; }

// ── The board ──

Cyclone::Cyclone(const Options& options)
    : options_(options),
      win_in_one_(options.seats == 2 ? 5 : 3),
      win_in_each_(options.seats == 2   ? 5
                   : options.seats == 3 ? 2
                                        : 1) {
  const bool turning = options.turning && options.seats > 2;
  for (int seat = 0; seat < options.seats; ++seat) {
    // 1. Outwards on the own arm, from its base on, and across to each other arm.
    for (int space = 0; space < options.arm; ++space) add_step(seat, place_of(seat, space), place_of(seat, space + 1));
    for (int arm = 0; arm < options.seats; ++arm) {
      if (arm != seat) add_step(seat, innermost(seat), innermost(arm));
    }
    // 2. Towards the base of another arm; a cube that may turn also away from it, but never to its own arm.
    for (int arm = 0; arm < options.seats; ++arm) {
      if (arm == seat) continue;
      for (int space = 1; space <= options.arm; ++space) {
        const int place = place_of(arm, space);
        add_step(seat, place, place - 1);
        if (turning && space < options.arm) add_step(seat, place, place + 1);
      }
      for (int third = 0; turning && third < options.seats; ++third) {
        if (third != arm && third != seat) add_step(seat, innermost(arm), innermost(third));
      }
    }
  }
}

void Cyclone::add_step(int seat, int from, int to) {
  Steps& steps = steps_[seat][from];
  assert(steps.count < steps.moves.size());
  if (steps.count == 0) {
    first_step_[seat][from] = move_of(from, to);
  } else {
    forks_[seat] |= bit(from);
  }
  steps.moves[steps.count++] = move_of(from, to);
}

/// The neighbour of `place` that is nearer to the base of `seat`; the base itself is as near as can be.
int Cyclone::next_towards_base_of(int seat, int place) const {
  if (arm_of(place) == seat) return is_base(place) ? place : place - 1;
  return space_of(place) == options_.arm ? innermost(seat) : place + 1;
}

Cyclone::State Cyclone::start() const {
  State state;
  for (int seat = 0; seat < options_.seats; ++seat) {
    for (int space = 1; space <= cubes; ++space) put(state, place_of(seat, space), seat);
  }
  state.seat = static_cast<std::uint8_t>(options_.first);
  return state;
}

void Cyclone::put(State& state, int place, int seat) const {
  if (is_base(place)) {
    enter_base(state, place, seat, Silent{});
  } else {
    const Stack stack = stack_at(state, place);
    set_stack(state, place, stack, stack.with(seat));
  }
}

// ── Stacks ──

Stack Cyclone::stack_at(const State& state, int place) {
  if (state.stacks[place] != is_tower) return Stack(state.stacks[place]);
  const auto found = std::find_if(state.towers.begin(), state.towers.end(), StandsAt{place});
  assert(found != state.towers.end());
  return Stack(*found & ((std::uint64_t{1} << tower_place) - 1));
}

/// What stands at a space changes.
void Cyclone::set_stack(State& state, int place, Stack before, Stack after) {
  const bool with_tower = (before.code() | after.code()) >= is_tower;
  if (with_tower) [[unlikely]] {
    set_tower(state, place, after);
  }
  state.stacks[place] = static_cast<std::uint8_t>(after.code() < is_tower ? after.code() : is_tower);
  state.tops.change(place, before, after);
}

/// Towers are kept sorted, so that the same position is always the same state.
void Cyclone::set_tower(State& state, int place, Stack stack) {
  auto& towers = state.towers;
  auto entry = std::find_if(towers.begin(), towers.end(), StandsAt{place});
  if (entry == towers.end()) entry = std::find(towers.begin(), towers.end(), 0U);
  assert(entry != towers.end());
  *entry = stack.code() < is_tower ? 0 : static_cast<std::uint64_t>(place) << tower_place | stack.code();
  std::sort(towers.begin(), towers.end(), std::greater<>());
}

// ── Legal moves ──

void Cyclone::legal(const State& state, MoveList<Cyclone>& moves) const {
  if (state.phase != Phase::decision) return;
  const Places movable = state.tops.of(state.seat);
  const auto& first_step = first_step_[state.seat];
  for (Places rest = movable; rest != 0; rest &= rest - 1) moves.push_back(first_step[std::countr_zero(rest)]);
  for (Places rest = movable & forks_[state.seat]; rest != 0; rest &= rest - 1) {
    const Steps& steps = steps_[state.seat][std::countr_zero(rest)];
    // Both are written though there may be only one: compilers unroll a loop here so far that every call pays for it.
    moves.end()[0] = steps.moves[1];
    moves.end()[1] = steps.moves[2];
    moves.grow(steps.count - 1U);
  }
  if (may_pass(state)) moves.push_back(pass);
}

// ── Playing ──

template <class Tell>
void Cyclone::apply_and_tell(State& state, Roll roll, Tell&& tell) const {
  if (state.tops.of(state.seat) == 0) [[unlikely]] {
    tell([&] { return Effect{.kind = Effect::Kind::pass, .seat = state.seat}; });
    end_turn(state);
    return;
  }
  state.roll = state.left = roll.value;
  state.phase = Phase::decision;
}

template <class Tell>
void Cyclone::play_and_tell(State& state, Move move, Tell&& tell) const {
  const int seat = state.seat;
  if (move == pass) [[unlikely]] {
    tell([&] { return Effect{.kind = Effect::Kind::pass, .seat = seat}; });
    end_turn(state);
    return;
  }
  const int from = from_of(move);
  const int to = to_of(move);
  tell([&] { return Effect{.kind = Effect::Kind::move, .seat = seat, .path = {place_name(from), place_name(to)}}; });
  // 1. The cube leaves its base or the top of its stack.
  if (is_base(from)) {
    if (--state.in_base[seat][seat] == 0) state.tops.change(from, Stack().with(seat), Stack());
  } else {
    const Stack stack = stack_at(state, from);
    set_stack(state, from, stack, stack.without_top());
  }
  // 2. It comes into a base, or on top of what stands where it goes; on two or more it sweeps.
  bool reached_base = is_base(to);
  if (reached_base) {
    enter_base(state, to, seat, tell);
  } else if (const Stack found = stack_at(state, to); !found.at_least_two()) {
    set_stack(state, to, found, found.with(seat));
  } else {
    set_stack(state, to, found, Stack());
    reached_base = sweep(state, to, found.with(seat), tell);
  }
  if (reached_base && end_if_won(state, tell)) return;
  // 3. The turn goes on while there are actions and a cube to move.
  if (--state.left == 0) {
    end_turn(state);
  } else if (state.tops.of(seat) == 0) {
    tell([&] { return Effect{.kind = Effect::Kind::pass, .seat = seat}; });
    end_turn(state);
  }
}

/// A stack that has been taken off `place` goes three spaces at a time towards the base of the seat that moved. Returns
/// whether it got there.
template <class Tell>
bool Cyclone::sweep(State& state, int place, Stack moving, Tell&& tell) const {
  const int seat = state.seat;
  for (;;) {
    // 1. Three spaces, fewer where the base comes first.
    const int from = place;
    for (int i = 0; i < 3; ++i) place = next_towards_base_of(seat, place);
    tell([&] {
      Effect effect{.kind = Effect::Kind::sweep, .seat = seat, .path = {place_name(from)}};
      for (int passed = from; passed != place;) {
        passed = next_towards_base_of(seat, passed);
        effect.path.push_back(place_name(passed));
      }
      return effect;
    });
    // 2. In the base it falls apart.
    if (is_base(place)) {
      for (int level = 0; level < moving.height(); ++level) enter_base(state, place, moving.cube(level), tell);
      return true;
    }
    // 3. On an empty space it rests; what stands on any other goes along, at the bottom.
    const Stack found = stack_at(state, place);
    const Stack stays = found.empty() ? moving : Stack();
    set_stack(state, place, found, stays);
    if (found.empty()) return false;
    moving = found.with(moving);
  }
}

template <class Tell>
void Cyclone::enter_base(State& state, int base, int seat, Tell&& tell) const {
  ++state.in_base[seat][arm_of(base)];
  if (seat == arm_of(base)) {
    state.tops.change(base, Stack(), Stack().with(seat));
  } else {
    tell([&] {
      return Effect{.kind = Effect::Kind::finish, .seat = seat, .path = {place_name(base), place_name(base)}};
    });
  }
}

void Cyclone::end_turn(State& state) const {
  state.roll = state.left = 0;
  state.phase = Phase::chance;
  state.seat = static_cast<std::uint8_t>(state.seat + 1 == options_.seats ? 0 : state.seat + 1);
  if (++state.turns == options_.turn_limit) state.phase = Phase::over;
}

void Cyclone::apply(State& state, Roll roll) const { apply_and_tell(state, roll, Silent{}); }
void Cyclone::play(State& state, Move move) const { play_and_tell(state, move, Silent{}); }

std::vector<Effect> Cyclone::effects(const State& state, Move move, Viewer) const {
  return effects_of(state, [&](State& next, Told& told) { play_and_tell(next, move, told); });
}

std::vector<Effect> Cyclone::effects(const State& state, Roll roll, Viewer) const {
  return effects_of(state, [&](State& next, Told& told) { apply_and_tell(next, roll, told); });
}

// ── The end ──

bool Cyclone::has_won(const State& state, int seat) const {
  bool in_one = false;
  bool in_each = true;
  for (int base = 0; base < options_.seats; ++base) {
    if (base == seat) continue;
    in_one = in_one || state.in_base[seat][base] >= win_in_one_;
    in_each = in_each && state.in_base[seat][base] >= win_in_each_;
  }
  return in_one || in_each;
}

/// A sweep can bring several seats home, so each is looked at.
template <class Tell>
bool Cyclone::end_if_won(State& state, Tell&& tell) const {
  for (int seat = 0; seat < options_.seats; ++seat) {
    if (!has_won(state, seat)) continue;
    tell([&] { return Effect{.kind = Effect::Kind::win, .seat = seat}; });
    state.phase = Phase::over;
  }
  if (state.phase != Phase::over) return false;
  state.roll = state.left = 0;
  return true;
}

int Cyclone::finished(const State& state, int seat) const {
  int count = 0;
  for (int base = 0; base < options_.seats; ++base) count += base == seat ? 0 : state.in_base[seat][base];
  return count;
}

Result Cyclone::result(const State& state) const {
  Result result;
  for (int seat = 0; seat < options_.seats; ++seat) {
    if (has_won(state, seat)) result.winners |= static_cast<std::uint8_t>(1 << seat);
    result.scores[seat] = static_cast<std::int16_t>(finished(state, seat));
  }
  return result;
}

}  // namespace tessera
