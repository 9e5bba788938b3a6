#include <fmt/format.h>

#include "games/cylinder/test_table.hpp"

namespace tessera {
namespace {

using namespace cylinder_test;

// ── Hits ──

TEST(Cylinder, AOneHitsFromEitherRedSide) {
  for (const int red : {3, 5}) {
    Table t;
    t.put(0, std::to_string(red) + ",2 4,6");
    t.put(1, "4,2 4,7");
    t.roll(1);
    EXPECT_TRUE(t.allows("hit>4,2"));
    EXPECT_FALSE(t.allows("hit>4,7")) << "not from inside the goal row";
    EXPECT_FALSE(t.allows("pass"));
    t.play("hit>4,2");
    EXPECT_EQ(t.home(1), 9);
    EXPECT_TRUE(t.has(0, std::to_string(red) + ",2")) << "the attacker stays";
    EXPECT_FALSE(t.has(0, "4,2"));
    EXPECT_TRUE(t.waits_for_roll_of(1)) << "the roll is used";
  }
}

TEST(Cylinder, OnlyAOneHitsAndOnlyOpponents) {
  Table t;
  t.put(0, "3,2");
  t.put(1, "4,2");
  t.roll(2);
  EXPECT_FALSE(t.allows("hit>4,2"));

  Table teams(4, Teams::all_four);
  teams.put(0, "3,2 3,5");
  teams.put(2, "4,2");
  teams.put(1, "4,5");
  teams.roll(1);
  EXPECT_FALSE(teams.allows("hit>4,2"));
  EXPECT_TRUE(teams.allows("hit>4,5"));

  Table beside;
  beside.put(0, "3,1 2,2");
  beside.put(1, "4,2");
  beside.roll(1);
  EXPECT_FALSE(beside.allows("hit>4,2")) << "not from another column, not from green";
}

TEST(Cylinder, AMarbleThatMovedInThisTurnDoesNotHit) {
  Table t;
  t.put(0, "2,2 3,6");
  t.put(1, "4,4 4,6");
  t.roll(3);
  t.play("2,2>3,4");
  ASSERT_TRUE(t.waits_for_roll_of(0));
  Table bonus_one = t;
  bonus_one.roll(1);
  EXPECT_FALSE(bonus_one.allows("hit>4,4")) << "it has come there in this turn";
  EXPECT_TRUE(bonus_one.allows("hit>4,6")) << "the other has stood there before";

  t.roll(2);
  t.play("in>0,0");
  t.roll(1);  // seat 1
  t.play("4,4>4,5");
  t.roll(1);
  EXPECT_FALSE(t.allows("hit>4,4"));
  EXPECT_FALSE(t.allows("hit>4,5"));
  EXPECT_TRUE(t.allows("hit>4,6"));

  Table later;
  later.put(0, "2,2");
  later.put(1, "4,4");
  later.roll(3);
  later.play("2,2>3,4");
  later.roll(4);
  later.play("in>0,0");
  later.roll(5);
  later.play("4,4>4,7");
  later.take(1, "4,7");
  later.put(1, "4,4");
  later.roll(1);
  EXPECT_TRUE(later.allows("hit>4,4")) << "in the next turn it does";
}

TEST(Cylinder, AMarbleThatDidNotMoveWithTheThreeHitsFromTheOtherSide) {
  Table t;
  t.put(0, "2,2 5,4");
  t.put(1, "4,4");
  t.roll(3);
  t.play("2,2>3,4");
  t.play("pass");  // the flank
  t.roll(1);
  EXPECT_TRUE(t.allows("hit>4,4")) << "5,4 has stood there since before";
}

TEST(Cylinder, NobodyIsMadeToHit) {
  Table t(4, Teams::all_four);
  t.put(0, "3,2");
  t.put(2, "2,2 3,1 3,3");
  t.put(1, "4,2");
  t.roll(1);
  EXPECT_EQ(t.legal(), (Texts{"hit>4,2", "pass"}));
  Table passed = t;
  passed.play("pass");
  EXPECT_EQ(passed.home(1), 9);
  EXPECT_TRUE(passed.waits_for_roll_of(1));
  t.play("hit>4,2");
  EXPECT_EQ(t.home(1), 10);

  Table lost(4, Teams::all_four);
  lost.put(0, "3,2");
  lost.put(2, "2,2 3,1 3,3 4,2");
  lost.roll(1);
  EXPECT_TRUE(lost.waits_for_roll_of(1)) << "a pass alone is not asked";
}

// ── Flanks ──

TEST(Cylinder, AFlankSendsHomeAndMayMoveIn) {
  Table t;
  t.put(0, "3,2 5,2 0,6");
  t.put(1, "4,2");
  t.roll(1);
  t.play("0,6>0,7");
  ASSERT_TRUE(t.waits_for_decision_of(0));
  EXPECT_EQ(t.legal(), (Texts{"flank>4,2", "flank>4,2:up", "flank>4,2:down", "pass"}));
  Table stay = t, up = t, down = t, pass = t;
  stay.play("flank>4,2");
  EXPECT_EQ(stay.home(1), 10);
  EXPECT_TRUE(stay.has(0, "3,2") && stay.has(0, "5,2") && !stay.has(0, "4,2"));
  EXPECT_TRUE(stay.waits_for_roll_of(1));
  up.play("flank>4,2:up");
  EXPECT_TRUE(!up.has(0, "3,2") && up.has(0, "5,2") && up.has(0, "4,2")) << "up is the marble in the row above";
  EXPECT_EQ(up.home(1), 10);
  down.play("flank>4,2:down");
  EXPECT_TRUE(down.has(0, "3,2") && !down.has(0, "5,2") && down.has(0, "4,2"));
  pass.play("pass");
  EXPECT_EQ(pass.home(1), 9);
  EXPECT_TRUE(pass.waits_for_roll_of(1));
}

TEST(Cylinder, FlanksComeAfterMovesEntersHitsAndLostRolls) {
  Table moved;
  moved.put(0, "3,2 5,1");
  moved.put(1, "4,2");
  moved.roll(1);
  moved.play("5,1>5,2");
  EXPECT_TRUE(moved.allows("flank>4,2")) << "at once";

  Table entered;
  entered.put(0, "3,2 5,2");
  entered.put(1, "4,2");
  entered.roll(6);
  entered.play("in>0,0");
  EXPECT_TRUE(entered.allows("flank>4,2:up"));

  Table hit;
  hit.put(0, "3,2 5,2 3,5");
  hit.put(1, "4,2 4,5");
  hit.roll(1);
  hit.play("hit>4,5");
  EXPECT_TRUE(hit.allows("flank>4,2:down"));
  EXPECT_FALSE(hit.allows("flank>4,5"));

  Table lost(4, Teams::all_four);
  lost.put(0, "3,2 5,2");
  lost.put(2, "2,2 3,1 3,3 6,2 5,1 5,3");
  lost.put(1, "4,2");
  lost.roll(1);
  lost.play("pass");
  EXPECT_TRUE(lost.allows("flank>4,2")) << "after a Hit that was passed";
  // All marbles are out; partners stand wherever two steps from 3,2 or 5,2 end, and every second hole of the goal row
  // from 4,2 to 4,20 is taken.
  Table nothing(6, Teams::all_four);
  nothing.put(0, "3,2 5,2 4,4 4,6 4,8 4,10 4,12 4,14 4,16 4,18");
  nothing.put(1, "4,1 4,2 4,3 4,20");
  nothing.put(2, "1,1 1,2 1,3 2,1 2,3 3,0 3,4");
  nothing.put(4, "5,0 5,4 6,1 6,3 7,1 7,2 7,3");
  nothing.roll(2);
  EXPECT_TRUE(nothing.allows("flank>4,2")) << "after a lost roll";
  EXPECT_EQ(nothing.legal().size(), 4U);
}

TEST(Cylinder, NoFlankAfterASplit) {
  Table t;
  t.put(0, "3,2 5,2 0,0");
  t.put(1, "4,2 4,5");
  t.roll(6);
  Table whole = t;
  whole.play("0,0>1,1");
  EXPECT_TRUE(whole.allows("flank>4,2")) << "a whole 6 is followed by flanks";
  t.play("0,0>1,1:1");
  EXPECT_FALSE(t.allows("flank>4,2"));
  t.play("1,1>2,2");
  EXPECT_TRUE(t.waits_for_roll_of(1));
  t.roll(5);
  t.play("4,5>4,0");
  t.roll(1);
  t.play("2,2>1,2");
  EXPECT_TRUE(t.allows("flank>4,2")) << "the right exists while the position lasts";
}

TEST(Cylinder, SeveralFlanksOneAfterTheOther) {
  Table t;
  t.put(0, "3,2 5,2 3,3 5,3 0,0");
  t.put(1, "4,2 4,3");
  t.roll(1);
  t.play("0,0>0,1");
  EXPECT_EQ(t.legal().size(), 7U);
  t.play("flank>4,3:up");
  EXPECT_EQ(t.legal(), (Texts{"flank>4,2", "flank>4,2:up", "flank>4,2:down", "pass"}));
  t.play("flank>4,2:down");
  EXPECT_EQ(t.home(1), 10);
  EXPECT_TRUE(t.waits_for_roll_of(1));
}

TEST(Cylinder, AFlankTakesTwoOwnMarblesAndAnOpponent) {
  Table t(4, Teams::all_four);
  t.put(0, "3,2 3,5 5,5 0,0");
  t.put(2, "5,2 4,5");
  t.put(1, "4,2");
  t.roll(1);
  t.play("0,0>0,1");
  EXPECT_TRUE(t.waits_for_roll_of(1)) << "a partner's marble does not flank and is not flanked";

  Table free(4);
  free.put(0, "3,5 5,5 0,0");
  free.put(2, "4,5");
  free.roll(1);
  free.play("0,0>0,1");
  EXPECT_TRUE(free.allows("flank>4,5")) << "without teams seat 2 is an opponent";
}

TEST(Cylinder, FlanksOfAThreeComeBeforeItsBonusRoll) {
  Table t;
  t.put(0, "3,2 2,4 3,6");
  t.put(1, "4,2 4,6");
  t.roll(3);
  t.play("2,4>2,3");
  ASSERT_TRUE(t.waits_for_roll_of(0)) << "no flank, straight to the bonus roll";

  Table flank;
  flank.put(0, "3,2 5,2 5,6 3,5");
  flank.put(1, "4,2 4,6");
  flank.roll(3);
  flank.play("3,5>3,6");
  EXPECT_EQ(flank.legal().size(), 7U);
  flank.play("flank>4,6:up");
  ASSERT_TRUE(flank.waits_for_decision_of(0));
  flank.play("pass");
  ASSERT_TRUE(flank.waits_for_roll_of(0));
  flank.roll(1);
  EXPECT_TRUE(flank.allows("hit>4,2")) << "these have not moved";
  flank.play("hit>4,2");
  EXPECT_TRUE(flank.waits_for_roll_of(1)) << "nothing is left to flank";
}

TEST(Cylinder, AFlankCanWin) {
  Table t;
  t.put(0, "4,0 4,1 4,3 3,2 5,2 0,6");
  t.put(1, "4,2");
  t.roll(1);
  t.play("0,6>0,7");
  Table stay = t;
  stay.play("flank>4,2");
  EXPECT_FALSE(stay.over());
  t.play("flank>4,2:down");
  EXPECT_TRUE(t.over());
  EXPECT_EQ(t.game.result(t.state).winners, 0b01);
  EXPECT_EQ(t.game.result(t.state).scores[0], 4);
}

// ── Everywhere ──

TEST(Cylinder, HitsAndFlanksAreSeenInEveryColumn) {
  for (int green = 2; green <= 5; ++green) {
    for (const int seats : {2, 6}) {
      for (const int columns : {8, 13, 16}) {
        Cylinder::Options options(seats);
        options.green = green;
        options.columns = columns;
        const Table empty(options);
        for (int column = 0; column < empty.game.board().columns(); ++column) {
          const auto hole = [&](int row) { return fmt::format("{},{}", row, column); };
          for (const int red : {green, green + 2}) {
            Table t = empty;
            t.put(0, hole(red));
            t.put(1, hole(green + 1));
            t.roll(1);
            ASSERT_TRUE(t.allows("hit>" + hole(green + 1))) << green << ' ' << column;
          }
          Table t = empty;
          t.put(0, hole(green) + " " + hole(green + 2));
          t.put(1, hole(green + 1));
          t.roll(2);
          t.play("in>0,0");
          ASSERT_TRUE(t.allows("flank>" + hole(green + 1) + ":up")) << green << ' ' << column;
          t.play("flank>" + hole(green + 1) + ":up");
          ASSERT_TRUE(t.has(0, hole(green + 1)) && t.has(0, hole(green + 2)) && !t.has(0, hole(green)));
        }
      }
    }
  }
}

TEST(Cylinder, AMarbleThatFlanksItsWayInIsNoLongerOnRed) {
  Table t, same;
  t.put(0, "2,2 5,4");
  t.put(1, "4,4");
  t.roll(3);
  t.play("2,2>3,4");
  t.play("flank>4,4:up");
  same.put(0, "4,4 5,4");
  same.state.bonus = true;
  EXPECT_EQ(t.state, same.state);
}

}  // namespace
}  // namespace tessera
