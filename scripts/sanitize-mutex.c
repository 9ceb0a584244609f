// For ThreadSanitizer only: tells it of the locks that it cannot see. Where threads wait for one another, Swift's
// Mutex is locked by its own library, which is not instrumented; without this each hand-over between threads that
// contend for a Mutex is reported as a race. These functions stand in front of that library's functions of the
// same names. `self`, the address of the lock, is in r13, and the argument of the first in edi.
#define _GNU_SOURCE
#include <dlfcn.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void *carrel_lock_slow, *carrel_unlock_slow;

__attribute__((constructor)) static void find(void) {
  carrel_lock_slow = dlsym(RTLD_NEXT, LOCK);
  carrel_unlock_slow = dlsym(RTLD_NEXT, UNLOCK);
}

void lock_slow(void) asm(LOCK);
__attribute__((naked)) void lock_slow(void) {
  asm("push %r13\n"
      "call *carrel_lock_slow(%rip)\n"
      "pop %rdi\n"
      "jmp __tsan_acquire@PLT");
}

void unlock_slow(void) asm(UNLOCK);
__attribute__((naked)) void unlock_slow(void) {
  asm("push %r13\n"
      "mov %r13, %rdi\n"
      "call __tsan_release@PLT\n"
      "pop %r13\n"
      "jmp *carrel_unlock_slow(%rip)");
}
