#include "store/committer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tessera {
namespace {

// Under load, those who were just told answer soon. Without patience two halves of them would take turns, one answering
// while the other is committed: twice as many commits.
constexpr std::size_t many = 16;
constexpr int most_looks = 10;
constexpr auto between_looks = std::chrono::microseconds(500);

}  // namespace

Committer::Committer(std::unique_ptr<Store> store, Deliver deliver)
    : store_(std::move(store)), deliver_(std::move(deliver)), thread_([this] { run(); }) {}

Committer::~Committer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  something_.notify_one();
  thread_.join();
}

void Committer::append(int sender, std::uint64_t ticket, Append append) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = waiting_.appends.empty();
    waiting_.senders.push_back({sender, ticket});
    waiting_.appends.push_back(std::move(append));
  }
  // Only the first can find the committer asleep.
  if (first) something_.notify_one();
}

void Committer::run() {
  Batch batch;
  std::size_t awaited = 0;  // with those who were just told
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      something_.wait(lock, [this] { return stopping_ || !waiting_.appends.empty(); });
      if (waiting_.appends.empty()) return;
      const auto all_there = [&] { return stopping_ || waiting_.appends.size() >= awaited; };
      for (int look = 0; look < most_looks && !all_there(); ++look) {
        something_.wait_for(lock, between_looks, all_there);
      }
      std::swap(batch, waiting_);
    }
    commit(batch);
    {
      const std::lock_guard lock(mutex_);
      awaited = batch.appends.size() < many ? 0 : batch.appends.size() + waiting_.appends.size();
    }
    batch.senders.clear();
    batch.appends.clear();
  }
}

void Committer::commit(Batch& batch) {
  const auto outcomes = store_->append(batch.appends);
  std::vector<std::pair<int, std::vector<Committed>>> by_sender;
  for (std::size_t i = 0; i < batch.senders.size(); ++i) {
    const auto [sender, ticket] = batch.senders[i];
    auto group = std::ranges::find(by_sender, sender, &std::pair<int, std::vector<Committed>>::first);
    if (group == by_sender.end()) group = by_sender.insert(group, {sender, {}});
    group->second.push_back(
        {ticket, std::move(batch.appends[i]), outcomes ? Expected((*outcomes)[i]) : outcomes.error()});
  }
  for (auto& [sender, committed] : by_sender) deliver_(sender, std::move(committed));
}

}  // namespace tessera
