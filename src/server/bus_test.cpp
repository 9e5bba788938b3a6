#include "server/bus.hpp"

#include <gtest/gtest.h>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <future>

#include "server/loop.hpp"

namespace tessera::server {
namespace {

using boost::asio::ip::tcp;

/// A NATS server for one client at a time, which says `first` to the first and hangs up, and to the second a whole message.
class FakeNats {
 public:
  explicit FakeNats(std::string first) : first_(std::move(first)), thread_([this] { serve(); }) {}
  ~FakeNats() { thread_.join(); }

  std::string url() const { return "nats://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }
  void hang_up() { over_.set_value(); }

 private:
  void serve() {
    greet(first_);
    const tcp::socket second = greet("MSG tessera 1 5\r\nhello\r\n");
    over_.get_future().wait();
  }
  tcp::socket greet(const std::string& text) {
    tcp::socket client = acceptor_.accept();
    boost::asio::write(client, boost::asio::buffer(std::string(
                                   R"(INFO {"server_id":"x","version":"2.9.10","proto":1,"max_payload":1048576})"
                                   "\r\n")));
    std::string said;
    for (std::string line; !line.starts_with("SUB");) {
      const std::size_t size = boost::asio::read_until(client, boost::asio::dynamic_buffer(said), "\r\n");
      line = said.substr(0, size);
      said.erase(0, size);
      if (line == "PING\r\n") boost::asio::write(client, boost::asio::buffer(std::string("PONG\r\n")));
    }
    boost::asio::write(client, boost::asio::buffer(text));
    return client;
  }

  std::string first_;
  boost::asio::io_context context_;
  tcp::acceptor acceptor_{context_, {boost::asio::ip::address_v4::loopback(), 0}};
  std::promise<void> over_;
  std::thread thread_;
};

class LostIn : public testing::TestWithParam<const char*> {};

TEST_P(LostIn, AnyPlaceOfAMessageTheNextConnectionIsHeard) {
  FakeNats nats(GetParam());
  Loop loop(0);
  std::promise<std::string> heard;
  auto bus =
      Bus::open(nats.url(), loop,
                {.hear = [&](std::string_view text) { heard.set_value(std::string(text)); }, .changed = [](bool) {}});
  ASSERT_TRUE(bus);
  loop.start();
  auto text = heard.get_future();
  const bool in_time = text.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
  EXPECT_EQ(in_time ? text.get() : "nothing", "hello");
  nats.hang_up();
  loop.stop();
}

INSTANTIATE_TEST_SUITE_P(Bus, LostIn,
                         testing::Values("MSG", "MSG tessera 1 10", "MSG tessera 1 10\r",
                                         "MSG tessera 1 500\r\nhalf of", "MSG tessera 1 2\r\nhi"));

TEST(Bus, AnAddressWithoutSenseIsAnError) {
  Loop loop(0);
  for (const char* const url : {"", "nonsense", "http://127.0.0.1:4222", "tls://127.0.0.1:4222"}) {
    EXPECT_FALSE(Bus::open(url, loop, {})) << url;
  }
}

}  // namespace
}  // namespace tessera::server
