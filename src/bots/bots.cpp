#include "bots/bots.hpp"
