/// Every command in every stage by everybody: carried out, or refused with a sentence.
#include <fmt/format.h>
#include <map>

#include "games/registry.hpp"
#include "match/testing.hpp"

namespace tessera::testing {
namespace {

constexpr std::array<std::string_view, 3> people{"ann", "bob", "zoe"};  // the host, a player, a stranger

Table in_stage(Stage stage, bool paused) {
  Table table(world(all_games()), R"({"game":"marbles","seats":3,"first":0})");
  table.act("ann", R"({"do":"sit","seat":0})");
  table.act("bob", R"({"do":"sit","seat":1})");
  if (stage == Stage::gathering) return table;
  table.act("ann", R"({"do":"bot","seat":2,"bot":"simple"})");
  if (stage == Stage::drawing) return table;
  table.draw();
  if (paused) table.act("ann", R"({"do":"pause"})");
  if (stage == Stage::over) table.act("ann", R"({"do":"close"})");
  return table;
}

/// Who may do it: letters of host, player, stranger; by stage: gathering, drawing, playing, paused, over.
struct Expectation {
  std::string_view command;
  std::array<std::string_view, 5> allowed;
};

constexpr std::array<Expectation, 26> expectations{{
    {R"("do":"sit","seat":2)", {"s", "", "", "", ""}},
    {R"("do":"sit","seat":2,"guest":"gus")", {"hps", "", "", "", ""}},
    {R"("do":"stand")", {"hp", "", "", "", ""}},
    {R"("do":"bot","seat":2,"bot":"random")", {"h", "", "", "", ""}},
    {R"("do":"bot","seat":1,"bot":"random")", {"", "", "", "", ""}},
    {R"("do":"remove","seat":1)", {"h", "h", "h", "h", ""}},
    {R"("do":"remove","seat":5)", {"", "", "", "", ""}},
    {R"("do":"hand_over","seat":1)", {"h", "h", "h", "", ""}},
    {R"("do":"hand_over","seat":2)", {"", "", "", "", ""}},
    {R"("do":"start","bot":"simple")", {"h", "", "", "", ""}},
    {R"("do":"start","bot":"deep")", {"", "", "", "", ""}},
    {R"("do":"commit","hash":"0000000000000000000000000000000000000000000000000000000000000000")",
     {"", "hp", "", "", ""}},
    {R"("do":"commit","hash":"00")", {"", "", "", "", ""}},
    {R"("do":"reveal","contribution":"00")", {"", "", "", "", ""}},
    {R"("do":"roll")", {"", "", "h", "", ""}},
    {R"("do":"roll","seat":0)", {"", "", "h", "", ""}},
    {R"("do":"auto_roll","on":true)", {"hp", "hp", "hp", "", ""}},
    {R"("do":"move","move":"nonsense")", {"", "", "", "", ""}},
    {R"("do":"take_back")", {"", "", "", "", ""}},
    {R"("do":"stop")", {"", "", "hp", "", ""}},
    {R"("do":"answer","yes":true)", {"", "", "", "", ""}},
    {R"("do":"resign")", {"", "", "hp", "hp", ""}},
    {R"("do":"pause")", {"", "", "h", "", ""}},
    {R"("do":"resume")", {"", "", "", "h", ""}},
    {R"("do":"close")", {"h", "h", "h", "h", ""}},
    {R"("do":"rematch")", {"", "", "", "", "hp"}},
}};

TEST(Commands, InEveryStageByEverybody) {
  constexpr std::string_view letters = "hps";
  for (const Expectation& expectation : expectations) {
    for (int stage = 0; stage < 5; ++stage) {
      for (std::size_t who = 0; who < people.size(); ++who) {
        SCOPED_TRACE(fmt::format("{} by {} in stage {}", expectation.command, people[who], stage));
        const bool paused = stage == 3;
        Table table = in_stage(stage >= 3 ? static_cast<Stage>(stage - 1) : static_cast<Stage>(stage), paused);
        const std::string problem = table.act(people[who], fmt::format("{{{}}}", expectation.command));
        const bool allowed =
            expectation.allowed[static_cast<std::size_t>(stage)].find(letters[who]) != std::string_view::npos;
        EXPECT_EQ(problem.empty(), allowed) << problem;
        if (!problem.empty()) EXPECT_TRUE(problem.ends_with('.') || problem.find(' ') != std::string::npos) << problem;
        table.expect_folded();
      }
    }
  }
}

TEST(Commands, EveryKindIsExpectedAbove) {
  std::map<std::string, int> times;
  for (const Expectation& expectation : expectations) {
    ++times[nlohmann::json::parse(fmt::format("{{{}}}", expectation.command))["do"].get<std::string>()];
  }
  for (int kind = 0; kind <= static_cast<int>(Command::Kind::rematch); ++kind) {
    const auto name = command_name(static_cast<Command::Kind>(kind));
    const bool elsewhere = name == "ready" || name == "back";  // scenarios_test.cpp: they need more than a stage
    EXPECT_EQ(times.contains(std::string(name)), !elsewhere) << name;
  }
}

TEST(Commands, AreRead) {
  const auto command = parse_command(R"({"id":7,"do":"move","seat":0,"move":"p3>p7","later":1})");
  ASSERT_TRUE(command);
  EXPECT_EQ(command->kind, Command::Kind::move);
  EXPECT_EQ(command->id, 7);
  EXPECT_EQ(command->seat, 0);
  EXPECT_EQ(command->text, "p3>p7");
  const auto choices = parse_command(R"({"id":0,"do":"move","move":["BCG","1,-1","2"]})");
  ASSERT_TRUE(choices);
  EXPECT_EQ(choices->seat, -1);
  EXPECT_EQ(choices->choices, (Choices{"BCG", "1,-1", "2"}));
  EXPECT_TRUE(parse_command(R"({"id":1,"do":"answer","yes":true})")->on);
}

TEST(Commands, GarbageIsRefusedWithASentence) {
  for (const std::string_view garbage : {"",
                                         "7",
                                         "[]",
                                         "{",
                                         "\xff",
                                         "{}",
                                         R"({"do":"roll"})",
                                         R"({"id":1})",
                                         R"({"id":-1,"do":"roll"})",
                                         R"({"id":1.5,"do":"roll"})",
                                         R"({"id":9007199254740992,"do":"roll"})",
                                         R"({"id":1,"do":"fly"})",
                                         R"({"id":1,"do":7})",
                                         R"({"id":1,"do":"roll","seat":6})",
                                         R"({"id":1,"do":"roll","seat":-1})",
                                         R"({"id":1,"do":"roll","seat":"0"})",
                                         R"({"id":1,"do":"move"})",
                                         R"({"id":1,"do":"move","move":7})",
                                         R"({"id":1,"do":"move","move":[]})",
                                         R"({"id":1,"do":"move","move":[1]})",
                                         R"({"id":1,"do":"auto_roll"})",
                                         R"({"id":1,"do":"answer","yes":"yes"})",
                                         R"({"id":1,"do":"commit"})",
                                         R"({"id":1,"do":"sit","hash":1})"}) {
    const auto command = parse_command(garbage);
    ASSERT_FALSE(command) << garbage;
    EXPECT_TRUE(command.error().sentence.ends_with('.')) << command.error().sentence;
  }
}

}  // namespace
}  // namespace tessera::testing
