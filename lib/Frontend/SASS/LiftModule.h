//===- LiftModule.h - What all functions of a cubin share -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_LIFTMODULE_H
#define PTXPREDICT_LIB_FRONTEND_SASS_LIFTMODULE_H

#include "CubinImage.h"
#include "LocalFunctions.h"
#include "ptxpredict/Frontend/SASS/CodeLines.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Graph/PTXInstruction.h"
#include "ptxpredict/Support/Diagnostics.h"
#include <mutex>

namespace ptxpredict::sass {

/// Where bank 0 of constants holds what a launch sets, in bytes.
struct LaunchWords {
  unsigned BlockSize = 0, GridSize = 0; ///< x, y and z behind one another
  unsigned StackTop = 0;
  /// Generic addresses of 64 bits.
  std::optional<unsigned> LocalWindow, SharedWindow;
};

/// Heads of functions, variables, mnemonics and source locations; the source of
/// the bodies, any number of which may be lifted at once.
class LiftModule : public BodySource {
public:
  LiftModule(CubinImage Image, Module &M, DiagnosticEngine &Diags);

  bool lowerBody(InstructionGraph &G) override;

  const CubinImage &image() const { return Image; }
  unsigned architecture() const { return Image.cubin().Architecture; }
  const LaunchWords &launchWords() const { return Words; }
  /// What \p Mnemonic with so many operands is; as long as the module lives.
  const ptx::WrittenMnemonics::Entry &
  mnemonic(StringRef Mnemonic, unsigned NumOperands, bool HasReturnList);
  /// \p Text, as long as the module lives. Bodies are dropped and lowered
  /// again, and name much alike: each text is kept once.
  StringRef keep(const Twine &Text);
  /// Of an instruction of \p F; null if the line table does not say.
  const SourceLocation *location(const CubinFunction &F, uint64_t Address);
  /// The variable that the symbol \p Name is, or that \p Section is whole; null
  /// if there is none.
  const Variable *variable(StringRef Name);
  /// A bank that code reads by an index; null if it has none.
  const Variable *bankVariable(unsigned Bank, StringRef Function);
  /// The line in the listing of the instruction at \p Address of \p F.
  unsigned line(const CubinFunction &F, uint64_t Address) const;
  /// Gives \p G its frame, of \p FrameBytes if \p Local is not null, else of no
  /// less, and a kernel its shared memory.
  void addLocals(InstructionGraph &G, const CubinFunction &F,
                 const LocalFunction *Local, uint64_t FrameBytes);

private:
  void addFunction(const CubinFunction &F);
  void addLocalFunctions(const CubinFunction &F);
  void addVariables();
  const SourceLocation *locate(const CodeLine &Of); ///< Mutex is held
  uint64_t reservedShared(const CubinFunction &F) const;

  CubinImage Image;
  Module &M;
  DiagnosticEngine &Diags;
  LaunchWords Words;
  llvm::UniqueStringSaver Texts;
  ptx::WrittenMnemonics Mnemonics;
  std::optional<CodeLines> Lines;
  llvm::DenseMap<const CodeLine *, const SourceLocation *> Locations;
  llvm::StringMap<const Variable *> Variables;
  /// Where the code of a function is.
  struct CodePlace {
    const CubinFunction *In = nullptr;
    uint64_t Entry = 0;
  };
  llvm::DenseMap<const InstructionGraph *, CodePlace> Functions;
  std::map<const CubinFunction *, LocalFunctions> Locals;
  llvm::DenseMap<const CubinFunction *, unsigned> FirstLine;
  std::mutex Mutex; ///< of all that lifting a body changes: functions ask in
                    ///< several threads, and for little that they know not
};

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_LIFTMODULE_H
