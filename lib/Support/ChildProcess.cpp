//===- ChildProcess.cpp - Work that another process does ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/ChildProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ptxpredict;

namespace {

/// Both ends are closed in programs that are run, and with the object.
class Pipe {
public:
  Pipe() { Failed = pipe2(Ends.data(), O_CLOEXEC) != 0; }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;
  ~Pipe() {
    if (Failed)
      return;
    close(Ends[0]);
    closeWriter();
  }
  bool failed() const { return Failed; }
  int reader() const { return Ends[0]; }
  int writer() const { return Ends[1]; }
  void closeWriter() {
    if (Ends[1] >= 0)
      close(Ends[1]);
    Ends[1] = -1;
  }

private:
  std::array<int, 2> Ends = {-1, -1};
  bool Failed = false;
};

} // namespace

static llvm::Error failure(int Number) {
  return llvm::createStringError(llvm::sys::StrError(Number));
}

/// Appends what there is to \p Text. False at the end.
static bool readSome(int From, std::string &Text) {
  std::array<char, 1 << 16> Buffer;
  ssize_t N = read(From, Buffer.data(), Buffer.size());
  if (N > 0)
    Text.append(Buffer.data(), size_t(N));
  return N > 0 || (N < 0 && errno == EINTR);
}

/// Reads both until their ends: a child that writes to one never waits for
/// somebody to read the other.
static void readBoth(int First, std::string &A, int Second, std::string &B) {
  std::array<pollfd, 2> Both = {{{First, POLLIN, 0}, {Second, POLLIN, 0}}};
  while (Both[0].fd >= 0 || Both[1].fd >= 0) {
    if (poll(Both.data(), Both.size(), -1) < 0 && errno != EINTR)
      return;
    for (size_t I = 0; I != Both.size(); ++I)
      if (Both[I].fd >= 0 && Both[I].revents != 0 &&
          !readSome(Both[I].fd, I == 0 ? A : B))
        Both[I].fd = -1;
  }
}

/// Makes the process, just forked, one that ends with \p Parent.
static void becomeChild(pid_t Parent, const Pipe &Output,
                        const Pipe &Messages) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != Parent) // it is gone already
    _exit(1);
  int Nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(Nothing, STDIN_FILENO);
  dup2(Output.writer(), STDOUT_FILENO);
  dup2(Messages.writer(), STDERR_FILENO);
}

/// Forks. The child calls \p Work, and its number is \p Reason's if it writes
/// one.
static Expected<ChildResult> runForked(llvm::function_ref<int(int)> Work,
                                       std::shared_mutex *Others = nullptr) {
  Pipe Output, Messages, Reason;
  if (Output.failed() || Messages.failed() || Reason.failed())
    return failure(errno);
  pid_t Parent = getpid();
  std::unique_lock<std::shared_mutex> Lock;
  if (Others)
    Lock = std::unique_lock<std::shared_mutex>(*Others);
  pid_t Child = fork();
  if (Child < 0)
    return failure(errno);
  if (Child == 0) {
    becomeChild(Parent, Output, Messages);
    _exit(Work(Reason.writer()));
  }
  if (Others)
    Lock.unlock();
  for (Pipe *P : {&Output, &Messages, &Reason})
    P->closeWriter();
  ChildResult Result;
  readBoth(Output.reader(), Result.Output, Messages.reader(), Result.Messages);
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR) {
  }
  Result.ExitCode = WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
  Result.Signal = WIFSIGNALED(Status) ? WTERMSIG(Status) : 0;
  int Number = 0;
  if (read(Reason.reader(), &Number, sizeof Number) == sizeof Number)
    return failure(Number);
  return Result;
}

std::optional<std::string> ptxpredict::findOnPath(StringRef Name) {
  std::string All = llvm::sys::Process::GetEnv("PATH").value_or("");
  SmallVector<StringRef, 16> Folders;
  StringRef(All).split(Folders, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  llvm::erase_if(Folders, [](StringRef Folder) {
    return !llvm::sys::path::is_absolute(Folder);
  });
  // Of an empty list LLVM makes that of the environment.
  if (Folders.empty())
    return std::nullopt;
  auto Found = llvm::sys::findProgramByName(Name, Folders);
  return Found ? std::optional(*Found) : std::nullopt;
}

Expected<ChildResult> ptxpredict::runProgram(const std::string &Program,
                                             ArrayRef<std::string> Arguments,
                                             const std::string &Folder) {
  std::vector<char *> All = {const_cast<char *>(Program.c_str())};
  for (const std::string &A : Arguments)
    All.push_back(const_cast<char *>(A.c_str()));
  All.push_back(nullptr);
  // From here to execv only what may be called between it and fork.
  return runForked([&](int Reason) {
    if (Folder.empty() || chdir(Folder.c_str()) == 0)
      execv(Program.c_str(), All.data());
    int Number = errno;
    return write(Reason, &Number, sizeof Number) < 0 ? 126 : 127;
  });
}

Expected<ChildResult> ptxpredict::runInChild(llvm::function_ref<int()> Work,
                                             std::shared_mutex *Others) {
  return runForked([&](int) { return Work(); }, Others);
}
