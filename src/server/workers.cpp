#include "server/workers.hpp"

#include <sys/resource.h>

namespace tessera::server {

Workers::Workers(std::vector<std::unique_ptr<Store>> stores, int niceness) : stores_(std::move(stores)) {
  for (const auto& store : stores_) {
    threads_.emplace_back([this, &store, niceness] {
      setpriority(PRIO_PROCESS, 0, niceness);  // on Linux: of this thread
      work(*store);
    });
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    tasks_.clear();
  }
  something_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    tasks_.push_back(std::move(task));
  }
  something_.notify_one();
}

void Workers::work(Store& store) {
  std::unique_lock lock(mutex_);
  while (true) {
    something_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    if (stopping_) return;
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task(store);
    lock.lock();
  }
}

}  // namespace tessera::server
