#include "engine/session.hpp"

#include <fmt/format.h>

#include "bots/bots.hpp"
#include "core/text.hpp"
#include "rules/transcript.hpp"

namespace tessera {
namespace {

constexpr std::size_t longest_transcript = 1'000'000;  // lines

std::string answers(const EngineAnswer& answer) { return answer_text(answer) + '\n'; }
std::string refusal(const Error& error) { return answers({.kind = EngineAnswer::Kind::error, .text = error.sentence}); }

/// A seat that is to decide, and what it knows.
struct Asked {
  std::unique_ptr<Play> start{};
  std::unique_ptr<Knowledge> knowledge{};
  Line ask{};
};

Expected<Asked> read_position(std::span<const GameInfo* const> games, std::span<const std::string> lines) {
  if (lines.empty()) return Error{"there is no position: send position and a seat transcript first"};
  TranscriptReader reader(games);
  if (const auto problem = reader.read(lines.front())) return Error{"line 1 " + problem->sentence};
  Asked asked{.start = reader.play()->clone()};
  const auto last = parse_line(lines.back());
  if (!last || last->kind != Line::Kind::ask || lines.size() == 1 || last->seat >= asked.start->seats()) {
    return Error{
        R"(the last line of a position is the open one of the seat that is to decide, {"seat":0,"legal":[…]})"};
  }
  asked.ask = *last;
  asked.knowledge = asked.start->know_nothing(Viewer::seat(last->seat));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto line = parse_line(lines[i]);
    const auto problem = line ? asked.knowledge->observe(*line) : line.error();
    if (problem) return Error{fmt::format("line {} holds {}: {}", i + 1, in_quotes(lines[i]), problem->sentence)};
  }
  return asked;
}

}  // namespace

std::string EngineSession::answer(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const auto request = parse_request(line);
  if (!request) return refusal(request.error());
  switch (request->kind) {
    case Request::Kind::hello:
      return answers({.kind = EngineAnswer::Kind::name, .text = "Tessera, level " + level_}) +
             answers({.kind = EngineAnswer::Kind::option, .name = "level", .text = level_}) +
             answers({.kind = EngineAnswer::Kind::option, .name = "seed", .text = std::to_string(seed_)}) +
             answers({.kind = EngineAnswer::Kind::ready});
    case Request::Kind::option: return set_option(*request);
    case Request::Kind::position: position_.clear(); return "";
    case Request::Kind::line:
      if (position_.size() < longest_transcript) position_.push_back(request->text);
      return "";
    case Request::Kind::go: {
      const auto thought = think(*request);
      return thought ? *thought : refusal(thought.error());
    }
    case Request::Kind::quit: over_ = true; return "";
    case Request::Kind::unknown: break;
  }
  return "";
}

std::string EngineSession::set_option(const Request& request) {
  if (request.name == "level") {
    const auto made = make_player(request.text, *games_.front());
    if (!made) return refusal(made.error());
    level_ = request.text;
  } else if (request.name == "seed") {
    const auto seed = parse_int<std::uint64_t>(request.text);
    if (!seed) return refusal({fmt::format("a seed is a whole number, not {}", in_quotes(request.text))});
    seed_ = *seed;
  } else {
    return refusal({fmt::format("there is no option {}; there are level and seed", in_quotes(request.name))});
  }
  return "";
}

Expected<std::string> EngineSession::think(const Request& request) const {
  const auto asked = read_position(games_, position_);
  if (!asked) return asked.error();
  // 1. The player: the level, or the strongest with so many simulations.
  Means means;
  if (request.seconds > 0) {
    means.stop = [this, until = seconds_() + request.seconds] { return seconds_() >= until; };
  }
  const std::string name = request.simulations == 0 ? level_ : fmt::format("search{}", request.simulations);
  auto player = make_player(name, asked->start->info(), means);
  if (!player) return player.error();
  // 2. The same position and seed give the same move.
  Random random(seed_, fmt::format("engine {}", position_.size()));
  const auto world = asked->knowledge->determinize(random);
  if (ask_line(*world) != asked->ask) return Error{"the legal moves of the last line are not those of the position"};
  const Thought thought = (*player)->think(*asked->knowledge, random);
  return answers({.kind = EngineAnswer::Kind::chance, .chance = std::min(thought.chance, 1.0)}) +
         answers({.kind = EngineAnswer::Kind::move, .text = world->text(thought.move, Viewer::all())});
}

}  // namespace tessera
