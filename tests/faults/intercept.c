/* Preloaded into a process: counts the calls that change files under a root directory, or that ask the system for memory
 * maps, processes and threads; records them; and at a chosen one kills the process or lets the call fail. Clocks stand
 * still, so that what is written does not depend on them.
 *
 * Written for glibc. Calls that the C library makes itself (malloc's, stdio's) do not come by here. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { NONE, KILL_BEFORE, KILL_HALFWAY, KILL_AFTER, FAIL_ONCE, FAIL_FROM_HERE };

static char root[PATH_MAX];
static size_t root_length;
static long count, at;
static int how, error_number, record = -1;
static int pid;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static struct timespec stopped_clock;

/* Called by the driver in the process to disturb: from now on calls count. */
void faults_arm(const char* directory, long call, int what, int error, const char* log) {
  snprintf(root, sizeof root, "%s", directory);
  root_length = strlen(root);
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &stopped_clock);
  count = 0, at = call, how = what, error_number = error, pid = getpid();
  if (log) {
    int handle = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    record = fcntl(handle, F_DUPFD_CLOEXEC, 700);
    syscall(SYS_close, handle);
  }
}

long faults_count(void) { return count; }

static int inside(const char* path) {
  return root_length && !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

/* The absolute path of a name, whose last part need not exist. */
static void absolute(int directory, const char* name, char* path) {
  char folder[PATH_MAX] = "";
  path[0] = 0;
  if (name[0] != '/') {
    char link[64];
    if (directory == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t n = readlink(link, folder, sizeof folder - 2);
    folder[n > 0 ? n : 0] = 0;
    strcat(folder, "/");
  }
  if (strlen(folder) + strlen(name) < PATH_MAX) strcpy(path, folder), strcat(path, name);
}

static void path_of_handle(int handle, char* path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
  ssize_t n = readlink(link, path, PATH_MAX - 1);
  path[n > 0 ? n : 0] = 0;
}

static void put(const void* bytes, size_t size) {
  for (const char* p = bytes; size;) {
    ssize_t n = syscall(SYS_write, record, p, size);
    if (n <= 0) return;
    p += n, size -= (size_t)n;
  }
}

/* A line of the record: number, kind, inode, offset, size, two paths; then `size` bytes of content. */
static void note(const char* kind, unsigned long inode, long offset, const void* bytes, size_t size, const char* first,
                 const char* second) {
  if (record < 0) return;
  char line[2 * PATH_MAX + 200];
  int n = snprintf(line, sizeof line, "%ld\t%s\t%lu\t%ld\t%zu\t%s\t%s\n", count, kind, inode, offset, size, first, second);
  put(line, (size_t)n);
  if (bytes) put(bytes, size);
}

/* Whether the next call is the one to disturb. Writing kinds keep failing after FAIL_FROM_HERE. */
static int counted(int writing) {
  if (!root_length || getpid() != pid) return NONE;
  ++count;
  if (count == at) {
    if (how == KILL_BEFORE) kill(pid, SIGKILL), pause();
    return how;
  }
  return how == FAIL_FROM_HERE && at && count > at && writing ? FAIL_ONCE : NONE;
}

static int fails(int what) {
  if (what != FAIL_ONCE && what != FAIL_FROM_HERE) return 0;
  errno = error_number;
  return 1;
}

static void done(int what) {
  if (what == KILL_HALFWAY || what == KILL_AFTER) kill(pid, SIGKILL), pause();
}

static unsigned long inode_of(int handle) {
  struct stat status;
  return fstat(handle, &status) ? 0 : status.st_ino;
}

static int watched(int handle, char* path) {
  struct stat status;
  if (!root_length || fstat(handle, &status) || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) return 0;
  path_of_handle(handle, path);
  return inside(path);
}

/* Opening: counts if it may create or empty a file. */
static int opened(int directory, const char* name, int flags, mode_t mode) {
  char path[PATH_MAX];
  if (!(flags & (O_CREAT | O_TRUNC)) && (flags & O_TMPFILE) != O_TMPFILE)
    return (int)syscall(SYS_openat, directory, name, flags, mode);
  absolute(directory, name, path);
  if (!inside(path)) return (int)syscall(SYS_openat, directory, name, flags, mode);
  pthread_mutex_lock(&lock);
  int handle = -1, what = counted(1), unnamed = (flags & O_TMPFILE) == O_TMPFILE;
  int is_new = unnamed || syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0;
  if (!fails(what)) {
    handle = (int)syscall(SYS_openat, directory, name, flags, mode);
    int error = errno;
    if (handle >= 0 && (is_new || flags & O_TRUNC))
      note(is_new ? (unnamed ? "unnamed" : "create") : "empty", inode_of(handle), 0, NULL, 0, path, "");
    done(what);
    errno = error;
  }
  pthread_mutex_unlock(&lock);
  return handle;
}

#define MODE(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }
int open(const char* name, int flags, ...) { MODE(flags) return opened(AT_FDCWD, name, flags, mode); }
int open64(const char* name, int flags, ...) { MODE(flags) return opened(AT_FDCWD, name, flags, mode); }
int openat(int at_, const char* name, int flags, ...) { MODE(flags) return opened(at_, name, flags, mode); }
int openat64(int at_, const char* name, int flags, ...) { MODE(flags) return opened(at_, name, flags, mode); }

static int named(char* name, int flags) {  /* mkstemp and its like */
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  char* end = name + strlen(name) - 6;
  for (int round = 0; round < 1000; ++round) {
    unsigned long seed;
    syscall(SYS_getrandom, &seed, sizeof seed, 0);
    for (int i = 0; i < 6; ++i, seed /= 36) end[i] = letters[seed % 36];
    int handle = opened(AT_FDCWD, name, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
    if (handle >= 0 || errno != EEXIST) return handle;
  }
  return -1;
}
int mkstemp(char* name) { return named(name, 0); }
int mkstemp64(char* name) { return named(name, 0); }
int mkostemp(char* name, int flags) { return named(name, flags); }
int mkostemp64(char* name, int flags) { return named(name, flags); }

/* Writing: `offset` < 0 where the handle's own place counts. */
static ssize_t written(int handle, const struct iovec* parts, int number, off_t offset) {
  char path[PATH_MAX];
  int is_watched = watched(handle, path), what = NONE;
  if (is_watched) pthread_mutex_lock(&lock), what = counted(1);
  ssize_t result = -1;
  if (!fails(what)) {
    struct iovec half = parts[0];
    if (what == KILL_HALFWAY) half.iov_len /= 2, parts = &half, number = 1;
    result = offset < 0 ? syscall(SYS_writev, handle, parts, number)
                        : syscall(SYS_pwritev, handle, parts, number, (long)offset, 0L);
    int error = errno;
    if (is_watched && result > 0) {
      long begin = offset < 0 ? lseek(handle, 0, SEEK_CUR) - result : offset;
      ssize_t left = result;
      for (int i = 0; i < number && left > 0; ++i) {
        size_t size = parts[i].iov_len < (size_t)left ? parts[i].iov_len : (size_t)left;
        note("write", inode_of(handle), begin, parts[i].iov_base, size, path, "");
        begin += (long)size, left -= (ssize_t)size;
      }
    }
    done(what);
    errno = error;
  }
  if (is_watched) pthread_mutex_unlock(&lock);
  return result;
}
static ssize_t written_one(int handle, const void* bytes, size_t size, off_t offset) {
  struct iovec part = {(void*)bytes, size};
  return written(handle, &part, 1, offset);
}
ssize_t write(int handle, const void* bytes, size_t size) { return written_one(handle, bytes, size, -1); }
ssize_t pwrite(int handle, const void* bytes, size_t size, off_t offset) { return written_one(handle, bytes, size, offset); }
ssize_t pwrite64(int handle, const void* bytes, size_t size, off_t offset) { return written_one(handle, bytes, size, offset); }
ssize_t writev(int handle, const struct iovec* parts, int number) { return written(handle, parts, number, -1); }
ssize_t pwritev(int handle, const struct iovec* parts, int number, off_t offset) { return written(handle, parts, number, offset); }
ssize_t pwritev64(int handle, const struct iovec* parts, int number, off_t offset) { return written(handle, parts, number, offset); }

/* Copies inside the kernel are made by reading and writing. */
static ssize_t copied(int out, int in, off_t* offset, size_t size) {
  static __thread char block[1 << 16];
  size = size < sizeof block ? size : sizeof block;
  ssize_t n = offset ? pread(in, block, size, *offset) : read(in, block, size);
  if (n <= 0) return n;
  n = write(out, block, (size_t)n);
  if (n > 0 && offset) *offset += n;
  return n;
}
ssize_t sendfile(int out, int in, off_t* offset, size_t size) { return copied(out, in, offset, size); }
ssize_t sendfile64(int out, int in, off_t* offset, size_t size) { return copied(out, in, offset, size); }
ssize_t copy_file_range(int in, off_t* from, int out, off_t* to, size_t size, unsigned flags) {
  if (to) return (ssize_t)syscall(SYS_copy_file_range, in, from, out, to, size, flags);
  return copied(out, in, from, size);
}

/* Calls on a handle that move no bytes. */
#define ON_HANDLE(kind, handle, number, writing, call) \
  char path[PATH_MAX]; \
  if (!watched(handle, path)) return (int)(call); \
  pthread_mutex_lock(&lock); \
  int what = counted(writing), result = -1; \
  if (!fails(what)) { \
    result = (int)(call); \
    int error = errno; \
    if (result == 0) note(kind, inode_of(handle), number, NULL, 0, path, ""); \
    done(what); \
    errno = error; \
  } \
  pthread_mutex_unlock(&lock); \
  return result;
int fsync(int handle) { ON_HANDLE("sync", handle, 0, 1, syscall(SYS_fsync, handle)) }
int fdatasync(int handle) { ON_HANDLE("sync", handle, 0, 1, syscall(SYS_fdatasync, handle)) }
int ftruncate(int handle, off_t size) { ON_HANDLE("truncate", handle, size, 1, syscall(SYS_ftruncate, handle, size)) }
int ftruncate64(int handle, off_t size) { ON_HANDLE("truncate", handle, size, 1, syscall(SYS_ftruncate, handle, size)) }
static int reserved(int handle, off_t size) { ON_HANDLE("truncate", handle, size, 1, syscall(SYS_fallocate, handle, 0, 0, size)) }
int posix_fallocate(int handle, off_t from, off_t size) { return reserved(handle, from + size) ? errno : 0; }
int posix_fallocate64(int handle, off_t from, off_t size) { return reserved(handle, from + size) ? errno : 0; }

/* Calls on names. */
static int on_names(const char* kind, int from_at, const char* from, int to_at, const char* to, long number, int flags,
                    int writing) {
  char first[PATH_MAX], second[PATH_MAX] = "";
  absolute(from_at, from, first);
  if (to) absolute(to_at, to, second);
  int is_watched = inside(first) || (to && inside(second)), what = NONE, result = -1;
  if (is_watched) pthread_mutex_lock(&lock), what = counted(writing);
  if (!fails(what)) {
    struct stat status = {0};
    if (is_watched) lstat(first, &status);
    switch (number) {
      case SYS_renameat2:
      case SYS_linkat: result = (int)syscall(number, from_at, from, to_at, to, flags); break;
      default: result = (int)syscall(number, from_at, from, flags);
    }
    int error = errno;
    if (is_watched && result == 0) {
      if (number == SYS_mkdirat) lstat(first, &status);
      note(kind, status.st_ino, 0, NULL, 0, first, second);
    }
    done(what);
    errno = error;
  }
  if (is_watched) pthread_mutex_unlock(&lock);
  return result;
}
int rename(const char* a, const char* b) { return on_names("rename", AT_FDCWD, a, AT_FDCWD, b, SYS_renameat2, 0, 1); }
int renameat(int i, const char* a, int j, const char* b) { return on_names("rename", i, a, j, b, SYS_renameat2, 0, 1); }
int renameat2(int i, const char* a, int j, const char* b, unsigned flags) {
  return on_names(flags & RENAME_EXCHANGE ? "exchange" : "rename", i, a, j, b, SYS_renameat2, (int)flags, 1);
}
int link(const char* a, const char* b) { return on_names("link", AT_FDCWD, a, AT_FDCWD, b, SYS_linkat, 0, 1); }
int linkat(int i, const char* a, int j, const char* b, int flags) { return on_names("link", i, a, j, b, SYS_linkat, flags, 1); }
int mkdir(const char* a, mode_t mode) { return on_names("mkdir", AT_FDCWD, a, 0, NULL, SYS_mkdirat, (int)mode, 1); }
int mkdirat(int i, const char* a, mode_t mode) { return on_names("mkdir", i, a, 0, NULL, SYS_mkdirat, (int)mode, 1); }
int unlink(const char* a) { return on_names("unlink", AT_FDCWD, a, 0, NULL, SYS_unlinkat, 0, 0); }
int unlinkat(int i, const char* a, int flags) {
  return on_names(flags & AT_REMOVEDIR ? "rmdir" : "unlink", i, a, 0, NULL, SYS_unlinkat, flags, 0);
}
int rmdir(const char* a) { return on_names("rmdir", AT_FDCWD, a, 0, NULL, SYS_unlinkat, AT_REMOVEDIR, 0); }

/* Memory maps: of files under the root, and without a file where the core, LMDB or SQLite ask for them. */
static int asks_for_memory(const void* caller) {
  Dl_info info;
  if (!root_length || !dladdr(caller, &info) || !info.dli_fname) return 0;
  return strstr(info.dli_fname, "/_core.") || strstr(info.dli_fname, "lmdb") || strstr(info.dli_fname, "sqlite");
}
static void* mapped(void* where, size_t size, int protection, int flags, int handle, off_t offset, const void* caller) {
  char path[PATH_MAX] = "";
  int is_watched = handle >= 0 ? watched(handle, path) : asks_for_memory(caller), what = NONE;
  if (is_watched) pthread_mutex_lock(&lock), what = counted(0);
  void* result = MAP_FAILED;
  if (!fails(what)) {
    result = (void*)syscall(SYS_mmap, where, size, protection, flags, handle, offset);
    int error = errno;
    if (is_watched) note("map", handle >= 0 ? inode_of(handle) : 0, 0, NULL, 0, path, "");
    done(what);
    errno = error;
  }
  if (is_watched) pthread_mutex_unlock(&lock);
  return result;
}
void* mmap(void* w, size_t n, int p, int f, int h, off_t o) { return mapped(w, n, p, f, h, o, __builtin_return_address(0)); }
void* mmap64(void* w, size_t n, int p, int f, int h, off_t o) { return mapped(w, n, p, f, h, o, __builtin_return_address(0)); }
void* mremap(void* where, size_t old_size, size_t size, int flags, ...) {
  int is_watched = asks_for_memory(__builtin_return_address(0)), what = NONE;
  if (is_watched) pthread_mutex_lock(&lock), what = counted(0);
  void* result = MAP_FAILED;
  if (!fails(what)) {
    result = (void*)syscall(SYS_mremap, where, old_size, size, flags);
    int error = errno;
    if (is_watched) note("map", 0, 0, NULL, 0, "", "");
    done(what);
    errno = error;
  }
  if (is_watched) pthread_mutex_unlock(&lock);
  return result;
}

/* Processes and threads. */
static int started(void) {
  pthread_mutex_lock(&lock);
  int what = counted(0);
  note("start", 0, 0, NULL, 0, "", "");
  done(what);
  pthread_mutex_unlock(&lock);
  return fails(what) ? -1 : 0;
}
pid_t fork(void) {
  REAL(fork);
  return started() ? -1 : real();
}
pid_t vfork(void) { return fork(); }  /* as POSIX allows: a wrapper must not return in the child's borrowed stack */
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*), void* argument) {
  REAL(pthread_create);
  return started() ? errno : real(thread, attributes, routine, argument);
}

/* Clocks. */
int clock_gettime(clockid_t clock, struct timespec* time) {
  if (!root_length || getpid() != pid || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC))
    return (int)syscall(SYS_clock_gettime, clock, time);
  *time = stopped_clock;
  if (clock == CLOCK_REALTIME) time->tv_sec = 1000000000, time->tv_nsec = 0;
  return 0;
}
time_t time(time_t* where) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (where) *where = now.tv_sec;
  return now.tv_sec;
}
