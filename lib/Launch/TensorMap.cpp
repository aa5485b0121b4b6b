//===- TensorMap.cpp - What a launch says of a tensor map -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/TensorMap.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;

namespace {
struct ElementInfo {
  StringRef Name;
  unsigned GlobalBits, SharedBits;
  bool IsFloat;
};
} // namespace

static constexpr ElementInfo Elements[NumTensorElements] = {
    {"u8", 8, 8, false},        {"u16", 16, 16, false},
    {"u32", 32, 32, false},     {"s32", 32, 32, false},
    {"u64", 64, 64, false},     {"s64", 64, 64, false},
    {"f16", 16, 16, true},      {"f32", 32, 32, true},
    {"f32.ftz", 32, 32, true},  {"f64", 64, 64, true},
    {"bf16", 16, 16, true},     {"tf32", 32, 32, true},
    {"tf32.ftz", 32, 32, true}, {"b4x16", 4, 4, false},
    {"b4x16_p64", 4, 8, false}, {"b6x16_p32", 6, 8, false},
};

StringRef ptxpredict::toString(TensorElement E) {
  return Elements[unsigned(E)].Name;
}

unsigned ptxpredict::bitsInGlobal(TensorElement E) {
  return Elements[unsigned(E)].GlobalBits;
}

unsigned ptxpredict::bitsInShared(TensorElement E) {
  return Elements[unsigned(E)].SharedBits;
}

bool ptxpredict::isFloat(TensorElement E) {
  return Elements[unsigned(E)].IsFloat;
}

/// Whether 16 elements take 16 bytes of shared memory, but fewer of global.
static bool isPadded(TensorElement E) {
  return bitsInShared(E) != bitsInGlobal(E);
}

unsigned ptxpredict::alignmentInGlobal(TensorElement E) {
  return isPadded(E) ? 32 : 16;
}

unsigned ptxpredict::innerMultiple(TensorElement E) {
  return E == TensorElement::B4x16 ? 2 : isPadded(E) ? 128 : 1;
}

unsigned ptxpredict::innerBox(TensorElement E) { return isPadded(E) ? 128 : 0; }

uint64_t TensorMapSpec::extentBytes() const {
  uint64_t Bytes =
      llvm::SaturatingMultiply<uint64_t>(Dims[0], bitsInGlobal(Type)) / 8;
  for (unsigned N = 1; N != rank(); ++N)
    Bytes = llvm::SaturatingMultiplyAdd(Dims[N] - 1, Strides[N - 1], Bytes);
  return Bytes;
}
