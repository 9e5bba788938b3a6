#include "server/pages.hpp"

#include <algorithm>

namespace tessera::server {
namespace {

const PageFile* find(std::string_view path) {
  const auto files = page_files();
  const auto found = std::ranges::find(files, path, &PageFile::path);
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

Response page(std::string_view path, std::string_view method, bool gzip) {
  if (method != "GET" && method != "HEAD") return problem(405, Error::of("Pages can only be read."));
  // The names of assets change with their content: they can be kept for ever, and one that is not there is gone.
  const bool asset = path.starts_with("/assets/");
  const PageFile* file = find(path);
  if (file == nullptr && !asset) file = find("/index.html");
  if (file == nullptr) return problem(404, Error::of("There is no such file; load the page anew."));
  Response response{.type = std::string(file->type)};
  response.headers.emplace_back("Cache-Control", asset ? "public, max-age=31536000, immutable" : "no-cache");
  response.headers.emplace_back("Vary", "Accept-Encoding");
  gzip = gzip && !file->gzipped.empty();
  if (gzip) response.headers.emplace_back("Content-Encoding", "gzip");
  response.body = gzip ? file->gzipped : file->plain;
  return response;
}

}  // namespace tessera::server
