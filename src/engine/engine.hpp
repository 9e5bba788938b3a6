#pragma once

#include <sys/types.h>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/protocol.hpp"

namespace tessera {

struct EngineLimits {
  double start = 10;    ///< seconds for its introduction
  double thinking = 1;  ///< seconds that it is told to think for
  double grace = 5;     ///< seconds that it may take beyond
};

/// Drives a program that speaks the protocol as an engine, which may be anything: it never waits longer than the limits
/// say, and no process is left behind.
class Engine {
 public:
  Engine(std::string command, EngineLimits limits) : command_(std::move(command)), limits_(limits) {}
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  struct Choice {
    std::string move;
    double chance = -1;  ///< of winning; negative: not told
  };
  /// The move that it chooses at the end of this seat transcript. Starts the program if it does not run. The Error is a
  /// reason to forfeit, "it was silent for 6 seconds"; after it the program is ended, and started again when asked again.
  Expected<Choice> choose(std::span<const std::string> seat_transcript);

  const std::string& name() const { return name_; }  ///< as it introduced itself; empty before

 private:
  using Time = std::chrono::steady_clock::time_point;

  std::optional<Error> start();
  std::optional<Error> send(std::string_view text, Time until, double seconds);
  Expected<std::string> read_line(Time until, double seconds);
  Expected<Choice> ask(std::span<const std::string> seat_transcript);
  void end();

  std::string command_;
  EngineLimits limits_;
  std::string name_;
  pid_t process_ = -1;
  int socket_ = -1;  ///< its standard input and output
  std::string unread_;
};

/// Is the first word of `command` a program that can be run?
bool can_run(std::string_view command);

}  // namespace tessera
