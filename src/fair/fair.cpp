#include "fair/fair.hpp"
