#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/expected.hpp"

/// Sockets of simulated players: one thread, everything by callback. The Beast client is behind this, in one source.
namespace tessera::bench {

struct Address {
  std::string host;
  std::uint16_t port = 0;
};

/// Of "http://HOST:PORT". The host is an IP address: names would measure the resolver.
Expected<Address> parse_address(std::string_view url);

/// Who gets what arrives at a WebSocket.
class Receiver {
 public:
  virtual ~Receiver() = default;
  virtual void opened() {}
  virtual void received(std::string_view frame, bool binary) = 0;
  virtual void lost(const std::string& why) = 0;  ///< never opened, or closed by the other side or by a failure
};

/// A WebSocket that is open or being opened. Ends with the object; the receiver hears nothing after that.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual void send(std::string_view frame) = 0;  ///< once it is open
};

struct Request {
  std::string method;
  std::string target;
  std::string token{};  ///< of the account that asks; empty: nobody's
  std::string body{};
};

struct Answer {
  int status = 0;      ///< 0: there was none
  std::string body{};  ///< or why there was none
};

class Network {
 public:
  Network();
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  std::unique_ptr<Connection> connect(const Address& address, const std::string& target, const std::string& token,
                                      Receiver& receiver);
  void request(const Address& address, Request request, std::function<void(const Answer&)> answered);
  void after(double seconds, std::function<void()> task);

  /// Both end early, with false, when somebody presses Ctrl-C.
  bool run_for(double seconds);
  bool run_until(const std::function<bool()>& done);
  bool interrupted() const;
  void go_on_after_interrupt();  ///< until the next Ctrl-C

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tessera::bench
