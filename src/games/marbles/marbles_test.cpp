#include "games/marbles/marbles.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Marbles, NeedsAOneOrASixToComeOut) {
  const Marbles game(Marbles::Options(2));
  auto state = game.start();
  game.apply(state, {3});
  EXPECT_EQ(game.turn(state), (Turn{Phase::chance, 1}));
  game.apply(state, {6});
  ASSERT_EQ(game.turn(state), (Turn{Phase::decision, 1}));
  const auto move = game.parse_move(state, "out");
  ASSERT_TRUE(move);
  game.play(state, *move);
  EXPECT_EQ(game.turn(state), (Turn{Phase::chance, 1})) << "a 6 rolls again";
}

}  // namespace
}  // namespace tessera
