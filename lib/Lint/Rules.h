//===- Rules.h - The checks of all rules ------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_LINT_RULES_H
#define PTXPREDICT_LIB_LINT_RULES_H

#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringMap.h"

namespace ptxpredict {

#define LINT_RULE(NAME, ID, REMARK, SEVERITY, FIRES_WHEN, SAVES, TO_TRY)       \
  void check##NAME(const Rule &R, LintContext &C);
#include "ptxpredict/Lint/Rules.def"

/// " (assumed)" and the like behind a number that is no better known; empty
/// for one that is known or estimated.
std::string howKnown(Status S);

/// The number in short, and how it is known where that is not well.
std::string countText(const Estimate &C);

/// The same before a verb's object: "perhaps 3" for a number of which nothing
/// says that it is more than \p Least.
std::string perhapsText(const Estimate &C, double Least);
/// Nobody knows more of it.
bool isOpen(const Estimate &C, double Least);

/// Nobody said how many blocks there are.
bool isGridAssumed(const KernelCharacteristics &K);

/// " on v100" where there are several devices; empty with one.
std::string onDevice(const LintContext &C, const KernelThere &K);

/// The lanes of the pipe that does the work; those of floats where all do it or
/// the device's file does not say.
double laneCount(SchedClass Kind, const Device &D);
/// Core cycles in which an SM issues one such warp instruction.
double issueCyclesOf(SchedClass Kind, const Device &D);

/// Executions per warp by kind.
using WorkByKind = std::array<double, NumSchedClasses>;
/// Arithmetic of doubles, and conversions from and to them.
bool isOfDoubles(SchedClass Kind);
/// What the same would be in a cheaper way; nothing for work that is cheap.
std::optional<SchedClass> cheaperKind(SchedClass Kind);
/// Makes \p Work cheaper. Conversions from and to doubles go.
void makeCheaper(KernelVariant &V, const WorkByKind &Work);

/// What tells places of the source from each other: one line that the compiler
/// unrolled is one place, one that it inlined several.
std::string keyOf(const SourcePlace &P);

/// Tells the instructions of the input from each other: by their lines, and by
/// their places in the source, since of CUDA source those lines are many's.
/// Copies that a compiler made of one instruction may have one key.
class InstructionKeys {
public:
  using Key = std::pair<uint32_t, uint32_t>;
  explicit InstructionKeys(const DependenceSummary &S);
  Key of(const IssuedInstruction &I) const { return {I.Line, I.Source}; }
  Key of(unsigned Line, StringRef Source) const {
    return {Line, Numbers.lookup(Source)};
  }
  Key of(const SourcePlace &P) const { return of(P.Line, P.Source); }

private:
  llvm::StringMap<uint32_t> Numbers; ///< as IssuedInstruction has them
};

/// The memory instructions of one place in the source: one line that the
/// compiler unrolled is one place.
struct PlaceOfAccesses {
  std::vector<size_t> Accesses; ///< numbers in KernelCharacteristics::Memory
};
/// Groups those that \p Wanted chooses by place, in the order of the code.
std::vector<PlaceOfAccesses>
groupByPlace(const KernelCharacteristics &K,
             llvm::function_ref<bool(const MemoryCharacteristics &)> Wanted);

/// The access rule of the first device; one device more seldom has another one.
AccessRule accessRule(const LintContext &C);
/// As few transactions of a request as its bytes need.
Estimate fewestOf(const MemoryCharacteristics &M, AccessRule Rule);
/// By memory instruction: a global access whose lanes move too much, even if
/// all of the lane's accesses next to it were one.
std::vector<bool> findUncoalesced(const LintContext &C);

/// The most that well-shaped requests can need in the mean if they have that
/// many lanes in the mean: one that has few lanes needs a whole unit for them.
/// \p LanesPerUnit fill a sector or a pass.
double mostNeeded(double Lanes, double LanesPerUnit);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_LINT_RULES_H
