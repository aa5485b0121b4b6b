//===- LaunchConfig.cpp - How a kernel is started -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/LaunchConfig.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

std::optional<Dim3> ptxpredict::makeDim3(ArrayRef<uint64_t> Extents) {
  if (Extents.empty() || Extents.size() > 3)
    return std::nullopt;
  uint64_t Parts[3] = {1, 1, 1};
  uint64_t Product = 1;
  for (size_t I = 0; I != Extents.size(); ++I) {
    Parts[I] = Extents[I];
    if (!Parts[I] || __builtin_mul_overflow(Product, Parts[I], &Product) ||
        Product > MaxExtentProduct)
      return std::nullopt;
  }
  return Dim3{Parts[0], Parts[1], Parts[2]};
}

std::optional<Dim3> ptxpredict::parseDim3(StringRef Text) {
  // 'x' also begins a hexadecimal number's digits, so a comma decides, and
  // what is a number as a whole is one: no shape has 0 in front.
  SmallVector<StringRef, 4> Parts;
  if (parseInteger(Text.trim()))
    Parts.push_back(Text);
  else
    Text.split(Parts, Text.contains(',') ? ',' : 'x', /*MaxSplit=*/3);
  SmallVector<uint64_t, 4> Extents;
  for (StringRef Part : Parts) {
    std::optional<int64_t> Extent = parseInteger(Part.trim());
    if (!Extent || *Extent <= 0)
      return std::nullopt;
    Extents.push_back(uint64_t(*Extent));
  }
  return makeDim3(Extents);
}

std::optional<ArgumentValue> ptxpredict::parseArgumentValue(StringRef Text) {
  ArgumentValue V;
  if (std::optional<int64_t> I = parseInteger(Text)) {
    V.Integer = *I;
    V.Float = double(*I);
    return V;
  }
  if (std::optional<double> D = parseNumber(Text)) {
    V.Kind = ArgumentValue::KindTy::Float;
    V.Float = *D;
    return V;
  }
  return std::nullopt;
}

Dim3 GridDigits::blockAt(const Dim3 &Place) const {
  const uint64_t At[] = {Place.X, Place.Y, Place.Z};
  uint64_t Index[] = {0, 0, 0};
  for (unsigned N = 0; N != 3; ++N)
    Index[Axes[N].Dimension] += Axes[N].Unit * At[N];
  return {Index[0], Index[1], Index[2]};
}

std::string ptxpredict::toString(const Dim3 &D) {
  std::string Text = std::to_string(D.X);
  if (D.Y != 1 || D.Z != 1)
    Text += "x" + std::to_string(D.Y);
  if (D.Z != 1)
    Text += "x" + std::to_string(D.Z);
  return Text;
}

/// Adds what \p Into does not have. A label with its leading '$' and the same
/// without it are one key.
template <typename Map>
static void addMissing(Map &Into, const Map &From) {
  for (const auto &[Key, Value] : From) {
    StringRef Name = Key;
    if (Name.consume_front("$") ? Into.count(Name.str())
                                : Into.count("$" + Name.str()))
      continue;
    Into.emplace(Key, Value);
  }
}

bool ptxpredict::parsePointerPlace(StringRef Text, PointedBuffer &Result) {
  auto [Name, Offset] = Text.split('+');
  Result.Parameter = Name.str();
  Result.Offset = 0;
  return Name.empty() ||
         (Text.contains('+') && Offset.getAsInteger(10, Result.Offset));
}

void LaunchConfig::setPart(unsigned Parameter, uint64_t Offset,
                           ArgumentPart Part) {
  auto It = Parts.lower_bound({Parameter, Offset});
  if (It != Parts.begin()) {
    auto Before = std::prev(It);
    if (Before->first.first == Parameter &&
        Before->first.second + Before->second.Bytes > Offset)
      It = Before;
  }
  while (It != Parts.end() && It->first.first == Parameter &&
         It->first.second < Offset + Part.Bytes)
    It = Parts.erase(It);
  Parts.emplace(std::pair(Parameter, Offset), std::move(Part));
}

LaunchConfig::GivenBytes LaunchConfig::partBytes(unsigned Parameter,
                                                 uint64_t Offset,
                                                 uint64_t Bytes) const {
  GivenBytes Result;
  auto It = Parts.upper_bound({Parameter, Offset});
  if (It != Parts.begin())
    --It;
  for (; It != Parts.end() && It->first < std::pair(Parameter, Offset + Bytes);
       ++It) {
    if (It->first.first != Parameter)
      continue;
    const uint64_t Begin = It->first.second;
    const ArgumentPart &P = It->second;
    for (uint64_t N = std::max(Begin, Offset),
                  End = std::min(Begin + P.Bytes, Offset + Bytes);
         N < End; ++N) {
      const uint64_t Mask = uint64_t(0xff) << 8 * (N - Offset);
      Result.Given |= Mask;
      if (!P.isNumber())
        continue;
      Result.Known |= Mask;
      Result.Bits |= (P.Bits >> 8 * (N - Begin) & 0xff) << 8 * (N - Offset);
    }
  }
  return Result;
}

const ArgumentValue *LaunchConfig::bufferAt(unsigned Parameter,
                                            uint64_t Offset) const {
  auto It = Parts.find({Parameter, Offset});
  return It != Parts.end() &&
                 It->second.Value.Kind == ArgumentValue::KindTy::Buffer
             ? &It->second.Value
             : nullptr;
}

unsigned LaunchSpec::nextRank() const {
  unsigned Next = 0;
  for (const LaunchArgument &A : Args)
    Next = std::max(Next, A.Rank + 1);
  return Next;
}

LaunchSpec ptxpredict::merge(const LaunchSpec &Over, const LaunchSpec &Base) {
  LaunchSpec Result = Over;
  if (!Result.Grid)
    Result.Grid = Base.Grid;
  if (!Result.Block)
    Result.Block = Base.Block;
  if (!Result.Cluster)
    Result.Cluster = Base.Cluster;
  if (!Result.DynamicSharedBytes)
    Result.DynamicSharedBytes = Base.DynamicSharedBytes;
  // Base's first: the later of two arguments holds.
  Result.Args = Base.Args;
  for (LaunchArgument A : Over.Args) {
    A.Rank += Base.nextRank();
    Result.Args.push_back(std::move(A));
  }
  Result.Buffers = Base.Buffers;
  llvm::append_range(Result.Buffers, Over.Buffers);
  Result.Maps.insert(Base.Maps.begin(), Base.Maps.end());
  addMissing(Result.TripCounts, Base.TripCounts);
  addMissing(Result.BranchProbabilities, Base.BranchProbabilities);
  if (!Result.Work)
    Result.Work = Base.Work;
  return Result;
}
