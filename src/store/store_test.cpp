#include "store/contract_test.hpp"

#include <barrier>
#include <fstream>
#include <thread>

/// Opening a database: a new one, an older one, one that is wrong, and one that was away.
namespace tessera {
namespace {

INSTANTIATE_TEST_SUITE_P(Backends, Contract, testing::Values(Backend::sqlite, Backend::postgres),
                         [](const auto& info) { return info.param == Backend::sqlite ? "Sqlite" : "Postgres"; });

TEST_P(Contract, ManyMayOpenANewDatabaseAtOnce) {
  constexpr int stores = 6;
  std::barrier together(stores);
  std::vector<std::thread> threads;
  for (int i = 0; i < stores; ++i) {
    threads.emplace_back([&, i] {
      together.arrive_and_wait();
      const auto store = open_store(where_);
      if (!store) {
        ADD_FAILURE() << store.error().sentence;
      } else {
        add_row(**store, row_of(fmt::format("m{}", i)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good(open()->listed({})).size(), stores);
}

TEST_P(Contract, AnOlderSchemaIsBroughtForward) {
  execute("CREATE TABLE tessera_schema (version BIGINT NOT NULL)");
  execute("INSERT INTO tessera_schema VALUES (0)");
  add_row(*open(), row_of("m"));
  EXPECT_EQ(good(open()->events("m")), events_up_to(1));
}

TEST_P(Contract, ANewerSchemaIsRefused) {
  open();
  execute("UPDATE tessera_schema SET version = 77");
  const auto store = open_store(where_);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().sentence,
            fmt::format("This database was written by a newer Tessera (schema 77; this one knows up to {}). "
                        "Upgrade Tessera, or give another --database.",
                        migrations(GetParam()).size()));
}

/// What brings an empty database to the schema before the newest.
std::vector<std::string> schema_before(Backend backend) {
  auto steps = migrations(backend);
  steps.pop_back();
  std::vector<std::string> statements{
      "CREATE TABLE tessera_schema (version BIGINT NOT NULL)",
      fmt::format("INSERT INTO tessera_schema VALUES ({})", steps.size()),
  };
  for (const auto& step : steps) statements.insert(statements.end(), step.begin(), step.end());
  return statements;
}

TEST_P(Contract, TheSchemaBeforeIsBroughtForwardWithAllThatIsInIt) {
  for (const std::string& sql : schema_before(GetParam())) execute(sql);
  for (const char* sql : {
           "INSERT INTO matches (id, code, game, stage, listed, created, changed, due, summary)"
           " VALUES ('m', 'code-m', 'marbles', 0, 1, 1, 1, NULL, '{\"seats\":4}')",
           "INSERT INTO seats (match, place, person, awaited) VALUES ('m', 0, 'ann', 0), ('m', 1, 'bob', 1)",
           "INSERT INTO people (id, name, folded, password, webhook, bot, created)"
           " VALUES ('ann', 'Ann', 'ann', 'hash', 'https://example.org', 0, 5)",
           "INSERT INTO keys (hash, kind, person) VALUES ('h', 'link', 'ann')",
           "INSERT INTO chat (match, number, person, command, gallery, text, at)"
           " VALUES ('m', 1, 'ann', 7, 1, 'hello', 9)",
           "INSERT INTO facts (name, value) VALUES ('session_keys', 'x')",
       }) {
    execute(sql);
  }
  if (GetParam() == Backend::postgres) {
    execute(
        "INSERT INTO entries (match, follows, last, lines)"
        " VALUES ('m', 0, 2, '{\"n\":1}\n{\"n\":2}'), ('m', 2, 3, '{\"n\":3}')");
  } else {  // the second entry is not settled
    execute("INSERT INTO logs (number, match, last, last_entry) VALUES (1, 'm', 2, 1)");
    execute(
        "INSERT INTO entries (number, previous, lines, log, last)"
        " VALUES (1, 0, '{\"n\":1}\n{\"n\":2}', 1, 2), (2, 1, '{\"n\":3}', 1, 3)");
    execute("UPDATE settled SET entry = 1");
  }

  const auto store = open();
  EXPECT_EQ(good(store->events("m")), events_up_to(3));
  EXPECT_EQ(good(store->row("m")), row_of("m"));
  EXPECT_EQ(good(store->person_with_password("Ann")),
            (Person{.id = "ann", .name = "Ann", .password = "hash", .webhook = "https://example.org", .created = 5}));
  EXPECT_EQ(good(store->person_with_key("h", "link")), "ann");
  const ChatLine hello{
      .number = 1, .match = "m", .person = "ann", .command = 7, .gallery = true, .text = "hello", .at = 9};
  EXPECT_EQ(good(store->chat("m", 0, 9)), std::vector{hello});
  EXPECT_EQ(good(store->fact("session_keys")), "x");

  EXPECT_EQ(append_to(*store, {further("m", 2), further("m", 3)}), (Outcomes{stale, done}));
  add_row(*store, row_of("n"));
  EXPECT_EQ(good(open()->events("m")), events_up_to(4));
  EXPECT_EQ(good(store->say({.match = "m", .person = "bob", .command = 1, .text = "x"})).number, 2);
  execute("UPDATE tessera_schema SET version = version + 1");
  EXPECT_NE(open_store(where_).error().sentence.find(fmt::format("(schema {};", migrations(GetParam()).size() + 1)),
            std::string::npos);
}

TEST_P(Contract, GoesOnWhenTheNextVersionAddsColumns) {
  const auto store = open();
  std::size_t matches = 0;
  const auto use_all = [&](const std::string& id) {
    MatchRow match = row_of(id);
    add_row(*store, match);
    ++matches;
    match.changed = 2;
    Append append = further(id, 1);
    append.row = match;
    EXPECT_EQ(append_to(*store, {append, further(id, 2)}), (Outcomes{done, done}));
    EXPECT_EQ(good(store->events(id)), events_up_to(3));
    EXPECT_EQ(good(store->row(id)), match);
    EXPECT_EQ(good(store->match_with_code(match.code)), id);
    for (const auto& rows : {store->listed({}), store->matches_of("ann", false, {}), store->newest({}, {}),
                             store->matches_after("", {}, 9)}) {
      EXPECT_EQ(good(rows).size(), matches);
    }
    const Person person{.id = "p" + id, .name = id};
    EXPECT_GOOD(store->put_person(person));
    EXPECT_EQ(good(store->person(person.id)), person);
    EXPECT_GOOD(store->put_key("h" + id, person.id, "link"));
    EXPECT_EQ(good(store->person_with_key("h" + id, "link")), person.id);
    EXPECT_EQ(good(store->say({.match = id, .person = person.id, .command = 1, .text = "x"})).number, 1);
    EXPECT_EQ(good(store->chat(id, 0, 9)).size(), 1);
    EXPECT_EQ(good(store->first_fact(id, "x")), "x");
    EXPECT_TRUE(good(store->replace_fact(id, "x", "y")));
    EXPECT_EQ(good(store->fact(id)), "y");
    if (!store->shared()) return;
    EXPECT_EQ(good(store->news(std::vector{Known{.match = id, .last = 2}})),
              (std::vector<std::vector<std::string>>{{event(3)}}));
    EXPECT_FALSE(good(store->sign_of_life("process")).empty());
    const Presence here{.match = id, .person = person.id};
    EXPECT_GOOD(store->arrive(std::vector{here}, "process"));
    EXPECT_TRUE(good(store->present(here)));
    EXPECT_TRUE(store->keep_due("process", 1));
  };
  use_all("m");
  std::vector<std::string> tables{"entries", "matches", "seats", "people", "keys", "chat", "facts"};
  if (store->shared()) tables.insert(tables.end(), {"processes", "present"});
  for (const std::string& table : tables) {
    execute(fmt::format("ALTER TABLE {} ADD COLUMN added BIGINT NOT NULL DEFAULT 0", table));
  }
  use_all("n");
}

// ── What only one of them can meet ──

TEST(Sqlite, SaysWhatIsWrongWithAFile) {
  const TemporaryFolder folder;
  const std::string garbage = folder.file("garbage.db");
  std::ofstream(garbage) << std::string(5000, 'x');
  EXPECT_EQ(
      open_store(garbage).error().sentence,
      fmt::format("'{}' is damaged or no SQLite database. Restore a copy of it, or give another --database.", garbage));
  const auto nowhere = open_store(folder.file("no/such/folder/tessera.db"));
  EXPECT_NE(nowhere.error().sentence.find("Check that its folder exists"), std::string::npos)
      << nowhere.error().sentence;
}

TEST(Sqlite, ALogOfTheFirstSchemaGoesOn) {
  const TemporaryFolder folder;
  const std::string path = folder.file("tessera.db");
  std::vector<std::string> statements = migrations(Backend::sqlite).front();
  for (const char* const more : {
           "CREATE TABLE tessera_schema (version BIGINT NOT NULL)",
           "INSERT INTO tessera_schema VALUES (1)",
           "INSERT INTO entries VALUES (1, 0, '{\"n\":1}'), (2, 0, '{\"n\":1}'), (3, 1, '{\"n\":2}')",
           "INSERT INTO logs VALUES (1, 'm', 2, 3), (2, 'n', 1, 2)",
       }) {
    statements.emplace_back(more);
  }
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  for (const std::string& sql : statements) {
    EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  }
  sqlite3_close(connection);

  const auto store = opened(path);
  EXPECT_EQ(append_to(*store, {further("m", 2), further("m", 3), further("n", 2)}), (Outcomes{done, done, stale}));
  EXPECT_EQ(good(store->events("m")), events_up_to(4));
  EXPECT_EQ(good(store->events("n")), events_up_to(1));

  // Entries of the first schema do not say whose they are; they go with their log all the same.
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(connection, "INSERT INTO matches VALUES ('m', 'c', 'g', 2, 0, 0, 0, NULL, '', '', 0)", nullptr,
                         nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(connection);
  EXPECT_EQ(good(store->drop(Ids{"m"})), 1);
  EXPECT_EQ(good(store->totals()).log_bytes, 7) << "all that is left is n's";
  EXPECT_EQ(append_to(*store, {further("n", 1)}), Outcomes{done});
  EXPECT_EQ(good(store->events("n")), events_up_to(2));
}

TEST(Postgres, SaysWhatIsWrongWithAUrl) {
  for (const std::string& url :
       {postgres().url("absent"), std::string("postgres://127.0.0.1:1/x"), std::string("postgresql://?nonsense=1")}) {
    const auto store = open_store(url);
    ASSERT_FALSE(store) << url;
    EXPECT_NE(store.error().sentence.find("Check that it runs and that --database is right."), std::string::npos)
        << store.error().sentence;
  }
}

/// What a server of the schema before has prepared: its own statements.
class ServerBefore {
 public:
  explicit ServerBefore(const std::string& url) : connection_(PQconnectdb(url.c_str()), PQfinish) {
    prepare("match", "INSERT INTO matches VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING",
            {text, text, text, bigint, bigint, bigint, bigint, bigint, text});
    prepare("begin", "INSERT INTO entries SELECT id, $2, $3, $4 FROM matches WHERE id = $1 ON CONFLICT DO NOTHING",
            {text, bigint, bigint, text});
    prepare("entry",
            "INSERT INTO entries SELECT $1, $2, $3, $4 WHERE $2 ="
            " (SELECT last FROM entries WHERE match = $1 ORDER BY follows DESC LIMIT 1) ON CONFLICT DO NOTHING",
            {text, bigint, bigint, text});
    prepare("row", "UPDATE matches SET stage = $2, listed = $3, changed = $4, due = $5, summary = $6 WHERE id = $1",
            {text, bigint, bigint, bigint, bigint, text});
    prepare("stand", "DELETE FROM seats WHERE match = $1", {text});
    prepare("seat", "INSERT INTO seats SELECT id, $2, $3, $4 FROM matches WHERE id = $1", {text, bigint, text, bigint});
    prepare("read", "SELECT follows, lines FROM entries WHERE match = $1 AND last > $2 ORDER BY follows",
            {text, bigint});
  }

  void make(const char* id) {
    run("match", {id, ("code-" + std::string(id)).c_str(), "marbles", "0", "1", "1", "1", nullptr, R"({"seats":4})"});
    run("begin", {id, "0", "1", event(1).c_str()});
    seat(id);
  }
  void move(const char* id, Sequence expected) {
    run("entry",
        {id, std::to_string(expected).c_str(), std::to_string(expected + 1).c_str(), event(expected + 1).c_str()});
    run("row", {id, "0", "1", "1", nullptr, R"({"seats":4})"});
    run("stand", {id}, 2);
    seat(id);
    run("read", {id, std::to_string(expected).c_str()});
  }

 private:
  static constexpr Oid text = 25;
  static constexpr Oid bigint = 20;

  void prepare(const char* name, const char* sql, const std::vector<Oid>& types) {
    PQclear(PQprepare(connection_.get(), name, sql, static_cast<int>(types.size()), types.data()));
  }
  void seat(const char* id) {
    run("seat", {id, "0", "ann", "0"});
    run("seat", {id, "1", "bob", "1"});
  }
  void run(const char* name, const std::vector<const char*>& values, int rows = 1) {
    PGresult* result =
        PQexecPrepared(connection_.get(), name, static_cast<int>(values.size()), values.data(), nullptr, nullptr, 0);
    EXPECT_EQ(PQcmdTuples(result), std::to_string(rows)) << name << ": " << PQerrorMessage(connection_.get());
    PQclear(result);
  }

  std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

TEST(Postgres, AServerOfTheSchemaBeforeGoesOn) {
  const std::string url = postgres().new_database();
  for (const std::string& sql : schema_before(Backend::postgres)) PostgresServer::execute_at(url, sql);
  ServerBefore before(url);
  before.make("m");
  before.move("m", 1);

  const auto store = opened(url);
  before.move("m", 2);
  EXPECT_EQ(append_to(*store, {further("m", 2), further("m", 3)}), (Outcomes{stale, done}));
  before.move("m", 4);
  EXPECT_EQ(good(store->events("m")), events_up_to(5));
  before.make("n");
  add_row(*store, row_of("o"));
  before.move("o", 1);
  for (const char* id : {"m", "n", "o"}) EXPECT_EQ(good(store->row(id)), row_of(id));
  EXPECT_EQ(good(store->events("o")), events_up_to(2));
}

TEST(Postgres, ComesBackAfterALostConnection) {
  const std::string url = postgres().new_database();
  const auto store = opened(url);
  add_row(*store, row_of("m"));
  const std::string terminate =
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'tessera'";
  // Lost in the middle of an append: nobody knows what became of it.
  std::thread other([&] {
    PostgresServer::execute_at(url, "BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(0.5);" +
                                        terminate + " AND wait_event_type = 'Lock'; COMMIT");
  });
  ::usleep(200'000);
  EXPECT_FALSE(store->append(std::vector{further("m", 1)}));
  other.join();
  EXPECT_EQ(append_to(*store, {further("m", 1)}), Outcomes{done});
  // Lost before it: nobody notices.
  PostgresServer::execute_at(url, terminate);
  EXPECT_EQ(append_to(*store, {further("m", 2)}), Outcomes{done});
  EXPECT_EQ(good(store->events("m")), events_up_to(3));
}

}  // namespace
}  // namespace tessera
