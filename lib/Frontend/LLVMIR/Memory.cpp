//===- Memory.cpp - Loads, stores, atomics and fences ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
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
/// A component's place in memory.
struct ComponentPlace {
  uint64_t Offset = 0; ///< bytes
  unsigned Bits = 0;   ///< in memory
  bool IsVectorElement = false;
};
} // namespace

static void findPieces(llvm::Type *T, const llvm::DataLayout &DL,
                       uint64_t Offset, bool InVector,
                       SmallVectorImpl<ComponentPlace> &Out) {
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
static unsigned piecesAtOnce(ArrayRef<ComponentPlace> Pieces, size_t At,
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

void FunctionLowering::loadComponents(const Operand &From, ArrayRef<Operand> To,
                                      llvm::Type *T, llvm::Align Align,
                                      const Twine &Prefix,
                                      const llvm::Instruction *Extension) {
  SmallVector<ComponentPlace, 8> Pieces;
  findPieces(T, layout(), 0, false, Pieces);
  std::string Name = Prefix.str();
  unsigned Most =
      capability() >= 100 && From.Elements[0].Kind != Kind::Parameter ? 32 : 16;
  for (size_t At = 0; At < To.size() && At < Pieces.size();) {
    const ComponentPlace &P = Pieces[At];
    unsigned N = piecesAtOnce(Pieces, At, Align, Most);
    std::string Type = ".b" + std::to_string(P.Bits);
    if (N > 1) {
      emit((Prefix + ".v" + Twine(N) + Type).str(),
           {vector(To.slice(At, N)), moved(From, P.Offset)});
      At += N;
      continue;
    }
    if (Extension && isa<llvm::SExtInst>(Extension))
      Type[1] = 's';
    const Operand &R = To[At++];
    uint64_t Known = llvm::commonAlignment(Align, P.Offset).value();
    if (R.Type == ScalarType::Pred) {
      Operand Byte = temporary(ScalarType::B16),
              Bit = temporary(ScalarType::B16);
      emit(Name + ".b8", {Byte, moved(From, P.Offset)});
      emit("and.b16", {Bit, Byte, integer(1, ScalarType::B16)});
      emit("setp.ne.b16", {R, Bit, integer(0, ScalarType::B16)});
    } else if (Known * 8 < P.Bits) {
      loadInParts(moved(From, P.Offset), R, P.Bits / 8, unsigned(Known), Name);
    } else {
      emit(Name + Type, {R, moved(From, P.Offset)});
    }
  }
}

void FunctionLowering::loadInParts(const Operand &From, const Operand &To,
                                   unsigned Bytes, unsigned PartBytes,
                                   StringRef Prefix) {
  std::string Load = (Prefix + ".b" + Twine(PartBytes * 8)).str();
  std::string Bits = To.Type == ScalarType::B64   ? "64"
                     : To.Type == ScalarType::B16 ? "16"
                                                  : "32";
  Operand Sum;
  for (unsigned At = 0; At < Bytes; At += PartBytes) {
    Operand Part = temporary(To.Type);
    emit(Load, {Part, moved(From, At)});
    if (At == 0) {
      Sum = Part;
      continue;
    }
    Operand Shifted = temporary(To.Type);
    emit("shl.b" + Bits,
         {Shifted, Part, integer(int64_t(At) * 8, ScalarType::B32)});
    Operand Next = At + PartBytes >= Bytes ? To : temporary(To.Type);
    emit("or.b" + Bits, {Next, Shifted, Sum});
    Sum = Next;
  }
}

void FunctionLowering::storeComponents(const Operand &To,
                                       ArrayRef<Operand> From, llvm::Type *T,
                                       llvm::Align Align, const Twine &Prefix) {
  SmallVector<ComponentPlace, 8> Pieces;
  findPieces(T, layout(), 0, false, Pieces);
  std::string Name = Prefix.str();
  for (size_t At = 0; At < From.size() && At < Pieces.size();) {
    const ComponentPlace &P = Pieces[At];
    unsigned N = piecesAtOnce(Pieces, At, Align, capability() >= 100 ? 32 : 16);
    std::string Type = ".b" + std::to_string(P.Bits);
    if (N > 1) {
      emit((Prefix + ".v" + Twine(N) + Type).str(),
           {moved(To, P.Offset), vector(From.slice(At, N))});
      At += N;
      continue;
    }
    Operand R = From[At++];
    unsigned Known = unsigned(llvm::commonAlignment(Align, P.Offset).value());
    if (R.Type == ScalarType::Pred && R.Kind == Kind::Register) {
      Operand Byte = temporary(ScalarType::B16);
      emit("selp.b16",
           {Byte, integer(1, ScalarType::B16), integer(0, ScalarType::B16), R});
      emit(Name + ".b8", {moved(To, P.Offset), Byte});
    } else if (R.Type == ScalarType::Pred) {
      emit(Name + ".b8",
           {moved(To, P.Offset), integer(R.Bits & 1, ScalarType::B16)});
    } else if (Known * 8 < P.Bits) {
      R = inRegister(R);
      std::string Bits = std::to_string(bitWidth(R.Type));
      for (unsigned Byte = 0; Byte < P.Bits / 8; Byte += Known) {
        Operand Part = R;
        if (Byte != 0) {
          Part = temporary(R.Type);
          emit("shr.u" + Bits,
               {Part, R, integer(int64_t(Byte) * 8, ScalarType::B32)});
        }
        emit(Name + ".b" + std::to_string(Known * 8),
             {moved(To, P.Offset + Byte), Part});
      }
    } else {
      emit(Name + Type, {moved(To, P.Offset), R});
    }
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

const llvm::Instruction *
FunctionLowering::extensionOf(const llvm::LoadInst &I) {
  if (!I.hasOneUse() || !I.getType()->isIntegerTy() || I.isAtomic() ||
      I.getType()->isIntegerTy(1))
    return nullptr;
  auto *Cast = dyn_cast<llvm::CastInst>(I.user_back());
  if (!Cast || Cast->getParent() != I.getParent() ||
      !(isa<llvm::SExtInst>(Cast) || isa<llvm::ZExtInst>(Cast)) ||
      Cast->getType()->getIntegerBitWidth() > 64)
    return nullptr;
  return Cast;
}

bool FunctionLowering::isLoadedIndex(const llvm::CastInst &I) {
  if (!isa<llvm::LoadInst>(I.getOperand(0)) || !isLoadsOwn(I) ||
      !I.getType()->isIntegerTy(64))
    return false;
  const llvm::DataLayout &DL = I.getDataLayout();
  return llvm::all_of(I.uses(), [&](const llvm::Use &U) {
    auto *GEP = dyn_cast<llvm::GetElementPtrInst>(U.getUser());
    if (!GEP || GEP->getParent() != I.getParent() || U.getOperandNo() == 0)
      return false;
    auto It = llvm::gep_type_begin(GEP);
    std::advance(It, U.getOperandNo() - 1);
    uint64_t Stride = It.getSequentialElementStride(DL).getFixedValue();
    return Stride > 1 && llvm::isInt<31>(int64_t(Stride));
  });
}

bool FunctionLowering::isLoadsOwn(const llvm::CastInst &I) {
  if (auto *Element = dyn_cast<llvm::ExtractElementInst>(I.getOperand(0)))
    return extensionOf(*Element) == &I;
  auto *Load = dyn_cast<llvm::LoadInst>(I.getOperand(0));
  return Load && extensionOf(*Load) == &I;
}

void FunctionLowering::lowerLoad(const llvm::LoadInst &I) {
  const llvm::Value *P = I.getPointerOperand();
  std::string Prefix = "ld";
  if (I.isAtomic()) {
    std::string Scope = scopeSuffix(I.getContext(), I.getSyncScopeID());
    if (I.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent)
      emit("fence.sc" + Scope, {});
    if (capability() >= 70)
      Prefix += orderingSuffix(I.getOrdering()).str() + Scope;
    else
      Prefix += ".volatile";
  } else if (I.isVolatile()) {
    Prefix += ".volatile";
  }
  Prefix += spaceSuffix(P);
  if (I.hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
      spaceOf(I.getPointerAddressSpace()) == AddressSpace::Global &&
      !I.isVolatile() && !I.isAtomic() && capability() >= 32)
    Prefix += ".nc";
  if (const llvm::Instruction *Wide = extensionOf(I)) {
    // The product with the stride widens it in the end.
    if (isLoadedIndex(cast<llvm::CastInst>(*Wide)))
      Values[Wide] = B.keep(temporary(ScalarType::B32));
    return loadComponents(address(P), define(Wide), I.getType(), I.getAlign(),
                          Prefix, Wide);
  }
  loadComponents(address(P), define(&I), I.getType(), I.getAlign(), Prefix,
                 nullptr);
}

void FunctionLowering::lowerStore(const llvm::StoreInst &I) {
  std::string Prefix = "st";
  if (I.isAtomic()) {
    std::string Scope = scopeSuffix(I.getContext(), I.getSyncScopeID());
    bool Ordered =
        I.getOrdering() == llvm::AtomicOrdering::Release ||
        I.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent;
    if (I.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent)
      emit("fence.sc" + Scope, {});
    if (capability() >= 70)
      Prefix += (Ordered ? ".release" : ".relaxed") + Scope;
    else
      Prefix += ".volatile";
  } else if (I.isVolatile()) {
    Prefix += ".volatile";
  }
  Prefix += spaceSuffix(I.getPointerOperand());
  storeComponents(address(I.getPointerOperand()),
                  components(I.getValueOperand()),
                  I.getValueOperand()->getType(), I.getAlign(), Prefix);
}

void FunctionLowering::lowerFence(const llvm::FenceInst &I) {
  std::string Scope = scopeSuffix(I.getContext(), I.getSyncScopeID());
  bool Sequential =
      I.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent;
  if (capability() >= 70)
    return emit((Sequential ? "fence.sc" : "fence.acq_rel") + Scope, {});
  emit(Scope == ".cta"   ? "membar.cta"
       : Scope == ".gpu" ? "membar.gl"
                         : "membar.sys",
       {});
}

void FunctionLowering::lowerAtomicRMW(const llvm::AtomicRMWInst &I) {
  using Op = llvm::AtomicRMWInst;
  llvm::Type *T = I.getType();
  std::string Bits =
      std::to_string(layout().getTypeSizeInBits(T).getFixedValue());
  Operand Value = use(I.getValOperand());
  std::string What;
  switch (I.getOperation()) {
  case Op::Xchg:
    What = ".exch.b" + Bits;
    break;
  case Op::Sub: {
    Operand Negated = temporary(Value.Type);
    emit("neg.s" + Bits, {Negated, inRegister(Value)});
    Value = Negated;
    What = ".add.u" + Bits;
    break;
  }
  case Op::Add:
    What = ".add.u" + Bits;
    break;
  case Op::And:
    What = ".and.b" + Bits;
    break;
  case Op::Or:
    What = ".or.b" + Bits;
    break;
  case Op::Xor:
    What = ".xor.b" + Bits;
    break;
  case Op::Max:
    What = ".max.s" + Bits;
    break;
  case Op::Min:
    What = ".min.s" + Bits;
    break;
  case Op::UMax:
    What = ".max.u" + Bits;
    break;
  case Op::UMin:
    What = ".min.u" + Bits;
    break;
  case Op::UIncWrap:
    What = ".inc.u" + Bits;
    break;
  case Op::UDecWrap:
    What = ".dec.u" + Bits;
    break;
  case Op::FAdd:
    What = T->isHalfTy()     ? ".add.noftz.f16"
           : T->isBFloatTy() ? ".add.noftz.bf16"
           : T->isVectorTy()
               ? (cast<llvm::VectorType>(T)->getElementType()->isHalfTy()
                      ? ".add.noftz.f16x2"
                      : ".add.noftz.bf16x2")
               : ".add.f" + Bits;
    break;
  default:
    return emitUnknown("atomicrmw " +
                           Op::getOperationName(I.getOperation()).str(),
                       I, {use(I.getPointerOperand()), Value});
  }
  emit("atom" + spaceSuffix(I.getPointerOperand()) + What,
       {defineOne(&I), address(I.getPointerOperand()), Value});
}

void FunctionLowering::lowerCmpXchg(const llvm::AtomicCmpXchgInst &I) {
  std::string Bits =
      std::to_string(layout()
                         .getTypeSizeInBits(I.getCompareOperand()->getType())
                         .getFixedValue());
  std::string Name = "atom";
  if (capability() >= 70) {
    std::string Scope = scopeSuffix(I.getContext(), I.getSyncScopeID());
    if (I.getSuccessOrdering() == llvm::AtomicOrdering::SequentiallyConsistent)
      emit("fence.sc" + Scope, {});
    Name += orderingSuffix(I.getSuccessOrdering()).str() + Scope;
  }
  // {what was there, whether it was as expected}
  ArrayRef<Operand> Result = define(&I);
  Operand Expected = use(I.getCompareOperand());
  emit(Name + spaceSuffix(I.getPointerOperand()) + ".cas.b" + Bits,
       {Result[0], address(I.getPointerOperand()), Expected,
        use(I.getNewValOperand())});
  bool IsAsked = llvm::any_of(I.users(), [](const llvm::User *U) {
    auto *E = dyn_cast<llvm::ExtractValueInst>(U);
    return !E || E->getIndices()[0] == 1;
  });
  if (IsAsked)
    emit("setp.eq.b" + Bits, {Result[1], Result[0], Expected});
}
