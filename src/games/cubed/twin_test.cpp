#include "games/cubed/twin.hpp"

#include <gtest/gtest.h>

#include "games/cubed/testing.hpp"
#include "games/cubed/words.hpp"
#include "rules/notation.hpp"
#include "rules/playout.hpp"

namespace tessera {
namespace {

std::multiset<std::string> names(const cubed::PieceSet& set) {
  const auto list = cubed::words(set);
  return {list.begin(), list.end()};
}

/// The fast game and its twin, played together.
struct Pair {
  Cubed game;
  Cubed::State state;
  Twin twin;

  explicit Pair(const Cubed::Options& options) : game(options), state(game.start()), twin(options) {}

  void chance(const Cubed::Outcome& outcome) {
    if (state.step == Cubed::Step::deal) {
      std::vector<std::multiset<std::string>> hands;
      cubed::PieceSet bag = cubed::PieceSet::full() - outcome.out;
      for (int seat = 0; seat < game.options().seats; ++seat) {
        hands.push_back(names(outcome.hands[seat]));
        bag -= outcome.hands[seat];
      }
      twin.deal(hands, names(bag));
    } else if (state.step == Cubed::Step::start) {
      twin.first_piece(*names(outcome.drawn).begin(), names(outcome.out));
    } else {
      twin.draw(names(outcome.drawn));
    }
    game.apply(state, outcome);
  }

  void play(Move move) {
    twin.move(game.move_text(state, move, Viewer::all()));
    game.play(state, move);
  }

  /// That both wait for the same, with the same moves and the same pieces everywhere.
  void compare() const {
    static const std::map<Cubed::Step, std::string> steps{
        {Cubed::Step::deal, "deal"},           {Cubed::Step::start, "start"},
        {Cubed::Step::begin, "lay-draw"},      {Cubed::Step::draw, "draw"},
        {Cubed::Step::take, "take"},           {Cubed::Step::keep, "keep"},
        {Cubed::Step::after_draw, "lay-pass"}, {Cubed::Step::fill, "fill"},
        {Cubed::Step::bridge, "bridge"},       {Cubed::Step::over, "over"}};
    ASSERT_EQ(steps.at(state.step), twin.waits);
    ASSERT_EQ(state.turns, twin.turns);
    ASSERT_EQ(state.round, twin.round);
    ASSERT_EQ(state.idle, twin.idle);
    for (int seat = 0; seat < game.options().seats; ++seat) {
      ASSERT_EQ(state.scores[seat], twin.scores[static_cast<std::size_t>(seat)]);
      if (!twin.hands.empty()) ASSERT_EQ(names(state.hands[seat]), twin.hands[static_cast<std::size_t>(seat)]);
    }
    if (twin.waits == "deal") {
      ASSERT_EQ(state.began, twin.began);
      return;
    }
    if (twin.waits == "over") {
      std::uint8_t winners = 0;
      for (const int seat : twin.winners) winners |= static_cast<std::uint8_t>(1 << seat);
      ASSERT_EQ(game.result(state).winners, winners);
      return;
    }
    ASSERT_EQ(state.seat, twin.seat);
    ASSERT_EQ(names(state.bag), twin.bag);
    ASSERT_EQ(state.table.laid(), static_cast<int>(twin.board.size()));
    std::set<Twin::At> open;
    for (const auto& place : state.table.open()) open.insert({place.cell.q, place.cell.r});
    ASSERT_EQ(open, twin.board.empty() ? std::set<Twin::At>{} : twin.open_places());
    if (game.turn(state).phase == Phase::decision) {
      const auto texts = legal_texts(game, state);
      const std::set<std::string> expected = twin.legal();
      ASSERT_EQ(std::set<std::string>(texts.begin(), texts.end()), expected);
      ASSERT_EQ(texts.size(), expected.size());
    }
  }
};

TEST(CubedTwin, PlaysTheSameRandomGames) {
  std::map<std::string, int> seen;
  for (int number = 0; number < 54; ++number) {
    SCOPED_TRACE(number);
    Pair pair(some_options(number));
    Random random(static_cast<std::uint64_t>(number), "twin");
    while (pair.game.turn(pair.state).phase != Phase::over) {
      if (pair.game.turn(pair.state).phase == Phase::chance) {
        pair.chance(pair.game.draw(pair.state, random));
      } else {
        pair.play(pick(pair.game, pair.state, number % 4 != 0, random));
      }
      pair.compare();
      ++seen[pair.twin.waits];
      if (HasFatalFailure()) return;
    }
  }
  for (const char* step : {"deal", "draw", "take", "keep", "lay-pass", "bridge", "fill", "over"}) {
    EXPECT_GT(seen[step], 5) << step;
  }
}

/// The number of paths, by the twin alone.
std::uint64_t paths(const Twin& twin, int depth) {
  if (depth == 0 || twin.waits == "over" || twin.waits == "deal") return 1;
  std::uint64_t sum = 0;
  const auto after = [&](auto&& change) {
    Twin next = twin;
    change(next);
    sum += paths(next, depth - 1);
  };
  if (twin.waits == "draw") {
    const std::set<std::string> kinds(twin.bag.begin(), twin.bag.end());
    for (const std::string& kind : kinds) after([&](Twin& next) { next.draw({kind}); });
  } else if (twin.waits == "take") {
    std::set<std::multiset<std::string>> sets;
    const std::vector<std::string> all(twin.bag.begin(), twin.bag.end());
    for (std::size_t mask = 0; mask < std::size_t{1} << all.size(); ++mask) {
      if (std::popcount(mask) != twin.count) continue;
      std::multiset<std::string> set;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if ((mask >> i & 1) != 0) set.insert(all[i]);
      }
      sets.insert(set);
    }
    for (const auto& set : sets) after([&](Twin& next) { next.draw(set); });
  } else {
    for (const std::string& move : twin.legal()) after([&](Twin& next) { next.move(move); });
  }
  return sum;
}

/// As `perft`, but a new round's deal ends a path.
std::uint64_t fast_paths(const Cubed& game, const Cubed::State& state, int depth) {
  const Phase phase = game.turn(state).phase;
  if (depth == 0 || phase == Phase::over || state.step == Cubed::Step::deal) return 1;
  std::uint64_t sum = 0;
  const auto after = [&](const auto& event) {
    Cubed::State next = state;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(event)>, Move>) {
      game.play(next, event);
    } else {
      game.apply(next, event);
    }
    sum += fast_paths(game, next, depth - 1);
  };
  if (phase == Phase::chance) {
    game.each_outcome(state, [&](const Cubed::Outcome& outcome, std::uint64_t) { after(outcome); });
  } else {
    MoveList<Cubed> moves;
    game.legal(state, moves);
    for (const Move move : moves) after(move);
  }
  return sum;
}

TEST(CubedTwin, CountsTheSamePaths) {
  for (int number = 0; number < 12; ++number) {
    SCOPED_TRACE(number);
    Cubed::Options options(number % 2 == 0 ? 4 : 6);
    options.bridge = options.fill = number % 3 != 0;
    options.take = number % 3 == 1;
    options.matching = number % 4 == 3 ? Cubed::Matching::two : Cubed::Matching::all;
    Pair pair(options);
    Random random(static_cast<std::uint64_t>(number), "paths");
    pair.chance(pair.game.draw(pair.state, random));
    for (int i = 0; i < 20 + 6 * number && pair.state.round == 0; ++i) {
      if (pair.game.turn(pair.state).phase == Phase::chance) {
        pair.chance(pair.game.draw(pair.state, random));
      } else {
        pair.play(pick(pair.game, pair.state, true, random));
      }
    }
    const int depth = pair.state.bag.size() > 6 && options.take ? 2 : 3;
    ASSERT_EQ(fast_paths(pair.game, pair.state, depth), paths(pair.twin, depth));
  }
}

}  // namespace
}  // namespace tessera
