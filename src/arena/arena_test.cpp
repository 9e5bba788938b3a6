#include <gtest/gtest.h>
#include <unistd.h>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "arena/contest.hpp"
#include "arena/journal.hpp"
#include "games/registry.hpp"

namespace tessera {
namespace {

std::shared_ptr<const Play> start(std::string_view name, int seats, const std::vector<Setting>& settings = {}) {
  for (const GameInfo* info : all_games()) {
    if (info->name == name) return std::move(*info->start(seats, settings));
  }
  return nullptr;
}

/// How long players thought is no part of what must be the same.
std::vector<Block> without_time(std::vector<Block> blocks) {
  for (Block& block : blocks) {
    for (Block::Tally& tally : block.players) tally.seconds = 0;
  }
  return blocks;
}

// ── Statistics ──

TEST(WinRate, IsWilsonsIntervalForCoins) {
  std::vector<double> samples(100, 0);
  std::fill_n(samples.begin(), 60, 1);
  const Interval rate = win_rate(samples);
  EXPECT_DOUBLE_EQ(rate.mean, 0.6);
  EXPECT_NEAR(rate.low, 0.5020, 0.0005);  // as tables of Wilson's interval have it for 60 of 100
  EXPECT_NEAR(rate.high, 0.6906, 0.0005);
}

TEST(WinRate, IsNarrowerWhereSamplesAreAndNeverPretends) {
  const std::vector<double> halves(100, 0.5);
  std::vector<double> coins(100, 0);
  std::fill_n(coins.begin(), 50, 1);
  EXPECT_LT(win_rate(halves).high - win_rate(halves).low, (win_rate(coins).high - win_rate(coins).low) / 5);
  EXPECT_LT(win_rate(std::vector<double>(3, 1)).low, 0.5) << "three wins prove nothing";
  EXPECT_LT(win_rate(std::vector<double>(2, 0.5)).low, 0.3);
  EXPECT_EQ(win_rate(std::vector<double>(50, 0)).low, 0);
  EXPECT_GT(win_rate(std::vector<double>(50, 0)).high, 0);
  EXPECT_EQ(win_rate({}).high, 1);
}

TEST(WinRate, HoldsTheTruthAboutAsOftenAsItSays) {
  Random random(1, "test");
  int held = 0;
  for (int contest = 0; contest < 2000; ++contest) {
    std::vector<double> samples;
    for (int i = 0; i < 40; ++i) samples.push_back((random(10) < 6 ? 0.5 : 0) + (random(10) < 6 ? 0.5 : 0));
    const Interval rate = win_rate(samples);
    held += rate.low <= 0.6 && 0.6 <= rate.high ? 1 : 0;
  }
  EXPECT_GE(held, 1860);  // 93 %
  EXPECT_LE(held, 1980);
}

TEST(Elo, IsTheUsualScale) {
  EXPECT_DOUBLE_EQ(elo(0.5, 2), 0);
  EXPECT_NEAR(elo(10.0 / 11, 2), 400, 1e-9);
  EXPECT_NEAR(elo(0.25, 4), 0, 1e-9);
  EXPECT_TRUE(std::isinf(elo(1, 2)));
}

TEST(SequentialTest, SeldomTellsEqualsApartAndFindsTheStronger) {
  Random random(1, "test");
  const auto told_apart = [&](std::uint32_t percent, int samples) {
    SequentialTest test(2, 0.95);
    for (int i = 0; i < samples && !test.sure(); ++i) {
      const double score = random(100) < percent ? 1 : 0;
      test.add(std::vector<double>{score, 1 - score});
    }
    return test.sure();
  };
  int mistakes = 0;
  int found = 0;
  for (int contest = 0; contest < 400; ++contest) mistakes += told_apart(50, 2000) ? 1 : 0;
  for (int contest = 0; contest < 100; ++contest) found += told_apart(60, 1000) ? 1 : 0;
  EXPECT_LE(mistakes, 20) << "5 % of 400";
  EXPECT_GE(found, 98);
}

// ── Contests ──

TEST(Contest, RefusesWhatCannotBeHeld) {
  EXPECT_FALSE(check({start("cyclone", 2), {"1", "random"}}));
  EXPECT_TRUE(check({start("cyclone", 2), {"1"}}));
  EXPECT_TRUE(check({start("cyclone", 2), {"1", "nobody"}}));
  EXPECT_TRUE(check({start("cyclone", 3), {"1", "2"}})) << "three sides";
  EXPECT_FALSE(check({start("cyclone", 4), {"1", "2"}}));
  EXPECT_TRUE(check({start("marbles", 4, {{"teams", "2"}}), {"1", "2", "3", "4"}})) << "two sides";
  EXPECT_FALSE(check({start("marbles", 4, {{"teams", "2"}}), {"1", "2"}}));
}

TEST(Contest, IsTheSameForAnyNumberOfThreadsAndAgain) {
  for (const std::string_view game : {"cyclone", "cubed"}) {
    const Contest contest{start(game, 2, {{"turn_limit", "60"}}), {"1", "random"}, 5};
    const auto alone = without_time(run(contest, {}, {.blocks = 6}));
    ASSERT_EQ(alone.size(), 6U);
    EXPECT_EQ(alone, without_time(run(contest, {}, {.blocks = 6, .threads = 3}))) << game;
    EXPECT_NE(alone, without_time(run({contest.start, contest.players, 6}, {}, {.blocks = 6})));
    for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(alone[i].number, i);
  }
}

/// Whatever the dice and the seats give, they give it to both.
TEST(Contest, LuckAndSeatsCancelOut) {
  for (const std::string_view game : {"cyclone", "marbles", "cubed"}) {
    const Contest contest{start(game, 2), {"2", "2"}, 1};
    for (const Block& block : run(contest, {}, {.blocks = 3})) {
      EXPECT_EQ(block.players[0].score, 0.5);
      EXPECT_EQ(block.players[1].score, 0.5);
      EXPECT_EQ(block.players[0].moves, block.players[1].moves);
      EXPECT_GT(block.players[0].moves, 0U);
    }
  }
}

TEST(Contest, ScoresAddUpToOneWithMoreSeatsAndTeams) {
  const std::vector<Contest> contests{{start("cyclone", 4), {"3", "random", "random", "random"}},
                                      {start("cyclone", 4), {"3", "random"}},
                                      {start("marbles", 4, {{"teams", "2"}}), {"3", "random"}}};
  for (const Contest& contest : contests) {
    ASSERT_FALSE(check(contest));
    const auto blocks = run(contest, {}, {.blocks = 4});
    double first = 0;
    for (const Block& block : blocks) {
      double sum = 0;
      for (const Block::Tally& tally : block.players) sum += tally.score;
      EXPECT_NEAR(sum, 1, 1e-9);
      first += block.players[0].score / 4;
    }
    EXPECT_GT(first, 1.0 / static_cast<double>(contest.players.size())) << contest.start->info().name;
  }
}

TEST(Contest, StopsOnceItIsSure) {
  const Contest contest{start("cyclone", 2), {"4", "random"}};
  const auto blocks = run(contest, {}, {.blocks = 1000, .until = 0.95});
  EXPECT_GE(blocks.size(), 3U);
  EXPECT_LT(blocks.size(), 30U);
  EXPECT_EQ(without_time(blocks), without_time(run(contest, {}, {.blocks = 1000, .until = 0.95, .threads = 2})));
  const Standing first = standings(contest, blocks).front();
  EXPECT_EQ(first.name, "4");
  EXPECT_GT(first.win_rate.low, 0.5);
  EXPECT_GT(first.elo.low, 0);
  EXPECT_GT(first.ms_per_move, 0);
}

TEST(Contest, EndsWithWhatThereIs) {
  std::atomic<int> finished = 0;
  const Running running{.blocks = 1000,
                        .threads = 2,
                        .stop = [&] { return finished >= 3; },
                        .finished = [&](const Block&, std::span<const Block>) { ++finished; }};
  const auto blocks = run({start("cyclone", 2), {"random", "random"}}, {}, running);
  EXPECT_LE(blocks.size(), 5U);
}

TEST(Contest, EnginesPlayAndForfeitWithTheReason) {
  const std::string good = "examples/random_engine.py";
  const std::string bad =
      "sh -c 'read hello; echo ready; while read line; do case \"$line\" in go*) echo move up;; esac; done'";
  for (const std::string_view game : {"cyclone", "cubed"}) {
    Contest contest{start(game, 2, {{"turn_limit", "20"}}), {good, "random"}, 1, {.start = 60, .grace = 60}};
    ASSERT_FALSE(check(contest));
    auto found = standings(contest, run(contest, {}, {.blocks = 1, .threads = 2}));
    EXPECT_EQ(found[0].forfeits, 0U) << found[0].reason;
    EXPECT_GT(found[0].ms_per_move, 0);
    contest.players[0] = bad;
    found = standings(contest, run(contest, {}, {.blocks = 1}));
    EXPECT_EQ(found[0].forfeits, 2U);
    EXPECT_EQ(found[0].win_rate.mean, 0);
    EXPECT_EQ(found[1].win_rate.mean, 1);
    EXPECT_TRUE(found[0].reason.starts_with("it chose 'up': ")) << found[0].reason;
  }
}

// ── The journal ──

class JournalFile : public testing::Test {
 protected:
  ~JournalFile() override { std::filesystem::remove(path_); }
  void append(const std::string& text) const { std::ofstream(path_, std::ios::app) << text; }

  std::string path_ =
      (std::filesystem::temp_directory_path() / ("tessera_journal_" + std::to_string(getpid()))).string();
};

TEST_F(JournalFile, GoesOnWhereItWasInterrupted) {
  const Contest contest{start("cyclone", 2, {{"turn_limit", "60"}}), {"1", "random"}, 5};
  const Contest other{contest.start, {"2", "random"}, 5};
  const auto whole = run(contest, {}, {.blocks = 6});
  {
    auto journal = Journal::open(path_);
    ASSERT_TRUE(journal);
    EXPECT_TRUE(journal->blocks(contest).empty());
    journal->begin(contest);
    for (const int i : {4, 0, 2}) ASSERT_FALSE(journal->add(whole[static_cast<std::size_t>(i)]));
    journal->begin(other);
    ASSERT_FALSE(journal->add(
        {.number = 0, .players = {{.score = 1, .forfeits = 0}, {.forfeits = 2, .reason = "it \"crashed\""}}}));
  }
  append(R"({"block":3,"players":[{"sco)");  // the machine lost its power
  auto journal = Journal::open(path_);
  ASSERT_TRUE(journal) << journal.error().sentence;
  const auto known = journal->blocks(contest);
  EXPECT_EQ(known, (std::vector{whole[4], whole[0], whole[2]}));
  EXPECT_EQ(journal->blocks(other).at(0).players.at(1).reason, "it \"crashed\"");
  EXPECT_TRUE(journal->blocks({contest.start, contest.players, 6}).empty()) << "another seed";

  std::vector<std::uint64_t> played;
  const Running running{
      .blocks = 6, .finished = [&](const Block& block, std::span<const Block>) { played.push_back(block.number); }};
  EXPECT_EQ(without_time(run(contest, known, running)), without_time(whole));
  EXPECT_EQ(played, (std::vector<std::uint64_t>{1, 3, 5}));
}

TEST_F(JournalFile, RefusesAnotherKindOfFile) {
  append("something else\n");
  EXPECT_FALSE(Journal::open(path_));
  std::filesystem::remove(path_);
  append("{\"block\":1,\"players\":[]}\n");
  EXPECT_FALSE(Journal::open(path_)) << "no contest is named";
  EXPECT_FALSE(Journal::open("no/such/folder/journal"));
}

}  // namespace
}  // namespace tessera
