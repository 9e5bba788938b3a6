#include "store/committer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tessera {
namespace {

// Under load, those who were just told answer soon. Without patience two halves of them would take turns, one answering
// while the other is committed: twice as many commits.
constexpr std::size_t many = 16;
constexpr auto patience = std::chrono::milliseconds(5);

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
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    waiting_.senders.push_back({sender, ticket});
    waiting_.appends.push_back(std::move(append));
    wake = waiting_.appends.size() == 1 || waiting_.appends.size() == awaited_;  // else it is awake, or has patience
  }
  if (wake) something_.notify_one();
}

void Committer::run() {
  Batch batch;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      something_.wait(lock, [this] { return stopping_ || !waiting_.appends.empty(); });
      if (waiting_.appends.empty()) return;
      something_.wait_for(lock, patience, [this] { return stopping_ || waiting_.appends.size() >= awaited_; });
      std::swap(batch, waiting_);
    }
    commit(batch);
    {
      const std::lock_guard lock(mutex_);
      // With several processes those who were told may answer elsewhere, and others here: it falls slowly.
      awaited_ = std::max(batch.appends.size() + waiting_.appends.size(), awaited_ * 3 / 4);
      if (awaited_ < many) awaited_ = 0;
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
