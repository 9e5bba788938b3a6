/// The fold: how each event changes a match. Everything is checked, since a log may have been tampered with.
#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "match/match.hpp"
#include "rules/transcript.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Event::Kind;

constexpr std::size_t most_past = 16;
constexpr Time grace_ms = 60'000;
constexpr std::string_view simple_bot = "simple";

Error cannot_happen() { return Error{"it cannot happen then."}; }

Json members(const std::string& extra) { return Json::parse('{' + extra + '}', nullptr, false); }

std::string string_member(const Json& json, const char* name) {
  if (!json.is_object()) return {};
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A secret that fits the hash that was published with it.
struct Secret {
  fair::Bytes32 secret;
  fair::Bytes32 hash;
};
Expected<Secret> read_secret(const fair::Hash& hash, fair::DrawId draw, const Json& json) {
  const auto secret = fair::from_hex(string_member(json, "secret"));
  const auto published = fair::from_hex(string_member(json, "secret_hash"));
  if (!secret || !published) return Error{"it has no secret and its hash, 64 hexadecimal digits each."};
  if (fair::secret_hash(hash, draw, *secret) != *published) return Error{"the secret does not fit its hash."};
  return Secret{*secret, *published};
}

}  // namespace

// ── One event ──

Expected<Happening> Match::happen(Event event, bool fresh, Move move) {
  Happening happening{.sequence = sequence_ + 1, .event = {}};
  const bool plays = event.kind == Kind::chance || event.kind == Kind::move;
  if (plays) {
    happening.before = play_;
    happening.stood_in = event.seat >= 0 && event.seat < std::ssize(seats_) && seats_[event.seat].played_by_bot() &&
                         !seats_[event.seat].person.empty();
  }
  if (auto problem = apply(event, fresh, move)) return *problem;
  if (plays) {
    happening.after = play_;
    happening.move = move;
  }
  happening.event = std::move(event);
  return happening;
}

std::optional<Error> Match::apply(Event& event, bool fresh, Move& move) {
  if ((sequence_ == 0) != (event.kind == Kind::created)) return Error{"a log begins with \"created\", once."};
  if (event.at < last_at_) return Error{"it is earlier than the one before."};
  if (event.seat >= std::ssize(seats_) && event.kind != Kind::created) return no_seat(event.seat);

  const int awaited_before = awaited_seat();
  run_clock(event.at);
  if (auto problem = change(event, fresh, move)) return problem;
  ++sequence_;
  last_at_ = event.at;

  if (const int now_awaited = awaited_seat(); now_awaited != awaited_before) {
    const Time increment = Time{1000} * settings_.pace.increment_s;
    if (event.kind == Kind::taken_back) {
      // What it had got for the move.
      Seat& seat = seats_[event.seat];
      seat.bank = std::max(Time{0}, seat.bank - increment);
    } else if (awaited_before >= 0) {
      Seat& seat = seats_[awaited_before];
      if (!seat.person.empty() && seat.stand_in != Seat::StandIn::back) seat.bank += increment;
    }
    next_turn(event.at);
  }
  if (event.command) {
    auto known = std::find_if(recent_.begin(), recent_.end(), [&](const Recent& r) { return r.person == event.by; });
    if (known == recent_.end()) known = recent_.insert(known, Recent{.person = event.by});
    if (known->commands.size() < commands_remembered) {
      known->commands.push_back(*event.command);
    } else {
      known->commands[known->oldest] = *event.command;
      known->oldest = (known->oldest + 1) % commands_remembered;
    }
  }
  return std::nullopt;
}

std::optional<Error> Match::change(Event& event, bool fresh, Move& move) {
  switch (event.kind) {
    case Kind::created:
    case Kind::handed_over:
    case Kind::started:
    case Kind::paused:
    case Kind::resumed:
    case Kind::rematch: return change_table(event);
    case Kind::over: return apply_over(event, fresh);
    case Kind::redrawn:
    case Kind::begun: return change_draw(event, fresh);
    case Kind::chance: return apply_chance(event, fresh);
    default: break;
  }
  if (event.seat < 0) return Error{"it has no seat."};
  switch (event.kind) {
    case Kind::committed:
    case Kind::revealed: return change_draw(event, fresh);
    case Kind::move:
    case Kind::asked:
    case Kind::answered:
    case Kind::taken_back: return change_play(event, fresh, move);
    default: return change_seat(event);
  }
}

// ── The table ──

std::optional<Error> Match::change_table(const Event& event) {
  switch (event.kind) {
    case Kind::created: return apply_created(event);
    case Kind::handed_over:
      if (stage_ == Stage::over || event.text.empty()) return cannot_happen();
      host_ = event.text;
      break;
    case Kind::started:
      if (stage_ != Stage::gathering || !all_taken()) return cannot_happen();
      stage_ = Stage::drawing;
      break;
    case Kind::paused:
      if (stage_ != Stage::playing || paused_) return cannot_happen();
      paused_ = true;
      paused_at_ = event.at;
      break;
    case Kind::resumed:
      if (!paused_) return cannot_happen();
      paused_ = false;
      turn_from_ += event.at - paused_at_;
      away_from_ = event.at;
      break;
    default:  // rematch
      if (stage_ != Stage::over || !rematch_.empty() || event.text.empty()) return cannot_happen();
      rematch_ = event.text;
  }
  return std::nullopt;
}

std::optional<Error> Match::apply_created(const Event& event) {
  if (event.by.empty()) return Error{"a table needs a host."};
  const Json json = members(event.extra);
  const Json settings = json.is_object() ? json.value("settings", Json()) : Json();
  // A bot that a later server no longer has must not make an old log unreadable.
  const std::string bot = settings.is_object() ? string_member(settings.value("away", Json()), "bot") : std::string();
  const std::array<std::string_view, 1> bots{bot};
  const auto read = parse_settings(settings.dump(), world_.games, bots);
  if (!read) return read.error();
  const auto secret = read_secret(*world_.hash, {id_, draw_number_}, json);
  if (!secret) return secret.error();

  settings_ = *read;
  game_ = *std::find_if(world_.games.begin(), world_.games.end(),
                        [&](const GameInfo* game) { return game->name == settings_.game; });
  host_ = event.by;
  created_at_ = event.at;
  secret_ = secret->secret;
  secret_hash_ = secret->hash;
  seats_.resize(static_cast<std::size_t>(settings_.seats));
  if (!json.contains("seats")) return std::nullopt;
  const Json& taken = json["seats"];
  if (!taken.is_array() || taken.size() != seats_.size()) return Error{"\"seats\" does not list the seats."};
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    seats_[i] = {.person = string_member(taken[i], "person"), .bot = string_member(taken[i], "bot")};
    seats_[i].device = string_member(taken[i], "device");
    if (seats_[i].person.empty() != seats_[i].device.empty() || (!seats_[i].person.empty() && !seats_[i].bot.empty())) {
      return Error{fmt::format("\"seats\" has no sense at seat {}.", i)};
    }
  }
  return std::nullopt;
}

std::optional<Error> Match::apply_over(const Event& event, bool fresh) {
  if (stage_ == Stage::over) return cannot_happen();
  if (!fresh) {
    const Json json = members(event.extra);
    const std::string why = string_member(json, "why");
    const bool is_so = why == "played"     ? play_ && play_->turn().phase == Phase::over
                       : why == "resigned" ? one_side_left()
                                           : why == "closed" || why == "stopped";
    if (!is_so) return Error{"\"why\" does not say how it ended."};
    if (members(over_event(why).extra) != json)
      return Error{"winners, scores, secret or dice are not those of the game."};
  }
  over_ = event.extra;
  stage_ = Stage::over;
  paused_ = false;
  asked_.reset();
  past_.clear();
  dice_.reset();
  return std::nullopt;
}

// ── The draw of fair dice ──

std::optional<Error> Match::change_draw(Event& event, bool fresh) {
  if (event.kind == Kind::redrawn) return apply_redrawn(event);
  if (event.kind == Kind::begun) return apply_begun(event, fresh);
  if (event.kind == Kind::revealed) return apply_revealed(event);
  Seat& seat = seats_[event.seat];  // committed
  const auto hash = fair::from_hex(event.text);
  const bool in_time = stage_ == Stage::gathering || (stage_ == Stage::drawing && !spoilt_);
  if (!in_time || seat.person.empty() || seat.hash || !hash) return cannot_happen();
  seat.hash = hash;
  return std::nullopt;
}

std::optional<Error> Match::apply_revealed(const Event& event) {
  Seat& seat = seats_[event.seat];
  const auto contribution = fair::from_hex(event.text);
  if (stage_ != Stage::drawing || spoilt_ || !all_committed() || !seat.hash || seat.contribution || !contribution) {
    return cannot_happen();
  }
  if (fair::contribution_hash(*world_.hash, {id_, draw_number_}, event.seat, *contribution) != *seat.hash) {
    return Error{"the contribution does not fit its hash."};
  }
  if (!any_revealed()) first_revealed_ = event.at;
  seat.contribution = contribution;
  return std::nullopt;
}

std::optional<Error> Match::apply_redrawn(const Event& event) {
  const auto due = reveal_due();
  if (stage_ != Stage::drawing || !(spoilt_ || (due && *due <= event.at))) return cannot_happen();
  const Json json = members(event.extra);
  if (!json.is_object() || json.value("missing", Json()) != Json(not_revealed())) {
    return Error{"\"missing\" does not name those who have not revealed."};
  }
  const auto secret = read_secret(*world_.hash, {id_, draw_number_ + 1}, json);
  if (!secret) return secret.error();
  ++draw_number_;
  secret_ = secret->secret;
  secret_hash_ = secret->hash;
  spoilt_ = false;
  for (Seat& seat : seats_) {
    seat.hash.reset();
    seat.contribution.reset();
  }
  return std::nullopt;
}

std::optional<Error> Match::apply_begun(Event& event, bool fresh) {
  if (stage_ != Stage::drawing || spoilt_ || !all_revealed()) return cannot_happen();
  std::vector<std::optional<fair::Bytes32>> contributions;
  for (const Seat& seat : seats_) contributions.push_back(seat.contribution);
  dice_.emplace(*world_.hash, fair::dice_key(*world_.hash, {id_, draw_number_}, secret_, contributions));

  int first = settings_.first;
  if (first == TableSettings::drawn) {
    first = static_cast<int>(dice_->first_seat(static_cast<std::uint32_t>(seats_.size())));
    const std::string drawn = fmt::format("\"first\":{}", first);
    if (fresh) event.extra = drawn;
    if (event.extra != drawn) return Error{fmt::format("the fair dice say that seat {} begins.", first)};
  }
  std::vector<Setting> options = settings_.options;
  options.push_back({"first", std::to_string(first)});
  auto play = game_->start(settings_.seats, options);
  if (!play) return play.error();
  play_ = std::move(*play);
  stage_ = Stage::playing;
  for (Seat& seat : seats_) {
    if (seat.person.empty()) continue;
    seat.connected = settings_.pace.kind != Pace::Kind::days;
    seat.bank = Time{1000} * settings_.pace.bank_s;
    seat.grace = grace_ms;
  }
  next_turn(event.at);
  return std::nullopt;
}

// ── Play ──

std::optional<Error> Match::apply_chance(Event& event, bool fresh) {
  if (stage_ != Stage::playing || paused_ ||
      play_->turn() != Turn{Phase::chance, static_cast<std::int8_t>(event.seat)}) {
    return cannot_happen();
  }
  const Stream stream = play_->stream();
  const auto next = [&](std::uint32_t n) { return dice_->uniform(stream, n); };
  UniformOf uniform(next);
  const OutcomeText drawn = play_->draw(uniform);
  if (fresh) {
    event.text = drawn.text;
    event.extra = drawn.extra;
  } else if (event.text != drawn.text || event.extra != drawn.extra) {
    return Error{fmt::format("the fair dice say {}.", in_quotes(drawn.text))};
  }
  if (stream.kind == Stream::Kind::dice) statistics_.count(*play_->take_apart(drawn));
  auto after = play_->clone();
  if (auto problem = after->apply(drawn)) return problem;
  play_ = std::move(after);
  past_.clear();
  if (asked_ && asked_->what == Asked::What::take_back) asked_.reset();
  return std::nullopt;
}

std::optional<Error> Match::apply_move(Event& event, bool fresh, Move& move) {
  if (stage_ != Stage::playing || paused_ ||
      play_->turn() != Turn{Phase::decision, static_cast<std::int8_t>(event.seat)}) {
    return cannot_happen();
  }
  if (fresh) {
    event.text = play_->text(move, Viewer::all());
  } else {
    const auto parsed = play_->parse(event.text);
    if (!parsed) return parsed.error();
    move = *parsed;
  }
  auto after = play_->clone();
  after->play(move);
  if (past_.size() == most_past) past_.erase(past_.begin());
  past_.push_back({event.seat, std::move(play_)});
  play_ = std::move(after);
  if (asked_ && asked_->what == Asked::What::take_back) asked_.reset();
  return std::nullopt;
}

std::optional<Error> Match::apply_taken_back(Event& event, bool fresh) {
  const std::size_t moves = moves_to_take_back(event.seat);
  const bool agreed =
      must_agree(Asked::What::take_back, event.seat) == 0 || (asked_ == Asked{Asked::What::take_back, event.seat, 0});
  const std::string extra = fmt::format("\"moves\":{}", moves);
  if (fresh) event.extra = extra;
  if (paused_ || moves == 0 || !agreed || event.extra != extra) return cannot_happen();
  play_ = past_[past_.size() - moves].play;
  past_.resize(past_.size() - moves);
  asked_.reset();
  return std::nullopt;
}

std::optional<Error> Match::change_play(Event& event, bool fresh, Move& move) {
  if (stage_ != Stage::playing) return cannot_happen();
  if (event.kind == Kind::move) return apply_move(event, fresh, move);
  if (event.kind == Kind::taken_back) return apply_taken_back(event, fresh);
  if (event.kind == Kind::asked) {
    const Asked::What what = event.text == "stop" ? Asked::What::stop : Asked::What::take_back;
    if (paused_ || (event.text != "stop" && event.text != "take_back")) return cannot_happen();
    asked_ = Asked{what, event.seat, must_agree(what, event.seat)};
    return std::nullopt;
  }
  const auto bit = static_cast<std::uint8_t>(1U << event.seat);  // answered
  if (!asked_ || (asked_->must_answer & bit) == 0 || (event.text != "yes" && event.text != "no")) {
    return cannot_happen();
  }
  if (event.text == "no") {
    asked_.reset();
  } else {
    no_longer_answers(event.seat);
  }
  return std::nullopt;
}

// ── Seats ──

std::optional<Error> Match::change_seat(const Event& event) {
  Seat& seat = seats_[event.seat];
  const bool is_persons = !seat.person.empty();
  const bool playing = stage_ == Stage::playing;
  switch (event.kind) {
    case Kind::sat: return apply_sat(event);
    case Kind::stood:
      if (stage_ != Stage::gathering || !is_persons) return cannot_happen();
      seat = {};
      return std::nullopt;
    case Kind::bot_sat:
      if (stage_ != Stage::gathering || is_persons || event.text.empty()) return cannot_happen();
      seat.bot = event.text;
      return std::nullopt;
    case Kind::removed: return apply_removed(event);
    case Kind::auto_roll:
      if (stage_ == Stage::over || !is_persons || (event.text != "on" && event.text != "off")) return cannot_happen();
      seat.auto_roll = event.text == "on";
      return std::nullopt;
    default: break;
  }
  if (!playing || !is_persons) return cannot_happen();
  switch (event.kind) {
    case Kind::ready:
      for (int other = 0; other < std::ssize(seats_); ++other) {
        if (seats_[other].device == seat.device) ready_ &= static_cast<std::uint8_t>(~(1U << other));
      }
      ready_ |= static_cast<std::uint8_t>(1U << event.seat);
      return std::nullopt;
    case Kind::resigned:
      if (seat.resigned) return cannot_happen();
      seat.resigned = true;
      seat.bot = simple_bot;
      seat.stand_in = Seat::StandIn::none;
      seat.stand_in_since = 0;
      no_longer_answers(event.seat);
      return std::nullopt;
    case Kind::came:
    case Kind::left:
      if (seat.connected == (event.kind == Kind::came)) return cannot_happen();
      seat.connected = event.kind == Kind::came;
      if (event.seat == awaited_seat()) away_from_ = event.at;
      return std::nullopt;
    case Kind::out_of_time:
      if (event.seat != awaited_seat() || out_of_time_) return cannot_happen();
      out_of_time_ = true;
      return std::nullopt;
    case Kind::stand_in: return apply_stand_in(event);
    default:  // back
      if (seat.stand_in == Seat::StandIn::none) return cannot_happen();
      seat.stand_in = Seat::StandIn::none;
      seat.stand_in_since = 0;
      seat.bot.clear();
      if (event.seat == awaited_seat()) away_from_ = event.at;
      return std::nullopt;
  }
}

std::optional<Error> Match::apply_sat(const Event& event) {
  Seat& seat = seats_[event.seat];
  const bool elsewhere =
      std::any_of(seats_.begin(), seats_.end(), [&](const Seat& other) { return other.person == event.text; });
  if (stage_ != Stage::gathering || seat.taken() || event.text.empty() || elsewhere) return cannot_happen();
  const std::string device = event.extra.empty() ? event.text : string_member(members(event.extra), "device");
  if (device.empty()) return Error{"\"device\" is not a person."};
  seat.person = event.text;
  seat.device = device;
  return std::nullopt;
}

std::optional<Error> Match::apply_removed(const Event& event) {
  Seat& seat = seats_[event.seat];
  if (stage_ == Stage::over || !seat.taken()) return cannot_happen();
  if (stage_ == Stage::gathering) {
    if (!seat.person.empty()) removed_.push_back(seat.person);
    seat = {};
    return std::nullopt;
  }
  if (seat.person.empty()) return cannot_happen();
  // Whoever has seen contributions must not choose, by removing, which of them count.
  spoilt_ = spoilt_ || (stage_ == Stage::drawing && any_revealed());
  seat = {.bot = std::string(simple_bot), .resigned = seat.resigned};
  ready_ &= static_cast<std::uint8_t>(~(1U << event.seat));
  if (asked_ && asked_->seat == event.seat) asked_.reset();
  no_longer_answers(event.seat);
  return std::nullopt;
}

std::optional<Error> Match::apply_stand_in(const Event& event) {
  Seat& seat = seats_[event.seat];
  const bool turn = event.extra == R"("until":"turn")";
  if (seat.played_by_bot() || event.text.empty() || (!turn && event.extra != R"("until":"back")")) {
    return cannot_happen();
  }
  seat.bot = event.text;
  seat.stand_in = turn ? Seat::StandIn::turn : Seat::StandIn::back;
  seat.stand_in_since = sequence_ + 1;
  return std::nullopt;
}

void Match::no_longer_answers(int seat) {
  if (asked_) asked_->must_answer &= static_cast<std::uint8_t>(~(1U << seat));
}

// ── Clocks ──

void Match::run_clock(Time at) {
  if (const Seat* thinks = thinking(); thinks != nullptr && settings_.pace.kind == Pace::Kind::bank) {
    Seat& seat = seats_[awaited_seat()];
    const Clock clock = clock_at(seat, at);
    seat.bank = clock.bank;
    seat.grace = clock.grace;
  }
  clock_from_ = at;
}

void Match::next_turn(Time at) {
  turn_from_ = at;
  away_from_ = at;
  out_of_time_ = false;
  const int seat = awaited_seat();
  ready_ &= seat < 0 ? 0 : static_cast<std::uint8_t>(1U << seat);
}

}  // namespace tessera
