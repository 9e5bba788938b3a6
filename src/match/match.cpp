#include "match/match.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "core/text.hpp"

namespace tessera {
namespace {

using Kind = Event::Kind;

constexpr Time second = 1000;
constexpr Time day = 24 * 60 * 60 * second;
constexpr Time reveal_time = 30 * second;
constexpr Time away_time = 120 * second;

bool has(std::uint8_t set, int seat) { return (set >> seat & 1) != 0; }
std::uint8_t bit(int seat) { return static_cast<std::uint8_t>(1U << seat); }

std::string secret_members(const fair::Hash& hash, fair::DrawId draw, const fair::Bytes32& secret) {
  return fmt::format(R"("secret_hash":"{}","secret":"{}")", fair::hex(fair::secret_hash(hash, draw, secret)),
                     fair::hex(secret));
}

std::string seats_json(std::span<const Seat> seats) {
  std::vector<std::string> list;
  for (const Seat& seat : seats) {
    if (!seat.person.empty()) {
      list.push_back(fmt::format(R"({{"person":{},"device":{}}})", json_string(seat.person), json_string(seat.device)));
    } else {
      list.push_back(seat.bot.empty() ? "{}" : fmt::format(R"({{"bot":{}}})", json_string(seat.bot)));
    }
  }
  return '[' + join(list, ",") + ']';
}

}  // namespace

// ── Life ──

Expected<Match> Match::create(const World& world, std::string id, const TableSettings& settings, std::string_view host,
                              Time now, Happenings& out, std::span<const Seat> rematch_seats) {
  Match match(world, std::move(id));
  const std::string secret = secret_members(*world.hash, {match.id_, match.draw_number_}, world.fresh_secret());
  Event created{.kind = Kind::created, .at = now, .by = std::string(host)};
  created.extra = fmt::format(R"("settings":{},{})", settings_json(settings), secret);
  if (!rematch_seats.empty()) created.extra += ",\"seats\":" + seats_json(rematch_seats);
  auto happening = match.happen(std::move(created), true);
  if (!happening) return happening.error();
  out.push_back(std::move(*happening));
  Cause cause{.by = {}, .command = {}, .now = now, .out = out};
  match.follow_up(cause);
  return match;
}

Expected<Match> Match::fold(const World& world, std::string id, std::span<const std::string> log,
                            const std::function<void(Happening)>& tell) {
  Match match(world, std::move(id));
  if (auto impossible = match.follow(log, tell)) return *impossible;
  if (match.sequence_ == 0) return Error::for_owner("The log is empty.");
  return match;
}

std::optional<Error> Match::follow(std::span<const std::string> log, const std::function<void(Happening)>& tell) {
  for (const std::string& line : log) {
    const auto impossible = [&](const Error& error) {
      return Error::for_owner(fmt::format("Event {}, {}: {}", sequence_ + 1, in_quotes(line), error.sentence));
    };
    auto event = parse_event(line);
    if (!event) return impossible(event.error());
    auto happening = happen(std::move(*event), false);
    if (!happening) return impossible(happening.error());
    if (tell) tell(std::move(*happening));
  }
  return std::nullopt;
}

// ── What happens ──

std::optional<Error> Match::bot_move(int seat, Sequence thought_at, std::string_view text, Time now, Happenings& out) {
  if (sequence_ != thought_at || bot_wanted() != seat) return Error{"The match has gone on since."};
  const auto move = play_->parse(text);
  if (!move) return move.error();
  Cause cause{.by = {}, .command = {}, .now = now, .out = out};
  emit(cause, {.kind = Kind::move, .seat = seat}, *move);
  follow_up(cause);
  return std::nullopt;
}

void Match::connected(std::string_view person, bool is_connected, Time now, Happenings& out) {
  if (stage_ != Stage::playing) return;
  Cause cause{.by = {}, .command = {}, .now = now, .out = out};
  for (int i = 0; i < std::ssize(seats_); ++i) {
    const Seat& seat = seats_[i];
    if (seat.device != person || person.empty()) continue;
    if (settings_.pace.kind != Pace::Kind::days && seat.connected != is_connected) {
      emit(cause, {.kind = is_connected ? Kind::came : Kind::left, .seat = i});
    }
    if (is_connected && seat.stand_in == Seat::StandIn::back) emit(cause, back_event(i));
  }
  follow_up(cause);
}

void Match::tick(Time now, Happenings& out) {
  Cause cause{.by = {}, .command = {}, .now = now, .out = out};
  while (auto event = next_due(std::max(now, last_at_))) {
    const bool hand_to_bot = event->kind == Kind::out_of_time && settings_.away.kind != Away::Kind::wait;
    emit(cause, std::move(*event));
    if (hand_to_bot) emit(cause, stand_in_event());
    follow_up(cause);
  }
}

std::optional<Error> Match::close(Time now, Happenings& out) {
  if (stage_ == Stage::over) return Error{"The game is over."};
  Cause cause{.by = {}, .command = {}, .now = now, .out = out};
  emit(cause, over_event("closed"));
  return std::nullopt;
}

std::optional<Error> Match::rematch_made(std::string_view person, std::optional<std::uint64_t> command,
                                         std::string_view next, Time now, Happenings& out) {
  if (stage_ != Stage::over || !rematch_.empty()) return Error{"There is no rematch to be made."};
  Cause cause{.by = person, .command = command, .now = now, .out = out};
  emit(cause, {.kind = Kind::rematch, .text = std::string(next)});
  return std::nullopt;
}

void Match::emit(Cause& cause, Event event, Move move) {
  event.at = std::max(cause.now, last_at_);
  event.by = cause.by;
  event.command = std::exchange(cause.command, std::nullopt);
  auto happening = happen(std::move(event), true, move);
  assert(happening && "whoever emits has checked");
  if (happening) cause.out.push_back(std::move(*happening));
}

void Match::follow_up(Cause& cause) {
  cause.by = {};
  cause.command.reset();
  while (auto event = next_by_itself()) emit(cause, std::move(*event));
}

std::optional<Event> Match::next_by_itself() const {
  switch (stage_) {
    case Stage::gathering:
      if (all_taken()) return Event{.kind = Kind::started};
      return std::nullopt;
    case Stage::drawing:
      if (spoilt_) return redrawn_event();
      if (all_revealed()) return Event{.kind = Kind::begun};
      return std::nullopt;
    case Stage::over: return std::nullopt;
    case Stage::playing: break;
  }
  if (one_side_left()) return over_event("resigned");
  if (paused_) return std::nullopt;
  if (asked_ && asked_->must_answer == 0) {
    if (asked_->what == Asked::What::stop) return over_event("stopped");
    return Event{.kind = Kind::taken_back, .seat = asked_->seat};
  }
  const Turn turn = play_->turn();
  if (turn.phase == Phase::over) return over_event("played");
  for (int i = 0; i < std::ssize(seats_); ++i) {
    if (seats_[i].stand_in == Seat::StandIn::turn && i != turn.seat) return back_event(i);
  }
  if (turn.phase != Phase::chance) return std::nullopt;
  const bool rolls_itself = turn.seat < 0 || seats_[turn.seat].auto_roll || seats_[turn.seat].played_by_bot();
  if (!rolls_itself) return std::nullopt;
  return Event{.kind = Kind::chance, .seat = turn.seat};
}

std::optional<Event> Match::next_due(Time now) const {
  const auto passed = [&](std::optional<Time> when) { return when && *when <= now; };
  if (passed(reveal_due())) return redrawn_event();
  if (passed(time_due())) return Event{.kind = Kind::out_of_time, .seat = awaited_seat()};
  if (passed(away_due())) return stand_in_event();
  return std::nullopt;
}

Event Match::stand_in_event() const {
  Event event{.kind = Kind::stand_in, .seat = awaited_seat()};
  const bool turn = settings_.away.kind == Away::Kind::turn;
  event.text = turn ? "simple" : settings_.away.bot;
  event.extra = turn ? R"("until":"turn")" : R"("until":"back")";
  return event;
}

Event Match::back_event(int seat) const {
  return {.kind = Kind::back, .seat = seat, .extra = fmt::format("\"since\":{}", seats_[seat].stand_in_since)};
}

Event Match::redrawn_event() const {
  const std::string secret = secret_members(*world_.hash, {id_, draw_number_ + 1}, world_.fresh_secret());
  return {.kind = Kind::redrawn, .extra = fmt::format(R"("missing":[{}],{})", fmt::join(not_revealed(), ","), secret)};
}

Event Match::over_event(std::string_view why) const {
  const std::uint8_t won = winners(why);
  const Result result = why == "played" ? play_->result() : Result{};
  std::vector<int> winning;
  std::vector<int> scores;
  for (int i = 0; i < std::ssize(seats_); ++i) {
    if (has(won, i)) winning.push_back(i);
    scores.push_back(result.scores[i]);
  }
  return {
      .kind = Kind::over,
      .extra = fmt::format(R"("why":"{}","winners":[{}],"scores":[{}],"secret":"{}","dice":{})", why,
                           fmt::join(winning, ","), fmt::join(scores, ","), fair::hex(secret_), statistics_.json())};
}

// ── What follows from the state ──

std::uint8_t Match::winners(std::string_view why) const {
  if (why != "played" && why != "resigned") return 0;
  std::uint8_t left = 0;
  for (int i = 0; i < std::ssize(seats_); ++i) {
    if (!seats_[i].resigned) left |= bit(i);
  }
  if (why == "resigned") return left;
  const Result result = play_->result();
  if (result.winners == 0 || (result.winners & left) != 0) return result.winners & left;
  // All whom the rules name have resigned: the best of the others. Whether many points are good shows in the winner's.
  const auto of_winner = result.scores[std::countr_zero(result.winners)];
  const bool few_are_good = std::any_of(result.scores.begin(), result.scores.begin() + std::ssize(seats_),
                                        [&](int score) { return score > of_winner; });
  std::uint8_t best = 0;
  int best_score = 0;
  for (int i = 0; i < std::ssize(seats_); ++i) {
    if (!has(left, i)) continue;
    const int score = few_are_good ? -result.scores[i] : result.scores[i];
    if (best == 0 || score > best_score) {
      best = 0;
      best_score = score;
    }
    if (score == best_score) best |= bit(i);
  }
  return best;
}

int Match::awaited_seat() const { return stage_ == Stage::playing ? play_->turn().seat : -1; }

const Seat* Match::thinking() const {
  if (paused_) return nullptr;
  const int seat = awaited_seat();
  return seat >= 0 && !seats_[seat].played_by_bot() ? &seats_[seat] : nullptr;
}

Match::Clock Match::clock_at(const Seat& seat, Time at) const {
  Time spent = std::max(Time{0}, at - clock_from_);
  const Time forgiven = seat.connected ? 0 : std::min(spent, seat.grace);
  spent -= forgiven;
  return {std::max(Time{0}, seat.bank - spent), seat.grace - forgiven};
}

bool Match::all_taken() const {
  return std::all_of(seats_.begin(), seats_.end(), [](const Seat& seat) { return seat.taken(); });
}
bool Match::all_committed() const {
  return std::all_of(seats_.begin(), seats_.end(), [](const Seat& seat) { return seat.person.empty() || seat.hash; });
}
bool Match::all_revealed() const {
  return std::all_of(seats_.begin(), seats_.end(),
                     [](const Seat& seat) { return seat.person.empty() || seat.contribution; });
}
bool Match::any_revealed() const {
  return std::any_of(seats_.begin(), seats_.end(), [](const Seat& seat) { return seat.contribution.has_value(); });
}

std::vector<int> Match::not_revealed() const {
  std::vector<int> missing;
  for (int i = 0; i < std::ssize(seats_); ++i) {
    if (!seats_[i].person.empty() && !seats_[i].contribution) missing.push_back(i);
  }
  return missing;
}

bool Match::one_side_left() const {
  if (stage_ != Stage::playing) return false;
  std::uint8_t sides = 0;
  bool resigned = false;
  for (int i = 0; i < std::ssize(seats_); ++i) {
    if (seats_[i].resigned) {
      resigned = true;
    } else {
      sides |= bit(play_->side(i));
    }
  }
  return resigned && std::popcount(sides) <= 1;
}

std::size_t Match::moves_to_take_back(int seat) const {
  const auto last = std::find_if(past_.rbegin(), past_.rend(), [&](const Past& past) { return past.seat == seat; });
  return last == past_.rend() ? 0 : static_cast<std::size_t>(last - past_.rbegin()) + 1;
}

std::uint8_t Match::must_agree(Asked::What what, int seat) const {
  std::uint8_t must = 0;
  if (what == Asked::What::take_back) {
    for (auto past = past_.end() - static_cast<std::ptrdiff_t>(moves_to_take_back(seat)); past != past_.end(); ++past) {
      if (past->seat != seat && !seats_[past->seat].played_by_bot()) must |= bit(past->seat);
    }
  } else {
    for (int i = 0; i < std::ssize(seats_); ++i) {
      if (i != seat && !seats_[i].person.empty() && !seats_[i].resigned) must |= bit(i);
    }
  }
  return must;
}

std::optional<Time> Match::reveal_due() const {
  if (stage_ != Stage::drawing || !any_revealed() || all_revealed()) return std::nullopt;
  return first_revealed_ + (settings_.pace.kind == Pace::Kind::days ? settings_.pace.days * day : reveal_time);
}

std::optional<Time> Match::time_due() const {
  const Seat* seat = thinking();
  if (seat == nullptr || out_of_time_ || settings_.pace.kind == Pace::Kind::none) return std::nullopt;
  if (settings_.pace.kind == Pace::Kind::days) return turn_from_ + settings_.pace.days * day;
  return clock_from_ + (seat->connected ? 0 : seat->grace) + seat->bank;
}

std::optional<Time> Match::away_due() const {
  const Seat* seat = thinking();
  const bool waits = settings_.away.kind == Away::Kind::wait || settings_.pace.kind == Pace::Kind::days;
  if (seat == nullptr || seat->connected || waits) return std::nullopt;
  return away_from_ + away_time;
}

std::optional<Time> Match::due() const {
  std::optional<Time> first;
  for (const auto when : {reveal_due(), time_due(), away_due()}) {
    if (when && (!first || *when < *first)) first = when;
  }
  return first;
}

// ── What is ──

bool Match::seated(std::string_view person) const {
  return !person.empty() && std::any_of(seats_.begin(), seats_.end(), [&](const Seat& seat) {
    return seat.person == person || seat.device == person;
  });
}

int Match::ready_seat(std::string_view device) const {
  for (int i = 0; i < std::ssize(seats_); ++i) {
    if (has(ready_, i) && seats_[i].device == device) return i;
  }
  return -1;
}

Viewer Match::viewer_of(std::string_view person) const {
  if (stage_ == Stage::over) return Viewer::all();
  int count = 0;
  int own = -1;
  const int awaited = awaited_seat();
  for (int i = 0; i < std::ssize(seats_); ++i) {
    if (person.empty() || seats_[i].device != person) continue;
    ++count;
    if (own < 0 || i == awaited) own = i;
  }
  // Before the game begins too: the deal comes in the same update.
  if (count > 1 && (!play_ || play_->hidden())) own = ready_seat(person);
  return own < 0 ? Viewer::spectator() : Viewer::seat(own);
}

Time Match::time_left(int seat, Time now) const {
  const bool runs = thinking() == &seats_[seat] && settings_.pace.kind == Pace::Kind::bank;
  return runs ? clock_at(seats_[seat], now).bank : seats_[seat].bank;
}

std::optional<int> Match::bot_wanted() const {
  if (stage_ != Stage::playing || paused_) return std::nullopt;
  const Turn turn = play_->turn();
  if (turn.phase != Phase::decision || !seats_[turn.seat].played_by_bot()) return std::nullopt;
  return turn.seat;
}

std::string Match::bot_name(int seat) const { return seats_[seat].bot; }

std::uint8_t Match::awaited() const {
  std::uint8_t seats = 0;
  if (stage_ == Stage::drawing) {
    const bool committed = all_committed();
    for (int i = 0; i < std::ssize(seats_); ++i) {
      if (seats_[i].person.empty()) continue;
      if (committed ? !seats_[i].contribution : !seats_[i].hash) seats |= bit(i);
    }
  }
  if (thinking() != nullptr) seats |= bit(awaited_seat());
  if (asked_ && !paused_) seats |= asked_->must_answer;
  return seats;
}

bool Match::repeats(std::string_view person, std::uint64_t command) const {
  return std::any_of(recent_.begin(), recent_.end(), [&](const Recent& recent) {
    return recent.person == person &&
           std::find(recent.commands.begin(), recent.commands.end(), command) != recent.commands.end();
  });
}

std::vector<Seat> Match::rotated_seats() const {
  std::vector<Seat> rotated(seats_.size());
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    Seat& next = rotated[(i + 1) % seats_.size()];
    next.person = seats_[i].person;
    next.device = seats_[i].device;
    if (next.person.empty()) next.bot = seats_[i].bot;
  }
  return rotated;
}

bool Match::equals(const Match& other) const {
  const auto same_play = [](const std::shared_ptr<const Play>& a, const std::shared_ptr<const Play>& b) {
    return a && b ? a->equals(*b) : a == b;
  };
  const auto same_past = [&](const Past& a, const Past& b) { return a.seat == b.seat && same_play(a.play, b.play); };
  return id_ == other.id_ && settings_json(settings_) == settings_json(other.settings_) && game_ == other.game_ &&
         host_ == other.host_ && created_at_ == other.created_at_ && stage_ == other.stage_ &&
         paused_ == other.paused_ && sequence_ == other.sequence_ && last_at_ == other.last_at_ &&
         seats_ == other.seats_ && removed_ == other.removed_ && recent_ == other.recent_ &&
         draw_number_ == other.draw_number_ && secret_ == other.secret_ && secret_hash_ == other.secret_hash_ &&
         spoilt_ == other.spoilt_ && first_revealed_ == other.first_revealed_ && dice_ == other.dice_ &&
         same_play(play_, other.play_) &&
         std::equal(past_.begin(), past_.end(), other.past_.begin(), other.past_.end(), same_past) &&
         asked_ == other.asked_ && ready_ == other.ready_ && statistics_ == other.statistics_ &&
         clock_from_ == other.clock_from_ && turn_from_ == other.turn_from_ && away_from_ == other.away_from_ &&
         paused_at_ == other.paused_at_ && out_of_time_ == other.out_of_time_ && over_ == other.over_ &&
         rematch_ == other.rematch_;
}

}  // namespace tessera
