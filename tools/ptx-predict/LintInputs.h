//===- LintInputs.h - What lint looks at, and how it is asked ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_LINTINPUTS_H
#define PTXPREDICT_TOOLS_LINTINPUTS_H

#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Driver/Toolchain/CompileCommands.h"
#include "ptxpredict/Review/LintConfig.h"
#include "llvm/ADT/StringMap.h"
#include <set>

namespace ptxpredict::tool {

/// An input and the configuration that it is under.
struct LintInput {
  DriverInput Input;
  const LintConfig *Config = nullptr;
};

/// Turns what the user names into inputs: code, folders of code, compilation
/// databases, and headers, which stand for the sources that include them.
class LintInputs {
public:
  /// \p ConfigPath: of the only configuration; empty to look for one from each
  /// input upwards. \p Commands: of a compilation database; empty to look for
  /// one where it is needed.
  LintInputs(const ReadOptions &Read, std::string ConfigPath,
             std::string Commands, bool WithoutConfig)
      : Read(Read), ConfigPath(std::move(ConfigPath)),
        Commands(std::move(Commands)), WithoutConfig(WithoutConfig) {}

  /// Adds what \p Path stands for. What is wrong with it is reported.
  void add(StringRef Path);

  std::vector<LintInput> take() { return std::move(Inputs); }
  /// The configuration from \p Folder upwards, absolute.
  const LintConfig *configAbove(StringRef Folder);

  /// All that was reported.
  std::vector<const DiagnosticEngine *> diagnostics() const;
  /// A configuration is wrong: nothing should be done.
  bool hasBadConfig() const { return BadConfig; }
  /// Some input is not there, or nobody knows what it stands for.
  bool failed() const { return Failed; }

private:
  /// A configuration, or a compilation database, with its messages.
  template <typename T>
  struct File {
    DiagnosticEngine Diags;
    T Content;
  };

  const ReadOptions &Read;
  std::string ConfigPath, Commands;
  bool WithoutConfig, BadConfig = false, Failed = false;
  std::vector<LintInput> Inputs;
  std::set<std::string> Taken; ///< absolute paths of Inputs
  DiagnosticEngine General;
  std::map<std::string, std::unique_ptr<File<LintConfig>>> Configs;
  std::map<std::string, std::unique_ptr<File<CompileCommands>>> Databases;
  llvm::StringMap<const LintConfig *> ByFolder;
  LintConfig Empty;

  const LintConfig *configAt(const std::string &Path, ConfigOrigin Origin);
  /// The database for what lies in \p Folder; null without one.
  const CompileCommands *databaseFor(StringRef Folder, const LintConfig &C);
  /// \p IsNamed by the user: messages may show its lines.
  const CompileCommands *databaseAt(const std::string &Path, bool IsNamed);
  void addFile(StringRef Path, const LintConfig *Config,
               const CompileCommand *How);
  void addHeader(StringRef Path, StringRef Full);
  void fail(const Twine &Message);
};

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_LINTINPUTS_H
