#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "match/match.hpp"
#include "match/record.hpp"

/// Records of matches, as `verify` and `replay` read them.
namespace tessera::cli {

/// Opens the file `name`, or takes standard input for "-", and hands it on with the name that messages have for it.
/// Stops the program when it cannot be opened.
void with_input(const std::string& name, const std::function<void(std::istream&, const std::string&)>& read);

bool is_record(const std::string& first_line);

/// Stops the program with `wrong_input` when `text` is no record.
Record read_record(std::string_view text, const std::string& name);

/// Plays a record through, every die recomputed, each event handed to `tell`. Stops the program with `failed` at the
/// first event that does not fit.
Match check_record(const Record& record, const std::string& name, const std::function<void(const Happening&)>& tell);

}  // namespace tessera::cli
