#include <fmt/format.h>
#include <sqlite3.h>
#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <map>
#include <ranges>
#include <thread>
#include <unordered_map>

#include "core/text.hpp"
#include "store/sql_store.hpp"

namespace tessera {
namespace {

constexpr int patience_ms = 10'000;  ///< for another process's write to end

/// Entries until the ends of their logs are written down: whoever asks for an end looks through so many.
constexpr std::int64_t settle_every = 1'000;

/// As of the last entry: `logs` has the ends as of the entry `settled`, and later entries bring their own.
constexpr std::string_view end_of_log =
    "SELECT number, last, last_entry FROM logs WHERE match = $1"
    " UNION ALL SELECT log, last, number FROM entries"
    " WHERE number > (SELECT entry FROM settled) AND log = (SELECT number FROM logs WHERE match = $1)"
    " ORDER BY 3 DESC LIMIT 1";

/// Writes down the ends of all logs. With max, SQLite takes `last` from the row that has the maximum.
constexpr std::string_view settling[] = {
    "UPDATE logs SET last = newest.last, last_entry = newest.number"
    " FROM (SELECT log, last, max(number) AS number FROM entries"
    " WHERE number > (SELECT entry FROM settled) GROUP BY log) AS newest WHERE logs.number = newest.log",
    "UPDATE settled SET entry = newest.number FROM (SELECT max(number) AS number FROM entries) AS newest"
    " WHERE entry < newest.number",
};

class Sqlite final : public SqlStore {
 public:
  explicit Sqlite(std::string path) : path_(std::move(path)) {}
  ~Sqlite() override;
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;

  std::optional<Error> open();

  Expected<std::vector<Appended>> append(std::span<const Append> appends) override;
  Expected<std::vector<std::string>> events(std::string_view match, Sequence after) override;
  Expected<std::vector<std::vector<std::string>>> news(std::span<const Known> known) override;

  bool shared() const override { return false; }
  Expected<std::vector<std::string>> keep_due(std::string_view process, Time now) override;

 protected:
  Expected<Answer> run(const Statement& statement) override;
  Expected<std::vector<Answer>> run_together(std::span<const Statement> statements) override;
  const Dialect& dialect() const override;
  void drop_logs(std::span<const std::string> matches, std::vector<Statement>& out) const override;

 private:
  /// SQLite counts $1, $2, … in the order in which they first appear.
  struct Prepared {
    sqlite3_stmt* statement = nullptr;
    std::vector<std::size_t> order{};  ///< for each of its own parameters, the index of the value
  };

  std::optional<Error> configure();
  Expected<const Prepared*> prepare(std::string_view sql);
  static void bind(const Prepared& prepared, std::span<const Value> values);
  bool change(const Prepared& prepared, std::initializer_list<Value> values);  ///< false: error() says why
  /// Where a match's log ends.
  struct LogEnd {
    std::int64_t log;
    std::int64_t last;
    std::int64_t last_entry;
    bool settled = true;  ///< `logs` has it
  };
  Expected<LogEnd*> log_end(const std::string& match);  ///< null: there is no such match
  std::optional<Error> forget_what_others_changed();
  void forget_ends();
  std::optional<Error> settle_if_many();
  std::optional<Error> settle_all();
  Expected<Appended> append_one(const Append& append);
  Expected<std::vector<std::string>> read_log(std::string_view match, Sequence after);
  template <class Work>
  std::optional<Error> in_transaction(Work work);
  std::optional<Error> execute(const Statement& statement);  ///< without its result
  Error error() const;

  std::string path_;
  sqlite3* connection_ = nullptr;
  std::map<std::string, Prepared, std::less<>> prepared_{};
  // What every move needs, found once.
  const Prepared* insert_entry_ = nullptr;
  const Prepared* move_end_ = nullptr;
  std::unordered_map<std::string, LogEnd> log_ends_{};  ///< as of `version_`
  std::string version_{};                               ///< changes when another connection has written
  std::vector<LogEnd*> unsettled_{};
  std::int64_t unsettled_entries_ = 0;
};

Sqlite::~Sqlite() {
  for (const auto& [sql, prepared] : prepared_) sqlite3_finalize(prepared.statement);
  sqlite3_close(connection_);
}

Error Sqlite::error() const {
  const std::string name = in_quotes(path_);
  switch (sqlite3_errcode(connection_)) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return Error::for_owner(
          fmt::format("{} is damaged or no SQLite database. Restore a copy of it, or give another --database.", name));
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return Error::for_owner(
          fmt::format("The database {} cannot be written ({}). Check that its folder exists and may be written, or "
                      "give another --database.",
                      name, sqlite3_errmsg(connection_)));
    case SQLITE_FULL:
      return Error::for_owner(fmt::format("There is no room left on the disk of the database {}. Make some.", name));
    case SQLITE_BUSY:
      return Error::for_owner(
          fmt::format("The database {} is held by another program. End that, and try again.", name));
    default:
      return Error::for_owner(fmt::format("The database {} does not work: {}.", name, sqlite3_errmsg(connection_)));
  }
}

std::optional<Error> Sqlite::open() {
  // Nobody asks SQLite how much memory it uses; counting it was a fifth of an append.
  [[maybe_unused]] static const int uncounted = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  // Without SQLite's own lock: a Store is used by one thread at a time.
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path_.c_str(), &connection_, flags, nullptr) != SQLITE_OK) return error();
  if (auto problem = configure()) return problem;
  // What a process that was killed has left behind is settled.
  const auto bring_up_to_date = [this]() -> std::optional<Error> {
    if (auto problem = migrate(Backend::sqlite)) return problem;
    return settle_all();
  };
  if (auto problem = in_transaction(bring_up_to_date)) return problem;
  for (const auto& [statement, sql] : {
           std::pair(&insert_entry_, "INSERT INTO entries (previous, lines, log, last) VALUES ($1, $2, $3, $4)"),
           std::pair(&move_end_, "UPDATE logs SET last = $2, last_entry = $3 WHERE number = $1"),
       }) {
    const auto prepared = prepare(sql);
    if (!prepared) return prepared.error();
    *statement = *prepared;
  }
  return std::nullopt;
}

std::optional<Error> Sqlite::configure() {
  sqlite3_busy_timeout(connection_, patience_ms);
  // The switch to WAL does not wait by itself while another process opens the same new file.
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);
  for (;;) {
    const auto problem = execute({"PRAGMA journal_mode = WAL"});
    if (!problem) break;
    if (sqlite3_errcode(connection_) != SQLITE_BUSY || std::chrono::steady_clock::now() > give_up) return problem;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  for (const std::string_view setting : {
           "PRAGMA synchronous = FULL",   // a commit is on the disk when it returns
           "PRAGMA cache_size = -16000",  // in kB
           "PRAGMA temp_store = MEMORY",
       }) {
    if (auto problem = execute({setting})) return problem;
  }
  return std::nullopt;
}

Expected<const Sqlite::Prepared*> Sqlite::prepare(std::string_view sql) {
  const auto found = prepared_.find(sql);
  if (found != prepared_.end()) return &found->second;
  Prepared prepared;
  if (sqlite3_prepare_v3(connection_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                         &prepared.statement, nullptr) != SQLITE_OK) {
    return error();
  }
  for (int i = 1; i <= sqlite3_bind_parameter_count(prepared.statement); ++i) {
    const std::string_view name = sqlite3_bind_parameter_name(prepared.statement, i);
    prepared.order.push_back(parse_int<std::size_t>(name.substr(1)).value() - 1);
  }
  return &prepared_.emplace(sql, std::move(prepared)).first->second;
}

void Sqlite::bind(const Prepared& prepared, std::span<const Value> values) {
  int parameter = 0;
  for (const std::size_t index : prepared.order) {
    const Value& value = values[index];
    ++parameter;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      sqlite3_bind_int64(prepared.statement, parameter, *integer);
    } else if (const auto* text = std::get_if<std::string_view>(&value)) {
      // An empty view may have no address, which SQLite would take for NULL.
      sqlite3_bind_text(prepared.statement, parameter, text->empty() ? "" : text->data(),
                        static_cast<int>(text->size()), SQLITE_STATIC);
    } else {
      sqlite3_bind_null(prepared.statement, parameter);
    }
  }
}

bool Sqlite::change(const Prepared& prepared, std::initializer_list<Value> values) {
  bind(prepared, values);
  sqlite3_step(prepared.statement);
  return sqlite3_reset(prepared.statement) == SQLITE_OK;
}

Expected<Answer> Sqlite::run(const Statement& statement) {
  const auto prepared = prepare(statement.sql);
  if (!prepared) return prepared.error();
  bind(**prepared, statement.values);
  sqlite3_stmt* const handle = (*prepared)->statement;
  Answer answer;
  while (sqlite3_step(handle) == SQLITE_ROW) {
    Answer::Row& row = answer.rows.emplace_back();
    for (int column = 0; column < sqlite3_column_count(handle); ++column) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle, column));
      if (text == nullptr) {
        row.emplace_back();
      } else {
        row.emplace_back(std::in_place, text, static_cast<std::size_t>(sqlite3_column_bytes(handle, column)));
      }
    }
  }
  if (sqlite3_reset(handle) != SQLITE_OK) return error();
  answer.changed = sqlite3_changes(connection_);
  return answer;
}

std::optional<Error> Sqlite::execute(const Statement& statement) {
  const auto result = run(statement);
  return result ? std::nullopt : std::optional(result.error());
}

template <class Work>
std::optional<Error> Sqlite::in_transaction(Work work) {
  // At once for writing: a transaction that reads first could find that another has written in between.
  std::optional<Error> problem = execute({"BEGIN IMMEDIATE"});
  if (problem) return problem;
  problem = work();
  if (!problem) problem = execute({"COMMIT"});
  if (problem && sqlite3_get_autocommit(connection_) == 0) (void)execute({"ROLLBACK"});
  return problem;
}

// ── The log ──

Expected<std::vector<Appended>> Sqlite::append(std::span<const Append> appends) {
  std::vector<Appended> outcomes;
  const auto problem = in_transaction([&]() -> std::optional<Error> {
    if (auto changed = forget_what_others_changed()) return changed;
    for (const Append& append : appends) {
      const auto outcome = append_one(append);
      if (!outcome) return outcome.error();
      outcomes.push_back(*outcome);
    }
    return settle_if_many();
  });
  if (problem) {
    forget_ends();
    return *problem;
  }
  return outcomes;
}

void Sqlite::forget_ends() {
  log_ends_.clear();
  unsettled_.clear();
  unsettled_entries_ = 0;
  version_.clear();
}

std::optional<Error> Sqlite::forget_what_others_changed() {
  constexpr std::size_t most = 100'000;
  auto answer = run({"PRAGMA data_version"});
  if (!answer) return answer.error();
  std::string& version = *answer->rows.at(0).at(0);
  if (version == version_ && log_ends_.size() <= most) return std::nullopt;
  forget_ends();
  version_ = std::move(version);
  return settle_all();
}

/// Nobody else has written since `settle_all`, so that all entries that are not settled are ours.
std::optional<Error> Sqlite::settle_if_many() {
  if (unsettled_entries_ < settle_every) return std::nullopt;
  std::int64_t last_entry = 0;
  for (LogEnd* const end : unsettled_) {
    if (!change(*move_end_, {end->log, end->last, end->last_entry})) return error();
    end->settled = true;
    last_entry = std::max(last_entry, end->last_entry);
  }
  unsettled_.clear();
  unsettled_entries_ = 0;
  return execute({"UPDATE settled SET entry = $1", {last_entry}});
}

/// Whoever has written the entries.
std::optional<Error> Sqlite::settle_all() {
  for (const std::string_view statement : settling) {
    if (auto problem = execute({statement})) return problem;
  }
  return std::nullopt;
}

Expected<Sqlite::LogEnd*> Sqlite::log_end(const std::string& match) {
  const auto known = log_ends_.find(match);
  if (known != log_ends_.end()) return &known->second;
  const auto found = run({end_of_log, {match}});
  if (!found) return found.error();
  if (found->rows.empty()) return nullptr;
  const Answer::Row& row = found->rows.front();
  return &log_ends_.emplace(match, LogEnd{integer(row[0]), integer(row[1]), integer(row[2])}).first->second;
}

Expected<Appended> Sqlite::append_one(const Append& append) {
  // 1. A new match gets its row and an empty log.
  if (append.expected == 0) {
    const auto new_row = run(insert_match(append.row.value()));
    if (!new_row) return new_row.error();
    if (new_row->changed == 0) return Appended::stale;
    if (auto problem = execute({"INSERT INTO logs (match, last, last_entry) VALUES ($1, 0, 0)", {append.match}})) {
      return *problem;
    }
  }
  // 2. The log must end where expected.
  const auto found = log_end(append.match);
  if (!found) return found.error();
  LogEnd* const end = *found;
  if (end == nullptr || end->last != append.expected) return Appended::stale;
  // 3. The events, and the log's new end.
  if (!append.events.empty()) {
    const bool one = append.events.size() == 1;
    const std::string joined = one ? std::string() : entry_lines(append.events);
    const std::string_view lines = one ? append.events.front() : joined;
    end->last += std::ssize(append.events);
    if (!change(*insert_entry_, {end->last_entry, lines, end->log, end->last})) return error();
    end->last_entry = sqlite3_last_insert_rowid(connection_);
    if (end->settled) unsettled_.push_back(end);
    end->settled = false;
    ++unsettled_entries_;
  }
  // 4. The row.
  if (append.row) {
    std::vector<Statement> statements;
    update_match(append, statements);
    for (const Statement& statement : statements) {
      if (auto problem = execute(statement)) return *problem;
    }
  }
  return Appended::done;
}

/// In a transaction, so that it is read as of one moment: the numbers of a log that is dropped meanwhile may soon be
/// those of another's entries.
Expected<std::vector<std::string>> Sqlite::events(std::string_view match, Sequence after) {
  if (auto problem = execute({"BEGIN"})) return *problem;
  auto events = read_log(match, after);
  (void)execute({"COMMIT"});
  return events;
}

Expected<std::vector<std::string>> Sqlite::read_log(std::string_view match, Sequence after) {
  auto log = run({end_of_log, {match}});
  if (!log) return log.error();
  // Backwards from the last entry.
  std::vector<std::string> entries;
  std::int64_t wanted = 0;
  std::size_t read = 0;
  if (!log->rows.empty()) {
    wanted = integer(log->rows[0][1]) - std::int64_t{after};
    std::int64_t number = integer(log->rows[0][2]);
    while (static_cast<std::int64_t>(read) < wanted) {
      auto entry = run({"SELECT previous, lines FROM entries WHERE number = $1", {number}});
      if (!entry) return entry.error();
      if (entry->rows.empty()) {
        return Error::for_owner(fmt::format("The log of match {} in {} is damaged. Restore a copy of the database.",
                                            in_quotes(match), in_quotes(path_)));
      }
      number = integer(entry->rows[0][0]);
      entries.push_back(std::move(*entry->rows[0][1]));
      read += static_cast<std::size_t>(1 + std::ranges::count(entries.back(), '\n'));
    }
  }
  std::vector<std::string> events;
  std::size_t skipped = read - static_cast<std::size_t>(std::max<std::int64_t>(wanted, 0));
  for (const std::string& lines : std::views::reverse(entries)) {
    read_entry(lines, skipped, events);
    skipped = 0;
  }
  return events;
}

Expected<std::vector<std::vector<std::string>>> Sqlite::news(std::span<const Known> known) {
  std::vector<std::vector<std::string>> news;
  for (const auto& [match, last] : known) {
    auto later = events(match, last);
    if (!later) return later.error();
    news.push_back(std::move(*later));
  }
  return news;
}

/// There is nobody else.
Expected<std::vector<std::string>> Sqlite::keep_due(std::string_view, Time now) {
  return run_for_texts({"SELECT id FROM matches WHERE due <= $1 ORDER BY due", {now}});
}

// ── Everything, for whoever owns it ──

/// Afterwards nothing is known of the ends of logs: what runs here may drop some.
Expected<std::vector<Answer>> Sqlite::run_together(std::span<const Statement> statements) {
  std::vector<Answer> answers;
  const auto problem = in_transaction([&]() -> std::optional<Error> {
    for (const Statement& statement : statements) {
      auto answer = run(statement);
      if (!answer) return answer.error();
      answers.push_back(std::move(*answer));
    }
    return std::nullopt;
  });
  forget_ends();
  if (problem) return *problem;
  return answers;
}

const SqlStore::Dialect& Sqlite::dialect() const {
  static constexpr Dialect sqlite{
      .place = "SELECT file FROM pragma_database_list WHERE name = 'main'",
      .events =
          "SELECT SUM(COALESCE(newest.last, logs.last)) FROM logs LEFT JOIN (SELECT log, MAX(last) AS last"
          " FROM entries WHERE number > (SELECT entry FROM settled) GROUP BY log) AS newest"
          " ON newest.log = logs.number",
      .bytes = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"};
  return sqlite;
}

void Sqlite::drop_logs(std::span<const std::string> matches, std::vector<Statement>& out) const {
  for (const std::string_view statement : settling) out.push_back({statement});
  for (const std::string& match : matches) {
    out.push_back(
        {"DELETE FROM entries WHERE number IN (WITH RECURSIVE log (number) AS"
         " (SELECT last_entry FROM logs WHERE match = $1 AND " IS_OVER
         "  UNION ALL SELECT e.previous FROM log JOIN entries e ON e.number = log.number) SELECT number FROM log)",
         {match}});
    out.push_back({"DELETE FROM logs WHERE match = $1 AND " IS_OVER, {match}});
  }
  // The next entry gets the number after the greatest that is left, and must be found among those not settled yet.
  out.push_back({"UPDATE settled SET entry = (SELECT COALESCE(MAX(number), 0) FROM entries)"});
}

}  // namespace

Expected<std::unique_ptr<Store>> open_sqlite(const std::string& path) {
  auto store = std::make_unique<Sqlite>(path);
  if (auto problem = store->open()) return *problem;
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace tessera
