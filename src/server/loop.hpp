#pragma once

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <thread>

namespace tessera::server {

using Executor = boost::asio::io_context::executor_type;
using Timer = boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                                boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

/// A thread that waits for sockets and timers. What lives on a loop is touched by no other thread.
class Loop {
 public:
  explicit Loop(int number) : number_(number), context_(1), work_(context_.get_executor()) {}
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() { stop(); }

  void start() {
    thread_ = std::thread([this] { work(); });
  }
  void stop() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  /// After `stop`: drops what was to run and what was waited for. Before any loop goes, all must have dropped theirs:
  /// what one of them holds may be a socket of another.
  void discard() { context_.shutdown(); }

  int number() const { return number_; }
  boost::asio::io_context& context() { return context_; }

  template <class Task>
  void post(Task&& task) {
    boost::asio::post(context_, std::forward<Task>(task));
  }
  bool is_here() const { return context_.get_executor().running_in_this_thread(); }
  /// At once when called on this loop.
  template <class Task>
  void run(Task&& task) {
    if (is_here()) {
      task();
    } else {
      boost::asio::post(context_, std::forward<Task>(task));
    }
  }

 private:
  /// Under load it rests between rounds, so that one waking serves many sockets: a seventh of the CPU time was spent on
  /// waking up for one message at a time. Whoever waits for a commit does not notice.
  void work() {
    constexpr std::size_t many = 8;
    constexpr auto rest = std::chrono::microseconds(500);
    while (context_.run_one() > 0) {
      if (context_.poll() >= many) std::this_thread::sleep_for(rest);
    }
  }

  struct Context : boost::asio::io_context {
    using execution_context::shutdown;
    using io_context::io_context;
  };

  int number_;
  mutable Context context_;
  boost::asio::executor_work_guard<Executor> work_;
  std::thread thread_;
};

}  // namespace tessera::server
