#include "bots/bots.hpp"

#include <gtest/gtest.h>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "bots/weights.hpp"
#include "games/registry.hpp"
#include "rules/transcript.hpp"
#include "rules/witness.hpp"

namespace tessera {
namespace {

const GameInfo& game(std::string_view name) {
  for (const GameInfo* info : all_games()) {
    if (info->name == name) return *info;
  }
  ADD_FAILURE() << "no game " << name;
  return *all_games().front();
}

std::unique_ptr<Play> start(std::string_view name, int seats, const std::vector<Setting>& settings = {}) {
  auto started = game(name).start(seats, settings);
  EXPECT_TRUE(started) << name;
  return std::move(*started);
}

/// A game between players of these names, one a seat, of which each gets what its seat knows.
class Table {
 public:
  Table(std::unique_ptr<Play> play, const std::vector<std::string>& names, std::uint64_t seed)
      : play_(std::move(play)), witnesses_(*play_), streams_(seed) {
    for (const std::string& name : names) players_.push_back(std::move(*make_player(name, play_->info())));
  }

  const Play& play() const { return *play_; }
  std::unique_ptr<Knowledge> known() const { return witnesses_.asked(*play_); }

  void go_on() {
    Line line;
    if (play_->turn().phase == Phase::chance) {
      UniformOf uniform(streams_[play_->stream()]);
      line = chance_line(*play_, play_->draw(uniform));
    } else {
      const auto seat = static_cast<std::uint8_t>(play_->turn().seat);
      const auto legal = play_->legal();
      const Thought thought = players_[seat]->think(*known(), streams_[{Stream::Kind::choice, seat}]);
      ASSERT_NE(std::find(legal.begin(), legal.end(), thought.move), legal.end());
      ASSERT_EQ(thought.moves.size(), legal.size());
      EXPECT_EQ(thought.moves.front().move, thought.move);
      for (const MoveChance& move : thought.moves) {
        EXPECT_GE(move.chance, 0);
        EXPECT_LE(move.chance, 1 + 1e-9);
      }
      line = move_line(*play_, thought.move);
    }
    const auto before = play_->clone();
    ASSERT_FALSE(follow(*play_, line));
    witnesses_.saw(*before, line, *play_);
  }

  void until_decision() {
    while (play_->turn().phase == Phase::chance) go_on();
  }

  Result to_the_end() {
    while (play_->turn().phase != Phase::over && !testing::Test::HasFatalFailure()) go_on();
    return play_->result();
  }

 private:
  std::unique_ptr<Play> play_;
  Witnesses witnesses_;
  Streams streams_;
  std::vector<std::unique_ptr<Player>> players_;
};

TEST(Bots, HaveNamesTitlesAndACharacter) {
  ASSERT_EQ(all_bots().size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    const BotInfo& bot = all_bots()[i];
    EXPECT_EQ(bot.name, std::to_string(i + 1));
    EXPECT_FALSE(bot.title.empty());
    EXPECT_FALSE(bot.line.empty());
  }
  for (const std::string_view name : bot_names()) EXPECT_TRUE(make_player(name, game("cyclone"))) << name;
  for (const std::string name : {"", "0", "6", "nobody", "uct", "uct0", "uctx", "search-1"}) {
    EXPECT_FALSE(make_player(name, game("cyclone"))) << name;
  }
}

/// Teams, and every number of seats; briefly.
std::vector<std::pair<const GameInfo*, std::vector<Setting>>> every_way_to_play(int seats) {
  std::vector<std::pair<const GameInfo*, std::vector<Setting>>> ways;
  for (const GameInfo* info : all_games()) {
    if (std::find(info->seat_counts.begin(), info->seat_counts.end(), seats) == info->seat_counts.end()) continue;
    ways.push_back({info, {}});
    for (const OptionValue& option : info->defaults(seats)) {
      if (option.spec.kind != OptionSpec::Kind::choice && option.spec.kind != OptionSpec::Kind::boolean) continue;
      for (int value = option.spec.min; value <= option.spec.max; ++value) {
        const std::vector<Setting> setting{{std::string(option.spec.name), option.spec.value_text(value)}};
        if (value != option.value && info->start(seats, setting)) ways.push_back({info, setting});
      }
    }
  }
  return ways;
}

TEST(Bots, EveryLevelPlaysEveryGameWithEverySeatCountAndOption) {
  const std::vector<std::string> names{"1", "2", "3", "4", "search20", "uct5", "random"};
  std::size_t next = 0;
  for (int seats = 1; seats <= max_seats; ++seats) {
    for (auto& [info, settings] : every_way_to_play(seats)) {
      settings.push_back({"turn_limit", std::to_string(4 * seats)});
      std::vector<std::string> players;
      for (int seat = 0; seat < seats; ++seat) players.push_back(names[next++ % names.size()]);
      Table table(start(info->name, seats, settings), players, static_cast<std::uint64_t>(seats));
      table.to_the_end();
      ASSERT_FALSE(HasFatalFailure()) << info->name << " with " << seats << " seats";
    }
  }
}

TEST(Bots, TheStrongestThinksAboutAFirstMoveOfEveryGame) {
  for (const GameInfo* info : all_games()) {
    Table table(start(info->name, info->usual_seats()), {"5", "5"}, 1);
    table.until_decision();
    if (table.play().turn().phase == Phase::decision) table.go_on();
  }
}

TEST(Bots, TheSameSeedGivesTheSameThoughtTwice) {
  std::size_t compared = 0;
  for (const GameInfo* info : all_games()) {
    for (const std::string name : {"2", "search200", "uct50"}) {
      std::array<std::vector<Thought>, 2> thoughts;
      for (auto& found : thoughts) {
        Table table(start(info->name, info->usual_seats()), {"4", "4"}, 3);
        const auto player = std::move(*make_player(name, *info));
        Random random(7, "test");
        for (int i = 0; i < 4 && table.play().turn().phase != Phase::over; ++i) {
          table.until_decision();
          if (table.play().turn().phase == Phase::over) break;
          found.push_back(player->think(*table.known(), random));
          table.go_on();
        }
      }
      EXPECT_EQ(thoughts[0], thoughts[1]) << info->name << ", " << name;
      compared += thoughts[0].size();
    }
  }
  EXPECT_GE(compared, 4 * 3 * 4U) << "in all games but CYBO, where there may be nothing to decide";
}

/// Trees are as many as asked for, and threads may run them: the thought is the same.
TEST(Bots, ThreadsDoNotChangeAThought) {
  Table table(start("cyclone", 2), {"4", "4"}, 3);
  table.until_decision();
  const RunJobs on_threads = [](std::vector<std::function<void()>>& jobs) {
    std::vector<std::thread> threads;
    for (const auto& job : jobs) threads.emplace_back(job);
    for (std::thread& thread : threads) thread.join();
  };
  const auto think = [&](const RunJobs& run) {
    Random random(1, "test");
    return (*make_player("search400", game("cyclone"), {.run = run, .trees = 3}))->think(*table.known(), random);
  };
  const Thought alone = think({});
  EXPECT_EQ(alone, think(on_threads));
  EXPECT_GE(alone.simulations, 400U);
}

TEST(Bots, AThoughtStopsEarlyWhenTold) {
  for (const std::string_view name : {"cyclone", "cubed"}) {
    Table table(start(name, 2), {"4", "4"}, 3);
    table.until_decision();
    Random random(1, "test");
    const Means means{.stop = [] { return true; }};
    const Thought thought = (*make_player("search100000", game(name), means))->think(*table.known(), random);
    EXPECT_LT(thought.simulations, 1000U);
  }
}

/// In how many of so many games, each playing first in half of them, the first wins alone.
int wins(std::string_view name, const std::vector<Setting>& settings, const std::string& first,
         const std::string& second, int games) {
  int won = 0;
  for (int i = 0; i < games; ++i) {
    const int seat = i % 2;
    std::vector<std::string> names{second, second};
    names[static_cast<std::size_t>(seat)] = first;
    Table table(start(name, 2, settings), names, static_cast<std::uint64_t>(i / 2));
    const Result result = table.to_the_end();
    won += result.won(seat) && !result.won(1 - seat) ? 1 : 0;
  }
  return won;
}

// The games are the same in every run; a change of rules or evaluations may move the numbers a little.
TEST(Bots, SearchBeatsBeginners) {
  EXPECT_GE(wins("marbles", {}, "search100", "1", 20), 14);
  EXPECT_GE(wins("cyclone", {}, "search100", "1", 20), 18);
  EXPECT_GE(wins("cylinder", {}, "search50", "1", 10), 9);
  EXPECT_GE(wins("cubed", {{"rounds", "1"}}, "search100", "1", 10), 8);
}

/// Counts how often each of the legal moves of a first roll is chosen.
TEST(Bots, RandomChoosesEveryLegalMoveEquallyOften) {
  const auto play = start("cyclone", 2);
  ASSERT_FALSE(play->apply({.text = "roll 4", .extra = ""}));
  const auto player = std::move(*make_player("random", game("cyclone")));
  Random random(1, "test");
  std::map<Move, int> chosen;
  for (int i = 0; i < 5000; ++i) ++chosen[player->think(*play->known_to_all(), random).move];
  ASSERT_EQ(chosen.size(), 5U);
  for (const auto& [move, times] : chosen) EXPECT_NEAR(times, 1000, 100);  // more than three standard deviations
}

/// Two deals that differ only in what the seat does not see.
TEST(Bots, DecideAlikeWhateverTheOthersHold) {
  for (const std::string name : {"2", "4", "search100", "uct50"}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const auto before = start("cubed", 2);
      const auto play = before->clone();
      Streams streams(seed);
      UniformOf uniform(streams[play->stream()]);
      const OutcomeText deal = play->draw(uniform);
      const Line line = chance_line(*before, deal);
      ASSERT_FALSE(play->apply(deal));
      const Viewer viewer = Viewer::seat(play->turn().seat);
      const auto knowledge = before->know_nothing(viewer);
      ASSERT_FALSE(knowledge->observe(seen_line(*before, line, *play, viewer)));
      Random around(seed, "around");
      const auto other = knowledge->determinize(around);
      ASSERT_FALSE(other->equals(*play));

      // What the seat is told of either is the same, and so is what it thinks.
      const auto told = before->know_nothing(viewer);
      ASSERT_FALSE(told->observe(seen_line(*before, line, *other, viewer)));
      for (Knowledge* known : {knowledge.get(), told.get()}) ASSERT_FALSE(known->observe(ask_line(*play)));
      ASSERT_EQ(ask_line(*play), ask_line(*other));
      Random one(seed, "bot");
      Random two(seed, "bot");
      EXPECT_EQ((*make_player(name, game("cubed")))->think(*knowledge, one),
                (*make_player(name, game("cubed")))->think(*told, two));
    }
  }
}

TEST(Learning, IsReproducibleAndRefusesWeightsOfAWrongShape) {
  for (const GameBots& bots : all_game_bots()) {
    if (bots.learning == nullptr) continue;
    const auto play = start(bots.game, 2, {{"turn_limit", "200"}});
    std::array<std::vector<double>, 2> learned;
    for (std::vector<double>& weights : learned) {
      const auto learning = bots.learning(*play);
      const std::vector<double> nothing(learning->weights().size());
      ASSERT_FALSE(learning->set_weights(nothing));
      EXPECT_EQ(learning->weights(), nothing);
      EXPECT_TRUE(learning->set_weights(std::span(nothing).first(nothing.size() - 1))) << "a wrong shape";
      Random random(1, "learning");
      for (int i = 0; i < 5; ++i) learning->learn(random);
      weights = learning->weights();
      EXPECT_NE(weights, nothing);
    }
    EXPECT_EQ(learned[0], learned[1]) << bots.game;
  }
}

TEST(Learning, GoesOnAsIfItHadNotStopped) {
  const auto play = start("cyclone", 2, {{"turn_limit", "200"}});
  const auto bots = std::find_if(all_game_bots().begin(), all_game_bots().end(),
                                 [](const GameBots& found) { return found.game == "cyclone"; });
  const auto learn = [](Learning& learning, int from, int to) {
    for (int i = from; i < to; ++i) {
      Random random(static_cast<std::uint64_t>(i), "learning");
      learning.learn(random);
    }
  };
  const auto whole = bots->learning(*play);
  learn(*whole, 0, 7);
  const auto stopped = bots->learning(*play);
  learn(*stopped, 0, 4);
  const auto going_on = bots->learning(*play);
  ASSERT_FALSE(going_on->set_memory(stopped->memory()));
  learn(*going_on, 4, 7);
  EXPECT_EQ(going_on->weights(), whole->weights());
  EXPECT_TRUE(going_on->set_memory(whole->weights())) << "a wrong shape";
}

TEST(Weights, AreReadAsTheyAreWrittenAndRefuseOtherFiles) {
  const std::vector<double> weights{0.5, -1.25, 3};
  const std::string text = weights_header("marbles", weights, "tessera train marbles");
  EXPECT_TRUE(text.starts_with("// Written by: tessera train marbles\n"));
  EXPECT_EQ(*parse_weights_header(text, "marbles"), weights);
  EXPECT_FALSE(parse_weights_header(text, "cyclone"));
  EXPECT_FALSE(parse_weights_header("", "marbles"));
  EXPECT_FALSE(parse_weights_header(text.substr(0, text.size() / 2 + 40), "marbles"));
  std::string broken = text;
  broken.replace(broken.find("-1.25"), 5, "-1.2x");
  EXPECT_FALSE(parse_weights_header(broken, "marbles"));
  // Those of another shape are refused by the evaluation.
  const auto learning = std::find_if(all_game_bots().begin(), all_game_bots().end(), [](const GameBots& found) {
                          return found.game == "marbles";
                        })->learning(*start("marbles", 2));
  EXPECT_TRUE(learning->set_weights(weights));
}

/// The weights that are kept are those that `tessera train` could have written.
TEST(Weights, OfEveryGameFitItsEvaluation) {
  for (const GameBots& bots : all_game_bots()) {
    if (bots.learning == nullptr) continue;
    const std::string name(bots.game);
    std::ifstream file("src/games/" + name + "/" + name + "_weights.hpp");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto weights = parse_weights_header(text, name);
    ASSERT_TRUE(weights) << name;
    const auto learning = bots.learning(*start(name, 2));
    EXPECT_EQ(learning->weights(), *weights) << name;
    EXPECT_FALSE(learning->set_weights(*weights)) << name;
    const std::string command = text.substr(15, text.find('\n') - 15);
    EXPECT_TRUE(command.starts_with("tessera train " + name + " ")) << command;
    EXPECT_EQ(weights_header(name, *weights, command), text) << name;
  }
}

/// A hidden game gives nothing away that was not folded from lines.
TEST(Bots, NobodyKnowsAHiddenGameFromItsState) {
  for (const GameInfo* info : all_games()) {
    const auto play = start(info->name, info->usual_seats());
    EXPECT_EQ(play->known_to_all() == nullptr, play->hidden()) << info->name;
  }
}

}  // namespace
}  // namespace tessera
