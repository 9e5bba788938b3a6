#include "bench/race2.hpp"

#include <gtest/gtest.h>

namespace tessera::bench {
namespace {

TEST(Race2, ARollMovesTheRunnerRoundTheRingAndTheTurnPasses) {
  const Setting first{"first", "1"};
  auto play = std::move(*race2_info().start(2, {&first, 1}));
  EXPECT_EQ(play->turn(), (Turn{Phase::chance, 1}));
  for (int turn = 0; turn < 10; ++turn) {
    ASSERT_FALSE(play->apply({turn % 2 == 0 ? "roll 6" : "roll 1", ""}));
  }
  EXPECT_EQ(play->pieces(Viewer::all()), (std::vector<Piece>{{0, "", "5"}, {1, "", "0"}}));
  EXPECT_EQ(play->turn(), (Turn{Phase::chance, 1}));
  const auto effects = play->effects(OutcomeText{"roll 3", ""}, Viewer::spectator());
  EXPECT_EQ(*effects, (std::vector<Effect>{{.kind = Effect::Kind::move, .seat = 1, .path = {"0", "3"}}}));
  EXPECT_TRUE(play->apply({"roll 7", ""}));
}

TEST(Race2, TheTurnLimitEndsItAndTheOneAheadWins) {
  const Setting limit{"turn_limit", "2"};
  auto play = std::move(*race2_info().start(2, {&limit, 1}));
  ASSERT_FALSE(play->apply({"roll 2", ""}));
  EXPECT_EQ(play->effects(OutcomeText{"roll 5", ""}, Viewer::spectator())->back(),
            (Effect{.kind = Effect::Kind::win, .seat = 1}));
  ASSERT_FALSE(play->apply({"roll 5", ""}));
  EXPECT_EQ(play->turn(), (Turn{Phase::over, -1}));
  EXPECT_TRUE(play->result().won(1));
  EXPECT_FALSE(play->result().won(0));
}

TEST(Race2, LastsAsLongAsALoad) {
  const auto play = std::move(*race2_info().start(2, {}));
  for (const OptionValue& option : play->options()) {
    if (option.spec.name == "turn_limit") EXPECT_GT(option.value, 1'000'000'000);
  }
}

}  // namespace
}  // namespace tessera::bench
