#include "match/match.hpp"
#include "match/view.hpp"
