#include "cli/admin.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include "cli/progress.hpp"
#include "cli/record_file.hpp"
#include "core/text.hpp"
#include "server/gate.hpp"
#include "server/identity.hpp"
#include "server/notice.hpp"
#include "server/settings.hpp"
#include "server/site.hpp"

namespace tessera::cli {
namespace {

constexpr const char* footer = R"(
All of this works while servers run: they look again within a second or two. A PERSON is an id, or a name that only one
person has.
Examples:
  tessera admin list --stage playing --person Ann
  tessera admin ban --address 192.0.2.7
  tessera admin trim --older-than 365 --database postgresql://user@host/tessera)";

constexpr const char* owner_key_footer = R"(
The key is printed once; a new one ends the one before. With a running server at http://127.0.0.1:8080:
  curl -H "Authorization: Bearer KEY" -d '{"table":"ID"}'        http://127.0.0.1:8080/api/owner/close
  curl -H "Authorization: Bearer KEY" -d '{"address":"1.2.3.4"}' http://127.0.0.1:8080/api/owner/ban
  curl -H "Authorization: Bearer KEY" -d '{"name":"rude one"}'   http://127.0.0.1:8080/api/owner/ban
  curl -H "Authorization: Bearer KEY" -d '{"person":"ID"}'       http://127.0.0.1:8080/api/owner/mute
A banned name's people are put out too. unban and unmute undo it. Each answers with what is banned and muted now.)";

// ── Tables ──

void close(Store& store, const std::string& id) {
  // Whoever plays meanwhile is quicker; then the end comes after that.
  while (true) {
    KeptMatch kept = kept_match(store, id);
    const Sequence last = static_cast<Sequence>(kept.log.size());
    Match match = check_record({.id = id, .log = std::move(kept.log)}, id, {});
    const Time time = server::now();
    Match::Happenings happened;
    if (const auto problem = match.close(time, happened)) refuse(*problem);
    Append append{.match = id, .expected = last, .events = {}, .row = row_of(match, kept.row.code, time)};
    for (const Happening& happening : happened) append.events.push_back(event_json(happening.event));
    if (had(store.append({&append, 1})).front() == Appended::stale) continue;
    had(server::give_notice(store));
    fmt::print("Match {} is closed.\n", id);
    return;
  }
}

void trim(Store& store, int days) {
  constexpr int at_a_time = 20;
  constexpr Time day_ms = 86'400'000;
  const Filter old{.stage = MatchRow::Stage::over, .changed_before = server::now() - days * day_ms};
  catch_interrupts();
  Progress progress("matches", static_cast<std::uint64_t>(had(store.count(old))));
  std::int64_t dropped = 0;
  std::string last;
  while (!interrupted()) {
    std::vector<std::string> ids;
    for (const MatchRow& row : had(store.matches_after(last, old, at_a_time))) ids.push_back(row.id);
    if (ids.empty()) break;
    dropped += had(store.drop(ids));
    progress.show(static_cast<std::uint64_t>(dropped), "");
    last = ids.back();
  }
  progress.end();
  fmt::print("{} matches that were over for more than {} days are gone.\n", dropped, days);
  if (interrupted()) throw Stop{failed, "interrupted; the same command drops the others"};
}

// ── People ──

void forget(Store& store, const std::string& text) {
  const std::string id = person_meant(store, text).value_or(text);
  const Forgotten went = had(store.forget(id));
  had(server::give_notice(store));
  if (!went.name && went.guests + went.keys + went.chat == 0) {
    fmt::print("There is nothing of {} here.\n", in_quotes(text));
    return;
  }
  fmt::print("Of {} went: {}, {} guests, {} keys, {} lines of chat. Games stay, without the name.\n", id,
             went.name ? "name, password and webhook" : "no name", went.guests, went.keys, went.chat);
}

void print_bans(const server::Bans& bans) {
  const auto print = [](const char* what, const std::set<std::string>& all) {
    fmt::print("{} {}\n", what, all.empty() ? "none" : join(all));
  };
  print("banned addresses:", bans.addresses);
  print("banned names:    ", bans.names);
  print("muted people:    ", bans.silent);
}

/// As the server writes it.
std::string plain_address(const std::string& text) {
  unsigned char bytes[sizeof(in6_addr)];
  char plain[INET6_ADDRSTRLEN];
  for (const int family : {AF_INET, AF_INET6}) {
    if (inet_pton(family, text.c_str(), bytes) == 1) return inet_ntop(family, bytes, plain, sizeof plain);
  }
  refuse(Error{fmt::format("{} is no address such as 192.0.2.7 or 2001:db8::7", in_quotes(text))});
}

void ban(Store& store, bool on, const std::string& address, const std::string& name) {
  if (address.empty() && name.empty()) refuse(Error{"give --address or --name"});
  const std::string plain = address.empty() ? "" : plain_address(address);
  print_bans(had(server::Bans::change(store, [&](server::Bans& bans) { bans.set(on, plain, name, ""); })));
}

void mute(Store& store, bool on, const std::string& text) {
  const auto id = person_meant(store, text);
  if (!id && on) refuse(Error{fmt::format("nobody has the id or the name {}", in_quotes(text))});
  print_bans(had(server::Bans::change(store, [&](server::Bans& bans) { bans.set(on, "", "", id.value_or(text)); })));
}

void add_ban(CLI::App& admin, const char* name, const char* help, bool on) {
  struct Arguments {
    std::string address;
    std::string name;
  };
  auto arguments = std::make_shared<Arguments>();
  auto* command = add_admin_command(
      admin, name, help, [arguments, on](Store& store) { ban(store, on, arguments->address, arguments->name); });
  command->add_option("--address", arguments->address, "Where somebody connects from")->type_name("ADDRESS");
  command->add_option("--name", arguments->name, "As what somebody plays; upper and lower case are the same")
      ->type_name("NAME");
}

/// A subcommand with one argument.
void add_about(CLI::App& admin, const char* name, const char* help, const char* what, const char* what_help,
               void (*run)(Store&, const std::string&)) {
  auto text = std::make_shared<std::string>();
  auto* command = add_admin_command(admin, name, help, [text, run](Store& store) { run(store, *text); });
  command->add_option(what, *text, what_help)->required()->type_name(what);
}

// ── The server ──

void settings(Store& store, const std::vector<std::string>& changes) {
  const auto kept = changes.empty() ? server::Settings::read(store, {}) : server::Settings::change(store, changes);
  if (!kept && !kept.error().owners) refuse(kept.error());
  const server::Settings now = had(kept);
  for (const auto& [name, value, least, most, help] : server::all_settings()) {
    const int usual = server::Settings{}.*value;
    fmt::print("{:<31}{}{}\n", fmt::format("{}={}", name, now.*value), help,
               now.*value == usual ? "" : fmt::format(" (default: {})", usual));
  }
}

void rotate_keys(Store& store) {
  had(server::Identity::rotate(store));
  fmt::print("Cookies are signed with a new key. Those signed with the one before still count, older ones do not.\n");
}

void owner_key(Store& store) {
  had(store.put_person({.id = "owner", .name = "owner"}));
  fmt::print("{}\n", had(server::Identity::new_key(store, "owner", "owner")));
}

}  // namespace

KeptMatch kept_match(Store& store, const std::string& id) {
  auto row = had(store.row(id));
  auto log = had(store.events(id));
  if (!row || log.empty()) refuse(Error{fmt::format("there is no match {}", in_quotes(id))});
  return {.row = std::move(*row), .log = std::move(log)};
}

std::optional<std::string> person_meant(Store& store, const std::string& text) {
  if (had(store.person(text))) return text;
  const std::vector<std::string> ids = had(store.people_named(text));
  if (ids.size() > 1) {
    refuse(Error{fmt::format("{} people are called {}; give an id: {}", ids.size(), in_quotes(text), join(ids))});
  }
  return ids.empty() ? std::nullopt : std::optional(ids.front());
}

CLI::App* add_admin_command(CLI::App& admin, const char* name, const char* help, std::function<void(Store&)> run) {
  auto* command = admin.add_subcommand(name, help);
  auto database = std::make_shared<std::string>();
  add_database(*command, *database);
  command->callback([database, run = std::move(run)] { run(*open_existing(*database)); });
  return command;
}

void add_admin(CLI::App& program) {
  auto* admin =
      program.add_subcommand("admin", "What a server's owner can do: look, close, ban, mute, forget, tidy up");
  admin->require_subcommand(1);
  admin->footer(footer);
  add_admin_lists(*admin);
  add_about(*admin, "close", "End a match, as its host could", "MATCH", "Id of the match, the last part of its link",
            close);
  add_ban(*admin, "ban", "Let an address or a name in no longer", true);
  add_ban(*admin, "unban", "Let them in again", false);
  add_about(*admin, "mute", "Let a person say nothing, at any table", "PERSON", "Id, or the only one's name",
            [](Store& store, const std::string& person) { mute(store, true, person); });
  add_about(*admin, "unmute", "Let them speak again", "PERSON", "Id, or the only one's name",
            [](Store& store, const std::string& person) { mute(store, false, person); });
  add_about(*admin, "forget", "Delete what is kept of a person", "PERSON", "Id, or the only one's name", forget);
  admin->get_subcommand("forget")->footer(
      "\nName, password, webhook, private links and tokens, guests' names and all that they said in chats go. Their "
      "id\n"
      "stays in the logs of their games, so that these can go on and be replayed; where a name would stand, others "
      "read\n"
      "\"Player 2\" or \"Somebody\". Whoever was forgotten comes back as somebody new. Backups are not touched.");
  add_admin_command(*admin, "rotate-keys",
                    "Sign cookies with a new key; those signed with the one before still count, older ones do not",
                    rotate_keys);
  auto changes = std::make_shared<std::vector<std::string>>();
  auto* settings_command = add_admin_command(*admin, "settings", "What holds for the whole site: show it, or change it",
                                             [changes](Store& store) { settings(store, *changes); });
  settings_command->add_option("changes", *changes, "What to change; the value `default` takes that back")
      ->type_name("NAME=VALUE");
  settings_command->footer(
      "\nAll servers at the database heed a change within a second or two, and old games go within a minute. What "
      "holds\n"
      "for a socket is what was set when it was opened. Each server counts by itself what one address asks of it.\n"
      "Examples:\n"
      "  tessera admin settings\n"
      "  tessera admin settings keep-days=365 requests-per-second=default");
  auto days = std::make_shared<int>(0);
  auto* trim_command = add_admin_command(*admin, "trim", "Drop matches that have been over for long: log, seats, chat",
                                         [days](Store& store) { trim(store, *days); });
  trim_command->add_option("--older-than", *days, "Days since anything happened in them")
      ->required()
      ->check(whole_number(1, 100'000))
      ->type_name("DAYS");
  trim_command->footer(
      "\nServers do so by themselves with `tessera admin settings keep-days=DAYS`. There is no way back but a backup.\n"
      "An SQLite file gets no smaller: the room is used for what comes next.");
  add_admin_command(*admin, "owner-key", "Make a key with which to close tables, ban and mute over HTTP", owner_key)
      ->footer(owner_key_footer);
}

}  // namespace tessera::cli
