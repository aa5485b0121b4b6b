//===- IntrinsicsTexture.cpp - Textures and surfaces ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// tex[.unified].2d[.array][.level|.grad].v4f32.f32
// tld4[.unified].r.2d.v4f32.f32
// suld.2d[.array].v2i32.clamp, sust.b.2d[.array].v2i32.clamp
//===----------------------------------------------------------------------===//
#include "Intrinsics.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

/// Takes the parts of a name off one by one.
struct NameParts {
  StringRef Rest;

  StringRef take() {
    auto [Part, Others] = Rest.split('.');
    Rest = Others;
    return Part;
  }
  bool take(StringRef Part) {
    if (Rest.split('.').first != Part)
      return false;
    take();
    return true;
  }
};

/// `2d`, in an array or not.
struct Shape {
  std::string Text;     ///< as in the mnemonic: `a2d`
  unsigned Coordinates; ///< the array's index among them
  unsigned Dimensions;  ///< without it
};

} // namespace

static Shape takeShape(NameParts &Parts) {
  StringRef Text = Parts.take();
  bool IsArray = Parts.take("array");
  unsigned Dimensions = Text == "1d" ? 1 : Text == "2d" ? 2 : 3;
  return {(IsArray ? "a" : "") + Text.str(), Dimensions + IsArray, Dimensions};
}

bool IntrinsicLowering::lowerTexture(StringRef Name) {
  NameParts Parts{Name};
  StringRef Opcode = Parts.take();
  if (!llvm::is_contained({"tex", "tld4", "suld", "sust"}, Opcode))
    return false;
  bool IsUnified = Parts.take("unified");
  // PTX has vectors of 1, 2 and 4; the fourth of 3 is not read.
  auto Coordinates = [&](unsigned Begin, unsigned Count) {
    SmallVector<Operand, 4> Elements;
    for (unsigned N = 0; N != Count; ++N)
      Elements.push_back(argument(Begin + N).front());
    if (Count == 3)
      Elements.push_back(Elements.back());
    return F.vector(Elements);
  };

  std::string Mnemonic = Opcode.str();
  SmallVector<Operand, 4> Operands;
  unsigned Next = 0;
  SmallVector<Operand, 3> Place = {argument(Next++).front()};
  if (Opcode == "tex" || Opcode == "tld4") {
    if (!IsUnified)
      Place.push_back(argument(Next++).front()); // the sampler
    if (Opcode == "tld4")
      Mnemonic += "." + Parts.take().str();
    Shape S = takeShape(Parts);
    bool HasLevel = Parts.take("level"), HasGradients = Parts.take("grad");
    Mnemonic += HasLevel ? ".level" : HasGradients ? ".grad" : "";
    StringRef Type = Parts.take().drop_front(2);
    Mnemonic += "." + S.Text + ".v4." + Type.str() + "." + Parts.Rest.str();
    Place.push_back(Coordinates(Next, S.Coordinates));
    Next += S.Coordinates;
    Operands = {F.vector(F.define(&I)), addressOf(Place)};
    if (HasLevel)
      Operands.push_back(argument(Next).front());
    if (HasGradients)
      for (unsigned N = 0; N != 2; ++N)
        Operands.push_back(Coordinates(Next + N * S.Dimensions, S.Dimensions));
  } else {
    bool IsLoad = Opcode == "suld";
    Mnemonic += "." + (IsLoad ? "b" : Parts.take().str());
    Shape S = takeShape(Parts);
    auto [Vector, Bits] = Parts.take().split('i');
    Mnemonic += "." + S.Text + (Vector.empty() ? "" : "." + Vector.str()) +
                ".b" + Bits.str() + "." + Parts.Rest.str();
    Place.push_back(Coordinates(Next, S.Coordinates));
    Next += S.Coordinates;
    if (IsLoad)
      Operands = {F.vector(F.define(&I)), addressOf(Place)};
    else
      Operands = {addressOf(Place), arguments(Next, unsigned(I.arg_size()))};
  }
  F.emit(Mnemonic, Operands);
  return true;
}
