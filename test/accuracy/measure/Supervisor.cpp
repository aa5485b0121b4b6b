//===- Supervisor.cpp - Runs steps in processes that may die --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Supervisor.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ptxpredict;
using namespace ptxpredict::measure;
using llvm::Twine;

namespace {

/// A process that writes records, and what it wrote.
class Child {
public:
  Child() = default;
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;
  ~Child() { end(); }

  /// Starts \p Work in a process of its own. False if there can be none.
  bool start(llvm::function_ref<void(const RecordWriter &)> Work);

  enum class Event { Line, Timeout, End };
  /// Waits for a line, for so many seconds.
  Event next(double Seconds, Record &Into);

  /// Ends the process if it has not ended, of one that \p Hangs at once. How it
  /// ended, in words; empty for an end without fault.
  std::string end(bool Hangs = false);

private:
  pid_t Pid = -1;
  int Descriptor = -1;
  std::string Pending;
};

} // namespace

bool Child::start(llvm::function_ref<void(const RecordWriter &)> Work) {
  int Ends[2];
  llvm::outs().flush();
  if (::pipe(Ends) != 0)
    return false;
  Pid = ::fork();
  if (Pid < 0)
    return false;
  if (Pid == 0) {
    (void)::close(Ends[0]);
    (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)::signal(SIGPIPE, SIG_IGN);
    // What kernels print is nobody's business here.
    if (!std::freopen("/dev/null", "w", stdout))
      ::_exit(2);
    Work(RecordWriter(Ends[1]));
    ::_exit(0);
  }
  (void)::close(Ends[1]);
  Descriptor = Ends[0];
  return true;
}

Child::Event Child::next(double Seconds, Record &Into) {
  const auto Begin = std::chrono::steady_clock::now();
  for (;;) {
    const size_t End = Pending.find('\n');
    if (End != std::string::npos) {
      Into = Record::parse(StringRef(Pending).take_front(End));
      Pending.erase(0, End + 1);
      return Event::Line;
    }
    const std::chrono::duration<double> Passed =
        std::chrono::steady_clock::now() - Begin;
    const double Left = Seconds - Passed.count();
    if (Left <= 0)
      return Event::Timeout;
    pollfd Poll = {Descriptor, POLLIN, 0};
    if (::poll(&Poll, 1, int(Left * 1000) + 1) <= 0)
      continue;
    char Part[4096];
    const ssize_t Count = ::read(Descriptor, Part, sizeof(Part));
    if (Count <= 0)
      return Event::End;
    Pending.append(Part, size_t(Count));
  }
}

std::string Child::end(bool Hangs) {
  if (Pid <= 0)
    return "";
  int Status = 0;
  pid_t Ended = 0;
  // One that is done gives the GPU back before it ends.
  for (int I = 0; I != 200 && Ended == 0 && !Hangs; ++I) {
    Ended = ::waitpid(Pid, &Status, WNOHANG);
    if (Ended == 0)
      (void)::usleep(I < 100 ? 1000 : 20000);
  }
  if (Ended == 0) {
    (void)::kill(Pid, SIGKILL);
    (void)::waitpid(Pid, &Status, 0);
  }
  Pid = -1;
  (void)::close(Descriptor);
  if (WIFSIGNALED(Status))
    return "its process ended by signal " + std::to_string(WTERMSIG(Status));
  return WEXITSTATUS(Status) == 0 ? ""
                                  : "its process ended with exit code " +
                                        std::to_string(WEXITSTATUS(Status));
}

/// Opens the device; a failure is told as the first record.
static std::unique_ptr<Gpu> open(const Options &O, const RecordWriter &Out) {
  Expected<std::unique_ptr<CudaDriver>> Driver = CudaDriver::load(O.Driver);
  std::string Why;
  if (Driver) {
    Expected<std::unique_ptr<Gpu>> G =
        Gpu::open(std::move(*Driver), O.Management, int(O.Device));
    if (G)
      return std::move(*G);
    Why = toString(G.takeError());
  } else {
    Why = toString(Driver.takeError());
  }
  Out.write({kinds::Fatal, {Why, "open"}});
  return nullptr;
}

Error Supervisor::findFacts() {
  Child C;
  const bool Started = C.start([&](const RecordWriter &Out) {
    if (std::unique_ptr<Gpu> G = open(O, Out))
      for (const auto &[Name, Value] : G->facts().All)
        Out.write({kinds::Fact, {Name, Value}});
  });
  if (!Started)
    return failure("no process can be started");
  Record New;
  for (;;)
    switch (C.next(O.StepLimit, New)) {
    case Child::Event::Line:
      if (New.Kind == kinds::Fatal)
        return failure(New.Fields.front());
      keep(std::move(New));
      break;
    case Child::Event::Timeout:
      return failure("the driver does not answer");
    case Child::Event::End: {
      std::string Why = C.end();
      if (Why.empty() && R.capability() == 0)
        Why = "the driver does not say which GPU there is";
      return Why.empty() ? Error::success() : failure("the driver: " + Why);
    }
    }
}

void Supervisor::keep(Record New) {
  if (New.Kind == kinds::Fact && New.Fields.size() == 2)
    R.Facts.emplace_back(New.Fields[0], New.Fields[1]);
  else if (New.Kind == kinds::Result)
    R.Benchmarks.push_back(std::move(New));
  else if (New.Kind == kinds::Kernel)
    R.Kernels.push_back(std::move(New));
}

/// Runs steps until one breaks the process.
static void runSteps(const Options &O, llvm::ArrayRef<Step> Steps,
                     const RecordWriter &Out) {
  const std::unique_ptr<Gpu> G = open(O, Out);
  if (!G)
    return;
  if (!O.CoreMHz.empty())
    (void)G->management().lockCore(O.CoreMHz.front());
  if (!O.MemoryMHz.empty())
    (void)G->management().lockMemory(O.MemoryMHz.front());
  Measurement S(*G, O, Out);
  for (const Step &Next : Steps) {
    if (!Next.WhyNot.empty()) {
      Out.write({kinds::Skipped, {Next.WhyNot}});
      continue;
    }
    if (Error E = Next.Run(S)) {
      Out.write({G->isBroken() ? kinds::Fatal : kinds::Failed,
                 {toString(std::move(E))}});
      if (G->isBroken())
        return;
    } else {
      Out.write({kinds::Done, {}});
    }
  }
}

Error Supervisor::run(const std::vector<Step> &Steps,
                      llvm::function_ref<bool(const StepOutcome &)> AfterStep) {
  size_t Next = 0;
  bool CanGoOn = true;
  auto End = [&](const char *Status, const Twine &Detail) {
    const Step &S = Steps[Next++];
    R.Steps.push_back({S.Name, S.Group, Status, Detail.str()});
    CanGoOn &= AfterStep(R.Steps.back());
  };
  while (Next != Steps.size() && CanGoOn && secondsPassed() < O.TimeLimit) {
    Child C;
    if (!C.start([&](const RecordWriter &Out) {
          runSteps(O, llvm::ArrayRef(Steps).drop_front(Next), Out);
        }))
      return failure("no process can be started");
    double StepBegin = secondsPassed();
    for (bool Lives = true; Lives && CanGoOn && Next != Steps.size();) {
      const double Left =
          std::min(StepBegin + O.StepLimit, O.TimeLimit) - secondsPassed();
      Record New;
      switch (C.next(Left, New)) {
      case Child::Event::Timeout:
        Lives = false;
        (void)C.end(/*Hangs=*/true);
        End("failed",
            secondsPassed() < O.TimeLimit
                ? "it takes more than " + measured(O.StepLimit) + " s"
                : "the time limit of " + measured(O.TimeLimit) + " s is over");
        break;
      case Child::Event::End: {
        Lives = false;
        const std::string Why = C.end();
        End("failed", Why.empty() ? "its process ended" : Why);
        break;
      }
      case Child::Event::Line:
        if (New.Kind == kinds::Fatal && New.Fields.size() > 1)
          return failure("the GPU cannot be used any more: " +
                         New.Fields.front());
        if (New.Kind == kinds::Done) {
          End("done", "");
        } else if (New.Kind == kinds::Skipped || New.Kind == kinds::Failed) {
          End(New.Kind.c_str(), New.Fields.front());
        } else if (New.Kind == kinds::Fatal) {
          Lives = false;
          End("failed", New.Fields.front());
        } else {
          keep(std::move(New));
          break;
        }
        StepBegin = secondsPassed();
        break;
      }
    }
  }
  while (Next != Steps.size() && CanGoOn)
    End("not run", "the time limit of " + measured(O.TimeLimit) + " s is over");
  return Error::success();
}
