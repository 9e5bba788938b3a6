#include "store/schema.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

using Statements = std::vector<std::string>;

/// Where the two differ: the tables of the log.
Statements log_tables(Backend backend) {
  if (backend == Backend::postgres) {
    return {R"(CREATE TABLE entries (
                 match TEXT COLLATE "C" NOT NULL,
                 follows BIGINT NOT NULL,
                 last BIGINT NOT NULL,
                 lines TEXT NOT NULL,
                 PRIMARY KEY (match, follows)))"};
  }
  // Entries in the order of their arrival, each naming the one before it in its match: the moves of a hundred matches
  // fill two or three pages a commit. Ordered by match they would touch a page each, which cost seven times the CPU.
  return {R"(CREATE TABLE logs (
               number INTEGER PRIMARY KEY,
               match TEXT NOT NULL UNIQUE,
               last INTEGER NOT NULL,
               last_entry INTEGER NOT NULL))",
          R"(CREATE TABLE entries (
               number INTEGER PRIMARY KEY,
               previous INTEGER NOT NULL,
               lines TEXT NOT NULL))"};
}

/// Bytes decide the order of ids, as in SQLite, and not the rules of some language.
std::string text_type(Backend backend) { return backend == Backend::postgres ? R"(TEXT COLLATE "C")" : "TEXT"; }

Statements version_1(Backend backend) {
  Statements statements = log_tables(backend);
  const std::string text = text_type(backend);
  for (const std::string_view shared : {
           R"(CREATE TABLE matches (
                id {text} PRIMARY KEY,
                code {text} NOT NULL,
                game {text} NOT NULL,
                stage BIGINT NOT NULL,
                listed BIGINT NOT NULL,
                created BIGINT NOT NULL,
                changed BIGINT NOT NULL,
                due BIGINT,
                summary {text} NOT NULL))",
           "CREATE UNIQUE INDEX matches_by_code ON matches (code) WHERE stage < 2",
           "CREATE INDEX matches_listed ON matches (stage, changed, id) WHERE listed = 1",
           "CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL",
           R"(CREATE TABLE seats (
                match {text} NOT NULL,
                place BIGINT NOT NULL,
                person {text} NOT NULL,
                awaited BIGINT NOT NULL,
                PRIMARY KEY (match, place)))",
           "CREATE INDEX seats_by_person ON seats (person, match)",
           R"(CREATE TABLE people (
                id {text} PRIMARY KEY,
                name {text} NOT NULL,
                folded {text} NOT NULL,
                password {text} NOT NULL,
                webhook {text} NOT NULL,
                bot BIGINT NOT NULL,
                created BIGINT NOT NULL))",
           "CREATE UNIQUE INDEX people_by_name ON people (folded) WHERE password <> ''",
           R"(CREATE TABLE keys (
                hash {text} NOT NULL,
                kind {text} NOT NULL,
                person {text} NOT NULL,
                PRIMARY KEY (hash, kind)))",
           "CREATE INDEX keys_by_person ON keys (person, kind)",
           R"(CREATE TABLE chat (
                match {text} NOT NULL,
                number BIGINT NOT NULL,
                person {text} NOT NULL,
                command BIGINT NOT NULL,
                gallery BIGINT NOT NULL,
                text {text} NOT NULL,
                at BIGINT NOT NULL,
                PRIMARY KEY (match, number),
                UNIQUE (match, person, command)))",
           "CREATE TABLE facts (name {text} PRIMARY KEY, value {text} NOT NULL)",
       }) {
    statements.push_back(fmt::format(fmt::runtime(shared), fmt::arg("text", text)));
  }
  return statements;
}

/// SQLite no longer writes where each log ends with every entry: an entry says whose it is and where the log then ends,
/// and `logs` has the ends as of the entry `settled`.
Statements version_2(Backend backend) {
  if (backend == Backend::postgres) return {};
  return {"ALTER TABLE entries ADD COLUMN log INTEGER NOT NULL DEFAULT 0",
          "ALTER TABLE entries ADD COLUMN last INTEGER NOT NULL DEFAULT 0",
          "CREATE TABLE settled (entry INTEGER NOT NULL)",
          "INSERT INTO settled SELECT coalesce(max(number), 0) FROM entries"};
}

/// Several processes on one database.
Statements version_3(Backend backend) {
  const std::string text = text_type(backend);
  return {fmt::format("ALTER TABLE matches ADD COLUMN keeper {} NOT NULL DEFAULT ''", text),
          "ALTER TABLE matches ADD COLUMN kept_until BIGINT NOT NULL DEFAULT 0",
          fmt::format("CREATE TABLE processes (id {} PRIMARY KEY, signs BIGINT NOT NULL)", text),
          fmt::format("CREATE TABLE present (match {0} NOT NULL, person {0} NOT NULL, process {0} NOT NULL,"
                      " PRIMARY KEY (match, person, process))",
                      text),
          "CREATE INDEX present_by_process ON present (process)"};
}

}  // namespace

std::vector<std::vector<std::string>> migrations(Backend backend) {
  return {version_1(backend), version_2(backend), version_3(backend)};
}

}  // namespace tessera
