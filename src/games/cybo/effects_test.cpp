/// CYBO: what effects tell is what happens.

#include <gtest/gtest.h>
#include <algorithm>

#include "games/cybo/cybo.hpp"

namespace tessera {
namespace {

/// Follows a game by its effects alone.
class Follower {
 public:
  std::vector<Piece> markers;  ///< sorted
  std::array<int, max_seats> totals{};
  std::vector<int> winners;
  int scores = 0, passes = 0, agains = 0;  ///< told so far

  void follow(const std::vector<Effect>& effects) {
    const auto missing = tessera::follow(markers, effects);
    ASSERT_FALSE(missing) << missing->sentence;
    std::sort(markers.begin(), markers.end());
    for (const Effect& effect : effects) {
      switch (effect.kind) {
        case Effect::Kind::move:
          ASSERT_EQ(effect.path.size(), 2U);
          ASSERT_EQ(effect.path.front(), "die");
          break;
        case Effect::Kind::put_back:
          ASSERT_EQ(effect.path.size(), 2U);
          ASSERT_EQ(effect.path.back(), "die");
          break;
        case Effect::Kind::score:
          ++scores;
          ASSERT_GT(effect.points, 0);
          totals[effect.seat] += effect.points;
          break;
        case Effect::Kind::pass: ++passes; break;
        case Effect::Kind::again: ++agains; break;
        case Effect::Kind::win: winners.push_back(effect.seat); break;
        default: FAIL() << "CYBO tells no " << effect_name(effect.kind);
      }
    }
  }
};

/// Rolls again, out of sight, while the turn would end, a few times: long turns are what there is to see.
Roll lucky_roll(const Cybo& game, const Cybo::State& state, Random& random) {
  Roll roll{1};
  for (int tries = 0; tries < 8; ++tries) {
    roll = game.draw(state, random);
    Cybo::State next = state;
    game.apply(next, roll);
    if (next.turns == state.turns || next.total != state.total) break;
  }
  return roll;
}

TEST(CyboEffects, TellTheWholeGame) {
  Random random(3, "effects");
  int agains = 0;
  int forced = 0;
  for (int i = 0; i < 120; ++i) {
    Cybo::Options chosen(2 + i % 5);
    chosen.level = static_cast<Cybo::Level>(i % 4);
    chosen.tie = i % 3 == 0 ? Cybo::Tie::extra : Cybo::Tie::share;
    chosen.first = i % 2;
    if (i % 10 == 0) chosen.turn_limit = 20;
    const Cybo game(chosen);
    Cybo::State state = game.start();
    Follower follower;
    follower.markers = game.pieces(state, Viewer::all());
    while (game.turn(state).phase != Phase::over) {
      const Cybo::State before = state;
      const int agains_before = follower.agains;
      std::vector<Effect> effects;
      if (game.turn(state).phase == Phase::chance) {
        const Roll roll = lucky_roll(game, state, random);
        effects = game.effects(state, roll, Viewer::seat(0));
        EXPECT_EQ(effects, game.effects(state, roll, Viewer::all())) << "nothing is hidden";
        game.apply(state, roll);
        if (state.turns == before.turns && std::any_of(effects.begin(), effects.end(), [](const Effect& effect) {
              return effect.kind == Effect::Kind::again;
            })) {
          ++forced;
        }
      } else {
        const Move move = random(2);
        effects = game.effects(state, move, Viewer::spectator());
        game.play(state, move);
        EXPECT_EQ(std::count_if(effects.begin(), effects.end(),
                                [](const Effect& effect) { return effect.kind == Effect::Kind::again; }),
                  move == Cybo::quad ? 1 : 0);
      }
      follower.follow(effects);
      ASSERT_FALSE(HasFatalFailure());
      EXPECT_EQ(follower.markers, game.pieces(state, Viewer::all()));
      for (int seat = 0; seat < chosen.seats; ++seat) EXPECT_EQ(follower.totals[seat], state.total[seat]);
      EXPECT_EQ(follower.scores + follower.passes, state.turns) << "each turn ends with one of them";
      EXPECT_LE(follower.agains, agains_before + 1);
    }
    for (const Piece& marker : follower.markers) EXPECT_EQ(marker.place, "die");
    std::uint8_t winners = 0;
    for (const int seat : follower.winners) winners |= static_cast<std::uint8_t>(1 << seat);
    EXPECT_EQ(winners, game.result(state).winners);
    agains += follower.agains;
  }
  EXPECT_GT(agains, 100);
  EXPECT_EQ(forced, 0) << "Quads are not repeated by chance; see the next test";
}

TEST(CyboEffects, TellTheForcedRollForAQuad) {
  Cybo::Options chosen(2);
  chosen.level = Cybo::Level::grandmaster;
  const Cybo game(chosen);
  Cybo::State state = game.start();
  for (int turn = 0; turn < 2; ++turn) {
    for (const std::uint8_t number : {5, 6, 7}) game.apply(state, {number});
    game.play(state, Cybo::quad);
    game.apply(state, {8});
    while (state.seat == 1) game.apply(state, {1});
  }
  game.apply(state, {5});
  game.apply(state, {6});
  EXPECT_EQ(game.effects(state, Roll{7}, Viewer::all()),
            (std::vector<Effect>{{.kind = Effect::Kind::move, .seat = 0, .piece = "3rd", .path = {"die", "7"}},
                                 {.kind = Effect::Kind::again, .seat = 0}}));
}

TEST(CyboEffects, BeginnersMarkersMayShareANumber) {
  Cybo::Options chosen(2);
  chosen.level = Cybo::Level::beginner;
  const Cybo game(chosen);
  Cybo::State state = game.start();
  for (const std::uint8_t number : {5, 1, 5}) game.apply(state, {number});
  EXPECT_EQ(game.pieces(state, Viewer::all()),
            (std::vector<Piece>{
                {-1, "1st", "5"}, {-1, "2nd", "1"}, {-1, "3rd", "5"}, {-1, "4th", "die"}, {-1, "5th", "die"}}));
}

}  // namespace
}  // namespace tessera
