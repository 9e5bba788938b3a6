#include <fmt/format.h>
#include <cstdio>

#include "cli/command.hpp"

namespace {

constexpr const char* description =
    R"(Tessera: five tabletop games, exact and fast.

Try    tessera games              what there is to play
       tessera rules marbles      how a game is played, and its options
       tessera play marbles       play it here, against the computer or with friends
       tessera serve              a home for tables: friends join by link from their browsers
Every command has its own help: tessera play --help)";

char** arguments = nullptr;

}  // namespace

char** tessera::cli::original_arguments() { return arguments; }

int main(int argc, char** argv) {
  using namespace tessera::cli;
  arguments = argv;
  CLI::App program(description, "tessera");
  program.set_version_flag("--version", "tessera " TESSERA_VERSION, "Print the version");
  program.require_subcommand(0, 1);
  add_games(program);
  add_rules(program);
  add_play(program);
  add_trace(program);
  add_replay(program);
  add_lesson(program);
  add_verify(program);
  add_perft(program);
  add_bench(program);
  add_arena(program);
  add_engine(program);
  add_review(program);
  add_train(program);
  add_export(program);
  add_migrate(program);
#ifdef TESSERA_SERVER
  add_import(program);
  add_serve(program);
  add_admin(program);
  add_load(program);
#endif

  try {
    program.parse(argc, argv);
    if (program.get_subcommands().empty()) fmt::print("{}", program.help());
    return ok;
  } catch (const CLI::Success& help_or_version) {
    return program.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "tessera: {} (see tessera --help)\n", error.what());
    return wrong_input;
  } catch (const Stop& stop) {
    if (!stop.sentence.empty()) fmt::print(stderr, "tessera: {}\n", stop.sentence);
    return stop.exit_code;
  } catch (const std::exception& unforeseen) {
    fmt::print(stderr, "tessera: {}\n", unforeseen.what());
    return failed;
  }
}
