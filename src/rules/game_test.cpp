#include "rules/game.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

using Kind = Effect::Kind;
using Pieces = std::vector<Piece>;

/// What effects make of pieces.
Pieces followed(Pieces pieces, const std::vector<Effect>& effects) {
  const auto missing = follow(pieces, effects);
  EXPECT_FALSE(missing) << missing->sentence;
  return pieces;
}

TEST(Follow, TheTopmostOfTheSeatGoesOnTop) {
  EXPECT_EQ(followed({{0, "", "a"}, {1, "", "a"}, {0, "", "a"}, {1, "", "b"}},
                     {{.kind = Kind::move, .seat = 1, .path = {"a", "c", "b"}}}),
            (Pieces{{0, "", "a"}, {0, "", "a"}, {1, "", "b"}, {1, "", "b"}}));
  EXPECT_EQ(followed({{0, "", "a"}, {1, "", "a"}, {0, "", "a"}, {1, "", "b"}},
                     {{.kind = Kind::send_home, .seat = 0, .path = {"a", "b"}}}),
            (Pieces{{0, "", "a"}, {1, "", "a"}, {1, "", "b"}, {0, "", "b"}}));
}

TEST(Follow, ASweepTakesAllInOrder) {
  EXPECT_EQ(followed({{1, "", "a"}, {2, "", "b"}, {0, "", "a"}, {0, "", "c"}},
                     {{.kind = Kind::sweep, .seat = 2, .path = {"a", "b"}}}),
            (Pieces{{2, "", "b"}, {0, "", "c"}, {1, "", "b"}, {0, "", "b"}}));
}

TEST(Follow, APieceIsFoundByItsKindAndMayBecomeAnother) {
  EXPECT_EQ(followed({{-1, "BCG", "hand 0"}, {-1, "GGG", "hand 0"}},
                     {{.kind = Kind::lay, .seat = 0, .piece = "BCG", .becomes = "BCG/2", .path = {"hand 0", "0,0"}}}),
            (Pieces{{-1, "GGG", "hand 0"}, {-1, "BCG/2", "0,0"}}));
  EXPECT_EQ(followed({{-1, "?", "hand 1"}, {-1, "?", "hand 1"}},
                     {{.kind = Kind::show, .seat = 1, .piece = "?", .becomes = "BBB", .path = {"hand 1", "hand 1"}},
                      {.kind = Kind::show, .seat = 1, .piece = "?", .becomes = "CCC", .path = {"hand 1", "hand 1"}}}),
            (Pieces{{-1, "BBB", "hand 1"}, {-1, "CCC", "hand 1"}}));
}

TEST(Follow, WithoutAPathNothingChanges) {
  const Pieces pieces{{0, "", "a"}};
  EXPECT_EQ(followed(pieces, {{.kind = Kind::pass, .seat = 0}, {.kind = Kind::score, .seat = 0, .points = 3}}), pieces);
}

TEST(Follow, APieceThatIsNotThereIsNamed) {
  const auto sentence = [](Pieces pieces, const Effect& effect) { return follow(pieces, {&effect, 1})->sentence; };
  const Effect move{.kind = Kind::move, .seat = 1, .piece = "1st", .path = {"die", "5"}};
  const std::string expected = "move: there is no piece '1st' of seat 1 at die";
  EXPECT_EQ(sentence({{1, "1st", "5"}}, move), expected) << "elsewhere";
  EXPECT_EQ(sentence({{1, "2nd", "die"}}, move), expected) << "of another kind";
  EXPECT_EQ(sentence({{0, "1st", "die"}}, move), expected) << "of another seat";
  EXPECT_NE(sentence({{0, "", "a"}}, {.kind = Kind::sweep, .seat = 0, .path = {"b", "a"}}).find("sweep"),
            std::string::npos);
}

}  // namespace
}  // namespace tessera
