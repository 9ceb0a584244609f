#pragma once
#include <libpq-fe.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

// A bell that `poll` can hear beside libpq's socket: the C library's module does not offer one.

static inline int carrel_bell_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void carrel_bell_ring(int bell) { (void)eventfd_write(bell, 1); }

static inline void carrel_bell_silence(int bell) {
  eventfd_t rings;
  (void)eventfd_read(bell, &rings);
}
