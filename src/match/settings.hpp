#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/expected.hpp"
#include "rules/handle.hpp"

/// What a host decides when a table is made.
namespace tessera {

/// Milliseconds since 1970-01-01 UTC.
using Time = std::int64_t;

/// How long a player may take.
struct Pace {
  enum class Kind : std::uint8_t {
    none,  ///< no clock
    bank,  ///< a time bank, and an increment after each turn
    days,  ///< so many days a turn: correspondence
  };
  Kind kind = Kind::none;
  int bank_s = 0;       ///< 10 to 86,400
  int increment_s = 0;  ///< 0 to 3,600
  int days = 0;         ///< 1 to 60

  friend bool operator==(const Pace&, const Pace&) = default;
};

/// What happens when a player is away or out of time.
struct Away {
  enum class Kind : std::uint8_t {
    wait,  ///< the game waits
    turn,  ///< the bot "simple" plays that turn
    bot,   ///< `bot` plays until the player is back
  };
  Kind kind = Kind::wait;
  std::string bot{};

  friend bool operator==(const Away&, const Away&) = default;
};

/// As JSON, every member but "game" may be left out:
/// {"game":"marbles","seats":4,"options":{"spaces":8},"listed":true,"first":"drawn","pace":{"bank":600,"increment":10},
///  "away":{"bot":"simple"},"take_backs":true,"chat":true,"hints":true}
/// "first" is "drawn" or a seat; "pace" is "none", {"bank":…,"increment":…} or {"days":…}; "away" is "wait", "turn" or
/// {"bot":…}.
struct TableSettings {
  std::string game;
  int seats = 0;                   ///< 0 in JSON's absence: the game's usual number
  std::vector<Setting> options{};  ///< of the game, without `first`
  bool listed = true;              ///< anyone in the lobby may come; else only those with the link
  int first = drawn;               ///< the seat that begins, or drawn
  Pace pace{};
  Away away{};
  bool take_backs = true;
  bool chat = true;
  bool hints = true;

  static constexpr int drawn = -1;
};

/// Reads and checks settings; the Error says which member is wrong and what it takes. The game's own options are
/// checked by starting the game. What was left out is filled in.
Expected<TableSettings> parse_settings(std::string_view json, std::span<const GameInfo* const> games,
                                       std::span<const std::string_view> bots);
/// With every member.
std::string settings_json(const TableSettings& settings);

}  // namespace tessera
