/// Settings, events and records as text; logs that cannot have happened.
#include <fmt/format.h>

#include "core/text.hpp"
#include "games/registry.hpp"
#include "match/dice_statistics.hpp"
#include "match/record.hpp"
#include "match/testing.hpp"

namespace tessera::testing {
namespace {

// ── Settings ──

TEST(Settings, WhatIsLeftOutIsFilledIn) {
  const auto settings = parse_settings(R"({"game":"marbles"})", all_games(), bots);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings_json(*settings),
            R"({"game":"marbles","seats":2,"options":{"come_out":"by_roll","sectors":4,"spaces":14,"teams":"none",)"
            R"("turn_limit":10000},"listed":true,"first":"drawn","pace":"none","away":"wait","take_backs":true,)"
            R"("chat":true,"hints":true})");
}

TEST(Settings, AreWrittenAsTheyAreRead) {
  for (const std::string_view given :
       {R"({"game":"cubed","seats":1,"first":0})", R"({"game":"cylinder","seats":6,"options":{"teams":"one_seven"}})",
        R"({"game":"marbles","pace":{"bank":600,"increment":10},"away":{"bot":"simple"},"listed":false})",
        R"({"game":"marbles","pace":{"days":3},"away":"turn","take_backs":false,"chat":false,"hints":false})"}) {
    const auto settings = parse_settings(given, all_games(), bots);
    ASSERT_TRUE(settings) << settings.error().sentence;
    const std::string written = settings_json(*settings);
    const auto again = parse_settings(written, all_games(), bots);
    ASSERT_TRUE(again) << again.error().sentence;
    EXPECT_EQ(settings_json(*again), written);
    const auto as_given = nlohmann::json::parse(given);
    const auto as_written = nlohmann::json::parse(written);
    for (const auto& [name, value] : as_given.items()) {
      if (name != "options") EXPECT_EQ(as_written[name], value) << name;
    }
  }
}

TEST(Settings, GarbageIsRefusedWithASentence) {
  for (const std::string_view garbage : {"",
                                         "[]",
                                         "{}",
                                         R"({"game":"chess"})",
                                         R"({"game":7})",
                                         R"({"game":"marbles","seats":"4"})",
                                         R"({"game":"marbles","seats":99})",
                                         R"({"game":"cylinder","seats":3})",
                                         R"({"game":"marbles","sets":4})",
                                         R"({"game":"marbles","options":[]})",
                                         R"({"game":"marbles","options":{"spaces":9999}})",
                                         R"({"game":"marbles","options":{"first":0}})",
                                         R"({"game":"marbles","options":{"fly":true}})",
                                         R"({"game":"marbles","first":2})",
                                         R"({"game":"marbles","first":-1})",
                                         R"({"game":"marbles","first":"me"})",
                                         R"({"game":"marbles","pace":"fast"})",
                                         R"({"game":"marbles","pace":{"bank":5}})",
                                         R"({"game":"marbles","pace":{"bank":60,"increment":-1}})",
                                         R"({"game":"marbles","pace":{"bank":60,"inc":1}})",
                                         R"({"game":"marbles","pace":{"days":0}})",
                                         R"({"game":"marbles","pace":{"days":99999999999999999999}})",
                                         R"({"game":"marbles","pace":{}})",
                                         R"({"game":"marbles","away":"bot"})",
                                         R"({"game":"marbles","away":{"bot":"deep"}})",
                                         R"({"game":"marbles","away":{"bot":7}})",
                                         R"({"game":"marbles","listed":1})",
                                         R"({"game":"marbles","take_backs":"yes"})"}) {
    const auto settings = parse_settings(garbage, all_games(), bots);
    ASSERT_FALSE(settings) << garbage;
    EXPECT_GT(settings.error().sentence.size(), 10U);
  }
}

// ── Events ──

TEST(Events, AreReadAsTheyAreWritten) {
  for (int kind = 0; kind <= static_cast<int>(Event::Kind::rematch); ++kind) {
    const Event bare{.kind = static_cast<Event::Kind>(kind), .at = 12};
    const Event full{.kind = bare.kind,
                     .at = 12,
                     .by = "a\"nn",
                     .command = 7,
                     .seat = 3,
                     .text = "x\n\\",
                     .extra = R"("y":[1,"?"])"};
    for (const Event& event : {bare, full}) {
      const auto read = parse_event(event_json(event));
      ASSERT_TRUE(read) << read.error().sentence;
      EXPECT_EQ(*read, event);
    }
  }
}

TEST(Events, GarbageIsRefusedWithASentence) {
  for (const std::string_view garbage :
       {"", "[]", "{}", R"({"at":1})", R"({"move":"p"})", R"({"at":-1,"move":"p"})", R"({"at":1,"move":7})",
        R"({"at":1,"move":false})", R"({"at":1,"move":"p","chance":"q"})", R"({"at":1,"seat":6,"move":"p"})",
        R"({"at":1,"by":7,"move":"p"})", R"({"at":1,"id":"7","move":"p"})", R"({"at":9007199254740992,"move":"p"})"}) {
    const auto event = parse_event(garbage);
    ASSERT_FALSE(event) << garbage;
    EXPECT_TRUE(event.error().sentence.ends_with('.'));
  }
}

// ── Records ──

TEST(Records, AreReadAsTheyAreWritten) {
  const auto record = parse_record(record_header("m1") + "\n{\"a\":1}\n{\"b\":2}\n");
  ASSERT_TRUE(record) << record.error().sentence;
  EXPECT_EQ(record->id, "m1");
  EXPECT_EQ(record->log, (std::vector<std::string>{"{\"a\":1}", "{\"b\":2}"}));
}

TEST(Records, GarbageIsRefusedWithASentence) {
  for (const std::string_view garbage :
       {"", "\n", "hello", "{}", R"({"tessera":"record"})", R"({"tessera":"record","version":2,"match":"m"})",
        R"({"tessera":"record","version":1})", R"({"tessera":"record","version":1,"match":7})",
        R"({"tessera":"record","version":1,"match":""})", R"({"tessera":"record","version":1,"match":"m"})"}) {
    const auto record = parse_record(garbage);
    ASSERT_FALSE(record) << garbage;
    EXPECT_TRUE(record.error().sentence.ends_with('.'));
  }
}

// ── Logs that were tampered with ──

struct Played : Table {
  explicit Played(std::string_view settings) : Table(testing::world(all_games()), settings) {
    act("ann", R"({"do":"sit","seat":0})");
    act("bob", R"({"do":"sit","seat":1})");
    draw();
    while (match->stage() == Stage::playing) EXPECT_EQ(go_on(), "");
    expect_folded();
  }
  /// The sentence of the fold with one line changed.
  std::string folded_with(std::size_t line, std::string_view from, std::string_view to) {
    std::vector<std::string> changed = log;
    const std::size_t at = changed[line].find(from);
    EXPECT_NE(at, std::string::npos) << from << " in " << changed[line];
    changed[line].replace(at, from.size(), to);
    const auto folded = Match::fold(world, "m1", changed);
    if (folded) return "";
    EXPECT_TRUE(folded.error().owners) << "it quotes a line, perhaps with a hand";
    return folded.error().sentence;
  }
  std::size_t line_of(Event::Kind kind) const {
    for (std::size_t i = 0; i < log.size(); ++i) {
      if (parse_event(log[i])->kind == kind) return i;
    }
    return log.size();
  }
};

TEST(Fold, NamesTheEventThatCannotHaveHappened) {
  Played table(R"({"game":"marbles","options":{"turn_limit":40}})");
  const std::size_t roll = table.line_of(Event::Kind::chance);
  const std::string said = parse_event(table.log[roll])->text;
  const std::string other = said == "roll 1" ? "roll 2" : "roll 1";
  const std::string sentence = table.folded_with(roll, said, other);
  EXPECT_TRUE(sentence.starts_with(fmt::format("Event {}, ", roll + 1))) << sentence;
  EXPECT_TRUE(sentence.ends_with(fmt::format("the fair dice say '{}'.", said))) << sentence;
}

TEST(Fold, FindsAnyLieAboutTheDraw) {
  Played table(R"({"game":"marbles","options":{"turn_limit":4}})");
  const std::string secret = nlohmann::json::parse(table.log[0])["secret"];
  const std::string changed = (secret[0] == '0' ? "1" : "0") + secret.substr(1);
  EXPECT_TRUE(table.folded_with(0, secret, changed).ends_with("the secret does not fit its hash."));
  const std::size_t revealed = table.line_of(Event::Kind::revealed);
  const std::string contribution = parse_event(table.log[revealed])->text;
  const std::string forged = (contribution[0] == '0' ? "1" : "0") + contribution.substr(1);
  EXPECT_TRUE(table.folded_with(revealed, contribution, forged).ends_with("the contribution does not fit its hash."));
  const std::size_t begun = table.line_of(Event::Kind::begun);
  const std::string first = parse_event(table.log[begun])->extra;
  EXPECT_NE(table.folded_with(begun, first, first == "\"first\":0" ? "\"first\":1" : "\"first\":0"), "");
  const auto elsewhere = Match::fold(table.world, "m2", table.log);
  EXPECT_FALSE(elsewhere) << "a log belongs to its match";
}

TEST(Fold, ADrawBeginsAgainOnlyWithAReason) {
  Table table(testing::world(all_games()), R"({"game":"marbles"})");
  table.act("ann", R"({"do":"sit","seat":0})");
  table.act("bob", R"({"do":"sit","seat":1})");
  for (const int seat : {0, 1}) ASSERT_EQ(table.commit(seat), "");
  ASSERT_EQ(table.reveal(0), "");
  const Time revealed = table.now;
  table.pass(30'000);
  ASSERT_EQ(table.happened(), "redrawn");
  table.expect_folded();
  const auto folded_with = [&](std::string_view from, const std::string& to) {
    std::vector<std::string> log = table.log;
    const std::size_t at = log.back().find(from);
    EXPECT_NE(at, std::string::npos) << from << " in " << log.back();
    log.back().replace(at, from.size(), to);
    return static_cast<bool>(Match::fold(table.world, "m1", log));
  };
  EXPECT_FALSE(folded_with(std::to_string(table.now), std::to_string(revealed + 29'999))) << "too early";
  for (const char* lie : {"[]", "[0]", "[0,1]", "[1,1]", "1"}) EXPECT_FALSE(folded_with("[1]", lie)) << lie;
  EXPECT_FALSE(folded_with("\"missing\"", "\"Missing\""));
}

TEST(Fold, FindsLiesAboutTheEnd) {
  Played table(R"({"game":"marbles","options":{"turn_limit":4}})");
  const std::size_t over = table.line_of(Event::Kind::over);
  EXPECT_NE(table.folded_with(over, "\"winners\":[", "\"winners\":[5"), "");
  EXPECT_NE(table.folded_with(over, "\"played\"", "\"resigned\""), "");
  EXPECT_NE(table.folded_with(over, "\"sides\":6", "\"sides\":7"), "");
}

TEST(Fold, NoLineCanBeMissingOrComeTwice) {
  const Played table(R"({"game":"cybo","options":{"turn_limit":6}})");
  for (std::size_t i = 0; i < table.log.size(); ++i) {
    std::vector<std::string> missing = table.log;
    missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(i));
    if (i + 1 < table.log.size()) EXPECT_FALSE(Match::fold(table.world, "m1", missing)) << table.log[i];
    std::vector<std::string> twice = table.log;
    twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(i), table.log[i]);
    EXPECT_FALSE(Match::fold(table.world, "m1", twice)) << table.log[i];
  }
  EXPECT_FALSE(Match::fold(table.world, "m1", {}));
}

// ── Dice statistics ──

TEST(DiceStatistics, ChiSquareTails) {
  // From printed tables of the distribution.
  EXPECT_NEAR(chi_square_tail(3.841, 1), 0.05, 1e-4);
  EXPECT_NEAR(chi_square_tail(5.991, 2), 0.05, 1e-4);
  EXPECT_NEAR(chi_square_tail(11.070, 5), 0.05, 1e-4);
  EXPECT_NEAR(chi_square_tail(15.086, 5), 0.01, 1e-4);
  EXPECT_NEAR(chi_square_tail(16.919, 9), 0.05, 1e-4);
  EXPECT_NEAR(chi_square_tail(31.410, 20), 0.05, 1e-4);
  EXPECT_EQ(chi_square_tail(0, 5), 1);
}

TEST(DiceStatistics, CountEachKindOfDie) {
  DiceStatistics statistics;
  EXPECT_EQ(statistics.json(), "[]");
  for (std::uint32_t i = 0; i < 6; ++i) statistics.count(std::vector<Draw>{{6, i}, {2, 0}});
  EXPECT_EQ(statistics.json(),
            R"([{"sides":6,"faces":[1,1,1,1,1,1],"chi2":0,"p":1},{"sides":2,"faces":[6,0],"chi2":6,"p":0.01431}])");
}

}  // namespace
}  // namespace tessera::testing
