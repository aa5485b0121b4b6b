//===- PTXSpecialRegisters.cpp - Registers that the hardware provides -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

namespace {
struct SpecialRegister {
  StringRef Name;
  ScalarType Type;
  uint8_t Elements;
};

struct RegisterRange {
  StringRef Prefix, Suffix;
  ScalarType Type;
  uint8_t Count;
};

struct Found {
  ScalarType Type;
  unsigned Elements;
};
} // namespace

static constexpr SpecialRegister Registers[] = {
#define PTX_SPECIAL_REGISTER(NAME, TEXT, TYPE, ELEMENTS)                       \
  {TEXT, ScalarType::TYPE, ELEMENTS},
#include "ptxpredict/ISA/PTXSpecialRegisters.def"
};

static constexpr RegisterRange Ranges[] = {
#define PTX_SPECIAL_REGISTERS(NAME, PREFIX, SUFFIX, TYPE, COUNT)               \
  {PREFIX, SUFFIX, ScalarType::TYPE, COUNT},
#include "ptxpredict/ISA/PTXSpecialRegisters.def"
};

static std::optional<Found> find(StringRef Name) {
  if (!Name.consume_front("%"))
    return std::nullopt;
  StringRef Base = Name;
  bool IsElement = Base.size() > 2 && Base[Base.size() - 2] == '.' &&
                   StringRef("xyzw").contains(Base.back());
  if (IsElement)
    Base = Base.drop_back(2);
  const auto *It = llvm::lower_bound(
      Registers, Base,
      [](const SpecialRegister &R, StringRef N) { return R.Name < N; });
  if (It != std::end(Registers) && It->Name == Base) {
    if (IsElement && It->Elements == 1)
      return std::nullopt;
    return Found{It->Type, IsElement ? 1u : It->Elements};
  }
  for (const RegisterRange &R : Ranges) {
    StringRef Number = Name;
    unsigned N;
    if (Number.consume_front(R.Prefix) && Number.consume_back(R.Suffix) &&
        !Number.empty() && !(Number.size() > 1 && Number.front() == '0') &&
        !Number.getAsInteger(10, N) && N < R.Count)
      return Found{R.Type, 1};
  }
  return std::nullopt;
}

bool ptx::isSpecialRegister(StringRef Name) { return find(Name).has_value(); }

ScalarType ptx::specialRegisterType(StringRef Name) {
  std::optional<Found> F = find(Name);
  return F ? F->Type : ScalarType::U32;
}

unsigned ptx::specialRegisterElements(StringRef Name) {
  std::optional<Found> F = find(Name);
  return F ? F->Elements : 1;
}
