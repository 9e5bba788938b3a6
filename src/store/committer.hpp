#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "store/store.hpp"

/// Groups appends from many threads into few commits: while one commit is on its way to the disk, the next gathers.
namespace tessera {

class Committer {
 public:
  struct Committed {
    std::uint64_t ticket;
    Append append;  ///< back with the thread that made it: memory that one thread takes and another frees is slow
    Expected<Appended> outcome;
  };
  /// Called on the committer's thread after each commit with all that it held that came from one `sender`, in order.
  using Deliver = std::function<void(int sender, std::vector<Committed> committed)>;

  Committer(std::unique_ptr<Store> store, Deliver deliver);
  ~Committer();  ///< commits what is waiting, then ends

  /// Returns at once. Appends to one match are committed in the order of these calls. After an Error of the database
  /// every append of that commit is delivered with it.
  void append(int sender, std::uint64_t ticket, Append append);

 private:
  struct Sender {
    int sender;
    std::uint64_t ticket;
  };
  struct Batch {
    std::vector<Sender> senders;
    std::vector<Append> appends;  ///< as many, in the same order
  };
  void run();
  void commit(Batch& batch);

  std::unique_ptr<Store> store_;
  Deliver deliver_;
  std::mutex mutex_;
  std::condition_variable something_;
  Batch waiting_;
  std::size_t awaited_ = 0;  ///< so many are to be waiting before a commit, if they come soon
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tessera
