//===- ArgumentPlace.cpp - What a launch gives a value to -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/ArgumentPlace.h"
#include "ptxpredict/Launch/BufferElements.h"
#include "ptxpredict/Support/Text.h"

using namespace ptxpredict;

std::string ptxpredict::parseArgumentPlace(StringRef Text,
                                           const ArgumentValue &Value,
                                           ArgumentPlace &Result) {
  Result = ArgumentPlace();
  auto [Parameter, Behind] = Text.split('+');
  Result.Parameter = Parameter;
  if (Parameter.size() == Text.size())
    return {};
  auto [Offset, Type] = Behind.split(':');
  std::optional<int64_t> At = parseInteger(Offset);
  if (Parameter.empty() || !At || *At < 0 ||
      (Type.empty() && Behind.contains(':')))
    return ("'" + Text + "' is no place in a parameter, such as 0+8:u32").str();
  Result.Offset = uint64_t(*At);
  if (!Type.empty() && !findElementType(Type))
    return unknownElementType(Type);
  const bool IsNumber = Value.Kind == ArgumentValue::KindTy::Integer ||
                        Value.Kind == ArgumentValue::KindTy::Float;
  if (Type.empty() && IsNumber)
    return ("a number within a parameter takes a type, such as " + Text +
            ":u32")
        .str();
  Result.Type = Type;
  return {};
}

std::optional<uint64_t> ptxpredict::encodeNumber(StringRef Type,
                                                 const ArgumentValue &V) {
  const ElementType *T = findElementType(Type);
  if (!T)
    return std::nullopt;
  uint64_t Bits = 0;
  if (!T->IsFloat && V.Kind == ArgumentValue::KindTy::Integer) {
    // Exact beyond what a double holds.
    if (V.Float < T->Low || (T->Bytes < 8 && V.Float >= T->End))
      return std::nullopt;
    Bits = uint64_t(V.Integer);
  } else if (!T->holds(V.Float)) {
    return std::nullopt;
  } else {
    elements::withType(Type, [&](auto Element) {
      auto Stored = decltype(Element)::fromDouble(V.Float);
      memcpy(&Bits, &Stored, sizeof Stored);
    });
  }
  return T->Bytes < 8 ? Bits & ((uint64_t(1) << 8 * T->Bytes) - 1) : Bits;
}
