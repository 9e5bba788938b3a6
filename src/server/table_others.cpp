/// What other processes at the same database have written: this one follows, or tries again after them.
#include <algorithm>

#include "core/text.hpp"
#include "server/log.hpp"
#include "server/peers.hpp"
#include "server/table_work.hpp"

namespace tessera::server {
namespace {

constexpr int most_failures = 3;  ///< of one append, with the database answering in between
constexpr auto before_next_try = std::chrono::milliseconds(250);

}  // namespace

// ── Following ──

void Table::heard(const News& news) {
  heard_ = std::max(heard_, news.last);
  // While an append is on its way it will be refused, or was before this.
  if (in_flight_ || reloading_) return;
  if (news.after == written_ && !news.lines.empty()) {
    std::vector<std::string> events;
    for (const std::string_view line : split(news.lines, '\n')) events.emplace_back(line);
    if (const auto impossible = follow(events)) return read_again(503, *impossible);
  }
  if (behind()) look();
}

void Table::look() {
  if (looking_ || hopeless_) return;
  looking_ = true;
  looking_for_ = heard_;
  now_current_.swap(when_current_);
  home_.look_soon({match_.id(), written_});
}

/// For whatever tells how things stand: not behind what somebody may have been told by another process.
void Table::when_current(std::function<void()> task) {
  if (hopeless_) return task();
  if (!site_.shared) return when_written(std::move(task));
  when_current_.push_back(std::move(task));
  look();
}

void Table::news(const Known& known, std::span<const std::string> events, const Names& names) {
  const bool in_time = known.last == written_ && !in_flight_ && !reloading_;
  if (hopeless_) return no_news();
  if (!events.empty() && !in_time) {
    no_news();
    return look();
  }
  looking_ = false;
  if (const auto impossible = catch_up(events, names)) {
    no_news();
    return read_again(503, *impossible);
  }
  if (events.empty() && heard_ == looking_for_) heard_ = written_;  // who said that there was more has not written it
  for (auto& task : std::exchange(now_current_, {})) when_written(std::move(task));
  if (!when_current_.empty() || behind()) look();
}

/// With what was found in the log, of which others may not have heard.
std::optional<Error> Table::catch_up(std::span<const std::string> events, const Names& names) {
  if (events.empty()) return std::nullopt;
  for (const auto& [person, name] : names) names_[person] = name;
  if (auto impossible = follow(events)) return impossible;
  site_.peers->found(match_.id(), written_);
  return std::nullopt;
}

/// Once more: the database did not answer, or something was being written meanwhile.
void Table::no_news() {
  looking_ = false;
  when_current_.insert(when_current_.begin(), std::make_move_iterator(now_current_.begin()),
                       std::make_move_iterator(now_current_.end()));
  now_current_.clear();
}

std::optional<Error> Table::follow(std::span<const std::string> events) {
  Match::Happenings happened;
  auto impossible = match_.follow(events, [&](Happening one) { happened.push_back(std::move(one)); });
  for (const Happening& happening : happened) {
    if (happening.event.command) ++elsewhere_[happening.event.by];
  }
  if (impossible) return impossible;
  written_ = match_.sequence();
  keeps_ = false;
  row_due_.reset();
  show(happened, nullptr, std::nullopt);
  row_urgent_ = false;  // whoever wrote the events writes the row
  row_stale_ = false;
  const bool somebody_left =
      std::ranges::any_of(happened, [](const Happening& one) { return one.event.kind == Event::Kind::left; });
  for (Happening& happening : happened) recent_.add(std::move(happening));
  for (Present& present : members_) present.held_written = present.held.size();
  settled();
  if (somebody_left) {
    for (const auto& [person, connections] : connections_) count_as_connected(person, true);  // they are here
  }
  return std::nullopt;
}

void Table::keep() {
  keeps_ = true;
  const auto due = match_.due();
  if (!match_.bot_wanted() && (!due || *due > now())) row_stale_ = true;  // it says that something is
  tick(now());
  ask_bot();
}

// ── After an append that did not happen ──

/// Back to what the database has. With several processes, what did not happen is then tried again: somebody else was
/// quicker, or the database was away.
void Table::read_again(int status, const Error& why) {
  site_.log->warning("an append failed", {{"table", match_.id()}, {"why", why.sentence}});
  site_.metrics->append_failed();
  if (made_) std::exchange(made_, nullptr)(why);
  if (unwritten_.empty() || failures_ > most_failures) {
    for (const Letter& letter : letters_) letter.to->tell(complaint(status, why));
    unwritten_.clear();
  }
  letters_.clear();
  to_log_.clear();
  inbox_.insert(inbox_.begin(), std::make_move_iterator(unwritten_.begin()), std::make_move_iterator(unwritten_.end()));
  unwritten_.clear();
  row_stale_ = true;
  reloading_ = true;
  read_log();
}

void Table::read_log() {
  in_background(*site_.readers, [this, id = match_.id(), written = written_](Store& store) -> std::function<void()> {
    auto log = store.events(id);
    if (!log) return [this] { home_.after(before_next_try, [this] { read_log(); }); };
    if (log->empty()) return [this] { cannot_go_on(no_such_table()); };
    auto recent = std::make_shared<Recent>();
    const auto past = std::min<std::size_t>(written, log->size());
    auto match = std::make_shared<Expected<Match>>(
        Match::fold(site_.world, id, std::span(*log).first(past), [&](Happening one) { recent->add(std::move(one)); }));
    log->erase(log->begin(), log->begin() + static_cast<std::ptrdiff_t>(past));
    return [this, match, recent, names = newcomers(store, *log), later = std::move(*log)] {
      if (!*match) return cannot_go_on(match->error());
      match_ = std::move(**match);
      recent_ = std::move(*recent);
      written_ = match_.sequence();
      thinking_at_ = 0;
      reloading_ = false;
      for (Present& present : members_) {
        present.viewer = match_.viewer_of(present.member->person);
        present.held.resize(present.held_written);
      }
      if (const auto impossible = catch_up(later, names)) return cannot_go_on(*impossible);
      if (!in_flight_) drain();
    };
  });
}

void Table::cannot_go_on(const Error& why) {
  site_.log->error("a table cannot be read again", {{"table", match_.id()}, {"why", why.sentence}});
  hopeless_ = why;
  dismiss([](const Member&) { return true; });
  for (auto* tasks : {&now_current_, &when_current_}) {
    for (const auto& task : std::exchange(*tasks, {})) task();
  }
}

}  // namespace tessera::server
