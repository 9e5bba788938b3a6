#include "server/tables.hpp"

#include <algorithm>
#include <set>

#include "core/text.hpp"
#include "server/log.hpp"
#include "server/peers.hpp"
#include "server/site.hpp"

namespace tessera::server {
namespace {

void add_names(Table::Names& names, Store& store, std::span<const std::string> ids) {
  if (const auto people = store.people(ids)) {
    for (const Person& person : *people) names[person.id] = person.name;
  }
}

/// What a table is made of.
struct Loaded {
  Match match;
  Recent recent;
  std::string code;
  Table::Names names;
  std::uint64_t last_chat;
};

Expected<Loaded> loaded_from(const Site& site, const std::string& id, Store& store) {
  const auto log = store.events(id);
  if (!log) return log.error();
  const auto row = store.row(id);
  if (!row) return row.error();
  if (log->empty() || !*row) return no_such_table();
  Recent recent;
  auto match = Match::fold(site.world, id, *log, [&](Happening one) { recent.add(std::move(one)); });
  if (!match) return match.error();
  std::vector<std::string> ids{match->host()};
  for (const Seat& seat : match->seats()) {
    ids.push_back(seat.person);
    ids.push_back(seat.device);
  }
  Table::Names names;
  add_names(names, store, ids);
  const auto chat = store.chat(id, 0, 1);
  const std::uint64_t last_chat = chat && !chat->empty() ? chat->front().number : 0;
  return Loaded{std::move(*match), std::move(recent), (**row).code, std::move(names), last_chat};
}

}  // namespace

Table::Names newcomers(Store& store, std::span<const std::string> events) {
  std::vector<std::string> ids;
  for (const std::string& line : events) {
    if (!seats_somebody(line)) continue;
    const auto event = parse_event(line);
    if (!event) continue;
    ids.push_back(event->text);
    ids.push_back(event->by);
  }
  Table::Names names;
  if (!ids.empty()) add_names(names, store, ids);
  return names;
}

Tables::Tables(Site& site, Loop& loop) : site_(site), loop_(loop) {}

void Tables::start() {
  loop_.post([this] { tick(); });
}

Table* Tables::find(const std::string& id) {
  const auto found = tables_.find(id);
  return found == tables_.end() ? nullptr : found->second.get();
}

void Tables::with(const std::string& id, Use use) {
  if (Table* table = find(id)) return use(table);
  auto& waiting = loading_[id];
  waiting.push_back(std::move(use));
  if (waiting.size() == 1) load(id);
}

void Tables::load(const std::string& id) {
  site_.readers->run([this, id](Store& store) {
    auto loaded = std::make_shared<Expected<Loaded>>(loaded_from(site_, id, store));
    if (!*loaded && loaded->error().owners) {
      site_.log->error("a table cannot be loaded", {{"table", id}, {"why", loaded->error().sentence}});
    }
    loop_.post([this, id, loaded] {
      const auto waiting = std::move(loading_.extract(id).mapped());
      if (!*loaded) {
        for (const Use& use : waiting) use(loaded->error());
        return;
      }
      auto& [match, recent, code, names, last_chat] = **loaded;
      const Sequence last = match.sequence();
      Table* const table = (tables_[id] = std::make_unique<Table>(*this, std::move(match), std::move(recent),
                                                                  std::move(code), std::move(names), last_chat))
                               .get();
      for (const Use& use : waiting) use(table);
      table->wake();
      site_.peers->found(id, last);
    });
  });
}

void Tables::create(Match match, const Match::Happenings& happened, std::string code, Table::Names names,
                    std::function<void(std::optional<Error>)> made) {
  const std::string id = match.id();
  auto& table = tables_[id] =
      std::make_unique<Table>(*this, std::move(match), Recent{}, std::move(code), std::move(names), 0);
  table->write_first(happened, std::move(made));
}

/// Appends of one round of the loop travel to the committer together: one lock, one wake-up.
void Tables::commit_soon(Table& table, Append append) {
  if (to_commit_.empty()) {
    loop_.post([this] {
      for (auto& [ticket, waiting] : std::exchange(to_commit_, {})) {
        site_.committer->append(loop_.number(), ticket, std::move(waiting));
      }
    });
  }
  to_commit_.emplace_back(reinterpret_cast<std::uintptr_t>(&table), std::move(append));
}

/// A table that waits for the committer is never forgotten, so its address can be the ticket.
void Tables::committed(std::vector<Committer::Committed>& committed) {
  site_.peers->wrote(committed);
  for (auto& [ticket, append, outcome] : committed) {
    reinterpret_cast<Table*>(ticket)->committed(std::move(append), outcome);  // NOLINT(performance-no-int-to-ptr)
  }
}

void Tables::tick() {
  after(std::chrono::seconds(1), [this] { tick(); });
  const Time time = now();
  for (auto& [id, table] : tables_) table->tick(time);
  std::erase_if(tables_, [time](const auto& entry) { return entry.second->idle(time); });
  if (site_.peers->cut_off()) dismiss([](const Member&) { return true; });  // they find a server that can go on
  if (!gone_.empty()) ask_who_has_gone(std::exchange(gone_, {}));
  for (auto& [id, table] : tables_) {
    if (table->wants_look()) table->look();
  }
}

// ── Other processes ──

/// Tables that want to know in one round of the loop ask together.
void Tables::look_soon(Known known) {
  if (to_look_at_.empty()) {
    loop_.post([this] { look(std::exchange(to_look_at_, {})); });
  }
  to_look_at_.push_back(std::move(known));
}

void Tables::look(std::vector<Known> known) {
  site_.followers->run([this, known = std::move(known)](Store& store) {
    auto news = store.news(known);
    Table::Names names;
    if (news) {
      for (const auto& events : *news) names.merge(newcomers(store, events));
    }
    loop_.post([this, known, news = std::move(news), names = std::move(names)] {
      for (std::size_t i = 0; i < known.size(); ++i) {
        Table& table = *tables_.at(known[i].match);  // one that looks is never forgotten
        if (news) {
          table.news(known[i], (*news)[i], names);
        } else {
          table.no_news();
        }
      }
    });
  });
}

void Tables::look_at_all() {
  for (auto& [id, table] : tables_) {
    if (!table->watched()) continue;
    table->look();
    table->look_for_chat();
  }
}

void Tables::ask_who_has_gone(std::vector<Presence> gone) {
  site_.followers->run([this, gone = std::move(gone)](Store& store) {
    const auto elsewhere = store.depart(gone, site_.process);
    loop_.post([this, gone, elsewhere] {
      for (std::size_t i = 0; i < gone.size(); ++i) {
        if (Table* table = find(gone[i].match)) {
          table->has_gone(gone[i].person, elsewhere ? std::optional(!(*elsewhere)[i]) : std::nullopt);
        }
      }
    });
  });
}

void Tables::look_who_is_forgotten() {
  std::set<std::string> people;
  for (const auto& [id, table] : tables_) {
    for (const auto& [person, name] : table->names()) people.insert(person);
  }
  forget_unknown({people.begin(), people.end()});
}

/// Of `people`, those whom the database no longer knows; some at a time, so that nobody waits.
void Tables::forget_unknown(std::vector<std::string> people) {
  if (people.empty()) return;
  site_.readers->run([this, people = std::move(people)](Store& store) mutable {
    constexpr std::size_t at_a_time = 100;
    const auto some = std::span(people).last(std::min(people.size(), at_a_time));
    const auto known = store.people(some);
    std::set<std::string> unknown;
    if (known) {
      unknown.insert(some.begin(), some.end());
      for (const Person& person : *known) unknown.erase(person.id);
      people.resize(people.size() - some.size());
    }
    loop_.post([this, unknown, rest = std::move(people), failed = !known] {
      for (auto& [id, table] : tables_) table->forget(unknown);
      if (!failed) return forget_unknown(rest);
      after(std::chrono::seconds(1), [this, rest] { forget_unknown(rest); });
    });
  });
}

void Tables::dismiss(const std::function<bool(const Member&)>& whom) {
  for (auto& [id, table] : tables_) table->dismiss(whom);
}

}  // namespace tessera::server
