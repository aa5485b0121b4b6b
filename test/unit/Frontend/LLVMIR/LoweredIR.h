//===- LoweredIR.h - LLVM IR that a test has as text ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_FRONTEND_LLVMIR_LOWEREDIR_H
#define PTXPREDICT_TEST_UNIT_FRONTEND_LLVMIR_LOWEREDIR_H

#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Support/Diagnostics.h"
#include "gtest/gtest.h"

namespace ptxpredict::llvmir {

/// A module of LLVM IR, lowered in two ways: by our front end, and by LLVM's
/// back end to PTX that our PTX front end reads. What the two graphs have in
/// common tests the former.
class LoweredIR {
public:
  /// \p Text without the target's triple, which is put into its first line.
  explicit LoweredIR(const Twine &Text);
  ~LoweredIR();

  /// Null after a failure.
  const InstructionGraph *function(StringRef Name) const {
    return M ? M->function(Name) : nullptr;
  }
  /// How often a function of \p M has a mnemonic.
  static unsigned count(const Module &M, StringRef Mnemonic,
                        StringRef Name = "k");
  /// What our front end says of the module.
  std::string messages() const;

  /// What one warp of the kernel "k" leaves in a buffer of \p Bytes zeros, its
  /// first parameter; the others are \p Numbers.
  static std::vector<uint8_t> run(const Module &M, size_t Bytes,
                                  ArrayRef<int64_t> Numbers);
  /// Both graphs leave the same.
  void expectSameResults(size_t Bytes, ArrayRef<int64_t> Numbers = {}) const;

  std::unique_ptr<Module> M;   ///< ours
  std::unique_ptr<Module> PTX; ///< the back end's

private:
  std::unique_ptr<Module> lower(StringRef Text);
  std::unique_ptr<Module> throughBackEnd(StringRef Text);

  DiagnosticEngine Diags, PTXDiags;
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_TEST_UNIT_FRONTEND_LLVMIR_LOWEREDIR_H
