//===- DeviceLaunch.cpp - A launch with its memory on the GPU -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DeviceLaunch.h"
#include "ptxpredict/Launch/BufferElements.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstring>

using namespace ptxpredict;
using namespace ptxpredict::measure;
using llvm::Twine;

static constexpr size_t GuardBytes = 256; ///< behind each buffer
static constexpr unsigned char GuardByte = 0xA5;

Error DeviceLaunch::place(const std::string &Name, const Bytes &Data) {
  // Memory lies at a multiple of 256 bytes; a buffer may ask for more.
  constexpr uint64_t Least = 256;
  const auto Spec = Case.Entry->Buffers.find(Name);
  const uint64_t Align = Spec == Case.Entry->Buffers.end()
                             ? Least
                             : std::max(Spec->second.Align, Least);
  Bytes Guarded = Data;
  Guarded.resize(Data.size() + GuardBytes, GuardByte);
  for (auto *Copies : {&Buffers, &Originals}) {
    Expected<DeviceMemory> Memory =
        G.allocate(Guarded.size() + Align - Least, "buffer " + Name);
    if (!Memory)
      return Memory.takeError();
    (*Copies)[Name] = std::move(*Memory);
  }
  Begins[Name] = (Buffers[Name].address() + Align - 1) / Align * Align;
  return G.write(Originals[Name].address(), Guarded.data(), Guarded.size());
}

Error DeviceLaunch::bindMap(const TensorMapSpec &Spec, uint64_t Size,
                            unsigned char *To) {
  // By TensorElement, the numbers of CUtensorMapDataType.
  static constexpr int Types[NumTensorElements] = {
      0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12, 13, 14, 15};
  const CudaDriver &D = G.driver();
  if (!D.TensorMapEncodeTiled)
    return failure("the driver has no cuTensorMapEncodeTiled, which tensor "
                   "maps need; it comes with release 12.0 of CUDA");
  const auto Buffer = Begins.find(Spec.Buffer);
  if (Buffer == Begins.end())
    return failure("a tensor map is of no buffer '" + Spec.Buffer + "'");
  std::vector<uint64_t> Strides = Spec.Strides;
  if (Strides.empty()) {
    uint64_t Pitch = bitsInGlobal(Spec.Type);
    for (unsigned I = 0; I + 1 < Spec.rank(); ++I) {
      Pitch *= Spec.Dims[I];
      Strides.push_back(Pitch / 8);
    }
  }
  std::vector<unsigned> Box(Spec.Box.begin(), Spec.Box.end());
  std::vector<unsigned> Steps(Spec.ElementStrides.begin(),
                              Spec.ElementStrides.end());
  Steps.resize(Spec.rank(), 1);
  const int Swizzle = Spec.Swizzle == 128  ? 3
                      : Spec.Swizzle == 64 ? 2
                      : Spec.Swizzle == 32 ? 1
                                           : 0;
  constexpr int NoInterleave = 0, NoPromotion = 0;
  cuda::TensorMap Map = {};
  if (Error E = G.check(D.TensorMapEncodeTiled(
                            &Map, Types[unsigned(Spec.Type)], Spec.rank(),
                            Buffer->second, Spec.Dims.data(), Strides.data(),
                            Box.data(), Steps.data(), NoInterleave, Swizzle,
                            NoPromotion, Spec.FillsNaN),
                        "a tensor map"))
    return E;
  if (Size >= sizeof(Map)) {
    std::memcpy(To, &Map, sizeof(Map));
    return Error::success();
  }
  Expected<DeviceMemory> Memory = G.allocate(sizeof(Map), "a tensor map");
  if (!Memory)
    return Memory.takeError();
  const cuda::Pointer Address = Memory->address();
  Maps.push_back(std::move(*Memory));
  std::memcpy(To, &Address, std::min<uint64_t>(Size, sizeof(Address)));
  return G.write(Address, &Map, sizeof(Map));
}

/// The bits of a number as the parameter's type says, as the emulator takes it.
static uint64_t numberBits(const Parameter &P, const ArgumentValue &V) {
  const bool IsFloat = kindOf(P.Type) == TypeKind::Float ||
                       V.Kind == ArgumentValue::KindTy::Float;
  if (!IsFloat)
    return uint64_t(V.Integer);
  if (kindOf(P.Type) == TypeKind::Unsigned ||
      kindOf(P.Type) == TypeKind::Signed)
    return uint64_t(int64_t(V.Float));
  if (P.Bytes == 2)
    return doubleToHalf(V.Float);
  return P.Bytes == 4 ? llvm::bit_cast<uint32_t>(float(V.Float))
                      : llvm::bit_cast<uint64_t>(V.Float);
}

Error DeviceLaunch::bindValue(const Parameter &P, const ArgumentValue &V,
                              uint64_t Size, unsigned char *To) {
  if (V.Kind == ArgumentValue::KindTy::TensorMap) {
    const auto Map = Case.Config.Maps.find(V.Buffer);
    return Map == Case.Config.Maps.end()
               ? failure("no tensor map is named '" + V.Buffer + "'")
               : bindMap(Map->second, Size, To);
  }
  if (V.Kind == ArgumentValue::KindTy::Buffer) {
    const auto Buffer = Begins.find(V.Buffer);
    if (Buffer == Begins.end())
      return failure("no buffer is named '" + V.Buffer + "'");
    // A structure of the buffer's size is passed by value.
    const Bytes &Data = Start->at(V.Buffer);
    if (P.Elements > 1 && Data.size() == Size)
      std::memcpy(To, Data.data(), Size);
    else
      std::memcpy(To, &Buffer->second,
                  std::min<uint64_t>(Size, sizeof(cuda::Pointer)));
    return Error::success();
  }
  const uint64_t Bits = numberBits(P, V);
  std::memcpy(To, &Bits, std::min<uint64_t>(Size, sizeof(Bits)));
  return Error::success();
}

Error DeviceLaunch::bind(unsigned Index, Bytes &Value) {
  const Parameter &P = Case.Kernel->Parameters[Index];
  Value.assign(P.Bytes, 0);
  const auto Whole = Case.Config.Args.find(Index);
  auto Part = Case.Config.Parts.lower_bound({Index, 0});
  auto IsHere = [&] {
    return Part != Case.Config.Parts.end() && Part->first.first == Index;
  };
  if (Whole == Case.Config.Args.end() && !IsHere())
    return failure("the launch file has no value for parameter " +
                   Twine(Index) + " ('" + P.shownName() + "')");
  if (Whole != Case.Config.Args.end())
    if (Error E = bindValue(P, Whole->second, P.Bytes, Value.data()))
      return E;
  for (; IsHere(); ++Part) {
    const ArgumentPart &A = Part->second;
    unsigned char *To = Value.data() + Part->first.second;
    if (A.isNumber())
      std::memcpy(To, &A.Bits, A.Bytes);
    else if (Error E = bindValue(Parameter(), A.Value, A.Bytes, To))
      return E;
  }
  return Error::success();
}

static void copy(const Dim3 &From, unsigned (&To)[3]) {
  To[0] = unsigned(From.X);
  To[1] = unsigned(From.Y);
  To[2] = unsigned(From.Z);
}

Error DeviceLaunch::prepare(const Contents &First) {
  Start = &First;
  Expected<cuda::Function> F = G.kernel(Case.Files->Code, Case.Kernel->Name);
  if (!F)
    return F.takeError();
  Function = *F;
  copy(Case.Config.Grid, Shape.Grid);
  copy(Case.Config.Block, Shape.Block);
  copy(Case.Config.Cluster, Shape.Cluster);
  Shape.DynamicShared = unsigned(Case.Config.DynamicSharedBytes);
  if (Error E = G.prepare(Function, Shape))
    return E;
  for (const auto &[Name, Data] : First)
    if (Error E = place(Name, Data))
      return E;
  Values.resize(Case.Kernel->Parameters.size());
  for (unsigned I = 0; I != Values.size(); ++I) {
    if (Error E = bind(I, Values[I]))
      return E;
    Pointers.push_back(Values[I].data());
  }
  return reset();
}

Error DeviceLaunch::reset() {
  for (const auto &[Name, Data] : *Start)
    if (Error E = G.check(
            G.driver().MemcpyDtoDAsync(Begins[Name], Originals[Name].address(),
                                       Data.size() + GuardBytes, nullptr),
            "filling buffer " + Name))
      return E;
  return Error::success();
}

Error DeviceLaunch::read(Contents &Memory, bool &IsIntact) {
  if (Error E = G.synchronize(Case.name()))
    return E;
  IsIntact = true;
  for (const auto &[Name, Data] : *Start) {
    Bytes &Got = Memory[Name];
    Got.resize(Data.size() + GuardBytes);
    if (Error E = G.read(Got.data(), Begins[Name], Got.size()))
      return E;
    IsIntact &= std::all_of(Got.end() - GuardBytes, Got.end(),
                            [](unsigned char B) { return B == GuardByte; });
    Got.resize(Data.size());
  }
  return Error::success();
}

void DeviceLaunch::play(const Contents &Want) {
  if (G.driver().StubPlay)
    for (const auto &[Name, Data] : Want)
      (void)G.driver().StubPlay(Begins[Name], Data.data(), Data.size());
}
