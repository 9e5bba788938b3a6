#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>

namespace tessera::cli {
namespace {

volatile std::sig_atomic_t was_interrupted = 0;

}  // namespace

Progress::Progress(std::string what, std::uint64_t total, std::uint64_t before)
    : what_(std::move(what)),
      total_(total),
      before_(before),
      terminal_(isatty(STDERR_FILENO) != 0),
      tenths_(total == 0 ? 0 : before * 10 / total) {}

std::string Progress::time_left(std::uint64_t done) const {
  if (done <= before_ || done >= total_) return "";
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
  const auto left = static_cast<std::uint64_t>(spent.count() / static_cast<double>(done - before_) *
                                               static_cast<double>(total_ - done));
  if (left >= 3600) return fmt::format(", {} h {} min left", left / 3600, left % 3600 / 60);
  if (left >= 60) return fmt::format(", {} min {} s left", left / 60, left % 60);
  return fmt::format(", {} s left", left);
}

void Progress::show(std::uint64_t done, const std::string& news) {
  const auto now = std::chrono::steady_clock::now();
  const std::string line =
      fmt::format("{} of {} {}{}{}{}", done, total_, what_, time_left(done), news.empty() ? "" : "; ", news);
  if (terminal_) {
    if (on_line_ && done < total_ && now - shown_ < std::chrono::milliseconds(100)) return;
    constexpr std::uint64_t width = 24;
    const std::uint64_t full = total_ == 0 ? width : std::min(width, done * width / total_);
    fmt::print(stderr, "\r\x1b[K[{:<{}}] {}", std::string(full, '#'), width, line);
    std::fflush(stderr);
    on_line_ = true;
    shown_ = now;
  } else if (total_ > 0 && done * 10 / total_ > tenths_ && now - shown_ >= std::chrono::seconds(2)) {
    tenths_ = done * 10 / total_;
    shown_ = now;
    fmt::print(stderr, "{}\n", line);
  }
}

void Progress::end() {
  if (on_line_) fmt::print(stderr, "\r\x1b[K");
  on_line_ = false;
}

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = [](int) { was_interrupted = 1; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool interrupted() { return was_interrupted != 0; }

}  // namespace tessera::cli
