#include "games/cylinder/cylinder_eval.hpp"

#include <bit>

#include "games/cylinder/cylinder_weights.hpp"

namespace tessera {
namespace {

/// What is counted of each seat.
enum Feature : std::size_t {
  at_home = 0,
  green = 1,  ///< … 5: marbles on green, by rows from the nearest red row
  red = 6,
  goal = 7,
  row_of = 8,    ///< … 14: stretches of the goal row as long as a win that hold one, two, … own marbles and no
                 ///< other's
  longest = 15,  ///< the most marbles in such a stretch, of what a win takes
  to_roll = 16,
  wins_next = 17,     ///< it is the next to roll: rolls that win at once, of six
  wins_later = 18,    ///< another rolls first
  below_open = 19,    ///< own marbles on red next to an empty hole of the goal row
  hit_danger = 20,    ///< own marbles in the goal row with another's on one red hole beside them
  flank_danger = 21,  ///< … with another's on both
  longest_late = 22,  ///< `longest` squared
  blocked = 23,       ///< stretches that would be a row of two or more but for another's marble
  beside_row = 24,    ///< own marbles on red beside an empty hole of the best stretches
  danger_value = 25,  ///< hit and flank dangers of marbles in the best stretch
};

}  // namespace

CylinderEval::CylinderEval(const Cylinder& game)
    : game_(&game),
      columns_(game.board().columns()),
      wanted_(game.options().teams == Cylinder::Teams::one_seven ? 7 : 4),
      weights_(cylinder::learned_weights) {}

void CylinderEval::marbles_of(const Cylinder::State& state, int seat, Middle& middle, Weights& found) const {
  const CylinderBoard& board = game_->board();
  found[at_home] = state.home[seat];
  found[to_roll] = state.seat == seat && state.step == Cylinder::Step::roll ? 1 : 0;
  for (int i = 0; i < board.words(); ++i) {
    for (std::uint64_t word = state.marbles[seat].words[i]; word != 0; word &= word - 1) {
      const int hole = 64 * i + std::countr_zero(word);
      const int row = board.row(hole);
      const std::uint64_t column = std::uint64_t{1} << board.column(hole);
      if (row == board.goal_row()) {
        found[goal] += 1;
        middle.goal[seat] |= column;
      } else if (row == board.upper_red() || row == board.lower_red()) {
        found[red] += 1;
        (row == board.upper_red() ? middle.upper : middle.lower)[seat] |= column;
      } else {
        const int away = row < board.goal_row() ? board.upper_red() - row : row - board.lower_red();
        found[static_cast<std::size_t>(green + away - 1)] += 1;
      }
    }
  }
}

/// How many of the six rolls bring a marble of the seat into this hole of the goal row.
int CylinderEval::rolls_that_fill(const Cylinder::State& state, int seat, int column) const {
  const CylinderBoard& board = game_->board();
  const int to = board.hole(board.goal_row(), column);
  unsigned rolls = 0;
  for (int i = 0; i < board.words(); ++i) {
    for (std::uint64_t word = state.marbles[seat].words[i]; word != 0; word &= word - 1) {
      const int from = 64 * i + std::countr_zero(word);
      if (board.is_goal(from)) continue;  // it would leave the row that it is to complete
      for (int steps = 1; steps <= 6; ++steps) {
        if (board.reaches(from, to, steps)) rolls |= 1U << steps;
      }
    }
  }
  // A 6 can be split, so that any smaller number of steps will do.
  if (rolls != 0) rolls |= 1U << 6;
  return std::popcount(rolls);
}

void CylinderEval::rows_of(const Cylinder::State& state, int seat, const Middle& middle, Weights& found) const {
  std::uint64_t others = 0;
  for (int other = 0; other < game_->options().seats; ++other) {
    if (other != seat) others |= middle.goal[other];
  }
  const std::uint64_t own = middle.goal[seat];
  const std::uint64_t reds = middle.upper[seat] | middle.lower[seat];
  int most = 0;
  int most_beside = 0;
  int winning_rolls = 0;
  for (int first = 0; first < columns_; ++first) {
    int marbles = 0;
    int beside = 0;
    int hole = -1;
    bool other = false;
    for (int i = 0; i < wanted_; ++i) {
      const int column = first + i < columns_ ? first + i : first + i - columns_;
      const std::uint64_t bit = std::uint64_t{1} << column;
      if ((own & bit) != 0) {
        ++marbles;
      } else {
        other = other || (others & bit) != 0;
        hole = column;
        beside += (reds & bit) != 0 ? 1 : 0;
      }
    }
    if (marbles == 0) continue;
    if (other) {
      if (marbles >= 2) found[blocked] += 1;
      continue;
    }
    if (marbles < wanted_) found[static_cast<std::size_t>(row_of + marbles - 1)] += 1;
    if (marbles > most || (marbles == most && beside > most_beside)) {
      most = marbles;
      most_beside = beside;
    }
    if (marbles == wanted_ - 1) winning_rolls = std::max(winning_rolls, rolls_that_fill(state, seat, hole));
  }
  found[longest] = static_cast<double>(most) / wanted_;
  found[longest_late] = found[longest] * found[longest];
  found[beside_row] = most_beside * found[longest];
  found[below_open] = std::popcount(reds & ~(own | others));
  found[state.seat == seat ? wins_next : wins_later] = winning_rolls / 6.0;
}

void CylinderEval::dangers_of(const Cylinder::State& state, int seat, const Middle& middle, Weights& found) const {
  static_cast<void>(state);
  for (int other = 0; other < game_->options().seats; ++other) {
    if (game_->side(other) == game_->side(seat)) continue;
    const std::uint64_t one = middle.goal[seat] & (middle.upper[other] ^ middle.lower[other]);
    const std::uint64_t both = middle.goal[seat] & middle.upper[other] & middle.lower[other];
    found[hit_danger] += std::popcount(one);
    found[flank_danger] += std::popcount(both);
    found[danger_value] += (std::popcount(one) / 6.0 + std::popcount(both)) * found[longest];
  }
}

std::array<CylinderEval::Weights, max_seats> CylinderEval::features(const Cylinder::State& state) const {
  std::array<Weights, max_seats> all{};
  Middle middle;
  for (int seat = 0; seat < game_->options().seats; ++seat) marbles_of(state, seat, middle, all[seat]);
  for (int seat = 0; seat < game_->options().seats; ++seat) {
    rows_of(state, seat, middle, all[seat]);
    dangers_of(state, seat, middle, all[seat]);
  }
  return all;
}

Chances CylinderEval::chances(const Cylinder::State& state) const {
  const auto found = features(state);
  std::array<double, max_seats> scores{};
  for (int seat = 0; seat < game_->options().seats; ++seat) {
    for (std::size_t i = 0; i < feature_count; ++i) scores[seat] += weights_[i] * found[seat][i];
  }
  return chances_from(*game_, scores);
}

std::uint64_t CylinderEval::key(const Cylinder::State& state) const {
  std::uint64_t key =
      mixed(static_cast<std::uint64_t>(state.turns) << 32 | static_cast<std::uint64_t>(state.seat) << 24 |
            static_cast<std::uint64_t>(state.step) << 16 | static_cast<std::uint64_t>(state.roll) << 8 |
            static_cast<std::uint64_t>(state.steps) << 1 | (state.bonus ? 1 : 0));
  key = mixed(key + (static_cast<std::uint64_t>(state.moved) << 32 |
                     static_cast<std::uint64_t>(state.split_from) << 16 | state.split_to));
  for (int seat = 0; seat < game_->options().seats; ++seat) {
    for (int i = 0; i < game_->board().words(); ++i) key = mixed(key + state.marbles[seat].words[i]);
  }
  return key;
}

}  // namespace tessera
