#pragma once
#include "builtin.h"

// #embed came with C23, and this clang takes it in older C too.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define CARREL_BUILDS_IN(name) \
  const unsigned char *carrel_##name(void) { return bytes; } \
  size_t carrel_##name##_size(void) { return sizeof bytes; }
