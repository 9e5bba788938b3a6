#include "server/member.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace tessera::server {

SharedMessage refusal(std::uint64_t command, std::string_view why) {
  return std::make_shared<Message>(
      Message{.text = fmt::format(R"({{"refused":{},"why":{}}})", command, json_string(why)), .status = 409});
}

SharedMessage complaint(int status, std::string_view why) {
  return std::make_shared<Message>(
      Message{.text = fmt::format(R"({{"error":{}}})", json_string(why)), .status = status});
}

}  // namespace tessera::server
