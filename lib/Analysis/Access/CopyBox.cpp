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
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Ref = const Expression *;

static constexpr uint64_t LineBytes = 128;

/// Bytes that are taken for a box of which nobody says the size: 64 x 64
/// elements of 16 bits, a tile of many matrix multiplications.
static constexpr uint64_t AssumedBytes = 8192;

/// No copy moves more than the shared memory of a block has, and rows have at
/// least the 16 bytes of which copies are a multiple (PTX ISA,
/// "cp.async.bulk").
static constexpr uint64_t MostBytes = uint64_t(1) << 18, LeastRowBytes = 16;

/// Where nobody says how a tensor lies, boxes at other coordinates are other
/// bytes, and all lie within so many.
static constexpr unsigned AssumedExtentBits = 50;

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

namespace {
/// Counts rows by where they begin in a line: all that begin there do alike.
class RowCounter {
public:
  RowCounter(const CopyBox &Box, const BoxPart &Part, uint64_t Unit)
      : Box(Box), Part(Part), Unit(Unit), Known(Box.Axes.size()) {
    uint64_t End = Part.Axes[0].Count * strideOf(0) / 8;
    for (size_t D = 1; D != Box.Axes.size(); ++D) {
      Ends.push_back(End);
      End += (Part.Axes[D].Count - 1) * strideOf(D) / 8;
    }
    Ends.push_back(End);
  }

  /// Units of what lies along the axes up to \p D from \p At on.
  double count(size_t D, uint64_t At) {
    At %= LineBytes;
    auto [It, IsNew] = Known[D].try_emplace(unsigned(At));
    if (!IsNew)
      return It->second;
    double Sum = 0;
    if (D == 0) {
      const uint64_t First = At / Unit, Last = (At + Ends[0] - 1) / Unit;
      Sum = double(Last + 1 - First);
    } else {
      const uint64_t Stride = strideOf(D) / 8, Count = Part.Axes[D].Count,
                     Period = LineBytes / std::gcd(Stride, LineBytes);
      for (uint64_t N = 0; N != std::min(Count, Period); ++N) {
        const uint64_t Here = (At + N * Stride) % LineBytes;
        auto Often = [&](uint64_t All) {
          const uint64_t Times = All / Period + (N < All % Period);
          return double(Times);
        };
        Sum += Often(Count) * count(D - 1, Here);
        // The unit in which the row before ended is counted.
        if ((Here + Ends[D - 1] - 1) / Unit == (Here + Stride) / Unit)
          Sum -= Often(Count - 1);
      }
    }
    return Known[D][unsigned(At)] = Sum;
  }

private:
  uint64_t strideOf(size_t D) const { return Box.Axes[D].StrideBits; }

  const CopyBox &Box;
  const BoxPart &Part;
  const uint64_t Unit;
  SmallVector<uint64_t, 5> Ends; ///< bytes from the first to behind the last
  SmallVector<llvm::SmallDenseMap<unsigned, double, 8>, 5> Known;
};
} // namespace

BoxCosts counting::countBox(const CopyBox &Box, const BoxPart &Part,
                            uint64_t Address) {
  if (Part.isEmpty())
    return {};
  for (auto [A, R] : llvm::zip(Box.Axes, Part.Axes))
    Address += R.First * A.StrideBits / 8;
  const size_t All = Box.Axes.size() - 1;
  return {RowCounter(Box, Part, SectorBytes).count(All, Address),
          RowCounter(Box, Part, LineBytes).count(All, Address)};
}

void CopyBox::findBounds() {
  if (isAssumed()) {
    Most = {MostSectors, MostSectors};
    return;
  }
  for (uint64_t At = 0; At != LineBytes; At += Align) {
    const BoxCosts C = countBox(*this, wholeOf(*this), At);
    Least.Sectors = At ? std::min(Least.Sectors, C.Sectors) : C.Sectors;
    Least.Lines = At ? std::min(Least.Lines, C.Lines) : C.Lines;
    Most.Sectors = std::max(Most.Sectors, C.Sectors);
    Most.Lines = std::max(Most.Lines, C.Lines);
  }
  if (mayBeClipped() || Open)
    Least = {};
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

const TensorMapSpec *counting::findTensorMap(const Expression &Address,
                                             const InstructionGraph &Kernel,
                                             const LaunchConfig &Launch) {
  Ref Base = &Address;
  uint64_t Offset = 0;
  // Parameters lie in the lowest 4 GiB: their addresses may be taken in 32
  // bits, as Triton does.
  if (Base->Kind == Expression::KindTy::ZExt)
    Base = Base->Operands[0];
  if (Base->Kind == Expression::KindTy::Sum) {
    if (Base->Operands.size() != 1 || Base->Coefficients[0] != 1)
      return nullptr;
    Offset = Base->Addend;
    Base = Base->Operands[0];
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

/// The most sectors of a copy of so many bytes: two for each of the shortest
/// rows.
static double mostSectors(uint64_t Bytes) {
  return 2 * double(Bytes) / double(LeastRowBytes);
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
  const unsigned Element = bitsInGlobal(Map.Type) / 8;
  F.Box->Align = Element != 0 && llvm::isPowerOf2_32(Element) ? Element : 1;
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
  const unsigned Bits = (AssumedExtentBits - llvm::Log2_64_Ceil(A.Count)) /
                        unsigned(std::max<size_t>(At.size(), 1));
  uint64_t Pitch = A.Count;
  for (Ref C : At) {
    F.Address = X.add(F.Address, X.scale(X.sext(C, 64), Pitch));
    Pitch <<= Bits;
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
    return findTile(V, *Map, At);
  return assumeTile(V, I, MapAddress, At);
}
