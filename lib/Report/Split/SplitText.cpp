//===- SplitText.cpp - Splits as text -------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Split/SplitReport.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

using Align = TextTable::Align;

namespace {

class SplitPrinter {
public:
  SplitPrinter(const SplitReport &R, raw_ostream &OS, Verbosity V, bool Colors)
      : R(R), OS(OS), V(V), Colors(Colors) {}

  void print();

private:
  const SplitReport &R;
  raw_ostream &OS;
  Verbosity V;
  bool Colors;

  const std::vector<SplitSide> &sides() const { return R.Question.Sides; }
  std::string nameOf(size_t Side) const {
    return printable(sides()[Side].Name);
  }
  /// Of the only device at work.
  std::string nameOf(const SplitPoint &Alone) const {
    return nameOf(
        size_t(llvm::max_element(Alone.Shares) - Alone.Shares.begin()));
  }
  std::string gainText(const KernelSplit &K) const;
  /// What a sweep's shares are shares of.
  std::string givenName(const KernelSplit &K) const;
  void wrapped(StringRef Text) {
    OS << "  ";
    printWrapped(OS, Text, /*Used=*/2, /*Indent=*/4);
  }
  void printKernel(const SplitKernel &Kernel);
  void printSides(const KernelSplit &K);
  void printBytes(const SplitBytes &B);
  void printPoints(const KernelSplit &K);
  void printSeries(const KernelSplit &K);
};

} // namespace

static std::string watts(double W) {
  return std::isfinite(W) ? shortNumber(W) + " W" : "";
}

static std::string watts(const std::optional<double> &W) {
  return watts(W.value_or(NAN));
}

static std::string joules(double J) {
  return std::isfinite(J) ? shortEnergy(J) : "";
}

static std::string plain(double V) {
  return std::isfinite(V) ? shortNumber(V) : "";
}

/// "8.3 %": tenths under ten of a hundred.
static std::string shareText(double Share) {
  constexpr double Tenths = 1000, FewPercent = 0.0995;
  return Share < FewPercent
             ? shortNumber(std::round(Share * Tenths) / 10) + " %"
             : percent(Share);
}

/// "12 % of the time", "12 % more time".
static std::string savedText(double Saved, StringRef What) {
  return Saved >= 0 ? (shareText(Saved) + " of the " + What).str()
                    : (shareText(-Saved) + " more " + What).str();
}

std::string SplitPrinter::gainText(const KernelSplit &K) const {
  const std::string Over = " over " + nameOf(*K.Alone) + " alone";
  if (K.Best->numAtWork() == 1)
    return "nothing is gained" + Over + ", which gets all of the work";
  const bool ByTime = R.Question.Goal == SplitGoal::Time;
  const double Saved = ByTime ? K.timeSaved() : K.energySaved();
  const double Other = ByTime ? K.energySaved() : K.timeSaved();
  std::string Text =
      "gained" + Over + ": " + savedText(Saved, ByTime ? "time" : "energy");
  if (!std::isfinite(Other))
    return Text;
  if (constexpr double Nothing = 5e-4; std::abs(Other) < Nothing)
    return Text + (ByTime ? ", for the same energy" : ", in the same time");
  return Text + (Other >= 0 ? " and " : ", for ") +
         savedText(Other, ByTime ? "energy" : "time");
}

std::string SplitPrinter::givenName(const KernelSplit &K) const {
  const size_t Base = *K.System.base();
  if (sides().size() != 2)
    return "all but " + nameOf(Base);
  return nameOf(1 - Base);
}

void SplitPrinter::printSides(const KernelSplit &K) {
  TextTable T({Align::Left, Align::Left, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right,
               Align::Right});
  T.addRow({"device", "model", "work alone", "transfers", "power", "idle",
            "by performance", "share", "blocks"});
  for (size_t N = 0; N != sides().size(); ++N) {
    const KernelSide &Side = K.Sides[N];
    if (!Side.TimeUs) {
      T.addRow(
          {nameOf(N), Side.Model.str(), "no answer", "", "", "", "", "", ""});
      continue;
    }
    const SplitDevice &Work = K.System.Parties[N].Work;
    const double MovedUs =
        (Work.FixedSeconds + Work.secondsOfAll() - Work.Seconds) * 1e6;
    T.addRow(
        {nameOf(N), Side.Model.empty() ? "measured" : Side.Model.str(),
         shortTime(Work.Seconds * 1e6) + statusMark(Side.TimeUs->Status).str(),
         MovedUs > 0 ? shortTime(MovedUs) : "", watts(Side.PowerW),
         watts(Side.IdleW), shareText(Side.ByPerformance),
         K.Best ? shareText(K.Best->Shares[N]) : "",
         Side.Blocks ? std::to_string(*Side.Blocks) : ""});
  }
  T.print(OS);
  for (size_t N = 0; N != sides().size(); ++N)
    if (!K.Sides[N].TimeUs)
      wrapped(nameOf(N) + ": " + printable(K.Sides[N].Why));
}

/// "4.194 MB", in powers of 1000.
static std::string bytesText(double Bytes) {
  static constexpr StringRef Units[] = {" B", " kB", " MB", " GB", " TB"};
  size_t Unit = 0;
  while (Bytes >= 1000 && Unit + 1 != std::size(Units)) {
    Bytes /= 1000;
    ++Unit;
  }
  return shortNumber(Bytes) + Units[Unit].str();
}

void SplitPrinter::printBytes(const SplitBytes &B) {
  if (B.From == SplitBytes::FromTy::Nothing || !R.hasLinks())
    return;
  std::string Text = "moved by share: " + bytesText(B.In) +
                     statusMark(B.How).str() + " in, " + bytesText(B.Out) +
                     statusMark(B.How).str() + " out";
  if (B.WholeIn + B.WholeOut > 0)
    Text += "; whole to each: " + bytesText(B.WholeIn) + " in, " +
            bytesText(B.WholeOut) + " out";
  wrapped(Text + " (" + toString(B.From).str() + ")");
}

void SplitPrinter::printPoints(const KernelSplit &K) {
  const std::string Given = givenName(K);
  OS << "  by the share of " << Given << ":\n";
  TextTable T({Align::Right, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right});
  T.addRow({"share", "time", "power", "energy", "S", "E", "alpha_ov"});
  const size_t Base = *K.System.base();
  for (const SplitPoint &P : K.Points)
    T.addRow({shareText(1 - P.Shares[Base]), shortTime(P.Seconds * 1e6),
              watts(P.PowerW), joules(P.EnergyJ), plain(P.Gain.Speedup),
              plain(P.Gain.Efficiency), plain(P.Gain.EnergyFraction)});
  T.print(OS, /*Indent=*/4);
  if (K.Points.size() > 2 && std::isfinite(K.Points.back().Gain.Efficiency))
    OS << "    E over S is " << (K.IsLinear ? "linear" : "not linear") << '\n';
}

/// The point of the least time or energy; of equal ones the first.
static const SplitPoint &bestOf(ArrayRef<SplitPoint> Points, SplitGoal G) {
  return *llvm::min_element(Points, [G](const SplitPoint &A,
                                        const SplitPoint &B) {
    return G == SplitGoal::Time ? A.Seconds < B.Seconds : A.EnergyJ < B.EnergyJ;
  });
}

void SplitPrinter::printSeries(const KernelSplit &K) {
  const std::string Factor = shortNumber(*R.Question.SeriesFactor);
  OS << "  Table 16, of " << nameOf(0) << " and " << nameOf(1) << ": slow is "
     << Factor << " times as long, high " << Factor
     << " times the dynamic power\n";
  TextTable T({Align::Right, Align::Left, Align::Left, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Left});
  T.addRow({"series", "speed", "power", "share of least time", "S",
            "share of least energy", "E", "E over S"});
  auto Speed = [](bool Fast) -> std::string { return Fast ? "fast" : "slow"; };
  auto Power = [](bool High) -> std::string { return High ? "high" : "low"; };
  for (const SeriesSplit &S : K.Series) {
    const SplitPoint &Soonest = bestOf(S.Points, SplitGoal::Time);
    const SplitPoint &Cheapest = bestOf(S.Points, SplitGoal::Energy);
    const bool KnowsEnergy = std::isfinite(Cheapest.EnergyJ);
    T.addRow(
        {std::to_string(S.Series.Number),
         Speed(S.Series.FastCPU) + ", " + Speed(S.Series.FastGPU),
         Power(S.Series.HighPowerCPU) + ", " + Power(S.Series.HighPowerGPU),
         shareText(Soonest.Shares[1]), plain(Soonest.Gain.Speedup),
         KnowsEnergy ? shareText(Cheapest.Shares[1]) : "",
         plain(Cheapest.Gain.Efficiency),
         !KnowsEnergy ? ""
         : S.IsLinear ? "linear"
                      : "not linear"});
  }
  T.print(OS, /*Indent=*/4);
}

void SplitPrinter::printKernel(const SplitKernel &Kernel) {
  const KernelSplit &K = Kernel.Split;
  const std::string Name =
      Kernel.Name.empty() ? "measured times" : printable(Kernel.Demangled);
  if (V == Verbosity::Quiet) {
    OS << Name << ": "
       << (K.Why.empty() ? gainText(K) : "no answer: " + printable(K.Why));
    if (K.Why.empty() && K.Best->numAtWork() > 1)
      for (size_t N = 0; N != sides().size(); ++N)
        OS << (N == 0 ? "; " : ", ") << nameOf(N) << ' '
           << shareText(K.Best->Shares[N]);
    OS << '\n';
    return;
  }
  OS << '\n';
  if (Colors)
    OS.changeColor(raw_ostream::CYAN, /*Bold=*/true);
  OS << Name;
  if (Colors)
    OS.resetColor();
  OS << '\n';
  if (!Kernel.Path.empty()) {
    OS << "  " << printable(Kernel.Path);
    if (Kernel.LaunchLine)
      OS << ", launch of line " << Kernel.LaunchLine;
    OS << '\n';
  }
  wrapped(K.Why.empty() ? gainText(K) : "no answer: " + printable(K.Why));
  if (!K.Sides.empty())
    printSides(K);
  if (K.Why.empty()) {
    OS << "  together: " << shortTime(K.Best->Seconds * 1e6);
    if (std::isfinite(K.Best->EnergyJ))
      OS << ", " << watts(K.Best->PowerW) << ", " << joules(K.Best->EnergyJ);
    OS << '\n';
  }
  printBytes(K.Bytes);
  if (K.Why.empty()) {
    printPoints(K);
    if (!K.Series.empty())
      printSeries(K);
  }
  for (const std::string &Text : K.Assumed)
    wrapped("assumed: " + printable(Text));
}

void SplitPrinter::print() {
  OS << "split by " << toString(R.Question.Goal) << " among ";
  for (size_t N = 0; N != sides().size(); ++N)
    OS << (N == 0 ? "" : N + 1 == sides().size() ? " and " : ", ") << nameOf(N);
  if (R.Question.Times != 1)
    OS << ", " << shortNumber(R.Question.Times) << " launches a transfer";
  OS << '\n';
  if (V != Verbosity::Quiet) {
    if (!R.hasLinks())
      wrapped("without transfers: the data lie where they are needed; "
              "--link=NAME or --system=NAME says otherwise");
    for (const SplitSide &S : sides())
      if (!S.Link.Name.empty())
        OS << "  " << printable(S.Name) << " over " << printable(S.Link.Name)
           << " from " << R.HostMemory << " memory\n";
    if (R.Question.JointW)
      OS << "  " << watts(*R.Question.JointW) << " with all of them at work\n";
    for (const std::string &Text : R.Assumed)
      wrapped("assumed: " + printable(Text));
  }
  for (const SplitKernel &K : R.Kernels)
    printKernel(K);
}

void ptxpredict::printSplitText(const SplitReport &R, raw_ostream &OS,
                                Verbosity V, bool Colors) {
  SplitPrinter(R, OS, V, Colors).print();
}
