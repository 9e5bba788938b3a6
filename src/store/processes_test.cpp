#include "store/contract_test.hpp"

#include <algorithm>
#include <barrier>
#include <map>
#include <set>
#include <thread>

/// Several processes on one database.
namespace tessera {
namespace {

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

TEST(Postgres, OfTwoProcessesThatAreLeftAtOnceOneKnowsThatBothAre) {
  const std::string url = postgres().new_database();
  const auto one = opened(url);
  const auto two = opened(url);
  const std::vector ann{Presence{"m", "ann"}};
  std::barrier together(2);
  for (int round = 0; round < 100; ++round) {
    EXPECT_GOOD(one->arrive(ann, "one"));
    EXPECT_GOOD(two->arrive(ann, "two"));
    bool elsewhere = false;
    std::thread other([&] {
      together.arrive_and_wait();
      elsewhere = good(two->depart(ann, "two")).front();
    });
    together.arrive_and_wait();
    const bool also = good(one->depart(ann, "one")).front();
    other.join();
    ASSERT_FALSE(elsewhere && also) << "round " << round;
  }
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

TEST(Postgres, WhoLivesActsFirstOnWhatIsDueHoweverMuchThatIs) {
  const auto store = opened(postgres().new_database());
  constexpr Time minute = 60'000;
  std::vector<Append> appends;
  for (int i = 0; i < 1'100; ++i) {
    MatchRow row = row_of(fmt::format("m{}", i));
    row.due = minute;
    appends.push_back(new_match(row));
    appends.push_back({.match = row.id, .expected = 1, .events = {}, .row = row, .keeper = "one"});
  }
  append_to(*store, appends);
  EXPECT_EQ(good(store->keep_due("two", minute)), Ids{}) << "its keeper has had no time to act";
  EXPECT_EQ(good(store->keep_due("one", minute)).size(), 1'100U);
  EXPECT_EQ(good(store->keep_due("two", minute + keep_ms - 1)), Ids{});
  EXPECT_EQ(good(store->keep_due("two", minute + keep_ms)).size(), 1'000U) << "so many at a time";
  good(store->inherit("one", "two"));
  EXPECT_EQ(good(store->keep_due("two", minute)).size(), 1'100U) << "the dead keep nothing";
}

TEST(Postgres, ARowThatIsLateDoesNotReplaceANewerOne) {
  const std::string url = postgres().new_database();
  const auto store = opened(url);
  add_row(*store, row_of("m"));
  // Another process adds an event and is about to commit it, with its row.
  std::thread other([&] {
    PostgresServer::execute_at(url,
                               "BEGIN; INSERT INTO entries VALUES ('m', 1, 2, '{\"n\":2}');"
                               "UPDATE matches SET stage = 2 WHERE id = 'm'; SELECT pg_sleep(1); COMMIT");
  });
  ::usleep(300'000);
  EXPECT_EQ(append_to(*store, {{.match = "m", .expected = 1, .events = {}, .row = row_of("m", 7)}}), Outcomes{stale});
  other.join();
  EXPECT_EQ((*good(store->row("m"))).stage, MatchRow::Stage::over);
}

}  // namespace
}  // namespace tessera
