#include "server/server.hpp"

#include <sys/resource.h>
#include <algorithm>
#include <chrono>
#include <thread>

#include "bots/bots.hpp"
#include "crypto/crypto.hpp"
#include "server/api.hpp"
#include "server/gate.hpp"
#include "server/identity.hpp"
#include "server/listener.hpp"
#include "server/log.hpp"
#include "server/metrics.hpp"
#include "server/peers.hpp"
#include "server/retention.hpp"
#include "server/site.hpp"
#include "server/webhooks.hpp"

namespace tessera::server {

Time now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

namespace {

constexpr int reader_threads = 2;
constexpr int follower_threads = 1;
constexpr int reviewer_threads = 1;
constexpr int hasher_threads = 1;
constexpr int caller_threads = 2;
constexpr int bot_niceness = 10;                           // however many bots think, people's moves go first
constexpr auto farewell = std::chrono::milliseconds(500);  // for the sockets to take their last message

void allow_many_sockets() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

Expected<std::unique_ptr<Workers>> open_workers(const std::string& database, int threads, int niceness) {
  std::vector<std::unique_ptr<Store>> stores;
  for (int i = 0; i < threads; ++i) {
    auto store = open_store(database);
    if (!store) return store.error();
    stores.push_back(std::move(*store));
  }
  return std::make_unique<Workers>(std::move(stores), niceness);
}

class RunningServer final : public Server {
 public:
  RunningServer(const Config& config, std::span<const GameInfo* const> games) : games_(games.begin(), games.end()) {
    site_.config = config;
    site_.world = {
        .games = games_, .bots = bot_names(), .hash = &crypto::hash(), .fresh_secret = &crypto::random_bytes};
  }

  ~RunningServer() override { stop(); }

  std::optional<Error> open(int listening_socket) {
    allow_many_sockets();
    const Config& config = site_.config;
    site_.process = crypto::random_name(4);
    site_.log = std::make_unique<Log>(config.json_log, site_.process);
    site_.metrics = std::make_unique<Metrics>();

    // The first to open brings the schema forward.
    auto store = open_store(config.database);
    if (!store) return store.error();
    site_.shared = (*store)->shared();
    if (!config.bus.empty() && !site_.shared) {
      return Error{
          "A bus joins several servers, and an SQLite file has one: give a PostgreSQL --database, or no --bus."};
    }
    auto identity = Identity::open(**store);
    if (!identity) return identity.error();
    site_.identity = std::move(*identity);
    const auto settings = Settings::read(**store, config.settings);
    if (!settings) return settings.error();
    site_.gate = std::make_unique<Gate>(*settings, config.bench);
    const auto bans = Bans::read(**store);
    if (!bans) return bans.error();
    site_.gate->set_bans(*bans);
    struct {
      std::unique_ptr<Workers>& workers;
      int threads;
      int niceness = 0;
    } const all_workers[] = {{site_.readers, reader_threads},
                             {site_.followers, follower_threads},
                             {site_.thinkers, config.bot_threads, bot_niceness},
                             {site_.reviewers, reviewer_threads, bot_niceness},
                             {site_.hashers, hasher_threads},
                             {site_.callers, caller_threads}};
    for (const auto& [workers, threads, niceness] : all_workers) {
      auto opened = open_workers(config.database, threads, niceness);
      if (!opened) return opened.error();
      workers = std::move(*opened);
    }
    site_.reviews = std::make_unique<Reviews>(*site_.reviewers, site_.world);
    site_.webhooks = std::make_unique<Webhooks>(*site_.callers, *site_.log, config.bench);

    const int half = static_cast<int>(std::thread::hardware_concurrency()) / 2;
    for (int i = 0; i < (config.threads > 0 ? config.threads : std::max(1, half)); ++i) {
      site_.loops.push_back(std::make_unique<Loop>(i));
    }
    for (const auto& loop : site_.loops) site_.tables.push_back(std::make_unique<Tables>(site_, *loop));
    site_.committer =
        std::make_unique<Committer>(std::move(*store), [this](int sender, std::vector<Committer::Committed> committed) {
          Tables& tables = *site_.tables[static_cast<std::size_t>(sender)];
          tables.loop().post([&tables, committed = std::move(committed)]() mutable { tables.committed(committed); });
          tables.loop().rouse();
        });

    auto own_store = open_store(config.database);
    if (!own_store) return own_store.error();
    site_.peers = std::make_unique<Peers>(site_, std::move(*own_store));
    if (!config.bus.empty()) {
      if (auto problem = site_.peers->open_bus(config.bus)) return problem;
    }

    api_ = std::make_unique<Api>(site_);
    auto listener = Listener::open(site_, *api_, listening_socket);
    if (!listener) return listener.error();
    listener_ = std::move(*listener);
    for (const auto& tables : site_.tables) tables->start();
    for (const auto& loop : site_.loops) loop->start();
    site_.peers->start();
    listener_->start();
    site_.log->info("started");
    start_retention(site_);
    return std::nullopt;
  }

  int port() const override { return listener_->port(); }
  int listening_socket() const override { return listener_->handle(); }

  void stop() override {
    if (std::exchange(stopped_, true) || !listener_) return;
    listener_->stop();
    for (const auto& tables : site_.tables) {
      tables->loop().post([&tables] { tables->dismiss([](const Member&) { return true; }); });
    }
    std::this_thread::sleep_for(farewell);
    site_.peers->stop();
    // Loops first, for they use all the others. What those still post to a loop that has stopped is never run.
    for (const auto& loop : site_.loops) loop->stop();
    site_.reviews->stop();
    for (auto* workers :
         {&site_.callers, &site_.hashers, &site_.reviewers, &site_.thinkers, &site_.followers, &site_.readers})
      workers->reset();
    site_.committer.reset();
    site_.peers.reset();
    for (const auto& loop : site_.loops) loop->discard();
    site_.log->info("stopped");
  }

 private:
  std::vector<const GameInfo*> games_;
  Site site_;
  std::unique_ptr<Api> api_;
  std::unique_ptr<Listener> listener_;
  bool stopped_ = false;
};

}  // namespace

Expected<std::unique_ptr<Server>> Server::start(const Config& config, std::span<const GameInfo* const> games,
                                                int listening_socket) {
  auto server = std::make_unique<RunningServer>(config, games);
  if (auto problem = server->open(listening_socket)) return *problem;
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace tessera::server
