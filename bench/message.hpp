#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/random.hpp"
#include "rules/game.hpp"

/// What a simulated player reads (docs/protocol.md). As cheap as can be: the load must not be slower than its server.
namespace tessera::bench {

struct Message {
  /// The draw of fair dice, while there is one.
  struct Drawing {
    int number = 1;
    bool committed = false;  ///< every seat has
  };

  bool greeting = false;
  std::uint64_t seq = 0;     ///< 0: absent
  std::uint32_t events = 0;  ///< so many, the last of which is `seq`
  std::optional<std::uint64_t> ack{};
  std::optional<std::string> refused{};  ///< why
  std::optional<Turn> turn{};            ///< `chance`: the seat is to roll
  std::optional<Drawing> drawing{};
};

class Reader {
 public:
  Reader();
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  Expected<Message> read(std::string_view frame, bool compressed);

  // ── Of the message that was read last ──

  std::string_view you() const;  ///< of a greeting: the person's id
  std::string events() const;    ///< the list as JSON, as it came; empty when there is none

  /// A way through the tree of legal moves, at each node any choice, as a JSON list; empty when there is no tree.
  std::string random_choices(Random& random) const;
  /// Every roll, deal and move with its sequence number, as "SEAT NOTATION".
  void each_play(const std::function<void(std::uint64_t seq, std::string_view play)>& tell) const;

 private:
  struct Document;
  std::unique_ptr<Document> document_;
};

}  // namespace tessera::bench
