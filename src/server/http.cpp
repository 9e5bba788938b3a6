#include "server/http.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace tessera::server {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      plain += ' ';
    } else if (text[i] != '%') {
      plain += text[i];
    } else {
      const int high = i + 2 <= text.size() - 1 ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 <= text.size() - 1 ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      plain += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return plain;
}

}  // namespace

std::string error_json(std::string_view member, const Error& error) {
  if (error.owners) return error_json(member, Error::of("The server cannot do this just now. Try again in a moment."));
  return fmt::format(R"("{}":{}{}{})", member, json_string(error.sentence), error.say.empty() ? "" : R"(,"say":)",
                     error.say);
}

Response problem(int status, const Error& why) {
  return {.status = why.owners ? 503 : status,
          .body = fmt::format("{{{}}}", error_json("error", why)),
          .cause = why.owners ? why.sentence : ""};
}

std::optional<std::pair<std::string, std::map<std::string, std::string>>> parse_target(std::string_view target) {
  const auto mark = target.find('?');
  auto path = decoded(target.substr(0, mark), false);
  if (!path || path->empty() || path->front() != '/') return std::nullopt;
  std::map<std::string, std::string> query;
  if (mark != std::string_view::npos && mark + 1 < target.size()) {
    for (const std::string_view part : split(target.substr(mark + 1), '&')) {
      const auto equals = part.find('=');
      const auto key = decoded(part.substr(0, equals), true);
      const auto value = equals == std::string_view::npos ? std::string() : decoded(part.substr(equals + 1), true);
      if (!key || !value) return std::nullopt;
      query[*key] = *value;
    }
  }
  return std::pair(std::move(*path), std::move(query));
}

Expected<Url> parse_url(const std::string& text) {
  constexpr std::size_t longest = 500;
  const Error wrong = Error::of("A webhook is an address such as https://example.org/called.");
  Url url{};
  std::string_view rest = text;
  if (rest.starts_with("https://")) {
    url.tls = true;
  } else if (rest.starts_with("http://")) {
    url.tls = false;
  } else {
    return wrong;
  }
  rest.remove_prefix(url.tls ? 8 : 7);
  for (const char c : rest) {
    if (c <= ' ' || c >= 127 || c == '@' || c == '\\' || c == '"') return wrong;
  }
  const auto slash = rest.find('/');
  std::string_view authority = rest.substr(0, slash);
  url.path = slash == std::string_view::npos ? "/" : std::string(rest.substr(slash));
  const auto colon = authority.rfind(':');
  url.port = url.tls ? "443" : "80";
  if (colon != std::string_view::npos) {
    const auto port = colon + 1 < authority.size() ? parse_int(authority.substr(colon + 1)) : std::nullopt;
    if (!port || *port < 1 || *port > 65535) return wrong;
    url.port = std::to_string(*port);
    authority = authority.substr(0, colon);
  }
  if (authority.empty() || text.size() > longest) return wrong;
  url.host = authority;
  return url;
}

std::string_view cookie_value(std::string_view cookies, std::string_view name) {
  for (std::string_view part : split(cookies, ';')) {
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    if (part.size() > name.size() && part.starts_with(name) && part[name.size()] == '=') {
      return part.substr(name.size() + 1);
    }
  }
  return {};
}

}  // namespace tessera::server
