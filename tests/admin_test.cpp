/// `tessera admin` beside a running server, and what servers drop by themselves.
#include "core/text.hpp"
#include "crypto/crypto.hpp"
#include "serving.hpp"

namespace tessera {
namespace {

using server::Json;
using server::parsed;
using server::Player;
using server::Visitor;

class Admin : public Serve {
 protected:
  void start(std::vector<std::string> arguments = {}) {
    serving_ = serve(std::move(arguments));
    port_ = serving_->port();
  }
  void stop() {
    serving_->signal(SIGTERM);
    EXPECT_EQ(serving_->ended(), 0);
  }

  Visitor person(const std::string& name) const { return server::new_person(port_, name); }

  /// The output of a command that must succeed.
  std::string admin(const std::string& arguments) const {
    const Ran ran = run("admin " + arguments + database());
    EXPECT_EQ(ran.exit_code, 0) << arguments << ": " << ran.err;
    return ran.out;
  }
  Json admin_json(const std::string& arguments) const { return parsed(admin(arguments + " --json")); }
  void refused(const std::string& arguments, const std::string& names) const {
    expect_refused("admin " + arguments + database(), names);
  }

  static std::string made(const Visitor& host, const Json& settings) {
    return host.post("/api/tables", settings).json().value("id", "");
  }
  static std::string begun(const Visitor& ann, const Visitor& bob, const Json& settings) {
    const std::string id = made(ann, settings);
    EXPECT_EQ(ann.command(id, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
    EXPECT_EQ(bob.command(id, {{"id", 1}, {"do", "sit"}, {"seat", 1}}).status, 200);
    return id;
  }

  /// Matches that are over since long ago, with the log of one that is.
  static void add_old(Store& store, const std::string& like, int matches) {
    const auto log = good(store.events(like));
    MatchRow row = *good(store.row(like));
    for (int i = 0; i < matches; ++i) {
      row.id = fmt::format("old{:03}", i);
      row.changed = 1'000'000;
      row.listed = i % 2 == 0;
      const Append append{.match = row.id, .expected = 0, .events = log, .row = row};
      EXPECT_EQ(good(store.append({&append, 1})), std::vector{Appended::done});
      good(store.say({.match = row.id, .person = "x", .command = 1, .text = "x"}));
    }
  }

  std::string notice() const { return good(store()->fact("notice")).value_or(""); }

  std::unique_ptr<Serving> serving_;
  int port_ = 0;
};

TEST_F(Admin, ListsShowsAndCounts) {
  start();
  const Visitor ann = person("Ann");
  const Visitor bob = person("Bob");
  const std::string playing = begun(ann, bob, {{"game", "cubed"}, {"seats", 2}, {"pace", {{"days", 3}}}});
  const std::string gathering = made(bob, {{"game", "marbles"}, {"listed", false}});
  Player first(ann, playing, 1);
  Player second(bob, playing, 2);
  server::play_until({&first, &second}, [&] { return first.moves() > 0 && second.moves() > 0; });

  const std::string all = admin("list");
  EXPECT_TRUE(has(all, playing) && has(all, gathering) && has(all, "Ann, Bob")) << all;
  const auto ids = [&](const std::string& filter) {
    std::set<std::string> found;
    const Json listed = admin_json("list " + filter);
    for (const Json& match : listed["matches"]) found.insert(match["id"]);
    return found;
  };
  using Ids = std::set<std::string>;
  EXPECT_EQ(ids(""), (Ids{playing, gathering}));
  EXPECT_EQ(ids("--all"), (Ids{playing, gathering}));
  EXPECT_EQ(ids("--stage playing"), Ids{playing});
  EXPECT_EQ(ids("--stage over"), Ids{});
  EXPECT_EQ(ids("--person ann"), Ids{playing});
  EXPECT_EQ(ids("--person " + bob.id), (Ids{playing, gathering}));
  EXPECT_EQ(ids("--person nobody"), Ids{});
  EXPECT_EQ(ids("--game marbles"), Ids{gathering});
  const Json page = admin_json("list --limit 1");
  ASSERT_EQ(page["matches"].size(), 1U);
  const Json next = admin_json("list --limit 1 --before " + page["next"].get<std::string>());
  EXPECT_FALSE(next.contains("next"));
  EXPECT_EQ((Ids{page["matches"][0]["id"], next["matches"][0]["id"]}), (Ids{playing, gathering}));

  const std::string shown = admin("show " + playing);
  for (const std::string& part : {"Ann (" + ann.id + ")", "Bob (" + bob.id + ")", std::string("\"days\":3"),
                                  std::string("due  "), std::string("\"move\":")}) {
    EXPECT_TRUE(has(shown, part)) << part << " in " << shown;
  }
  const Json shown_json = admin_json("show " + playing);
  EXPECT_EQ(shown_json["table"]["stage"], "playing");
  EXPECT_EQ(shown_json["code"], good(store()->row(playing))->code);
  EXPECT_EQ(shown_json["events"].size(), 10U);
  EXPECT_EQ(shown_json["names"][ann.id], "Ann");

  const Json stats = admin_json("stats");
  EXPECT_EQ(stats["people"], 2);
  EXPECT_EQ(stats["events"], good(store()->events(playing)).size() + 1);
  EXPECT_EQ(stats["matches"], (Json::array({{{"game", "cubed"}, {"stage", "playing"}, {"matches", 1}},
                                            {{"game", "marbles"}, {"stage", "gathering"}, {"matches", 1}}})));
  EXPECT_TRUE(has(admin("stats"), "marbles"));
}

/// No secret, and of hidden hands nothing but what spectators see.
TEST_F(Admin, ShowsNothingHidden) {
  start();
  const Visitor ann = person("Ann");
  const Visitor bob = person("Bob");
  const std::string table = begun(ann, bob, {{"game", "cubed"}, {"seats", 2}});
  Player first(ann, table, 1, "plain=1", true);
  Player second(bob, table, 2, "plain=1", true);
  server::play_until({&first, &second}, [&] { return first.begun() && second.begun(); });
  const auto log = good(store()->events(table));
  const std::string secret = parsed(log.front())["secret"];
  ASSERT_EQ(secret.size(), 64U);
  for (const char* how : {"", " --json"}) {
    const std::string shown = admin("show " + table + how);
    EXPECT_FALSE(has(shown, secret)) << shown;
    const Json deal = parsed(log.back());
    ASSERT_TRUE(deal.contains("hands")) << deal;
    for (const Json& hand : deal["hands"]) EXPECT_FALSE(has(shown, hand.dump())) << shown;
  }
  Json seen = Json::array();
  const Json shown = admin_json("show " + table);
  for (const Json& event : shown["events"]) seen.push_back(event["event"]);
  Player spectator(person("Zoe"), table, 3);
  const auto& told = spectator.events();
  EXPECT_EQ(seen, Json(std::vector<Json>(told.end() - std::ssize(seen), told.end())));
}

TEST_F(Admin, ClosesBesideARunningServer) {
  start();
  const Visitor ann = person("Ann");
  const Visitor bob = person("Bob");
  const std::string table = begun(ann, bob, {{"game", "marbles"}, {"seats", 2}});
  Player first(ann, table, 1);
  Player second(bob, table, 2);
  server::play_until({&first, &second}, [&] { return first.moves() > 1; });
  const std::string before = notice();
  EXPECT_EQ(admin("close " + table), "Match " + table + " is closed.\n");
  EXPECT_NE(notice(), before);
  const auto store = this->store();
  EXPECT_EQ(good(store->row(table))->stage, MatchRow::Stage::over);
  EXPECT_EQ(parsed(good(store->events(table)).back())["why"], "closed");
  refused("close " + table, "The game is over.");
  // The server finds the log longer than it knew at the latest when somebody plays on.
  server::play_until({&first, &second}, [&] { return first.over() && second.over(); });
  write("record", ann.get("/api/tables/" + table + "/record").body);
  EXPECT_EQ(run("verify " + path("record")).exit_code, 0);
}

TEST_F(Admin, ClosesWhilePeoplePlay) {
  start();
  const Visitor ann = person("Ann");
  const Visitor bob = person("Bob");
  for (int round = 0; round < 5; ++round) {
    const std::string table = begun(ann, bob, {{"game", "marbles"}, {"seats", 2}});
    Player first(ann, table, 1);
    Player second(bob, table, 2);
    std::thread closing;
    server::play_until({&first, &second}, [&] {
      if (first.moves() > 3 && !closing.joinable()) closing = std::thread([&, table] { admin("close " + table); });
      return first.over() && second.over();
    });
    closing.join();
    EXPECT_EQ(parsed(good(store()->events(table)).back())["why"], "closed");
  }
}

TEST_F(Admin, BansAndMutes) {
  start();
  const Visitor ann = person("Ann");
  person("Twin");
  person("twin");
  const auto bans = [&] { return parsed(good(store()->fact("bans")).value_or("{}")); };
  EXPECT_TRUE(has(admin("ban --address 192.0.2.7 --name 'Rude One'"), "192.0.2.7"));
  EXPECT_EQ(bans()["names"], Json::array({"rude one"}));
  for (const char* again : {"ban --address 2001:DB8:0::7", "mute ann", "unban --address 192.0.2.7", "unmute Ann",
                            "mute Ann", "unban --name 'rude ONE'"}) {
    const std::string before = notice();
    admin(again);
    EXPECT_NE(notice(), before) << again;
  }
  EXPECT_EQ(
      bans(),
      (Json{{"addresses", Json::array({"2001:db8::7"})}, {"names", Json::array()}, {"silent", Json::array({ann.id})}}));

  refused("ban", "--address or --name");
  refused("ban --address nowhere", "no address");
  refused("mute nobody", "nobody has the id or the name");
  refused("mute Twin", "2 people are called 'Twin'");
  refused("mute", "PERSON");

  // A server's own decisions and these do not undo each other, though it has not looked again.
  const std::string key = admin("owner-key");
  const auto decided = server::ask(port_, "POST", "/api/owner/ban", R"({"name":"Mallory"})",
                                   {{"Authorization", "Bearer " + key.substr(0, key.size() - 1)}});
  EXPECT_EQ(decided.status, 200) << decided.body;
  EXPECT_EQ(bans(), (Json{{"addresses", Json::array({"2001:db8::7"})},
                          {"names", Json::array({"mallory"})},
                          {"silent", Json::array({ann.id})}}));
  stop();
  start();
  EXPECT_EQ(server::ask(port_, "POST", "/api/me", R"({"name":"Mallory"})").status, 403);
}

TEST_F(Admin, RotatesKeys) {
  start();
  Visitor ann = person("Ann");
  for (const bool known : {true, true, false}) {
    EXPECT_EQ(!ann.get("/api/me").json().is_null(), known);
    const std::string before = notice();
    admin("rotate-keys");
    EXPECT_NE(notice(), before);
    stop();
    start();
    ann.port = port_;
  }
}

TEST_F(Admin, ForgetsAPerson) {
  start();
  const Visitor ann = person("Ann");
  const Visitor bob = person("Bob");
  const std::string table = begun(ann, bob, {{"game", "cybo"}, {"seats", 2}});
  const std::string lobby = made(ann, {{"game", "marbles"}});
  ASSERT_EQ(ann.post("/api/me/password", {{"password", "correct horse"}}).status, 200);
  ASSERT_EQ(ann.post("/api/me/link").status, 200);
  ASSERT_EQ(ann.post("/api/guests", {{"name", "Gus"}}).status, 200);
  for (const Visitor& who : {ann, bob}) {
    ASSERT_EQ(who.command(table, {{"id", 77}, {"do", "say"}, {"text", "hello"}}).status, 200);
  }
  server::Live anns = ann.live(table);
  server::Live bobs = bob.live(table);
  ASSERT_TRUE(anns.next() && bobs.next());
  const std::string before = notice();
  EXPECT_EQ(admin("forget Ann"),
            "Of " + ann.id +
                " went: name, password and webhook, 1 guests, 1 keys, 1 lines of chat. Games stay, "
                "without the name.\n");
  EXPECT_NE(notice(), before);
  EXPECT_EQ(admin("forget " + ann.id), "There is nothing of '" + ann.id + "' here.\n");
  EXPECT_EQ(admin("forget Ann"), "There is nothing of 'Ann' here.\n");

  // The server has it within a second or two.
  anns.command({{"id", 78}, {"do", "say"}, {"text", "still here"}});
  EXPECT_TRUE(anns.next_with("stopping"));
  std::optional<Json> told;
  do {
    told = bobs.next_with("people");
  } while (told && (*told)["people"].contains(ann.id));
  ASSERT_TRUE(told);
  EXPECT_EQ((*told)["people"], (Json{{bob.id, "Bob"}}));

  // What others see of it.
  const Json lists = bob.get("/api/tables").json();
  ASSERT_EQ(lists["tables"].size(), 1U);
  EXPECT_EQ(lists["tables"][0]["id"], lobby);
  EXPECT_EQ(lists["people"], Json::object());
  const Json mine = bob.get("/api/me/tables").json();
  EXPECT_EQ(mine["people"], (Json{{bob.id, "Bob"}}));
  EXPECT_EQ(mine["tables"][0]["table"]["seats"][0]["person"], ann.id) << "the seat stays";
  const Json greeting = bob.get("/api/tables/" + table + "/check").json();
  EXPECT_EQ(greeting["people"], (Json{{bob.id, "Bob"}}));
  ASSERT_EQ(greeting["chat"].size(), 1U);
  EXPECT_EQ(greeting["chat"][0]["name"], "Bob");
  EXPECT_TRUE(has(admin("show " + table), "seat 0    nobody known (" + ann.id + ")"));
  EXPECT_TRUE(ann.get("/api/me").json().is_null()) << "whoever was forgotten is a stranger";
  EXPECT_EQ(server::ask(port_, "POST", "/api/login", R"({"name":"Ann","password":"correct horse"})").status, 401);
  EXPECT_EQ(admin("close " + table), "Match " + table + " is closed.\n");
}

TEST_F(Admin, TrimsWhatWasOverForLong) {
  start();
  const Visitor ann = person("Ann");
  const std::string over = made(ann, {{"game", "marbles"}});
  const std::string gathering = made(ann, {{"game", "marbles"}});
  admin("close " + over);
  const auto store = this->store();
  add_old(*store, over, 45);
  EXPECT_EQ(admin("trim --older-than 1"), "45 matches that were over for more than 1 days are gone.\n");
  EXPECT_EQ(admin("trim --older-than 1"), "0 matches that were over for more than 1 days are gone.\n");
  EXPECT_EQ(good(store->count({})), 2);
  EXPECT_EQ(good(store->totals()).chat, 0);
  EXPECT_EQ(good(store->events(over)).size(), 2U);
  EXPECT_EQ(ann.command(gathering, {{"id", 5}, {"do", "sit"}, {"seat", 0}}).status, 200);
  refused("trim", "--older-than");
  refused("trim --older-than 0", "--older-than");
}

TEST_F(Admin, ASettingHoldsAtAllServersAtOnceAndAtThoseThatStartLater) {
  where_ = postgres().new_database();
  const auto served_at = [&](const std::string& name) {
    return std::make_unique<Serving>(std::vector<std::string>{"--port", "0", "--database", where_}, path(name),
                                     path(name + ".err"));
  };
  std::vector<std::unique_ptr<Serving>> servers;
  servers.push_back(served_at("first"));
  servers.push_back(served_at("second"));
  const auto all_answer = [&](int status) {
    return std::ranges::all_of(servers, [status](const auto& server) {
      return server::ask(server->port(), "POST", "/api/me", std::string(101, ' ')).status == status;
    });
  };
  EXPECT_TRUE(all_answer(400)) << "it is no JSON";
  const std::string changed = admin("settings message-bytes=100 tables-per-person=1");
  EXPECT_TRUE(has(changed, "message-bytes=100 ") && has(changed, "(default: 16384)")) << changed;
  EXPECT_TRUE(server::soon([&] { return all_answer(413); }));
  servers.push_back(served_at("third"));
  EXPECT_TRUE(all_answer(413));

  const Visitor ann = server::new_person(servers.back()->port(), "Ann");
  EXPECT_NE(made(ann, {{"game", "marbles"}}), "");
  EXPECT_EQ(ann.post("/api/tables", {{"game", "marbles"}}).status, 429);
  admin("settings message-bytes=default");
  EXPECT_TRUE(server::soon([&] { return all_answer(400); }));
  EXPECT_EQ(ann.post("/api/tables", {{"game", "marbles"}}).status, 429) << "the other setting stays";
}

TEST_F(Admin, ServersDropWhatWasOverForLong) {
  for (const std::string& where : {path("tessera.db"), postgres().new_database()}) {
    const auto store = opened(where);
    {
      Serving serving({"--port", "0", "--database", where}, path("out1"), path("err1"));
      const Visitor ann = server::new_person(serving.port(), "Ann");
      const std::string over = made(ann, {{"game", "marbles"}});
      EXPECT_EQ(run("admin close " + over + " --database '" + where + "'").exit_code, 0);
      add_old(*store, over, 110);
      std::filesystem::remove(path("out1"));
    }
    ASSERT_EQ(good(store->count({})), 111);
    EXPECT_EQ(run("admin settings keep-days=30 --database '" + where + "'").exit_code, 0);
    Serving first({"--port", "0", "--database", where}, path("out1"), path("err1"));
    Serving second({"--port", "0", "--database", where}, path("out2"), path("err2"));
    const auto until = std::chrono::steady_clock::now() + server::patience;
    while (good(store->count({})) > 1 && std::chrono::steady_clock::now() < until) {
      const Visitor bob = server::new_person(first.port(), "Bob");
      EXPECT_NE(made(bob, {{"game", "marbles"}, {"listed", false}}), "");
      if (good(store->count({.changed_before = 2'000'000})) == 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_EQ(good(store->count({.changed_before = 2'000'000})), 0) << first.err() << second.err();
    EXPECT_EQ(good(store->count({.stage = MatchRow::Stage::over})), 1) << "what is over since today stays";
    EXPECT_EQ(good(store->totals()).chat, 0);
    std::filesystem::remove(path("out1"));
    std::filesystem::remove(path("out2"));
  }
}

TEST_F(Admin, SaysWhatIsWrong) {
  expect_refused("admin list --database " + path("none.db"), "there is no database");
  opened(path("tessera.db"));
  expect_refused("admin", "subcommand");
  refused("list --stage lost", "--stage");
  refused("list --limit 0", "--limit");
  refused("list --before x", "--before");
  refused("list --all --limit 3", "--all");
  refused("show", "MATCH");
  refused("show none", "there is no match 'none'");
  refused("close none", "there is no match 'none'");
  refused("forget", "PERSON");
  refused("settings keep-days=-1", "keep-days takes a number from 0 to 100000, or default: keep-days=0.");
  refused("settings message-bytes=0", "message-bytes takes a number from 1");
  refused("settings tables-per-person", "tables-per-person takes a number from 1");
  refused("settings unsent-bytes=1 colour=7", "There is no setting 'colour'. There are keep-days, ");
  EXPECT_TRUE(has(admin("settings"), "unsent-bytes=524288 ")) << "none of that was changed";
  expect_refused("serve --rotate-keys", "--rotate-keys");
  for (const char* command : {"", "list", "show", "stats", "close", "ban", "unban", "mute", "unmute", "forget",
                              "settings", "rotate-keys", "trim", "owner-key"}) {
    EXPECT_TRUE(has(run(std::string("admin ") + command + " --help").out, "--help")) << command;
  }
}

}  // namespace
}  // namespace tessera
