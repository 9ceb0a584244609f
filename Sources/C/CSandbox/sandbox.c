// Each part stands for itself: where the kernel lacks Landlock or seccomp, or a container forbids them, the
// limits remain, and no open file may be added to the three streams. It is C because the filter is a table of
// the kernel's own macros.
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// MARK: - Landlock (linux/landlock.h of later kernels, which Debian 12's headers do not have)

enum { CREATE_RULESET = 444, RESTRICT_SELF = 446, RULESET_VERSION = 1 };

typedef struct {
  uint64_t files, network, scoped;
} ruleset;

// With no rule that allows anything. Returns the ABI, or 0.
static int refuse_files(void) {
  long abi = syscall(CREATE_RULESET, NULL, 0, RULESET_VERSION);
  if (abi < 1) return 0;
  ruleset all = {.files = (1ULL << 13) - 1};
  if (abi >= 2) all.files |= 1ULL << 13;      // linking and renaming between folders
  if (abi >= 3) all.files |= 1ULL << 14;      // truncating
  if (abi >= 5) all.files |= 1ULL << 15;      // ioctl on devices
  if (abi >= 4) all.network = 3;              // binding and connecting TCP
  if (abi >= 6) all.scoped = 3;               // abstract sockets and signals
  size_t size = abi >= 6 ? sizeof all : abi >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
  int rules = (int)syscall(CREATE_RULESET, &all, size, 0);
  if (rules < 0) return 0;
  long failed = syscall(RESTRICT_SELF, rules, 0);
  close(rules);
  return failed ? 0 : (int)abi;
}

// MARK: - seccomp

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSE SECCOMP_RET_ERRNO | EPERM
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), ANSWER(SECCOMP_RET_ALLOW)
// Memory, but none that could be run: the third argument is what may be done with it.
#define ALLOW_UNLESS_RUN(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD(args[2]), \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), ANSWER(REFUSE), ANSWER(SECCOMP_RET_ALLOW)

static int refuse_calls(void) {
#ifdef OWN_ARCHITECTURE
  struct sock_filter steps[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    ALLOW(read), ALLOW(readv), ALLOW(write), ALLOW(writev), ALLOW(close), ALLOW(lseek),
    ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(futex), ALLOW(getrandom),
    ALLOW(rt_sigreturn), ALLOW(rt_sigprocmask), ALLOW(rt_sigaction), ALLOW(sigaltstack),
    ALLOW(clock_gettime), ALLOW(gettimeofday), ALLOW(getpid), ALLOW(gettid), ALLOW(sched_yield),
    ALLOW(restart_syscall), ALLOW(exit), ALLOW(exit_group),
    ALLOW_UNLESS_RUN(mmap),
    // The accumulator is the argument now where the last step looked at it, and no other call comes here then.
    ALLOW_UNLESS_RUN(mprotect),
    ANSWER(REFUSE),
  };
  struct sock_fprog program = {.len = sizeof steps / sizeof steps[0], .filter = steps};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
  return 0;
#endif
}

// MARK: - Entering

static int limit(int what, uint64_t most) {
  struct rlimit now, wanted = {.rlim_cur = most, .rlim_max = most};
  if (getrlimit(what, &now)) return errno;
  if (now.rlim_max < most) wanted = (struct rlimit){.rlim_cur = now.rlim_max, .rlim_max = now.rlim_max};
  return setrlimit(what, &wanted) ? errno : 0;
}

// Where memory runs out, this process is to go and not the one that started it.
static void go_first(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, "1000", 4) < 0) errno = 0;
  close(file);
}

// A sanitizer takes terabytes of addresses for its notes.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_NOTES 1
#endif
#endif

int carrel_sandbox_enter(carrel_sandbox_limits limits, carrel_sandbox_report *report) {
  go_first();
#ifdef SYS_close_range
  syscall(SYS_close_range, 3U, ~0U, 0U);
#endif
  if (chdir("/")) return errno;
  struct itimerval alarm = {.it_value = {.tv_sec = limits.seconds}};
  int failed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? errno : 0;
  if (!failed) failed = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ? errno : 0;
  if (!failed) failed = setitimer(ITIMER_REAL, &alarm, NULL) ? errno : 0;
  if (!failed) failed = limit(RLIMIT_CORE, 0);
  if (!failed) failed = limit(RLIMIT_CPU, limits.seconds);
#ifndef HAS_NOTES
  if (!failed) failed = limit(RLIMIT_DATA, limits.memory);
  if (!failed) failed = limit(RLIMIT_AS, limits.address_space);
#endif
  if (!failed) failed = limit(RLIMIT_NPROC, 0);
  if (failed) return failed;
  // Needs a descriptor itself, so before none can be had.
  report->landlock = refuse_files();
  failed = limit(RLIMIT_NOFILE, 0);
  if (failed) return failed;
  report->seccomp = refuse_calls();
  return 0;
}

// MARK: - Trying

extern char **environ;

int carrel_sandbox_escapes(void) {
  int found = 0;
  if (open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0) found |= CARREL_SANDBOX_READS_FILE;
  if (open("/tmp", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) >= 0) found |= CARREL_SANDBOX_WRITES_FILE;
  for (int family = AF_UNIX; family <= AF_INET6; family += family == AF_UNIX ? AF_INET - AF_UNIX : AF_INET6 - AF_INET)
    if (socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0) found |= CARREL_SANDBOX_OPENS_SOCKET;
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) found |= CARREL_SANDBOX_STARTS_PROCESS;
  if (kill(getppid(), 0) == 0) found |= CARREL_SANDBOX_SIGNALS_PARENT;
  // As much as three of the largest pictures.
  if (mmap(NULL, 2ULL << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    found |= CARREL_SANDBOX_TAKES_MEMORY;
  struct rlimit core;
  if (prctl(PR_GET_DUMPABLE) > 0 || (getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_max > 0))
    found |= CARREL_SANDBOX_DUMPS_CORE;
  for (int number = 3; number < 256; number++)
    if (lseek(number, 0, SEEK_CUR) >= 0 || errno != EBADF) found |= CARREL_SANDBOX_HAS_DESCRIPTORS;
  if (environ && environ[0]) found |= CARREL_SANDBOX_HAS_ENVIRONMENT;
  return found;
}
