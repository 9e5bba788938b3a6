#include <fmt/format.h>

#include "cli/command.hpp"

namespace tessera::cli {
namespace {

/// The value of an option at each seat count: "14", or "8 (4 seats: 10, 6 seats: 10)" where it depends on the seats.
std::string default_text(const GameInfo& game, std::size_t option) {
  const OptionValue usual = game.defaults(game.usual_seats())[option];
  std::string text = usual.spec.value_text(usual.value);
  std::string others;
  for (const int seats : game.seat_counts) {
    const OptionValue other = game.defaults(seats)[option];
    if (other.value == usual.value) continue;
    others += fmt::format("{}{} seat{}: {}", others.empty() ? "" : ", ", seats, seats == 1 ? "" : "s",
                          other.spec.value_text(other.value));
  }
  return others.empty() ? text : fmt::format("{} ({})", text, others);
}

void print_rules(const GameInfo& game) {
  fmt::print("{}\n## Options\n\nSet one with --option NAME=VALUE.\n\n", game.rules);
  const auto options = game.defaults(game.usual_seats());
  for (std::size_t i = 0; i < options.size(); ++i) {
    const OptionSpec& spec = options[i].spec;
    const std::string takes = spec.kind == OptionSpec::Kind::seat ? "a seat, from 0" : spec.takes().sentence;
    fmt::print("- {}: {}; default {}\n  {}\n", spec.name, takes, default_text(game, i), spec.help);
  }
}

}  // namespace

void add_rules(CLI::App& program) {
  CLI::App* command = program.add_subcommand("rules", "Explain a game: its rules for players, and its options");
  auto name = std::make_shared<std::string>();
  command->add_option("game", *name, "Name of the game, as `tessera games` lists it")->required()->type_name("GAME");
  command->callback([name] { print_rules(find_game(*name)); });
}

}  // namespace tessera::cli
