#pragma once
#include <stddef.h>

// Where a file that is built in begins, and how long it is.
#define CARREL_BUILT_IN(name) \
  const unsigned char *_Nonnull carrel_##name(void); \
  size_t carrel_##name##_size(void);

CARREL_BUILT_IN(phrases_de)
CARREL_BUILT_IN(phrases_es)
CARREL_BUILT_IN(genres)
CARREL_BUILT_IN(reader_script)
CARREL_BUILT_IN(reader_style)
CARREL_BUILT_IN(page_style)
CARREL_BUILT_IN(like_style)
CARREL_BUILT_IN(icon_180)
CARREL_BUILT_IN(icon_192)
CARREL_BUILT_IN(icon_512)
