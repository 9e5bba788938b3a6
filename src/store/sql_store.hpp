#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "store/schema.hpp"
#include "store/store.hpp"

/// Everything but the log is the same SQL in both back ends: they bring a connection that runs it, and the log.
namespace tessera {

/// The lists are for PostgreSQL alone.
using Value = std::variant<std::monostate, std::int64_t, std::string_view, std::span<const std::int64_t>,
                           std::span<const std::string_view>>;

/// SQL with the values of $1, $2, …
struct Statement {
  std::string_view sql;
  std::vector<Value> values{};
};

struct Answer {
  using Cell = std::optional<std::string>;
  using Row = std::vector<Cell>;
  std::vector<Row> rows{};
  std::int64_t changed = 0;  ///< rows inserted, updated or deleted
};

std::int64_t integer(const Answer::Cell& cell);

class SqlStore : public Store {
 public:
  Expected<std::optional<MatchRow>> row(std::string_view match) override;
  Expected<std::optional<std::string>> match_with_code(std::string_view code) override;
  Expected<std::vector<MatchRow>> listed(const Page& page) override;
  Expected<std::vector<MatchRow>> watchable(const Page& page) override;
  Expected<std::vector<MatchRow>> finished(const Page& page) override;
  Expected<std::vector<MatchRow>> matches_of(std::string_view person, bool over, const Page& page) override;
  Expected<std::int64_t> count_of(std::string_view person) override;

  std::optional<Error> put_person(const Person& person) override;
  Expected<std::optional<Person>> person(std::string_view id) override;
  Expected<std::vector<Person>> people(std::span<const std::string> ids) override;
  Expected<std::vector<std::string>> people_named(std::string_view name) override;
  Expected<std::optional<Person>> person_with_password(std::string_view name) override;
  std::optional<Error> put_key(std::string_view hash, std::string_view person, std::string_view kind) override;
  Expected<std::optional<std::string>> person_with_key(std::string_view hash, std::string_view kind) override;
  std::optional<Error> drop_keys(std::string_view person, std::string_view kind) override;

  Expected<ChatLine> say(const ChatLine& line) override;
  Expected<std::vector<ChatLine>> chat(std::string_view match, std::uint64_t after, int limit) override;

  Expected<std::optional<std::string>> fact(std::string_view name) override;
  std::optional<Error> put_fact(std::string_view name, std::string_view value) override;
  Expected<std::string> first_fact(std::string_view name, std::string_view value) override;
  Expected<bool> replace_fact(std::string_view name, std::string_view old, std::string_view value) override;

  std::optional<Error> ping() override;

  Expected<std::vector<Sign>> sign_of_life(std::string_view process) override;
  std::optional<Error> arrive(std::span<const Presence> people, std::string_view process) override;
  Expected<std::vector<bool>> depart(std::span<const Presence> people, std::string_view process) override;
  Expected<bool> present(const Presence& presence) override;
  Expected<std::vector<Presence>> inherit(std::string_view dead, std::string_view heir) override;

  Expected<std::string> place() override;
  Expected<std::vector<MatchRow>> matches_after(std::string_view id, const Filter& filter, int limit) override;
  Expected<std::vector<Person>> people_after(std::string_view id, int limit) override;
  Expected<std::vector<Key>> keys_after(std::string_view hash, std::string_view kind, int limit) override;
  Expected<std::vector<Fact>> facts_after(std::string_view name, int limit) override;
  Expected<std::vector<ChatLine>> chat_after(std::string_view match, std::uint64_t number, int limit) override;
  Expected<std::vector<MatchRow>> newest(const Filter& filter, const Page& page) override;
  Expected<std::int64_t> count(const Filter& filter) override;
  Expected<Totals> totals() override;
  std::optional<Error> take_in(const Part& part) override;
  Expected<std::int64_t> drop(std::span<const std::string> matches) override;
  Expected<Forgotten> forget(std::string_view person) override;

 protected:
  virtual Expected<Answer> run(const Statement& statement) = 0;
  /// In one transaction: all or none.
  virtual Expected<std::vector<Answer>> run_together(std::span<const Statement> statements) = 0;

  /// What only one back end can say: SQL with one value for an answer.
  struct Dialect {
    std::string_view place;
    std::string_view events;  ///< in all logs
    std::string_view bytes;   ///< of the database
  };
  virtual const Dialect& dialect() const = 0;
  /// The logs of those of `matches` that are over go. Their rows are still there.
  virtual void drop_logs(std::span<const std::string> matches, std::vector<Statement>& out) const = 0;

  /// Brings the schema forward inside a transaction that the back end has begun and ends.
  std::optional<Error> migrate(Backend backend);

  /// Changes nothing when the id or the code is taken.
  static Statement insert_match(const MatchRow& row);
  static void update_match(const Append& append, std::vector<Statement>& out);

  Expected<std::vector<std::string>> run_for_texts(const Statement& statement);

 private:
  std::optional<Error> run_for_error(const Statement& statement);
  Expected<std::optional<std::string>> run_for_text(const Statement& statement);
  Expected<std::vector<MatchRow>> run_for_matches(const Statement& statement);
  Expected<std::vector<MatchRow>> listed_in(MatchRow::Stage stage, const Page& page);
  Expected<std::int64_t> run_for_number(const Statement& statement);
};

/// For statements about match $1.
#define IS_OVER "EXISTS (SELECT 1 FROM matches WHERE id = $1 AND stage = 2)"

// ── Back ends ──

Expected<std::unique_ptr<Store>> open_sqlite(const std::string& path);
Expected<std::unique_ptr<Store>> open_postgres(const std::string& url);

// ── An entry of the log holds the events of one append, a line each ──

std::string entry_lines(std::span<const std::string> events);
/// The events of `lines` but for the first `skipped`, at the end of `out`.
void read_entry(std::string_view lines, std::size_t skipped, std::vector<std::string>& out);

}  // namespace tessera
