/* A library for LD_PRELOAD that lets the n-th call of one kind fail, or ends the process there.
 *
 *   FAULT_CALL    open, read (at a place of a file), write, fsync, rename, unlink, truncate or malloc
 *   FAULT_AT      the number of the call that fails, from 1 on; 0: none
 *   FAULT_UNDER   calls count only on files below this folder (malloc: all of them)
 *   FAULT_LOG     a file: each call of every kind is a line of it, and the failing one is marked by a '!'
 *   FAULT_KILL    if it is set, the process ends there by SIGKILL: before the call, or (a write) after half of it
 *
 * What the process starts runs without it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *wanted, *under;
static long at = -1, counted;
static int log_file = -1, ending;

__attribute__((constructor)) static void begin(void) {
  const char* text = getenv("FAULT_AT");
  wanted = getenv("FAULT_CALL");
  under = getenv("FAULT_UNDER");
  ending = getenv("FAULT_KILL") != NULL;
  if (getenv("FAULT_LOG") != NULL)
    log_file = (int)syscall(SYS_openat, AT_FDCWD, getenv("FAULT_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  at = text == NULL ? -1 : atol(text);
  unsetenv("LD_PRELOAD"); /* gnuplot's calls are not ours */
}

static void say(const char* call, const char* name, int fails) {
  char line[PATH_MAX + 64];
  const int size = snprintf(line, sizeof line, "%s%s %s\n", fails ? "!" : "", call, name);
  if (log_file >= 0 && size > 0) syscall(SYS_write, log_file, line, (size_t)size);
}

/* Whether this call is the one. */
static int fails_here(const char* call, const char* name) {
  int fails;
  if (at < 0 || wanted == NULL) return 0;
  if (strcmp(call, wanted) != 0) {
    say(call, name, 0);
    return 0;
  }
  fails = __atomic_add_fetch(&counted, 1, __ATOMIC_SEQ_CST) == at;
  if (fails || strcmp(call, "malloc") != 0) say(call, name, fails);
  return fails;
}

static int is_under(const char* name) {
  char full[PATH_MAX];
  if (under == NULL || name == NULL) return 0;
  if (name[0] != '/') {
    if (getcwd(full, sizeof full) == NULL) return 0;
    return strncmp(full, under, strlen(under)) == 0;
  }
  return strncmp(name, under, strlen(under)) == 0;
}

static int fails_for(const char* call, const char* name) { return is_under(name) && fails_here(call, name); }

static int fails_for_descriptor(const char* call, int descriptor) {
  char link[64], name[PATH_MAX];
  ssize_t size;
  if (at < 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  size = readlink(link, name, sizeof name - 1);
  if (size < 0) return 0;
  name[size] = 0;
  return fails_for(call, name);
}

static void end(void) {
  if (ending) kill(getpid(), SIGKILL);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int mode_of(int flags, va_list list) { return (flags & O_CREAT) != 0 ? va_arg(list, int) : 0; }

#define OPEN(name)                                              \
  int name(const char* path, int flags, ...) {                  \
    va_list list;                                               \
    int mode;                                                   \
    va_start(list, flags);                                      \
    mode = mode_of(flags, list);                                \
    va_end(list);                                               \
    if ((flags & (O_WRONLY | O_RDWR)) && fails_for("open", path)) { \
      end();                                                    \
      errno = EMFILE;                                           \
      return -1;                                                \
    }                                                           \
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define PART_WRITTEN(call)                        \
  if (fails_for_descriptor("write", descriptor)) { \
    if (ending) {                                 \
      size /= 2;                                  \
      (void)!(call);                              \
      end();                                      \
    }                                             \
    errno = ENOSPC;                               \
    return -1;                                    \
  }                                               \
  return call;

ssize_t write(int descriptor, const void* bytes, size_t size) {
  PART_WRITTEN((ssize_t)syscall(SYS_write, descriptor, bytes, size))
}
ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t place) {
  PART_WRITTEN((ssize_t)syscall(SYS_pwrite64, descriptor, bytes, size, place))
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off_t place) {
  PART_WRITTEN((ssize_t)syscall(SYS_pwrite64, descriptor, bytes, size, place))
}

#define READ(name)                                                        \
  ssize_t name(int descriptor, void* bytes, size_t size, off_t place) {   \
    if (fails_for_descriptor("read", descriptor)) {                       \
      end();                                                              \
      errno = EIO;                                                        \
      return -1;                                                          \
    }                                                                     \
    return (ssize_t)syscall(SYS_pread64, descriptor, bytes, size, place); \
  }
READ(pread)
READ(pread64)

int fsync(int descriptor) {
  if (fails_for_descriptor("fsync", descriptor)) {
    end();
    errno = EIO;
    return -1;
  }
  return (int)syscall(SYS_fsync, descriptor);
}

int rename(const char* from, const char* to) {
  if (fails_for("rename", to)) {
    end();
    errno = EIO;
    return -1;
  }
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char* name) {
  if (fails_for("unlink", name)) {
    end();
    errno = EIO;
    return -1;
  }
  return (int)syscall(SYS_unlinkat, AT_FDCWD, name, 0);
}

#define TRUNCATE(name)                                 \
  int name(int descriptor, off_t size) {               \
    if (fails_for_descriptor("truncate", descriptor)) { \
      end();                                           \
      errno = EIO;                                     \
      return -1;                                       \
    }                                                  \
    return (int)syscall(SYS_ftruncate, descriptor, size); \
  }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);

static int memory_fails(void) {
  if (at < 0 || wanted == NULL || wanted[0] != 'm' || !fails_here("malloc", "")) return 0;
  end();
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return memory_fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return memory_fails() ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return memory_fails() ? NULL : __libc_realloc(old, size); }

__attribute__((destructor)) static void finish(void) {
  char line[64];
  const int size = snprintf(line, sizeof line, "count %ld\n", counted);
  if (log_file >= 0) syscall(SYS_write, log_file, line, (size_t)size);
}
