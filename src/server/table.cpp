#include "server/table.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "core/text.hpp"
#include "crypto/crypto.hpp"
#include "match/view.hpp"
#include "server/compress.hpp"
#include "server/gate.hpp"
#include "server/log.hpp"
#include "server/metrics.hpp"
#include "server/site.hpp"
#include "server/tables.hpp"
#include "server/webhooks.hpp"
#include "server/words.hpp"

namespace tessera::server {
namespace {

/// How often the lists of the lobby may be behind a match in which nothing but moves happens.
constexpr Time row_every_ms = 1'000;

SharedMessage message(std::string text) {
  auto made = std::make_shared<Message>();
  if (text.size() > compress_from) made->compressed = compressed(text);
  made->text = std::move(text);
  return made;
}

void append_member(std::string& text, std::string_view key, std::string_view json) {
  if (json.empty()) return;
  if (text.size() > 1) text += ',';
  text += '"';
  text += key;
  text += "\":";
  text += json;
}

bool concerns_the_table(Event::Kind kind) { return kind != Event::Kind::chance && kind != Event::Kind::move; }

/// What is the same for everybody in the update that tells of some events.
struct Common {
  std::string tail;           ///< turn, clocks, table, people
  bool table = false;         ///< `tail` has the table
  bool new_position = false;  ///< effects do not tell the whole change
};

std::string chat_json(const ChatLine& line, std::string_view name) {
  return fmt::format(R"({{"n":{},"at":{},"by":{},"name":{},"text":{},"gallery":{}}})", line.number, line.at,
                     json_string(line.person), json_string(name), json_string(line.text), line.gallery);
}

std::string chat_since(Store& store, const std::string& match, std::uint64_t after, bool hears_gallery) {
  constexpr int most = 200;
  const auto lines = store.chat(match, after, most);
  if (!lines || lines->empty()) return "[]";
  std::vector<std::string> ids;
  for (const ChatLine& line : *lines) ids.push_back(line.person);
  const auto people = store.people(ids);
  std::string json = "[";
  for (const ChatLine& line : *lines) {
    if (line.gallery && !hears_gallery) continue;
    std::string name;
    if (people) {
      const auto speaker = std::ranges::find(*people, line.person, &Person::id);
      if (speaker != people->end()) name = speaker->name;
    }
    if (json.size() > 1) json += ',';
    json += chat_json(line, name);
  }
  return json += ']';
}

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

Table::Table(Tables& home, Match match, Recent recent, std::string code, Names names)
    : home_(home),
      site_(home.site()),
      match_(std::move(match)),
      recent_(std::move(recent)),
      code_(std::move(code)),
      names_(std::move(names)),
      append_{.match = match_.id(), .expected = 0, .events = {}},
      written_(match_.sequence()) {
  site_.metrics->table(1);
  for (const Seat& seat : match_.seats()) {
    if (seat.connected) gone_[seat.device] = now();
  }
}

Table::~Table() { site_.metrics->table(-1); }

void Table::write_first(const Match::Happenings& happened, std::function<void(std::optional<Error>)> made) {
  written_ = 0;
  row_urgent_ = true;
  made_ = std::move(made);
  for (const Happening& happening : happened) append_.events.push_back(event_json(happening.event));
  drain();
}

template <class Work>
void Table::in_background(Workers& workers, Work work) {
  ++in_background_;
  workers.run([this, work = std::move(work)](Store& store) mutable {
    home_.loop().post([this, then = work(store)] {
      --in_background_;
      then();
    });
  });
}

// ── One thing at a time ──

template <class Act>
void Table::enqueue(Act task) {
  if (in_flight_ || reloading_ || draining_ || !inbox_.empty()) {
    inbox_.push_back(std::move(task));
    return;
  }
  draining_ = true;  // what the task itself enqueues comes after it
  const bool done = task();
  draining_ = false;
  if (!done) inbox_.push_front(std::move(task));
  if (done && !inbox_.empty()) {
    drain();
  } else {
    finish();
  }
}

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
  while (!inbox_.empty() && inbox_.front()()) inbox_.pop_front();
  draining_ = false;
  finish();
}

void Table::finish() {
  if (!append_.events.empty() || row_urgent_) {
    submit();
  } else {
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
  if (!row_urgent_ && now - row_written_ < row_every_ms) return;
  append.row = row_of(match_, code_, now);
  awaited_ = append.row->awaited;
  call_awaited();
  row_urgent_ = false;
  row_stale_ = false;
  row_written_ = now;
}

void Table::committed(Append append, const Expected<Appended>& outcome) {
  in_flight_ = false;
  append_ = std::move(append);
  append_.events.clear();
  append_.row.reset();
  if (!outcome || *outcome == Appended::stale) {
    if (outcome) {
      reload(409, Error::of("Somebody else was quicker; here is how the table stands now."));
    } else {
      reload(503, outcome.error());
    }
    return;
  }
  written_ = match_.sequence();
  if (made_) std::exchange(made_, nullptr)(std::nullopt);
  settled();
  if (!inbox_.empty()) drain();
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

/// The append did not happen: back to what the database has.
void Table::reload(int status, const Error& why) {
  site_.log->warning("an append failed", {{"table", match_.id()}, {"why", why.sentence}});
  if (made_) std::exchange(made_, nullptr)(why);
  for (const Letter& letter : std::exchange(letters_, {})) letter.to->tell(complaint(status, why));
  reloading_ = true;
  in_background(*site_.readers, [this, id = match_.id()](Store& store) -> std::function<void()> {
    const auto log = store.events(id);
    auto recent = std::make_shared<Recent>();
    const auto keep = [&](const Happening& happening) { recent->add(happening); };
    auto match = std::make_shared<Expected<Match>>(log ? Match::fold(site_.world, id, *log, keep) : log.error());
    return [this, match, recent] {
      reloading_ = false;
      if (!*match) {
        site_.log->error("a table cannot be read again", {{"table", match_.id()}, {"why", match->error().sentence}});
        dismiss([](const Member&) { return true; });
        return;
      }
      match_ = std::move(**match);
      recent_ = std::move(*recent);
      written_ = match_.sequence();
      thinking_at_ = 0;
      for (Present& present : members_) {
        present.viewer = match_.viewer_of(present.member->person);
        greet(present.member->person, {},
              [member = present.member](const SharedMessage& greeting) { member->tell(greeting); });
      }
      drain();
    };
  });
}

// ── What happens ──

/// Lets `act` happen to the match, and prepares what everybody is told of it. `sender` may be null.
template <class Act>
void Table::happen(const std::shared_ptr<Member>& sender, std::optional<std::uint64_t> id, Act&& act) {
  Match::Happenings happened;
  const std::optional<Error> problem = act(happened);
  if (problem) {
    if (sender && id) refuse(sender, *id, *problem);
    return;
  }
  if (happened.empty()) return;
  for (const Happening& happening : happened) append_.events.push_back(event_json(happening.event));
  site_.metrics->events(happened.size());
  show(happened, sender, id);
  for (Happening& happening : happened) recent_.add(std::move(happening));
}

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

void Table::command(const std::shared_ptr<Member>& member, Command command, std::string guest_name) {
  enqueue([this, member, command = std::move(command), guest_name = std::move(guest_name)] {
    const std::string& person = member->person;
    if (match_.repeats(person, command.id)) {
      post(member, message(fmt::format(R"({{"seq":{},"ack":{}}})", match_.sequence(), command.id)));
      return true;
    }
    if (command.kind == Command::Kind::rematch) {
      rematch(member, command.id);
      return true;
    }
    if (command.kind == Command::Kind::sit && !guest_name.empty()) names_[command.text] = guest_name;
    happen(member, command.id, [&](Match::Happenings& out) { return match_.act(person, command, now(), out); });
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
                          happen(member, id, [&](Match::Happenings& out) -> std::optional<Error> {
                            if (problem) return problem;
                            return match_.rematch_made(member->person, id, next, now(), out);
                          });
                          return true;
                        });
                      });
                    });
      });
}

void Table::close_by_owner() {
  enqueue([this] {
    happen(nullptr, std::nullopt, [&](Match::Happenings& out) { return match_.close(now(), out); });
    return true;
  });
}

void Table::ask_bot() {
  const auto seat = match_.bot_wanted();
  if (!seat || thinking_at_ == match_.sequence() || in_flight_) return;
  thinking_at_ = match_.sequence();
  in_background(
      *site_.thinkers,
      [this, seat = *seat, bot = match_.bot_name(*seat), decision = decision()](Store& store) -> std::function<void()> {
        const auto thought = think(site_.world, store, decision, bot);
        if (!thought) {
          site_.log->error("a bot cannot read its table",
                           {{"table", decision.table}, {"why", thought.error().sentence}});
          return [] {};
        }
        return [this, seat, at = decision.at, move = decision.play->text(thought->move, Viewer::all())] {
          bot_moves(seat, at, move);
        };
      });
}

void Table::bot_moves(int seat, Sequence thought_at, const std::string& move) {
  enqueue([this, seat, thought_at, move] {
    happen(nullptr, std::nullopt,
           [&](Match::Happenings& out) { return match_.bot_move(seat, thought_at, move, now(), out); });
    return true;
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
  std::erase_if(gone_, [&](const auto& gone) {
    if (time - gone.second < site_.config.departure_ms) return false;
    enqueue([this, person = gone.first] {
      if (connections_.contains(person)) return true;
      happen(nullptr, std::nullopt, [&](Match::Happenings& out) -> std::optional<Error> {
        match_.connected(person, false, now(), out);
        return std::nullopt;
      });
      return true;
    });
    return true;
  });
  if (const auto due = match_.due(); due && *due <= time) {
    enqueue([this] {
      happen(nullptr, std::nullopt, [&](Match::Happenings& out) -> std::optional<Error> {
        match_.tick(now(), out);
        return std::nullopt;
      });
      return true;
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
  return !(due && *due < time + 60'000) && members_.empty() && waiting_.empty() && inbox_.empty() && gone_.empty() &&
         !in_flight_ && !reloading_ && in_background_ == 0 && !row_stale_ && !match_.bot_wanted();
}

// ── Members ──

void Table::join(std::shared_ptr<Member> member, std::string name, Since since) {
  when_written([this, member = std::move(member), name = std::move(name), since] {
    const std::string& person = member->person;
    if (!person.empty()) {
      if (site_.gate->name_banned(name)) return member->dismiss();  // since it was asked for
      names_[person] = name;
      ++connections_[person];
      gone_.erase(person);
      came(person);
    }
    members_.push_back({member, match_.viewer_of(person), true});
    greet(person, since, [this, member](const SharedMessage& greeting) {
      when_written([this, member, greeting] {
        const auto present =
            std::find_if(members_.begin(), members_.end(), [&](const Present& p) { return p.member == member; });
        if (present == members_.end()) return;
        present->catching_up = false;
        member->tell(greeting);
        for (const SharedMessage& held : std::exchange(present->held, {})) member->tell(held);
      });
    });
  });
}

void Table::came(const std::string& person) {
  if (!match_.seated(person)) return;
  enqueue([this, person] {
    happen(nullptr, std::nullopt, [&](Match::Happenings& out) -> std::optional<Error> {
      match_.connected(person, true, now(), out);
      return std::nullopt;
    });
    return true;
  });
}

void Table::leave(const Member& member) {
  const auto present =
      std::find_if(members_.begin(), members_.end(), [&](const Present& p) { return p.member.get() == &member; });
  if (present == members_.end()) return;
  const std::string person = member.person;
  members_.erase(present);
  if (person.empty() || --connections_[person] > 0) return;
  connections_.erase(person);
  if (match_.seated(person)) gone_[person] = now();
}

void Table::check(const std::string& person, Since since, std::optional<Time> until,
                  std::function<void(SharedMessage)> answer) {
  when_written([this, person, since, until, answer = std::move(answer)] {
    const bool waits = until && since.event && *since.event >= match_.sequence();
    if (match_.seated(person) && !connections_.contains(person)) {
      came(person);
      gone_[person] = waits ? *until : now();  // unless it asks again by then
    }
    if (waits) {
      waiting_.push_back({person, since, *until, answer});
    } else {
      greet(person, since, answer);
    }
  });
}

void Table::tell_waiting() {
  for (const Waiting& one : std::exchange(waiting_, {})) greet(one.person, one.since, one.answer);
}

/// A greeting, as everything stands now. What was missed comes from the log, and chat from its table.
void Table::greet(const std::string& person, Since since, std::function<void(SharedMessage)> answer) {
  const Sequence last = match_.sequence();
  const Viewer viewer = match_.viewer_of(person);
  const bool resumes = since.event && *since.event <= last;
  const bool has_all = since.event == last;
  std::string text = greeting(person, now());
  // With missed events too: effects do not tell a take-back, nor hands that are shown since.
  if (!has_all) append_member(text, "pieces", pieces_json(match_, viewer));
  const bool hears_gallery = match_.stage() == Stage::over || !match_.seated(person);
  auto events = resumes ? recent_.seen(*since.event, last, viewer) : std::nullopt;
  in_background(*site_.readers,
                [this, id = match_.id(), chat = match_.settings().chat, since, last, viewer, resumes, hears_gallery,
                 text, events = std::move(events), answer = std::move(answer)](Store& store) mutable {
                  if (events) append_member(text, "events", *events);
                  if (resumes && !events) append_events(text, store, id, *since.event, last, viewer);
                  if (chat) append_member(text, "chat", chat_since(store, id, since.chat, hears_gallery));
                  text += '}';
                  return [answer, made = message(std::move(text))] { answer(made); };
                });
}

/// Adds the events after `after` up to `last`, as `viewer` sees them, and the first position when the game began among
/// them. On a worker's thread.
void Table::append_events(std::string& text, Store& store, const std::string& id, Sequence after, Sequence last,
                          Viewer viewer) const {
  std::string events = "[";
  std::string start;
  if (after < last) {
    bool began_since = false;
    const auto tell = [&](const Happening& happening) {
      if (happening.sequence <= after) return;
      if (events.size() > 1) events += ',';
      events += seen_json(happening, viewer);
      if (happening.event.kind == Event::Kind::begun) began_since = true;
      if (began_since && start.empty() && happening.before) start = pieces_json(*happening.before, viewer);
    };
    const auto log = store.events(id);
    const auto folded = log ? Match::fold(site_.world, id, std::span(*log).first(last), tell) : log.error();
    if (!folded) site_.log->error("a log cannot be read", {{"table", id}, {"why", folded.error().sentence}});
  }
  append_member(text, "events", events + ']');
  append_member(text, "start", start);
}

/// Everything in a greeting that does not depend on what somebody has already; the last brace is left open.
std::string Table::greeting(const std::string& person, Time time) const {
  std::string text = "{";
  append_member(text, "protocol", "1");
  append_member(text, "server", "\"" TESSERA_VERSION "\"");
  append_member(text, "time", std::to_string(time));
  append_member(text, "you", person.empty() ? "null" : json_string(person));
  append_member(text, "seq", std::to_string(match_.sequence()));
  append_member(text, "seats", seats_json(person));
  append_member(text, "code", json_string(code_));
  append_member(text, "table", table_json(match_, time));
  append_member(text, "people", people_json());
  append_member(text, "turn", turn_json(match_));
  append_member(text, "clocks", clocks_json(match_, time));
  append_member(text, "legal", legal_json(match_, match_.viewer_of(person)));
  return text;
}

std::string Table::people_json() const {
  std::string json = "{";
  const auto add = [&](const std::string& person) {
    const auto name = names_.find(person);
    if (!person.empty() && name != names_.end() && json.find('"' + person + '"') == std::string::npos) {
      append_member(json, person, json_string(name->second));
    }
  };
  add(match_.host());
  for (const Seat& seat : match_.seats()) {
    add(seat.person);
    add(seat.device);
  }
  return json += '}';
}

std::string Table::seats_json(std::string_view person) const {
  std::string json = "[";
  for (std::size_t seat = 0; seat < match_.seats().size(); ++seat) {
    if (person.empty() || match_.seats()[seat].device != person) continue;
    if (json.size() > 1) json += ',';
    append_number(json, seat);
  }
  return json += ']';
}

void Table::dismiss(const std::function<bool(const Member&)>& whom) {
  for (const Present& present : members_) {
    if (whom(*present.member)) present.member->dismiss();
  }
}

/// At once, unless it is still to be greeted.
void Table::tell(Present& present, const SharedMessage& told) {
  if (present.catching_up) {
    present.held.push_back(told);
  } else {
    present.member->tell(told);
  }
}

// ── Chat ──

void Table::say(const std::shared_ptr<Member>& member, Saying saying) {
  const std::string& person = member->person;
  const bool seated = match_.seated(person);
  const auto no = [&](const Error& why) { member->tell(refusal(saying.id, why)); };
  if (person.empty()) return no(Error::of("Give yourself a name first."));
  if (!match_.settings().chat) return no(Error::of("There is no chat at this table."));
  const ChatLine line{.match = match_.id(),
                      .person = person,
                      .command = saying.id,
                      .gallery = !seated || saying.gallery,
                      .text = std::move(saying.text),
                      .at = now()};
  in_background(*site_.readers, [this, member, line, id = saying.id](Store& store) -> std::function<void()> {
    const auto muted = store.fact(muted_fact(line.match, line.person));
    auto said = muted && *muted == "yes" ? Error::of("The host has muted you.") : store.say(line);
    const auto speaker = store.person(line.person);
    return [this, member, id, said = std::move(said), name = speaker && *speaker ? (**speaker).name : ""] {
      if (!said) {
        member->tell(refusal(id, said.error()));
        return;
      }
      const std::string chat = chat_json(*said, name);
      member->tell(message(fmt::format(R"({{"ack":{},"chat":[{}]}})", id, chat)));
      const SharedMessage told = message(fmt::format(R"({{"chat":[{}]}})", chat));
      for (Present& present : members_) {
        const bool hears = !said->gallery || match_.stage() == Stage::over || !match_.seated(present.member->person);
        if (present.member != member && hears) tell(present, told);
      }
      when_written([this] { tell_waiting(); });
    };
  });
}

void Table::mute(const std::shared_ptr<Member>& member, std::uint64_t id, const std::string& person, bool on) {
  if (member->person != match_.host()) return member->tell(refusal(id, Error::of("Only the host can mute somebody.")));
  const auto write = [match = match_.id(), person, on](Store& store) -> std::optional<Error> {
    const auto whom = store.person(person);
    if (!whom) return whom.error();
    if (!*whom) return Error::of("There is nobody with this id.");
    return store.put_fact(muted_fact(match, (**whom).id), on ? "yes" : "no");
  };
  in_background(*site_.readers, [this, member, id, write](Store& store) {
    return [this, member, id, problem = write(store)] {
      if (problem) return member->tell(refusal(id, *problem));
      member->tell(message(fmt::format(R"({{"ack":{},"seq":{}}})", id, written_)));
    };
  });
}

/// At correspondence pace, people who are awaited and have gone get a call: one, until they are no longer awaited.
void Table::call_awaited() {
  if (match_.settings().pace.kind != Pace::Kind::days) return;
  const auto among = [](const std::vector<std::string>& people, const std::string& person) {
    return std::find(people.begin(), people.end(), person) != people.end();
  };
  std::erase_if(called_, [&](const std::string& person) { return !among(awaited_, person); });
  for (const std::string& person : awaited_) {
    if (among(called_, person) || connections_.contains(person) || gone_.contains(person)) continue;
    called_.push_back(person);
    site_.webhooks->awaited(person, match_.id(), match_.settings().game);
  }
}

}  // namespace tessera::server
