#include "games/cybo/cybo_eval.hpp"

#include <algorithm>

namespace tessera {
namespace {

constexpr int quad_points = 16;
constexpr int missed_points = 3;
constexpr double hit = 1.0 / cybo::sides;

/// What the roll for the Quad is worth, if `worth(points)` is what points are worth.
template <class Worth>
double tried(Worth&& worth) {
  return hit * worth(quad_points) + (1 - hit) * worth(missed_points);
}

}  // namespace

CyboEval::CyboEval(const Cybo& game) : game_(&game), tree_(&cybo::TurnTree::of(game.options().level)) {
  if (game.options().level != Cybo::Level::grandmaster) whole_turn_ = odds_of(game.start(), 0);
}

// ── One turn ──

void CyboEval::add_odds(const Cybo::State& state, cybo::TurnTree::Id node, double probability, Odds& odds) const {
  if (game_->options().level == Cybo::Level::grandmaster) {
    const cybo::TurnTree::Id repeated = tree_->if_repeated(node);
    if (repeated != 0 && state.past[state.seat][(*tree_)[node].trinity]) node = repeated;
  }
  const int points = (*tree_)[node].points;
  if (tree_->is_over(node)) {
    odds.ends[points] += probability;
  } else if (tree_->is_choosing(node)) {
    odds.choices[points] += probability;
  } else {
    for (int number = 1; number <= cybo::sides; ++number) {
      add_odds(state, tree_->after_roll(node, number), probability / cybo::sides, odds);
    }
  }
}

CyboEval::Odds CyboEval::odds_of(const Cybo::State& state, cybo::TurnTree::Id node) const {
  Odds odds;
  add_odds(state, node, 1, odds);
  return odds;
}

int CyboEval::turns_left(const Cybo::State& state) const {
  const int seats = game_->options().seats;
  const int done_in_round = (state.seat - game_->options().first + seats) % seats;
  return std::max(1, Cybo::rounds - state.row) * seats - done_in_round;
}

Chances CyboEval::chances(const Cybo::State& state) const {
  return game_->options().seats == 2 ? chances_of_two(state) : chances_of_many(state);
}

// ── Two seats: what counts is by how much seat 0 is ahead ──

/// The chance of seat 0 by the difference of the totals before the turns of `seats`, from that after them. Differences
/// are counted from the middle; beyond the ends nothing changes any more.
CyboEval::Values CyboEval::differences(std::span<const int> seats, std::span<const Odds> odds, Values values) const {
  const int last = static_cast<int>(values.size()) - 1;
  Values before(values.size());
  for (std::size_t turn = seats.size(); turn-- > 0;) {
    const int sign = seats[turn] == 0 ? 1 : -1;
    const Odds& turn_odds = odds[turn];
    for (int at = 0; at <= last; ++at) {
      const auto after = [&](int points) { return values[std::clamp(at + sign * points, 0, last)]; };
      double sum = 0;
      for (int points = 0; points <= most_points; ++points) {
        if (turn_odds.ends[points] > 0) sum += turn_odds.ends[points] * after(points);
        if (turn_odds.choices[points] == 0) continue;
        const double stop = after(points);
        const double quad = tried(after);
        sum += turn_odds.choices[points] * (sign > 0 ? std::max(stop, quad) : std::min(stop, quad));
      }
      before[at] = sum;
    }
    std::swap(before, values);
  }
  return values;
}

/// The chance of seat 0 when the totals are equal and extra rounds are played until they are not.
double CyboEval::tied(std::span<const Odds> of_seat) const {
  const int first = game_->options().first;
  const std::array order{first, 1 - first};
  const std::array odds{of_seat[first], of_seat[1 - first]};
  double chance = 0.5;
  // A round leaves a tie nine times out of ten, so that this comes to rest slowly, but surely.
  for (double change = 1; change > 1e-13;) {
    Values after(4 * most_points + 1, 0);
    const std::size_t middle = after.size() / 2;
    after[middle] = chance;
    std::fill(after.begin() + static_cast<std::ptrdiff_t>(middle) + 1, after.end(), 1);
    const double next = differences(order, odds, after)[middle];
    change = next > chance ? next - chance : chance - next;
    chance = next;
  }
  return chance;
}

Chances CyboEval::chances_of_two(const Cybo::State& state) const {
  // 1. The turns that are left, and how each can go: the first from where it is.
  const bool grand_master = game_->options().level == Cybo::Level::grandmaster;
  std::array<Odds, 2> whole{whole_turn_, whole_turn_};
  for (int seat = 0; grand_master && seat < 2; ++seat) {
    Cybo::State other = state;
    other.seat = static_cast<std::uint8_t>(seat);
    whole[static_cast<std::size_t>(seat)] = odds_of(other, tree_->root(state.signature[seat]));
  }
  std::vector<int> seats;
  std::vector<Odds> odds;
  for (int i = 0; i < turns_left(state); ++i) {
    seats.push_back((state.seat + i) % 2);
    odds.push_back(i == 0 ? odds_of(state, state.node) : whole[static_cast<std::size_t>(seats.back())]);
  }
  // 2. Who wins at the end, by the difference.
  const int reach = most_points * static_cast<int>(seats.size());
  const int ahead = state.total[0] - state.total[1];
  Values values(static_cast<std::size_t>(2 * reach + 1), 0);
  for (int i = 0; i <= 2 * reach; ++i) {
    const int difference = ahead + i - reach;
    const bool decided = difference != 0;
    values[i] = decided ? (difference > 0 ? 1 : 0) : game_->options().tie == Cybo::Tie::extra ? tied(whole) : 0.5;
  }
  // 3. Back to now.
  const double chance = differences(seats, odds, std::move(values))[reach];
  return {chance, 1 - chance};
}

// ── More seats: one total against the distributions of the others ──

Chances CyboEval::chances_of_many(const Cybo::State& state) const {
  const int seats = game_->options().seats;
  const bool grand_master = game_->options().level == Cybo::Level::grandmaster;
  const int left = turns_left(state);
  const std::size_t size = static_cast<std::size_t>(*std::max_element(state.total.begin(), state.total.end()) +
                                                    most_points * (left / seats + 1) + 1);
  // 1. Each seat's turns to come.
  std::array<std::vector<Odds>, max_seats> odds;
  for (int i = 0; i < left; ++i) {
    Cybo::State other = state;
    other.seat = static_cast<std::uint8_t>((state.seat + i) % seats);
    odds[other.seat].push_back(i == 0         ? odds_of(state, state.node)
                               : grand_master ? odds_of(other, tree_->root(state.signature[other.seat]))
                                              : whole_turn_);
  }
  // 2. The distribution of each total, if its seat takes what scores most on average: the Quad on 3, else to stop.
  std::array<Values, max_seats> totals;
  for (int seat = 0; seat < seats; ++seat) {
    Values now(size, 0);
    now[state.total[seat]] = 1;
    for (const Odds& turn : odds[seat]) {
      Values next(size, 0);
      for (std::size_t at = 0; at < size; ++at) {
        if (now[at] == 0) continue;
        const auto add = [&](int points, double probability) {
          next[at + static_cast<std::size_t>(points)] += now[at] * probability;
        };
        for (int points = 0; points <= most_points; ++points) {
          if (turn.ends[points] > 0) add(points, turn.ends[points]);
          if (turn.choices[points] == 0) continue;
          if (points > missed_points) {
            add(points, turn.choices[points]);
          } else {
            add(quad_points, turn.choices[points] * hit);
            add(missed_points, turn.choices[points] * (1 - hit));
          }
        }
      }
      now = std::move(next);
    }
    totals[seat] = std::move(now);
  }
  Chances chances{};
  for (int seat = 0; seat < seats; ++seat) {
    // 3. What a final total is worth against the others'. Extra rounds after a tie favour nobody much: a share.
    Values worth(size, 0);
    std::array<double, max_seats> at_most{};  // by other seat: the chance of a lower total, so far
    for (std::size_t total = 0; total < size; ++total) {
      std::array<double, max_seats> tie{1};  // by how many others have the same, all having no more
      for (int other = 0; other < seats; ++other) {
        if (other == seat) continue;
        const double same = totals[other][total];
        for (int n = seats - 1; n >= 0; --n) tie[n] = tie[n] * at_most[other] + (n > 0 ? tie[n - 1] * same : 0);
        at_most[other] += same;
      }
      for (int n = 0; n < seats; ++n) worth[total] += tie[n] / (n + 1);
    }
    // 4. Back to now, this seat deciding as is best for it.
    for (std::size_t turn = odds[seat].size(); turn-- > 0;) {
      const Odds& turn_odds = odds[seat][turn];
      Values before(size, 0);
      for (std::size_t at = 0; at < size; ++at) {
        const auto after = [&](int points) { return worth[std::min(at + static_cast<std::size_t>(points), size - 1)]; };
        for (int points = 0; points <= most_points; ++points) {
          if (turn_odds.ends[points] > 0) before[at] += turn_odds.ends[points] * after(points);
          if (turn_odds.choices[points] > 0)
            before[at] += turn_odds.choices[points] * std::max(after(points), tried(after));
        }
      }
      worth = std::move(before);
    }
    chances[seat] = worth[state.total[seat]];
  }
  return chances;
}

std::uint64_t CyboEval::key(const Cybo::State& state) const {
  std::uint64_t key =
      mixed(static_cast<std::uint64_t>(state.turns) << 32 | static_cast<std::uint64_t>(state.node) << 16 |
            static_cast<std::uint64_t>(state.phase) << 8 | state.seat);
  for (int seat = 0; seat < game_->options().seats; ++seat) {
    key = mixed(key + (static_cast<std::uint64_t>(state.total[seat]) << 8 | state.signature[seat]));
    if (game_->options().level == Cybo::Level::grandmaster)
      key = mixed(key + std::hash<std::bitset<cybo::feats>>()(state.past[seat]));
  }
  return key;
}

}  // namespace tessera
