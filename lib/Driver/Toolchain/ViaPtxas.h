//===- ViaPtxas.h - Exact resources from the user's ptxas -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DRIVER_TOOLCHAIN_VIAPTXAS_H
#define PTXPREDICT_LIB_DRIVER_TOOLCHAIN_VIAPTXAS_H

#include "ptxpredict/Driver/Toolchain/PtxasInfo.h"
#include "ptxpredict/Support/ContentCache.h"
#include <map>

namespace ptxpredict {

/// What a run of ptxas said, or the cache of it.
struct PtxasAnswer {
  bool Refused = false;                      ///< ptxas did not compile it
  std::string Log;                           ///< what it printed
  std::map<std::string, uint64_t> CodeBytes; ///< by mangled name
  std::string Cubin;                         ///< empty unless asked for
};

/// An assembler on the user's machine. Its answers are kept in
/// $XDG_CACHE_HOME/ptx-predict/ptxas, else in ~/.cache, by content; without
/// either they are not kept.
class Ptxas {
public:
  /// The ptxas at \p Path; for an empty one that on PATH, else in
  /// $CUDA_HOME/bin. An error if it is not there or does not run.
  static Expected<Ptxas> find(StringRef Path);

  /// Which program that would be, by its path, size and time, without a run of
  /// it; empty if there is none.
  static std::string identityOf(StringRef Path);

  StringRef path() const { return Program; }

  /// Compiles \p Text for \p Architecture ("sm_90a"), or remembers it. An error
  /// if ptxas cannot be run or dies.
  Expected<PtxasAnswer> compile(StringRef Text, StringRef Architecture) const {
    return answer(Text, Architecture, /*KeepsCubin=*/false);
  }
  /// The same with the cubin, which has the lines that \p Text names.
  Expected<PtxasAnswer> assemble(StringRef Text, StringRef Architecture) const {
    return answer(Text, Architecture, /*KeepsCubin=*/true);
  }

private:
  std::string Program;
  std::string Identity; ///< path, version, size and time of the program
  ContentCache Cache;

  Expected<PtxasAnswer> answer(StringRef Text, StringRef Architecture,
                               bool KeepsCubin) const;
  Expected<PtxasAnswer> run(StringRef Text, StringRef Architecture,
                            bool KeepsCubin) const;
};

/// The machine code that \p Assembler makes of \p Text, PTX for \p Target, for
/// \p Architecture. Nothing on error: reported in \p Diags if it is the code's,
/// in \p General if ptxas cannot be used.
std::optional<std::string> assembleVia(const Ptxas &Assembler, StringRef Text,
                                       StringRef Architecture,
                                       DiagnosticEngine &Diags,
                                       DiagnosticEngine &General);

/// The architecture for which code of \p Target is compiled to run on a device
/// of that capability: "sm_90a" stays so on 9.0, "sm_100f" is "sm_103f"
/// on 10.3.
std::string architectureFor(StringRef Target, unsigned TargetCapability,
                            unsigned DeviceCapability);

/// What is to be compiled: for its own target, and for every architecture.
struct CompileRequest {
  StringRef Text; ///< PTX
  StringRef Target;
  ArrayRef<std::string> Architectures;
};

struct CompileAnswer {
  PtxasInfo Info;
  std::map<std::string, std::string> Refusals; ///< why, by architecture
};

/// Asks \p Assembler. True on error: the code's own target is known but the
/// code refused (reported in \p Diags), or ptxas cannot be used (reported in
/// \p General). The answer then holds what was found before.
bool compileVia(const Ptxas &Assembler, const CompileRequest &R,
                CompileAnswer &Result, DiagnosticEngine &Diags,
                DiagnosticEngine &General);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DRIVER_TOOLCHAIN_VIAPTXAS_H
