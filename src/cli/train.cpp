#include <fmt/format.h>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "bots/bots.hpp"
#include "bots/weights.hpp"
#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "core/text.hpp"
#include "rules/transcript.hpp"

namespace tessera::cli {
namespace {

using Json = nlohmann::json;

struct TrainArguments {
  GameArguments game;
  std::uint64_t games = 10000;
  std::uint64_t seed = 1;
  std::string from;
  std::string resume;
  std::string out;
};

/// The command that makes the same weights again.
std::string command_text(const TrainArguments& arguments) {
  std::string text = "tessera train " + arguments.game.game;
  if (arguments.game.seats) text += fmt::format(" --seats {}", *arguments.game.seats);
  for (const std::string& option : arguments.game.options) text += " --option " + option;
  if (!arguments.from.empty()) text += " --from " + arguments.from;
  return text + fmt::format(" --games {} --seed {}", arguments.games, arguments.seed);
}

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) refuse(Error{fmt::format("cannot open {}", in_quotes(name))});
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Writes a new file and puts it in the old one's place, so that neither is ever half there.
void write_file(const std::string& name, const std::string& text) {
  const std::string unfinished = name + ".part";
  std::ofstream file(unfinished, std::ios::binary);
  file << text;
  file.close();
  if (!file || std::rename(unfinished.c_str(), name.c_str()) != 0) {
    throw Stop{failed, fmt::format("cannot write {}", in_quotes(name))};
  }
}

/// What a file of --resume holds: how far the training is, and what it remembers.
class Saved {
 public:
  Saved(const TrainArguments& arguments, const Play& play)
      : file_(arguments.resume),
        training_(fmt::format("{} from {} with seed {}", header_text(play),
                              arguments.from.empty() ? "nothing" : arguments.from, arguments.seed)) {}

  /// The number of games that were played before.
  std::uint64_t load(Learning& learning) const {
    if (file_.empty() || !std::ifstream(file_)) return 0;
    const Json json = Json::parse(read_file(file_), nullptr, false);
    const bool whole = json.is_object() && json.contains("training") && json.contains("memory") &&
                       json.contains("games") && json["games"].is_number_unsigned() && json["memory"].is_array();
    if (!whole) refuse(Error{fmt::format("{} is no file of tessera train --resume", file_)});
    if (json["training"] != training_)
      refuse(Error{fmt::format("{} holds another training: {}", file_, json["training"].dump())});
    std::vector<double> memory;
    for (const Json& value : json["memory"]) memory.push_back(value.is_number() ? value.get<double>() : 0);
    if (const auto problem = learning.set_memory(memory)) refuse(*problem);
    return json["games"].get<std::uint64_t>();
  }

  void save(const Learning& learning, std::uint64_t games) const {
    if (file_.empty()) return;
    write_file(file_, Json{{"training", training_}, {"games", games}, {"memory", learning.memory()}}.dump() + '\n');
  }

 private:
  std::string file_;
  std::string training_;
};

std::unique_ptr<Learning> make_learning(const Play& play) {
  for (const GameBots& bots : all_game_bots()) {
    if (bots.game == play.info().name && bots.learning != nullptr) return bots.learning(play);
  }
  refuse(Error{fmt::format("the evaluation of {} has nothing to learn", play.info().title)});
}

void train(const TrainArguments& arguments) {
  // 1. Where to begin: nothing is known, or what a file holds.
  const auto play = arguments.game.start();
  const auto learning = make_learning(*play);
  std::vector<double> weights(learning->weights().size(), 0);
  if (!arguments.from.empty()) {
    auto read = parse_weights_header(read_file(arguments.from), play->info().name);
    if (!read) refuse(Error{fmt::format("{}: {}", arguments.from, read.error().sentence)});
    weights = std::move(*read);
  }
  if (const auto problem = learning->set_weights(weights)) refuse(*problem);
  const Saved saved(arguments, *play);
  const std::uint64_t before = saved.load(*learning);

  // 2. Game after game, each with randomness of its own, so that it does not matter where a training was interrupted.
  catch_interrupts();
  std::uint64_t games = before;
  {
    Progress progress("games", arguments.games, before);
    auto kept = std::chrono::steady_clock::now();
    for (; games < arguments.games && !interrupted(); ++games) {
      Random random(arguments.seed, fmt::format("training {}", games));
      learning->learn(random);
      progress.show(games + 1, "");
      if (const auto now = std::chrono::steady_clock::now(); now - kept > std::chrono::seconds(30)) {
        saved.save(*learning, games + 1);
        kept = now;
      }
    }
  }
  saved.save(*learning, games);
  if (games < arguments.games) {
    throw Stop{failed, arguments.resume.empty() ? "interrupted; with --resume FILE nothing is lost"
                                                : "interrupted; the same command goes on from " + arguments.resume};
  }

  // 3. The weights, in the form that the game's folder keeps.
  const std::string header = weights_header(play->info().name, learning->weights(), command_text(arguments));
  if (arguments.out.empty()) {
    fmt::print("{}", header);
  } else {
    write_file(arguments.out, header);
  }
}

}  // namespace

void add_train(CLI::App& program) {
  CLI::App* command = program.add_subcommand("train", "Learn the weights of a game's evaluation by self-play");
  command->footer(
      "Plays against itself and learns from each game by temporal differences (docs/learning.md), on one core. The\n"
      "same seed gives the same weights, interrupted or not. They are printed as the header that the game's folder\n"
      "keeps, with the command beside them; to use them, build again. Whether they are stronger, the arena says.\n"
      "  tessera train marbles --games 60000 --out src/games/marbles/marbles_weights.hpp\n"
      "  tessera train cylinder --games 8000 --resume cylinder.training\n");
  auto arguments = std::make_shared<TrainArguments>();
  arguments->game.add_to(*command);
  command->add_option("--games", arguments->games, "Games to learn from, in all")
      ->check(whole_number(1))
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--seed", arguments->seed, "Seed of dice and moves")
      ->check(whole_number(0))
      ->capture_default_str()
      ->type_name("S");
  command->add_option("--from", arguments->from, "Begin with the weights in this file (default: with nothing)")
      ->type_name("FILE");
  command->add_option("--resume", arguments->resume, "Keep the training in this file, and go on from what it holds")
      ->type_name("FILE");
  command->add_option("--out", arguments->out, "Where to write the weights (default: standard output)")
      ->type_name("FILE");
  command->callback([arguments] { train(*arguments); });
}

}  // namespace tessera::cli
