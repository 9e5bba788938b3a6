#include "core/text.hpp"
#include "store/sql_rows.hpp"

/// People, their keys, and what they say.
namespace tessera {
namespace {

std::optional<Person> first_person(std::vector<Answer::Row> rows) {
  return rows.empty() ? std::nullopt : std::optional(person_from(rows.front()));
}

}  // namespace

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

}  // namespace tessera
