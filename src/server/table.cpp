#include "server/table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "crypto/crypto.hpp"
#include "match/view.hpp"
#include "server/log.hpp"
#include "server/metrics.hpp"
#include "server/peers.hpp"
#include "server/table_work.hpp"
#include "server/words.hpp"

namespace tessera::server {
namespace {

using Json = nlohmann::json;

/// How often the lists of the lobby may be behind a match in which nothing but moves happens.
constexpr Time row_every_ms = 1'000;

bool concerns_the_table(Event::Kind kind) { return kind != Event::Kind::chance && kind != Event::Kind::move; }

/// What the log says of an event; nothing of most.
std::string_view in_log(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::created: return "a table is made";
    case Event::Kind::sat: return "sat down";
    case Event::Kind::stood: return "got up";
    case Event::Kind::removed: return "the host has removed somebody";
    case Event::Kind::begun: return "a game begins";
    case Event::Kind::over: return "a game is over";
    case Event::Kind::rematch: return "a rematch is made";
    default: return {};
  }
}

/// What is the same for everybody in the update that tells of some events.
struct Common {
  std::string tail;           ///< turn, clocks, table, people
  bool table = false;         ///< `tail` has the table
  bool new_position = false;  ///< effects do not tell the whole change
};

}  // namespace

std::optional<std::string> Recent::seen(Sequence after, Sequence last, Viewer viewer) const {
  if (last - after > kept_.size()) return std::nullopt;
  std::string events = "[";
  for (Sequence sequence = after + 1; sequence <= last; ++sequence) {
    const Happening& happening = kept_[sequence % kept_.size()];
    if (happening.sequence != sequence || happening.event.kind == Event::Kind::begun) return std::nullopt;
    if (events.size() > 1) events += ',';
    events += seen_json(happening, viewer);
  }
  return events += ']';
}

Table::Table(Tables& home, Match match, Recent recent, std::string code, Names names, std::uint64_t last_chat)
    : home_(home),
      site_(home.site()),
      match_(std::move(match)),
      recent_(std::move(recent)),
      code_(std::move(code)),
      names_(std::move(names)),
      append_{.match = match_.id(), .expected = 0, .events = {}},
      written_(match_.sequence()),
      last_chat_(last_chat) {
  site_.metrics->table(1);
  for (const Seat& seat : match_.seats()) {
    if (seat.connected) gone_[seat.device] = {now()};
  }
}

Table::~Table() { site_.metrics->table(-1); }

void Table::write_first(const Match::Happenings& happened, std::function<void(std::optional<Error>)> made) {
  written_ = 0;
  row_urgent_ = true;
  made_ = std::move(made);
  write(happened);
  drain();
}

void Table::write(const Match::Happenings& happened) {
  for (const Happening& happening : happened) {
    append_.events.push_back(event_json(happening.event));
    if (!in_log(happening.event.kind).empty()) to_log_.push_back(happening.event);
  }
}

/// Once, by the process that has written it.
void Table::log_written() {
  for (const Event& event : std::exchange(to_log_, {})) {
    using Kind = Event::Kind;
    const auto only = [&](Kind kind, const std::string& value) { return event.kind == kind ? value : std::string(); };
    const std::string why = event.kind == Kind::over ? Json::parse('{' + event.extra + '}')["why"] : "";
    site_.log->info(in_log(event.kind), {{"table", match_.id()},
                                         {"game", only(Kind::created, match_.settings().game)},
                                         {"person", event.kind == Kind::sat ? event.text : event.by},
                                         {"seat", event.seat < 0 ? "" : std::to_string(event.seat)},
                                         {"why", why},
                                         {"next", only(Kind::rematch, event.text)}});
  }
}

// ── One thing at a time ──

/// For whatever tells how things stand: only what is written may be seen.
void Table::when_written(std::function<void()> task) {
  enqueue([this, task = std::move(task)] {
    if (!append_.events.empty()) return false;
    task();
    return true;
  });
}

void Table::drain() {
  draining_ = true;
  while (!inbox_.empty()) {
    const std::size_t before = outcome_size();
    if (!inbox_.front()()) break;
    if (site_.shared && outcome_size() > before) unwritten_.push_back(std::move(inbox_.front()));
    inbox_.pop_front();
  }
  draining_ = false;
  finish();
}

void Table::finish() {
  if (!append_.events.empty() || row_urgent_) {
    submit();
  } else {
    unwritten_.clear();
    settled();
  }
}

void Table::submit() {
  in_flight_ = true;
  append_.expected = written_;
  write_row_if_due(append_, now());
  home_.commit_soon(*this, std::move(append_));
}

void Table::write_row_if_due(Append& append, Time now) {
  row_stale_ = true;
  // Whoever acts when this process has died finds in the row when that is.
  const auto due = match_.bot_wanted() ? now : match_.due();
  const bool due_sooner = site_.shared && due && (!row_due_ || *due < *row_due_);
  if (!row_urgent_ && !due_sooner && now - row_written_ < row_every_ms) return;
  append.row = row_of(match_, code_, now);
  append.keeper = site_.process;
  awaited_ = append.row->awaited;
  row_due_ = due;
  row_urgent_ = false;
  row_stale_ = false;
  row_written_ = now;
  call_awaited();
}

void Table::committed(Append append, const Expected<Appended>& outcome) {
  in_flight_ = false;
  const bool only_row = append.events.empty();
  append_ = std::move(append);
  append_.events.clear();
  append_.row.reset();
  if (!outcome) {
    ++failures_;
    return read_again(503, outcome.error());
  }
  if (*outcome == Appended::stale) {
    if (only_row) {  // whoever has written more writes the row
      unwritten_.clear();
      settled();
      if (!inbox_.empty()) drain();
      return look();
    }
    return read_again(409, Error::of("Somebody else was quicker; here is how the table stands now."));
  }
  failures_ = 0;
  unwritten_.clear();
  keeps_ = true;
  written_ = match_.sequence();
  for (Present& present : members_) present.held_written = present.held.size();
  log_written();
  if (made_) std::exchange(made_, nullptr)(std::nullopt);
  settled();
  if (!inbox_.empty()) drain();
  if (behind()) look();
}

/// Everything that has happened is written: now it may be seen.
void Table::settled() {
  if (!letters_.empty()) {
    std::vector<Letter> letters;
    letters.swap(letters_);
    for (Letter& letter : letters) letter.to->tell(std::move(letter.message));
    letters.clear();
    if (letters_.empty()) letters_.swap(letters);  // the next ones need no memory of their own
    tell_waiting();
  }
  ask_bot();
}

// ── What happens ──

void Table::show(const Match::Happenings& happened, const std::shared_ptr<Member>& sender,
                 std::optional<std::uint64_t> id) {
  const Time time = now();
  Common common;
  for (const Happening& happening : happened) {
    common.table = common.table || concerns_the_table(happening.event.kind);
    common.new_position = common.new_position || happening.event.kind == Event::Kind::taken_back ||
                          happening.event.kind == Event::Kind::begun;
  }
  append_member(common.tail, "turn", turn_json(match_));
  append_member(common.tail, "clocks", clocks_json(match_, time));
  if (common.table) {
    append_member(common.tail, "table", table_json(match_, time));
    append_member(common.tail, "people", people_json());
    row_urgent_ = true;
  }

  // Those who see the same share one message; one viewer after the other is made once.
  struct Made {
    Viewer before;
    Viewer after;
    SharedMessage message;
  };
  std::vector<Made> made;
  const bool hidden = match_.play() != nullptr && match_.play()->hidden();
  std::string events;  // as the viewer before saw them
  events.reserve(192);
  Viewer seen_by = Viewer::all();
  const auto make = [&](Present& present, Viewer after, bool acknowledge) {
    std::string text;
    text.reserve(192);
    text += "{\"seq\":";
    append_number(text, match_.sequence());
    if (acknowledge) {
      text += ",\"ack\":";
      append_number(text, *id);
    }
    if (events.empty() || (hidden && seen_by != present.viewer)) {
      events.clear();
      for (const Happening& happening : happened) {
        events += events.empty() ? ",\"events\":[" : ",";
        events += seen_json(happening, present.viewer);
      }
      events += ']';
      seen_by = present.viewer;
    }
    text += events;
    if (!common.tail.empty()) (text += ',') += common.tail;
    if (common.table) append_member(text, "seats", seats_json(present.member->person));
    if (common.new_position || (hidden && after != present.viewer))
      append_member(text, "pieces", pieces_json(match_, after));
    append_member(text, "legal", legal_json(match_, after));
    text += '}';
    return message(std::move(text));
  };
  for (Present& present : members_) {
    const Viewer after = match_.viewer_of(present.member->person);
    const bool acknowledge = id && present.member == sender;
    SharedMessage told;
    if (!acknowledge && !common.table) {
      const auto same = std::find_if(made.begin(), made.end(), [&](const Made& other) {
        return other.before == present.viewer && other.after == after;
      });
      if (same != made.end()) told = same->message;
    }
    if (!told) {
      told = make(present, after, acknowledge);
      if (!acknowledge && !common.table) made.push_back({present.viewer, after, told});
    }
    present.viewer = after;
    if (present.catching_up) {
      present.held.push_back(std::move(told));
    } else {
      post(present.member, std::move(told));
    }
  }
  // Somebody who sent a command without a socket.
  if (sender && id &&
      std::none_of(members_.begin(), members_.end(), [&](const Present& p) { return p.member == sender; })) {
    post(sender, message(fmt::format(R"({{"ack":{},"seq":{}}})", *id, match_.sequence())));
  }
}

void Table::post(const std::shared_ptr<Member>& to, SharedMessage told) { letters_.push_back({to, std::move(told)}); }

void Table::refuse(const std::shared_ptr<Member>& to, std::uint64_t id, const Error& why) {
  site_.metrics->refused();
  post(to, refusal(id, why));
}

void Table::carry_out(const std::shared_ptr<Member>& member, Command command, std::string guest_name, Arrival came,
                      bool current) {
  enqueue([this, member, command = std::move(command), guest_name = std::move(guest_name), came, current] {
    const std::string& person = member->person;
    if (match_.repeats(person, command.id)) {
      post(member, message(fmt::format(R"({{"seq":{},"ack":{}}})", match_.sequence(), command.id)));
      return true;
    }
    if (match_.sequence() - came.written >= Match::commands_remembered && commands_elsewhere(person) > came.elsewhere) {
      // It waited for the database while its sender went on elsewhere, perhaps with this very command, forgotten since.
      member->tell(complaint(503, Error::of("The game has gone on since. Look how it stands, and try again.")));
      member->dismiss();
      return true;
    }
    if (command.kind == Command::Kind::rematch) {
      rematch(member, command.id);
      return true;
    }
    if (command.kind == Command::Kind::sit) {
      names_[person] = member->name;
      if (!guest_name.empty()) names_[command.text] = guest_name;
    }
    const auto problem =
        happen(member, command.id, [&](Match::Happenings& out) { return match_.act(person, command, now(), out); });
    if (problem && site_.shared && !current) {
      // Perhaps another process has written what makes it possible.
      when_current([this, member, command, guest_name, came] { carry_out(member, command, guest_name, came, true); });
    } else if (problem) {
      refuse(member, command.id, *problem);
    }
    return true;
  });
}

void Table::rematch(const std::shared_ptr<Member>& member, std::uint64_t id) {
  Match::Happenings nothing;
  const Command asked{.kind = Command::Kind::rematch, .id = id};
  if (const auto problem = match_.act(member->person, asked, now(), nothing)) {
    refuse(member, id, *problem);
    return;
  }
  Match::Happenings happened;
  const std::string next = crypto::random_name(12);
  auto match =
      Match::create(site_.world, next, match_.settings(), match_.host(), now(), happened, match_.rotated_seats());
  if (!match) {
    refuse(member, id, match.error());
    return;
  }
  // The new table first: an event that names it must never point nowhere.
  ++in_background_;
  Tables& home = site_.home_of(next);
  home.loop().run(
      [this, &home, member, id, next, names = names_,
       made = std::make_shared<std::pair<Match, Match::Happenings>>(std::move(*match), std::move(happened))]() mutable {
        home.create(std::move(made->first), made->second, make_code(), std::move(names),
                    [this, member, id, next](const std::optional<Error>& problem) {
                      home_.loop().run([this, member, id, next, problem] {
                        --in_background_;
                        enqueue([this, member, id, next, problem] {
                          const auto refused = happen(member, id, [&](Match::Happenings& out) -> std::optional<Error> {
                            if (problem) return problem;
                            return match_.rematch_made(member->person, id, next, now(), out);
                          });
                          if (refused) refuse(member, id, *refused);
                          return true;
                        });
                      });
                    });
      });
}

void Table::close_by_owner() {
  happen_by_itself([this](Match::Happenings& out) { return match_.close(now(), out); });
}

void Table::ask_bot() {
  const auto seat = match_.bot_wanted();
  if (!seat || !acts() || thinking_at_ == match_.sequence() || in_flight_ || reloading_) return;
  thinking_at_ = match_.sequence();
  in_background(
      *site_.thinkers,
      [this, seat = *seat, bot = match_.bot_name(*seat), decision = decision()](Store& store) -> std::function<void()> {
        const auto thought = think(site_.world, store, decision, bot);
        if (!thought) {
          site_.log->error("a bot cannot read its table",
                           {{"table", decision.table}, {"why", thought.error().sentence}});
          return [this, at = decision.at] {
            if (thinking_at_ == at) thinking_at_ = 0;  // the next round asks again
          };
        }
        return [this, seat, at = decision.at, move = decision.play->text(thought->move, Viewer::all())] {
          bot_moves(seat, at, move);
        };
      });
}

void Table::bot_moves(int seat, Sequence thought_at, const std::string& move) {
  happen_by_itself([this, seat, thought_at, move](Match::Happenings& out) {
    return match_.bot_move(seat, thought_at, move, now(), out);
  });
}

Decision Table::decision() const {
  return {match_.id(), match_.sequence(), std::shared_ptr<const Play>(match_.play()->clone())};
}

void Table::hint(const std::string& person, const Answer& answer) {
  when_written([this, person, answer] {
    if (!match_.settings().hints) return answer(problem(409, Error::of("Hints are not allowed at this table.")));
    if (match_.stage() != Stage::playing || match_.paused() || match_.bot_wanted() ||
        !decides(match_, match_.viewer_of(person))) {
      return answer(problem(409, Error::of("A hint is for whoever is to move.")));
    }
    if (std::exchange(hinting_, true))
      return answer(problem(429, Error::of("A hint is being worked out; wait for it.")));
    in_background(*site_.thinkers, [this, decision = decision(), answer](Store& store) -> std::function<void()> {
      const auto hint = hint_json(site_.world, store, decision);
      answer(hint ? Response{.body = *hint} : problem(503, hint.error()));
      return [this] { hinting_ = false; };
    });
  });
}

void Table::tick(Time time) {
  see_who_has_gone(time);
  if (const auto due = match_.due(); acts() && due && *due <= time) {
    happen_by_itself([this](Match::Happenings& out) -> std::optional<Error> {
      match_.tick(now(), out);
      return std::nullopt;
    });
  }
  call_awaited();
  const auto late =
      std::partition(waiting_.begin(), waiting_.end(), [&](const Waiting& waiting) { return waiting.until > time; });
  const std::vector<Waiting> waited(std::make_move_iterator(late), std::make_move_iterator(waiting_.end()));
  waiting_.erase(late, waiting_.end());
  for (const Waiting& one : waited) when_written([this, one] { greet(one.person, one.since, one.answer); });
  if (row_stale_ && time - row_written_ >= row_every_ms && !in_flight_ && !reloading_) {
    row_urgent_ = true;
    drain();
  }
}

bool Table::idle(Time time) const {
  const auto due = match_.due();
  const bool must_act = acts() && (match_.bot_wanted() || (due && *due < time + 60'000));
  if (hopeless_) return members_.empty() && in_background_ == 0 && !looking_ && !in_flight_;
  return !must_act && members_.empty() && waiting_.empty() && inbox_.empty() && gone_.empty() && !in_flight_ &&
         !reloading_ && in_background_ == 0 && !looking_ && !wants_look() && !row_stale_;
}

}  // namespace tessera::server
