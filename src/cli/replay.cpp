#include <fmt/format.h>
#include <istream>
#include <iterator>

#include "cli/command.hpp"
#include "cli/record_file.hpp"
#include "games/registry.hpp"
#include "rules/transcript.hpp"

namespace tessera::cli {
namespace {

constexpr int unfinished = 3;

void replay_record(const std::string& text, const std::string& name) {
  const Record record = read_record(text, name);
  const Match match = check_record(record, name, {});
  const bool over = match.stage() == Stage::over;
  fmt::print("sound{}: 1 match, {} events\n", over ? "" : " but unfinished", record.log.size());
  if (!over) throw Stop{unfinished, ""};
}

void replay(std::istream& file, const std::string& name) {
  TranscriptReader reader(all_games());
  std::uint64_t number = 0;
  for (std::string line; std::getline(file, line);) {
    if (number == 0 && is_record(line)) {
      return replay_record(line + '\n' + std::string(std::istreambuf_iterator<char>(file), {}), name);
    }
    ++number;
    if (const auto problem = reader.read(line)) {
      const bool no_transcript = reader.games() == 0 && !line.starts_with(R"({"game":)");
      throw Stop{no_transcript ? wrong_input : failed, fmt::format("{}, line {}, {}", name, number, problem->sentence)};
    }
  }
  if (file.bad() || reader.games() == 0) {
    throw Stop{wrong_input, fmt::format("{} cannot be read, or holds no transcript", name)};
  }
  const std::string games = fmt::format("{} game{}", reader.games(), reader.games() == 1 ? "" : "s");
  if (reader.unfinished() > 0) {
    fmt::print("sound but unfinished: {} without result, {} in all, {} lines\n", reader.unfinished(), games, number);
    throw Stop{unfinished, ""};
  }
  fmt::print("sound: {}, {} lines\n", games, number);
}

}  // namespace

void add_replay(CLI::App& program) {
  CLI::App* command = program.add_subcommand("replay", "Check a transcript or a record move by move against the rules");
  command->footer(
      "Refuses the first line that is not what the rules say or not in the transcript's form, naming the line, what "
      "it\n"
      "holds and what was expected. Decision lines may leave \"legal\" out. Several games may follow one another.\n"
      "The record of a match is checked with its dice; `tessera verify` says more about these.\n"
      "Exit code 0: sound and finished; 3: sound but unfinished; 1: not sound; 2: not readable.\n");
  auto name = std::make_shared<std::string>();
  command->add_option("file", *name, "The transcript or record; - for standard input")->required()->type_name("FILE");
  command->callback([name] { with_input(*name, replay); });
}

}  // namespace tessera::cli
