/// Connections are lost, tabs come and go, the server too: nothing is lost or repeated.
#include <atomic>
#include <thread>

#include "server/live_test.hpp"
#include "store/store.hpp"

namespace tessera::server {
namespace {

TEST_F(LiveTable, LostConnectionsLoseAndRepeatNothing) {
  const std::vector<Visitor> people{program("One"), program("Two")};
  const std::string table = seat(people, short_marbles);
  Player one(people[0], table, 1);
  Player two(people[1], table, 2);
  Player spectator({port()}, table, 3);
  std::vector<Player*> all{&one, &two, &spectator};
  Random random(1, "connections");
  int drops = 0;
  play_until(all, [&] {
    if (drops < 60 && random(6) == 0) {
      Player& who = *all[random(3)];
      who.drop();
      who.reconnect();
      ++drops;
    }
    return one.over() && two.over() && spectator.over();
  });
  EXPECT_EQ(drops, 60);
  const Match match = recomputed(table);
  for (const Player* player : all) EXPECT_EQ(player->events().size(), match.sequence());
  for (std::size_t i = 0; i < one.events().size(); ++i) EXPECT_EQ(one.events()[i], spectator.events()[i]) << i;
}

TEST_F(LiveTable, AGreetingHasTheRestOrThePosition) {
  const std::vector<Visitor> people{program("One"), program("Two")};
  const std::string table = seat(people, short_marbles);
  Player one(people[0], table, 1);
  Player two(people[1], table, 2);
  play_until({&one, &two}, [&] { return one.moves() + two.moves() > 3; });
  const auto greeting = [&](const std::string& query) { return *people[0].live(table, query).next(); };
  const Json whole = greeting("");
  EXPECT_FALSE(whole.contains("events"));
  EXPECT_TRUE(whole["pieces"].is_array());
  EXPECT_EQ(whole["you"], people[0].id);
  EXPECT_EQ(whole["seats"], Json::array({0}));
  const auto last = whole["seq"].get<std::uint64_t>();
  const Json all = greeting("after=0");
  EXPECT_EQ(all["events"].size(), last);
  EXPECT_EQ(all["pieces"], whole["pieces"]);
  EXPECT_FALSE(greeting("after=" + std::to_string(last)).contains("pieces"));
  const Json rest = greeting("after=5");
  EXPECT_EQ(rest["events"], Json(std::vector<Json>(all["events"].begin() + 5, all["events"].end())));
  EXPECT_EQ(greeting("after=" + std::to_string(last))["events"], Json::array());
  for (const std::string& beyond : {std::to_string(last + 1), std::string("4294967295"), std::string("4294967296"),
                                    std::string("-1"), std::string("x")}) {
    EXPECT_TRUE(greeting("after=" + beyond)["pieces"].is_array()) << beyond;
  }
  // Without a socket, the same.
  EXPECT_EQ(people[0].get("/api/tables/" + table + "/check?after=0").json()["events"], all["events"]);
  EXPECT_EQ(people[0].get("/api/tables/" + table + "/check").json()["pieces"], whole["pieces"]);
}

TEST_F(LiveTable, ALongPollWaitsForWhatIsNew) {
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, short_marbles);
  const auto timed = [&](const std::string& query) {
    const auto begin = std::chrono::steady_clock::now();
    const Json told = ann.get("/api/tables/" + table + "/check?" + query).json();
    return std::pair(told, std::chrono::steady_clock::now() - begin);
  };
  const auto [nothing, waited] = timed("after=1&wait=1");
  EXPECT_EQ(nothing["events"], Json::array());
  EXPECT_GE(waited, Milliseconds(900));
  EXPECT_EQ(timed("after=0&wait=50").first["events"].size(), 1U) << "what is new already is told at once";

  Wire wire(port());
  wire.send(request_text("GET", "/api/tables/" + table + "/check?after=1&wait=50", "", ann.headers));
  EXPECT_FALSE(wire.more(Milliseconds(100)));
  ASSERT_EQ(ann.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
  const Json told = read_reply(wire).json();
  EXPECT_EQ(told["seq"].get<std::uint64_t>(), 1 + told["events"].size());
  EXPECT_EQ(told["events"][0]["sat"], ann.id);
}

/// Long polls are answered while moves are on their way to the disk: they tell only what is written.
TEST_F(LiveTable, LongPollsAndChatInTheMiddleOfEverything) {
  const std::vector<Visitor> people{program("One"), program("Two")};
  const std::string table = seat(people, short_marbles);
  Player one(people[0], table, 1);
  Player two(people[1], table, 2);
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  std::vector<std::vector<Json>> polled(2);
  for (auto& events : polled) {
    threads.emplace_back([&] {
      while (!done) {
        const Json told =
            ask(port(), "GET", "/api/tables/" + table + "/check?wait=1&after=" + std::to_string(events.size())).json();
        ASSERT_TRUE(told.contains("events")) << told;
        events.insert(events.end(), told["events"].begin(), told["events"].end());
        EXPECT_EQ(told.value("seq", std::uint64_t{0}), events.size());
      }
    });
  }
  threads.emplace_back([&] {
    const Visitor talker = program("Talker");
    for (int i = 0; !done; ++i) talker.command(table, {{"id", i}, {"do", "say"}, {"text", "hm"}});
  });
  play_to_the_end({&one, &two});
  done = true;
  for (std::thread& thread : threads) thread.join();
  const Json all = ask(port(), "GET", "/api/tables/" + table + "/check?after=0").json()["events"];
  EXPECT_EQ(all.size(), one.sequence());
  for (const auto& events : polled) {
    ASSERT_LE(events.size(), all.size());
    for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i], all[i]) << i;
  }
}

TEST_F(LiveTable, ARepeatedCommandDoesNothingTwice) {
  const std::vector<Visitor> people{person("Ann"), person("Bob")};
  const std::string table = seat(people, short_marbles);
  std::optional<Player> one(std::in_place, people[0], table, 1);
  std::optional<Player> two(std::in_place, people[1], table, 2);
  play_until({&*one, &*two}, [&] { return one->begun() && two->begun(); });
  const Json command{{"id", 999}, {"do", "auto_roll"}, {"seat", 0}, {"on", true}};
  const auto done = one->repeat(command)["seq"].get<std::uint64_t>();
  EXPECT_EQ(one->repeat(command)["ack"], 999);
  one->drop();
  one->reconnect();
  const Json again = one->repeat(command);
  EXPECT_EQ(again["ack"], 999) << again;
  EXPECT_FALSE(again.contains("events"));
  one.reset();
  two.reset();
  stop();
  start();
  const Reply after_restart = people[0].command(table, command);
  EXPECT_EQ(after_restart.status, 200);
  EXPECT_EQ(after_restart.json()["ack"], 999);
  const Json all = people[0].get("/api/tables/" + table + "/check?after=0").json()["events"];
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const Json& event) { return event.contains("auto_roll"); }), 1);
  EXPECT_GE(all.size(), done);

  // Another person's command with the same number is another command.
  const Reply other = people[1].command(table, {{"id", 999}, {"do", "auto_roll"}, {"seat", 1}, {"on", true}});
  EXPECT_EQ(other.status, 200);
  EXPECT_GT(other.json()["seq"].get<std::uint64_t>(), after_restart.json()["seq"].get<std::uint64_t>());
}

TEST_F(LiveTable, TwoTabsOfOnePlayer) {
  const std::vector<Visitor> people{person("Ann"), person("Bob")};
  const std::string table = seat(people, short_marbles);
  Player left(people[0], table, 1);
  Player bob(people[1], table, 3);
  left.rest();  // only one tab draws: each would have contributions of its own
  play_until({&left, &bob}, [&] { return left.begun() && bob.begun(); });
  Player right(people[0], table, 2, "plain=1", true);
  Player* plays = &left;
  Player* watches = &right;
  for (int swap = 0; swap < 8 && !bob.over(); ++swap) {
    const auto moves = plays->moves() + 2;
    plays->play_on();
    play_until({&left, &right, &bob}, [&] { return bob.over() || plays->moves() >= moves; });
    plays->rest();
    play_until({&left, &right, &bob},
               [&] { return !plays->awaits_answer() && !bob.awaits_answer() && left.sequence() == right.sequence(); });
    std::swap(plays, watches);
  }
  EXPECT_GT(left.moves(), 0U);
  EXPECT_GT(right.moves(), 0U);
  EXPECT_EQ(left.events(), right.events());

  // A closed tab does not mean that the player is away.
  left.live().wire().close();
  std::this_thread::sleep_for(Milliseconds(100));
  EXPECT_FALSE(people[1].get("/api/tables/" + table + "/check").json()["table"]["seats"][0].contains("connected"));
}

TEST_F(LiveTable, AMatchMayBeDroppedWhileItIsWatched) {
  const std::vector<Visitor> people{program("One"), program("Two")};
  const std::string table = seat(people, short_marbles);
  Player one(people[0], table, 1);
  Player two(people[1], table, 2);
  play_to_the_end({&one, &two});
  ASSERT_GT(one.sequence(), 8U) << "more than a table remembers";
  {
    auto store = open_store(config_.database);
    ASSERT_TRUE(store);
    const auto row_written = [&] { return (**(*store)->row(table)).stage == MatchRow::Stage::over; };
    while (!row_written()) std::this_thread::sleep_for(Milliseconds(20));
    ASSERT_EQ(*(*store)->drop(std::vector{table}), 1);
  }
  EXPECT_EQ(people[0].get("/api/tables/" + table + "/check?after=0").status, 404);
  for (Player* player : {&one, &two}) {
    while (player->live().text()) {
    }
    EXPECT_EQ(player->live().close_code(), 1012);
  }
  EXPECT_TRUE(soon([&] {  // once the server has forgotten it, they are told so for good
    Live live = people[0].live(table, "after=0");
    EXPECT_TRUE(live.next_with("error"));
    while (live.text()) {
    }
    return live.close_code() == 1008;
  }));
  EXPECT_EQ(ask(port(), "GET", "/api/health").status, 200);
}

// ── The server goes and comes ──

TEST_F(LiveTable, AGameGoesOnAfterRestarts) {
  const std::vector<Visitor> people{program("One"), program("Two")};
  const std::string table = seat(people, short_marbles);
  Player one(people[0], table, 1);
  Player two(people[1], table, 2);
  for (std::uint64_t moves = 5; moves <= 10; moves += 5) {
    play_until({&one, &two}, [&] { return one.moves() + two.moves() >= moves; });
    std::thread stopper([&] { stop(); });
    bool told = false;
    while (const auto text = one.live().text()) {
      if (parsed(*text).contains("stopping")) {
        told = true;
      } else {
        one.take(*text);
      }
    }
    EXPECT_TRUE(told);
    EXPECT_EQ(one.live().close_code(), 1012) << "service restart";
    while (const auto text = two.live().text()) {
      if (!parsed(*text).contains("stopping")) two.take(*text);
    }
    stopper.join();
    start();
    one.reconnect();
    two.reconnect();
  }
  play_to_the_end({&one, &two});
  EXPECT_EQ(recomputed(table).sequence(), one.sequence());
}

TEST_F(LiveTable, BotsGoOnAfterARestartThoughNobodyIsThere) {
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, short_marbles);
  ASSERT_EQ(ann.command(table, {{"id", 1}, {"do", "bot"}, {"seat", 0}, {"bot", "simple"}}).status, 200);
  ASSERT_EQ(ann.command(table, {{"id", 2}, {"do", "bot"}, {"seat", 1}, {"bot", "random"}}).status, 200);
  stop();
  start();
  const auto until = std::chrono::steady_clock::now() + patience;
  while (ask(port(), "GET", "/api/tables?stage=over").json()["tables"].empty()) {
    ASSERT_LT(std::chrono::steady_clock::now(), until);
    std::this_thread::sleep_for(Milliseconds(20));
  }
  recomputed(table);
}

TEST_F(LiveTable, StopsInTheMiddleOfEverything) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    std::atomic<bool> done = false;
    const Visitor ann = program("Ann");
    const std::string table = make_table(ann, short_marbles);
    ann.command(table, {{"id", 1}, {"do", "bot"}, {"seat", 0}, {"bot", "simple"}});
    ann.command(table, {{"id", 2}, {"do", "bot"}, {"seat", 1}, {"bot", "simple"}});
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&, i] {
        while (!done) {
          ask(port(), "GET", "/api/tables/" + table + "/check?after=0&wait=1", "", {}, Milliseconds(200));
          if (i == 0) Live(port(), table).next(Milliseconds(50));
          if (i == 1) ask(port(), "POST", "/api/me", R"({"name":"Somebody"})", {}, Milliseconds(200));
        }
      });
    }
    // Requests on connections that stay open arrive until the very end.
    threads.emplace_back([&] {
      Wire wire(port());
      while (!done && wire.send(request_text("GET", "/api/tables/" + table + "/check")))
        read_reply(wire, Milliseconds(50));
    });
    std::this_thread::sleep_for(Milliseconds(100));
    stop();
    done = true;
    for (std::thread& thread : threads) thread.join();
    start();
  }
}

TEST_F(LiveTable, ClocksRunOnAfterARestart) {
  const std::vector<Visitor> people{program("One"), program("Two")};
  Json settings = short_marbles;
  settings["pace"] = {{"bank", 10}, {"increment", 0}};
  settings["first"] = 0;
  const std::string table = seat(people, settings);
  {
    Player one(people[0], table, 1);
    Player two(people[1], table, 2);
    one.rest();
    two.rest();
    play_until({&one, &two}, [&] { return one.begun() && two.begun(); });
  }
  stop();
  start();
  const auto clocks = [&] { return people[1].get("/api/tables/" + table + "/check").json()["clocks"]; };
  const Json before = clocks();
  std::this_thread::sleep_for(Milliseconds(100));
  const Json after = clocks();
  EXPECT_LT(before[0].get<int>(), 10'000);
  EXPECT_LT(after[0].get<int>(), before[0].get<int>());
  EXPECT_GE(after[0].get<int>(), 0);
  EXPECT_EQ(after[1], 10'000);
}

}  // namespace
}  // namespace tessera::server
