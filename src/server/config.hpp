#pragma once

#include <string>
#include <vector>

#include "server/settings.hpp"

/// What an owner decides about one server. `tessera serve --help` explains each.
namespace tessera::server {

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
  bool json_log = false;
  bool bench = false;   ///< adds the benchmark's game and lifts the limits
  Settings settings{};  ///< where the database says nothing else
};

}  // namespace tessera::server
