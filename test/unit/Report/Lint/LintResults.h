//===- LintResults.h - A result of lint made by hand ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_REPORT_LINT_LINTRESULTS_H
#define PTXPREDICT_TEST_UNIT_REPORT_LINT_LINTRESULTS_H

#include "ptxpredict/Review/LintResult.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxpredict {

/// Three inputs, of which the second cannot be read, with what is hard to
/// print: odd characters, a place in two kernels, findings without a line.
inline LintResult makeLintResult() {
  LintResult R;
  R.Inputs.resize(3);
  R.Inputs[0].Path = "a b%/k.ptx";
  R.Inputs[0].Frontend = "ptx";
  R.Inputs[0].Target = "sm_90";
  R.Inputs[0].Kernels.resize(2);
  KernelRecord &First = R.Inputs[0].Kernels[0];
  First.Name = "_ZN2ns1kIiEEvPT_";
  First.Demangled = "void ns::k<int>(int*)";
  First.Line = 10;
  KernelRecord &Second = R.Inputs[0].Kernels[1];
  Second.Name = Second.Demangled = "plain";
  Second.Line = 30;
  R.Inputs[1].Path = "bad.ptx";
  R.Inputs[1].Failed = true;
  Diagnostic D;
  D.Path = "bad.ptx";
  D.Line = 3;
  D.Column = 5;
  D.Message = "odd, 100 %: \x01 <tag> \xff";
  D.HasText = false;
  R.Inputs[1].Messages.push_back(D);
  R.Inputs[2].Path = "/abs/other.ptx";
  R.Inputs[2].Kernels.resize(1);
  R.Inputs[2].Kernels[0].Name = R.Inputs[2].Kernels[0].Demangled = "other";

  auto Add = [&](size_t Kernel, StringRef Id, StringRef Remark, Severity Level,
                 StringRef Message) -> LintFinding & {
    LintFinding F;
    F.Kernel = Kernel;
    F.Found.Id = Id;
    F.Found.Remark = Remark;
    F.Found.Level = Level;
    F.Found.Message = Message.str();
    F.Found.Kernel = R.Inputs[0].Kernels[Kernel].Name;
    F.Fingerprint =
        std::string(31, '0') + "0123456789abcdef"[R.Findings.size()];
    F.SameAs = R.Findings.size();
    R.Findings.push_back(std::move(F));
    return R.Findings.back();
  };
  LintFinding &Banks =
      Add(0, "bank-conflict", "BankConflict", Severity::Warning,
          "32 passes | `x` <b> {1}, 100 %\nat @p");
  Banks.Found.Where = {"src/k.cu", 7, 8, {"src/k.cu:20:3"}, 55};
  Banks.Found.Gains = {{"a100", 0.5}, {"h100", 0.25}};
  Banks.Found.Help = "pad a row";
  Banks.SourceLine = "\xc3\xa9\xf0\x9d\x84\x9e tile[x]"; // é, 𝄞, space
  Banks.NumSame = 2;
  LintFinding &Occupancy =
      Add(0, "low-occupancy", "LowOccupancy", Severity::Note, "few warps");
  Occupancy.Found.Where = {"a b%/k.ptx", 10, 1, {}, 10};
  Occupancy.SourceLine = "  .visible .entry";
  Occupancy.State = FindingState::Known;
  LintFinding Same = R.Findings[0];
  LintFinding &Again = Add(1, "bank-conflict", "BankConflict",
                           Severity::Warning, Same.Found.Message);
  Again.Found.Where = Same.Found.Where;
  Again.SourceLine = Same.SourceLine;
  Again.SameAs = 0;
  Add(1, "barrier-in-divergent-code", "BarrierInDivergentCode", Severity::Error,
      "some miss it")
      .Found.Where = {"a b%/k.ptx", 0, 0, {}, 0};
  LintFinding &Stride = Add(1, "uncoalesced-access", "UncoalescedAccess",
                            Severity::Warning, "strided");
  Stride.Found.Where = {"src/k.cu", 9, 3, {}, 60};
  Stride.InputLine = "  ld.global.f32 %f1, [%rd1];";
  Stride.State = FindingState::Suppressed;
  Stride.SuppressedInSource = true;
  Stride.Reason = "meant | so";
  for (LintFinding &F : R.Findings)
    F.Counts =
        F.State == FindingState::New && F.Found.Level <= Severity::Warning;
  R.HasBaseline = true;
  R.NumGone = 3;
  return R;
}

/// One input and kernel without findings.
inline LintResult makeCleanResult() {
  LintResult R = makeLintResult();
  R.Findings.clear();
  R.HasBaseline = false;
  R.NumGone = 0;
  R.Inputs.erase(R.Inputs.begin() + 1);
  return R;
}

inline std::string printed(llvm::function_ref<void(raw_ostream &)> Print) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Print(OS);
  return Text;
}

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_REPORT_LINT_LINTRESULTS_H
