#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expected.hpp"

namespace tessera::server {

/// A request, without the library that read it.
struct Request {
  std::string method;
  std::string path;                          ///< decoded, without the query
  std::map<std::string, std::string> query;  ///< decoded
  std::string host;
  std::string origin;
  std::string cookie;
  std::string authorization;
  std::string body;
  std::string address;
  bool secure = false;  ///< came over TLS
};

struct Response {
  int status = 200;
  std::string body{};
  std::string type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string cause{};   ///< for the log alone, as is …
  std::string person{};  ///< … whose request it was, if known
};

using Answer = std::function<void(Response)>;

/// `"MEMBER":"the sentence"`, and `,"say":["template",…]` where it has arguments.
std::string error_json(std::string_view member, const Error& error);

/// {"error":"…","say":[…]}; with 503 when only the owner may know why.
Response problem(int status, const Error& why);

inline Error no_such_table() { return Error::of("There is no such table. Perhaps the link is cut off?"); }

/// Reads "/path?key=value&…"; nothing when it is not well formed.
std::optional<std::pair<std::string, std::map<std::string, std::string>>> parse_target(std::string_view target);

/// An address that the server itself calls.
struct Url {
  bool tls;
  std::string host;
  std::string port;  ///< given, or the scheme's own
  std::string path;  ///< with the query
};
Expected<Url> parse_url(const std::string& text);

/// The value of a cookie, or empty.
std::string_view cookie_value(std::string_view cookies, std::string_view name);

}  // namespace tessera::server
