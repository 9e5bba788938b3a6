/// Names what a game still lacks, so that a new folder under src/games/ tells its author what to do next.
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "games/registry.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class House : public testing::TestWithParam<const GameInfo*> {
 protected:
  const GameInfo& game() const { return *GetParam(); }
  std::string name() const { return std::string(game().name); }
  fs::path folder() const { return fs::path("src/games") / name(); }
};

INSTANTIATE_TEST_SUITE_P(EveryGame, House, testing::ValuesIn(all_games().begin(), all_games().end()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(House, EveryFolderIsInTheRegistry) {
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator("src/games")) {
    if (entry.is_directory()) folders.insert(entry.path().filename());
  }
  std::set<std::string> names;
  for (const GameInfo* game : all_games()) names.insert(std::string(game->name));
  EXPECT_EQ(folders, names);
}

TEST_P(House, HasItsFiles) {
  const std::vector<std::string> files{name() + ".hpp",      name() + ".cpp",      name() + "_test.cpp",
                                       name() + "_eval.hpp", name() + "_eval.cpp", "rules.md",
                                       "perft.txt",          "golden.list",        "golden"};
  for (const std::string& file : files) {
    EXPECT_TRUE(fs::exists(folder() / file)) << name() << " lacks " << file;
  }
}

TEST_P(House, HeaderOpensWithTheRulesAndEveryOption) {
  const std::string header = content(folder() / (name() + ".hpp"));
  const std::string opening = header.substr(0, header.find("namespace tessera {"));
  for (const OptionValue& option : game().defaults(game().usual_seats())) {
    EXPECT_NE(opening.find("| " + std::string(option.spec.name) + " "), std::string::npos)
        << name() << ".hpp opens with a table of options that lacks " << option.spec.name;
  }
}

TEST_P(House, RulesPageIsWorthReading) {
  EXPECT_TRUE(game().rules.starts_with("# " + std::string(game().title) + "\n"));
  EXPECT_GT(game().rules.size(), 1500U) << name() << "/rules.md is too short to learn the game from";
  EXPECT_FALSE(game().summary.empty());
}

/// Every value of a choice, and for a number some value besides the default, stands in some golden transcript.
TEST_P(House, HasAGoldenTranscriptForEveryOption) {
  std::map<std::string, std::set<std::string>> seen;
  std::set<int> seats;
  constexpr std::uintmax_t small = 300'000;
  ASSERT_TRUE(fs::exists(folder() / "golden")) << name() << " lacks golden transcripts";
  for (const auto& entry : fs::directory_iterator(folder() / "golden")) {
    EXPECT_LT(fs::file_size(entry.path()), small) << entry.path() << " is too large; set turn_limit";
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with(R"({"game":)")) continue;
      const auto header = nlohmann::json::parse(line);
      seats.insert(header["seats"].get<int>());
      for (const auto& [option, value] : header["options"].items()) {
        seen[option].insert(value.is_string() ? value.get<std::string>() : value.dump());
      }
    }
  }
  for (const OptionValue& option : game().defaults(game().usual_seats())) {
    const std::string option_name(option.spec.name);
    if (option.spec.kind == OptionSpec::Kind::integer || option.spec.kind == OptionSpec::Kind::seat) {
      std::set<std::string> others = seen[option_name];
      others.erase(option.spec.value_text(option.value));
      EXPECT_FALSE(others.empty()) << name() << " lacks a golden transcript with another " << option_name;
      continue;
    }
    for (int value = option.spec.min; value <= option.spec.max; ++value) {
      EXPECT_TRUE(seen[option_name].contains(option.spec.value_text(value)))
          << name() << " lacks a golden transcript with " << option_name << "=" << option.spec.value_text(value);
    }
  }
  for (const int count : game().seat_counts) {
    EXPECT_TRUE(seats.contains(count)) << name() << " lacks a golden transcript with " << count << " seats";
  }
}

}  // namespace
}  // namespace tessera
