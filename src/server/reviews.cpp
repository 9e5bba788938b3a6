#include "server/reviews.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "match/played.hpp"
#include "review/review.hpp"

namespace tessera::server {
namespace {

constexpr std::size_t most_kept = 200;
constexpr std::size_t most_waiting = 50;
/// Of a whole review, so that a long game does not keep others waiting: fewer for each of its moves.
constexpr std::size_t simulations = 400'000;

}  // namespace

Response Reviews::of(const std::string& table) {
  const std::lock_guard lock(mutex_);
  const auto known = entries_.find(table);
  if (known == entries_.end()) {
    if (entries_.size() - finished_.size() >= most_waiting) {
      return problem(503, Error::of("Many games are waiting for their review; ask again in a minute."));
    }
    entries_.emplace(table, Entry{});
    workers_.run([this, table](Store& store) { work_out(table, store); });
    return {.status = 202, .body = R"({"reviewed":0})"};
  }
  const Entry& entry = known->second;
  if (entry.problem) return problem(503, *entry.problem);
  if (!entry.json.empty()) return {.body = entry.json};
  return {.status = 202, .body = fmt::format(R"({{"reviewed":{:.3f}}})", entry.reviewed)};
}

void Reviews::work_out(const std::string& table, Store& store) {
  auto json = made(table, store);
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[table];
  if (json) {
    entry.json = std::move(*json);
  } else {
    entry.problem = json.error();
  }
  finished_.push_back(table);
  if (finished_.size() <= most_kept) return;
  entries_.erase(finished_.front());
  finished_.pop_front();
}

Expected<std::string> Reviews::made(const std::string& table, Store& store) {
  const auto log = store.events(table);
  if (!log) return log.error();
  PlayedGame game;
  const auto match = Match::fold(world_, table, *log, [&](const Happening& happening) { game.saw(happening); });
  if (!match) return match.error();
  if (!game.end) return Error::of("Nothing was played at this table.");
  const std::string searcher =
      fmt::format("search{}", std::clamp<std::size_t>(simulations / (game.steps.size() + 1), 200, 2'000));
  Reviewing reviewing{.progress = [&](std::size_t events) {
    const std::lock_guard lock(mutex_);
    entries_[table].reviewed = static_cast<double>(events) / static_cast<double>(game.steps.size());
    return !stopping_;
  }};
  if (!game.end->hidden()) reviewing.reviewer = searcher;
  const auto found = review(game.steps, *game.end, reviewing);
  if (!found) return found.error();
  return review_json(*found);
}

}  // namespace tessera::server
