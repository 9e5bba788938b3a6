#pragma once

#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expected.hpp"
#include "games/cubed/table.hpp"

/// How pieces and places are written.
namespace tessera::cubed {

inline std::string word(int kind) { return std::string(name_of(kind)); }
inline std::string laid_word(int kind, int turn) { return fmt::format("{}/{}", name_of(kind), turn); }
inline std::string cell_word(Cell cell) { return fmt::format("{},{}", cell.q, cell.r); }
inline std::string hand_word(int seat) { return fmt::format("hand {}", seat); }

/// What stands for a piece that the viewer may not know.
inline const std::string hidden_word = "?";

/// The pieces in order, each by its name or all hidden.
std::vector<std::string> words(const PieceSet& set, bool seen = true);

/// A JSON list of strings.
std::string json_list(const std::vector<std::string>& strings);

/// The further keys of a transcript line: lists of pieces by name. A key that the line does not have is empty.
struct FurtherKeys {
  using Words = std::vector<std::string>;
  std::optional<std::vector<Words>> hands{};
  std::optional<Words> out{};
  std::optional<std::vector<Words>> shown{};
};
Expected<FurtherKeys> read_further_keys(std::string_view json_members);

/// The pieces that `list` names, which must be sorted. Of hidden ones only the number is known.
struct NamedPieces {
  PieceSet known;
  int hidden = 0;

  int size() const { return known.size() + hidden; }
};
Expected<NamedPieces> read_pieces(const std::vector<std::string>& list);
/// The same where nothing may be hidden.
Expected<PieceSet> read_known_pieces(const std::vector<std::string>& list);

}  // namespace tessera::cubed
