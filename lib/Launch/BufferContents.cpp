//===- BufferContents.cpp - What a buffer holds at the start --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/BufferContents.h"
#include "ptxpredict/Launch/BufferElements.h"
#include "ptxpredict/Launch/BufferFile.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace ptxpredict;
using FillKind = BufferFill::KindTy;

template <typename Element>
static uint64_t makeBits(const BufferFill &Fill, uint64_t I) {
  auto V = elements::make<Element>(Fill, I);
  uint64_t Bits = 0;
  std::memcpy(&Bits, &V, sizeof(V));
  return Bits;
}

Expected<std::shared_ptr<const BufferContents>>
BufferContents::open(const BufferSpec &Spec, StringRef LaunchFileDir) {
  std::shared_ptr<BufferContents> C(new BufferContents());
  C->Fill = Spec.Fill;
  C->Align = Spec.Align;
  bool Known = elements::withType(Spec.Type, [&](auto E) {
    using Element = decltype(E);
    C->ElementBytes = sizeof(typename Element::Stored);
    C->IsFloat = Element::IsFloat;
    C->IsSigned = std::is_signed_v<typename Element::Stored>;
    C->Make = makeBits<Element>;
  });
  if (!Known)
    return llvm::createStringError("unknown buffer type '" + Spec.Type + "'");
  C->Bytes = Spec.Count * C->ElementBytes;
  if (Spec.Fill.Kind == FillKind::File) {
    auto File = BufferFile(Spec, C->Bytes, Spec.Fill.File, LaunchFileDir).map();
    if (!File)
      return File.takeError();
    C->File = std::move(*File);
  }
  return C;
}

uint64_t BufferContents::element(uint64_t I) const { return Make(Fill, I); }

uint64_t BufferContents::read(uint64_t Offset, unsigned Size) const {
  if (!holds(Offset, Size)) {
    if (Size > Bytes)
      return 0;
    Offset = 0;
  }
  uint64_t Bits = 0;
  if (File) {
    std::memcpy(&Bits, File->getBufferStart() + Offset, Size);
    return Bits;
  }
  const uint64_t First = Offset / ElementBytes;
  unsigned Within = unsigned(Offset % ElementBytes);
  if (Within == 0 && Size == ElementBytes)
    return element(First);
  // Pieces of elements, the lowest byte first.
  unsigned Got = 0;
  for (uint64_t I = First; Got < Size; ++I, Within = 0) {
    Bits |= element(I) >> (8 * Within) << (8 * Got);
    Got += ElementBytes - Within;
  }
  return Bits & llvm::maskTrailingOnes<uint64_t>(8 * Size);
}

bool BufferContents::isIota() const {
  const uint64_t Count = Bytes / ElementBytes;
  const unsigned Width = 8 * ElementBytes - (IsSigned ? 1 : 0);
  return Fill.Kind == FillKind::Iota && !IsFloat &&
         Count - 1 <= llvm::maskTrailingOnes<uint64_t>(Width);
}

std::optional<uint64_t> BufferContents::everyElement() const {
  if (Fill.Kind == FillKind::Zeros || Fill.Kind == FillKind::Constant)
    return element(0);
  return std::nullopt;
}

namespace {
/// The bounds of numbers of some bytes.
class Bounds {
public:
  explicit Bounds(unsigned Size) : Width(8 * Size) {}

  void add(uint64_t V) {
    const int64_t S = llvm::SignExtend64(V, Width);
    All.UMin = std::min(All.UMin, V), All.UMax = std::max(All.UMax, V);
    All.SMin = std::min(All.SMin, S), All.SMax = std::max(All.SMax, S);
  }
  /// A run of numbers, each the next one of the type of that sign.
  void addBetween(uint64_t Low, uint64_t High, bool IsSigned) {
    add(Low);
    add(High);
    const uint64_t Top = uint64_t(1) << (Width - 1);
    if ((Low ^ High) & Top) { // past the end of the numbers of the other sign
      add(IsSigned ? 0 : Top);
      add(IsSigned ? llvm::maskTrailingOnes<uint64_t>(Width) : Top - 1);
    }
  }
  BufferContents::Range take() const { return All; }

private:
  unsigned Width;
  BufferContents::Range All{~uint64_t(0), 0, INT64_MAX, INT64_MIN};
};
} // namespace

/// Bounds of the elements of what is no file.
BufferContents::Range BufferContents::boundElements() const {
  Bounds B(ElementBytes);
  switch (Fill.Kind) {
  case FillKind::File:
    return {};
  case FillKind::Zeros:
  case FillKind::Constant:
    B.add(element(0));
    break;
  case FillKind::Iota:
    if (!isIota())
      return {};
    B.addBetween(0, Bytes / ElementBytes - 1, IsSigned);
    break;
  case FillKind::Random: {
    // Floats from 0 on are in the order of their bits.
    if ((IsFloat && (std::signbit(Fill.Low) || Fill.High < Fill.Low)) ||
        !std::isfinite(Fill.High - Fill.Low))
      return {};
    // An element does not fall as what is random rises, to just below 1.
    constexpr double Most = 1 - 0x1p-53;
    BufferFill End;
    End.Kind = FillKind::Constant;
    End.Constant = Fill.Low;
    const uint64_t Low = Make(End, 0);
    End.Constant = Fill.Low + Most * (Fill.High - Fill.Low);
    B.addBetween(Low, Make(End, 0), IsSigned);
    break;
  }
  }
  return B.take();
}

BufferContents::Range BufferContents::findRange(unsigned Size) const {
  Range R;
  // Aligned loads are at multiples of their size.
  if (Align >= Size && Bytes >= Size) {
    if (File) {
      Bounds B(Size);
      for (uint64_t Offset = 0; Offset + Size <= Bytes; Offset += Size)
        B.add(read(Offset, Size));
      R = B.take();
    } else if (Size == ElementBytes || Fill.Kind == FillKind::Zeros) {
      R = boundElements();
    }
  }
  const uint64_t Mask = llvm::maskTrailingOnes<uint64_t>(8 * Size);
  R.UMax = std::min(R.UMax, Mask);
  R.SMin = std::max(R.SMin, llvm::minIntN(8 * Size));
  R.SMax = std::min(R.SMax, llvm::maxIntN(8 * Size));
  return R;
}

const BufferContents::Range &BufferContents::range(unsigned Size) const {
  const unsigned N = llvm::Log2_32(Size);
  std::call_once(AreFound[N], [&] { Ranges[N] = findRange(Size); });
  return Ranges[N];
}

LaunchSpec
ptxpredict::launchOf(const LaunchFileEntry &Entry,
                     llvm::function_ref<std::shared_ptr<const BufferContents>(
                         const BufferSpec &)>
                         ContentsOf) {
  LaunchSpec Spec = Entry.Spec;
  for (LaunchArgument &A : Spec.Args)
    if (A.Value.Kind == ArgumentValue::KindTy::Buffer) {
      const BufferSpec &B = Entry.Buffers.find(A.Value.Buffer)->second;
      A.Value.BufferAlign = B.Align;
      A.Value.BufferBytes = llvm::SaturatingMultiply<uint64_t>(
          B.Count, bufferElementBytes(B.Type).value_or(0));
      A.Value.Contents = ContentsOf(B);
    }
  return Spec;
}
