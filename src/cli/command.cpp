#include "cli/command.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>

#include "core/text.hpp"
#include "games/registry.hpp"

namespace tessera::cli {

void refuse(const Error& error) { throw Stop{wrong_input, error.sentence}; }

const GameInfo& find_game(const std::string& name) {
  std::vector<std::string_view> known;
  for (const GameInfo* game : all_games()) {
    if (game->name == name) return *game;
    known.push_back(game->name);
  }
  refuse(Error{fmt::format("there is no game {}; there are {}", in_quotes(name), join(known))});
}

void GameArguments::add_to(CLI::App& command) {
  command.add_option("game", game, "Name of the game, as `tessera games` lists it")->required()->type_name("GAME");
  command.add_option("--seats", seats, "Number of seats (default: the game's smallest above one)")
      ->check(whole_number(0, 100))
      ->type_name("N");
  command
      .add_option("--option", options,
                  "Sets an option of the game; may be given several times. `tessera rules GAME` lists them")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->allow_extra_args(false);
}

std::unique_ptr<Play> GameArguments::start() const {
  const GameInfo& info = find_game(game);
  std::vector<Setting> settings;
  for (const std::string& option : options) {
    const auto setting = parse_setting(option);
    if (!setting) refuse(setting.error());
    settings.push_back(*setting);
  }
  auto started = info.start(seats.value_or(info.usual_seats()), settings);
  if (!started) refuse(started.error());
  return std::move(*started);
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t greatest) {
  return CLI::Validator(
      [=](const std::string& text) {
        const auto number = parse_int<std::uint64_t>(text);
        if (number && *number >= least && *number <= greatest) return std::string();
        const bool bounded = greatest < std::numeric_limits<std::uint64_t>::max();
        return fmt::format(
            "takes a whole number {}, not {}",
            bounded ? fmt::format("from {} to {}", least, greatest) : fmt::format("of at least {}", least),
            in_quotes(text));
      },
      "");
}

void add_database(CLI::App& command, std::string& where) {
  where = "tessera.db";
  command.add_option("--database", where, "An SQLite file, or postgresql://USER:PASSWORD@HOST/NAME")
      ->envname("TESSERA_DATABASE")
      ->capture_default_str()
      ->type_name("WHERE");
}

std::unique_ptr<Store> open_existing(const std::string& where) {
  const bool file = where.find("://") == std::string::npos;
  if (file && !std::filesystem::exists(where)) refuse(Error{fmt::format("there is no database {}", in_quotes(where))});
  auto store = open_store(where);
  if (!store) throw Stop{failed, store.error().sentence};
  return std::move(*store);
}

bool colours_wanted() { return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

}  // namespace tessera::cli
