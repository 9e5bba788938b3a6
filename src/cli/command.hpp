#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rules/handle.hpp"
#include "store/store.hpp"

/// What the subcommands share. Each file of this folder adds one subcommand to the program.
namespace tessera::cli {

/// Exit codes. `replay` has its own on top of these.
enum ExitCode { ok = 0, failed = 1, wrong_input = 2 };

/// Ends the program with one sentence on standard error. Thrown by subcommands, caught in main.
struct Stop {
  int exit_code;
  std::string sentence;
};

[[noreturn]] void refuse(const Error& error);  ///< a Stop for wrong input

/// The game that a command is about, as its arguments name it.
struct GameArguments {
  std::string game;
  std::optional<int> seats;  ///< none: the usual number
  std::vector<std::string> options;

  void add_to(CLI::App& command);
  std::unique_ptr<Play> start() const;  ///< stops the program on wrong input
};

const GameInfo& find_game(const std::string& name);  ///< stops the program when there is none

/// A check for arguments that are whole numbers.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max());

/// The program's own arguments, for starting it anew.
char** original_arguments();

/// --database, with the default of every command: $TESSERA_DATABASE, else tessera.db in the current folder.
void add_database(CLI::App& command, std::string& where);
std::unique_ptr<Store> open_existing(const std::string& where);  ///< stops the program when there is none, or it fails

/// What the database was asked for. Stops the program when it does not do its work.
template <class T>
T had(Expected<T> value) {
  if (!value) throw Stop{failed, value.error().sentence};
  return std::move(*value);
}
inline void had(const std::optional<Error>& problem) {
  if (problem) throw Stop{failed, problem->sentence};
}

bool colours_wanted();  ///< standard output is a terminal, and NO_COLOR is not set

void add_games(CLI::App& program);
void add_rules(CLI::App& program);
void add_play(CLI::App& program);
void add_trace(CLI::App& program);
void add_replay(CLI::App& program);
void add_lesson(CLI::App& program);
void add_verify(CLI::App& program);
void add_perft(CLI::App& program);
void add_bench(CLI::App& program);
void add_arena(CLI::App& program);
void add_engine(CLI::App& program);
void add_review(CLI::App& program);
void add_train(CLI::App& program);
void add_serve(CLI::App& program);
void add_admin(CLI::App& program);
void add_export(CLI::App& program);
void add_import(CLI::App& program);
void add_migrate(CLI::App& program);
void add_load(CLI::App& program);

}  // namespace tessera::cli
