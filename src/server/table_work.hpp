#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "server/metrics.hpp"
#include "server/site.hpp"
#include "server/table.hpp"

/// What the files that Table is written in share.
namespace tessera::server {

/// Adds a member to a JSON object that is being written, unless its value is empty.
inline void append_member(std::string& text, std::string_view key, std::string_view json) {
  if (json.empty()) return;
  if (text.size() > 1) text += ',';
  text += '"';
  text += key;
  text += "\":";
  text += json;
}

template <class Work>
void Table::in_background(Workers& workers, Work work) {
  ++in_background_;
  workers.run([this, work = std::move(work)](Store& store) mutable {
    home_.loop().post([this, then = work(store)] {
      --in_background_;
      then();
    });
  });
}

template <class Act>
void Table::enqueue(Act task) {
  if (in_flight_ || reloading_ || draining_ || !inbox_.empty()) {
    inbox_.push_back(std::move(task));
    return;
  }
  draining_ = true;  // what the task itself enqueues comes after it
  const std::size_t before = outcome_size();
  const bool done = task();
  draining_ = false;
  if (!done) {
    inbox_.push_front(std::move(task));
  } else if (site_.shared && outcome_size() > before) {
    unwritten_.push_back(std::move(task));
  }
  if (done && !inbox_.empty()) {
    drain();
  } else {
    finish();
  }
}

inline bool Table::acts() const { return !site_.shared || keeps_; }

/// Lets `act` happen to the match, and prepares what everybody is told of it. `sender` may be null.
template <class Act>
std::optional<Error> Table::happen(const std::shared_ptr<Member>& sender, std::optional<std::uint64_t> id, Act&& act) {
  Match::Happenings happened;
  std::optional<Error> problem = act(happened);
  if (problem || happened.empty()) return problem;
  write(happened);
  site_.metrics->events(happened.size());
  show(happened, sender, id);
  for (Happening& happening : happened) recent_.add(std::move(happening));
  return std::nullopt;
}

template <class Act>
void Table::happen_by_itself(Act act) {
  enqueue([this, act = std::move(act)] {
    (void)happen(nullptr, std::nullopt, act);
    return true;
  });
}

}  // namespace tessera::server
