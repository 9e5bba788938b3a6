#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "crypto/crypto.hpp"
#include "games/registry.hpp"
#include "server/server.hpp"

/// A server on a database of its own, and small blocking clients that speak HTTP and WebSocket by hand: so the tests
/// share no line with what they test, and can also speak it wrongly.
namespace tessera::server {

using Json = nlohmann::json;
using Milliseconds = std::chrono::milliseconds;
constexpr Milliseconds patience{10'000};  ///< for what must come; machines can be slow

inline Json parsed(std::string_view text) { return Json::parse(text, nullptr, false); }

// ── Bytes ──

/// A TCP connection to this machine.
class Wire {
 public:
  explicit Wire(int port, int receive_buffer = 0) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0) ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) close();
  }
  Wire(Wire&& other) noexcept : fd_(std::exchange(other.fd_, -1)), read_(std::move(other.read_)) {}
  Wire& operator=(Wire&& other) noexcept {
    close();
    fd_ = std::exchange(other.fd_, -1);
    read_ = std::move(other.read_);
    return *this;
  }
  ~Wire() { close(); }

  int handle() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  /// As a cable that is pulled: no farewell.
  void drop() {
    const linger at_once{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }

  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  /// Waits for more; false at the end, or when nothing comes in time.
  bool more(Milliseconds wait) {
    pollfd waiting{fd_, POLLIN, 0};
    if (fd_ < 0 || ::poll(&waiting, 1, static_cast<int>(wait.count())) <= 0) return false;
    char bytes[16 * 1024];
    const auto count = ::recv(fd_, bytes, sizeof bytes, 0);
    if (count <= 0) {
      close();
      return false;
    }
    read_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }
  bool has(std::size_t bytes, Milliseconds wait) {
    const auto until = std::chrono::steady_clock::now() + wait;
    while (read_.size() < bytes) {
      const auto left = std::chrono::duration_cast<Milliseconds>(until - std::chrono::steady_clock::now());
      if (!more(std::max(left, Milliseconds(0)))) return false;
    }
    return true;
  }
  /// True once the other side has closed.
  bool ended(Milliseconds wait = patience) {
    const auto until = std::chrono::steady_clock::now() + wait;
    while (fd_ >= 0 && std::chrono::steady_clock::now() < until) {
      more(std::chrono::duration_cast<Milliseconds>(until - std::chrono::steady_clock::now()));
    }
    return fd_ < 0;
  }
  std::string& read() { return read_; }

 private:
  int fd_;
  std::string read_;
};

// ── HTTP ──

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Reply {
  int status = 0;  ///< 0: none came
  std::string head;
  std::string body;

  Json json() const { return parsed(body); }
  std::string error() const { return json().value("error", ""); }
  /// The value of a header, by its name as the server writes it.
  std::string header(const std::string& name) const {
    const auto at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return {};
    const auto from = at + name.size() + 4;
    return head.substr(from, head.find("\r\n", from) - from);
  }
};

inline std::string request_text(const std::string& method, const std::string& target, const std::string& body = "",
                                const Headers& headers = {}) {
  std::string text = method + " " + target + " HTTP/1.1\r\n";
  bool has_host = false;
  for (const auto& [name, value] : headers) {
    text += name + ": " + value + "\r\n";
    has_host = has_host || name == "Host";
  }
  if (!has_host) text += "Host: tessera.test\r\n";
  if (!body.empty() || method == "POST") text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return text + "\r\n" + body;
}

inline Reply read_reply(Wire& wire, Milliseconds wait = patience) {
  const auto until = std::chrono::steady_clock::now() + wait;
  std::size_t end = std::string::npos;
  while ((end = wire.read().find("\r\n\r\n")) == std::string::npos) {
    const auto left = std::chrono::duration_cast<Milliseconds>(until - std::chrono::steady_clock::now());
    if (!wire.more(std::max(left, Milliseconds(0)))) return {};
  }
  Reply reply;
  reply.head = wire.read().substr(0, end + 2);
  wire.read().erase(0, end + 4);
  reply.status = std::atoi(reply.head.c_str() + std::string_view("HTTP/1.1 ").size());
  const auto length = static_cast<std::size_t>(std::atoi(reply.header("Content-Length").c_str()));
  if (!wire.has(length, wait)) return {};
  reply.body = wire.read().substr(0, length);
  wire.read().erase(0, length);
  return reply;
}

inline Reply ask(int port, const std::string& method, const std::string& target, const std::string& body = "",
                 const Headers& headers = {}, Milliseconds wait = patience) {
  Wire wire(port);
  if (!wire.send(request_text(method, target, body, headers))) return {};
  return read_reply(wire, wait);
}

// ── WebSocket ──

enum class Frame : std::uint8_t { more = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

/// A client's frame, masked. `claimed` is the length that it says it has.
inline std::string frame(Frame kind, std::string_view payload, bool last = true,
                         std::optional<std::uint64_t> claimed = std::nullopt) {
  const std::uint64_t length = claimed.value_or(payload.size());
  constexpr unsigned char mask[] = {0x12, 0x34, 0x56, 0x78};
  std::string bytes(1, static_cast<char>((last ? 0x80 : 0) | static_cast<int>(kind)));
  if (length < 126) {
    bytes += static_cast<char>(0x80 | length);
  } else {
    const int size = length < 65536 ? 2 : 8;
    bytes += static_cast<char>(0x80 | (size == 2 ? 126 : 127));
    for (int i = size - 1; i >= 0; --i) bytes += static_cast<char>(length >> (8 * i) & 0xFF);
  }
  for (const unsigned char byte : mask) bytes += static_cast<char>(byte);
  for (std::size_t i = 0; i < payload.size(); ++i) bytes += static_cast<char>(payload[i] ^ mask[i % 4]);
  return bytes;
}

inline std::string inflated(const std::string& packed) {
  std::string text(std::size_t{1} << 20, '\0');
  uLongf size = text.size();
  const int outcome = uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                                 reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  EXPECT_EQ(outcome, Z_OK);
  text.resize(size);
  return text;
}

/// A socket at a table. `Reply` is what the handshake was answered with.
class Live {
 public:
  Live(int port, const std::string& table, const std::string& query = "", Headers headers = {}, int receive_buffer = 0)
      : wire_(port, receive_buffer) {
    headers.insert(headers.end(), {{"Upgrade", "websocket"},
                                   {"Connection", "Upgrade"},
                                   {"Sec-WebSocket-Version", "13"},
                                   {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}});
    const std::string target = "/api/tables/" + table + "/live" + (query.empty() ? "" : "?" + query);
    wire_.send(request_text("GET", target, "", headers));
    handshake_ = read_reply(wire_);
  }

  const Reply& handshake() const { return handshake_; }
  Wire& wire() { return wire_; }
  bool closed() const { return wire_.handle() < 0; }
  int close_code() const { return close_code_; }  ///< 0: none came

  bool send(std::string_view text) { return wire_.send(frame(Frame::text, text)); }
  bool command(const Json& json) { return send(json.dump()); }

  /// The next message's text; nothing when the socket is closed or nothing comes in time.
  std::optional<std::string> text(Milliseconds wait = patience) {
    while (wire_.has(2, wait)) {
      const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(wire_.read()[i]); };
      const auto first = byte(0);
      const auto kind = static_cast<Frame>(first & 0x0F);
      std::uint64_t length = byte(1) & 0x7F;
      std::size_t head = 2;
      if (length >= 126) {
        head = length == 126 ? 4 : 10;
        if (!wire_.has(head, wait)) return std::nullopt;
        length = 0;
        for (std::size_t i = 2; i < head; ++i) length = length << 8 | byte(i);
      }
      if (!wire_.has(head + length, wait)) return std::nullopt;
      std::string payload = wire_.read().substr(head, length);
      wire_.read().erase(0, head + length);
      const bool last = (first & 0x80) != 0;
      if (kind == Frame::text || kind == Frame::binary) binary_ = kind == Frame::binary;
      if (kind <= Frame::binary) {
        message_ += payload;
        if (!last) continue;
        const std::string whole = std::exchange(message_, {});
        return binary_ ? inflated(whole) : whole;
      }
      if (kind == Frame::ping) wire_.send(frame(Frame::pong, payload));
      if (kind == Frame::close) {
        if (payload.size() >= 2) {
          close_code_ = static_cast<unsigned char>(payload[0]) << 8 | static_cast<unsigned char>(payload[1]);
        }
        wire_.send(frame(Frame::close, payload));
        wire_.ended(Milliseconds(1000));
        return std::nullopt;
      }
    }
    return std::nullopt;
  }
  std::optional<Json> next(Milliseconds wait = patience) {
    const auto message = text(wait);
    if (!message) return std::nullopt;
    return parsed(*message);
  }
  /// The next message that has `member`.
  std::optional<Json> next_with(const char* member, Milliseconds wait = patience) {
    while (auto message = next(wait)) {
      if (message->contains(member)) return message;
    }
    return std::nullopt;
  }

 private:
  Wire wire_;
  Reply handshake_;
  int close_code_ = 0;
  std::string message_;  ///< the frames of it that have come
  bool binary_ = false;
};

// ── A server, and people who use it ──

/// Somebody with a cookie or a token.
struct Visitor {
  int port;
  std::string id{};
  Headers headers{};

  Reply get(const std::string& target, Milliseconds wait = patience) const {
    return ask(port, "GET", target, "", headers, wait);
  }
  Reply post(const std::string& target, const Json& body = Json::object()) const {
    return ask(port, "POST", target, body.dump(), headers);
  }
  Reply command(const std::string& table, const Json& command) const {
    return post("/api/tables/" + table + "/commands", command);
  }
  Live live(const std::string& table, const std::string& query = "plain=1") const {
    return Live(port, table, query, headers);
  }
};

/// Somebody who has just named themselves.
inline Visitor new_person(int port, const std::string& name) {
  const Reply made = ask(port, "POST", "/api/me", Json{{"name", name}}.dump());
  const std::string cookie = made.header("Set-Cookie");
  return {port, made.json().value("id", ""), {{"Cookie", cookie.substr(0, cookie.find(';'))}}};
}

/// A port that nobody listens at just now.
inline int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

/// Whether what is waited for comes about.
template <class Condition>
bool soon(Condition condition) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    ::usleep(20'000);
  }
  return true;
}

class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    config_.port = 0;
    config_.threads = 2;  // so that sockets and tables live on different loops
    config_.database = (folder_ / "tessera.db").string();
    config_.settings.requests_per_s = 100'000;
    config_.settings.messages_per_s = 100'000;
  }
  ~ServerTest() override {
    server_.reset();
    std::filesystem::remove_all(folder_);
  }

  void start() {
    auto server = Server::start(config_, all_games());
    ASSERT_TRUE(server) << server.error().sentence;
    server_ = std::move(*server);
    config_.port = server_->port();  // a restarted server is found at the same address
  }
  void stop() { server_.reset(); }
  int port() const { return config_.port; }

  Visitor program(const std::string& name = "Bot") const {
    const Json made = ask(port(), "POST", "/api/bots", Json{{"name", name}}.dump()).json();
    return {port(), made.value("id", ""), {{"Authorization", "Bearer " + made.value("token", "")}}};
  }
  Visitor person(const std::string& name) const { return new_person(port(), name); }
  static std::string make_table(const Visitor& host, const Json& settings) {
    const Reply made = host.post("/api/tables", settings);
    EXPECT_EQ(made.status, 201) << made.body;
    return made.json().value("id", "");
  }

  Config config_;
  std::unique_ptr<Server> server_;

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("tessera_server_test_" + std::to_string(getpid()));
};

// ── Somebody who plays ──

/// Plays random legal moves at a table, for all seats that it has, and keeps everything that it was told. One that
/// rests takes part in the draw, but neither rolls nor moves.
class Player {
 public:
  Player(Visitor visitor, std::string table, std::uint64_t seed, std::string query = "plain=1", bool rests = false)
      : visitor_(std::move(visitor)),
        table_(std::move(table)),
        query_(std::move(query)),
        random_(seed, "player"),
        rests_(rests) {
    next_id_ = std::uint64_t{1} + random_(1 << 30);
    connect("after=0");
  }

  /// Comes back with what it has, and repeats what was not acknowledged.
  void reconnect() { connect("after=" + std::to_string(sequence_)); }
  void drop() { live_->wire().drop(); }
  void rest() { rests_ = true; }
  void play_on() {
    rests_ = false;
    act();
  }

  Live& live() { return *live_; }
  const Visitor& visitor() const { return visitor_; }
  const Json& table() const { return state_["table"]; }
  const Json& state() const { return state_; }
  const std::vector<Json>& events() const { return events_; }
  const std::vector<std::pair<std::uint64_t, std::string>>& told() const { return told_; }
  std::uint64_t sequence() const { return sequence_; }
  std::uint64_t moves() const { return moves_; }
  bool over() const { return state_.contains("turn") && state_["turn"].contains("over"); }
  bool begun() const { return state_.contains("turn"); }
  bool awaits_answer() const { return awaits_.has_value(); }
  std::uint64_t fresh_id() { return next_id_++; }

  /// Takes one message, if one comes in time, and answers it if something is awaited.
  bool step(Milliseconds wait) {
    const auto text = live_->text(wait);
    if (!text) return false;
    take(*text);
    act();
    return true;
  }
  /// Sends a command and waits until it is acknowledged or refused.
  Json command(Json command) {
    const std::uint64_t id = fresh_id();
    command["id"] = id;
    return repeat(command);
  }
  Json repeat(const Json& command) {
    live_->command(command);
    while (const auto text = live_->text()) {
      take(*text);
      const Json message = parsed(*text);
      if (message.value("ack", std::uint64_t{0}) == command["id"] ||
          message.value("refused", std::uint64_t{0}) == command["id"] || message.contains("error")) {
        return message;
      }
    }
    ADD_FAILURE() << "no answer to " << command;
    return {};
  }
  void take(const std::string& text) {
    const Json message = parsed(text);
    ASSERT_TRUE(message.is_object()) << text;
    if (message.contains("seq")) {
      const auto sequence = message["seq"].get<std::uint64_t>();
      const auto count = message.contains("events") ? message["events"].size() : 0;
      if (count > 0 || message.contains("protocol")) {
        // A greeting without events, after the server had to read the log again, is how all stands now.
        if (message.contains("events")) EXPECT_EQ(sequence_ + count, sequence) << "a gap or a repetition: " << text;
        sequence_ = sequence;
        state_.erase("legal");
      }
      if (count > 0) events_.insert(events_.end(), message["events"].begin(), message["events"].end());
      for (const char* member : {"table", "turn", "legal", "seats", "pieces", "clocks"}) {
        if (message.contains(member)) state_[member] = message[member];
      }
    }
    told_.emplace_back(sequence_, text);
    if (awaits_ && (message.value("ack", std::uint64_t{0}) == *awaits_ || message.contains("refused"))) {
      EXPECT_FALSE(message.contains("refused")) << text;
      awaits_.reset();
    }
  }
  void act() {
    if (awaits_) return;
    Json command = wanted();
    if (command.is_null()) return;
    awaits_ = fresh_id();
    command["id"] = *awaits_;
    last_ = command;
    live_->command(command);
  }

 private:
  void connect(const std::string& after) {
    live_.emplace(visitor_.live(table_, query_.empty() ? after : after + "&" + query_));
    const auto greeting = live_->text();
    ASSERT_TRUE(greeting) << live_->handshake().head << live_->handshake().body;
    take(*greeting);
    if (awaits_) {
      live_->command(last_);  // perhaps it was lost
    } else {
      act();
    }
  }

  bool mine(const Json& turn, const char* what) const {
    return turn.contains(what) &&
           std::find(state_["seats"].begin(), state_["seats"].end(), turn[what]) != state_["seats"].end();
  }

  Json wanted() {
    const Json turn = state_.value("turn", Json::object());
    if (state_["table"]["stage"] == "drawing") return wanted_of_draw();
    if (state_["table"]["stage"] != "playing" || rests_) return {};
    if (mine(turn, "roll")) return {{"do", "roll"}, {"seat", turn["roll"]}};
    if (!mine(turn, "move")) return {};
    if (!state_.contains("legal")) return {{"do", "ready"}, {"seat", turn["move"]}};
    Json path = Json::array();
    for (const Json* node = &state_["legal"]; node->contains("next");) {
      auto choice = (*node)["next"].begin();
      std::advance(choice, random_(static_cast<std::uint32_t>((*node)["next"].size())));
      path.push_back(choice.key());
      node = &choice.value();
    }
    ++moves_;
    return {{"do", "move"}, {"seat", turn["move"]}, {"move", path}};
  }

  Json wanted_of_draw() {
    const Json& draw = state_["table"]["draw"];
    const Json& seats = state_["table"]["seats"];
    bool all = true;
    for (std::size_t i = 0; i < seats.size(); ++i)
      all = all && (!seats[i].contains("person") || !draw["hashes"][i].is_null());
    for (const Json& seat : state_["seats"]) {
      const int number = draw["number"];
      std::string& mine = contributions_[{number, seat.get<int>()}];
      if (mine.empty()) mine = fair::hex(crypto::random_bytes());
      if (draw["hashes"][seat.get<std::size_t>()].is_null()) {
        const std::string text = "tessera/1\n" + table_ + "\n" + std::to_string(number) + "\n" +
                                 std::to_string(seat.get<int>()) + "\n" + mine;
        return {{"do", "commit"}, {"seat", seat}, {"hash", fair::hex(crypto::hash().sha256(text))}};
      }
      if (all && draw["contributions"][seat.get<std::size_t>()].is_null()) {
        return {{"do", "reveal"}, {"seat", seat}, {"contribution", mine}};
      }
    }
    return {};
  }

  Visitor visitor_;
  std::string table_;
  std::string query_;
  Random random_;
  bool rests_;
  std::optional<Live> live_;
  Json state_ = Json::object();
  std::vector<Json> events_;
  std::vector<std::pair<std::uint64_t, std::string>> told_;  ///< the last event's number, and the text
  std::uint64_t sequence_ = 0;
  std::uint64_t next_id_ = 1;
  std::uint64_t moves_ = 0;
  std::optional<std::uint64_t> awaits_;  ///< the command whose answer is awaited
  Json last_;
  std::map<std::pair<int, int>, std::string> contributions_;
};

/// Lets all of them play until `done`, or until nothing has come for a while.
template <class Done>
void play_until(std::vector<Player*> players, Done&& done) {
  while (!done()) {
    std::vector<pollfd> waiting;
    bool stepped = false;
    for (Player* player : players) {
      while (!done() && player->step(Milliseconds(0))) stepped = true;
      waiting.push_back({player->live().wire().handle(), POLLIN, 0});
    }
    if (stepped) continue;
    ASSERT_GT(::poll(waiting.data(), waiting.size(), static_cast<int>(patience.count())), 0) << "nothing happens";
    for (Player* player : players) ASSERT_FALSE(player->live().closed()) << "the server has closed a socket";
  }
}
inline void play_to_the_end(const std::vector<Player*>& players) {
  play_until(players, [&] {
    return std::all_of(players.begin(), players.end(), [](const Player* player) { return player->over(); });
  });
}

}  // namespace tessera::server
