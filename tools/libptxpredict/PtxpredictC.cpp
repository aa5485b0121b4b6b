//===- PtxpredictC.cpp - The C library ------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "Run.h"
#include "Subcommands.h"
#include "ptxpredict-c/ptxpredict.h"
#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "ptxpredict/Support/Thread.h"
#include "ptxpredict/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <mutex>

using namespace ptxpredict;
using tool::CapturedRun;

namespace {
/// What LLVM says before it cannot go on.
struct LLVMFailed {
  std::string Reason;
};
} // namespace

/// LLVM's ways to end the process become exceptions, which pass through code
/// without them and end in guarded().
static void prepareOnce() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    llvm::install_fatal_error_handler(
        [](void *, const char *Reason, bool) { throw LLVMFailed{Reason}; });
    llvm::install_bad_alloc_error_handler(
        [](void *, const char *, bool) { throw std::bad_alloc(); });
    sendElsewhere([](StringRef, StringRef) {
      if (CapturedRun *Run = CapturedRun::current())
        Run->NeedsIR = true;
    });
  });
}

/// What \p Do returns; \p Failed if it throws.
template <typename T, typename Function>
static T guarded(T Failed, Function Do) noexcept {
  try {
    return Do();
  } catch (...) {
    return Failed;
  }
}

static bool isOptionName(StringRef Name) {
  return !Name.empty() && !Name.starts_with("-") &&
         llvm::all_of(Name, [](char C) {
           return (C >= 'a' && C <= 'z') || (C >= '0' && C <= '9') || C == '-';
         });
}

/// Whether \p Path can be an argument that is no option: neither an option, a
/// file of arguments, nor the standard input, which is the process's.
static bool isArgument(StringRef Path) {
  return !Path.empty() && Path.find_first_of("-@") != 0;
}

uint32_t ptxpredictInterface(void) { return PTXPREDICT_C_INTERFACE; }

const char *ptxpredictVersion(void) { return PTXPREDICT_VERSION; }

PtxpredictRun *ptxpredictRunCreate(const char *Subcommand) {
  return guarded<PtxpredictRun *>(nullptr, [&]() -> PtxpredictRun * {
    if (!Subcommand)
      return nullptr;
    if (StringRef(Subcommand) == "predict")
      return new PtxpredictRun(nullptr);
    for (const tool::Subcommand &S : tool::subcommands())
      if (S.Name == Subcommand)
        return new PtxpredictRun(&S);
    return nullptr;
  });
}

void ptxpredictRunDispose(PtxpredictRun *Run) { delete Run; }

int ptxpredictRunAddOption(PtxpredictRun *Run, const char *Name,
                           const char *Value) {
  return guarded<int>(PTXPREDICT_FAILED, [&] {
    if (!Run || !Name || !isOptionName(Name))
      return PTXPREDICT_MISUSE;
    const StringRef Text = Name;
    const bool IsLetter = Text.size() == 1;
    std::string Option = ((IsLetter ? "-" : "--") + Text).str();
    if (Value && !IsLetter)
      Option += ("=" + Twine(Value)).str();
    Run->Options.push_back(std::move(Option));
    if (Value && IsLetter)
      Run->Options.emplace_back(Value);
    return PTXPREDICT_DONE;
  });
}

int ptxpredictRunAddFile(PtxpredictRun *Run, const char *Path) {
  return guarded<int>(PTXPREDICT_FAILED, [&] {
    if (!Run || !Path || !isArgument(Path))
      return PTXPREDICT_MISUSE;
    Run->Files.emplace_back(Path);
    return PTXPREDICT_DONE;
  });
}

int ptxpredictRunAddNamedText(PtxpredictRun *Run, const char *Name,
                              const void *Bytes, size_t Size) {
  return guarded<int>(PTXPREDICT_FAILED, [&] {
    if (!Run || !Name || !isArgument(Name) || (!Bytes && Size != 0) ||
        Run->Captured.Texts.count(Name))
      return PTXPREDICT_MISUSE;
    Run->give(Name, std::string(static_cast<const char *>(Bytes), Size));
    return PTXPREDICT_DONE;
  });
}

int ptxpredictRunAddText(PtxpredictRun *Run, const char *Name,
                         const void *Bytes, size_t Size) {
  const int Code = ptxpredictRunAddNamedText(Run, Name, Bytes, Size);
  return Code == PTXPREDICT_DONE ? ptxpredictRunAddFile(Run, Name) : Code;
}

int ptxpredictRunSetProgress(PtxpredictRun *Run, PtxpredictProgress Progress,
                             void *Context) {
  return guarded<int>(PTXPREDICT_FAILED, [&] {
    if (!Run)
      return PTXPREDICT_MISUSE;
    Run->Captured.Progress = nullptr;
    if (Progress)
      Run->Captured.Progress = [=](uint64_t Done, uint64_t All) {
        Progress(Context, Done, All);
      };
    return PTXPREDICT_DONE;
  });
}

/// Adds a message that no run could.
static void addFailure(PtxpredictRun &Run, StringRef Text) noexcept {
  (void)guarded<bool>(false, [&] {
    Diagnostic D;
    D.Message = Text.str();
    Run.Captured.add(D, ("ptx-predict: error: " + Text + "\n").str());
    return true;
  });
}

static int execute(PtxpredictRun &Run) {
  std::vector<std::string> Arguments = Run.Options;
  llvm::append_range(Arguments, Run.Files);
  int Code = PTXPREDICT_FAILED;
  // Whatever stack the caller's thread has.
  Thread Own([&] {
    try {
      Code = Run.Captured.run(Run.Subcommand, Arguments);
    } catch (...) {
      Run.Captured.abandon();
      throw;
    }
  });
  if (!Own.isRunning())
    throw std::bad_alloc();
  Own.join();
  return Run.Captured.NeedsIR && Code == tool::NotDone ? PTXPREDICT_NEEDS_IR
                                                       : Code;
}

int ptxpredictRunExecute(PtxpredictRun *Run) {
  if (!Run)
    return PTXPREDICT_MISUSE;
  Run->Table.reset();
  try {
    prepareOnce();
    return execute(*Run);
  } catch (const LLVMFailed &E) {
    addFailure(*Run, "LLVM cannot go on with this input: " + E.Reason);
  } catch (...) {
    addFailure(*Run, "out of memory");
  }
  return PTXPREDICT_FAILED;
}

const char *ptxpredictRunOutput(const PtxpredictRun *Run, size_t *Size) {
  if (Size)
    *Size = Run ? Run->Captured.Output.size() : 0;
  return Run ? Run->Captured.Output.c_str() : "";
}

size_t ptxpredictRunNumMessages(const PtxpredictRun *Run) {
  return Run ? Run->Captured.Messages.size() : 0;
}

int ptxpredictRunMessage(const PtxpredictRun *Run, size_t Index,
                         PtxpredictMessage *Message) {
  if (!Message || Index >= ptxpredictRunNumMessages(Run))
    return PTXPREDICT_MISUSE;
  const tool::ShownMessage &M = Run->Captured.Messages[Index];
  Message->Severity = M.Of.Level == Severity::Error     ? PTXPREDICT_ERROR
                      : M.Of.Level == Severity::Warning ? PTXPREDICT_WARNING
                                                        : PTXPREDICT_NOTE;
  Message->Path = M.Of.Path.c_str();
  Message->Line = M.Of.Line;
  Message->Column = M.Of.Column;
  Message->Text = M.Of.Message.c_str();
  Message->Shown = M.Text.c_str();
  return PTXPREDICT_DONE;
}

const tool::Columns &PtxpredictRun::columns() {
  if (!Table)
    Table.emplace(Captured.Output);
  return *Table;
}

/// What \p Of returns of the run's columns, if there is the one of \p Index.
template <typename T, typename Function>
static T ofColumn(PtxpredictRun *Run, size_t Index, Function Of) noexcept {
  return guarded<T>(nullptr, [&]() -> T {
    if (!Run || Index >= Run->columns().size())
      return nullptr;
    return Of(Run->columns());
  });
}

size_t ptxpredictRunNumRows(PtxpredictRun *Run) {
  return guarded<size_t>(0, [&] { return Run ? Run->columns().numRows() : 0; });
}

size_t ptxpredictRunNumColumns(PtxpredictRun *Run) {
  return guarded<size_t>(0, [&] { return Run ? Run->columns().size() : 0; });
}

const char *ptxpredictRunColumnName(PtxpredictRun *Run, size_t Column) {
  return ofColumn<const char *>(Run, Column, [&](const tool::Columns &C) {
    return C.name(Column).c_str();
  });
}

const double *ptxpredictRunColumnNumbers(PtxpredictRun *Run, size_t Column) {
  return ofColumn<const double *>(
      Run, Column, [&](const tool::Columns &C) { return C.numbers(Column); });
}

const char *const *ptxpredictRunColumnTexts(PtxpredictRun *Run, size_t Column) {
  return ofColumn<const char *const *>(
      Run, Column, [&](const tool::Columns &C) { return C.texts(Column); });
}

/// An array of what every subcommand says of its options.
static std::string describeAll() {
  std::string All = "[\n";
  auto Add = [&All](const tool::Subcommand *S) {
    CapturedRun Run;
    if (Run.run(S, {"--help=json"}) == tool::Done)
      All +=
          (All.size() > 2 ? ",\n" : "") + StringRef(Run.Output).rtrim().str();
  };
  Add(nullptr);
  for (const tool::Subcommand &S : tool::subcommands())
    if (S.Name != "help")
      Add(&S);
  return All + "\n]\n";
}

const char *ptxpredictDescription(void) {
  return guarded<const char *>(nullptr, [] {
    static const std::string Text = describeAll();
    return Text.c_str();
  });
}
