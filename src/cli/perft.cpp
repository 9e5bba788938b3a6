#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.hpp"

namespace tessera::cli {
namespace {

struct PerftArguments {
  GameArguments game;
  int depth = 0;
  std::uint64_t seed = 1;
};

void perft(const PerftArguments& arguments) {
  const auto play = arguments.game.start();
  if (isatty(STDERR_FILENO) != 0) {  // a deep count takes a while: show the shallower ones meanwhile
    for (int depth = 1; depth < arguments.depth; ++depth) {
      fmt::print(stderr, "depth {}: {}\n", depth, play->perft(depth, arguments.seed));
    }
  }
  fmt::print("{}\n", play->perft(arguments.depth, arguments.seed));
}

}  // namespace

void add_perft(CLI::App& program) {
  CLI::App* command = program.add_subcommand("perft", "Count the ways in which a game can begin");
  command->footer(
      "Counts the paths of D steps from the start: every legal move and every distinct chance outcome is a branch, a\n"
      "deal counts as one (drawn from the seed), and a game that is over sooner counts as one path. Two "
      "implementations\n"
      "of the same rules agree on these numbers.\n");
  auto arguments = std::make_shared<PerftArguments>();
  arguments->game.add_to(*command);
  command->add_option("--depth", arguments->depth, "Chance events and decisions to look ahead")
      ->required()
      ->check(whole_number(0, 1000))
      ->type_name("D");
  command->add_option("--seed", arguments->seed, "Seed of the deals")
      ->check(whole_number(0))
      ->capture_default_str()
      ->type_name("S");
  command->callback([arguments] { perft(*arguments); });
}

}  // namespace tessera::cli
