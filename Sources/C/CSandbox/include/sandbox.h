#pragma once
#include <stdint.h>

// What a process may still use after carrel_sandbox_enter.
typedef struct {
  uint64_t memory;        // bytes of data
  uint64_t address_space; // bytes, with the libraries that are mapped
  uint32_t seconds;       // of processor time, and of real time
} carrel_sandbox_limits;

// What the kernel granted. Limits and NO_NEW_PRIVS are always set, or entering fails.
typedef struct {
  int landlock; // its ABI; 0 where the kernel has none
  int seccomp;  // 1 where the filter stands
} carrel_sandbox_report;

// Gives up what reading bytes into memory and writing bytes out does not need: files, network, other
// programs, other processes, more than its share of memory and time. Descriptors from 3 on are closed. For a
// process with one thread, before it reads what it was sent. 0, or the errno of a limit that cannot be set.
int carrel_sandbox_enter(carrel_sandbox_limits limits, carrel_sandbox_report *report);

// What a process in the sandbox can still do: one bit for each try that was not refused, and 0 where all were.
typedef enum {
  CARREL_SANDBOX_READS_FILE = 1,
  CARREL_SANDBOX_WRITES_FILE = 2,
  CARREL_SANDBOX_OPENS_SOCKET = 4,
  CARREL_SANDBOX_STARTS_PROCESS = 8,
  CARREL_SANDBOX_SIGNALS_PARENT = 16,
  CARREL_SANDBOX_TAKES_MEMORY = 32,
  CARREL_SANDBOX_DUMPS_CORE = 64,
  CARREL_SANDBOX_HAS_DESCRIPTORS = 128,
  CARREL_SANDBOX_HAS_ENVIRONMENT = 256,
} carrel_sandbox_try;
int carrel_sandbox_escapes(void);
