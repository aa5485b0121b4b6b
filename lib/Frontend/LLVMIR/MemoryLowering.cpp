//===- MemoryLowering.cpp - Loads, stores, atomics and fences -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MemoryLowering.h"
#include "FunctionLowering.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

using Kind = Operand::KindTy;

/// ".global" and the like; empty for a generic address.
static std::string spaceSuffix(const llvm::Value *Pointer) {
  unsigned Number = Pointer->getType()->getPointerAddressSpace();
  if (Number == llvm::NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER)
    return ".shared::cluster";
  AddressSpace S = spaceOf(Number);
  return S == AddressSpace::Generic ? "" : "." + ptxpredict::toString(S).str();
}

/// ".cta", ".gpu" or ".sys" of an atomic's or fence's scope.
static std::string scopeSuffix(const llvm::LLVMContext &C,
                               llvm::SyncScope::ID Id) {
  StringRef Name = C.getSyncScopeName(Id).value_or("");
  return llvm::StringSwitch<const char *>(Name)
      .Cases({"block", "singlethread"}, ".cta")
      .Case("cluster", ".cluster")
      .Case("device", ".gpu")
      .Default(".sys");
}

static StringRef orderingSuffix(llvm::AtomicOrdering O) {
  switch (O) {
  case llvm::AtomicOrdering::Acquire:
    return ".acquire";
  case llvm::AtomicOrdering::Release:
    return ".release";
  case llvm::AtomicOrdering::AcquireRelease:
    return ".acq_rel";
  case llvm::AtomicOrdering::SequentiallyConsistent:
    return ".acquire"; // behind a fence.sc
  default:
    return ".relaxed";
  }
}

//===----------------------------------------------------------------------===//
// Components in memory
//===----------------------------------------------------------------------===//

namespace {
/// A component in memory.
struct Piece {
  uint64_t Offset = 0; ///< bytes
  unsigned Bits = 0;   ///< in memory
  bool IsVectorElement = false;
};
} // namespace

static void findPieces(llvm::Type *T, const llvm::DataLayout &DL,
                       uint64_t Offset, bool InVector,
                       SmallVectorImpl<Piece> &Out) {
  if (auto *S = dyn_cast<llvm::StructType>(T)) {
    const llvm::StructLayout *L = DL.getStructLayout(S);
    for (unsigned I = 0; I != S->getNumElements(); ++I)
      findPieces(S->getElementType(I), DL, Offset + L->getElementOffset(I),
                 false, Out);
    return;
  }
  if (auto *A = dyn_cast<llvm::ArrayType>(T)) {
    uint64_t Stride = DL.getTypeAllocSize(A->getElementType());
    for (uint64_t I = 0; I != A->getNumElements(); ++I)
      findPieces(A->getElementType(), DL, Offset + I * Stride, false, Out);
    return;
  }
  if (auto *V = dyn_cast<llvm::FixedVectorType>(T)) {
    unsigned Packed = FunctionLowering::elementsPerComponent(T);
    uint64_t ElementBits = DL.getTypeSizeInBits(V->getElementType());
    if (ElementBits < 8)
      ElementBits = 8;
    for (unsigned I = 0; I < V->getNumElements(); I += Packed)
      Out.push_back(
          {Offset + I * ElementBits / 8, unsigned(ElementBits * Packed), true});
    return;
  }
  unsigned Bits = unsigned(DL.getTypeStoreSizeInBits(T).getFixedValue());
  for (; Bits > 64; Bits -= 64, Offset += 8)
    Out.push_back({Offset, 64, InVector});
  Out.push_back({Offset, unsigned(llvm::PowerOf2Ceil(Bits)), InVector});
}

/// How many pieces from \p At on one access takes.
static unsigned piecesAtOnce(ArrayRef<Piece> Pieces, size_t At,
                             llvm::Align Align, unsigned MostBytes) {
  for (unsigned N : {8U, 4U, 2U}) {
    if (At + N > Pieces.size() || !Pieces[At].IsVectorElement)
      continue;
    uint64_t Bytes = uint64_t(Pieces[At].Bits) / 8 * N;
    if (Bytes > MostBytes || (N == 8 && Pieces[At].Bits != 32) ||
        llvm::commonAlignment(Align, Pieces[At].Offset).value() < Bytes)
      continue;
    return N;
  }
  return 1;
}

static Operand moved(Operand Address, uint64_t By) {
  Address.Bits += By;
  return Address;
}

void MemoryLowering::load(const Operand &From, ArrayRef<Operand> To,
                          const ComponentAccess &A) {
  SmallVector<Piece, 8> Pieces;
  findPieces(A.T, F.layout(), 0, false, Pieces);
  unsigned Most =
      F.capability() >= 100 && From.Elements[0].Kind != Kind::Parameter ? 32
                                                                        : 16;
  for (size_t At = 0; At < To.size() && At < Pieces.size();) {
    const Piece &P = Pieces[At];
    unsigned N = piecesAtOnce(Pieces, At, A.Align, Most);
    std::string Type = ".b" + std::to_string(P.Bits);
    if (N > 1) {
      F.emit((A.Mnemonic + ".v" + Twine(N) + Type).str(),
             {F.vector(To.slice(At, N)), moved(From, P.Offset)});
      At += N;
      continue;
    }
    if (A.Extension && isa<llvm::SExtInst>(A.Extension))
      Type[1] = 's';
    const Operand &R = To[At++];
    uint64_t Known = llvm::commonAlignment(A.Align, P.Offset).value();
    if (R.Type == ScalarType::Pred) {
      Operand Byte = F.temporary(ScalarType::B16),
              Bit = F.temporary(ScalarType::B16);
      F.emit(A.Mnemonic + ".b8", {Byte, moved(From, P.Offset)});
      F.emit("and.b16", {Bit, Byte, F.integer(1, ScalarType::B16)});
      F.emit("setp.ne.b16", {R, Bit, F.integer(0, ScalarType::B16)});
    } else if (Known * 8 < P.Bits) {
      loadInParts(moved(From, P.Offset), R, P.Bits / 8, unsigned(Known),
                  A.Mnemonic);
    } else {
      F.emit(A.Mnemonic + Type, {R, moved(From, P.Offset)});
    }
  }
}

void MemoryLowering::loadInParts(const Operand &From, const Operand &To,
                                 unsigned Bytes, unsigned PartBytes,
                                 StringRef Mnemonic) {
  std::string Load = (Mnemonic + ".b" + Twine(PartBytes * 8)).str();
  std::string Bits = To.Type == ScalarType::B64   ? "64"
                     : To.Type == ScalarType::B16 ? "16"
                                                  : "32";
  Operand Sum;
  for (unsigned At = 0; At < Bytes; At += PartBytes) {
    Operand Part = F.temporary(To.Type);
    F.emit(Load, {Part, moved(From, At)});
    if (At == 0) {
      Sum = Part;
      continue;
    }
    Operand Shifted = F.temporary(To.Type);
    F.emit("shl.b" + Bits,
           {Shifted, Part, F.integer(int64_t(At) * 8, ScalarType::B32)});
    Operand Next = At + PartBytes >= Bytes ? To : F.temporary(To.Type);
    F.emit("or.b" + Bits, {Next, Shifted, Sum});
    Sum = Next;
  }
}

void MemoryLowering::store(const Operand &To, ArrayRef<Operand> From,
                           const ComponentAccess &A) {
  SmallVector<Piece, 8> Pieces;
  findPieces(A.T, F.layout(), 0, false, Pieces);
  for (size_t At = 0; At < From.size() && At < Pieces.size();) {
    const Piece &P = Pieces[At];
    unsigned N =
        piecesAtOnce(Pieces, At, A.Align, F.capability() >= 100 ? 32 : 16);
    std::string Type = ".b" + std::to_string(P.Bits);
    if (N > 1) {
      F.emit((A.Mnemonic + ".v" + Twine(N) + Type).str(),
             {moved(To, P.Offset), F.vector(From.slice(At, N))});
      At += N;
      continue;
    }
    Operand R = From[At++];
    unsigned Known = unsigned(llvm::commonAlignment(A.Align, P.Offset).value());
    if (R.Type == ScalarType::Pred && R.Kind == Kind::Register) {
      Operand Byte = F.temporary(ScalarType::B16);
      F.emit("selp.b16", {Byte, F.integer(1, ScalarType::B16),
                          F.integer(0, ScalarType::B16), R});
      F.emit(A.Mnemonic + ".b8", {moved(To, P.Offset), Byte});
    } else if (R.Type == ScalarType::Pred) {
      F.emit(A.Mnemonic + ".b8",
             {moved(To, P.Offset), F.integer(R.Bits & 1, ScalarType::B16)});
    } else if (Known * 8 < P.Bits) {
      storeInParts(moved(To, P.Offset), R, P.Bits / 8, Known, A.Mnemonic);
    } else {
      F.emit(A.Mnemonic + Type, {moved(To, P.Offset), R});
    }
  }
}

void MemoryLowering::storeInParts(const Operand &To, const Operand &From,
                                  unsigned Bytes, unsigned PartBytes,
                                  StringRef Mnemonic) {
  Operand Whole = F.inRegister(From);
  std::string Bits = std::to_string(bitWidth(Whole.Type));
  std::string Store = (Mnemonic + ".b" + Twine(PartBytes * 8)).str();
  for (unsigned Byte = 0; Byte < Bytes; Byte += PartBytes) {
    Operand Part = Whole;
    if (Byte != 0) {
      Part = F.temporary(Whole.Type);
      F.emit("shr.u" + Bits,
             {Part, Whole, F.integer(int64_t(Byte) * 8, ScalarType::B32)});
    }
    F.emit(Store, {moved(To, Byte), Part});
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void MemoryLowering::lowerLoad(const llvm::LoadInst &I) {
  const llvm::Value *P = I.getPointerOperand();
  std::string Prefix = "ld";
  if (I.isAtomic()) {
    std::string Scope = scopeSuffix(I.getContext(), I.getSyncScopeID());
    if (I.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent)
      F.emit("fence.sc" + Scope, {});
    if (F.capability() >= 70)
      Prefix += orderingSuffix(I.getOrdering()).str() + Scope;
    else
      Prefix += ".volatile";
  } else if (I.isVolatile()) {
    Prefix += ".volatile";
  }
  Prefix += spaceSuffix(P);
  if (I.hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
      spaceOf(I.getPointerAddressSpace()) == AddressSpace::Global &&
      !I.isVolatile() && !I.isAtomic() && F.capability() >= 32)
    Prefix += ".nc";
  if (const llvm::Instruction *Wide = F.extensionOf(I)) {
    // The product with the stride widens it in the end.
    if (F.isLoadedIndex(cast<llvm::CastInst>(*Wide)))
      F.alias(Wide, F.temporary(ScalarType::B32));
    return load(F.address(P), F.define(Wide),
                {I.getType(), I.getAlign(), Prefix, Wide});
  }
  load(F.address(P), F.define(&I), {I.getType(), I.getAlign(), Prefix});
}

void MemoryLowering::lowerStore(const llvm::StoreInst &I) {
  std::string Prefix = "st";
  if (I.isAtomic()) {
    std::string Scope = scopeSuffix(I.getContext(), I.getSyncScopeID());
    bool Ordered =
        I.getOrdering() == llvm::AtomicOrdering::Release ||
        I.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent;
    if (I.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent)
      F.emit("fence.sc" + Scope, {});
    if (F.capability() >= 70)
      Prefix += (Ordered ? ".release" : ".relaxed") + Scope;
    else
      Prefix += ".volatile";
  } else if (I.isVolatile()) {
    Prefix += ".volatile";
  }
  Prefix += spaceSuffix(I.getPointerOperand());
  store(F.address(I.getPointerOperand()), F.components(I.getValueOperand()),
        {I.getValueOperand()->getType(), I.getAlign(), Prefix});
}

void MemoryLowering::lowerFence(const llvm::FenceInst &I) {
  std::string Scope = scopeSuffix(I.getContext(), I.getSyncScopeID());
  bool Sequential =
      I.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent;
  if (F.capability() >= 70)
    return F.emit((Sequential ? "fence.sc" : "fence.acq_rel") + Scope, {});
  F.emit(Scope == ".cta"   ? "membar.cta"
         : Scope == ".gpu" ? "membar.gl"
                           : "membar.sys",
         {});
}

/// What `atom` is called that does what \p I does to \p Bits bits, behind its
/// space; empty where PTX has none.
static std::string updateSuffix(const llvm::AtomicRMWInst &I,
                                const std::string &Bits) {
  using Op = llvm::AtomicRMWInst;
  llvm::Type *T = I.getType();
  switch (I.getOperation()) {
  case Op::Xchg:
    return ".exch.b" + Bits;
  case Op::Sub: // of the negated number
  case Op::Add:
    return ".add.u" + Bits;
  case Op::And:
    return ".and.b" + Bits;
  case Op::Or:
    return ".or.b" + Bits;
  case Op::Xor:
    return ".xor.b" + Bits;
  case Op::Max:
    return ".max.s" + Bits;
  case Op::Min:
    return ".min.s" + Bits;
  case Op::UMax:
    return ".max.u" + Bits;
  case Op::UMin:
    return ".min.u" + Bits;
  case Op::UIncWrap:
    return ".inc.u" + Bits;
  case Op::UDecWrap:
    return ".dec.u" + Bits;
  case Op::FAdd:
    if (auto *V = dyn_cast<llvm::VectorType>(T))
      return V->getElementType()->isHalfTy() ? ".add.noftz.f16x2"
                                             : ".add.noftz.bf16x2";
    return T->isHalfTy()     ? ".add.noftz.f16"
           : T->isBFloatTy() ? ".add.noftz.bf16"
                             : ".add.f" + Bits;
  default:
    return "";
  }
}

void MemoryLowering::lowerAtomicRMW(const llvm::AtomicRMWInst &I) {
  using Op = llvm::AtomicRMWInst;
  std::string Bits =
      std::to_string(F.layout().getTypeSizeInBits(I.getType()).getFixedValue());
  Operand Value = F.use(I.getValOperand());
  std::string Suffix = updateSuffix(I, Bits);
  if (Suffix.empty())
    return F.emitUnknown("atomicrmw " +
                             Op::getOperationName(I.getOperation()).str(),
                         I, {F.use(I.getPointerOperand()), Value});
  if (I.getOperation() == Op::Sub) {
    Operand Negated = F.temporary(Value.Type);
    F.emit("neg.s" + Bits, {Negated, F.inRegister(Value)});
    Value = Negated;
  }
  F.emit("atom" + spaceSuffix(I.getPointerOperand()) + Suffix,
         {F.defineOne(&I), F.address(I.getPointerOperand()), Value});
}

void MemoryLowering::lowerCmpXchg(const llvm::AtomicCmpXchgInst &I) {
  std::string Bits =
      std::to_string(F.layout()
                         .getTypeSizeInBits(I.getCompareOperand()->getType())
                         .getFixedValue());
  std::string Name = "atom";
  if (F.capability() >= 70) {
    std::string Scope = scopeSuffix(I.getContext(), I.getSyncScopeID());
    if (I.getSuccessOrdering() == llvm::AtomicOrdering::SequentiallyConsistent)
      F.emit("fence.sc" + Scope, {});
    Name += orderingSuffix(I.getSuccessOrdering()).str() + Scope;
  }
  // {what was there, whether it was as expected}
  ArrayRef<Operand> Result = F.define(&I);
  Operand Expected = F.use(I.getCompareOperand());
  F.emit(Name + spaceSuffix(I.getPointerOperand()) + ".cas.b" + Bits,
         {Result[0], F.address(I.getPointerOperand()), Expected,
          F.use(I.getNewValOperand())});
  bool IsAsked = llvm::any_of(I.users(), [](const llvm::User *U) {
    auto *E = dyn_cast<llvm::ExtractValueInst>(U);
    return !E || E->getIndices()[0] == 1;
  });
  if (IsAsked)
    F.emit("setp.eq.b" + Bits, {Result[1], Result[0], Expected});
}
