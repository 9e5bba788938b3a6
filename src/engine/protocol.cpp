#include "engine/protocol.hpp"

#include <fmt/format.h>
#include <charconv>

#include "core/text.hpp"

namespace tessera {
namespace {

/// Takes the first word off `rest`, and the spaces behind it.
std::string_view take_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.find_first_not_of(' ', end), rest.size()));
  return word;
}

/// A number as people write it, at most `greatest`; none: it is something else.
std::optional<double> parse_number(std::string_view text, double greatest) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(value >= 0 && value <= greatest)) return std::nullopt;
  return value;
}

Error wrong(std::string_view line, std::string_view expected) {
  return Error{fmt::format("{} is not {}", in_quotes(line), expected)};
}

}  // namespace

Expected<Request> parse_request(std::string_view line) {
  Request request;
  if (line.starts_with('{')) {
    request.kind = Request::Kind::line;
    request.text = line;
    return request;
  }
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  if (word == "hello") {
    const auto version = parse_int(rest.empty() ? "-" : rest);
    if (!version || *version < 1) return wrong(line, "hello VERSION");
    request.kind = Request::Kind::hello;
    request.version = *version;
  } else if (word == "option") {
    request.kind = Request::Kind::option;
    request.name = take_word(rest);
    request.text = rest;
    if (request.name.empty() || request.text.empty()) return wrong(line, "option NAME VALUE");
  } else if (word == "position" && rest.empty()) {
    request.kind = Request::Kind::position;
  } else if (word == "go") {
    request.kind = Request::Kind::go;
    while (!rest.empty()) {
      const std::string_view what = take_word(rest);
      const std::string_view number = take_word(rest);
      const auto simulations = parse_int<std::uint64_t>(number.empty() ? "-" : number);
      const auto seconds = parse_number(number, 1e6);
      if (what == "simulations" && simulations && *simulations > 0 && *simulations <= 1'000'000'000) {
        request.simulations = *simulations;
      } else if (what == "seconds" && seconds && *seconds > 0) {
        request.seconds = *seconds;
      } else {
        return wrong(line, "go [simulations N] [seconds S]");
      }
    }
  } else if (word == "quit" && rest.empty()) {
    request.kind = Request::Kind::quit;
  }
  return request;
}

std::string request_text(const Request& request) {
  switch (request.kind) {
    case Request::Kind::hello: return fmt::format("hello {}", request.version);
    case Request::Kind::option: return fmt::format("option {} {}", request.name, request.text);
    case Request::Kind::position: return "position";
    case Request::Kind::line: return request.text;
    case Request::Kind::go: {
      std::string text = "go";
      if (request.simulations != 0) text += fmt::format(" simulations {}", request.simulations);
      if (request.seconds != 0) text += fmt::format(" seconds {}", request.seconds);
      return text;
    }
    case Request::Kind::quit: return "quit";
    case Request::Kind::unknown: break;
  }
  return "";
}

Expected<EngineAnswer> parse_answer(std::string_view line) {
  EngineAnswer answer;
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  if (word == "name") {
    answer.kind = EngineAnswer::Kind::name;
    answer.text = rest;
  } else if (word == "option") {
    answer.kind = EngineAnswer::Kind::option;
    answer.name = take_word(rest);
    answer.text = rest;
    if (answer.name.empty()) return wrong(line, "option NAME DEFAULT");
  } else if (word == "ready" && rest.empty()) {
    answer.kind = EngineAnswer::Kind::ready;
  } else if (word == "chance") {
    const auto chance = parse_number(rest, 1);
    if (!chance) return wrong(line, "chance P with P from 0 to 1");
    answer.kind = EngineAnswer::Kind::chance;
    answer.chance = *chance;
  } else if (word == "move") {
    answer.kind = EngineAnswer::Kind::move;
    answer.text = rest;
  } else if (word == "error") {
    answer.kind = EngineAnswer::Kind::error;
    answer.text = rest;
  }
  return answer;
}

std::string answer_text(const EngineAnswer& answer) {
  switch (answer.kind) {
    case EngineAnswer::Kind::name: return fmt::format("name {}", answer.text);
    case EngineAnswer::Kind::option: return fmt::format("option {} {}", answer.name, answer.text);
    case EngineAnswer::Kind::ready: return "ready";
    case EngineAnswer::Kind::chance: return fmt::format("chance {:.4f}", answer.chance);
    case EngineAnswer::Kind::move: return fmt::format("move {}", answer.text);
    case EngineAnswer::Kind::error: return fmt::format("error {}", answer.text);
    case EngineAnswer::Kind::unknown: break;
  }
  return "";
}

}  // namespace tessera
