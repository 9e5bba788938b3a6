/// `tessera load` as a process: its figures are all there, and are such as a server can have.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;

class Load : public Cli {
 protected:
  Json load(const std::string& arguments) const {
    const Ran ran = run("load --json " + arguments);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    const Json report = Json::parse(ran.out, nullptr, false);
    EXPECT_TRUE(report.is_object()) << ran.out;
    return report;
  }
};

std::set<std::string> members(const Json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object.items()) names.insert(name);
  return names;
}

TEST_F(Load, MeasuresAServerOfItsOwn) {
  const Json report = load("--spawn --seconds 1 --matches 4 --idle 3 --lobby");
  EXPECT_EQ(members(report), (std::set<std::string>{"game",
                                                    "matches",
                                                    "seats",
                                                    "sockets",
                                                    "seconds",
                                                    "moves",
                                                    "games",
                                                    "moves_per_s",
                                                    "p50_ms",
                                                    "p99_ms",
                                                    "lobby_p50_ms",
                                                    "lobby_p99_ms",
                                                    "ratio_to_floor",
                                                    "rss_kb_per_match",
                                                    "bytes_per_update",
                                                    "bytes_per_command",
                                                    "bytes_largest_update",
                                                    "server_cpu_us_per_move",
                                                    "floor_cpu_us_per_move",
                                                    "floor_moves_per_s",
                                                    "rss_kb_per_idle_socket"}));
  EXPECT_EQ(report["game"], "race2");
  EXPECT_EQ(report["matches"], 4);
  EXPECT_EQ(report["seats"], 2);
  EXPECT_EQ(report["sockets"], 4 * 2 + 3);
  const auto figure = [&](const char* name) { return report.value(name, -1.0); };
  EXPECT_GE(figure("seconds"), 1);
  EXPECT_GT(figure("moves"), 4);
  EXPECT_NEAR(figure("moves_per_s"), figure("moves") / figure("seconds"), 1 + figure("moves_per_s") / 50);
  EXPECT_GE(figure("games"), 0);
  EXPECT_GT(figure("p50_ms"), 0);
  EXPECT_GE(figure("p99_ms"), figure("p50_ms"));
  EXPECT_GT(figure("lobby_p50_ms"), 0);
  EXPECT_GE(figure("lobby_p99_ms"), figure("lobby_p50_ms"));
  EXPECT_GT(figure("bytes_per_command"), 10);
  EXPECT_GT(figure("bytes_per_update"), figure("bytes_per_command"));
  EXPECT_GE(figure("bytes_largest_update"), figure("bytes_per_update"));
  EXPECT_GT(figure("floor_moves_per_s"), 0);
  EXPECT_GT(figure("floor_cpu_us_per_move"), 0);
  EXPECT_GT(figure("server_cpu_us_per_move"), 0);
  EXPECT_NEAR(figure("ratio_to_floor"), figure("server_cpu_us_per_move") / figure("floor_cpu_us_per_move"),
              figure("ratio_to_floor") / 100);
}

TEST_F(Load, WritesDownWhatThePlayersAreTold) {
  const Json report = load("--spawn --seconds 1 --matches 2 --game cubed --pace 0.01 --history " + path("told"));
  std::istringstream lines(read("told"));
  std::map<std::pair<std::string, int>, std::uint64_t> told;  // by match and seat: up to which event
  std::map<std::string, std::set<std::uint64_t>> ends;        // by match: where its seats are
  int moves = 0;
  for (std::string text; std::getline(lines, text);) {
    const Json line = Json::parse(text, nullptr, false);
    ASSERT_TRUE(line.is_object()) << text;
    std::uint64_t& last = told[{line.value("match", ""), line.value("seat", -1)}];
    if (line.contains("opened")) {
      EXPECT_FALSE(line.value("you", "").empty()) << text;
      last = line["opened"];
    }
    if (line.contains("events")) {
      EXPECT_EQ(line["seq"], last + line["events"].size()) << text;
      last = line["seq"];
    }
    if (line.value("do", "") == "roll" || line.value("do", "") == "move") ++moves;
    EXPECT_GT(line.value("t", 0.0), 1.7e9) << "seconds since 1970";
  }
  EXPECT_GE(moves, report.value("moves", 0)) << "those of the first second, which are not measured, too";
  for (const auto& [place, last] : told) ends[place.first].insert(last);
  for (const auto& [match, seats] : ends) EXPECT_EQ(seats.size(), 1U) << "all seats have been told everything";
}

TEST_F(Load, FindsNothingLostUnderKills) {
  const Json report = load("--durability 2 --matches 4");
  EXPECT_EQ(members(report), (std::set<std::string>{"kills", "matches", "moves_acknowledged", "lost", "doubled",
                                                    "resumed_s_median", "resumed_s_worst"}));
  EXPECT_EQ(report["kills"], 2);
  EXPECT_EQ(report["matches"], 4);
  EXPECT_EQ(report["lost"], 0);
  EXPECT_EQ(report["doubled"], 0);
  EXPECT_GT(report.value("moves_acknowledged", 0), 4 * 2 * 2) << "every match has gone on after each kill";
  EXPECT_GT(report.value("resumed_s_median", 0.0), 0);
  EXPECT_GE(report.value("resumed_s_worst", 0.0), report.value("resumed_s_median", 0.0));
}

TEST_F(Load, SaysWhatIsWrong) {
  expect_refused("load", "--spawn");
  expect_refused("load --spawn --pace never", "never");
  expect_refused("load --spawn --game chess", "chess");
  expect_refused("load --spawn --processes 2", "--database");
  expect_refused("load --url http://127.0.0.1:1 --bus nats://127.0.0.1:2", "--spawn");
}

}  // namespace
}  // namespace tessera
