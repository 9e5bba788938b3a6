/// The people at a table: who comes and goes, and how they are greeted.
#include <algorithm>

#include "core/text.hpp"
#include "match/view.hpp"
#include "server/gate.hpp"
#include "server/log.hpp"
#include "server/peers.hpp"
#include "server/table_work.hpp"
#include "server/webhooks.hpp"

namespace tessera::server {

void Table::join(std::shared_ptr<Member> member, Since since) {
  when_current([this, member = std::move(member), since] {
    if (member->left) return;
    if (hopeless_) {
      member->tell(complaint(404, *hopeless_));
      return member->dismiss();
    }
    const std::string& person = member->person;
    if (!person.empty()) {
      if (site_.gate->name_banned(member->name)) return member->dismiss();  // since it was asked for
      names_[person] = member->name;
      if (++connections_[person] == 1) came(person);
      gone_.erase(person);
      site_.log->info("joined", {{"table", match_.id()}, {"person", person}});
    }
    members_.push_back({member, match_.viewer_of(person), true});
    greet(person, since, [this, member](const SharedMessage& greeting) {
      when_written([this, member, greeting] {
        const auto present =
            std::find_if(members_.begin(), members_.end(), [&](const Present& p) { return p.member == member; });
        if (present == members_.end()) return;
        present->catching_up = false;
        member->tell(greeting);
        if (greeting->status != 200) return member->dismiss();
        for (const SharedMessage& held : std::exchange(present->held, {})) member->tell(held);
      });
    });
  });
}

/// Somebody can be reached here who could not before.
void Table::came(const std::string& person) {
  site_.peers->arrived({match_.id(), person});
  count_as_connected(person, true);
}

void Table::count_as_connected(const std::string& person, bool connected) {
  if (!match_.seated(person)) return;
  enqueue([this, person, connected] {
    if (!connected && connections_.contains(person)) return true;
    (void)happen(nullptr, std::nullopt, [&](Match::Happenings& out) -> std::optional<Error> {
      match_.connected(person, connected, now(), out);
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
  gone_[person] = {now()};
  site_.log->info("left", {{"table", match_.id()}, {"person", person}});
}

void Table::see_who_has_gone(Time time) {
  for (auto gone = gone_.begin(); gone != gone_.end();) {
    auto& [person, departure] = *gone;
    if (departure.asked || time - departure.at < site_.config.departure_ms) {
      ++gone;
    } else if (connections_.contains(person)) {
      gone = gone_.erase(gone);
    } else if (site_.shared) {
      departure.asked = true;
      home_.ask_whether_gone({match_.id(), person});
      ++gone;
    } else {
      const std::string who = person;
      gone = gone_.erase(gone);
      count_as_connected(who, false);
    }
  }
}

void Table::has_gone(const std::string& person, std::optional<bool> everywhere) {
  const auto gone = gone_.find(person);
  if (gone == gone_.end() || !gone->second.asked) return;
  if (!everywhere) {
    gone->second = {now()};  // the database did not say: once more
    return;
  }
  gone_.erase(gone);
  if (*everywhere) count_as_connected(person, false);
}

void Table::look_after(const std::string& person) {
  if (!connections_.contains(person)) gone_.try_emplace(person, Departure{now()});
}

void Table::check(const std::string& person, Since since, std::optional<Time> until,
                  std::function<void(SharedMessage)> answer) {
  when_current([this, person, since, until, answer = std::move(answer)] {
    if (hopeless_) return answer(complaint(404, *hopeless_));
    const bool waits = until && since.event && *since.event >= match_.sequence();
    if (match_.seated(person) && !connections_.contains(person)) {
      came(person);
      gone_[person] = {waits ? *until : now()};  // unless it asks again by then
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
                  std::optional<Error> unread;
                  if (events) append_member(text, "events", *events);
                  if (resumes && !events) unread = append_events(text, store, id, *since.event, last, viewer);
                  if (chat && !unread) unread = append_chat(text, store, id, since.chat, hears_gallery);
                  text += '}';
                  if (unread) site_.log->error("nobody can be greeted", {{"table", id}, {"why", unread->sentence}});
                  return [this, answer, unread, made = unread ? complaint(404, *unread) : message(std::move(text))] {
                    if (unread && !unread->owners) cannot_go_on(*unread);  // it was dropped
                    answer(made);
                  };
                });
}

/// Adds the events after `after` up to `last`, as `viewer` sees them, and the first position when the game began among
/// them. On a worker's thread.
std::optional<Error> Table::append_events(std::string& text, Store& store, const std::string& id, Sequence after,
                                          Sequence last, Viewer viewer) const {
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
    if (!log) return log.error();
    if (log->size() < last) return no_such_table();
    const auto folded = Match::fold(site_.world, id, std::span(*log).first(last), tell);
    if (!folded) return folded.error();
  }
  append_member(text, "events", events + ']');
  append_member(text, "start", start);
  return std::nullopt;
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

void Table::forget(const std::set<std::string>& people) {
  if (std::erase_if(names_, [&](const auto& name) { return people.contains(name.first); }) == 0) return;
  dismiss([&](const Member& member) { return people.contains(member.person); });
  const SharedMessage told = message("{\"people\":" + people_json() + '}');
  for (Present& present : members_) tell(present, told);
}

/// At once, unless it is still to be greeted.
void Table::tell(Present& present, const SharedMessage& told) {
  if (present.catching_up) {
    present.held.push_back(told);
  } else {
    present.member->tell(told);
  }
}

/// At correspondence pace, people who are awaited and have gone get a call: one, until they are no longer awaited.
void Table::call_awaited() {
  if (match_.settings().pace.kind != Pace::Kind::days || !acts()) return;
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
