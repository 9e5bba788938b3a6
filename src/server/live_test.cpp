/// What happens at tables, over real sockets: whole games, coming back, several tabs, restarts.
#include <condition_variable>
#include <set>
#include <thread>

#include "bots/bots.hpp"
#include "match/match.hpp"
#include "match/record.hpp"
#include "server/testing.hpp"

namespace tessera::server {
namespace {

const Json short_marbles{{"game", "marbles"}, {"seats", 2}, {"options", {{"spaces", 8}}}};

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

// ── Whole games ──

class Games : public LiveTable, public testing::WithParamInterface<Json> {};

TEST_P(Games, TwoProgramsPlayToTheEndAndTheRecordIsTrue) {
  const std::vector<Visitor> people{program("One"), program("Two")};
  const std::string table = seat(people, GetParam());
  Player one(people[0], table, 1);
  Player two(people[1], table, 2, "");  // compressed
  play_to_the_end({&one, &two});
  EXPECT_EQ(one.table()["over"]["why"], "played");
  EXPECT_EQ(one.table()["over"], two.table()["over"]);
  const Match match = recomputed(table);
  EXPECT_EQ(match.sequence(), one.sequence());
  EXPECT_EQ(one.events().size(), match.sequence());
  EXPECT_EQ(two.events().size(), match.sequence());
}

INSTANTIATE_TEST_SUITE_P(All, Games,
                         testing::Values(short_marbles, Json{{"game", "cyclone"}}, Json{{"game", "cybo"}},
                                         Json{{"game", "cylinder"}, {"options", {{"turn_limit", 40}}}},
                                         Json{{"game", "cubed"}, {"options", {{"rounds", 1}}}}),
                         [](const auto& game) { return game.param["game"].template get<std::string>(); });

TEST_F(LiveTable, APersonPlaysASimpleBot) {
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, short_marbles);
  ASSERT_EQ(ann.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
  ASSERT_EQ(ann.command(table, {{"id", 2}, {"do", "start"}, {"bot", "simple"}}).status, 200);
  Player player(ann, table, 1);
  play_to_the_end({&player});
  EXPECT_EQ(player.table()["seats"][1]["bot"], "simple");
  recomputed(table);
}

TEST_F(LiveTable, AGameThatIsOverIsReviewed) {
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, {{"game", "cybo"}});  // which is solved: reviewed at once
  const std::string review = "/api/tables/" + table + "/review";
  ASSERT_EQ(ann.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
  ASSERT_EQ(ann.command(table, {{"id", 2}, {"do", "start"}, {"bot", "1"}}).status, 200);
  EXPECT_EQ(ann.get(review).status, 409);
  Player player(ann, table, 1);
  play_to_the_end({&player});
  Reply reply = ann.get(review);
  EXPECT_EQ(reply.status, 202);
  for (const auto until = std::chrono::steady_clock::now() + patience; reply.status == 202; reply = ann.get(review)) {
    ASSERT_LT(std::chrono::steady_clock::now(), until) << reply.body;
    EXPECT_LE(reply.json()["reviewed"], 1.0);
    std::this_thread::sleep_for(Milliseconds(50));
  }
  ASSERT_EQ(reply.status, 200) << reply.body;
  const auto played = std::count_if(player.events().begin(), player.events().end(), [](const Json& event) {
    return event.contains("chance") || event.contains("move");
  });
  EXPECT_EQ(std::ssize(reply.json()["events"]), played);
  EXPECT_EQ(reply.json()["seats"].size(), 2U);
  EXPECT_EQ(ask(port(), "GET", "/api/tables/nowhere/review").status, 404);
}

TEST_F(LiveTable, GuestsShareADeviceAndSeeAHandAtATime) {
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, {{"game", "cubed"}, {"seats", 2}, {"options", {{"rounds", 1}}}});
  const std::string guest = ann.post("/api/guests", {{"name", "Bob"}}).json()["id"];
  ASSERT_EQ(ann.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
  ASSERT_EQ(ann.command(table, {{"id", 2}, {"do", "sit"}, {"seat", 1}, {"guest", guest}}).status, 200);
  Player player(ann, table, 3);
  EXPECT_EQ(player.state()["seats"], Json::array({0, 1}));
  play_until({&player}, [&] { return player.begun(); });
  for (const Json& piece : player.state()["pieces"]) {
    EXPECT_EQ(piece[1], "?") << "nobody is ready yet: " << piece;
  }
  play_to_the_end({&player});
  recomputed(table);
}

TEST_F(LiveTable, WithoutHiddenHandsASharedDeviceIsToldThePositionOnce) {
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, short_marbles);
  const std::string guest = ann.post("/api/guests", {{"name", "Bob"}}).json()["id"];
  ASSERT_EQ(ann.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
  ASSERT_EQ(ann.command(table, {{"id", 2}, {"do", "sit"}, {"seat", 1}, {"guest", guest}}).status, 200);
  Player player(ann, table, 3);
  play_to_the_end({&player});
  EXPECT_GT(player.moves(), 10U);
  const auto has_pieces = [](const auto& told) { return parsed(told.second).contains("pieces"); };
  EXPECT_EQ(std::count_if(player.told().begin(), player.told().end(), has_pieces), 1) << "when it begins";
}

/// Every piece that a text names.
std::set<std::string> named_pieces(const std::string& text) {
  std::set<std::string> pieces;
  for (std::size_t i = 0; i + 3 < text.size();) {
    std::size_t end = i;
    while (end < text.size() && text[end] >= 'A' && text[end] <= 'Z') ++end;
    if (end - i == 3) pieces.insert(text.substr(i, 3));
    i = std::max(end, i + 1);
  }
  return pieces;
}

TEST_F(LiveTable, NobodyIsEverToldOfAnotherHand) {
  const std::vector<Visitor> people{program("One"), program("Two"), program("Three")};
  const std::string table = seat(people, {{"game", "cubed"}, {"options", {{"rounds", 1}, {"take", true}}}});
  Player one(people[0], table, 4);
  Player two(people[1], table, 5);
  Player three(people[2], table, 6, "");
  Player spectator(program("Four"), table, 7);
  Player nobody({port()}, table, 8);
  std::vector<Player*> all{&one, &two, &three, &spectator, &nobody};
  std::size_t returns = 0;
  play_until(all, [&] {
    if (one.moves() > 3 * (returns + 1)) {  // coming back must not tell more either
      Player& who = *all[returns++ % all.size()];
      who.drop();
      who.reconnect();
    }
    return std::all_of(all.begin(), all.end(), [](const Player* player) { return player->over(); });
  });
  EXPECT_GT(returns, 0U);

  // What each may know after each event: pieces that lie open, and those that it has held.
  std::vector<std::set<std::string>> open{{}};
  std::vector<std::vector<std::set<std::string>>> held{std::vector<std::set<std::string>>(3)};
  const Match match = recomputed(table, [&](const Happening& happening) {
    open.push_back(open.back());
    held.push_back(held.back());
    if (!happening.after) return;
    for (const Piece& piece : happening.after->pieces(Viewer::all())) {
      const std::string kind = piece.kind.substr(0, 3);
      if (piece.place.starts_with("hand")) {
        held.back()[static_cast<std::size_t>(piece.place.back() - '0')].insert(kind);
      } else if (!piece.place.starts_with("bag")) {
        open.back().insert(kind);
      }
    }
  });
  int messages = 0;
  for (std::size_t who = 0; who < all.size(); ++who) {
    for (const auto& [sequence, text] : all[who]->told()) {
      if (parsed(text).value("table", Json::object()).contains("over")) break;
      ++messages;
      for (const std::string& piece : named_pieces(text)) {
        EXPECT_TRUE(open[sequence].contains(piece) || (who < 3 && held[sequence][who].contains(piece)))
            << "listener " << who << " was told of " << piece << " by " << text;
      }
    }
  }
  EXPECT_GT(messages, 100);
}

// ── Coming back ──

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

TEST_F(LiveTable, AHintIsForWhoeverIsToMove) {
  const Visitor ann = person("Ann");
  const Visitor bob = person("Bob");
  const std::string table = make_table(ann, {{"game", "cubed"}, {"first", 0}, {"options", {{"rounds", 1}}}});
  const std::string hint = "/api/tables/" + table + "/hint";
  EXPECT_EQ(ann.get(hint).status, 409) << "the game has not begun";
  ASSERT_EQ(ann.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
  ASSERT_EQ(bob.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 1}}).status, 200);
  Player one(ann, table, 1, "plain=1", true);
  Player two(bob, table, 2, "plain=1", true);
  play_until({&one, &two}, [&] { return one.begun() && two.begun(); });
  while (one.state()["turn"].contains("roll")) {
    Player& roller = one.state()["turn"]["roll"] == 0 ? one : two;
    ASSERT_TRUE(roller.command({{"do", "roll"}, {"seat", one.state()["turn"]["roll"]}}).contains("ack"));
    play_until({&one}, [&] { return one.sequence() == roller.sequence(); });
  }
  ASSERT_EQ(one.state()["turn"]["move"], 0);
  EXPECT_EQ(bob.get(hint).status, 409);
  EXPECT_EQ(ask(port(), "GET", hint).status, 401);
  EXPECT_EQ(ann.get("/api/tables/nowhere/hint").status, 404);

  const Reply given = ann.get(hint);
  ASSERT_EQ(given.status, 200) << given.body;
  const Json moves = given.json()["moves"];
  EXPECT_EQ(given.json()["seq"], one.sequence());
  EXPECT_EQ(given.json()["chance"], moves[0]["chance"]);
  EXPECT_GT(moves.size(), 1U);
  EXPECT_TRUE(one.command({{"do", "move"}, {"seat", 0}, {"move", moves[0]["move"]}}).contains("ack"));
}

TEST_F(LiveTable, NobodyIsGivenAHintWhereHintsAreNotAllowed) {
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, {{"game", "cyclone"}, {"hints", false}});
  const Reply refused = ann.get("/api/tables/" + table + "/hint");
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.json()["error"], "Hints are not allowed at this table.");
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

// ── Talk ──

TEST_F(LiveTable, ChatIsHeardByThoseItIsFor) {
  const std::vector<Visitor> people{person("Ann"), person("Bob")};
  const std::string table = seat(people, short_marbles);
  Live ann = people[0].live(table);
  Live bob = people[1].live(table);
  Live spectator = person("Eve").live(table);
  Live nobody(port(), table, "plain=1");
  for (Live* live : {&ann, &bob, &spectator, &nobody}) ASSERT_TRUE(live->next_with("protocol"));
  ann.command(Json{{"id", 50}, {"do", "say"}, {"text", "hello"}});
  for (Live* live : {&ann, &bob, &spectator, &nobody}) {
    const auto heard = live->next_with("chat");
    ASSERT_TRUE(heard);
    EXPECT_EQ((*heard)["chat"][0]["text"], "hello");
    EXPECT_EQ((*heard)["chat"][0]["by"], people[0].id);
    EXPECT_EQ((*heard)["chat"][0]["name"], "Ann");
  }
  spectator.command(Json{{"id", 1}, {"do", "say"}, {"text", "psst"}});
  EXPECT_EQ((*nobody.next_with("chat"))["chat"][0]["text"], "psst");
  nobody.command(Json{{"id", 1}, {"do", "say"}, {"text", "me too"}});
  EXPECT_EQ((*nobody.next_with("refused"))["refused"], 1);
  // The players have not heard the gallery: the next that they hear is this.
  bob.command(Json{{"id", 1}, {"do", "say"}, {"text", "again"}});
  EXPECT_EQ((*ann.next_with("chat"))["chat"][0]["text"], "again");
  EXPECT_EQ(people[0].get("/api/tables/" + table + "/check").json()["chat"].size(), 2U);
  EXPECT_EQ(ask(port(), "GET", "/api/tables/" + table + "/check").json()["chat"].size(), 3U);

  ann.command(Json{{"id", 51}, {"do", "mute"}, {"person", people[1].id}, {"on", true}});
  EXPECT_TRUE(ann.next_with("ack"));
  bob.command(Json{{"id", 2}, {"do", "say"}, {"text", "muted"}});
  EXPECT_TRUE(bob.next_with("refused"));
  bob.command(Json{{"id", 3}, {"do", "mute"}, {"person", people[0].id}, {"on", true}});
  EXPECT_TRUE(bob.next_with("refused"));
  for (const char* text : {"", " ", "a\u202Eb", "a\nb", "\u0000"}) {
    ann.command(Json{{"id", 60}, {"do", "say"}, {"text", text}});
    EXPECT_TRUE(ann.next_with("refused")) << text;
  }
  ann.command(Json{{"id", 61}, {"do", "say"}, {"text", std::string(501, 'x')}});
  EXPECT_TRUE(ann.next_with("refused"));
}

TEST_F(LiveTable, WhoIsMutedIsSoAfterARestart) {
  const Visitor ann = person("Ann");
  const Visitor bob = person("Bob");
  const std::string table = make_table(ann, short_marbles);
  const auto says = [&](int id) { return bob.command(table, {{"id", id}, {"do", "say"}, {"text", "hello"}}).status; };
  EXPECT_EQ(ann.command(table, {{"id", 1}, {"do", "mute"}, {"person", "nobody"}}).status, 409);
  ASSERT_EQ(ann.command(table, {{"id", 2}, {"do", "mute"}, {"person", bob.id}}).status, 200);
  EXPECT_EQ(says(1), 409);
  stop();
  start();
  EXPECT_EQ(says(2), 409);
  const std::string elsewhere = make_table(ann, short_marbles);
  EXPECT_EQ(bob.command(elsewhere, {{"id", 1}, {"do", "say"}, {"text", "hello"}}).status, 200);
  ASSERT_EQ(ann.command(table, {{"id", 3}, {"do", "mute"}, {"person", bob.id}, {"on", false}}).status, 200);
  EXPECT_EQ(says(3), 200);
}

TEST_F(LiveTable, WhoeverSpeaksWithoutASocketHasAName) {
  const Visitor ann = person("Ann");
  const Visitor bob = person("Bob");
  const std::string table = make_table(ann, short_marbles);
  Live live = ann.live(table);
  ASSERT_TRUE(live.next());
  ASSERT_EQ(bob.command(table, {{"id", 1}, {"do", "say"}, {"text", "hello"}, {"gallery", true}}).status, 200);
  EXPECT_EQ((*live.next_with("chat"))["chat"][0]["name"], "Bob");
}

TEST_F(LiveTable, ARematchBringsEverybodyAlong) {
  const std::vector<Visitor> people{program("One"), program("Two")};
  const std::string table = seat(people, short_marbles);
  Player one(people[0], table, 1);
  Player two(people[1], table, 2);
  EXPECT_TRUE(one.command({{"do", "rematch"}}).contains("refused"));
  play_until({&one, &two}, [&] { return one.begun() && two.begun(); });
  ASSERT_TRUE(one.command({{"do", "close"}}).contains("ack"));
  const Json answer = one.command({{"do", "rematch"}});
  ASSERT_TRUE(answer.contains("ack")) << answer;
  const std::string next = answer["events"][0]["rematch"];
  const Json greeting = people[1].get("/api/tables/" + next + "/check").json();
  EXPECT_EQ(greeting["table"]["seats"][0]["person"], people[1].id);
  EXPECT_EQ(greeting["table"]["seats"][1]["person"], people[0].id);
  EXPECT_EQ(greeting["table"]["stage"], "drawing");
}

// ── Correspondence ──

/// Answers one HTTP request and keeps it.
class Hook {
 public:
  Hook() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(fd_, reinterpret_cast<const sockaddr*>(&address), size);
    ::listen(fd_, 8);
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~Hook() { ::close(fd_); }
  int port() const { return port_; }
  /// The next request's text; empty when none comes.
  std::string next(Milliseconds wait) const {
    pollfd waiting{fd_, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(wait.count())) <= 0) return {};
    const int connection = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
    std::string text;
    char bytes[4096];
    while (text.find('}') == std::string::npos) {
      const auto count = ::recv(connection, bytes, sizeof bytes, 0);
      if (count <= 0) break;
      text.append(bytes, static_cast<std::size_t>(count));
    }
    constexpr std::string_view answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    ::send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
    ::close(connection);
    return text;
  }

 private:
  int fd_;
  int port_ = 0;
};

TEST_F(LiveTable, AWebhookCallsWhoeverIsAwaitedAndAway) {
  stop();
  config_.bench = true;  // allows private addresses
  start();
  const std::vector<Visitor> people{program("One"), program("Two")};
  const Hook hook;
  const std::string url = "http://127.0.0.1:" + std::to_string(hook.port()) + "/called?by=tessera";
  ASSERT_EQ(people[1].post("/api/me/webhook", {{"url", url}}).status, 200);
  const std::string feed = people[1].post("/api/me/feed").json()["feed"];
  Json settings = short_marbles;
  settings["pace"] = {{"days", 3}};
  settings["first"] = 0;
  const std::string table = seat(people, settings);
  const std::string called = hook.next(patience);
  EXPECT_TRUE(called.starts_with("POST /called?by=tessera HTTP/1.1")) << called;
  EXPECT_EQ(parsed(called.substr(called.find('{'))),
            (Json{{"awaited", people[1].id}, {"table", table}, {"game", "marbles"}}));
  EXPECT_NE(ask(port(), "GET", feed).body.find("/t/" + table), std::string::npos);
  EXPECT_EQ(hook.next(Milliseconds(1'500)), "") << "once is enough";
}

TEST_F(LiveTable, AWebhookIsForThoseWhoHaveGone) {
  stop();
  config_.bench = true;  // allows private addresses
  config_.departure_ms = 1'000;
  start();
  const std::vector<Visitor> people{program("One"), program("Two")};
  Json settings = short_marbles;
  settings["pace"] = {{"days", 3}};
  settings["first"] = 0;
  const std::string table = seat(people, settings);
  Player one(people[0], table, 1);
  std::optional<Player> two(std::in_place, people[1], table, 2, "plain=1", true);
  one.rest();
  play_until({&one, &*two}, [&] { return one.begun() && two->begun(); });
  const Hook hook;
  const std::string url = "http://127.0.0.1:" + std::to_string(hook.port()) + "/";
  ASSERT_EQ(people[1].post("/api/me/webhook", {{"url", url}}).status, 200);
  one.play_on();
  play_until({&one, &*two}, [&] { return one.state()["turn"].begin().value() == 1; });
  EXPECT_EQ(hook.next(Milliseconds(1'500)), "") << "who is here sees it";

  two->drop();
  two->reconnect();  // a reload of the page
  EXPECT_EQ(hook.next(Milliseconds(2'500)), "");
  const auto gone = std::chrono::steady_clock::now();
  two.reset();
  EXPECT_NE(hook.next(patience).find(table), std::string::npos) << "though awaited since before";
  EXPECT_GE(std::chrono::steady_clock::now() - gone, Milliseconds(1'000));
}

TEST_F(LiveTable, ASlowWebhookDelaysNeitherBotsNorLogins) {
  stop();
  config_.bench = true;
  start();
  const std::vector<Visitor> people{program("One"), program("Two")};
  const Hook never_answers;
  const std::string url = "http://127.0.0.1:" + std::to_string(never_answers.port()) + "/";
  for (const Visitor& visitor : people) ASSERT_EQ(visitor.post("/api/me/webhook", {{"url", url}}).status, 200);
  Json settings = short_marbles;
  settings["pace"] = {{"days", 3}};
  for (int i = 0; i < 3; ++i) seat(people, settings);

  const auto begin = std::chrono::steady_clock::now();
  const Visitor ann = person("Ann");
  ASSERT_EQ(ann.post("/api/me/password", {{"password", "correct horse"}}).status, 200);
  ASSERT_EQ(ann.post("/api/login", {{"name", "Ann"}, {"password", "correct horse"}}).status, 200);
  const std::string table = make_table(ann, short_marbles);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(ann.command(table, {{"id", i}, {"do", "bot"}, {"seat", i}, {"bot", "simple"}}).status, 200);
  }
  const auto stage = [&] { return ann.get("/api/tables/" + table + "/check").json()["table"]["stage"]; };
  while (stage() != "over" && std::chrono::steady_clock::now() - begin < patience) {
    std::this_thread::sleep_for(Milliseconds(20));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, Milliseconds(8'000)) << "a webhook is waited for ten seconds";
}

TEST_F(LiveTable, WebhooksDoNotReachIntoTheServersNetwork) {
  const std::vector<Visitor> people{program("One"), program("Two")};
  const Hook hook;
  ASSERT_EQ(people[1].post("/api/me/webhook", {{"url", "http://localhost:" + std::to_string(hook.port())}}).status,
            200);
  Json settings = short_marbles;
  settings["pace"] = {{"days", 3}};
  seat(people, settings);
  EXPECT_EQ(hook.next(Milliseconds(500)), "");
}

}  // namespace
}  // namespace tessera::server
