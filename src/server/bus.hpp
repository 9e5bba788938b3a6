#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/expected.hpp"

namespace tessera::server {

class Loop;

/// Carries short texts to the other processes of a site, over NATS. What is said while it is down may be lost: whoever
/// must know looks into the database.
class Bus {
 public:
  struct Listener {
    std::function<void(std::string_view text)> hear;  ///< what others have said; called on the loop
    std::function<void(bool up)> changed;             ///< called on a thread of the bus
  };

  /// Goes on trying when the bus cannot be reached; an Error means that the address makes no sense. The loop has not
  /// started yet, and has stopped before the bus goes.
  static Expected<std::unique_ptr<Bus>> open(const std::string& url, Loop& loop, Listener listener);
  virtual ~Bus() = default;

  virtual void say(const std::string& text) = 0;
  virtual bool up() const = 0;
};

}  // namespace tessera::server
