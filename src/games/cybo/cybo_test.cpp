#include "games/cybo/cybo.hpp"

#include <gtest/gtest.h>
#include <limits>

#include "rules/notation.hpp"
#include "rules/playout.hpp"

namespace tessera {
namespace {

using Level = Cybo::Level;

Cybo::Options options(int seats, Level level, Cybo::Tie tie = Cybo::Tie::share) {
  Cybo::Options chosen(seats);
  chosen.level = level;
  chosen.tie = tie;
  return chosen;
}

/// A game in which everybody but seat 0 rolls badly. `turn` plays a turn of seat 0 with the given numbers, decisions
/// included, and says what it was worth.
class Table {
 public:
  explicit Table(const Cybo::Options& chosen) : game(chosen), state(game.start()) {}
  explicit Table(Level level) : Table(options(2, level)) {}

  void roll(std::initializer_list<int> numbers) {
    for (const int number : numbers) {
      ASSERT_EQ(game.turn(state).phase, Phase::chance);
      game.apply(state, {static_cast<std::uint8_t>(number)});
    }
  }
  void decide(std::string_view text) {
    ASSERT_EQ(game.turn(state).phase, Phase::decision);
    const auto move = game.parse_move(state, text);
    ASSERT_TRUE(move);
    game.play(state, *move);
  }
  /// The seat loses its turn: no level lets a signature or a line begin with three equal numbers.
  void waste() {
    const auto seat = state.seat;
    const auto turns = state.turns;
    while (state.turns == turns) roll({1});
    ASSERT_TRUE(game.turn(state).phase == Phase::over || state.seat != seat);
  }
  /// Seat 0's turn: rolls, and `decision` where it is asked for, then the roll for the Quad.
  int turn(std::initializer_list<int> numbers, std::string_view decision = "", int quad_roll = 0) {
    const int before = state.total[0];
    roll(numbers);
    if (!decision.empty()) decide(decision);
    if (quad_roll != 0) roll({quad_roll});
    EXPECT_EQ(state.seat, 1) << "the turn is over";
    const int worth = state.total[0] - before;
    while (state.seat != 0 && game.turn(state).phase != Phase::over) waste();
    return worth;
  }
  bool turn_goes_on() const { return game.turn(state) == Turn{Phase::chance, 0}; }
  bool asks() const { return game.turn(state) == Turn{Phase::decision, 0}; }

  Cybo game;
  Cybo::State state;
};

// ── Lines ──

TEST(Cybo, HasFourteenLinesInTheGrid) {
  for (std::size_t i = 0; i < cybo::lines.size(); ++i) {
    const auto& line = cybo::lines[i];
    const int step = line[1] - line[0];
    EXPECT_EQ(line[2] - line[1], step);
    const int first_row = (line[0] - 1) % 4;
    const int last_row = (line[2] - 1) % 4;
    switch (step) {
      case 1: EXPECT_EQ(last_row - first_row, 2) << "a column does not run into the next"; break;
      case 4: EXPECT_EQ(last_row, first_row); break;
      case 5: EXPECT_EQ(last_row - first_row, 2); break;
      case 3: EXPECT_EQ(last_row - first_row, -2); break;
      default: ADD_FAILURE() << "no line has the step " << step;
    }
    EXPECT_EQ(step == 1, i < cybo::column_lines);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(cybo::lines[j], line);
  }
}

TEST(Cybo, FourthNumberCompletesTheColumn) {
  EXPECT_EQ(cybo::fourth_number({1, 2, 3}), 4);
  EXPECT_EQ(cybo::fourth_number({4, 2, 3}), 1);
  EXPECT_EQ(cybo::fourth_number({7, 6, 5}), 8);
  EXPECT_EQ(cybo::fourth_number({8, 7, 6}), 5);
  EXPECT_EQ(cybo::fourth_number({10, 11, 9}), 12);
  EXPECT_EQ(cybo::fourth_number({12, 11, 10}), 9);
}

// ── Advanced ──

TEST(Cybo, SampleCard) {
  Table table(Level::grandmaster);
  EXPECT_EQ(table.turn({5, 9, 1}), 3);
  EXPECT_EQ(table.turn({4, 8, 11}), 0);
  EXPECT_EQ(table.turn({2, 6, 10}), 9);
  EXPECT_EQ(table.turn({5, 6, 7}, "quad", 8), 16);
  EXPECT_EQ(table.turn({10, 4, 7}), 3);
  EXPECT_EQ(table.turn({2, 6, 10}), 12);
  EXPECT_EQ(table.state.total[0], 43);
}

TEST(Cybo, SecondTwoSixTenIsWorthNineBelowGrandMaster) {
  Table table(Level::advanced);
  EXPECT_EQ(table.turn({2, 6, 10}), 9);
  EXPECT_EQ(table.turn({2, 6, 10}), 9);
}

TEST(Cybo, TurnIsOverWhenNoTrinityIsPossible) {
  Table table(Level::advanced);
  EXPECT_EQ(table.turn({1, 8}), 0);
  EXPECT_EQ(table.turn({1, 1}), 0) << "three different numbers are needed";
  EXPECT_EQ(table.turn({4, 5}), 0) << "neighbours in number only";
  table.roll({1, 3});
  EXPECT_TRUE(table.turn_goes_on()) << "the 2 is missing";
}

TEST(Cybo, TrinityInOrderForwardsOrBackwards) {
  Table table(Level::advanced);
  EXPECT_EQ(table.turn({9, 5, 1}), 9);
  EXPECT_EQ(table.turn({1, 5, 9}), 9);
  EXPECT_EQ(table.turn({5, 9, 1}), 3);
  EXPECT_EQ(table.turn({9, 6, 3}), 9);
  EXPECT_EQ(table.turn({4, 10, 7}), 3);
}

TEST(Cybo, QuadIsAskedForInColumnsOnly) {
  Table table(Level::advanced);
  table.roll({3, 1, 2});
  ASSERT_TRUE(table.asks());
  EXPECT_EQ(legal_texts(table.game, table.state), (std::vector<std::string>{"quad", "stop"}));
  EXPECT_EQ(table.game.choices(table.state, Cybo::quad), Choices{"quad"});
  EXPECT_EQ(table.game.choices(table.state, Cybo::stop), Choices{"stop"});
  table.decide("stop");
  EXPECT_EQ(table.state.total[0], 3);
  EXPECT_EQ(table.game.turn(table.state), (Turn{Phase::chance, 1}));
  table.roll({3, 7, 11});
  EXPECT_EQ(table.game.turn(table.state), (Turn{Phase::chance, 0})) << "a row: nothing to decide";
}

TEST(Cybo, QuadIsSixteenOrThree) {
  Table table(Level::advanced);
  EXPECT_EQ(table.turn({8, 7, 6}, "stop"), 9);
  EXPECT_EQ(table.turn({8, 7, 6}, "quad", 5), 16);
  EXPECT_EQ(table.turn({8, 7, 6}, "quad", 12), 3) << "a miss costs the order";
  EXPECT_EQ(table.turn({7, 8, 6}, "quad", 5), 16);
  EXPECT_EQ(table.turn({7, 8, 6}, "quad", 6), 3);
  EXPECT_EQ(table.turn({11, 12, 10}, "quad", 9), 16);
}

// ── Beginner ──

TEST(Cybo, BeginnerMayWasteOneRoll) {
  Table table(Level::beginner);
  EXPECT_EQ(table.turn({1, 8, 5, 9}), 9);
  EXPECT_EQ(table.turn({8, 1, 5, 9}), 9);
  EXPECT_EQ(table.turn({1, 5, 8, 9}), 9);
  EXPECT_EQ(table.turn({5, 8, 1, 9}), 3);
  EXPECT_EQ(table.turn({1, 1, 5, 9}), 9);
  EXPECT_EQ(table.turn({1, 1, 1}), 0) << "two wasted";
  EXPECT_EQ(table.turn({1, 8, 10}), 0);
  EXPECT_EQ(table.turn({1, 5, 8, 11}), 0);
  EXPECT_EQ(table.turn({9, 5, 1}), 9) << "a Trinity ends the rolling";
}

TEST(Cybo, BeginnerMayCountEitherRollOfANumber) {
  Table table(Level::beginner);
  EXPECT_EQ(table.turn({5, 1, 5, 9}), 9) << "1, 5, 9";
  EXPECT_EQ(table.turn({1, 5, 1, 9}), 9) << "1, 5, 9 with the first 1";
  EXPECT_EQ(table.turn({5, 9, 5, 1}), 9) << "9, 5, 1";
  EXPECT_EQ(table.turn({5, 1, 1, 9}), 3);
}

TEST(Cybo, BeginnerWithFourOfAColumnAtOnceHasAQuad) {
  for (const auto& column : {std::array{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}) {
    const auto [a, b, c, d] = column;
    Table table(Level::beginner);
    EXPECT_EQ(table.turn({b, a, d, c}), 16);
    EXPECT_EQ(table.turn({a, d, b, c}), 16);
    EXPECT_EQ(table.turn({d, c, a, b}), 16);
    EXPECT_EQ(table.turn({a, c, d, b}), 16);
    table.roll({a, b, c});
    EXPECT_TRUE(table.asks()) << "three of them are a Trinity first";
  }
}

TEST(Cybo, BeginnerTriesTheQuadWithOneExtraRoll) {
  Table table(Level::beginner);
  EXPECT_EQ(table.turn({1, 2, 3}, "quad", 4), 16);
  EXPECT_EQ(table.turn({1, 2, 3}, "quad", 9), 3) << "not two, though only three were rolled before";
  EXPECT_EQ(table.turn({1, 8, 2, 3}, "quad", 4), 16) << "the fifth roll";
  EXPECT_EQ(table.turn({1, 8, 2, 3}, "quad", 1), 3);
  EXPECT_EQ(table.turn({1, 8, 2, 3}, "stop"), 9);
  EXPECT_EQ(table.turn({2, 8, 1, 3}, "stop"), 3);
}

// ── Master ──

TEST(Cybo, MasterCountsOnlyInOrder) {
  Table table(Level::master);
  EXPECT_EQ(table.turn({1, 5, 9}), 9);
  EXPECT_EQ(table.turn({9, 5, 1}), 9);
  EXPECT_EQ(table.turn({5, 9}), 0) << "5, 9, 1 does not count, so the turn is over";
  EXPECT_EQ(table.turn({1, 9}), 0);
  table.roll({5, 6});
  EXPECT_TRUE(table.turn_goes_on()) << "5, 6, 7";
  EXPECT_EQ(table.turn({7}, "stop"), 9);
  EXPECT_EQ(table.turn({5, 6, 7}, "quad", 8), 16);
  EXPECT_EQ(table.turn({6, 7, 8}, "quad", 5), 16) << "the fourth number may be at either end";
  EXPECT_EQ(table.turn({7, 6, 5}, "quad", 1), 3);
  EXPECT_EQ(table.turn({7, 5}), 0);
}

// ── Grand master ──

TEST(Cybo, GrandMasterBeginsAsAdvanced) {
  Table table(Level::grandmaster);
  EXPECT_EQ(table.turn({5, 9, 1}), 3);
  EXPECT_EQ(table.turn({9, 5, 1}), 9) << "the same numbers in another order are no duplicate";
  EXPECT_EQ(table.turn({8, 7, 6}, "quad", 5), 16);
  EXPECT_EQ(table.turn({6, 7, 8}, "quad", 1), 3);
  EXPECT_EQ(table.state.signature[0], 0);
}

TEST(Cybo, DuplicateMakesTheSignature) {
  Table table(Level::grandmaster);
  table.turn({5, 9, 1});
  table.turn({3, 6, 9});
  EXPECT_EQ(table.turn({5, 9, 1}), 12) << "also for a Trinity that was not in order";
  EXPECT_EQ(table.turn({3}), 0) << "the first roll departs";
  EXPECT_EQ(table.turn({5, 1}), 0) << "the second";
  EXPECT_EQ(table.turn({5, 9, 2}), 0) << "the third";
  EXPECT_EQ(table.turn({9}), 0) << "another order";
  EXPECT_EQ(table.turn({5, 9, 1}), 12);
  EXPECT_EQ(table.turn({5, 9, 1}), 12);
}

TEST(Cybo, AnotherSeatsTrinityIsNoDuplicate) {
  Table table(Level::grandmaster);
  table.roll({1, 5, 9});
  table.roll({1, 5, 9});
  EXPECT_EQ(table.state.total[1], 9);
  table.roll({1, 5, 9});
  EXPECT_EQ(table.state.total[0], 21);
  table.roll({1, 5, 9});
  EXPECT_EQ(table.state.total[1], 21);
}

TEST(Cybo, DuplicateInAColumnMayStillTryTheQuad) {
  Table table(Level::grandmaster);
  EXPECT_EQ(table.turn({1, 2, 3}, "stop"), 9);
  EXPECT_EQ(table.turn({1, 2, 3}, "quad", 8), 3) << "a miss, on a duplicate too";
  EXPECT_EQ(table.turn({2}), 0) << "yet it has made the signature";
  EXPECT_EQ(table.turn({1, 2, 3}, "stop"), 12);
  EXPECT_EQ(table.turn({1, 2, 3}, "quad", 4), 16) << "the first Quad on it";
  table.roll({1, 2, 3});
  EXPECT_TRUE(table.asks()) << "one Quad is no duplicated Quad";
  table.decide("stop");
  EXPECT_EQ(table.state.total[0], 9 + 3 + 12 + 16 + 12);
}

TEST(Cybo, QuadTriedInVainStillCountsAsTheTrinity) {
  Table table(Level::grandmaster);
  EXPECT_EQ(table.turn({3, 2, 1}, "quad", 9), 3);
  EXPECT_EQ(table.turn({3, 2, 1}, "stop"), 12);
  EXPECT_EQ(table.turn({3, 2, 1}, "stop"), 12);
}

TEST(Cybo, QuadHitCountsAsTheTrinity) {
  Table table(Level::grandmaster);
  EXPECT_EQ(table.turn({3, 2, 1}, "quad", 4), 16);
  EXPECT_EQ(table.turn({3, 2, 1}, "stop"), 12) << "the Trinity is repeated, the Quad is not";
  table.roll({3, 2, 1});
  EXPECT_TRUE(table.asks()) << "so that the fourth roll stays a decision";
  table.decide("quad");
  table.roll({4});
  EXPECT_EQ(table.state.total[0], 16 + 12 + 16);
  EXPECT_GE(table.state.signature[0], cybo::trinities) << "now the Quad is repeated";
}

TEST(Cybo, DuplicatedQuadMustBeTriedFromThenOn) {
  Table table(Level::grandmaster);
  EXPECT_EQ(table.turn({5, 6, 7}, "quad", 8), 16);
  EXPECT_EQ(table.turn({5, 6, 7}, "quad", 8), 16) << "worth 16 again";
  table.roll({5, 6, 7});
  EXPECT_TRUE(table.turn_goes_on()) << "no decision";
  EXPECT_EQ(table.turn({8}), 16);
  EXPECT_EQ(table.turn({5, 6, 7, 4}), 3);
  EXPECT_EQ(table.turn({5, 6, 7, 8}), 16) << "still the signature after a miss";
  EXPECT_EQ(table.turn({5, 6, 8}), 0);
  EXPECT_EQ(table.turn({6}), 0);
}

TEST(Cybo, QuadOfTheSameColumnInAnotherOrderIsNoDuplicate) {
  Table table(Level::grandmaster);
  EXPECT_EQ(table.turn({5, 6, 7}, "quad", 8), 16);
  EXPECT_EQ(table.turn({6, 7, 8}, "quad", 5), 16);
  EXPECT_EQ(table.turn({7, 6, 5}, "quad", 8), 16);
  EXPECT_EQ(table.state.signature[0], 0);
}

// ── The end ──

TEST(Cybo, ThirteenRoundsAndTheHighestTotalWins) {
  Cybo::Options chosen = options(3, Level::advanced);
  chosen.first = 2;
  Table table(chosen);
  EXPECT_EQ(table.game.turn(table.state), (Turn{Phase::chance, 2}));
  table.roll({1, 1});
  EXPECT_EQ(table.game.turn(table.state), (Turn{Phase::chance, 0}));
  table.roll({1, 5, 9});
  for (int turn = 2; turn < 39; ++turn) {
    ASSERT_EQ(table.game.turn(table.state), (Turn{Phase::chance, static_cast<std::int8_t>((turn + 2) % 3)}));
    table.waste();
  }
  EXPECT_EQ(table.game.turn(table.state), (Turn{Phase::over, -1}));
  EXPECT_EQ(table.game.result(table.state), (Result{0b001, {9, 0, 0}}));
}

TEST(Cybo, EqualTotalsShareTheWin) {
  Table table(options(3, Level::advanced));
  table.roll({1, 5, 9, 1, 1, 9, 5, 1});
  for (int turn = 3; turn < 39; ++turn) table.waste();
  EXPECT_EQ(table.game.result(table.state), (Result{0b101, {9, 0, 9}}));
}

TEST(Cybo, EverybodyWinsANilNil) {
  Table table(options(6, Level::advanced));
  for (int turn = 0; turn < 78; ++turn) table.waste();
  ASSERT_EQ(table.game.turn(table.state).phase, Phase::over);
  EXPECT_EQ(table.game.result(table.state).winners, 0b111111);
}

TEST(Cybo, ExtraRoundsUntilOneLeads) {
  Table table(options(3, Level::advanced, Cybo::Tie::extra));
  table.roll({1, 5, 9, 1, 1, 9, 5, 1});
  for (int turn = 3; turn < 39; ++turn) table.waste();
  // An extra round that leaves seats 0 and 2 level.
  table.roll({5, 1, 9, 1, 1, 5, 9, 1});
  ASSERT_EQ(table.game.turn(table.state), (Turn{Phase::chance, 0}));
  // One that brings seat 1 up to them, and one that it wins: all seats take part.
  table.waste();
  table.roll({1, 5, 9});
  table.waste();
  ASSERT_EQ(table.game.turn(table.state), (Turn{Phase::chance, 0})) << "12, 9, 12";
  table.waste();
  table.roll({1, 5, 9});
  EXPECT_EQ(table.game.turn(table.state), (Turn{Phase::chance, 2})) << "the round is played to its end";
  table.waste();
  EXPECT_EQ(table.game.result(table.state), (Result{0b010, {12, 18, 12}}));
  EXPECT_EQ(table.game.turn(table.state).phase, Phase::over);
}

TEST(Cybo, NoExtraRoundWithoutATie) {
  Table table(options(2, Level::advanced, Cybo::Tie::extra));
  table.roll({5, 1, 9});
  for (int turn = 1; turn < 26; ++turn) table.waste();
  EXPECT_EQ(table.game.turn(table.state).phase, Phase::over);
  EXPECT_EQ(table.game.result(table.state), (Result{0b01, {3, 0}}));
}

TEST(Cybo, GrandMasterRemembersThroughExtraRounds) {
  Table table(options(2, Level::grandmaster, Cybo::Tie::extra));
  for (int turn = 0; turn < 26; ++turn) table.waste();
  for (int round = 0; round < 300; ++round) {
    table.waste();
    table.waste();
  }
  table.roll({1, 5, 9, 1, 5, 9});
  for (int round = 0; round < 300; ++round) {
    table.roll({4, 5, 4, 5});
    ASSERT_EQ(table.game.turn(table.state), (Turn{Phase::chance, 0}));
  }
  EXPECT_NE(table.game.picture(table.state, Viewer::all(), {}).find("Extra round 602"), std::string::npos);
  table.roll({1, 5, 9, 4, 5});
  EXPECT_EQ(table.game.result(table.state), (Result{0b01, {21, 9}}));
}

TEST(Cybo, TurnLimitEndsWithoutAWinner) {
  Cybo::Options chosen = options(2, Level::advanced);
  chosen.turn_limit = 3;
  Table table(chosen);
  table.roll({1, 5, 9, 1, 1});
  EXPECT_EQ(table.game.turn(table.state).phase, Phase::chance);
  table.roll({3, 6});
  table.roll({9});
  EXPECT_EQ(table.game.turn(table.state), (Turn{Phase::over, -1}));
  EXPECT_EQ(table.game.result(table.state), (Result{0, {18, 0}}));
}

TEST(Cybo, GameThatEndsWithTheLimitHasItsWinner) {
  for (const auto tie : {Cybo::Tie::share, Cybo::Tie::extra}) {
    Cybo::Options chosen = options(2, Level::advanced, tie);
    chosen.turn_limit = 26;
    Table table(chosen);
    table.roll({1, 5, 9});
    for (int turn = 1; turn < 26; ++turn) table.waste();
    EXPECT_EQ(table.game.result(table.state), (Result{0b01, {9, 0}}));
    Table tied(chosen);
    for (int turn = 0; turn < 26; ++turn) tied.waste();
    EXPECT_EQ(tied.game.turn(tied.state).phase, Phase::over);
    EXPECT_EQ(tied.game.result(tied.state).winners, tie == Cybo::Tie::share ? 0b11 : 0) << "a tie to break is not over";
  }
}

TEST(Cybo, LongestGameOverflowsNothing) {
  Cybo::Options chosen = options(2, Level::advanced, Cybo::Tie::extra);
  chosen.turn_limit = std::numeric_limits<int>::max();
  Table table(chosen);
  for (int turn = 0; turn < 26; ++turn) table.waste();
  table.state.turns = std::numeric_limits<int>::max() - 3;
  table.state.total.fill(std::numeric_limits<std::int16_t>::max() - 2);
  table.roll({1, 5, 9, 1, 5, 9});
  EXPECT_EQ(table.state.total[0], std::numeric_limits<std::int16_t>::max());
  EXPECT_NE(table.game.picture(table.state, Viewer::all(), {}), "");
  table.waste();
  EXPECT_EQ(table.game.turn(table.state).phase, Phase::over);
  EXPECT_EQ(table.game.result(table.state).winners, 0);
}

TEST(Cybo, PerftOfTheFirstRolls) {
  const Cybo advanced(options(2, Level::advanced));
  EXPECT_EQ(perft(advanced, advanced.start(), 1, 0), 12U);
  EXPECT_EQ(perft(advanced, advanced.start(), 3, 0), 1728U);
  // Four deep: of 12³ beginnings the 36 column Trinities have two branches, all others twelve.
  EXPECT_EQ(perft(advanced, advanced.start(), 4, 0), (1728U - 36U) * 12U + 36U * 2U);
}

// ── Notation ──

TEST(Cybo, RefusesWrongMovesWithASentence) {
  Table table(Level::advanced);
  EXPECT_FALSE(table.game.parse_move(table.state, "quad"));
  EXPECT_NE(table.game.parse_move(table.state, "quad").error().sentence, "");
  table.roll({1, 2, 3});
  const std::string long_text(100000, 'q');
  const std::array<std::string_view, 9> wrong{"",         "Quad",     "quad ",       " stop",  "roll 4",
                                              "\xff\xfe", "quadstop", {"stop\0", 5}, long_text};
  for (const std::string_view text : wrong) {
    const auto move = table.game.parse_move(table.state, text);
    ASSERT_FALSE(move);
    EXPECT_NE(move.error().sentence.find("quad, stop"), std::string::npos);
    EXPECT_LT(move.error().sentence.size(), 300U);
  }
}

TEST(Cybo, RollsAreWrittenOneToTwelve) {
  Table table(Level::advanced);
  EXPECT_EQ(table.game.outcome_text(table.state, {12}, Viewer::all()), (OutcomeText{"roll 12", ""}));
  EXPECT_TRUE(table.game.parse_outcome(table.state, {"roll 12", ""}));
  for (const char* text : {"roll 0", "roll 13", "roll 01", "roll", "12"}) {
    EXPECT_FALSE(table.game.parse_outcome(table.state, {text, ""}));
  }
}

TEST(Cybo, OptionsAreRead) {
  const std::vector<Setting> settings{{"level", "grandmaster"}, {"tie", "extra"}, {"first", "3"}};
  const auto read = read_options<Cybo>(4, settings);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->level, Level::grandmaster);
  EXPECT_EQ(read->tie, Cybo::Tie::extra);
  EXPECT_EQ(Cybo::Options(2).level, Level::advanced);
  EXPECT_EQ(Cybo::Options(2).tie, Cybo::Tie::share);
  EXPECT_FALSE(read_options<Cybo>(3, settings)) << "there is no seat 3";
  EXPECT_FALSE(read_options<Cybo>(7, {}));
  EXPECT_FALSE(read_options<Cybo>(1, {}));
  EXPECT_FALSE(read_options<Cybo>(2, std::vector<Setting>{{"level", "expert"}}));
}

// ── For people and boards ──

TEST(Cybo, TellsATurnWithAQuad) {
  using Kind = Effect::Kind;
  Table table(Level::advanced);
  EXPECT_EQ(table.game.effects(table.state, Roll{5}, Viewer::all()),
            (std::vector<Effect>{{.kind = Kind::move, .seat = 0, .piece = "1st", .path = {"die", "5"}}}));
  table.roll({5, 6, 7});
  EXPECT_EQ(table.game.pieces(table.state, Viewer::all()),
            (std::vector<Piece>{{-1, "1st", "5"}, {-1, "2nd", "6"}, {-1, "3rd", "7"}, {-1, "4th", "die"}}));
  EXPECT_EQ(table.game.effects(table.state, Cybo::quad, Viewer::all()),
            (std::vector<Effect>{{.kind = Kind::again, .seat = 0}}));
  EXPECT_EQ(table.game.effects(table.state, Cybo::stop, Viewer::all()),
            (std::vector<Effect>{{.kind = Kind::score, .seat = 0, .points = 9},
                                 {.kind = Kind::put_back, .seat = 0, .piece = "1st", .path = {"5", "die"}},
                                 {.kind = Kind::put_back, .seat = 0, .piece = "2nd", .path = {"6", "die"}},
                                 {.kind = Kind::put_back, .seat = 0, .piece = "3rd", .path = {"7", "die"}}}));
  table.decide("quad");
  EXPECT_EQ(table.game.effects(table.state, Roll{8}, Viewer::all()),
            (std::vector<Effect>{{.kind = Kind::move, .seat = 0, .piece = "4th", .path = {"die", "8"}},
                                 {.kind = Kind::score, .seat = 0, .points = 16},
                                 {.kind = Kind::put_back, .seat = 0, .piece = "1st", .path = {"5", "die"}},
                                 {.kind = Kind::put_back, .seat = 0, .piece = "2nd", .path = {"6", "die"}},
                                 {.kind = Kind::put_back, .seat = 0, .piece = "3rd", .path = {"7", "die"}},
                                 {.kind = Kind::put_back, .seat = 0, .piece = "4th", .path = {"8", "die"}}}));
}

TEST(Cybo, PictureShowsTheTurnAndTheCard) {
  Table table(options(6, Level::advanced));
  const auto shows = [&](std::string_view part) {
    return table.game.picture(table.state, Viewer::all(), {}).find(part) != std::string::npos;
  };
  EXPECT_TRUE(shows("Round 1 of 13: seat 0 begins to roll."));
  EXPECT_TRUE(shows("10-11-12"));
  EXPECT_FALSE(shows("["));
  table.roll({5, 6});
  EXPECT_TRUE(shows("seat 0 has rolled 5, 6 and has one roll left."));
  EXPECT_TRUE(shows("[5]"));
  EXPECT_TRUE(shows("(7)"));
  EXPECT_TRUE(shows("5-6-7"));
  EXPECT_FALSE(shows("6-7-8")) << "the 5 has closed it";
  table.roll({7});
  EXPECT_TRUE(shows("'stop' keeps 9 points. 'quad' rolls for the 8"));
  table.decide("quad");
  table.roll({8, 4, 8, 11, 9, 5, 1});
  EXPECT_TRUE(shows("Round 1 of 13: seat 3"));
  EXPECT_TRUE(shows("\n    1  5 6 7+8  16  4 8 11    0  9 5 1     9\n"));
  EXPECT_TRUE(shows("> seat 3"));
}

TEST(Cybo, PictureOfTheWidestCardFitsATerminal) {
  Table table(options(6, Level::grandmaster));
  while (table.game.turn(table.state).phase != Phase::over) {
    table.roll({10, 11, 12});
    if (table.game.turn(table.state).phase == Phase::decision) table.decide("quad");
    table.roll({9});
  }
  const std::string picture = table.game.picture(table.state, Viewer::all(), {});
  std::size_t start = 0;
  for (std::size_t end = picture.find('\n'); end != std::string::npos; end = picture.find('\n', start)) {
    EXPECT_LE(end - start, 100U);
    EXPECT_TRUE(end == start || picture[end - 1] != ' ');
    start = end + 1;
  }
  EXPECT_NE(picture.find("10-11-12-9"), std::string::npos) << "the signature";
  EXPECT_NE(picture.find("seat 0, seat 1, seat 2, seat 3, seat 4, seat 5 share the win"), std::string::npos)
      << "who shares the win";
  EXPECT_NE(picture.find("208"), std::string::npos) << "13 × 16";
}

}  // namespace
}  // namespace tessera
