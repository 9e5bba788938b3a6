/// Includes point down the layers, never up or sideways.
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

namespace {

/// What each folder under src/ may include besides itself. A game is a layer of its own.
const std::map<std::string, std::set<std::string>> may_include{
    {"core", {}},
    {"rules", {"core"}},
    {"games", {"core", "rules"}},
    {"fair", {"core"}},
    {"crypto", {"core", "fair"}},
    {"search", {"core", "rules"}},
    {"bots", {"core", "rules", "search"}},
    {"review", {"core", "rules", "search", "bots"}},
    {"engine", {"core", "rules", "search", "bots"}},
    {"arena", {"core", "rules", "search", "bots", "engine"}},
    {"match", {"core", "rules", "fair"}},
    {"store", {"core", "rules", "match"}},
    {"server", {"core", "rules", "search", "fair", "crypto", "bots", "review", "match", "store"}},
    {"cli",
     {"core", "rules", "search", "games", "fair", "crypto", "bots", "review", "engine", "arena", "match", "store",
      "server", "bench"}},
};

/// "games/marbles" for files of a game, else the first folder.
std::string layer_of(const std::filesystem::path& file) {
  auto part = file.begin();
  const std::string first = part->string();
  if (first != "games" || std::distance(file.begin(), file.end()) < 3) return first;
  return first + "/" + (++part)->string();
}

bool allowed(const std::string& from, const std::string& to) {
  if (from == to) return true;
  const std::string from_top = from.substr(0, from.find('/'));
  const std::string to_top = to.substr(0, to.find('/'));
  return may_include.at(from_top).contains(to_top) && from_top != to_top;
}

TEST(Layers, IncludesPointDown) {
  const std::regex include(R"re(^\s*#\s*include\s*"([^"]+)")re");
  int includes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("src")) {
    const std::string extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".hpp") continue;
    const auto file = entry.path().lexically_relative("src");
    const std::string from = layer_of(file);
    ASSERT_TRUE(may_include.contains(from.substr(0, from.find('/')))) << from << " is no known layer";
    const bool test = file.filename().string().ends_with("_test.cpp") || file.filename() == "testing.hpp";
    std::ifstream source(entry.path());
    for (std::string line; std::getline(source, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      ++includes;
      const std::string to = layer_of(match[1].str());
      const bool registry_in_test = test && match[1] == "games/registry.hpp";
      EXPECT_TRUE(allowed(from, to) || registry_in_test) << file << " includes " << match[1];
    }
  }
  EXPECT_GT(includes, 20);
}

TEST(Layers, UpwardAndSidewaysIncludesAreFound) {
  EXPECT_FALSE(allowed("core", "rules"));
  EXPECT_FALSE(allowed("rules", "games/marbles"));
  EXPECT_FALSE(allowed("games/marbles", "games/cybo"));
  EXPECT_FALSE(allowed("games/marbles", "cli"));
  EXPECT_TRUE(allowed("games/marbles", "rules"));
  EXPECT_TRUE(allowed("cli", "games/marbles"));
}

}  // namespace
