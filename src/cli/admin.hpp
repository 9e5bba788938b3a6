#pragma once

#include <functional>

#include "cli/command.hpp"

/// What the files of `tessera admin` share.
namespace tessera::cli {

/// Adds a subcommand with --database, which is opened before it runs.
CLI::App* add_admin_command(CLI::App& admin, const char* name, const char* help, std::function<void(Store&)> run);

/// `list`, `show` and `stats`: those that change nothing.
void add_admin_lists(CLI::App& admin);

struct KeptMatch {
  MatchRow row;
  std::vector<std::string> log;
};
KeptMatch kept_match(Store& store, const std::string& id);  ///< stops the program when there is none

/// The id of whoever is meant by an id or a name; nothing: nobody has it. Stops the program when several do.
std::optional<std::string> person_meant(Store& store, const std::string& text);

}  // namespace tessera::cli
