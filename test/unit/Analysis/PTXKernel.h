//===- PTXKernel.h - Kernels from a few lines of PTX ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_ANALYSIS_PTXKERNEL_H
#define PTXPREDICT_TEST_UNIT_ANALYSIS_PTXKERNEL_H

#include "ptxpredict/Analysis/Profile/StaticProfile.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "gtest/gtest.h"

namespace ptxpredict {

/// A kernel `k(.param .u64 p, .param .u32 n)` with the registers %r, %rd, %f
/// and %p, and its counts at a launch of one-dimensional blocks. Functions that
/// it calls stand in \p Functions.
class PTXKernel {
public:
  explicit PTXKernel(StringRef Body, Dim3 Block = {64, 1, 1},
                     const std::map<unsigned, int64_t> &Args = {},
                     StringRef Functions = "") {
    std::string Text = ".version 8.0\n.target sm_80\n.address_size 64\n" +
                       Functions.str() +
                       ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
                       ".reg .pred %p<8>;\n.reg .b32 %r<32>;\n"
                       ".reg .b64 %rd<32>;\n.reg .f32 %f<32>; "
                       ".reg .b16 %rs<8>; .reg .f64 %fd<8>;\n" +
                       Body.str() + "\nret;\n}\n";
    Diags.setBuffer(llvm::MemoryBuffer::getMemBufferCopy(Text, "test.ptx"));
    std::unique_ptr<ptx::AST> AST = ptx::parse(Diags);
    if (AST)
      M = ptx::lower(*AST, Diags);
    std::string Messages;
    for (const Diagnostic &D : Diags.diagnostics())
      Messages += D.Message + "\n";
    EXPECT_EQ(Messages, "");
    if (!M)
      return;
    EXPECT_EQ(verify(graph()), "");
    Launch.Block = Block;
    Launch.Grid = {1000, 1, 1};
    for (auto [Index, Value] : Args)
      Launch.Args[Index].Integer = Value;
  }

  const InstructionGraph &graph() const { return *M->Functions.back(); }

  /// Counts; call it once the launch is as it shall be.
  void analyze(uint64_t Budget = StaticProfileBudget) {
    CF = std::make_unique<ControlFlow>(graph());
    Ex = std::make_unique<Expressions>(Launch);
    V = std::make_unique<SymbolicValues>(graph(), *CF, Launch, *Ex);
    Counts = profileStatically(*V, Launch, Budget, {/*HasRecords=*/true});
  }

  double warps() const {
    return double(Launch.blocks()) * double(Launch.warpsPerBlock());
  }
  const FunctionCounts &counts() const { return *Counts.Functions.front(); }
  const Block *block(StringRef Label) const {
    for (const Block &B : graph())
      if (B.Label == Label)
        return &B;
    ADD_FAILURE() << "no block " << Label.str();
    return graph().Blocks.front();
  }
  /// Executions of the block with that label, per warp.
  Estimate frequency(StringRef Label) const {
    return counts().Blocks[block(Label)->Number].Runs.scaled(1 / warps());
  }
  /// Of the only loop.
  const LoopCounts &loop() const {
    EXPECT_EQ(counts().Loops.size(), 1u);
    return counts().Loops.front();
  }
  /// The first instruction whose mnemonic is \p Mnemonic, or the Nth behind it.
  const Instruction &instruction(StringRef Mnemonic, unsigned Nth = 0) const {
    const Instruction *Found = nullptr;
    graph().forEachInstruction([&](const Instruction &I) {
      if (!Found && I.Mnemonic == Mnemonic && Nth-- == 0)
        Found = &I;
    });
    EXPECT_NE(Found, nullptr) << Mnemonic.str();
    return *Found;
  }
  /// What that instruction's only access does.
  const AccessCounts &access(StringRef Mnemonic, unsigned Nth = 0) const {
    return counts().accesses(instruction(Mnemonic, Nth)).front();
  }

  DiagnosticEngine Diags;
  std::unique_ptr<Module> M;
  LaunchConfig Launch;
  std::unique_ptr<ControlFlow> CF;
  std::unique_ptr<Expressions> Ex;
  std::unique_ptr<SymbolicValues> V;
  StaticProfile Counts;
};

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_ANALYSIS_PTXKERNEL_H
