/// Backup and restore by the commands of docs/deploy.md, as they stand there.
#include <deque>
#include <future>
#include <map>

#include "filled.hpp"
#include "store/schema.hpp"

namespace tessera {
namespace {

using server::Player;

/// The commands of a block of the page, all as one user in the folder of the test. The services are the test's own.
std::string commands(int block, const std::string& folder) {
  std::ifstream file("docs/deploy.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  constexpr std::string_view fence = "\n```\n";
  std::size_t begin = 0;
  std::size_t end = text.find("\n## Backup and restore\n");
  for (int i = 0; i <= block && end != std::string::npos; ++i) {
    begin = text.find(fence, end + 1) + fence.size();
    end = text.find(fence, begin);
  }
  EXPECT_NE(end, std::string::npos);
  std::istringstream lines(text.substr(begin, end - begin));
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("apt-get ") || line.starts_with("systemctl ")) continue;
    for (const auto& [there, here] : std::map<std::string, std::string>{{"runuser -u tessera -- ", ""},
                                                                        {"runuser -u postgres -- ", ""},
                                                                        {"-o tessera -g tessera ", ""},
                                                                        {"/var/lib/tessera", folder},
                                                                        {"/var/backups", folder}}) {
      for (std::size_t at = 0; (at = line.find(there, at)) != std::string::npos; at += here.size()) {
        line.replace(at, there.size(), here);
      }
    }
    all += line + '\n';
  }
  return all;
}

class Backup : public Filled, public testing::WithParamInterface<Backend> {
 protected:
  Backup() {
    if (!on_postgres()) return;
    for (const char* sql :
         {"DROP DATABASE IF EXISTS tessera", "DROP DATABASE IF EXISTS tessera_before", "DROP ROLE IF EXISTS tessera",
          "CREATE ROLE tessera LOGIN", "CREATE DATABASE tessera OWNER tessera"}) {
      postgres().execute("postgres", sql);
    }
    where_ = postgres().url("tessera", "tessera");
  }

  void back_up() const { carry_out(on_postgres() ? 2 : 0); }
  void restore() const { carry_out(on_postgres() ? 3 : 1); }

  std::map<std::string, std::vector<std::string>> logs() const {
    const auto store = this->store();
    std::map<std::string, std::vector<std::string>> logs;
    for (const MatchRow& row : good(store->matches_after("", {}, 1'000'000)))
      logs[row.id] = good(store->events(row.id));
    return logs;
  }

 private:
  static bool on_postgres() { return GetParam() == Backend::postgres; }
  void carry_out(int block) const {
    write("commands", commands(block, path(".")));
    const std::string as_owner = on_postgres() ? "PGUSER=postgres PGHOST=" + postgres().host() + ' ' : "";
    const Ran ran = run_program(as_owner + "sh", "-e " + path("commands"));
    EXPECT_EQ(ran.exit_code, 0) << read("commands") << ran.err;
  }
};
INSTANTIATE_TEST_SUITE_P(Backends, Backup, testing::Values(Backend::sqlite, Backend::postgres),
                         [](const auto& info) { return info.param == Backend::sqlite ? "Sqlite" : "Postgres"; });

TEST_P(Backup, UnderPlayItIsAsOfOneMoment) {
  fill();
  multiply(200);
  auto serving = serve();
  ann_.port = bob_.port = serving->port();
  std::deque<Player> players;
  std::vector<Player*> all;
  for (int i = 0; i < 8; ++i) {
    const std::string id = table("marbles");
    for (const auto& who : {ann_, bob_}) all.push_back(&players.emplace_back(who, id, 10 + all.size()));
  }
  std::map<std::string, std::uint64_t> written;  // before the backup begins
  const auto moves = [&] {
    std::uint64_t sum = 0;
    for (const Player& player : players) sum += player.moves();
    return sum;
  };
  play_until(all, [&] { return moves() > 50; });
  for (const Player& player : players) written[player.table()["id"]] = player.sequence();
  const std::uint64_t before = moves();
  const auto backup = std::async(std::launch::async, [this] { back_up(); });
  play_until(all, [&] { return backup.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  EXPECT_GT(moves(), before) << "nobody has moved meanwhile";
  play_until(all, [&, more = moves() + 20] { return moves() > more; });
  serving->signal(SIGTERM);
  EXPECT_EQ(serving->ended(), 0);

  const auto living = logs();
  restore();
  const auto restored = logs();
  EXPECT_EQ(restored.size(), living.size());
  std::size_t lacking = 0;
  for (const auto& [match, events] : restored) {
    const auto& longer = living.at(match);
    EXPECT_TRUE(events.size() <= longer.size() && std::equal(events.begin(), events.end(), longer.begin())) << match;
    EXPECT_GE(events.size(), written[match]) << match;
    lacking += longer.size() - events.size();
  }
  EXPECT_GT(lacking, 0U) << "what came later is not in it";

  // A server goes on with it: cookies, seats, the game.
  serving = serve();
  ann_.port = bob_.port = serving->port();
  EXPECT_EQ(ann_.get("/api/me").json()["name"], "Ann");
  Player first(ann_, playing_, 5);
  Player second(bob_, playing_, 6);
  server::play_to_the_end({&first, &second});
}

TEST_P(Backup, AtRestItIsTheSame) {
  store();
  back_up();  // an older one, which the next takes the place of
  fill();
  const std::string before = everything(where_);
  back_up();
  EXPECT_EQ(store()->put_fact("later", "x"), std::nullopt);
  restore();
  EXPECT_EQ(everything(where_), before);
}

}  // namespace
}  // namespace tessera
