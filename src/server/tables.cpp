#include "server/tables.hpp"

#include "core/text.hpp"
#include "server/log.hpp"
#include "server/site.hpp"

namespace tessera::server {

Tables::Tables(Site& site, Loop& loop) : site_(site), loop_(loop), clock_(loop.context().get_executor()) {}

void Tables::start() {
  loop_.post([this] { tick(); });
}

Table* Tables::find(const std::string& id) {
  const auto found = tables_.find(id);
  return found == tables_.end() ? nullptr : found->second.get();
}

void Tables::with(const std::string& id, std::function<void(Table*)> use) {
  if (Table* table = find(id)) {
    use(table);
    return;
  }
  auto& waiting = loading_[id];
  waiting.push_back(std::move(use));
  if (waiting.size() == 1) load(id);
}

void Tables::load(const std::string& id) {
  site_.readers->run([this, id](Store& store) {
    struct Loaded {
      std::optional<Match> match;
      Recent recent{};
      std::string code;
      Table::Names names;
    };
    auto loaded = std::make_shared<Loaded>();
    const auto log = store.events(id);
    const auto row = store.row(id);
    if (log && !log->empty() && row && *row) {
      auto match =
          Match::fold(site_.world, id, *log, [&](const Happening& happening) { loaded->recent.add(happening); });
      if (match) {
        std::vector<std::string> ids{match->host()};
        for (const Seat& seat : match->seats()) {
          ids.push_back(seat.person);
          ids.push_back(seat.device);
        }
        if (const auto people = store.people(ids)) {
          for (const Person& person : *people) loaded->names[person.id] = person.name;
        }
        loaded->code = (**row).code;
        loaded->match = std::move(*match);
      } else {
        site_.log->error("a log cannot be read", {{"table", id}, {"why", match.error().sentence}});
      }
    }
    loop_.post([this, id, loaded] {
      Table* table = nullptr;
      if (loaded->match) {
        table = (tables_[id] = std::make_unique<Table>(*this, std::move(*loaded->match), std::move(loaded->recent),
                                                       std::move(loaded->code), std::move(loaded->names)))
                    .get();
      }
      const auto waiting = std::move(loading_.extract(id).mapped());
      for (const auto& use : waiting) use(table);
      if (table != nullptr) table->wake();
    });
  });
}

void Tables::create(Match match, const Match::Happenings& happened, std::string code, Table::Names names,
                    std::function<void(std::optional<Error>)> made) {
  const std::string id = match.id();
  auto& table = tables_[id] =
      std::make_unique<Table>(*this, std::move(match), Recent{}, std::move(code), std::move(names));
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
  for (auto& [ticket, append, outcome] : committed) {
    reinterpret_cast<Table*>(ticket)->committed(std::move(append), outcome);  // NOLINT(performance-no-int-to-ptr)
  }
}

void Tables::tick() {
  clock_.expires_after(std::chrono::seconds(1));
  clock_.async_wait([this](const boost::system::error_code& stopped) {
    if (!stopped) tick();
  });
  const Time time = now();
  for (auto& [id, table] : tables_) table->tick(time);
  std::erase_if(tables_, [time](const auto& entry) { return entry.second->idle(time); });

  // Clocks that run while nobody is here, and bots that were thinking when the server stopped.
  if (time < next_due_) return;
  next_due_ = time + due_every_ms;
  site_.readers->run([this, time](Store& store) {
    const auto due = store.due(time + due_every_ms);
    if (!due) return;
    loop_.post([this, due = *due] {
      for (const std::string& id : due) {
        if (&site_.home_of(id) == this) with(id, [](Table*) {});
      }
    });
  });
}

void Tables::dismiss(const std::function<bool(const Member&)>& whom) {
  for (auto& [id, table] : tables_) table->dismiss(whom);
}

}  // namespace tessera::server
