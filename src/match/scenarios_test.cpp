/// Every rule of the table, played out by hand.
#include <fmt/format.h>

#include "core/text.hpp"
#include "games/registry.hpp"
#include "match/testing.hpp"

namespace tessera::testing {
namespace {

constexpr Time second = 1000;
constexpr Time day = 24 * 60 * 60 * second;

/// A table where ann, bob, cat, … have sat down, and the dice are drawn.
struct Playing : Table {
  explicit Playing(std::string_view settings) : Table(testing::world(all_games()), settings) {
    constexpr std::array<std::string_view, max_seats> people{"ann", "bob", "cat", "dan", "eve", "fay"};
    for (int seat = 0; seat < std::ssize(match->seats()); ++seat) {
      EXPECT_EQ(act(people[static_cast<std::size_t>(seat)], fmt::format(R"({{"do":"sit","seat":{}}})", seat)), "");
    }
    draw();
    EXPECT_EQ(match->stage(), Stage::playing);
  }
  ~Playing() { expect_folded(); }
};

Table gathering(std::string_view settings) { return {testing::world(all_games()), settings}; }

// ── Seats ──

TEST(Seats, SitStandBotsAndStart) {
  Table table = gathering(R"({"game":"marbles","seats":4})");
  EXPECT_EQ(table.act("bob", R"({"do":"sit","seat":4})"), "The seats of this table are 0 to 3.");
  EXPECT_EQ(table.act("bob", R"({"do":"sit"})"), "Say which seat: {\"seat\":0}, for example.");
  EXPECT_EQ(table.act("bob", R"({"do":"sit","seat":1})"), "");
  EXPECT_EQ(table.act("bob", R"({"do":"sit","seat":2})"),
            "You have a seat already. Further players at your device sit as guests.");
  EXPECT_EQ(table.act("cat", R"({"do":"sit","seat":1})"), "Seat 1 is taken.");
  EXPECT_EQ(table.act("cat", R"({"do":"stand","seat":1})"), "Seat 1 is not yours.");
  EXPECT_EQ(table.act("bob", R"({"do":"stand"})"), "");
  EXPECT_FALSE(table.match->seats()[1].taken());
  EXPECT_EQ(table.act("bob", R"({"do":"bot","seat":0,"bot":"simple"})"), "Only the host can do that.");
  EXPECT_EQ(table.act("ann", R"({"do":"bot","seat":0,"bot":"deep"})"),
            "There is no bot 'deep'. There are: random, simple.");
  EXPECT_EQ(table.act("ann", R"({"do":"bot","seat":0,"bot":"random"})"), "");
  EXPECT_EQ(table.act("bob", R"({"do":"sit","seat":2})"), "");
  EXPECT_EQ(table.act("ann", R"({"do":"start"})"), "");
  EXPECT_EQ(table.happened(), "bot_sat bot_sat started");
  EXPECT_EQ(table.match->bot_name(0), "random");
  EXPECT_EQ(table.match->bot_name(3), "simple");
  EXPECT_EQ(table.act("cat", R"({"do":"sit","seat":0})"), "The seats are taken and the game has started.");
  table.expect_folded();
}

TEST(Seats, WhoeverIsRemovedStaysAway) {
  Table table = gathering(R"({"game":"marbles","seats":2})");
  table.act("bob", R"({"do":"sit","seat":1})");
  EXPECT_EQ(table.act("ann", R"({"do":"remove","seat":0})"), "Seat 0 is empty.");
  EXPECT_EQ(table.act("ann", R"({"do":"remove","seat":1})"), "");
  EXPECT_EQ(table.act("bob", R"({"do":"sit","seat":1})"), "The host has removed this player from the table.");
  table.act("ann", R"({"do":"sit","seat":0})");
  EXPECT_EQ(table.act("ann", R"({"do":"remove","seat":0})"), "You cannot remove yourself.");
  table.expect_folded();
}

TEST(Seats, DuringPlayARemovedPlayersSeatIsABots) {
  Playing table(R"({"game":"marbles","seats":3,"first":1})");
  EXPECT_EQ(table.act("ann", R"({"do":"remove","seat":1})"), "");
  EXPECT_EQ(table.event(Event::Kind::removed).seat, 1);
  EXPECT_TRUE(table.match->seats()[1].person.empty());
  EXPECT_EQ(table.match->bot_name(1), "simple");
  EXPECT_EQ(table.act("bob", R"({"do":"roll"})"), "You have no seat at this table.");
  EXPECT_EQ(table.act("ann", R"({"do":"remove","seat":1})"), "A bot plays seat 1 already.");
}

TEST(Seats, TheHostHandsTheTableOver) {
  Playing table(R"({"game":"marbles","seats":2})");
  EXPECT_EQ(table.act("ann", R"({"do":"hand_over","seat":0})"), "You are the host already.");
  EXPECT_EQ(table.act("ann", R"({"do":"hand_over","seat":1})"), "");
  EXPECT_EQ(table.match->host(), "bob");
  EXPECT_EQ(table.act("ann", R"({"do":"close"})"), "Only the host can do that.");
}

TEST(Seats, ATableOfBotsBeginsAtOnce) {
  Table table = gathering(R"({"game":"marbles","seats":2,"first":0})");
  EXPECT_EQ(table.act("ann", R"({"do":"start","bot":"random"})"), "");
  EXPECT_EQ(table.happened().substr(0, 36), "bot_sat bot_sat started begun chance");
  EXPECT_TRUE(table.match->bot_wanted()) << "they have rolled until one can move";
  EXPECT_EQ(table.event(Event::Kind::begun).extra, "");
  EXPECT_FALSE(table.last.back().stood_in);
}

// ── The draw ──

TEST(Draw, TheDrawnSeatBegins) {
  Playing table(R"({"game":"marbles","seats":5})");
  const int first = table.match->play()->turn().seat;
  EXPECT_EQ(table.event(Event::Kind::begun).extra, fmt::format("\"first\":{}", first));
}

TEST(Draw, HashesComeBeforeContributions) {
  Table table = gathering(R"({"game":"marbles","seats":2})");
  const auto hash_of_0 = fair::hex(fair::contribution_hash(hash, {"m1", 1}, 0, contribution(0)));
  EXPECT_EQ(table.act("ann", R"({"do":"sit","seat":0,"hash":"xyz"})"),
            "\"hash\" takes 64 hexadecimal digits, in lower case.");
  EXPECT_EQ(table.act("ann", R"({"do":"sit","seat":0,"hash":")" + hash_of_0 + "\"}"), "");
  EXPECT_EQ(table.happened(), "sat committed");
  EXPECT_EQ(table.act("bob", R"({"do":"sit","seat":1})"), "");
  EXPECT_EQ(table.happened(), "sat started");
  EXPECT_EQ(table.match->awaited(), 0b10);
  EXPECT_EQ(table.reveal(0), "Not everybody has committed: reveal nothing yet.");
  EXPECT_EQ(table.commit(1), "");
  EXPECT_EQ(table.commit(1), "Seat 1 has committed itself already.");
  EXPECT_EQ(table.act("bob", R"({"do":"reveal","contribution":")" + fair::hex(contribution(5)) + "\"}"),
            "The contribution does not fit the hash that was committed.");
  EXPECT_FALSE(table.match->due()) << "nobody has revealed: there is nothing to be afraid of";
  EXPECT_EQ(table.reveal(0), "");
  EXPECT_EQ(table.reveal(0), "Seat 0 has revealed its contribution already.");
  EXPECT_EQ(table.reveal(1), "");
  EXPECT_EQ(table.happened(), "revealed begun");
  table.expect_folded();
}

TEST(Draw, AContributionThatIsNotRevealedInTimeRestartsTheDraw) {
  Table table = gathering(R"({"game":"marbles","seats":2})");
  table.act("ann", R"({"do":"sit","seat":0})");
  table.act("bob", R"({"do":"sit","seat":1})");
  table.commit(0);
  table.commit(1);
  const auto hash_before = table.match->secret_hash();
  table.pass(100 * second);
  EXPECT_EQ(table.happened(), "");
  table.reveal(0);
  EXPECT_EQ(table.match->due(), table.now + 30 * second);
  table.pass(29 * second);
  EXPECT_EQ(table.happened(), "");
  table.pass(second);
  EXPECT_EQ(table.happened(), "redrawn");
  EXPECT_NE(table.event(Event::Kind::redrawn).extra.find("\"missing\":[1]"), std::string::npos);
  EXPECT_EQ(table.match->draw_number(), 2);
  EXPECT_NE(table.match->secret_hash(), hash_before);
  EXPECT_EQ(table.match->awaited(), 0b11);
  table.draw();
  EXPECT_EQ(table.match->stage(), Stage::playing);
  table.expect_folded();
}

TEST(Draw, CorrespondenceHasDaysToReveal) {
  Table table = gathering(R"({"game":"marbles","seats":2,"pace":{"days":3}})");
  table.act("ann", R"({"do":"sit","seat":0})");
  table.act("bob", R"({"do":"sit","seat":1})");
  table.commit(0);
  table.commit(1);
  table.reveal(0);
  EXPECT_EQ(table.match->due(), table.now + 3 * day);
}

TEST(Draw, RemovingSomebodyCannotChooseTheDice) {
  Table table = gathering(R"({"game":"marbles","seats":3})");
  for (const auto& [person, seat] : {std::pair{"ann", 0}, {"bob", 1}, {"cat", 2}}) {
    table.act(person, fmt::format(R"({{"do":"sit","seat":{}}})", seat));
  }
  for (const int seat : {0, 1, 2}) table.commit(seat);
  table.reveal(1);
  EXPECT_EQ(table.act("ann", R"({"do":"remove","seat":2})"), "");
  EXPECT_EQ(table.happened(), "removed redrawn");
  table.draw();
  EXPECT_EQ(table.match->stage(), Stage::playing);
  table.expect_folded();
}

TEST(Draw, TheDrawNoLongerWaitsForWhoeverIsRemoved) {
  Table table = gathering(R"({"game":"marbles","seats":2})");
  table.act("ann", R"({"do":"sit","seat":0})");
  table.act("bob", R"({"do":"sit","seat":1})");
  table.commit(0);
  EXPECT_EQ(table.act("ann", R"({"do":"remove","seat":1})"), "");
  EXPECT_EQ(table.happened(), "removed");
  EXPECT_EQ(table.reveal(0), "");
  EXPECT_EQ(table.match->stage(), Stage::playing);
}

// ── Play ──

TEST(Rolls, WaitForTheSeatUnlessItRollsByItself) {
  Playing table(R"({"game":"cybo","seats":2,"first":0})");
  EXPECT_EQ(table.act("bob", R"({"do":"roll"})"), "It is seat 0's turn.");
  EXPECT_EQ(table.act("ann", R"({"do":"move","move":"pass"})"), "Roll first.");
  EXPECT_EQ(table.act("ann", R"({"do":"roll"})"), "");
  EXPECT_EQ(table.happened(), "chance");
  table.go_on_until(0, Phase::chance);
  EXPECT_EQ(table.act("ann", R"({"do":"auto_roll","on":true})"), "");
  EXPECT_EQ(table.happened().substr(0, 16), "auto_roll chance");
  EXPECT_TRUE(table.last[1].event.by.empty()) << "what follows by itself is nobody's command";
}

TEST(Commands, ARepeatedOneDoesNothingTwice) {
  Playing table(R"({"game":"marbles","seats":2,"first":0})");
  const Command roll{.kind = Command::Kind::roll, .id = 77};
  Match::Happenings out;
  EXPECT_FALSE(table.match->act("ann", roll, table.now, out));
  table.last = out;
  table.note();
  out.clear();
  EXPECT_TRUE(table.match->repeats("ann", 77));
  EXPECT_FALSE(table.match->repeats("bob", 77));
  EXPECT_FALSE(table.match->act("ann", roll, table.now, out));
  EXPECT_TRUE(out.empty());
}

TEST(Commands, TheLast32AreRemembered) {
  Playing table(R"({"game":"marbles","seats":2,"first":0})");
  const std::uint64_t before = table.commands;
  for (int i = 0; i < 33; ++i) table.act("ann", R"({"do":"auto_roll","on":false})");
  EXPECT_FALSE(table.match->repeats("ann", before + 1));
  EXPECT_TRUE(table.match->repeats("ann", before + 2));
  EXPECT_TRUE(table.match->repeats("ann", before + 33));
}

TEST(TakeBack, OnesOwnMoveUntilTheNextRoll) {
  Playing table(R"({"game":"marbles","seats":2,"first":0})");
  table.go_on_until(0, Phase::decision);
  const auto before = table.match->play()->clone();
  EXPECT_EQ(table.go_on(), "");
  EXPECT_EQ(table.act("bob", R"({"do":"take_back"})"),
            "A roll or a draw came after your last move, so it can no longer be taken back.");
  EXPECT_EQ(table.act("ann", R"({"do":"take_back"})"), "");
  EXPECT_EQ(table.happened(), "taken_back");
  EXPECT_EQ(table.event(Event::Kind::taken_back).extra, "\"moves\":1");
  EXPECT_TRUE(before->equals(*table.match->play()));
  EXPECT_EQ(table.go_on(), "");
  EXPECT_EQ(table.go_on(), "") << "the next roll";
  EXPECT_EQ(table.act("ann", R"({"do":"take_back"})"),
            "A roll or a draw came after your last move, so it can no longer be taken back.");
}

TEST(TakeBack, WhereTheTableForbidsIt) {
  Playing table(R"({"game":"marbles","seats":2,"first":0,"take_backs":false})");
  table.go_on_until(0, Phase::decision);
  table.go_on();
  EXPECT_EQ(table.act("ann", R"({"do":"take_back"})"), "At this table moves are not taken back.");
}

/// In Cubed seats lay in turn, and nothing is drawn between.
struct Laying : Playing {
  explicit Laying(std::string_view settings) : Playing(settings), before(match->play()->clone()) {}
  void lay() {
    for (const Move move : match->play()->legal()) {
      const std::string text = match->play()->text(move, Viewer::all());
      if (text.find('@') == std::string::npos) continue;
      ASSERT_EQ(act(match->seats()[match->play()->turn().seat].device, R"({"do":"move","move":")" + text + "\"}"), "");
      return;
    }
    FAIL() << "nothing can be laid";
  }
  std::unique_ptr<Play> before;
};
struct TwoHaveLaid : Laying {
  TwoHaveLaid() : Laying(R"({"game":"cubed","seats":3,"first":0})") {
    lay();
    lay();
  }
};

TEST(TakeBack, PastAnothersMoveNeedsTheirConsent) {
  TwoHaveLaid table;
  EXPECT_EQ(table.act("ann", R"({"do":"take_back"})"), "");
  EXPECT_EQ(table.happened(), "asked");
  EXPECT_EQ(table.match->asked(), (Asked{Asked::What::take_back, 0, 0b010}));
  EXPECT_EQ(table.act("cat", R"({"do":"answer","yes":true})"), "Nothing is asked of you.");
  EXPECT_EQ(table.act("cat", R"({"do":"stop"})"), "First answer what seat 0 asks.");
  EXPECT_EQ(table.act("bob", R"({"do":"answer","yes":false})"), "");
  EXPECT_EQ(table.happened(), "answered");
  EXPECT_FALSE(table.match->asked());
  EXPECT_EQ(table.act("ann", R"({"do":"take_back"})"), "");
  EXPECT_EQ(table.act("bob", R"({"do":"answer","yes":true})"), "");
  EXPECT_EQ(table.happened(), "answered taken_back");
  EXPECT_EQ(table.event(Event::Kind::taken_back).extra, "\"moves\":2");
  EXPECT_TRUE(table.before->equals(*table.match->play()));
}

TEST(TakeBack, AMoveMeanwhileDropsTheQuestion) {
  TwoHaveLaid table;
  table.act("ann", R"({"do":"take_back"})");
  ASSERT_TRUE(table.match->asked());
  table.lay();
  EXPECT_FALSE(table.match->asked());
}

TEST(TakeBack, BotsAgree) {
  TwoHaveLaid table;
  EXPECT_EQ(table.act("ann", R"({"do":"remove","seat":1})"), "");
  EXPECT_EQ(table.act("ann", R"({"do":"take_back"})"), "");
  EXPECT_EQ(table.happened(), "taken_back");
}

TEST(Stop, WhenAllOthersAgree) {
  Playing table(R"({"game":"marbles","seats":3})");
  EXPECT_EQ(table.act("bob", R"({"do":"stop"})"), "");
  EXPECT_EQ(table.match->asked(), (Asked{Asked::What::stop, 1, 0b101}));
  EXPECT_EQ(table.match->awaited() & 0b101, 0b101);
  EXPECT_EQ(table.act("ann", R"({"do":"answer","yes":true})"), "");
  EXPECT_EQ(table.match->stage(), Stage::playing);
  EXPECT_EQ(table.act("cat", R"({"do":"answer","yes":true})"), "");
  EXPECT_EQ(table.happened(), "answered over");
  EXPECT_NE(table.match->over().find(R"("why":"stopped","winners":[],"scores":[0,0,0])"), std::string::npos);
}

TEST(Stop, AMoveDoesNotDropItAndOneNoDoes) {
  Playing table(R"({"game":"marbles","seats":2})");
  table.act("bob", R"({"do":"stop"})");
  table.go_on();
  ASSERT_TRUE(table.match->asked());
  table.act("ann", R"({"do":"answer","yes":false})");
  EXPECT_FALSE(table.match->asked());
}

// ── Resigning ──

TEST(Resign, ABotPlaysOnAndTheLastSideWins) {
  Playing table(R"({"game":"marbles","seats":3,"first":0})");
  EXPECT_EQ(table.act("ann", R"({"do":"resign"})"), "");
  EXPECT_EQ(table.match->bot_name(0), "simple");
  EXPECT_TRUE(table.match->seats()[0].resigned);
  EXPECT_EQ(table.act("ann", R"({"do":"back"})"), "You have resigned: a bot plays on for you.");
  EXPECT_EQ(table.act("bob", R"({"do":"resign"})"), "");
  EXPECT_EQ(table.happened(), "resigned over");
  EXPECT_NE(table.match->over().find(R"("why":"resigned","winners":[2])"), std::string::npos);
}

TEST(Resign, TeamsWinTogether) {
  Playing table(R"({"game":"cylinder","seats":4,"first":0,"options":{"teams":"all_four"}})");
  table.act("ann", R"({"do":"resign"})");
  EXPECT_EQ(table.match->stage(), Stage::playing) << "cat, of the same side, has not";
  table.act("bob", R"({"do":"resign"})");
  table.act("cat", R"({"do":"resign"})");
  EXPECT_NE(table.match->over().find(R"("why":"resigned","winners":[3])"), std::string::npos)
      << "bob, of dan's side, has resigned: " << table.match->over();
}

TEST(Resign, WhoeverHasResignedCannotWin) {
  for (int seed = 0; seed < 5; ++seed) {
    Playing table(fmt::format(R"({{"game":"marbles","seats":3,"first":{}}})", seed % 3));
    table.act("ann", R"({"do":"resign"})");
    while (table.match->stage() == Stage::playing) ASSERT_EQ(table.go_on(), "");
    const auto over = nlohmann::json::parse('{' + table.match->over() + '}');
    ASSERT_EQ(over["why"], "played");
    EXPECT_FALSE(over["winners"].empty());
    for (const auto& winner : over["winners"]) EXPECT_NE(winner, 0);
  }
}

// ── Pauses and the end ──

TEST(Pause, NothingButAFewThingsWorks) {
  Playing table(R"({"game":"marbles","seats":2,"first":0,"pace":{"bank":60}})");
  table.now += 10 * second;
  EXPECT_EQ(table.act("bob", R"({"do":"pause"})"), "Only the host can do that.");
  EXPECT_EQ(table.act("ann", R"({"do":"resume"})"), "The game is not paused.");
  EXPECT_EQ(table.act("ann", R"({"do":"pause"})"), "");
  EXPECT_FALSE(table.match->due());
  EXPECT_EQ(table.match->awaited(), 0);
  table.pass(1000 * second);
  EXPECT_EQ(table.happened(), "");
  EXPECT_EQ(table.match->time_left(0, table.now), 50 * second);
  EXPECT_EQ(table.act("ann", R"({"do":"roll"})"), "The game is paused: the host can resume it.");
  EXPECT_EQ(table.act("ann", R"({"do":"resume"})"), "");
  EXPECT_EQ(table.match->due(), table.now + 50 * second);
  EXPECT_EQ(table.act("ann", R"({"do":"pause"})"), "");
  EXPECT_EQ(table.act("bob", R"({"do":"resign"})"), "");
  EXPECT_EQ(table.happened(), "resigned over");
}

TEST(Over, ByTheHostOrTheOwner) {
  Playing table(R"({"game":"marbles","seats":2})");
  table.act("ann", R"({"do":"close"})");
  EXPECT_EQ(table.match->stage(), Stage::over);
  EXPECT_NE(table.match->over().find(R"("why":"closed","winners":[],"scores":[0,0],"secret":")"), std::string::npos);
  Table empty = gathering(R"({"game":"marbles"})");
  empty.last.clear();
  EXPECT_FALSE(empty.match->close(empty.now, empty.last));
  empty.note();
  EXPECT_EQ(empty.match->stage(), Stage::over);
  EXPECT_TRUE(empty.match->close(empty.now, empty.last));
  empty.expect_folded();
}

TEST(Rematch, TheSeatsMoveOnByOne) {
  Playing table(R"({"game":"marbles","seats":3})");
  EXPECT_EQ(table.act("ann", R"({"do":"rematch"})"), "The game is not over yet.");
  table.act("ann", R"({"do":"remove","seat":2})");
  table.act("bob", R"({"do":"resign"})");
  table.act("ann", R"({"do":"close"})");
  EXPECT_EQ(table.act("zoe", R"({"do":"rematch"})"), "You had no seat at this table.");
  EXPECT_EQ(table.act("bob", R"({"do":"rematch"})"), "");
  EXPECT_EQ(table.happened(), "") << "it is only allowed: the match is made elsewhere";
  const std::vector<Seat> seats = table.match->rotated_seats();
  Table next(table.world, R"({"game":"marbles","seats":3})", seats);
  EXPECT_EQ(next.happened(), "created started");
  EXPECT_EQ(next.match->bot_name(0), "simple");
  EXPECT_EQ(next.match->seats()[1].person, "ann");
  EXPECT_EQ(next.match->seats()[2].person, "bob");
  EXPECT_EQ(next.match->bot_name(2), "") << "bob has resigned the last game, not this";
  next.expect_folded();
  table.last.clear();
  EXPECT_FALSE(table.match->rematch_made("bob", 999, "m2", table.now, table.last));
  table.note();
  EXPECT_EQ(table.match->rematch(), "m2");
  EXPECT_TRUE(table.match->repeats("bob", 999));
  EXPECT_EQ(table.act("ann", R"({"do":"rematch"})"), "There is a rematch already.");
}

// ── Clocks ──

TEST(Clock, RunsForTheAwaitedSeatAndGetsItsIncrement) {
  Playing table(R"({"game":"marbles","seats":2,"first":0,"pace":{"bank":60,"increment":5}})");
  EXPECT_EQ(table.match->time_left(0, table.now + 20 * second), 40 * second);
  EXPECT_EQ(table.match->time_left(1, table.now + 20 * second), 60 * second);
  EXPECT_EQ(table.match->time_left(0, table.now + 200 * second), 0);
  table.now += 20 * second;
  while (table.match->play()->turn().seat == 0) ASSERT_EQ(table.go_on(), "");
  EXPECT_EQ(table.match->time_left(0, table.now + 7 * second), 45 * second);
  EXPECT_EQ(table.match->time_left(1, table.now + 7 * second), 53 * second);
}

TEST(Clock, ATakenBackMoveGivesItsIncrementBack) {
  Laying table(R"({"game":"cubed","seats":2,"first":0,"pace":{"bank":60,"increment":5}})");
  table.lay();
  EXPECT_EQ(table.match->time_left(0, table.now), 65 * second);
  EXPECT_EQ(table.act("ann", R"({"do":"take_back"})"), "");
  EXPECT_EQ(table.match->time_left(0, table.now), 60 * second);
  EXPECT_EQ(table.match->time_left(1, table.now), 60 * second);
}

TEST(Clock, WaitsWhenTheTableWaits) {
  Playing table(R"({"game":"marbles","seats":2,"first":0,"pace":{"bank":10}})");
  EXPECT_EQ(table.match->due(), table.now + 10 * second);
  table.pass(10 * second);
  EXPECT_EQ(table.happened(), "out_of_time");
  EXPECT_FALSE(table.match->due()) << "once a turn";
  table.pass(100 * second);
  EXPECT_EQ(table.match->time_left(0, table.now), 0);
  EXPECT_EQ(table.go_on(), "");
}

TEST(Clock, TheSimpleBotPlaysTheTurn) {
  Playing table(R"({"game":"marbles","seats":2,"first":0,"pace":{"bank":10,"increment":2},"away":"turn"})");
  table.pass(10 * second);
  EXPECT_EQ(table.happened().substr(0, 27), "out_of_time stand_in chance");
  EXPECT_EQ(table.event(Event::Kind::stand_in).text, "simple");
  EXPECT_EQ(table.event(Event::Kind::stand_in).extra, R"("until":"turn")");
  EXPECT_TRUE(table.last[2].stood_in);
  Match::Happenings all = table.last;
  while (table.match->bot_wanted() == 0) {
    ASSERT_EQ(table.go_on(), "");
    all.insert(all.end(), table.last.begin(), table.last.end());
  }
  EXPECT_EQ(all.back().event.kind, Event::Kind::back);
  EXPECT_EQ(table.match->time_left(0, table.now), 2 * second) << "the turn gave its increment";
  EXPECT_EQ(table.match->seats()[0].stand_in, Seat::StandIn::none);
}

TEST(Clock, DaysATurn) {
  Playing table(R"({"game":"marbles","seats":2,"first":0,"pace":{"days":2},"away":{"bot":"random"}})");
  EXPECT_EQ(table.match->due(), table.now + 2 * day);
  table.pass(day);
  table.act("ann", R"({"do":"pause"})");
  table.pass(10 * day);
  table.act("ann", R"({"do":"resume"})");
  EXPECT_EQ(table.match->due(), table.now + day) << "clocks stand during a pause";
  table.connect("ann", false);
  EXPECT_EQ(table.happened(), "") << "correspondence is played without a connection";
  table.pass(day);
  EXPECT_EQ(table.event(Event::Kind::out_of_time).seat, 0);
  EXPECT_EQ(table.event(Event::Kind::stand_in).text, "random");
}

TEST(Clock, ForgivesALostConnectionForAWhile) {
  Playing table(R"({"game":"marbles","seats":2,"first":0,"pace":{"bank":60}})");
  table.now += 10 * second;
  table.connect("ann", false);
  EXPECT_EQ(table.happened(), "left");
  EXPECT_EQ(table.match->due(), table.now + (60 + 50) * second);
  EXPECT_EQ(table.match->time_left(0, table.now + 59 * second), 50 * second);
  EXPECT_EQ(table.match->time_left(0, table.now + 65 * second), 45 * second);
  table.now += 40 * second;
  table.connect("ann", true);
  table.now += 5 * second;
  table.connect("ann", false);
  EXPECT_EQ(table.match->time_left(0, table.now + 20 * second), 45 * second) << "20 seconds of grace were left";
  EXPECT_EQ(table.match->time_left(0, table.now + 21 * second), 44 * second);
}

// ── Away ──

TEST(Away, ABotPlaysUntilThePlayerIsBackAndSaysSinceWhen) {
  Playing table(R"({"game":"marbles","seats":2,"first":0,"away":{"bot":"random"}})");
  EXPECT_FALSE(table.match->due());
  table.connect("ann", false);
  table.connect("ann", false);
  EXPECT_EQ(table.happened(), "") << "nothing new";
  EXPECT_EQ(table.match->due(), table.now + 120 * second);
  table.pass(120 * second);
  EXPECT_EQ(table.happened().substr(0, 15), "stand_in chance");
  const Sequence since = table.last.front().sequence;
  EXPECT_EQ(table.match->bot_name(0), "random");
  table.go_on_until(1, Phase::chance);
  EXPECT_EQ(table.match->bot_name(0), "random") << "not only for a turn";
  table.connect("ann", true);
  EXPECT_EQ(table.happened(), "came back");
  EXPECT_EQ(table.event(Event::Kind::back).extra, fmt::format("\"since\":{}", since));
  EXPECT_EQ(table.match->bot_name(0), "");
}

TEST(Away, AMoveOfOnesOwnEndsTheStandIn) {
  Playing table(R"({"game":"cubed","seats":2,"first":0,"away":{"bot":"random"}})");
  table.connect("ann", false);
  table.pass(120 * second);
  ASSERT_EQ(table.match->bot_wanted(), 0);
  const std::string move = table.match->play()->text(table.match->play()->legal().front(), Viewer::all());
  EXPECT_EQ(table.act("ann", R"({"do":"move","move":")" + move + "\"}"), "");
  EXPECT_EQ(table.happened().substr(0, 9), "back move");
  EXPECT_EQ(table.last[0].event.command, table.commands) << "the first event has the command's number";
  EXPECT_FALSE(table.last[1].event.command);
  EXPECT_EQ(table.act("ann", R"({"do":"back"})"), "No bot stands in for you.");
}

TEST(Away, ABotsMoveIsRefusedWhenTheMatchHasGoneOn) {
  Playing table(R"({"game":"cubed","seats":2,"first":0,"away":{"bot":"random"}})");
  table.connect("ann", false);
  table.pass(120 * second);
  const Sequence thought_at = table.match->sequence();
  const std::string move = table.match->play()->text(table.match->play()->legal().front(), Viewer::all());
  EXPECT_EQ(table.act("ann", R"({"do":"back"})"), "");
  Match::Happenings out;
  EXPECT_TRUE(table.match->bot_move(0, thought_at, move, table.now, out));
  EXPECT_TRUE(table.match->bot_move(0, table.match->sequence(), move, table.now, out)) << "ann plays herself";
  EXPECT_TRUE(out.empty());
}

TEST(Away, TheTableMayWait) {
  Playing table(R"({"game":"marbles","seats":2,"first":0})");
  table.connect("ann", false);
  EXPECT_FALSE(table.match->due());
}

// ── A shared device ──

TEST(SharedDevice, HandsAreShownToTheSeatThatIsReady) {
  Table table = gathering(R"({"game":"cubed","seats":3,"first":0})");
  table.act("ann", R"({"do":"sit","seat":0})");
  EXPECT_EQ(table.act("ann", R"({"do":"sit","seat":1,"guest":"gus"})"), "");
  EXPECT_EQ(table.event(Event::Kind::sat).extra, R"("device":"ann")");
  EXPECT_EQ(table.act("ann", R"({"do":"sit","seat":2,"guest":"gus"})"), "This guest has a seat already.");
  table.act("bob", R"({"do":"sit","seat":2})");
  EXPECT_EQ(table.match->viewer_of("ann"), Viewer::spectator()) << "the deal comes together with the beginning";
  table.draw();
  ASSERT_EQ(table.match->play()->turn(), (Turn{Phase::decision, 0}));
  EXPECT_EQ(table.match->viewer_of("bob"), Viewer::seat(2));
  EXPECT_EQ(table.match->viewer_of("zoe"), Viewer::spectator());
  EXPECT_EQ(table.match->viewer_of("ann"), Viewer::spectator()) << "two people look at this screen";
  EXPECT_EQ(table.act("ann", R"({"do":"ready"})"), "Say which seat: {\"seat\":0}, for example.");
  EXPECT_EQ(table.act("bob", R"({"do":"ready"})"), "Your device is not shared: you see your hand always.");
  EXPECT_EQ(table.act("ann", R"({"do":"ready","seat":1})"), "");
  EXPECT_EQ(table.match->viewer_of("ann"), Viewer::seat(1));
  EXPECT_EQ(table.act("ann", R"({"do":"ready","seat":0})"), "");
  EXPECT_EQ(table.match->viewer_of("ann"), Viewer::seat(0));
  while (table.match->play()->turn().seat == 0) ASSERT_EQ(table.go_on(), "");
  EXPECT_EQ(table.match->viewer_of("ann"), Viewer::spectator()) << "the next player may be looking";
  table.expect_folded();
  table.act("ann", R"({"do":"close"})");
  EXPECT_EQ(table.match->viewer_of("zoe"), Viewer::all());
  table.expect_folded();
}

TEST(SharedDevice, WithoutHiddenPartsItSeesTheAwaitedSeat) {
  Table table = gathering(R"({"game":"marbles","seats":2,"first":1})");
  table.act("ann", R"({"do":"sit","seat":0})");
  table.act("ann", R"({"do":"sit","seat":1,"guest":"gus"})");
  table.draw();
  EXPECT_EQ(table.match->viewer_of("ann"), Viewer::seat(1));
  EXPECT_EQ(table.act("ann", R"({"do":"ready","seat":1})"), "Nothing is hidden in this game.");
  table.go_on_until(0, Phase::chance);
  EXPECT_EQ(table.match->viewer_of("ann"), Viewer::seat(0));
  table.connect("ann", false);
  EXPECT_EQ(table.happened(), "left left") << "both seats' device is gone";
}

}  // namespace
}  // namespace tessera::testing
