#include "store/contract_test.hpp"

namespace tessera {
namespace {

/// Of a match that add_row has made.
void change_row(Store& store, const MatchRow& row) {
  EXPECT_EQ(append_to(store, {{.match = row.id, .expected = 1, .events = {}, .row = row}}), Outcomes{done});
}

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

}  // namespace
}  // namespace tessera
