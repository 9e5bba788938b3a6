#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/history.hpp"
#include "bench/message.hpp"
#include "bench/network.hpp"
#include "core/random.hpp"
#include "fair/fair.hpp"

/// Tables of simulated players, who speak docs/protocol.md over real sockets.
namespace tessera::bench {

using Clock = std::chrono::steady_clock;

/// What has happened at all tables since somebody last set it to nothing.
struct Counts {
  std::uint64_t moves = 0;  ///< rolls and moves that were acknowledged
  std::uint64_t command_bytes = 0;
  std::uint64_t updates = 0;  ///< in play
  std::uint64_t update_bytes = 0;
  std::uint64_t largest_update_bytes = 0;
  std::uint64_t games = 0;          ///< that came to their end
  std::vector<float> latency_ms{};  ///< from a command to another seat's receipt of what it brought about

  void update(std::uint64_t bytes) {
    ++updates;
    update_bytes += bytes;
    largest_update_bytes = std::max(largest_update_bytes, bytes);
  }
};

/// What all tables of a load share.
struct Crowd {
  Network& network;
  std::vector<Address> servers{};     ///< of one database
  bool by_table = false;              ///< everybody of a table is at the same one of them
  std::vector<std::string> tokens{};  ///< by seat: one account plays a seat at every table
  std::string settings{};             ///< of every table, as JSON
  double think_s = 0;                 ///< 0: whoever is to move does at once
  /// What a server that dies or is too busy does to its players is made good by trying again; else it is a failure.
  bool comes_back = false;
  History* history = nullptr;  ///< is told what the players are told

  bool playing = false;         ///< else those who are to move wait
  std::uint64_t under_way = 0;  ///< commands that are not acknowledged yet
  Counts counts{};
  Reader reader{};
  Random random{1, "load"};
  std::optional<Error> failure{};  ///< the first

  int seats() const { return static_cast<int>(tokens.size()); }
  /// As a balancer would: any of them, or by the table that is asked for.
  const Address& server_for(std::string_view target);
  void fail(std::string sentence) {
    if (!failure) failure = Error{std::move(sentence)};
  }
};

/// One match, and after its end the next in its place.
class Table {
 public:
  explicit Table(Crowd& crowd);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  void open(std::function<void()> begun);  ///< up to the first turn
  void go_on();                            ///< the crowd is playing again: whoever is to move does
  /// The game has begun, nothing is under way, and all seats have been told the same.
  bool at_rest() const;
  std::string described() const;  ///< how far each seat is, for whoever looks for what went wrong

  const std::string& id() const { return id_; }
  std::uint64_t acknowledged() const { return acknowledged_; }  ///< rolls and moves
  /// Asks to hear of every roll, deal and move as any seat sees it, and of every acknowledgement.
  void watch(std::function<void(std::uint64_t seq, std::string_view play)> seen, std::function<void()> acknowledged);

 private:
  class Player;
  struct Sent {
    std::uint64_t after = 0;  ///< the last event when it was sent
    int seat = -1;
    Clock::time_point at{};
  };

  void take_seats(std::string id);
  void has_turn();
  void is_over();
  void sent(std::uint64_t after, int seat);
  /// A seat has received the events that follow `after`.
  void received(std::uint64_t after, int seat);

  Crowd& crowd_;
  std::string id_{};
  std::vector<std::unique_ptr<Player>> players_{};
  std::function<void()> begun_{};
  int have_turn_ = 0;  ///< players who know whose turn it is
  int have_over_ = 0;  ///< players who know that it is over
  std::uint64_t acknowledged_ = 0;
  std::array<Sent, 16> sent_{};  ///< the latest, by sequence
  std::function<void(std::uint64_t, std::string_view)> seen_{};
  std::function<void()> was_acknowledged_{};
};

/// Opens all tables, some at a time; `opened` is told how many are. False: interrupted, or the crowd has failed.
bool open_tables(Crowd& crowd, std::vector<std::unique_ptr<Table>>& tables,
                 const std::function<void(std::size_t)>& opened);

/// Asks a server. Of a crowd that comes back: again, until there is an answer that is not the balancer's or of a server
/// without its database.
void ask(Crowd& crowd, const Request& request, std::function<void(const Answer&)> answered);

/// The accounts of so many seats. False: as above.
bool open_accounts(Crowd& crowd, int seats);

/// Asks the server for a table with these settings.
void make_table(Crowd& crowd, const std::string& settings, std::function<void(std::string id)> made);

}  // namespace tessera::bench
