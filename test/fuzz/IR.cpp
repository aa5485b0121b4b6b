//===- IR.cpp - LLVM IR and bitcode as inputs of the fuzzer ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Compiler.h" // __has_feature
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <cstdlib>
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define PTXPREDICT_FUZZ_SANITIZED
#endif

using namespace ptxpredict;

#ifdef PTXPREDICT_FUZZ_SANITIZED
/// Some bitcode lets LLVM ask for more memory than there is, which it notices.
extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1";
}
#endif

/// Runs what is LLVM's, which the command does in a child process first. Here
/// one for each input would take most of the time. False if LLVM would have
/// ended the process; what it held then is lost.
static bool runLLVM(llvm::function_ref<void()> Work) {
  static const bool IsOn = [] {
    auto Abort = [](void *, const char *, bool) { std::abort(); };
    llvm::install_fatal_error_handler(Abort);
    llvm::install_bad_alloc_error_handler(Abort);
    llvm::CrashRecoveryContext::Enable();
    return true;
  }();
  llvm::CrashRecoveryContext Context;
#ifdef PTXPREDICT_FUZZ_SANITIZED
  __lsan::ScopedDisabler WithoutLeaks;
#endif
  return IsOn && Context.RunSafely(Work);
}

namespace {

/// A module and the back end for it.
struct PreparedIR {
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> IR;
  std::unique_ptr<llvm::TargetMachine> TM;
  bool IsReady = false;

  explicit PreparedIR(DiagnosticEngine &Diags) {
    IR = llvmir::parse(Diags, Context);
    std::string Problem;
    if (IR)
      TM = llvmir::createTargetMachine(*IR, "sm_90", Problem);
    if (!TM)
      return;
    llvmir::prepareForLowering(*IR, *TM);
    IsReady = true;
  }
};

} // namespace

/// True if a constraint of inline assembly has a '@', behind which LLVM reads
/// as many characters as the next one says, wherever the constraint ends. NVPTX
/// has no such constraint.
static bool hasLongConstraint(StringRef Text) {
  constexpr StringRef Between = "\", \"";
  for (size_t At = Text.find(Between); At != StringRef::npos;
       At = Text.find(Between, At + 1))
    if (Text.substr(At + Between.size()).split('"').first.contains('@'))
      return true;
  return false;
}

bool fuzz::runIR(StringRef Text) {
  if (!looksLikeIR("", Text) || hasLongConstraint(Text))
    return false;
  auto Diags = makeEngine(Text, "input");
  PreparedIR *Made = nullptr;
  if (!runLLVM([&] { Made = new PreparedIR(*Diags); }))
    return false;
  std::unique_ptr<PreparedIR> Prepared(Made);
  check(Prepared->IR != nullptr || Diags->hasErrors(),
        "neither an error nor a module");
  if (!Prepared->IsReady ||
      Diags->hasErrors()) // LLVM's passes refuse some, too
    return false;
  std::unique_ptr<Module> M =
      llvmir::lower(*Prepared->IR, Prepared->TM->getTargetCPU(), *Diags);
  check((M != nullptr) != Diags->hasErrors(), "errors and graphs, or neither");
  if (!M)
    return false;
  for (const auto &G : M->Functions) {
    std::string Violation = verify(*G);
    check(Violation.empty(), "a wrong graph: " + Violation);
  }
  std::string Dump;
  llvm::raw_string_ostream OS(Dump);
  M->print(OS);
  DriverOptions Options;
  Options.WorkLimit = FewSteps;
  Driver D(std::move(Options));
  check(D.prepare(), "the driver's defaults are refused");
  D.add(makeLoweredInput(std::move(M)), "input");
  printAll(D.run());
  return true;
}
