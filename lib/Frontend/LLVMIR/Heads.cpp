//===- Heads.cpp - Names, bounds and parameters of functions --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// LLVM's reader turns the annotations of older IR ("kernel", "maxntidx" …) into
// the calling convention and the attributes that are read here.
//===----------------------------------------------------------------------===//
#include "Heads.h"
#include "InputLines.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Up to three numbers: "128,2".
static std::optional<KernelBounds::Extent> extent(const llvm::Function &F,
                                                  StringRef Attribute) {
  llvm::Attribute A = F.getFnAttribute(Attribute);
  if (!A.isValid())
    return std::nullopt;
  KernelBounds::Extent E = {1, 1, 1};
  StringRef Rest = A.getValueAsString();
  for (uint64_t &Each : E) {
    StringRef Number;
    std::tie(Number, Rest) = Rest.split(',');
    if (Number.trim().getAsInteger(10, Each) || Each == 0)
      Each = 1;
  }
  return E;
}

static std::optional<unsigned> number(const llvm::Function &F,
                                      StringRef Attribute) {
  unsigned Value;
  if (F.getFnAttribute(Attribute).getValueAsString().getAsInteger(10, Value))
    return std::nullopt;
  return Value;
}

static void lowerBounds(const llvm::Function &F, KernelBounds &Bounds) {
  Bounds.MaxThreads = extent(F, "nvvm.maxntid");
  Bounds.RequiredThreads = extent(F, "nvvm.reqntid");
  Bounds.RequiredCluster = extent(F, "nvvm.cluster_dim");
  Bounds.MinBlocksPerSM = number(F, "nvvm.minctasm");
  Bounds.MaxRegisters = number(F, "nvvm.maxnreg");
  Bounds.MaxClusterRank = number(F, "nvvm.maxclusterrank");
}

static Linkage linkageOf(const llvm::Function &F) {
  return F.isDeclaration()        ? Linkage::Extern
         : F.hasLocalLinkage()    ? Linkage::Internal
         : F.hasExternalLinkage() ? Linkage::Visible
                                  : Linkage::Weak;
}

//===----------------------------------------------------------------------===//
// Names in the source
//===----------------------------------------------------------------------===//

namespace {
/// The names of a function's arguments in the source, from its debug data.
class SourceNames {
public:
  explicit SourceNames(const llvm::Function &F) {
    const llvm::DISubprogram *P = F.getSubprogram();
    if (!P)
      return;
    for (const llvm::DINode *N : P->getRetainedNodes())
      add(dyn_cast<llvm::DILocalVariable>(N));
    if (!F.isDeclaration())
      for (const llvm::Instruction &I : F.getEntryBlock())
        for (const llvm::DbgVariableRecord &R :
             llvm::filterDbgVars(I.getDbgRecordRange()))
          if (R.getVariable()->getScope() == P &&
              !R.getDebugLoc()->getInlinedAt())
            add(R.getVariable());
    // The first of the types is that of what is returned.
    const llvm::DISubroutineType *T = P->getType();
    IsOneToOne = T && T->getTypeArray().size() == F.arg_size() + 1;
    if (IsOneToOne)
      Types = T->getTypeArray();
  }

  /// The type of a structure's bytes; null if nobody knows it.
  const SourceType *typeOf(const llvm::Argument &A, const Parameter &P,
                           SourceTypes &Made) const {
    if (!IsOneToOne || P.Elements == 1)
      return nullptr;
    const SourceType *T = Made.get(Types[A.getArgNo() + 1]);
    return T && T->Bytes == P.Bytes ? T : nullptr;
  }

  StringRef operator[](const llvm::Argument &A) const {
    if (A.hasName())
      return A.getName();
    // Numbers count what the source declares: an argument that the compiler
    // took apart or added moves those behind it.
    return IsOneToOne ? Names.lookup(A.getArgNo() + 1) : StringRef();
  }

private:
  void add(const llvm::DILocalVariable *V) {
    if (V && V->getArg() != 0)
      Names.try_emplace(V->getArg(), V->getName());
  }

  llvm::DenseMap<unsigned, StringRef> Names; ///< by number from 1
  bool IsOneToOne = false;
  llvm::DITypeRefArray Types; ///< if it is
};
} // namespace

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static bool isKernel(const llvm::Function &F) {
  return F.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

/// What the back end passes as bytes.
static bool isArray(llvm::Type *T) {
  return T->isAggregateType() || T->isVectorTy() || T->isHalfTy() ||
         T->isBFloatTy() || T->isFP128Ty() ||
         (T->isIntegerTy() && T->getIntegerBitWidth() > 64);
}

/// The alignment of an array: all callers of a function that nobody else can
/// call follow the back end, which chooses one for whole loads.
static llvm::Align arrayAlign(const llvm::Function &F, llvm::Type *T,
                              const llvm::DataLayout &Layout) {
  llvm::Align A = std::min(llvm::Align(128), Layout.getABITypeAlign(T));
  return F.hasLocalLinkage() && !F.hasAddressTaken()
             ? std::max(llvm::Align(16), A)
             : A;
}

/// Sets the type and size of what is passed in \p P.
static void setType(Parameter &P, const llvm::Function &F, llvm::Type *T,
                    llvm::MaybeAlign Given, const llvm::DataLayout &Layout) {
  if (isArray(T)) {
    P.Type = ScalarType::B8;
    P.Bytes = P.Elements = Layout.getTypeAllocSize(T).getFixedValue();
    P.Align = Given.value_or(arrayAlign(F, T, Layout)).value();
    return;
  }
  uint64_t Bits = Layout.getTypeSizeInBits(T).getFixedValue();
  if (!isKernel(F))
    P.Type = Bits <= 32 ? ScalarType::B32 : ScalarType::B64;
  else if (T->isFloatingPointTy())
    P.Type = Bits == 32 ? ScalarType::F32 : ScalarType::F64;
  else
    P.Type = Bits <= 8    ? ScalarType::U8
             : Bits <= 16 ? ScalarType::U16
             : Bits <= 32 ? ScalarType::U32
                          : ScalarType::U64;
  P.Bytes = P.Align = bitWidth(P.Type) / 8;
}

/// Gives \p P its place behind the one before it.
static void place(Parameter &P, uint64_t &Offset) {
  P.Offset = llvm::alignTo(Offset, P.Align);
  Offset = P.Offset + P.Bytes;
}

static void lowerReturn(ModuleLowering &Context, const llvm::Function &F,
                        InstructionGraph &G) {
  if (F.getReturnType()->isVoidTy())
    return;
  Parameter P;
  P.Name = "func_retval0";
  P.IsReturn = true;
  setType(P, F, F.getReturnType(), F.getAttributes().getRetStackAlignment(),
          Context.layout());
  G.Parameters.push_back(P);
}

static void lowerArgument(ModuleLowering &Context, const llvm::Argument &A,
                          InstructionGraph &G, uint64_t &Offset) {
  const llvm::Function &F = *A.getParent();
  const llvm::DataLayout &Layout = Context.layout();
  Parameter P;
  P.Position = A.getArgNo();
  P.Name = Context.keep(F.getName() + "_param_" + Twine(P.Position));
  llvm::MaybeAlign Given = F.getAttributes().getParamStackAlignment(P.Position);
  if (llvm::Type *T = A.getParamByValType()) {
    P.Type = ScalarType::B8;
    P.Bytes = P.Elements = Layout.getTypeAllocSize(T).getFixedValue();
    llvm::Align Align =
        std::max(A.getParamAlign().valueOrOne(), arrayAlign(F, T, Layout));
    P.Align = Given.value_or(Align).value();
  } else {
    setType(P, F, A.getType(), Given, Layout);
    if (G.IsKernel && A.getType()->isPointerTy()) {
      P.PointerSpace = spaceOf(A.getType()->getPointerAddressSpace());
      P.PointerAlign = A.getParamAlign().valueOrOne().value();
    }
  }
  place(P, Offset);
  G.Parameters.push_back(P);
}

void llvmir::lowerHead(ModuleLowering &Context, const llvm::Function &F,
                       InstructionGraph &G) {
  G.Name = Context.keep(F.getName());
  G.IsKernel = isKernel(F);
  G.Link = linkageOf(F);
  G.Line = inputLine(F);
  lowerBounds(F, G.Bounds);
  if (!G.IsKernel)
    lowerReturn(Context, F, G);
  uint64_t Offset = 0;
  SourceNames Names(F);
  for (const llvm::Argument &A : F.args()) {
    lowerArgument(Context, A, G, Offset);
    Parameter &P = G.Parameters.back();
    P.SourceName = Context.keep(Names[A]);
    if (G.IsKernel)
      P.Layout = Names.typeOf(A, P, Context.sourceTypes());
  }
  if (F.isVarArg()) {
    Parameter P;
    P.Position = unsigned(F.arg_size());
    P.Name = Context.keep(F.getName() + "_vararg");
    P.Type = ScalarType::B8;
    P.Align = 8;
    place(P, Offset);
    G.Parameters.push_back(P);
  }
}

void llvmir::copySourceNames(const llvm::Module &IR, Module &To) {
  SourceTypes Types(To.Allocator);
  for (const auto &G : To.Functions) {
    const llvm::Function *F = IR.getFunction(G->Name);
    if (!F)
      continue;
    SourceNames Names(*F);
    for (Parameter &P : G->Parameters)
      if (!P.IsReturn && P.Position < F->arg_size()) {
        const llvm::Argument &A = *F->getArg(P.Position);
        P.SourceName = Names[A].copy(To.Allocator);
        if (G->IsKernel)
          P.Layout = Names.typeOf(A, P, Types);
      }
  }
}
