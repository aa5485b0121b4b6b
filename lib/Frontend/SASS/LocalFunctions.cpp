//===- LocalFunctions.cpp - Subroutines that are functions ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LocalFunctions.h"
#include "MachineRegisters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::sass;

std::vector<unsigned> CallInterface::ownArguments() const {
  std::vector<unsigned> Own = Arguments;
  if (HasFrame)
    llvm::erase(Own, machine::StackPointer);
  return Own;
}

bool CallInterface::takesStack() const {
  return HasFrame && llvm::is_contained(Arguments, machine::StackPointer);
}

namespace {
/// Who calls whom in a text section, and how much code clones would be.
class CloneSizes {
public:
  explicit CloneSizes(TextCode &Code) { add(Code, 0); }

  std::set<uint64_t> ownFunctions();

private:
  struct Node {
    size_t Instructions = 0;
    std::vector<uint64_t> Callees; ///< once for each call
    // With its clones, unless it is a function of its own.
    size_t Expanded = 0;
    unsigned Depth = 0;
    bool IsDone = false;
  };

  void add(TextCode &Code, uint64_t Entry);
  bool reachesItself(uint64_t Entry) const;
  const Node &expand(uint64_t Entry);
  bool splitLargest();

  std::map<uint64_t, Node> Nodes;
  std::set<uint64_t> Own;
};
} // namespace

void CloneSizes::add(TextCode &Code, uint64_t Entry) {
  std::vector<uint64_t> Waiting{Entry};
  while (!Waiting.empty()) {
    const uint64_t At = Waiting.back();
    Waiting.pop_back();
    auto [It, IsNew] = Nodes.try_emplace(At);
    if (!IsNew)
      continue;
    const std::vector<uint64_t> All = Code.reachedFrom(At);
    It->second.Instructions = All.size();
    for (const uint64_t Address : All)
      if (const std::optional<uint64_t> To = Code.subroutineAt(Address)) {
        It->second.Callees.push_back(*To);
        Waiting.push_back(*To);
      }
  }
}

bool CloneSizes::reachesItself(uint64_t Entry) const {
  std::set<uint64_t> Seen;
  std::vector<uint64_t> Waiting{Entry};
  while (!Waiting.empty()) {
    const Node &N = Nodes.at(Waiting.back());
    Waiting.pop_back();
    for (const uint64_t To : N.Callees) {
      if (To == Entry)
        return true;
      if (Seen.insert(To).second)
        Waiting.push_back(To);
    }
  }
  return false;
}

/// Some subroutines are functions where the clones of a function have more
/// instructions.
constexpr size_t MostCloned = 1 << 16;

/// No way leads back from \p Entry to it but by functions of their own.
const CloneSizes::Node &CloneSizes::expand(uint64_t Entry) {
  Node &N = Nodes.at(Entry);
  if (std::exchange(N.IsDone, true))
    return N;
  N.Expanded = N.Instructions;
  N.Depth = 0;
  for (const uint64_t To : N.Callees) {
    const Node &Callee = expand(To);
    if (Own.count(To) != 0)
      continue;
    N.Expanded = llvm::SaturatingAdd(N.Expanded, Callee.Expanded);
    N.Depth = std::max(N.Depth, Callee.Depth + 1);
  }
  if (Entry != 0 && N.Depth == MaxCloneDepth)
    Own.insert(Entry);
  return N;
}

/// Makes a function of what takes most of the clones that are too many; false
/// if none are.
bool CloneSizes::splitLargest() {
  for (auto &[Entry, N] : Nodes)
    N.IsDone = false;
  for (auto &[Entry, N] : Nodes)
    expand(Entry);
  for (auto &[Entry, N] : Nodes) {
    if ((Entry != 0 && Own.count(Entry) == 0) ||
        N.Expanded - N.Instructions <= MostCloned)
      continue;
    std::map<uint64_t, size_t> Sizes;
    for (const uint64_t To : N.Callees)
      if (Own.count(To) == 0)
        Sizes[To] = llvm::SaturatingAdd(Sizes[To], Nodes.at(To).Expanded);
    Own.insert(llvm::max_element(Sizes, [](const auto &A, const auto &B) {
                 return A.second < B.second;
               })->first);
    return true;
  }
  return false;
}

std::set<uint64_t> CloneSizes::ownFunctions() {
  for (const auto &[Entry, N] : Nodes)
    if (!N.Callees.empty() && reachesItself(Entry))
      Own.insert(Entry);
  while (splitLargest())
    ;
  return std::move(Own);
}

LocalFunctions::LocalFunctions(TextCode &Code) {
  bool HasCalls = false;
  for (uint64_t At = 0; At != Code.bytes() && !HasCalls; At += InstructionBytes)
    HasCalls = Code.subroutineAt(At).has_value();
  if (!HasCalls)
    return;
  for (const uint64_t Entry : CloneSizes(Code).ownFunctions())
    Functions.push_back({Entry, nullptr, {}});
}

const LocalFunction *LocalFunctions::at(uint64_t Entry) const {
  const auto It = llvm::partition_point(
      Functions, [&](const LocalFunction &F) { return F.Entry < Entry; });
  return It != Functions.end() && It->Entry == Entry ? &*It : nullptr;
}
