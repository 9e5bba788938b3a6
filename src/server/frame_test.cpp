#include "server/frame.hpp"

#include <gtest/gtest.h>
#include <boost/beast/_experimental/test/stream.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

namespace tessera::server {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;

// Beast reads what was framed by hand: around every size at which a header becomes longer.
TEST(Frames, AnyClientReadsThem) {
  boost::asio::io_context context;
  websocket::stream<beast::test::stream> client(context);
  websocket::stream<beast::test::stream> server(context);
  client.next_layer().connect(server.next_layer());
  client.async_handshake("localhost", "/", [](beast::error_code error) { EXPECT_FALSE(error) << error.message(); });
  server.async_accept([](beast::error_code error) { EXPECT_FALSE(error) << error.message(); });
  context.run();
  for (const std::size_t size : {0, 1, 125, 126, 127, 255, 256, 65'535, 65'536, 1'000'000}) {
    for (const bool binary : {false, true}) {
      std::string message;
      for (std::size_t i = 0; i < size; ++i) message += static_cast<char>('a' + i % 26);
      server.next_layer().write_some(boost::asio::buffer(frame_of(message, binary)));
      beast::flat_buffer read;
      beast::error_code error;
      client.read(read, error);
      EXPECT_FALSE(error) << size << ": " << error.message();
      EXPECT_EQ(beast::buffers_to_string(read.data()), message);
      EXPECT_EQ(client.got_binary(), binary);
    }
  }
}

}  // namespace
}  // namespace tessera::server
