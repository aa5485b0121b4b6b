//===- Rule.h - The interface of every rule ---------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LINT_RULE_H
#define PTXPREDICT_LINT_RULE_H

#include "ptxpredict/Lint/KernelVariant.h"
#include "ptxpredict/Lint/Lint.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>

namespace ptxpredict {

class LintContext;

/// One rule. Stateless: it looks at what the context has and reports there.
/// What a fix saves. Rules about energy alone are run where somebody asks.
enum class RuleSaves : uint8_t { Time, Energy };

struct Rule {
  StringRef Id;     ///< "uncoalesced-access"
  StringRef Remark; ///< "UncoalescedAccess"
  Severity Level;
  StringRef FiresWhen; ///< one line
  RuleSaves Saves;
  StringRef ToTry; ///< what to do, in at most 40 columns; may be empty
  void (*Check)(const Rule &R, LintContext &C);
};

/// All rules in the order of Rules.def.
ArrayRef<Rule> allRules();
/// The rule of that id; null if there is none.
const Rule *findRule(StringRef Id);

/// A kernel on one of the devices, with an answer of the model.
struct KernelThere {
  const LintDevice &On;
  const ModelOptions &Options;
  std::unique_ptr<PreparedModel> Ready;
  Prediction Now;

  const Device &dev() const { return On.Place.Dev; }
  StringRef name() const { return dev().Name; }
  double timeUs() const { return Now.TimeUs->Value; }
  /// Resident blocks and warps of an SM that the grid can fill.
  double blocksPerSM() const;
  double warpsPerSM() const;
};

/// What may be taken out, and of what a finding says so.
struct PricedFinding {
  Finding Found;
  double Weight = 0; ///< cost as the rule sees it; the largest come first
  std::function<void(KernelVariant &)> TakeOut;
  bool IsIdle = false; ///< nobody knows it for a defect, and it costs little
};

/// All that a rule may look at, and where it reports.
class LintContext {
public:
  explicit LintContext(const LintRequest &R);

  const KernelCharacteristics &kernel() const { return Request.Kernel; }
  /// The devices for which the model has an answer; perhaps none.
  ArrayRef<KernelThere> devices() const { return There; }
  const LintRequest &request() const { return Request; }
  const Model &model() const { return Request.TheModel; }

  /// A finding without message.
  Finding start(const Rule &R, const SourcePlace &At) const;
  /// One about the kernel as a whole.
  Finding start(const Rule &R) const;
  void report(Finding F) { Found.push_back(std::move(F)); }

  /// The share of the time saved on \p K's device if the kernel were as
  /// \p TakeOut makes it. Nothing if no term of the model changes: it does not
  /// price the defect. 0 where the model would lose.
  std::optional<double>
  gainOn(const KernelThere &K,
         llvm::function_ref<void(KernelVariant &)> TakeOut);
  /// The same with \p Blocks resident blocks on an SM.
  std::optional<double> gainWithBlocks(const KernelThere &K, unsigned Blocks);

  /// Fills the gains on all devices. A warning that would save little on each
  /// of them becomes a note.
  void price(Finding &F, llvm::function_ref<void(KernelVariant &)> TakeOut);
  void settle(Finding &F) const;
  /// Whether every device prices it, under \ref LeastGain.
  bool savesLittle(const Finding &F) const;

  /// Prices the \ref MostPriced heaviest, each by itself, and reports them.
  /// Those that come as notes, which nobody knows to be defects, are dropped
  /// where they would save little or are not priced. Warnings that save little
  /// by themselves, or are not priced, become notes; if all of them together
  /// save more, the heaviest stands for them as a warning.
  void priceAll(std::vector<PricedFinding> Findings);
  static constexpr size_t MostPriced = 16;

  std::vector<Finding> takeFindings() { return std::move(Found); }

private:
  std::optional<double> gain(const KernelThere &K,
                             const KernelOnDevice &Without) const;
  /// Of what was not a warning by itself the first becomes one for all.
  void joinSmall(ArrayRef<PricedFinding *> Small);

  const LintRequest &Request;
  ModelOptions Options; ///< the request's, without bounds
  std::vector<KernelThere> There;
  std::optional<KernelVariant> Variant; ///< made when it is first needed
  std::vector<Finding> Found;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LINT_RULE_H
