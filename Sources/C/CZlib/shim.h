#pragma once
#include <zlib.h>

// The openers are macros that pass the header's version and the structure's size.
static inline int deflate_open(z_stream *stream, int level, int window_bits) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

static inline int inflate_open(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
