#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "core/text.hpp"
#include "store/store.hpp"

namespace tessera::cli {
namespace {

constexpr const char* footer = R"(
Everything goes: matches with their logs, people, keys, chat and facts such as bans and the keys that sign cookies, so
that nobody notices. STOP EVERY SERVER of both databases first, and start them with the new --database afterwards.

Nothing goes from the source; only its schema, if an older Tessera wrote it, is brought forward when it is opened. The
target is made (an SQLite file) or must exist (PostgreSQL: createdb), and may hold nothing but what the source has.
Interrupted or killed at any moment, the same command goes on where it was. At the end everything is read again from
both and compared.
Exit code 0: all is there and the same; 1: it is not, or something failed; 2: wrong input, and nothing was written.

Example: tessera migrate --from /var/lib/tessera/tessera.db --to postgresql://tessera@localhost/tessera)";

constexpr int page_size = 200;
constexpr std::size_t batch_matches = 50;
constexpr std::size_t batch_bytes = 4 << 20;

void keep_going() {
  if (interrupted()) throw Stop{failed, "interrupted; the same command goes on where it was"};
}

// ── The kinds of things: a page of each, what orders it, and its name in a sentence ──

auto page_after(Store& store, const MatchRow& last) { return store.matches_after(last.id, {}, page_size); }
auto page_after(Store& store, const Person& last) { return store.people_after(last.id, page_size); }
auto page_after(Store& store, const Key& last) { return store.keys_after(last.hash, last.kind, page_size); }
auto page_after(Store& store, const Fact& last) { return store.facts_after(last.name, page_size); }
auto page_after(Store& store, const ChatLine& last) { return store.chat_after(last.match, last.number, page_size); }

auto order(const MatchRow& match) { return std::tie(match.id); }
auto order(const Person& person) { return std::tie(person.id); }
auto order(const Key& key) { return std::tie(key.hash, key.kind); }
auto order(const Fact& fact) { return std::tie(fact.name); }
auto order(const ChatLine& line) { return std::tie(line.match, line.number); }

std::string name(const MatchRow& match) { return "match " + in_quotes(match.id); }
std::string name(const Person& person) { return "the person " + in_quotes(person.id); }
std::string name(const Key& key) { return fmt::format("a key ({}) of {}", key.kind, in_quotes(key.person)); }
std::string name(const Fact& fact) { return "the fact " + in_quotes(fact.name); }
std::string name(const ChatLine& line) { return fmt::format("line {} of the chat of {}", line.number, line.match); }

/// All things of one kind in a database, in their order, a page in memory at a time.
template <class Item>
class Pages {
 public:
  explicit Pages(Store& store) : store_(store) { turn({}); }

  const Item* now() const { return at_ < page_.size() ? &page_[at_] : nullptr; }  ///< null: that was all
  void next() {
    if (++at_ == page_.size()) turn(page_.back());
  }

 private:
  void turn(const Item& last) {
    keep_going();
    page_ = had(page_after(store_, Item(last)));
    at_ = 0;
  }

  Store& store_;
  std::vector<Item> page_;
  std::size_t at_ = 0;
};

class Migration {
 public:
  Migration(Store& source, Store& target) : source_(source), target_(target), total_(count(source)) {}

  /// The first thing of the target that the source has not, or has otherwise.
  std::optional<std::string> foreign() {
    const std::int64_t there = count(target_);
    if (there == 0) return std::nullopt;
    Progress progress("things of the target checked", static_cast<std::uint64_t>(there));
    return compare(progress, true);
  }

  void copy() {
    const auto before = static_cast<std::uint64_t>(count(target_));
    Progress progress("things copied", total_, before);
    std::uint64_t done = before;
    const auto write = [&](const Part& part, std::size_t things) {
      had(target_.take_in(part));
      progress.show(done += things, "");
    };
    copy_all<Person>([&](const std::vector<Person>& page) { write({.people = page}, page.size()); });
    copy_all<Key>([&](const std::vector<Key>& page) { write({.keys = page}, page.size()); });
    copy_all<Fact>([&](const std::vector<Fact>& page) { write({.facts = page}, page.size()); });
    copy_all<ChatLine>([&](const std::vector<ChatLine>& page) { write({.chat = page}, page.size()); });
    copy_all<MatchRow>([&](const std::vector<MatchRow>& page) {
      copy_matches(page);
      progress.show(done += page.size(), "");
    });
  }

  /// The first difference between the two.
  std::optional<std::string> difference() {
    Progress progress("things compared", total_);
    return compare(progress, false);
  }

  std::string compared() const {
    return fmt::format("{} matches with {} events, {} lines of chat, {} people, {} keys, {} facts", counts_.matches,
                       counts_.events, counts_.chat, counts_.people, counts_.keys, counts_.facts);
  }

 private:
  struct Counts {
    std::uint64_t matches = 0, events = 0, chat = 0, people = 0, keys = 0, facts = 0;
  };

  static std::uint64_t count(Store& store) {
    const Totals totals = had(store.totals());
    std::int64_t all =
        totals.people + totals.programs + totals.keys + totals.facts + totals.chat + totals.forgotten_chat;
    for (const Totals::Matches& matches : totals.matches) all += matches.count;
    return static_cast<std::uint64_t>(all);
  }

  /// What the target has not. Copied in the order of ids, that is all after the target's last, unless it was begun
  /// otherwise.
  template <class Item, class Write>
  void copy_all(Write write) {
    Pages<Item> target(target_);
    std::vector<Item> missing;
    for (Pages<Item> source(source_); source.now() != nullptr; source.next()) {
      while (target.now() != nullptr && order(*target.now()) < order(*source.now())) target.next();
      if (target.now() != nullptr && order(*target.now()) == order(*source.now())) continue;
      missing.push_back(*source.now());
      if (missing.size() == page_size) write(std::exchange(missing, {}));
    }
    if (!missing.empty()) write(std::move(missing));
  }

  void copy_matches(const std::vector<MatchRow>& rows) {
    std::vector<Append> batch;
    std::size_t bytes = 0;
    const auto write = [&] {
      const auto outcomes = had(target_.append(batch));
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if (outcomes[i] == Appended::done) continue;
        throw Stop{failed, fmt::format("match {} could not be written: another program writes to the target",
                                       in_quotes(batch[i].match))};
      }
      batch.clear();
      bytes = 0;
      keep_going();
    };
    for (const MatchRow& row : rows) {
      auto events = had(source_.events(row.id));
      for (const std::string& event : events) bytes += event.size();
      batch.push_back({.match = row.id, .expected = 0, .events = std::move(events), .row = row});
      if (batch.size() == batch_matches || bytes >= batch_bytes) write();
    }
    if (!batch.empty()) write();
  }

  /// `part`: the target may lack something.
  std::optional<std::string> compare(Progress& progress, bool part) {
    counts_ = {};
    std::uint64_t done = 0;
    const auto counted = [&](std::uint64_t& count) {
      return [&] {
        ++count;
        progress.show(++done, "");
      };
    };
    auto found = compare_all<Person>(part, counted(counts_.people));
    if (!found) found = compare_all<Key>(part, counted(counts_.keys));
    if (!found) found = compare_all<Fact>(part, counted(counts_.facts));
    if (!found) found = compare_all<ChatLine>(part, counted(counts_.chat));
    if (!found) found = compare_all<MatchRow>(part, counted(counts_.matches));
    return found;
  }

  template <class Item, class Counted>
  std::optional<std::string> compare_all(bool part, Counted counted) {
    Pages<Item> source(source_);
    Pages<Item> target(target_);
    while (target.now() != nullptr || (source.now() != nullptr && !part)) {
      const Item* const here = source.now();
      const Item* const there = target.now();
      if (here == nullptr || (there != nullptr && order(*there) < order(*here))) {
        return fmt::format("{} is in the target alone", name(*there));
      }
      if (there == nullptr || order(*here) < order(*there)) {
        if (!part) return fmt::format("{} is in the source alone", name(*here));
        source.next();
        continue;
      }
      if (!same(*here, *there)) return fmt::format("{} is another in the target than in the source", name(*here));
      counted();
      source.next();
      target.next();
    }
    return std::nullopt;
  }

  template <class Item>
  static bool same(const Item& here, const Item& there) {
    return here == there;
  }
  bool same(const MatchRow& here, const MatchRow& there) {
    if (here != there) return false;
    const auto events = had(source_.events(here.id));
    counts_.events += events.size();
    return events == had(target_.events(there.id));
  }

  Store& source_;
  Store& target_;
  std::uint64_t total_;
  Counts counts_;
};

void migrate(const std::string& from, const std::string& to) {
  const auto source = open_existing(from);
  auto opened = open_store(to);
  if (!opened) refuse(opened.error());
  Store& target = **opened;
  if (had(source->place()) == had(target.place())) refuse(Error{"--from and --to are the same database"});
  catch_interrupts();
  Migration migration(*source, target);
  if (const auto foreign = migration.foreign()) {
    refuse(
        Error{fmt::format("{}; give an empty database, or the one that this command was interrupted with", *foreign)});
  }
  migration.copy();
  const auto difference = migration.difference();
  if (difference) {
    throw Stop{failed, fmt::format("{}. Compared before that: {}. Do not use the target. Does a server still run?",
                                   *difference, migration.compared())};
  }
  fmt::print("Compared {}: all are the same.\n", migration.compared());
}

}  // namespace

void add_migrate(CLI::App& program) {
  CLI::App* command = program.add_subcommand("migrate", "Move everything from one database to another");
  command->footer(footer);
  struct Arguments {
    std::string from;
    std::string to;
  };
  auto arguments = std::make_shared<Arguments>();
  command->add_option("--from", arguments->from, "The source: an SQLite file, or postgresql://USER:PASSWORD@HOST/NAME")
      ->required()
      ->type_name("WHERE");
  command->add_option("--to", arguments->to, "The target, likewise")->required()->type_name("WHERE");
  command->callback([arguments] { migrate(arguments->from, arguments->to); });
}

}  // namespace tessera::cli
