#include <gtest/gtest.h>

#include <algorithm>

#include "games/cubed/testing.hpp"
#include "games/cubed/words.hpp"
#include "rules/notation.hpp"

/// What boards and transcripts are told, and what is kept from them.
namespace tessera {
namespace {

using Step = Cubed::Step;

/// Every effect, with what it says of a piece made unknown.
std::vector<Effect> without_names(std::vector<Effect> effects) {
  std::erase_if(effects, [](const Effect& effect) { return effect.kind == Effect::Kind::show; });
  for (Effect& effect : effects) effect.piece = effect.becomes = "";
  return effects;
}

TEST(CubedBoards, EffectsTellWhereEveryPieceGoes) {
  for (int number = 0; number < 50; ++number) {
    SCOPED_TRACE(number);
    Cubed::Options options = some_options(number);
    if (options.seats > 1) options.take = options.fill = true;
    const Cubed game(options);
    auto state = game.start();
    Random random(static_cast<std::uint64_t>(number), "effects");
    const Viewer watcher = number % 2 == 0 ? Viewer::spectator() : Viewer::seat(0);
    while (game.turn(state).phase != Phase::over) {
      auto pieces = game.pieces(state, Viewer::all());
      EXPECT_EQ(pieces.size(), 65U);
      const auto before = state;
      std::vector<Effect> effects, seen;
      if (game.turn(state).phase == Phase::chance) {
        const auto outcome = game.draw(state, random);
        effects = game.effects(state, outcome, Viewer::all());
        seen = game.effects(state, outcome, watcher);
        game.apply(state, outcome);
      } else {
        const Move move = pick(game, state, random(3) != 0, random);
        effects = game.effects(state, move, Viewer::all());
        seen = game.effects(state, move, watcher);
        game.play(state, move);
      }
      ASSERT_FALSE(follow(pieces, effects));
      auto after = game.pieces(state, Viewer::all());
      std::sort(pieces.begin(), pieces.end());
      std::sort(after.begin(), after.end());
      ASSERT_EQ(pieces, after);
      EXPECT_EQ(without_names(seen), without_names(effects)) << "hiding leaves out names only";
      // Points and passes.
      int points = 0, passes = 0;
      for (const Effect& effect : effects) {
        points += effect.kind == Effect::Kind::score ? effect.points : 0;
        passes += effect.kind == Effect::Kind::pass ? 1 : 0;
      }
      int expected = 0;
      for (int seat = 0; seat < options.seats; ++seat) expected += state.scores[seat] - before.scores[seat];
      EXPECT_EQ(points, expected);
      EXPECT_LE(state.turns - before.turns, passes + 1);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(CubedBoards, HiddenPiecesAreWrittenAsQuestionMarks) {
  Cubed::Options options(3);
  options.take = options.fill = true;
  const Cubed game(options);
  Random random(1, "hide");
  auto state = game.start();
  const auto deal = game.draw(state, random);
  const auto text = game.outcome_text(state, deal, Viewer::seat(1));
  EXPECT_EQ(text.text, "deal");
  EXPECT_TRUE(text.extra.starts_with("\"hands\":[[\"?\",\"?\""));
  EXPECT_EQ(std::count(text.extra.begin(), text.extra.end(), '?'), 36);
  EXPECT_NE(text.extra.find(cubed::json_list(cubed::words(deal.hands[1]))), std::string::npos);
  const auto watched = game.outcome_text(state, deal, Viewer::spectator()).extra;
  EXPECT_EQ(std::count(watched.begin(), watched.end(), '?'), 54);

  state = position(game, {"BCG@0,0/0"}, {"BBB", "CCC", "GGG"}, "PPP RRR");
  const auto take = *game.parse_move(state, "take2");
  game.play(state, take);
  const auto drawn = *game.parse_outcome(state, {"draw PPP RRR", ""});
  EXPECT_EQ(game.outcome_text(state, drawn, Viewer::seat(0)).text, "draw PPP RRR");
  EXPECT_EQ(game.outcome_text(state, drawn, Viewer::seat(1)).text, "draw ? ?");
  game.apply(state, drawn);
  const auto keep = *game.parse_move(state, "keep PPP");
  EXPECT_EQ(game.move_text(state, keep, Viewer::seat(0)), "keep PPP");
  EXPECT_EQ(game.move_text(state, keep, Viewer::spectator()), "keep ?");
  state.step = Step::fill;
  state.drawn = {};
  const auto give = *game.parse_move(state, "give BBB s2");
  EXPECT_EQ(game.move_text(state, give, Viewer::seat(0)), "give BBB s2");
  EXPECT_EQ(game.move_text(state, give, Viewer::seat(1)), "give ? s2");
  EXPECT_EQ(game.move_text(state, give, Viewer::seat(2)), "give BBB s2");
  EXPECT_EQ(game.move_text(state, give, Viewer::spectator()), "give ? s2");

  options.open_hands = true;
  const Cubed open(options);
  EXPECT_EQ(open.move_text(state, give, Viewer::spectator()), "give BBB s2");
  EXPECT_EQ(open.outcome_text(open.start(), deal, Viewer::spectator()),
            open.outcome_text(open.start(), deal, Viewer::all()));
  const auto pieces = open.pieces(state, Viewer::seat(1));
  for (const Piece& piece : pieces) EXPECT_EQ(piece.kind == "?", piece.place == "bag");
}

TEST(CubedBoards, EffectsNameAPieceAsItIsSeenWhereItLeavesAndWhereItArrives) {
  Cubed::Options options(3);
  options.fill = options.take = true;
  const Cubed game(options);
  auto state = position(game, {"BCG@0,0/0"}, {"BBB CPR", "CCC", "GGG"}, "PPP RRR");
  using Names = std::pair<std::string, std::string>;
  const auto names = [&](const Effect& effect) { return Names{effect.piece, effect.becomes}; };
  const auto first = [&](const char* text, Viewer viewer) {
    return names(game.effects(state, *game.parse_move(state, text), viewer).at(0));
  };
  EXPECT_EQ(first("CPR@1,0/2", Viewer::seat(0)), Names("CPR", "CPR/2"));
  EXPECT_EQ(first("CPR@1,0/2", Viewer::seat(1)), Names("?", "CPR/2"));

  game.play(state, *game.parse_move(state, "take2"));
  const auto drawn = *game.parse_outcome(state, {"draw PPP RRR", ""});
  EXPECT_EQ(names(game.effects(state, drawn, Viewer::seat(0)).at(0)), Names("?", "PPP"));
  EXPECT_EQ(names(game.effects(state, drawn, Viewer::spectator()).at(0)), Names("?", ""));
  EXPECT_EQ(names(game.effects(state, drawn, Viewer::all()).at(0)), Names("PPP", ""));
  game.apply(state, drawn);
  EXPECT_EQ(first("keep PPP", Viewer::seat(0)), Names("RRR", "?"));
  EXPECT_EQ(names(game.foreseen(state, *game.parse_move(state, "keep PPP")).at(0)), Names("RRR", "?"));
  EXPECT_EQ(first("keep PPP", Viewer::seat(1)), Names("?", ""));

  state.step = Step::fill;
  state.drawn = {};
  EXPECT_EQ(first("give BBB s2", Viewer::seat(0)), Names("BBB", "?"));
  EXPECT_EQ(first("give BBB s2", Viewer::seat(1)), Names("?", ""));
  EXPECT_EQ(first("give BBB s2", Viewer::seat(2)), Names("?", "BBB"));
  EXPECT_EQ(first("give BBB s2", Viewer::all()), Names("BBB", ""));
}

TEST(CubedBoards, TheEndOfARoundShowsAllHands) {
  Cubed::Options options(3);
  options.rounds = 2;
  const Cubed game(options);
  const std::vector<std::string> three{"BCG@0,0/0", "CPR@1,0/2", "BGP@1,-1/2"};
  const auto before = position(game, three, {"BBB", "CCC", "GGG GXX GXX"}, "PPP");
  auto after = before;
  game.play(after, *game.parse_move(before, "BBB@0,-1/0"));
  EXPECT_EQ(game.shown(before, after), R"("shown":[[],["CCC"],["GGG","GXX","GXX"]])");
  for (const Piece& piece : game.pieces(after, Viewer::spectator())) EXPECT_EQ(piece.kind == "?", piece.place == "bag");
  const auto shows = [&](Viewer viewer) {
    auto effects = game.effects(before, *game.parse_move(before, "BBB@0,-1/0"), viewer);
    std::erase_if(effects, [](const Effect& effect) { return effect.kind != Effect::Kind::show; });
    return effects;
  };
  EXPECT_EQ(
      shows(Viewer::seat(2)),
      (std::vector<Effect>{
          {.kind = Effect::Kind::show, .seat = 1, .piece = "?", .becomes = "CCC", .path = {"hand 1", "hand 1"}}}));
  EXPECT_EQ(shows(Viewer::spectator()).size(), 4U);
  EXPECT_TRUE(shows(Viewer::all()).empty());
  auto drawing = before;
  game.play(drawing, *game.parse_move(before, "draw"));
  EXPECT_EQ(game.shown(before, drawing), "");
  // The next deal hides again.
  Random random(2, "deal");
  game.apply(after, game.draw(after, random));
  for (const Piece& piece : game.pieces(after, Viewer::seat(1))) EXPECT_EQ(piece.kind == "?", piece.place != "hand 1");
}

TEST(CubedBoards, ChoicesArePieceCellTurn) {
  Cubed::Options options(2);
  options.take = true;
  const Cubed game(options);
  const auto state = position(game, {"BCG@0,0/0"}, {"CPR", "GGG"}, "PPP RRR");
  const auto choices = [&](const char* text) { return game.choices(state, *game.parse_move(state, text)); };
  EXPECT_EQ(choices("CPR@1,0/2"), (Choices{"CPR", "1,0", "2"}));
  EXPECT_EQ(choices("draw"), Choices{"draw"});
  EXPECT_EQ(choices("take2"), (Choices{"take", "2"}));
}

TEST(CubedBoards, WrongMovesAreAnsweredWithAReason) {
  const Cubed game{Cubed::Options(2)};
  const auto state = position(game, {"BCG@0,0/0", "CPR@1,0/2"}, {"CGP CCC BXX", "GGG"}, "PPP RRR");
  const auto problem = [&](std::string_view text) { return game.parse_move(state, text).error().sentence; };
  EXPECT_EQ(problem("CGP@0,1/2"), "CGP does not fit at 0,1 with turn 2, only with turn 0");
  EXPECT_EQ(problem("CGP@1,-1/0"), "CGP does not fit at 1,-1 in any turn");
  EXPECT_EQ(problem("BBB@0,1/0"), "BBB is not in the hand of seat 0");
  EXPECT_EQ(problem("GCP@0,1/0"), "there is no piece 'GCP'");
  EXPECT_EQ(problem("CGP@5,5/0"), "5,5 is not an open place; open are: 0,1  1,-1");
  EXPECT_NE(problem("BXX@0,1/0").find("first three"), std::string::npos);
  for (const std::string_view junk :
       {"",           "@",      "/",          "CGP@",       "CGP@0,1",      "CGP@0,1/3",
        "CGP@0,1/-1", "CGP@,/", "CGP@0,1/0 ", "CGP@00,1/0", "cgp@0,1/0",    "CGP@99999999999,0/0",
        "keep",       "keep ",  "give",       "give CGP",   "give CGP s9",  "give CGP s1",
        "take",       "take0",  "take2",      "pass ",      "\xff\xff@\x01"}) {
    EXPECT_FALSE(game.parse_move(state, junk)) << junk;
  }
  EXPECT_FALSE(game.parse_move(game.start(), "draw")) << "nobody's turn";
}

TEST(CubedBoards, ThePictureShowsTableHandsAndOpenPlaces) {
  const Cubed game{Cubed::Options(2)};
  const auto state = position(game, {"BCG@0,0/0", "CPR@1,0/2"}, {"CGP CCC BXX", "GGG"}, "PPP RRR");
  const std::string picture = game.picture(state, Viewer::seat(0), {});
  for (const char* part : {"/B\\", "\\G|C/", "/P\\", "\\C|R/", "0,1", "1,-1", "CGP", "BXX", "9 points",
                           "Seat 1: 1 piece", "Bag: 2 pieces", "Round 1 of 3"}) {
    EXPECT_NE(picture.find(part), std::string::npos) << part << "\n" << picture;
  }
  EXPECT_EQ(picture.find("GGG"), std::string::npos);
  EXPECT_NE(game.picture(state, Viewer::seat(0), {.colour = true}).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace tessera
