/// Fair dice from end to end: matches are played, their records verified by the program and by a second implementation
/// (fair_dice.py), and records that were tampered with are caught by both.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "core/text.hpp"
#include "crypto/crypto.hpp"
#include "games/registry.hpp"
#include "match/match.hpp"
#include "match/record.hpp"

namespace tessera {
namespace {

constexpr std::array<std::string_view, 2> bots{"random", "simple"};

fair::Bytes32 next_secret() {
  static int made = 0;
  return crypto::hash().sha256(fmt::format("secret {}", ++made));
}

/// A match that plays itself: people in the first seats, bots in the others.
class SelfPlay {
 public:
  SelfPlay(const std::string& settings_json, std::uint64_t seed, int people_at_most = 2)
      : random_(seed, "self play"),
        world_{.games = all_games(), .bots = bots, .hash = &crypto::hash(), .fresh_secret = next_secret},
        match_(make(settings_json)) {
    persons_ = std::min(match_.settings().seats, people_at_most);
    for (int seat = 0; seat < persons_; ++seat) act({.kind = Command::Kind::sit, .seat = seat});
    if (match_.settings().seats > persons_) act({.kind = Command::Kind::start, .seat = 0, .text = "simple"});
  }

  /// Seat 1 commits and lets the time for its reveal pass.
  void restart_draw() {
    commit();
    reveal(0);
    now_ = *match_.due();
    match_.tick(now_, happenings_);
  }

  /// Commits, reveals and plays until the game is over.
  void play() {
    commit();
    for (int seat = 0; match_.stage() == Stage::drawing; ++seat) reveal(seat);
    while (match_.stage() != Stage::over) {
      ++now_;
      const int seat = match_.play()->turn().seat;
      if (match_.play()->turn().phase == Phase::chance) {
        act({.kind = Command::Kind::roll, .seat = seat});
        continue;
      }
      const std::vector<Move> legal = match_.play()->legal();
      const Move move = legal[random_(static_cast<std::uint32_t>(legal.size()))];
      const std::string text = match_.play()->text(move, Viewer::all());
      if (match_.bot_wanted()) {
        EXPECT_FALSE(match_.bot_move(seat, match_.sequence(), text, now_, happenings_));
        continue;
      }
      const Sequence before = match_.sequence();
      act({.kind = Command::Kind::move, .seat = seat, .text = text});
      // Sometimes a move is taken back, if nothing has come after it.
      if (match_.sequence() == before + 1 && random_(10) == 0) act({.kind = Command::Kind::take_back, .seat = seat});
    }
  }

  const Match& match() const { return match_; }
  std::vector<std::string> record() const {
    std::vector<std::string> lines{record_header(match_.id())};
    for (const Happening& happening : happenings_) lines.push_back(event_json(happening.event));
    return lines;
  }

 private:
  static constexpr std::array<std::string_view, 2> people{"ann", "bob"};

  Match make(const std::string& settings_json) {
    const auto settings = parse_settings(settings_json, all_games(), bots);
    EXPECT_TRUE(settings) << settings_json;
    auto created = Match::create(world_, "lamo", *settings, people[0], now_, happenings_);
    EXPECT_TRUE(created);
    return std::move(*created);
  }

  void act(Command command) {
    command.id = ++commands_;
    const auto person = people.at(static_cast<std::size_t>(command.seat));
    const auto problem = match_.act(person, command, now_, happenings_);
    EXPECT_FALSE(problem) << command_name(command.kind) << ": " << problem->sentence;
  }

  fair::Bytes32 contribution(int seat) const {
    return crypto::hash().sha256(fmt::format("contribution {} {}", seat, match_.draw_number()));
  }
  void commit() {
    for (int seat = 0; seat < persons_; ++seat) {
      const fair::DrawId draw{.match = match_.id(), .number = match_.draw_number()};
      const auto hash = fair::contribution_hash(crypto::hash(), draw, seat, contribution(seat));
      act({.kind = Command::Kind::commit, .seat = seat, .text = fair::hex(hash)});
    }
  }
  void reveal(int seat) { act({.kind = Command::Kind::reveal, .seat = seat, .text = fair::hex(contribution(seat))}); }

  Random random_;
  World world_;
  Time now_ = 1'000'000;
  std::uint64_t commands_ = 0;
  int persons_ = 0;  ///< in the first seats
  Match::Happenings happenings_;
  Match match_;
};

const std::vector<std::string> tables{
    R"({"game":"marbles","seats":4})",
    R"({"game":"cyclone","seats":3,"options":{"turning":true},"first":1})",
    R"({"game":"cylinder","seats":2,"options":{"turn_limit":60}})",
    R"({"game":"cybo","seats":2,"options":{"level":"grandmaster"}})",
    R"({"game":"cubed","seats":2,"options":{"rounds":3}})",
    R"({"game":"cubed","seats":4,"options":{"take":true,"fill":true,"bridge":true}})",
    R"({"game":"cubed","seats":1})",
};

std::string joined(const std::vector<std::string>& lines) { return join(lines, "\n") + "\n"; }

/// Numbers of the lines that have the key `kind`.
std::vector<std::size_t> lines_with(const std::vector<std::string>& lines, const std::string& kind) {
  std::vector<std::size_t> found;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (nlohmann::json::parse(lines[i]).contains(kind)) found.push_back(i);
  }
  return found;
}

/// Another hex digit where the value of `key` begins.
void change_hex(std::string& line, const std::string& key) {
  char& digit = line[line.find("\"" + key + "\":\"") + key.size() + 4];
  digit = digit == '0' ? '1' : '0';
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  ASSERT_NE(text.find(from), std::string::npos) << text;
  text.replace(text.find(from), from.size(), to);
}

class Verify : public Cli {
 protected:
  Ran verify(const std::vector<std::string>& lines) const { return run("verify -", joined(lines)); }
  Ran second_opinion(const std::vector<std::string>& lines) const {
    write("record", joined(lines));
    return run_program("python3", "tests/fair_dice.py " + path("record"));
  }

  /// Both implementations find that the event at `line` does not fit, and `verify` says `should_be`.
  void expect_caught(const std::vector<std::string>& lines, std::size_t line, const std::string& should_be) const {
    const Ran ran = verify(lines);
    EXPECT_EQ(ran.exit_code, 1) << lines[line];
    EXPECT_TRUE(has(ran.err, fmt::format("Event {}, ", line))) << ran.err;
    EXPECT_TRUE(has(ran.err, should_be)) << ran.err;
    EXPECT_EQ(ran.out, "");
    const Ran second = second_opinion(lines);
    EXPECT_EQ(second.exit_code, 1) << lines[line];
    EXPECT_TRUE(has(second.err, fmt::format("event {}: ", line))) << second.err;
    EXPECT_EQ(run("replay -", joined(lines)).exit_code, 1);
  }
};

TEST_F(Verify, EveryDieOfEveryGameIsRecomputedTwice) {
  std::string all;
  for (std::size_t i = 0; i < 2 * tables.size(); ++i) {
    SCOPED_TRACE(tables[i / 2]);
    SelfPlay self(tables[i / 2], i);
    self.play();
    const auto lines = self.record();
    all += joined(lines);
    const std::size_t chances = lines_with(lines, "chance").size();
    ASSERT_GT(chances, 0);

    const Ran ran = verify(lines);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(has(ran.out, fair::hex(self.match().secret_hash()))) << ran.out;
    EXPECT_TRUE(has(ran.out, "The draw was never restarted.")) << ran.out;
    EXPECT_TRUE(has(ran.out, "All fits. If the hashes")) << ran.out;
    const bool dice = self.match().settings().game != "cubed";
    EXPECT_TRUE(has(ran.out, fmt::format("{} roll", dice ? chances : 0))) << ran.out;
    EXPECT_TRUE(has(ran.out, fmt::format("{} shuffle", dice ? 0 : chances))) << ran.out;
    EXPECT_EQ(has(ran.out, "Faces of the die"), dice) << ran.out;

    const Ran second = second_opinion(lines);
    EXPECT_EQ(second.exit_code, 0) << second.err;
    EXPECT_EQ(second.out, fmt::format("{} chance events recomputed\n", chances));

    const Ran replayed = run("replay -", joined(lines));
    EXPECT_EQ(replayed.exit_code, 0) << replayed.err;
    EXPECT_TRUE(has(replayed.out, "sound: 1 match")) << replayed.out;

    if (i % 2 != 0) continue;
    const Ran reviewed = run("review - --reviewer random --json", joined(lines));
    EXPECT_EQ(reviewed.exit_code, 0) << reviewed.err;
    EXPECT_TRUE(reviewed.out.starts_with(R"({"over":true,)")) << reviewed.out.substr(0, 100);
    const std::size_t events = chances + lines_with(lines, "move").size();
    const std::size_t taken_back = lines_with(lines, "taken_back").size();  // a move each
    std::size_t told = 0;
    for (std::size_t at = 0; (at = reviewed.out.find("\"chances\":", at)) != std::string::npos; ++at) ++told;
    EXPECT_EQ(told, events - taken_back);
  }
  // The rarer things that a bag must be followed through did happen.
  for (const char* rare : {"\"move\":\"keep ", "\"taken_back\"", "\"chance\":\"start ", "\"out\":[\""}) {
    EXPECT_TRUE(has(all, rare)) << rare;
  }
}

#ifdef TESSERA_SERVER
TEST_F(Verify, AMatchMovesToAnotherServerUnchanged) {
  SelfPlay self(tables[0], 7);
  self.play();
  auto lines = self.record();
  write("record", joined(lines));
  const std::string database = " --database " + path("other.db");
  const Ran imported = run("import " + path("record") + database);
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  const Ran exported = run("export " + self.match().id() + database);
  EXPECT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_EQ(exported.out, joined(lines));
  const Ran again = run("import " + path("record") + database);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_TRUE(has(again.err, "already")) << again.err;

  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(lines_with(lines, "chance").front()));
  write("record", joined(lines));
  EXPECT_EQ(run("import " + path("record") + " --database " + path("third.db")).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(path("third.db")));
}
#endif

TEST_F(Verify, OneChangedDieIsCaught) {
  SelfPlay self(tables[0], 2);
  self.play();
  const auto honest = self.record();
  const auto chances = lines_with(honest, "chance");
  Random random(1, "which die");
  for (int i = 0; i < 8; ++i) {
    const std::size_t line = chances[random(static_cast<std::uint32_t>(chances.size()))];
    const std::string text = nlohmann::json::parse(honest[line])["chance"];
    auto lines = honest;
    replace(lines[line], text, text == "roll 6" ? "roll 5" : "roll 6");
    expect_caught(lines, line, "the fair dice say '" + text + "'");
  }
}

TEST_F(Verify, AChangedDealIsCaught) {
  SelfPlay self(tables[4], 3);
  self.play();
  auto lines = self.record();
  const std::size_t deal = lines_with(lines, "hands").at(1);
  auto event = nlohmann::ordered_json::parse(lines[deal]);
  // The two hands are exchanged.
  std::swap(event["hands"][0], event["hands"][1]);
  lines[deal] = event.dump();
  expect_caught(lines, deal, "the fair dice say");
}

TEST_F(Verify, ADieThatIsLeftOutIsCaught) {
  SelfPlay self(tables[0], 4);
  self.play();
  const auto honest = self.record();
  const auto chances = lines_with(honest, "chance");
  for (const std::size_t line : {chances.front(), chances[chances.size() / 2], chances.back()}) {
    auto lines = honest;
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(line));
    const Ran ran = verify(lines);
    EXPECT_EQ(ran.exit_code, 1) << honest[line];
    EXPECT_TRUE(has(ran.err, "Event ")) << ran.err;
  }
}

TEST_F(Verify, AChangedSecretContributionOrHashIsCaught) {
  SelfPlay self(tables[3], 5);
  self.play();
  const auto honest = self.record();
  const auto caught = [&](const std::string& event, const std::string& key, const std::string& should_be) {
    auto lines = honest;
    const std::size_t line = lines_with(lines, event).at(0);
    change_hex(lines[line], key);
    const std::size_t noticed = event == "committed" ? lines_with(lines, "revealed").at(0) : line;
    expect_caught(lines, noticed, should_be);
  };
  caught("created", "secret", "the secret does not fit its hash");
  caught("created", "secret_hash", "the secret does not fit its hash");
  caught("committed", "committed", "the contribution does not fit its hash");
  caught("revealed", "revealed", "the contribution does not fit its hash");
  caught("over", "secret", "secret");
}

/// Whoever forges hashes as well is caught by the dice. (One who forges all is caught by the hash that clients noted.)
TEST_F(Verify, AForgedSecretWithItsHashIsCaughtByTheDice) {
  SelfPlay self(tables[0], 6);
  self.play();
  auto lines = self.record();
  const std::string forged(64, 'a');
  auto created = nlohmann::ordered_json::parse(lines[1]);
  const std::string secret = created["secret"];
  created["secret"] = forged;
  created["secret_hash"] =
      fair::hex(fair::secret_hash(crypto::hash(), {.match = "lamo", .number = 1}, *fair::from_hex(forged)));
  lines[1] = created.dump();
  replace(lines.back(), secret, forged);
  const Ran ran = verify(lines);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_TRUE(has(ran.err, "the fair dice say")) << ran.err;
  EXPECT_EQ(second_opinion(lines).exit_code, 1);
}

TEST_F(Verify, ARestartOfTheDrawIsTold) {
  SelfPlay self(tables[1], 7);
  self.restart_draw();
  self.restart_draw();
  self.play();
  const Ran ran = verify(self.record());
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "The draw was restarted 2 times:\n  seat 1 did not reveal in time\n")) << ran.out;
  EXPECT_EQ(second_opinion(self.record()).exit_code, 0);
}

TEST_F(Verify, WhatIsNoFinishedRecordIsRefused) {
  SelfPlay self(tables[3], 8);
  self.play();
  auto lines = self.record();
  lines.pop_back();
  const Ran unfinished = verify(lines);
  EXPECT_EQ(unfinished.exit_code, 2);
  EXPECT_TRUE(has(unfinished.err, "not over yet")) << unfinished.err;
  const Ran replayed = run("replay -", joined(lines));
  EXPECT_EQ(replayed.exit_code, 3);
  EXPECT_TRUE(has(replayed.out, "unfinished")) << replayed.out;

  for (const std::string& text : {std::string(), std::string("nonsense\n"), run("trace cybo").out,
                                  record_header("lamo") + "\n", std::string(R"({"tessera":"record","version":2})")}) {
    const Ran ran = run("verify -", text);
    EXPECT_EQ(ran.exit_code, 2) << text.substr(0, 80);
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
  EXPECT_EQ(run("replay -", record_header("lamo") + "\n").exit_code, 2);
}

TEST_F(Verify, WithBotsAloneItSaysThatNobodyContributed) {
  SelfPlay self(tables[3], 10, 0);
  self.play();
  const Ran ran = verify(self.record());
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "no person contributed")) << ran.out;
}

TEST_F(Verify, AMatchThatNeverBeganHasNoDice) {
  SelfPlay self(tables[0], 9);
  Match closed = [&] {
    const auto record = *parse_record(joined(self.record()));
    return std::move(*Match::fold({.games = all_games(), .bots = bots, .hash = &crypto::hash(), .fresh_secret = {}},
                                  record.id, record.log));
  }();
  Match::Happenings end;
  ASSERT_FALSE(closed.close(2'000'000, end));
  auto lines = self.record();
  for (const Happening& happening : end) lines.push_back(event_json(happening.event));
  const Ran ran = verify(lines);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "never began")) << ran.out;
  EXPECT_FALSE(has(ran.out, "All fits")) << ran.out;
}

}  // namespace
}  // namespace tessera
