//===- CopyBox.cpp - What a bulk copy moves of global memory --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CopyBox.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Ref = const Expression *;

static constexpr uint64_t LineBytes = 128;

/// Bytes that are taken for a box of which nobody says the size: 64 x 64
/// elements of 16 bits, a tile of many matrix multiplications.
static constexpr uint64_t AssumedBytes = 8192;

/// No copy moves more than the shared memory of a block has, and no less than
/// the 16 bytes of which it is a multiple (PTX ISA, "cp.async.bulk").
static constexpr uint64_t MostBytes = uint64_t(1) << 18, LeastBytes = 16;

/// Where nobody says how a tensor lies, its elements lie so many boxes apart
/// along each further dimension: boxes at other coordinates are other bytes.
static constexpr uint64_t AssumedPitch = uint64_t(1) << 14;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

bool CopyBox::mayBeClipped() const {
  return llvm::any_of(Axes, [](const Axis &A) { return A.At != nullptr; });
}

uint64_t CopyBox::bytes() const {
  uint64_t Bytes = Axes.front().Count * Axes.front().StrideBits / 8;
  for (const Axis &A : llvm::drop_begin(Axes))
    Bytes *= A.Count;
  return Bytes;
}

bool BoxPart::isEmpty() const {
  return llvm::any_of(Axes, [](const Range &R) { return R.Count == 0; });
}

BoxPart counting::wholeOf(const CopyBox &Box) {
  BoxPart P;
  for (const CopyBox::Axis &A : Box.Axes)
    P.Axes.push_back({0, A.Count});
  return P;
}

bool BoxPart::isWholeOf(const CopyBox &Box) const {
  return llvm::all_of(llvm::zip(Axes, Box.Axes), [](auto Pair) {
    return std::get<0>(Pair).Count == std::get<1>(Pair).Count;
  });
}

BoxPart counting::clip(const CopyBox &Box, ArrayRef<int64_t> At,
                       ArrayRef<int64_t> Extents) {
  BoxPart P = wholeOf(Box);
  for (size_t D = 0; D != Box.Axes.size(); ++D) {
    const CopyBox::Axis &A = Box.Axes[D];
    if (!A.At)
      continue;
    const auto Step = int64_t(A.Step);
    // Elements before the tensor's first, and before its end.
    auto Before = [&](int64_t Limit) {
      if (Limit <= At[D])
        return uint64_t(0);
      return std::min<uint64_t>(
          llvm::divideCeil(uint64_t(Limit - At[D]), uint64_t(Step)), A.Count);
    };
    P.Axes[D].First = Before(0);
    P.Axes[D].Count =
        std::max(Before(Extents[D]), P.Axes[D].First) - P.Axes[D].First;
  }
  return P;
}

BoxCosts counting::countBox(const CopyBox &Box, const BoxPart &Part,
                            uint64_t Address) {
  BoxCosts Sum;
  if (Part.isEmpty())
    return Sum;
  const uint64_t RowBytes =
      Part.Axes.front().Count * Box.Axes.front().StrideBits / 8;
  uint64_t NextSector = 0, NextLine = 0;
  auto Count = [&](uint64_t At, uint64_t Unit, uint64_t &Next, double &To) {
    uint64_t First = At / Unit;
    const uint64_t End = (At + RowBytes - 1) / Unit + 1;
    // The unit in which the row before ended is counted.
    First += First + 1 == Next;
    To += double(End - First);
    Next = End;
  };
  uint64_t NumRows = 1, Extent = RowBytes;
  bool AreAlike = true; // and apart
  for (auto [A, R] : llvm::zip(Box.Axes, Part.Axes))
    Address += R.First * A.StrideBits / 8;
  for (auto [A, R] : llvm::drop_begin(llvm::zip(Box.Axes, Part.Axes))) {
    const uint64_t Stride = A.StrideBits / 8;
    NumRows *= R.Count;
    AreAlike &= Stride % LineBytes == 0 && Stride >= Extent + LineBytes;
    Extent += Stride * (R.Count - 1);
  }
  if (AreAlike) {
    Count(Address, SectorBytes, NextSector, Sum.Sectors);
    Count(Address, LineBytes, NextLine, Sum.Lines);
    return {Sum.Sectors * double(NumRows), Sum.Lines * double(NumRows)};
  }
  SmallVector<uint64_t, 4> Index(Box.Axes.size(), 0);
  for (bool IsMore = true; IsMore;) {
    Count(Address, SectorBytes, NextSector, Sum.Sectors);
    Count(Address, LineBytes, NextLine, Sum.Lines);
    IsMore = false;
    for (size_t D = 1; D != Box.Axes.size() && !IsMore; ++D) {
      const uint64_t Stride = Box.Axes[D].StrideBits / 8;
      Address += Stride;
      IsMore = ++Index[D] != Part.Axes[D].Count;
      if (!IsMore) {
        Address -= Stride * Index[D];
        Index[D] = 0;
      }
    }
  }
  return Sum;
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

const TensorMapSpec *counting::findTensorMap(const Expression &Address,
                                             const InstructionGraph &Kernel,
                                             const LaunchConfig &Launch) {
  Ref Base = &Address;
  uint64_t Offset = 0;
  if (Address.Kind == Expression::KindTy::Sum) {
    if (Address.Operands.size() != 1 || Address.Coefficients[0] != 1)
      return nullptr;
    Base = Address.Operands[0];
    Offset = Address.Addend;
  }
  if (!Base->isSymbol(Symbol::KindTy::Address) &&
      !Base->isSymbol(Symbol::KindTy::Parameter))
    return nullptr;
  // By the address of its 128 bytes in a parameter, or by a pointer there.
  const bool IsPointer = Base->isSymbol(Symbol::KindTy::Parameter);
  if (IsPointer && Offset != 0)
    return nullptr;
  auto Named = [&](const ArgumentValue &A) -> const TensorMapSpec * {
    if (A.Kind != ArgumentValue::KindTy::TensorMap)
      return nullptr;
    auto It = Launch.Maps.find(A.Buffer);
    return It == Launch.Maps.end() ? nullptr : &It->second;
  };
  ArrayRef<Parameter> Parameters = Kernel.Parameters;
  for (unsigned N = 0; N != Parameters.size(); ++N) {
    const Parameter &P = Parameters[N];
    if (IsPointer ? Base->Sym->Context != &P
                  : Base->Sym->Var ||
                        Base->Sym->Number != reinterpret_cast<uintptr_t>(&P))
      continue;
    if (IsPointer)
      Offset = Base->Sym->Number - P.Offset;
    if (auto It = Launch.Parts.find({N, Offset}); It != Launch.Parts.end())
      return Named(It->second.Value);
    if (auto It = Launch.Args.find(N); It != Launch.Args.end() && Offset == 0)
      return Named(It->second);
  }
  return nullptr;
}

/// The tensor of a map, or what an unknown map describes.
static Symbol placeOf(const void *Context, StringRef Name) {
  Symbol S;
  S.Kind = Symbol::KindTy::Address;
  S.Varies = VariesNowhere;
  S.Name = Name.str();
  S.Context = Context;
  S.Align = PointerAlignment;
  return S;
}

/// What an unknown map is called: by the parameter that it is in.
static StringRef nameOf(const Expression &MapAddress) {
  for (Ref S : MapAddress.Symbols)
    if (S->isSymbol(Symbol::KindTy::Address) ||
        S->isSymbol(Symbol::KindTy::Parameter))
      return S->Sym->Name;
  return {};
}

/// Notes where an axis begins, unless all of it lies inside, wherever it does.
static void setPosition(CopyBox::Axis &A, Ref At, Ref Extent) {
  const auto Reach = int64_t((A.Count - 1) * A.Step);
  if (At->Facts.SMin >= 0 && Extent->Facts.SMin > Reach &&
      At->Facts.SMax < Extent->Facts.SMin - Reach)
    return;
  A.At = At;
  A.Extent = Extent;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The most sectors of a copy of so many bytes: a sector for each 16.
static double mostSectors(uint64_t Bytes) {
  return double(Bytes) / double(LeastBytes);
}

FoundBox CopyBoxFinder::findRow(const SymbolicValues &V, const Instruction &I,
                                const MemoryEffect &E) const {
  Expressions &X = V.expressions();
  FoundBox F;
  F.Box = std::make_shared<CopyBox>();
  F.Address = V.of(I, I.Operands[E.AddressOperand], 64);
  CopyBox::Axis &A = F.Box->Axes.emplace_back();
  Ref Size = V.of(I, I.Operands[unsigned(E.BytesOperand)], 32);
  if (Size && Size->isConstant()) {
    A.Count = Size->Addend;
    return F;
  }
  if (Size && Size->Facts.UMax <= MostBytes) {
    A.Count = Size->Facts.UMax;
    setPosition(A, X.constant(64, 0), X.zext(Size, 64));
    return F;
  }
  const uint64_t Bytes = Expected(I);
  A.Count = Bytes ? Bytes : AssumedBytes;
  F.Box->MostSectors = mostSectors(Bytes ? Bytes : MostBytes);
  return F;
}

FoundBox CopyBoxFinder::findTile(const SymbolicValues &V,
                                 const TensorMapSpec &Map, ArrayRef<Ref> At) {
  Expressions &X = V.expressions();
  FoundBox F;
  F.Box = std::make_shared<CopyBox>();
  F.Box->ArrayBytes = Map.extentBytes();
  F.Address = X.symbol(64, placeOf(&Map, Map.Buffer));
  for (unsigned D = 0; D != Map.rank(); ++D) {
    CopyBox::Axis A;
    A.Count = Map.copied(D);
    A.Step = D ? Map.ElementStrides[D] : 1;
    const uint64_t Bits = D ? Map.Strides[D - 1] * 8 : bitsInGlobal(Map.Type);
    A.StrideBits = Bits * A.Step;
    Ref Place = X.sext(At[D], 64);
    setPosition(A, Place, X.constant(64, Map.Dims[D]));
    F.Address = X.add(
        F.Address, Bits % 8 == 0 ? X.scale(Place, Bits / 8)
                                 : X.ashr(X.scale(Place, Bits), uint64_t(3)));
    F.Box->Axes.push_back(A);
  }
  return F;
}

FoundBox CopyBoxFinder::assumeTile(const SymbolicValues &V,
                                   const Instruction &I, Ref MapAddress,
                                   ArrayRef<Ref> At) const {
  Expressions &X = V.expressions();
  FoundBox F;
  F.Box = std::make_shared<CopyBox>();
  const uint64_t Bytes = Expected(I);
  CopyBox::Axis &A = F.Box->Axes.emplace_back();
  A.Count = Bytes ? Bytes : AssumedBytes;
  F.Box->MostSectors = mostSectors(Bytes ? Bytes : MostBytes);
  F.Box->Map = MapAddress ? nameOf(*MapAddress).str() : std::string();
  if (!MapAddress || llvm::is_contained(At, nullptr))
    return F;
  F.Address = X.symbol(64, placeOf(MapAddress, F.Box->Map));
  uint64_t Pitch = A.Count;
  for (Ref C : At) {
    F.Address = X.add(F.Address, X.scale(X.sext(C, 64), Pitch));
    Pitch *= AssumedPitch;
  }
  return F;
}

std::optional<FoundBox> CopyBoxFinder::find(const SymbolicValues &V,
                                            const Instruction &I,
                                            const MemoryEffect &E) const {
  if (E.Space != AddressSpace::Global)
    return std::nullopt;
  auto Has = [&](StringRef M) { return ptx::hasModifier(I.Modifiers, M); };
  switch (Opcode(I.Opcode)) {
  case Opcode::CpAsyncBulk:
  case Opcode::CpReduceAsyncBulk:
  case Opcode::CpAsyncBulkPrefetch:
  case Opcode::StBulk:
    if (E.BytesOperand < 0)
      return std::nullopt;
    return findRow(V, I, E);
  case Opcode::CpAsyncBulkTensor:
  case Opcode::CpReduceAsyncBulkTensor:
  case Opcode::CpAsyncBulkPrefetchTensor:
    break;
  default:
    return std::nullopt;
  }
  const Operand &O = I.Operands[E.AddressOperand];
  if (O.Elements.empty())
    return std::nullopt;
  Ref MapAddress = V.of(I, O.Elements[0], 64);
  if (MapAddress && O.Bits)
    MapAddress = V.expressions().add(
        MapAddress, V.expressions().constant(MapAddress->Width, O.Bits));
  SmallVector<Ref, 5> At;
  for (const Operand &More : O.Elements.drop_front())
    for (const Operand &C : More.Kind == Operand::KindTy::Vector
                                ? More.Elements
                                : ArrayRef<Operand>(More))
      At.push_back(V.of(I, C, 32));
  const bool IsTile = llvm::none_of(
      std::initializer_list<StringRef>{"im2col", "im2col_no_offs", "im2col::w",
                                       "im2col::w::128", "tile::gather4",
                                       "tile::scatter4"},
      Has);
  const TensorMapSpec *Map = MapAddress && IsTile
                                 ? findTensorMap(*MapAddress, Kernel, Launch)
                                 : nullptr;
  if (Map && Map->rank() == At.size() && !llvm::is_contained(At, nullptr))
    if (FoundBox Found = findTile(V, *Map, At); Found.Box->bytes() <= MostBytes)
      return Found; // others copy nothing
  return assumeTile(V, I, MapAddress, At);
}
