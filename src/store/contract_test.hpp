#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/schema.hpp"
#include "store/testing.hpp"

/// One suite for the contract, run on an SQLite file and on a PostgreSQL that the tests start.
namespace tessera {

inline MatchRow row_of(const std::string& id, Time changed = 1) {
  return {.id = id,
          .code = "code-" + id,
          .game = "marbles",
          .stage = MatchRow::Stage::gathering,
          .listed = true,
          .created = 1,
          .changed = changed,
          .due = std::nullopt,
          .summary = R"({"seats":4})",
          .people = {"ann", "bob"},
          .awaited = {"bob"}};
}

inline std::string event(Sequence sequence) { return fmt::format(R"({{"n":{}}})", sequence); }

inline Append new_match(const MatchRow& row) {
  return {.match = row.id, .expected = 0, .events = {event(1)}, .row = row};
}

inline Append further(const std::string& match, Sequence expected, Sequence count = 1) {
  Append append{.match = match, .expected = expected, .events = {}};
  for (Sequence i = 1; i <= count; ++i) append.events.push_back(event(expected + i));
  return append;
}

using Outcomes = std::vector<Appended>;
constexpr Appended done = Appended::done;
constexpr Appended stale = Appended::stale;

inline Outcomes append_to(Store& store, const std::vector<Append>& appends) {
  const auto outcomes = store.append(appends);
  if (outcomes) return *outcomes;
  ADD_FAILURE() << outcomes.error().sentence;
  return {};
}

inline void add_row(Store& store, const MatchRow& row) {
  EXPECT_EQ(append_to(store, {new_match(row)}), Outcomes{done});
}

#define EXPECT_GOOD(call) EXPECT_EQ(call, std::nullopt)

inline std::vector<std::string> events_up_to(Sequence last) {
  std::vector<std::string> events;
  for (Sequence i = 1; i <= last; ++i) events.push_back(event(i));
  return events;
}

inline std::vector<std::string> ids(const std::vector<MatchRow>& rows) {
  std::vector<std::string> result;
  for (const MatchRow& row : rows) result.push_back(row.id);
  return result;
}
using Ids = std::vector<std::string>;

class Contract : public testing::TestWithParam<Backend> {
 protected:
  Contract() : where_(GetParam() == Backend::sqlite ? folder_.file("tessera.db") : postgres().new_database()) {}

  std::unique_ptr<Store> open() const { return opened(where_); }
  void execute(const std::string& sql) const {
    if (GetParam() == Backend::postgres) {
      PostgresServer::execute_at(where_, sql);
    } else {
      sqlite3* connection = nullptr;
      EXPECT_EQ(sqlite3_open(where_.c_str(), &connection), SQLITE_OK);
      EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
          << sqlite3_errmsg(connection);
      sqlite3_close(connection);
    }
  }

  TemporaryFolder folder_;
  std::string where_;
};

}  // namespace tessera
