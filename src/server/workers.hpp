#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "store/store.hpp"

namespace tessera::server {

/// Threads for what takes long. Each has a Store of its own.
class Workers {
 public:
  using Task = std::function<void(Store&)>;

  /// A higher `niceness` leaves the processor to others, from 0 to 19.
  explicit Workers(std::vector<std::unique_ptr<Store>> stores, int niceness = 0);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();  ///< what is queued is dropped, what runs is finished

  void run(Task task);

 private:
  void work(Store& store);

  std::vector<std::unique_ptr<Store>> stores_;
  std::mutex mutex_;
  std::condition_variable something_;
  std::deque<Task> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tessera::server
