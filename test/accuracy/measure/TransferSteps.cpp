//===- TransferSteps.cpp - Copies between host and GPU, and two GPUs ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies by size, for `ptx-predict calibrate --link`. Those from and to
// pageable memory block the process, those of pinned memory and between GPUs
// stand in a stream; a copy's time is that of one of several between two
// events.
//===----------------------------------------------------------------------===//
#include "Measurement.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <functional>

using namespace ptxpredict;
using namespace ptxpredict::measure;
using llvm::Twine;

namespace {

constexpr size_t LeastBytes = 4, MostBytes = size_t(64) << 20;

/// "4B", "64KiB", "1MiB" of a power of two.
std::string sizeName(size_t Bytes) {
  if (Bytes < size_t(1) << 10)
    return std::to_string(Bytes) + "B";
  if (Bytes < size_t(1) << 20)
    return std::to_string(Bytes >> 10) + "KiB";
  return std::to_string(Bytes >> 20) + "MiB";
}

/// Writes what a copy of so many bytes takes.
Error timeCopies(Measurement &S, StringRef Name, size_t Bytes,
                 llvm::function_ref<cuda::Result()> Copy) {
  constexpr unsigned Samples = 5, MostCopies = 200;
  constexpr size_t BatchBytes = size_t(8) << 20;
  const auto Count =
      unsigned(std::clamp<size_t>(BatchBytes / Bytes, 1, MostCopies));
  Expected<Times> T = S.G.time(
      Samples, /*WarmUps=*/1, Count, [] { return Error::success(); },
      [&] { return S.G.check(Copy(), "a copy"); });
  if (!T)
    return T.takeError();
  S.Out.result(Name, "us", T->Median);
  return Error::success();
}

/// Pinned memory of the host.
class PinnedMemory {
public:
  explicit PinnedMemory(const CudaDriver &D) : D(D) {}
  PinnedMemory(const PinnedMemory &) = delete;
  PinnedMemory &operator=(const PinnedMemory &) = delete;
  ~PinnedMemory() {
    if (Begin)
      (void)D.MemFreeHost(Begin);
  }
  cuda::Result allocate(size_t Bytes) { return D.MemAllocHost(&Begin, Bytes); }
  void *begin() const { return Begin; }

private:
  const CudaDriver &D;
  void *Begin = nullptr;
};

Error copyPageable(Measurement &S, StringRef Name, bool IsIn, size_t Bytes) {
  const CudaDriver &D = S.G.driver();
  Expected<DeviceMemory> Memory = S.G.allocate(Bytes, "copies");
  if (!Memory)
    return Memory.takeError();
  std::vector<char> Host(Bytes, 1);
  return timeCopies(S, Name, Bytes, [&] {
    return IsIn ? D.MemcpyHtoD(Memory->address(), Host.data(), Bytes)
                : D.MemcpyDtoH(Host.data(), Memory->address(), Bytes);
  });
}

Error copyPinned(Measurement &S, StringRef Name, bool IsIn, size_t Bytes) {
  const CudaDriver &D = S.G.driver();
  Expected<DeviceMemory> Memory = S.G.allocate(Bytes, "copies");
  if (!Memory)
    return Memory.takeError();
  PinnedMemory Host(D);
  if (Error E = S.G.check(Host.allocate(Bytes),
                          Twine(Bytes) + " bytes of pinned memory"))
    return E;
  return timeCopies(S, Name, Bytes, [&] {
    return IsIn ? D.MemcpyHtoDAsync(Memory->address(), Host.begin(), Bytes,
                                    nullptr)
                : D.MemcpyDtoHAsync(Host.begin(), Memory->address(), Bytes,
                                    nullptr);
  });
}

/// Memory of another GPU, in a context of its own; the process's own context is
/// the current one but while this is made and ends.
class PeerMemory {
public:
  explicit PeerMemory(Measurement &S) : S(S), D(S.G.driver()) {}
  PeerMemory(const PeerMemory &) = delete;
  PeerMemory &operator=(const PeerMemory &) = delete;
  ~PeerMemory();
  Error allocate(size_t Bytes);
  cuda::Pointer address() const { return Begin; }
  cuda::Context context() const { return Theirs; }
  cuda::Context own() const { return Own; }

private:
  /// Lets the GPU read and write the other's memory by itself where it can;
  /// elsewhere copies go over the host.
  cuda::Result enableAccess();

  Measurement &S;
  const CudaDriver &D;
  cuda::Device Device = 0, OwnDevice = 0;
  cuda::Context Theirs = nullptr, Own = nullptr;
  cuda::Pointer Begin = 0;
};

} // namespace

cuda::Result PeerMemory::enableAccess() {
  constexpr cuda::Result AlreadyEnabled = 704;
  int CanAccess = 0;
  cuda::Result R = D.DeviceCanAccessPeer(&CanAccess, OwnDevice, Device);
  if (R == cuda::Success && CanAccess != 0)
    R = D.CtxEnablePeerAccess(Theirs, 0);
  return R == AlreadyEnabled ? cuda::Success : R;
}

Error PeerMemory::allocate(size_t Bytes) {
  cuda::Result R = D.CtxGetCurrent(&Own);
  if (R == cuda::Success)
    R = D.DeviceGet(&OwnDevice, int(S.O.Device));
  if (R == cuda::Success)
    R = D.DeviceGet(&Device, S.O.Device == 0 ? 1 : 0);
  if (R == cuda::Success)
    R = D.PrimaryCtxRetain(&Theirs, Device);
  if (R == cuda::Success)
    R = D.CtxSetCurrent(Theirs);
  if (R == cuda::Success)
    R = D.MemAlloc(&Begin, Bytes);
  if (Own)
    (void)D.CtxSetCurrent(Own);
  if (R == cuda::Success)
    R = enableAccess();
  return S.G.check(R, Twine(Bytes) + " bytes of another GPU");
}

PeerMemory::~PeerMemory() {
  if (Begin) {
    (void)D.CtxSetCurrent(Theirs);
    (void)D.MemFree(Begin);
    (void)D.CtxSetCurrent(Own);
  }
  if (Theirs)
    (void)D.PrimaryCtxRelease(Device);
}

static Error copyToPeer(Measurement &S, StringRef Name, size_t Bytes) {
  Expected<DeviceMemory> Memory = S.G.allocate(Bytes, "copies");
  if (!Memory)
    return Memory.takeError();
  PeerMemory Peer(S);
  if (Error E = Peer.allocate(Bytes))
    return E;
  return timeCopies(S, Name, Bytes, [&] {
    return S.G.driver().MemcpyPeerAsync(Peer.address(), Peer.context(),
                                        Memory->address(), Peer.own(), Bytes,
                                        nullptr);
  });
}

void measure::addTransferSteps(unsigned NumGPUs, std::vector<Step> &Steps) {
  using Run = std::function<Error(Measurement &, StringRef, size_t)>;
  auto AddSizes = [&](StringRef Kind, const Run &Of, StringRef WhyNot) {
    for (size_t Bytes = LeastBytes; Bytes <= MostBytes; Bytes *= 2) {
      std::string Name = ("transfer." + Kind + "." + sizeName(Bytes)).str();
      Steps.push_back(
          {Name, "links",
           [Of, Name, Bytes](Measurement &S) { return Of(S, Name, Bytes); },
           WhyNot.str()});
    }
  };
  for (const bool IsIn : {true, false}) {
    const std::string Way = IsIn ? "h2d" : "d2h";
    AddSizes(
        Way + ".pageable",
        [IsIn](Measurement &S, StringRef Name, size_t Bytes) {
          return copyPageable(S, Name, IsIn, Bytes);
        },
        "");
    AddSizes(
        Way + ".pinned",
        [IsIn](Measurement &S, StringRef Name, size_t Bytes) {
          return copyPinned(S, Name, IsIn, Bytes);
        },
        "");
  }
  AddSizes("p2p", copyToPeer, NumGPUs < 2 ? "it needs a second GPU" : "");
}
