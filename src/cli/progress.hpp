#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tessera::cli {

/// How far a long command is, on standard error: a bar in a terminal, elsewhere a line now and then.
class Progress {
 public:
  /// `before`: done by an earlier run.
  Progress(std::string what, std::uint64_t total, std::uint64_t before = 0);
  ~Progress() { end(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::uint64_t done, const std::string& news);
  void end();  ///< leaves the bar's line

 private:
  std::string time_left(std::uint64_t done) const;

  std::string what_;  ///< "games"
  std::uint64_t total_;
  std::uint64_t before_;
  bool terminal_;
  bool on_line_ = false;
  std::uint64_t tenths_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = begin_;
};

/// From now on Ctrl-C, or the end of the terminal, only makes `interrupted` true; a second Ctrl-C ends the program.
void catch_interrupts();
bool interrupted();

}  // namespace tessera::cli
