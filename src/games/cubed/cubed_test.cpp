#include "games/cubed/cubed.hpp"

#include <gtest/gtest.h>

#include <set>

#include "games/cubed/testing.hpp"
#include "games/cubed/words.hpp"
#include "rules/notation.hpp"

namespace tessera {
namespace {

using cubed::PieceSet;
using Step = Cubed::Step;

Cubed::Options options_for(int seats, int rounds = 1) {
  Cubed::Options options(seats);
  options.rounds = rounds;
  return options;
}

bool is_legal(const Cubed& game, const Cubed::State& state, const std::string& text) {
  const auto all = legal_texts(game, state);
  const bool listed = std::find(all.begin(), all.end(), text) != all.end();
  EXPECT_EQ(static_cast<bool>(game.parse_move(state, text)), listed) << text;
  return listed;
}

void play(const Cubed& game, Cubed::State& state, const std::string& text) {
  const auto move = game.parse_move(state, text);
  ASSERT_TRUE(move) << text << ": " << move.error().sentence;
  game.play(state, *move);
}

void draw(const Cubed& game, Cubed::State& state, const std::string& text) {
  const auto outcome = game.parse_outcome(state, {text, ""});
  ASSERT_TRUE(outcome) << text << ": " << outcome.error().sentence;
  game.apply(state, *outcome);
}

std::string why_not(const Cubed& game, const Cubed::State& state, const std::string& text) {
  const auto move = game.parse_move(state, text);
  return move ? "legal" : move.error().sentence;
}

std::set<std::string> open_places(const Cubed::State& state) {
  std::set<std::string> places;
  for (const auto& place : state.table.open()) places.insert(cubed::cell_word(place.cell));
  return places;
}

// Three pieces that match. Their open places: 0,1 faces C twice with its top, 2,-1 P twice with its left and 0,-1 B
// twice with its right, so that only pieces without B, C, P and white fit nowhere.
const std::vector<std::string> three{"BCG@0,0/0", "CPR@1,0/2", "BGP@1,-1/2"};

// ── Pieces ──

TEST(CubedPieces, AreSixtyFive) {
  EXPECT_EQ(PieceSet::full().size(), 65);
  EXPECT_EQ(PieceSet::full().points(), 20 * 1 + 20 * 2 + 5 * 3 + 10 * 5 + 10 * 10);
  const std::vector<std::pair<cubed::Kinds, int>> sorts{{cubed::single_kinds, 20},
                                                        {cubed::double_kinds, 20},
                                                        {cubed::triple_kinds, 5},
                                                        {cubed::blocking_kinds, 10},
                                                        {cubed::wild_kinds, 10}};
  for (const auto& [these, number] : sorts) EXPECT_EQ(PieceSet::full().count_of(these), number);
  for (const char* name : {"BCG", "BGC", "BBC", "BCC", "BBB", "RXX", "BCW", "PRW"}) EXPECT_TRUE(cubed::find_kind(name));
  for (const char* name : {"BWC", "CBG", "CCB", "XXB", "BBW", "BXW", "WWW", "XXX", "bcg", "", "BCGG", "?"}) {
    EXPECT_FALSE(cubed::find_kind(name)) << name;
  }
  EXPECT_EQ(set_of("BCG").points(), 1);
  EXPECT_EQ(set_of("BBC").points(), 2);
  EXPECT_EQ(set_of("BBB").points(), 3);
  EXPECT_EQ(set_of("BXX BXX").points(), 10);
  EXPECT_EQ(set_of("BCW").points(), 10);
  for (int kind = 0; kind < cubed::kinds; ++kind) {
    PieceSet one;
    one.add(kind);
    EXPECT_EQ(one.points(), cubed::points_of(kind));
    const std::string name = cubed::word(kind);
    EXPECT_LE(name, name.substr(1) + name[0]);
    EXPECT_LE(name, name.substr(2) + name.substr(0, 2));
  }
}

TEST(CubedPieces, SetsCountCopies) {
  Random random(1, "sets");
  for (int round = 0; round < 200; ++round) {
    std::vector<int> counts(cubed::kinds);
    std::vector<int> sorted;
    PieceSet set;
    for (int kind = 0; kind < cubed::kinds; ++kind) {
      counts[static_cast<std::size_t>(kind)] = static_cast<int>(random(PieceSet::full().count(kind) + 1U));
      for (int i = 0; i < counts[static_cast<std::size_t>(kind)]; ++i) {
        EXPECT_EQ(set.size(), static_cast<int>(sorted.size()));
        set.add(kind);
        sorted.push_back(kind);
      }
    }
    for (std::uint32_t i = 0; i < sorted.size(); ++i) {
      EXPECT_EQ(set.nth(i), sorted[i]);
      EXPECT_LE(set.rank(sorted[i]), static_cast<int>(i));
    }
    const PieceSet rest = PieceSet::full() - set;
    for (int kind = 0; kind < cubed::kinds; ++kind) {
      EXPECT_EQ(rest.count(kind) + set.count(kind), PieceSet::full().count(kind));
    }
    EXPECT_EQ(rest + set, PieceSet::full());
    EXPECT_TRUE(PieceSet::full().includes(rest));
    while (!set.empty()) set.remove(set.least());
    EXPECT_EQ(set.size(), 0);
  }
}

// ── Laying ──

TEST(CubedTable, TheFirstPieceLiesAtTheOriginAndDoesNotBlock) {
  const Cubed game(options_for(2));
  const auto state = position(game, {}, {"BBB BCG BXX", "RRR"}, "CCC");
  const auto texts = legal_texts(game, state);
  EXPECT_EQ((std::set<std::string>(texts.begin(), texts.end())),
            (std::set<std::string>{"BBB@0,0/0", "BCG@0,0/0", "draw"}));
  EXPECT_NE(why_not(game, state, "BXX@0,0/0").find("blocking"), std::string::npos);
  EXPECT_NE(why_not(game, state, "BCG@0,0/1").find("BCG@0,0/0"), std::string::npos);
}

TEST(CubedTable, TheSecondPieceTouchesOne) {
  const Cubed game(options_for(2));
  const auto state = position(game, {"BCG@0,0/0"}, {"CPR CCC BXX CXX", "RRR"}, "PPP");
  EXPECT_EQ(open_places(state), (std::set<std::string>{"1,0", "0,1", "-1,1", "-1,0", "0,-1", "1,-1"}));
  // The right diamond, C, touches the left one of 1,0 and the top one of 0,1.
  EXPECT_TRUE(is_legal(game, state, "CPR@1,0/2"));
  EXPECT_FALSE(is_legal(game, state, "CPR@1,0/0"));
  EXPECT_FALSE(is_legal(game, state, "CPR@1,0/1"));
  EXPECT_TRUE(is_legal(game, state, "CPR@0,1/0"));
  EXPECT_FALSE(is_legal(game, state, "CPR@-1,1/0"));
  EXPECT_FALSE(is_legal(game, state, "CXX@0,1/0")) << "blocking pieces are not among the first three";
  // A triple looks the same in all turns: only the smallest counts.
  EXPECT_TRUE(is_legal(game, state, "CCC@1,0/0"));
  EXPECT_FALSE(is_legal(game, state, "CCC@1,0/1"));
  EXPECT_FALSE(is_legal(game, state, "CPR@2,0/2")) << "touches nothing";
}

TEST(CubedTable, LaterPiecesTouchTwoAndEverySideMatches) {
  const Cubed game(options_for(2));
  const auto state = position(game, {"BCG@0,0/0", "CPR@1,0/2"}, {"CGP BGP BBP BPW CXX RRR", "BBB"}, "PPP");
  EXPECT_EQ(open_places(state), (std::set<std::string>{"0,1", "1,-1"}));
  // 0,1 faces C twice with its top.
  EXPECT_TRUE(is_legal(game, state, "CGP@0,1/0"));
  EXPECT_FALSE(is_legal(game, state, "CGP@0,1/1"));
  EXPECT_FALSE(is_legal(game, state, "CXX@0,1/0")) << "the third piece may not block";
  // 1,-1 faces B with its left and P with its right.
  EXPECT_TRUE(is_legal(game, state, "BGP@1,-1/2"));
  EXPECT_TRUE(is_legal(game, state, "BBP@1,-1/2"));
  EXPECT_FALSE(is_legal(game, state, "BGP@1,-1/0"));
  EXPECT_TRUE(is_legal(game, state, "BPW@1,-1/0")) << "white matches B";
  EXPECT_TRUE(is_legal(game, state, "BPW@1,-1/2")) << "white matches P";
  EXPECT_FALSE(is_legal(game, state, "BPW@1,-1/1"));
  EXPECT_FALSE(is_legal(game, state, "CGP@1,0/0")) << "there is a piece";
}

TEST(CubedTable, BlockingPiecesTouchWithBothSidesOfTheirColourOnly) {
  const Cubed game(options_for(2));
  auto state = position(game, three, {"BXX CXX GXX PXX RRR", "BBB"}, "PPP");
  EXPECT_EQ(open_places(state), (std::set<std::string>{"0,1", "2,-1", "0,-1"}));
  EXPECT_TRUE(is_legal(game, state, "CXX@0,1/0"));
  EXPECT_FALSE(is_legal(game, state, "CXX@0,1/1")) << "black touches";
  EXPECT_FALSE(is_legal(game, state, "CXX@0,1/2"));
  EXPECT_FALSE(is_legal(game, state, "BXX@0,1/0")) << "another colour";
  EXPECT_TRUE(is_legal(game, state, "PXX@2,-1/2"));
  EXPECT_TRUE(is_legal(game, state, "BXX@0,-1/1"));
  // The cells that black faces stay empty.
  play(game, state, "CXX@0,1/0");
  EXPECT_EQ(open_places(state), (std::set<std::string>{"2,-1", "0,-1"}));
  std::set<std::string> blocked;
  state.table.each_blocked([&](Cubed::Cell cell) { blocked.insert(cubed::cell_word(cell)); });
  EXPECT_EQ(blocked, (std::set<std::string>{"1,1", "0,2", "-1,2", "-1,1"}));

  // Only one side of the colour touches: -1,1 faces G with one side of its top, and with its right.
  const auto half = position(game, {three[0], three[1], three[2], "CGP@0,1/0"}, {"GXX PXX", "BBB"}, "PPP");
  ASSERT_TRUE(open_places(half).contains("-1,1"));
  EXPECT_FALSE(is_legal(game, half, "GXX@-1,1/0"));
  EXPECT_FALSE(is_legal(game, half, "PXX@-1,1/1"));

  // Both coloured sides match, but a black one touches 1,1.
  const auto crowded =
      position(game, {three[0], three[1], three[2], "PPR@2,-1/2", "GGR@2,0/0", "GRR@1,1/0"}, {"CXX BCC", "BBB"}, "PPP");
  ASSERT_TRUE(open_places(crowded).contains("0,1"));
  EXPECT_FALSE(is_legal(game, crowded, "CXX@0,1/0"));
}

TEST(CubedTable, WhiteMatchesAllButBlockingPieces) {
  const Cubed game(options_for(2));
  // 0,1 faces white and C with its top.
  const auto state = position(game, {"PRW@0,0/2", "CPR@1,0/2", "BGP@1,-1/2"}, {"CXX CGP BCW BRW GGG", "BBB"}, "PPP");
  EXPECT_FALSE(is_legal(game, state, "CXX@0,1/0")) << "white does not match a blocking piece";
  EXPECT_TRUE(is_legal(game, state, "CGP@0,1/0")) << "white matches a colour";
  EXPECT_TRUE(is_legal(game, state, "BCW@0,1/1")) << "white matches white and a colour";
  EXPECT_TRUE(is_legal(game, state, "BRW@0,1/1"));
  EXPECT_FALSE(is_legal(game, state, "BRW@0,1/0"));
  EXPECT_FALSE(is_legal(game, state, "GGG@0,1/0")) << "white matches, C does not";
}

TEST(CubedTable, WithMatchingTwoAtLeastTwoPiecesMatch) {
  Cubed::Options options = options_for(2);
  const Cubed strict(options);
  options.matching = Cubed::Matching::two;
  const Cubed game(options);
  // 0,1 faces C twice with its top and, to the east, the left of 1,1: R.
  const std::vector<std::string> table{three[0], three[1], three[2], "PPR@2,-1/2", "GGR@2,0/0", "GRR@1,1/0"};
  const auto state = position(game, table, {"CPP CRR BGR GGG CXX BXX BCR", "BBB"}, "PPP");
  EXPECT_TRUE(is_legal(game, state, "CPP@0,1/0")) << "two of three match";
  EXPECT_FALSE(is_legal(strict, state, "CPP@0,1/0"));
  EXPECT_TRUE(is_legal(game, state, "CRR@0,1/0")) << "all match";
  EXPECT_TRUE(is_legal(strict, state, "CRR@0,1/0"));
  EXPECT_FALSE(is_legal(game, state, "BGR@0,1/1")) << "one of three: the right is B, the top R";
  EXPECT_FALSE(is_legal(game, state, "GGG@0,1/0"));
  EXPECT_FALSE(is_legal(game, state, "CXX@0,1/0")) << "black never touches";
  // Blocking pieces as always, also where two others would match.
  EXPECT_TRUE(is_legal(game, state, "BXX@0,-1/1"));
  EXPECT_FALSE(is_legal(game, state, "BXX@0,-1/0"));
  // The second piece: one.
  const auto second = position(game, {"BCG@0,0/0"}, {"CPR", "BBB"}, "PPP");
  EXPECT_TRUE(is_legal(game, second, "CPR@1,0/2"));
  EXPECT_FALSE(is_legal(game, second, "CPR@1,0/1"));
}

TEST(CubedTable, ReachesAsFarAsItCan) {
  // A strip two pieces wide, in each direction, as long as 64 pieces make it.
  for (int direction = 0; direction < 6; ++direction) {
    cubed::Table table;
    Cubed::Cell near{};
    table.lay(0, 0, near);
    int furthest = 0;
    for (int i = 1; i < 64; ++i) {
      const int to = i % 2 == 1 ? (direction + 1) % 6 : (direction + 5) % 6;
      near = cubed::neighbour(near, to);
      ASSERT_NE(table.find_open(near.q, near.r), nullptr) << i;
      table.lay(0, 0, near);
      furthest = std::max({furthest, std::abs(near.q), std::abs(near.r)});
      ASSERT_LE(static_cast<int>(table.open().size()), table.laid() + 3 + (table.laid() == 1 ? 2 : 0));
    }
    EXPECT_LE(furthest, 32);
    int laid = 0;
    table.each_laid([&](Cubed::Cell cell, int, int) {
      ++laid;
      EXPECT_LE(std::abs(cell.q), 32);
    });
    EXPECT_EQ(laid, 64);
  }
}

// ── A turn ──

TEST(CubedTurn, DealsHands) {
  const std::vector<int> sizes{25, 25, 18, 13, 11, 9};
  for (int seats = 1; seats <= 6; ++seats) {
    const Cubed game{Cubed::Options(seats)};
    auto state = game.start();
    EXPECT_EQ(game.turn(state), (Turn{Phase::chance, -1}));
    EXPECT_EQ(game.stream(state), (Stream{Stream::Kind::bag, 0}));
    Random random(7, "deal");
    game.apply(state, game.draw(state, random));
    for (int seat = 0; seat < seats; ++seat)
      EXPECT_EQ(state.hands[seat].size(), sizes[static_cast<std::size_t>(seats - 1)]);
    EXPECT_EQ(game.turn(state).seat, 0);
  }
}

TEST(CubedTurn, LayOrDrawThenLayOrPass) {
  const Cubed game(options_for(2));
  auto state = position(game, three, {"GGR BBB", "GGG RRR"}, "GXX BBC BCC");
  EXPECT_FALSE(is_legal(game, state, "pass")) << "not while the bag has pieces";
  EXPECT_FALSE(is_legal(game, state, "take1")) << "a variant";
  play(game, state, "draw");
  EXPECT_EQ(game.turn(state), (Turn{Phase::chance, 0}));
  draw(game, state, "draw BBC");
  EXPECT_EQ(game.turn(state), (Turn{Phase::decision, 0}));
  EXPECT_FALSE(is_legal(game, state, "draw")) << "once a turn";
  EXPECT_TRUE(is_legal(game, state, "BBB@0,-1/0"));
  EXPECT_TRUE(is_legal(game, state, "pass"));
  play(game, state, "pass");
  EXPECT_EQ(game.turn(state), (Turn{Phase::decision, 1}));
  // Nothing to lay: the draw is still asked, the pass after it is not.
  EXPECT_EQ(legal_texts(game, state), std::vector<std::string>{"draw"});
  play(game, state, "draw");
  draw(game, state, "draw GXX");
  EXPECT_EQ(game.turn(state), (Turn{Phase::decision, 0}));
  EXPECT_EQ(state.turns, 2);
}

TEST(CubedTurn, IdleTurnsInARowEndTheRound) {
  const Cubed game(options_for(2, 2));
  // Both draw and cannot lay.
  auto state = position(game, three, {"GGR GRR", "GGG RRR"}, "GXX RXX BBC");
  play(game, state, "draw");
  draw(game, state, "draw GXX");
  EXPECT_EQ(state.idle, 1);
  play(game, state, "draw");
  draw(game, state, "draw RXX");
  EXPECT_EQ(game.turn(state), (Turn{Phase::chance, -1}));
  EXPECT_TRUE(state.round_over);
  EXPECT_EQ(state.scores[0], 2 + 2 + 5);
  EXPECT_EQ(state.scores[1], 3 + 3 + 5);
  EXPECT_EQ(state.began, 0);

  // A seat that could have laid is not idle while the bag has pieces, and breaks the row.
  state = position(game, three, {"GGR GRR", "GGG BBB"}, "GXX RXX BBC");
  play(game, state, "draw");
  draw(game, state, "draw GXX");
  play(game, state, "draw");
  draw(game, state, "draw RXX");
  ASSERT_EQ(game.turn(state), (Turn{Phase::decision, 1}));
  play(game, state, "pass");
  EXPECT_EQ(state.idle, 0);
  // Drawing the last piece and passing is idle; the other then passes by itself.
  play(game, state, "draw");
  draw(game, state, "draw BBC");
  ASSERT_EQ(game.turn(state), (Turn{Phase::decision, 0}));
  play(game, state, "pass");
  EXPECT_EQ(state.idle, 1);
  ASSERT_EQ(game.turn(state), (Turn{Phase::decision, 1})) << "BBB fits";
  const auto with_empty_bag = legal_texts(game, state);
  EXPECT_NE(std::find(with_empty_bag.begin(), with_empty_bag.end(), "pass"), with_empty_bag.end());
  EXPECT_FALSE(is_legal(game, state, "draw"));
  auto laid = state;
  play(game, laid, "BBB@0,-1/0");
  EXPECT_EQ(laid.idle, 0);
  play(game, state, "pass");
  EXPECT_TRUE(state.round_over);

  // With an empty bag, passes by themselves go round.
  state = position(game, three, {"GGR BBB", "GGG RRR"}, "");
  play(game, state, "BBB@0,-1/0");
  // Seat 1 is stuck, seat 0 too.
  EXPECT_TRUE(state.round_over);
  EXPECT_EQ(state.turns, 3);
}

// ── The end of a round ──

TEST(CubedRound, AnEmptyHandWins) {
  const Cubed game(options_for(3, 2));
  auto state = position(game, three, {"BBB", "CCC", "GXX GGG"}, "PPP");
  state.seat = state.began = 0;
  play(game, state, "BBB@0,-1/0");
  EXPECT_EQ(game.turn(state), (Turn{Phase::chance, -1}));
  EXPECT_EQ(state.round, 1);
  EXPECT_EQ(state.scores[0], 0);
  EXPECT_EQ(state.scores[1], 3);
  EXPECT_EQ(state.scores[2], 8);
  EXPECT_EQ(state.began, 0);
  EXPECT_EQ(game.stream(state), (Stream{Stream::Kind::bag, 1}));
  Random random(1, "deal");
  game.apply(state, game.draw(state, random));
  EXPECT_EQ(game.turn(state), (Turn{Phase::decision, 0}));
  EXPECT_EQ(state.table.laid(), 0);
}

TEST(CubedRound, EndsAtOnceWithoutAnOpenPlace) {
  Cubed::Options options = options_for(3, 2);
  options.bridge = options.fill = options.take = true;
  const Cubed game(options);
  const std::vector<std::string> table{three[0], three[1], three[2], "CXX@0,1/0", "PXX@2,-1/2"};
  const auto closed = [&](const std::vector<std::string>& hands, int began) {
    auto state = position(game, table, hands, "PPP");
    state.began = static_cast<std::uint8_t>(began);
    EXPECT_EQ(open_places(state), std::set<std::string>{"0,-1"});
    play(game, state, "BXX@0,-1/1");
    EXPECT_TRUE(state.round_over);
    return state;
  };
  auto state = closed({"BXX GXX", "GGR", "BBC"}, 0);
  EXPECT_EQ(state.began, 1) << "fewest points, and of two the first from the seat that began";
  EXPECT_EQ(state.scores[0], 5);
  EXPECT_EQ(closed({"BXX GXX", "GGR", "BBC"}, 2).began, 2);
  EXPECT_EQ(closed({"BXX GGG", "BXX", "BBB"}, 2).began, 2);
  EXPECT_EQ(closed({"BXX", "BCG", "BBB"}, 1).began, 0) << "an empty hand has none";
}

TEST(CubedRound, TheLowestScoreWinsAndEqualScoresShare) {
  const Cubed game(options_for(3, 1));
  auto state = position(game, three, {"BBB", "CCC", "GGG"}, "PPP");
  state.scores = {3, 0, 5};
  play(game, state, "BBB@0,-1/0");
  EXPECT_EQ(game.turn(state), (Turn{Phase::over, -1}));
  EXPECT_EQ(game.result(state).winners, 0b011);
  EXPECT_EQ(game.result(state).scores[2], 8);
}

TEST(CubedRound, TheLimitOfTurnsCutsOff) {
  Cubed::Options options = options_for(2, 2);
  options.turn_limit = 1;
  const Cubed game(options);
  auto state = position(game, three, {"BBB CCC", "GGG"}, "PPP");
  play(game, state, "BBB@0,-1/0");
  EXPECT_EQ(game.turn(state), (Turn{Phase::over, -1}));
  EXPECT_EQ(game.result(state), Result{}) << "hands of a round cut off do not count";
  EXPECT_FALSE(state.round_over);
  state = position(game, three, {"BBB", "GGG"}, "PPP");
  play(game, state, "BBB@0,-1/0");
  EXPECT_EQ(game.turn(state), (Turn{Phase::over, -1}));
  EXPECT_EQ(game.result(state).winners, 0) << "a finished round counts, but the game is not over by itself";
  EXPECT_EQ(game.result(state).scores[1], 3);
  options.rounds = 1;
  const Cubed last(options);
  state = position(last, three, {"BBB", "GGG"}, "PPP");
  play(last, state, "BBB@0,-1/0");
  EXPECT_EQ(last.result(state).winners, 0b01);
}

// ── Variants ──

/// A path of pieces from 0,0 round 1,1 to 2,0: 1,0 touches two separate groups and then 1,1 has six neighbours.
std::vector<std::string> hook() {
  return {"BCG@0,0/0", "BCP@0,1/0", "BCR@-1,1/0", "BGP@-1,2/0", "BGR@0,2/0", "BPR@-1,3/0", "CGP@0,3/0",
          "CGR@1,2/0", "CPR@1,3/0", "GPR@2,2/0",  "BBC@2,1/0",  "BBG@3,1/0", "BBP@3,0/0",  "BBR@2,0/0"};
}

std::string lay_at(const Cubed& game, const Cubed::State& state, const std::string& cell) {
  for (const std::string& text : legal_texts(game, state)) {
    if (text.find("@" + cell + "/") != std::string::npos) return text;
  }
  return "nothing fits at " + cell;
}

TEST(CubedVariants, ABridgeEarnsASecondLayAndThatMayFill) {
  Cubed::Options options = options_for(2);
  options.bridge = options.fill = true;
  options.matching = Cubed::Matching::two;
  const Cubed game(options);
  const std::string many = "BCC BPP BRR CCG CCP CCR CGG BCW BPW CGW CPW GPW";
  auto state = position(game, hook(), {many, "RRR"}, "PPP");
  play(game, state, lay_at(game, state, "1,0"));
  ASSERT_EQ(state.step, Step::bridge);
  EXPECT_EQ(game.turn(state), (Turn{Phase::decision, 0}));
  EXPECT_FALSE(is_legal(game, state, "draw"));
  auto passed = state;
  play(game, passed, "pass");
  EXPECT_EQ(game.turn(passed), (Turn{Phase::decision, 1}));
  EXPECT_EQ(passed.idle, 0);
  EXPECT_EQ(passed.turns, 1);
  play(game, state, lay_at(game, state, "1,1"));
  ASSERT_EQ(state.step, Step::fill);
  const PieceSet before = state.hands[0];
  const std::string gift = cubed::word(before.least());
  EXPECT_FALSE(is_legal(game, state, "give " + gift + " s0"));
  play(game, state, "give " + gift + " s1");
  EXPECT_EQ(state.hands[1], set_of("RRR " + gift));
  EXPECT_EQ(state.hands[0], before - set_of(gift));
  EXPECT_EQ(game.turn(state), (Turn{Phase::decision, 1}));

  // Without the options nothing is earned.
  options.bridge = options.fill = false;
  const Cubed plain(options);
  state = position(plain, hook(), {many, "RRR"}, "PPP");
  play(plain, state, lay_at(plain, state, "1,0"));
  EXPECT_EQ(plain.turn(state), (Turn{Phase::decision, 1}));
}

TEST(CubedVariants, ABridgeIsEarnedOnceATurnAndPassesByItself) {
  Cubed::Options options = options_for(2);
  options.bridge = true;
  options.matching = Cubed::Matching::two;
  const Cubed game(options);
  auto state = position(game, hook(), {"BCC BPP BRR CCG CCP CCR CGG BCW BPW", "RRR"}, "PPP");
  state.bridged = true;
  play(game, state, lay_at(game, state, "1,0"));
  EXPECT_EQ(game.turn(state), (Turn{Phase::decision, 1}));
  EXPECT_FALSE(state.bridged);
  // All that is left is a blocking piece that fits nowhere here.
  for (const char* filler : {"BCC", "BPP", "BRR", "CCG", "BCW", "CGW"}) {
    state = position(game, hook(), {filler + std::string(" RXX"), "RRR"}, "PPP");
    const std::string lay = lay_at(game, state, "1,0");
    if (!game.parse_move(state, lay)) continue;
    auto next = state;
    play(game, next, lay);
    const bool fits = next.step == Step::bridge;
    if (!fits) EXPECT_EQ(game.turn(next), (Turn{Phase::decision, 1}));
    if (fits) EXPECT_GT(legal_texts(game, next).size(), 1U) << "only a pass is never asked";
  }
}

TEST(CubedVariants, GivingAwayTheLastPieceEndsTheRound) {
  Cubed::Options options = options_for(2, 2);
  options.fill = true;
  options.matching = Cubed::Matching::two;
  const Cubed game(options);
  auto table = hook();
  table.emplace_back("BCC@1,0/0");
  int tried = 0;
  for (const char* filler : {"BPP", "BRR", "CCG", "CCP", "BCW", "CGW", "CPW"}) {
    auto state = position(game, table, {filler + std::string(" GXX"), "RRR"}, "PPP");
    const std::string lay = lay_at(game, state, "1,1");
    if (!game.parse_move(state, lay)) continue;
    ++tried;
    play(game, state, lay);
    ASSERT_EQ(state.step, Step::fill);
    auto kept = state;
    play(game, kept, "pass");
    EXPECT_EQ(game.turn(kept), (Turn{Phase::decision, 1}));
    play(game, state, "give GXX s1");
    EXPECT_TRUE(state.round_over);
    EXPECT_EQ(state.scores[1], 3 + 5);
    EXPECT_EQ(state.began, 0);
    // The last piece laid earns nothing: the round is over.
    auto last = position(game, table, {filler, "RRR"}, "PPP");
    play(game, last, lay);
    EXPECT_TRUE(last.round_over);
  }
  EXPECT_GT(tried, 0);
}

TEST(CubedVariants, TakeDrawsSeveralAndKeepsOne) {
  Cubed::Options options = options_for(2);
  options.take = true;
  const Cubed game(options);
  auto state = position(game, three, {"BBB GGR", "GGG BXX"}, "BXX GXX GXX PPP");
  state.idle = 1;
  for (const char* take : {"take1", "take2", "take3"}) EXPECT_TRUE(is_legal(game, state, take));
  EXPECT_FALSE(is_legal(game, state, "take4"));
  play(game, state, "take3");
  EXPECT_EQ(game.turn(state), (Turn{Phase::chance, 0}));
  EXPECT_FALSE(game.parse_outcome(state, {"draw GXX BXX GXX", ""})) << "not sorted";
  EXPECT_FALSE(game.parse_outcome(state, {"draw BXX BXX GXX", ""})) << "one of them is in a hand";
  EXPECT_FALSE(game.parse_outcome(state, {"draw BXX GXX", ""}));
  draw(game, state, "draw BXX GXX GXX");
  EXPECT_EQ(legal_texts(game, state), (std::vector<std::string>{"keep BXX", "keep GXX"}));
  play(game, state, "keep GXX");
  EXPECT_EQ(state.hands[0], set_of("BBB GGR GXX"));
  EXPECT_EQ(state.bag, set_of("BXX GXX PPP"));
  EXPECT_EQ(state.drawn, PieceSet{});
  EXPECT_EQ(game.turn(state), (Turn{Phase::decision, 1})) << "the turn ends";
  EXPECT_EQ(state.idle, 0) << "never idle";
  // Not more than the bag holds; even one to keep is asked; not after drawing.
  state = position(game, three, {"BBB GGR", "GGG"}, "GXX PPP");
  EXPECT_TRUE(is_legal(game, state, "take2"));
  EXPECT_FALSE(is_legal(game, state, "take3"));
  auto one = state;
  play(game, one, "take1");
  draw(game, one, "draw PPP");
  EXPECT_EQ(legal_texts(game, one), std::vector<std::string>{"keep PPP"});
  play(game, state, "draw");
  draw(game, state, "draw GXX");
  EXPECT_FALSE(is_legal(game, state, "take1"));
}

}  // namespace
}  // namespace tessera
