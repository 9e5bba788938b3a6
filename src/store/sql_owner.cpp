#include <fmt/format.h>
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <utility>

#include "store/sql_rows.hpp"

/// Everything, for whoever owns it.
namespace tessera {
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
                       {totals.forgotten_chat, "SELECT COUNT(*) FROM chat WHERE text = ''"},
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

}  // namespace tessera
