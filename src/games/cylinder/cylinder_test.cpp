#include "games/cylinder/test_table.hpp"

namespace tessera {
namespace {

using namespace cylinder_test;

// ── Coming in ──

TEST(Cylinder, MarblesComeInWithEvenRollsOnTheOwnPlayboard) {
  for (const int odd : {1, 5}) {
    Table t;
    t.roll(odd);
    EXPECT_TRUE(t.waits_for_roll_of(1)) << "the roll is lost";
  }
  for (const int even : {2, 4, 6}) {
    Table t;
    t.roll(even);
    EXPECT_EQ(t.legal(), (Texts{"in>0,0", "in>0,1", "in>0,2", "in>0,3", "in>0,4", "in>0,5", "in>0,6", "in>0,7"}));
    t.play("in>0,3");
    EXPECT_TRUE(t.has(0, "0,3"));
    EXPECT_EQ(t.home(0), 9);
    EXPECT_TRUE(t.waits_for_roll_of(1)) << "coming in takes the whole roll";
  }
  Table six(6);
  const std::array<std::pair<int, int>, 6> first{{{0, 0}, {8, 0}, {0, 10}, {8, 10}, {0, 20}, {8, 20}}};
  for (int seat = 0; seat < 6; ++seat) {
    six.roll(2);
    Texts expected;
    for (int i = 0; i < 10; ++i) {
      expected.insert("in>" + std::to_string(first[seat].first) + "," + std::to_string(first[seat].second + i));
    }
    EXPECT_EQ(six.legal(), expected);
    six.play(*expected.begin());
  }
}

TEST(Cylinder, ComingInSendsOpponentsHomeButNotPartners) {
  Table t(4);
  t.put(0, "0,1");
  t.put(2, "0,2");
  t.put(1, "0,3");
  t.roll(2);
  EXPECT_FALSE(t.allows("in>0,1"));
  EXPECT_TRUE(t.allows("in>0,2"));
  t.play("in>0,3");
  EXPECT_EQ(t.home(1), 10);
  EXPECT_TRUE(t.has(0, "0,3"));
  EXPECT_FALSE(t.has(1, "0,3"));

  Table teams(4, Teams::all_four);
  teams.put(2, "0,2");
  teams.put(1, "0,3");
  teams.roll(2);
  EXPECT_FALSE(teams.allows("in>0,2"));
  EXPECT_TRUE(teams.allows("in>0,3"));
}

// ── Steps ──

TEST(Cylinder, GreenStepsGoAllWaysAndWrapBothWays) {
  Table t;
  t.put(0, "0,0");
  t.roll(1);
  EXPECT_EQ(t.ends("0,0"), (Texts{"8,7", "8,0", "8,1", "0,7", "0,1", "1,7", "1,0", "1,1"}));
}

TEST(Cylinder, StepsFromAndToRedAreStraight) {
  Table green;
  green.put(0, "2,4");
  green.roll(1);
  EXPECT_EQ(green.ends("2,4"), (Texts{"1,3", "1,4", "1,5", "2,3", "2,5", "3,4"}));

  Table red;
  red.put(0, "3,4");
  red.roll(1);
  EXPECT_EQ(red.ends("3,4"), (Texts{"2,4", "3,3", "3,5", "4,4"}));
}

TEST(Cylinder, WalksBendOnRedAndEnterTheGoalWithTheLastStep) {
  Table t;
  t.put(0, "3,4");
  t.roll(2);
  // Left or right and then in; not in and then along the goal row, nor across it, nor back to the start.
  EXPECT_EQ(t.ends("3,4"), (Texts{"1,3", "1,4", "1,5", "2,3", "2,5", "3,2", "3,6", "4,3", "4,5"}));
}

TEST(Cylinder, NobodyCrossesTheGoalRow) {
  Table t;
  t.put(0, "3,4");
  t.roll(5);
  EXPECT_FALSE(t.allows("3,4>5,4"));
  EXPECT_FALSE(t.allows("3,4>6,4"));
  EXPECT_TRUE(t.allows("3,4>7,4")) << "the other way round";
}

TEST(Cylinder, MarblesOnTheWayAreJumped) {
  Table t;
  t.put(0, "0,0");
  t.put(1, "1,7 1,0 1,1 0,7 0,1 8,7 8,0 8,1");
  t.roll(2);
  t.play("0,0>2,0");
  EXPECT_EQ(t.home(1), 2);
}

TEST(Cylinder, LandingSendsOpponentsHome) {
  Table t;
  t.put(0, "0,0 1,0");
  t.put(1, "1,1 3,5");
  t.roll(1);
  EXPECT_FALSE(t.allows("0,0>1,0")) << "own marbles are not landed on";
  const auto effects = t.game.effects(t.state, *t.game.parse_move(t.state, "0,0>1,1"), Viewer::all());
  const std::vector<Effect> expected{{.kind = Effect::Kind::move, .seat = 0, .path = {"0,0", "1,1"}},
                                     {.kind = Effect::Kind::send_home, .seat = 1, .path = {"1,1", "s1:home"}}};
  EXPECT_EQ(effects, expected);
  t.play("0,0>1,1");
  EXPECT_EQ(t.home(1), 9);
  EXPECT_TRUE(t.has(0, "1,1"));

  Table teams(4, Teams::one_seven);
  teams.put(0, "0,0");
  teams.put(2, "1,0");
  teams.put(3, "1,1");
  teams.roll(1);
  EXPECT_FALSE(teams.allows("0,0>1,0")) << "nor are partners'";
  EXPECT_TRUE(teams.allows("0,0>1,1"));
}

TEST(Cylinder, GoalHolesAreEnteredOnlyWhenEmpty) {
  Table t;
  t.put(0, "3,4");
  t.put(1, "4,4 3,3");
  t.roll(1);
  EXPECT_FALSE(t.allows("3,4>4,4"));
  EXPECT_TRUE(t.allows("3,4>3,3")) << "red ones may be taken";
  EXPECT_TRUE(t.allows("hit>4,4"));
}

TEST(Cylinder, MarblesInTheGoalRowMoveAlongItOnly) {
  Table t;
  t.put(0, "4,1");
  t.put(1, "4,2 4,0");
  t.roll(3);
  EXPECT_EQ(t.legal(), (Texts{"4,1>4,4", "4,1>4,6"})) << "jumping others, round the cylinder";

  Table half;
  half.put(0, "4,1");
  half.roll(4);
  EXPECT_EQ(half.ends("4,1"), Texts{"4,5"}) << "both ways lead to the same hole";

  Table blocked;
  blocked.put(0, "4,1");
  blocked.put(1, "4,6 4,4");
  blocked.roll(5);
  EXPECT_TRUE(blocked.waits_for_roll_of(1)) << "taken holes are not landed on; the roll is lost";
}

TEST(Cylinder, ARollThatCanBeUsedMustBe) {
  Table t;
  t.put(0, "4,1");
  t.roll(5);
  EXPECT_EQ(t.legal(), (Texts{"4,1>4,4", "4,1>4,6"}));
  EXPECT_NE(t.refusal("pass"), "");
}

// ── Three ──

TEST(Cylinder, AThreeRollsOnceMore) {
  Table lost;
  lost.roll(3);
  EXPECT_TRUE(lost.waits_for_roll_of(0)) << "also after a 3 that was lost";
  lost.roll(3);
  EXPECT_TRUE(lost.waits_for_roll_of(1)) << "a second 3 gives nothing";
  EXPECT_EQ(lost.state.turns, 1);

  Table used;
  used.put(0, "0,0");
  used.roll(3);
  used.play("0,0>1,1");
  EXPECT_TRUE(used.waits_for_roll_of(0));
  used.roll(2);
  used.play("in>0,5");
  EXPECT_TRUE(used.waits_for_roll_of(1)) << "the bonus roll may bring a marble in";
  used.roll(3);
  EXPECT_TRUE(used.waits_for_roll_of(1)) << "the next seat's 3 counts again";
}

// ── Splits ──

TEST(Cylinder, ASixMayBeSplit) {
  Table t;
  t.put(0, "0,0 0,4");
  t.roll(6);
  for (int part = 1; part <= 5; ++part) EXPECT_TRUE(t.allows("0,0>1,1:" + std::to_string(part))) << part;
  EXPECT_TRUE(t.allows("0,0>1,1"));
  EXPECT_FALSE(t.allows("0,0>1,1:6"));
  EXPECT_TRUE(t.allows("in>0,1"));
  t.play("0,0>1,1:2");
  ASSERT_TRUE(t.waits_for_decision_of(0));
  EXPECT_FALSE(t.allows("in>0,1")) << "no part brings a marble in";
  EXPECT_TRUE(t.allows("0,4>8,4")) << "another marble by four";
  EXPECT_TRUE(t.allows("1,1>0,1")) << "or the same";
  EXPECT_FALSE(t.allows("1,1>0,0")) << "but not back to where it began";
  EXPECT_TRUE(t.allows("0,4>0,0")) << "where another may go";
  EXPECT_FALSE(t.allows("pass"));
  t.play("0,4>0,0");
  EXPECT_TRUE(t.waits_for_roll_of(1));

  Table five;
  five.put(0, "0,0");
  five.roll(5);
  EXPECT_FALSE(five.allows("0,0>1,1:1")) << "only a 6 is split";
}

TEST(Cylinder, ASixThatCanOnlyBeSplitIsNotLost) {
  Cylinder::Options options(2);
  options.columns = 16;
  options.green = 2;  // the goal row is row 3
  Table t(options);
  t.put(0, "3,1 3,2 3,4 3,5 3,7 3,9 3,11 3,12 3,14 3,15");
  t.put(1, "3,3 3,6 3,8 3,10 3,13");
  t.roll(6);
  ASSERT_TRUE(t.waits_for_decision_of(0));
  EXPECT_EQ(t.legal(), (Texts{"3,11>3,0:5", "3,12>3,0:4", "3,14>3,0:2", "3,15>3,0:1", "3,1>3,0:1", "3,2>3,0:2",
                              "3,4>3,0:4", "3,5>3,0:5"}));
  t.play("3,1>3,0:1");
  EXPECT_EQ(t.legal(), (Texts{"3,12>3,1"}));
  t.play("3,12>3,1");
  EXPECT_TRUE(t.over()) << "14, 15, 0, 1, 2 are neighbours";
}

TEST(Cylinder, EachPartOfASplitTakesAndGoesOn) {
  Table t;
  t.put(0, "0,0");
  t.put(1, "1,1 2,2");
  t.roll(6);
  t.play("0,0>1,1:1");
  EXPECT_EQ(t.home(1), 9);
  t.play("1,1>2,2");
  EXPECT_EQ(t.home(1), 10);
  EXPECT_TRUE(t.waits_for_roll_of(1));
}

TEST(Cylinder, ASplitHasNoHit) {
  Table t;
  t.put(0, "3,2 0,0");
  t.put(1, "4,2");
  t.roll(6);
  EXPECT_FALSE(t.allows("hit>4,2"));
  t.play("0,0>1,1:5");
  EXPECT_FALSE(t.allows("hit>4,2"));
}

TEST(Cylinder, BothPartsMayEnterTheGoal) {
  Table t;
  t.put(0, "3,0 2,4");
  t.roll(6);
  t.play("3,0>4,0:1");
  EXPECT_TRUE(t.ends("4,0").contains("4,5"));
  EXPECT_TRUE(t.ends("4,0").contains("4,3"));
  t.play("2,4>4,4");
  EXPECT_TRUE(t.has(0, "4,0"));
  EXPECT_TRUE(t.has(0, "4,4"));
}

TEST(Cylinder, ASplitAlongTheGoalRowDoesNotReturn) {
  Table t;
  t.put(0, "4,0");
  t.roll(6);
  t.play("4,0>4,3:3");
  EXPECT_EQ(t.legal(), Texts{"4,3>4,6"});
}

TEST(Cylinder, ASecondPartThatNobodyCanMoveIsLost) {
  Table t;
  t.put(0, "3,0");
  t.put(1, "4,5 4,3 3,7");
  t.roll(6);
  const auto effects = t.game.effects(t.state, *t.game.parse_move(t.state, "3,0>4,0:1"), Viewer::all());
  ASSERT_EQ(effects.size(), 2U);
  EXPECT_EQ(effects[1].kind, Effect::Kind::pass);
  t.play("3,0>4,0:1");
  EXPECT_TRUE(t.waits_for_roll_of(1));

  Table only_back;
  only_back.put(0, "4,0");
  only_back.put(1, "4,6");
  only_back.roll(6);
  only_back.play("4,0>4,3:3");
  EXPECT_TRUE(only_back.waits_for_roll_of(1)) << "the way back alone is no way";
}

TEST(Cylinder, TheFirstPartCanWin) {
  Table t;
  t.put(0, "4,0 4,1 4,2 3,3");
  t.roll(6);
  t.play("3,3>4,3:1");
  EXPECT_TRUE(t.over());
  EXPECT_EQ(t.game.result(t.state).winners, 0b01);
}

// ── The end ──

TEST(Cylinder, FourNeighboursWinAlsoRoundTheEdge) {
  Table t;
  t.put(1, "4,7 4,0 4,2 5,1");
  t.state.seat = 1;
  t.roll(1);
  const auto effects = t.game.effects(t.state, *t.game.parse_move(t.state, "5,1>4,1"), Viewer::all());
  ASSERT_EQ(effects.size(), 2U);
  EXPECT_EQ(effects[1], (Effect{.kind = Effect::Kind::win, .seat = 1}));
  t.play("5,1>4,1");
  EXPECT_TRUE(t.over());
  EXPECT_EQ(t.game.result(t.state).winners, 0b10);
  EXPECT_EQ(t.game.result(t.state).scores[1], 4);
}

TEST(Cylinder, AMoveWithinTheGoalRowCanWinAndMoreThanFourDo) {
  Table t;
  t.put(0, "4,0 4,1 4,2 4,4 4,5 4,6");
  t.take(0, "4,6");
  t.put(0, "3,3");
  t.put(1, "4,7");
  Table slide = t;
  slide.roll(2);
  slide.play("4,5>4,3");
  EXPECT_TRUE(slide.over());
  EXPECT_EQ(slide.game.result(slide.state).scores[0], 5);
  t.roll(1);
  t.play("3,3>4,3");
  EXPECT_TRUE(t.over());
  EXPECT_EQ(t.game.result(t.state).scores[0], 6);
}

TEST(Cylinder, ThreeNeighboursAndOthersBetweenDoNotWin) {
  Table t;
  t.put(0, "4,0 4,1 4,3 3,4");
  t.put(1, "4,2");
  t.roll(1);
  t.play("3,4>4,4");
  EXPECT_FALSE(t.over());
}

TEST(Cylinder, AllFourNeedsFourOfEachSeatOfTheTeam) {
  Table t(4, Teams::all_four);
  t.put(0, "4,0 4,1 4,2 3,3 3,10");
  t.put(2, "4,10 4,11 4,12 3,13");
  t.roll(1);
  t.play("3,3>4,3");
  EXPECT_FALSE(t.over()) << "one of two";
  t.state.seat = 2;
  t.roll(1);
  t.play("3,13>4,13");
  EXPECT_TRUE(t.over());
  EXPECT_EQ(t.game.result(t.state).winners, 0b0101);
  EXPECT_EQ(t.game.result(t.state).scores, (std::array<std::int16_t, 6>{4, 0, 4, 0, 0, 0}));

  Table broken(4, Teams::all_four);
  broken.put(0, "4,0 4,1 4,2 4,5");
  broken.put(2, "4,10 4,11 4,12 3,13");
  broken.state.seat = 2;
  broken.roll(1);
  broken.play("3,13>4,13");
  EXPECT_FALSE(broken.over()) << "at the same time";

  Table six(6, Teams::all_four);
  six.put(1, "4,0 4,1 4,2 4,3");
  six.put(3, "4,10 4,11 4,12 4,13");
  six.put(5, "4,29 4,28 4,27 5,26");
  six.state.seat = 5;
  six.roll(1);
  six.play("5,26>4,26");
  EXPECT_EQ(six.game.result(six.state).winners, 0b101010);
}

TEST(Cylinder, OneSevenNeedsSevenOfOneSeat) {
  Table t(4, Teams::one_seven);
  t.put(1, "4,19 4,0 4,1 4,2 4,3 5,4 5,5");
  t.state.seat = 1;
  t.roll(1);
  t.play("5,4>4,4");
  EXPECT_FALSE(t.over()) << "six";
  t.state.seat = 1;
  t.roll(1);
  t.play("5,5>4,5");
  EXPECT_TRUE(t.over());
  EXPECT_EQ(t.game.result(t.state).winners, 0b1010);
  EXPECT_EQ(t.game.result(t.state).scores[1], 7);
}

TEST(Cylinder, TheTurnLimitEndsWithoutAWinner) {
  Cylinder::Options options(2);
  options.turn_limit = 2;
  options.first = 1;
  Table t(options);
  t.put(0, "4,7 4,0 4,5");
  EXPECT_TRUE(t.waits_for_roll_of(1));
  t.roll(3);  // lost, but the turn goes on
  t.roll(5);
  EXPECT_TRUE(t.waits_for_roll_of(0));
  t.roll(1);
  t.play("4,5>4,6");
  EXPECT_TRUE(t.over());
  EXPECT_EQ(t.game.result(t.state).winners, 0);
  EXPECT_EQ(t.game.result(t.state).scores[0], 3);
}

}  // namespace
}  // namespace tessera
