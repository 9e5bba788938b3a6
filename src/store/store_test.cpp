#include "store/store.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <barrier>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "store/schema.hpp"
#include "store/testing.hpp"

/// One suite for the contract, run on an SQLite file and on a PostgreSQL that the tests start.
namespace tessera {
namespace {

namespace fs = std::filesystem;

// ── Short ways to say things ──

MatchRow row_of(const std::string& id, Time changed = 1) {
  return {.id = id,
          .code = "code-" + id,
          .game = "marbles",
          .stage = MatchRow::Stage::gathering,
          .listed = true,
          .created = 1,
          .changed = changed,
          .due = std::nullopt,
          .summary = R"({"seats":4})",
          .people = {"ann", "bob"},
          .awaited = {"bob"}};
}

std::string event(Sequence sequence) { return fmt::format(R"({{"n":{}}})", sequence); }

Append new_match(const MatchRow& row) { return {.match = row.id, .expected = 0, .events = {event(1)}, .row = row}; }

Append further(const std::string& match, Sequence expected, Sequence count = 1) {
  Append append{.match = match, .expected = expected, .events = {}};
  for (Sequence i = 1; i <= count; ++i) append.events.push_back(event(expected + i));
  return append;
}

using Outcomes = std::vector<Appended>;
constexpr Appended done = Appended::done;
constexpr Appended stale = Appended::stale;

Outcomes append_to(Store& store, const std::vector<Append>& appends) {
  const auto outcomes = store.append(appends);
  if (outcomes) return *outcomes;
  ADD_FAILURE() << outcomes.error().sentence;
  return {};
}

void add_row(Store& store, const MatchRow& row) { EXPECT_EQ(append_to(store, {new_match(row)}), Outcomes{done}); }

/// Of a match that add_row has made.
void change_row(Store& store, const MatchRow& row) {
  EXPECT_EQ(append_to(store, {{.match = row.id, .expected = 1, .events = {}, .row = row}}), Outcomes{done});
}

#define EXPECT_GOOD(call) EXPECT_EQ(call, std::nullopt)

std::vector<std::string> events_up_to(Sequence last) {
  std::vector<std::string> events;
  for (Sequence i = 1; i <= last; ++i) events.push_back(event(i));
  return events;
}

std::vector<std::string> ids(const std::vector<MatchRow>& rows) {
  std::vector<std::string> result;
  for (const MatchRow& row : rows) result.push_back(row.id);
  return result;
}
using Ids = std::vector<std::string>;

class Contract : public testing::TestWithParam<Backend> {
 protected:
  Contract() : where_(GetParam() == Backend::sqlite ? folder_.file("tessera.db") : postgres().new_database()) {}

  std::unique_ptr<Store> open() const { return opened(where_); }
  void execute(const std::string& sql) const {
    if (GetParam() == Backend::postgres) {
      PostgresServer::execute_at(where_, sql);
    } else {
      sqlite3* connection = nullptr;
      EXPECT_EQ(sqlite3_open(where_.c_str(), &connection), SQLITE_OK);
      EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
          << sqlite3_errmsg(connection);
      sqlite3_close(connection);
    }
  }

  TemporaryFolder folder_;
  std::string where_;
};

INSTANTIATE_TEST_SUITE_P(Backends, Contract, testing::Values(Backend::sqlite, Backend::postgres),
                         [](const auto& info) { return info.param == Backend::sqlite ? "Sqlite" : "Postgres"; });

// ── The log ──

TEST_P(Contract, WhatIsAppendedIsRead) {
  const auto store = open();
  EXPECT_TRUE(good(store->events("m")).empty());
  add_row(*store, row_of("m"));
  EXPECT_EQ(append_to(*store, {further("m", 1, 3), further("m", 4), further("m", 5, 2)}), (Outcomes{done, done, done}));
  EXPECT_EQ(good(store->events("m")), events_up_to(7));
  for (Sequence after = 1; after <= 9; ++after) {
    auto rest = events_up_to(7);
    rest.erase(rest.begin(), rest.begin() + std::min<Sequence>(after, 7));
    EXPECT_EQ(good(store->events("m", after)), rest) << after;
  }
}

TEST_P(Contract, AStaleAppendIsRefusedByItselfAndWhole) {
  const auto store = open();
  add_row(*store, row_of("m"));
  add_row(*store, row_of("n"));
  MatchRow changed = row_of("m", 77);
  Append with_row = further("m", 1, 2);
  with_row.row = changed;
  Append too_early = further("m", 0);
  too_early.row = row_of("m", 99);
  Append too_late = further("n", 2);
  too_late.row = row_of("n", 99);
  EXPECT_EQ(append_to(*store, {further("m", 5), with_row, further("m", 1, 4), further("m", 2), too_early, too_late,
                               further("n", 1), further("absent", 1), further("m", 3)}),
            (Outcomes{stale, done, stale, stale, stale, stale, done, stale, done}));
  EXPECT_EQ(good(store->events("m")), events_up_to(4));
  EXPECT_EQ(good(store->events("n")), events_up_to(2));
  EXPECT_TRUE(good(store->events("absent")).empty());
  EXPECT_EQ(good(store->row("m")), changed);
  EXPECT_EQ(good(store->row("n")), row_of("n"));
}

TEST_P(Contract, ALogEndsWhereItEndsWhoeverHasWrittenAndHoweverLongAgo) {
  const std::array<std::unique_ptr<Store>, 2> writers{open(), open()};
  const auto reader = open();
  for (const char* match : {"busy", "slow", "still"}) add_row(*writers[0], row_of(match));
  Sequence busy = 1;
  for (Sequence round = 1; round <= 40; ++round) {
    Store& writer = *writers[round / 3 % 2];
    std::vector<Append> appends{further("slow", round)};
    for (int i = 0; i < 60; ++i) appends.push_back(further("busy", busy++));
    appends.push_back(further("busy", busy + 1));
    Outcomes outcomes(appends.size(), done);
    outcomes.back() = stale;
    EXPECT_EQ(append_to(writer, appends), outcomes);
    EXPECT_EQ(good(reader->events("busy", busy - 2)), (std::vector{event(busy - 1), event(busy)}));
    EXPECT_EQ(good(reader->events("slow")), events_up_to(round + 1));
    EXPECT_EQ(good(reader->events("still")), events_up_to(1));
  }
  EXPECT_EQ(good(open()->events("busy")), events_up_to(busy));
}

TEST_P(Contract, AnErrorLeavesNothingOfTheBatch) {
  const auto store = open();
  add_row(*store, row_of("m"));
  execute("DROP TABLE seats");
  Append with_row = further("m", 2);
  with_row.row = row_of("m", 5);
  EXPECT_FALSE(store->append(std::vector{further("m", 1), with_row}));
  EXPECT_EQ(good(store->events("m")), events_up_to(1));
  EXPECT_EQ(append_to(*store, {further("m", 1)}), Outcomes{done});
}

TEST_P(Contract, AnythingMayStandInAText) {
  const auto store = open();
  add_row(*store, row_of("m"));
  const std::string text = R"({"text":"it's \"quoted\" \\ \n \u0000 $1 ? ☃ 日本語"})";
  EXPECT_EQ(append_to(*store, {{.match = "m", .expected = 1, .events = {text, ""}}}), Outcomes{done});
  EXPECT_EQ(good(store->events("m", 1)), (std::vector<std::string>{text, ""}));
}

TEST_P(Contract, IsThereAfterOpeningAgain) {
  {
    const auto store = open();
    add_row(*store, row_of("m"));
    EXPECT_EQ(append_to(*store, {further("m", 1, 40)}), Outcomes{done});
    EXPECT_GOOD(store->put_fact("key", "value"));
  }
  const auto store = open();
  EXPECT_EQ(good(store->events("m")), events_up_to(41));
  EXPECT_EQ(good(store->row("m")), row_of("m"));
  EXPECT_EQ(good(store->fact("key")), "value");
}

TEST_P(Contract, OfTwoStoresExactlyOneWinsEachSequence) {
  constexpr Sequence rounds = 60;
  add_row(*open(), row_of("m"));
  std::vector<std::vector<std::string>> won(2);
  std::barrier together(2);
  auto play = [&](std::size_t me) {
    const auto store = open();
    for (Sequence expected = 1; expected <= rounds; ++expected) {
      const std::string mine = fmt::format(R"({{"by":{},"n":{}}})", me, expected + 1);
      together.arrive_and_wait();
      const auto outcomes = append_to(*store, {{.match = "m", .expected = expected, .events = {mine}}});
      if (outcomes == Outcomes{done}) won[me].push_back(mine);
    }
  };
  std::thread other([&] { play(1); });
  play(0);
  other.join();
  const auto log = good(open()->events("m", 1));
  ASSERT_EQ(log.size(), rounds);
  std::multiset<std::string> winners(won[0].begin(), won[0].end());
  winners.insert(won[1].begin(), won[1].end());
  EXPECT_EQ(std::multiset<std::string>(log.begin(), log.end()), winners);
}

/// Appends to five matches until it is killed, and tells on `pipe` what is done.
[[noreturn]] void append_until_killed(const std::string& where, int pipe) {
  const auto store = opened(where);
  std::map<std::string, Sequence> last;
  for (;;) {
    std::vector<Append> batch;
    for (int i = 0; i < 5; ++i) {
      const std::string match = fmt::format("m{}", i);
      if (!last.contains(match)) last[match] = static_cast<Sequence>(good(store->events(match)).size());
      batch.push_back(last[match] == 0 ? new_match(row_of(match)) : further(match, last[match], 1 + last[match] % 3));
    }
    const auto outcomes = store->append(batch);
    if (!outcomes) std::abort();
    std::string told;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if ((*outcomes)[i] == stale) {  // a commit that outlived an earlier process came in between
        last.erase(batch[i].match);
      } else {
        last[batch[i].match] += static_cast<Sequence>(batch[i].events.size());
        told += fmt::format("{} {}\n", batch[i].match, last[batch[i].match]);
      }
    }
    if (write(pipe, told.data(), told.size()) < 0) std::abort();
  }
}

TEST_P(Contract, NothingThatWasDoneIsLostWhenTheProcessIsKilled) {
  open();
  std::mt19937 random(7);
  std::map<std::string, Sequence> told;
  for (int round = 0; round < 20; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      append_until_killed(where_, ends[1]);
    }
    close(ends[1]);
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 100));
    kill(child, SIGKILL);
    std::string text;
    char buffer[4096];
    for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, got);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    std::istringstream lines(text.substr(0, text.rfind('\n') + 1));
    std::string match;
    for (Sequence sequence = 0; lines >> match >> sequence;) told[match] = sequence;

    const auto store = open();
    for (const auto& [name, sequence] : told) {
      const auto log = good(store->events(name));
      EXPECT_GE(log.size(), sequence) << name;
      EXPECT_EQ(log, events_up_to(static_cast<Sequence>(log.size()))) << name;
    }
  }
  EXPECT_EQ(told.size(), 5);
}

// ── Lists ──

TEST_P(Contract, RowsAreKeptWhole) {
  const auto store = open();
  EXPECT_EQ(good(store->row("m")), std::nullopt);
  MatchRow row = row_of("m");
  add_row(*store, row);
  EXPECT_EQ(good(store->row("m")), row);
  row.stage = MatchRow::Stage::playing;
  row.listed = false;
  row.changed = 5;
  row.due = 9'000'000'000'000;
  row.summary = "{}";
  row.people = {"zoe", "ann", "bob"};
  row.awaited = {"zoe", "ann"};
  change_row(*store, row);
  EXPECT_EQ(good(store->row("m")), row);
  row.people.clear();
  row.awaited.clear();
  row.due.reset();
  change_row(*store, row);
  EXPECT_EQ(good(store->row("m")), row);
}

TEST_P(Contract, ARowMayBeWrittenWithoutEvents) {
  const auto store = open();
  MatchRow row = row_of("m");
  add_row(*store, row);
  const auto log = good(store->events("m"));
  const auto last = static_cast<Sequence>(log.size());
  row.summary = "{}";
  EXPECT_EQ(append_to(*store, {{.match = "m", .expected = last + 1, .events = {}, .row = row_of("m")}}),
            Outcomes{stale});
  EXPECT_EQ(append_to(*store, {{.match = "m", .expected = last, .events = {}, .row = row}}), Outcomes{done});
  EXPECT_EQ(good(store->row("m")), row);
  EXPECT_EQ(good(store->events("m")), log);
}

TEST_P(Contract, ACodeIsUniqueAmongMatchesThatAreNotOver) {
  const auto store = open();
  MatchRow first = row_of("first");
  MatchRow second = row_of("second");
  second.code = first.code;
  add_row(*store, first);
  EXPECT_EQ(append_to(*store, {new_match(second), new_match(row_of("third"))}), (Outcomes{stale, done}));
  EXPECT_TRUE(good(store->events("second")).empty());
  EXPECT_EQ(good(store->row("second")), std::nullopt);
  EXPECT_EQ(good(store->match_with_code(first.code)), "first");

  first.stage = MatchRow::Stage::over;
  change_row(*store, first);
  EXPECT_EQ(good(store->match_with_code(first.code)), std::nullopt);
  add_row(*store, second);
  EXPECT_EQ(good(store->match_with_code(first.code)), "second");
}

TEST_P(Contract, ListsAreNewestFirstAndTurnPagesThroughTies) {
  const auto store = open();
  constexpr MatchRow::Stage stages[] = {MatchRow::Stage::gathering, MatchRow::Stage::playing, MatchRow::Stage::over};
  Ids expected;
  for (int i = 0; i < 30; ++i) {
    for (const MatchRow::Stage stage : stages) {
      MatchRow row = row_of(fmt::format("{:02}-{}", i, static_cast<int>(stage)), 100 + i / 7);
      row.stage = stage;
      row.listed = i % 5 != 0;
      add_row(*store, row);
    }
    if (i % 5 != 0) expected.insert(expected.begin(), fmt::format("{:02}", i));
  }
  using List = Expected<std::vector<MatchRow>> (Store::*)(const Page&);
  constexpr List lists[] = {&Store::listed, &Store::watchable, &Store::finished};
  for (int list = 0; list < 3; ++list) {
    Ids found;
    Page page{.before = std::nullopt, .before_id = {}, .limit = 4};
    for (;;) {
      const auto rows = good((store.get()->*lists[list])(page));
      if (rows.empty()) break;
      EXPECT_LE(rows.size(), 4);
      for (const MatchRow& row : rows) {
        EXPECT_EQ(row.stage, stages[list]);
        EXPECT_EQ(row.people, (Ids{"ann", "bob"}));
        found.push_back(row.id.substr(0, 2));
      }
      page.before = rows.back().changed;
      page.before_id = rows.back().id;
    }
    EXPECT_EQ(found, expected);
  }
}

TEST_P(Contract, APersonsMatchesBeginWithThoseThatAwaitThem) {
  const auto store = open();
  for (int i = 0; i < 12; ++i) {
    MatchRow row = row_of(fmt::format("m{:02}", i), 50 + i / 2);
    row.people = i % 4 == 3 ? Ids{"bob"} : Ids{"bob", "ann"};
    row.awaited = i % 3 == 0 ? Ids{"ann", "bob"} : Ids{"bob"};
    if (i == 10) row.stage = MatchRow::Stage::over;
    add_row(*store, row);
  }
  EXPECT_EQ(ids(good(store->matches_of("ann", false, {}))),
            (Ids{"m09", "m06", "m00", "m08", "m05", "m04", "m02", "m01"}));
  EXPECT_EQ(ids(good(store->matches_of("ann", true, {}))), Ids{"m10"});
  EXPECT_TRUE(good(store->matches_of("zoe", false, {})).empty());
  EXPECT_EQ(good(store->count_of("ann")), 8);
  EXPECT_EQ(good(store->count_of("zoe")), 0);

  Ids found;
  Page page{.before = std::nullopt, .before_id = {}, .limit = 2};
  for (;;) {
    const auto rows = good(store->matches_of("ann", false, page));
    if (rows.empty()) break;
    for (const std::string& id : ids(rows)) found.push_back(id);
    page.before = rows.back().changed;
    page.before_id = rows.back().id;
  }
  EXPECT_EQ(found, ids(good(store->matches_of("ann", false, {}))));
}

TEST_P(Contract, WhatIsDueIsFoundAndStaysOnesOwn) {
  const auto store = open();
  for (const auto& [id, due] : std::map<std::string, std::optional<Time>>{{"a", 30}, {"b", std::nullopt}, {"c", 10}}) {
    MatchRow row = row_of(id);
    row.due = due;
    add_row(*store, row);
  }
  EXPECT_EQ(good(store->keep_due("p", 9)), Ids{});
  EXPECT_EQ(good(store->keep_due("p", 10)), Ids{"c"});
  EXPECT_EQ(good(store->keep_due("p", 11)), Ids{"c"});
  Ids all = good(store->keep_due("p", 1000));
  std::ranges::sort(all);
  EXPECT_EQ(all, (Ids{"a", "c"}));
}

// ── Several processes ──

TEST_P(Contract, NewsAreWhatCameAfterWhatIsKnown) {
  const auto store = open();
  for (const char* id : {"a", "b", "c"}) add_row(*store, row_of(id));
  EXPECT_EQ(append_to(*store, {further("a", 1, 2)}), Outcomes{done});
  EXPECT_EQ(append_to(*store, {further("a", 3, 1)}), Outcomes{done});
  EXPECT_EQ(append_to(*store, {further("c", 1, 1)}), Outcomes{done});
  const std::vector<Known> known{{"c", 0}, {"a", 3}, {"b", 1}, {"a", 1}, {"nowhere", 0}};
  const auto news = good(store->news(known));
  EXPECT_EQ(news, (std::vector<std::vector<std::string>>{
                      {event(1), event(2)}, {event(4)}, {}, {event(2), event(3), event(4)}, {}}));
  EXPECT_TRUE(good(store->news({})).empty());
}

TEST_P(Contract, PeopleArePresentThroughProcessesAndTheDeadHaveHeirs) {
  const auto store = open();
  const Presence ann{"m", "ann"};
  const Presence bob{"m", "bob"};
  EXPECT_GOOD(store->arrive(std::vector{ann, bob, ann}, "p"));
  EXPECT_GOOD(store->arrive(std::vector{ann}, "q"));
  EXPECT_TRUE(good(store->present(ann)));
  EXPECT_FALSE(good(store->present({"n", "ann"})));
  EXPECT_EQ(good(store->depart(std::vector{ann, bob}, "p")), (std::vector<bool>{true, false}));
  EXPECT_EQ(good(store->depart(std::vector{ann}, "q")), std::vector<bool>{false});
  EXPECT_FALSE(good(store->present(ann)));

  EXPECT_GOOD(store->arrive(std::vector{ann, bob}, "dead"));
  EXPECT_GOOD(store->arrive(std::vector{bob}, "heir"));
  EXPECT_EQ(good(store->inherit("dead", "heir")).size(), 2U);
  EXPECT_TRUE(good(store->inherit("dead", "heir")).empty());
  EXPECT_EQ(good(store->depart(std::vector{ann, bob}, "heir")), (std::vector<bool>{false, false}));
}

TEST_P(Contract, SignsOfLifeCountUpUntilSomebodyInherits) {
  const auto store = open();
  const auto signs = [&](const char* process) {
    std::map<std::string, std::int64_t> counts;
    for (const Sign& sign : good(store->sign_of_life(process))) counts[sign.process] = sign.count;
    return counts;
  };
  using Counts = std::map<std::string, std::int64_t>;
  EXPECT_EQ(signs("p"), (Counts{{"p", 1}}));
  EXPECT_EQ(signs("q"), (Counts{{"p", 1}, {"q", 1}}));
  EXPECT_EQ(signs("p"), (Counts{{"p", 2}, {"q", 1}}));
  EXPECT_TRUE(good(store->inherit("q", "p")).empty());
  EXPECT_EQ(signs("p"), (Counts{{"p", 3}}));
}

TEST(Postgres, WhatIsDueIsKeptByOneProcessAtATime) {
  const std::string url = postgres().new_database();
  const auto one = opened(url);
  const auto two = opened(url);
  for (int i = 0; i < 40; ++i) {
    MatchRow row = row_of(fmt::format("m{}", i));
    row.due = 5;
    add_row(*one, row);
  }
  // At the same moment, again and again: nothing is kept twice, and nothing is left out.
  Ids kept_by_one;
  Ids kept_by_two;
  std::barrier together(2);
  std::thread other([&] {
    together.arrive_and_wait();
    kept_by_two = good(two->keep_due("two", 10));
  });
  together.arrive_and_wait();
  kept_by_one = good(one->keep_due("one", 10));
  other.join();
  if (kept_by_one.size() + kept_by_two.size() < 40) kept_by_one = good(one->keep_due("one", 11));
  std::set<std::string> all(kept_by_one.begin(), kept_by_one.end());
  all.insert(kept_by_two.begin(), kept_by_two.end());
  EXPECT_EQ(kept_by_one.size() + kept_by_two.size(), 40U);
  EXPECT_EQ(all.size(), 40U);
  // A keeper that is silent for too long loses them, one that writes does not.
  Append written = further(kept_by_one.empty() ? "m0" : kept_by_one.front(), 1);
  written.row = row_of(written.match, 10 + keep_ms);
  written.row->due = 5;
  written.keeper = "one";
  EXPECT_EQ(append_to(*one, {written}), Outcomes{done});
  const Ids inherited = good(two->keep_due("two", 11 + keep_ms));
  EXPECT_EQ(inherited.size(), 39U);
  EXPECT_EQ(std::ranges::count(inherited, written.match), 0);
}

// ── People ──

TEST_P(Contract, PeopleAreKeptAndChanged) {
  const auto store = open();
  Person ann{.id = "1", .name = "Ann", .webhook = "https://example.org", .created = 5};
  const Person bot{.id = "2", .name = "Bot", .bot = true, .created = 6};
  EXPECT_GOOD(store->put_person(ann));
  EXPECT_GOOD(store->put_person(bot));
  ann.name = "Anna";
  ann.webhook = "";
  EXPECT_GOOD(store->put_person(ann));
  EXPECT_EQ(good(store->person("1")), ann);
  EXPECT_EQ(good(store->person("3")), std::nullopt);
  EXPECT_EQ(good(store->people(Ids{"2", "3", "1"})), (std::vector{bot, ann}));
}

TEST_P(Contract, PeopleAreFoundByTheirPresentName) {
  const auto store = open();
  for (const char* id : {"2", "1", "3"}) EXPECT_GOOD(store->put_person({.id = id, .name = "Zoë"}));
  EXPECT_GOOD(store->put_person({.id = "1", .name = "ZOë"}));
  EXPECT_GOOD(store->put_person({.id = "3", .name = "Zed"}));
  EXPECT_EQ(good(store->people_named("zOë")), (Ids{"1", "2"}));
  EXPECT_EQ(good(store->people_named("nobody")), Ids{});
}

TEST_P(Contract, NamesAreUniqueAmongThoseWithAPassword) {
  const auto store = open();
  const Person visitor{.id = "1", .name = "Zoë"};
  Person owner{.id = "2", .name = "ZOë", .password = "hash"};
  Person late{.id = "3", .name = "zoë", .password = "other hash"};
  EXPECT_GOOD(store->put_person(visitor));
  EXPECT_EQ(good(store->person_with_password("zoë")), std::nullopt);
  EXPECT_GOOD(store->put_person(owner));
  EXPECT_EQ(good(store->person_with_password("zoë")), owner);
  EXPECT_NE(store->put_person(late), std::nullopt);
  EXPECT_EQ(good(store->person("3")), std::nullopt);
  owner.password = "new hash";
  EXPECT_GOOD(store->put_person(owner));
  EXPECT_EQ(good(store->person_with_password("Zoë")), owner);
  owner.name = "Zed";
  EXPECT_GOOD(store->put_person(owner));
  EXPECT_GOOD(store->put_person(late));
  EXPECT_NE(store->put_person({.id = "2", .name = "ZOë", .password = "hash"}), std::nullopt);
  EXPECT_EQ(good(store->person("2")), owner);
}

TEST_P(Contract, KeysBringAPersonBack) {
  const auto store = open();
  EXPECT_GOOD(store->put_key("h1", "ann", "link"));
  EXPECT_GOOD(store->put_key("h1", "bob", "feed"));
  EXPECT_GOOD(store->put_key("h2", "ann", "feed"));
  EXPECT_GOOD(store->put_key("h2", "ann", "feed"));
  EXPECT_EQ(good(store->person_with_key("h1", "link")), "ann");
  EXPECT_EQ(good(store->person_with_key("h1", "feed")), "bob");
  EXPECT_EQ(good(store->person_with_key("h3", "feed")), std::nullopt);
  EXPECT_GOOD(store->drop_keys("ann", "link"));
  EXPECT_EQ(good(store->person_with_key("h1", "link")), std::nullopt);
  EXPECT_EQ(good(store->person_with_key("h2", "feed")), "ann");
}

// ── Chat and facts ──

TEST_P(Contract, ChatCountsUpAndKeepsARepeatedLineOnce) {
  const auto store = open();
  ChatLine line{.match = "m", .person = "ann", .command = 7, .gallery = true, .text = "hello", .at = 3};
  ChatLine kept = line;
  kept.number = 1;
  EXPECT_EQ(good(store->say(line)), kept);
  line.text = "again";
  EXPECT_EQ(good(store->say(line)), kept);
  line.command = ~std::uint64_t{0};
  EXPECT_EQ(good(store->say(line)).number, 2);
  line.match = "other";
  EXPECT_EQ(good(store->say(line)).number, 1);
  line.match = "m";
  line.person = "bob";
  EXPECT_EQ(good(store->say(line)).number, 3);

  const auto all = good(store->chat("m", 0, 10));
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[0], kept);
  EXPECT_EQ(all[1].command, ~std::uint64_t{0});
  EXPECT_EQ(good(store->chat("m", 0, 2)), std::vector(all.begin() + 1, all.end()));
  EXPECT_EQ(good(store->chat("m", 2, 10)), std::vector(all.begin() + 2, all.end()));
}

TEST_P(Contract, TwoStoresNeverGiveTwoLinesOneNumber) {
  constexpr int lines = 40;
  open();
  auto speak = [&](const std::string& person) {
    const auto store = open();
    for (std::uint64_t i = 0; i < lines; ++i) {
      good(store->say({.match = "m", .person = person, .command = i, .text = "x"}));
    }
  };
  std::thread other([&] { speak("bob"); });
  speak("ann");
  other.join();
  const auto all = good(open()->chat("m", 0, 1000));
  ASSERT_EQ(all.size(), 2 * lines);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].number, i + 1);
}

TEST_P(Contract, FactsAreReplaced) {
  const auto store = open();
  EXPECT_EQ(good(store->fact("keys")), std::nullopt);
  EXPECT_GOOD(store->put_fact("keys", "a"));
  EXPECT_GOOD(store->put_fact("keys", ""));
  EXPECT_EQ(good(store->fact("keys")), "");
  EXPECT_GOOD(store->ping());
}

// ── Everything, for whoever owns it ──

MatchRow over_row(const std::string& id, Time changed = 1) {
  MatchRow row = row_of(id, changed);
  row.stage = MatchRow::Stage::over;
  return row;
}

TEST_P(Contract, PagesGoThroughEverythingInTheOrderOfIds) {
  const auto store = open();
  const Ids names{"A", "B~1", "B~2", "Zoë", "a", "b", "☃"};  // as bytes decide
  Part part;
  for (const std::string& name : names) {
    part.people.push_back({.id = name,
                           .name = fmt::format("N{}", part.people.size()),
                           .password = "hash",
                           .bot = name == "a",
                           .created = 3});
    for (const char* kind : {"feed", "link"}) part.keys.push_back({.hash = name, .kind = kind, .person = "P" + name});
    part.facts.push_back({.name = name, .value = "V" + name});
    for (const std::uint64_t number : {2, 5}) {
      part.chat.push_back({.number = number,
                           .match = name,
                           .person = "ann",
                           .command = ~number,
                           .gallery = number == 5,
                           .text = number == 2 ? "" : "hello",
                           .at = 8});
    }
    add_row(*store, row_of(name));
  }
  Part shuffled = part;
  std::mt19937 random(7);
  std::ranges::shuffle(shuffled.people, random);
  std::ranges::shuffle(shuffled.chat, random);
  EXPECT_GOOD(store->take_in(shuffled));
  for (const int limit : {1, 3, 100}) {
    Ids matches;
    Part found;
    const auto add = [](auto& all, const auto& page) {
      all.insert(all.end(), page.begin(), page.end());
      return !page.empty();
    };
    while (add(matches, ids(good(store->matches_after(matches.empty() ? "" : matches.back(), {}, limit))))) continue;
    Person person;
    while (add(found.people, good(store->people_after(person.id, limit)))) person = found.people.back();
    Key key;
    while (add(found.keys, good(store->keys_after(key.hash, key.kind, limit)))) key = found.keys.back();
    Fact fact;
    while (add(found.facts, good(store->facts_after(fact.name, limit)))) fact = found.facts.back();
    ChatLine line;
    while (add(found.chat, good(store->chat_after(line.match, line.number, limit)))) line = found.chat.back();
    EXPECT_EQ(matches, names);
    EXPECT_EQ(found.people, part.people);
    EXPECT_EQ(found.keys, part.keys);
    EXPECT_EQ(found.facts, part.facts);
    EXPECT_EQ(found.chat, part.chat);
  }
}

TEST_P(Contract, WhatIsTakenInLeavesAloneWhatIsThere) {
  const auto store = open();
  const Person ann{.id = "1", .name = "Ann", .password = "hash", .created = 5};
  EXPECT_GOOD(store->put_person(ann));
  EXPECT_GOOD(store->put_key("h", "1", "link"));
  EXPECT_GOOD(store->put_fact("f", "old"));
  good(store->say({.match = "m", .person = "1", .command = 1, .text = "old"}));
  EXPECT_GOOD(store->take_in(
      {.people = {{.id = "1", .name = "Other"}, {.id = "2", .name = "ANN", .password = "x"}, {.id = "3", .name = "Z"}},
       .keys = {{.hash = "h", .kind = "link", .person = "3"}},
       .facts = {{.name = "f", .value = "new"}},
       .chat = {{.number = 1, .match = "m", .person = "3", .text = "new"},
                {.number = 4, .match = "m", .person = "1", .command = 1, .text = "new"}}}));
  EXPECT_EQ(good(store->person("1")), ann);
  EXPECT_EQ(good(store->person("2")), std::nullopt);
  EXPECT_NE(good(store->person("3")), std::nullopt);
  EXPECT_EQ(good(store->person_with_password("ann")), ann);
  EXPECT_EQ(good(store->person_with_key("h", "link")), "1");
  EXPECT_EQ(good(store->fact("f")), "old");
  EXPECT_EQ(good(store->chat_after("", 0, 10)).size(), 1);
}

TEST_P(Contract, MatchesAreFiltered) {
  const auto store = open();
  for (int i = 0; i < 12; ++i) {
    MatchRow row = row_of(fmt::format("m{:02}", i), 50 - i / 2);
    row.stage = static_cast<MatchRow::Stage>(i % 3);
    row.listed = i % 2 == 0;
    if (i % 4 == 0) row.game = "cybo";
    if (i % 5 == 0) row.people.emplace_back("zoe");
    add_row(*store, row);
  }
  const auto both = [&](const Filter& filter) {
    Ids by_id = ids(good(store->matches_after("", filter, 100)));
    Ids by_time = ids(good(store->newest(filter, {.before = std::nullopt, .before_id = {}, .limit = 100})));
    Ids sorted = by_time;
    std::ranges::sort(sorted);
    EXPECT_EQ(by_id, sorted);
    EXPECT_EQ(good(store->count(filter)), by_id.size());
    return by_time;
  };
  EXPECT_EQ(both({}), (Ids{"m01", "m00", "m03", "m02", "m05", "m04", "m07", "m06", "m09", "m08", "m11", "m10"}));
  EXPECT_EQ(both({.stage = MatchRow::Stage::over}), (Ids{"m02", "m05", "m08", "m11"}));
  EXPECT_EQ(both({.stage = MatchRow::Stage::gathering, .game = "cybo"}), (Ids{"m00"}));
  EXPECT_EQ(both({.person = "zoe"}), (Ids{"m00", "m05", "m10"}));
  EXPECT_EQ(both({.person = "nobody"}), Ids{});
  EXPECT_EQ(both({.changed_before = 46}), (Ids{"m11", "m10"}));
  Ids paged;
  Page page{.before = std::nullopt, .before_id = {}, .limit = 5};
  for (;;) {
    const auto rows = good(store->newest({}, page));
    if (rows.empty()) break;
    EXPECT_EQ(good(store->row(rows.front().id)), rows.front());
    for (const std::string& id : ids(rows)) paged.push_back(id);
    page.before = rows.back().changed;
    page.before_id = rows.back().id;
  }
  EXPECT_EQ(paged, both({}));
}

TEST_P(Contract, DroppedMatchesTakeEverythingWithThem) {
  const auto store = open();
  for (const char* id : {"over", "over2", "played"}) {
    add_row(*store, std::string_view(id) == "played" ? row_of(id) : over_row(id));
    EXPECT_EQ(append_to(*store, {further(id, 1, 3)}), Outcomes{done});
    good(store->say({.match = id, .person = "ann", .command = 1, .text = "x"}));
    EXPECT_GOOD(store->put_fact(muted_fact(id, "ann"), "yes"));
  }
  EXPECT_EQ(good(store->drop(Ids{"absent", "over", "played"})), 1);
  EXPECT_EQ(good(store->drop(Ids{"over", "played"})), 0);
  EXPECT_EQ(good(store->row("over")), std::nullopt);
  EXPECT_TRUE(good(store->events("over")).empty());
  EXPECT_TRUE(good(store->chat("over", 0, 9)).empty());
  EXPECT_EQ(good(store->fact(muted_fact("over", "ann"))), std::nullopt);
  EXPECT_EQ(ids(good(store->matches_of("ann", true, {}))), Ids{"over2"});
  for (const char* id : {"over2", "played"}) {
    EXPECT_EQ(good(store->events(id)), events_up_to(4));
    EXPECT_EQ(good(store->chat(id, 0, 9)).size(), 1);
    EXPECT_EQ(good(store->fact(muted_fact(id, "ann"))), "yes");
  }
  EXPECT_EQ(append_to(*store, {further("over", 4)}), Outcomes{stale});
  EXPECT_EQ(good(store->totals()).events, 8);
}

/// Whatever is dropped between them, by whichever store, all other logs are as they must be: numbers that are free again
/// make no difference, nor what a store remembers.
TEST_P(Contract, LogsGoOnWhileOthersAreDropped) {
  const std::array<std::unique_ptr<Store>, 2> stores{open(), open()};
  std::mt19937 random(11);
  std::map<std::string, Sequence> lasts;
  int made = 0;
  for (int round = 0; round < 150; ++round) {
    Store& store = *stores[random() % 2];
    if (random() % 3 == 0 && !lasts.empty()) {
      Ids some;
      for (const auto& [id, last] : lasts) {
        if (random() % 2 == 0) some.push_back(id);
      }
      EXPECT_EQ(good(store.drop(some)), some.size());
      for (const std::string& id : some) lasts.erase(id);
    } else {
      std::vector<Append> appends;
      for (auto& [id, last] : lasts) {
        if (random() % 2 == 0) continue;
        appends.push_back(further(id, last, 1 + random() % 3));
        last += static_cast<Sequence>(appends.back().events.size());
      }
      for (int i = 0; i < 2; ++i) {
        const std::string id = fmt::format("m{}", made++);
        appends.push_back(new_match(over_row(id)));
        lasts[id] = 1;
      }
      EXPECT_EQ(append_to(store, appends), Outcomes(appends.size(), done));
    }
    Store& reader = *stores[random() % 2];
    std::int64_t events = 0;
    for (const auto& [id, last] : lasts) {
      ASSERT_EQ(good(reader.events(id)), events_up_to(last)) << "round " << round;
      events += last;
    }
    ASSERT_EQ(good(reader.totals()).events, events);
  }
  const auto fresh = open();
  for (const auto& [id, last] : lasts) EXPECT_EQ(good(fresh->events(id)), events_up_to(last));
}

TEST_P(Contract, SeveralMayDropAtOnceAndWhoReadsSeesAllOrNothing) {
  constexpr int matches = 60;
  Ids all;
  {
    const auto store = open();
    for (int i = 0; i < matches; ++i) {
      all.push_back(fmt::format("m{:02}", i));
      add_row(*store, over_row(all.back()));
      for (Sequence last = 1; last < 5; ++last)
        EXPECT_EQ(append_to(*store, {further(all.back(), last)}), Outcomes{done});
    }
  }
  std::atomic<std::int64_t> dropped = 0;
  std::atomic<bool> ended = false;
  const auto drop = [&] {
    const auto store = open();
    for (const std::string& id : all) dropped += good(store->drop(Ids{id}));
  };
  const auto read = [&] {
    const auto store = open();
    while (!ended) {
      for (const std::string& id : all) {
        const auto log = good(store->events(id));
        EXPECT_TRUE(log.empty() || log == events_up_to(5)) << id << ": " << log.size();
      }
    }
  };
  const auto write = [&] {
    const auto store = open();
    for (int i = 0; !ended; ++i) add_row(*store, row_of(fmt::format("new{}", i)));
  };
  std::vector<std::thread> others;
  others.emplace_back(read);
  others.emplace_back(write);
  std::thread second(drop);
  drop();
  second.join();
  ended = true;
  for (std::thread& other : others) other.join();
  EXPECT_EQ(dropped, matches);
}

TEST_P(Contract, APersonIsForgotten) {
  const auto store = open();
  const Person other{.id = "a", .name = "Other", .created = 1};
  const Person alike{.id = "ab~1", .name = "Alike"};
  for (const Person& person :
       {Person{.id = "ab", .name = "Ann", .password = "hash", .webhook = "https://example.org"}, other, alike,
        Person{.id = "a~xyz", .name = "Guest of another"}, Person{.id = "ab~2", .name = "Guest"}}) {
    EXPECT_GOOD(store->put_person(person));
  }
  add_row(*store, row_of("m"));
  for (const char* kind : {"link", "feed"}) EXPECT_GOOD(store->put_key("h", "ab", kind));
  EXPECT_GOOD(store->put_key("h2", "a", "link"));
  for (const char* person : {"a", "ab"}) {
    EXPECT_GOOD(store->put_fact(muted_fact("m", person), "yes"));
    for (std::uint64_t i = 1; i <= 2; ++i) {
      good(store->say({.match = "m", .person = person, .command = i, .text = person, .at = 9}));
    }
  }
  const Forgotten went = good(store->forget("ab"));
  EXPECT_TRUE(went.name);
  EXPECT_EQ(went.guests, 2);
  EXPECT_EQ(went.keys, 2);
  EXPECT_EQ(went.chat, 2);
  EXPECT_EQ(good(store->people_after("", 9)), (std::vector{other, Person{.id = "a~xyz", .name = "Guest of another"}}));
  EXPECT_EQ(good(store->person_with_password("Ann")), std::nullopt);
  EXPECT_EQ(good(store->people_named("guest")), Ids{});
  EXPECT_EQ(good(store->keys_after("", "", 9)).size(), 1);
  EXPECT_EQ(good(store->facts_after("", 9)), (std::vector{Fact{.name = muted_fact("m", "a"), .value = "yes"}}));
  EXPECT_EQ(good(store->chat("m", 0, 9)).size(), 2);
  EXPECT_EQ(good(store->totals()).chat, 2);
  EXPECT_EQ(good(store->say({.match = "m", .person = "a", .command = 3, .text = "x"})).number, 5);
  for (const ChatLine& line : good(store->chat_after("", 0, 9))) EXPECT_EQ(line.text.empty(), line.person == "ab");
  EXPECT_EQ(good(store->row("m")), row_of("m"));

  const Forgotten again = good(store->forget("ab"));
  EXPECT_FALSE(again.name);
  EXPECT_EQ(again.guests + again.keys + again.chat, 0);
}

TEST_P(Contract, TotalsCountEverything) {
  const auto store = open();
  EXPECT_TRUE(good(store->totals()).matches.empty());
  EXPECT_EQ(good(store->totals()).events, 0);
  for (int i = 0; i < 5; ++i) {
    MatchRow row = row_of(fmt::format("m{}", i));
    row.stage = i < 2 ? MatchRow::Stage::gathering : MatchRow::Stage::over;
    if (i == 4) row.game = "cybo";
    add_row(*store, row);
  }
  EXPECT_EQ(append_to(*store, {further("m1", 1, 7)}), Outcomes{done});
  for (int i = 0; i < 5; ++i) {
    EXPECT_GOOD(store->put_person({.id = fmt::format("p{}", i), .name = "N", .bot = i < 2}));
    EXPECT_GOOD(store->put_fact(fmt::format("f{}", i % 4), "x"));
    EXPECT_GOOD(store->put_key("h", "p0", fmt::format("k{}", i)));
    good(store->say({.match = "m0", .person = "p0", .command = 1 + i % 3u, .text = "x"}));
  }
  const Totals totals = good(store->totals());
  using Stage = MatchRow::Stage;
  EXPECT_EQ(totals.matches,
            (std::vector<Totals::Matches>{
                {"cybo", Stage::over, 1}, {"marbles", Stage::gathering, 2}, {"marbles", Stage::over, 2}}));
  EXPECT_EQ(totals.people, 3);
  EXPECT_EQ(totals.programs, 2);
  EXPECT_EQ(totals.facts, 4);
  EXPECT_EQ(totals.keys, 5);
  EXPECT_EQ(totals.chat, 3);
  EXPECT_EQ(totals.events, 12);
  EXPECT_EQ(totals.log_bytes, 5 * 7 + 7 * 8 - 1);  // seven events with their six line ends are one entry
  EXPECT_GT(totals.database_bytes, totals.log_bytes);
}

TEST_P(Contract, TheFirstFactStays) {
  const auto store = open();
  EXPECT_EQ(good(store->first_fact("keys", "a")), "a");
  EXPECT_EQ(good(open()->first_fact("keys", "b")), "a");
  EXPECT_TRUE(good(store->replace_fact("keys", "a", "c")));
  EXPECT_FALSE(good(store->replace_fact("keys", "a", "d")));
  EXPECT_FALSE(good(store->replace_fact("absent", "", "d")));
  EXPECT_EQ(good(store->fact("keys")), "c");
  EXPECT_EQ(good(store->fact("absent")), std::nullopt);
}

TEST_P(Contract, ManyAgreeOnTheFirstFact) {
  constexpr int stores = 6;
  open();
  std::barrier together(stores);
  std::vector<std::string> found(stores);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < stores; ++i) {
    threads.emplace_back([&, i] {
      const auto store = open();
      together.arrive_and_wait();
      found[i] = good(store->first_fact("keys", fmt::format("{}", i)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set(found.begin(), found.end()), std::set{good(open()->fact("keys")).value_or("")});
}

TEST_P(Contract, KnowsItselfByAnotherName) {
  const std::string here = good(open()->place());
  EXPECT_FALSE(here.empty());
  std::string other_name = where_ + "&application_name=other";
  if (GetParam() == Backend::sqlite) {
    other_name = folder_.file("linked.db");
    fs::create_symlink(where_, other_name);
  }
  EXPECT_EQ(good(opened(other_name)->place()), here);
  const std::string another = GetParam() == Backend::sqlite ? folder_.file("another.db") : postgres().new_database();
  EXPECT_NE(good(opened(another)->place()), here);
}

// ── Schema ──

TEST_P(Contract, ManyMayOpenANewDatabaseAtOnce) {
  constexpr int stores = 6;
  std::barrier together(stores);
  std::vector<std::thread> threads;
  for (int i = 0; i < stores; ++i) {
    threads.emplace_back([&, i] {
      together.arrive_and_wait();
      const auto store = open_store(where_);
      if (!store) {
        ADD_FAILURE() << store.error().sentence;
      } else {
        add_row(**store, row_of(fmt::format("m{}", i)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good(open()->listed({})).size(), stores);
}

TEST_P(Contract, AnOlderSchemaIsBroughtForward) {
  execute("CREATE TABLE tessera_schema (version BIGINT NOT NULL)");
  execute("INSERT INTO tessera_schema VALUES (0)");
  add_row(*open(), row_of("m"));
  EXPECT_EQ(good(open()->events("m")), events_up_to(1));
}

TEST_P(Contract, ANewerSchemaIsRefused) {
  open();
  execute("UPDATE tessera_schema SET version = 77");
  const auto store = open_store(where_);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().sentence,
            fmt::format("This database was written by a newer Tessera (schema 77; this one knows up to {}). "
                        "Upgrade Tessera, or give another --database.",
                        migrations(GetParam()).size()));
}

// ── What only one of them can meet ──

TEST(Sqlite, SaysWhatIsWrongWithAFile) {
  const TemporaryFolder folder;
  const std::string garbage = folder.file("garbage.db");
  std::ofstream(garbage) << std::string(5000, 'x');
  EXPECT_EQ(
      open_store(garbage).error().sentence,
      fmt::format("'{}' is damaged or no SQLite database. Restore a copy of it, or give another --database.", garbage));
  const auto nowhere = open_store(folder.file("no/such/folder/tessera.db"));
  EXPECT_NE(nowhere.error().sentence.find("Check that its folder exists"), std::string::npos)
      << nowhere.error().sentence;
}

TEST(Sqlite, ALogOfTheFirstSchemaGoesOn) {
  const TemporaryFolder folder;
  const std::string path = folder.file("tessera.db");
  std::vector<std::string> statements = migrations(Backend::sqlite).front();
  for (const char* const more : {
           "CREATE TABLE tessera_schema (version BIGINT NOT NULL)",
           "INSERT INTO tessera_schema VALUES (1)",
           "INSERT INTO entries VALUES (1, 0, '{\"n\":1}'), (2, 0, '{\"n\":1}'), (3, 1, '{\"n\":2}')",
           "INSERT INTO logs VALUES (1, 'm', 2, 3), (2, 'n', 1, 2)",
       }) {
    statements.emplace_back(more);
  }
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  for (const std::string& sql : statements) {
    EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  }
  sqlite3_close(connection);

  const auto store = opened(path);
  EXPECT_EQ(append_to(*store, {further("m", 2), further("m", 3), further("n", 2)}), (Outcomes{done, done, stale}));
  EXPECT_EQ(good(store->events("m")), events_up_to(4));
  EXPECT_EQ(good(store->events("n")), events_up_to(1));

  // Entries of the first schema do not say whose they are; they go with their log all the same.
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(connection, "INSERT INTO matches VALUES ('m', 'c', 'g', 2, 0, 0, 0, NULL, '', '', 0)", nullptr,
                         nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(connection);
  EXPECT_EQ(good(store->drop(Ids{"m"})), 1);
  EXPECT_EQ(good(store->totals()).log_bytes, 7) << "all that is left is n's";
  EXPECT_EQ(append_to(*store, {further("n", 1)}), Outcomes{done});
  EXPECT_EQ(good(store->events("n")), events_up_to(2));
}

TEST(Postgres, SaysWhatIsWrongWithAUrl) {
  for (const std::string& url :
       {postgres().url("absent"), std::string("postgres://127.0.0.1:1/x"), std::string("postgresql://?nonsense=1")}) {
    const auto store = open_store(url);
    ASSERT_FALSE(store) << url;
    EXPECT_NE(store.error().sentence.find("Check that it runs and that --database is right."), std::string::npos)
        << store.error().sentence;
  }
}

TEST(Postgres, ComesBackAfterALostConnection) {
  const auto store = opened(postgres().new_database());
  add_row(*store, row_of("m"));
  postgres().execute("postgres",
                     "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tessera'");
  EXPECT_FALSE(store->append(std::vector{further("m", 1)}));
  EXPECT_EQ(append_to(*store, {further("m", 1)}), Outcomes{done});
  EXPECT_EQ(good(store->events("m")), events_up_to(2));
}

}  // namespace
}  // namespace tessera
