#include "server/listener.hpp"

#include <fmt/format.h>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <variant>

#include "core/text.hpp"
#include "server/compress.hpp"
#include "server/frame.hpp"
#include "server/gate.hpp"
#include "server/log.hpp"
#include "server/metrics.hpp"
#include "server/pages.hpp"

namespace tessera::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;

using PlainStream = beast::basic_stream<Tcp, Executor>;
using TlsStream = beast::ssl_stream<PlainStream>;
using Socket = asio::basic_stream_socket<Tcp, Executor>;

constexpr auto request_time = std::chrono::seconds(30);
constexpr auto answer_time = std::chrono::seconds(90);  // long polls take most of a minute
constexpr auto ping_every = std::chrono::seconds(30);
constexpr std::size_t header_bytes = 8 * 1024;
constexpr std::size_t longest_logged = 40;  ///< of what stands where a path has an id

/// Under a WebSocket: takes at once whatever it is given, so that nobody waits for it, up to a limit. What the
/// connection does not take is kept until it does. `Next` is a Socket or a TlsStream. With Beast's asynchronous writes a
/// frame took three times the instructions.
template <class Next>
class Outlet {
 public:
  using next_layer_type = Next;
  using executor_type = typename Next::executor_type;

  Outlet(Next next, int limit_bytes) : next_(std::move(next)), limit_(static_cast<std::size_t>(limit_bytes)) {
    ErrorCode ignored;
    if constexpr (direct) next_.non_blocking(true, ignored);
  }
  Next& next_layer() { return next_; }
  const Next& next_layer() const { return next_; }
  executor_type get_executor() { return next_.get_executor(); }

  void belongs_to(std::weak_ptr<void> owner) { owner_ = std::move(owner); }  ///< who stays while anything is sent

  template <class Buffers, class Done>
  auto async_read_some(const Buffers& buffers, Done&& done) {
    // Beast gives two of which the second is empty. The kernel takes one more readily.
    asio::mutable_buffer first = *asio::buffer_sequence_begin(buffers);
    return next_.async_read_some(first, std::forward<Done>(done));
  }
  template <class Buffers, class Done>
  auto async_write_some(const Buffers& buffers, Done&& done) {
    const auto take = [this](auto taken, const Buffers& bytes) {
      ErrorCode error;
      const std::size_t size = write_some(bytes, error);
      std::move(taken)(error, size);
    };
    return asio::async_initiate<Done, void(ErrorCode, std::size_t)>(take, done, buffers);
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, ErrorCode& error) {
    error = {};
    std::size_t sent = 0;
    if constexpr (direct) {
      if (sending_.empty()) sent = next_.write_some(buffers, error);
      if (error == asio::error::would_block) error = {};
    }
    const std::size_t size = asio::buffer_size(buffers);
    if (sent == size || error) return sent;
    if (sending_.size() + kept_.size() + size > limit_) error = asio::error::no_buffer_space;
    if (error) return sent;
    beast::buffers_suffix<Buffers> rest(buffers);
    rest.consume(sent);
    kept_ += beast::buffers_to_string(rest);
    if (sending_.empty()) send();
    return size;
  }
  // Beast asks for these and never calls them.
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers);
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers);
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers, ErrorCode& error);

  template <class Done>
  friend void async_teardown(beast::role_type role, Outlet& outlet, Done&& done) {
    using websocket::async_teardown;
    const auto sent = outlet.sent_.lock();
    if (!sent) return async_teardown(role, outlet.next_, std::forward<Done>(done));
    // TLS would not say that it ends while something is sent.
    auto later = std::make_shared<std::decay_t<Done>>(std::forward<Done>(done));
    *sent = [role, &outlet, later] { async_teardown(role, outlet.next_, std::move(*later)); };
  }

 private:
  static constexpr bool direct = std::is_same_v<Next, Socket>;

  using Task = std::function<void()>;

  void send(std::shared_ptr<Task> sent = std::make_shared<Task>()) {
    sending_.swap(kept_);
    sent_ = sent;
    asio::async_write(next_, asio::buffer(sending_),
                      [this, owner = owner_.lock(), sent = std::move(sent)](ErrorCode error, std::size_t) mutable {
                        sending_.clear();
                        if (error) kept_.clear();  // whoever reads gets one too
                        if (!kept_.empty()) return send(std::move(sent));
                        if (*sent) (*sent)();
                      });
  }

  Next next_;
  std::size_t limit_;
  std::weak_ptr<void> owner_;
  std::string sending_;
  std::string kept_;
  std::weak_ptr<Task> sent_;  ///< what waits until all is sent; belongs to the sending, which may never end
};

/// An address's place at the gate, for as long as this lives. Connections have one; behind a proxy, where they are the
/// proxy's, sockets do.
class Admission {
 public:
  /// Null: the gate refuses.
  static std::unique_ptr<Admission> ask(Site& site, const std::string& address) {
    if (site.gate->connect(address)) return std::unique_ptr<Admission>(new Admission(*site.gate, address));
    site.metrics->turned_away();
    return nullptr;
  }
  Admission(const Admission&) = delete;
  Admission& operator=(const Admission&) = delete;
  ~Admission() { gate_.disconnect(address_); }

 private:
  Admission(Gate& gate, std::string address) : gate_(gate), address_(std::move(address)) {}

  Gate& gate_;
  std::string address_;
};

// ── One WebSocket ──

/// `Stream` is a Socket, or a TlsStream.
template <class Stream>
class LiveSocket final : public Member, public std::enable_shared_from_this<LiveSocket<Stream>> {
 public:
  LiveSocket(Site& site, Api& api, Loop& loop, Stream stream, std::unique_ptr<Admission> admission, std::string table,
             bool plain)
      : site_(site),
        api_(api),
        loop_(loop),
        admission_(std::move(admission)),
        socket_(std::move(stream), site.gate->settings().unsent_bytes),
        table_(std::move(table)),
        plain_(plain),
        allowance_(site.gate->settings().messages_per_s),
        watch_(loop.context().get_executor()),
        buffer_(static_cast<std::size_t>(site.gate->settings().message_bytes)) {
    site_.metrics->socket(1);
  }
  ~LiveSocket() override { site_.metrics->socket(-1); }

  void start(const http::request<http::string_body>& request, Table::Since since) {
    socket_.set_option(websocket::stream_base::timeout{
        .handshake_timeout = request_time, .idle_timeout = websocket::stream_base::none(), .keep_alive_pings = false});
    socket_.next_layer().belongs_to(this->weak_from_this());
    socket_.control_callback([this](websocket::frame_type, beast::string_view) { heard_ = true; });
    socket_.read_message_max(buffer_.max_size());
    socket_.auto_fragment(false);  // needs no buffer of its own for what is written
    socket_.async_accept(request, [self = this->shared_from_this(), since](ErrorCode error) {
      if (error) return;
      self->join(since);
      self->read();
      self->watch();
    });
  }

  void tell(SharedMessage message) override {
    if (loop_.is_here()) return queue(message);
    loop_.post([self = this->shared_from_this(), message = std::move(message)] { self->queue(message); });
  }

  void dismiss() override {
    loop_.run([self = this->shared_from_this()] {
      self->queue(std::make_shared<Message>(Message{R"({"stopping":true})"}));
      self->part(websocket::close_code::service_restart);
    });
  }

 private:
  void join(Table::Since since) {
    Tables& home = site_.home_of(table_);
    home.loop().run([self = this->shared_from_this(), &home, since] {
      home.with(self->table_, [self, since](const Expected<Table*>& table) {
        if (table) return (*table)->join(self, since);
        self->tell(complaint(404, table.error()));
        if (table.error().owners) return self->dismiss();  // it comes again
        self->loop_.run([self] { self->part(websocket::close_code::policy_error); });
      });
    });
  }

  /// Beast's own watch would set its timer anew at every message.
  void watch() {
    watch_.expires_after(ping_every);
    watch_.async_wait([self = this->shared_from_this()](ErrorCode stopped) {
      if (!stopped) self->ping();
    });
  }

  void ping() {
    if (!heard_) return beast::get_lowest_layer(socket_).close();
    heard_ = false;
    socket_.async_ping({}, [self = this->shared_from_this()](ErrorCode) {});
    watch();
  }

  void read() {
    socket_.async_read(buffer_, [self = this->shared_from_this()](ErrorCode error, std::size_t) {
      if (error) return self->ended();
      self->took();
    });
  }

  /// Who sends too fast is read more slowly: what is not read waits at the sender.
  void took() {
    const auto wait = site_.config.bench ? std::chrono::duration<double>(0) : allowance_.take_soon();
    if (wait.count() <= 0) return pass_on();
    auto timer = std::make_shared<Timer>(loop_.context().get_executor());
    timer->expires_after(std::chrono::duration_cast<Timer::duration>(wait));
    timer->async_wait([self = this->shared_from_this(), timer](ErrorCode) { self->pass_on(); });
  }

  void pass_on() {
    heard_ = true;
    if (ended_ || goodbye_ != websocket::close_code::none) return;
    api_.message(this->shared_from_this(), table_,
                 std::string_view(static_cast<const char*>(buffer_.cdata().data()), buffer_.size()));
    buffer_.consume(buffer_.size());
    if (goodbye_ == websocket::close_code::none) read();
  }

  void queue(const SharedMessage& message) {
    if (ended_ || goodbye_ != websocket::close_code::none || !socket_.is_open()) return;
    const bool binary = !message->compressed.empty() && !plain_;
    const std::string frame = frame_of(binary ? message->compressed : message->text, binary);
    ErrorCode error;
    socket_.next_layer().write_some(asio::buffer(frame), error);  // other errors are left to whoever reads
    if (error == asio::error::no_buffer_space) {
      // It reads too slowly: cut it off hard, for a close would wait in the same queue.
      site_.metrics->dropped();
      beast::get_lowest_layer(socket_).close();
    }
  }

  /// Once: the server may stop while somebody who is banned is being put out.
  void part(websocket::close_code why) {
    if (ended_ || goodbye_ != websocket::close_code::none) return;
    goodbye_ = why;
    socket_.async_close(why, [self = this->shared_from_this()](ErrorCode) { self->ended(); });
  }

  void ended() {
    if (std::exchange(ended_, true)) return;
    watch_.cancel();
    beast::get_lowest_layer(socket_).close();  // what it does not take would keep it
    Tables& home = site_.home_of(table_);
    // Later: the table may be telling it something just now.
    home.loop().post([self = this->shared_from_this(), &home] {
      self->left = true;
      if (Table* table = home.find(self->table_)) table->leave(*self);
    });
  }

  Site& site_;
  Api& api_;
  Loop& loop_;
  std::unique_ptr<Admission> admission_;
  websocket::stream<Outlet<Stream>> socket_;
  std::string table_;
  bool plain_;
  Allowance allowance_;
  Timer watch_;
  bool heard_ = true;  ///< since the last ping
  beast::flat_buffer buffer_;
  bool ended_ = false;
  websocket::close_code goodbye_ = websocket::close_code::none;
};

// ── One HTTP connection ──

/// `Stream` is a PlainStream or a TlsStream.
template <class Stream>
class Connection final : public std::enable_shared_from_this<Connection<Stream>> {
 public:
  Connection(Site& site, Api& api, Loop& loop, Stream stream, std::string address, std::unique_ptr<Admission> admission)
      : site_(site),
        api_(api),
        loop_(loop),
        stream_(std::move(stream)),
        address_(std::move(address)),
        admission_(std::move(admission)) {}

  void start() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      lowest().expires_after(request_time);
      stream_.async_handshake(asio::ssl::stream_base::server, [self = this->shared_from_this()](ErrorCode error) {
        if (!error) self->read();
      });
    } else {
      read();
    }
  }

 private:
  PlainStream& lowest() { return beast::get_lowest_layer(stream_); }

  void read() {
    parser_.emplace();
    parser_->header_limit(header_bytes);
    parser_->body_limit(static_cast<std::uint64_t>(site_.gate->settings().message_bytes));
    lowest().expires_after(request_time);
    http::async_read(stream_, buffer_, *parser_,
                     [self = this->shared_from_this()](ErrorCode error, std::size_t) { self->took(error); });
  }

  void took(ErrorCode error) {
    if (error == http::error::end_of_stream) return shut();
    if (error == http::error::body_limit) return send(problem(413, Error::of("The request is too large.")), false);
    if (error == http::error::header_limit)
      return send(problem(431, Error::of("The request's header is too large.")), false);
    if (error && error.category() == make_error_code(http::error::bad_method).category()) {
      return send(problem(400, Error::of("This is no HTTP request that can be understood.")), false);
    }
    if (error) return;
    const auto& message = parser_->get();
    // Where the body of any other coding ends, a proxy may see differently: what follows could be somebody's request.
    if (message.count(http::field::transfer_encoding) != 0 && !message.chunked()) {
      return send(problem(400, Error::of("This is no HTTP request that can be understood.")), false);
    }
    const bool keep = message.keep_alive();
    auto target = parse_target(std::string_view(message.target().data(), message.target().size()));
    if (!target) return send(problem(400, Error::of("The address is not well formed.")), keep);
    const auto header = [&](http::field name) { return std::string(message[name]); };
    Request request{.method = std::string(message.method_string()),
                    .path = std::move(target->first),
                    .query = std::move(target->second),
                    .host = header(http::field::host),
                    .origin = header(http::field::origin),
                    .cookie = header(http::field::cookie),
                    .authorization = header(http::field::authorization),
                    .body = message.body(),
                    .address = address_,
                    .secure = std::is_same_v<Stream, TlsStream>};
    if (site_.config.proxy) {
      // The last hop is the one that our own proxy has added, to the line or as a further one.
      if (const auto [first, end] = message.equal_range("X-Forwarded-For"); first != end) {
        auto hop = std::prev(end)->value();
        hop.remove_prefix(hop.rfind(',') + 1);
        hop.remove_prefix(std::min(hop.find_first_not_of(' '), hop.size()));
        if (!hop.empty()) request.address = std::string(hop);
      }
      request.secure = request.secure || std::string(message["X-Forwarded-Proto"]) == "https";
    }
    if (!site_.gate->request(request.address)) {
      site_.metrics->turned_away();
      return send(problem(429, Error::of("Too many requests; wait a little.")), false);
    }
    const auto parts = split(request.path, '/');
    const bool of_table = parts.size() == 5 && parts[1] == "api" && parts[2] == "tables";
    const bool live = of_table && parts[4] == "live";
    table_ = of_table ? parts[3].substr(0, longest_logged) : "";
    if (websocket::is_upgrade(message)) {
      if (!live) return send(problem(404, Error::of("There is no socket at this path.")), keep);
      if (!api_.origin_allowed(request))
        return send(problem(403, Error::of("This request comes from another site's page.")), keep);
      return upgrade(request, std::string(parts[3]));
    }
    if (live) return send(problem(426, Error::of("This path is for WebSockets.")), keep);
    const bool head = request.method == "HEAD";
    const auto accepts = [encodings = header(http::field::accept_encoding)](std::string_view encoding) {
      return encodings.find(encoding) != std::string::npos;
    };
    if (!request.path.starts_with("/api") && request.path != "/metrics") {
      return send(page(request.path, request.method, accepts("gzip")), keep, head);
    }
    api_.handle(
        std::move(request), [self = this->shared_from_this(), keep, deflate = accepts("deflate")](Response response) {
          if (deflate && response.body.size() > compress_from) {
            response.body = compressed(response.body);
            response.headers.emplace_back("Content-Encoding", "deflate");
          }
          self->loop_.run(
              [self, keep, response = std::move(response)]() mutable { self->send(std::move(response), keep); });
        });
    lowest().expires_after(answer_time);
  }

  void upgrade(const Request& request, const std::string& table) {
    if (site_.config.proxy) admission_ = Admission::ask(site_, request.address);
    if (!admission_) {
      return send(problem(429, Error::of("Too many connections from your address; close some of them.")), false);
    }
    lowest().expires_never();
    api_.identify(request, [self = this->shared_from_this(), request, table](std::optional<Response> refused,
                                                                             const Api::Visitor& visitor) {
      self->loop_.run([self, request, table, refused = std::move(refused), visitor]() mutable {
        if (refused) return self->send(std::move(*refused), false);
        self->become_socket(request, table, visitor);
      });
    });
  }

  void become_socket(const Request& request, const std::string& table, const Api::Visitor& visitor) {
    const auto number = [&](const char* key) -> std::optional<Sequence> {
      const auto given = request.query.find(key);
      return given == request.query.end() || given->second.empty() ? std::nullopt : parse_int<Sequence>(given->second);
    };
    const Table::Since since{.event = number("after"), .chat = number("chat").value_or(0)};
    const bool plain = request.query.contains("plain");
    const auto begin = [&](auto stream) {
      using Under = decltype(stream);
      auto socket = std::make_shared<LiveSocket<Under>>(site_, api_, loop_, std::move(stream), std::move(admission_),
                                                        table, plain);
      socket->person = visitor.person;
      socket->name = visitor.name;
      socket->address = request.address;
      socket->start(parser_->get(), since);
    };
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      begin(std::move(stream_));
    } else {
      begin(stream_.release_socket());
    }
  }

  void send(Response response, bool keep, bool head = false) {
    if (!response.cause.empty()) {
      site_.log->error("a request has failed",
                       {{"table", table_}, {"person", response.person}, {"why", response.cause}});
    }
    response_ = {};
    response_.version(11);
    response_.result(static_cast<unsigned>(response.status));
    response_.keep_alive(keep);
    response_.set(http::field::content_type, response.type);
    response_.set(
        "Content-Security-Policy",
        "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    if (response.headers.empty() || response.headers.front().first != "Cache-Control") {
      response_.set(http::field::cache_control, "no-store");
    }
    for (const auto& [name, value] : response.headers) response_.insert(name, value);
    response_.body() = head ? std::string() : std::move(response.body);
    response_.prepare_payload();
    lowest().expires_after(request_time);
    http::async_write(stream_, response_, [self = this->shared_from_this(), keep](ErrorCode error, std::size_t) {
      if (error) return;
      if (keep) {
        self->read();
      } else {
        self->shut();
      }
    });
  }

  void shut() {
    ErrorCode ignored;
    lowest().socket().shutdown(Tcp::socket::shutdown_send, ignored);
  }

  Site& site_;
  Api& api_;
  Loop& loop_;
  Stream stream_;
  std::string table_;    ///< that the request is about, for the log
  std::string address_;  ///< behind a proxy the proxy's
  std::unique_ptr<Admission> admission_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
};

// ── Accepting ──

/// As owners write it: who comes by IPv4 has such an address at a socket for both, too.
std::string address_of(const Tcp::endpoint& peer) {
  const auto address = peer.address();
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address.to_string();
  return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
}

class BeastListener final : public Listener {
 public:
  BeastListener(Site& site, Api& api)
      : site_(site),
        api_(api),
        acceptor_(site.loops.front()->context()),
        resting_(site.loops.front()->context().get_executor()) {}

  std::optional<Error> listen(int socket) {
    const Config& config = site_.config;
    ErrorCode error;
    if (!config.certificate.empty()) {
      tls_.emplace(asio::ssl::context::tls_server);
      tls_->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                        asio::ssl::context::no_tlsv1_1);
      tls_->use_certificate_chain_file(config.certificate, error);
      if (error)
        return Error{fmt::format("The certificate {} cannot be used: {}.", config.certificate, error.message())};
      tls_->use_private_key_file(config.key, asio::ssl::context::pem, error);
      if (error) return Error{fmt::format("The key {} cannot be used: {}.", config.key, error.message())};
    }
    const auto address = asio::ip::make_address(config.address, error);
    if (error) return Error{fmt::format("{} is no address; 127.0.0.1 or 0.0.0.0 are.", in_quotes(config.address))};
    const Tcp::endpoint endpoint(address, static_cast<std::uint16_t>(config.port));
    if (socket >= 0) acceptor_.assign(endpoint.protocol(), socket, error);
    if (acceptor_.is_open()) {
      const Tcp::endpoint bound = acceptor_.local_endpoint(error);
      const bool same_port = config.port == 0 || bound.port() == config.port;
      if (bound.address() != address || !same_port) acceptor_.close(error);  // the options have changed since
    }
    if (!acceptor_.is_open()) {
      acceptor_.open(endpoint.protocol(), error);
      acceptor_.set_option(asio::socket_base::reuse_address(true), error);
      acceptor_.bind(endpoint, error);
      if (error) {
        return Error{fmt::format("Port {} at {} cannot be used: {}. Another --port may be free.", config.port,
                                 config.address, error.message())};
      }
      acceptor_.listen(4096, error);
    }
    if (error) return Error{fmt::format("Nothing can be accepted at port {}: {}.", config.port, error.message())};
    return std::nullopt;
  }

  int port() const override { return acceptor_.local_endpoint().port(); }
  int handle() const override { return const_cast<BeastListener*>(this)->acceptor_.native_handle(); }
  void start() override {
    site_.loops.front()->post([this] { accept(); });
  }
  void stop() override {
    site_.loops.front()->run([this] {
      ErrorCode ignored;
      stopped_ = true;
      acceptor_.cancel(ignored);
      resting_.cancel();
    });
  }

 private:
  void accept() {
    if (stopped_) return;
    Loop& loop = *site_.loops[next_++ % site_.loops.size()];
    acceptor_.async_accept(loop.context(), [this, &loop](ErrorCode error, auto socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return rest(error);
      begin(loop, std::move(socket));
      accept();
    });
  }

  /// Out of file descriptors, most likely: asking again at once would only be refused again.
  void rest(ErrorCode why) {
    constexpr Time a_minute = 60'000;
    if (const Time time = now(); time >= silent_until_) {
      site_.log->error("no connection can be accepted", {{"why", why.message()}});
      silent_until_ = time + a_minute;
    }
    resting_.expires_after(std::chrono::milliseconds(100));
    resting_.async_wait([this](ErrorCode) { accept(); });
  }

  template <class Accepted>
  void begin(Loop& loop, Accepted accepted) {
    ErrorCode error;
    const auto peer = accepted.remote_endpoint(error);
    accepted.set_option(Tcp::no_delay(true), error);
    if (error) return;
    const std::string address = address_of(peer);
    auto admission = site_.config.proxy ? nullptr : Admission::ask(site_, address);
    if (!admission && !site_.config.proxy) return;
    Socket socket(loop.context(), peer.protocol(), accepted.release(error));
    if (tls_) {
      auto connection = std::make_shared<Connection<TlsStream>>(
          site_, api_, loop, TlsStream(PlainStream(std::move(socket)), *tls_), address, std::move(admission));
      loop.run([connection] { connection->start(); });
    } else {
      auto connection = std::make_shared<Connection<PlainStream>>(site_, api_, loop, PlainStream(std::move(socket)),
                                                                  address, std::move(admission));
      loop.run([connection] { connection->start(); });
    }
  }

  Site& site_;
  Api& api_;
  std::optional<asio::ssl::context> tls_;
  asio::basic_socket_acceptor<Tcp, Executor> acceptor_;
  Timer resting_;
  Time silent_until_ = 0;  ///< it has been said
  std::size_t next_ = 0;
  bool stopped_ = false;
};

}  // namespace

Expected<std::unique_ptr<Listener>> Listener::open(Site& site, Api& api, int socket) {
  auto listener = std::make_unique<BeastListener>(site, api);
  if (auto problem = listener->listen(socket)) return *problem;
  return std::unique_ptr<Listener>(std::move(listener));
}

}  // namespace tessera::server
