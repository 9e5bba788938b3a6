#include <fmt/format.h>

#include "cli/command.hpp"
#include "server/identity.hpp"

namespace tessera::cli {
namespace {

constexpr const char* footer = R"(
The key is printed once; a new one ends the one before. With a running server at http://127.0.0.1:8080:
  curl -H "Authorization: Bearer KEY" -d '{"table":"ID"}'        http://127.0.0.1:8080/api/owner/close
  curl -H "Authorization: Bearer KEY" -d '{"address":"1.2.3.4"}' http://127.0.0.1:8080/api/owner/ban
  curl -H "Authorization: Bearer KEY" -d '{"name":"rude one"}'   http://127.0.0.1:8080/api/owner/ban
  curl -H "Authorization: Bearer KEY" -d '{"person":"ID"}'       http://127.0.0.1:8080/api/owner/mute
A banned name's people are put out too. unban and unmute undo it. Each answers with what is banned and muted now.)";

void owner(const std::string& database) {
  const auto store = open_existing(database);
  if (auto problem = store->put_person({.id = "owner", .name = "owner"})) refuse(*problem);
  const auto key = server::Identity::new_key(*store, "owner", "owner");
  if (!key) refuse(key.error());
  fmt::print("{}\n", *key);
}

}  // namespace

void add_owner(CLI::App& program) {
  auto* command =
      program.add_subcommand("owner", "Make a key with which the server's owner closes tables, bans and mutes");
  auto database = std::make_shared<std::string>();
  add_database(*command, *database);
  command->footer(footer);
  command->callback([database] { owner(*database); });
}

}  // namespace tessera::cli
