#include <fmt/format.h>
#include <chrono>
#include <cstdio>
#include <iostream>

#include "bots/bots.hpp"
#include "cli/command.hpp"
#include "engine/session.hpp"
#include "games/registry.hpp"

namespace tessera::cli {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void engine(const std::string& level) {
  if (const auto made = make_player(level, *all_games().front()); !made) refuse(made.error());
  EngineSession session(all_games(), level, seconds_now);
  for (std::string line; !session.over() && std::getline(std::cin, line);) {
    fmt::print("{}", session.answer(line));
    std::fflush(stdout);
  }
}

}  // namespace

void add_engine(CLI::App& program) {
  CLI::App* command = program.add_subcommand("engine", "Play as an engine: speak the engine protocol");
  command->footer(
      "For programs: reads requests from standard input, line by line, and answers on standard output.\n"
      "docs/engine-protocol.md has all of them. Try:\n"
      "  printf 'hello 1\\nquit\\n' | tessera engine\n"
      "  tessera arena cyclone --players 5 --engine 'tessera engine --level 3'\n");
  auto level = std::make_shared<std::string>(all_bots().back().name);
  command->add_option("--level", *level, "Who plays: 1 to 5, or another name that tessera arena takes")
      ->capture_default_str()
      ->type_name("LEVEL");
  command->callback([level] { engine(*level); });
}

}  // namespace tessera::cli
