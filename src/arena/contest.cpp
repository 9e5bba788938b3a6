#include "arena/contest.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <map>
#include <mutex>
#include <thread>

#include "bots/bots.hpp"
#include "core/text.hpp"
#include "rules/chances.hpp"
#include "rules/transcript.hpp"
#include "rules/witness.hpp"

namespace tessera {
namespace {

/// The sides in the order of their first seats.
std::vector<int> sides_of(const Play& play) {
  std::vector<int> sides;
  for (int seat = 0; seat < play.seats(); ++seat) {
    if (std::find(sides.begin(), sides.end(), play.side(seat)) == sides.end()) sides.push_back(play.side(seat));
  }
  return sides;
}

/// Of this thread, so that what else the machine does is not counted.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool is_engine(const std::string& name, const GameInfo& game) { return !make_player(name, game); }

/// The engines of one thread, by player and seat: they go on from one game to the next.
using Engines = std::map<std::pair<std::size_t, int>, std::unique_ptr<Engine>>;

/// One game of a block.
class ArenaGame {
 public:
  /// A side is one player's, so that team mates never play against each other. Each seat's dice, and what a seat decides
  /// by chance, are the same in every game of the block, whoever sits there.
  ArenaGame(const Contest& contest, std::uint64_t block, std::size_t rotation, Engines& engines)
      : play_(contest.start->clone()),
        witnesses_(*play_),
        streams_(mixed(contest.seed + mixed(block + 1))),
        sides_(sides_of(*play_)) {
    for (std::size_t i = 0; i < sides_.size(); ++i) at_.push_back((i + rotation) % contest.players.size());
    for (int seat = 0; seat < play_->seats(); ++seat) {
      const std::string& name = contest.players[player_at(seat)];
      Seat& taken = seats_.emplace_back();
      if (!is_engine(name, play_->info())) {
        taken.player = std::move(*make_player(name, play_->info()));
        continue;
      }
      auto& engine = engines[{player_at(seat), seat}];
      if (!engine) engine = std::make_unique<Engine>(name, contest.limits);
      taken.engine = engine.get();
      taken.transcript.push_back(header_text(*play_));
      told_ = true;
    }
  }

  bool over() const { return forfeited_ >= 0 || play_->turn().phase == Phase::over; }

  void go_on(std::vector<Block::Tally>& tallies) {
    if (play_->turn().phase == Phase::chance) {
      UniformOf uniform(streams_[play_->stream()]);
      const OutcomeText outcome = play_->draw(uniform);
      happen([&] { return chance_line(*play_, outcome); }, [&] { play_->apply(outcome); });
      return;
    }
    const int seat = play_->turn().seat;
    Block::Tally& tally = tallies[player_at(seat)];
    const auto move = decide(seat, tally);
    ++tally.moves;
    if (!move) {
      forfeited_ = seat;
      ++tally.forfeits;
      tally.reason = move.error().sentence;
      return;
    }
    happen([&] { return move_line(*play_, *move); }, [&] { play_->play(*move); });
  }

  /// Adds what each player has won.
  void score(std::vector<Block::Tally>& tallies) const {
    std::vector<std::size_t> winners;  // indices of sides; those that did not forfeit
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      if (forfeited_ < 0 ? has_won(sides_[i]) : sides_[i] != play_->side(forfeited_)) winners.push_back(i);
    }
    for (const std::size_t side : winners) tallies[at_[side]].score += 1.0 / static_cast<double>(winners.size());
  }

 private:
  std::size_t player_at(int seat) const {
    const auto side = std::find(sides_.begin(), sides_.end(), play_->side(seat)) - sides_.begin();
    return at_[static_cast<std::size_t>(side)];
  }

  bool has_won(int side) const {
    const Result result = play_->result();
    for (int seat = 0; seat < play_->seats(); ++seat) {
      if (play_->side(seat) == side && result.won(seat)) return true;
    }
    return false;
  }

  /// The Error is why the seat forfeits.
  Expected<Move> decide(int seat, Block::Tally& tally) {
    Seat& asked = seats_[static_cast<std::size_t>(seat)];
    if (asked.engine == nullptr) {
      const double begin = cpu_seconds();
      Random& random = streams_[{Stream::Kind::choice, static_cast<std::uint8_t>(seat)}];
      const Move move = asked.player->think(*witnesses_.asked(*play_), random).move;
      tally.seconds += cpu_seconds() - begin;
      return move;
    }
    const auto begin = std::chrono::steady_clock::now();
    asked.transcript.push_back(line_text(ask_line(*play_)));
    const auto choice = asked.engine->choose(asked.transcript);
    asked.transcript.pop_back();
    tally.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!choice) return choice.error();
    const auto move = play_->parse(choice->move);
    if (!move) return Error{fmt::format("it chose {}: {}", in_quotes(choice->move), move.error().sentence)};
    return *move;
  }

  /// Lines take longer to write than many games to play: only where somebody reads them.
  template <class MakeLine, class Change>
  void happen(MakeLine&& make_line, Change&& change) {
    if (!play_->hidden() && !told_) return change();
    const Line line = make_line();
    const auto before = play_->clone();
    change();
    witnesses_.saw(*before, line, *play_);
    for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
      if (seats_[seat].engine == nullptr) continue;
      const Viewer viewer = Viewer::seat(static_cast<int>(seat));
      seats_[seat].transcript.push_back(line_text(seen_line(*before, line, *play_, viewer)));
    }
  }

  struct Seat {
    std::unique_ptr<Player> player;
    Engine* engine = nullptr;             ///< in its place
    std::vector<std::string> transcript;  ///< what an engine was told
  };

  std::unique_ptr<Play> play_;
  Witnesses witnesses_;
  Streams streams_;
  std::vector<int> sides_;
  std::vector<std::size_t> at_;  ///< for each side, its player
  std::vector<Seat> seats_;
  bool told_ = false;   ///< there are engines
  int forfeited_ = -1;  ///< the seat that did
};

/// None: stopped before its end.
std::optional<Block> play_block(const Contest& contest, std::uint64_t number, Engines& engines,
                                const std::function<bool()>& stop) {
  const std::size_t players = contest.players.size();
  Block block{number, std::vector<Block::Tally>(players)};
  for (std::size_t rotation = 0; rotation < players; ++rotation) {
    ArenaGame game(contest, number, rotation, engines);
    while (!game.over()) {
      if (stop()) return std::nullopt;
      game.go_on(block.players);
    }
    game.score(block.players);
  }
  for (Block::Tally& tally : block.players) tally.score /= static_cast<double>(players);
  return block;
}

std::vector<double> scores(const Block& block) {
  std::vector<double> found;
  for (const Block::Tally& tally : block.players) found.push_back(tally.score);
  return found;
}

/// Collects blocks in any order, and counts them in theirs.
class Count {
 public:
  Count(const Contest& contest, const Running& running)
      : running_(&running), test_(static_cast<int>(contest.players.size()), running.until) {}

  void add(Block block) {
    waiting_.emplace(block.number, std::move(block));
    for (auto next = waiting_.begin(); next != waiting_.end() && next->first == counted_.size() && !complete();
         next = waiting_.erase(next)) {
      test_.add(scores(next->second));
      counted_.push_back(std::move(next->second));
    }
  }
  bool complete() const { return counted_.size() >= running_->blocks || (running_->until > 0 && test_.sure()); }
  const std::vector<Block>& counted() const { return counted_; }

 private:
  const Running* running_;
  SequentialTest test_;
  std::map<std::uint64_t, Block> waiting_;
  std::vector<Block> counted_;
};

}  // namespace

std::optional<Error> check(const Contest& contest) {
  for (const std::string& name : contest.players) {
    const auto made = make_player(name, contest.start->info());
    if (!made && !can_run(name)) return Error{made.error().sentence + "; nor is it a program that can be run"};
  }
  const std::size_t sides = sides_of(*contest.start).size();
  const std::size_t players = contest.players.size();
  if (players < 2 || sides % players != 0) {
    return Error{
        fmt::format("{} players cannot share {} sides evenly; name 2 or more players, and choose the seats to fit",
                    players, sides)};
  }
  return std::nullopt;
}

std::vector<Block> run(const Contest& contest, const std::vector<Block>& known, const Running& running) {
  std::mutex mutex;
  Count count(contest, running);
  std::map<std::uint64_t, bool> done;
  for (const Block& block : known) {
    if (done.emplace(block.number, true).second) count.add(block);
  }
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> enough{count.complete()};
  const auto stop = [&] { return enough.load() || (running.stop && running.stop()); };
  const auto work = [&] {
    Engines engines;
    while (!stop()) {
      const std::uint64_t number = next++;
      if (number >= running.blocks) return;
      if (done.contains(number)) continue;
      auto block = play_block(contest, number, engines, stop);
      if (!block) return;
      const std::scoped_lock lock(mutex);
      count.add(*block);
      if (running.finished) running.finished(*block, count.counted());
      if (count.complete()) enough = true;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < running.threads; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return count.counted();
}

std::vector<Standing> standings(const Contest& contest, std::span<const Block> blocks) {
  const int players = static_cast<int>(contest.players.size());
  std::vector<Standing> found;
  for (std::size_t player = 0; player < contest.players.size(); ++player) {
    std::vector<double> samples;
    Block::Tally sum;
    for (const Block& block : blocks) {
      const Block::Tally& tally = block.players[player];
      samples.push_back(tally.score);
      sum.moves += tally.moves;
      sum.seconds += tally.seconds;
      sum.forfeits += tally.forfeits;
      if (!tally.reason.empty()) sum.reason = tally.reason;
    }
    const Interval rate = win_rate(samples);
    found.push_back({contest.players[player],
                     rate,
                     {elo(rate.mean, players), elo(rate.low, players), elo(rate.high, players)},
                     sum.moves == 0 ? 0 : 1000 * sum.seconds / static_cast<double>(sum.moves),
                     sum.forfeits,
                     sum.reason});
  }
  return found;
}

}  // namespace tessera
