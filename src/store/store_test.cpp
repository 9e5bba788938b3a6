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

TEST(Postgres, ComesBackAfterALostConnection) {
  const auto store = opened(postgres().new_database());
  add_row(*store, row_of("m"));
  postgres().execute("postgres",
                     "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tessera'");
  EXPECT_FALSE(store->append(std::vector{further("m", 1)}));
  EXPECT_EQ(append_to(*store, {further("m", 1)}), Outcomes{done});
  EXPECT_EQ(good(store->events("m")), events_up_to(2));
}

}  // namespace
}  // namespace tessera
