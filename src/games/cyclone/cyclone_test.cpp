#include "games/cyclone/cyclone.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "rules/notation.hpp"

namespace tessera {
namespace {

using Texts = std::vector<std::string>;
using Kind = Effect::Kind;

/// A position under test. Cubes are set up and read as "a5:01": in a5 a cube of seat 0, and one of seat 1 on top of it.
struct Table {
  Cyclone game;
  Cyclone::State state;

  explicit Table(int seats) : Table(Cyclone::Options(seats)) {}
  explicit Table(const Cyclone::Options& options) : game(options), state(game.start()) {}
  Table(int seats, std::string_view cubes, int seat = 0) : Table(Cyclone::Options(seats), cubes, seat) {}
  Table(const Cyclone::Options& options, std::string_view cubes, int seat = 0) : game(options) {
    state.seat = static_cast<std::uint8_t>(seat);
    for (const std::string_view word : split(cubes, ' ')) {
      const std::size_t colon = word.find(':');
      const int place = Cyclone::place_of(word[0] - 'a', *parse_int(word.substr(1, colon - 1)));
      for (const char cube : word.substr(colon + 1)) game.put(state, place, cube - '0');
    }
  }

  Table& roll(int value) {
    EXPECT_EQ(game.turn(state).phase, Phase::chance);
    game.apply(state, Roll{static_cast<std::uint8_t>(value)});
    return *this;
  }
  Table& play(std::string_view text) {
    const auto move = game.parse_move(state, text);
    EXPECT_TRUE(move) << (move ? "" : move.error().sentence);
    if (move) game.play(state, *move);
    return *this;
  }
  Texts legal() const {
    Texts texts = legal_texts(game, state);
    std::sort(texts.begin(), texts.end());
    return texts;
  }
  std::vector<Effect> effects(std::string_view text) const {
    return game.effects(state, *game.parse_move(state, text), Viewer::all());
  }
  std::string refusal(std::string_view text) const {
    const auto move = game.parse_move(state, text);
    return move ? "" : move.error().sentence;
  }
  /// All cubes, place by place.
  std::string cubes() const {
    std::string text;
    std::string last;
    for (const Piece& piece : game.pieces(state, Viewer::all())) {
      if (piece.place != last) text += (last.empty() ? "" : " ") + piece.place + ":";
      text += static_cast<char>('0' + piece.seat);
      last = piece.place;
    }
    return text;
  }
  Turn turn() const { return game.turn(state); }
  bool over() const { return turn().phase == Phase::over; }
  Result result() const { return game.result(state); }
};

Cyclone::Options with(int seats, void (*change)(Cyclone::Options&)) {
  Cyclone::Options options(seats);
  change(options);
  return options;
}

constexpr auto may_stop = [](Cyclone::Options& options) { options.may_stop = true; };
constexpr auto turning = [](Cyclone::Options& options) { options.turning = true; };

// ── Setup and options ──

TEST(Cyclone, StartsWithFiveCubesNextToEachBase) {
  EXPECT_EQ(Table(2).cubes(), "a1:0 a2:0 a3:0 a4:0 a5:0 b1:1 b2:1 b3:1 b4:1 b5:1");
  EXPECT_EQ(Table(4).game.pieces(Table(4).state, Viewer::all()).size(), 20U);
  EXPECT_EQ(Table(3).turn(), (Turn{Phase::chance, 0}));
}

TEST(Cyclone, FirstSaysWhoBegins) {
  Table table(with(3, [](Cyclone::Options& options) { options.first = 2; }));
  EXPECT_EQ(table.turn(), (Turn{Phase::chance, 2}));
  table.roll(1).play("c5>c6");
  EXPECT_EQ(table.turn(), (Turn{Phase::chance, 0})) << "turns go round";
}

TEST(Cyclone, ReadsItsOptions) {
  const auto read = [](int seats, std::vector<Setting> settings) { return read_options<Cyclone>(seats, settings); };
  ASSERT_TRUE(read(2, {{"arm", "6"}, {"turning", "true"}})) << "an option without effect is no mistake";
  EXPECT_TRUE(read(4, {{"arm", "12"}}));
  EXPECT_EQ(read(2, {{"arm", "5"}}).error().sentence, "option arm takes 6 to 12, not '5'");
  EXPECT_FALSE(read(2, {{"arm", "13"}}));
  EXPECT_FALSE(read(2, {{"first", "2"}}));
  EXPECT_FALSE(read(5, {}));
  EXPECT_FALSE(read(1, {}));
  Texts names;
  for (const auto& field : Cyclone::option_fields()) names.emplace_back(field.name);
  EXPECT_EQ(names, (Texts{"arm", "first", "may_stop", "turn_limit", "turning"}));
}

// ── Steps ──

TEST(Cyclone, ARollGivesSoManyActions) {
  Table table(2);
  table.roll(4);
  EXPECT_EQ(table.legal(), (Texts{"a1>a2", "a2>a3", "a3>a4", "a4>a5", "a5>a6"}));
  table.play("a5>a6").play("a6>a7").play("a4>a5");
  EXPECT_EQ(table.turn(), (Turn{Phase::decision, 0}));
  table.play("a7>a8");
  EXPECT_EQ(table.turn(), (Turn{Phase::chance, 1}));
  EXPECT_EQ(table.cubes(), "a1:0 a2:0 a3:0 a5:0 a8:0 b1:1 b2:1 b3:1 b4:1 b5:1");
}

TEST(Cyclone, TwoActionsMoveOneCubeOrTwo) {
  EXPECT_EQ(Table(2, "a5:0 a3:0 b5:1").roll(2).play("a5>a6").play("a6>a7").cubes(), "a3:0 a7:0 b5:1");
  EXPECT_EQ(Table(2, "a5:0 a3:0 b5:1").roll(2).play("a5>a6").play("a3>a4").cubes(), "a4:0 a6:0 b5:1");
}

TEST(Cyclone, TwoArmsAreAStraightTrack) {
  Table table(2, "a0:0 a8:1");
  const auto walk = [&](const Texts& steps) {
    for (const std::string& step : steps) {
      EXPECT_EQ(table.legal(), Texts{step});
      table.play(step);
    }
  };
  table.roll(6);
  walk({"a0>a1", "a1>a2", "a2>a3", "a3>a4", "a4>a5", "a5>a6"});
  table.roll(2);
  walk({"a8>a7", "a7>a6"});
  EXPECT_EQ(table.cubes(), "a6:01");
  table.roll(3);
  EXPECT_EQ(table.turn(), (Turn{Phase::chance, 1})) << "seat 0 is covered";
  table.roll(1).play("a6>a5").roll(5);
  walk({"a6>a7", "a7>a8", "a8>b8", "b8>b7", "b7>b6"});
}

TEST(Cyclone, WalksAcrossTheMiddleAndIntoTheOtherBase) {
  Table table(2, "a8:0 a1:0 b8:1");
  table.roll(6).play("a8>b8");
  EXPECT_EQ(table.cubes(), "a1:0 b8:10");
  table.play("b8>b7").play("b7>b6").play("b6>b5").play("b5>b4").play("b4>b3").roll(1).play("b8>a8").roll(3);
  table.play("b3>b2").play("b2>b1").play("b1>b0");
  EXPECT_EQ(table.cubes(), "a1:0 a8:1 b0:0");
  EXPECT_EQ(table.result().scores[0], 1);
}

TEST(Cyclone, TheMiddleLeadsToEveryOtherArmInPlay) {
  EXPECT_EQ(Table(2, "a8:0 b1:1").roll(1).legal(), (Texts{"a8>b8"}));
  EXPECT_EQ(Table(3, "b8:1 a1:0", 1).roll(1).legal(), (Texts{"b8>a8", "b8>c8"}));
  EXPECT_EQ(Table(4, "c8:2 a1:0", 2).roll(1).legal(), (Texts{"c8>a8", "c8>b8", "c8>d8"}));
}

TEST(Cyclone, TheArmsLengthIsAnOption) {
  const auto arm = [](int length) {
    Cyclone::Options options(2);
    options.arm = length;
    return options;
  };
  EXPECT_EQ(Table(arm(6), "a6:0 b1:1").roll(1).legal(), (Texts{"a6>b6"}));
  EXPECT_EQ(Table(arm(12), "a8:0 a12:0 b1:1").roll(1).legal(), (Texts{"a12>b12", "a8>a9"}));
}

TEST(Cyclone, DoesNotTurnBackUnlessTheOptionSaysSo) {
  EXPECT_EQ(Table(4, "b8:0 c5:0 d1:0", 0).roll(1).legal(), (Texts{"b8>b7", "c5>c4", "d1>d0"}));
  EXPECT_EQ(Table(with(4, turning), "b8:0 c5:0 d1:0 a8:0 a3:0").roll(1).legal(),
            (Texts{"a3>a4", "a8>b8", "a8>c8", "a8>d8", "b8>b7", "b8>c8", "b8>d8", "c5>c4", "c5>c6", "d1>d0", "d1>d2"}));
  EXPECT_EQ(Table(with(3, turning), "a8:2 b7:2", 2).roll(1).legal(), (Texts{"a8>a7", "a8>b8", "b7>b6", "b7>b8"}));
  EXPECT_EQ(Table(with(2, turning), "b8:0 b5:0").roll(1).legal(), (Texts{"b5>b4", "b8>b7"})) << "no third arm";
}

TEST(Cyclone, AFinishedCubeIsOutOfPlay) {
  EXPECT_EQ(Table(with(3, turning), "b0:00 a1:0").roll(1).legal(), (Texts{"a1>a2"}));
}

TEST(Cyclone, HasRoomForTheMostMoves) {
  Table table(with(4, [](Cyclone::Options& options) { options.turning = options.may_stop = true; }),
              "a8:0 b8:0 c8:0 d7:0 d5:0");
  table.roll(3).play("d7>d8");
  EXPECT_EQ(table.legal().size(), Cyclone::max_moves);
}

// ── Stacks ──

TEST(Cyclone, ACubeGoesOnTopOfOne) {
  Table table(2, "a5:0 a6:1 b1:0");
  table.roll(2).play("a5>a6");
  EXPECT_EQ(table.cubes(), "a6:10 b1:0");
  EXPECT_EQ(table.legal(), (Texts{"a6>a7", "b1>b0"}));
}

TEST(Cyclone, OnlyTheTopOfAStackCanMove) {
  Table table(2, "a5:01 a6:10 b1:0");
  EXPECT_EQ(table.roll(2).legal(), (Texts{"a6>a7", "b1>b0"}));
  table.play("a6>a7");
  EXPECT_EQ(table.cubes(), "a5:01 a6:1 a7:0 b1:0");
  table.play("a7>a8").roll(1);
  EXPECT_EQ(table.legal(), (Texts{"a5>a4", "a6>a5"}));
  EXPECT_EQ(table.play("a5>a4").roll(1).legal(), (Texts{"a5>a6", "a8>b8", "b1>b0"}))
      << "what was covered can move again";
}

TEST(Cyclone, OnATwoHighStackTheWholeIsSwept) {
  EXPECT_EQ(Table(2, "a6:0 a7:11").roll(1).play("a6>a7").cubes(), "a4:110");
  EXPECT_EQ(Table(2, "b6:1 b7:01", 1).roll(1).play("b6>b7").cubes(), "b4:011");
  EXPECT_EQ(Table(2, "a6:0 a7:00").roll(1).play("a6>a7").cubes(), "a4:000") << "one's own too";
  EXPECT_EQ(Table(2, "a6:0 a7:10111").roll(1).play("a6>a7").cubes(), "a4:101110") << "and any higher one";
}

TEST(Cyclone, ASweepGoesTowardsTheBaseOfTheSeatThatMoved) {
  EXPECT_EQ(Table(2, "b5:0 b4:11").roll(1).play("b5>b4").cubes(), "b7:110");
  EXPECT_EQ(Table(2, "b7:0 b6:11").roll(1).play("b7>b6").cubes(), "a8:110") << "b7, b8, a8";
  EXPECT_EQ(Table(2, "a8:0 b8:11").roll(1).play("a8>b8").cubes(), "a6:110");
  EXPECT_EQ(Table(4, "c8:3 c7:11", 3).roll(1).play("c8>c7").cubes(), "d7:113") << "the innermost spaces are neighbours";
  EXPECT_EQ(Table(with(4, turning), "c8:1 d8:23", 1).roll(1).play("c8>d8").cubes(), "b6:231");
}

TEST(Cyclone, OnlyWhereTheThreeSpacesEndMatters) {
  EXPECT_EQ(Table(2, "a6:0 a7:11 a5:1 a3:1").roll(1).play("a6>a7").cubes(), "a3:1 a4:110 a5:1");
}

TEST(Cyclone, ASweptStackTakesAlongWhatItLandsOn) {
  EXPECT_EQ(Table(2, "a8:0 b8:11 a6:1").roll(1).play("a8>b8").cubes(), "a3:1110") << "one cube is enough";
  EXPECT_EQ(Table(2, "b8:0 b7:11 a7:01 a4:0 a2:1").roll(1).play("b8>b7").cubes(), "a1:001110 a2:1");
}

TEST(Cyclone, ASweepStopsInTheBase) {
  for (const auto* cubes : {"a2:0 a3:11", "a1:0 a2:11", "a0:0 a1:11"}) {
    Table table(2, cubes);
    table.roll(2).play(table.legal().front());
    EXPECT_EQ(table.cubes(), "a0:011") << cubes;
    EXPECT_EQ(table.legal(), (Texts{"a0>a1"})) << "its own cube can start again";
    EXPECT_EQ(table.result().scores[1], 2) << "the others have finished";
    EXPECT_EQ(table.result().scores[0], 0);
  }
}

TEST(Cyclone, AChainOfSweepsCanEndInTheBase) {
  Table table(2, "a7:0 a8:10 a5:1 a2:01");
  table.roll(1).play("a7>a8");
  EXPECT_EQ(table.cubes(), "a0:000111");
  EXPECT_EQ(table.result().scores[1], 3);
}

TEST(Cyclone, BasesAreNotStacks) {
  Table table(3, "a0:001122 b1:0 c2:0");
  table.roll(3);
  EXPECT_EQ(table.legal(), (Texts{"a0>a1", "b1>b0", "c2>c1"})) << "nobody stands on anybody in a base";
  table.play("a0>a1").play("a1>a2").play("a0>a1");
  EXPECT_EQ(table.cubes(), "a0:1122 a1:0 a2:0 b1:0 c2:0");
  EXPECT_EQ(Table(3, "b0:0111 b1:0 a1:0").roll(1).play("b1>b0").cubes(), "a1:0 b0:00111")
      << "and nothing is swept there";
}

TEST(Cyclone, HighTowersAreExact) {
  Table table(4, "c3:30123012301230 c2:2 d7:3120 c8:3210", 2);
  EXPECT_EQ(table.cubes(), "c2:2 c3:30123012301230 c8:3210 d7:3120");
  table.roll(1).play("c2>c3");
  EXPECT_EQ(table.cubes(), "c0:000011122223333 c8:3210 d7:3120");
}

TEST(Cyclone, EqualPositionsAreEqualHoweverTheyCameAbout) {
  const std::string_view one = "a3:0101 b3:1010 b7:22201 a0:0";
  const std::string_view other = "b7:22201 a0:0 b3:1010 a3:0101";
  EXPECT_EQ(Table(3, one).state, Table(3, other).state);
  Table gone(2, "a3:0100 b2:1");
  Table never(2, "a3:010 a4:0 b2:1");
  gone.roll(1).play("a3>a4");
  never.state.seat = 1;
  never.state.turns = 1;
  EXPECT_EQ(gone.state, never.state) << "a tower that is no longer high leaves no trace";
}

// ── Turns ──

TEST(Cyclone, WithoutACubeToMoveTheRollIsLost) {
  Table table(2, "a5:01 b4:01 b0:000 b1:1");
  const auto effects = table.game.effects(table.state, Roll{6}, Viewer::all());
  ASSERT_EQ(effects.size(), 1U);
  EXPECT_EQ(effects[0], (Effect{.kind = Kind::pass, .seat = 0}));
  table.roll(6);
  EXPECT_EQ(table.turn(), (Turn{Phase::chance, 1}));
  EXPECT_EQ(table.state.turns, 1) << "it was a turn";
}

TEST(Cyclone, WhatIsLeftOfARollIsLostWhenNothingCanMove) {
  for (const bool may : {false, true}) {
    Cyclone::Options options(2);
    options.may_stop = may;
    Table table(options, "a5:01 b1:0 b0:000 b2:1");
    table.roll(5);
    EXPECT_EQ(table.effects("b1>b0"), (std::vector<Effect>{{.kind = Kind::move, .seat = 0, .path = {"b1", "b0"}},
                                                           {.kind = Kind::finish, .seat = 0, .path = {"b0", "b0"}},
                                                           {.kind = Kind::pass, .seat = 0}}));
    table.play("b1>b0");
    EXPECT_EQ(table.turn(), (Turn{Phase::chance, 1})) << "a pass that is the only move is not asked for";
  }
}

TEST(Cyclone, ActionsMustBeUsed) {
  Table table(2);
  table.roll(2).play("a5>a6");
  EXPECT_EQ(std::ranges::count(table.legal(), "pass"), 0);
  EXPECT_TRUE(table.refusal("pass").starts_with("a seat that can move must")) << table.refusal("pass");
}

TEST(Cyclone, MayStopAfterAnAction) {
  Table table(with(2, may_stop));
  table.roll(3);
  EXPECT_EQ(std::ranges::count(table.legal(), "pass"), 0) << "not before the first";
  EXPECT_TRUE(table.refusal("pass").starts_with("a turn cannot end before its first action"));
  table.play("a5>a6");
  EXPECT_EQ(table.legal(), (Texts{"a1>a2", "a2>a3", "a3>a4", "a4>a5", "a6>a7", "pass"}));
  EXPECT_EQ(table.effects("pass"), (std::vector<Effect>{{.kind = Kind::pass, .seat = 0}}));
  EXPECT_EQ(table.game.choices(table.state, *table.game.parse_move(table.state, "pass")), Choices{"pass"});
  table.play("pass");
  EXPECT_EQ(table.turn(), (Turn{Phase::chance, 1}));
  table.roll(1).play("b5>b6");
  EXPECT_EQ(table.turn(), (Turn{Phase::chance, 0})) << "nothing is left to stop";
}

// ── The end ──

TEST(Cyclone, TwoSeatsNeedAllFive) {
  Table table(2, "b0:000 b1:0 b2:0 a0:1111 a3:1");
  table.roll(6).play("b1>b0");
  EXPECT_FALSE(table.over()) << "four are not enough, not for seat 1 either";
  table.play("b2>b1").play("b1>b0");
  EXPECT_EQ(table.turn(), (Turn{Phase::over, -1})) << "at once, with three actions left";
  EXPECT_EQ(table.result().winners, 0b01);
  EXPECT_EQ(table.result().scores, (std::array<std::int16_t, max_seats>{5, 4}));
}

TEST(Cyclone, ThreeSeatsNeedThreeInOneBaseOrTwoInEach) {
  Table three(3, "b0:00 c0:0 b1:0 c5:0");
  EXPECT_TRUE(three.roll(1).play("b1>b0").over());
  Table two_each(3, "b0:0 c0:00 b1:0 b5:0");
  EXPECT_TRUE(two_each.roll(1).play("b1>b0").over());
  EXPECT_EQ(two_each.result().winners, 0b001);
  EXPECT_EQ(two_each.result().scores[0], 4);
  EXPECT_FALSE(Table(3, "b0:0 c0:0 b1:0 c5:00").roll(1).play("b1>b0").over()) << "two and one";
  EXPECT_FALSE(Table(3, "b0:0 b1:0 c5:000").roll(1).play("b1>b0").over()) << "two and none";
}

TEST(Cyclone, FourSeatsNeedThreeInOneBaseOrOneInEach) {
  Table three(4, "b0:00 b1:0 c5:00");
  EXPECT_TRUE(three.roll(1).play("b1>b0").over());
  Table one_each(4, "b0:0 c0:0 d1:0 b5:00");
  EXPECT_TRUE(one_each.roll(1).play("d1>d0").over());
  EXPECT_EQ(one_each.result().winners, 0b0001);
  EXPECT_FALSE(Table(4, "b0:00 c0:0 c1:0 c5:0").roll(1).play("c1>c0").over()) << "two and two";
}

TEST(Cyclone, CubesInTheOwnBaseHaveNotFinished) {
  Table table(4, "a0:00000 b0:1 a5:1");
  EXPECT_EQ(table.result().winners, 0);
  EXPECT_EQ(table.result().scores[0], 0);
}

TEST(Cyclone, ASweepCanBringAnotherSeatHome) {
  Table table(2, "a0:111 a2:11 a1:0 a6:0");
  table.roll(6).play("a1>a2");
  EXPECT_TRUE(table.over());
  EXPECT_EQ(table.result().winners, 0b10);
  EXPECT_EQ(table.result().scores, (std::array<std::int16_t, max_seats>{0, 5}));
}

TEST(Cyclone, SeatsThatGetHomeByTheSameActionShareTheWin) {
  Table table(3, "a0:1122 a2:12 a1:0 a6:0");
  table.roll(6);
  EXPECT_EQ(table.effects("a1>a2"), (std::vector<Effect>{{.kind = Kind::move, .seat = 0, .path = {"a1", "a2"}},
                                                         {.kind = Kind::sweep, .seat = 0, .path = {"a2", "a1", "a0"}},
                                                         {.kind = Kind::finish, .seat = 1, .path = {"a0", "a0"}},
                                                         {.kind = Kind::finish, .seat = 2, .path = {"a0", "a0"}},
                                                         {.kind = Kind::win, .seat = 1},
                                                         {.kind = Kind::win, .seat = 2}}));
  table.play("a1>a2");
  EXPECT_EQ(table.result().winners, 0b110);
  EXPECT_EQ(table.result().scores, (std::array<std::int16_t, max_seats>{0, 3, 3}));
}

TEST(Cyclone, TheTurnLimitEndsAGameWithoutWinners) {
  Table table(with(2, [](Cyclone::Options& options) { options.turn_limit = 2; }), "b0:00 b1:0 a1:1 b5:0");
  table.roll(1).play("b1>b0").roll(2).play("a1>a0");
  EXPECT_TRUE(table.over()) << "seat 1 has no cube left to move, so its turn ended";
  EXPECT_EQ(table.result().winners, 0);
  EXPECT_EQ(table.result().scores, (std::array<std::int16_t, max_seats>{3, 1}));
}

TEST(Cyclone, AWinInTheLastTurnCounts) {
  Table table(with(2, [](Cyclone::Options& options) { options.turn_limit = 1; }), "b0:0000 b1:0 a1:1");
  EXPECT_EQ(table.roll(1).play("b1>b0").result().winners, 0b01);
}

// ── Notation, and what boards are told ──

TEST(Cyclone, SaysWhyAMoveIsNotLegal) {
  Table table(3, "a5:0 a6:01 b8:0 b3:0");
  EXPECT_EQ(table.refusal("a5>a6"), "no seat is to move now");
  table.roll(2);
  const auto refused = [&](std::string_view text, std::string_view why) {
    const std::string sentence = table.refusal(text);
    EXPECT_TRUE(sentence.starts_with(why)) << text << ": " << sentence;
    EXPECT_NE(sentence.find("legal: a5>a6, b3>b2, b8>b7"), std::string::npos) << sentence;
  };
  refused("hello", "a move is written FROM>TO");
  refused("", "a move is written FROM>TO");
  refused("a5>a9", "the board has the places a0 to c8");
  refused("d1>d2", "the board has the places a0 to c8");
  refused(">", "the board has the places");
  refused("a05>a6", "the board has the places");
  refused("a5>a-1", "the board has the places");
  refused("a6>a7", "seat 0 has no cube in a6 that can move");
  refused("a5>a7", "the cube in a5 cannot go to a7 in one step");
  refused("a5>a4", "a cube does not go back towards its own base");
  refused("b8>a8", "a cube does not go back towards its own base");
  refused("b3>b4", "a cube does not go back towards its own base");
  refused("\xff\x80>\n", "the board has the places");
  refused(std::string_view("a5>a6\0", 6), "the board has the places");
}

TEST(Cyclone, NoTextIsTooOdd) {
  Table table(with(4, turning));
  table.roll(3);
  Random random(1, "odd texts");
  constexpr std::string_view likely = "abcd0123456789>pas \n\xff";
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (std::uint32_t length = random(9); length > 0; --length) text += likely[random(likely.size())];
    const auto move = table.game.parse_move(table.state, text);
    if (move) {
      EXPECT_EQ(table.game.move_text(table.state, *move, Viewer::all()), text);
    } else {
      EXPECT_FALSE(move.error().sentence.empty());
    }
  }
}

TEST(Cyclone, IsChosenPlaceByPlace) {
  Table table(3, "a8:0 b1:1");
  table.roll(1);
  EXPECT_EQ(table.game.choices(table.state, *table.game.parse_move(table.state, "a8>c8")), (Choices{"a8", "c8"}));
}

TEST(Cyclone, TellsEveryThreeSpacesOfASweep) {
  Table table(2, "b8:0 b7:11 a7:01 a2:1");
  table.roll(1);
  EXPECT_EQ(table.effects("b8>b7"),
            (std::vector<Effect>{{.kind = Kind::move, .seat = 0, .path = {"b8", "b7"}},
                                 {.kind = Kind::sweep, .seat = 0, .path = {"b7", "b8", "a8", "a7"}},
                                 {.kind = Kind::sweep, .seat = 0, .path = {"a7", "a6", "a5", "a4"}}}));
}

/// The cubes of each place, from bottom to top, in a base by seat.
std::map<std::string, std::vector<int>> by_place(const std::vector<Piece>& pieces) {
  std::map<std::string, std::vector<int>> all;
  for (const Piece& piece : pieces) all[piece.place].push_back(piece.seat);
  for (auto& [place, seats] : all) {
    if (place.substr(1) == "0") std::ranges::sort(seats);
  }
  return all;
}

TEST(Cyclone, EffectsShowWhatHappens) {
  Random random(1, "effects");
  for (int i = 0; i < 120; ++i) {
    Cyclone::Options options(2 + i % 3);
    options.arm = 6 + i % 7;
    options.may_stop = i % 4 == 0;
    options.turning = i % 5 == 0;
    Table table(options);
    std::size_t wins = 0;
    while (!table.over()) {
      auto shown = table.game.pieces(table.state, Viewer::all());
      const int seat = table.turn().seat;
      std::vector<Effect> effects;
      if (table.turn().phase == Phase::chance) {
        const Roll roll = table.game.draw(table.state, random);
        effects = table.game.effects(table.state, roll, Viewer::all());
        table.game.apply(table.state, roll);
        EXPECT_EQ(effects.empty(), table.turn().phase == Phase::decision);
      } else {
        MoveList<Cyclone> moves;
        table.game.legal(table.state, moves);
        const Move move = moves[random(static_cast<std::uint32_t>(moves.size()))];
        effects = table.game.effects(table.state, move, Viewer::all());
        table.game.play(table.state, move);
        ASSERT_FALSE(effects.empty());
        EXPECT_EQ(effects[0].seat, seat);
      }
      ASSERT_FALSE(follow(shown, effects));
      for (const Effect& effect : effects) wins += effect.kind == Kind::win ? 1 : 0;
      ASSERT_EQ(by_place(shown), by_place(table.game.pieces(table.state, Viewer::all())));
    }
    EXPECT_EQ(wins, static_cast<std::size_t>(std::popcount(table.result().winners)));
  }
}

TEST(Cyclone, FinishIsToldOfEachCubeThatFinishes) {
  Table table(3, "a0:12 a3:1020 a2:0 b3:1");
  table.roll(1);
  int finished = 0;
  for (const Effect& effect : table.effects("a2>a3")) finished += effect.kind == Kind::finish ? 1 : 0;
  EXPECT_EQ(finished, 2) << "its own cubes only go back to their base";
}

// ── Picture ──

TEST(Cyclone, ThePictureShowsTowersBasesAndTheRoll) {
  Table table(2, "a0:001 a3:010 a8:0 b2:1");
  table.roll(5).play("a8>b8");
  EXPECT_EQ(table.game.picture(table.state, Viewer::spectator(), {}),
            "             finished  base  1  2  3     4  5  6  7  8\n"
            "> a  seat 0  1         00    .  .  [010] .  .  .  .  .  -+ middle\n"
            "  b  seat 1                  .  1  .     .  .  .  .  0  -+\n"
            "seat 0 rolled 5, 4 actions left\n");
}

TEST(Cyclone, ThePictureIsNeverTooWide) {
  Cyclone::Options options(4);
  options.arm = 12;
  Table table(options, "a1:01 b2:01 c3:01 d4:01 a5:01 b6:23 c7:23 d8:23 a9:23 b10:23");
  for (const std::string_view line : split(table.game.picture(table.state, Viewer::seat(2), {}), '\n')) {
    EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(Cyclone, ColoursChangeNoLetter) {
  Table table(4, "a0:012 a3:010 c8:3 b2:1");
  std::string coloured = table.game.picture(table.state, Viewer::seat(1), {.colour = true});
  EXPECT_NE(coloured.find("\x1b[1;31m"), std::string::npos);
  for (std::size_t at; (at = coloured.find('\x1b')) != std::string::npos;) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  EXPECT_EQ(coloured, table.game.picture(table.state, Viewer::seat(1), {}));
}

}  // namespace
}  // namespace tessera
