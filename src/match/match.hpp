#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fair/fair.hpp"
#include "match/command.hpp"
#include "match/event.hpp"
#include "match/settings.hpp"

/// A game as people play it: a pure state machine. Commands and time come in, events come out; no sockets, files or
/// threads. Only `apply` changes a match, one event at a time, so that the present is the fold of the log.
namespace tessera {

/// What matches need from outside.
struct World {
  std::span<const GameInfo* const> games;
  std::span<const std::string_view> bots;  ///< names that a seat may be given to; "simple" is among them
  const fair::Hash* hash;
  fair::Bytes32 (*fresh_secret)();
};

struct Seat {
  std::string person{};  ///< who plays it; empty: nobody or a bot
  std::string device{};  ///< the person whose connections speak for it; at a shared device another than `person`
  std::string bot{};     ///< the bot that plays it: its own, a stand-in's, or a resigned or removed player's
  std::optional<fair::Bytes32> hash{};
  std::optional<fair::Bytes32> contribution{};
  bool auto_roll = false;
  bool resigned = false;
  bool connected = false;
  enum class StandIn : std::uint8_t { none, turn, back } stand_in = StandIn::none;
  Sequence stand_in_since = 0;
  Time bank = 0;   ///< milliseconds left when its clock last stood
  Time grace = 0;  ///< milliseconds of lost connection that its clock still forgives

  bool taken() const { return !person.empty() || !bot.empty(); }
  bool played_by_bot() const { return !bot.empty(); }
  friend bool operator==(const Seat&, const Seat&) = default;
};

enum class Stage : std::uint8_t { gathering, drawing, playing, over };

/// A question that other seats must answer before it happens.
struct Asked {
  enum class What : std::uint8_t { take_back, stop } what{};
  int seat = -1;                 ///< who asks
  std::uint8_t must_answer = 0;  ///< a bit for each seat whose yes is still awaited

  friend bool operator==(const Asked&, const Asked&) = default;
};

class Match {
 public:
  using Happenings = std::vector<Happening>;

  // ── Life ──

  /// A new table, or a rematch's with its seats already taken.
  static Expected<Match> create(const World& world, std::string id, const TableSettings& settings,
                                std::string_view host, Time now, Happenings& out,
                                std::span<const Seat> rematch_seats = {});
  /// The present from the past. The Error names the first event that cannot have happened; dice are recomputed.
  /// Each event is handed to `tell` as it happens.
  static Expected<Match> fold(const World& world, std::string id, std::span<const std::string> log,
                              const std::function<void(const Happening&)>& tell = {});

  // ── What happens. An Error means that nothing has. ──

  std::optional<Error> act(std::string_view person, const Command& command, Time now, Happenings& out);
  /// A bot's move for a seat that `bot_wanted`; refused when the match has gone on since `thought_at`.
  std::optional<Error> bot_move(int seat, Sequence thought_at, std::string_view move, Time now, Happenings& out);
  void connected(std::string_view person, bool is_connected, Time now, Happenings& out);
  void tick(Time now, Happenings& out);                   ///< whatever is due
  std::optional<Error> close(Time now, Happenings& out);  ///< by the server's owner
  std::optional<Error> rematch_made(std::string_view person, std::optional<std::uint64_t> command,
                                    std::string_view next, Time now, Happenings& out);

  // ── What is ──

  const std::string& id() const { return id_; }
  const TableSettings& settings() const { return settings_; }
  const std::string& host() const { return host_; }
  Time created_at() const { return created_at_; }
  Stage stage() const { return stage_; }
  bool paused() const { return paused_; }
  Sequence sequence() const { return sequence_; }
  std::span<const Seat> seats() const { return seats_; }
  const Play* play() const { return play_.get(); }  ///< null before the game has begun
  const std::optional<Asked>& asked() const { return asked_; }
  int draw_number() const { return draw_number_; }
  const fair::Bytes32& secret_hash() const { return secret_hash_; }
  const std::string& over() const { return over_; }  ///< the extra of `over`; empty before
  const std::string& rematch() const { return rematch_; }

  bool seated(std::string_view person) const;       ///< plays, or speaks for, some seat
  Viewer viewer_of(std::string_view person) const;  ///< what a person may see now
  int ready_seat(std::string_view device) const;    ///< whose player holds a shared device; -1: nobody
  Time time_left(int seat, Time now) const;         ///< of a bank; never negative
  std::optional<Time> due() const;                  ///< when `tick` has something to do
  std::optional<int> bot_wanted() const;            ///< the seat for which a bot is to decide now
  std::string bot_name(int seat) const;             ///< which bot that is
  /// Seats whose players something is awaited from now: a roll, a move, a commitment, a reveal, an answer.
  std::uint8_t awaited() const;
  /// The command has already been carried out: repeating it does nothing.
  bool repeats(std::string_view person, std::uint64_t command) const;
  /// The seats of a rematch: the same people and bots, moved on by one.
  std::vector<Seat> rotated_seats() const;

  bool equals(const Match& other) const;


 private:
  std::string id_;
  TableSettings settings_;
  std::string host_;
  Time created_at_ = 0;
  Stage stage_ = Stage::gathering;
  bool paused_ = false;
  Sequence sequence_ = 0;
  std::vector<Seat> seats_;
  std::unique_ptr<Play> play_;
  std::optional<Asked> asked_;
  int draw_number_ = 1;
  fair::Bytes32 secret_hash_{};
  std::string over_;
  std::string rematch_;
};

}  // namespace tessera
