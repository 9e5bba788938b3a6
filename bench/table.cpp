#include "bench/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "crypto/crypto.hpp"

namespace tessera::bench {
namespace {

constexpr double shortest_pause_s = 0.02;  ///< before trying again; each time twice as long
constexpr double longest_pause_s = 0.5;

/// A member of a JSON object that is a text; else empty.
std::string text_member(const std::string& json, const char* name) {
  const auto object = nlohmann::json::parse(json, nullptr, false);
  if (!object.is_object() || !object.contains(name) || !object[name].is_string()) return {};
  return object[name].get<std::string>();
}

std::string described(const Answer& answer) {
  return answer.status == 0 ? answer.body : fmt::format("{} {}", answer.status, in_quotes(answer.body));
}

}  // namespace

const Address& Crowd::server_for(std::string_view target) {
  constexpr std::string_view tables = "/api/tables/";
  if (by_table && target.starts_with(tables)) {
    const std::string_view id = target.substr(tables.size(), target.find_first_of("/?", tables.size()) - tables.size());
    return servers[std::hash<std::string_view>{}(id) % servers.size()];
  }
  return servers[random(static_cast<std::uint32_t>(servers.size()))];
}

// ── One seat ──

class Table::Player : public Receiver {
 public:
  Player(Table& table, int seat) : table_(table), crowd_(table.crowd_), seat_(seat) {}

  void connect() {
    std::string target = "/api/tables/" + table_.id_ + "/live";
    if (seq_ > 0) target += "?after=" + std::to_string(seq_);
    connection_ = crowd_.network.connect(crowd_.server_for(target), target, crowd_.tokens[seat_], *this);
  }

  void leave() {
    connection_.reset();
    greeted_ = false;
    if (unanswered_ && unanswered_->is_move) --crowd_.under_way;
    unanswered_.reset();
    ready_.clear();
    waiting_.clear();
    seq_ = 0;
    committed_ = 0;
    revealed_ = 0;
    knows_turn_ = false;
    knows_over_ = false;
    ++game_;
  }

  void received(std::string_view frame, bool binary) override {
    const auto message = crowd_.reader.read(frame, binary);
    if (!message) return crowd_.fail(message.error().sentence);
    if (crowd_.history != nullptr) tell_history(*message);
    if (message->refused) return refused(*message->refused);
    if (message->greeting) {
      greet();
    } else if (knows_turn_) {
      crowd_.counts.update(frame.size());
    }
    if (message->events > 0) {
      table_.received(message->seq - message->events, seat_);
      if (table_.seen_) crowd_.reader.each_play(table_.seen_);
    }
    seq_ = std::max(seq_, message->seq);
    if (message->ack) acknowledge(*message->ack);
    if (message->drawing) draw(*message->drawing);
    if (message->turn) take(*message->turn);
    act();
  }

  void lost(const std::string& why) override {
    connection_.reset();
    if (!crowd_.comes_back) return crowd_.fail("a connection to the server was lost: " + why);
    if (std::exchange(greeted_, false) && crowd_.history != nullptr) crowd_.history->lost({table_.id_, seat_}, why);
    later([this] { connect(); });
  }

  std::string described() const {
    return fmt::format("seat {} has event {}{}{}", seat_, seq_, greeted_ ? "" : ", has no connection",
                       unanswered_ ? ", waits for an answer to " + unanswered_->frame : "");
  }
  bool at_rest() const { return greeted_ && knows_turn_ && !unanswered_ && waiting_.empty(); }
  std::uint64_t seq() const { return seq_; }

  /// If it is this seat's turn and nothing else is in the way.
  void act() {
    if (!crowd_.playing || ready_.empty() || unanswered_ || !greeted_) return;
    if (crowd_.think_s == 0) return send_move();
    if (thinking_) return;
    thinking_ = true;
    // From half to one and a half times as long, so that tables do not march in step.
    const double thinks = crowd_.think_s * (0.5 + crowd_.random(1000) / 1000.0);
    crowd_.network.after(thinks, [this, game = game_] {
      thinking_ = false;
      if (game == game_ && crowd_.playing && !ready_.empty() && !unanswered_ && greeted_) send_move();
    });
  }

 private:
  struct Unanswered {
    std::uint64_t id;
    bool is_move;
    std::string command;
    std::string frame;
    std::uint64_t after;  ///< the last event when it was sent
    int draw;             ///< the number of the draw that it belongs to, if it is no move
  };

  /// After a pause that grows until the next greeting, unless the match is another by then.
  void later(std::function<void()> task) {
    // Players who lost the same server do not all come at once.
    const double pause = pause_s_ * (0.5 + crowd_.random(1000) / 1000.0);
    pause_s_ = std::min(2 * pause_s_, longest_pause_s);
    crowd_.network.after(pause, [this, game = game_, task = std::move(task)] {
      if (game == game_) task();
    });
  }

  /// Somebody else was quicker, or the server cannot do it now. What is known when the pause is over decides what is tried.
  void refused(const std::string& why) {
    if (!crowd_.comes_back) return crowd_.fail("the server refused a command: " + why);
    if (!unanswered_) return;
    const Unanswered command = *std::exchange(unanswered_, std::nullopt);
    if (command.is_move) {
      --crowd_.under_way;
      if (seq_ == command.after && ready_.empty()) ready_ = command.command;
      return later([this] { act(); });
    }
    later([this, command] {
      if (command.draw == committed_) send(command.command);
    });
  }

  void tell_history(const Message& message) {
    History& history = *crowd_.history;
    const History::Place place{table_.id_, seat_};
    if (message.greeting && seq_ == 0) {
      history.opened(place, crowd_.reader.you(), message.seq);
    } else if (message.greeting) {
      history.resumed(place, seq_, message.seq, crowd_.reader.events());
    } else if (message.refused) {
      history.refused(place, unanswered_ ? unanswered_->id : 0, *message.refused);
    } else if (message.events > 0 || message.ack) {
      const bool is_ours = message.ack && unanswered_ && unanswered_->id == *message.ack;
      history.told(place, message.seq, crowd_.reader.events(), message.ack, is_ours ? unanswered_->command : "");
    }
  }

  void greet() {
    const bool first = seq_ == 0;
    greeted_ = true;
    pause_s_ = shortest_pause_s;
    if (unanswered_) {
      connection_->send(unanswered_->frame);
    } else if (first) {
      send(fmt::format(R"("do":"sit","seat":{},"hash":"{}")", seat_, commit_to(1)));
    }
  }

  void acknowledge(std::uint64_t id) {
    if (!unanswered_ || unanswered_->id != id) return;
    if (unanswered_->is_move) {
      --crowd_.under_way;
      ++crowd_.counts.moves;
      ++table_.acknowledged_;
      if (table_.was_acknowledged_) table_.was_acknowledged_();
    }
    unanswered_.reset();
    if (waiting_.empty()) return;
    send(std::exchange(waiting_, {}));
  }

  void draw(Message::Drawing drawing) {
    if (committed_ < drawing.number) {
      send(fmt::format(R"("do":"commit","seat":{},"hash":"{}")", seat_, commit_to(drawing.number)));
    } else if (drawing.committed && revealed_ < drawing.number) {
      revealed_ = drawing.number;
      send(fmt::format(R"("do":"reveal","seat":{},"contribution":"{}")", seat_, fair::hex(contribution_)));
    }
  }

  std::string commit_to(int number) {
    committed_ = number;
    contribution_ = crypto::random_bytes();
    return fair::hex(fair::contribution_hash(crypto::hash(), {table_.id_, number}, seat_, contribution_));
  }

  void take(Turn turn) {
    if (turn.phase == Phase::over) {
      if (!std::exchange(knows_over_, true)) table_.is_over();
      return;
    }
    if (turn.seat != seat_) {
      ready_.clear();
    } else if (turn.phase == Phase::chance) {
      ready_ = R"("do":"roll")";
    } else if (const std::string choices = crowd_.reader.random_choices(crowd_.random); !choices.empty()) {
      ready_ = R"("do":"move","move":)" + choices;
    }
    if (!std::exchange(knows_turn_, true)) table_.has_turn();
  }

  void send_move() {
    table_.sent(seq_, seat_);
    ++crowd_.under_way;
    send(std::exchange(ready_, {}), true);
    crowd_.counts.command_bytes += unanswered_->frame.size();
  }

  /// One command at a time: the next waits for the answer, so that a lost connection leaves one to repeat.
  void send(std::string command, bool is_move = false) {
    if (unanswered_) {
      waiting_ = std::move(command);
      return;
    }
    const std::uint64_t id = ++last_id_;
    const std::string frame = fmt::format(R"({{"id":{},{}}})", id, command);
    unanswered_ = Unanswered{id, is_move, std::move(command), frame, seq_, committed_};
    if (greeted_) connection_->send(frame);  // else after the greeting
  }

  Table& table_;
  Crowd& crowd_;
  int seat_;
  std::unique_ptr<Connection> connection_{};
  bool greeted_ = false;
  std::uint64_t seq_ = 0;      ///< the last event that it has
  std::uint64_t last_id_ = 0;  ///< accounts are new in every load, and each plays one seat: 1 has not been used
  std::optional<Unanswered> unanswered_{};
  std::string waiting_{};  ///< a command to be sent after that
  std::string ready_{};    ///< the command to be sent when it is its turn
  fair::Bytes32 contribution_{};
  int committed_ = 0;  ///< number of the last draw in which it has
  int revealed_ = 0;
  bool knows_turn_ = false;
  bool knows_over_ = false;
  bool thinking_ = false;
  double pause_s_ = shortest_pause_s;  ///< before it tries again
  int game_ = 0;
};

// ── All seats ──

Table::Table(Crowd& crowd) : crowd_(crowd) {
  for (int seat = 0; seat < crowd.seats(); ++seat) players_.push_back(std::make_unique<Player>(*this, seat));
}

Table::~Table() = default;

void Table::open(std::function<void()> begun) {
  begun_ = std::move(begun);
  make_table(crowd_, crowd_.settings, [this](std::string id) { take_seats(std::move(id)); });
}

void Table::take_seats(std::string id) {
  id_ = std::move(id);
  have_over_ = 0;
  have_turn_ = 0;
  for (const auto& player : players_) player->connect();
}

void Table::has_turn() {
  if (++have_turn_ == crowd_.seats() && begun_) std::exchange(begun_, nullptr)();
}

void Table::go_on() {
  for (const auto& player : players_) player->act();
}

bool Table::at_rest() const {
  return std::all_of(players_.begin(), players_.end(),
                     [&](const auto& player) { return player->at_rest() && player->seq() == players_.front()->seq(); });
}

std::string Table::described() const {
  std::vector<std::string> seats;
  for (const auto& player : players_) seats.push_back(player->described());
  return join(seats, "; ");
}

/// Each seat sees the end before all leave.
void Table::is_over() {
  if (++have_over_ < crowd_.seats()) return;
  ++crowd_.counts.games;
  // Later: one of the players is at work.
  crowd_.network.after(0, [this] {
    for (const auto& player : players_) player->leave();
    open(nullptr);
  });
}

void Table::sent(std::uint64_t after, int seat) { sent_[after % sent_.size()] = {after, seat, Clock::now()}; }

void Table::received(std::uint64_t after, int seat) {
  const Sent& command = sent_[after % sent_.size()];
  if (command.after != after || command.seat < 0) return;
  if (command.seat == seat && crowd_.seats() > 1) return;
  crowd_.counts.latency_ms.push_back(std::chrono::duration<float, std::milli>(Clock::now() - command.at).count());
}

void Table::watch(std::function<void(std::uint64_t, std::string_view)> seen, std::function<void()> acknowledged) {
  seen_ = std::move(seen);
  was_acknowledged_ = std::move(acknowledged);
}

// ── Setting up ──

void ask(Crowd& crowd, const Request& request, std::function<void(const Answer&)> answered) {
  crowd.network.request(
      crowd.server_for(request.target), request, [&crowd, request, answered = std::move(answered)](const Answer& got) {
        constexpr std::array passing{0, 502, 503, 504};
        if (!crowd.comes_back || std::find(passing.begin(), passing.end(), got.status) == passing.end())
          return answered(got);
        crowd.network.after(longest_pause_s, [&crowd, request, answered] { ask(crowd, request, answered); });
      });
}

void make_table(Crowd& crowd, const std::string& settings, std::function<void(std::string)> made) {
  ask(crowd, {"POST", "/api/tables", crowd.tokens.front(), settings},
      [&crowd, made = std::move(made)](const Answer& answer) {
        std::string id = text_member(answer.body, "id");
        if (id.empty()) return crowd.fail("the server did not make a table: " + described(answer));
        made(std::move(id));
      });
}

bool open_tables(Crowd& crowd, std::vector<std::unique_ptr<Table>>& tables,
                 const std::function<void(std::size_t)>& opened) {
  constexpr std::size_t at_a_time = 64;
  std::size_t next = 0;
  std::size_t begun = 0;
  std::function<void()> open_next = [&] {
    if (next == tables.size()) return;
    tables[next++]->open([&] {
      opened(++begun);
      open_next();
    });
  };
  for (std::size_t i = 0; i < at_a_time; ++i) open_next();
  return crowd.network.run_until([&] { return begun == tables.size() || crowd.failure.has_value(); }) && !crowd.failure;
}

bool open_accounts(Crowd& crowd, int seats) {
  for (int seat = 0; seat < seats; ++seat) {
    std::optional<Answer> answer;
    const std::string name = fmt::format(R"({{"name":"load {}"}})", seat);
    ask(crowd, {"POST", "/api/bots", "", name}, [&](const Answer& got) { answer = got; });
    if (!crowd.network.run_until([&] { return answer.has_value(); })) return false;
    crowd.tokens.push_back(text_member(answer->body, "token"));
    if (crowd.tokens.back().empty()) crowd.fail("the server did not make an account: " + described(*answer));
    if (crowd.failure) return false;
  }
  return true;
}

}  // namespace tessera::bench
