#pragma once

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <condition_variable>
#include <mutex>
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
  /// Ends its rest, if it has one, from any thread.
  void rouse() {
    {
      const std::lock_guard lock(mutex_);
      roused_ = true;
    }
    resting_.notify_one();
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
  /// It rests between rounds, so that one waking serves many sockets: a seventh of the CPU time was spent on waking up for
  /// one message at a time. Whoever waits for a commit does not notice, for when that returns the loop is roused.
  void work() {
    constexpr auto rest = std::chrono::milliseconds(1);
    while (context_.run_one() > 0) {
      {
        const std::lock_guard lock(mutex_);
        roused_ = false;
      }
      if (context_.poll() == 0) continue;
      std::unique_lock lock(mutex_);
      resting_.wait_for(lock, rest, [this] { return roused_; });
    }
  }

  struct Context : boost::asio::io_context {
    using execution_context::shutdown;
    using io_context::io_context;
  };

  std::mutex mutex_;
  std::condition_variable resting_;
  bool roused_ = false;
  int number_;
  mutable Context context_;
  boost::asio::executor_work_guard<Executor> work_;
  std::thread thread_;
};

}  // namespace tessera::server
