//===- Inputs.h - What the benchmarks read ----------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_BENCHMARK_INPUTS_H
#define PTXPREDICT_TEST_BENCHMARK_INPUTS_H

#include "ptxpredict/Analysis/Profile/StaticProfile.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Frontend/PTX/AST.h"

namespace ptxpredict::bench {

/// Ends the process if \p Holds is false: a benchmark of nothing is worse than
/// none.
void require(bool Holds, const Twine &Message);

/// The text of a file of the source tree.
std::string readSource(StringRef Path);

/// The module with \p N kernels, each a copy of its first under a new name.
std::string repeatKernel(StringRef Text, unsigned N);

/// The module with \p N copies of its first kernel's body in that kernel, one
/// after the other, each with its own registers and labels.
std::string repeatBody(StringRef Text, unsigned N);

/// One function with what the analyses need of each other.
struct AnalysedFunction {
  AnalysedFunction(const InstructionGraph &G, const LaunchConfig &Launch);

  const InstructionGraph &G;
  const LaunchConfig &Launch;
  ControlFlow CF;
  Expressions E;
  SymbolicValues V;
};

/// One PTX text, parsed and lowered.
struct Source {
  explicit Source(std::string Text);

  std::string Text;
  std::unique_ptr<DiagnosticEngine> Diags;
  std::unique_ptr<ptx::AST> Tree;
  std::unique_ptr<Module> M;
};

/// Some PTX texts, and what each stage makes of them, for the stage after it;
/// made when it is asked for.
class Input {
public:
  explicit Input(std::vector<std::string> Texts);
  ~Input();

  std::vector<std::unique_ptr<Source>> Sources;
  size_t Bytes = 0;
  size_t NumTokens = 0;
  size_t NumInstructions = 0;

  std::vector<std::unique_ptr<AnalysedFunction>> &functions();
  /// The texts as files, which live as long as this.
  const std::vector<std::string> &files();
  /// What the driver finds in them.
  const Report &report();

private:
  LaunchConfig Launch;
  std::vector<std::unique_ptr<AnalysedFunction>> Functions;
  std::vector<std::string> Files;
  std::optional<Report> TheReport;
};

/// docs/examples/saxpy.ptx.
Input &saxpy();
/// What compilers made of test/Inputs/kernels.
Input &corpus();
/// docs/examples/matmul.ptx by repeatKernel() and by repeatBody().
Input &kernels(unsigned N);
Input &bodies(unsigned N);

/// Emulate/…, in EmulatorBenchmarks.cpp.
void addEmulatorBenchmarks();
/// Those of machine code.
void addSASSBenchmarks();
/// Those of scenarios.
void addScenarioBenchmarks();

} // namespace ptxpredict::bench

#endif // PTXPREDICT_TEST_BENCHMARK_INPUTS_H
