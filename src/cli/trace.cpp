#include <fmt/format.h>
#include <cstdio>

#include "cli/command.hpp"
#include "rules/transcript.hpp"

namespace tessera::cli {
namespace {

struct TraceArguments {
  GameArguments game;
  std::uint64_t seed = 1;
  std::uint64_t games = 1;
};

void trace(const TraceArguments& arguments) {
  const auto start = arguments.game.start();
  const auto print_line = [](const std::string& text) { std::fprintf(stdout, "%s\n", text.c_str()); };
  for (std::uint64_t i = 0; i < arguments.games && std::ferror(stdout) == 0; ++i) {
    const auto play = start->clone();
    Streams streams(arguments.seed + i);
    print_line(header_text(*play));
    play_randomly(*play, streams, [&](const Line& line) { print_line(line_text(line)); });
    print_line(result_text(*play));
  }
}

}  // namespace

void add_trace(CLI::App& program) {
  CLI::App* command = program.add_subcommand("trace", "Play a game at random and print its transcript");
  command->footer(
      "Every decision is drawn uniformly among the legal moves. The same seed gives the same game on every machine.\n"
      "A transcript is one JSON object a line; `tessera replay` checks it. Example:\n"
      "  tessera trace cyclone --seats 3 --option arm=6 --seed 7 | tessera replay -\n");
  auto arguments = std::make_shared<TraceArguments>();
  arguments->game.add_to(*command);
  command->add_option("--seed", arguments->seed, "Seed of the first game")
      ->check(whole_number(0))
      ->capture_default_str()
      ->type_name("S");
  command->add_option("--games", arguments->games, "Number of games, with consecutive seeds")
      ->check(whole_number(1))
      ->capture_default_str()
      ->type_name("N");
  command->callback([arguments] { trace(*arguments); });
}

}  // namespace tessera::cli
