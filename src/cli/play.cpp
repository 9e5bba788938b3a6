#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <iostream>
#include <random>

#include "cli/command.hpp"
#include "cli/terminal_game.hpp"
#include "core/text.hpp"
#include "games/registry.hpp"
#include "rules/transcript.hpp"

namespace tessera::cli {
namespace {

struct PlayArguments {
  GameArguments game;
  std::string human = "0";
  std::vector<std::string> bots;
  std::vector<std::string> engines;
  double engine_seconds = EngineLimits{}.thinking;
  std::optional<std::uint64_t> seed;
  std::string save;
  std::string resume;
};

std::vector<bool> parse_humans(const std::string& text, int seats) {
  std::vector<bool> humans(static_cast<std::size_t>(seats), text == "all");
  if (text == "all") return humans;
  for (const std::string_view part : split(text, ',')) {
    const auto seat = parse_int(part);
    if (!seat || *seat < 0 || *seat >= seats) {
      refuse(Error{
          fmt::format("--human takes seats from 0 to {}, as in 0,1, or all; not {}", seats - 1, in_quotes(text))});
    }
    humans[static_cast<std::size_t>(*seat)] = true;
  }
  return humans;
}

/// Reads SEAT=TEXT, of a seat that no person plays.
std::pair<std::size_t, std::string> parse_seat(const std::string& text, const std::vector<bool>& humans,
                                               std::string_view option) {
  const std::size_t equals = text.find('=');
  const auto seat = parse_int(text.substr(0, equals));
  if (equals == std::string::npos || !seat || *seat < 0 || *seat >= std::ssize(humans) ||
      humans[static_cast<std::size_t>(*seat)]) {
    refuse(Error{fmt::format("{} takes a seat that no person plays and who plays it, as in 1=5; not {}", option,
                             in_quotes(text))});
  }
  return {static_cast<std::size_t>(*seat), text.substr(equals + 1)};
}

/// Somebody for every seat that no person plays.
std::vector<TerminalGame::Opponent> make_opponents(const PlayArguments& arguments, const Play& start,
                                                   const std::vector<bool>& humans) {
  constexpr std::string_view usual = "3";
  std::vector<std::string> names(humans.size(), std::string(usual));
  for (const std::string& bot : arguments.bots) {
    const auto [seat, name] = parse_seat(bot, humans, "--bot");
    names[seat] = name;
  }
  std::vector<TerminalGame::Opponent> opponents(humans.size());
  for (const std::string& engine : arguments.engines) {
    const auto [seat, command] = parse_seat(engine, humans, "--engine");
    if (!can_run(command)) refuse(Error{fmt::format("there is no program to run {}", in_quotes(command))});
    opponents[seat].engine = std::make_unique<Engine>(command, EngineLimits{.thinking = arguments.engine_seconds});
  }
  for (std::size_t seat = 0; seat < opponents.size(); ++seat) {
    if (humans[seat] || opponents[seat].engine) continue;
    auto made = make_player(names[seat], start.info());
    if (!made) refuse(made.error());
    opponents[seat].player = std::move(*made);
  }
  return opponents;
}

/// The events of a saved game; `start` becomes its beginning.
std::vector<Line> read_saved(const std::string& name, std::unique_ptr<Play>& start) {
  std::ifstream file(name);
  if (!file) refuse(Error{fmt::format("cannot open {}", in_quotes(name))});
  TranscriptReader reader(all_games());
  std::vector<Line> lines;
  std::uint64_t number = 0;
  for (std::string text; std::getline(file, text);) {
    ++number;
    if (const auto problem = reader.read(text))
      refuse(Error{fmt::format("{}, line {}, {}", name, number, problem->sentence)});
    if (reader.games() > 1) refuse(Error{fmt::format("{} holds several games; --resume goes on with one", name)});
    if (reader.finished()) refuse(Error{fmt::format("the game in {} is over", name)});
    if (number == 1) {
      start = reader.play()->clone();
    } else {
      lines.push_back(*parse_line(text));
    }
  }
  if (!start) refuse(Error{fmt::format("{} holds no transcript", name)});
  return lines;
}

void play(const PlayArguments& arguments, bool game_named) {
  std::unique_ptr<Play> start;
  std::vector<Line> lines;
  if (!arguments.resume.empty()) {
    if (arguments.game.seats || !arguments.game.options.empty()) {
      refuse(Error{"--resume takes seats and options from the file; leave --seats and --option out"});
    }
    lines = read_saved(arguments.resume, start);
    if (game_named && arguments.game.game != start->info().name) {
      refuse(Error{
          fmt::format("{} holds a game of {}, not {}", arguments.resume, start->info().name, arguments.game.game)});
    }
  } else {
    if (!game_named) refuse(Error{"name a game, as in tessera play marbles; tessera games lists them"});
    start = arguments.game.start();
  }
  if (!arguments.save.empty() && arguments.save != arguments.resume && access(arguments.save.c_str(), F_OK) == 0) {
    refuse(Error{fmt::format("{} exists already; choose another name, or go on with it: --resume {} --save {}",
                             arguments.save, arguments.save, arguments.save)});
  }
  const auto humans = parse_humans(arguments.human, start->seats());
  const std::uint64_t seed = arguments.seed ? *arguments.seed : std::random_device{}();
  auto opponents = make_opponents(arguments, *start, humans);
  TerminalGame game(std::move(start), std::move(opponents), seed, arguments.save);
  for (const Line& line : lines) game.repeat(line);
  fmt::print("{} with {} seats. Seed {}. Type help for what you can type.\n", game.title(), humans.size(), seed);
  game.run();
}

}  // namespace

void add_play(CLI::App& program) {
  CLI::App* command = program.add_subcommand("play", "Play a game in the terminal");
  command->footer(
      "People share the keyboard; the other seats are played by the computer: --bot 1=5 gives seat 1 to its level 5, "
      "the\n"
      "strongest; 1 is the weakest, 3 the usual one. At your turn type the number of a choice, or a move as the rules\n"
      "write it, or hint, or help. Examples:\n"
      "  tessera play marbles                               you are seat 0\n"
      "  tessera play cyclone --bot 1=5                     against the strongest\n"
      "  tessera play cubed --seats 3 --human 0,2           two people and the computer\n"
      "  tessera play cylinder --save game.jsonl            saved whenever it is your turn\n"
      "  tessera play --resume game.jsonl --save game.jsonl\n");
  auto arguments = std::make_shared<PlayArguments>();
  arguments->game.add_to(*command);
  command->get_option("game")->required(false);
  command->add_option("--human", arguments->human, "Seats played by people, as in 0,2; or all")
      ->capture_default_str()
      ->type_name("SEATS");
  command->add_option("--bot", arguments->bots, "Who plays a seat: levels 1 to 5, or random")->type_name("SEAT=LEVEL");
  command
      ->add_option("--engine", arguments->engines,
                   "An engine that plays a seat, by its command (docs/engine-protocol.md)")
      ->type_name("SEAT=COMMAND");
  command->add_option("--engine-seconds", arguments->engine_seconds, "How long an engine is told to think about a move")
      ->check(CLI::Range(0.001, 1e5))
      ->capture_default_str()
      ->type_name("S");
  command->add_option("--seed", arguments->seed, "Seed of the dice (default: a new one each time)")
      ->check(whole_number(0))
      ->type_name("S");
  command->add_option("--save", arguments->save, "Keep the game in this file while it is played")->type_name("FILE");
  command->add_option("--resume", arguments->resume, "Go on with a saved game")->type_name("FILE");
  command->callback([arguments, command] { play(*arguments, command->count("game") > 0); });
}

}  // namespace tessera::cli
