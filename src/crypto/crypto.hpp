#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/expected.hpp"
#include "fair/fair.hpp"

/// libsodium, behind the few functions that Tessera asks for. Every function may be called first and from any thread.
namespace tessera::crypto {

/// The hash that fair dice are made with.
const fair::Hash& hash();

fair::Bytes32 random_bytes();
/// A random name of `length` characters from 32 (digits and lower-case letters without i, l, o, u): five bits each.
std::string random_name(int length);

/// Signs `text` with `key`: a text of 43 URL-safe characters, the same for the same input.
std::string signature(const fair::Bytes32& key, std::string_view text);
bool signature_fits(const fair::Bytes32& key, std::string_view text, std::string_view signature);

/// Nobody without `key` can read what is sealed, or seal something else in its place.
std::string sealed(const fair::Bytes32& key, std::string_view text);
std::optional<std::string> unsealed(const fair::Bytes32& key, std::string_view sealed);

/// Argon2id, about 0.4 s and 64 MB: never on an I/O thread. The hash carries its own salt and parameters.
Expected<std::string> password_hash(std::string_view password);
bool password_fits(const std::string& hash, std::string_view password);

}  // namespace tessera::crypto
