#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/expected.hpp"

/// A match as a file: a header, then the lines of its log. docs/records.md has the form.
namespace tessera {

struct Record {
  std::string id;  ///< of the match
  std::vector<std::string> log;
};

/// {"tessera":"record","version":1,"match":ID}, without a line break.
std::string record_header(std::string_view id);
Expected<Record> parse_record(std::string_view text);

}  // namespace tessera
