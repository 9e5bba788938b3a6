#include "match/event.hpp"

#include <fmt/format.h>
#include <simdjson.h>
#include <algorithm>
#include <array>
#include <iterator>

#include "core/text.hpp"

namespace tessera {
namespace {

using Kind = Event::Kind;

constexpr std::array<std::string_view, 28> names{
    "created",   "sat",        "stood",       "bot_sat",  "removed",  "handed_over", "started",
    "committed", "revealed",   "redrawn",     "begun",    "chance",   "move",        "asked",
    "answered",  "taken_back", "auto_roll",   "ready",    "resigned", "paused",      "resumed",
    "came",      "left",       "out_of_time", "stand_in", "back",     "over",        "rematch"};
static_assert(names.size() == static_cast<std::size_t>(Kind::rematch) + 1);

/// 2^53: numbers that every reader of JSON keeps; times of more than 200,000 years.
constexpr std::uint64_t number_limit = std::uint64_t{1} << 53;

std::optional<std::uint64_t> number(simdjson::dom::element value) {
  std::uint64_t result = 0;
  if (value.get(result) != simdjson::SUCCESS || result >= number_limit) return std::nullopt;
  return result;
}

}  // namespace

std::string_view event_name(Kind kind) { return names[static_cast<std::size_t>(kind)]; }

std::string event_json(const Event& event) {
  std::string json;
  json.reserve(160);
  json += "{\"at\":";
  append_number(json, event.at);
  if (!event.by.empty()) {
    json += ",\"by\":";
    append_json_string(json, event.by);
  }
  if (event.command) {
    json += ",\"id\":";
    append_number(json, *event.command);
  }
  if (event.seat >= 0) {
    json += ",\"seat\":";
    append_number(json, event.seat);
  }
  ((json += ",\"") += event_name(event.kind)) += "\":";
  if (event.text.empty()) {
    json += "true";
  } else {
    append_json_string(json, event.text);
  }
  if (!event.extra.empty()) (json += ',') += event.extra;
  return json += '}';
}

Expected<Event> parse_event(std::string_view text) {
  // Whole logs are read when a server starts again: with nlohmann it took several times as long.
  thread_local simdjson::dom::parser parser;
  simdjson::dom::object json;
  if (parser.parse(text.data(), text.size()).get(json) != simdjson::SUCCESS) {
    return Error{"An event is one JSON object."};
  }
  Event event;
  bool has_kind = false;
  bool has_time = false;
  for (const auto& [key, value] : json) {
    if (key == "at") {
      const auto at = number(value);
      if (!at) return Error{"\"at\" is not a time."};
      event.at = static_cast<Time>(*at);
      has_time = true;
    } else if (key == "by") {
      std::string_view by;
      if (value.get(by) != simdjson::SUCCESS) return Error{"\"by\" is not a person."};
      event.by = by;
    } else if (key == "id") {
      event.command = number(value);
      if (!event.command) return Error{"\"id\" is not the number of a command."};
    } else if (key == "seat") {
      const auto seat = number(value);
      if (!seat || *seat >= max_seats) return Error{"\"seat\" is not a seat."};
      event.seat = static_cast<int>(*seat);
    } else if (const auto name = std::find(names.begin(), names.end(), key); name != names.end()) {
      if (has_kind) return Error{"An event is of one kind."};
      has_kind = true;
      event.kind = static_cast<Kind>(name - names.begin());
      std::string_view told;
      bool is_true = false;
      if (value.get(told) == simdjson::SUCCESS) {
        event.text = told;
      } else if (value.get(is_true) != simdjson::SUCCESS || !is_true) {
        return Error{fmt::format("\"{}\" is neither a string nor true.", key)};
      }
    } else {
      if (!event.extra.empty()) event.extra += ',';
      append_json_string(event.extra, key);
      (event.extra += ':') += simdjson::minify(value);
    }
  }
  if (!has_kind || !has_time) return Error{"An event needs \"at\" and its kind."};
  return event;
}

}  // namespace tessera
