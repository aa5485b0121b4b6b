//===- GraphText.cpp - What a function computes, as lines -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "GraphText.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

using Kind = Operand::KindTy;

/// The width of the type that a mnemonic ends with; 64 without one.
static unsigned typeWidth(StringRef Mnemonic) {
  size_t Digits = Mnemonic.find_last_not_of("0123456789");
  unsigned Width = 64;
  if (Mnemonic.substr(Digits + 1).getAsInteger(10, Width) ||
      (Width != 8 && Width != 16 && Width != 32))
    return 64;
  return Width;
}

static bool isFetch(const Instruction &I) {
  return I.Mnemonic.starts_with("ld.param");
}

/// What fits an argument into the register that its type has, or a result into
/// what it is returned in.
static bool isFit(const Instruction &I) {
  if (I.Mnemonic == "and.b16" && I.Operands[2].Kind == Kind::Integer &&
      I.Operands[2].Bits == 255)
    return true;
  return I.Mnemonic == "cvt.s16.s8" || I.Mnemonic == "cvt.u32.u16" ||
         I.Mnemonic == "cvt.u16.u32" || I.Mnemonic == "cvt.u16.u8" ||
         I.Mnemonic == "cvt.u8.u16" || I.Mnemonic == "cvt.s8.s32" ||
         I.Mnemonic == "cvt.u32.u8" || I.Mnemonic == "cvt.s32.s8" ||
         I.Mnemonic == "cvt.u32.u64";
}

static std::string traced(const Value *V);

static std::string traced(const Operand &O, unsigned Width) {
  switch (O.Kind) {
  case Kind::Sink:
    return "_";
  case Kind::Register:
    return traced(O.Val);
  case Kind::Integer:
    return std::to_string(Width == 16   ? int16_t(O.Bits)
                          : Width == 32 ? int32_t(O.Bits)
                                        : O.integer());
  case Kind::Float32:
  case Kind::Float64:
    return "f" + std::to_string(O.Bits);
  case Kind::Parameter:
    return "p" + std::to_string(O.Param->Position);
  case Kind::Variable:
    return O.Var->Name.str();
  case Kind::Vector:
  case Kind::Address:
  case Kind::List: {
    std::string Out = O.Kind == Kind::Address ? "[" : "{";
    for (const Operand &E : O.Elements)
      Out += (Out.size() == 1 ? "" : ",") + traced(E, Width);
    if (O.Kind == Kind::Address)
      Out += "+" + std::to_string(O.integer());
    return Out + "}";
  }
  default:
    return O.Name.str();
  }
}

/// A move of one register to another.
static bool isCopy(const Instruction &I) {
  return I.Mnemonic.starts_with("mov.") && I.Operands.size() == 2 &&
         I.Operands[0].Kind == Kind::Register &&
         I.Operands[1].Kind != Kind::Vector &&
         I.Operands[1].Kind != Kind::Special &&
         I.Operands[1].Kind != Kind::Symbol;
}

/// Part \p Number, of \p Bytes each, of what was traced to \p Whole.
static std::string part(const std::string &Whole, size_t Number,
                        unsigned Bytes) {
  auto [Base, Offset] = StringRef(Whole).split('+');
  uint64_t At;
  if (!Base.starts_with("p") || Offset.getAsInteger(10, At))
    return Whole + "." + std::to_string(Number);
  return Base.str() + "+" + std::to_string(At + Number * Bytes);
}

static std::string traced(const Value *V) {
  const Instruction *I = V->Def;
  if (!I)
    return "undefined";
  size_t Number =
      std::find(I->Defs.begin(), I->Defs.end(), V) - I->Defs.begin();
  if (isFetch(*I)) {
    const Operand &From = I->Operands.back();
    std::string Out = "p";
    unsigned Bytes = std::max(1U, bitWidth(V->Type) / 8);
    for (const Operand &E : From.Elements)
      Out += traced(E, 64).substr(1);
    return Out + "+" + std::to_string(From.integer() + Number * Bytes);
  }
  if (isCopy(*I) || isFit(*I))
    return traced(I->Operands[1], typeWidth(I->Mnemonic));
  // A predicate that a byte or half word holds.
  if (I->Mnemonic == "setp.ne.b16" || I->Mnemonic == "and.b16")
    if (I->Operands[2].Kind == Kind::Integer && I->Operands[2].Bits <= 1)
      return traced(I->Operands[1], 16);
  if (I->isPhi() || I->isSelect())
    return "merged";
  if (I->Mnemonic.starts_with("mov.") &&
      I->Operands[0].Kind == Kind::Vector) { // a part
    if (I->Operands[0].Elements[0].Kind == Kind::Sink)
      Number = 1;
    return part(traced(I->Operands[1], 64), Number,
                std::max(1U, bitWidth(V->Type) / 8));
  }
  if (I->Mnemonic.starts_with("mov.") &&
      I->Operands[1].Kind == Kind::Vector) { // parts of one whole
    ArrayRef<Operand> Parts = I->Operands[1].Elements;
    std::string First = traced(Parts[0], 64);
    unsigned Bytes = std::max(1U, bitWidth(Parts[0].Type) / 8);
    for (size_t N = 1; N != Parts.size(); ++N)
      if (traced(Parts[N], 64) != part(First, N, Bytes))
        return traced(I->Operands[1], 64);
    return First;
  }
  return I->Mnemonic.str() + "#" + std::to_string(Number);
}

static bool isReturn(const Instruction &I) {
  return I.Mnemonic.starts_with("st.param") || I.Mnemonic == "ret";
}

/// A predicate that is returned as 1, or -1, and 0.
static bool isReturnedPredicate(const Instruction &I) {
  return I.Mnemonic.starts_with("selp.") &&
         I.Operands[1].Kind == Kind::Integer &&
         I.Operands[2].Kind == Kind::Integer && !I.Defs.empty() &&
         llvm::all_of(I.Defs[0]->Users,
                      [](const Instruction *U) { return isReturn(*U); });
}

static bool isPlumbing(const Instruction &I) {
  return isFetch(I) || isCopy(I) || isFit(I) || isReturn(I) ||
         isReturnedPredicate(I) ||
         (I.Mnemonic.starts_with("mov.") &&
          (I.Operands[0].Kind == Kind::Vector ||
           I.Operands[1].Kind == Kind::Vector));
}

std::vector<std::string> llvmir::graphText(const InstructionGraph &G) {
  std::vector<std::string> Lines;
  G.forEachInstruction([&](const Instruction &I) {
    if (isPlumbing(I))
      return;
    unsigned Width = typeWidth(I.Mnemonic);
    std::string Line = I.Mnemonic.str() + " " + toString(I.Class).str();
    for (const MemoryEffect &E : I.Effects)
      Line += " " + toString(E.Access).str() + "." + toString(E.Space).str() +
              "." + std::to_string(E.BytesPerLane);
    for (const Operand &O : I.Operands)
      if (O.Role != OperandRole::Write)
        Line += " " + traced(O, Width);
    Lines.push_back(std::move(Line));
  });
  std::sort(Lines.begin(), Lines.end());
  return Lines;
}
