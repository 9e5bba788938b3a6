/// Search and evaluations on positions built by hand, for every game.
#include <gtest/gtest.h>
#include <map>

#include "games/cubed/cubed_eval.hpp"
#include "games/cybo/cybo_eval.hpp"
#include "games/cyclone/cyclone_eval.hpp"
#include "games/cylinder/cylinder_eval.hpp"
#include "games/marbles/marbles_eval.hpp"
#include "search/expectimax.hpp"
#include "search/information_set.hpp"
#include "search/look_ahead.hpp"
#include "search/mcts.hpp"

namespace tessera {
namespace {

template <class G>
Move move_of(const G& game, const typename G::State& state, std::string_view text) {
  const auto move = game.parse_move(state, text);
  EXPECT_TRUE(move) << text;
  return *move;
}

/// Every kind of search makes the move, and is sure of it if it wins at once.
template <class G, class E>
void expect_found(const G& game, const typename G::State& state, std::string_view text, bool wins) {
  const E evaluation(game);
  const Move wanted = move_of(game, state, text);
  const auto check = [&](const Thought& thought, const char* how) {
    EXPECT_EQ(game.move_text(state, thought.move, Viewer::all()), text) << how;
    EXPECT_EQ(thought.move, wanted);
    if (wins) EXPECT_GT(thought.chance, 0.99) << how;
  };
  const auto imagine = [&](Random&) { return state; };
  Random random(1, "test");
  check(look_ahead(game, evaluation, imagine, 1, random), "one move ahead");
  check(Expectimax<G, E>(game, evaluation, {.depth = 1, .beam = 4}).think(state), "expectimax");
  check(Mcts<G, E>(game, evaluation, {.simulations = 500, .exploration = 0.2}).think(state, random), "guided tree");
  check(Mcts<G, E>(game, evaluation, {.simulations = 2000, .guided = false, .playout = 3}).think(state, random),
        "tree");
  check(InformationSetSearch<G, E>(game, evaluation, {.simulations = 500}).think(imagine, random), "information sets");
}

TEST(Search, MarblesHitsWhoIsAboutToWin) {
  const Marbles game{Marbles::Options(2)};
  Marbles::State state = game.start();
  const int ring = game.ring();
  const auto place = [&](int seat, int at) {
    state.track[seat] |= Marbles::Track{1} << at;
    --state.base[seat];
    if (at < ring) state.taken |= Marbles::Track{1} << game.ring_space(seat, at);
  };
  // Seat 1 has three marbles in Home and the last one before it; seat 0 stands four behind that one.
  for (const int home : {1, 2, 3}) place(1, ring + home);
  place(1, ring - 2);
  place(0, game.place_on(game.ring_space(1, ring - 2), 0) - 4);
  place(0, 40);
  state.phase = Phase::decision;
  state.roll = 4;
  const int from = game.place_on(game.ring_space(1, ring - 2), 0) - 4;
  expect_found<Marbles, MarblesEval>(game, state, "p" + std::to_string(from), false);
}

TEST(Search, CycloneEntersTheLastBase) {
  const Cyclone game{Cyclone::Options(4)};
  Cyclone::State state;
  const auto put = [&](int seat, int arm, int space) { game.put(state, Cyclone::place_of(arm, space), seat); };
  put(0, 1, 0);
  put(0, 2, 0);
  put(0, 3, 1);
  put(0, 1, 3);
  put(0, 0, 4);
  for (const int seat : {1, 2, 3}) {
    for (int space = 5; space <= 8; ++space) put(seat, seat, space);
    put(seat, seat, 4);
  }
  state.phase = Phase::decision;
  state.roll = 1;
  state.left = 1;
  expect_found<Cyclone, CycloneEval>(game, state, "d1>d0", true);
}

TEST(Search, CylinderCompletesTheRow) {
  const Cylinder game{Cylinder::Options(2)};
  const CylinderBoard& board = game.board();
  Cylinder::State state = game.start();
  const auto put = [&](int seat, int row, int column) {
    state.marbles[seat].add(board.hole(row, column));
    --state.home[seat];
  };
  for (const int column : {0, 1, 2}) put(0, board.goal_row(), column);
  put(0, board.upper_red(), 3);
  put(0, 0, 5);
  put(0, 1, 6);
  put(1, board.rows() - 1, 2);
  put(1, board.rows() - 2, 4);
  state.step = Cylinder::Step::use;
  state.roll = 1;
  state.steps = 1;
  expect_found<Cylinder, CylinderEval>(game, state, "3,3>4,3", true);
}

TEST(Search, CubedLaysItsLastPiece) {
  Cubed::Options options(2);
  options.rounds = 1;
  const Cubed game{options};
  Cubed::State state = game.start();
  Random random(1, "test");
  game.apply(state, game.draw(state, random));
  const cubed::PieceSet all = state.hands[0];
  const auto last = *cubed::find_kind("BCG");
  state.bag = cubed::PieceSet::full() - state.hands[1];
  state.hands[0] = {};
  if (!state.bag.has(last)) {  // seat 1 has it: they change
    const cubed::Kind other = all.least();
    state.hands[1].remove(last);
    state.hands[1].add(other);
    state.bag.remove(other);
    state.bag.add(last);
  }
  state.bag.remove(last);
  state.hands[0].add(last);
  expect_found<Cubed, CubedEval>(game, state, "BCG@0,0/0", true);
}

// ── Agreement with enumeration ──

/// Everything that can happen, without evaluation, beam or table.
template <class G>
Chances enumerated(const G& game, const typename G::State& state) {
  if (game.turn(state).phase == Phase::over) return chances_of(game, game.result(state));
  Chances found{};
  if (game.turn(state).phase == Phase::chance) {
    game.each_outcome(state, [&](const auto& outcome, std::uint64_t weight) {
      typename G::State next = state;
      game.apply(next, outcome);
      const Chances chances = enumerated(game, next);
      for (int seat = 0; seat < max_seats; ++seat) {
        found[seat] += chances[seat] * static_cast<double>(weight) / static_cast<double>(game.outcome_total(state));
      }
    });
    return found;
  }
  const int seat = game.turn(state).seat;
  MoveList<G> moves;
  game.legal(state, moves);
  found[seat] = -1;
  for (const Move move : moves) {
    typename G::State next = state;
    game.play(next, move);
    const Chances chances = enumerated(game, next);
    if (chances[seat] > found[seat]) found = chances;
  }
  return found;
}

/// Two cubes each are left, a few steps from the end, and can meet.
Cyclone::State small_ending(const Cyclone& game) {
  Cyclone::State state;
  const auto put = [&](int seat, int arm, int space) { game.put(state, Cyclone::place_of(arm, space), seat); };
  for (int i = 0; i < 3; ++i) {
    put(0, 1, 0);
    put(1, 0, 0);
  }
  put(0, 1, 3);
  put(0, 1, 1);
  put(1, 0, 2);
  put(1, 0, 1);
  state.phase = Phase::decision;
  state.roll = 2;
  state.left = 2;
  return state;
}

TEST(Search, AgreesWithEnumerationOnASmallEnding) {
  const Cyclone game{Cyclone::Options(2)};
  const CycloneEval evaluation(game);
  const Cyclone::State state = small_ending(game);
  const double exact = enumerated(game, state)[0];
  EXPECT_GT(exact, 0.01);
  EXPECT_LT(exact, 0.99);
  Expectimax<Cyclone, CycloneEval> expectimax(game, evaluation, {.depth = 20});
  EXPECT_NEAR(expectimax.think(state).chance, exact, 1e-9);
  Random random(1, "test");
  const Thought guided =
      Mcts<Cyclone, CycloneEval>(game, evaluation, {.simulations = 20'000, .exploration = 0.2}).think(state, random);
  EXPECT_NEAR(guided.chance, exact, 0.02);
  const Thought plain =
      Mcts<Cyclone, CycloneEval>(game, evaluation, {.simulations = 20'000, .guided = false, .playout = -1})
          .think(state, random);
  EXPECT_NEAR(plain.chance, exact, 0.05);
}

TEST(Search, ATreeIsKeptFromOneDecisionToTheNext) {
  const Cyclone game{Cyclone::Options(2)};
  const CycloneEval evaluation(game);
  Cyclone::State state = small_ending(game);
  Random random(1, "test");
  Mcts<Cyclone, CycloneEval> search(game, evaluation, {.simulations = 2000, .exploration = 0.2});
  const Thought first = search.think(state, random);
  EXPECT_EQ(first.simulations, 2000U);
  game.play(state, first.move);
  ASSERT_EQ(game.turn(state).phase, Phase::decision) << "the second action of the roll";
  EXPECT_LT(search.think(state, random).simulations, 1000U) << "most of it was known";
}

// ── CYBO ──

/// The game played out by its rules, with what was found before remembered by all that matters at two seats.
class Brute {
 public:
  explicit Brute(const Cybo& game) : game_(&game) {}

  double chance(const Cybo::State& state) {  // of seat 0
    if (state.phase == Phase::over) return chances_of(*game_, game_->result(state))[0];
    const std::array<int, 4> key{state.turns, state.node, state.total[0], state.total[1]};
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    double value = 0;
    if (state.phase == Phase::chance) {
      for (int number = 1; number <= cybo::sides; ++number) {
        Cybo::State next = state;
        game_->apply(next, {static_cast<std::uint8_t>(number)});
        value += chance(next) / cybo::sides;
      }
    } else {
      std::array<double, 2> values{};
      for (const Move move : {Cybo::quad, Cybo::stop}) {
        Cybo::State next = state;
        game_->play(next, move);
        values[move] = chance(next);
      }
      value = state.seat == 0 ? std::max(values[0], values[1]) : std::min(values[0], values[1]);
    }
    return known_[key] = value;
  }

 private:
  const Cybo* game_;
  std::map<std::array<int, 4>, double> known_;
};

TEST(CyboSolved, AgreesWithBruteForceOnAShortenedGame) {
  for (const Cybo::Level level : {Cybo::Level::beginner, Cybo::Level::advanced, Cybo::Level::master}) {
    for (const int first : {0, 1}) {
      Cybo::Options options(2);
      options.level = level;
      options.first = first;
      const Cybo game(options);
      const CyboEval evaluation(game);
      Brute brute(game);
      for (const int ahead : {-20, -9, 0, 7}) {
        Cybo::State state = game.start();
        state.row = Cybo::rounds - 2;  // two rounds are left
        state.total[0] = static_cast<std::int16_t>(30 + ahead);
        state.total[1] = 30;
        EXPECT_NEAR(evaluation.chances(state)[0], brute.chance(state), 1e-9) << "ahead by " << ahead;
        game.apply(state, {2});  // within a turn
        EXPECT_NEAR(evaluation.chances(state)[0], brute.chance(state), 1e-9) << "ahead by " << ahead;
      }
    }
  }
}

/// 5-6-7 in order is 9 points, and 8 would make it 16.
Cybo::State nine_points(const Cybo& game, int own, int other, int row) {
  Cybo::State state = game.start();
  state.row = static_cast<std::uint8_t>(row);
  state.seat = 1;  // the last to play
  state.total[1] = static_cast<std::int16_t>(own);
  state.total[0] = static_cast<std::int16_t>(other);
  for (const int number : {5, 6, 7}) game.apply(state, {static_cast<std::uint8_t>(number)});
  EXPECT_EQ(state.phase, Phase::decision);
  return state;
}

TEST(CyboSolved, RisksNinePointsOnlyWhereItMust) {
  for (const int seats : {2, 3}) {
    const Cybo game{Cybo::Options(seats)};
    const CyboEval evaluation(game);
    Random random(1, "test");
    const auto choice = [&](int own, int other) {
      const Cybo::State state = nine_points(game, own, other, Cybo::rounds - 1);
      return look_ahead(game, evaluation, [&](Random&) { return state; }, 1, random).move;
    };
    EXPECT_EQ(choice(20, 25), Cybo::stop) << "nine are enough, three are not";
    EXPECT_EQ(choice(20, 35), Cybo::quad) << "only sixteen are";
  }
}

TEST(CyboSolved, TheOpeningIsWorthAboutHalf) {
  for (int level = 0; level < 4; ++level) {
    for (const Cybo::Tie tie : {Cybo::Tie::share, Cybo::Tie::extra}) {
      Cybo::Options options(2);
      options.level = static_cast<Cybo::Level>(level);
      options.tie = tie;
      const Cybo game(options);
      const Chances chances = CyboEval(game).chances(game.start());
      EXPECT_NEAR(chances[0], 0.5, 0.01);
      EXPECT_NEAR(chances[0] + chances[1], 1, 1e-12);
    }
  }
  for (int seats = 3; seats <= 6; ++seats) {
    const Cybo game{Cybo::Options(seats)};
    const Chances chances = CyboEval(game).chances(game.start());
    for (int seat = 0; seat < seats; ++seat) EXPECT_NEAR(chances[seat], 1.0 / seats, 0.002);
  }
}

// ── Evaluations ──

/// Positions along random games: chances are chances, sides share them, equal states have equal keys and others do not.
template <class G, class E>
void check_evaluation(const typename G::Options& options) {
  const G game(options);
  const E evaluation(game);
  Random random(1, "test");
  std::map<std::uint64_t, typename G::State> keys;
  typename G::State state = game.start();
  MoveList<G> moves;
  for (int i = 0; i < 400 && game.turn(state).phase != Phase::over; ++i) {
    const Chances chances = evaluation.chances(state);
    double sum = 0;
    unsigned counted = 0;
    for (int seat = 0; seat < options.seats; ++seat) {
      EXPECT_GE(chances[seat], 0);
      EXPECT_LE(chances[seat], 1);
      const int side = side_of(game, seat);
      if ((counted >> side & 1) == 0) sum += chances[seat];
      counted |= 1U << side;
    }
    if (options.seats > 1) EXPECT_NEAR(sum, 1, 0.01);
    const auto [found, fresh] = keys.try_emplace(evaluation.key(state), state);
    EXPECT_TRUE(fresh || found->second == state);
    moves.clear();
    if (game.turn(state).phase == Phase::chance) {
      game.apply(state, game.draw(state, random));
    } else {
      game.legal(state, moves);
      game.play(state, moves[random(static_cast<std::uint32_t>(moves.size()))]);
    }
  }
}

TEST(Evaluation, GivesChancesAndKeys) {
  for (const int seats : Marbles::seat_counts) check_evaluation<Marbles, MarblesEval>(Marbles::Options(seats));
  for (const int seats : Cyclone::seat_counts) check_evaluation<Cyclone, CycloneEval>(Cyclone::Options(seats));
  for (const int seats : Cylinder::seat_counts) check_evaluation<Cylinder, CylinderEval>(Cylinder::Options(seats));
  for (const int seats : Cubed::seat_counts) check_evaluation<Cubed, CubedEval>(Cubed::Options(seats));
  for (const int seats : Cybo::seat_counts) check_evaluation<Cybo, CyboEval>(Cybo::Options(seats));
  Marbles::Options teams(6);
  teams.teams = 2;
  check_evaluation<Marbles, MarblesEval>(teams);
  Cylinder::Options pairs(4);
  pairs.teams = Cylinder::Teams::one_seven;
  check_evaluation<Cylinder, CylinderEval>(pairs);
}

}  // namespace
}  // namespace tessera
