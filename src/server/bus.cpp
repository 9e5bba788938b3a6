#include "server/bus.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <nats/nats.h>
#include <unistd.h>
#include <atomic>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "core/text.hpp"
#include "server/loop.hpp"

namespace tessera::server {
namespace {

constexpr const char* subject = "tessera";
constexpr auto between_tries = std::chrono::milliseconds(250);
constexpr int ping_every_ms = 1'000;
constexpr int pings_unanswered = 2;
constexpr int connect_ms = 2'000;
constexpr auto longest_farewell = std::chrono::seconds(5);
constexpr std::size_t most_kept = 32;  ///< messages that have been heard

struct Ends {
  void operator()(natsOptions* options) const { natsOptions_Destroy(options); }
  void operator()(natsConnection* connection) const { natsConnection_Destroy(connection); }
  void operator()(natsSubscription* subscription) const { natsSubscription_Destroy(subscription); }
  void operator()(natsMsg* message) const { natsMsg_Destroy(message); }
};
template <class Thing>
using Owned = std::unique_ptr<Thing, Ends>;

/// One connection, from its greeting to its loss. Its socket is watched by a loop: with threads of the library's own each
/// message woke two of them, and then the loop.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  explicit Connection(Loop& loop) : loop_(loop), socket_(loop.context().get_executor()) {}
  ~Connection() {
    if (handle_ >= 0) ::close(handle_);
  }

  /// `lost` will be called with `bus` on a thread of the library, when what was connected no longer is.
  natsStatus connect(const std::string& url, natsConnectionHandler lost, void* bus) {
    natsOptions* options = nullptr;
    natsStatus status = natsOptions_Create(&options);
    const Owned<natsOptions> owned(options);
    const auto then = [&status](auto call, auto... arguments) {
      if (status == NATS_OK) status = call(arguments...);
    };
    then(natsOptions_SetURL, options, url.c_str());
    then(natsOptions_SetName, options, "tessera");
    then(natsOptions_SetNoEcho, options, true);
    then(natsOptions_SetSendAsap, options, true);
    then(natsOptions_SetTimeout, options, connect_ms);
    then(natsOptions_SetPingInterval, options, ping_every_ms);
    then(natsOptions_SetMaxPingsOut, options, pings_unanswered);
    // With an event loop the library (3.4) would read a new stream as the rest of the one that was lost.
    then(natsOptions_SetAllowReconnect, options, false);
    then(natsOptions_SetEventLoop, options, this, &Connection::attach, &Connection::reads, &Connection::writes,
         &Connection::detach);
    then(natsOptions_SetClosedCB, options, lost, bus);
    natsConnection* nats = nullptr;
    then(natsConnection_Connect, &nats, options);
    nats_.reset(nats);
    natsSubscription* subscription = nullptr;
    then(natsConnection_SubscribeSync, &subscription, nats, subject);
    subscription_.reset(subscription);
    return status;
  }
  void close() { natsConnection_Close(nats_.get()); }

  void say(const std::string& text) {
    (void)natsConnection_Publish(nats_.get(), subject, text.data(), static_cast<int>(text.size()));
  }

  /// On the loop, as is all that follows: passes on what is said.
  void listen(const std::function<void(std::string_view)>& hear) {
    hear_ = hear;
    boost::system::error_code error;
    if (handle_ < 0 || socket_.assign(handle_, error)) return close();
    handle_ = -1;
    receive();
    send();
  }
  void stop_listening() {
    if (socket_.is_open()) ::close(socket_.release());
  }

 private:
  using Socket = boost::asio::posix::basic_stream_descriptor<Executor>;

  // ── What the library asks of the loop, on any thread ──

  /// The loop watches a second handle: the library closes its own whenever it likes, and its number may be another's
  /// socket by the time the loop hears of that.
  static natsStatus attach(void** user, void* self, natsConnection*, natsSock socket) {
    *user = self;
    static_cast<Connection*>(self)->handle_ = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    return NATS_OK;
  }
  static natsStatus reads(void*, bool) { return NATS_OK; }
  static natsStatus writes(void* self, bool wanted) {
    auto* const connection = static_cast<Connection*>(self);
    connection->unsent_ = wanted;
    const auto alive = connection->weak_from_this().lock();
    if (wanted && alive) alive->loop_.post([alive] { alive->send(); });
    return NATS_OK;
  }
  static natsStatus detach(void*) { return NATS_OK; }

  // ── On the loop ──

  void receive() {
    socket_.async_wait(Socket::wait_read, [this, self = shared_from_this()](boost::system::error_code error) {
      if (error) return;
      natsConnection_ProcessReadEvent(nats_.get());
      natsMsg* message = nullptr;
      while (natsSubscription_NextMsg(&message, subscription_.get(), 0) == NATS_OK) {
        heard_.emplace_back(message);
        hear_({natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message))});
      }
      // The library frees messages on a thread of its own, which each one would wake.
      if (heard_.size() >= most_kept) heard_.clear();
      if (!natsConnection_IsClosed(nats_.get())) receive();
    });
  }
  void send() {
    if (!unsent_ || !socket_.is_open()) return;
    natsConnection_ProcessWriteEvent(nats_.get());
    if (!unsent_) return;
    socket_.async_wait(Socket::wait_write, [this, self = shared_from_this()](boost::system::error_code error) {
      if (!error) send();
    });
  }

  Loop& loop_;
  Socket socket_;
  int handle_ = -1;
  std::atomic<bool> unsent_ = false;
  std::function<void(std::string_view)> hear_;
  Owned<natsConnection> nats_;
  Owned<natsSubscription> subscription_;
  std::vector<Owned<natsMsg>> heard_;
};

/// A thread sees to it that there is a connection, and makes a new one for each that is lost.
class NatsBus final : public Bus {
 public:
  NatsBus(Loop& loop, std::string url, Listener listener)
      : loop_(loop), url_(std::move(url)), listener_(std::move(listener)) {
    connection_ = connected();
    thread_ = std::thread([this] { work(); });
  }
  ~NatsBus() override {
    {
      const std::lock_guard lock(mutex_);
      leaving_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void say(const std::string& text) override {
    if (const auto connection = this->connection()) connection->say(text);
  }
  bool up() const override { return connection() != nullptr; }

 private:
  std::shared_ptr<Connection> connection() const {
    const std::lock_guard lock(mutex_);
    return connection_;
  }

  /// A new one, if the server can be reached now.
  std::shared_ptr<Connection> connected() {
    auto connection = std::make_shared<Connection>(loop_);
    if (connection->connect(url_, &NatsBus::lost, this) != NATS_OK) return nullptr;
    loop_.post([this, connection] { connection->listen(listener_.hear); });
    return connection;
  }
  static void lost(natsConnection*, void* self) {
    auto* const bus = static_cast<NatsBus*>(self);
    const std::lock_guard lock(bus->mutex_);
    bus->lost_ = true;
    bus->changed_.notify_all();
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      // 1. As long as there is a connection.
      changed_.wait(lock, [this] { return !connection_ || lost_ || leaving_; });
      if (const auto connection = std::exchange(connection_, nullptr)) {
        const bool leaving = leaving_;
        lock.unlock();
        if (leaving) {
          connection->close();
        } else {
          loop_.post([connection] { connection->stop_listening(); });
          listener_.changed(false);
        }
        lock.lock();
        changed_.wait_for(lock, longest_farewell, [this] { return lost_; });  // the library calls no more
      }
      // 2. A new one.
      if (changed_.wait_for(lock, between_tries, [this] { return leaving_; })) return;
      lost_ = false;
      lock.unlock();
      auto connection = connected();
      lock.lock();
      connection_ = std::move(connection);
      if (!connection_) continue;
      lock.unlock();
      listener_.changed(true);
      lock.lock();
    }
  }

  Loop& loop_;
  std::string url_;
  Listener listener_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Connection> connection_;  ///< none while the bus is down
  bool lost_ = false;                       ///< the connection, or the one before it
  bool leaving_ = false;
  std::thread thread_;
};

}  // namespace

Expected<std::unique_ptr<Bus>> Bus::open(const std::string& url, Loop& loop, Listener listener) {
  if (!url.starts_with("nats://")) {
    return Error{
        fmt::format("The bus {} cannot be used. Give --bus as nats://HOST:PORT; there is no TLS, for what is said "
                    "is sealed.",
                    in_quotes(url))};
  }
  return std::unique_ptr<Bus>(std::make_unique<NatsBus>(loop, url, std::move(listener)));
}

}  // namespace tessera::server
