#include "store/sql_store.hpp"

/// Several processes on one database.
namespace tessera {
namespace {

Statement select_present(const Presence& presence) {
  return {"SELECT process FROM present WHERE match = $1 AND person = $2 LIMIT 1", {presence.match, presence.person}};
}

}  // namespace

Expected<std::vector<Sign>> SqlStore::sign_of_life(std::string_view process) {
  if (auto problem = run_for_error({"INSERT INTO processes (id, signs) VALUES ($1, 1)"
                                    " ON CONFLICT (id) DO UPDATE SET signs = processes.signs + 1",
                                    {process}})) {
    return *problem;
  }
  auto result = run({"SELECT id, signs FROM processes ORDER BY id"});
  if (!result) return result.error();
  std::vector<Sign> signs;
  for (Answer::Row& row : result->rows) signs.push_back({std::move(*row[0]), integer(row[1])});
  return signs;
}

std::optional<Error> SqlStore::arrive(std::span<const Presence> people, std::string_view process) {
  std::vector<Statement> statements;
  for (const auto& [match, person] : people) {
    statements.push_back({"INSERT INTO present (match, person, process) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                          {match, person, process}});
  }
  const auto done = run_together(statements);
  return done ? std::nullopt : std::optional(done.error());
}

Expected<std::vector<bool>> SqlStore::depart(std::span<const Presence> people, std::string_view process) {
  std::vector<Statement> departures;
  std::vector<Statement> questions;
  for (const Presence& presence : people) {
    departures.push_back({"DELETE FROM present WHERE match = $1 AND person = $2 AND process = $3",
                          {presence.match, presence.person, process}});
    questions.push_back(select_present(presence));
  }
  // One after the other: of two processes that a person leaves at once, at least the second sees that both are left.
  if (const auto departed = run_together(departures); !departed) return departed.error();
  const auto found = run_together(questions);
  if (!found) return found.error();
  std::vector<bool> elsewhere;
  for (const Answer& answer : *found) elsewhere.push_back(!answer.rows.empty());
  return elsewhere;
}

Expected<bool> SqlStore::present(const Presence& presence) {
  const auto found = run(select_present(presence));
  if (!found) return found.error();
  return !found->rows.empty();
}

Expected<std::vector<Presence>> SqlStore::inherit(std::string_view dead, std::string_view heir) {
  const Statement statements[] = {
      {"SELECT match, person FROM present WHERE process = $1", {dead}},
      {"INSERT INTO present (match, person, process) SELECT match, person, $2 FROM present WHERE process = $1"
       " ON CONFLICT DO NOTHING",
       {dead, heir}},
      {"DELETE FROM present WHERE process = $1", {dead}},
      {"DELETE FROM processes WHERE id = $1", {dead}},
      {"UPDATE matches SET keeper = '' WHERE due IS NOT NULL AND keeper = $1", {dead}},
  };
  auto done = run_together(statements);
  if (!done) return done.error();
  std::vector<Presence> inherited;
  for (Answer::Row& row : done->front().rows) inherited.push_back({std::move(*row[0]), std::move(*row[1])});
  return inherited;
}

}  // namespace tessera
