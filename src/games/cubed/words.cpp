#include "games/cubed/words.hpp"

#include <nlohmann/json.hpp>

#include "core/text.hpp"

namespace tessera::cubed {
namespace {

using Json = nlohmann::json;
using Words = FurtherKeys::Words;

std::optional<Words> strings_of(const Json& json) {
  if (!json.is_array()) return std::nullopt;
  Words strings;
  for (const Json& item : json) {
    const auto* string = item.get_ptr<const std::string*>();
    if (string == nullptr) return std::nullopt;
    strings.push_back(*string);
  }
  return strings;
}

std::optional<std::vector<Words>> lists_of(const Json& json) {
  if (!json.is_array()) return std::nullopt;
  std::vector<Words> lists;
  for (const Json& item : json) {
    auto list = strings_of(item);
    if (!list) return std::nullopt;
    lists.push_back(std::move(*list));
  }
  return lists;
}

}  // namespace

std::vector<std::string> words(const PieceSet& set, bool seen) {
  std::vector<std::string> all;
  set.each([&](Kind kind) { all.push_back(seen ? word(kind) : hidden_word); });
  return all;
}

std::string json_list(const std::vector<std::string>& strings) {
  std::string json = "[";
  for (const std::string& string : strings) {
    if (json.size() > 1) json += ',';
    json += json_string(string);
  }
  return json + ']';
}

Expected<FurtherKeys> read_further_keys(std::string_view json_members) {
  const Json json = Json::parse(fmt::format("{{{}}}", json_members), nullptr, false);
  if (!json.is_object()) return Error{fmt::format("{} is not a list of JSON members", in_quotes(json_members))};
  FurtherKeys keys;
  for (const auto& [key, value] : json.items()) {
    bool read = false;
    if (key == "hands") {
      read = (keys.hands = lists_of(value)).has_value();
    } else if (key == "shown") {
      read = (keys.shown = lists_of(value)).has_value();
    } else if (key == "out") {
      read = (keys.out = strings_of(value)).has_value();
    } else {
      return Error{fmt::format("a line of Cubed has no key {}", in_quotes(key))};
    }
    if (!read) return Error{fmt::format("{} is not written as lists of pieces", in_quotes(key))};
  }
  return keys;
}

Expected<NamedPieces> read_pieces(const std::vector<std::string>& list) {
  NamedPieces pieces;
  if (!std::is_sorted(list.begin(), list.end())) {
    return Error{fmt::format("{} is not sorted", in_quotes(join(list, " ")))};
  }
  for (const std::string& written : list) {
    if (written == hidden_word) {
      ++pieces.hidden;
      continue;
    }
    const auto kind = find_kind(written);
    if (!kind) return Error{fmt::format("there is no piece {}", in_quotes(written))};
    if (pieces.known.count(*kind) == PieceSet::full().count(*kind)) {
      return Error{fmt::format("there are not so many pieces {}", written)};
    }
    pieces.known.add(*kind);
  }
  return pieces;
}

Expected<PieceSet> read_known_pieces(const std::vector<std::string>& list) {
  const auto pieces = read_pieces(list);
  if (!pieces) return pieces.error();
  if (pieces->hidden > 0) return Error{"a hidden piece ('?') stands where every piece must be named"};
  return pieces->known;
}

}  // namespace tessera::cubed
