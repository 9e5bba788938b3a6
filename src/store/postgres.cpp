#include <endian.h>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <numeric>

#include "core/text.hpp"
#include "store/sql_store.hpp"

namespace tessera {
namespace {

struct Ends {
  void operator()(PGconn* connection) const { PQfinish(connection); }
  void operator()(PGresult* result) const { PQclear(result); }
};
using Connection = std::unique_ptr<PGconn, Ends>;
using ResultOfCall = std::unique_ptr<PGresult, Ends>;

constexpr Oid type_unknown = 0;
constexpr Oid type_bigint = 20;
constexpr Oid type_text = 25;
constexpr Oid type_text_array = 1009;
constexpr Oid type_bigint_array = 1016;
constexpr int longest_answer_ms = 15'000;

/// Entries for one INSERT, in the order of their matches.
struct Entries {
  std::vector<std::size_t> appends{};
  std::vector<std::string_view> matches{};
  std::vector<std::int64_t> follows{};
  std::vector<std::int64_t> lasts{};
  std::vector<std::string_view> lines{};

  void add(std::size_t append, std::string_view match, std::int64_t after, std::int64_t last, std::string_view entry) {
    appends.push_back(append);
    matches.push_back(match);
    follows.push_back(after);
    lasts.push_back(last);
    lines.push_back(entry);
  }
};

/// The values of a statement as libpq takes them: binary, so that text needs no end and numbers no digits.
class Parameters {
 public:
  explicit Parameters(std::span<const Value> values) {
    for (const Value& value : values) {
      if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        add(type_bigint, made_.emplace_back(big_endian(static_cast<std::uint64_t>(*integer))));
      } else if (const auto* text = std::get_if<std::string_view>(&value)) {
        add(type_text, text->empty() ? "" : *text);
      } else if (const auto* integers = std::get_if<std::span<const std::int64_t>>(&value)) {
        std::string& made = made_.emplace_back(array_header(type_bigint, integers->size()));
        for (const std::int64_t one : *integers) {
          made += big_endian(std::uint32_t{sizeof one}) + big_endian(static_cast<std::uint64_t>(one));
        }
        add(type_bigint_array, made);
      } else if (const auto* texts = std::get_if<std::span<const std::string_view>>(&value)) {
        std::string& made = made_.emplace_back(array_header(type_text, texts->size()));
        for (const std::string_view one : *texts) (made += big_endian(static_cast<std::uint32_t>(one.size()))) += one;
        add(type_text_array, made);
      } else {
        add(type_unknown, {});
      }
    }
  }

  int count() const { return static_cast<int>(types.size()); }

  std::vector<Oid> types{};
  std::vector<const char*> addresses{};
  std::vector<int> lengths{};
  std::vector<int> formats{};

 private:
  void add(Oid type, std::string_view bytes) {
    types.push_back(type);
    addresses.push_back(bytes.data());
    lengths.push_back(static_cast<int>(bytes.size()));
    formats.push_back(1);
  }
  template <class Number>
  static std::string big_endian(Number number) {
    number = sizeof number == 8 ? htobe64(number) : htobe32(number);
    return {reinterpret_cast<const char*>(&number), sizeof number};
  }
  /// One dimension, nothing absent, counted from 1.
  static std::string array_header(Oid element, std::size_t size) {
    std::string header;
    for (const std::uint32_t word : {1U, 0U, std::uint32_t{element}, static_cast<std::uint32_t>(size), 1U}) {
      header += big_endian(word);
    }
    return header;
  }

  std::deque<std::string> made_{};
};

class Postgres final : public SqlStore {
 public:
  using Answers = std::vector<Answer>;

  explicit Postgres(std::string url) : url_(std::move(url)) {}

  std::optional<Error> open();

  Expected<std::vector<Appended>> append(std::span<const Append> appends) override;
  Expected<std::vector<std::string>> events(std::string_view match, Sequence after) override;
  Expected<std::vector<std::vector<std::string>>> news(std::span<const Known> known) override;

  bool shared() const override { return true; }
  Expected<std::vector<std::string>> keep_due(std::string_view process, Time now) override;

 protected:
  Expected<Answer> run(const Statement& statement) override;
  Expected<Answers> run_together(std::span<const Statement> statements) override;
  const Dialect& dialect() const override;
  void drop_logs(std::span<const std::string> matches, std::vector<Statement>& out) const override;

 private:
  std::optional<Error> connect();
  bool connected();  ///< as far as this side knows
  /// All in one round trip. The first Error ends it; what follows is not carried out.
  Expected<Answers> send(std::span<const Statement> statements);
  std::optional<Error> send_all(std::span<const Statement> statements, std::vector<std::string>& new_names);
  Expected<Answers> receive(std::span<const Statement> statements, std::span<const std::string> new_names);
  bool answers_in_time();
  Expected<std::vector<Appended>> try_append(std::span<const Append> appends);
  /// Repeats a transaction that failed because of another at the same time.
  template <class Transaction>
  auto with_tries(Transaction transaction) {
    constexpr int tries = 5;
    for (int i = 1;; ++i) {
      auto outcome = transaction();
      if (outcome) return outcome;
      roll_back();
      if (i == tries || !failed_because_of_another()) return outcome;
    }
  }
  bool failed_because_of_another() const;
  void roll_back();
  Error failure(const PGresult* result);

  std::string url_;
  Connection connection_{};
  std::map<std::string, std::string, std::less<>> prepared_{};  ///< names in this connection by their SQL
  std::string sqlstate_{};                                      ///< of the last Error
};

Answer answer_of(const PGresult* result) {
  Answer answer;
  for (int row = 0; row < PQntuples(result); ++row) {
    Answer::Row& cells = answer.rows.emplace_back();
    for (int column = 0; column < PQnfields(result); ++column) {
      if (PQgetisnull(result, row, column) != 0) {
        cells.emplace_back();
      } else {
        cells.emplace_back(std::in_place, PQgetvalue(result, row, column),
                           static_cast<std::size_t>(PQgetlength(result, row, column)));
      }
    }
  }
  answer.changed = parse_int<std::int64_t>(PQcmdTuples(const_cast<PGresult*>(result))).value_or(0);
  return answer;
}

std::string first_line(std::string_view message) {
  const std::string_view line = message.substr(0, message.find('\n'));
  return std::string(line.substr(0, line.find_last_not_of(". ") + 1));
}

// ── Connection ──

std::optional<Error> Postgres::open() {
  // Two processes may make the same tables at once: the second one fails, and finds them when it looks again.
  const auto ended = with_tries([this]() -> Expected<Answer> {
    if (auto begun = run({"BEGIN"}); !begun) return begun;
    if (const auto problem = migrate(Backend::postgres)) return *problem;
    return run({"COMMIT"});
  });
  return ended ? std::nullopt : std::optional(ended.error());
}

std::optional<Error> Postgres::connect() {
  if (connected()) return std::nullopt;
  prepared_.clear();
  // What the URL says comes last and wins. The timeouts are in seconds and milliseconds.
  const char* const names[] = {"application_name", "client_encoding", "connect_timeout",
                               "tcp_user_timeout", "dbname",          nullptr};
  const char* const values[] = {"tessera", "UTF8", "10", "30000", url_.c_str(), nullptr};
  connection_.reset(PQconnectdbParams(names, values, 1));
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    Error error = Error::for_owner(
        fmt::format("PostgreSQL cannot be reached: {}. Check that it runs and that --database is right.",
                    first_line(PQerrorMessage(connection_.get()))));
    connection_.reset();
    return error;
  }
  PQsetNoticeProcessor(connection_.get(), [](void*, const char*) {}, nullptr);
  return std::nullopt;
}

/// After a restart of the server the farewell of the one before is there to be read: nobody need fail because of that.
bool Postgres::connected() {
  if (!connection_) return false;
  pollfd said{PQsocket(connection_.get()), POLLIN, 0};
  while (poll(&said, 1, 0) > 0) {
    if (PQconsumeInput(connection_.get()) == 0) break;
  }
  return PQstatus(connection_.get()) == CONNECTION_OK;
}

Error Postgres::failure(const PGresult* result) {
  const char* state = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* message = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  sqlstate_ = state == nullptr ? "" : state;
  Error error =
      Error::for_owner(fmt::format("PostgreSQL does not do its work: {}.",
                                   first_line(message == nullptr ? PQerrorMessage(connection_.get()) : message)));
  // A connection that is lost, or out of step, is made anew by the next call.
  if (state == nullptr || PQstatus(connection_.get()) != CONNECTION_OK) connection_.reset();
  return error;
}

bool Postgres::failed_because_of_another() const {
  return sqlstate_ == "40001" || sqlstate_ == "40P01"      // serialization failure, deadlock
         || sqlstate_ == "23505" || sqlstate_ == "42P07"   // unique violation, table exists
         || sqlstate_ == "42710" || sqlstate_ == "42701";  // object exists, column exists
}

void Postgres::roll_back() {
  if (!connection_ || PQtransactionStatus(connection_.get()) == PQTRANS_IDLE) return;
  const std::string state = sqlstate_;
  if (!run({"ROLLBACK"})) connection_.reset();
  sqlstate_ = state;
}

// ── Statements ──

Expected<Postgres::Answers> Postgres::send(std::span<const Statement> statements) {
  sqlstate_.clear();
  if (auto problem = connect()) return *problem;
  if (PQenterPipelineMode(connection_.get()) == 0) return failure(nullptr);
  std::vector<std::string> new_names;  // a name for each statement that had to be prepared first, else empty
  if (auto problem = send_all(statements, new_names)) return *problem;
  auto answers = receive(statements, new_names);
  if (connection_ && PQexitPipelineMode(connection_.get()) == 0) return failure(nullptr);
  return answers;
}

std::optional<Error> Postgres::send_all(std::span<const Statement> statements, std::vector<std::string>& new_names) {
  PGconn* const connection = connection_.get();
  std::map<std::string_view, std::string> unconfirmed;
  for (const Statement& statement : statements) {
    const Parameters parameters(statement.values);
    std::string name;
    new_names.emplace_back();
    if (const auto known = prepared_.find(statement.sql); known != prepared_.end()) {
      name = known->second;
    } else if (const auto sent = unconfirmed.find(statement.sql); sent != unconfirmed.end()) {
      name = sent->second;
    } else {
      name = fmt::format("s{}", prepared_.size() + unconfirmed.size());
      unconfirmed.emplace(statement.sql, name);
      new_names.back() = name;
      if (PQsendPrepare(connection, name.c_str(), std::string(statement.sql).c_str(), parameters.count(),
                        parameters.types.data()) == 0) {
        return failure(nullptr);
      }
    }
    if (PQsendQueryPrepared(connection, name.c_str(), parameters.count(), parameters.addresses.data(),
                            parameters.lengths.data(), parameters.formats.data(), 0) == 0) {
      return failure(nullptr);
    }
  }
  if (PQpipelineSync(connection) == 0) return failure(nullptr);
  return std::nullopt;
}

Expected<Postgres::Answers> Postgres::receive(std::span<const Statement> statements,
                                              std::span<const std::string> new_names) {
  Answers answers;
  std::optional<Error> problem;
  std::size_t at = 0;
  bool preparing = !new_names.empty() && !new_names[0].empty();
  bool between = false;  // the results of one statement have ended, those of the next have not begun
  for (;;) {
    if (!answers_in_time()) {
      connection_.reset();
      return Error::for_owner("PostgreSQL does not answer. Check that it runs and can be reached.");
    }
    const ResultOfCall result(PQgetResult(connection_.get()));
    if (!result) {
      if (between || PQstatus(connection_.get()) != CONNECTION_OK) {
        if (!problem) problem = failure(nullptr);
        connection_.reset();
        return *problem;
      }
      between = true;
      continue;
    }
    between = false;
    switch (PQresultStatus(result.get())) {
      case PGRES_PIPELINE_SYNC:
        if (problem) return *problem;
        return answers;
      case PGRES_COMMAND_OK:
      case PGRES_TUPLES_OK:
        if (preparing) {
          prepared_.emplace(statements[at].sql, new_names[at]);
          preparing = false;
          break;
        }
        answers.push_back(answer_of(result.get()));
        ++at;
        preparing = at < new_names.size() && !new_names[at].empty();
        break;
      case PGRES_PIPELINE_ABORTED: break;
      default:
        if (!problem) problem = failure(result.get());
        if (!connection_) return *problem;
    }
  }
}

/// A network that swallows everything would hold whoever asks for ever.
bool Postgres::answers_in_time() {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(longest_answer_ms);
  while (PQisBusy(connection_.get()) != 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(give_up - std::chrono::steady_clock::now());
    pollfd waiting{PQsocket(connection_.get()), POLLIN, 0};
    if (left.count() <= 0 || poll(&waiting, 1, static_cast<int>(left.count())) == 0) return false;
    if (PQconsumeInput(connection_.get()) == 0) return true;  // PQgetResult says what is wrong
  }
  return true;
}

Expected<Answer> Postgres::run(const Statement& statement) {
  auto answers = send({&statement, 1});
  if (!answers) return answers.error();
  return std::move(answers->front());
}

// ── The log ──

Expected<std::vector<Appended>> Postgres::append(std::span<const Append> appends) {
  return with_tries([&] { return try_append(appends); });
}

Expected<std::vector<Appended>> Postgres::try_append(std::span<const Append> appends) {
  std::vector<Appended> outcomes(appends.size(), Appended::stale);
  // 1. In the order of the matches, and entries before rows, so that two processes never wait for each other.
  std::vector<std::size_t> order(appends.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(std::string_view(appends[i].match), i); });

  // 2. Entries. The uniqueness of (match, follows) decides who was first; a refused one changes no row.
  std::vector<std::string> lines;
  for (const Append& append : appends) lines.push_back(entry_lines(append.events));
  std::vector<Statement> statements{{"BEGIN"}};
  std::vector<std::pair<std::size_t, std::size_t>> decides;  // the statement that decides over an append
  std::deque<Entries> groups;                                // no match twice in one
  for (const std::size_t i : order) {
    const Append& append = appends[i];
    if (append.events.empty()) continue;
    const auto last = static_cast<std::int64_t>(append.expected + append.events.size());
    if (append.expected == 0) {
      statements.push_back(insert_match(append.row.value()));
      decides.emplace_back(statements.size(), i);
      statements.push_back(
          {"INSERT INTO entries (match, follows, last, lines) SELECT id, 0, $2, $3 FROM matches WHERE id = $1 ON "
           "CONFLICT DO NOTHING",
           {append.match, last, lines[i]}});
    } else {
      auto group = std::ranges::find_if(
          groups, [&](const Entries& entries) { return entries.matches.back() != std::string_view(append.match); });
      if (group == groups.end()) group = groups.emplace(groups.end());
      group->add(i, append.match, append.expected, last, lines[i]);
    }
  }
  const std::size_t first_group = statements.size();
  for (const Entries& group : groups) {
    statements.push_back(
        {"INSERT INTO entries (match, follows, last, lines) SELECT a.match, a.follows, a.last, a.lines"
         " FROM unnest($1, $2, $3, $4) AS a (match, follows, last, lines) WHERE a.follows ="
         " (SELECT e.last FROM entries e WHERE e.match = a.match ORDER BY e.follows DESC LIMIT 1)"
         " ON CONFLICT DO NOTHING RETURNING match",
         {group.matches, group.follows, group.lasts, group.lines}});
  }
  // 3. Rows that are to be written are locked. Then that of an append without events is refused when the log has grown;
  //    a statement of its own, for it must see what was written while it waited for the lock.
  bool rows = false;
  for (const std::size_t i : order) {
    const Append& append = appends[i];
    if (!append.row) continue;
    rows = true;
    statements.push_back({"SELECT id FROM matches WHERE id = $1 FOR UPDATE", {append.match}});
    if (!append.events.empty()) continue;
    decides.emplace_back(statements.size(), i);
    statements.push_back(
        {"SELECT 1 WHERE $2 = (SELECT last FROM entries WHERE match = $1 ORDER BY follows DESC LIMIT 1)",
         {append.match, std::int64_t{append.expected}}});
  }
  if (!rows) statements.push_back({"COMMIT"});
  const auto answers = send(statements);
  if (!answers) return answers.error();
  for (const auto& [statement, i] : decides) {
    if ((*answers)[statement].changed == 1) outcomes[i] = Appended::done;
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const Answer::Row& row : (*answers)[first_group + group].rows) {
      const auto at = std::ranges::lower_bound(groups[group].matches, std::string_view(*row[0]));
      outcomes[groups[group].appends[static_cast<std::size_t>(at - groups[group].matches.begin())]] = Appended::done;
    }
  }
  if (!rows) return outcomes;

  // 4. The rows of those that were not refused.
  statements.clear();
  for (const std::size_t i : order) {
    if (appends[i].row && outcomes[i] == Appended::done) update_match(appends[i], statements);
  }
  statements.push_back({"COMMIT"});
  const auto ended = send(statements);
  if (!ended) return ended.error();
  return outcomes;
}

Expected<std::vector<std::string>> Postgres::events(std::string_view match, Sequence after) {
  const auto answer =
      run({"SELECT follows, lines FROM entries WHERE match = $1 AND follows >="
           " (SELECT COALESCE(MAX(follows), 0) FROM entries WHERE match = $1 AND follows <= $2)"
           " ORDER BY follows",
           {match, std::int64_t{after}}});
  if (!answer) return answer.error();
  std::vector<std::string> events;
  for (const Answer::Row& row : answer->rows) {
    const std::int64_t skipped = std::max<std::int64_t>(std::int64_t{after} - integer(row[0]), 0);
    read_entry(*row[1], static_cast<std::size_t>(skipped), events);
  }
  return events;
}

Expected<std::vector<std::vector<std::string>>> Postgres::news(std::span<const Known> known) {
  std::vector<std::string_view> matches;
  std::vector<std::int64_t> lasts;
  for (const auto& [match, last] : known) {
    matches.push_back(match);
    lasts.push_back(last);
  }
  const auto answer =
      // OFFSET 0 keeps it from becoming a join, for which whole tables are read.
      run({"SELECT k.place, e.lines FROM unnest($1, $2) WITH ORDINALITY AS k (match, last, place), LATERAL"
           " (SELECT lines, follows FROM entries WHERE match = k.match AND follows >= k.last OFFSET 0) e"
           " ORDER BY k.place, e.follows",
           {std::span<const std::string_view>(matches), std::span<const std::int64_t>(lasts)}});
  if (!answer) return answer.error();
  std::vector<std::vector<std::string>> news(known.size());
  for (const Answer::Row& row : answer->rows) {
    read_entry(*row[1], 0, news[static_cast<std::size_t>(integer(row[0]) - 1)]);
  }
  return news;
}

// ── Several processes ──

Expected<std::vector<std::string>> Postgres::keep_due(std::string_view process, Time now) {
  constexpr std::int64_t most = 1'000;
  const Statement statements[] = {
      {"UPDATE matches SET kept_until = $3 WHERE id IN"
       " (SELECT id FROM matches WHERE due <= $2 AND keeper = $1 FOR UPDATE SKIP LOCKED) RETURNING id",
       {process, now, now + keep_ms}},
      {"UPDATE matches SET keeper = $1, kept_until = $3 WHERE id IN"
       " (SELECT id FROM matches WHERE due <= $2 AND keeper <> $1"
       "  AND (keeper = '' OR (kept_until <= $2 AND due <= $5))"
       "  ORDER BY due LIMIT $4 FOR UPDATE SKIP LOCKED) RETURNING id",
       {process, now, now + keep_ms, most, now - keep_ms}},
  };
  const auto answers = run_together(statements);
  if (!answers) return answers.error();
  std::vector<std::string> due;
  for (const Answer& answer : *answers) {
    for (const Answer::Row& row : answer.rows) due.push_back(*row.front());
  }
  return due;
}

// ── Everything, for whoever owns it ──

Expected<Postgres::Answers> Postgres::run_together(std::span<const Statement> statements) {
  std::vector<Statement> all{{"BEGIN"}};
  all.insert(all.end(), statements.begin(), statements.end());
  all.push_back({"COMMIT"});
  auto answers = with_tries([&] { return send(all); });
  if (!answers) return answers.error();
  return Answers(std::make_move_iterator(answers->begin() + 1), std::make_move_iterator(answers->end() - 1));
}

const SqlStore::Dialect& Postgres::dialect() const {
  static constexpr Dialect postgres{
      .place = "SELECT pg_postmaster_start_time() || ' ' || oid FROM pg_database WHERE datname = current_database()",
      .events = "SELECT SUM(last - follows) FROM entries",
      .bytes = "SELECT pg_database_size(current_database())"};
  return postgres;
}

void Postgres::drop_logs(std::span<const std::string> matches, std::vector<Statement>& out) const {
  for (const std::string& match : matches) {
    out.push_back({"DELETE FROM entries WHERE match = $1 AND " IS_OVER, {match}});
  }
}

}  // namespace

Expected<std::unique_ptr<Store>> open_postgres(const std::string& url) {
  auto store = std::make_unique<Postgres>(url);
  if (auto problem = store->open()) return *problem;
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace tessera
