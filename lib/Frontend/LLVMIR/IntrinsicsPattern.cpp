//===- IntrinsicsPattern.cpp - Instructions that a row describes ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The languages are explained in NVVMIntrinsics.def.
//===----------------------------------------------------------------------===//
#include "Intrinsics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

int64_t IntrinsicLowering::immediate(unsigned N) const {
  auto *C = dyn_cast<llvm::ConstantInt>(I.getArgOperand(N));
  return C ? C->getSExtValue() : 0;
}

Operand IntrinsicLowering::arguments(unsigned Begin, unsigned End) {
  SmallVector<Operand, 8> Elements;
  for (unsigned N = Begin; N < End; ++N)
    llvm::append_range(Elements, argument(N));
  return F.vector(Elements);
}

Operand IntrinsicLowering::addressOf(ArrayRef<Operand> Parts) {
  Operand O = F.address(Parts.front());
  O.Elements = F.builder().keep(Parts);
  return O;
}

StringRef IntrinsicLowering::space(unsigned Argument) const {
  switch (I.getArgOperand(Argument)->getType()->getPointerAddressSpace()) {
  case llvm::NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return ".global";
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED:
    return ".shared";
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER:
    return ".shared::cluster";
  case llvm::NVPTXAS::ADDRESS_SPACE_CONST:
    return ".const";
  case llvm::NVPTXAS::ADDRESS_SPACE_LOCAL:
    return ".local";
  case llvm::NVPTXAS::ADDRESS_SPACE_PARAM:
    return ".param";
  default:
    return "";
  }
}

StringRef IntrinsicLowering::floatName(llvm::Type *T) {
  llvm::Type *E = T->getScalarType();
  bool IsPair = T->isVectorTy();
  if (E->isHalfTy())
    return IsPair ? "f16x2" : "f16";
  if (E->isBFloatTy())
    return IsPair ? "bf16x2" : "bf16";
  return E->isDoubleTy() ? "f64" : IsPair ? "f32x2" : "f32";
}

/// `.v4.b32`: each component of the result, whose type may be narrower than a
/// register.
std::string IntrinsicLowering::loadedName() const {
  SmallVector<ScalarType, 4> Types;
  F.componentTypes(I.getType(), Types);
  uint64_t Bits = F.layout().getTypeSizeInBits(I.getType()) / Types.size();
  return (Types.size() > 1 ? ".v" + std::to_string(Types.size()) : "") + ".b" +
         std::to_string(Bits);
}

/// The number at the head of \p Text, taken off.
static unsigned takeNumber(StringRef &Text) {
  unsigned N = 0;
  Text.consumeInteger(10, N);
  return N;
}

std::string IntrinsicLowering::expandMnemonic(const IntrinsicMatch &M) const {
  auto Width = [&](StringRef &Text) {
    llvm::Type *T = Text.consume_front("d")
                        ? I.getType()
                        : I.getArgOperand(takeNumber(Text))->getType();
    return unsigned(F.layout().getTypeSizeInBits(T));
  };
  std::string Out;
  StringRef Text = M.Pattern->Mnemonic;
  while (!Text.empty()) {
    size_t Literal = Text.find_first_of("$%&#(");
    Out += Text.take_front(Literal);
    if (Literal == StringRef::npos)
      break;
    char C = Text[Literal];
    Text = Text.drop_front(Literal + 1);
    if (C == '$') {
      Out += M.capture(unsigned(Text.front() - '0'));
      Text = Text.drop_front();
    } else if (C == '%' || C == '&') {
      StringRef Space = space(takeNumber(Text));
      Out += Space;
      if (C == '&' && Space == ".shared")
        Out += "::cta";
    } else if (C == '#') {
      if (Text.consume_front("t"))
        Out += floatName(I.getType());
      else if (Text.consume_front("v"))
        Out += loadedName();
      else
        Out += std::to_string(Width(Text));
    } else {
      auto [Choice, Rest] = Text.split(')');
      Text = Rest;
      int64_t Index;
      if (Choice.consume_front("d")) { // (d32?…)
        unsigned Bits = takeNumber(Choice);
        Index = F.layout().getTypeSizeInBits(I.getType()) != Bits;
      } else {
        int64_t Value = immediate(takeNumber(Choice));
        Index = Choice.front() == '?' ? Value == 0 : Value;
      }
      Choice = Choice.drop_front();
      for (; Index > 0; --Index)
        Choice = Choice.split('|').second;
      Out += Choice.split('|').first;
    }
  }
  return Out;
}

Operand IntrinsicLowering::operand(StringRef Text, const IntrinsicMatch &M) {
  auto Argument = [&](StringRef &Rest) {
    return Rest.consume_front("~") ? unsigned(I.arg_size()) - 1
                                   : takeNumber(Rest);
  };
  if (Text == "_")
    return FunctionLowering::sink();
  if (Text.consume_front("[")) {
    SmallVector<Operand, 4> Parts;
    for (StringRef Part : llvm::split(Text.drop_back(), ','))
      Parts.push_back(operand(Part, M));
    const llvm::Value *Base = I.getArgOperand(Argument(Text));
    return Parts.size() == 1 && Base->getType()->isPointerTy()
               ? F.address(Base)
               : addressOf(Parts);
  }
  if (Text.consume_front("{")) {
    Text = Text.drop_back();
    if (Text == "d")
      return F.vector(F.define(&I));
    if (Text.contains(',')) {
      SmallVector<Operand, 4> Parts;
      for (StringRef Part : llvm::split(Text, ','))
        Parts.push_back(operand(Part, M));
      return F.vector(Parts);
    }
    unsigned Begin = Argument(Text), End = Begin + 1;
    if (Text.consume_front(":"))
      End = Text.empty()  ? unsigned(I.arg_size())
            : Text == "~" ? unsigned(I.arg_size()) - 1
                          : takeNumber(Text) + 1;
    return arguments(Begin, End);
  }
  if (Text == "D")
    return F.define(&I).size() > 1 ? F.vector(F.define(&I)) : F.defineOne(&I);
  if (Text == "d|d1")
    return F.vector(F.define(&I).take_front(2));
  if (Text == "d" || Text == "d1")
    return F.define(&I)[Text.size() - 1];
  if (Text.consume_front("=")) {
    if (Text.consume_front("$"))
      Text = M.capture(takeNumber(Text));
    return FunctionLowering::integer(takeNumber(Text), ScalarType::B32);
  }
  if (Text.consume_front("%")) {
    std::string Name = "%";
    while (!Text.empty()) {
      size_t Literal = Text.find('$');
      Name += Text.take_front(Literal);
      if (Literal == StringRef::npos)
        break;
      Text = Text.drop_front(Literal + 1);
      Name += M.capture(unsigned(Text.front() - '0'));
      Text = Text.drop_front();
    }
    return FunctionLowering::special(F.module().keep(Name));
  }
  return F.use(I.getArgOperand(Argument(Text)));
}

void IntrinsicLowering::operands(StringRef Text, const IntrinsicMatch &M,
                                 SmallVectorImpl<Operand> &Out) {
  if (Text.empty())
    return;
  for (StringRef Token : llvm::split(Text, ' ')) {
    if (Token.consume_front("?")) {
      if (immediate(takeNumber(Token)) == 0)
        continue;
      Token = Token.drop_front(); // the colon
    }
    Out.push_back(operand(Token, M));
  }
}

void IntrinsicLowering::lowerPattern(const IntrinsicMatch &M) {
  SmallVector<Operand, 8> Operands;
  operands(M.Pattern->Operands, M, Operands);
  F.emit(expandMnemonic(M), Operands);
}
