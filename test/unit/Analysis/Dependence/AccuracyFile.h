//===- AccuracyFile.h - The kernels of test/accuracy ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_ANALYSIS_DEPENDENCE_ACCURACYFILE_H
#define PTXPREDICT_TEST_UNIT_ANALYSIS_DEPENDENCE_ACCURACYFILE_H

#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "ptxpredict/Support/InputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>

namespace ptxpredict {

/// Tells several observers.
struct ObserverList : EmulationObserver {
  SmallVector<EmulationObserver *, 4> Observers;
  void onInstruction(uint64_t Block, unsigned Warp, const Instruction &I,
                     uint32_t Active) override {
    for (EmulationObserver *O : Observers)
      O->onInstruction(Block, Warp, I, Active);
  }
  void onRequest(uint64_t Block, unsigned Warp, const Instruction &I,
                 AddressSpace Space, const WarpAccess &A) override {
    for (EmulationObserver *O : Observers)
      O->onRequest(Block, Warp, I, Space, A);
  }
};

/// One PTX file and its launches.
class AccuracyFile {
public:
  /// Names without folder and ".ptx", sorted.
  static std::vector<std::string> all() {
    std::vector<std::string> Names;
    std::error_code EC;
    for (llvm::sys::fs::directory_iterator I(folder() + "/ptx", EC), End;
         I != End && !EC; I.increment(EC))
      Names.push_back(llvm::sys::path::stem(I->path()).str());
    EXPECT_FALSE(EC) << EC.message();
    llvm::sort(Names);
    return Names;
  }

  /// One of all().
  explicit AccuracyFile(const std::string &Name)
      : AccuracyFile(Name, folder() + "/ptx/" + Name + ".ptx",
                     folder() + "/launch/" +
                         StringRef(Name).split('.').first.str() + ".yaml") {}

  AccuracyFile(const std::string &Name, const std::string &CodePath,
               const std::string &LaunchPath)
      : Name(Name),
        LaunchFolder(llvm::sys::path::parent_path(LaunchPath).str()) {
    EXPECT_FALSE(readInputFile(CodePath, Diags));
    Tree = ptx::parse(Diags);
    if (Tree)
      M = ptx::lower(*Tree, Diags);
    EXPECT_FALSE(readInputFile(LaunchPath, LaunchDiags));
    EXPECT_FALSE(parseLaunchFile(LaunchDiags, File));
    EXPECT_FALSE(Diags.hasErrors() || LaunchDiags.hasErrors());
  }

  ArrayRef<LaunchFileEntry> launches() const { return File.Launches; }
  const InstructionGraph &kernel(const LaunchFileEntry &E) const {
    const InstructionGraph *G = M->function(E.Kernel);
    EXPECT_TRUE(G) << E.Kernel;
    return *G;
  }

  /// With the whole numbers of two digits and more among the arguments
  /// multiplied by \p Size.
  LaunchConfig config(const LaunchFileEntry &E, double Size) const {
    LaunchConfig C;
    C.Grid = *E.Spec.Grid;
    C.Block = *E.Spec.Block;
    C.DynamicSharedBytes = E.Spec.DynamicSharedBytes.value_or(0);
    int64_t Step = StringRef(Name).starts_with("matmul_tensor") ||
                           StringRef(Name).starts_with("matmul_wmma")
                       ? 16 // what these kernels want
                       : 1;
    for (size_t I = 0; I != E.Spec.Args.size(); ++I) {
      ArgumentValue V = E.Spec.Args[I].Value;
      if (V.Kind == ArgumentValue::KindTy::Integer && V.Integer >= 10 &&
          Size != 1) {
        V.Integer = int64_t(double(V.Integer) * Size) / Step * Step;
        V.Float = double(V.Integer);
      }
      C.Args[unsigned(I)] = V;
    }
    return C;
  }

  /// Runs to the end.
  EmulationResult run(const LaunchFileEntry &E, double Size,
                      EmulationObserver &Observer) const {
    EmulationOptions Options;
    Options.Observer = &Observer;
    Emulation Run(kernel(E), config(E, Size), Options);
    for (const auto &[BufferName, Spec] : E.Buffers)
      if (Error Err = Run.addBuffer(BufferName, Spec, LaunchFolder))
        ADD_FAILURE() << toString(std::move(Err));
    Expected<EmulationResult> R = Run.run();
    if (!R) {
      ADD_FAILURE() << toString(R.takeError());
      return {};
    }
    EXPECT_FALSE(R->Fault) << R->Fault->Message;
    return std::move(*R);
  }

private:
  static std::string folder() { return PTXPREDICT_SOURCE_DIR "/test/accuracy"; }

  std::string Name, LaunchFolder;
  DiagnosticEngine Diags, LaunchDiags;
  std::unique_ptr<ptx::AST> Tree;
  std::unique_ptr<Module> M;
  LaunchFile File;
};

/// A page of docs/ that a test makes: it must be \p Page, or is written anew
/// where PTXPREDICT_UPDATE_PAGES is set.
inline void checkPage(const std::string &Path, const std::string &Page) {
  if (std::getenv("PTXPREDICT_UPDATE_PAGES")) {
    std::error_code EC;
    llvm::raw_fd_ostream OS(Path, EC);
    ASSERT_FALSE(EC) << EC.message();
    OS << Page;
    return;
  }
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  ASSERT_TRUE(bool(Buffer));
  EXPECT_EQ((*Buffer)->getBuffer().str(), Page)
      << "PTXPREDICT_UPDATE_PAGES=1 writes the page anew";
}

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_ANALYSIS_DEPENDENCE_ACCURACYFILE_H
