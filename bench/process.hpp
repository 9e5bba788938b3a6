#pragma once

#include <sys/types.h>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/network.hpp"
#include "core/expected.hpp"

/// Processes that a load starts and looks at from outside.
namespace tessera::bench {

/// A folder of its own that goes with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// This program once more, as a server. It ends with the object, and with the process that started it.
class Child {
 public:
  /// Waits until it has printed "listening on http://HOST:PORT". What it prints goes to the file `log`.
  static Expected<std::unique_ptr<Child>> start(const std::vector<std::string>& arguments, const std::string& log);
  ~Child();  ///< asks it to stop; kills it when it does not
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void kill();  ///< at once, as a power failure would
  const Address& address() const { return address_; }
  std::uint64_t cpu_ns() const;  ///< of all its threads so far
  std::uint64_t rss_kb() const;

 private:
  explicit Child(pid_t pid) : pid_(pid) {}
  bool ended(int options);

  pid_t pid_;
  bool running_ = true;
  Address address_;
};

struct ServerSettings {
  std::uint16_t port = 0;  ///< 0: any free one
  std::string database{};  ///< empty: a file in the folder
  std::string bus{};       ///< empty: none
};

/// A server for a benchmark, with its log in `folder`.
Expected<std::unique_ptr<Child>> start_server(const TemporaryFolder& folder, const ServerSettings& settings);

/// Lets this process, and those that it starts, hold so many files and sockets.
std::optional<Error> allow_open_files(std::uint64_t count);

}  // namespace tessera::bench
