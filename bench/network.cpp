#include "bench/network.hpp"

#include <fmt/format.h>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <csignal>
#include <deque>
#include <optional>
#include <vector>

#include "core/text.hpp"

namespace tessera::bench {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using Failure = boost::system::error_code;
using Executor = asio::io_context::executor_type;
using TcpSocket = asio::basic_stream_socket<tcp, Executor>;
using Timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;

tcp::endpoint endpoint_of(const Address& address) { return {asio::ip::make_address(address.host), address.port}; }

/// The callbacks of one WebSocket. Lives as long as something is under way on it.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(asio::io_context& context, Receiver& receiver) : socket_(context), receiver_(&receiver) {}

  /// `tried`: it is open, or it never will be.
  void open(const Address& address, const std::string& target, const std::string& token, std::function<void()> tried) {
    tried_ = std::move(tried);
    if (receiver_ == nullptr) return tried_();
    socket_.next_layer().async_connect(
        endpoint_of(address), [self = shared_from_this(), host = address.host, target, token](Failure failure) {
          if (failure) return self->have_tried(failure);
          self->socket_.next_layer().set_option(tcp::no_delay(true));
          self->shake_hands(host, target, token);
        });
  }

  void send(std::string_view frame) {
    waiting_.emplace_back(frame);
    if (waiting_.size() == 1) write();
  }

  void close() {
    receiver_ = nullptr;
    Failure ignored;
    socket_.next_layer().close(ignored);
  }

 private:
  void shake_hands(const std::string& host, const std::string& target, const std::string& token) {
    socket_.set_option(websocket::stream_base::decorator([token](websocket::request_type& request) {
      if (!token.empty()) request.set(http::field::authorization, "Bearer " + token);
    }));
    socket_.auto_fragment(false);
    socket_.read_message_max(std::size_t{256} << 20);  // a greeting may hold a whole game
    socket_.text(true);
    socket_.async_handshake(host, target, [self = shared_from_this()](Failure failure) { self->have_tried(failure); });
  }

  void have_tried(Failure failure) {
    std::exchange(tried_, nullptr)();
    if (failure) return lose(failure);
    if (receiver_ == nullptr) return;
    receiver_->opened();
    read();
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](Failure failure, std::size_t) {
      if (failure) return self->lose(failure);
      const auto frame = self->buffer_.cdata();
      if (self->receiver_ != nullptr) {
        self->receiver_->received({static_cast<const char*>(frame.data()), frame.size()}, self->socket_.got_binary());
      }
      self->buffer_.consume(frame.size());
      if (self->receiver_ != nullptr) self->read();
    });
  }

  void write() {
    socket_.async_write(asio::buffer(waiting_.front()), [self = shared_from_this()](Failure failure, std::size_t) {
      if (failure) return self->lose(failure);
      self->waiting_.pop_front();
      if (!self->waiting_.empty()) self->write();
    });
  }

  void lose(Failure failure) {
    if (Receiver* receiver = std::exchange(receiver_, nullptr)) {
      const std::string_view reason(socket_.reason().reason.data(), socket_.reason().reason.size());
      receiver->lost(reason.empty() ? failure.message() : std::string(reason));
    }
  }

  websocket::stream<TcpSocket> socket_;
  Receiver* receiver_;
  std::function<void()> tried_;
  beast::flat_buffer buffer_;
  std::deque<std::string> waiting_;
};

class SessionHandle : public Connection {
 public:
  explicit SessionHandle(std::shared_ptr<Session> session) : session_(std::move(session)) {}
  ~SessionHandle() override { session_->close(); }
  SessionHandle(const SessionHandle&) = delete;
  SessionHandle& operator=(const SessionHandle&) = delete;
  void send(std::string_view frame) override { session_->send(frame); }

 private:
  std::shared_ptr<Session> session_;
};

/// One request on a connection that may have carried others before.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  using Done = std::function<void(const Answer&, std::unique_ptr<TcpSocket> reusable)>;

  Exchange(std::unique_ptr<TcpSocket> socket, const Address& address, const Request& request, Done done)
      : socket_(std::move(socket)), address_(address), done_(std::move(done)) {
    request_.method_string(request.method);
    request_.target(request.target);
    request_.set(http::field::host, address.host);
    if (!request.token.empty()) request_.set(http::field::authorization, "Bearer " + request.token);
    if (!request.body.empty()) request_.set(http::field::content_type, "application/json");
    request_.body() = request.body;
    request_.prepare_payload();
  }

  void start() {
    parser_.emplace();
    parser_->body_limit(std::uint64_t{256} << 20);  // a log may hold a whole game
    buffer_.clear();
    is_reused_ = socket_->is_open();
    if (is_reused_) return write();
    socket_->async_connect(endpoint_of(address_), [self = shared_from_this()](Failure failure) {
      if (failure) return self->fail(failure);
      self->socket_->set_option(tcp::no_delay(true));
      self->write();
    });
  }

 private:
  void write() {
    http::async_write(*socket_, request_, [self = shared_from_this()](Failure failure, std::size_t) {
      if (failure) return self->fail(failure);
      self->read();
    });
  }

  void read() {
    http::async_read(*socket_, buffer_, *parser_, [self = shared_from_this()](Failure failure, std::size_t) {
      if (failure) return self->fail(failure);
      auto& response = self->parser_->get();
      if (!response.keep_alive()) self->socket_->close(failure);
      self->done_({static_cast<int>(response.result_int()), std::move(response.body())}, std::move(self->socket_));
    });
  }

  void fail(Failure failure) {
    const std::string why = failure.message();
    socket_->close(failure);
    if (is_reused_) return start();  // the server may have closed it, or been killed, since the request before
    done_({0, why}, std::move(socket_));
  }

  std::unique_ptr<TcpSocket> socket_;
  Address address_;
  Done done_;
  http::request<http::string_body> request_;
  std::optional<http::response_parser<http::string_body>> parser_;
  beast::flat_buffer buffer_;
  bool is_reused_ = false;
};

}  // namespace

class Network::Implementation {
 public:
  Implementation() : signals_(context_, SIGINT, SIGTERM) { wait_for_interrupt(); }

  void wait_for_interrupt() {
    signals_.async_wait([this](Failure failure, int) {
      if (failure) return;
      interrupted_ = true;
      context_.stop();
    });
  }

  /// A few at a time, so that they do not overflow the queue of those whom the server has yet to accept.
  void open_next() {
    constexpr std::size_t at_a_time = 128;
    while (!to_open_.empty() && opening_ < at_a_time) {
      const std::function<void()> open = std::move(to_open_.front());
      to_open_.pop_front();
      ++opening_;
      open();
    }
  }

  struct Asked {
    Address address;
    Request request;
    std::function<void(const Answer&)> answered;
  };

  /// A few requests at a time, on connections that are kept.
  void ask_next() {
    constexpr std::size_t at_a_time = 32;
    if (asked_.empty() || asking_ == at_a_time) return;
    Asked next = std::move(asked_.front());
    asked_.pop_front();
    ++asking_;
    auto socket = std::make_unique<TcpSocket>(context_);
    const auto same = [&](const auto& kept) { return kept.first == next.address.port; };
    if (const auto kept = std::find_if(kept_.begin(), kept_.end(), same); kept != kept_.end()) {
      socket = std::move(kept->second);
      kept_.erase(kept);
    }
    const auto done = [this, answered = std::move(next.answered), port = next.address.port](
                          const Answer& answer, std::unique_ptr<TcpSocket> reusable) {
      --asking_;
      if (reusable->is_open()) kept_.emplace_back(port, std::move(reusable));
      answered(answer);
      ask_next();
    };
    std::make_shared<Exchange>(std::move(socket), next.address, next.request, done)->start();
  }

  asio::io_context context_{1};
  asio::signal_set signals_;
  bool interrupted_ = false;
  std::deque<std::function<void()>> to_open_;
  std::size_t opening_ = 0;
  std::deque<Asked> asked_;
  std::size_t asking_ = 0;
  std::vector<std::pair<std::uint16_t, std::unique_ptr<TcpSocket>>> kept_;  ///< by port
};

Expected<Address> parse_address(std::string_view url) {
  constexpr std::string_view scheme = "http://";
  const std::string_view rest = url.starts_with(scheme) ? url.substr(scheme.size()) : std::string_view();
  const std::size_t colon = rest.rfind(':');
  if (colon != std::string_view::npos) {
    std::string host(rest.substr(0, colon));
    Failure failure;
    asio::ip::make_address(host, failure);
    std::string_view digits = rest.substr(colon + 1);
    if (digits.ends_with('/')) digits.remove_suffix(1);
    const auto port = parse_int<std::uint16_t>(digits);
    if (!failure && port) return Address{std::move(host), *port};
  }
  return Error{fmt::format("a server's address is written http://127.0.0.1:8080, not {}", in_quotes(url))};
}

Network::Network() : implementation_(std::make_unique<Implementation>()) {}
Network::~Network() = default;

std::unique_ptr<Connection> Network::connect(const Address& address, const std::string& target,
                                             const std::string& token, Receiver& receiver) {
  auto session = std::make_shared<Session>(implementation_->context_, receiver);
  implementation_->to_open_.emplace_back([=, implementation = implementation_.get()] {
    session->open(address, target, token, [=] {
      --implementation->opening_;
      asio::post(implementation->context_, [=] { implementation->open_next(); });
    });
  });
  implementation_->open_next();
  return std::make_unique<SessionHandle>(std::move(session));
}

void Network::request(const Address& address, Request request, std::function<void(const Answer&)> answered) {
  implementation_->asked_.push_back({address, std::move(request), std::move(answered)});
  implementation_->ask_next();
}

void Network::after(double seconds, std::function<void()> task) {
  auto timer = std::make_shared<Timer>(implementation_->context_);
  timer->expires_after(std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9)));
  timer->async_wait([timer, task = std::move(task)](Failure failure) {
    if (!failure) task();
  });
}

bool Network::run_for(double seconds) {
  if (!interrupted()) {
    implementation_->context_.run_for(std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9)));
  }
  return !interrupted();
}

bool Network::run_until(const std::function<bool()>& done) {
  while (!interrupted() && !done()) implementation_->context_.run_one();
  return !interrupted();
}

bool Network::interrupted() const { return implementation_->interrupted_; }

void Network::go_on_after_interrupt() {
  implementation_->interrupted_ = false;
  implementation_->context_.restart();
  implementation_->wait_for_interrupt();
}

}  // namespace tessera::bench
