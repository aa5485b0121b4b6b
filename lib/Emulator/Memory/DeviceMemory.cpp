//===- DeviceMemory.cpp - The address space of an emulated GPU ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DeviceMemory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <limits>
#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::sys::Memory;

/// Host addresses have their device addresses' remainder by this, so that an
/// aligned device access is an aligned host access.
static constexpr uint64_t HostAlign = 4096;
/// Addresses stay below this, so that sums of them do not overflow.
static constexpr uint64_t AddressEnd = uint64_t(1) << 56;
/// Addresses below count as offsets from a null pointer.
static constexpr uint64_t NullEnd = uint64_t(1) << 16;
/// A stray access is told from the nearest buffer up to this distance, or the
/// buffer's own size.
static constexpr uint64_t NearBytes = uint64_t(1) << 16;
static constexpr uint64_t HeapAlign = 16;

uint64_t DeviceMemory::defaultLimit() {
#ifdef _WIN32
  MEMORYSTATUSEX Status = {};
  Status.dwLength = sizeof(Status);
  uint64_t Physical = GlobalMemoryStatusEx(&Status) ? Status.ullTotalPhys : 0;
#else
  long Pages = sysconf(_SC_PHYS_PAGES), PageBytes = sysconf(_SC_PAGESIZE);
  uint64_t Physical =
      Pages > 0 && PageBytes > 0 ? uint64_t(Pages) * uint64_t(PageBytes) : 0;
#endif
  // A host that does not say gets what every host has.
  return Physical ? Physical / 4 * 3 : uint64_t(1) << 32;
}

Expected<uint64_t> DeviceMemory::allocate(StringRef Name, uint64_t Bytes,
                                          uint64_t Align, bool ReadOnly) {
  assert(llvm::isPowerOf2_64(Align) && "no alignment");
  if (Bytes > Limit - Allocated)
    return llvm::createStringError(
        "'" + Name + "' takes " + Twine(Bytes) + " bytes, but only " +
        Twine(Limit - Allocated) + " of " + Twine(Limit) +
        " are left for the emulated memory");
  bool Coarse = Align >= 256;
  if (Coarse && Align > AddressEnd - Next)
    return llvm::createStringError("'" + Name + "' cannot be aligned to " +
                                   Twine(Align) +
                                   " bytes: addresses have 56 bits");
  uint64_t Begin =
      Coarse ? llvm::alignTo(Next, Align) : llvm::alignTo(Next, 256) + Align;
  if (Begin >= AddressEnd || Bytes > AddressEnd - Begin)
    return llvm::createStringError(
        "'" + Name + "' of " + Twine(Bytes) +
        " bytes has no place: addresses have 56 bits");

  uint64_t Offset = Begin % HostAlign;
  std::error_code EC;
  llvm::sys::MemoryBlock Block = Memory::allocateMappedMemory(
      Bytes + Offset, nullptr, Memory::MF_READ | Memory::MF_WRITE, EC);
  if (EC)
    return llvm::createStringError("the host has no memory for '" + Name +
                                   "' of " + Twine(Bytes) +
                                   " bytes: " + EC.message());
  auto *Host = static_cast<uint8_t *>(Block.base());
  Mappings.emplace_back(Block);
  Regions.push_back(
      {Begin, Begin + Bytes, Host + Offset, Name.str(), ReadOnly, false});
  Allocated += Bytes;
  Next = Begin + Bytes + Gap;
  return Begin;
}

Error DeviceMemory::allocateHeap(uint64_t Bytes) {
  assert(Used.empty() && Free.empty() && "there is a heap already");
  Expected<uint64_t> Begin = allocate("heap of malloc", Bytes, HostAlign);
  if (!Begin)
    return Begin.takeError();
  Regions.back().IsHeap = true;
  if (Bytes) {
    Free.emplace(*Begin, *Begin + Bytes);
    FreeBySize.emplace(Bytes, *Begin);
  }
  return Error::success();
}

/// What a block of \p Bytes takes of the heap.
static uint64_t heapBytes(uint64_t Bytes) {
  return llvm::alignTo(Bytes, HeapAlign) + HeapAlign;
}

uint64_t DeviceMemory::mallocBlock(uint64_t Bytes) {
  if (!Bytes || Bytes > AddressEnd)
    return 0;
  uint64_t Need = heapBytes(Bytes);
  std::lock_guard<std::mutex> Lock(HeapMutex);
  // The smallest hole that is large enough, the first of these.
  auto It = FreeBySize.lower_bound({Need, 0});
  if (It == FreeBySize.end())
    return 0;
  auto [Size, Begin] = *It;
  FreeBySize.erase(It);
  Free.erase(Begin);
  if (Size > Need) {
    Free.emplace(Begin + Need, Begin + Size);
    FreeBySize.emplace(Size - Need, Begin + Need);
  }
  Used.emplace(Begin, Begin + Bytes);
  return Begin;
}

bool DeviceMemory::freeBlock(uint64_t Address) {
  if (!Address)
    return true;
  std::lock_guard<std::mutex> Lock(HeapMutex);
  auto It = Used.find(Address);
  if (It == Used.end())
    return false;
  uint64_t Begin = Address, End = Begin + heapBytes(It->second - Begin);
  Used.erase(It);
  auto Behind = Free.lower_bound(Begin);
  if (Behind != Free.end() && Behind->first == End) {
    End = Behind->second;
    FreeBySize.erase({Behind->second - Behind->first, Behind->first});
    Behind = Free.erase(Behind);
  }
  if (Behind != Free.begin()) {
    auto Before = std::prev(Behind);
    if (Before->second == Begin) {
      Begin = Before->first;
      FreeBySize.erase({Before->second - Before->first, Before->first});
      Free.erase(Before);
    }
  }
  Free.emplace(Begin, End);
  FreeBySize.emplace(End - Begin, Begin);
  return true;
}

std::optional<DeviceMemory::HeapBlock>
DeviceMemory::findBlock(uint64_t Address) const {
  std::lock_guard<std::mutex> Lock(HeapMutex);
  auto It = Used.upper_bound(Address);
  if (It == Used.begin())
    return std::nullopt;
  --It;
  if (Address >= It->second)
    return std::nullopt;
  return HeapBlock{It->first, It->second};
}

static std::string countBytes(uint64_t N) {
  return llvm::utostr(N) + (N == 1 ? " byte" : " bytes");
}

/// Where an access lies against the extent [Begin, End) that \p What names; it
/// touches the extent or is near it.
static std::string describeAgainst(uint64_t Address, uint64_t Bytes,
                                   uint64_t Begin, uint64_t End,
                                   const std::string &What) {
  if (Address > End)
    return countBytes(Address - End) + " past the end of " + What;
  if (Address == End)
    return "right past the end of " + What;
  if (Address < Begin)
    return countBytes(Begin - Address) + " before " + What;
  if (Bytes > End - Address)
    return "byte " + llvm::utostr(Address - Begin) + " of " + What +
           ", of which only " + countBytes(End - Address) +
           (End - Address == 1 ? " is left" : " are left");
  return "byte " + llvm::utostr(Address - Begin) + " of " + What;
}

/// How far an address is from an extent; 0 in it.
static uint64_t distance(uint64_t Address, uint64_t Begin, uint64_t End) {
  if (Address < Begin)
    return Begin - Address;
  return Address < End ? 0 : Address - End + 1;
}

std::string DeviceMemory::describeInHeap(uint64_t Address,
                                         uint64_t Bytes) const {
  std::lock_guard<std::mutex> Lock(HeapMutex);
  auto After = Used.upper_bound(Address), Nearest = After;
  if (After != Used.begin()) {
    auto Before = std::prev(After);
    if (After == Used.end() ||
        distance(Address, Before->first, Before->second) <=
            distance(Address, After->first, After->second))
      Nearest = Before;
  }
  if (Nearest == Used.end() ||
      distance(Address, Nearest->first, Nearest->second) > NearBytes)
    return "heap of malloc, far from every block";
  return describeAgainst(Address, Bytes, Nearest->first, Nearest->second,
                         "a block of " +
                             countBytes(Nearest->second - Nearest->first) +
                             " from malloc");
}

std::string DeviceMemory::describe(uint64_t Address, uint64_t Bytes) const {
  if (Address < NullEnd)
    return Address ? "null pointer + " + llvm::utostr(Address) : "null pointer";
  const Region *Nearest = nullptr;
  uint64_t Least = std::numeric_limits<uint64_t>::max();
  for (const Region &R : Regions) {
    uint64_t Far = distance(Address, R.Begin, R.End);
    if (Far < Least)
      Nearest = &R, Least = Far;
  }
  if (!Nearest || Least > std::max(NearBytes, Nearest->End - Nearest->Begin))
    return "no buffer is near";
  if (Nearest->IsHeap && !Least)
    return describeInHeap(Address, Bytes);
  std::string Size = " (" + countBytes(Nearest->End - Nearest->Begin) + ")";
  return describeAgainst(Address, Bytes, Nearest->Begin, Nearest->End,
                         (Nearest->IsHeap ? "the heap of malloc"
                                          : "buffer '" + Nearest->Name + "'") +
                             Size);
}
