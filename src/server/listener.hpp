#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/expected.hpp"
#include "server/api.hpp"
#include "server/site.hpp"

namespace tessera::server {

/// Accepts connections and hands what they say to the Api. All of Boost.Beast is behind this header.
class Listener {
 public:
  /// `socket` is a listening socket handed on from an earlier process, or -1.
  static Expected<std::unique_ptr<Listener>> open(Site& site, Api& api, int socket);
  virtual ~Listener() = default;

  virtual int port() const = 0;
  virtual int handle() const = 0;  ///< the listening socket
  virtual void start() = 0;
  virtual void stop() = 0;  ///< accepts no more
};

}  // namespace tessera::server
