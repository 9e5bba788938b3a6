#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expected.hpp"
#include "match/match.hpp"

/// Everything that must outlive the process, behind one contract with two back ends. Calls block and may come from any
/// thread, one at a time for each Store; open several for several threads or processes. An Error is a sentence about the
/// database, and the call has changed nothing unless the connection was lost in the middle. Text is UTF-8 without NUL.
namespace tessera {

/// What lists show of a match without reading its log. Id, code, game and creation never change.
struct MatchRow {
  enum class Stage : std::uint8_t { gathering, playing, over };

  std::string id;
  std::string code;  ///< said aloud; unique among matches that are not over
  std::string game;
  Stage stage = Stage::gathering;
  bool listed = false;
  Time created = 0;
  Time changed = 0;
  std::optional<Time> due{};           ///< when a clock runs out or a bot must act, though nobody is connected
  std::string summary;                 ///< JSON for the lobby, made by the server
  std::vector<std::string> people{};   ///< the host, who has a seat, and whose device they play at
  std::vector<std::string> awaited{};  ///< those of them of whom something is awaited, in the same order

  friend bool operator==(const MatchRow&, const MatchRow&) = default;
};

/// A match's row as it stands now.
MatchRow row_of(const Match& match, std::string code, Time now);

/// Events to be added to one match's log: all or none.
struct Append {
  std::string match;
  Sequence expected;                ///< the last event that the log must hold now; 0: a new match
  std::vector<std::string> events;  ///< each JSON without line breaks; none: only the row is written
  std::optional<MatchRow> row{};    ///< the match's new row, kept with the events; required with expected 0
  std::string keeper{};             ///< with a row: the process that acts for the match when something is due
};

/// How long a keeper may be silent before another process may act in its place.
constexpr Time keep_ms = 2'500;

/// A log as far as somebody has it, up to where an append ended.
struct Known {
  std::string match;
  Sequence last;
};

enum class Appended : std::uint8_t {
  done,
  stale,  ///< the log does not end at `expected`; of a new match: its id or its code is taken
};

struct Person {
  std::string id;
  std::string name;
  std::string password{};  ///< Argon2id hash; empty: none. The name, ignoring case, is unique among those who have one
  std::string webhook{};
  bool bot = false;  ///< a program's account
  Time created = 0;

  friend bool operator==(const Person&, const Person&) = default;
};

struct ChatLine {
  std::uint64_t number = 0;  ///< given by the store: counts up within the match
  std::string match;
  std::string person;
  std::uint64_t command = 0;  ///< with match and person unique: a repeated line is kept once
  bool gallery = false;       ///< among spectators
  std::string text;
  Time at = 0;

  friend bool operator==(const ChatLine&, const ChatLine&) = default;
};

struct Presence {
  std::string match;
  std::string person;

  friend bool operator==(const Presence&, const Presence&) = default;
};

struct Sign {
  std::string process;
  std::int64_t count;
};

/// A page of a list, newest first: rows that changed before `before` (or at it, with a smaller id).
struct Page {
  std::optional<Time> before;
  std::string before_id{};
  int limit = 20;
};

class Store {
 public:
  virtual ~Store() = default;

  // ── The log ──

  /// One commit for all of them, in their order; on return everything that is `done` is durable. A stale one is refused
  /// by itself. After an Error nothing is known to be durable: read the log before trying again.
  virtual Expected<std::vector<Appended>> append(std::span<const Append> appends) = 0;
  /// The log from event `after` + 1 on; empty when there is no such match.
  virtual Expected<std::vector<std::string>> events(std::string_view match, Sequence after = 0) = 0;
  /// What the logs have after what is known of them, in the same order.
  virtual Expected<std::vector<std::vector<std::string>>> news(std::span<const Known> known) = 0;

  // ── Lists ──

  virtual Expected<std::optional<MatchRow>> row(std::string_view match) = 0;
  virtual Expected<std::optional<std::string>> match_with_code(std::string_view code) = 0;  ///< not over
  virtual Expected<std::vector<MatchRow>> listed(const Page& page) = 0;                     ///< gathering and listed
  virtual Expected<std::vector<MatchRow>> watchable(const Page& page) = 0;                  ///< playing and listed
  virtual Expected<std::vector<MatchRow>> finished(const Page& page) = 0;                   ///< over and listed
  /// A person's matches: those not over (first those where they are awaited), or those that are.
  virtual Expected<std::vector<MatchRow>> matches_of(std::string_view person, bool over, const Page& page) = 0;
  virtual Expected<std::int64_t> count_of(std::string_view person) = 0;  ///< a person's matches not over

  // ── People ──

  virtual std::optional<Error> put_person(const Person& person) = 0;  ///< new, or changed; refused: the name is taken
  virtual Expected<std::optional<Person>> person(std::string_view id) = 0;
  virtual Expected<std::vector<Person>> people(std::span<const std::string> ids) = 0;  ///< those that exist
  virtual Expected<std::vector<std::string>> people_named(std::string_view name) = 0;  ///< ids; ignores case
  virtual Expected<std::optional<Person>> person_with_password(std::string_view name) = 0;
  /// Keys bring a person back without cookie or password: private links, tokens of programs, feeds. Kept as hashes.
  virtual std::optional<Error> put_key(std::string_view hash, std::string_view person, std::string_view kind) = 0;
  virtual Expected<std::optional<std::string>> person_with_key(std::string_view hash, std::string_view kind) = 0;
  virtual std::optional<Error> drop_keys(std::string_view person, std::string_view kind) = 0;

  // ── Chat, outside the log so that it can be deleted ──

  virtual Expected<ChatLine> say(const ChatLine& line) = 0;  ///< with its number; a repeated line as it was kept
  /// The newest `limit` lines after number `after`, oldest first.
  virtual Expected<std::vector<ChatLine>> chat(std::string_view match, std::uint64_t after, int limit) = 0;

  // ── Small facts: session keys, bans, who is muted at a table ──

  virtual Expected<std::optional<std::string>> fact(std::string_view name) = 0;
  virtual std::optional<Error> put_fact(std::string_view name, std::string_view value) = 0;

  virtual std::optional<Error> ping() = 0;  ///< for the health page

  // ── Several processes on one database ──

  virtual bool shared() const = 0;  ///< other processes may be at work on it; an SQLite file has one server
  /// Ids of matches in which something is due at `now` and which no other process keeps: they are now `process`'s to
  /// keep, until `now` + keep_ms.
  virtual Expected<std::vector<std::string>> keep_due(std::string_view process, Time now) = 0;
  /// Says that `process` lives, and hears who else does. A count that no longer grows is that of a dead one.
  virtual Expected<std::vector<Sign>> sign_of_life(std::string_view process) = 0;
  /// People can now be reached at matches through `process` …
  virtual std::optional<Error> arrive(std::span<const Presence> people, std::string_view process) = 0;
  /// … or no longer: which of them still can, through another process.
  virtual Expected<std::vector<bool>> depart(std::span<const Presence> people, std::string_view process) = 0;
  virtual Expected<bool> present(const Presence& presence) = 0;  ///< through any process
  /// A process has died: who was present through it is so through `heir`, until that knows better.
  virtual Expected<std::vector<Presence>> inherit(std::string_view dead, std::string_view heir) = 0;
};

/// Opens "postgresql://…" or "postgres://…", or a path as an SQLite file, which is made when absent. Older schemas are brought forward;
/// a newer one than this program knows is refused.
Expected<std::unique_ptr<Store>> open_store(const std::string& where);

}  // namespace tessera
