#pragma once

#include <memory>
#include <string>

#include "core/expected.hpp"
#include "server/log.hpp"
#include "server/workers.hpp"

namespace tessera::server {

/// Calls the address that a correspondence player has given when they are awaited: POST, JSON, tried once, ten seconds
/// at most. Only addresses of the public Internet are called, so that nobody can reach into the server's own network.
class Webhooks {
 public:
  Webhooks(Workers& workers, Log& log, bool private_addresses)
      : workers_(workers), log_(log), private_(private_addresses) {}

  void awaited(const std::string& person, const std::string& table, const std::string& game);

  static std::optional<Error> check(const std::string& url);  ///< what is wrong with it

 private:
  Workers& workers_;
  Log& log_;
  const bool private_;
};

}  // namespace tessera::server
