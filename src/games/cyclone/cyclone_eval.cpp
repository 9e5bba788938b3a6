#include "games/cyclone/cyclone_eval.hpp"

#include "games/cyclone/cyclone_weights.hpp"

namespace tessera {
namespace {

/// What is counted of each seat.
enum Feature : std::size_t {
  stretch = 0,        ///< … 7: cubes in each eighth of the way
  in_base = 8,        ///< cubes that wait in their own base
  finished = 9,       ///< cubes that have finished
  way = 10,           ///< how far all cubes have come, in whole ways
  way_late = 11,      ///< the same times how far the furthest seat has come
  to_roll = 12,       ///< the seat is the next to roll
  actions_left = 13,  ///< of its roll
  under_others = 14,  ///< cubes with another's cube above them
  under_own = 15,     ///< cubes with only own cubes above them
  burden = 16,        ///< cubes above own cubes, all together
  buried_way = 17,    ///< the way of the cubes that cannot move
  facing_tower = 18,  ///< cubes on top whose next step would sweep
  facing_tower_way = 19,
  movable = 20,         ///< cubes that can move
  in_tower = 21,        ///< cubes in stacks of three or more
  can_cover = 22,       ///< cubes on top whose next step covers another's single cube
  nearest_win = 23,     ///< of what a win takes, the part that has finished
  on_others = 24,       ///< cubes on top of another's
  at_the_door = 25,     ///< cubes on top, one step before a base
  can_be_covered = 26,  ///< single cubes that another's next step covers
  second_step = 27,     ///< cubes on top that have a free space before them
};

}  // namespace

CycloneEval::CycloneEval(const Cyclone& game)
    : game_(&game), arm_(game.options().arm), whole_way_(2 * arm_ + 1), weights_(cyclone::learned_weights) {}

int CycloneEval::steps_done(int seat, int place) const {
  const int space = Cyclone::space_of(place);
  return Cyclone::arm_of(place) == seat ? space : 2 * arm_ + 1 - space;
}

/// What the next step of a cube on top leads to.
void CycloneEval::look_ahead(const Cyclone::State& state, int seat, int place, double progress, Weights& found) const {
  const int arm = Cyclone::arm_of(place);
  const int space = Cyclone::space_of(place);
  if (arm != seat && space == 1) {
    found[at_the_door] += 1;
    return;
  }
  bool all_towers = true;
  bool covers = false;
  bool free = false;
  const auto look_at = [&](int next) {
    const Stack stack = Cyclone::stack_at(state, next);
    all_towers = all_towers && stack.at_least_two();
    covers = covers || (!stack.empty() && !stack.at_least_two() && stack.top() != seat);
    free = free || stack.empty();
  };
  if (arm != seat) {
    look_at(place - 1);
  } else if (space < arm_) {
    look_at(place + 1);
  } else {
    for (int other = 0; other < game_->options().seats; ++other) {
      if (other != seat) look_at(Cyclone::place_of(other, arm_));
    }
  }
  if (all_towers) {
    found[facing_tower] += 1;
    found[facing_tower_way] += progress;
  }
  if (covers) found[can_cover] += 1;
  if (free) found[second_step] += 1;
}

std::array<CycloneEval::Weights, max_seats> CycloneEval::features(const Cyclone::State& state) const {
  std::array<Weights, max_seats> all{};
  const int seats = game_->options().seats;
  // 1. Cubes on the arms.
  for (int arm = 0; arm < seats; ++arm) {
    for (int place = Cyclone::place_of(arm, 1); place <= Cyclone::place_of(arm, arm_); ++place) {
      const Stack stack = Cyclone::stack_at(state, place);
      const int height = stack.height();
      unsigned above = 0;  // a bit a seat that has a cube further up
      for (int level = height - 1; level >= 0; --level) {
        const int seat = stack.cube(level);
        Weights& found = all[seat];
        const double progress = steps_done(seat, place) / whole_way_;
        found[static_cast<std::size_t>(stretch + static_cast<int>(progress * 8))] += 1;
        found[way] += progress;
        found[burden] += height - 1 - level;
        if (height >= 3) found[in_tower] += 1;
        if (level == height - 1) {
          found[movable] += 1;
          if (height > 1 && stack.cube(level - 1) != seat) found[on_others] += 1;
          look_ahead(state, seat, place, progress, found);
        } else {
          found[(above & ~(1U << seat)) != 0 ? under_others : under_own] += 1;
          found[buried_way] += progress;
        }
        above |= 1U << seat;
      }
    }
  }
  // 2. Cubes in bases, and whose turn it is.
  double furthest = 0;
  double covers = 0;
  for (int seat = 0; seat < seats; ++seat) {
    Weights& found = all[seat];
    int most_in_one = 0;
    int in_each = 0;
    for (int base = 0; base < seats; ++base) {
      const int here = state.in_base[seat][base];
      if (base == seat) {
        found[in_base] = here;
        continue;
      }
      found[finished] += here;
      most_in_one = std::max(most_in_one, here);
      in_each += std::min(here, game_->win_in_each());
    }
    // A cube that has finished is as good as one that is free before the door, and better: nobody should wait there.
    found[way] += found[finished];
    for (const Feature good : {static_cast<Feature>(stretch + 7), movable, at_the_door, second_step}) {
      found[good] += found[finished];
    }
    found[nearest_win] = std::max(static_cast<double>(most_in_one) / game_->win_in_one(),
                                  static_cast<double>(in_each) / (game_->win_in_each() * (seats - 1)));
    found[to_roll] = state.seat == seat && state.phase == Phase::chance ? 1 : 0;
    found[actions_left] = state.seat == seat ? state.left : 0;
    furthest = std::max(furthest, found[way]);
    covers += found[can_cover];
  }
  for (int seat = 0; seat < seats; ++seat) {
    all[seat][way_late] = all[seat][way] * furthest / Cyclone::cubes;
    all[seat][can_be_covered] = (covers - all[seat][can_cover]) / (seats - 1);
  }
  // 3. Patience ends. Who has buried all cubes of another could hold them for ever without getting any further; so what
  //    stands in whose way counts for less and less once a game has taken longer than games do.
  if (const double usual = 30.0 * seats; state.turns > usual) {
    for (int seat = 0; seat < seats; ++seat) {
      for (std::size_t feature = under_others; feature < feature_count; ++feature) {
        if (feature != nearest_win && feature != at_the_door) all[seat][feature] *= usual / state.turns;
      }
    }
  }
  return all;
}

Chances CycloneEval::chances(const Cyclone::State& state) const {
  const auto found = features(state);
  std::array<double, max_seats> scores{};
  for (int seat = 0; seat < game_->options().seats; ++seat) {
    for (std::size_t i = 0; i < feature_count; ++i) scores[seat] += weights_[i] * found[seat][i];
  }
  return chances_from(*game_, scores);
}

std::uint64_t CycloneEval::key(const Cyclone::State& state) const {
  std::uint64_t key =
      mixed(static_cast<std::uint64_t>(state.turns) << 32 | static_cast<std::uint64_t>(state.seat) << 24 |
            static_cast<std::uint64_t>(state.phase) << 16 | static_cast<std::uint64_t>(state.roll) << 8 | state.left);
  for (int seat = 0; seat < game_->options().seats; ++seat) {
    std::uint64_t bases = 0;
    for (const std::uint8_t here : state.in_base[seat]) bases = bases << 8 | here;
    key = mixed(key + bases);
  }
  for (const std::uint64_t tower : state.towers) key = mixed(key + tower);
  for (int arm = 0; arm < game_->options().seats; ++arm) {
    std::uint64_t word = 0;
    for (int space = 1; space <= arm_; ++space) {
      word = word << 8 | state.stacks[Cyclone::place_of(arm, space)];
      if (space % 8 == 0) key = mixed(key + word);
    }
    key = mixed(key + word);
  }
  return key;
}

}  // namespace tessera
