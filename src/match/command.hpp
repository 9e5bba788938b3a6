#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/expected.hpp"
#include "rules/game.hpp"

/// What a person asks for at a table.
namespace tessera {

constexpr std::uint64_t command_id_limit = std::uint64_t{1} << 53;  ///< every JSON reader has whole numbers up to it

struct Command {
  enum class Kind : std::uint8_t {
    sit,        ///< "seat", "guest" (a guest's id, for a further player at this device), "hash" (may be left for later)
    stand,      ///< "seat"
    bot,        ///< host: "seat", "bot"
    remove,     ///< host: "seat"
    hand_over,  ///< host: "seat", whose player becomes the host
    start,      ///< host: "bot" for the empty seats
    commit,     ///< "seat", "hash"
    reveal,     ///< "seat", "contribution"
    roll,       ///< "seat"
    auto_roll,  ///< "seat", "on"
    move,       ///< "seat", "move": the notation, or the list of choices
    take_back,  ///< "seat"
    stop,       ///< "seat": offers to stop
    answer,     ///< "seat", "yes": to what is asked
    resign,     ///< "seat"
    ready,      ///< "seat"
    back,       ///< "seat": play again instead of the bot
    pause,      ///< host
    resume,     ///< host
    close,      ///< host
    rematch,
  };

  Kind kind{};
  std::uint64_t id = 0;  ///< the person's own number for this command at this table
  int seat = -1;         ///< -1: the one seat that the person has
  std::string text{};    ///< bot, guest, hash, contribution or move
  std::string hash{};    ///< of `sit`
  Choices choices{};     ///< of a move, instead of text
  bool on = false;       ///< "on", "yes"
};

std::string_view command_name(Command::Kind kind);

/// Reads {"id":7,"do":"move","seat":0,"move":"p3>p7"}. Unknown members are ignored.
Expected<Command> parse_command(std::string_view json);

}  // namespace tessera
