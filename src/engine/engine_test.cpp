#include "engine/engine.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "bots/bots.hpp"
#include "engine/session.hpp"
#include "games/registry.hpp"
#include "rules/transcript.hpp"

namespace tessera {
namespace {

double no_time() { return 0; }

/// A seeded random game until its n-th decision, as the seat that is to decide sees it.
std::vector<std::string> position(const GameInfo& game, int decisions, std::unique_ptr<Play>& play) {
  play = std::move(*game.start(game.usual_seats(), {}));
  std::vector<std::vector<std::string>> seen(static_cast<std::size_t>(play->seats()), {header_text(*play)});
  Streams streams(3);
  for (Turn turn = play->turn(); turn.phase != Phase::over; turn = play->turn()) {
    Line line;
    if (turn.phase == Phase::chance) {
      UniformOf uniform(streams[play->stream()]);
      line = chance_line(*play, play->draw(uniform));
    } else {
      if (decisions-- == 0) {
        auto& found = seen[static_cast<std::size_t>(turn.seat)];
        found.push_back(line_text(ask_line(*play)));
        return found;
      }
      line = move_line(*play, play->legal().front());
    }
    const auto before = play->clone();
    EXPECT_FALSE(follow(*play, line));
    for (std::size_t seat = 0; seat < seen.size(); ++seat) {
      seen[seat].push_back(line_text(seen_line(*before, line, *play, Viewer::seat(static_cast<int>(seat)))));
    }
  }
  return {};
}

// ── The protocol ──

TEST(Protocol, RequestsAndAnswersAreReadAsTheyAreWritten) {
  const std::vector<Request> requests{{.kind = Request::Kind::hello, .version = 1},
                                      {.kind = Request::Kind::option, .name = "level", .text = "3 or so"},
                                      {.kind = Request::Kind::position},
                                      {.kind = Request::Kind::line, .text = R"({"seat":0})"},
                                      {.kind = Request::Kind::go},
                                      {.kind = Request::Kind::go, .simulations = 70, .seconds = 0.25},
                                      {.kind = Request::Kind::quit}};
  for (const Request& request : requests) EXPECT_EQ(*parse_request(request_text(request)), request);
  const std::vector<EngineAnswer> answers{{.kind = EngineAnswer::Kind::name, .text = "A B"},
                                          {.kind = EngineAnswer::Kind::option, .name = "seed", .text = "1"},
                                          {.kind = EngineAnswer::Kind::ready},
                                          {.kind = EngineAnswer::Kind::chance, .chance = 0.25},
                                          {.kind = EngineAnswer::Kind::move, .text = "a1>a2"},
                                          {.kind = EngineAnswer::Kind::error, .text = "no"}};
  for (const EngineAnswer& answer : answers) EXPECT_EQ(*parse_answer(answer_text(answer)), answer);
}

TEST(Protocol, RefusesWhatIsSenselessAndIgnoresWhatIsUnknown) {
  for (const char* line :
       {"hello", "hello x", "hello 0", "option", "option level", "go 3", "go seconds", "go seconds -1",
        "go seconds nan", "go simulations 0", "go simulations 1.5", "go simulations 99999999999"}) {
    EXPECT_FALSE(parse_request(line)) << line;
  }
  for (const char* line : {"chance", "chance 1.5", "chance -0.1", "chance nan", "chance x", "option"}) {
    EXPECT_FALSE(parse_answer(line)) << line;
  }
  for (const char* line : {"", "ponder", "quit now", "GO"}) {
    EXPECT_EQ(parse_request(line)->kind, Request::Kind::unknown) << line;
    EXPECT_EQ(parse_answer(line)->kind, EngineAnswer::Kind::unknown) << line;
  }
}

// ── As an engine ──

TEST(EngineSession, ChoosesALegalMoveInEveryGame) {
  for (const GameInfo* game : all_games()) {
    for (const int decisions : {0, 7}) {
      std::unique_ptr<Play> play;
      const auto lines = position(*game, decisions, play);
      if (lines.empty()) continue;  // CYBO: seldom anything to decide
      EngineSession session(all_games(), "4", no_time);
      EXPECT_TRUE(session.answer("hello 1").ends_with("ready\n"));
      EXPECT_EQ(session.answer("position"), "");
      for (const std::string& line : lines) EXPECT_EQ(session.answer(line), "");
      const std::string answer = session.answer("go");
      ASSERT_TRUE(answer.starts_with("chance ")) << game->name << ": " << answer;
      const std::string move = answer.substr(answer.find("move ") + 5);
      EXPECT_TRUE(play->parse(move.substr(0, move.size() - 1))) << answer;
      EXPECT_EQ(session.answer("go simulations 30"), session.answer("go simulations 30")) << "reproducible";
    }
  }
}

TEST(EngineSession, SaysWhatIsWrong) {
  EngineSession session(all_games(), "4", no_time);
  EXPECT_TRUE(session.answer("go").starts_with("error there is no position"));
  EXPECT_TRUE(session.answer("option colour red").starts_with("error there is no option"));
  EXPECT_TRUE(session.answer("option level 9").starts_with("error there is no player"));
  EXPECT_TRUE(session.answer("option seed x").starts_with("error"));
  EXPECT_EQ(session.answer("option level 2"), "");
  EXPECT_EQ(session.answer("something new"), "");
  session.answer(R"({"game":"chess","seats":2,"options":{}})");
  EXPECT_TRUE(session.answer("go").starts_with("error line 1"));
  std::unique_ptr<Play> play;
  for (const char* name : {"cyclone", "cubed"}) {
    const GameInfo& game = **std::find_if(all_games().begin(), all_games().end(),
                                          [&](const GameInfo* info) { return info->name == name; });
    const auto lines = position(game, 3, play);
    for (std::size_t left_out = 0; left_out < lines.size(); ++left_out) {
      session.answer("position");
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i != left_out) session.answer(lines[i]);
      }
      EXPECT_TRUE(session.answer("go").starts_with("error")) << name << " without line " << left_out;
    }
  }
  EXPECT_FALSE(session.over());
  session.answer("quit");
  EXPECT_TRUE(session.over());
}

// ── Driving one ──

const std::vector<std::string> no_position{"{}"};
const EngineLimits hasty{.start = 0.5, .thinking = 0.1, .grace = 0.2};
const std::string ready = "read hello; echo name Test; echo ready; ";

std::string reason(const std::string& script, const EngineLimits& limits = hasty) {
  Engine engine("sh -c '" + script + "'", limits);
  const auto begin = std::chrono::steady_clock::now();
  const auto choice = engine.choose(no_position);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << script;
  return choice ? "none" : choice.error().sentence;
}

TEST(Engine, IsAskedAndAnswers) {
  const EngineLimits patient{.start = 30, .thinking = 0.1, .grace = 30};
  Engine engine(
      "sh -c '" + ready + "while read line; do case \"$line\" in go*) echo chance 0.5; echo move a b;; esac; done'",
      patient);
  for (int i = 0; i < 2; ++i) {
    const auto choice = engine.choose(no_position);
    ASSERT_TRUE(choice) << choice.error().sentence;
    EXPECT_EQ(choice->move, "a b");
    EXPECT_EQ(choice->chance, 0.5);
  }
  EXPECT_EQ(engine.name(), "Test");
}

TEST(Engine, WhateverItDoesIsSurvived) {
  EXPECT_EQ(reason("exit 3", {.start = 30}), "it ended (exit code 3)");
  EXPECT_EQ(reason("kill -SEGV $$", {.start = 30}), "it crashed (signal 11)");
  EXPECT_EQ(reason("sleep 100"), "it was silent for 0.5 seconds");
  EXPECT_EQ(reason("trap \"\" TERM INT HUP PIPE; while true; do sleep 1; done"), "it was silent for 0.5 seconds");
  EXPECT_EQ(reason("exec 1>&- 0<&-; sleep 100", {.start = 30}), "it closed its output");
  const EngineLimits slow_start{.start = 30, .thinking = 0.1, .grace = 0.2};
  EXPECT_EQ(reason(ready + "sleep 100", slow_start), "it was silent for 0.3 seconds");
  EXPECT_EQ(reason(ready + "while true; do echo nonsense; done", slow_start), "it was silent for 0.3 seconds");
  EXPECT_EQ(reason(ready + "echo error I am lost; sleep 100", slow_start), "it gave up: 'I am lost'");
  EXPECT_EQ(reason(ready + "echo chance 7; sleep 100", slow_start),
            "it said 'chance 7' is not chance P with P from 0 to 1");
  EXPECT_EQ(reason(ready + "head -c 200000 /dev/zero; sleep 100", {.start = 30, .thinking = 0.1, .grace = 30}),
            "it wrote a line without end");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "no process is left behind";
}

TEST(Engine, ThatReadsNothingIsNotWaitedFor) {
  const std::vector<std::string> long_position(10'000, std::string(1000, 'x'));
  Engine engine("sh -c '" + ready + "sleep 100'", {.start = 30, .thinking = 0.1, .grace = 0.2});
  const auto choice = engine.choose(long_position);
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().sentence, "it read nothing for 0.3 seconds");
}

TEST(Engine, IsStartedAnewAfterAFailure) {
  Engine engine("sh -c '" + ready + "exit 0'", {.start = 30, .thinking = 0.1, .grace = 30});
  for (int i = 0; i < 2; ++i) {
    const auto choice = engine.choose(no_position);
    ASSERT_FALSE(choice);
    EXPECT_EQ(choice.error().sentence, "it ended (exit code 0)");
  }
}

TEST(Engine, ProgramsAreFound) {
  EXPECT_TRUE(can_run("sh -c true"));
  EXPECT_TRUE(can_run("/bin/sh"));
  EXPECT_TRUE(can_run("examples/random_engine.py"));
  EXPECT_FALSE(can_run("no_such_program_at_all"));
  EXPECT_FALSE(can_run("/bin/no_such_program"));
  EXPECT_FALSE(can_run(""));
}

}  // namespace
}  // namespace tessera
