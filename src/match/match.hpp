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
#include "match/dice_statistics.hpp"
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
  /// So many commands of a person are known again when they are repeated.
  static constexpr std::size_t commands_remembered = 32;

  // ── Life ──

  /// A new table, or a rematch's with its seats already taken.
  static Expected<Match> create(const World& world, std::string id, const TableSettings& settings,
                                std::string_view host, Time now, Happenings& out,
                                std::span<const Seat> rematch_seats = {});
  /// The present from the past. The Error names the first event that cannot have happened; dice are recomputed.
  /// Each event is handed to `tell` as it happens.
  static Expected<Match> fold(const World& world, std::string id, std::span<const std::string> log,
                              const std::function<void(Happening)>& tell = {});
  /// What the log has after the present. After an Error the match is at the event before the impossible one.
  std::optional<Error> follow(std::span<const std::string> log, const std::function<void(Happening)>& tell = {});

  // ── What happens. An Error means that nothing has. ──

  /// A command that is repeated does nothing. `rematch` is only checked: whoever makes the next match then calls
  /// `rematch_made`.
  std::optional<Error> act(std::string_view person, const Command& command, Time now, Happenings& out);
  /// A bot's move for a seat that `bot_wanted`; refused when the match has gone on since `thought_at`.
  std::optional<Error> bot_move(int seat, Sequence thought_at, std::string_view move, Time now, Happenings& out);
  /// A person's first connection came, or the last one went. From `begun` on everybody counts as connected until told
  /// otherwise.
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
  /// Who brings events about, when, and where they go.
  struct Cause {
    std::string_view by;
    std::optional<std::uint64_t> command;  ///< until the first event has it
    Time now;
    Happenings& out;
  };
  /// A position that can be taken back to: before a seat's move.
  struct Past {
    int seat;
    std::shared_ptr<const Play> play;
  };
  /// The last commands of a person, as a ring.
  struct Recent {
    std::string person;
    std::vector<std::uint64_t> commands{};
    std::size_t oldest = 0;
    friend bool operator==(const Recent&, const Recent&) = default;
  };
  struct Clock {
    Time bank;
    Time grace;
  };

  Match(const World& world, std::string id) : world_(world), id_(std::move(id)) {}

  // ── Commands (commands.cpp): each checks all, then emits ──
  std::optional<Error> carry_out(Cause& cause, const Command& command, int seat);
  std::optional<Error> sit(Cause& cause, const Command& command);
  std::optional<Error> give_to_bot(Cause& cause, const Command& command);
  std::optional<Error> remove(Cause& cause, int seat);
  std::optional<Error> hand_over(Cause& cause, int seat);
  std::optional<Error> start(Cause& cause, const Command& command);
  std::optional<Error> commit(Cause& cause, const Command& command, int seat);
  std::optional<Error> reveal(Cause& cause, const Command& command, int seat);
  std::optional<Error> roll(Cause& cause, int seat);
  std::optional<Error> move(Cause& cause, const Command& command, int seat);
  std::optional<Error> take_back(Cause& cause, int seat);
  std::optional<Error> stop(Cause& cause, int seat);
  std::optional<Error> answer(Cause& cause, const Command& command, int seat);
  std::optional<Error> ready(Cause& cause, int seat);
  std::optional<Error> set_paused(Cause& cause, bool pause);
  Expected<int> own_seat(std::string_view person, const Command& command) const;
  std::optional<Error> no_seat(int seat) const;  ///< the Error when the table has no such seat
  std::optional<Error> no_bot(std::string_view name) const;
  std::optional<Error> not_awaited(Phase phase, int seat) const;
  Expected<Move> chosen(const Command& command) const;

  // ── What happens (match.cpp) ──
  void emit(Cause& cause, Event event, Move move = {});
  void follow_up(Cause& cause);  ///< whatever now happens by itself
  std::optional<Event> next_by_itself() const;
  std::optional<Event> next_due(Time now) const;
  Event over_event(std::string_view why) const;
  Event redrawn_event() const;
  Event back_event(int seat) const;
  Event stand_in_event() const;  ///< for the awaited seat, as the settings have it

  // ── The fold (apply.cpp) ──
  Expected<Happening> happen(Event event, bool fresh, Move move = {});
  std::optional<Error> apply(Event& event, bool fresh, Move& move);
  std::optional<Error> change(Event& event, bool fresh, Move& move);
  std::optional<Error> change_table(const Event& event);
  std::optional<Error> change_draw(Event& event, bool fresh);
  std::optional<Error> change_play(Event& event, bool fresh, Move& move);
  std::optional<Error> change_seat(const Event& event);
  std::optional<Error> apply_created(const Event& event);
  std::optional<Error> apply_sat(const Event& event);
  std::optional<Error> apply_removed(const Event& event);
  std::optional<Error> apply_revealed(const Event& event);
  std::optional<Error> apply_redrawn(const Event& event);
  std::optional<Error> apply_begun(Event& event, bool fresh);
  std::optional<Error> apply_chance(Event& event, bool fresh);
  std::optional<Error> apply_move(Event& event, bool fresh, Move& move);
  std::optional<Error> apply_taken_back(Event& event, bool fresh);
  std::optional<Error> apply_stand_in(const Event& event);
  std::optional<Error> apply_over(const Event& event, bool fresh);
  void no_longer_answers(int seat);
  void run_clock(Time at);
  void next_turn(Time at);

  // ── What follows from the state ──
  int awaited_seat() const;      ///< whose event the game waits for; -1: nobody's
  const Seat* thinking() const;  ///< the awaited seat when its player is to act
  Clock clock_at(const Seat& seat, Time at) const;
  bool all_taken() const;
  bool all_committed() const;
  bool all_revealed() const;
  bool any_revealed() const;
  std::vector<int> not_revealed() const;           ///< seats whose contribution is missing
  bool one_side_left() const;                      ///< because the others have resigned
  std::size_t moves_to_take_back(int seat) const;  ///< 0: there is none
  std::uint8_t must_agree(Asked::What what, int seat) const;
  std::optional<Time> reveal_due() const;
  std::optional<Time> time_due() const;  ///< when the awaited seat is out of time
  std::optional<Time> away_due() const;
  std::uint8_t winners(std::string_view why) const;

  World world_;
  std::string id_;
  TableSettings settings_;
  const GameInfo* game_ = nullptr;
  std::string host_;
  Time created_at_ = 0;
  Stage stage_ = Stage::gathering;
  bool paused_ = false;
  Sequence sequence_ = 0;
  Time last_at_ = 0;  ///< of the last event
  std::vector<Seat> seats_;
  std::vector<std::string> removed_;  ///< people who may not sit down again
  std::vector<Recent> recent_;

  int draw_number_ = 1;
  fair::Bytes32 secret_{};
  fair::Bytes32 secret_hash_{};
  bool spoilt_ = false;  ///< a seat left the draw when contributions were known: it must begin again
  Time first_revealed_ = 0;
  std::optional<fair::Dice> dice_;

  std::shared_ptr<const Play> play_;
  std::vector<Past> past_;  ///< since the last chance event
  std::optional<Asked> asked_;
  std::uint8_t ready_ = 0;  ///< a bit a seat whose player holds a shared device
  DiceStatistics statistics_;

  Time clock_from_ = 0;  ///< since when the present clock runs
  Time turn_from_ = 0;   ///< since when the awaited seat is awaited
  Time away_from_ = 0;   ///< since when it is, with its connection as it is
  Time paused_at_ = 0;
  bool out_of_time_ = false;  ///< the awaited seat, in this turn

  std::string over_;
  std::string rematch_;
};

}  // namespace tessera
