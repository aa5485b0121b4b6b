//===- ModuleRemarks.cpp - Remarks about the kernels of a module ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ModuleRemarks.h"
#include "RecordFile.h"
#include "Silence.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"
#include "llvm/Remarks/RemarkStreamer.h"
#include "llvm/Support/CrashRecoveryContext.h"

using namespace ptxpredict;
using namespace ptxpredict::plugin;
using llvm::OptimizationRemarkAnalysis;

bool plugin::areRemarksWanted(const llvm::Module &IR, const Options &O) {
  llvm::LLVMContext &Context = IR.getContext();
  if (!O.RecordFolder.empty() ||
      Context.getDiagHandlerPtr()->isAnalysisRemarkEnabled(PassName))
    return true;
  llvm::remarks::RemarkStreamer *Streamer = Context.getMainRemarkStreamer();
  return Streamer && Streamer->matchesFilter(PassName);
}

/// What the driver calls the module: no debug location has such a file.
static constexpr StringRef InputName = "<module>";

namespace {

/// What is said of one kernel, in that order.
struct KernelRemarks {
  const llvm::Function *Kernel;
  std::vector<std::unique_ptr<OptimizationRemarkAnalysis>> Remarks;
};

/// Findings to remarks.
class RemarkMaker {
public:
  RemarkMaker(const llvm::Module &IR, const llvmir::ModuleBuilder &Builder,
              const Options &Asked)
      : IR(IR), Builder(Builder), Asked(Asked), Silent(IR) {}

  void make(const KernelReport &Report, std::vector<KernelRemarks> &All);

private:
  bool isWanted(const Finding &Found) const;
  /// Some debug location of "k.cu:7:12"; null if none is there. Those of one
  /// place differ in what they are inlined at.
  const llvm::DILocation *find(StringRef Place);
  std::unique_ptr<OptimizationRemarkAnalysis>
  make(const llvm::Function &F, const Finding &Found,
       const llvm::DILocation *At) const;

  const llvm::Module &IR;
  const llvmir::ModuleBuilder &Builder;
  const Options &Asked;
  Silence Silent;
  /// Filled at the first question.
  llvm::StringMap<const llvm::DILocation *> Locations;
};

} // namespace

/// As findings write places.
static std::string placeText(StringRef Path, unsigned Line, unsigned Column) {
  std::string Text = (Path + ":" + Twine(Line)).str();
  return Column ? Text + ":" + std::to_string(Column) : Text;
}

const llvm::DILocation *RemarkMaker::find(StringRef Place) {
  if (Locations.empty())
    Builder.visitLocations(
        [&](const SourceLocation &S, const llvm::DILocation &L) {
          Locations.try_emplace(placeText(S.File, S.Line, S.Column), &L);
        });
  return Locations.lookup(Place);
}

/// The line of the function's name; null without debug data.
static const llvm::DILocation *locationOf(const llvm::Function &F) {
  llvm::DISubprogram *P = F.getSubprogram();
  return P ? llvm::DILocation::get(F.getContext(), P->getLine(), 0, P)
           : nullptr;
}

static std::unique_ptr<OptimizationRemarkAnalysis>
start(const llvm::Function &F, StringRef Name, const llvm::DILocation *At) {
  return std::make_unique<OptimizationRemarkAnalysis>(
      PassName, Name, At ? llvm::DebugLoc(At) : llvm::DebugLoc(),
      &F.getEntryBlock());
}

static std::unique_ptr<OptimizationRemarkAnalysis>
problem(const llvm::Function &F, StringRef Text) {
  auto R = start(F, "Problem", locationOf(F));
  R->insert(Text);
  return R;
}

static bool isKernel(const llvm::Function &F) {
  return !F.isDeclaration() &&
         F.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

/// The first kernel, else the first function with a body; null without one.
static const llvm::Function *firstFunction(const llvm::Module &IR) {
  const llvm::Function *First = nullptr;
  for (const llvm::Function &F : IR) {
    if (isKernel(F))
      return &F;
    if (!First && !F.isDeclaration())
      First = &F;
  }
  return First;
}

void plugin::reportProblem(const llvm::Function &F, StringRef Text) {
  llvm::OptimizationRemarkEmitter(&F).emit(*problem(F, Text));
}

void plugin::reportProblem(const llvm::Module &IR, StringRef Text) {
  if (const llvm::Function *F = firstFunction(IR))
    reportProblem(*F, Text);
}

bool RemarkMaker::isWanted(const Finding &Found) const {
  if (!Asked.Rules.wants(Found.Id))
    return false;
  std::optional<double> Gain = Found.bestGain();
  return !Gain || *Gain >= Asked.MinGain;
}

std::unique_ptr<OptimizationRemarkAnalysis>
RemarkMaker::make(const llvm::Function &F, const Finding &Found,
                  const llvm::DILocation *At) const {
  using llvm::ore::NV;
  auto R = start(F, Found.Remark, At);
  R->insert(Found.messageWithId());
  R->insert(OptimizationRemarkAnalysis::setExtraArgs());
  R->insert(NV("Id", Found.Id));
  R->insert(NV("Severity", toString(Found.Level)));
  R->insert(NV("Kernel", Found.Kernel));
  for (const FindingGain &G : Found.Gains)
    R->insert(NV("Gain." + G.Device, shortNumber(G.Share)));
  if (std::optional<double> Best = Found.bestGain())
    R->insert(NV("Gain", shortNumber(*Best)));
  for (const FindingValue &V : Found.Values)
    R->insert(NV(V.Device.empty() ? V.Name : V.Name + "." + V.Device,
                 V.Text.empty() ? shortNumber(V.Number) : V.Text));
  if (!Found.Where.InlinedAt.empty())
    R->insert(NV("InlinedAt", llvm::join(Found.Where.InlinedAt, " ")));
  if (!Found.Help.empty())
    R->insert(NV("Help", Found.Help));
  return R;
}

void RemarkMaker::make(const KernelReport &Report,
                       std::vector<KernelRemarks> &All) {
  const llvm::Function *F = IR.getFunction(Report.Characteristics->Name);
  if (!F || F->isDeclaration())
    return;
  KernelRemarks Of{F, {}};
  for (const Finding &Found : Report.Findings) {
    if (!isWanted(Found))
      continue;
    const FindingLocation &Where = Found.Where;
    const llvm::DILocation *At =
        find(placeText(Where.Path, Where.Line, Where.Column));
    if (!At)
      At = locationOf(*F);
    auto IsSilent = [&](const llvm::DILocation *There) {
      return There && Silent.covers(*There, Found.Id);
    };
    if (Silent.covers(*F, Found.Id) || IsSilent(At) ||
        llvm::any_of(Where.InlinedAt,
                     [&](StringRef Frame) { return IsSilent(find(Frame)); }))
      continue;
    Of.Remarks.push_back(make(*F, Found, At));
  }
  All.push_back(std::move(Of));
}

ModuleRemarks::ModuleRemarks(const llvm::Module &IR,
                             const llvm::Module &Lowered, StringRef Processor,
                             Options O)
    : IR(IR), Lowered(Lowered), Processor(Processor), Asked(std::move(O)) {}

ModuleRemarks::~ModuleRemarks() = default;

void ModuleRemarks::guard(llvm::function_ref<void()> Work) {
  // A compiler that runs in a context of its own has its handlers installed,
  // and needs them after us.
  bool IsOurs = !llvm::CrashRecoveryContext::GetCurrent();
  if (IsOurs)
    llvm::CrashRecoveryContext::Enable();
  {
    llvm::CrashRecoveryContext Recovery;
    if (!Recovery.RunSafely(Work)) {
      Stopped = true;
      // What is half built may be broken.
      (void)Builder.release();
      reportProblem(IR, "the analysis crashed; nothing more is said of this "
                        "module");
    }
  }
  if (IsOurs)
    llvm::CrashRecoveryContext::Disable();
}

void ModuleRemarks::lower(const llvm::Function &F) {
  if (Stopped)
    return;
  guard([&] {
    if (!Builder)
      Builder =
          std::make_unique<llvmir::ModuleBuilder>(Lowered, Processor, Diags);
    Stopped = Builder->lowerBody(F);
  });
  if (Diags.hasErrors())
    reportProblem(IR, Diags.diagnostics().front().Message);
}

/// What options, files and kernels have wrong with them; a note says more of
/// what is there already.
static std::vector<std::string>
problemsOf(ArrayRef<const DiagnosticEngine *> Engines) {
  std::vector<std::string> Texts;
  for (const DiagnosticEngine *E : Engines)
    for (const Diagnostic &D : E->diagnostics()) {
      if (D.Level == Severity::Note)
        continue;
      std::string Place = D.Path == InputName ? "" : D.Path;
      if (D.Line)
        Place = placeText(Place, D.Line, D.Column);
      Texts.push_back(
          printable(Place.empty() ? D.Message : Place + ": " + D.Message));
    }
  return Texts;
}

void ModuleRemarks::emit() {
  const bool HasKernel = llvm::any_of(Lowered, isKernel);
  if (Stopped || !Builder || !HasKernel)
    return;
  std::vector<KernelRemarks> All;
  std::vector<std::string> Problems;
  if (!Asked.Problem.empty())
    Problems.push_back(Asked.Problem);
  guard([&] {
    if (Asked.Crash)
      std::abort();
    DriverOptions Options;
    Options.Devices = Asked.Devices;
    Options.LaunchFilePath = Asked.LaunchFile;
    Options.LaunchFileIsShared = true;
    Options.FindDefects = true;
    Options.OnlyFindings = true;
    Options.Jobs = 1;
    Driver TheDriver(std::move(Options));
    if (TheDriver.prepare()) {
      TheDriver.add(makeLoweredInput(Builder->take()), InputName);
      RemarkMaker Maker(IR, *Builder, Asked);
      for (const KernelReport &K : TheDriver.run().Kernels)
        Maker.make(K, All);
    }
    for (std::string &Text : problemsOf(TheDriver.diagnostics()))
      Problems.push_back(std::move(Text));
  });
  if (Stopped)
    return;
  if (const llvm::Function *F = firstFunction(IR); F && !Problems.empty()) {
    if (All.empty() || All.front().Kernel != F)
      All.insert(All.begin(), {F, {}});
    for (StringRef Text : llvm::reverse(Problems))
      All.front().Remarks.insert(All.front().Remarks.begin(),
                                 problem(*F, Text));
  }
  for (KernelRemarks &Of : All) {
    llvm::OptimizationRemarkEmitter Emitter(Of.Kernel);
    SmallVector<const llvm::DiagnosticInfoOptimizationBase *, 8> Written;
    for (auto &R : Of.Remarks) {
      Emitter.emit(*R);
      Written.push_back(R.get());
    }
    if (Asked.RecordFolder.empty())
      continue;
    if (Error E = writeRecord(
            Asked.RecordFolder,
            recordName(IR.getSourceFileName(), Of.Kernel->getName(), Processor),
            Written))
      reportProblem(*Of.Kernel,
                    "no record is written: " + llvm::toString(std::move(E)));
  }
}
