#include "server/bus.hpp"

#include <fmt/format.h>
#include <nats/nats.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "core/text.hpp"

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

class NatsBus final : public Bus {
 public:
  explicit NatsBus(Listener listener) : listener_(std::move(listener)) {}
  /// Returns when no thread of the bus is with `listener_` any more.
  ~NatsBus() override {
    leaving_ = true;
    if (connection_) natsConnection_Close(connection_.get());
    std::unique_lock lock(mutex_);
    ended_.wait_for(lock, longest_farewell, [this] { return !subscription_ || (closed_ && unsubscribed_); });
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
    const natsStatus subscribed = natsConnection_Subscribe(&subscription, connection, subject, &NatsBus::heard, this);
    subscription_.reset(subscription);
    if (subscribed != NATS_OK) return unusable(url, subscribed);
    natsSubscription_SetOnCompleteCB(subscription, &NatsBus::unsubscribed, this);
    return std::nullopt;
  }

  void say(const std::string& text) override {
    (void)natsConnection_Publish(connection_.get(), subject, text.data(), static_cast<int>(text.size()));
  }
  bool up() const override { return natsConnection_Status(connection_.get()) == NATS_CONN_STATUS_CONNECTED; }

 private:
  static Error unusable(const std::string& url, natsStatus status) {
    return Error{fmt::format("The bus {} cannot be used: {}. Give --bus as nats://HOST:PORT.", in_quotes(url),
                             natsStatus_GetText(status))};
  }
  static void heard(natsConnection*, natsSubscription*, natsMsg* message, void* self) {
    const Owned<natsMsg> owned(message);
    static_cast<NatsBus*>(self)->listener_.hear(
        {natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message))});
  }
  static void down(natsConnection*, void* self) {
    const auto* const bus = static_cast<NatsBus*>(self);
    if (!bus->leaving_) bus->listener_.changed(false);
  }
  static void back(natsConnection*, void* self) { static_cast<NatsBus*>(self)->listener_.changed(true); }

  static void closed(natsConnection*, void* self) { static_cast<NatsBus*>(self)->end(&NatsBus::closed_); }
  static void unsubscribed(void* self) { static_cast<NatsBus*>(self)->end(&NatsBus::unsubscribed_); }
  void end(bool NatsBus::* what) {
    const std::lock_guard lock(mutex_);
    this->*what = true;
    ended_.notify_all();
  }

  Listener listener_;
  std::atomic<bool> leaving_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool closed_ = false;
  bool unsubscribed_ = false;
  Owned<natsConnection> connection_;
  Owned<natsSubscription> subscription_;
};

}  // namespace

Expected<std::unique_ptr<Bus>> Bus::open(const std::string& url, Listener listener) {
  auto bus = std::make_unique<NatsBus>(std::move(listener));
  if (auto problem = bus->open(url)) return *problem;
  return std::unique_ptr<Bus>(std::move(bus));
}

}  // namespace tessera::server
