#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace tessera {

/// What went wrong, as a sentence for the person who can do something about it.
struct Error {
  std::string sentence;

  friend bool operator==(const Error&, const Error&) = default;
};

/// A value, or the Error that stands in its place.
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }

  T& operator*() {
    assert(*this);
    return *std::get_if<0>(&content_);
  }
  const T& operator*() const {
    assert(*this);
    return *std::get_if<0>(&content_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

  const Error& error() const {
    assert(!*this);
    return *std::get_if<1>(&content_);
  }

 private:
  std::variant<T, Error> content_;
};

}  // namespace tessera
