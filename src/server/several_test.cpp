/// Several servers at one PostgreSQL, joined by NATS or by the database alone. Real kills are in tests/reliability.
#include "server/several_test.hpp"

#include <map>
#include <set>
#include <sstream>

#include "server/identity.hpp"

namespace tessera::server {
namespace {

/// Everybody was told the same events, and the record of any server is true.
void expect_same(const std::vector<Player*>& players) {
  for (const Player* player : players) {
    EXPECT_EQ(player->sequence(), players.front()->sequence());
    EXPECT_EQ(player->events().size(), players.front()->events().size());
  }
}

class EachSeatElsewhere : public Several, public testing::WithParamInterface<const char*> {};

TEST_P(EachSeatElsewhere, AGameIsPlayedToItsEnd) {
  start_with_bus(3);
  const std::string id = table({{"game", GetParam()}, {"seats", 2}}, 2);
  Player first(at(people_[0], 1), id, 1);
  Player second(at(people_[1], 2), id, 2);
  Player spectator(at(program("Spectator"), 0), id, 3);
  play_to_the_end({&first, &second, &spectator});
  expect_same({&first, &second, &spectator});
  const Reply record = at({}, 0).get("/api/tables/" + id + "/record");
  EXPECT_EQ(record.status, 200);
  EXPECT_EQ(record.body, at({}, 2).get("/api/tables/" + id + "/record").body);
}
INSTANTIATE_TEST_SUITE_P(Games, EachSeatElsewhere, testing::Values("marbles", "cubed", "cylinder", "cybo", "cyclone"),
                         [](const auto& game) { return std::string(game.param); });

TEST_F(Several, WithoutABusTheDatabaseIsAskedEverySecond) {
  start(2);
  EXPECT_EQ(health(0), "none");
  const std::string id = table({{"game", "cybo"}, {"seats", 2}}, 2);
  Player first(at(people_[0], 0), id, 1);
  Player second(at(people_[1], 1), id, 2);
  play_until({&first, &second}, [&] { return first.sequence() >= 25 && second.sequence() >= 25; });
}

TEST_F(Several, ABusMayStopAndComeBack) {
  start_with_bus(2);
  EXPECT_TRUE(soon([&] { return health(0) == "up" && health(1) == "up"; }));
  const std::string id = table({{"game", "marbles"}, {"seats", 2}}, 2);
  Player first(at(people_[0], 0), id, 1);
  Player second(at(people_[1], 1), id, 2);
  const auto play_some = [&] {
    const auto moves = first.sequence() + 6;
    play_until({&first, &second}, [&] { return first.sequence() >= moves && second.sequence() >= moves; });
  };
  play_some();
  nats_->stop();
  EXPECT_TRUE(soon([&] { return health(0) == "down" && health(1) == "down"; }));
  play_some();
  nats_->start();
  EXPECT_TRUE(soon([&] { return health(0) == "up" && health(1) == "up"; }));
  play_to_the_end({&first, &second});
  expect_same({&first, &second});
}

TEST_F(Several, WhoFindsWhatWasNotHeardOfTellsTheOthers) {
  start_with_bus(2);
  config_.bus.clear();
  const int silent = add();  // as if it died after each commit
  const Visitor ann = program("Ann");
  const std::string id = make_table(ann, {{"game", "marbles"}});
  Live live(at({}, 1).port, id, "plain=1");
  ASSERT_TRUE(live.next_with("protocol"));
  // By itself each of these is found by a look within 15 s, and the second and the third not sooner.
  const auto begun = std::chrono::steady_clock::now();
  for (const int number : {1, 2, 3}) {
    ASSERT_EQ(at(ann, silent).command(id, {{"id", number}, {"do", number == 2 ? "stand" : "sit"}, {"seat", 0}}).status,
              200);
    ASSERT_EQ(at({}, 0).get("/api/tables/" + id + "/check").status, 200);
    ASSERT_TRUE(live.next_with("seq", Milliseconds(20'000)));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(15));
}

TEST_F(Several, WhoeverIsAtTheBusCanNeitherReadNorLie) {
  start_with_bus(2);
  const std::string id = table({{"game", "cubed"}, {"seats", 2}}, 2);
  Player first(at(people_[0], 0), id, 1);
  Player second(at(people_[1], 1), id, 2);
  Wire spy(nats_->port());
  ASSERT_TRUE(spy.send("CONNECT {}\r\nSUB tessera 1\r\nPING\r\n"));
  play_until({&first, &second}, [&] { return first.moves() >= 2 && second.sequence() == first.sequence(); });
  // Events that nobody has written, garbage, and what was heard once more.
  const std::string forged =
      fmt::format("{} {} {} 24\n{{\"at\":1,\"over\":\"closed\"}}\n", id, first.sequence(), first.sequence() + 1);
  for (const std::string& text : {forged, std::string("nonsense"), std::string()}) {
    ASSERT_TRUE(spy.send(fmt::format("PUB tessera {}\r\n{}\r\n", text.size(), text)));
  }
  EXPECT_TRUE(soon([&] { return !spy.more(Milliseconds(20)) || spy.read().find(forged) != std::string::npos; }));
  const std::string overheard = spy.read().substr(0, spy.read().find(forged));
  EXPECT_NE(overheard.find("MSG tessera 1 "), std::string::npos);
  EXPECT_EQ(overheard.find(id), std::string::npos) << "not even ids are for everybody";
  play_to_the_end({&first, &second});
  expect_same({&first, &second});
  EXPECT_EQ(first.events().back().dump().find("closed"), std::string::npos) << first.events().back();
}

TEST_F(Several, CommandsWithoutASocketMayGoToAnyServer) {
  start_with_bus(3);
  const std::string id = table({{"game", "cybo"}, {"seats", 2}}, 2);
  // Each command to the next server, and none is refused because that one is behind.
  int server = 0;
  Player other(at(people_[1], 2), id, 1);
  const Json settings = at(people_[0], 1).get("/api/tables/" + id + "/check").json();
  ASSERT_EQ(settings["table"]["stage"], "drawing");
  for (std::uint64_t command = 10; command < 30; ++command) {
    server = (server + 1) % 3;
    const Reply paused =
        at(people_[0], server)
            .command(id, {{"id", command}, {"do", "auto_roll"}, {"seat", 0}, {"on", command % 2 == 0}});
    EXPECT_EQ(paused.status, 200) << paused.body;
    // Who repeats it elsewhere is told the same, and nothing happens twice.
    const Reply again = at(people_[0], (server + 1) % 3)
                            .command(id, {{"id", command}, {"do", "auto_roll"}, {"seat", 0}, {"on", command % 2 == 0}});
    EXPECT_EQ(again.status, 200) << again.body;
    EXPECT_EQ(again.json()["seq"], paused.json()["seq"]);
    const Json seen = at(people_[0], (server + 2) % 3).get("/api/tables/" + id + "/check").json();
    EXPECT_GE(seen.value("seq", 0), paused.json().value("seq", 1)) << "a server is behind what it was told";
  }
}

TEST_F(Several, BothAtOnceHappenOneAfterTheOther) {
  start_with_bus(2);
  const std::string id = table({{"game", "marbles"}, {"seats", 2}}, 2);
  Player first(at(people_[0], 0), id, 1, "plain=1", true);
  Player second(at(people_[1], 1), id, 2, "plain=1", true);
  play_until({&first, &second},
             [&] { return first.table()["stage"] == "playing" && second.table()["stage"] == "playing"; });
  // Both speak at the same moment to different servers, which write to the same log.
  constexpr std::uint64_t rounds = 40;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (Player* player : {&first, &second}) {
      const int seat = player == &first ? 0 : 1;
      player->live().command({{"id", 1000 + round}, {"do", "auto_roll"}, {"seat", seat}, {"on", round % 2 == 0}});
    }
  }
  const auto acknowledged = [&](const Player& player) {
    std::uint64_t count = 0;
    for (const auto& [sequence, text] : player.told()) {
      const auto ack = parsed(text).value("ack", std::uint64_t{0});
      if (ack >= 1000 && ack < 1000 + rounds) ++count;
    }
    return count;
  };
  play_until({&first, &second}, [&] { return acknowledged(first) >= rounds && acknowledged(second) >= rounds; });
  play_until({&first, &second}, [&] { return first.sequence() == second.sequence(); });
  expect_same({&first, &second});
}

TEST_F(Several, WhoeverComesAndGoesIsSeenWhereverTheyAre) {
  start_with_bus(2);
  const std::string id = table({{"game", "marbles"}, {"seats", 2}}, 2);
  Player first(at(people_[0], 0), id, 1, "plain=1", true);
  Player second(at(people_[1], 1), id, 2, "plain=1", true);
  play_until({&first, &second},
             [&] { return first.table()["stage"] == "playing" && second.table()["stage"] == "playing"; });
  const auto connected = [&] { return first.table()["seats"][1].value("connected", true); };
  // Another tab at another server: who leaves one of them has not left.
  std::optional<Player> tab(std::in_place, at(people_[1], 0), id, 3, "plain=1", true);
  ::usleep(1'500'000);  // until it is known that they are there
  second.drop();
  ::usleep(2'500'000);  // longer than it takes to count as gone
  while (first.step(Milliseconds(100))) {
  }
  EXPECT_TRUE(connected());
  tab->drop();
  play_until({&first}, [&] { return !connected(); });
  second.reconnect();
  play_until({&first}, [&] { return connected(); });
}

TEST_F(Several, AServerThatStopsLeavesItsTablesToTheOthers) {
  start_with_bus(3);
  const std::string id = table({{"game", "cyclone"}, {"seats", 2}}, 2);
  Player first(at(people_[0], 1), id, 1);
  Player second(at(people_[1], 2), id, 2);
  play_until({&first, &second}, [&] { return first.moves() >= 2; });
  servers_[2].reset();
  Player again(at(people_[1], 0), id, 3);
  play_to_the_end({&first, &again});
  EXPECT_EQ(first.sequence(), again.sequence());
}

TEST_F(Several, BotsPlayOnWhenTheirServerStops) {
  start_with_bus(2);
  const Visitor host = at(program("Host"), 1);
  const std::string id = make_table(host, {{"game", "cybo"}, {"seats", 2}});
  for (const int seat : {0, 1}) {
    EXPECT_EQ(host.command(id, {{"id", seat + 1}, {"do", "bot"}, {"seat", seat}, {"bot", "5"}}).status, 200);
  }
  servers_[1].reset();
  EXPECT_TRUE(
      soon([&] { return at({}, 0).get("/api/tables/" + id + "/check").json()["table"].value("stage", "") == "over"; }));
}

TEST_F(Several, ChatIsHeardAtEveryServer) {
  start_with_bus(2);
  const std::string id = table({{"game", "marbles"}, {"seats", 2}}, 2);
  Player first(at(people_[0], 0), id, 1, "plain=1", true);
  Player second(at(people_[1], 1), id, 2, "plain=1", true);
  first.live().command({{"id", 77}, {"do", "say"}, {"text", "hello over there"}});
  const auto heard = second.live().next_with("chat");
  ASSERT_TRUE(heard);
  EXPECT_EQ((*heard)["chat"][0]["text"], "hello over there");
  EXPECT_EQ((*heard)["chat"][0]["name"], "Seat 0");
}

TEST_F(Several, WhoIsBannedAtOneServerIsPutOutOfAll) {
  start(2);
  const Visitor rude = person("Rude");
  auto store = open_store(config_.database);
  ASSERT_TRUE(store);
  const std::string id = table({{"game", "marbles"}, {"seats", 2}}, 2);
  Live live = at(rude, 1).live(id);
  ASSERT_TRUE(live.text());
  const std::string key = "0123456789";
  ASSERT_FALSE((*store)->put_person({.id = "owner", .name = "owner"}));
  ASSERT_FALSE((*store)->put_key(fair::hex(crypto::hash().sha256(key)), "owner", "owner"));
  const Visitor owner{servers_[0]->port(), "owner", {{"Authorization", "Bearer " + key}}};
  EXPECT_EQ(owner.post("/api/owner/ban", {{"name", "Rude"}}).status, 200);
  EXPECT_TRUE(soon([&] { return at(rude, 1).get("/api/me").status == 403; }));
  EXPECT_TRUE(live.next_with("stopping"));
}

TEST_F(Several, TheLogTellsOfAMatchAndOfAPersonOnce) {
  config_.json_log = true;
  testing::internal::CaptureStderr();
  start(2);
  const Visitor ann = person("Ann");
  const Visitor bob = at(person("Bob"), 1);
  const Visitor gus = at(person("Gus"), 1);
  const std::string id = make_table(ann, {{"game", "marbles"}, {"seats", 2}});
  // Gus never has a socket.
  EXPECT_EQ(gus.command(id, {{"id", 1}, {"do", "sit"}, {"seat", 1}}).status, 200);
  EXPECT_EQ(gus.command(id, {{"id", 2}, {"do", "stand"}, {"seat", 1}}).status, 200);
  EXPECT_EQ(ann.command(id, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
  EXPECT_EQ(bob.command(id, {{"id", 1}, {"do", "sit"}, {"seat", 1}}).status, 200);
  {
    Player first(ann, id, 1);
    Player second(bob, id, 2);
    play_until({&first, &second}, [&] { return first.moves() > 1 && second.moves() > 1; });
    first.rest();
    second.rest();
    play_until({&first, &second}, [&] { return !first.awaits_answer() && !second.awaits_answer(); });
    EXPECT_EQ(at(ann, 1).command(id, {{"id", 2}, {"do", "close"}}).status, 200);
    play_until({&first, &second}, [&] { return first.over() && second.over(); });
  }
  servers_.clear();

  std::map<std::string, int> of_match;
  std::map<std::string, int> of_gus;
  std::set<std::string> processes;
  const std::string log = testing::internal::GetCapturedStderr();
  std::istringstream lines(log);
  for (std::string text; std::getline(lines, text);) {
    const Json line = parsed(text);
    ASSERT_TRUE(line.is_object()) << text;
    const std::string event = line["event"];
    if (line.value("person", "") == gus.id) ++of_gus[event];
    if (line.value("table", "") != id || line["level"] != "info" || event == "joined" || event == "left") continue;
    ++of_match[event];
    processes.insert(line["process"]);
    if (event == "a table is made") EXPECT_EQ(line["person"], ann.id);
    if (event == "a game is over") EXPECT_EQ(line["why"], "closed");
  }
  EXPECT_EQ(of_match,
            (std::map<std::string, int>{
                {"a table is made", 1}, {"sat down", 3}, {"got up", 1}, {"a game begins", 1}, {"a game is over", 1}}))
      << log;
  EXPECT_EQ(of_gus, (std::map<std::string, int>{{"sat down", 1}, {"got up", 1}})) << log;
  EXPECT_EQ(processes.size(), 2U) << log;
}

TEST_F(Several, NewSessionKeysCountAtEveryServer) {
  start(2);
  const Visitor ann = person("Ann");
  const auto store = opened(config_.database);
  const auto counts = [&](const Visitor& visitor, int server) {
    const Json me = at(visitor, server).get("/api/me").json();
    return me.is_object() && me.value("id", "") == ann.id;
  };
  /// As a server signs it now.
  const auto renewed = [&](int server) {
    const std::string cookie = at(ann, server).post("/api/me", {{"name", "Ann"}}).header("Set-Cookie");
    return Visitor{0, ann.id, {{"Cookie", cookie.substr(0, cookie.find(';'))}}};
  };
  ASSERT_FALSE(Identity::rotate(*store));
  Visitor later{};
  EXPECT_TRUE(soon([&] {
    later = renewed(0);
    return later.headers != ann.headers && counts(later, 1);
  }));
  for (const int server : {0, 1}) EXPECT_TRUE(counts(ann, server) && counts(later, server)) << server;
  ASSERT_FALSE(Identity::rotate(*store));
  EXPECT_TRUE(soon([&] { return !counts(ann, 0) && !counts(ann, 1); }));
  for (const int server : {0, 1}) EXPECT_TRUE(counts(later, server)) << server;
}

TEST_F(Several, ABusNeedsADatabaseThatCanBeShared) {
  config_.database = "somewhere.db";
  config_.bus = "nats://127.0.0.1:1";
  const auto refused = Server::start(config_, all_games());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence.find("PostgreSQL"), std::string::npos);
  std::filesystem::remove("somewhere.db");
}

}  // namespace
}  // namespace tessera::server
