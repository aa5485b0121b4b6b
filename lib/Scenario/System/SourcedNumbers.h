//===- SourcedNumbers.h - Numbers of a file, with sources -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_SYSTEM_SOURCEDNUMBERS_H
#define PTXPREDICT_LIB_SCENARIO_SYSTEM_SOURCEDNUMBERS_H

#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Support/YAMLFields.h"
#include <deque>

namespace ptxpredict {

/// What a number of a file must be.
struct NumberRule {
  StringRef Unit;
  double Low = 0, High = 1e9;
  bool IsAboveLow = false; ///< more than Low, else at least that
  bool IsWhole = false;
  /// A unit that a file may state in place of Unit, and how many of Unit it is.
  StringRef OtherUnit = "";
  double OtherFactor = 1;
};

/// What many files have.
inline constexpr NumberRule WattsRule = {"W"};
inline constexpr NumberRule HoursRule = {"h", 0, 1e15, /*IsAboveLow=*/true};
inline constexpr NumberRule BytesRule = {"bytes", 1, 1e18, false,
                                         /*IsWhole=*/true};

/// Reads numbers as device files have them, `15.8` or `{value: 15.8, unit:
/// GB/s, source: "…"}`. One without a source of its own has that of the
/// innermost mapping around it that has `source:`, which may stand behind it.
class SourcedNumbers {
public:
  explicit SourcedNumbers(YAMLNodes &Nodes) : Nodes(Nodes) {}

  /// A mapping that may have `source:`, as long as it is read.
  class Scope {
  public:
    explicit Scope(SourcedNumbers &Numbers);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    /// Adds the key; what it says goes to \p Into as well, if there is one.
    void addSource(YAMLFields &Fields, std::string *Into = nullptr);

  private:
    SourcedNumbers &Numbers;
  };

  /// What reads a number that must have a source. \p Into stays where it is
  /// until \ref finish.
  YAMLFields::ReadFunction into(Quantity &Into, const NumberRule &Rule);
  /// The same for one that need not have one; nothing if it is wrong
  /// (reported). \p Source stays where it is until \ref finish.
  std::optional<double> read(llvm::yaml::Node &N, StringRef Key,
                             const NumberRule &Rule, std::string &Source);
  /// A number that is written plain and has no source.
  std::optional<double> readPlain(llvm::yaml::Node &N, StringRef Key,
                                  const NumberRule &Rule);

  /// Gives all numbers their sources, and reports those that have none and
  /// must.
  void finish();

private:
  struct SourceText {
    std::string Text;
    SourceText *Around;
  };
  struct Unsourced {
    std::string *Source;
    SMLoc Place; ///< of the number
    std::string Key;
    const SourceText *Around;
    bool IsNeeded;
  };
  std::optional<double> read(llvm::yaml::Node &N, StringRef Key,
                             const NumberRule &Rule, std::string &Source,
                             bool IsNeeded);
  std::optional<double> checked(const YAMLText &Value,
                                const std::optional<YAMLText> &Unit,
                                StringRef Key, const NumberRule &Rule);

  YAMLNodes &Nodes;
  std::deque<SourceText> Texts; ///< of all scopes; they stay where they are
  SourceText *Innermost = nullptr;
  std::vector<Unsourced> Open;
};

/// Whether \p Text may be a name: letters, digits, '-', '_' and '.', the first
/// a letter or a digit. Reports what is wrong with that of \p What.
bool checkPlainName(YAMLNodes &Nodes, const YAMLText &Text, StringRef What);
/// Whether \p Text may be a name in formulas: letters, digits and '_', no digit
/// first. Reports what is wrong with that of \p What.
bool checkIdentifier(YAMLNodes &Nodes, const YAMLText &Text, StringRef What);

/// The keys that both kinds of files begin with, and where their name stands.
struct FileHead {
  std::string &Name, &Description;
  SMLoc NamePlace = {};
  /// Adds schema, version, name and description; \p What: "a link".
  void addTo(YAMLFields &Fields, YAMLNodes &Nodes, StringRef What,
             StringRef Schema, unsigned Version);
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_SYSTEM_SOURCEDNUMBERS_H
