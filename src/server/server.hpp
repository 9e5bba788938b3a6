#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/expected.hpp"
#include "rules/handle.hpp"
#include "server/config.hpp"

/// A running site: loops, tables, database, listener.
namespace tessera::server {

class Server {
 public:
  /// Opens everything and begins to accept. `listening_socket`: from an earlier process, or -1.
  static Expected<std::unique_ptr<Server>> start(const Config& config, std::span<const GameInfo* const> games,
                                                 int listening_socket = -1);
  virtual ~Server() = default;  ///< stops

  virtual int port() const = 0;
  virtual int listening_socket() const = 0;
  /// Accepts no more, finishes what is being written, and tells everybody to come back.
  virtual void stop() = 0;
};

}  // namespace tessera::server
