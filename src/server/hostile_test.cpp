/// Clients that mean harm, or do it: whatever they send, they are refused and others go on.
#include <thread>

#include "server/testing.hpp"

namespace tessera::server {
namespace {

const Json marbles{{"game", "marbles"}, {"seats", 2}, {"options", {{"spaces", 8}}}};

class Hostile : public ServerTest {
 protected:
  void SetUp() override {
    start();
    ann_ = person("Ann");
    bob_ = person("Bob");
    table_ = make_table(ann_, marbles);
  }
  void restart() {
    stop();
    start();
  }
  void seat_both() {
    ASSERT_EQ(ann_.command(table_, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
    ASSERT_EQ(bob_.command(table_, {{"id", 1}, {"do", "sit"}, {"seat", 1}}).status, 200);
  }
  /// The server answers, and so does the table.
  void expect_well() {
    EXPECT_EQ(ask(port(), "GET", "/api/health").status, 200);
    Live live = ann_.live(table_);
    EXPECT_TRUE(live.next_with("protocol"));
  }

  Visitor ann_{};
  Visitor bob_{};
  std::string table_;
};

/// What the server says to `bytes` before it closes; it must close.
std::string last_words(Wire& wire, std::string_view bytes) {
  wire.send(bytes);
  EXPECT_TRUE(wire.ended()) << "still open after " << bytes.substr(0, 40);
  return wire.read();
}

TEST_F(Hostile, GarbageInsteadOfHttp) {
  Random random(1, "garbage");
  for (int i = 0; i < 30; ++i) {
    std::string bytes;
    for (std::uint32_t left = 1 + random(3000); left > 0; --left) bytes += static_cast<char>(random(256));
    Wire wire(port());
    const std::string answer = last_words(wire, bytes + "\r\n\r\n");
    if (!answer.empty()) EXPECT_TRUE(answer.starts_with("HTTP/1.1 4")) << answer;
  }
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\r\nHost"), std::string("\x16\x03\x01\x02\x00\x01\x00\x01"),
        "GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nA: " + std::string(20'000, 'a') + "\r\n\r\n",
        std::string("POST /api/me HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
        std::string("POST /api/me HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n")}) {
    Wire wire(port());
    wire.send(bytes);
    wire.more(Milliseconds(200));
  }
  expect_well();
}

TEST_F(Hostile, RequestsInsideTheBodiesOfOthers) {
  const std::string inner = "GET /api/health HTTP/1.1\r\n\r\n";
  for (const char* framing :
       {"Transfer-Encoding: xchunked", "Transfer-Encoding: chunked, identity", "Transfer-Encoding: gzip",
        "Content-Length: 0\r\nContent-Length: 31", "Content-Length: 5\r\nTransfer-Encoding: chunked"}) {
    Wire wire(port());
    const std::string answer =
        last_words(wire, std::string("POST /api/logout HTTP/1.1\r\n") + framing + "\r\n\r\n" + inner);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 400")) << framing << ": " << answer;
    EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << framing << ": " << answer;
  }
  expect_well();
}

TEST_F(Hostile, HalfARequestHarmsNobody) {
  std::vector<Wire> half;
  for (int i = 0; i < 50; ++i) {
    half.emplace_back(port());
    half.back().send(i % 2 == 0 ? "" : "POST /api/me HTTP/1.1\r\nContent-Length: 100\r\n\r\n{\"na");
  }
  expect_well();
  for (Wire& wire : half) wire.drop();
  expect_well();
}

TEST_F(Hostile, FramesThatAreAgainstTheRules) {
  std::string unmasked("\x81\x02{}");
  std::string reserved_bit = frame(Frame::text, "{}");
  reserved_bit[0] = static_cast<char>(reserved_bit[0] | 0x40);
  std::string long_ping = frame(Frame::ping, std::string(126, 'x'));
  const std::string all[] = {
      unmasked,
      reserved_bit,
      long_ping,
      frame(static_cast<Frame>(3), "{}"),
      frame(static_cast<Frame>(11), ""),
      frame(Frame::text, "", true, std::uint64_t{1} << 63),
      frame(Frame::text, "", true, (std::uint64_t{1} << 63) - 1),
      frame(Frame::text, std::string(17 * 1024, ' ')),
      frame(Frame::text, "\xC3\x28"),
      frame(Frame::text, "\xED\xA0\x80"),
      frame(Frame::more, "{}"),
      frame(Frame::text, "{", false) + frame(Frame::text, "}"),
      frame(Frame::ping, "x", false),
      frame(Frame::close, "x"),
      frame(Frame::close, "\x03\xED\xFF\xFE"),
  };
  for (const std::string& bytes : all) {
    Live live = ann_.live(table_);
    ASSERT_TRUE(live.next());
    live.wire().send(bytes);
    while (live.next()) continue;
    EXPECT_TRUE(live.closed()) << "frame " << (&bytes - all);
  }
  expect_well();
}

TEST_F(Hostile, FragmentsWithoutEnd) {
  Live live = ann_.live(table_);
  ASSERT_TRUE(live.next());
  live.wire().send(frame(Frame::text, "{", false));
  for (int i = 0; i < 40 && live.wire().send(frame(Frame::more, std::string(1024, ' '), false)); ++i) continue;
  while (live.next()) continue;
  EXPECT_TRUE(live.closed()) << "more than a message may have";
  expect_well();
}

TEST_F(Hostile, MessagesThatMakeNoSense) {
  Live live = bob_.live(table_);
  ASSERT_TRUE(live.next());
  const std::string all[] = {
      "",
      "x",
      "[]",
      "null",
      "7",
      "\"say\"",
      "{}",
      R"({"do":7})",
      R"({"do":"move","id":1})",
      R"({"id":1e400,"do":"roll"})",
      R"({"id":99999999999999999999999999,"do":"roll"})",
      R"({"id":18446744073709551615,"do":"say","text":"x"})",
      R"({"id":1,"do":"sit","seat":-1})",
      R"({"id":1,"do":"sit","seat":255})",
      R"({"id":1,"do":"sit","seat":1e9})",
      R"({"id":1,"do":"sit","seat":0,"hash":"'; DROP TABLE matches; --"})",
      R"({"id":1,"do":"move","move":[[]]})",
      R"({"id":1,"do":"move","move":[]})",
      R"({"id":1,"do":"say","text":{}})",
      R"({"id":1,"do":"mute","person":[]})",
      R"({"id":1,"do":"mute","person":"'; DROP TABLE chat; --"})",
      R"({"id":1,"do":"bot","seat":0,"bot":"'; DROP TABLE seats; --"})",
      R"({"id":1,"do":"rematch"})",
      std::string(8'000, '[') + std::string(8'000, ']'),
      [] {
        std::string deep = "1";
        for (int i = 0; i < 2'000; ++i) deep = R"({"a":)" + deep + "}";
        return deep;
      }(),
  };
  for (const std::string& text : all) {
    live.send(text);
    const auto answer = live.next();
    ASSERT_TRUE(answer) << text.substr(0, 100);
    EXPECT_TRUE(answer->contains("error") || answer->contains("refused")) << text.substr(0, 100) << ": " << *answer;
  }
  live.wire().send(frame(Frame::binary, R"({"id":1,"do":"roll"})"));
  EXPECT_TRUE(live.next());
  EXPECT_EQ(ann_.get("/api/tables/" + table_ + "/check").json()["seq"], 1) << "nothing has happened";
}

TEST_F(Hostile, TextOfDatabasesIsOnlyText) {
  const std::string evil = "'; DELETE FROM people; --";
  const Visitor eve = person(evil.substr(0, 24));
  EXPECT_EQ(ask(port(), "GET", "/api/codes/'%20OR%201=1%20--").status, 404);
  EXPECT_EQ(ask(port(), "GET", "/api/tables/'%20OR%201=1%20--/check").status, 404);
  EXPECT_EQ(ask(port(), "GET", "/api/tables?before=1.'%20OR%201=1%20--").status, 200);
  EXPECT_EQ(ask(port(), "POST", "/api/login", Json{{"name", "' OR 1=1 --"}, {"password", "xxxxxxxx"}}.dump()).status,
            401);
  EXPECT_EQ(eve.command(table_, {{"id", 1}, {"do", "say"}, {"text", evil}}).status, 200);
  EXPECT_EQ(ann_.get("/api/me").status, 200);
  const Reply check = eve.get("/api/tables/" + table_ + "/check");
  ASSERT_TRUE(check.json().is_object()) << check.head << check.body;
  EXPECT_EQ(check.json()["chat"][0]["text"], evil);
}

TEST_F(Hostile, PathsLeadNowhere) {
  for (const char* path : {"/../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
                           "/api/../../etc/passwd", "/etc/passwd%00.html", "/t/../../etc/passwd", "/%", "/%zz", "/%2",
                           "etc/passwd", "http://127.0.0.1/etc/passwd", "*", "/api/feed/../me", "/?%"}) {
    const Reply reply = ask(port(), "GET", path);
    EXPECT_EQ(reply.body.find("root:"), std::string::npos) << path;
    EXPECT_TRUE(reply.status == 400 || reply.status == 404 || reply.body.find("<!doctype html>") == 0 ||
                reply.body.find("<!DOCTYPE html>") == 0)
        << path << ": " << reply.status << " " << reply.body.substr(0, 50);
  }
  expect_well();
}

// ── Who is who ──

TEST_F(Hostile, PagesOfOtherSites) {
  const std::string own = "http://tessera.test";
  for (const char* origin : {"http://evil.test", "https://tessera.test", "null", "http://tessera.test.evil.test"}) {
    Headers headers = ann_.headers;
    headers.emplace_back("Origin", origin);
    EXPECT_EQ(ask(port(), "POST", "/api/me", R"({"name":"Eve"})", headers).status, 403) << origin;
    EXPECT_EQ(ask(port(), "POST", "/api/tables", marbles.dump(), headers).status, 403) << origin;
    EXPECT_EQ(Live(port(), table_, "", headers).handshake().status, 403) << origin;
  }
  Headers headers = ann_.headers;
  headers.emplace_back("Origin", own);
  EXPECT_EQ(ask(port(), "POST", "/api/me", R"({"name":"Anna"})", headers).status, 200);
  EXPECT_EQ(Live(port(), table_, "", headers).handshake().status, 101);

  stop();
  config_.origins = {"https://friend.test"};
  start();
  headers.back().second = "https://friend.test";
  EXPECT_EQ(ask(port(), "POST", "/api/me", R"({"name":"Anna"})", headers).status, 200);
}

TEST_F(Hostile, ForgedCookies) {
  const std::string cookie = ann_.headers[0].second;
  ASSERT_EQ(ann_.get("/api/me").status, 200);
  for (std::size_t i = std::string_view("tessera=").size(); i < cookie.size(); ++i) {
    if (cookie[i] == '.') continue;
    std::string forged = cookie;
    forged[i] = forged[i] == 'A' ? 'w' : 'A';
    EXPECT_EQ(ask(port(), "GET", "/api/me", "", {{"Cookie", forged}}).body, "null") << i;
  }
  for (const std::string& forged :
       {"tessera=" + ann_.id, "tessera=" + ann_.id + ".", std::string("tessera=."), std::string("tessera="),
        std::string("tessera"), std::string("=;=;;;="), "tessera=" + bob_.id + cookie.substr(cookie.find('.'))}) {
    EXPECT_EQ(ask(port(), "GET", "/api/me", "", {{"Cookie", forged}}).body, "null") << forged;
  }
  EXPECT_EQ(ask(port(), "GET", "/api/me", "", {{"Cookie", "a=b; " + cookie + "; c=d"}}).json()["id"], ann_.id);
}

TEST_F(Hostile, OtherPeoplesSeats) {
  seat_both();
  Player ann(ann_, table_, 1);
  Player bob(bob_, table_, 2);
  const Visitor eve = person("Eve");
  const std::string hash(64, 'a');
  const auto all = [&](const Visitor& who) {
    for (const Json& command : std::vector<Json>{{{"do", "commit"}, {"hash", hash}},
                                                 {{"do", "reveal"}, {"contribution", hash}},
                                                 {{"do", "roll"}},
                                                 {{"do", "move"}, {"move", "pass"}},
                                                 {{"do", "stand"}},
                                                 {{"do", "auto_roll"}, {"on", true}},
                                                 {{"do", "take_back"}},
                                                 {{"do", "stop"}},
                                                 {{"do", "answer"}, {"yes", true}},
                                                 {{"do", "resign"}},
                                                 {{"do", "ready"}},
                                                 {{"do", "back"}},
                                                 {{"do", "remove"}},
                                                 {{"do", "hand_over"}},
                                                 {{"do", "pause"}},
                                                 {{"do", "close"}}}) {
      Json other = command;
      other["seat"] = 0;
      other["id"] = 1000;
      EXPECT_EQ(who.command(table_, other).status, 409) << other;
    }
  };
  all(bob_);
  all(eve);
  play_until({&ann, &bob}, [&] { return ann.begun() && bob.begun(); });
  all(bob_);
  all(eve);
  play_to_the_end({&ann, &bob});
}

TEST_F(Hostile, OtherPeoplesGuests) {
  const std::string guest = ann_.post("/api/guests", {{"name", "Guest"}}).json()["id"];
  const auto sit = [&](const Visitor& who, const std::string& as) {
    return who.command(table_, {{"id", 5}, {"do", "sit"}, {"seat", 1}, {"guest", as}}).status;
  };
  EXPECT_EQ(sit(bob_, guest), 409);
  EXPECT_EQ(sit(bob_, ann_.id), 409);
  EXPECT_EQ(sit(bob_, ann_.id + "~"), 409);
  EXPECT_EQ(sit(ann_, ann_.id + "~made-up"), 409) << "nobody has made this guest";
  EXPECT_EQ(sit(ann_, ann_.id + "~" + std::string(10'000, 'x')), 409);
  EXPECT_EQ(sit(ann_, guest), 200);
}

TEST_F(Hostile, ReplayedCommandsOfAnother) {
  seat_both();
  Live eve = person("Eve").live(table_);
  ASSERT_TRUE(eve.next());
  eve.command(Json{{"id", 1}, {"do", "sit"}, {"seat", 0}});
  const auto answer = eve.next();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->value("refused", 0), 1) << "a number counts only for the person who has used it: " << *answer;
}

// ── Too much ──

TEST_F(Hostile, FloodsOfCommandsSlowTheFlooderOnly) {
  stop();
  config_.settings.messages_per_s = 10;
  start();
  Live ann = ann_.live(table_);
  Live bob = bob_.live(table_);
  ASSERT_TRUE(ann.next());
  ASSERT_TRUE(bob.next());
  constexpr int sent = 60;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; i <= sent; ++i) ASSERT_TRUE(bob.command(Json{{"id", i}, {"do", "roll"}}));
  ann.command(Json{{"id", 1}, {"do", "sit"}, {"seat", 0}});
  EXPECT_TRUE(ann.next_with("ack"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, Milliseconds(1'500)) << "nobody waits for the flood";
  for (int i = 1; i <= sent; ++i) {
    const auto answer = bob.next_with("refused");
    ASSERT_TRUE(answer) << "the server has closed the socket after " << i;
    EXPECT_EQ((*answer)["refused"], i) << "in their order";
  }
  EXPECT_GE(std::chrono::steady_clock::now() - begin, Milliseconds(1'900)) << "40 at once, then 10 a second";
}

TEST_F(Hostile, FloodsOfPings) {
  Live ann = ann_.live(table_);
  Live bob = bob_.live(table_);
  ASSERT_TRUE(ann.next());
  ASSERT_TRUE(bob.next());
  std::string pings;
  for (int i = 0; i < 20'000; ++i) pings += frame(Frame::ping, "flood");
  std::thread flooder([&] { bob.wire().send(pings); });
  ann.command(Json{{"id", 1}, {"do", "sit"}, {"seat", 0}});
  EXPECT_TRUE(ann.next_with("ack"));
  ::shutdown(bob.wire().handle(), SHUT_RDWR);
  flooder.join();
  expect_well();
}

TEST_F(Hostile, AnswersToPingsPileUpOnlySoFar) {
  Live deaf(port(), table_, "plain=1", bob_.headers, 4096);
  ASSERT_TRUE(deaf.next());
  std::string pings;
  for (int i = 0; i < 1'000; ++i) pings += frame(Frame::ping, std::string(125, 'x'));
  int sent = 0;
  while (sent < 1'000 && deaf.wire().send(pings)) ++sent;
  EXPECT_LT(sent, 1'000) << "it is cut off";
  expect_well();
}

TEST_F(Hostile, SlowReadersAreDroppedAndHarmNobody) {
  Live slow(port(), table_, "plain=1", bob_.headers, 4096);
  Live ann = ann_.live(table_);
  ASSERT_TRUE(ann.next());
  // Much more than the system holds for a connection.
  std::string text;
  for (int i = 0; i < 500; ++i) text += "🦊";
  const auto dropped = [&] {
    const std::string metrics = ask(port(), "GET", "/metrics").body;
    const auto at = metrics.find("\ntessera_sockets_dropped_total ");
    return at != std::string::npos && metrics[metrics.find(' ', at + 1) + 1] != '0';
  };
  for (int said = 0; said < 20'000 && !dropped();) {
    constexpr int at_once = 10;
    for (int i = 0; i < at_once; ++i) ann.command(Json{{"id", ++said}, {"do", "say"}, {"text", text}});
    for (int i = 0; i < at_once; ++i) ASSERT_TRUE(ann.next_with("ack"));
  }
  EXPECT_TRUE(dropped());
  while (slow.next(Milliseconds(500))) continue;
  EXPECT_TRUE(slow.closed());
  expect_well();
}

TEST_F(Hostile, ConnectionsOfOneAddress) {
  stop();
  config_.settings.connections_per_address = 200;
  start();
  std::vector<Wire> open;
  for (int i = 0; i < 300; ++i) {
    open.emplace_back(port());
    open.back().send(request_text("GET", "/api"));
  }
  int served = 0;
  for (Wire& wire : open) served += read_reply(wire).status == 200 ? 1 : 0;
  EXPECT_EQ(served, 200);
  open.clear();
  // Those that have gone make room.
  const auto until = std::chrono::steady_clock::now() + patience;
  while (ask(port(), "GET", "/api").status != 200) ASSERT_LT(std::chrono::steady_clock::now(), until);
  expect_well();
}

TEST_F(Hostile, SocketsOfOneAddressBehindAProxy) {
  stop();
  config_.proxy = true;
  config_.settings.connections_per_address = 3;
  start();
  const auto from = [&](const std::string& address) {
    return std::make_unique<Live>(port(), table_, "plain=1", Headers{{"X-Forwarded-For", address}});
  };
  std::vector<std::unique_ptr<Live>> open;
  for (int i = 0; i < 3; ++i) {
    open.push_back(from("7.7.7.7"));
    ASSERT_TRUE(open.back()->next());
  }
  const Reply refused = from("7.7.7.7")->handshake();
  EXPECT_EQ(refused.status, 429);
  EXPECT_GT(refused.error().size(), 10U);
  EXPECT_TRUE(from("7.7.7.8")->next()) << "another address has places of its own";
  EXPECT_EQ(ask(port(), "GET", "/api", "", {{"X-Forwarded-For", "7.7.7.7"}}).status, 200) << "requests need none";
  open.pop_back();
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!from("7.7.7.7")->next()) ASSERT_LT(std::chrono::steady_clock::now(), until) << "one that has gone makes room";
}

TEST_F(Hostile, SocketsAtTablesThatAreNot) {
  Live live(port(), "no-such-table", "plain=1");
  const auto answer = live.next();
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->contains("error"));
  while (live.next()) continue;
  EXPECT_TRUE(live.closed());
  EXPECT_EQ(Live(port(), table_, "", {{"Authorization", "Bearer wrong"}}).handshake().status, 401);
}

}  // namespace
}  // namespace tessera::server
