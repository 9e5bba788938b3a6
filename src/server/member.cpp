#include "server/member.hpp"

#include <fmt/format.h>

#include "server/compress.hpp"
#include "server/http.hpp"
#include "server/log.hpp"

namespace tessera::server {

SharedMessage message(std::string text) {
  auto made = std::make_shared<Message>();
  if (text.size() > compress_from) made->compressed = compressed(text);
  made->text = std::move(text);
  return made;
}

SharedMessage refusal(std::uint64_t command, const Error& why) {
  return std::make_shared<Message>(
      Message{.text = fmt::format(R"({{"refused":{},{}}})", command, error_json("why", why)), .status = 409});
}

SharedMessage failure(Log& log, const std::string& table, const std::string& person, std::uint64_t command,
                      const Error& why) {
  if (why.owners) log.error("a command has failed", {{"table", table}, {"person", person}, {"why", why.sentence}});
  return refusal(command, why);
}

SharedMessage complaint(int status, const Error& why) {
  return std::make_shared<Message>(
      Message{.text = fmt::format(R"({{{}}})", error_json("error", why)), .status = why.owners ? 503 : status});
}

}  // namespace tessera::server
