#include <fmt/format.h>
#include <algorithm>
#include <istream>
#include <iterator>

#include "cli/command.hpp"
#include "cli/narrate.hpp"
#include "cli/progress.hpp"
#include "cli/record_file.hpp"
#include "core/text.hpp"
#include "games/registry.hpp"
#include "match/played.hpp"
#include "review/review.hpp"
#include "rules/transcript.hpp"

namespace tessera::cli {
namespace {

struct ReviewArguments {
  std::string file;
  std::string reviewer;
  bool json = false;
};

PlayedGame read_transcript(const std::string& text, const std::string& name) {
  TranscriptReader reader(all_games());
  PlayedGame game;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty()) continue;
    const auto before = game.end;
    if (const auto problem = reader.read(line)) {
      refuse(Error{fmt::format("{}, line {}, {}", name, number, problem->sentence)});
    }
    if (reader.games() > 1) refuse(Error{fmt::format("{} holds several games; a review is of one", name)});
    if (before && !reader.finished()) game.steps.push_back({before, *parse_line(line)});
    game.end = reader.play()->clone();
  }
  if (!game.end) refuse(Error{fmt::format("{} holds no transcript", name)});
  return game;
}

PlayedGame read_match(const std::string& text, const std::string& name) {
  const Record record = read_record(text, name);
  PlayedGame game;
  check_record(record, name, [&](const Happening& happening) { game.saw(happening); });
  if (!game.end) refuse(Error{fmt::format("{}: nothing has been played yet", name)});
  return game;
}

// ── The picture ──

constexpr int picture_rows = 10;
constexpr std::size_t picture_columns = 72;

/// One column for each of the events, or fewer where they are many: then each shows the last event that falls to it.
std::vector<Chances> columns(const Review& review) {
  std::vector<Chances> found;
  const std::size_t events = review.events.size();
  const std::size_t wanted = std::min(events, picture_columns);
  for (std::size_t i = 0; i < wanted; ++i) found.push_back(review.events[(i + 1) * events / wanted - 1].chances);
  return found;
}

/// Two sides: seat 0's chance as an area. More: each seat's number at the height of its chance.
void print_picture(const Review& review, int sides) {
  const auto shown = columns(review);
  for (int row = picture_rows - 1; row >= 0; --row) {
    std::string line;
    for (const Chances& chances : shown) {
      if (sides == 2) {
        constexpr std::array<const char*, 9> blocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
        const double height = (chances[0] * picture_rows - row) * 8;
        line += blocks[static_cast<std::size_t>(std::clamp(height + 0.5, 0.0, 8.0))];
        continue;
      }
      char mark = ' ';
      for (std::size_t seat = review.seats.size(); seat-- > 0;) {
        const int at = std::min(picture_rows - 1, static_cast<int>(chances[seat] * picture_rows));
        if (at == row) mark = static_cast<char>('0' + seat);
      }
      line += mark;
    }
    const bool labelled = row == picture_rows - 1 || row == picture_rows / 2 || row == 0;
    fmt::print("{:>6} │{}\n", labelled ? fmt::format("{} %", row == picture_rows - 1 ? 100 : 10 * row) : "", line);
  }
  fmt::print("       └{}\n", [&] {
    std::string axis;
    for (std::size_t i = 0; i < shown.size(); ++i) axis += "─";
    return axis;
  }());
}

// ── In words ──

std::string points(double chance) { return fmt::format("{:+.1f}", 100 * chance); }

void print_worst(const Review& review, int seat) {
  const auto& worst = review.seats[static_cast<std::size_t>(seat)].worst;
  if (worst.empty()) {
    fmt::print("Seat {} made no move that gave away half a percent.\n", seat);
    return;
  }
  fmt::print("Seat {}:\n", seat);
  for (const int index : worst) {
    const ReviewedEvent& event = review.events[static_cast<std::size_t>(index)];
    fmt::print("  event {:>4}  {} wins {:.1f} %; {} would have won {:.1f} %\n", index + 1, event.text,
               100 * event.judged, event.best, 100 * event.best_judged);
  }
}

void print_luck(const Review& review) {
  fmt::print("\nWhat the result came from, in percent of a win\n{:<6}{:>8}{:>9}{:>12}{:>17}{:>8}{:>8}\n", "", "start",
             "dice", "own moves", "others' moves", "rest", "end");
  for (std::size_t i = 0; i < review.seats.size(); ++i) {
    const ReviewedSeat& seat = review.seats[i];
    fmt::print("seat {:<1}{:>8.1f}{:>9}{:>12}{:>17}{:>8}{:>8.1f}\n", i, 100 * seat.start, points(seat.luck),
               points(seat.decisions), points(seat.others), points(seat.rest), 100 * seat.end);
  }
}

/// The verdict: whether the winner had the better of the dice, of the decisions, or of both.
void print_verdict(const Review& review) {
  const auto winner = std::max_element(review.seats.begin(), review.seats.end(),
                                       [](const ReviewedSeat& a, const ReviewedSeat& b) { return a.end < b.end; });
  if (!review.over || winner->end == 0) return;
  const auto seat = winner - review.seats.begin();
  const double skill = winner->decisions + winner->others;
  const char* verdict = winner->luck > 0 && skill > 0 ? "had the better of the dice and of the decisions"
                        : winner->luck > 0            ? "owes it to the dice"
                        : skill > 0                   ? "won against the dice, by better decisions"
                                                      : "won though neither dice nor decisions were on its side";
  fmt::print("Seat {} {}: dice {}, decisions {}.\n", seat, verdict, points(winner->luck), points(skill));
}

void print_review(const Review& review, const Play& end) {
  std::vector<int> sides;
  for (int seat = 0; seat < end.seats(); ++seat) sides.push_back(end.side(seat));
  std::sort(sides.begin(), sides.end());
  const auto count = static_cast<int>(std::unique(sides.begin(), sides.end()) - sides.begin());
  fmt::print("{}, {} seats, {} events. {}\n\n", end.info().title, end.seats(), review.events.size(),
             review.over ? narrate_result(end) : "The game is not over.");
  fmt::print("{} after each event\n", count == 2 ? "Seat 0's chance of winning" : "Each seat's chance of winning");
  print_picture(review, count);
  fmt::print("\nThe moves that gave most away\n");
  for (int seat = 0; seat < end.seats(); ++seat) print_worst(review, seat);
  print_luck(review);
  print_verdict(review);
}

void review_file(const ReviewArguments& arguments) {
  with_input(arguments.file, [&](std::istream& file, const std::string& name) {
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const PlayedGame game = is_record(text) ? read_match(text, name) : read_transcript(text, name);
    catch_interrupts();
    Progress progress("events", game.steps.size());
    const auto reviewed =
        review(game.steps, *game.end, {.reviewer = arguments.reviewer, .progress = [&](std::size_t events) {
                                         progress.show(events, "");
                                         return !interrupted();
                                       }});
    progress.end();
    if (!reviewed) refuse(reviewed.error());
    if (interrupted()) throw Stop{failed, "interrupted"};
    if (arguments.json) {
      fmt::print("{}\n", review_json(*reviewed));
    } else {
      print_review(*reviewed, *game.end);
    }
  });
}

}  // namespace

void add_review(CLI::App& program) {
  CLI::App* command = program.add_subcommand("review", "Tell what a game was decided by: dice and decisions");
  command->footer(
      "Reads a transcript (tessera play --save, tessera trace) or the record of a match, and prints the chance of\n"
      "winning after each event, each player's worst moves, and a luck report: how much of the result the dice gave\n"
      "and how much the decisions. docs/review.md derives it. Every move is judged by what its seat knew; that takes "
      "up to\n"
      "a second a move. Examples:\n"
      "  tessera play cyclone --bot 1=5 --save game.jsonl; tessera review game.jsonl\n"
      "  tessera trace marbles | tessera review - --reviewer 4\n");
  auto arguments = std::make_shared<ReviewArguments>();
  command->add_option("file", arguments->file, "The transcript or record; - for standard input")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--reviewer", arguments->reviewer,
                   "Who judges the moves: a name that tessera arena takes (default: 5; in Cubed ahead)")
      ->type_name("LEVEL");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->callback([arguments] { review_file(*arguments); });
}

}  // namespace tessera::cli
