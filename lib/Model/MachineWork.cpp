//===- MachineWork.cpp - Machine instructions of a warp, by pipe ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/MachineWork.h"
#include "Corrections.h"
#include "ptxpredict/Model/Spills.h"
#include <numeric>

using namespace ptxpredict;

StringRef ptxpredict::toString(MachinePipe P) {
  static constexpr StringRef Names[] = {
#define MACHINE_PIPE(NAME, TEXT, MEANING) TEXT,
#include "ptxpredict/Model/MachinePipes.def"
  };
  return Names[unsigned(P)];
}

bool ptxpredict::accessesMemory(MachinePipe P) {
  switch (P) {
  case MachinePipe::GlobalLoad:
  case MachinePipe::GlobalStore:
  case MachinePipe::GlobalAtomic:
  case MachinePipe::Reduction:
  case MachinePipe::SharedLoad:
  case MachinePipe::SharedStore:
  case MachinePipe::SharedAtomic:
  case MachinePipe::LocalLoad:
  case MachinePipe::LocalStore:
  case MachinePipe::Texture:
  case MachinePipe::AsyncCopy:
    return true;
  default:
    return false;
  }
}

double MachineWork::instructions() const {
  return std::accumulate(ByPipe.begin(), ByPipe.end(), 0.0);
}

namespace {

/// Where the work of a PTX instruction goes.
MachinePipe pipeOf(SchedClass Work) {
  switch (Work) {
  case SchedClass::IntMultiply:
    return MachinePipe::IntMultiply;
  case SchedClass::FP16:
  case SchedClass::FP16FMA:
    return MachinePipe::FP16;
  case SchedClass::FP32:
  case SchedClass::FP32FMA:
  case SchedClass::FP32Divide:
    return MachinePipe::FP32;
  case SchedClass::FP64:
  case SchedClass::FP64FMA:
  case SchedClass::FP64Divide:
    return MachinePipe::FP64;
  case SchedClass::SFU:
    return MachinePipe::SFU;
  case SchedClass::Tensor:
    return MachinePipe::Tensor;
  case SchedClass::Convert:
    return MachinePipe::Convert;
  case SchedClass::FP64Convert:
    return MachinePipe::FP64Convert;
  case SchedClass::CrossLane:
    return MachinePipe::Shuffle;
  case SchedClass::BranchTaken:
  case SchedClass::BranchNotTaken:
  case SchedClass::Call:
  case SchedClass::Exit:
    return MachinePipe::Control;
  case SchedClass::Barrier:
    return MachinePipe::Barrier;
  case SchedClass::Fence:
    return MachinePipe::Fence;
  case SchedClass::Texture:
    return MachinePipe::Texture;
  case SchedClass::Other:
    return MachinePipe::Other;
  default:
    return MachinePipe::Int;
  }
}

MachinePipe pipeOf(const MemoryCharacteristics &M) {
  bool Loads = M.Access == AccessKind::Load;
  if (M.Access == AccessKind::Async)
    return MachinePipe::AsyncCopy;
  switch (M.Space) {
  case AddressSpace::Shared:
    return M.Access == AccessKind::Atomic ? MachinePipe::SharedAtomic
           : Loads                        ? MachinePipe::SharedLoad
                                          : MachinePipe::SharedStore;
  case AddressSpace::Local:
    return Loads ? MachinePipe::LocalLoad : MachinePipe::LocalStore;
  default:
    if (M.Access == AccessKind::Atomic)
      return StringRef(M.Opcode).starts_with("red") ? MachinePipe::Reduction
                                                    : MachinePipe::GlobalAtomic;
    return Loads ? MachinePipe::GlobalLoad : MachinePipe::GlobalStore;
  }
}

/// Work that is counted by its requests.
bool isMemory(SchedClass Work) {
  switch (Work) {
  case SchedClass::Shared:
  case SchedClass::Global:
  case SchedClass::Local:
  case SchedClass::SharedAtomic:
  case SchedClass::GlobalAtomic:
  case SchedClass::AsyncCopy:
  case SchedClass::BulkCopy:
  case SchedClass::Store:
    return true;
  default:
    return false;
  }
}

} // namespace

MachineWork ptxpredict::ptxWork(const KernelCharacteristics &K,
                                double Estimate::*Which) {
  MachineWork Work;
  for (unsigned I = 0; I != NumSchedClasses; ++I)
    if (K.ByWork[I] && !isMemory(SchedClass(I)) &&
        SchedClass(I) != SchedClass::Param)
      Work.of(pipeOf(SchedClass(I))) += (*K.ByWork[I]).*Which;
  for (const MemoryCharacteristics &M : K.Memory)
    Work.of(pipeOf(M)) += M.Requests.*Which;
  return Work;
}

namespace {

struct Part {
  MachinePipe Pipe = MachinePipe::Other;
  double Num = 0;
};
struct Expansion {
  MachineForm Form;
  unsigned Since;
  std::array<Part, 6> Parts;
};

// Short names for the table's rows.
namespace pipes {
#define MACHINE_PIPE(NAME, TEXT, MEANING)                                      \
  [[maybe_unused]] constexpr MachinePipe NAME = MachinePipe::NAME;
#include "ptxpredict/Model/MachinePipes.def"
} // namespace pipes

/// The table, and where the rows of each form begin.
class Expansions {
public:
  /// Null if \p F is nothing for \p CC.
  static const Expansion *of(MachineForm F, unsigned CC);

private:
  static ArrayRef<Expansion> rows();
};

ArrayRef<Expansion> Expansions::rows() {
  using namespace pipes;
  static const Expansion Rows[] = {
#define EXPAND(FORM, SINCE, ...) {MachineForm::FORM, SINCE, {{__VA_ARGS__}}},
#include "MachineExpansions.def"
  };
  return Rows;
}

const Expansion *Expansions::of(MachineForm F, unsigned CC) {
  static const auto First = [] {
    std::array<const Expansion *, NumMachineForms> Of{};
    for (const Expansion &E : llvm::reverse(rows()))
      Of[unsigned(E.Form)] = &E;
    return Of;
  }();
  const Expansion *Found = nullptr;
  for (const Expansion *E = First[unsigned(F)];
       E && E != rows().end() && E->Form == F && E->Since <= CC; ++E)
    Found = E;
  return Found;
}

/// Integer work has lanes of its own for what a warp shares, since 7.5.
MachinePipe uniformPipe(MachinePipe P, unsigned CC) {
  bool IsInteger = P == MachinePipe::Int || P == MachinePipe::IntMultiply;
  return CC >= 75 && IsInteger ? MachinePipe::Uniform : P;
}

} // namespace

/// \p Share: of what the mean instruction does.
static void addSpills(const KernelCharacteristics &K, double Estimate::*Which,
                      double Share, MachineWork &Work) {
  const Spills S = spillsOf(K, Which);
  Work.of(MachinePipe::LocalStore) += S.Stores * Share;
  Work.of(MachinePipe::LocalLoad) += S.Loads * Share;
}

/// Of a warp in the mean, or of one of \p Heaviest.
static MachineWork workOf(const KernelCharacteristics &K, unsigned CC,
                          double Estimate::*Which,
                          const HeaviestBlocksCharacteristics *Heaviest) {
  const double Mean = Heaviest ? Heaviest->Instructions : 1;
  MachineWork Work;
  bool HasForms = false;
  auto Add = [&](unsigned Form, bool IsUniform) {
    const auto &C = (IsUniform ? K.UniformByForm : K.ByForm)[Form];
    if (!C)
      return;
    HasForms = true;
    const Expansion *E = Expansions::of(MachineForm(Form), CC);
    if (!E)
      return;
    double Num = (*C).*Which;
    if (Heaviest)
      Num *= (IsUniform ? Heaviest->UniformByForm : Heaviest->ByForm)[Form];
    for (const Part &P : E->Parts)
      Work.of(IsUniform ? uniformPipe(P.Pipe, CC) : P.Pipe) += Num * P.Num;
  };
  for (unsigned I = 0; I != NumMachineForms; ++I) {
    Add(I, false);
    Add(I, true);
  }
  if (K.TensorMACs)
    Work.TensorMACs =
        (*K.TensorMACs).*Which * (Heaviest ? Heaviest->TensorMACs : 1);
  // Characteristics that somebody else wrote may lack the forms.
  if (!HasForms) {
    Work = ptxWork(K, Which);
    for (double &N : Work.ByPipe)
      N *= Mean;
  }
  addSpills(K, Which, Mean, Work);
  if (K.Counted)
    correctWork(*K.Counted, Which, Work);
  return Work;
}

MachineWork ptxpredict::machineWork(const KernelCharacteristics &K, unsigned CC,
                                    double Estimate::*Which) {
  return workOf(K, CC, Which, nullptr);
}

MachineWork ptxpredict::heaviestWork(const KernelCharacteristics &K,
                                     unsigned CC, double Estimate::*Which) {
  return workOf(K, CC, Which, &*K.Heaviest);
}
