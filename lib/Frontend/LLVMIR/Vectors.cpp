//===- Vectors.cpp - Elements of vectors and aggregates -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A vector with a register for each element needs no instruction to take them
// apart; elements of 16 and of 8 bits that share registers of 32 do.
//===----------------------------------------------------------------------===//
#include "VectorLanes.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

using Kind = Operand::KindTy;

static unsigned numElements(const llvm::Type *T) {
  return cast<llvm::FixedVectorType>(T)->getNumElements();
}

/// Whether the only user of \p V takes its elements from where \p V has them.
static bool isLeftToUser(const llvm::Value *V) {
  const auto *I = dyn_cast<llvm::InsertElementInst>(V);
  if (!I || !I->hasOneUse() || !isa<llvm::ConstantInt>(I->getOperand(2)))
    return false;
  const auto *User = cast<llvm::Instruction>(*I->user_begin());
  return User->getParent() == I->getParent() &&
         (isa<llvm::InsertElementInst>(User) ||
          isa<llvm::ShuffleVectorInst>(User));
}

static bool isUndefined(const llvm::Value *V) {
  return isa<llvm::UndefValue>(V);
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

void VectorLanes::find(const llvm::Value *V, SmallVectorImpl<Lane> &Out) {
  SmallVector<const llvm::InsertElementInst *, 8> Inserted;
  while (isLeftToUser(V)) {
    Inserted.push_back(cast<llvm::InsertElementInst>(V));
    V = Inserted.back()->getOperand(0);
  }
  unsigned N = numElements(V->getType());
  unsigned Packed = FunctionLowering::elementsPerComponent(V->getType());
  Out.assign(N, Lane());
  if (const auto *C = dyn_cast<llvm::Constant>(V)) {
    for (unsigned I = 0; I != N; ++I)
      if (const llvm::Constant *E = C->getAggregateElement(I);
          E && !isUndefined(E))
        Out[I] = element(E);
  } else {
    ArrayRef<Operand> Components = L.components(V);
    for (unsigned I = 0; I != N && I / Packed < Components.size(); ++I) {
      Lane &Each = Out[I];
      Each.Source = Components[I / Packed];
      Each.IsDefined = true;
      if (Packed > 1) {
        Each.Vector = V;
        Each.Component = I / Packed;
        Each.Part = int(I % Packed);
        Each.Width = 32 / Packed;
      }
    }
  }
  for (const llvm::InsertElementInst *I : llvm::reverse(Inserted))
    insert(*I, Out);
}

VectorLanes::Lane VectorLanes::element(const llvm::Value *V) {
  Lane Out;
  Out.Source = L.use(V);
  Out.IsDefined = !isUndefined(V);
  return Out;
}

void VectorLanes::insert(const llvm::InsertElementInst &I,
                         MutableArrayRef<Lane> Lanes) {
  uint64_t N =
      cast<llvm::ConstantInt>(I.getOperand(2))->getValue().getLimitedValue();
  if (N < Lanes.size()) // else the result is poison
    Lanes[N] = element(I.getOperand(1));
}

Operand VectorLanes::scalar(const Lane &From) {
  if (!From.IsDefined)
    return FunctionLowering::integer(0, ScalarType::B16);
  if (From.Part < 0)
    return From.Source;
  if (From.Source.Kind == Kind::Integer)
    return FunctionLowering::integer(
        int64_t(From.Source.Bits >> (From.Width * unsigned(From.Part)) &
                llvm::maskTrailingOnes<uint64_t>(From.Width)),
        ScalarType::B16);
  if (From.Width == 16)
    return halves(From)[size_t(From.Part)];
  Operand Byte = L.temporary(ScalarType::B32);
  // The byte, and zeros of the second operand.
  L.emit("prmt.b32",
         {Byte, From.Source, FunctionLowering::integer(0, ScalarType::B32),
          FunctionLowering::integer(0x7770 + From.Part, ScalarType::B32)});
  Operand To = L.temporary(ScalarType::B16);
  L.emit("cvt.u16.u32", {To, Byte});
  return To;
}

ArrayRef<Operand> VectorLanes::halves(const Lane &From) {
  FunctionLowering::UnpackedHalves &Known =
      L.Halves[{From.Vector, From.Component}];
  if (Known.In != L.CurrentBlock) {
    Known.In = L.CurrentBlock;
    for (Operand &Half : Known.Registers)
      Half = L.temporary(ScalarType::B16);
    L.emit("mov.b32", {L.vector(Known.Registers), From.Source});
  }
  return Known.Registers;
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

/// Whether the lanes lie in one register already, each in its place.
static bool isInPlace(ArrayRef<VectorLanes::Lane> Lanes) {
  const VectorLanes::Lane *First = nullptr;
  for (unsigned I = 0; I != Lanes.size(); ++I) {
    const VectorLanes::Lane &Each = Lanes[I];
    if (!Each.IsDefined)
      continue;
    if (Each.Part != int(I) || Each.Width * Lanes.size() != 32)
      return false;
    if (First && !First->hasSourceOf(Each))
      return false;
    First = &Each;
  }
  return First != nullptr;
}

/// The bits of the lanes that are constants.
static uint64_t constantBits(ArrayRef<VectorLanes::Lane> Lanes) {
  unsigned Width = unsigned(32 / Lanes.size());
  uint64_t Bits = 0;
  for (unsigned I = 0; I != Lanes.size(); ++I)
    if (Lanes[I].isConstant())
      Bits |= (Lanes[I].Source.Bits & llvm::maskTrailingOnes<uint64_t>(Width))
              << (Width * I);
  return Bits;
}

Operand VectorLanes::component(MutableArrayRef<Lane> Lanes) {
  // A constant part of a register is a constant of its own.
  for (Lane &Each : Lanes)
    if (Each.Part >= 0 && Each.Source.Kind == Kind::Integer) {
      Each.Source = scalar(Each);
      Each.Part = -1;
    }
  if (isInPlace(Lanes))
    return llvm::find_if(Lanes, [](const Lane &Each) { return Each.IsDefined; })
        ->Source;
  if (llvm::all_of(Lanes, [](const Lane &Each) {
        return !Each.IsDefined || Each.isConstant();
      }))
    return FunctionLowering::integer(int64_t(constantBits(Lanes)),
                                     ScalarType::B32);
  if (Lanes.size() == 4)
    return bytes(Lanes);
  // An undefined half may be anything, such as the other one.
  const Lane &Low = Lanes[0].IsDefined ? Lanes[0] : Lanes[1];
  const Lane &High = Lanes[1].IsDefined ? Lanes[1] : Lanes[0];
  Operand LowRegister = L.inRegister(scalar(Low));
  Operand HighRegister = L.inRegister(scalar(High));
  Operand To = L.temporary(ScalarType::B32);
  L.emit("mov.b32", {To, L.vector({LowRegister, HighRegister})});
  return To;
}

/// Joins four bytes: one prmt takes them from two registers.
Operand VectorLanes::bytes(ArrayRef<Lane> Lanes) {
  struct Source {
    Operand Register;
    std::array<int, 4> ByteOf = {-1, -1, -1, -1}; ///< by lane; -1: elsewhere
    const Lane *First = nullptr;
  };
  SmallVector<Source, 4> Sources;
  for (unsigned I = 0; I != 4; ++I) {
    const Lane &Each = Lanes[I];
    if (!Each.IsDefined || Each.isConstant())
      continue;
    bool IsByte = Each.Part >= 0 && Each.Width == 8;
    Source *S = llvm::find_if(Sources, [&](const Source &Known) {
      return IsByte && Known.First->hasSourceOf(Each);
    });
    if (S == Sources.end()) {
      S = &Sources.emplace_back();
      S->First = &Each;
      S->Register = Each.Source;
      if (!IsByte) {
        S->Register = L.temporary(ScalarType::B32);
        L.emit("cvt.u32.u16", {S->Register, L.inRegister(scalar(Each))});
      }
    }
    S->ByteOf[I] = IsByte ? Each.Part : 0;
  }
  if (llvm::any_of(Lanes, [](const Lane &Each) { return Each.isConstant(); })) {
    Source &S = Sources.emplace_back();
    S.Register = FunctionLowering::integer(int64_t(constantBits(Lanes)),
                                           ScalarType::B32);
    for (unsigned I = 0; I != 4; ++I)
      if (Lanes[I].isConstant())
        S.ByteOf[I] = int(I);
  }
  Source Joined = Sources.front();
  for (size_t N = 1; N < std::max<size_t>(Sources.size(), 2); ++N) {
    Operand More = N < Sources.size()
                       ? Sources[N].Register
                       : FunctionLowering::integer(0, ScalarType::B32);
    unsigned Selector = 0;
    for (unsigned I = 0; I != 4; ++I) {
      int Byte = Joined.ByteOf[I];
      if (N < Sources.size() && Sources[N].ByteOf[I] >= 0)
        Byte = 4 + Sources[N].ByteOf[I];
      Selector |= unsigned(std::max(Byte, 0)) << (4 * I);
      if (Byte >= 0)
        Joined.ByteOf[I] = int(I);
    }
    Operand To = L.temporary(ScalarType::B32);
    L.emit("prmt.b32", {To, Joined.Register, More,
                        FunctionLowering::integer(Selector, ScalarType::B32)});
    Joined.Register = To;
  }
  return Joined.Register;
}

void VectorLanes::put(const llvm::Instruction &I, MutableArrayRef<Lane> Lanes) {
  unsigned Packed = FunctionLowering::elementsPerComponent(I.getType());
  SmallVector<Operand, 8> Components;
  for (size_t N = 0; N < Lanes.size(); N += Packed) {
    if (Packed > 1) {
      Components.push_back(component(Lanes.slice(N, Packed)));
      continue;
    }
    Operand O = scalar(Lanes[N]);
    if (!Lanes[N].IsDefined)
      O.Type = L.registerType(I.getType()->getScalarType());
    Components.push_back(O);
  }
  L.alias(&I, Components);
}

//===----------------------------------------------------------------------===//
// Elements that are not known
//===----------------------------------------------------------------------===//

/// Where the element that \p I names lies in memory, in bytes: an index beyond
/// the last element gives poison, but must not reach other memory.
Operand VectorLanes::offset(const llvm::Value *Index, unsigned N,
                            unsigned Bytes) {
  Operand At = L.inRegister(L.use(Index));
  if (bitWidth(At.Type) != 64) {
    Operand Wide = L.temporary(ScalarType::B64);
    L.emit(bitWidth(At.Type) == 32 ? "cvt.u64.u32" : "cvt.u64.u16", {Wide, At});
    At = Wide;
  }
  Operand Bounded = L.temporary(ScalarType::B64);
  L.emit(llvm::isPowerOf2_32(N) ? "and.b64" : "min.u64",
         {Bounded, At, FunctionLowering::integer(N - 1, ScalarType::B64)});
  if (Bytes == 1)
    return Bounded;
  Operand To = L.temporary(ScalarType::B64);
  L.emit("shl.b64",
         {To, Bounded,
          FunctionLowering::integer(llvm::Log2_32(Bytes), ScalarType::B32)});
  return To;
}

/// A register or immediate as the last part of a mnemonic.
static std::string bitSuffix(unsigned Bytes) {
  return ".b" + std::to_string(Bytes * 8);
}

bool VectorLanes::throughMemory(const llvm::Instruction &I,
                                const llvm::Value *Vector,
                                const llvm::Value *Index,
                                const llvm::Value *Inserted) {
  llvm::Type *T = Vector->getType();
  unsigned N = numElements(T);
  unsigned Packed = FunctionLowering::elementsPerComponent(T);
  unsigned Bits = unsigned(L.layout().getTypeSizeInBits(T->getScalarType()));
  unsigned Bytes = Bits / 8;
  if (Bits % 8 != 0 || !llvm::isPowerOf2_32(Bytes) || Bytes > 8)
    return false;
  auto *Place =
      new (L.builder().graph().Memory->Arena.Allocate<Variable>()) Variable;
  Place->Name = L.module().keep(
      "__vector" + Twine(L.builder().graph().LocalVariables.size()));
  Place->Space = AddressSpace::Local;
  Place->Type = ScalarType::B8;
  Place->Bytes = uint64_t(N) * Bytes;
  Place->Align = uint64_t(Bytes) * Packed;
  L.builder().graph().LocalVariables.push_back(Place);

  Operand Name;
  Name.Kind = Kind::Variable;
  Name.Type = ScalarType::B64;
  Name.Var = Place;
  Operand Base = L.temporary(ScalarType::B64);
  L.emit("mov.b64", {Base, Name});
  SmallVector<Lane, 16> Lanes;
  find(Vector, Lanes);
  SmallVector<Operand, 8> Components;
  for (unsigned At = 0; At != N; At += Packed)
    Components.push_back(
        Packed > 1 ? component(MutableArrayRef(Lanes).slice(At, Packed))
                   : scalar(Lanes[At]));
  unsigned ComponentBytes = Bytes * Packed;
  for (auto [K, C] : llvm::enumerate(Components))
    L.emit("st.local" + bitSuffix(ComponentBytes),
           {L.address(Base, int64_t(K * ComponentBytes)), C});
  Operand At = L.temporary(ScalarType::B64);
  L.emit("add.s64", {At, Base, offset(Index, N, Bytes)});
  if (!Inserted) {
    L.emit("ld.local" + bitSuffix(Bytes), {L.defineOne(&I), L.address(At)});
    return true;
  }
  L.emit("st.local" + bitSuffix(Bytes), {L.address(At), L.use(Inserted)});
  for (auto [K, To] : llvm::enumerate(L.define(&I)))
    L.emit("ld.local" + bitSuffix(ComponentBytes),
           {To, L.address(Base, int64_t(K * ComponentBytes))});
  return true;
}

bool VectorLanes::extractByRegister(const llvm::ExtractElementInst &I) {
  llvm::Type *T = I.getVectorOperandType();
  unsigned Packed = FunctionLowering::elementsPerComponent(T);
  if (Packed == 1 || numElements(T) != Packed)
    return false;
  Operand Index = L.inRegister(L.use(I.getIndexOperand()));
  Operand From = L.inRegister(L.use(I.getVectorOperand()));
  Operand To = L.defineOne(&I);
  if (Packed == 2) {
    Operand IsLow = L.temporary(ScalarType::Pred);
    L.emit("setp.eq" + bitSuffix(bitWidth(Index.Type) / 8),
           {IsLow, Index, FunctionLowering::integer(0, Index.Type)});
    Lane Low;
    Low.Source = From;
    Low.Vector = I.getVectorOperand();
    ArrayRef<Operand> Both = halves(Low);
    L.emit("selp.b16", {To, Both[0], Both[1], IsLow});
    return true;
  }
  if (bitWidth(Index.Type) != 32) {
    Operand Narrow = L.temporary(ScalarType::B32);
    L.emit(bitWidth(Index.Type) == 64 ? "cvt.u32.u64" : "cvt.u32.u16",
           {Narrow, Index});
    Index = Narrow;
  }
  Operand Selector = L.temporary(ScalarType::B32),
          Byte = L.temporary(ScalarType::B32);
  L.emit("or.b32",
         {Selector, Index, FunctionLowering::integer(0x7770, ScalarType::B32)});
  L.emit("prmt.b32",
         {Byte, From, FunctionLowering::integer(0, ScalarType::B32), Selector});
  L.emit("cvt.u16.u32", {To, Byte});
  return true;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

const llvm::Instruction *
FunctionLowering::extensionOf(const llvm::ExtractElementInst &I) {
  if (!I.hasOneUse() || elementsPerComponent(I.getVectorOperandType()) != 4 ||
      !isa<llvm::ConstantInt>(I.getIndexOperand()) ||
      !isa<llvm::Instruction>(I.getVectorOperand()) ||
      isLeftToUser(I.getVectorOperand()))
    return nullptr;
  auto *Cast = dyn_cast<llvm::CastInst>(I.user_back());
  if (!Cast || Cast->getParent() != I.getParent() ||
      !(isa<llvm::SExtInst>(Cast) || isa<llvm::ZExtInst>(Cast)) ||
      Cast->getType()->getIntegerBitWidth() != 32)
    return nullptr;
  return Cast;
}

void VectorLanes::widen(const Lane &From, const llvm::Instruction &Cast) {
  bool IsSigned = isa<llvm::SExtInst>(Cast);
  if (From.Source.Kind == Kind::Integer || !From.IsDefined) {
    Operand Byte = scalar(From);
    Byte.Type = ScalarType::B32;
    Byte.Bits = IsSigned ? uint64_t(int64_t(int8_t(Byte.Bits)))
                         : uint64_t(uint8_t(Byte.Bits));
    return L.alias(&Cast, Byte);
  }
  // The byte, then three zeros of the other operand, or of the byte's sign.
  int Upper = IsSigned ? 8 + From.Part : 7;
  L.emit("prmt.b32", {L.defineOne(&Cast), From.Source,
                      FunctionLowering::integer(0, ScalarType::B32),
                      FunctionLowering::integer(0x1110 * Upper + From.Part,
                                                ScalarType::B32)});
}

void FunctionLowering::lowerExtractElement(const llvm::ExtractElementInst &I) {
  VectorLanes V(*this);
  const auto *Index = dyn_cast<llvm::ConstantInt>(I.getIndexOperand());
  if (!Index) {
    if (!V.extractByRegister(I) &&
        !V.throughMemory(I, I.getVectorOperand(), I.getIndexOperand(), nullptr))
      emitUnknown("extractelement", I, components(I.getVectorOperand()));
    return;
  }
  SmallVector<VectorLanes::Lane, 16> Lanes;
  V.find(I.getVectorOperand(), Lanes);
  uint64_t N = Index->getValue().getLimitedValue();
  VectorLanes::Lane From;
  if (N < Lanes.size())
    From = Lanes[N];
  if (const llvm::Instruction *Wide = extensionOf(I))
    return V.widen(From, *Wide);
  Operand Element = V.scalar(From);
  if (!From.IsDefined)
    Element.Type = registerType(I.getType());
  alias(&I, Element);
}

void FunctionLowering::lowerInsertElement(const llvm::InsertElementInst &I) {
  if (isLeftToUser(&I))
    return;
  VectorLanes V(*this);
  if (!isa<llvm::ConstantInt>(I.getOperand(2))) {
    if (!V.throughMemory(I, I.getOperand(0), I.getOperand(2), I.getOperand(1)))
      emitUnknown("insertelement", I, components(I.getOperand(0)));
    return;
  }
  SmallVector<VectorLanes::Lane, 16> Lanes;
  V.find(I.getOperand(0), Lanes);
  V.insert(I, Lanes);
  V.put(I, Lanes);
}

void FunctionLowering::lowerShuffle(const llvm::ShuffleVectorInst &I) {
  VectorLanes V(*this);
  SmallVector<VectorLanes::Lane, 16> From, More, Lanes;
  V.find(I.getOperand(0), From);
  V.find(I.getOperand(1), More);
  From.append(More.begin(), More.end());
  for (int N : I.getShuffleMask())
    Lanes.push_back(N < 0 ? VectorLanes::Lane() : From[size_t(N)]);
  V.put(I, Lanes);
}

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

/// The components of \p Aggregate that \p Indices lead to: the first, and how
/// many.
static std::pair<size_t, size_t> componentsAt(const FunctionLowering &L,
                                              llvm::Type *Aggregate,
                                              ArrayRef<unsigned> Indices) {
  auto Count = [&](llvm::Type *T) {
    SmallVector<ScalarType, 16> Types;
    L.componentTypes(T, Types);
    return Types.size();
  };
  size_t First = 0;
  for (unsigned Index : Indices) {
    if (auto *A = dyn_cast<llvm::ArrayType>(Aggregate)) {
      Aggregate = A->getElementType();
      First += Index * Count(Aggregate);
      continue;
    }
    auto *S = cast<llvm::StructType>(Aggregate);
    for (llvm::Type *Before : S->elements().take_front(Index))
      First += Count(Before);
    Aggregate = S->getElementType(Index);
  }
  return {First, Count(Aggregate)};
}

void FunctionLowering::lowerExtractValue(const llvm::ExtractValueInst &I) {
  const llvm::Value *From = I.getAggregateOperand();
  auto [First, Count] = componentsAt(*this, From->getType(), I.getIndices());
  alias(&I, components(From).slice(First, Count));
}

void FunctionLowering::lowerInsertValue(const llvm::InsertValueInst &I) {
  auto [First, Count] = componentsAt(*this, I.getType(), I.getIndices());
  SmallVector<Operand, 8> All(components(I.getAggregateOperand()));
  llvm::copy(components(I.getInsertedValueOperand()).take_front(Count),
             All.begin() + ptrdiff_t(First));
  alias(&I, All);
}
