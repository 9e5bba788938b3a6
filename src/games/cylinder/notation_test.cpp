#include "games/cylinder/test_table.hpp"

namespace tessera {
namespace {

using namespace cylinder_test;

// ── Options, notation, choices ──

TEST(Cylinder, Options) {
  EXPECT_EQ(Cylinder::Options(2).columns, 8);
  EXPECT_EQ(Cylinder::Options(4).columns, 10);
  const auto read = [](int seats, std::vector<Setting> settings) { return read_options<Cylinder>(seats, settings); };
  EXPECT_FALSE(read(3, {}));
  EXPECT_FALSE(read(2, {{"columns", "7"}}));
  EXPECT_FALSE(read(2, {{"columns", "17"}}));
  EXPECT_FALSE(read(2, {{"green", "1"}}));
  EXPECT_FALSE(read(2, {{"green", "6"}}));
  EXPECT_FALSE(read(4, {{"teams", "two"}}));
  EXPECT_TRUE(read(2, {{"teams", "none"}}));
  EXPECT_TRUE(read(6, {{"teams", "one_seven"}, {"columns", "16"}, {"green", "5"}}));
  const auto refused = read(2, {{"teams", "all_four"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().sentence, "option teams takes none with 2 seats, not 'all_four'");
}

TEST(Cylinder, SaysWhyAMoveIsNotLegal) {
  Table t;
  t.put(0, "0,0 1,1 3,4");
  t.put(1, "4,4 4,5");
  const auto says = [&](const std::string& text, const std::string& what) {
    EXPECT_NE(t.refusal(text).find(what), std::string::npos) << text << ": " << t.refusal(text);
  };
  t.roll(1);
  for (const char* text : {"",
                           ">",
                           "x",
                           "0",
                           "0,0",
                           "0,0>",
                           "0,0>1",
                           "a,b>c,d",
                           "0,0>01,1",
                           "0,0>1,1 ",
                           "0,0>1,1:",
                           "0,0>1,1:6",
                           "0,0>1,1:x",
                           "in>",
                           "in>0,0:1",
                           "hit>4,4:up",
                           "flank>4,4:left",
                           "9,0>1,1",
                           "0,0>0,8",
                           "-1,0>0,0",
                           "\xff>\x01",
                           "99999999999,1>0,0"}) {
    EXPECT_NE(t.refusal(text), "") << text;
  }
  says("nonsense", "a move is written");
  says("9,0>1,1", "rows 0 to 8 and columns 0 to 7");
  says("5,5>5,6", "no marble on 5,5");
  says("0,0>2,2", "exactly 1 step from 0,0");
  says("0,0>1,1", "own marble");
  says("3,4>4,4", "goal row is taken");
  says("0,0>0,1:1", "only a 6");
  says("in>0,1", "2, 4 or 6");
  says("hit>4,5", "beside");
  says("flank>4,4", "after the roll");
  says("pass", "must be");
  t.state = [&] {
    auto state = t.state;
    state.roll = state.steps = 6;
    return state;
  }();
  says("in>1,1", "comes in at 0,0 to 0,7");
  says("in>0,0", "own marble");
  says("hit>4,4", "takes a 1");
  t.play("0,0>0,1:1");
  says("0,1>0,0", "first part began");
  says("in>0,4", "no part of a split");
  says("0,1>0,2:1", "second part already");
}

TEST(Cylinder, ChoicesFormATree) {
  Table t;
  t.put(0, "3,2 5,2 0,0");
  t.put(1, "4,2");
  const auto choices = [&](const std::string& text) {
    return t.game.choices(t.state, *t.game.parse_move(t.state, text));
  };
  const auto check_tree = [&] {
    MoveList<Cylinder> moves;
    t.game.legal(t.state, moves);
    std::set<Choices> all;
    for (const Move move : moves) EXPECT_TRUE(all.insert(t.game.choices(t.state, move)).second);
    for (const Choices& chosen : all) {
      for (std::size_t i = 1; i < chosen.size(); ++i) {
        EXPECT_FALSE(all.contains(Choices(chosen.begin(), chosen.end() - static_cast<std::ptrdiff_t>(i))));
      }
    }
  };
  t.roll(6);
  check_tree();
  EXPECT_EQ(choices("0,0>1,1"), (Choices{"0,0", "1,1", "6"}));
  EXPECT_EQ(choices("0,0>1,1:2"), (Choices{"0,0", "1,1", "2"}));
  EXPECT_EQ(choices("in>0,3"), (Choices{"in", "0,3"}));
  Table split = t;
  split.play("0,0>1,1:2");
  EXPECT_EQ(split.game.choices(split.state, *split.game.parse_move(split.state, "1,1>2,2")), (Choices{"1,1", "2,2"}));
  t.play("0,0>1,1");
  check_tree();
  EXPECT_EQ(choices("flank>4,2"), (Choices{"flank", "4,2", "stay"}));
  EXPECT_EQ(choices("flank>4,2:down"), (Choices{"flank", "4,2", "down"}));
  EXPECT_EQ(choices("pass"), Choices{"pass"});
  t.play("pass");
  t.roll(5);
  t.play(*t.legal().begin());
  t.roll(1);
  check_tree();
}

TEST(Cylinder, ASixOffersMoreThanAThousandMoves) {
  Cylinder::Options options(6);
  options.columns = 16;
  options.green = 5;
  Table t(options);
  t.put(0, "0,0 12,4 0,8 12,12 0,16 12,20 0,24 12,28 0,32 12,36");
  t.roll(6);
  MoveList<Cylinder> moves;
  t.game.legal(t.state, moves);
  EXPECT_GT(moves.size(), 3500U);
  EXPECT_LE(moves.size() + 8, Cylinder::max_moves);
}

// ── For boards ──

TEST(Cylinder, EffectsTellWalksRollsAndWins) {
  Table t;
  t.put(0, "2,4");
  t.roll(3);
  const auto effects = t.game.effects(t.state, *t.game.parse_move(t.state, "2,4>4,5"), Viewer::all());
  ASSERT_EQ(effects.size(), 2U);
  EXPECT_TRUE(effects[0].path == (std::vector<std::string>{"2,4", "2,5", "3,5", "4,5"}) ||
              effects[0].path == (std::vector<std::string>{"2,4", "3,4", "3,5", "4,5"}));
  EXPECT_EQ(effects[1], (Effect{.kind = Effect::Kind::again, .seat = 0}));

  Table lost;
  const std::vector<Effect> both{{.kind = Effect::Kind::pass, .seat = 0}, {.kind = Effect::Kind::again, .seat = 0}};
  EXPECT_EQ(lost.game.effects(lost.state, Roll{3}, Viewer::all()), both);
  EXPECT_TRUE(lost.game.effects(lost.state, Roll{2}, Viewer::all()).empty());
  lost.roll(2);
  const auto in = lost.game.effects(lost.state, *lost.game.parse_move(lost.state, "in>0,3"), Viewer::all());
  EXPECT_EQ(in, (std::vector<Effect>{{.kind = Effect::Kind::move, .seat = 0, .path = {"s0:home", "0,3"}}}));
}

TEST(Cylinder, PicturesFitTheTerminal) {
  Cylinder::Options options(6);
  options.columns = 16;
  options.green = 5;
  options.teams = Teams::one_seven;
  Table t(options);
  t.put(5, "6,47");
  const std::string picture = t.game.picture(t.state, Viewer::all(), {});
  std::size_t start = 0;
  while (start < picture.size()) {
    const std::size_t end = picture.find('\n', start);
    ASSERT_NE(end, std::string::npos);
    EXPECT_LE(end - start, 110U);
    start = end + 1;
  }
  EXPECT_NE(picture.find(" 5|\n"), std::string::npos) << "the marble in the last column of the goal row\n" << picture;
  EXPECT_EQ(picture.find('\x1b'), std::string::npos);
  EXPECT_NE(t.game.picture(t.state, Viewer::all(), {.colour = true}).find('\x1b'), std::string::npos);
}

TEST(Cylinder, ATurnLeavesNothingBehind) {
  Table t, same;
  t.put(0, "0,0 2,2");
  same.put(0, "0,0 3,4");
  t.roll(3);
  t.play("2,2>3,4");
  t.roll(6);
  t.play("0,0>0,1:1");
  t.play("0,1>1,1");
  same.take(0, "0,0");
  same.put(0, "1,1");
  same.state.seat = 1;
  same.state.turns = 1;
  EXPECT_EQ(t.state, same.state);
}

}  // namespace
}  // namespace tessera
