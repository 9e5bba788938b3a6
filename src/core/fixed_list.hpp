#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <type_traits>

namespace tessera {

/// A list with room for `Capacity` small values inside itself: no allocation, and no clearing of unused room.
template <class T, std::size_t Capacity>
  requires std::is_trivially_copyable_v<T>
class FixedList {
 public:
  FixedList() {}  // NOLINT(*-member-init): the room is written before it is read

  void push_back(T value) {
    assert(size_ < Capacity);
    items_[size_++] = value;
  }
  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  static constexpr std::size_t capacity() { return Capacity; }

  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }

  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }

  /// For writers that fill many places at once: write from `end()` on, then say how many were written.
  void grow(std::size_t written) {
    size_ += written;
    assert(size_ <= Capacity);
  }

  template <class Predicate>
  void erase_if(Predicate&& unwanted) {
    size_ = static_cast<std::size_t>(std::remove_if(begin(), end(), unwanted) - begin());
  }

  friend bool operator==(const FixedList& a, const FixedList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::size_t size_ = 0;
  T items_[Capacity];
};

}  // namespace tessera
