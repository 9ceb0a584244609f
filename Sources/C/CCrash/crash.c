// Everything from `on_crash` on runs in a signal handler, in a process whose memory may be damaged: it calls
// only what signal-safety(7) lists, takes no memory from the heap, and reads what a damaged pointer may name
// only through the kernel, which says EFAULT where we would crash again. It is C because Swift promises none
// of this.
#define _GNU_SOURCE
#include "crash.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum { MODULES = 192, FRAMES = 64, PATH = 1024 };

typedef struct {
  uintptr_t start, end, base;
  const char *name;
} module;

// What is known before anything goes wrong.
static module modules[MODULES];
static int module_count;
static char program[PATH], folder[PATH], build_id[48] = "unknown";
static const char *line_prefix = "";
static char main_stack[64 << 10];

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};

// Where a function was when it crashed, or where the one that it called would have returned to.
typedef struct {
  uintptr_t address;
  int is_exact;
} frame;

static frame frames[FRAMES];
static int frame_count;
static uintptr_t crash_address;
static int is_past_handler;
static volatile int stage;
static volatile pid_t crashed_thread;

// MARK: - Text

static char line[1024];
static size_t line_length;

static void put(const char *text, size_t length) {
  for (size_t i = 0; i < length && line_length < sizeof line - 1; i++) line[line_length++] = text[i];
}
static void say(const char *text) { put(text, strlen(text)); }

static void say_number(uintptr_t value, unsigned radix) {
  char digits[24];
  size_t at = sizeof digits;
  do {
    digits[--at] = "0123456789abcdef"[value % radix];
    value /= radix;
  } while (value);
  put(digits + at, sizeof digits - at);
}

static void begin_line(void) {
  line_length = 0;
  say(line_prefix);
}

static void end_line(void) {
  line[line_length++] = '\n';
  for (size_t at = 0; at < line_length;) {
    ssize_t written = write(STDERR_FILENO, line + at, line_length - at);
    if (written <= 0) return;
    at += (size_t)written;
  }
}

// MARK: - The stack

static int probe[2] = {-1, -1};

// A copy of that memory, or 0 where it may not be read.
static int copy(uintptr_t from, void *to, size_t size) {
  ssize_t written = write(probe[1], (const void *)from, size);
  return written > 0 && read(probe[0], to, (size_t)written) == (ssize_t)size;
}

static void keep(uintptr_t address, int is_exact) {
  if (address && frame_count < FRAMES) frames[frame_count++] = (frame){address, is_exact};
}

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *context, void *unused) {
  (void)unused;
  uintptr_t address = _Unwind_GetIP(context);
  if (!is_past_handler) {
    if (address != crash_address) return _URC_NO_REASON;
    is_past_handler = 1;
    keep(address, 1);
  } else {
    keep(address, 0);
  }
  return frame_count == FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static _Unwind_Reason_Code on_any_frame(struct _Unwind_Context *context, void *unused) {
  (void)context, (void)unused;
  return _URC_NO_REASON;
}

// For where the tables lead nowhere, as after a jump to nothing: along the frame pointers.
static void walk(uintptr_t at) {
  uintptr_t pair[2];
  while (frame_count < FRAMES && at && copy(at, pair, sizeof pair)) {
    keep(pair[1], 0);
    if (pair[0] <= at) return;
    at = pair[0];
  }
}

static void collect(const ucontext_t *context) {
#if defined(__x86_64__)
  uintptr_t stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
  uintptr_t pointer = (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
  crash_address = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
  uintptr_t stack = 0;
  uintptr_t pointer = (uintptr_t)context->uc_mcontext.regs[29];
  crash_address = (uintptr_t)context->uc_mcontext.pc;
#endif
  _Unwind_Backtrace(on_frame, NULL);
  if (frame_count <= 1) {
    uintptr_t caller;
    frame_count = 0;
    keep(crash_address, 1);
    if (crash_address < 4096 && stack && copy(stack, &caller, sizeof caller)) keep(caller, 0);
    walk(pointer);
  }
}

// MARK: - Names

// The file that scripts/symbols made of this program: the build id, then `ADDRESS NAME` a line, by address.
static const char *symbols;
static size_t symbols_size;

static void open_symbols_at(const char *between) {
  if (symbols) return;
  char path[PATH * 2 + 64];
  size_t length = 0;
  const char *parts[] = {folder, between, program, ".symbols"};
  for (int i = 0; i < 4; i++) {
    size_t size = strlen(parts[i]);
    memcpy(path + length, parts[i], size);
    length += size;
  }
  path[length] = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  struct stat status;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    size_t id = strlen(build_id);
    // One of another build would give wrong names.
    if (bytes != MAP_FAILED && (size_t)status.st_size > id && memcmp(bytes, build_id, id) == 0) {
      symbols = bytes;
      symbols_size = (size_t)status.st_size;
    }
  }
  close(file);
}

static int is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

static uintptr_t hex(const char *text, const char *end, const char **after) {
  uintptr_t value = 0;
  for (; text < end && is_hex(*text); text++) {
    value = value << 4 | (uintptr_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
  }
  *after = text;
  return value;
}

// The name of the last function that begins at or before an address.
static void say_function(uintptr_t address) {
  if (!symbols) return;
  const char *end = symbols + symbols_size;
  const char *low = memchr(symbols, '\n', symbols_size);
  if (!low) return;
  const char *high = end, *found = NULL;
  low++;
  while (low < high) {
    const char *middle = low + (high - low) / 2;
    while (middle > low && middle[-1] != '\n') middle--;
    const char *after, *next = memchr(middle, '\n', (size_t)(end - middle));
    next = next ? next + 1 : end;
    if (hex(middle, end, &after) <= address) {
      found = middle;
      low = next;
    } else {
      high = middle;
    }
  }
  if (!found) return;
  const char *name, *stop = memchr(found, '\n', (size_t)(end - found));
  uintptr_t start = hex(found, end, &name);
  if (!stop || name >= stop) return;
  put(name + 1, (size_t)(stop - name - 1));
  say(" + ");
  say_number(address - start, 10);
  say(" in ");
}

static void report_frame(int number) {
  uintptr_t address = frames[number].address;
  // What a call returns to may already belong to the next function.
  uintptr_t within = frames[number].is_exact ? address : address - 1;
  begin_line();
  say("  ");
  say_number((uintptr_t)number, 10);
  say(" ");
  for (int i = 0; i < module_count; i++) {
    if (within < modules[i].start || within >= modules[i].end) continue;
    if (i == 0) say_function(within - modules[i].base);
    say(modules[i].name);
    say("+0x");
    say_number(within - modules[i].base, 16);
    end_line();
    return;
  }
  say("unknown");
  end_line();
}

static const char *meaning(int number) {
  switch (number) {
  case SIGSEGV: return "SIGSEGV, memory that it may not use";
  case SIGBUS: return "SIGBUS, memory that is not there";
  case SIGILL: return "SIGILL, a check in the program failed";
  case SIGTRAP: return "SIGTRAP, a check in the program failed";
  case SIGFPE: return "SIGFPE, a calculation without a result";
  default: return "SIGABRT, aborted";
  }
}

static void report(int number) {
  char thread[17] = "";
  prctl(PR_GET_NAME, thread);
  begin_line();
  say(program);
  say(" crashed: ");
  say(meaning(number));
  say(" (thread ");
  say(thread);
  say(", build ");
  say(build_id);
  say(")");
  end_line();
  open_symbols_at("");
  open_symbols_at("../libexec/carrel/");
  for (int i = 0; i < frame_count; i++) report_frame(i);
}

// MARK: - The handler

static void on_crash(int number, siginfo_t *info, void *context) {
  (void)info;
  pid_t thread = (pid_t)syscall(SYS_gettid);
  pid_t first = __sync_val_compare_and_swap(&crashed_thread, 0, thread);
  if (first && first != thread) {
    // Another thread is reporting, and the process ends with it.
    while (1) pause();
  }
  // A crash in here comes back here, and goes on with what there is.
  if (stage == 0) {
    stage = 1;
    // A pipe holds what is written before it is read; nothing here may wait.
    if (pipe2(probe, O_CLOEXEC | O_NONBLOCK) == 0) collect(context);
  }
  if (stage == 1) {
    stage = 2;
    report(number);
  }
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  sigprocmask(SIG_UNBLOCK, &only, NULL);
  syscall(SYS_tgkill, getpid(), thread, number);
  _exit(128 + number);
}

// MARK: - Before anything goes wrong

static void note_build_id(const struct dl_phdr_info *info, const ElfW(Phdr) * header) {
  const char *at = (const char *)(info->dlpi_addr + header->p_vaddr), *end = at + header->p_memsz;
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    const ElfW(Nhdr) *note = (const void *)at;
    const char *name = at + sizeof *note;
    const unsigned char *bytes = (const unsigned char *)name + ((note->n_namesz + 3) & ~3u);
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
      size_t count = note->n_descsz < 20 ? note->n_descsz : 20;
      for (size_t i = 0; i < count; i++) {
        build_id[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        build_id[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
      }
      build_id[2 * count] = 0;
      return;
    }
    at = (const char *)bytes + ((note->n_descsz + 3) & ~3u);
  }
}

static int on_module(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  if (module_count == MODULES) return 1;
  int is_program = module_count == 0;
  uintptr_t start = UINTPTR_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (is_program && header->p_type == PT_NOTE) note_build_id(info, header);
    if (header->p_type != PT_LOAD) continue;
    uintptr_t from = info->dlpi_addr + header->p_vaddr, to = from + header->p_memsz;
    if (from < start) start = from;
    if (to > end) end = to;
  }
  const char *slash = strrchr(info->dlpi_name, '/');
  const char *name = is_program ? program : slash ? slash + 1 : info->dlpi_name;
  modules[module_count++] = (module){start, end, info->dlpi_addr, name};
  return 0;
}

// The journal wants a priority before each line; the variable is inherited by programs with other outputs.
static int is_journal(void) {
  struct stat status;
  const char *stream = getenv("JOURNAL_STREAM");
  char *colon = NULL;
  return stream && fstat(STDERR_FILENO, &status) == 0 && strtoull(stream, &colon, 10) == status.st_dev &&
         *colon == ':' && strtoull(colon + 1, NULL, 10) == status.st_ino;
}

void carrel_report_crashes(void) {
#if defined(__has_feature) && (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
  // A sanitizer writes a better report, which names what the memory was.
  return;
#endif
  if (is_journal()) line_prefix = "<2>";
  ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
  char *slash = length > 0 ? (folder[length] = 0, strrchr(folder, '/')) : NULL;
  if (slash) {
    strcpy(program, slash + 1);
    slash[1] = 0;
  } else {
    strcpy(program, "carrel");
    folder[0] = 0;
  }
  dl_iterate_phdr(on_module, NULL);
  // The first time it may load what it needs.
  _Unwind_Backtrace(on_any_frame, NULL);
  stack_t stack = {.ss_sp = main_stack, .ss_size = sizeof main_stack};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = on_crash};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++) {
    sigaction(crash_signals[i], &action, NULL);
  }
}
