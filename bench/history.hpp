#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/expected.hpp"

/// What simulated players were told, a JSON object a line, in the order in which they were told it (docs/load.md).
namespace tessera::bench {

class History {
 public:
  struct Place {
    std::string_view match;
    int seat;
  };

  static Expected<std::unique_ptr<History>> open(const std::string& path);
  ~History();
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  /// The first greeting, up to the event `seq`.
  void opened(Place place, std::string_view person, std::uint64_t seq);
  /// A later greeting, asked for with `after`. `events` is a JSON list, or empty.
  void resumed(Place place, std::uint64_t after, std::uint64_t seq, std::string_view events);
  void lost(Place place, std::string_view why);
  /// An update, an acknowledgement, or both in one. `command`: the members of the one that is acknowledged.
  void told(Place place, std::uint64_t seq, std::string_view events, std::optional<std::uint64_t> ack,
            std::string_view command);
  void refused(Place place, std::uint64_t id, std::string_view why);

 private:
  explicit History(std::FILE* file) : file_(file) {}
  void begin(Place place);
  void end();
  void flush();

  std::FILE* file_;
  std::string lines_{};
  std::chrono::system_clock::time_point now_{};
  std::chrono::system_clock::time_point flushed_ = std::chrono::system_clock::now();
};

}  // namespace tessera::bench
