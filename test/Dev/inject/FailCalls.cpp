//===- FailCalls.cpp - Makes chosen calls of a program fail ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A library to be loaded before all others (LD_PRELOAD), for failures-test.py.
//   FAIL_CALLS=KIND:N:HOW  the Nth call of this kind from main on fails, in the
//                          order of all threads and forked processes; with '+'
//                          behind N each later one, too. KIND is memory, map,
//                          thread, open, chmod, write, close or rename. HOW is
//                          an error number, `short` for a write of half the
//                          bytes, or `signal-` and a signal's number, which the
//                          process gets before the call.
//   FAIL_COUNT=FILE        16 bytes: how many calls there were, and whether one
//                          failed
// With SET_LOCALE the program has the locale of its environment, for
// locales-test.py: as programs have it that use the library.
//
// Only programs called ptx-predict* are changed. Messages do not count: writes
// to standard error always succeed.
//===----------------------------------------------------------------------===//
#include <atomic>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

struct Counts {
  std::atomic<uint64_t> Calls, Failed;
};

/// What FAIL_CALLS asks for.
struct Order {
  const char *Kind = nullptr; ///< null before main: nothing fails
  size_t KindLength = 0;
  uint64_t First = 0;
  bool AndLater = false;
  bool IsShort = false;
  int Error = 0;
  int Signal = 0;
};

Counts Own;
Counts *Counted = &Own;
Order Asked;

/// Whether this call of the kind is one that is to fail; errno is set then.
bool fails(const char *Kind) {
  if (!Asked.Kind || strlen(Kind) != Asked.KindLength ||
      memcmp(Kind, Asked.Kind, Asked.KindLength) != 0)
    return false;
  uint64_t N = ++Counted->Calls;
  if (N != Asked.First && (!Asked.AndLater || N < Asked.First))
    return false;
  ++Counted->Failed;
  if (Asked.Signal) {
    kill(getpid(), Asked.Signal);
    return false;
  }
  errno = Asked.Error;
  return true;
}

/// The function that this library stands before.
template <typename Fn>
Fn *next(Fn *, const char *Name) {
  return reinterpret_cast<Fn *>(dlsym(RTLD_NEXT, Name));
}

void readOrder() {
  const char *Text = getenv("FAIL_CALLS"), *File = getenv("FAIL_COUNT");
  if (!Text || strncmp(program_invocation_short_name, "ptx-predict", 11) != 0)
    return;
  int FD = File ? open(File, O_RDWR | O_CLOEXEC) : -1;
  if (FD >= 0) {
    void *At = mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED,
                    FD, 0);
    if (At != MAP_FAILED)
      Counted = static_cast<Counts *>(At);
    close(FD);
  }
  const char *Colon = strchr(Text, ':');
  if (!Colon)
    return;
  char *End;
  Asked.First = strtoull(Colon + 1, &End, 10);
  Asked.AndLater = *End == '+';
  End += Asked.AndLater;
  if (*End == ':') {
    Asked.IsShort = strcmp(End + 1, "short") == 0;
    if (strncmp(End + 1, "signal-", 7) == 0)
      Asked.Signal = int(strtol(End + 8, nullptr, 10));
    Asked.Error = int(strtol(End + 1, nullptr, 10));
  }
  Asked.KindLength = size_t(Colon - Text);
  Asked.Kind = Text;
}

using MainFn = int (*)(int, char **, char **);
MainFn Main;

int countedMain(int Argc, char **Argv, char **Environment) {
  readOrder();
  if (getenv("SET_LOCALE"))
    setlocale(LC_ALL, "");
  return Main(Argc, Argv, Environment);
}

} // namespace

#ifdef __clang__
#pragma clang diagnostic ignored "-Wreserved-identifier"
#endif

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

// What the C library calls its own functions.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t Bytes) noexcept {
  return fails("memory") ? nullptr : __libc_malloc(Bytes);
}
void *calloc(size_t Num, size_t Bytes) noexcept {
  return fails("memory") ? nullptr : __libc_calloc(Num, Bytes);
}
void *realloc(void *Old, size_t Bytes) noexcept {
  return fails("memory") ? nullptr : __libc_realloc(Old, Bytes);
}
void *aligned_alloc(size_t Align, size_t Bytes) noexcept {
  return fails("memory") ? nullptr : __libc_memalign(Align, Bytes);
}
void *memalign(size_t Align, size_t Bytes) noexcept {
  return fails("memory") ? nullptr : __libc_memalign(Align, Bytes);
}
int posix_memalign(void **Out, size_t Align, size_t Bytes) noexcept {
  void *At = fails("memory") ? nullptr : __libc_memalign(Align, Bytes);
  if (!At)
    return ENOMEM;
  *Out = At;
  return 0;
}

void *mmap(void *At, size_t Bytes, int Access, int Flags, int FD,
           off_t Offset) noexcept {
  static auto *Next = next(mmap, "mmap");
  return fails("map") ? MAP_FAILED : Next(At, Bytes, Access, Flags, FD, Offset);
}
void *mmap64(void *At, size_t Bytes, int Access, int Flags, int FD,
             off64_t Offset) noexcept {
  return mmap(At, Bytes, Access, Flags, FD, Offset);
}

int pthread_create(pthread_t *Out, const pthread_attr_t *Attributes,
                   void *(*Run)(void *), void *Argument) noexcept {
  static auto *Next = next(pthread_create, "pthread_create");
  return fails("thread") ? EAGAIN : Next(Out, Attributes, Run, Argument);
}

int open(const char *Path, int Flags, ...) {
  static auto *Next = next(open, "open");
  va_list Rest;
  va_start(Rest, Flags);
  unsigned Mode = va_arg(Rest, unsigned);
  va_end(Rest);
  return fails("open") ? -1 : Next(Path, Flags, Mode);
}
int open64(const char *Path, int Flags, ...) {
  va_list Rest;
  va_start(Rest, Flags);
  unsigned Mode = va_arg(Rest, unsigned);
  va_end(Rest);
  return open(Path, Flags, Mode);
}

int fchmod(int FD, mode_t Mode) noexcept {
  static auto *Next = next(fchmod, "fchmod");
  return fails("chmod") ? -1 : Next(FD, Mode);
}

ssize_t write(int FD, const void *Bytes, size_t Size) {
  static auto *Next = next(write, "write");
  if (FD != STDERR_FILENO && fails("write")) {
    if (!Asked.IsShort)
      return -1;
    Size = (Size + 1) / 2;
  }
  return Next(FD, Bytes, Size);
}

int close(int FD) {
  static auto *Next = next(close, "close");
  if (!fails("close"))
    return Next(FD);
  Next(FD); // it is closed all the same, as on Linux
  errno = Asked.Error;
  return -1;
}

int rename(const char *From, const char *To) noexcept {
  static auto *Next = next(rename, "rename");
  return fails("rename") ? -1 : Next(From, To);
}

int __libc_start_main(MainFn Real, int Argc, char **Argv, void (*Init)(),
                      void (*Fini)(), void (*LoaderFini)(), void *StackEnd) {
  static auto *Next = next(__libc_start_main, "__libc_start_main");
  Main = Real;
  return Next(countedMain, Argc, Argv, Init, Fini, LoaderFini, StackEnd);
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
