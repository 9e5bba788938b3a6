/// What is shown, to the letter; docs/protocol.md has the same forms.
#include <zlib.h>

#include "games/registry.hpp"
#include "match/testing.hpp"

namespace tessera::testing {
namespace {

using Json = nlohmann::ordered_json;

struct Two : Table {
  explicit Two(std::string_view settings) : Table(testing::world(all_games()), settings) {
    act("ann", R"({"do":"sit","seat":0})");
    act("bob", R"({"do":"sit","seat":1})");
  }
  std::string shown(Viewer viewer = Viewer::spectator()) const {
    std::string all;
    for (const Happening& happening : last) all += seen_json(happening, viewer);
    return all;
  }
};

TEST(Views, EventsOfTheTable) {
  Table table(world(all_games()), R"({"game":"marbles","seats":2})");
  EXPECT_EQ(seen_json(table.last[0], Viewer::seat(0)),
            R"({"created":true,"secret_hash":")" + fair::hex(table.match->secret_hash()) + "\"}");
  table.act("ann", R"({"do":"sit","seat":1,"guest":"gus"})");
  EXPECT_EQ(seen_json(table.last[0], Viewer::spectator()), R"({"seat":1,"sat":"gus"})");
  table.act("ann", R"({"do":"bot","seat":0,"bot":"simple"})");
  EXPECT_EQ(seen_json(table.last[0], Viewer::spectator()), R"({"seat":0,"bot_sat":"simple"})");
  EXPECT_EQ(seen_json(table.last[1], Viewer::spectator()), R"({"started":true})");
}

TEST(Views, ARollAndAMove) {
  Two table(R"({"game":"cybo","first":0})");
  table.draw();
  table.act("ann", R"({"do":"roll"})");
  const Json roll = Json::parse(seen_json(table.last[0], Viewer::seat(1)));
  EXPECT_EQ(roll["seat"], 0);
  EXPECT_EQ(roll["chance"], table.last[0].event.text);
  EXPECT_FALSE(roll.contains("bot"));
}

TEST(Views, ARedrawShowsTheHashAndWhoWasMissing) {
  Two table(R"({"game":"marbles"})");
  table.commit(0);
  table.commit(1);
  table.reveal(1);
  table.pass(30'000);
  EXPECT_EQ(table.shown(),
            R"({"redrawn":true,"secret_hash":")" + fair::hex(table.match->secret_hash()) + R"(","missing":[0]})");
}

TEST(Views, TheTable) {
  Two table(R"({"game":"marbles","pace":{"bank":60}})");
  Json shown = Json::parse(table_json(*table.match, table.now));
  EXPECT_EQ(shown["id"], "m1");
  EXPECT_EQ(shown["game"], "marbles");
  EXPECT_EQ(shown["stage"], "drawing");
  EXPECT_EQ(shown["host"], "ann");
  EXPECT_EQ(shown["seats"].dump(), R"([{"person":"ann"},{"person":"bob"}])");
  EXPECT_EQ(shown["draw"]["number"], 1);
  EXPECT_EQ(shown["draw"]["hashes"].dump(), "[null,null]");
  EXPECT_EQ(turn_json(*table.match), "");
  EXPECT_EQ(clocks_json(*table.match, table.now), "");
  table.commit(0);
  shown = Json::parse(table_json(*table.match, table.now));
  EXPECT_TRUE(shown["draw"]["hashes"][0].is_string());
  table.commit(1);
  table.reveal(0);
  table.reveal(1);
  EXPECT_EQ(clocks_json(*table.match, table.now), "[60000,60000]");
  table.connect("bob", false);
  table.act("ann", R"({"do":"auto_roll","on":true})");
  table.act("ann", R"({"do":"stop"})");
  table.act("ann", R"({"do":"pause"})");
  shown = Json::parse(table_json(*table.match, table.now));
  EXPECT_EQ(shown["seats"].dump(), R"([{"person":"ann","auto_roll":true},{"person":"bob","connected":false}])");
  EXPECT_EQ(shown["asked"].dump(), R"({"what":"stop","seat":0,"of":[1]})");
  EXPECT_EQ(shown["paused"], true);
  EXPECT_FALSE(shown.contains("draw"));
  EXPECT_FALSE(shown.contains("over"));
  table.act("bob", R"({"do":"resign"})");
  shown = Json::parse(table_json(*table.match, table.now));
  EXPECT_EQ(shown["seats"][1].dump(), R"({"person":"bob","bot":"simple","resigned":true})");
  EXPECT_EQ(shown["over"]["why"], "resigned");
  EXPECT_EQ(turn_json(*table.match), R"({"over":true})");
  EXPECT_EQ(shown["over"]["secret"].get<std::string>().size(), 64U);
}

TEST(Views, CorrespondenceSaysHowLong) {
  Two table(R"({"game":"marbles","pace":{"days":2}})");
  table.draw();
  const Json shown = Json::parse(table_json(*table.match, table.now + 1000));
  EXPECT_EQ(shown["due_in"], 2 * 24 * 60 * 60 * 1000 - 1000);
}

TEST(Views, HandsOfCubedAreTheirOwners) {
  Two table(R"({"game":"cubed","first":0})");
  table.commit(0);
  table.commit(1);
  table.reveal(0);
  table.reveal(1);
  ASSERT_EQ(table.happened(), "revealed begun chance");
  for (int seat = 0; seat < 2; ++seat) {
    const Json deal = Json::parse(seen_json(table.last[2], Viewer::seat(seat)));
    EXPECT_NE(deal["hands"][seat][0], "?");
    EXPECT_EQ(deal["hands"][1 - seat][0], "?");
    EXPECT_EQ(legal_json(*table.match, Viewer::seat(seat)).empty(), seat != 0);
  }
  EXPECT_EQ(legal_json(*table.match, Viewer::spectator()), "");
  EXPECT_EQ(legal_json(*table.match, Viewer::all()), "");
}

TEST(Views, EffectsSayWhatAPieceBecomes) {
  const Effect lay{
      .kind = Effect::Kind::lay, .seat = 0, .piece = "BCG", .becomes = "BCG/2", .path = {"hand 0", "1,-1"}};
  EXPECT_EQ(effects_json(std::span(&lay, 1)),
            R"([{"lay":0,"path":["hand 0","1,-1"],"piece":"BCG","becomes":"BCG/2"}])");
}

/// Walks the tree: each leaf's effects, gathered on the way, are those of its move.
void expect_tree(const Play& play, const ChoiceTree& tree, const Json& node, std::vector<std::string> effects) {
  if (node.contains("effects")) {
    for (const Json& effect : node["effects"]) effects.push_back(effect.dump());
  }
  if (tree.move) {
    std::vector<std::string> expected;
    for (Effect effect : play.foreseen(*tree.move)) {
      if (effect.path.size() > 2) effect.path = {effect.path.front(), effect.path.back()};
      const std::string list = effects_json(std::span(&effect, 1));
      expected.push_back(list.substr(1, list.size() - 2));
    }
    EXPECT_EQ(effects, expected);
    EXPECT_FALSE(node.contains("next"));
    return;
  }
  ASSERT_EQ(node["next"].size(), tree.next.size());
  for (const ChoiceTree& child : tree.next) expect_tree(play, child, node["next"][child.choice], effects);
}

TEST(Views, TheTreeHasEveryMoveWithItsEffects) {
  for (const GameInfo* game : all_games()) {
    Two table(R"({"game":")" + std::string(game->name) + R"(","options":{"turn_limit":30}})");
    table.draw();
    int trees = 0;
    while (table.match->stage() == Stage::playing) {
      const Turn turn = table.match->play()->turn();
      if (turn.phase == Phase::decision) {
        const Play& play = *table.match->play();
        expect_tree(play, choice_tree(play), Json::parse(legal_json(*table.match, Viewer::seat(turn.seat))), {});
        ++trees;
      }
      ASSERT_EQ(table.go_on(), "");
    }
    EXPECT_GT(trees, 0) << game->name;
  }
}

std::size_t compressed_size(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::vector<Bytef> compressed(size);
  EXPECT_EQ(compress2(compressed.data(), &size, reinterpret_cast<const Bytef*>(text.data()), text.size(), 6), Z_OK);
  return size;
}

TEST(Views, TheLargestTreesAreSmallOnTheWire) {
  Table table(world(all_games()), R"({"game":"cylinder","seats":6,"first":0})");
  for (int seat = 0; seat < 6; ++seat) {
    table.act("ann", R"({"do":"sit","seat":)" + std::to_string(seat) + R"(,"guest":"g)" + std::to_string(seat) + "\"}");
  }
  table.draw();
  std::size_t largest = 0;
  std::string tree;
  Random random(1, "cylinder");
  for (int i = 0; i < 4000 && table.match->stage() == Stage::playing; ++i) {
    const Turn turn = table.match->play()->turn();
    if (turn.phase == Phase::chance) {
      table.go_on();
      continue;
    }
    const std::vector<Move> legal = table.match->play()->legal();
    if (legal.size() > largest) {
      largest = legal.size();
      tree = legal_json(*table.match, Viewer::seat(turn.seat));
    }
    const Move move = legal[random(static_cast<std::uint32_t>(legal.size()))];
    table.act("ann", R"({"do":"move","seat":)" + std::to_string(turn.seat) + R"(,"move":")" +
                         table.match->play()->text(move, Viewer::all()) + "\"}");
  }
  EXPECT_GT(largest, 1000U);
  EXPECT_LE(compressed_size(tree), 4000U) << largest << " moves, " << tree.size() << " bytes";
}

/// What a bot's seat knows is folded from what it was told, with moves taken back in between.
TEST(Views, WhatASeatKnows) {
  for (const std::string_view settings :
       {R"({"game":"cubed","first":0,"options":{"rounds":2,"take":true,"fill":true}})",
        R"({"game":"cyclone","first":0,"options":{"turn_limit":20}})"}) {
    Two table(settings);
    table.draw();
    Random random(1, "test");
    int decisions = 0;
    for (int i = 0; i < 60 && table.match->stage() == Stage::playing; ++i) {
      const Turn turn = table.match->play()->turn();
      if (turn.phase == Phase::decision) {
        const auto known = seat_knowledge(table.world, "m1", table.log, turn.seat);
        ASSERT_TRUE(known) << known.error().sentence;
        const auto imagined = (*known)->determinize(random);
        EXPECT_EQ(imagined->turn(), turn);
        EXPECT_EQ(imagined->legal(), table.match->play()->legal());
        EXPECT_EQ(imagined->pieces(Viewer::seat(turn.seat)), table.match->play()->pieces(Viewer::seat(turn.seat)));
        ++decisions;
      }
      ASSERT_EQ(table.go_on(), "");
      if (i % 5 == 0) table.act(table.match->seats()[std::max<int>(0, turn.seat)].device, R"({"do":"take_back"})");
      if (table.match->asked()) table.act(table.match->seats()[1 - turn.seat].device, R"({"do":"answer","yes":true})");
    }
    EXPECT_GT(decisions, 10);
    EXPECT_FALSE(seat_knowledge(table.world, "m1", std::span(table.log).first(1), 0)) << "before the game";
  }
}

}  // namespace
}  // namespace tessera::testing
