/// `tessera serve` as a process: signals, options, what it prints.
#include "serving.hpp"

namespace tessera {
namespace {

using server::ask;
using server::Json;
using server::Live;
using server::parsed;
using server::Wire;
using Clock = std::chrono::steady_clock;

/// Whether the server comes to print it.
bool waits_for(const Serving& serving, const std::string& text, Clock::duration wait = server::patience) {
  const auto until = Clock::now() + wait;
  while (!has(serving.out(), text) && Clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return has(serving.out(), text);
}

std::string new_table(int port) {
  const Json made = ask(port, "POST", "/api/bots", R"({"name":"Bot"})").json();
  return ask(port, "POST", "/api/tables", R"({"game":"marbles"})",
             {{"Authorization", "Bearer " + made.value("token", "")}})
      .json()
      .value("id", "");
}

TEST_F(Serve, StopsGracefullyOnSigterm) {
  auto serving = serve();
  Live live(serving->port(), new_table(serving->port()), "plain=1");
  ASSERT_TRUE(live.next_with("protocol"));
  serving->signal(SIGTERM);
  EXPECT_TRUE(live.next_with("stopping"));
  EXPECT_FALSE(live.next());
  EXPECT_EQ(serving->ended(), 0);
}

TEST_F(Serve, StartsAnewOnSighupAtTheSamePort) {
  auto serving = serve();
  const int port = serving->port();
  const std::string table = new_table(port);
  Live live(port, table, "plain=1");
  const auto greeting = live.next_with("protocol");
  ASSERT_TRUE(greeting);
  Wire kept_open(port);
  kept_open.send(server::request_text("GET", "/api"));
  ASSERT_EQ(read_reply(kept_open).status, 200);

  serving->signal(SIGHUP);
  EXPECT_TRUE(live.next_with("stopping"));
  EXPECT_TRUE(kept_open.ended()) << "the new process has nothing to do with the old one's connections";
  // No connection is refused in between.
  Live again(port, table, "plain=1&after=" + std::to_string((*greeting)["seq"].get<int>()));
  ASSERT_EQ(again.handshake().status, 101);
  EXPECT_EQ((*again.next_with("protocol"))["seq"], (*greeting)["seq"]);
  serving->signal(SIGTERM);
  EXPECT_EQ(serving->ended(), 0);
}

TEST_F(Serve, StartsTheFileThatHasTakenItsPlaceOnSighup) {
  const std::string program = path("program");
  std::filesystem::copy_file(TESSERA_PROGRAM, program);
  Serving serving({"--port", "0", "--database", path("tessera.db")}, path("out"), path("err"), program);
  serving.port();
  write("newer", "#!/bin/sh\nexit 42\n");
  std::filesystem::permissions(path("newer"), std::filesystem::perms::owner_all);
  std::filesystem::rename(path("newer"), program);
  serving.signal(SIGHUP);
  EXPECT_EQ(serving.ended(), 42);
}

TEST_F(Serve, StartsAnewAsItIsOnSighupWhereItsFileIsNoMore) {
  const std::string program = path("program");
  std::filesystem::copy_file(TESSERA_PROGRAM, program);
  Serving serving({"--port", "0", "--database", path("tessera.db")}, path("out"), path("err"), program);
  const int port = serving.port();
  std::filesystem::remove(program);
  serving.signal(SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  serving.signal(SIGHUP);  // it is stopping still: this one is for the next program
  const auto started = [&serving] {
    int count = 0;
    std::istringstream lines(serving.err());
    for (std::string line; std::getline(lines, line);) count += has(line, "started") ? 1 : 0;
    return count;
  };
  const auto until = Clock::now() + server::patience;
  while (started() < 3 && Clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(started(), 3) << serving.err();
  EXPECT_EQ(ask(port, "GET", "/api").status, 200);
  serving.signal(SIGTERM);
  EXPECT_EQ(serving.ended(), 0);
}

TEST_F(Serve, ListensWhereItsOptionsSayOnSighup) {
  const std::string common = "database=" + path("tessera.db") + "\nport=";
  write("options", common + "0\n");
  Serving serving({"--config", path("options")}, path("out"), path("err"));
  const int before = serving.port();
  const int now = server::free_port();
  write("options", common + std::to_string(now) + '\n');
  serving.signal(SIGHUP);
  EXPECT_TRUE(waits_for(serving, "127.0.0.1:" + std::to_string(now)));
  EXPECT_EQ(ask(now, "GET", "/api").status, 200);
  EXPECT_LT(Wire(before).handle(), 0);
}

TEST_F(Serve, KilledAtAnyMomentItKeepsWhatItHasAcknowledged) {
  auto serving = serve();
  const std::string table = new_table(serving->port());
  serving->signal(SIGKILL);
  EXPECT_EQ(serving->ended(), -1);
  serving = serve();
  EXPECT_EQ(ask(serving->port(), "GET", "/api/tables/" + table + "/check").json()["seq"], 1);
}

TEST_F(Serve, RestsWhenItIsOutOfFiles) {
  auto serving = serve();
  const int port = serving->port();
  ASSERT_EQ(ask(port, "GET", "/api").status, 200);
  serving->limit_files(50);
  std::vector<Wire> wires;
  for (int i = 0; i < 60; ++i) wires.emplace_back(port);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double before = serving->cpu_s();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_LT(serving->cpu_s() - before, 0.1) << "it asks again and again";
  const std::string said = serving->err();
  const auto first = said.find("no connection can be accepted");
  ASSERT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("no connection can be accepted", first + 1), std::string::npos) << said;
  wires.clear();
  EXPECT_EQ(ask(port, "GET", "/api").status, 200) << "those that have gone make room";
}

TEST_F(Serve, LetsTheHouseIn) {
  // At an address that every machine has, so that this does not depend on a network.
  auto serving = serve({"--lan", "--address", "127.0.0.1"});
  const std::string url = "http://127.0.0.1:" + std::to_string(serving->port());
  EXPECT_TRUE(waits_for(*serving, "For everybody in the house: " + url + "\n"));
  EXPECT_TRUE(waits_for(*serving, "█"));
}

TEST_F(Serve, FindsTheAddressOfTheHouse) {
  auto serving = serve({"--lan"});
  const int port = serving->port();
  ASSERT_EQ(ask(port, "GET", "/api").status, 200);
  const bool alone = !waits_for(*serving, ":" + std::to_string(port) + "\n\n", std::chrono::seconds(1));
  EXPECT_EQ(alone, has(serving->out(), "has no address")) << serving->out();
  EXPECT_FALSE(has(serving->out(), "in the house: http://127.")) << serving->out();
}

TEST_F(Serve, LogsJsonLines) {
  auto serving = serve({"--log", "json"});
  ASSERT_NE(serving->port(), 0);
  serving->signal(SIGTERM);
  EXPECT_EQ(serving->ended(), 0);
  std::istringstream lines(serving->err());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_TRUE(parsed(line).is_object()) << line;
  EXPECT_GT(count, 0);
}

TEST_F(Serve, ReadsOptionsFromAFile) {
  write("options", "origin=https://friend.test\nlog=json\n");
  auto serving = serve({"--config", path("options")});
  EXPECT_NE(serving->port(), 0);
  serving->signal(SIGTERM);
  EXPECT_EQ(serving->ended(), 0);
  EXPECT_TRUE(serving->err().starts_with("{")) << serving->err();
}

TEST_F(Serve, SaysWhereASettingOfTheWholeSiteIsMade) {
  write("options", "keep-days=365\n");
  expect_refused("serve --config " + path("options"), "`tessera admin settings` has it");
}

TEST_F(Serve, AFileOfOptionsWinsOverTheEnvironmentAndTheCommandLineOverBoth) {
  setenv("TESSERA_DATABASE", path("environment.db").c_str(), 1);
  write("options", "database=" + path("file.db") + "\nport=0\n");
  const std::vector<std::string> with_file{"--config", path("options")};
  EXPECT_NE(Serving(with_file, path("out"), path("err")).port(), 0);
  EXPECT_TRUE(std::filesystem::exists(path("file.db")));
  std::filesystem::remove(path("file.db"));
  EXPECT_NE(serve(with_file)->port(), 0);
  EXPECT_TRUE(std::filesystem::exists(path("tessera.db")));
  EXPECT_FALSE(std::filesystem::exists(path("file.db")));
  EXPECT_FALSE(std::filesystem::exists(path("environment.db")));
  unsetenv("TESSERA_DATABASE");
}

TEST_F(Serve, SaysWhatIsWrong) {
  const std::string database = " --database " + path("tessera.db");
  expect_refused("serve --port 70000", "--port");
  expect_refused("serve --port x", "--port");
  expect_refused("serve --log xml", "--log");
  expect_refused("serve --threads 0", "--threads");
  expect_refused("serve --port 0 --address nowhere" + database, "nowhere");
  expect_refused("serve --port 0 --certificate " + path("none") + database, "--key");
  expect_refused("serve --port 0 --key " + path("none") + " --certificate " + path("none") + database, "certificate");
  expect_refused("serve --port 0 --database " + path("no/such/folder/tessera.db"), "tessera.db");
  auto serving = std::make_unique<Serving>(std::vector<std::string>{"--port", "0", "--database", path("other.db")},
                                           path("out2"), path("err2"));
  expect_refused("serve --port " + std::to_string(serving->port()) + database, "--port");
}

}  // namespace
}  // namespace tessera
