/// Correspondence: whoever is away is called.
#include <thread>

#include "server/live_test.hpp"

namespace tessera::server {
namespace {

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
