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

std::string_view stage_name(MatchRow::Stage stage);  ///< "gathering", "playing", "over"

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

/// How long a keeper may be silent, and something be due, before another process may act in its place.
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

// ── What whoever owns a database asks for and is told ──

struct Key {
  std::string hash;
  std::string kind;
  std::string person;

  friend bool operator==(const Key&, const Key&) = default;
};

struct Fact {
  std::string name;
  std::string value;

  friend bool operator==(const Fact&, const Fact&) = default;
};

/// Which matches: all that fit every member.
struct Filter {
  std::optional<MatchRow::Stage> stage{};
  std::string person{};  ///< empty: whoever's
  std::string game{};    ///< empty: any
  std::optional<Time> changed_before{};
};

/// What is small of a database, or a page of it.
struct Part {
  std::vector<Person> people{};
  std::vector<Key> keys{};
  std::vector<Fact> facts{};
  std::vector<ChatLine> chat{};
};

struct Totals {
  struct Matches {
    std::string game;
    MatchRow::Stage stage;
    std::int64_t count;
    friend bool operator==(const Matches&, const Matches&) = default;
  };
  std::vector<Matches> matches{};  ///< by game, then stage; none that are 0
  std::int64_t people = 0;         ///< guests too
  std::int64_t programs = 0;       ///< people's accounts for programs
  std::int64_t keys = 0;
  std::int64_t facts = 0;
  std::int64_t chat = 0;            ///< lines that say something
  std::int64_t forgotten_chat = 0;  ///< lines of which only the number is left
  std::int64_t events = 0;
  std::int64_t log_bytes = 0;       ///< of all logs
  std::int64_t database_bytes = 0;  ///< on the disk
};

/// What went with a person.
struct Forgotten {
  bool name = false;
  std::int64_t guests = 0;
  std::int64_t keys = 0;
  std::int64_t chat = 0;
};

/// Names the fact that says whether the host has muted a person, "yes" or "no". It goes with the match.
std::string muted_fact(std::string_view match, std::string_view person);

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
  /// Written only if there is none yet; what is there then.
  virtual Expected<std::string> first_fact(std::string_view name, std::string_view value) = 0;
  /// Written only if it is still `old`; false: it is another by now.
  virtual Expected<bool> replace_fact(std::string_view name, std::string_view old, std::string_view value) = 0;

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
  /// A process has died: who was present through it is so through `heir`, until that knows better. It keeps no match.
  virtual Expected<std::vector<Presence>> inherit(std::string_view dead, std::string_view heir) = 0;

  // ── Everything, for whoever owns it ──

  /// The same for two Stores when they are the same database, however it was named.
  virtual Expected<std::string> place() = 0;

  // Pages in the order of ids (bytes decide), after the given one; "" is before all.
  virtual Expected<std::vector<MatchRow>> matches_after(std::string_view id, const Filter& filter, int limit) = 0;
  virtual Expected<std::vector<Person>> people_after(std::string_view id, int limit) = 0;
  virtual Expected<std::vector<Key>> keys_after(std::string_view hash, std::string_view kind, int limit) = 0;
  virtual Expected<std::vector<Fact>> facts_after(std::string_view name, int limit) = 0;
  virtual Expected<std::vector<ChatLine>> chat_after(std::string_view match, std::uint64_t number, int limit) = 0;

  virtual Expected<std::vector<MatchRow>> newest(const Filter& filter, const Page& page) = 0;
  virtual Expected<std::int64_t> count(const Filter& filter) = 0;
  virtual Expected<Totals> totals() = 0;

  /// One commit for all of it, each as it is, numbers of chat too. What is there already stays as it is.
  virtual std::optional<Error> take_in(const Part& part) = 0;

  /// Matches that are over go: log, row, seats, chat, mutes. How many there were; ids of others are passed over.
  virtual Expected<std::int64_t> drop(std::span<const std::string> matches) = 0;
  /// A person, their guests and keys go, and what they said. Of lines of chat the numbers stay, so that nobody misses
  /// what is said next; in logs and seats the ids stay.
  virtual Expected<Forgotten> forget(std::string_view person) = 0;
};

/// Opens "postgresql://…" or "postgres://…", or a path as an SQLite file, which is made when absent. Older schemas are brought forward;
/// a newer one than this program knows is refused.
Expected<std::unique_ptr<Store>> open_store(const std::string& where);

}  // namespace tessera
