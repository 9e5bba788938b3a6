#include "bots/bots.hpp"

#include <gtest/gtest.h>
#include <map>

#include "games/registry.hpp"

namespace tessera {
namespace {

class FromStream : public UniformSource {
 public:
  explicit FromStream(Random& random) : random_(random) {}
  std::uint32_t operator()(std::uint32_t n) override { return random_(n); }

 private:
  Random& random_;
};

const GameInfo& game(std::string_view name) {
  for (const GameInfo* info : all_games()) {
    if (info->name == name) return *info;
  }
  ADD_FAILURE() << "no game " << name;
  return *all_games().front();
}

std::unique_ptr<Play> start(std::string_view name, const std::vector<Setting>& settings) {
  auto started = game(name).start(2, settings);
  EXPECT_TRUE(started) << name;
  return std::move(*started);
}

/// Plays to the end, seat by seat with the bots of these names.
Result play_out(Play& play, const std::array<std::string_view, 2>& names, std::uint64_t seed) {
  Streams streams(seed);
  while (play.turn().phase != Phase::over) {
    if (play.turn().phase == Phase::chance) {
      FromStream source(streams[play.stream()]);
      EXPECT_FALSE(play.apply(play.draw(source)));
    } else {
      const int seat = play.turn().seat;
      Random& random = streams[{.kind = Stream::Kind::choice, .index = static_cast<std::uint8_t>(seat)}];
      play.play(choose(*find_bot(names[static_cast<std::size_t>(seat)]), play, random));
    }
  }
  return play.result();
}

/// How many of 200 games "simple" wins alone against "random", each playing first in half of them.
int won_alone_of_200(std::string_view name, const std::vector<Setting>& settings) {
  int won = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const int simple_seat = static_cast<int>(seed % 2);
    const auto play = start(name, settings);
    std::array<std::string_view, 2> names{"random", "random"};
    names[static_cast<std::size_t>(simple_seat)] = "simple";
    const Result result = play_out(*play, names, seed);
    won += result.won(simple_seat) && !result.won(1 - simple_seat) ? 1 : 0;
  }
  return won;
}

TEST(Bots, AreFoundByName) {
  for (const BotInfo& bot : all_bots()) {
    EXPECT_EQ(find_bot(bot.name), &bot);
    EXPECT_FALSE(bot.title.empty());
    EXPECT_FALSE(bot.line.empty());
  }
  EXPECT_EQ(find_bot("nobody"), nullptr);
}

// The games are the same in every run; a change of rules or weights may move the numbers a little.
TEST(Bots, SimpleBeatsRandom) {
  EXPECT_GE(won_alone_of_200("marbles", {}), 130);
  EXPECT_GE(won_alone_of_200("cyclone", {}), 180);
  EXPECT_GE(won_alone_of_200("cylinder", {}), 180);
  EXPECT_GE(won_alone_of_200("cubed", {{"rounds", "1"}}), 125);
}

/// In CYBO luck drowns the one decision there is, so the decision itself is looked at.
TEST(Bots, SimpleRollsForAQuadOnThreePointsAndStopsOnNine) {
  int rolled_on_three = 0;
  int stopped_on_nine = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto play = start("cybo", {{"level", "beginner"}});
    Streams streams(seed);
    Random random(seed, "test");
    while (play->turn().phase != Phase::over) {
      if (play->turn().phase == Phase::chance) {
        FromStream source(streams[play->stream()]);
        ASSERT_FALSE(play->apply(play->draw(source)));
        continue;
      }
      const Move chosen = choose(*find_bot("simple"), *play, random);
      const std::string text = play->text(chosen, Viewer::all());
      const std::vector<Effect> if_stopped = play->foreseen(*play->parse("stop"));
      const int safe = if_stopped.front().points;
      ASSERT_TRUE(safe == 3 || safe == 9);
      if (if_stopped.back().kind != Effect::Kind::win) {
        EXPECT_EQ(text, safe == 3 ? "quad" : "stop");
        ++(safe == 3 ? rolled_on_three : stopped_on_nine);
      }
      play->play(chosen);
    }
  }
  EXPECT_GT(rolled_on_three, 20);
  EXPECT_GT(stopped_on_nine, 20);
}

/// Counts how often each of the legal moves of a first roll is chosen.
TEST(Bots, RandomChoosesEveryLegalMoveEquallyOften) {
  const auto play = start("cyclone", {});
  ASSERT_FALSE(play->apply({.text = "roll 4", .extra = ""}));
  const std::vector<Move> legal = play->legal();
  ASSERT_EQ(legal.size(), 5);
  Random random(1, "test");
  std::map<Move, int> chosen;
  for (int i = 0; i < 5000; ++i) ++chosen[choose(*find_bot("random"), *play, random)];
  for (const Move move : legal) EXPECT_NEAR(chosen[move], 1000, 100);  // more than three standard deviations
}

/// A bot decides alike whatever its opponents hold: only what the seat may know takes part.
TEST(Bots, SimpleDecidesWithoutHiddenHands) {
  int decisions = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto play = start("cubed", {{"rounds", "1"}});
    Streams streams(seed);
    FromStream source(streams[play->stream()]);
    const OutcomeText deal = play->draw(source);
    ASSERT_FALSE(play->apply(deal));
    const int seat = play->turn().seat;
    // What the seat was dealt, and a table drawn at random around it.
    const auto knowledge = start("cubed", {{"rounds", "1"}})->know_nothing(Viewer::seat(seat));
    const auto seen = start("cubed", {{"rounds", "1"}})->seen(deal, Viewer::seat(seat));
    ASSERT_TRUE(seen);
    ASSERT_FALSE(knowledge->observe({.kind = Line::Kind::chance, .text = seen->text, .extra = seen->extra}));
    Random around(seed, "around");
    const auto other = knowledge->determinize(around);
    ASSERT_FALSE(other->equals(*play));
    Random one(seed, "bot");
    Random two(seed, "bot");
    EXPECT_EQ(choose(*find_bot("simple"), *play, one), choose(*find_bot("simple"), *other, two));
    ++decisions;
  }
  EXPECT_EQ(decisions, 10);
}

}  // namespace
}  // namespace tessera
