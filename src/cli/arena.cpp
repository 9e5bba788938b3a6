#include <fmt/format.h>
#include <atomic>
#include <cmath>
#include <thread>

#include "arena/contest.hpp"
#include "arena/journal.hpp"
#include "bots/bots.hpp"
#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "core/text.hpp"

namespace tessera::cli {
namespace {

struct ArenaArguments {
  GameArguments game;
  std::string players;
  std::vector<std::string> engines;
  double engine_seconds = EngineLimits{}.thinking;
  bool ladder = false;
  std::uint64_t games = 200;
  double until = 0;
  std::uint64_t seed = 1;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::string resume;
  bool json = false;
};

/// The contests of a ladder: each level against the one below, then the strongest against plain tree search. (The other
/// fixed reference, `ahead`, is level 4.)
std::vector<std::vector<std::string>> ladder() {
  std::vector<std::vector<std::string>> steps;
  std::string below = "random";
  for (const BotInfo& bot : all_bots()) {
    steps.push_back({std::string(bot.name), below});
    below = bot.name;
  }
  steps.push_back({below, "uct1000"});
  return steps;
}

std::string percent(const Interval& rate) {
  return fmt::format("{:5.1f} % ({:.1f} to {:.1f})", 100 * rate.mean, 100 * rate.low, 100 * rate.high);
}

/// "+120 (+90 to +151)"
std::string elo_text(const Interval& elo) {
  const auto number = [](double value) {
    if (std::isinf(value)) return std::string(value < 0 ? "-inf" : "+inf");
    return fmt::format("{:+.0f}", value);
  };
  return fmt::format("{} ({} to {})", number(elo.mean), number(elo.low), number(elo.high));
}

/// A contest with its blocks, from the journal and newly played.
std::vector<Block> hold(const Contest& contest, const ArenaArguments& arguments, Journal* journal) {
  const std::uint64_t blocks = (arguments.games + contest.players.size() - 1) / contest.players.size();
  const std::vector<Block> known = journal == nullptr ? std::vector<Block>{} : journal->blocks(contest);
  if (journal != nullptr) journal->begin(contest);
  Progress progress("games", blocks * contest.players.size(), known.size() * contest.players.size());
  std::optional<Error> problem;
  std::atomic<bool> broken = false;  // there is a problem: for the threads that play
  const Running running{
      .blocks = blocks,
      .until = arguments.until / 100,
      .threads = arguments.threads,
      .stop = [&] { return interrupted() || broken; },
      .finished =
          [&](const Block& block, std::span<const Block> counted) {
            if (journal != nullptr && !problem) problem = journal->add(block);
            broken = problem.has_value();
            const Standing first = standings(contest, counted).front();
            progress.show(games(contest, counted), fmt::format("{} wins {}", first.name, percent(first.win_rate)));
          },
  };
  auto found = run(contest, known, running);
  progress.end();
  if (problem) throw Stop{failed, problem->sentence};
  return found;
}

std::string json_text(const Contest& contest, std::span<const Block> blocks) {
  std::string players;
  for (const Standing& standing : standings(contest, blocks)) {
    players += fmt::format(R"({}{{"name":{},"win_rate":{:.5f},"low":{:.5f},"high":{:.5f},"ms_per_move":{:.4f}{}}})",
                           players.empty() ? "" : ",", json_string(standing.name), standing.win_rate.mean,
                           standing.win_rate.low, standing.win_rate.high, standing.ms_per_move,
                           standing.forfeits == 0 ? ""
                                                  : fmt::format(R"(,"forfeits":{},"reason":{})", standing.forfeits,
                                                                json_string(standing.reason)));
  }
  return fmt::format(R"({{"games":{},"players":[{}]}})", games(contest, blocks), players);
}

void tell_forfeits(std::span<const Standing> found) {
  for (const Standing& standing : found) {
    if (standing.forfeits == 0) continue;
    fmt::print("{} forfeited {} games; the last because {}\n", standing.name, standing.forfeits, standing.reason);
  }
}

std::size_t widest_name(std::span<const Contest> contests) {
  std::size_t widest = 6;
  for (const Contest& contest : contests) {
    for (const std::string& name : contest.players) widest = std::max(widest, name.size());
  }
  return widest;
}

void print_heading(const Contest& contest) {
  fmt::print("{}, {} seats, seed {}\n", contest.start->info().title, contest.start->seats(), contest.seed);
}

void hold_one(const Contest& contest, const ArenaArguments& arguments, Journal* journal) {
  const auto blocks = hold(contest, arguments, journal);
  if (arguments.json) {
    fmt::print("{}\n", json_text(contest, blocks));
    return;
  }
  const auto found = standings(contest, blocks);
  const std::size_t width = widest_name({&contest, 1});
  print_heading(contest);
  fmt::print("{} games: {} of the same dice, each from every seat{}\n\n", games(contest, blocks), blocks.size(),
             interrupted() ? " (interrupted)" : "");
  fmt::print("{:<{}}  {:<24} {:<26} {:>9}\n", "player", width, "wins (95 % interval)", "Elo against the others",
             "ms a move");
  for (const Standing& standing : found) {
    fmt::print("{:<{}}  {:<24} {:<26} {:>9.2f}\n", standing.name, width, percent(standing.win_rate),
               elo_text(standing.elo), standing.ms_per_move);
  }
  tell_forfeits(found);
}

void hold_ladder(const std::vector<Contest>& contests, const ArenaArguments& arguments, Journal* journal) {
  const std::size_t width = widest_name(contests);
  std::string json;
  if (!arguments.json) {
    print_heading(contests.front());
    fmt::print("\n{:<{}}  {:<{}}  {:>6}  {:<24} {:<26} {:>9}\n", "player", width, "beats", width, "games",
               "wins (95 % interval)", "Elo ahead", "ms a move");
  }
  for (const Contest& contest : contests) {
    if (interrupted()) break;
    const auto blocks = hold(contest, arguments, journal);
    if (arguments.json) {
      json += (json.empty() ? "" : ",\n ") + json_text(contest, blocks);
      continue;
    }
    const auto found = standings(contest, blocks);
    fmt::print("{:<{}}  {:<{}}  {:>6}  {:<24} {:<26} {:>9.2f}\n", found[0].name, width, found[1].name, width,
               games(contest, blocks), percent(found[0].win_rate), elo_text(found[0].elo), found[0].ms_per_move);
    std::fflush(stdout);
    tell_forfeits(found);
  }
  if (arguments.json) fmt::print("[{}]\n", json);
}

void arena(const ArenaArguments& arguments) {
  if (arguments.ladder == (!arguments.players.empty() || !arguments.engines.empty())) {
    refuse(Error{"name the players, as in --players 5,uct1000, or ask for the --ladder of all levels"});
  }
  const std::shared_ptr<const Play> start = arguments.game.start();
  std::vector<Contest> contests;
  if (arguments.ladder) {
    for (const auto& step : ladder()) contests.push_back({start, step, arguments.seed});
  } else {
    std::vector<std::string> players;
    if (!arguments.players.empty()) {
      for (const std::string_view name : split(arguments.players, ',')) players.emplace_back(name);
    }
    players.insert(players.end(), arguments.engines.begin(), arguments.engines.end());
    contests.push_back({start, players, arguments.seed, {.thinking = arguments.engine_seconds}});
  }
  for (const Contest& contest : contests) {
    if (const auto problem = check(contest)) refuse(*problem);
  }
  std::optional<Journal> journal;
  if (!arguments.resume.empty()) {
    auto opened = Journal::open(arguments.resume);
    if (!opened) refuse(opened.error());
    journal.emplace(std::move(*opened));
  }
  catch_interrupts();
  Journal* kept = journal ? &*journal : nullptr;
  arguments.ladder ? hold_ladder(contests, arguments, kept) : hold_one(contests.front(), arguments, kept);
  if (!interrupted()) return;
  throw Stop{failed, journal ? fmt::format("interrupted; the same command goes on from {}", arguments.resume)
                             : "interrupted; with --resume FILE nothing is lost"};
}

}  // namespace

void add_arena(CLI::App& program) {
  CLI::App* command = program.add_subcommand("arena", "Let players compete, and measure who is stronger");
  command->footer(
      "The same dice are played once from every seat, so that luck and seats cancel out; the games of one set of dice\n"
      "are one sample. The same seed gives the same games, on any number of threads. Players: the levels 1 to 5,\n"
      "random, ahead (one move ahead by the game's evaluation), uct1000 (plain tree search, 1000 playouts a move),\n"
      "search500 (the strongest, with 500 simulations), or the command of an engine (docs/engine-protocol.md); one "
      "that\n"
      "crashes, is silent or makes an illegal move forfeits the game, with the reason. With more seats than players "
      "they take turns round the table;\n"
      "team mates are always the same player. Ctrl-C ends with what there is. Examples:\n"
      "  tessera arena cyclone --players 5,4\n"
      "  tessera arena marbles --seats 4 --players 4,3,2,1 --games 4000\n"
      "  tessera arena cylinder --players search1000,search2000 --until 95 --games 100000\n"
      "  tessera arena cubed --ladder --resume cubed.journal\n"
      "  tessera arena cyclone --players 3 --engine 'python3 my_engine.py --depth 4'\n");
  auto arguments = std::make_shared<ArenaArguments>();
  arguments->game.add_to(*command);
  command->add_option("--players", arguments->players, "Who plays, separated by commas")->type_name("A,B,…");
  command->add_option("--engine", arguments->engines, "One player more: the command that starts an engine")
      ->type_name("COMMAND")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--engine-seconds", arguments->engine_seconds, "How long an engine is told to think about a move")
      ->check(CLI::Range(0.001, 1e5))
      ->capture_default_str()
      ->type_name("S");
  command->add_flag("--ladder", arguments->ladder,
                    "Each level against the one below it, and the strongest against uct1000");
  command->add_option("--games", arguments->games, "Games at most (of each pair of a ladder)")
      ->check(whole_number(1))
      ->capture_default_str()
      ->type_name("N");
  command
      ->add_option("--until", arguments->until,
                   "Stop as soon as it is so sure that the players differ; equal ones are told apart by mistake with "
                   "at most the rest of 100 %, however long it goes on")
      ->check(CLI::Range(50.0, 99.9999))
      ->type_name("PERCENT");
  command->add_option("--seed", arguments->seed, "Seed of dice and players")
      ->check(whole_number(0))
      ->capture_default_str()
      ->type_name("S");
  command->add_option("--threads", arguments->threads, "Games at a time (default: one for each core)")
      ->check(whole_number(1, 1024))
      ->type_name("N");
  command
      ->add_option("--resume", arguments->resume,
                   "Keep every finished sample in this file, and go on from those that it holds")
      ->type_name("FILE");
  command->add_flag("--json", arguments->json, "Print one JSON object (a ladder: an array of them)");
  command->callback([arguments] { arena(*arguments); });
}

}  // namespace tessera::cli
