#pragma once
// First, because libunistring's own headers rename the types that these are declared with.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <unigbrk.h>
#include <unilbrk.h>
#include <uninorm.h>
#include <unistr.h>
#include <uniwbrk.h>
#include <uniwidth.h>

// The forms are structures whose insides are hidden, which Swift cannot take the address of.
static inline uninorm_t carrel_nfkd(void) { return UNINORM_NFKD; }
static inline uninorm_t carrel_nfkc(void) { return UNINORM_NFKC; }

// Newer rules under a newer name, which the header hides behind a macro that Swift does not see.
static inline void carrel_line_breaks(const uint8_t *text, size_t count, char *breaks) {
  u8_possible_linebreaks_v2(text, count, "UTF-8", breaks);
}

// Declared by glibc only to those who ask for all of GNU. Returns the place, or -1.
void *memmem(const void *, size_t, const void *, size_t);
static inline long carrel_first(
  const uint8_t *text, size_t count, const uint8_t *wanted, size_t length) {
  const uint8_t *found = memmem(text, count, wanted, length);
  return found == NULL ? -1 : found - text;
}
