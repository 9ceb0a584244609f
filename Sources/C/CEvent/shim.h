#pragma once
// First, so that libevent's own feature macros cannot change what the system's headers declare:
// Swift has already read them without.
#include <sys/types.h>
#include <sys/time.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>

// Declared by the system only under the same macros. One call instead of accept and two of fcntl.
extern int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);

static inline int accept_nonblocking(
  int socket, struct sockaddr *address, socklen_t *length) {
  return accept4(socket, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int eventfd_nonblocking(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

#include <sys/syscall.h>
#include <unistd.h>

// A file that lives in memory only; Glibc hides the function from Swift. 1 is MFD_CLOEXEC.
static inline int carrel_memory_file(void) {
  return (int)syscall(SYS_memfd_create, "carrel-page", 1U);
}
