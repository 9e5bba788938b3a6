#include "bench/relay.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <csignal>
#include <map>
#include <memory>
#include <vector>

namespace tessera::bench {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using Failure = boost::system::error_code;
using TcpSocket = asio::basic_stream_socket<tcp, asio::io_context::executor_type>;

class Member;

struct Relay {
  std::string frame;
  std::map<std::string, std::vector<Member*>> groups{};
};

class Member : public std::enable_shared_from_this<Member> {
 public:
  Member(Relay& relay, TcpSocket socket) : relay_(relay), socket_(std::move(socket)) {}
  ~Member() {
    if (group_ != nullptr) std::erase(*group_, this);
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  void start() {
    socket_.next_layer().set_option(tcp::no_delay(true));
    socket_.auto_fragment(false);
    socket_.text(true);
    http::async_read(socket_.next_layer(), buffer_, request_,
                     [self = shared_from_this()](Failure failure, std::size_t) {
                       if (!failure) self->accept();
                     });
  }

 private:
  void accept() {
    socket_.async_accept(request_, [self = shared_from_this()](Failure failure) {
      if (failure) return;
      self->group_ = &self->relay_.groups[std::string(self->request_.target())];
      self->group_->push_back(self.get());
      self->request_ = {};
      self->read();
    });
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](Failure failure, std::size_t) {
      if (failure) return;
      self->buffer_.consume(self->buffer_.size());
      for (Member* member : *self->group_) member->send();
      self->read();
    });
  }

  /// All frames are alike: what waits is a number.
  void send() {
    if (waiting_++ == 0) write();
  }

  void write() {
    socket_.async_write(asio::buffer(relay_.frame), [self = shared_from_this()](Failure failure, std::size_t) {
      if (!failure && --self->waiting_ > 0) self->write();
    });
  }

  Relay& relay_;
  websocket::stream<TcpSocket> socket_;
  beast::flat_buffer buffer_;
  http::request<http::empty_body> request_;
  std::vector<Member*>* group_ = nullptr;
  int waiting_ = 0;
};

using Acceptor = asio::basic_socket_acceptor<tcp, asio::io_context::executor_type>;

void accept_next(Relay& relay, Acceptor& acceptor) {
  acceptor.async_accept([&](Failure failure, TcpSocket socket) {
    if (!failure) std::make_shared<Member>(relay, std::move(socket))->start();
    accept_next(relay, acceptor);
  });
}

}  // namespace

void run_relay(std::size_t frame_bytes, const std::function<void(const std::string& url)>& listening) {
  Relay relay{.frame = std::string(frame_bytes, '.')};
  asio::io_context context(1);
  asio::signal_set signals(context, SIGTERM);
  signals.async_wait([&](Failure, int) { context.stop(); });
  Acceptor acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  accept_next(relay, acceptor);
  listening(fmt::format("http://127.0.0.1:{}", acceptor.local_endpoint().port()));
  context.run();
}

}  // namespace tessera::bench
