/// Golden transcripts and perft counts, read from each game's folder. `scripts/golden` rewrites the transcripts.
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/text.hpp"
#include "games/registry.hpp"
#include "rules/transcript.hpp"

namespace tessera {
namespace {

std::filesystem::path folder(const GameInfo& game) { return std::filesystem::path("src/games") / game.name; }

class Golden : public testing::TestWithParam<const GameInfo*> {
 protected:
  const GameInfo& game() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(EveryGame, Golden, testing::ValuesIn(all_games().begin(), all_games().end()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST_P(Golden, TranscriptsAreWhatTheRulesSay) {
  ASSERT_TRUE(std::filesystem::exists(folder(game()) / "golden"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder(game()) / "golden")) {
    SCOPED_TRACE(entry.path());
    TranscriptReader reader(all_games());
    std::ifstream file(entry.path());
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      const auto problem = reader.read(line);
      ASSERT_FALSE(problem) << "line " << number << " " << problem->sentence;
    }
    EXPECT_GE(reader.games(), 1);
    EXPECT_EQ(reader.unfinished(), 0);
    EXPECT_EQ(reader.play()->info().name, game().name);
    ++files;
  }
  EXPECT_GT(files, 0);
}

/// A line of perft.txt: SEATS DEPTH COUNT [NAME=VALUE…]. Deals are drawn from seed 1.
TEST_P(Golden, PerftCounts) {
  std::ifstream file(folder(game()) / "perft.txt");
  int counts = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    SCOPED_TRACE(line);
    std::istringstream words(line);
    int seats = 0;
    int depth = 0;
    std::uint64_t count = 0;
    words >> seats >> depth >> count;
    std::vector<Setting> settings;
    for (std::string word; words >> word;) settings.push_back(*parse_setting(word));
    const auto play = game().start(seats, settings);
    ASSERT_TRUE(play) << play.error().sentence;
    EXPECT_EQ((*play)->perft(depth, 1), count);
    ++counts;
  }
  EXPECT_GT(counts, 0);
}

}  // namespace
}  // namespace tessera
