#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <ctime>

#include "bots/bots.hpp"
#include "cli/command.hpp"
#include "core/text.hpp"
#include "games/registry.hpp"
#include "rules/transcript.hpp"
#include "rules/witness.hpp"

namespace tessera::cli {
namespace {

struct BenchArguments {
  std::vector<std::string> games;
  bool json = false;
  bool search = false;
  double seconds = 1;
};

struct Measured {
  std::string_view game;
  int seats;
  double playouts_per_s;
  double transitions_per_s;
  double mean_length;
  std::size_t state_bytes;
  std::uint64_t signature;
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A hash over the transcripts of eight seeded games of at most 200 turns: it changes only when behaviour does.
std::uint64_t signature(const GameInfo& game, int seats) {
  const Setting short_games{"turn_limit", "200"};
  const auto start = game.start(seats, {&short_games, 1});
  std::uint64_t hash = fnv1a(header_text(**start));
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto play = (*start)->clone();
    Streams streams(seed);
    play_randomly(*play, streams, [&](const Line& line) { hash = fnv1a(line_text(line), hash); });
    hash = fnv1a(result_text(*play), hash);
  }
  return hash;
}

/// Random playouts for so many seconds, in five parts of which the fastest counts: what else a machine does can only
/// slow a part down.
Measured measure(const GameInfo& game, int seats, double seconds) {
  constexpr int parts = 5;
  const auto play = std::move(*game.start(seats, {}));
  Random random(1, "bench");
  PlayoutCount total;
  double transitions_per_s = 0;
  std::uint64_t batch = 1;
  for (int part = 0; part < parts; ++part) {
    std::uint64_t transitions = 0;
    double spent = 0;
    for (const double begin = cpu_seconds(); spent < seconds / parts; spent = cpu_seconds() - begin) {
      if (spent > 0 && spent < seconds / parts / 50) batch *= 2;  // so that reading the clock costs nothing
      const PlayoutCount counted = play->playouts(batch, random);
      transitions += counted.transitions;
      total.playouts += counted.playouts;
      total.transitions += counted.transitions;
    }
    transitions_per_s = std::max(transitions_per_s, static_cast<double>(transitions) / spent);
  }
  const double mean_length = static_cast<double>(total.transitions) / static_cast<double>(total.playouts);
  return {game.name,
          seats,
          transitions_per_s / mean_length,
          transitions_per_s,
          mean_length,
          play->state_bytes(),
          signature(game, seats)};
}

// ── Search ──

struct MeasuredSearch {
  std::string_view game;
  int seats;
  double simulations_per_s;  ///< of plain tree search
  std::uint64_t signature;
};

/// Plays a seeded game at random until its first decision.
std::unique_ptr<Play> first_decision(const GameInfo& game, int seats, std::uint64_t seed, Witnesses& witnesses) {
  auto play = std::move(*game.start(seats, {}));
  Streams streams(seed);
  while (play->turn().phase == Phase::chance) {
    UniformOf uniform(streams[play->stream()]);
    const Line line = chance_line(*play, play->draw(uniform));
    const auto before = play->clone();
    follow(*play, line);
    witnesses.saw(*before, line, *play);
  }
  return play;
}

/// A hash over what search with and without evaluation thinks of the first decisions of four seeded games: the moves,
/// and the chances to the last bit.
std::uint64_t search_signature(const GameInfo& game, int seats) {
  std::uint64_t hash = fnv1a(game.name);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Witnesses witnesses(**game.start(seats, {}));
    const auto play = first_decision(game, seats, seed, witnesses);
    if (play->turn().phase == Phase::over) continue;
    for (const std::string_view name : {"2", "search300", "uct100"}) {
      Random random(seed, "bench");
      const Thought thought = (*make_player(name, game))->think(*witnesses.asked(*play), random);
      for (const MoveChance& move : thought.moves) {
        hash = fnv1a(fmt::format("{} {:016x}", move.move, std::bit_cast<std::uint64_t>(move.chance)), hash);
      }
    }
  }
  return hash;
}

/// Plain tree search from the opening. Thoughts grow until one takes long enough to be measured, and the fastest counts.
MeasuredSearch measure_search(const GameInfo& game, int seats, double seconds) {
  std::uint64_t seed = 1;
  auto witnesses = std::make_unique<Witnesses>(**game.start(seats, {}));
  auto play = first_decision(game, seats, seed, *witnesses);
  while (play->turn().phase == Phase::over) {
    witnesses = std::make_unique<Witnesses>(**game.start(seats, {}));
    play = first_decision(game, seats, ++seed, *witnesses);
  }
  const auto knowledge = witnesses->asked(*play);
  double fastest = 0;
  for (std::uint64_t simulations = 100;; simulations *= 2) {
    const auto player = std::move(*make_player(fmt::format("uct{}", simulations), game));
    Random random(1, "bench");
    const double begin = cpu_seconds();
    const Thought thought = player->think(*knowledge, random);
    const double spent = cpu_seconds() - begin;
    if (spent > 0) fastest = std::max(fastest, static_cast<double>(thought.simulations) / spent);
    if (spent > seconds / 2) break;
  }
  return {game.name, seats, fastest, search_signature(game, seats)};
}

/// The usual number of seats, and four where the game has them.
std::vector<int> seats_to_search(const GameInfo& game) {
  std::vector<int> seats{game.usual_seats()};
  if (std::find(game.seat_counts.begin(), game.seat_counts.end(), 4) != game.seat_counts.end()) seats.push_back(4);
  return seats;
}

void bench_search(const std::vector<const GameInfo*>& games, const BenchArguments& arguments) {
  if (!arguments.json) fmt::print("{:<10} {:>5} {:>15}  {}\n", "game", "seats", "simulations/s", "search signature");
  std::string json;
  for (const GameInfo* game : games) {
    for (const int seats : seats_to_search(*game)) {
      const MeasuredSearch m = measure_search(*game, seats, arguments.seconds);
      if (arguments.json) {
        json += fmt::format(R"({}{{"game":"{}","seats":{},"simulations_per_s":{:.0f},"search_signature":"{:016x}"}})",
                            json.empty() ? "" : ",\n ", m.game, m.seats, m.simulations_per_s, m.signature);
      } else {
        fmt::print("{:<10} {:>5} {:>15.0f}  {:016x}\n", m.game, m.seats, m.simulations_per_s, m.signature);
        std::fflush(stdout);
      }
    }
  }
  if (arguments.json) fmt::print("[{}]\n", json);
}

void bench(const BenchArguments& arguments) {
  std::vector<const GameInfo*> games;
  for (const std::string& name : arguments.games) games.push_back(&find_game(name));
  if (games.empty()) games.assign(all_games().begin(), all_games().end());
  if (arguments.search) {
    bench_search(games, arguments);
    return;
  }

  if (!arguments.json) {
    fmt::print("{:<10} {:>5} {:>12} {:>15} {:>12} {:>11}  {}\n", "game", "seats", "playouts/s", "transitions/s",
               "mean length", "state bytes", "signature");
  }
  std::string json;
  for (const GameInfo* game : games) {
    for (const int seats : {game->seat_counts.front(), game->seat_counts.back()}) {
      const Measured m = measure(*game, seats, arguments.seconds);
      if (arguments.json) {
        json += fmt::format(
            R"({}{{"game":"{}","seats":{},"playouts_per_s":{:.1f},"transitions_per_s":{:.0f},"mean_length":{:.1f},)"
            R"("state_bytes":{},"signature":"{:016x}"}})",
            json.empty() ? "" : ",\n ", m.game, m.seats, m.playouts_per_s, m.transitions_per_s, m.mean_length,
            m.state_bytes, m.signature);
      } else {
        fmt::print("{:<10} {:>5} {:>12.0f} {:>13.2f} M {:>12.1f} {:>11}  {:016x}\n", m.game, m.seats, m.playouts_per_s,
                   m.transitions_per_s / 1e6, m.mean_length, m.state_bytes, m.signature);
        std::fflush(stdout);
      }
    }
  }
  if (arguments.json) fmt::print("[{}]\n", json);
}

}  // namespace

void add_bench(CLI::App& program) {
  CLI::App* command = program.add_subcommand("bench", "Measure how fast the games play");
  command->footer(
      "Random playouts on one core at each game's smallest and largest number of seats, in CPU time; of five parts of\n"
      "a row the fastest counts. A transition is a chance event or a decision; every list of legal moves is really\n"
      "made. The signature is a hash over a fixed set of seeded games: it changes only when a game's behaviour "
      "does. With --search: simulations of plain tree search from the opening, and a hash over what search thinks of\n"
      "fixed positions.\n");
  auto arguments = std::make_shared<BenchArguments>();
  command->add_option("games", arguments->games, "The games to measure (default: all)")->type_name("GAME");
  command->add_flag("--search", arguments->search, "Measure search instead of playouts");
  command->add_flag("--json", arguments->json, "Print a JSON array");
  command->add_option("--seconds", arguments->seconds, "CPU seconds for each row")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 3600.0))
      ->type_name("S");
  command->callback([arguments] { bench(*arguments); });
}

}  // namespace tessera::cli
