//===- PTXModifiers.cpp - What follows an opcode's name -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXTable.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

/// At most 8 characters as a number to switch over.
static constexpr uint64_t packEight(const char *Text, size_t Length) {
  uint64_t Value = 0;
  for (size_t I = 0; I < Length; ++I)
    Value |= uint64_t(uint8_t(Text[I])) << (I * 8);
  return Value;
}

/// The class of arithmetic on a scalar type.
static constexpr OpClass arithmeticClass(TypeKind Kind, unsigned Bits,
                                         bool IsPacked) {
  if (Kind != TypeKind::Float)
    return OpClass::Int;
  if (Bits == 64)
    return OpClass::Fp64;
  return Bits == 32 && !IsPacked ? OpClass::Fp32 : OpClass::Fp16;
}

std::optional<Format> ptx::parseFormat(StringRef Part) {
  if (Part.size() < 2 || Part.size() > 8)
    return std::nullopt;
  switch (packEight(Part.data(), Part.size())) {
#define SCALAR_TYPE(NAME, TEXT, BITS, KIND)                                    \
  case packEight(TEXT, sizeof(TEXT) > 9 ? 0 : sizeof(TEXT) - 1):                    \
    return Format{ScalarType::NAME, BITS,                                      \
                  arithmeticClass(TypeKind::KIND, BITS, sizeof(TEXT) > 4)};
#include "ptxpredict/ISA/Types.def"
#define INSTRUCTION_FORMAT(NAME, TEXT, HOLDER, BITS, CLASS)                    \
  case packEight(TEXT, sizeof(TEXT) - 1):                                      \
    return Format{ScalarType::HOLDER, BITS, OpClass::CLASS};
#include "ptxpredict/ISA/PTXFormats.def"
  default:
    return std::nullopt;
  }
}

std::optional<Format> ptx::firstFormat(StringRef Modifiers) {
  while (!Modifiers.empty())
    if (std::optional<Format> F = parseFormat(takeModifier(Modifiers)))
      return F;
  return std::nullopt;
}

std::optional<Format> ptx::lastFormat(StringRef Modifiers) {
  while (!Modifiers.empty()) {
    size_t Dot = Modifiers.rfind('.');
    if (Dot == StringRef::npos)
      break;
    if (std::optional<Format> F = parseFormat(Modifiers.substr(Dot + 1)))
      return F;
    Modifiers = Modifiers.take_front(Dot);
  }
  return std::nullopt;
}

std::optional<ScalarType> ptx::operationType(StringRef Modifiers) {
  if (std::optional<Format> F = lastFormat(Modifiers))
    return F->Holder;
  return std::nullopt;
}

bool ptx::hasAnyModifier(StringRef Modifiers, ArrayRef<StringRef> Names) {
  const char *const End = Modifiers.end();
  const char *At = Modifiers.begin();
  while (At != End && *At != '.')
    ++At;
  while (At != End) {
    const char *const Begin = ++At;
    while (At != End && *At != '.')
      ++At;
    const size_t Size = At - Begin;
    for (StringRef Name : Names)
      if (Name.size() == Size && Size != 0 && Name.front() == *Begin &&
          Name == StringRef(Begin, Size))
        return true;
  }
  return false;
}

ptx::LoadCaching ptx::loadCaching(StringRef Modifiers) {
  LoadCaching Said = LoadCaching::ByDevice;
  // Of each load it is asked again and again: one walk, by lengths first.
  while (!Modifiers.empty()) {
    const StringRef Name = takeModifier(Modifiers);
    switch (Name.size()) {
    case 2:
      if (Name == "cg" || Name == "cv")
        return LoadCaching::PastL1;
      if (Name == "nc" || Name == "ca")
        Said = LoadCaching::InL1;
      break;
    case 7:
      if (Name == "relaxed" || Name == "acquire")
        return LoadCaching::PastL1;
      break;
    case 8:
      if (Name == "volatile")
        return LoadCaching::PastL1;
      break;
    default:
      break;
    }
  }
  return Said;
}

bool ptx::hasModifier(StringRef Modifiers, StringRef Name) {
  // Every instruction is asked for many names: so nothing is split.
  const size_t Size = Name.size();
  const char *const End = Modifiers.end();
  for (const char *At = Modifiers.begin(); size_t(End - At) > Size; ++At)
    if (*At == '.' && (At + 1 + Size == End || At[1 + Size] == '.') &&
        StringRef(At + 1, Size) == Name)
      return true;
  return false;
}
