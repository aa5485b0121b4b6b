//===- DumpRecords.h - What dumps of static counts share --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_DUMP_DUMPRECORDS_H
#define PTXPREDICT_LIB_ANALYSIS_DUMP_DUMPRECORDS_H

#include "ptxpredict/Analysis/Profile/StaticProfile.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxpredict::counting {

/// The label, or "block N" without one.
inline std::string labelOf(const Block &B) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  B.printAsOperand(OS);
  return Text;
}

/// One line: `branch line=12 opcode=bra why=load`. A value with white space
/// stands in double quotes, an empty one is `-`.
class DumpRecord {
public:
  DumpRecord(raw_ostream &OS, StringRef Word) : OS(OS) { OS << "  " << Word; }
  ~DumpRecord() { OS << '\n'; }
  DumpRecord(const DumpRecord &) = delete;
  DumpRecord &operator=(const DumpRecord &) = delete;

  DumpRecord &field(StringRef Key, StringRef Value);
  DumpRecord &field(StringRef Key, unsigned Value) {
    return field(Key, StringRef(std::to_string(Value)));
  }
  /// `32:known`, `16:assumed[1,32]`
  DumpRecord &field(StringRef Key, const Estimate &C);
  DumpRecord &field(StringRef Key, const Expression *X);

private:
  raw_ostream &OS;
};

/// A function with what is known of it in each of its calls.
struct CountedFunction {
  const FunctionCounts *Counts;
  ArrayRef<const SymbolicValues *> Calls; ///< of a kernel one
  const InstructionGraph &graph() const { return *Counts->G; }
  const SymbolicValues &first() const { return *Calls.front(); }
};

/// Of each function that was counted prints its name and the launch, then what
/// \p Print does.
void printFunctions(const SymbolicValues &Kernel, const StaticProfile &Counts,
                    const LaunchConfig &Launch, raw_ostream &OS,
                    llvm::function_ref<void(const CountedFunction &)> Print);

/// \p C of a launch, by its warps.
Estimate perWarp(const Estimate &C, const LaunchConfig &Launch);

/// The share of \p Of that \p Part is; 0 if there is nothing.
Estimate shareOf(const Estimate &Part, const Estimate &Of);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_DUMP_DUMPRECORDS_H
