#include "store/contract_test.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

namespace tessera {
namespace {

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

}  // namespace
}  // namespace tessera
