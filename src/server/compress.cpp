#include "server/compress.hpp"

#include <zlib.h>

namespace tessera::server {

std::string compressed(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size(),
            6);
  packed.resize(size);
  return packed;
}

}  // namespace tessera::server
