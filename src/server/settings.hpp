#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/expected.hpp"
#include "store/store.hpp"

namespace tessera::server {

/// What an owner decides for the whole site, whichever of its servers somebody is at. It stands in the database, and
/// running servers heed a change. `tessera admin settings` explains each.
struct Settings {
  int keep_days = 0;              ///< a match that is over, since it last changed; 0: for ever
  int message_bytes = 16 * 1024;  ///< a WebSocket message or the body of a request
  int messages_per_s = 20;        ///< a connection, with bursts of four times as many; more are read later
  int requests_per_s = 50;        ///< an address, with bursts of four times as many
  int connections_per_address = 200;
  int tables_per_person = 50;     ///< not over
  int unsent_bytes = 512 * 1024;  ///< a connection that reads more slowly than this gathers is dropped

  /// Those that the database has, the others as in `otherwise`.
  static Expected<Settings> read(Store& store, Settings otherwise);
  /// Changes what the database has, whoever else does so at the same time, and gives servers notice. `changes` are
  /// NAME=VALUE; the value "default" takes what was set back.
  static Expected<Settings> change(Store& store, std::span<const std::string> changes);
};

struct Setting {
  std::string_view name;
  int Settings::* value;
  int least;
  int most;
  std::string_view help;
};
std::span<const Setting> all_settings();

}  // namespace tessera::server
