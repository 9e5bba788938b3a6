#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/expected.hpp"

/// The lines that controllers and engines send each other. docs/engine-protocol.md specifies them.
namespace tessera {

constexpr int engine_protocol = 1;  ///< its version

/// What a controller says.
struct Request {
  enum class Kind : std::uint8_t {
    hello,     ///< which version it speaks
    option,    ///< sets an option
    position,  ///< a seat transcript follows
    line,      ///< a line of it
    go,        ///< think, and answer with a move
    quit,
    unknown,  ///< what a later version may say: to be ignored
  };
  Kind kind = Kind::unknown;
  std::string name{};             ///< of an option
  std::string text{};             ///< of an option, its value; of a line, all of it
  int version = 0;                ///< of hello
  std::uint64_t simulations = 0;  ///< of go; 0: not said
  double seconds = 0;             ///< of go; 0: not said

  friend bool operator==(const Request&, const Request&) = default;
};

Expected<Request> parse_request(std::string_view line);
std::string request_text(const Request& request);  ///< without a line break

/// What an engine says.
struct EngineAnswer {
  enum class Kind : std::uint8_t {
    name,    ///< what it is called
    option,  ///< an option that it has, with its default
    ready,   ///< the end of its introduction
    chance,  ///< its chance of winning, before the move
    move,
    error,    ///< it cannot go on, and why
    unknown,  ///< anything else: to be ignored
  };
  Kind kind = Kind::unknown;
  std::string name{};  ///< of an option
  std::string text{};  ///< name, move, why; of an option, its default
  double chance = 0;

  friend bool operator==(const EngineAnswer&, const EngineAnswer&) = default;
};

Expected<EngineAnswer> parse_answer(std::string_view line);
std::string answer_text(const EngineAnswer& answer);  ///< without a line break

}  // namespace tessera
