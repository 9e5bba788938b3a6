#pragma once

#include <string_view>

#include "server/http.hpp"

namespace tessera::server {

/// What browsers load. Pages are part of the program: nothing is looked up by path in a folder.
Response page(std::string_view path, std::string_view method);

}  // namespace tessera::server
