#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expected.hpp"
#include "match/settings.hpp"
#include "rules/handle.hpp"

/// What is written in a match's log. docs/records.md lists every kind with its members.
namespace tessera {

/// Number of an event in its match's log, from 1.
using Sequence = std::uint32_t;

struct Event {
  enum class Kind : std::uint8_t {
    created,  ///< by the host; extra: settings, the hash of the first secret, and the secret itself; the rematch's seats
    sat,      ///< text: the person who plays the seat (at a shared device a guest); extra: "device" when that differs
    stood,    ///< a person has left the seat before the start
    bot_sat,      ///< text: the bot's name
    removed,      ///< by the host: the seat is empty, during play a bot's
    handed_over,  ///< text: the new host
    started,      ///< all seats are taken: the draw of fair dice begins
    committed,    ///< text: the hash of the seat's contribution
    revealed,     ///< text: the seat's contribution
    redrawn,  ///< a contribution was not revealed in time: all begin again; extra: the new secret and its hash, who did not
    begun,       ///< all is revealed: the game begins; extra: who begins, when drawn
    chance,      ///< text and extra: as in a transcript
    move,        ///< text: as in a transcript
    asked,       ///< the seat asks: text "take_back" or "stop"
    answered,    ///< the seat answers what is asked: text "yes" or "no"
    taken_back,  ///< extra: how many moves
    auto_roll,   ///< text "on" or "off"
    ready,       ///< at a shared device: this seat's player holds it now
    resigned,
    paused,
    resumed,
    came,         ///< the seat's device is connected …
    left,         ///< … or no longer
    out_of_time,  ///< the seat's time is up
    stand_in,     ///< text: the bot that now plays for the seat; extra: until when, "turn" or "back"
    back,         ///< the seat's player plays again; extra: the sequence since which a bot stood in
    over,     ///< extra: winners, scores, why ("played", "resigned", "stopped", "closed"), the secret, dice statistics
    rematch,  ///< text: the id of the next match
  };

  Kind kind{};
  Time at = 0;
  std::string by{};                        ///< the person whose command it is; empty: the server's or a bot's
  std::optional<std::uint64_t> command{};  ///< that person's number for the command, on its first event
  int seat = -1;
  std::string text{};
  std::string extra{};  ///< further members as JSON: `"winners":[0]`

  friend bool operator==(const Event&, const Event&) = default;
};

/// "created", "sat", …, as the key that holds the text.
std::string_view event_name(Event::Kind kind);

/// One line of a log: {"at":…,"by":…,"id":…,"seat":0,"move":"p3>p7"}. Members that are absent are left out; a kind
/// without text has `true`.
std::string event_json(const Event& event);
Expected<Event> parse_event(std::string_view json);

/// An event together with what it takes to show it to anyone.
struct Happening {
  Sequence sequence;
  Event event;
  bool stood_in = false;                 ///< a bot did it for a person
  std::shared_ptr<const Play> before{};  ///< of chance and moves, else null
  std::shared_ptr<const Play> after{};
  Move move{};  ///< of a move
};

}  // namespace tessera
