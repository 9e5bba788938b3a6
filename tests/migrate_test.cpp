/// `tessera migrate`: from SQLite to a real PostgreSQL and back, killed in the middle and resumed.
#include "filled.hpp"

namespace tessera {
namespace {

using server::Player;

class Migrate : public Filled {
 protected:
  const std::string& source() const { return where_; }

  Ran migrate(const std::string& from, const std::string& to) const {
    return run("migrate --from '" + from + "' --to '" + to + "'");
  }
};

/// The program as a child that can be signalled.
class Running {
 public:
  Running(const std::string& from, const std::string& to, const std::string& err) : pid_(fork()) {
    if (pid_ != 0) return;
    dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    execl(TESSERA_PROGRAM, TESSERA_PROGRAM, "migrate", "--from", from.c_str(), "--to", to.c_str(), nullptr);
    _exit(127);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (pid_ > 0) ended_by(SIGKILL);
  }
  /// The status as of waitpid.
  int ended_by(int signal) {
    int status = 0;
    kill(pid_, signal);
    waitpid(std::exchange(pid_, 0), &status, 0);
    return status;
  }
  bool ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
  }

 private:
  pid_t pid_;
};

std::int64_t matches_in(Store& store) { return good(store.count({})); }

TEST_F(Migrate, FromSqliteToPostgresKilledAgainAndAgain) {
  fill();
  constexpr int copies = 1500;
  multiply(copies);
  const std::string before = everything(source());
  const std::string target = postgres().new_database();
  const auto watcher = opened(target);
  int killed = 0;
  for (const std::int64_t enough : {1, 200, 500, 501, 900}) {
    Running running(source(), target, path("migrating"));
    while (matches_in(*watcher) < enough && !running.ended()) std::this_thread::yield();
    const bool interrupt = enough == 500;
    const int status = running.ended_by(interrupt ? SIGINT : SIGKILL);
    if (interrupt && WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 1);
      EXPECT_EQ(read("migrating"), "tessera: interrupted; the same command goes on where it was\n");
    }
    killed += static_cast<int>(!WIFEXITED(status) || WEXITSTATUS(status) == 1);
  }
  EXPECT_GT(killed, 0);
  for (int i = 0; i < 2; ++i) {
    const Ran ran = migrate(source(), target);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(has(ran.out, fmt::format("Compared {} matches with ", copies + 3))) << ran.out;
    EXPECT_TRUE(has(ran.out, "all are the same.")) << ran.out;
  }
  EXPECT_EQ(everything(target), before);
  EXPECT_EQ(everything(source()), before) << "the source stays as it is";

  // A server goes on with it: cookies, seats, the game.
  Serving serving({"--port", "0", "--database", target}, path("out2"), path("err2"));
  ann_.port = bob_.port = serving.port();
  EXPECT_EQ(ann_.get("/api/me").json()["name"], "Ann");
  Player first(ann_, playing_, 5);
  Player second(bob_, playing_, 6);
  server::play_to_the_end({&first, &second});
  EXPECT_EQ(ann_.get("/api/tables/" + played_ + "/record").status, 200);
}

TEST_F(Migrate, AnyKindToAnyKind) {
  fill();
  const std::string before = everything(source());
  std::string from = source();
  for (const std::string& to :
       {postgres().new_database(), postgres().new_database(), path("back.db"), path("like.db")}) {
    const Ran ran = migrate(from, to);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(everything(to), before) << to;
    from = to;
  }
}

TEST_F(Migrate, TheBarEndsWithTheLastThing) {
  fill();
  const std::string command = TESSERA_PROGRAM " migrate --from " + source() + " --to " + path("new.db");
  const Ran ran = run_program("script", "-qec '" + command + "' /dev/null");
  EXPECT_EQ(ran.exit_code, 0) << ran.out;
  for (const char* what : {"things copied", "things compared"}) {
    const std::string line = ran.out.substr(0, ran.out.rfind(what));
    const std::string last = line.substr(line.rfind("] ") + 2);
    const auto of = last.find(" of ");
    ASSERT_NE(of, std::string::npos) << ran.out;
    EXPECT_EQ(last.substr(0, of) + ' ', last.substr(of + 4)) << ran.out;
  }
}

TEST_F(Migrate, NamesTheFirstDifference) {
  fill();
  const std::string target = postgres().new_database();
  opened(target);
  PostgresServer::execute_at(
      target,
      "CREATE FUNCTION lie() RETURNS trigger AS 'BEGIN NEW.text := NEW.text || ''!''; RETURN NEW; "
      "END' LANGUAGE plpgsql; CREATE TRIGGER lie BEFORE INSERT ON chat FOR EACH ROW EXECUTE "
      "FUNCTION lie()");
  const Ran ran = migrate(source(), target);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_TRUE(has(ran.err, "line 1 of the chat of " + playing_ + " is another in the target")) << ran.err;
  EXPECT_EQ(ran.out, "");
}

TEST_F(Migrate, RefusesATargetWithOtherThings) {
  fill();
  const auto refused = [&](const std::string& what, const std::function<void(Store&)>& add) {
    const std::string target = path("other.db");
    std::filesystem::remove(target);
    add(*opened(target));
    const std::string before = everything(target);
    expect_refused("migrate --from " + source() + " --to " + target, what);
    EXPECT_EQ(everything(target), before);
  };
  const auto append = [&](Store& store, std::string id, std::vector<std::string> events) {
    MatchRow row = *good(this->store()->row(played_));
    row.id = id;
    const Append one{.match = std::move(id), .expected = 0, .events = std::move(events), .row = row};
    EXPECT_EQ(good(store.append({&one, 1})), std::vector{Appended::done});
  };
  refused("match 'another' is in the target alone", [&](Store& store) { append(store, "another", {"{}"}); });
  refused("match '" + played_ + "' is another in the target", [&](Store& store) { append(store, played_, {"{}"}); });
  refused("the person 'x' is in the target alone", [](Store& store) { store.put_person({.id = "x", .name = "X"}); });
  refused("the fact 'session_keys' is another", [](Store& store) { store.put_fact("session_keys", "x"); });
  refused("a key (link) of 'x' is in the target alone", [](Store& store) { store.put_key("h", "x", "link"); });
  refused("line 1 of the chat of m is in the target alone",
          [](Store& store) { good(store.say({.match = "m", .person = "x", .command = 1, .text = "x"})); });
}

TEST_F(Migrate, SaysWhatIsWrong) {
  opened(source());
  std::filesystem::create_symlink(source(), path("linked.db"));
  expect_refused("migrate --from " + source() + " --to " + path("linked.db"), "the same database");
  expect_refused("migrate --from " + path("none.db") + " --to " + path("new.db"), "there is no database");
  EXPECT_FALSE(std::filesystem::exists(path("new.db")));
  expect_refused("migrate --from " + source(), "--to");
  expect_refused("migrate --from " + source() + " --to " + path("no/such/folder/x.db"), "x.db");
  const std::string url = postgres().new_database();
  expect_refused("migrate --from '" + url + "' --to '" + url + "&connect_timeout=9'", "the same database");
  EXPECT_TRUE(has(run("migrate --help").out, "STOP EVERY SERVER"));
}

}  // namespace
}  // namespace tessera
