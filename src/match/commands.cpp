/// What people may ask for: who, when, and the sentence when not.
#include <algorithm>
#include <array>
#include <string>

#include "core/text.hpp"
#include "match/match.hpp"

namespace tessera {
namespace {

using Kind = Event::Kind;
using Do = Command::Kind;

constexpr unsigned gathering = 1U << static_cast<int>(Stage::gathering);
constexpr unsigned drawing = 1U << static_cast<int>(Stage::drawing);
constexpr unsigned playing = 1U << static_cast<int>(Stage::playing);
constexpr unsigned over = 1U << static_cast<int>(Stage::over);
constexpr unsigned before_the_end = gathering | drawing | playing;

enum class Who : std::uint8_t {
  anyone,
  host,
  seat,    ///< whoever speaks for the command's seat
  player,  ///< as seat, unless it has resigned
};

struct Permission {
  Do what;
  Who who;
  unsigned stages;
  bool while_paused = false;
};

constexpr std::array<Permission, 21> permissions{{
    {Do::sit, Who::anyone, gathering},
    {Do::stand, Who::seat, gathering},
    {Do::bot, Who::host, gathering},
    {Do::remove, Who::host, before_the_end, true},
    {Do::hand_over, Who::host, before_the_end},
    {Do::start, Who::host, gathering},
    {Do::commit, Who::seat, drawing},
    {Do::reveal, Who::seat, drawing},
    {Do::roll, Who::player, playing},
    {Do::auto_roll, Who::seat, before_the_end},
    {Do::move, Who::player, playing},
    {Do::take_back, Who::player, playing},
    {Do::stop, Who::player, playing},
    {Do::answer, Who::player, playing},
    {Do::resign, Who::player, playing, true},
    {Do::ready, Who::seat, playing},
    {Do::back, Who::player, playing},
    {Do::pause, Who::host, playing},
    {Do::resume, Who::host, playing, true},
    {Do::close, Who::host, before_the_end, true},
    {Do::rematch, Who::anyone, over},
}};

Error wrong_stage(unsigned allowed, Stage now) {
  if (now == Stage::over) return Error::of("The game is over.");
  if (allowed == over) return Error::of("The game is not over yet.");
  if (allowed == gathering) return Error::of("The seats are taken and the game has started.");
  if (allowed == drawing && now == Stage::playing) return Error::of("The dice have been drawn already.");
  if (allowed == drawing) return Error::of("The dice are drawn once all seats are taken.");
  return Error::of("The game has not begun yet.");
}

Error say_which_seat() { return Error::of("Say which seat: {\"seat\":0}, for example."); }

}  // namespace

std::optional<Error> Match::act(std::string_view person, const Command& command, Time now, Happenings& out) {
  if (repeats(person, command.id)) return std::nullopt;
  const Permission& permission = permissions[static_cast<std::size_t>(command.kind)];
  if (person.empty()) return Error::of("Say who you are first.");
  if ((permission.stages >> static_cast<int>(stage_) & 1) == 0) return wrong_stage(permission.stages, stage_);
  if (permission.who == Who::host && person != host_) return Error::of("Only the host can do that.");
  int seat = command.seat;
  if (permission.who == Who::seat || permission.who == Who::player) {
    const auto own = own_seat(person, command);
    if (!own) return own.error();
    seat = *own;
    if (permission.who == Who::player && seats_[seat].resigned) {
      return Error::of("You have resigned: a bot plays on for you.");
    }
  }
  if (paused_ && !permission.while_paused) return Error::of("The game is paused: the host can resume it.");

  Cause cause{.by = person, .command = command.id, .now = now, .out = out};
  if (auto refused = carry_out(cause, command, seat)) return refused;
  follow_up(cause);
  return std::nullopt;
}

std::optional<Error> Match::carry_out(Cause& cause, const Command& command, int seat) {
  switch (command.kind) {
    case Do::sit: return sit(cause, command);
    case Do::bot: return give_to_bot(cause, command);
    case Do::remove: return remove(cause, seat);
    case Do::hand_over: return hand_over(cause, seat);
    case Do::start: return start(cause, command);
    case Do::commit: return commit(cause, command, seat);
    case Do::reveal: return reveal(cause, command, seat);
    case Do::roll: return roll(cause, seat);
    case Do::move: return move(cause, command, seat);
    case Do::take_back: return take_back(cause, seat);
    case Do::stop: return stop(cause, seat);
    case Do::answer: return answer(cause, command, seat);
    case Do::ready: return ready(cause, seat);
    case Do::pause: return set_paused(cause, true);
    case Do::resume: return set_paused(cause, false);
    case Do::stand: emit(cause, {.kind = Kind::stood, .seat = seat}); return std::nullopt;
    case Do::auto_roll:
      emit(cause, {.kind = Kind::auto_roll, .seat = seat, .text = command.on ? "on" : "off"});
      return std::nullopt;
    case Do::resign: emit(cause, {.kind = Kind::resigned, .seat = seat}); return std::nullopt;
    case Do::back:
      if (seats_[seat].stand_in == Seat::StandIn::none) return Error::of("No bot stands in for you.");
      emit(cause, back_event(seat));
      return std::nullopt;
    case Do::close: emit(cause, over_event("closed")); return std::nullopt;
    case Do::rematch:
      if (!seated(cause.by)) return Error::of("You had no seat at this table.");
      if (!rematch_.empty()) return Error::of("There is a rematch already.");
      return std::nullopt;
  }
  return std::nullopt;
}

// ── Seats ──

std::optional<Error> Match::no_seat(int seat) const {
  if (seat < 0) return say_which_seat();
  if (seat < std::ssize(seats_)) return std::nullopt;
  return Error::of("The seats of this table are 0 to {}.", seats_.size() - 1);
}

std::optional<Error> Match::no_bot(std::string_view name) const {
  if (std::find(world_.bots.begin(), world_.bots.end(), name) != world_.bots.end()) return std::nullopt;
  return Error::of("There is no bot {}. There are: {}.", in_quotes(name), join(world_.bots));
}

Expected<int> Match::own_seat(std::string_view person, const Command& command) const {
  if (command.seat >= 0) {
    if (auto problem = no_seat(command.seat)) return *problem;
    if (seats_[command.seat].device != person) return Error::of("Seat {} is not yours.", command.seat);
    return command.seat;
  }
  int own = -1;
  for (int i = 0; i < std::ssize(seats_); ++i) {
    if (seats_[i].device != person) continue;
    if (own >= 0) return say_which_seat();
    own = i;
  }
  if (own < 0) return Error::of("You have no seat at this table.");
  return own;
}

std::optional<Error> Match::sit(Cause& cause, const Command& command) {
  if (auto problem = no_seat(command.seat)) return problem;
  const std::string sitter(command.text.empty() ? cause.by : command.text);
  const bool guest = sitter != cause.by;
  if (seats_[command.seat].taken()) return Error::of("Seat {} is taken.", command.seat);
  if (std::find(removed_.begin(), removed_.end(), sitter) != removed_.end()) {
    return Error::of("The host has removed this player from the table.");
  }
  const bool sits = std::any_of(seats_.begin(), seats_.end(), [&](const Seat& seat) { return seat.person == sitter; });
  if (sits && guest) return Error::of("This guest has a seat already.");
  if (sits) return Error::of("You have a seat already. Further players at your device sit as guests.");
  const auto hash = fair::from_hex(command.hash);
  if (!command.hash.empty() && !hash) return Error::of("\"hash\" takes 64 hexadecimal digits, in lower case.");

  Event sat{.kind = Kind::sat, .seat = command.seat, .text = sitter};
  if (guest) sat.extra = "\"device\":" + json_string(cause.by);
  emit(cause, std::move(sat));
  if (hash) emit(cause, {.kind = Kind::committed, .seat = command.seat, .text = command.hash});
  return std::nullopt;
}

std::optional<Error> Match::give_to_bot(Cause& cause, const Command& command) {
  if (auto problem = no_seat(command.seat)) return problem;
  if (!seats_[command.seat].person.empty()) return Error::of("Seat {} is taken.", command.seat);
  if (auto problem = no_bot(command.text)) return problem;
  emit(cause, {.kind = Kind::bot_sat, .seat = command.seat, .text = command.text});
  return std::nullopt;
}

std::optional<Error> Match::remove(Cause& cause, int seat) {
  if (auto problem = no_seat(seat)) return problem;
  if (!seats_[seat].taken()) return Error::of("Seat {} is empty.", seat);
  if (seats_[seat].person == host_) return Error::of("You cannot remove yourself.");
  if (stage_ != Stage::gathering && seats_[seat].person.empty()) {
    return Error::of("A bot plays seat {} already.", seat);
  }
  emit(cause, {.kind = Kind::removed, .seat = seat});
  return std::nullopt;
}

std::optional<Error> Match::hand_over(Cause& cause, int seat) {
  if (auto problem = no_seat(seat)) return problem;
  if (seats_[seat].person.empty()) return Error::of("Nobody plays seat {} who could be the host.", seat);
  if (seats_[seat].device == host_) return Error::of("You are the host already.");
  emit(cause, {.kind = Kind::handed_over, .seat = seat, .text = seats_[seat].device});
  return std::nullopt;
}

std::optional<Error> Match::start(Cause& cause, const Command& command) {
  const std::string bot = command.text.empty() ? "simple" : command.text;
  if (auto problem = no_bot(bot)) return problem;
  for (int i = 0; i < std::ssize(seats_); ++i) {
    if (!seats_[i].taken()) emit(cause, {.kind = Kind::bot_sat, .seat = i, .text = bot});
  }
  return std::nullopt;
}

// ── The draw ──

std::optional<Error> Match::commit(Cause& cause, const Command& command, int seat) {
  if (seats_[seat].hash) return Error::of("Seat {} has committed itself already.", seat);
  if (!fair::from_hex(command.text)) return Error::of("\"hash\" takes 64 hexadecimal digits, in lower case.");
  emit(cause, {.kind = Kind::committed, .seat = seat, .text = command.text});
  return std::nullopt;
}

std::optional<Error> Match::reveal(Cause& cause, const Command& command, int seat) {
  if (!all_committed()) return Error::of("Not everybody has committed: reveal nothing yet.");
  if (seats_[seat].contribution) return Error::of("Seat {} has revealed its contribution already.", seat);
  const auto contribution = fair::from_hex(command.text);
  if (!contribution) return Error::of("\"contribution\" takes 64 hexadecimal digits, in lower case.");
  if (fair::contribution_hash(*world_.hash, {id_, draw_number_}, seat, *contribution) != *seats_[seat].hash) {
    return Error::of("The contribution does not fit the hash that was committed.");
  }
  emit(cause, {.kind = Kind::revealed, .seat = seat, .text = command.text});
  return std::nullopt;
}

// ── Play ──

std::optional<Error> Match::not_awaited(Phase phase, int seat) const {
  const Turn turn = play_->turn();
  if (turn == Turn{phase, static_cast<std::int8_t>(seat)}) return std::nullopt;
  if (turn.seat != seat) return Error::of("It is seat {}'s turn.", turn.seat);
  return turn.phase == Phase::chance ? Error::of("Roll first.") : Error::of("You have rolled: it is your move.");
}

std::optional<Error> Match::roll(Cause& cause, int seat) {
  if (auto problem = not_awaited(Phase::chance, seat)) return problem;
  if (seats_[seat].stand_in != Seat::StandIn::none) emit(cause, back_event(seat));
  emit(cause, {.kind = Kind::chance, .seat = seat});
  return std::nullopt;
}

Expected<Move> Match::chosen(const Command& command) const {
  if (command.choices.empty()) return play_->parse(command.text);
  for (const Move move : play_->legal()) {
    if (play_->choices(move) == command.choices) return move;
  }
  return Error::of("{} is no legal move.", in_quotes(join(command.choices, " ")));
}

std::optional<Error> Match::move(Cause& cause, const Command& command, int seat) {
  if (auto problem = not_awaited(Phase::decision, seat)) return problem;
  const auto move = chosen(command);
  if (!move) return move.error();
  if (seats_[seat].stand_in != Seat::StandIn::none) emit(cause, back_event(seat));
  emit(cause, {.kind = Kind::move, .seat = seat}, *move);
  return std::nullopt;
}

std::optional<Error> Match::take_back(Cause& cause, int seat) {
  if (!settings_.take_backs) return Error::of("At this table moves are not taken back.");
  if (moves_to_take_back(seat) == 0) {
    return Error::of("A roll or a draw came after your last move, so it can no longer be taken back.");
  }
  if (asked_ && asked_->seat != seat) return Error::of("First answer what seat {} asks.", asked_->seat);
  if (must_agree(Asked::What::take_back, seat) == 0) {
    emit(cause, {.kind = Kind::taken_back, .seat = seat});
  } else {
    emit(cause, {.kind = Kind::asked, .seat = seat, .text = "take_back"});
  }
  return std::nullopt;
}

std::optional<Error> Match::stop(Cause& cause, int seat) {
  if (asked_ && asked_->seat != seat) return Error::of("First answer what seat {} asks.", asked_->seat);
  emit(cause, {.kind = Kind::asked, .seat = seat, .text = "stop"});
  return std::nullopt;
}

std::optional<Error> Match::answer(Cause& cause, const Command& command, int seat) {
  if (!asked_ || (asked_->must_answer >> seat & 1) == 0) return Error::of("Nothing is asked of you.");
  emit(cause, {.kind = Kind::answered, .seat = seat, .text = command.on ? "yes" : "no"});
  return std::nullopt;
}

std::optional<Error> Match::ready(Cause& cause, int seat) {
  const auto seats_of_device = std::count_if(seats_.begin(), seats_.end(),
                                             [&](const Seat& other) { return other.device == seats_[seat].device; });
  if (!play_->hidden()) return Error::of("Nothing is hidden in this game.");
  if (seats_of_device < 2) return Error::of("Your device is not shared: you see your hand always.");
  emit(cause, {.kind = Kind::ready, .seat = seat});
  return std::nullopt;
}

std::optional<Error> Match::set_paused(Cause& cause, bool pause) {
  if (paused_ == pause) return Error::of("The game is not paused.");
  emit(cause, {.kind = pause ? Kind::paused : Kind::resumed});
  return std::nullopt;
}

}  // namespace tessera
