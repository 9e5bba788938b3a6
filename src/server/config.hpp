#pragma once

#include <string>
#include <vector>

/// What an owner decides about a server. `tessera serve --help` explains each.
namespace tessera::server {

/// What one visitor may ask of the server before it says no.
struct Limits {
  int message_bytes = 16 * 1024;  ///< a WebSocket message or the body of a request
  int messages_per_s = 20;        ///< a connection, with bursts of four times as many; more are read later
  int requests_per_s = 50;        ///< an address, with bursts of four times as many
  int connections_per_address = 200;
  int tables_per_person = 50;     ///< not over
  int unsent_bytes = 512 * 1024;  ///< a connection that reads more slowly than this gathers is dropped
};

struct Config {
  std::string address = "127.0.0.1";
  int port = 8080;  ///< 0: any free one
  std::string database = "tessera.db";
  std::string bus{};          ///< NATS; empty: none
  std::string certificate{};  ///< PEM file; empty: no TLS
  std::string key{};
  bool proxy = false;                ///< believe X-Forwarded-For and X-Forwarded-Proto
  std::vector<std::string> origins;  ///< besides the server's own
  int threads = 0;                   ///< for connections; 0: half of the cores, at least one
  int bot_threads = 1;
  int departure_ms = 5'000;  ///< a reload of the page or a change of networks is no departure
  int keep_days = 0;         ///< a match that is over, since it last changed; 0: for ever
  bool json_log = false;
  bool bench = false;  ///< adds the benchmark's game and lifts the limits
  Limits limits{};
};

}  // namespace tessera::server
