#include "store/contract_test.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <map>
#include <random>
#include <thread>

/// Everything, for whoever owns it.
namespace tessera {
namespace {

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
  EXPECT_EQ(good(store->totals()).forgotten_chat, 2);
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

TEST_P(Contract, KnowsItselfByAnotherName) {
  const std::string here = good(open()->place());
  EXPECT_FALSE(here.empty());
  std::string other_name = where_ + "&application_name=other";
  if (GetParam() == Backend::sqlite) {
    other_name = folder_.file("linked.db");
    std::filesystem::create_symlink(where_, other_name);
  }
  EXPECT_EQ(good(opened(other_name)->place()), here);
  const std::string another = GetParam() == Backend::sqlite ? folder_.file("another.db") : postgres().new_database();
  EXPECT_NE(good(opened(another)->place()), here);
}

}  // namespace
}  // namespace tessera
