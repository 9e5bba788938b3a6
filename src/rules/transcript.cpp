#include "rules/transcript.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

Json parse_json(std::string_view text) { return Json::parse(text, nullptr, false); }

/// JSON as it would stand in a transcript; bytes that are not UTF-8 cannot make it fail.
std::string compact(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class Items, class Write>
std::string list_text(const Items& items, Write&& write) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    text += write(item);
  }
  return text + ']';
}

/// What `play` waits for, in words.
std::string awaited(const Play& play) {
  const Turn turn = play.turn();
  const std::string whose = turn.seat < 0 ? "" : fmt::format(" of seat {}", turn.seat);
  switch (turn.phase) {
    case Phase::chance: return "a chance event" + whose;
    case Phase::decision: return "a move" + whose;
    case Phase::over: break;
  }
  return "the result " + result_text(play);
}

/// The Error for a line that means the right thing but is not written in the transcript's form.
Error not_this_form(std::string_view holds, std::string_view expected) {
  const auto [a, b] = std::mismatch(holds.begin(), holds.end(), expected.begin(), expected.end());
  const auto column = static_cast<std::size_t>(a - holds.begin());
  return Error{fmt::format("expected {} from column {} on, not {}", in_quotes(expected.substr(column)), column + 1,
                           in_quotes(holds.substr(column)))};
}

std::optional<Error> set_strings(const Json& array, std::vector<std::string>& strings) {
  if (!array.is_array()) return Error{"\"legal\" is not a list of moves"};
  for (const Json& item : array) {
    if (!item.is_string()) return Error{"\"legal\" is not a list of moves"};
    strings.push_back(item.get<std::string>());
  }
  return std::nullopt;
}

}  // namespace

// ── Writing ──

std::string header_text(const Play& play) {
  std::string options;
  for (const OptionValue& option : play.options()) {
    if (!options.empty()) options += ',';
    options += fmt::format("\"{}\":{}", option.spec.name, option.spec.value_json(option.value));
  }
  return fmt::format(R"({{"game":"{}","seats":{},"options":{{{}}}}})", play.info().name, play.seats(), options);
}

std::string line_text(const Line& line) {
  std::string text = "{";
  const auto add = [&](std::string_view members) {
    if (text.size() > 1) text += ',';
    text += members;
  };
  if (line.seat >= 0) add(fmt::format("\"seat\":{}", line.seat));
  if (line.legal) add("\"legal\":" + list_text(*line.legal, json_string));
  if (line.kind == Line::Kind::chance) add("\"chance\":" + json_string(line.text));
  if (line.kind == Line::Kind::move) add("\"move\":" + json_string(line.text));
  if (!line.extra.empty()) add(line.extra);
  return text + '}';
}

std::string result_text(const Play& play) {
  const Result result = play.result();
  std::vector<int> winners;
  std::vector<int> scores;
  for (int seat = 0; seat < play.seats(); ++seat) {
    if (result.won(seat)) winners.push_back(seat);
    scores.push_back(result.scores[seat]);
  }
  const auto number = [](int n) { return std::to_string(n); };
  return fmt::format(R"({{"result":{{"winners":{},"scores":{}}}}})", list_text(winners, number),
                     list_text(scores, number));
}

Line chance_line(const Play& play, const OutcomeText& outcome) {
  return {.kind = Line::Kind::chance, .seat = play.turn().seat, .text = outcome.text, .extra = outcome.extra};
}

Line ask_line(const Play& play) {
  std::vector<std::string> legal;
  for (const Move move : play.legal()) legal.push_back(play.text(move, Viewer::all()));
  std::sort(legal.begin(), legal.end());
  return {.kind = Line::Kind::ask, .seat = play.turn().seat, .legal = std::move(legal)};
}

Line move_line(const Play& play, Move move) {
  Line line = ask_line(play);
  line.kind = Line::Kind::move;
  line.text = play.text(move, Viewer::all());
  return line;
}

Line seen_line(const Play& before, const Line& full, const Play& after, Viewer viewer) {
  Line line = full;
  if (full.kind == Line::Kind::chance) {
    const auto seen = before.seen({full.text, full.extra}, viewer);
    line.text = seen->text;
    line.extra = seen->extra;
  } else {
    line.text = before.text(*before.parse(full.text), viewer);
    if (!viewer.is_seat(full.seat)) line.legal.reset();
  }
  if (const std::string shown = before.shown(after); !shown.empty()) {
    line.extra += line.extra.empty() ? shown : ',' + shown;
  }
  return line;
}

std::optional<Error> follow(Play& play, const Line& line) {
  const Turn turn = play.turn();
  const Phase phase = line.kind == Line::Kind::chance ? Phase::chance : Phase::decision;
  if (turn.phase != phase || turn.seat != line.seat || line.kind == Line::Kind::ask) {
    return Error{"expected " + awaited(play)};
  }
  if (line.kind == Line::Kind::chance) return play.apply({line.text, line.extra});
  const auto move = play.parse(line.text);
  if (!move) return move.error();
  play.play(*move);
  return std::nullopt;
}

// ── Reading ──

Expected<Line> parse_line(std::string_view text) {
  const Json json = parse_json(text);
  if (!json.is_object()) return Error{"expected one JSON object"};
  Line line{.kind = Line::Kind::ask};
  Json extra = Json::object();
  for (const auto& [key, value] : json.items()) {
    if (key == "seat") {
      if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= max_seats)
        return Error{"\"seat\" is not a seat"};
      line.seat = value.get<int>();
    } else if (key == "legal") {
      if (auto problem = set_strings(value, line.legal.emplace())) return *problem;
    } else if (key == "chance" || key == "move") {
      if (!value.is_string()) return Error{fmt::format("\"{}\" is not a string", key)};
      if (line.kind != Line::Kind::ask) return Error{"a line has one \"chance\" or one \"move\""};
      line.kind = key == "chance" ? Line::Kind::chance : Line::Kind::move;
      line.text = value.get<std::string>();
    } else {
      extra[key] = value;
    }
  }
  if (!extra.empty()) {
    line.extra = compact(extra);
    line.extra = line.extra.substr(1, line.extra.size() - 2);
  }
  return line;
}

std::optional<Error> TranscriptReader::read(std::string_view line) {
  const Json json = parse_json(line);
  const auto problem = [&]() -> std::optional<Error> {
    if (!json.is_object()) return Error{"expected one JSON object"};
    if (json.contains("game")) return read_header(line);
    if (!play_ || has_result_) return Error{R"(expected the header of a game, {"game":…,"seats":…,"options":{…}})"};
    return json.contains("result") ? read_result(line) : read_event(line);
  }();
  if (!problem) return std::nullopt;
  return Error{fmt::format("holds {}: {}", in_quotes(line), problem->sentence)};
}

std::optional<Error> TranscriptReader::read_header(std::string_view line) {
  const Json json = parse_json(line);
  const Json& name = json["game"];
  const auto game = std::find_if(games_.begin(), games_.end(), [&](const GameInfo* info) {
    return name.is_string() && name.get<std::string>() == info->name;
  });
  if (game == games_.end()) {
    std::vector<std::string_view> known;
    for (const GameInfo* info : games_) known.push_back(info->name);
    return Error{"expected the name of a game: " + join(known)};
  }
  if (!json.contains("seats") || !json["seats"].is_number_unsigned() ||
      json["seats"].get<std::uint64_t>() > max_seats) {
    return Error{"a header needs \"seats\", a number"};
  }
  if (!json.contains("options") || !json["options"].is_object()) return Error{"a header needs \"options\", an object"};
  std::vector<Setting> settings;
  for (const auto& [option, value] : json["options"].items()) {
    settings.push_back({option, value.is_string() ? value.get<std::string>() : compact(value)});
  }
  auto started = (*game)->start(json["seats"].get<int>(), settings);
  if (!started) return started.error();
  if (const std::string expected = header_text(**started); expected != line) return not_this_form(line, expected);
  play_ = std::move(*started);
  has_result_ = false;
  ++games_read_;
  return std::nullopt;
}

std::optional<Error> TranscriptReader::read_result(std::string_view line) {
  if (play_->turn().phase != Phase::over) return Error{"expected " + awaited(*play_)};
  if (const std::string expected = result_text(*play_); expected != line) return not_this_form(line, expected);
  has_result_ = true;
  ++finished_;
  return std::nullopt;
}

std::optional<Error> TranscriptReader::read_event(std::string_view text) {
  const auto line = parse_line(text);
  if (!line) return line.error();
  const auto before = play_->clone();
  if (auto problem = follow(*play_, *line)) return problem;
  Line expected;
  if (line->kind == Line::Kind::chance) {
    expected = chance_line(*before, *before->seen({line->text, line->extra}, Viewer::all()));
  } else {
    expected = move_line(*before, *before->parse(line->text));
    if (!line->legal) expected.legal.reset();
  }
  if (const std::string written = line_text(expected); written != text) return not_this_form(text, written);
  return std::nullopt;
}

}  // namespace tessera
