#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/protocol.hpp"
#include "rules/handle.hpp"

namespace tessera {

/// The engine's side of the protocol: Tessera's own players as an engine.
class EngineSession {
 public:
  /// `level`: a name of bots.hpp. `seconds` gives the time since some moment, for `go seconds`.
  EngineSession(std::span<const GameInfo* const> games, std::string level, std::function<double()> seconds)
      : games_(games), level_(std::move(level)), seconds_(std::move(seconds)) {}

  /// What it answers to a line: whole lines, or nothing.
  std::string answer(std::string_view line);
  bool over() const { return over_; }  ///< it was told to quit

 private:
  std::string set_option(const Request& request);
  Expected<std::string> think(const Request& request) const;

  std::span<const GameInfo* const> games_;
  std::string level_;
  std::uint64_t seed_ = 1;
  std::function<double()> seconds_;
  std::vector<std::string> position_;
  bool over_ = false;
};

}  // namespace tessera
