#include <fmt/format.h>
#include <istream>

#include "cli/command.hpp"
#include "cli/record_file.hpp"
#include "games/registry.hpp"
#include "match/tree.hpp"
#include "match/view.hpp"
#include "rules/transcript.hpp"

namespace tessera::cli {
namespace {

constexpr Viewer learner = Viewer::seat(0);

/// Whose turn it is after an event, and what the learner may then do.
std::string turn_members(const Play& play) {
  const Turn turn = play.turn();
  if (turn.phase == Phase::over) return R"("turn":{"over":true})";
  if (turn.phase == Phase::chance) return fmt::format(R"("turn":{{"roll":{}}})", turn.seat);
  std::string members = fmt::format(R"("turn":{{"move":{}}})", turn.seat);
  if (learner.is_seat(turn.seat)) members += ",\"legal\":" + tree_json(play);
  return members;
}

void lesson(std::istream& file, const std::string& name) {
  TranscriptReader reader(all_games());
  std::string header;
  std::string text;
  std::uint64_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::shared_ptr<const Play> before = reader.play() == nullptr ? nullptr : reader.play()->clone();
    if (const auto problem = reader.read(line)) {
      throw Stop{failed, fmt::format("{}, line {}, {}", name, number, problem->sentence)};
    }
    const std::shared_ptr<const Play> after = reader.play()->clone();
    if (before == nullptr) {
      header = line.substr(0, line.size() - 1);
      header += ",\"start\":" + pieces_json(*after, learner);
      text = "{\"events\":[]," + turn_members(*after) + '}';
      continue;
    }
    const auto happened = parse_line(line);
    if (!happened) break;  // the result
    Happening happening{
        .sequence = 0,
        .event = {.kind = happened->kind == Line::Kind::chance ? Event::Kind::chance : Event::Kind::move,
                  .seat = happened->seat,
                  .text = happened->text,
                  .extra = happened->extra},
        .before = before,
        .after = after};
    if (happened->kind == Line::Kind::move) happening.move = *before->parse(happened->text);
    text += fmt::format(",\n{{\"events\":[{}],{}}}", seen_json(happening, learner), turn_members(*after));
  }
  if (header.empty()) throw Stop{wrong_input, fmt::format("{} holds no transcript", name)};
  fmt::print("{},\"steps\":[\n{}\n]}}\n", header, text);
}

}  // namespace

void add_lesson(CLI::App& program) {
  CLI::App* command = program.add_subcommand("lesson", "Print a transcript as the web client shows it to a learner");
  command->footer(
      "The first position, and for each line what seat 0 sees of it and may then do, as one JSON object. The web "
      "client's\n"
      "boards keep it: tessera lesson src/games/marbles/lesson.jsonl > web/src/boards/marbles/lesson.json\n");
  auto name = std::make_shared<std::string>();
  command->add_option("file", *name, "The transcript; - for standard input")->required()->type_name("FILE");
  command->callback([name] { with_input(*name, lesson); });
}

}  // namespace tessera::cli
