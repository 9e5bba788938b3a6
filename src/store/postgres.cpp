#include <endian.h>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <algorithm>
#include <cstring>
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

/// The values of a statement as libpq takes them: binary, so that text needs no end and numbers no digits.
class Parameters {
 public:
  explicit Parameters(std::span<const Value> values) : integers_(values.size()) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (const auto* integer = std::get_if<std::int64_t>(&values[i])) {
        integers_[i] = htobe64(static_cast<std::uint64_t>(*integer));
        add(type_bigint, reinterpret_cast<const char*>(&integers_[i]), sizeof(std::uint64_t));
      } else if (const auto* text = std::get_if<std::string_view>(&values[i])) {
        add(type_text, text->empty() ? "" : text->data(), text->size());
      } else {
        add(type_unknown, nullptr, 0);
      }
    }
  }

  int count() const { return static_cast<int>(types.size()); }

  std::vector<Oid> types{};
  std::vector<const char*> addresses{};
  std::vector<int> lengths{};
  std::vector<int> formats{};

 private:
  void add(Oid type, const char* address, std::size_t length) {
    types.push_back(type);
    addresses.push_back(address);
    lengths.push_back(static_cast<int>(length));
    formats.push_back(1);
  }

  std::vector<std::uint64_t> integers_;
};

class Postgres final : public SqlStore {
 public:
  using Answers = std::vector<Answer>;

  explicit Postgres(std::string url) : url_(std::move(url)) {}

  std::optional<Error> open();

  Expected<std::vector<Appended>> append(std::span<const Append> appends) override;
  Expected<std::vector<std::string>> events(std::string_view match, Sequence after) override;

 protected:
  Expected<Answer> run(const Statement& statement) override;
  Expected<Answers> run_together(std::span<const Statement> statements) override;
  const Dialect& dialect() const override;
  void drop_logs(std::span<const std::string> matches, std::vector<Statement>& out) const override;

 private:
  std::optional<Error> connect();
  /// All in one round trip. The first Error ends it; what follows is not carried out.
  Expected<Answers> send(std::span<const Statement> statements);
  std::optional<Error> send_all(std::span<const Statement> statements, std::vector<std::string>& new_names);
  Expected<Answers> receive(std::span<const Statement> statements, std::span<const std::string> new_names);
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
  if (connection_ && PQstatus(connection_.get()) == CONNECTION_OK) return std::nullopt;
  prepared_.clear();
  // What the URL says comes last and wins. The timeouts are in seconds and milliseconds.
  const char* const names[] = {"application_name", "client_encoding", "connect_timeout",
                               "tcp_user_timeout", "dbname",          nullptr};
  const char* const values[] = {"tessera", "UTF8", "10", "30000", url_.c_str(), nullptr};
  connection_.reset(PQconnectdbParams(names, values, 1));
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    Error error{fmt::format("PostgreSQL cannot be reached: {}. Check that it runs and that --database is right.",
                            first_line(PQerrorMessage(connection_.get())))};
    connection_.reset();
    return error;
  }
  PQsetNoticeProcessor(connection_.get(), [](void*, const char*) {}, nullptr);
  return std::nullopt;
}

Error Postgres::failure(const PGresult* result) {
  const char* state = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* message = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  sqlstate_ = state == nullptr ? "" : state;
  Error error{fmt::format("PostgreSQL does not do its work: {}.",
                          first_line(message == nullptr ? PQerrorMessage(connection_.get()) : message))};
  // A connection that is lost, or out of step, is made anew by the next call.
  if (state == nullptr || PQstatus(connection_.get()) != CONNECTION_OK) connection_.reset();
  return error;
}

bool Postgres::failed_because_of_another() const {
  return sqlstate_ == "40001" || sqlstate_ == "40P01"     // serialization failure, deadlock
         || sqlstate_ == "23505" || sqlstate_ == "42P07"  // unique violation, table exists
         || sqlstate_ == "42710";                         // object exists
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
  // 1. In the order of the matches, so that two processes never wait for each other.
  std::vector<std::size_t> order(appends.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(std::string_view(appends[i].match), i); });

  // 2. All entries. The uniqueness of (match, follows) decides who was first; a refused one changes no row.
  const bool rows = std::ranges::any_of(appends, [](const Append& append) { return append.row.has_value(); });
  std::vector<std::string> lines;
  for (const Append& append : appends) lines.push_back(entry_lines(append.events));
  std::vector<Statement> statements{{"BEGIN"}};
  std::vector<std::size_t> entry_of(appends.size());  // where each one's entry is among the statements
  for (const std::size_t i : order) {
    const Append& append = appends[i];
    if (append.expected == 0) statements.push_back(insert_match(append.row.value()));
    entry_of[i] = statements.size();
    if (append.events.empty()) {
      statements.push_back(
          {"UPDATE matches SET changed = changed WHERE id = $1 AND $2 ="
           " (SELECT last FROM entries WHERE match = $1 ORDER BY follows DESC LIMIT 1)",
           {append.match, std::int64_t{append.expected}}});
      continue;
    }
    const auto last = static_cast<std::int64_t>(append.expected + append.events.size());
    statements.push_back({append.expected == 0
                              ? "INSERT INTO entries SELECT id, $2, $3, $4 FROM matches WHERE id = $1"
                                " ON CONFLICT DO NOTHING"
                              : "INSERT INTO entries SELECT $1, $2, $3, $4 WHERE $2 ="
                                " (SELECT last FROM entries WHERE match = $1 ORDER BY follows DESC LIMIT 1)"
                                " ON CONFLICT DO NOTHING",
                          {append.match, std::int64_t{append.expected}, last, lines[i]}});
  }
  if (!rows) statements.push_back({"COMMIT"});
  const auto answers = send(statements);
  if (!answers) return answers.error();
  std::vector<Appended> outcomes;
  for (const std::size_t i : entry_of) {
    outcomes.push_back((*answers)[i].changed == 1 ? Appended::done : Appended::stale);
  }
  if (!rows) return outcomes;

  // 3. The rows of those that were not refused.
  statements.clear();
  for (const std::size_t i : order) {
    if (appends[i].row && outcomes[i] == Appended::done) update_match(*appends[i].row, statements);
  }
  statements.push_back({"COMMIT"});
  const auto ended = send(statements);
  if (!ended) return ended.error();
  return outcomes;
}

Expected<std::vector<std::string>> Postgres::events(std::string_view match, Sequence after) {
  const auto answer = run({"SELECT follows, lines FROM entries WHERE match = $1 AND last > $2 ORDER BY follows",
                           {match, std::int64_t{after}}});
  if (!answer) return answer.error();
  std::vector<std::string> events;
  for (const Answer::Row& row : answer->rows) {
    const std::int64_t skipped = std::max<std::int64_t>(std::int64_t{after} - integer(row[0]), 0);
    read_entry(*row[1], static_cast<std::size_t>(skipped), events);
  }
  return events;
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
