#pragma once

#include <optional>
#include <string>

#include "match/match.hpp"

/// What viewers are shown, as JSON: the one place where a match is stripped of what somebody may not see.
/// docs/protocol.md describes every object made here.
namespace tessera {

/// One event as `viewer` sees it: {"seat":0,"move":"p3>p7","effects":[{"move":0,"path":["p3","p7"]}]}. Secrets, command
/// numbers, hidden hands and, before the end, everything that tells them are left out.
std::string seen_json(const Happening& happening, Viewer viewer);

/// Seats, settings, stage, host, what is asked: all that is not the game's position.
std::string table_json(const Match& match, Time now);

/// {"roll":1}, {"move":1} or {"over":…}; what the game waits for, and whose it is.
std::string turn_json(const Match& match);

/// Whether `viewer` is the seat that is to decide.
bool decides(const Match& match, Viewer viewer);

/// The legal moves as a tree, when `viewer` is the seat that is to decide; else empty. A node is
/// {"effects":[…],"next":{CHOICE:node,…}}; a leaf has no "next". What all moves below a node begin with stands at that
/// node; a path here has only its two ends.
std::string legal_json(const Match& match, Viewer viewer);

/// [[seat,kind,place],…]; empty before the game has begun.
std::string pieces_json(const Match& match, Viewer viewer);
std::string pieces_json(const Play& play, Viewer viewer);

/// Milliseconds left, a number a seat; empty without a bank.
std::string clocks_json(const Match& match, Time now);

std::string effects_json(std::span<const Effect> effects);

/// What `seat`, which is to decide at the end of the log, knows: folded from what it was told, and from nothing else.
Expected<std::unique_ptr<Knowledge>> seat_knowledge(const World& world, std::string id,
                                                    std::span<const std::string> log, int seat);

}  // namespace tessera
