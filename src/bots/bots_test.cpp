#include "bots/bots.hpp"

#include <gtest/gtest.h>

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

TEST(Bots, SimpleBeatsRandom) {
  std::printf("marbles %d\n", won_alone_of_200("marbles", {}));
  std::printf("cyclone %d\n", won_alone_of_200("cyclone", {}));
  std::printf("cubed %d\n", won_alone_of_200("cubed", {{"rounds", "1"}}));
  std::printf("cylinder %d\n", won_alone_of_200("cylinder", {}));
  std::printf("cybo %d\n", won_alone_of_200("cybo", {{"level", "beginner"}}));
}

}  // namespace
}  // namespace tessera
