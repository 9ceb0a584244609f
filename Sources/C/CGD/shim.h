#pragma once
#include <gd.h>

// gd writes its complaints to the standard error, which belongs to the program.
static inline void carrel_gd_silence(int priority, const char *format, va_list arguments) {
  (void)priority;
  (void)format;
  (void)arguments;
}

static inline void carrel_gd_be_quiet(void) { gdSetErrorMethod(carrel_gd_silence); }
