/// Everything but the sockets: docs/protocol.md, sections "Who you are" and "Tables".
#include <sqlite3.h>
#include <array>
#include <ctime>
#include <fstream>
#include <regex>
#include <set>
#include <thread>

#include "core/text.hpp"
#include "match/record.hpp"
#include "server/gate.hpp"
#include "server/identity.hpp"
#include "server/testing.hpp"
#include "store/store.hpp"

namespace tessera::server {
namespace {

class Rest : public ServerTest {
 protected:
  void SetUp() override { start(); }

  Reply get(const std::string& target, const Headers& headers = {}) const {
    return ask(port(), "GET", target, "", headers);
  }
  Reply post(const std::string& target, const std::string& body, const Headers& headers = {}) const {
    return ask(port(), "POST", target, body, headers);
  }
  Visitor with_cookie_of(const Reply& reply) const {
    const std::string cookie = reply.header("Set-Cookie");
    return {port(), reply.json().value("id", ""), {{"Cookie", cookie.substr(0, cookie.find(';'))}}};
  }
  double metric(const std::string& name) const {
    const std::string metrics = get("/metrics").body;
    const auto at = metrics.find("\n" + name + ' ');
    return at == std::string::npos ? -1 : std::atof(metrics.c_str() + at + name.size() + 2);
  }
  /// Behind the server's back.
  void change_database(const char* statement) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(config_.database.c_str(), &database), SQLITE_OK);
    sqlite3_busy_timeout(database, static_cast<int>(patience.count()));
    EXPECT_EQ(sqlite3_exec(database, statement, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
  /// Two people at a table whose dice are about to be drawn.
  std::string drawing_table(const Visitor& ann, const Visitor& bob, Json settings = {{"game", "marbles"}}) const {
    settings["seats"] = 2;
    const std::string table = make_table(ann, settings);
    EXPECT_EQ(ann.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
    EXPECT_EQ(bob.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 1}}).status, 200);
    return table;
  }
};

TEST_F(Rest, GreetsGamesAndOpponents) {
  const Json greeting = get("/api").json();
  EXPECT_EQ(greeting["protocol"], 1);
  EXPECT_TRUE(greeting["server"].is_string());
  EXPECT_GT(greeting["time"].get<std::int64_t>(), 1'700'000'000'000);

  const Json games = get("/api/games").json()["games"];
  ASSERT_EQ(games.size(), all_games().size());
  for (const Json& game : games) {
    EXPECT_FALSE(game["title"].get<std::string>().empty());
    EXPECT_FALSE(game["rules"].get<std::string>().empty());
    EXPECT_TRUE(game["options"].contains(std::to_string(game["usual_seats"].get<int>())));
  }
  std::set<std::string> bots;
  const Json opponents = get("/api/opponents").json()["opponents"];
  for (const Json& bot : opponents) bots.insert(bot["name"]);
  EXPECT_EQ(bots, (std::set<std::string>{"1", "2", "3", "4", "5"}));
  EXPECT_EQ(get("/api/health").status, 200);
  EXPECT_NE(get("/metrics").body.find("tessera_requests"), std::string::npos);
}

TEST_F(Rest, AlertsAndDashboardNameMetricsThatThereAre) {
  const std::string metrics = get("/metrics").body;
  for (const char* file : {"deploy/alerts.yml", "deploy/dashboard.json"}) {
    const std::string text{std::istreambuf_iterator<char>(std::ifstream(file).rdbuf()), {}};
    const std::regex names("(tessera|process)_[a-z_]+");
    int found = 0;
    for (std::sregex_iterator name(text.begin(), text.end(), names), end; name != end; ++name, ++found) {
      EXPECT_NE(metrics.find("\n" + name->str() + ' '), std::string::npos) << name->str() << " in " << file;
    }
    EXPECT_GT(found, 5) << file;
  }
}

TEST_F(Rest, MetricsSayWhetherTheDatabaseAnswersAndWhenTheServerStarted) {
  EXPECT_EQ(metric("tessera_database_up"), 1);
  EXPECT_NEAR(metric("process_start_time_seconds"), static_cast<double>(std::time(nullptr)), 60);
  change_database("ALTER TABLE facts RENAME TO lost");
  EXPECT_TRUE(soon([&] { return metric("tessera_database_up") == 0; }));
  change_database("ALTER TABLE lost RENAME TO facts");
  EXPECT_TRUE(soon([&] { return metric("tessera_database_up") == 1; }));
}

TEST_F(Rest, MetricsCountTheTablesInMemory) {
  const auto tables = [&] {
    const std::string metrics = get("/metrics").body;
    const std::string_view name = "\ntessera_tables_live ";
    return std::atoi(metrics.c_str() + metrics.find(name) + name.size());
  };
  EXPECT_EQ(tables(), 0);
  const Visitor ann = person("Ann");
  for (int i = 0; i < 3; ++i) make_table(ann, {{"game", "marbles"}});
  EXPECT_EQ(tables(), 3);
  const auto until = std::chrono::steady_clock::now() + patience;
  while (tables() > 0) {  // nobody is there
    ASSERT_LT(std::chrono::steady_clock::now(), until);
    std::this_thread::sleep_for(Milliseconds(50));
  }
}

TEST_F(Rest, SafetyHeadersStandOnEveryAnswer) {
  for (const char* path : {"/", "/api", "/nothing"}) {
    const Reply reply = get(path);
    EXPECT_NE(reply.header("Content-Security-Policy").find("default-src 'self'"), std::string::npos) << path;
    EXPECT_EQ(reply.header("X-Content-Type-Options"), "nosniff") << path;
  }
}

TEST_F(Rest, PagesAreFilesOfTheProgram) {
  const Reply index = get("/");
  EXPECT_EQ(index.header("Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(get("/t/anything").body, index.body);
  EXPECT_EQ(get("/assets/none.js").status, 404);
  const auto from = index.body.find("/assets/");
  ASSERT_NE(from, std::string::npos) << index.body;
  const std::string script = index.body.substr(from, index.body.find('"', from) - from);
  const Reply plain = get(script);
  EXPECT_EQ(plain.status, 200) << script;
  EXPECT_EQ(plain.header("Content-Encoding"), "");
  EXPECT_NE(plain.header("Cache-Control").find("immutable"), std::string::npos);
  const Reply packed = ask(port(), "GET", script, "", {{"Accept-Encoding", "gzip, br"}});
  EXPECT_EQ(packed.header("Content-Encoding"), "gzip");
  EXPECT_LT(packed.body.size(), plain.body.size());
}

TEST_F(Rest, LongAnswersAreCompressedForWhoAcceptsThat) {
  const Reply plain = get("/api/games");
  EXPECT_EQ(plain.header("Content-Encoding"), "");
  const Reply packed = ask(port(), "GET", "/api/games", "", {{"Accept-Encoding", "gzip, deflate"}});
  EXPECT_EQ(packed.header("Content-Encoding"), "deflate");
  EXPECT_LT(packed.body.size() * 2, plain.body.size());
}

TEST_F(Rest, AVisitorHasANameAndACookie) {
  EXPECT_EQ(get("/api/me").status, 200);
  EXPECT_TRUE(get("/api/me").json().is_null());
  const Reply made = post("/api/me", R"({"name":"  Ann  "})");
  ASSERT_EQ(made.status, 200) << made.body;
  EXPECT_EQ(made.json()["name"], "Ann");
  EXPECT_EQ(made.json()["password"], false);
  EXPECT_EQ(made.json()["bot"], false);
  const std::string cookie = made.header("Set-Cookie");
  EXPECT_NE(cookie.find("HttpOnly"), std::string::npos);
  EXPECT_NE(cookie.find("SameSite=Lax"), std::string::npos);

  const Visitor ann = with_cookie_of(made);
  EXPECT_EQ(ann.get("/api/me").json(), made.json());
  EXPECT_EQ(ann.post("/api/me", {{"name", "Anna"}}).json()["id"], ann.id);
  EXPECT_EQ(ann.get("/api/me").json()["name"], "Anna");
  EXPECT_NE(post("/api/me", R"({"name":"Anna"})").json()["id"], ann.id);

  EXPECT_NE(ann.post("/api/logout").header("Set-Cookie").find("Max-Age=0"), std::string::npos);
}

TEST_F(Rest, NamesAreClean) {
  for (const char* name :
       {"", "   ", "a\tb", "a\nb", "\u202Eevil", "a\u200Bb", "a\u2066b", "\u0007", "1234567890123456789012345",
        "a\u034Fb", "\u3164", "a\U000E0100", "\u00A0", "\u2003 \u3000", "\u2800", "\uFE0F"}) {
    const Reply refused = post("/api/me", Json{{"name", name}}.dump());
    EXPECT_EQ(refused.status, 400) << name;
    EXPECT_FALSE(refused.error().empty());
    EXPECT_EQ(refused.header("Set-Cookie"), "");
  }
  for (const char* name :
       {"Jürgen", "محمد", "李小龍", "'; DROP TABLE people; --", "<b>&\"", "🦊", "❤\uFE0F", "a\u00A0b"}) {
    EXPECT_EQ(post("/api/me", Json{{"name", name}}.dump()).json().value("name", ""), name);
  }
}

TEST_F(Rest, ProgramsHaveTokens) {
  const Visitor bot = program("My bot");
  const Json me = bot.get("/api/me").json();
  EXPECT_EQ(me["id"], bot.id);
  EXPECT_EQ(me["bot"], true);
  EXPECT_EQ(post("/api/bots", R"({"name":"B"})").header("Set-Cookie"), "");
  const std::string table = make_table(bot, {{"game", "marbles"}});
  for (const std::string& path : {std::string("/api/me"), "/api/tables/" + table + "/check"}) {
    EXPECT_EQ(get(path, {{"Authorization", "Bearer wrong"}}).status, 401) << path;
  }
  EXPECT_EQ(post("/api/me", R"({"name":"B"})", {{"Authorization", "Bearer wrong"}}).status, 401);
}

TEST_F(Rest, APasswordBringsTheNameElsewhere) {
  const Visitor ann = person("Ann");
  EXPECT_EQ(ann.post("/api/me/password", {{"password", "short"}}).status, 400);
  ASSERT_EQ(ann.post("/api/me/password", {{"password", "correct horse"}}).status, 200);
  EXPECT_EQ(ann.get("/api/me").json()["password"], true);

  const Reply in = post("/api/login", R"({"name":"ann","password":"correct horse"})");
  ASSERT_EQ(in.status, 200) << in.body;
  EXPECT_EQ(with_cookie_of(in).get("/api/me").json()["id"], ann.id);
  const Reply wrong = post("/api/login", R"({"name":"Ann","password":"wrong horse"})");
  EXPECT_EQ(wrong.status, 401);
  EXPECT_EQ(wrong.header("Set-Cookie"), "");
  EXPECT_EQ(post("/api/login", R"({"name":"Nobody","password":"correct horse"})").error(), wrong.error());

  // Another Ann may play, but not keep the name with a password.
  EXPECT_EQ(person("Ann").post("/api/me/password", {{"password", "another horse"}}).status, 409);
}

TEST_F(Rest, APrivateLinkBringsSeatsBack) {
  const Visitor ann = person("Ann");
  const std::string old_key = ann.post("/api/me/link").json()["key"];
  const std::string key = ann.post("/api/me/link").json()["key"];
  const Reply back = post("/api/back", Json{{"key", key}}.dump());
  ASSERT_EQ(back.status, 200);
  EXPECT_EQ(with_cookie_of(back).get("/api/me").json()["id"], ann.id);
  EXPECT_EQ(post("/api/back", Json{{"key", old_key}}.dump()).status, 401);
  EXPECT_EQ(get("/api/feed/" + key).status, 404) << "a key opens only what it was made for";
}

TEST_F(Rest, CookiesOutliveTheServerAndOneRotation) {
  const Visitor ann = person("Ann");
  const auto store = open_store(config_.database);
  ASSERT_TRUE(store);
  for (const bool known : {true, true, false}) {
    EXPECT_EQ(!ann.get("/api/me").json().is_null(), known);
    stop();
    ASSERT_FALSE(Identity::rotate(**store));
    start();
  }
}

TEST_F(Rest, TheFeedHasAwaitedTablesOnly) {
  const Visitor ann = person("Ann & <co>");
  const Visitor bob = person("Bob");
  const std::string waits = drawing_table(ann, bob);
  const std::string gathers = make_table(ann, {{"game", "marbles"}});
  EXPECT_EQ(ann.command(gathers, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
  const std::string path = ann.post("/api/me/feed").json()["feed"];
  const Reply feed = get(path);
  EXPECT_EQ(feed.header("Content-Type"), "application/atom+xml");
  EXPECT_NE(feed.body.find("/t/" + waits), std::string::npos) << feed.body;
  EXPECT_EQ(feed.body.find(gathers), std::string::npos);
  EXPECT_NE(feed.body.find("Ann &amp; &lt;co&gt;"), std::string::npos);
  EXPECT_EQ(get("/api/feed/wrong").status, 404);
}

TEST_F(Rest, ListsArePagedWithoutGapOrRepetition) {
  const Visitor ann = person("Ann");
  std::set<std::string> all;
  for (int i = 0; i < 6; ++i) all.insert(make_table(ann, {{"game", "marbles"}}));
  make_table(ann, {{"game", "marbles"}, {"listed", false}});
  for (const int limit : {1, 2, 4, 6, 100}) {
    std::multiset<std::string> seen;
    int pages = 0;
    for (std::string cursor = "first"; !cursor.empty();) {
      ASSERT_LE(++pages, 7);
      const Json page =
          get("/api/tables?limit=" + std::to_string(limit) + (cursor == "first" ? "" : "&before=" + cursor)).json();
      for (const Json& table : page["tables"]) seen.insert(table["id"]);
      EXPECT_FALSE(page["tables"].empty()) << "limit " << limit << ": the page before should have had no \"next\"";
      cursor = page.value("next", "");
    }
    EXPECT_EQ(seen, std::multiset<std::string>(all.begin(), all.end())) << "limit " << limit;
  }
  for (const char* wrong : {"limit=0", "limit=101", "limit=-1", "limit=x", "limit=", "limit=99999999999999999999",
                            "before=x", "before=.", "stage=none"}) {
    const Reply refused = get(std::string("/api/tables?") + wrong);
    EXPECT_EQ(refused.status, 400) << wrong;
    EXPECT_FALSE(refused.error().empty());
  }
}

TEST_F(Rest, MyTablesBeginWithThoseThatAwaitMe) {
  const Visitor ann = person("Ann");
  const Visitor bob = person("Bob");
  const std::string awaits = drawing_table(ann, bob);
  std::vector<std::string> others;
  for (int i = 0; i < 3; ++i) {
    others.push_back(make_table(ann, {{"game", "marbles"}}));
    ASSERT_EQ(ann.command(others.back(), {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
  }
  std::vector<std::string> ids;
  std::string cursor;
  do {
    const Json page = ann.get("/api/me/tables?limit=2" + (cursor.empty() ? "" : "&before=" + cursor)).json();
    for (const Json& table : page["tables"]) {
      ids.push_back(table["id"]);
      EXPECT_EQ(table.value("awaits_you", false), table["id"] == awaits);
    }
    EXPECT_EQ(page["people"][ann.id], "Ann");
    cursor = page.value("next", "");
  } while (!cursor.empty());
  ASSERT_EQ(ids.size(), 4U);
  EXPECT_EQ(ids.front(), awaits);
  EXPECT_EQ(ann.get("/api/me/tables?over=true").json()["tables"].size(), 0U);
  EXPECT_EQ(get("/api/me/tables").status, 401);
}

TEST_F(Rest, ListsNameGuestsToo) {
  const Visitor ann = person("Ann");
  const std::string guest = ann.post("/api/guests", {{"name", "Gus"}}).json()["id"];
  const std::string table = make_table(person("Host"), {{"game", "marbles"}, {"seats", 3}});
  ASSERT_EQ(ann.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 0}, {"guest", guest}}).status, 200);
  for (const Json& page : {get("/api/tables").json(), ann.get("/api/me/tables").json()}) {
    EXPECT_EQ(page["people"].size(), 3U) << page;
    EXPECT_EQ(page["people"].value(guest, ""), "Gus");
    EXPECT_EQ(page["people"].value(ann.id, ""), "Ann");
  }
}

TEST_F(Rest, CodesFindTables) {
  const Visitor ann = person("Ann");
  const Json made = ann.post("/api/tables", {{"game", "cyclone"}, {"listed", false}}).json();
  EXPECT_EQ(get("/api/codes/" + made["code"].get<std::string>()).json()["id"], made["id"]);
  EXPECT_EQ(get("/api/codes/none-such").status, 404);
  ASSERT_EQ(ann.command(made["id"], {{"id", 1}, {"do", "close"}}).status, 200);
  EXPECT_EQ(get("/api/codes/" + made["code"].get<std::string>()).status, 404) << "a code can be given again";
}

TEST_F(Rest, WrongRequestsAreAnsweredWithSentences) {
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, {{"game", "marbles"}});
  const struct {
    int status;
    Reply reply;
  } all[] = {
      {400, post("/api/me", "{")},
      {400, post("/api/me", "[]")},
      {400, post("/api/me", R"({"name":7})")},
      {400, post("/api/me", "")},
      {400, post("/api/me", std::string(8'000, '[') + std::string(8'000, ']'))},
      {404, get("/api/none")},
      {404, get("/apix")},
      {404, get("/assets/none.js")},
      {405, get("/api/login")},
      {405, post("/api/games", "{}")},
      {405, ask(port(), "DELETE", "/api/me")},
      {413, post("/api/me", std::string(20'000, ' '))},
      {426, get("/api/tables/" + table + "/live")},
      {404, get("/api/tables/none/check")},
      {404, get("/api/tables/none/record")},
      {409, get("/api/tables/" + table + "/record")},
      {401, post("/api/tables", R"({"game":"marbles"})")},
      {400, ann.post("/api/tables", {{"game", "chess"}})},
      {400, ann.post("/api/tables", {{"game", "marbles"}, {"seats", 99}})},
      {400, ann.post("/api/tables", {{"game", "marbles"}, {"options", {{"spaces", 1'000'000}}}})},
      {400, ann.post("/api/me/webhook", {{"url", "ftp://example.org"}})},
      {404, ann.command("none", {{"id", 1}, {"do", "roll"}})},
      {404, ann.command("none", {{"id", 1}, {"do", "say"}, {"text", "hello"}})},
      {409, ann.command(table, {{"id", 1}, {"do", "roll"}})},
      {400, ann.post("/api/tables/" + table + "/commands", Json::array())},
      {400, ann.command(table, {{"id", 1}, {"do", "dance"}})},
      {400, ann.command(table, {{"do", "roll"}})},
      {400, ann.command(table, {{"id", -1}, {"do", "roll"}})},
      {400, ann.command(table, {{"id", 1ULL << 53}, {"do", "roll"}})},
      {400, ann.command(table, {{"id", 1ULL << 53}, {"do", "say"}, {"text", "hello"}})},
      {400, ann.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 1'000'000}})},
      {400, ann.command(table, {{"id", 1}, {"do", "mute"}})},
      {400, ann.command(table, {{"id", 1}, {"do", "mute"}, {"person", ann.id}, {"on", "yes"}})},
      {409, ann.command("none", {{"id", 1}, {"do", "sit"}, {"seat", 0}, {"guest", ann.id + "~none"}})},
      {401, post("/api/tables/" + table + "/commands", R"({"id":1,"do":"sit","seat":0})")},
  };
  for (std::size_t i = 0; i < std::size(all); ++i) {
    EXPECT_EQ(all[i].reply.status, all[i].status) << "request " << i << ": " << all[i].reply.body;
    EXPECT_GT(all[i].reply.error().size(), 10U) << "request " << i << ": " << all[i].reply.body;
  }
  EXPECT_NE(ann.command(table, {{"id", 1}, {"do", "mute"}}).error().find("person"), std::string::npos);
  EXPECT_EQ(ann.get("/api/tables/" + table + "/check").json()["seq"], 1);
}

TEST_F(Rest, TheRecordIsThereOnceItIsOver) {
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, {{"game", "marbles"}});
  EXPECT_EQ(get("/api/tables/" + table + "/record").status, 409);
  ASSERT_EQ(ann.command(table, {{"id", 1}, {"do", "close"}}).status, 200);
  const Reply record = get("/api/tables/" + table + "/record");
  ASSERT_EQ(record.status, 200);
  const auto read = parse_record(record.body);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(read->id, table);
  EXPECT_EQ(get("/api/tables?stage=over").json()["tables"][0]["id"], table);
}

TEST_F(Rest, APersonHasSoManyTables) {
  stop();
  config_.settings.tables_per_person = 2;
  start();
  const Visitor ann = person("Ann");
  for (int i = 0; i < 2; ++i) {
    const std::string table = make_table(ann, {{"game", "marbles"}});
    ASSERT_EQ(ann.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
  }
  EXPECT_EQ(ann.post("/api/tables", {{"game", "marbles"}}).status, 429);
}

TEST_F(Rest, NobodyMakesTablesWithoutEnd) {
  stop();
  config_.settings.tables_per_person = 2;
  start();
  const Visitor ann = person("Ann");
  int made = 0;
  while (made < 5 && ann.post("/api/tables", {{"game", "marbles"}}).status == 201) ++made;
  EXPECT_EQ(made, 2) << "a host who does not sit down counts too";
}

TEST_F(Rest, AnAddressHasSoManyRequests) {
  stop();
  config_.settings.requests_per_s = 2;
  start();
  int refused = 0;
  for (int i = 0; i < 20; ++i) refused += get("/api").status == 429 ? 1 : 0;
  EXPECT_GT(refused, 0);
  EXPECT_LE(refused, 12) << "bursts are allowed";
}

TEST_F(Rest, BehindAProxyThatSpeaksTlsCookiesAreSecure) {
  const auto secure = [&](const Headers& headers) {
    return ask(port(), "POST", "/api/me", R"({"name":"Ann"})", headers).header("Set-Cookie").ends_with("; Secure");
  };
  const Headers https{{"X-Forwarded-Proto", "https"}};
  EXPECT_FALSE(secure(https)) << "anybody could say so";
  stop();
  config_.proxy = true;
  start();
  EXPECT_TRUE(secure(https));
  EXPECT_FALSE(secure({{"X-Forwarded-Proto", "http"}}));
}

TEST_F(Rest, BehindAProxyTheAddressIsTheOneThatTheProxyAdds) {
  stop();
  config_.proxy = true;
  config_.settings.requests_per_s = 2;
  start();
  const auto refused = [&](const std::function<Headers(int)>& headers) {
    int count = 0;
    for (int i = 0; i < 20; ++i) count += ask(port(), "GET", "/api", "", headers(i)).status == 429 ? 1 : 0;
    return count;
  };
  const auto claim = [](int i) { return "7.7.7." + std::to_string(i); };
  EXPECT_EQ(refused([&](int i) { return Headers{{"X-Forwarded-For", claim(i)}}; }), 0);
  EXPECT_GT(refused([&](int i) { return Headers{{"X-Forwarded-For", claim(i) + ", 8.8.8.8"}}; }), 0);
  EXPECT_GT(refused([&](int i) { return Headers{{"X-Forwarded-For", claim(i)}, {"X-Forwarded-For", "8.8.8.9"}}; }), 0);
  for (const std::string nobody : {"", ",", "7.7.7.7, ", " , "}) {
    EXPECT_EQ(ask(port(), "GET", "/api", "", {{"X-Forwarded-For", nobody}}).status, 200) << nobody;
  }
}

TEST_F(Rest, OnlyTheLogSaysWhyTheDatabaseFails) {
  stop();
  config_.json_log = true;
  testing::internal::CaptureStderr();
  start();
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, {{"game", "marbles"}});
  change_database("DROP TABLE chat");
  const Reply unsaid = ann.command(table, {{"id", 1}, {"do", "say"}, {"text", "hello"}});
  change_database("DROP TABLE seats");
  std::vector<Reply> replies{get("/api/tables"), ann.get("/api/me/tables"), get("/api/tables/" + table + "/record"),
                             get("/api/tables/%ff/record")};
  change_database("DROP TABLE people");
  replies.push_back(ann.post("/api/me", {{"name", "An"}}));
  stop();
  for (const Reply& reply : replies) {
    EXPECT_EQ(reply.status, 503);
    EXPECT_EQ(reply.json()["error"], "The server cannot do this just now. Try again in a moment.");
  }
  EXPECT_EQ(unsaid.json()["error"], "The server cannot do this just now. Try again in a moment.") << unsaid.body;

  std::multiset<std::array<std::string, 4>> failed;
  const std::string log = testing::internal::GetCapturedStderr();
  for (const std::string_view text : split(log, '\n')) {
    if (text.empty()) continue;
    const Json line = parsed(text);
    ASSERT_TRUE(line.is_object()) << text;
    if (line["event"] != "a command has failed" && line["event"] != "a request has failed") continue;
    const std::string why = line["why"];
    failed.insert({line["event"], line.value("table", ""), line.value("person", ""), why.substr(why.rfind(' ') + 1)});
  }
  const std::string request = "a request has failed";
  EXPECT_EQ(failed, (std::multiset<std::array<std::string, 4>>{{"a command has failed", table, ann.id, "chat."},
                                                               {request, "", "", "seats."},
                                                               {request, "", ann.id, "seats."},
                                                               {request, table, "", "seats."},
                                                               {request, "\ufffd", "", "seats."},
                                                               {request, "", "", "people."}}))
      << log;
}

// ── The owner ──

class Owner : public Rest {
 protected:
  void SetUp() override {
    start();
    auto store = open_store(config_.database);
    ASSERT_TRUE(store);
    ASSERT_FALSE((*store)->put_person({.id = "owner", .name = "owner"}));
    owner_.headers = {{"Authorization", "Bearer " + *Identity::new_key(**store, "owner", "owner")}};
    owner_.port = port();
  }
  Visitor owner_{};
};

TEST_F(Owner, ClosesATable) {
  testing::internal::CaptureStderr();
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, {{"game", "marbles"}});
  EXPECT_EQ(ann.post("/api/owner/close", {{"table", table}}).status, 403);
  EXPECT_EQ(program().post("/api/owner/close", {{"table", table}}).status, 403);
  EXPECT_EQ(owner_.post("/api/owner/close", {{"table", "none"}}).status, 404);
  Live live = ann.live(table);
  ASSERT_TRUE(live.next());
  EXPECT_EQ(owner_.post("/api/owner/close", {{"table", table}}).status, 200);
  const auto update = live.next_with("turn");
  ASSERT_TRUE(update);
  EXPECT_EQ((*update)["turn"]["over"], true);
  EXPECT_EQ((*update)["table"]["over"]["why"], "closed");
  const std::string log = testing::internal::GetCapturedStderr();
  const auto decided = log.find("the owner has decided");
  ASSERT_NE(decided, std::string::npos) << log;
  EXPECT_NE(log.substr(decided, log.find('\n', decided) - decided).find(table), std::string::npos) << log;
}

TEST_F(Owner, IsNotObeyedNorLoggedWithoutJson) {
  for (const char* body : {"", "[]", "\xff", "{\"person\":\"\xff\"}", "mute\nthem"}) {
    EXPECT_EQ(ask(port(), "POST", "/api/owner/mute", body, owner_.headers).status, 400) << body;
  }
}

TEST_F(Owner, BansANameAlsoAfterARestart) {
  ASSERT_EQ(owner_.post("/api/owner/ban", {{"name", "Rude One"}}).status, 200);
  EXPECT_EQ(post("/api/me", R"({"name":"rude one"})").status, 403);
  EXPECT_EQ(post("/api/bots", R"({"name":"rude one"})").status, 403);
  stop();
  start();
  EXPECT_EQ(post("/api/me", R"({"name":"RUDE ONE"})").status, 403);
  ASSERT_EQ(owner_.post("/api/owner/unban", {{"name", "rude one"}}).status, 200);
  EXPECT_EQ(post("/api/me", R"({"name":"rude one"})").status, 200);
}

TEST_F(Owner, UnbansANameAsItWasWritten) {
  ASSERT_EQ(owner_.post("/api/owner/ban", {{"name", "Rude One"}}).status, 200);
  ASSERT_EQ(owner_.post("/api/owner/unban", {{"name", "Rude One"}}).status, 200);
  EXPECT_EQ(post("/api/me", R"({"name":"rude one"})").status, 200);
}

TEST_F(Owner, BansAGuestsName) {
  const Visitor ann = person("Ann");
  ASSERT_EQ(owner_.post("/api/owner/ban", {{"name", "rude"}}).status, 200);
  EXPECT_EQ(ann.post("/api/guests", {{"name", "Rude"}}).status, 403);
}

TEST_F(Owner, BansAnAddressAndItsSockets) {
  const Visitor ann = person("Ann");
  Live live = ann.live(make_table(ann, {{"game", "marbles"}}));
  ASSERT_TRUE(live.next());
  ASSERT_EQ(owner_.post("/api/owner/ban", {{"address", "127.0.0.1"}}).status, 200);
  Wire wire(port());
  wire.send(request_text("GET", "/api"));
  EXPECT_TRUE(wire.ended());
  EXPECT_EQ(wire.read(), "");
  while (live.next()) continue;
  EXPECT_TRUE(live.closed()) << "who is banned is also put out";
}

TEST_F(Owner, BansAnAddressHoweverItComes) {
  stop();
  config_.address = "::";  // for IPv4 too
  start();
  ASSERT_EQ(owner_.post("/api/owner/ban", {{"address", "127.0.0.1"}}).status, 200);
  EXPECT_EQ(ask(port(), "GET", "/api").status, 0);
}

TEST_F(Owner, BansAnAddressAndItsSocketsBehindAProxy) {
  stop();
  config_.proxy = true;
  start();
  const std::string table = make_table(person("Ann"), {{"game", "marbles"}});
  Live rude(port(), table, "plain=1", {{"X-Forwarded-For", "7.7.7.7"}});
  Live other(port(), table, "plain=1", {{"X-Forwarded-For", "7.7.7.8"}});
  ASSERT_TRUE(rude.next() && other.next());
  ASSERT_EQ(owner_.post("/api/owner/ban", {{"address", "7.7.7.7"}}).status, 200);
  EXPECT_TRUE(rude.next_with("stopping"));
  EXPECT_FALSE(other.next(Milliseconds(300)));
  EXPECT_FALSE(other.closed());
  EXPECT_EQ(Live(port(), table, "", {{"X-Forwarded-For", "7.7.7.7"}}).handshake().status, 429);
}

TEST_F(Owner, BansOnceTheDatabaseSaysWhoHasTheName) {
  const Visitor rude = person("Rude");
  Live live = rude.live(make_table(rude, {{"game", "marbles"}}));
  ASSERT_TRUE(live.next());
  change_database("ALTER TABLE people RENAME TO lost");
  const auto store = open_store(config_.database);
  ASSERT_TRUE(store && Bans::change(**store, [](Bans& bans) { bans.set(true, "", "Rude", ""); }));
  EXPECT_TRUE(soon([&] { return metric("tessera_database_up") == 0; }));
  change_database("ALTER TABLE lost RENAME TO people");
  EXPECT_TRUE(live.next_with("stopping"));
}

TEST_F(Owner, MayStopTheServerWhileSomebodyIsPutOut) {
  const Visitor ann = person("Ann");
  Live live = ann.live(make_table(ann, {{"game", "marbles"}}));
  ASSERT_TRUE(live.next());
  ASSERT_EQ(owner_.post("/api/owner/ban", {{"name", "Ann"}}).status, 200);
  ASSERT_TRUE(live.next_with("stopping"));
  stop();  // the farewell has not been answered
  EXPECT_FALSE(live.next_with("stopping"));
}

TEST_F(Owner, BansANameAndThoseWhoHaveIt) {
  const Visitor ann = person("Ann");
  const Visitor rude = person("Rude One");
  const std::string table = make_table(ann, {{"game", "marbles"}});
  const std::string feed = rude.post("/api/me/feed").json()["feed"];
  const std::string key = rude.post("/api/me/link").json()["key"];
  ASSERT_EQ(rude.post("/api/me/password", {{"password", "correct horse"}}).status, 200);
  const Visitor late = person("Late");
  Live watching = rude.live(table);
  Live renamed = late.live(table);
  Live other = ann.live(table);
  for (Live* live : {&watching, &renamed, &other}) ASSERT_TRUE(live->next());
  ASSERT_EQ(late.post("/api/me", {{"name", "RUDE ONE"}}).status, 200);
  const std::string guest = ann.post("/api/guests", {{"name", "Rude one"}}).json()["id"];

  ASSERT_EQ(owner_.post("/api/owner/ban", {{"name", "rude one"}}).status, 200);
  for (Live* live : {&watching, &renamed}) {
    while (live->next()) continue;
    EXPECT_TRUE(live->closed()) << "who is banned is also put out";
  }
  for (const Reply& refused :
       {rude.get("/api/me"), rude.get("/api/me/tables"), rude.post("/api/me", {{"name", "Nice"}}),
        rude.post("/api/tables", {{"game", "marbles"}}), rude.get("/api/tables/" + table + "/check"),
        rude.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 0}}),
        post("/api/login", R"({"name":"Rude One","password":"correct horse"})"),
        post("/api/back", Json{{"key", key}}.dump()), get(feed)}) {
    EXPECT_EQ(refused.status, 403) << refused.body;
    EXPECT_EQ(refused.header("Set-Cookie"), "");
  }
  EXPECT_EQ(rude.live(table).handshake().status, 403);
  EXPECT_EQ(ann.command(table, {{"id", 1}, {"do", "sit"}, {"seat", 1}, {"guest", guest}}).status, 409);
  EXPECT_EQ(ann.command(table, {{"id", 2}, {"do", "sit"}, {"seat", 0}}).status, 200);
  EXPECT_TRUE(other.next_with("events")) << "others stay";
  ASSERT_EQ(owner_.post("/api/owner/unban", {{"name", "Rude One"}}).status, 200);
  EXPECT_EQ(rude.get("/api/me").status, 200);
}

TEST_F(Owner, MutesAPerson) {
  const Visitor ann = person("Ann");
  const std::string table = make_table(ann, {{"game", "marbles"}});
  const Json line{{"id", 1}, {"do", "say"}, {"text", "hello"}};
  ASSERT_EQ(owner_.post("/api/owner/mute", {{"person", ann.id}}).status, 200);
  EXPECT_EQ(ann.command(table, line).status, 409);
  ASSERT_EQ(owner_.post("/api/owner/unmute", {{"person", ann.id}}).status, 200);
  EXPECT_EQ(ann.command(table, line).status, 200);
  EXPECT_EQ(ann.get("/api/tables/" + table + "/check").json()["chat"].size(), 1U);
}

}  // namespace
}  // namespace tessera::server
