#include <fmt/format.h>

#include "cli/command.hpp"
#include "games/registry.hpp"

namespace tessera::cli {

void add_games(CLI::App& program) {
  CLI::App* command = program.add_subcommand("games", "List the games");
  command->callback([] {
    for (const GameInfo* game : all_games()) {
      std::string seats;
      for (const int count : game->seat_counts) seats += fmt::format("{}{}", seats.empty() ? "" : ",", count);
      fmt::print("{:<10} seats {:<12} {}\n", game->name, seats, game->summary);
    }
  });
}

}  // namespace tessera::cli
