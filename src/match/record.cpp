#include "match/record.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"

namespace tessera {

std::string record_header(std::string_view id) {
  return fmt::format(R"({{"tessera":"record","version":1,"match":{}}})", json_string(id));
}

Expected<Record> parse_record(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const std::vector<std::string_view> lines = split(text, '\n');
  const auto header = nlohmann::json::parse(lines.front(), nullptr, false);
  if (!header.is_object() || header.value("tessera", nlohmann::json()) != "record") {
    return Error{"This is not the record of a match: its first line is not " + record_header("…") + '.'};
  }
  if (header.value("version", nlohmann::json()) != 1) {
    return Error{"This record has another version than 1: a newer Tessera has written it."};
  }
  const auto id = header.find("match");
  if (id == header.end() || !id->is_string() || id->get_ref<const std::string&>().empty()) {
    return Error{"The record's first line does not name its match."};
  }
  if (lines.size() < 2) return Error{"The record has no events."};
  return Record{*id, {lines.begin() + 1, lines.end()}};
}

}  // namespace tessera
