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

#include "core/text.hpp"
#include "server/loop.hpp"

namespace tessera::server {
namespace {

constexpr const char* subject = "tessera";
constexpr int reconnect_wait_ms = 250;
constexpr int ping_every_ms = 2'000;
constexpr int pings_unanswered = 2;
constexpr int connect_ms = 2'000;
constexpr auto longest_farewell = std::chrono::seconds(5);

struct Ends {
  void operator()(natsOptions* options) const { natsOptions_Destroy(options); }
  void operator()(natsConnection* connection) const { natsConnection_Destroy(connection); }
  void operator()(natsSubscription* subscription) const { natsSubscription_Destroy(subscription); }
  void operator()(natsMsg* message) const { natsMsg_Destroy(message); }
};
template <class Thing>
using Owned = std::unique_ptr<Thing, Ends>;

/// The library's socket is watched by a loop. With threads of its own each message woke two of them, and then the loop.
class NatsBus final : public Bus {
 public:
  NatsBus(Loop& loop, Listener listener)
      : loop_(loop), listener_(std::move(listener)), socket_(loop.context().get_executor()) {}
  /// Returns when no thread of the bus is with `listener_` any more.
  ~NatsBus() override {
    leaving_ = true;
    if (!connection_) return;
    natsConnection_Close(connection_.get());
    std::unique_lock lock(mutex_);
    ended_.wait_for(lock, longest_farewell, [this] { return closed_; });
  }

  std::optional<Error> open(const std::string& url) {
    natsOptions* made = nullptr;
    if (natsOptions_Create(&made) != NATS_OK) return Error{"There is no memory for the bus."};
    const Owned<natsOptions> options(made);
    for (const natsStatus status : {
             natsOptions_SetURL(made, url.c_str()),
             natsOptions_SetSecure(made, url.starts_with("tls://")),
             natsOptions_SetName(made, "tessera"),
             natsOptions_SetNoEcho(made, true),
             natsOptions_SetSendAsap(made, true),
             natsOptions_SetTimeout(made, connect_ms),
             natsOptions_SetMaxReconnect(made, -1),
             natsOptions_SetReconnectWait(made, reconnect_wait_ms),
             natsOptions_SetPingInterval(made, ping_every_ms),
             natsOptions_SetMaxPingsOut(made, pings_unanswered),
             natsOptions_SetEventLoop(made, this, &NatsBus::attach, &NatsBus::reads, &NatsBus::writes,
                                      &NatsBus::detach),
             natsOptions_SetDisconnectedCB(made, &NatsBus::down, this),
             natsOptions_SetClosedCB(made, &NatsBus::closed, this),
             natsOptions_SetReconnectedCB(made, &NatsBus::back, this),
             natsOptions_SetRetryOnFailedConnect(made, true, &NatsBus::back, this),
         }) {
      if (status != NATS_OK) return unusable(url, status);
    }
    natsConnection* connection = nullptr;
    const natsStatus status = natsConnection_Connect(&connection, made);
    connection_.reset(connection);
    if (status != NATS_OK && status != NATS_NOT_YET_CONNECTED) return unusable(url, status);
    natsSubscription* subscription = nullptr;
    const natsStatus subscribed = natsConnection_SubscribeSync(&subscription, connection, subject);
    subscription_.reset(subscription);
    if (subscribed != NATS_OK) return unusable(url, subscribed);
    return std::nullopt;
  }

  void say(const std::string& text) override {
    (void)natsConnection_Publish(connection_.get(), subject, text.data(), static_cast<int>(text.size()));
  }
  bool up() const override { return natsConnection_Status(connection_.get()) == NATS_CONN_STATUS_CONNECTED; }

 private:
  using Socket = boost::asio::posix::basic_stream_descriptor<Executor>;
  using ErrorCode = boost::system::error_code;

  static Error unusable(const std::string& url, natsStatus status) {
    return Error{fmt::format("The bus {} cannot be used: {}. Give --bus as nats://HOST:PORT.", in_quotes(url),
                             natsStatus_GetText(status))};
  }

  // ── What the library asks of the loop, on any thread ──

  /// The loop watches a second handle: the library closes its own whenever it likes, and its number may be another's
  /// socket by the time the loop hears of that.
  static natsStatus attach(void** user, void* self, natsConnection*, natsSock socket) {
    *user = self;
    const int handle = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (handle < 0) return NATS_SYS_ERROR;
    auto* const bus = static_cast<NatsBus*>(self);
    bus->loop_.post([bus, handle] { bus->watch(handle); });
    return NATS_OK;
  }
  static natsStatus reads(void* self, bool wanted) {
    auto* const bus = static_cast<NatsBus*>(self);
    if (!wanted) bus->loop_.post([bus] { bus->forget(); });
    return NATS_OK;
  }
  static natsStatus writes(void* self, bool wanted) {
    auto* const bus = static_cast<NatsBus*>(self);
    bus->unsent_ = wanted;
    if (wanted) bus->loop_.post([bus] { bus->send(); });
    return NATS_OK;
  }
  static natsStatus detach(void*) { return NATS_OK; }

  // ── On the loop ──

  void watch(int handle) {
    forget();
    ErrorCode error;
    if (socket_.assign(handle, error)) {
      ::close(handle);
      return;
    }
    receive();
    send();
  }
  void forget() {
    if (socket_.is_open()) ::close(socket_.release());
    ++connections_;
  }
  void receive() {
    socket_.async_wait(Socket::wait_read, [this, connection = connections_](ErrorCode error) {
      if (error || connection != connections_) return;
      natsConnection_ProcessReadEvent(connection_.get());
      natsMsg* message = nullptr;
      while (natsSubscription_NextMsg(&message, subscription_.get(), 0) == NATS_OK) {
        const Owned<natsMsg> owned(message);
        listener_.hear({natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message))});
      }
      if (connection == connections_) receive();
    });
  }
  void send() {
    if (!unsent_ || !socket_.is_open()) return;
    natsConnection_ProcessWriteEvent(connection_.get());
    if (!unsent_) return;
    socket_.async_wait(Socket::wait_write, [this, connection = connections_](ErrorCode error) {
      if (!error && connection == connections_) send();
    });
  }

  // ── What the library tells, on a thread of its own ──

  static void down(natsConnection*, void* self) {
    const auto* const bus = static_cast<NatsBus*>(self);
    if (!bus->leaving_) bus->listener_.changed(false);
  }
  static void back(natsConnection*, void* self) { static_cast<NatsBus*>(self)->listener_.changed(true); }
  static void closed(natsConnection*, void* self) {
    auto* const bus = static_cast<NatsBus*>(self);
    const std::lock_guard lock(bus->mutex_);
    bus->closed_ = true;
    bus->ended_.notify_all();
  }

  Loop& loop_;
  Listener listener_;
  Socket socket_;
  int connections_ = 0;  ///< made and lost: what was awaited of an earlier one is nothing any more
  std::atomic<bool> unsent_ = false;
  std::atomic<bool> leaving_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool closed_ = false;
  Owned<natsConnection> connection_;
  Owned<natsSubscription> subscription_;
};

}  // namespace

Expected<std::unique_ptr<Bus>> Bus::open(const std::string& url, Loop& loop, Listener listener) {
  auto bus = std::make_unique<NatsBus>(loop, std::move(listener));
  if (auto problem = bus->open(url)) return *problem;
  return std::unique_ptr<Bus>(std::move(bus));
}

}  // namespace tessera::server
