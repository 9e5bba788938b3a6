#include "server/webhooks.hpp"

#include <fmt/format.h>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <optional>

#include "server/http.hpp"

namespace tessera::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Tcp = asio::ip::tcp;

constexpr auto patience = std::chrono::seconds(10);

/// Not this machine, not its network.
bool is_public(const asio::ip::address& address) {
  if (address.is_v6()) {
    const auto v6 = address.to_v6();
    if (v6.is_v4_mapped()) return is_public(asio::ip::make_address_v4(asio::ip::v4_mapped, v6));
    return (v6.to_bytes()[0] & 0xE0) == 0x20;  // 2000::/3, global unicast
  }
  const auto bytes = address.to_v4().to_bytes();
  const int a = bytes[0];
  const int b = bytes[1];
  return a != 0 && a != 10 && a != 127 && a < 224 && !(a == 100 && b >= 64 && b < 128) && !(a == 169 && b == 254) &&
         !(a == 172 && b >= 16 && b < 32) && !(a == 192 && b == 168) && !(a == 198 && (b == 18 || b == 19));
}

/// Posts `body`, blocking; the Error says why it did not arrive.
std::optional<Error> call(const Url& url, const std::string& body, bool private_addresses) {
  asio::io_context context;
  beast::error_code error;
  Tcp::resolver resolver(context);
  const auto found = resolver.resolve(url.host, url.port, error);
  if (error) return Error{error.message()};
  std::vector<Tcp::endpoint> endpoints;
  for (const auto& entry : found) {
    if (private_addresses || is_public(entry.endpoint().address())) endpoints.push_back(entry.endpoint());
  }
  if (endpoints.empty()) return Error{"the address is not on the public Internet"};

  http::request<http::string_body> request(http::verb::post, url.path, 11);
  request.set(http::field::host, url.host);
  request.set(http::field::content_type, "application/json");
  request.set(http::field::user_agent, "Tessera");
  request.body() = body;
  request.prepare_payload();
  http::response_parser<http::string_body> response;
  response.body_limit(std::uint64_t{64} * 1024);
  beast::flat_buffer buffer;
  const auto exchange = [&](auto& stream) {
    http::async_write(stream, request, [&](beast::error_code failed, std::size_t) {
      error = failed;
      if (failed) return;
      http::async_read(stream, buffer, response, [&](beast::error_code e, std::size_t) { error = e; });
    });
  };
  asio::ssl::context tls(asio::ssl::context::tls_client);
  tls.set_default_verify_paths();
  tls.set_verify_mode(asio::ssl::verify_peer);
  beast::ssl_stream<beast::tcp_stream> stream(context, tls);
  auto& lowest = beast::get_lowest_layer(stream);
  lowest.expires_after(patience);
  lowest.async_connect(endpoints, [&](beast::error_code failed, const Tcp::endpoint&) {
    error = failed;
    if (failed) return;
    if (!url.tls) return exchange(lowest);
    SSL_set_tlsext_host_name(stream.native_handle(), url.host.c_str());
    stream.set_verify_callback(asio::ssl::host_name_verification(url.host));
    stream.async_handshake(asio::ssl::stream_base::client, [&](beast::error_code e) {
      error = e;
      if (!e) exchange(stream);
    });
  });
  context.run();
  if (error) return Error{error.message()};
  if (response.get().result_int() >= 300) return Error{fmt::format("answered {}", response.get().result_int())};
  return std::nullopt;
}

}  // namespace

std::optional<Error> Webhooks::check(const std::string& url) {
  const auto parsed = parse_url(url);
  return parsed ? std::nullopt : std::optional(parsed.error());
}

void Webhooks::awaited(const std::string& person, const std::string& table, const std::string& game) {
  workers_.run([this, person, table, game](Store& store) {
    const auto known = store.person(person);
    if (!known || !*known || (**known).webhook.empty()) return;
    const auto url = parse_url((**known).webhook);
    if (!url) return;
    if (const auto here = store.present({table, person}); here && *here) return;  // at another process
    const auto failed =
        call(*url, fmt::format(R"({{"awaited":"{}","table":"{}","game":"{}"}})", person, table, game), private_);
    if (failed) log_.warning("a webhook failed", {{"person", person}, {"table", table}, {"why", failed->sentence}});
  });
}

}  // namespace tessera::server
