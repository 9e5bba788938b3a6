/// `tessera migrate`: from SQLite to a real PostgreSQL and back, killed in the middle and resumed.
#include "serving.hpp"

namespace tessera {
namespace {

using server::Player;
using server::Visitor;

class Migrate : public Serve {
 protected:
  std::string source() const { return path("tessera.db"); }

  /// A server's database with a game that was played to its end, one that goes on, one that nobody has come to, chat,
  /// a guest, a password, a mute, a person who was forgotten, a ban.
  void fill() {
    auto serving = serve();
    const int port = serving->port();
    ann_ = server::new_person(port, "Ann");
    bob_ = server::new_person(port, "Bob ☃");
    const Visitor zoe = server::new_person(port, "Zoe");
    EXPECT_EQ(ann_.post("/api/me/password", {{"password", "correct horse"}}).status, 200);
    EXPECT_EQ(ann_.post("/api/guests", {{"name", "Gus"}}).status, 200);
    EXPECT_EQ(bob_.post("/api/me/link").status, 200);
    played_ = table("cybo");
    Player first(ann_, played_, 1);
    Player second(bob_, played_, 2);
    server::play_to_the_end({&first, &second});
    playing_ = table("marbles");
    Player third(ann_, playing_, 3);
    Player fourth(bob_, playing_, 4);
    server::play_until({&third, &fourth}, [&] { return third.moves() > 2; });
    for (const Visitor& who : {ann_, zoe, bob_}) {
      EXPECT_EQ(who.command(playing_, {{"id", 1'000'000'007}, {"do", "say"}, {"text", "hello"}}).status, 200);
    }
    EXPECT_EQ(ann_.command(playing_, {{"id", 1'000'000'008}, {"do", "mute"}, {"person", zoe.id}}).status, 200);
    EXPECT_EQ(ann_.post("/api/tables", {{"game", "cubed"}}).status, 201);
    serving->signal(SIGTERM);
    EXPECT_EQ(serving->ended(), 0);
    EXPECT_EQ(run("admin forget " + zoe.id + database()).exit_code, 0);
    EXPECT_EQ(run("admin ban --name rude" + database()).exit_code, 0);
  }

  /// So many matches more, with the log of the one that was played.
  void multiply(int matches) const {
    const auto store = this->store();
    const auto log = good(store->events(played_));
    MatchRow row = *good(store->row(played_));
    for (int i = 0; i < matches; ++i) {
      row.id = fmt::format("copy{}", i);
      const Append append{.match = row.id, .expected = 0, .events = log, .row = row};
      EXPECT_EQ(good(store->append({&append, 1})), std::vector{Appended::done});
    }
  }

  Ran migrate(const std::string& from, const std::string& to) const {
    return run("migrate --from '" + from + "' --to '" + to + "'");
  }

  static std::string everything(const std::string& where) {
    const auto store = opened(where);
    constexpr int all = 1'000'000;
    std::string text;
    for (const MatchRow& row : good(store->matches_after("", {}, all))) {
      text += fmt::format("{} {} {} {} {} {} {} {} {} {} {}\n", row.id, row.code, row.game, static_cast<int>(row.stage),
                          row.listed, row.created, row.changed, row.due.value_or(-1), row.summary,
                          fmt::join(row.people, ","), fmt::join(row.awaited, ","));
      for (const std::string& event : good(store->events(row.id))) text += event + '\n';
    }
    for (const Person& person : good(store->people_after("", all))) {
      text += fmt::format("{} {} {} {} {} {}\n", person.id, person.name, person.password, person.webhook, person.bot,
                          person.created);
    }
    for (const Key& key : good(store->keys_after("", "", all))) {
      text += fmt::format("{} {} {}\n", key.hash, key.kind, key.person);
    }
    for (const Fact& fact : good(store->facts_after("", all))) text += fmt::format("{} {}\n", fact.name, fact.value);
    for (const ChatLine& line : good(store->chat_after("", 0, all))) {
      text += fmt::format("{} {} {} {} {} {} {}\n", line.match, line.number, line.person, line.command, line.gallery,
                          line.text, line.at);
    }
    return text;
  }

  /// Both sit down, and it begins.
  std::string table(const char* game) const {
    const std::string id = ann_.post("/api/tables", {{"game", game}, {"seats", 2}}).json().value("id", "");
    EXPECT_EQ(ann_.command(id, {{"id", 1}, {"do", "sit"}, {"seat", 0}}).status, 200);
    EXPECT_EQ(bob_.command(id, {{"id", 1}, {"do", "sit"}, {"seat", 1}}).status, 200);
    return id;
  }

  Visitor ann_{};
  Visitor bob_{};
  std::string played_;
  std::string playing_;
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
