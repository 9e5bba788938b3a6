#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/expected.hpp"

namespace tessera::server {

/// Carries short texts to the other processes of a site, over NATS. What is said while it is down may be lost: whoever
/// must know looks into the database.
class Bus {
 public:
  /// Both are called on threads of the bus.
  struct Listener {
    std::function<void(std::string_view text)> hear;  ///< what others have said
    std::function<void(bool up)> changed;
  };

  /// Goes on trying when the bus cannot be reached; an Error means that the address makes no sense.
  static Expected<std::unique_ptr<Bus>> open(const std::string& url, Listener listener);
  virtual ~Bus() = default;

  virtual void say(const std::string& text) = 0;
  virtual bool up() const = 0;
};

}  // namespace tessera::server
