#include "crypto/crypto.hpp"
