//===- ISA.cpp - Classes, types and spaces common to all ISAs -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/ISA/ISA.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ptxpredict;

StringRef ptxpredict::toString(OpClass C) {
  switch (C) {
#define OP_CLASS(NAME, TEXT)                                                   \
  case OpClass::NAME:                                                          \
    return TEXT;
#include "ptxpredict/ISA/OpClasses.def"
  }
  llvm_unreachable("no such class");
}

StringRef ptxpredict::toString(ScalarType T) {
  switch (T) {
#define SCALAR_TYPE(NAME, TEXT, BITS, KIND)                                    \
  case ScalarType::NAME:                                                       \
    return TEXT;
#include "ptxpredict/ISA/Types.def"
  }
  llvm_unreachable("no such type");
}

unsigned ptxpredict::bitWidth(ScalarType T) {
  static constexpr uint8_t Bits[] = {
#define SCALAR_TYPE(NAME, TEXT, BITS, KIND) BITS,
#include "ptxpredict/ISA/Types.def"
  };
  return Bits[unsigned(T)];
}

TypeKind ptxpredict::kindOf(ScalarType T) {
  static constexpr TypeKind Kinds[] = {
#define SCALAR_TYPE(NAME, TEXT, BITS, KIND) TypeKind::KIND,
#include "ptxpredict/ISA/Types.def"
  };
  return Kinds[unsigned(T)];
}

/// The first 16 characters of \p Text as two numbers, which compares faster
/// than text.
static constexpr std::pair<uint64_t, uint64_t> pack(const char *Text,
                                                    size_t Length) {
  uint64_t Low = 0, High = 0;
  for (size_t I = 0; I < Length; ++I)
    (I < 8 ? Low : High) |= uint64_t(uint8_t(Text[I])) << (I % 8 * 8);
  return {Low, High};
}

std::optional<ScalarType> ptxpredict::parseScalarType(StringRef Name) {
  if (Name.size() > 16)
    return std::nullopt;
  auto [Low, High] = pack(Name.data(), Name.size());
#define SCALAR_TYPE(NAME, TEXT, BITS, KIND)                                    \
  {                                                                            \
    constexpr auto Text = pack(TEXT, sizeof(TEXT) - 1);                        \
    if (Low == Text.first && High == Text.second)                              \
      return ScalarType::NAME;                                                 \
  }
#include "ptxpredict/ISA/Types.def"
  return std::nullopt;
}

StringRef ptxpredict::toString(AddressSpace S) {
  switch (S) {
  case AddressSpace::Register:
    return "register";
  case AddressSpace::Generic:
    return "generic";
  case AddressSpace::Global:
    return "global";
  case AddressSpace::Shared:
    return "shared";
  case AddressSpace::Local:
    return "local";
  case AddressSpace::Const:
    return "const";
  case AddressSpace::Param:
    return "param";
  case AddressSpace::Texture:
    return "texture";
  }
  llvm_unreachable("no such space");
}

StringRef ptxpredict::toString(AccessKind K) {
  switch (K) {
  case AccessKind::Load:
    return "load";
  case AccessKind::Store:
    return "store";
  case AccessKind::Atomic:
    return "atomic";
  case AccessKind::Async:
    return "async";
  case AccessKind::Prefetch:
    return "prefetch";
  }
  llvm_unreachable("no such access");
}
