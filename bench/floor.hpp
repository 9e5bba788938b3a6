#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/network.hpp"
#include "bench/process.hpp"

/// The same traffic as a load's, through the relay instead of a server.
namespace tessera::bench {

struct Traffic {
  int groups = 100;
  int seats = 2;
  std::size_t command_bytes = 0;
  std::size_t update_bytes = 0;
};

class Floor {
 public:
  /// Starts the relay and connects to it.
  static Expected<std::unique_ptr<Floor>> open(Network& network, const Traffic& traffic, const std::string& log);
  ~Floor();

  void go_on();  ///< until `pause`: whoever's turn it is sends at once
  void pause() { playing_ = false; }
  bool at_rest() const { return under_way_ == 0; }
  std::uint64_t moves() const { return moves_; }
  std::uint64_t cpu_ns() const { return relay_->cpu_ns(); }
  const std::optional<Error>& failure() const { return failure_; }

 private:
  class Group;
  explicit Floor(std::unique_ptr<Child> relay, std::size_t command_bytes);

  std::unique_ptr<Child> relay_;
  std::string command_;
  std::vector<std::unique_ptr<Group>> groups_{};
  std::uint64_t open_ = 0;
  bool playing_ = false;
  std::uint64_t under_way_ = 0;
  std::uint64_t moves_ = 0;
  std::optional<Error> failure_{};
};

}  // namespace tessera::bench
