//===- IntrinsicsMemory.cpp - Copies of a constant length -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What is long or of an unknown length was made a loop before.
//===----------------------------------------------------------------------===//
#include "Intrinsics.h"
#include "llvm/IR/Constants.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

/// A piece that one instruction moves.
struct MovedPiece {
  int64_t Offset;
  unsigned Bytes;

  ScalarType type() const {
    return Bytes <= 2   ? ScalarType::B16
           : Bytes == 4 ? ScalarType::B32
                        : ScalarType::B64;
  }
  /// `.global.b32` of an access.
  std::string suffix(StringRef Space) const {
    return (Space + ".b" + llvm::Twine(Bytes * 8)).str();
  }
};

} // namespace

/// Pieces as long as the alignment allows, 8 bytes at most.
static SmallVector<MovedPiece, 16> pieces(uint64_t Bytes, uint64_t Align) {
  SmallVector<MovedPiece, 16> Out;
  uint64_t Size = std::min<uint64_t>(Align, 8);
  for (uint64_t At = 0; At != Bytes; At += Size) {
    while (At + Size > Bytes)
      Size /= 2;
    Out.push_back({int64_t(At), unsigned(Size)});
  }
  return Out;
}

static Operand moved(Operand Address, const MovedPiece &P) {
  Address.Bits = uint64_t(Address.integer() + P.Offset);
  return Address;
}

void IntrinsicLowering::lowerCopy(const llvm::MemTransferInst &Copy,
                                  uint64_t Bytes) {
  uint64_t Align = std::min(Copy.getDestAlign().valueOrOne().value(),
                            Copy.getSourceAlign().valueOrOne().value());
  Operand To = F.address(Copy.getRawDest()),
          From = F.address(Copy.getRawSource());
  std::string Volatile = Copy.isVolatile() ? ".volatile" : "";
  std::string Load = "ld" + Volatile, Store = "st" + Volatile;
  // Where both may overlap, all is read first.
  bool MayOverlap = isa<llvm::MemMoveInst>(Copy);
  SmallVector<std::pair<MovedPiece, Operand>, 16> Read;
  auto Write = [&](const MovedPiece &P, const Operand &Value) {
    F.emit(Store + P.suffix(space(0)), {moved(To, P), Value});
  };
  for (const MovedPiece &P : pieces(Bytes, Align)) {
    Operand Value = op(P.type(), Load + P.suffix(space(1)), {moved(From, P)});
    if (MayOverlap)
      Read.push_back({P, Value});
    else
      Write(P, Value);
  }
  for (const auto &[P, Value] : Read)
    Write(P, Value);
}

void IntrinsicLowering::lowerSet(const llvm::MemSetInst &Set, uint64_t Bytes) {
  Operand To = F.address(Set.getRawDest());
  Operand Byte = F.use(Set.getValue());
  std::string Store = Set.isVolatile() ? "st.volatile" : "st";
  // The byte at each place of a word, made once for each width.
  std::array<std::optional<Operand>, 9> Words;
  auto Word = [&](const MovedPiece &P) {
    std::optional<Operand> &W = Words[P.Bytes];
    if (W)
      return *W;
    uint64_t Ones = 0x0101010101010101 >> (64 - 8 * P.Bytes);
    if (Byte.Kind == Operand::KindTy::Integer) {
      W = FunctionLowering::integer(int64_t((Byte.Bits & 0xff) * Ones),
                                    P.type());
    } else if (P.Bytes == 1) {
      W = Byte;
    } else {
      std::string Bits = std::to_string(8 * P.Bytes);
      Operand Wide = extended(Byte, 8, /*IsSigned=*/false);
      if (P.Bytes > 2)
        Wide = op(P.type(), "cvt.u" + Bits + ".u16", {Wide});
      W = op(P.type(), "mul.lo.s" + Bits,
             {Wide, FunctionLowering::integer(int64_t(Ones), P.type())});
    }
    return *W;
  };
  for (const MovedPiece &P :
       pieces(Bytes, Set.getDestAlign().valueOrOne().value()))
    F.emit(Store + P.suffix(space(0)), {moved(To, P), Word(P)});
}

/// Accesses that leave out elements whose numbers are known: those of a gap
/// between others. A load reads them nevertheless, as the back end's does.
bool IntrinsicLowering::lowerMasked() {
  const bool IsLoad = ID == llvm::Intrinsic::masked_load;
  if (!IsLoad && ID != llvm::Intrinsic::masked_store)
    return false;
  const unsigned Pointer = IsLoad ? 0 : 1;
  auto *Mask = dyn_cast<llvm::Constant>(I.getArgOperand(Pointer + 1));
  const llvm::Value *Other = IsLoad ? I.getArgOperand(2) : I.getArgOperand(0);
  llvm::Type *T = Other->getType();
  ArrayRef<Operand> Parts = F.components(Other);
  if (!Mask || FunctionLowering::elementsPerComponent(T) != 1 ||
      Parts.size() != cast<llvm::FixedVectorType>(T)->getNumElements())
    return false;
  llvm::Align Align = I.getParamAlign(Pointer).valueOrOne();
  Operand Address = F.address(I.getArgOperand(Pointer));
  auto IsOn = [&](unsigned N) {
    const llvm::Constant *Bit = Mask->getAggregateElement(N);
    return Bit && Bit->isOneValue();
  };
  if (IsLoad) {
    ArrayRef<Operand> To = F.define(&I);
    F.memory().load(Address, To, {T, Align, ("ld" + space(0)).str()});
    for (unsigned N = 0; N != To.size(); ++N)
      if (!IsOn(N) && !isa<llvm::UndefValue>(Other))
        F.move(To[N], Parts[N]);
    return true;
  }
  SmallVector<Operand, 8> From(Parts.begin(), Parts.end());
  for (unsigned N = 0; N != From.size(); ++N)
    if (!IsOn(N))
      From[N] = FunctionLowering::sink();
  F.memory().store(Address, From, {T, Align, ("st" + space(1)).str()});
  return true;
}

bool IntrinsicLowering::lowerMemory() {
  if (lowerMasked())
    return true;
  auto *M = dyn_cast<llvm::MemIntrinsic>(&I);
  auto *Length = M ? dyn_cast<llvm::ConstantInt>(M->getLength()) : nullptr;
  if (!Length)
    return false;
  uint64_t Bytes = Length->getZExtValue();
  if (auto *Copy = dyn_cast<llvm::MemTransferInst>(M))
    lowerCopy(*Copy, Bytes);
  else
    lowerSet(*cast<llvm::MemSetInst>(M), Bytes);
  return true;
}
