#include "cli/record_file.hpp"

#include <fmt/format.h>
#include <fstream>
#include <iostream>

#include "bots/bots.hpp"
#include "cli/command.hpp"
#include "core/text.hpp"
#include "crypto/crypto.hpp"
#include "games/registry.hpp"

namespace tessera::cli {

void with_input(const std::string& name, const std::function<void(std::istream&, const std::string&)>& read) {
  if (name == "-") return read(std::cin, "standard input");
  std::ifstream file(name, std::ios::binary);
  if (!file) refuse(Error{fmt::format("cannot open {}", in_quotes(name))});
  read(file, name);
}

bool is_record(const std::string& first_line) { return first_line.starts_with(R"({"tessera":"record")"); }

Record read_record(std::string_view text, const std::string& name) {
  auto record = parse_record(text);
  if (!record) refuse(Error{fmt::format("{}: {}", name, record.error().sentence)});
  return std::move(*record);
}

Match check_record(const Record& record, const std::string& name, const std::function<void(const Happening&)>& tell) {
  const World world{
      .games = all_games(), .bots = bot_names(), .hash = &crypto::hash(), .fresh_secret = crypto::random_bytes};
  auto match = Match::fold(world, record.id, record.log, tell);
  if (!match) throw Stop{failed, fmt::format("{}: {}", name, match.error().sentence)};
  return std::move(*match);
}

}  // namespace tessera::cli
