#include "store/sql_store.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>

#include "core/text.hpp"

namespace tessera {
namespace {

constexpr int over_stage = static_cast<int>(MatchRow::Stage::over);
static_assert(over_stage == 2, "the schema and the SQL below say so");

/// Numbers without a sign are kept with the same bits.
std::int64_t kept(std::uint64_t unsigned_number) { return static_cast<std::int64_t>(unsigned_number); }

Value optional_number(const std::optional<Time>& time) { return time ? Value(*time) : Value(); }

std::string fold_case(std::string_view name) {
  std::string folded(name);
  std::ranges::transform(folded, folded.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return folded;
}

std::int64_t before(const Page& page) { return page.before.value_or(std::numeric_limits<Time>::max()); }

// ── Matches: one result row for each seat, or one with nulls ──

#define MATCH_COLUMNS \
  "m.id, m.code, m.game, m.stage, m.listed, m.created, m.changed, m.due, m.summary, s.person, s.awaited"

std::vector<MatchRow> matches_from(std::vector<Answer::Row> rows) {
  std::vector<MatchRow> matches;
  for (Answer::Row& row : rows) {
    if (matches.empty() || matches.back().id != *row[0]) {
      matches.push_back({.id = std::move(*row[0]),
                         .code = std::move(*row[1]),
                         .game = std::move(*row[2]),
                         .stage = static_cast<MatchRow::Stage>(integer(row[3])),
                         .listed = integer(row[4]) != 0,
                         .created = integer(row[5]),
                         .changed = integer(row[6]),
                         .due = row[7] ? std::optional(integer(row[7])) : std::nullopt,
                         .summary = std::move(*row[8]),
                         .people = {},
                         .awaited = {}});
    }
    if (!row[9]) continue;
    if (integer(row[10]) != 0) matches.back().awaited.push_back(*row[9]);
    matches.back().people.push_back(std::move(*row[9]));
  }
  return matches;
}

// ── People ──

#define PERSON_COLUMNS "id, name, password, webhook, bot, created"

Person person_from(Answer::Row& row) {
  return {.id = std::move(*row[0]),
          .name = std::move(*row[1]),
          .password = std::move(*row[2]),
          .webhook = std::move(*row[3]),
          .bot = integer(row[4]) != 0,
          .created = integer(row[5])};
}

std::optional<Person> first_person(std::vector<Answer::Row> rows) {
  return rows.empty() ? std::nullopt : std::optional(person_from(rows.front()));
}

// ── Chat ──

#define CHAT_COLUMNS "number, match, person, command, gallery, text, at"

ChatLine chat_line_from(Answer::Row& row) {
  return {.number = static_cast<std::uint64_t>(integer(row[0])),
          .match = std::move(*row[1]),
          .person = std::move(*row[2]),
          .command = static_cast<std::uint64_t>(integer(row[3])),
          .gallery = integer(row[4]) != 0,
          .text = std::move(*row[5]),
          .at = integer(row[6])};
}

}  // namespace

std::int64_t integer(const Answer::Cell& cell) { return cell ? parse_int<std::int64_t>(*cell).value_or(0) : 0; }

std::string entry_lines(std::span<const std::string> events) {
  assert(std::ranges::none_of(events, [](const std::string& event) { return event.find('\n') != event.npos; }));
  return join(events, "\n");
}

void read_entry(std::string_view lines, std::size_t skipped, std::vector<std::string>& out) {
  for (const std::string_view line : split(lines, '\n')) {
    if (skipped > 0) {
      --skipped;
    } else {
      out.emplace_back(line);
    }
  }
}

std::optional<Error> SqlStore::migrate(Backend backend) {
  if (auto error = run_for_error({"CREATE TABLE IF NOT EXISTS tessera_schema (version BIGINT NOT NULL)"})) return error;
  const auto version_text = run_for_text({"SELECT MAX(version) FROM tessera_schema"});
  if (!version_text) return version_text.error();
  const auto version = static_cast<std::size_t>(integer(*version_text));
  const auto steps = migrations(backend);
  if (version > steps.size()) {
    return Error{
        fmt::format("This database was written by a newer Tessera (schema {}; this one knows up to {}). "
                    "Upgrade Tessera, or give another --database.",
                    version, steps.size())};
  }
  if (version == steps.size()) return std::nullopt;
  for (const auto& step : std::span(steps).subspan(version)) {
    for (const std::string& statement : step) {
      if (auto error = run_for_error({statement})) return error;
    }
  }
  if (auto error = run_for_error({"DELETE FROM tessera_schema"})) return error;
  return run_for_error({"INSERT INTO tessera_schema VALUES ($1)", {static_cast<std::int64_t>(steps.size())}});
}

std::optional<Error> SqlStore::run_for_error(const Statement& statement) {
  const auto result = run(statement);
  return result ? std::nullopt : std::optional(result.error());
}

Expected<std::optional<std::string>> SqlStore::run_for_text(const Statement& statement) {
  auto result = run(statement);
  if (!result) return result.error();
  return result->rows.empty() ? std::nullopt : std::move(result->rows.front().front());
}

Expected<std::vector<std::string>> SqlStore::run_for_texts(const Statement& statement) {
  auto result = run(statement);
  if (!result) return result.error();
  std::vector<std::string> texts;
  for (Answer::Row& row : result->rows) texts.push_back(std::move(*row.front()));
  return texts;
}

Expected<std::vector<MatchRow>> SqlStore::run_for_matches(const Statement& statement) {
  auto result = run(statement);
  if (!result) return result.error();
  return matches_from(std::move(result->rows));
}

// ── Lists ──

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
    out.push_back({"INSERT INTO seats SELECT id, $2, $3, $4 FROM matches WHERE id = $1",
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

// ── People ──

std::optional<Error> SqlStore::put_person(const Person& person) {
  const std::string folded = fold_case(person.name);
  const auto result = run(
      {"INSERT INTO people (id, name, folded, password, webhook, bot, created)"
       " SELECT $1, $2, $3, $4, $5, $6, $7"
       " WHERE $4 = '' OR NOT EXISTS (SELECT 1 FROM people WHERE folded = $3 AND password <> '' AND id <> $1)"
       " ON CONFLICT (id) DO UPDATE SET name = excluded.name, folded = excluded.folded,"
       " password = excluded.password, webhook = excluded.webhook, bot = excluded.bot, created = excluded.created",
       {person.id, person.name, folded, person.password, person.webhook, std::int64_t{person.bot}, person.created}});
  if (!result) return result.error();
  if (result->changed > 0) return std::nullopt;
  return Error::of("The name {} is another's. Choose another name.", in_quotes(person.name));
}

Expected<std::optional<Person>> SqlStore::person(std::string_view id) {
  auto result = run({"SELECT " PERSON_COLUMNS " FROM people WHERE id = $1", {id}});
  if (!result) return result.error();
  return first_person(std::move(result->rows));
}

Expected<std::vector<Person>> SqlStore::people(std::span<const std::string> ids) {
  std::vector<Person> found;
  for (const std::string& id : ids) {
    auto one = person(id);
    if (!one) return one.error();
    if (*one) found.push_back(std::move(**one));
  }
  return found;
}

Expected<std::vector<std::string>> SqlStore::people_named(std::string_view name) {
  const std::string folded = fold_case(name);
  return run_for_texts({"SELECT id FROM people WHERE folded = $1 ORDER BY id", {folded}});
}

Expected<std::optional<Person>> SqlStore::person_with_password(std::string_view name) {
  const std::string folded = fold_case(name);
  auto result = run({"SELECT " PERSON_COLUMNS " FROM people WHERE folded = $1 AND password <> ''", {folded}});
  if (!result) return result.error();
  return first_person(std::move(result->rows));
}

std::optional<Error> SqlStore::put_key(std::string_view hash, std::string_view person, std::string_view kind) {
  return run_for_error(
      {"INSERT INTO keys (hash, kind, person) VALUES ($1, $2, $3)"
       " ON CONFLICT (hash, kind) DO UPDATE SET person = excluded.person",
       {hash, kind, person}});
}

Expected<std::optional<std::string>> SqlStore::person_with_key(std::string_view hash, std::string_view kind) {
  return run_for_text({"SELECT person FROM keys WHERE hash = $1 AND kind = $2", {hash, kind}});
}

std::optional<Error> SqlStore::drop_keys(std::string_view person, std::string_view kind) {
  return run_for_error({"DELETE FROM keys WHERE person = $1 AND kind = $2", {person, kind}});
}

// ── Chat ──

Expected<ChatLine> SqlStore::say(const ChatLine& line) {
  // Two processes may count to the same number: the second one's line is then not inserted, and it counts again.
  constexpr int attempts = 100;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (auto error = run_for_error(
            {"INSERT INTO chat (match, number, person, command, gallery, text, at)"
             " SELECT $1, COALESCE(MAX(number), 0) + 1, $2, $3, $4, $5, $6 FROM chat WHERE match = $1"
             " ON CONFLICT DO NOTHING",
             {line.match, line.person, kept(line.command), std::int64_t{line.gallery}, line.text, line.at}})) {
      return *error;
    }
    auto result = run({"SELECT " CHAT_COLUMNS " FROM chat WHERE match = $1 AND person = $2 AND command = $3",
                       {line.match, line.person, kept(line.command)}});
    if (!result) return result.error();
    if (!result->rows.empty()) return chat_line_from(result->rows.front());
  }
  return Error::of("Too many people speak at once at this table. Say it again in a moment.");
}

Expected<std::vector<ChatLine>> SqlStore::chat(std::string_view match, std::uint64_t after, int limit) {
  auto result = run({"SELECT " CHAT_COLUMNS " FROM (SELECT * FROM chat WHERE match = $1 AND number > $2 AND text <> ''"
                     "       ORDER BY number DESC LIMIT $3) c"
                     " ORDER BY number",
                     {match, kept(after), std::int64_t{limit}}});
  if (!result) return result.error();
  std::vector<ChatLine> lines;
  for (Answer::Row& row : result->rows) lines.push_back(chat_line_from(row));
  return lines;
}

// ── Facts ──

Expected<std::optional<std::string>> SqlStore::fact(std::string_view name) {
  return run_for_text({"SELECT value FROM facts WHERE name = $1", {name}});
}

std::optional<Error> SqlStore::put_fact(std::string_view name, std::string_view value) {
  return run_for_error(
      {"INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
       {name, value}});
}

std::optional<Error> SqlStore::ping() { return run_for_error({"SELECT version FROM tessera_schema"}); }

Expected<std::string> SqlStore::first_fact(std::string_view name, std::string_view value) {
  if (auto error = run_for_error(
          {"INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", {name, value}})) {
    return *error;
  }
  const auto kept = fact(name);
  if (!kept) return kept.error();
  return kept->value_or(std::string(value));
}

Expected<bool> SqlStore::replace_fact(std::string_view name, std::string_view old, std::string_view value) {
  const auto result = run({"UPDATE facts SET value = $3 WHERE name = $1 AND value = $2", {name, old, value}});
  if (!result) return result.error();
  return result->changed > 0;
}

// ── Everything, for whoever owns it ──

namespace {

// The first four values are the filter's.
#define MATCHES_THAT_FIT                                                                           \
  "SELECT * FROM matches WHERE ($1 < 0 OR stage = $1) AND ($2 = '' OR game = $2) AND changed < $3" \
  " AND ($4 = '' OR id IN (SELECT match FROM seats WHERE person = $4))"

std::vector<Value> values_of(const Filter& filter, std::initializer_list<Value> more) {
  std::vector<Value> values{filter.stage ? static_cast<std::int64_t>(*filter.stage) : std::int64_t{-1}, filter.game,
                            filter.changed_before.value_or(std::numeric_limits<Time>::max()), filter.person};
  values.insert(values.end(), more);
  return values;
}

/// Each row of an answer, made by `make`.
template <class Make>
auto all_from(Expected<Answer> answer, Make make) -> Expected<std::vector<decltype(make(answer->rows.front()))>> {
  if (!answer) return answer.error();
  std::vector<decltype(make(answer->rows.front()))> all;
  std::ranges::transform(answer->rows, std::back_inserter(all), make);
  return all;
}

}  // namespace

Expected<std::string> SqlStore::place() {
  auto text = run_for_text({dialect().place});
  if (!text) return text.error();
  return text->value_or("");
}

Expected<std::vector<MatchRow>> SqlStore::matches_after(std::string_view id, const Filter& filter, int limit) {
  return run_for_matches({"SELECT " MATCH_COLUMNS " FROM (" MATCHES_THAT_FIT
                          "       AND id > $5 ORDER BY id LIMIT $6) m "
                          "LEFT JOIN seats s ON s.match = m.id ORDER BY m.id, s.place",
                          values_of(filter, {id, std::int64_t{limit}})});
}

Expected<std::vector<MatchRow>> SqlStore::newest(const Filter& filter, const Page& page) {
  return run_for_matches({"SELECT " MATCH_COLUMNS " FROM (" MATCHES_THAT_FIT
                          "       AND (changed, id) < ($5, $6) ORDER BY changed DESC, id DESC LIMIT $7) m "
                          "LEFT JOIN seats s ON s.match = m.id ORDER BY m.changed DESC, m.id DESC, s.place",
                          values_of(filter, {before(page), page.before_id, std::int64_t{page.limit}})});
}

Expected<std::vector<Person>> SqlStore::people_after(std::string_view id, int limit) {
  return all_from(
      run({"SELECT " PERSON_COLUMNS " FROM people WHERE id > $1 ORDER BY id LIMIT $2", {id, std::int64_t{limit}}}),
      person_from);
}

Expected<std::vector<Key>> SqlStore::keys_after(std::string_view hash, std::string_view kind, int limit) {
  return all_from(run({"SELECT hash, kind, person FROM keys WHERE (hash, kind) > ($1, $2) ORDER BY hash, kind LIMIT $3",
                       {hash, kind, std::int64_t{limit}}}),
                  [](Answer::Row& row) {
                    return Key{.hash = std::move(*row[0]), .kind = std::move(*row[1]), .person = std::move(*row[2])};
                  });
}

Expected<std::vector<Fact>> SqlStore::facts_after(std::string_view name, int limit) {
  return all_from(
      run({"SELECT name, value FROM facts WHERE name > $1 ORDER BY name LIMIT $2", {name, std::int64_t{limit}}}),
      [](Answer::Row& row) { return Fact{.name = std::move(*row[0]), .value = std::move(*row[1])}; });
}

Expected<std::vector<ChatLine>> SqlStore::chat_after(std::string_view match, std::uint64_t number, int limit) {
  return all_from(
      run({"SELECT " CHAT_COLUMNS " FROM chat WHERE (match, number) > ($1, $2) ORDER BY match, number LIMIT $3",
           {match, kept(number), std::int64_t{limit}}}),
      chat_line_from);
}

Expected<std::int64_t> SqlStore::run_for_number(const Statement& statement) {
  const auto text = run_for_text(statement);
  if (!text) return text.error();
  return integer(*text);
}

Expected<std::int64_t> SqlStore::count(const Filter& filter) {
  return run_for_number({"SELECT COUNT(*) FROM (" MATCHES_THAT_FIT ") m", values_of(filter, {})});
}

Expected<Totals> SqlStore::totals() {
  Totals totals;
  struct {
    std::int64_t& number;
    std::string_view sql;
  } const numbers[] = {{totals.people, "SELECT COUNT(*) FROM people WHERE bot = 0"},
                       {totals.programs, "SELECT COUNT(*) FROM people WHERE bot = 1"},
                       {totals.keys, "SELECT COUNT(*) FROM keys"},
                       {totals.facts, "SELECT COUNT(*) FROM facts"},
                       {totals.chat, "SELECT COUNT(*) FROM chat WHERE text <> ''"},
                       {totals.events, dialect().events},
                       {totals.log_bytes, "SELECT SUM(LENGTH(lines)) FROM entries"},
                       {totals.database_bytes, dialect().bytes}};
  for (const auto& [number, sql] : numbers) {
    const auto found = run_for_number({sql});
    if (!found) return found.error();
    number = *found;
  }
  auto matches = all_from(run({"SELECT game, stage, COUNT(*) FROM matches GROUP BY game, stage ORDER BY game, stage"}),
                          [](Answer::Row& row) {
                            return Totals::Matches{.game = std::move(*row[0]),
                                                   .stage = static_cast<MatchRow::Stage>(integer(row[1])),
                                                   .count = integer(row[2])};
                          });
  if (!matches) return matches.error();
  totals.matches = std::move(*matches);
  return totals;
}

std::optional<Error> SqlStore::take_in(const Part& part) {
  std::vector<std::string> folded;
  for (const Person& person : part.people) folded.push_back(fold_case(person.name));
  std::vector<Statement> statements;
  for (std::size_t i = 0; i < part.people.size(); ++i) {
    const Person& person = part.people[i];
    statements.push_back(
        {"INSERT INTO people (id, name, folded, password, webhook, bot, created) VALUES ($1, $2, $3, $4, $5, $6, $7)"
         " ON CONFLICT DO NOTHING",
         {person.id, person.name, folded[i], person.password, person.webhook, std::int64_t{person.bot},
          person.created}});
  }
  for (const Key& key : part.keys) {
    statements.push_back({"INSERT INTO keys (hash, kind, person) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                          {key.hash, key.kind, key.person}});
  }
  for (const Fact& fact : part.facts) {
    statements.push_back(
        {"INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", {fact.name, fact.value}});
  }
  for (const ChatLine& line : part.chat) {
    statements.push_back(
        {"INSERT INTO chat (match, number, person, command, gallery, text, at)"
         " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
         {line.match, kept(line.number), line.person, kept(line.command), std::int64_t{line.gallery}, line.text,
          line.at}});
  }
  const auto answers = run_together(statements);
  return answers ? std::nullopt : std::optional(answers.error());
}

Expected<std::int64_t> SqlStore::drop(std::span<const std::string> matches) {
  std::vector<std::pair<std::string, std::string>> mutes;  // the facts from … to before …
  for (const std::string& match : matches) mutes.emplace_back(muted_fact(match, ""), fmt::format("muted {}!", match));
  std::vector<Statement> statements;
  drop_logs(matches, statements);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const std::string& match = matches[i];
    statements.push_back({"DELETE FROM seats WHERE match = $1 AND " IS_OVER, {match}});
    statements.push_back({"DELETE FROM chat WHERE match = $1 AND " IS_OVER, {match}});
    statements.push_back(
        {"DELETE FROM facts WHERE name >= $2 AND name < $3 AND " IS_OVER, {match, mutes[i].first, mutes[i].second}});
  }
  const std::size_t first_row = statements.size();
  for (const std::string& match : matches) {
    statements.push_back({"DELETE FROM matches WHERE id = $1 AND stage = 2", {match}});
  }
  const auto answers = run_together(statements);
  if (!answers) return answers.error();
  std::int64_t dropped = 0;
  for (const Answer& answer : std::span(*answers).subspan(first_row)) dropped += answer.changed;
  return dropped;
}

Expected<Forgotten> SqlStore::forget(std::string_view person) {
  // Guests' ids go on after a '~', and what follows that is the next byte.
  const std::string guests = fmt::format("{}~", person);
  const std::string after_guests = fmt::format("{}\x7f", person);
  const Statement statements[] = {
      {"UPDATE chat SET text = '', at = 0 WHERE person = $1 AND text <> ''", {person}},
      {"DELETE FROM keys WHERE person = $1", {person}},
      {"DELETE FROM facts WHERE name >= 'muted ' AND name < 'muted!'"
       " AND SUBSTR(name, LENGTH(name) - LENGTH($1)) = ' ' || $1",
       {person}},
      {"DELETE FROM people WHERE id >= $1 AND id < $2", {guests, after_guests}},
      {"DELETE FROM people WHERE id = $1", {person}},
  };
  const auto answers = run_together(statements);
  if (!answers) return answers.error();
  return Forgotten{.name = (*answers)[4].changed > 0,
                   .guests = (*answers)[3].changed,
                   .keys = (*answers)[1].changed,
                   .chat = (*answers)[0].changed};
}

// ── Several processes ──

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
  std::vector<Statement> statements;
  for (const auto& [match, person] : people) {
    statements.push_back(
        {"DELETE FROM present WHERE match = $1 AND person = $2 AND process = $3", {match, person, process}});
  }
  for (const Presence& presence : people) statements.push_back(select_present(presence));
  const auto done = run_together(statements);
  if (!done) return done.error();
  std::vector<bool> elsewhere;
  for (const Answer& answer : std::span(*done).subspan(people.size())) elsewhere.push_back(!answer.rows.empty());
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
  };
  auto done = run_together(statements);
  if (!done) return done.error();
  std::vector<Presence> inherited;
  for (Answer::Row& row : done->front().rows) inherited.push_back({std::move(*row[0]), std::move(*row[1])});
  return inherited;
}

}  // namespace tessera
