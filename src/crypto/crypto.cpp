#include "crypto/crypto.hpp"

#include <sodium.h>
#include <array>
#include <cstdlib>

namespace tessera::crypto {
namespace {

using fair::Bytes32;

/// Every function calls this before it uses libsodium. It fails only where there is no randomness at all.
void be_ready() {
  static const bool ready = sodium_init() >= 0;
  if (!ready) std::abort();
}

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

Bytes32 sha256(std::string_view bytes) {
  be_ready();
  Bytes32 result;
  crypto_hash_sha256(result.data(), bytes_of(bytes), bytes.size());
  return result;
}

Bytes32 hmac_sha256(const Bytes32& key, std::string_view bytes) {
  be_ready();
  Bytes32 result;
  crypto_auth_hmacsha256(result.data(), bytes_of(bytes), bytes.size(), key.data());
  return result;
}

constexpr fair::Hash sodium_hash{.sha256 = sha256, .hmac_sha256 = hmac_sha256};

}  // namespace

const fair::Hash& hash() { return sodium_hash; }

Bytes32 random_bytes() {
  be_ready();
  Bytes32 bytes;
  randombytes_buf(bytes.data(), bytes.size());
  return bytes;
}

std::string random_name(int length) {
  constexpr std::string_view letters = "0123456789abcdefghjkmnpqrstvwxyz";
  static_assert(letters.size() == 32);
  be_ready();
  std::string name;
  for (int i = 0; i < length; ++i) name += letters[randombytes_uniform(letters.size())];
  return name;
}

std::string signature(const Bytes32& key, std::string_view text) {
  constexpr int form = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  const Bytes32 code = hmac_sha256(key, text);
  std::array<char, sodium_base64_ENCODED_LEN(std::tuple_size_v<Bytes32>, form)> encoded;
  return sodium_bin2base64(encoded.data(), encoded.size(), code.data(), code.size(), form);
}

bool signature_fits(const Bytes32& key, std::string_view text, std::string_view signature_) {
  const std::string expected = signature(key, text);
  return signature_.size() == expected.size() &&
         sodium_memcmp(signature_.data(), expected.data(), expected.size()) == 0;  // in constant time
}

std::string sealed(const Bytes32& key, std::string_view text) {
  be_ready();
  std::string box(crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + text.size(), '\0');
  auto* const nonce = reinterpret_cast<unsigned char*>(box.data());
  randombytes_buf(nonce, crypto_secretbox_NONCEBYTES);
  crypto_secretbox_easy(nonce + crypto_secretbox_NONCEBYTES, bytes_of(text), text.size(), nonce, key.data());
  return box;
}

std::optional<std::string> unsealed(const Bytes32& key, std::string_view box) {
  be_ready();
  if (box.size() < crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES) return std::nullopt;
  const std::string_view nonce = box.substr(0, crypto_secretbox_NONCEBYTES);
  box.remove_prefix(nonce.size());
  std::string text(box.size() - crypto_secretbox_MACBYTES, '\0');
  if (crypto_secretbox_open_easy(reinterpret_cast<unsigned char*>(text.data()), bytes_of(box), box.size(),
                                 bytes_of(nonce), key.data()) != 0) {
    return std::nullopt;
  }
  return text;
}

Expected<std::string> password_hash(std::string_view password) {
  be_ready();
  std::array<char, crypto_pwhash_STRBYTES> hash_text;
  if (crypto_pwhash_str_alg(hash_text.data(), password.data(), password.size(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                            crypto_pwhash_MEMLIMIT_INTERACTIVE, crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return Error::of("The server has too little memory to keep a password right now; try again later.");
  }
  return std::string(hash_text.data());
}

bool password_fits(const std::string& hash, std::string_view password) {
  be_ready();
  return crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
}

}  // namespace tessera::crypto
