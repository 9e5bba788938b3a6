#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bots/bots.hpp"
#include "match/match.hpp"
#include "match/record.hpp"
#include "server/testing.hpp"

/// Tables over real sockets, and people seated at them.
namespace tessera::server {

inline const Json short_marbles{{"game", "marbles"}, {"seats", 2}, {"options", {{"spaces", 8}}}};

class LiveTable : public ServerTest {
 protected:
  void SetUp() override { start(); }

  /// A table with everybody seated, in order.
  static std::string seat(const std::vector<Visitor>& people, Json settings) {
    settings["seats"] = people.size();
    const std::string table = make_table(people.front(), settings);
    for (std::size_t i = 0; i < people.size(); ++i) {
      const Reply sat = people[i].command(table, {{"id", 1}, {"do", "sit"}, {"seat", i}});
      EXPECT_EQ(sat.status, 200) << sat.body;
    }
    return table;
  }

  /// The finished match, recomputed from its record.
  Match recomputed(const std::string& table, const std::function<void(const Happening&)>& tell = {}) const {
    const Reply reply = ask(port(), "GET", "/api/tables/" + table + "/record");
    EXPECT_EQ(reply.status, 200) << reply.body;
    const auto record = parse_record(reply.body);
    const World world{.games = all_games(), .bots = bot_names(), .hash = &crypto::hash(), .fresh_secret = nullptr};
    auto match = Match::fold(world, table, record->log, tell);
    EXPECT_TRUE(match) << match.error().sentence;
    EXPECT_EQ(match->stage(), Stage::over);
    EXPECT_EQ(match->sequence(), record->log.size());
    return std::move(*match);
  }
};

}  // namespace tessera::server
