/// CYBO against a twin: a turn as a plain list of rolls, judged afresh after each roll by trying everything. Lines come
/// from the grid's geometry, histories are lists of lists. Slow, and written without a look at the tree of turns.

#include <gtest/gtest.h>
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "games/cybo/cybo.hpp"

namespace tessera {
namespace {

using Level = Cybo::Level;
using Numbers = std::vector<int>;

constexpr std::array levels{Level::beginner, Level::advanced, Level::master, Level::grandmaster};

// ── Lines, from the grid ──

/// Three steps in one direction of the grid; a number is 4 × column + row + 1. Every line once, in its order.
std::vector<Numbers> grid_lines() {
  std::vector<Numbers> lines;
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 4; ++row) {
      for (const auto& [right, down] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
        const int last_column = column + 2 * right;
        const int last_row = row + 2 * down;
        if (last_column > 2 || last_row < 0 || last_row > 3) continue;
        const int first = 4 * column + row + 1;
        const int step = 4 * right + down;
        lines.push_back({first, first + step, first + 2 * step});
      }
    }
  }
  return lines;
}

const std::vector<Numbers>& lines() {
  static const std::vector<Numbers> all = grid_lines();
  return all;
}

bool is_line_in_order(const Numbers& three) {
  return std::any_of(lines().begin(), lines().end(), [&](const Numbers& line) {
    return three == line || three == Numbers(line.rbegin(), line.rend());
  });
}

bool is_line_in_any_order(Numbers three) {
  std::sort(three.begin(), three.end());
  // A rising diagonal is written 3, 6, 9 and 4, 7, 10: every line rises when sorted.
  return is_line_in_order(three);
}

bool is_in_a_column(const Numbers& three) {
  return std::all_of(three.begin(), three.end(), [&](int n) { return (n - 1) / 4 == (three[0] - 1) / 4; });
}

bool all_of_a_column(const Numbers& rolled) {
  for (int column = 0; column < 3; ++column) {
    int found = 0;
    for (int row = 0; row < 4; ++row)
      found += std::count(rolled.begin(), rolled.end(), 4 * column + row + 1) > 0 ? 1 : 0;
    if (found == 4) return true;
  }
  return false;
}

// ── A turn ──

struct TwinSeat {
  std::vector<Numbers> trinities;  ///< of earlier turns, as rolled
  std::vector<Numbers> quads;      ///< the Trinities that Quads began with
  Numbers signature;               ///< three numbers, four for a Quad; empty: none
  int total = 0;
};

bool holds(const std::vector<Numbers>& list, const Numbers& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

/// What a Trinity is worth that is in these rolls, the best of all ways to pick three of them; 0: there is none.
int trinity_points(Level level, const TwinSeat& seat, const Numbers& rolled) {
  int best = 0;
  for (std::size_t i = 0; i < rolled.size(); ++i) {
    for (std::size_t j = i + 1; j < rolled.size(); ++j) {
      for (std::size_t k = j + 1; k < rolled.size(); ++k) {
        const Numbers three{rolled[i], rolled[j], rolled[k]};
        if (!is_line_in_any_order(three)) continue;
        int points = is_line_in_order(three) ? 9 : 3;
        if (level == Level::master && points == 3) points = 0;
        if (level == Level::grandmaster) {
          if (!seat.signature.empty()) {
            points = three == Numbers(seat.signature.begin(), seat.signature.begin() + 3) ? 12 : 0;
          } else if (holds(seat.trinities, three)) {
            points = 12;
          }
        }
        best = std::max(best, points);
      }
    }
  }
  return best;
}

bool can_still_make_one(Level level, const TwinSeat& seat, const Numbers& rolled, std::size_t rolls_in_all) {
  if (trinity_points(level, seat, rolled) > 0) return true;
  if (rolled.size() == rolls_in_all) return false;
  for (int number = 1; number <= 12; ++number) {
    Numbers more = rolled;
    more.push_back(number);
    if (can_still_make_one(level, seat, more, rolls_in_all)) return true;
  }
  return false;
}

struct Judgement {
  enum class What { roll, decide, forced_quad, over } what;
  int points = 0;
};

/// A turn before any roll for a Quad.
Judgement judge(Level level, const TwinSeat& seat, const Numbers& rolled) {
  using What = Judgement::What;
  const int points = trinity_points(level, seat, rolled);
  if (points == 0) {
    const bool on = can_still_make_one(level, seat, rolled, level == Level::beginner ? 4 : 3);
    return {on ? What::roll : What::over};
  }
  if (level == Level::beginner && all_of_a_column(rolled)) return {What::over, 16};
  for (std::size_t skipped = 0; skipped < 4; ++skipped) {
    // Any three of the rolls that are a line of a column.
    Numbers three = rolled;
    if (rolled.size() == 4) three.erase(three.begin() + static_cast<std::ptrdiff_t>(skipped));
    if (three.size() != 3 || !is_line_in_any_order(three) || !is_in_a_column(three)) continue;
    return {seat.signature.size() == 4 ? What::forced_quad : What::decide, points};
  }
  return {What::over, points};
}

/// A turn after the roll for the Quad, the last of `rolled`.
int quad_points(const Numbers& rolled) { return all_of_a_column(rolled) ? 16 : 3; }

/// Enters a finished turn. `trinity`: as rolled; empty if none counted, or at a level that remembers none.
void enter(TwinSeat& seat, const Numbers& trinity, bool quad_hit, int fourth, int points) {
  seat.total += points;
  if (trinity.empty()) return;
  if (holds(seat.trinities, trinity) && seat.signature.empty()) seat.signature = trinity;
  if (quad_hit && holds(seat.quads, trinity)) {
    seat.signature = trinity;
    seat.signature.push_back(fourth);
  }
  seat.trinities.push_back(trinity);
  if (quad_hit) seat.quads.push_back(trinity);
}

Cybo::Options options(int seats, Level level) {
  Cybo::Options chosen(seats);
  chosen.level = level;
  return chosen;
}

Roll roll_of(int number) { return {static_cast<std::uint8_t>(number)}; }

TEST(CyboTwin, GridHasTheFourteenLines) {
  std::set<Numbers> ours;
  for (const auto& line : cybo::lines) ours.insert(Numbers(line.begin(), line.end()));
  EXPECT_EQ(ours, std::set<Numbers>(lines().begin(), lines().end()));
  EXPECT_EQ(lines().size(), 14U);
}

TEST(CyboTwin, OnlyColumnsOverlapInTwoNumbers) {
  for (const Numbers& a : lines()) {
    for (const Numbers& b : lines()) {
      if (a == b) continue;
      const auto common =
          std::count_if(a.begin(), a.end(), [&](int n) { return std::count(b.begin(), b.end(), n) > 0; });
      if (common < 2) continue;
      Numbers both = a;
      both.insert(both.end(), b.begin(), b.end());
      EXPECT_TRUE(is_in_a_column(both));
    }
  }
}

// ── Every turn of a seat with a given past ──

/// Walks every sequence of rolls and decisions of the turn at hand and compares each step. Returns how many turns.
class EveryTurn {
 public:
  EveryTurn(const Cybo& game, Level level, TwinSeat seat) : game_(game), level_(level), seat_(std::move(seat)) {}

  void walk(const Cybo::State& state) {
    before_ = state;
    step(state, {});
  }
  int turns = 0;
  int decisions = 0;

 private:
  using What = Judgement::What;

  void step(const Cybo::State& state, const Numbers& rolled) {
    const Judgement judged = judge(level_, seat_, rolled);
    switch (judged.what) {
      case What::over: expect_over(state, rolled, judged.points); return;
      case What::roll:
        ASSERT_EQ(game_.turn(state), (Turn{Phase::chance, 0})) << text(rolled);
        each_roll(state, rolled, [&](const Cybo::State& next, const Numbers& more) { step(next, more); });
        return;
      case What::forced_quad: quad(state, rolled); return;
      case What::decide: {
        ++decisions;
        ASSERT_EQ(game_.turn(state), (Turn{Phase::decision, 0})) << text(rolled);
        Cybo::State stopped = state;
        game_.play(stopped, Cybo::stop);
        expect_over(stopped, rolled, judged.points);
        Cybo::State tried = state;
        game_.play(tried, Cybo::quad);
        quad(tried, rolled);
        return;
      }
    }
  }

  void quad(const Cybo::State& state, const Numbers& rolled) {
    ASSERT_EQ(game_.turn(state), (Turn{Phase::chance, 0})) << text(rolled);
    each_roll(state, rolled, [&](const Cybo::State& next, const Numbers& more) {
      // The wasted roll of a beginner is not of the column, else the Quad were there already.
      expect_over(next, more, quad_points(more));
    });
  }

  template <class Then>
  void each_roll(const Cybo::State& state, const Numbers& rolled, Then&& then) {
    for (int number = 1; number <= 12; ++number) {
      Cybo::State next = state;
      game_.apply(next, roll_of(number));
      Numbers more = rolled;
      more.push_back(number);
      then(next, more);
    }
  }

  void expect_over(const Cybo::State& state, const Numbers& rolled, int points) {
    ++turns;
    EXPECT_EQ(game_.turn(state), (Turn{Phase::chance, 1})) << text(rolled);
    EXPECT_EQ(state.total[0] - before_.total[0], points) << text(rolled);
    EXPECT_EQ(state.turns, before_.turns + 1);
  }

  static std::string text(const Numbers& rolled) {
    std::string joined;
    for (const int number : rolled) joined += std::to_string(number) + ' ';
    return joined;
  }

  const Cybo& game_;
  Level level_;
  TwinSeat seat_;
  Cybo::State before_;
};

TEST(CyboTwin, EveryTurnAtEveryLevel) {
  for (const Level level : levels) {
    const Cybo game(options(2, level));
    EveryTurn every(game, level, {});
    every.walk(game.start());
    // Below beginner level the decisions are the column Trinities; in order: two of the six.
    if (level == Level::master) EXPECT_EQ(every.decisions, 12);
    if (level == Level::advanced || level == Level::grandmaster) EXPECT_EQ(every.decisions, 36);
    EXPECT_GT(every.turns, 400);
  }
}

/// Plays seat 0 through turns (three numbers, and a fourth for a Quad that is tried) and hands back the twin's view.
TwinSeat play_past(const Cybo& game, Cybo::State& state, const std::vector<Numbers>& turns) {
  TwinSeat seat;
  for (const Numbers& turn : turns) {
    Numbers rolled;
    int points = 0;
    for (const int number : turn) {
      if (game.turn(state).phase == Phase::decision) game.play(state, Cybo::quad);
      game.apply(state, roll_of(number));
      rolled.push_back(number);
      points = rolled.size() == 4 ? quad_points(rolled) : trinity_points(Level::grandmaster, seat, rolled);
    }
    if (game.turn(state).phase == Phase::decision) game.play(state, Cybo::stop);
    const int fourth = turn.size() == 4 ? turn[3] : 0;
    enter(seat, {turn[0], turn[1], turn[2]}, points == 16, fourth, points);
    EXPECT_EQ(state.seat, 1);
    while (state.seat == 1) game.apply(state, {1});
  }
  EXPECT_EQ(state.total[0], seat.total);
  return seat;
}

TEST(CyboTwin, EveryTurnOfAGrandMasterWithAPast) {
  const std::vector<std::vector<Numbers>> pasts{
      {{5, 9, 1}, {1, 2, 3}, {8, 7, 6, 5}},                            // nothing repeated yet
      {{5, 9, 1}, {5, 9, 1}},                                          // a signature outside the columns
      {{2, 3, 1}, {1, 2, 3}, {2, 3, 1}},                               // in a column
      {{2, 3, 1, 9}, {2, 3, 1, 9}},                                    // tried twice in vain
      {{2, 3, 1, 4}, {2, 3, 1}},                                       // a Quad, then the Trinity only
      {{2, 3, 1, 4}, {2, 3, 1, 4}},                                    // a Quad twice
      {{2, 3, 1}, {2, 3, 1, 4}, {2, 3, 1, 4}},                         // the signature's Quad twice
      {{2, 3, 1, 4}, {2, 3, 1, 4}, {2, 3, 1, 8}, {2, 3, 1, 4}},        // and missed afterwards
      {{12, 10, 11}, {10, 11, 12, 9}, {12, 11, 10}, {10, 11, 12, 9}},  // among others
  };
  const Cybo game(options(2, Level::grandmaster));
  for (const auto& past : pasts) {
    Cybo::State state = game.start();
    const TwinSeat seat = play_past(game, state, past);
    EveryTurn every(game, Level::grandmaster, seat);
    every.walk(state);
    EXPECT_GT(every.turns, 30);
  }
}

TEST(CyboTwin, EveryFeatAsASignature) {
  const Cybo game(options(2, Level::grandmaster));
  for (const Numbers& line : lines()) {
    Numbers three = line;
    std::sort(three.begin(), three.end());
    do {
      std::vector<std::vector<Numbers>> pasts{{three, three}};
      if (is_in_a_column(three)) {
        for (int number = 1; number <= 12; ++number) {
          Numbers four = three;
          four.push_back(number);
          if (all_of_a_column(four)) pasts.push_back({four, four});
        }
        EXPECT_EQ(pasts.size(), 2U);
      }
      for (const auto& past : pasts) {
        Cybo::State state = game.start();
        const TwinSeat seat = play_past(game, state, past);
        EXPECT_EQ(seat.signature, past[0]);
        EveryTurn(game, Level::grandmaster, seat).walk(state);
      }
    } while (std::next_permutation(three.begin(), three.end()));
  }
}

// ── Whole games ──

struct Coverage {
  int qualified = 0, quad_signatures = 0, forced = 0, extra_rounds = 0, limits = 0, shared_wins = 0;
};

/// A game by lists: turn after turn, compared with the real one after every event.
class TwinGame {
 public:
  TwinGame(const Cybo& game, bool loaded, Random& random, Coverage& coverage)
      : game_(game),
        chosen_(game.options()),
        loaded_(loaded),
        random_(random),
        coverage_(coverage),
        state_(game.start()) {}

  void play() {
    for (int round = 1;; ++round) {
      if (round > 13) ++coverage_.extra_rounds;
      for (int i = 0; i < chosen_.seats; ++i) {
        play_turn((chosen_.first + i) % chosen_.seats);
        if (::testing::Test::HasFatalFailure()) return;
        if (++turns_ == chosen_.turn_limit && !(i + 1 == chosen_.seats && is_won(round))) {
          ++coverage_.limits;
          expect_end({});
          return;
        }
      }
      if (is_won(round)) {
        expect_end(leaders());
        return;
      }
    }
  }

 private:
  using What = Judgement::What;

  std::vector<int> leaders() const {
    int best = 0;
    for (const TwinSeat& seat : seats_) best = std::max(best, seat.total);
    std::vector<int> leading;
    for (int seat = 0; seat < chosen_.seats; ++seat) {
      if (seats_[seat].total == best) leading.push_back(seat);
    }
    return leading;
  }
  bool is_won(int round) const { return round >= 13 && (chosen_.tie == Cybo::Tie::share || leaders().size() == 1); }

  void expect_end(const std::vector<int>& winners) {
    ASSERT_EQ(game_.turn(state_), (Turn{Phase::over, -1}));
    Result expected;
    for (const int seat : winners) expected.winners |= static_cast<std::uint8_t>(1 << seat);
    for (int seat = 0; seat < chosen_.seats; ++seat) {
      expected.scores[seat] = static_cast<std::int16_t>(seats_[seat].total);
      if (seats_[seat].signature.size() >= 3) ++coverage_.qualified;
      if (seats_[seat].signature.size() == 4) ++coverage_.quad_signatures;
    }
    if (winners.size() > 1) ++coverage_.shared_wins;
    EXPECT_EQ(game_.result(state_), expected);
  }

  /// The die may be loaded, so that lines, Quads and repetitions are common: mostly what a favourite turn has next.
  int next_roll(const Numbers& rolled) {
    static const std::vector<Numbers> favourites{{1, 2, 3, 4}, {3, 2, 4, 1}, {5, 9, 1, 1}, {8, 7, 6, 5}};
    std::vector<int> next;
    for (const Numbers& favourite : favourites) {
      if (rolled.size() < 4 && std::equal(rolled.begin(), rolled.end(), favourite.begin())) {
        next.push_back(favourite[rolled.size()]);
      }
    }
    if (!loaded_ || next.empty() || random_(4) == 0) return static_cast<int>(random_(12)) + 1;
    return next[random_(static_cast<std::uint32_t>(next.size()))];
  }

  void roll(Numbers& rolled, int seat) {
    ASSERT_EQ(game_.turn(state_), (Turn{Phase::chance, static_cast<std::int8_t>(seat)}));
    rolled.push_back(next_roll(rolled));
    game_.apply(state_, roll_of(rolled.back()));
  }

  void play_turn(int at) {
    TwinSeat& seat = seats_[at];
    Numbers rolled;
    Judgement judged{What::roll};
    while ((judged = judge(chosen_.level, seat, rolled)).what == What::roll) {
      roll(rolled, at);
      if (::testing::Test::HasFatalFailure()) return;
    }
    bool tries = judged.what == What::forced_quad;
    if (tries) ++coverage_.forced;
    if (judged.what == What::decide) {
      ASSERT_EQ(game_.turn(state_), (Turn{Phase::decision, static_cast<std::int8_t>(at)}));
      tries = random_(2) == 0;
      game_.play(state_, tries ? Cybo::quad : Cybo::stop);
    }
    const bool remembered = chosen_.level == Level::grandmaster && judged.points > 0;
    const Numbers trinity = remembered ? rolled : Numbers{};
    int points = judged.points;
    if (tries) {
      roll(rolled, at);
      if (::testing::Test::HasFatalFailure()) return;
      points = quad_points(rolled);
    }
    enter(seat, trinity, tries && points == 16, rolled.back(), points);
    EXPECT_EQ(state_.total[at], seat.total);
  }

  const Cybo& game_;
  const Cybo::Options& chosen_;
  bool loaded_;
  Random& random_;
  Coverage& coverage_;
  Cybo::State state_;
  std::array<TwinSeat, max_seats> seats_{};
  int turns_ = 0;
};

TEST(CyboTwin, WholeGames) {
  Random random(2, "twin");
  Coverage coverage;
  // Beginner turns take the twin long; grand masters have the most to get wrong.
  for (const auto& [level, games] :
       {std::pair{Level::beginner, 6}, {Level::advanced, 30}, {Level::master, 30}, {Level::grandmaster, 60}}) {
    for (int i = 0; i < games; ++i) {
      Cybo::Options chosen = options(2 + static_cast<int>(random(5)), level);
      chosen.first = static_cast<int>(random(static_cast<std::uint32_t>(chosen.seats)));
      chosen.tie = random(2) == 0 ? Cybo::Tie::share : Cybo::Tie::extra;
      if (random(4) == 0) chosen.turn_limit = 1 + static_cast<int>(random(100));
      const Cybo game(chosen);
      const bool loaded = i % 3 != 0;  // ties, and so extra rounds, are more common without
      TwinGame(game, loaded, random, coverage).play();
      ASSERT_FALSE(HasFatalFailure());
    }
  }
  EXPECT_GT(coverage.limits, 10);
  EXPECT_GT(coverage.extra_rounds, 10);
  EXPECT_GT(coverage.shared_wins, 3);
  EXPECT_GT(coverage.qualified, 60);
  EXPECT_GT(coverage.quad_signatures, 10);
  EXPECT_GT(coverage.forced, 10);
}

// ── Facts ──

/// How a turn's points are distributed, in units of 12⁻⁵, with `quad` tried on 3 and never on more.
std::map<int, std::int64_t> distribution(const Cybo& game, const Cybo::State& state, std::int64_t weight) {
  std::map<int, std::int64_t> sum;
  const auto add = [&](const Cybo::State& next, std::int64_t share) {
    if (game.turn(next).seat != 0) {
      sum[next.total[0]] += share;
      return;
    }
    for (const auto& [points, part] : distribution(game, next, share)) sum[points] += part;
  };
  if (game.turn(state).phase == Phase::chance) {
    EXPECT_EQ(weight % 12, 0);
    game.each_outcome(state, [&](Roll roll, std::uint64_t) {
      Cybo::State next = state;
      game.apply(next, roll);
      add(next, weight / 12);
    });
  } else {
    Cybo::State stopped = state;
    game.play(stopped, Cybo::stop);
    Cybo::State tried = state;
    game.play(tried, Cybo::quad);
    add(stopped.total[0] == 3 ? tried : stopped, weight);
  }
  return sum;
}

using Fraction = std::pair<std::int64_t, std::int64_t>;

Fraction reduced(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t common = std::gcd(numerator, denominator);
  return {numerator / common, denominator / common};
}

std::map<int, Fraction> chances(Level level, Fraction& mean) {
  constexpr std::int64_t whole = 12 * 12 * 12 * 12 * 12;
  const Cybo game(options(2, level));
  std::map<int, Fraction> all;
  std::int64_t total = 0;
  std::int64_t points_sum = 0;
  for (const auto& [points, weight] : distribution(game, game.start(), whole)) {
    all[points] = reduced(weight, whole);
    total += weight;
    points_sum += points * weight;
  }
  EXPECT_EQ(total, whole);
  mean = reduced(points_sum, whole);
  return all;
}

TEST(CyboTwin, ChancesOfATurnAreThePages) {
  Fraction mean;
  const std::map<int, Fraction> advanced{{0, {137, 144}}, {3, {1, 32}}, {9, {7, 432}}, {16, {1, 864}}};
  EXPECT_EQ(chances(Level::advanced, mean), advanced);
  EXPECT_EQ(mean, (Fraction{223, 864}));
  EXPECT_EQ(chances(Level::grandmaster, mean), advanced) << "in the first round";
  EXPECT_EQ(mean, (Fraction{223, 864}));
  EXPECT_EQ(chances(Level::master, mean), (std::map<int, Fraction>{{0, {425, 432}}, {9, {7, 432}}}));
  EXPECT_EQ(mean, (Fraction{7, 48}));
  EXPECT_EQ(chances(Level::beginner, mean),
            (std::map<int, Fraction>{{0, {5, 6}}, {3, {725, 6912}}, {9, {73, 1296}}, {16, {113, 20736}}}))
      << "counted by another program over the 12⁴ sequences of four rolls";
  EXPECT_EQ(mean, (Fraction{18845, 20736}));
  // 84 of 1728 turns are Trinities, a third of them in order.
  EXPECT_EQ(reduced(144 - 137, 144), reduced(84, 1728));
  EXPECT_EQ(reduced(7 * 3, 432), reduced(84, 1728));
}

}  // namespace
}  // namespace tessera
