/// What happens at tables while people are there: whole games, hints, talk.
#include <set>
#include <thread>

#include "server/live_test.hpp"

namespace tessera::server {
namespace {

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

// ── Hints ──

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

// ── Names ──

TEST_F(LiveTable, WhoSitsDownWithoutASocketHasAName) {
  const Visitor ann = person("Ann");
  const Visitor bob = person("Bob");
  const std::string table = make_table(ann, short_marbles);
  Live live = ann.live(table);
  ASSERT_TRUE(live.next());
  ASSERT_EQ(bob.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 1}}).status, 200);
  EXPECT_EQ((*live.next_with("people"))["people"][bob.id], "Bob");
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

}  // namespace
}  // namespace tessera::server
