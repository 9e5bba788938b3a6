#include "server/peers.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "core/text.hpp"
#include "crypto/crypto.hpp"
#include "server/identity.hpp"
#include "server/log.hpp"
#include "server/metrics.hpp"
#include "server/site.hpp"

namespace tessera::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_rounds = std::chrono::seconds(1);
constexpr auto dead_after = std::chrono::seconds(5);     ///< without a sign of life
constexpr auto cut_off_after = std::chrono::seconds(5);  ///< the others then think so too
/// With the bus up, logs are looked at all the same: what it carries may be lost.
constexpr int rounds_between_looks = 15;
constexpr std::size_t most_said_at_once = 200'000;  ///< bytes; a bus carries five times as many

/// Adds a heading "MATCH AFTER LAST BYTES" and as many bytes, the events; 0 bytes when whoever hears it must look.
void append_news(std::string& text, const Append& append) {
  text += append.match;
  const auto add = [&text](std::size_t number) { append_number(text += ' ', number); };
  add(append.expected);
  add(append.expected + append.events.size());
  std::size_t size = append.events.size() - 1;
  for (const std::string& line : append.events) size += line.size();
  // Who sits down has a name, which stands in the database.
  const bool look = size > most_said_at_once || std::ranges::any_of(append.events, seats_somebody);
  add(look ? 0 : size);
  text += '\n';
  if (look) return;
  for (const std::string& line : append.events) (text += line) += '\n';
}

/// What stands before the next `end`; it and that are taken off `text`.
std::string_view take(std::string_view& text, char end) {
  const std::string_view word = text.substr(0, text.find(end));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

/// What append_news has added, or a heading "MATCH": somebody has spoken there, with a `last` of 0.
std::vector<News> news_in(std::string_view text) {
  std::vector<News> all;
  while (!text.empty()) {
    std::string_view heading = take(text, '\n');
    News& news = all.emplace_back(News{take(heading, ' '), 0, 0, {}});
    if (heading.empty()) continue;
    const auto number = [&heading] { return parse_int<std::size_t>(take(heading, ' ')).value_or(0); };
    news.after = static_cast<Sequence>(number());
    news.last = static_cast<Sequence>(number());
    const std::size_t size = number();
    news.lines = text.substr(0, size);
    text.remove_prefix(std::min(size > 0 ? size + 1 : 0, text.size()));
  }
  return all;
}

}  // namespace

Peers::Peers(Site& site, std::unique_ptr<Store> store) : site_(site), store_(std::move(store)) {}

std::optional<Error> Peers::open_bus(const std::string& url) {
  const auto key = store_->first_fact("bus_key", fair::hex(crypto::random_bytes()));
  if (!key) return key.error();
  const auto bytes = fair::from_hex(*key);
  if (!bytes) return Error::for_owner("The key of the bus in the database cannot be read.");
  bus_key_ = *bytes;
  auto bus = Bus::open(url, *site_.loops.front(),
                       {.hear = [this](std::string_view sealed) { heard(sealed); },
                        .changed =
                            [this](bool up) {
                              site_.metrics->bus(up);
                              if (up) {
                                site_.log->info("the bus is up");
                              } else {
                                site_.log->warning("the bus is down: the database is asked instead");
                              }
                              look_at_all();
                            }});
  if (!bus) return bus.error();
  bus_ = std::move(*bus);
  site_.metrics->bus(bus_->up());
  return std::nullopt;
}

void Peers::start() {
  thread_ = std::thread([this] { work(); });
}

void Peers::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopping_changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

// ── What this process tells ──

void Peers::wrote(std::span<const Committer::Committed> committed) {
  if (!bus_) return;
  std::string text;
  for (const auto& [ticket, append, outcome] : committed) {
    if (!outcome || *outcome != Appended::done || append.events.empty()) continue;
    append_news(text, append);
    if (text.size() > most_said_at_once) say(std::exchange(text, {}));
  }
  if (!text.empty()) say(text);
}

void Peers::said(const std::string& match) {
  if (bus_) say(match + '\n');
}

void Peers::found(const std::string& match, Sequence last) {
  if (bus_) say(fmt::format("{} {} {} 0\n", match, last, last));
}

void Peers::say(std::string_view text) { bus_->say(crypto::sealed(bus_key_, text)); }

void Peers::arrived(Presence presence) {
  if (!site_.shared) return;
  const std::lock_guard lock(mutex_);
  arrived_.push_back(std::move(presence));
}

std::string_view Peers::bus() const { return !bus_ ? "none" : bus_->up() ? "up" : "down"; }

bool Peers::cut_off() const { return site_.shared && Clock::now() - answered_.load() > cut_off_after; }

// ── What others tell ──

void Peers::heard(std::string_view sealed) {
  auto opened = crypto::unsealed(bus_key_, sealed);
  if (!opened) return;
  const auto text = std::make_shared<const std::string>(std::move(*opened));
  std::vector<std::vector<News>> by_loop(site_.loops.size());
  for (const News& news : news_in(*text)) {
    by_loop[static_cast<std::size_t>(site_.home_of(news.match).loop().number())].push_back(news);
  }
  for (std::size_t i = 0; i < by_loop.size(); ++i) {
    if (by_loop[i].empty()) continue;
    Tables& tables = *site_.tables[i];
    tables.loop().run([&tables, text, all = std::move(by_loop[i])] {
      for (const News& news : all) {
        Table* const table = tables.find(std::string(news.match));
        if (table == nullptr) continue;
        if (news.last > 0) {
          table->heard(news);
        } else {
          table->look_for_chat();
        }
      }
    });
  }
}

void Peers::look_at_all() {
  for (const auto& tables : site_.tables) tables->loop().post([&tables] { tables->look_at_all(); });
}

void Peers::dismiss_all() {
  for (const auto& tables : site_.tables) {
    tables->loop().post([&tables] { tables->dismiss([](const Member&) { return true; }); });
  }
}

// ── Once a second ──

void Peers::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    const auto problem = round();
    if (problem && !failing_) site_.log->error("the database does not answer", {{"why", problem->sentence}});
    if (!problem && failing_) site_.log->info("the database answers again");
    failing_ = problem.has_value();
    site_.metrics->database(!failing_);
    if (!problem) answered_ = Clock::now();
    lock.lock();
    stopping_changed_.wait_for(lock, between_rounds, [this] { return stopping_; });
  }
}

std::optional<Error> Peers::round() {
  if (site_.shared) {
    if (auto problem = live_among()) return problem;
    if (bus() != "up" || ++rounds_ % rounds_between_looks == 0) look_at_all();
  }
  if (auto problem = heed_owner()) return problem;
  return do_what_is_due();
}

std::optional<Error> Peers::live_among() {
  // 1. Who came to this process since.
  std::vector<Presence> arrived;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(arrived_);
  }
  if (!arrived.empty()) {
    if (auto problem = store_->arrive(arrived, site_.process)) {
      const std::lock_guard lock(mutex_);
      arrived_.insert(arrived_.begin(), arrived.begin(), arrived.end());
      return problem;
    }
  }
  // 2. Who lives. Only this machine's clock measures for how long somebody has been silent.
  const auto signs = store_->sign_of_life(site_.process);
  if (!signs) return signs.error();
  const auto now = Clock::now();
  const bool was_away = now - answered_.load() > 2 * between_rounds;  // and perhaps all of them were
  std::map<std::string, Other> others;
  for (const auto& [process, count] : *signs) {
    if (process == site_.process) {
      if (count <= own_signs_) dismiss_all();  // it was taken for dead, and who was here for gone
      own_signs_ = count;
      continue;
    }
    const auto known = others_.find(process);
    const bool silent = known != others_.end() && known->second.signs == count;
    others[process] = silent && !was_away ? known->second : Other{count, now};
  }
  others_ = std::move(others);
  // 3. Who does not.
  for (const auto& [process, other] : others_) {
    if (now - other.since < dead_after) continue;
    if (auto problem = take_over(process)) return problem;
  }
  return std::nullopt;
}

std::optional<Error> Peers::take_over(const std::string& dead) {
  const auto people = store_->inherit(dead, site_.process);
  if (!people) return people.error();
  site_.log->warning("a process has stopped or died", {{"gone", dead}, {"people", std::to_string(people->size())}});
  for (const auto& [match, person] : *people) {
    Tables& home = site_.home_of(match);
    home.loop().post([&home, match, person] {
      home.with(match, [person](const Expected<Table*>& table) {
        if (table) (*table)->look_after(person);
      });
    });
  }
  return std::nullopt;
}

std::optional<Error> Peers::do_what_is_due() {
  const auto due = store_->keep_due(site_.process, now());
  if (!due) return due.error();
  for (const std::string& match : *due) {
    Tables& home = site_.home_of(match);
    home.loop().post([&home, match] {
      home.with(match, [](const Expected<Table*>& table) {
        if (table) (*table)->keep();
      });
    });
  }
  return std::nullopt;
}

/// `tessera admin` and the owner's requests to any process leave a notice.
std::optional<Error> Peers::heed_owner() {
  const auto notice = store_->fact("notice");
  if (!notice) return notice.error();
  if (notice->value_or("") == notice_) return std::nullopt;
  if (auto problem = site_.identity->read_keys(*store_)) return problem;
  const auto settings = Settings::read(*store_, site_.config.settings);
  if (!settings) return settings.error();
  site_.gate->set_settings(*settings);
  const auto bans = Bans::read(*store_);
  if (!bans) return bans.error();
  if (auto problem = heed_bans(*bans, *store_)) return problem;
  for (const auto& tables : site_.tables) tables->loop().post([&tables] { tables->look_who_is_forgotten(); });
  look_at_all();
  notice_ = notice->value_or("");
  return std::nullopt;
}

std::optional<Error> Peers::heed_bans(const Bans& bans, Store& store) {
  const Bans before = site_.gate->bans();
  std::vector<std::string> addresses;
  std::vector<std::string> people;
  std::ranges::set_difference(bans.addresses, before.addresses, std::back_inserter(addresses));
  for (const std::string& name : bans.names) {
    if (before.names.contains(name)) continue;
    const auto ids = store.people_named(name);
    if (!ids) return ids.error();
    people.insert(people.end(), ids->begin(), ids->end());
  }
  site_.gate->set_bans(bans);
  if (addresses.empty() && people.empty()) return std::nullopt;
  for (const auto& tables : site_.tables) {
    tables->loop().post([&tables, addresses, people] {
      tables->dismiss([&](const Member& member) {
        return std::ranges::find(addresses, member.address) != addresses.end() ||
               std::ranges::find(people, member.person) != people.end();
      });
    });
  }
  return std::nullopt;
}

}  // namespace tessera::server
