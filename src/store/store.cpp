#include "store/committer.hpp"
