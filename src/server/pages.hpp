#pragma once

#include <span>
#include <string_view>

#include "server/http.hpp"

namespace tessera::server {

/// A file of the web client. Its content is part of the program: nothing is looked up by path in a folder.
struct PageFile {
  std::string_view path;  ///< "/index.html"
  std::string_view type;
  std::string_view plain;
  std::string_view gzipped;
};

/// All of them; scripts/build-web writes this function.
std::span<const PageFile> page_files();

/// What browsers load: a file, or the page that finds out by itself what to show at the path.
Response page(std::string_view path, std::string_view method, bool gzip);

}  // namespace tessera::server
