#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <thread>

namespace tessera::server {

using Executor = boost::asio::io_context::executor_type;

/// A thread that waits for sockets and timers. What lives on a loop is touched by no other thread.
class Loop {
 public:
  explicit Loop(int number) : number_(number), context_(1), work_(context_.get_executor()) {}
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() { stop(); }

  void start() {
    thread_ = std::thread([this] { context_.run(); });
  }
  void stop() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  int number() const { return number_; }
  boost::asio::io_context& context() { return context_; }

  template <class Task>
  void post(Task&& task) {
    boost::asio::post(context_, std::forward<Task>(task));
  }
  /// At once when called on this loop.
  template <class Task>
  void run(Task&& task) {
    if (context_.get_executor().running_in_this_thread()) {
      task();
    } else {
      boost::asio::post(context_, std::forward<Task>(task));
    }
  }

 private:
  int number_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<Executor> work_;
  std::thread thread_;
};

}  // namespace tessera::server
