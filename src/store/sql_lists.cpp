#include <algorithm>

#include "store/sql_rows.hpp"

/// Matches and seats, as lists show them.
namespace tessera {
namespace {

constexpr int over_stage = static_cast<int>(MatchRow::Stage::over);
static_assert(over_stage == 2, "the schema and the SQL say so");

Value optional_number(const std::optional<Time>& time) { return time ? Value(*time) : Value(); }

}  // namespace

Expected<std::vector<MatchRow>> SqlStore::run_for_matches(const Statement& statement) {
  auto result = run(statement);
  if (!result) return result.error();
  return matches_from(std::move(result->rows));
}

Statement SqlStore::insert_match(const MatchRow& row) {
  return {
      "INSERT INTO matches (id, code, game, stage, listed, created, changed, due, summary)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING",
      {row.id, row.code, row.game, static_cast<std::int64_t>(row.stage), std::int64_t{row.listed}, row.created,
       row.changed, optional_number(row.due), row.summary}};
}

void SqlStore::update_match(const Append& append, std::vector<Statement>& out) {
  const MatchRow& row = *append.row;
  out.push_back(
      {"UPDATE matches SET stage = $2, listed = $3, changed = $4, due = $5, summary = $6, keeper = $7,"
       " kept_until = $8 WHERE id = $1",
       {row.id, static_cast<std::int64_t>(row.stage), std::int64_t{row.listed}, row.changed, optional_number(row.due),
        row.summary, append.keeper, append.keeper.empty() ? 0 : row.changed + keep_ms}});
  out.push_back({"DELETE FROM seats WHERE match = $1", {row.id}});
  for (std::size_t place = 0; place < row.people.size(); ++place) {
    const bool awaited = std::ranges::find(row.awaited, row.people[place]) != row.awaited.end();
    out.push_back({"INSERT INTO seats (match, place, person, awaited) SELECT id, $2, $3, $4 FROM matches WHERE id = $1",
                   {row.id, static_cast<std::int64_t>(place), row.people[place], std::int64_t{awaited}}});
  }
}

Expected<std::optional<MatchRow>> SqlStore::row(std::string_view match) {
  auto matches = run_for_matches({"SELECT " MATCH_COLUMNS
                                  " FROM matches m LEFT JOIN seats s ON s.match = m.id WHERE m.id = $1 ORDER BY "
                                  "s.place",
                                  {match}});
  if (!matches) return matches.error();
  return matches->empty() ? std::nullopt : std::optional(std::move(matches->front()));
}

Expected<std::optional<std::string>> SqlStore::match_with_code(std::string_view code) {
  return run_for_text({"SELECT id FROM matches WHERE code = $1 AND stage < 2", {code}});
}

Expected<std::vector<MatchRow>> SqlStore::listed_in(MatchRow::Stage stage, const Page& page) {
  return run_for_matches({"SELECT " MATCH_COLUMNS
                          " FROM (SELECT * FROM matches WHERE listed = 1 AND stage = $1 AND (changed, id) < ($2, $3)"
                          "       ORDER BY changed DESC, id DESC LIMIT $4) m "
                          "LEFT JOIN seats s ON s.match = m.id ORDER BY m.changed DESC, m.id DESC, s.place",
                          {static_cast<std::int64_t>(stage), before(page), page.before_id, std::int64_t{page.limit}}});
}

Expected<std::vector<MatchRow>> SqlStore::listed(const Page& page) {
  return listed_in(MatchRow::Stage::gathering, page);
}

Expected<std::vector<MatchRow>> SqlStore::watchable(const Page& page) {
  return listed_in(MatchRow::Stage::playing, page);
}

Expected<std::vector<MatchRow>> SqlStore::finished(const Page& page) { return listed_in(MatchRow::Stage::over, page); }

Expected<std::vector<MatchRow>> SqlStore::matches_of(std::string_view person, bool over, const Page& page) {
  const std::int64_t first_stage = over ? over_stage : 0;
  const std::int64_t last_stage = over ? over_stage : over_stage - 1;
  // 2 is above both values of `awaits`: a first page. Else the last page ended among those that await, or after them.
  return run_for_matches(
      {"SELECT " MATCH_COLUMNS " FROM (SELECT * FROM ("
       "         SELECT n.*, (SELECT MAX(awaited) FROM seats WHERE match = n.id AND person = $1) AS awaits"
       "         FROM matches n"
       "         WHERE n.stage BETWEEN $2 AND $3 AND n.id IN (SELECT match FROM seats WHERE person = $1)) o"
       "       WHERE (awaits, changed, id) <"
       "             (CASE WHEN $5 = '' THEN 2 ELSE"
       "                COALESCE((SELECT MAX(awaited) FROM seats WHERE match = $5 AND person = $1), 0) END, $4, $5)"
       "       ORDER BY awaits DESC, changed DESC, id DESC LIMIT $6) m "
       "LEFT JOIN seats s ON s.match = m.id ORDER BY m.awaits DESC, m.changed DESC, m.id DESC, s.place",
       {person, first_stage, last_stage, before(page), page.before_id, std::int64_t{page.limit}}});
}

Expected<std::int64_t> SqlStore::count_of(std::string_view person) {
  return run_for_number(
      {"SELECT COUNT(*) FROM matches WHERE stage < 2 AND id IN (SELECT match FROM seats WHERE person = $1)", {person}});
}

}  // namespace tessera
