#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "arena/contest.hpp"

namespace tessera {

/// A file of finished blocks, so that contests can be interrupted: a line names the contest, and each line after it is
/// a block. Contests may alternate; what was cut off in the middle of a line is played again.
class Journal {
 public:
  /// Makes the file when there is none.
  static Expected<Journal> open(const std::string& path);

  std::vector<Block> blocks(const Contest& contest) const;  ///< those that were in the file

  void begin(const Contest& contest);  ///< the blocks that follow are of this contest
  /// On the disk when it returns. The Error says that it could not be written.
  std::optional<Error> add(const Block& block);

 private:
  explicit Journal(std::string path) : path_(std::move(path)) {}
  std::optional<Error> read_line(const std::string& line, std::string& contest);

  std::string path_;
  std::map<std::string, std::vector<Block>> found_;  ///< by the line that names the contest
  std::ofstream file_;
};

}  // namespace tessera
