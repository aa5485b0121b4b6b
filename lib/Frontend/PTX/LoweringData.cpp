//===- LoweringData.cpp - Variables, initialisers and debug strings -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoweringImpl.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace ptxpredict;
using namespace ptxpredict::ptx;

using Kind = ptx::Operand::KindTy;

/// Initialisers that reach beyond this many bytes are refused: they are kept as
/// bytes.
static constexpr uint64_t MaxInitializerBytes = uint64_t(1) << 28;

graph::Linkage ptx::lowerLinkage(uint8_t Links) {
  return Links & LinkageExtern    ? graph::Linkage::Extern
         : Links & LinkageWeak    ? graph::Linkage::Weak
         : Links & LinkageCommon  ? graph::Linkage::Common
         : Links & LinkageVisible ? graph::Linkage::Visible
                                  : graph::Linkage::Internal;
}

StringRef ModuleLowering::keepText(StringRef Text) {
  StringRef Input = Diags.text();
  if (Text.begin() >= Input.begin() && Text.end() <= Input.end())
    return Text;
  return Texts.save(Text);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

bool ModuleLowering::lowerVariables() {
  for (const Node *N : Tree.Items) {
    const auto *D = dyn_cast<Declaration>(N);
    if (!D)
      continue;
    for (const ptx::Variable *V : D->Variables) {
      if (V->Space == AddressSpace::Register)
        continue;
      const graph::Variable *Out = lowerVariable(*V, D->Links, M.Allocator);
      if (!Out)
        return true;
      M.Variables.push_back(Out);
    }
  }
  return false;
}

graph::Variable *ModuleLowering::lowerVariable(const ptx::Variable &V,
                                               uint8_t Links,
                                               llvm::BumpPtrAllocator &Arena) {
  auto *Out = new (Arena.Allocate<graph::Variable>()) graph::Variable;
  Out->Name = V.Name;
  Out->Space = V.Space;
  Out->Type = V.Type;
  Out->Link = lowerLinkage(Links);
  Out->VectorWidth = V.Vector;
  Out->Bytes = V.sizeInBytes();
  uint64_t Natural = std::max<uint64_t>(1, bitWidth(V.Type) / 8) * V.Vector;
  Out->Align = V.Alignment != 0 ? V.Alignment : Natural;
  Out->Line = V.Line;
  Variables[&V] = Out;
  if (V.Initializer && lowerInitializer(V, *Out, Arena))
    return nullptr;
  return Out;
}

namespace {
/// Writes an initialiser into bytes.
class InitializerWriter {
public:
  InitializerWriter(const ptx::Variable &V) : V(V) {
    ElementBytes = std::max(1u, bitWidth(V.Type) / 8);
    for (const ptx::Operand &D : V.Dimensions)
      Extents.push_back(D.is(Kind::Sink) ? 0
                                         : uint64_t(std::max<int64_t>(
                                               0, evaluate(D).value_or(0))));
    if (V.Vector > 1)
      Extents.push_back(V.Vector);
  }

  /// Writes \p O at \p Offset as an array of the dimensions from \p Level on.
  /// True if it does not fit.
  bool write(const ptx::Operand &O, size_t Level, uint64_t Offset) {
    if (!O.is(Kind::Vector))
      return writeScalar(O, Offset);
    uint64_t Stride = ElementBytes;
    for (size_t L = Level + 1; L < Extents.size(); ++L)
      Stride = llvm::SaturatingMultiply(Stride, Extents[L]);
    // Without inner braces the elements follow each other.
    bool Flat = llvm::none_of(
        O.children(), [](const ptx::Operand &C) { return C.is(Kind::Vector); });
    if (Flat)
      Stride = ElementBytes;
    for (const ptx::Operand &C : O.children()) {
      if (write(C, Level + 1, Offset))
        return true;
      Offset = llvm::SaturatingAdd(Offset, Stride);
    }
    End = std::max(End, Offset);
    return false;
  }

  std::vector<uint8_t> Bytes;
  std::vector<InitializerAddress> Addresses;
  uint64_t End = 0; ///< bytes that the values' array takes

private:
  bool writeBits(uint64_t Bits, uint64_t Offset) {
    if (Offset > MaxInitializerBytes)
      return true;
    unsigned Size = std::min(ElementBytes, 8u);
    if (Bits == 0)
      return false;
    if (Bytes.size() < Offset + Size)
      Bytes.resize(Offset + Size);
    for (unsigned I = 0; I != Size; ++I)
      Bytes[Offset + I] = uint8_t(Bits >> (8 * I));
    return false;
  }

  bool writeScalar(const ptx::Operand &O, uint64_t Offset) {
    End = std::max(End, llvm::SaturatingAdd(Offset, uint64_t(ElementBytes)));
    if (O.is(Kind::Assign))
      return false;
    if (V.Type == ScalarType::F64 || V.Type == ScalarType::F32) {
      std::optional<double> Value = evaluateFloat(O);
      if (!Value)
        return false;
      return writeBits(V.Type == ScalarType::F64
                           ? llvm::bit_cast<uint64_t>(*Value)
                           : llvm::bit_cast<uint32_t>(float(*Value)),
                       Offset);
    }
    if (std::optional<int64_t> Value = evaluate(O))
      return writeBits(uint64_t(*Value), Offset);
    if (O.is(Kind::Float)) // its bits, in an untyped variable
      return writeBits(floatBits(O), Offset);
    InitializerAddress A;
    A.Offset = Offset;
    A.Bytes = ElementBytes;
    if (splitSymbol(O, A))
      Addresses.push_back(A);
    return false;
  }

  static uint64_t floatBits(const ptx::Operand &O) {
    uint64_t Bits = 0;
    StringRef Text = O.text();
    if (Text.size() > 2 && Text[0] == '0' &&
        !Text.drop_front(2).getAsInteger(16, Bits))
      return Bits;
    return llvm::bit_cast<uint64_t>(evaluateFloat(O).value_or(0));
  }

  /// `a`, `a+4`, `generic(a)+4`, `0xFF00(a+4)`
  static bool splitSymbol(const ptx::Operand &O, InitializerAddress &A) {
    switch (O.Kind) {
    case Kind::Name:
      A.Symbol = O.name();
      return true;
    case Kind::Paren:
    case Kind::Cast:
      return splitSymbol(O.child(), A);
    case Kind::Call:
      if (O.NumChildren != 1)
        return false;
      if (O.text().getAsInteger(0, A.Mask))
        A.Generic = true;
      return splitSymbol(O.child(), A);
    case Kind::Binary: {
      bool Minus = O.Op == Operator::Sub;
      if (O.Op != Operator::Add && !Minus)
        return false;
      if (std::optional<int64_t> Addend = evaluate(O.child(1))) {
        A.Addend += Minus ? -*Addend : *Addend;
        return splitSymbol(O.child(0), A);
      }
      std::optional<int64_t> Addend = evaluate(O.child(0));
      if (!Addend || Minus)
        return false;
      A.Addend += *Addend;
      return splitSymbol(O.child(1), A);
    }
    default:
      return false;
    }
  }

  const ptx::Variable &V;
  unsigned ElementBytes;
  SmallVector<uint64_t, 4> Extents;
};
} // namespace

bool ModuleLowering::lowerInitializer(const ptx::Variable &V,
                                      graph::Variable &Out,
                                      llvm::BumpPtrAllocator &Arena) {
  InitializerWriter W(V);
  if (W.write(*V.Initializer, 0, 0)) {
    Diags.error(V.Initializer->loc(),
                "this initialiser reaches beyond 256 MiB");
    return true;
  }
  if (Out.Bytes == 0 && !V.Dimensions.empty()) // `[]` takes what is there
    Out.Bytes = W.End;
  Out.Initializer = ArrayRef(W.Bytes).copy(Arena);
  Out.Addresses = ArrayRef(W.Addresses).copy(Arena);
  return false;
}

//===----------------------------------------------------------------------===//
// Debug data
//===----------------------------------------------------------------------===//

StringRef ModuleLowering::file(uint32_t Index) {
  if (!HaveFiles) {
    HaveFiles = true;
    for (const Node *N : Tree.Items)
      if (const auto *F = dyn_cast<File>(N))
        Files.try_emplace(F->Index, F->Path.drop_front().drop_back());
  }
  auto It = Files.find(Index);
  return It == Files.end() ? StringRef() : It->second;
}

/// Appends the bytes that an item of type .b8 writes.
static void appendBytes(const SectionItem &I, std::string &To) {
  StringRef Rest = I.Text;
  while (!Rest.empty()) {
    StringRef Value;
    std::tie(Value, Rest) = Rest.split(',');
    unsigned Byte = 0;
    if (!Value.trim().getAsInteger(0, Byte))
      To += char(Byte);
  }
}

bool ptx::isOfTriton(const AST &Tree) {
  // The producer comes first in a unit, behind a few numbers.
  constexpr size_t MaxItems = 32;
  std::string Bytes;
  for (const Node *N : Tree.Items)
    if (const auto *S = dyn_cast<Section>(N); S && S->Name == ".debug_info")
      for (const SectionItem &I : S->Items.take_front(MaxItems))
        if (!I.IsLabel && I.Type == ScalarType::B8)
          appendBytes(I, Bytes);
  return StringRef(Bytes).contains(StringRef("triton", sizeof "triton"));
}

StringRef ModuleLowering::debugFunctionName(const ptx::Operand &Label) {
  if (!Strings)
    Strings.emplace(Tree, StringRef(".debug_str"));
  const ptx::Operand *Base = &Label;
  int64_t Offset = 0;
  if (Label.is(Kind::Binary)) {
    Base = &Label.child(0);
    Offset = evaluate(Label.child(1)).value_or(0);
  }
  std::optional<uint64_t> Place = Strings->place(Base->text());
  StringRef Bytes = Strings->bytes(".debug_str");
  if (!Place || Offset < 0 || *Place + uint64_t(Offset) >= Bytes.size())
    return StringRef();
  StringRef Tail = Bytes.drop_front(*Place + uint64_t(Offset));
  return keepText(Tail.take_until([](char C) { return C == '\0'; }));
}
