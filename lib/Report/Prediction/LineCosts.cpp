//===- LineCosts.cpp - What lines of the code cost ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Prediction/LineCosts.h"
#include "ptxpredict/Model/SpeedOfLight.h"
#include "ptxpredict/Support/Paths.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

using Resource = BottleneckResource;

namespace {

/// What lines ask for, and so how a resource's share is divided.
enum class DividedBy {
  Nothing,
  Execution,
  Sectors,
  Wavefronts,
  Atomics,
  Waits
};

DividedBy dividedBy(Resource R) {
  switch (R) {
  case Resource::Issue:
  case Resource::FP32:
  case Resource::Int:
  case Resource::IntMultiply:
  case Resource::FP16:
  case Resource::FP64:
  case Resource::SFU:
    return DividedBy::Execution;
  case Resource::L2ToSM:
  case Resource::L2:
  case Resource::DRAM:
    return DividedBy::Sectors;
  case Resource::LoadStore:
  case Resource::Shared:
    return DividedBy::Wavefronts;
  case Resource::Atomic:
    return DividedBy::Atomics;
  case Resource::Latency:
  case Resource::Chain:
    return DividedBy::Waits;
  case Resource::Tensor:
  case Resource::Texture:
  case Resource::Barrier:
  case Resource::Dispatch:
    return DividedBy::Nothing; // nothing says which lines
  }
  return DividedBy::Nothing;
}

/// What a line asks for, of each kind.
struct Asked {
  StringRef Source; ///< "k.cu:7:12" or a file
  unsigned SourceLine = 0, InputLine = 0;
  StringRef What;
  double Amount = 0;
};

/// Sums shares by the line of the source.
class LineShares {
public:
  /// Divides \p Share among those that ask for something.
  void divide(double Share, ArrayRef<Asked> Among) {
    double Whole = 0;
    for (const Asked &A : Among)
      Whole += A.Amount;
    if (!(Whole > 0))
      return;
    for (const Asked &A : Among)
      add(A, Share * A.Amount / Whole);
  }
  /// Where the amounts are shares already.
  void add(const Asked &A, double Share) {
    if (!(Share > 0))
      return;
    const FileLine At = placeOf(A);
    auto [It, IsNew] = Index.try_emplace(
        At.first.empty() ? FileLine("", A.InputLine) : At, All.size());
    if (IsNew)
      All.push_back({At, A.What, A.InputLine, 0, 0});
    Entry &E = All[It->second];
    E.Share += Share;
    if (Share > E.Most) {
      E.Most = Share;
      E.InputLine = A.InputLine;
      if (!A.What.empty())
        E.What = A.What;
    }
  }
  std::vector<LineCost> take(size_t Max) {
    llvm::stable_sort(
        All, [](const Entry &A, const Entry &B) { return A.Share > B.Share; });
    All.resize(std::min(Max, All.size()));
    std::vector<LineCost> Costs;
    Costs.reserve(All.size());
    for (const Entry &E : All)
      Costs.push_back({nameOf(E.At), E.InputLine, E.What.str(), E.Share});
    return Costs;
  }

private:
  /// A file's name without its folder, and the line; 0: the file as a whole.
  using FileLine = std::pair<StringRef, unsigned>;
  struct Entry {
    FileLine At;
    StringRef What;
    unsigned InputLine;
    double Share, Most; ///< of all, and of one instruction there
  };
  std::vector<Entry> All;
  llvm::DenseMap<FileLine, size_t> Index;
  StringRef LastPath, LastName; ///< lines of one file follow each other

  FileLine placeOf(const Asked &A) {
    if (A.Source.empty())
      return {};
    PathPlace P{A.Source, A.SourceLine};
    if (A.SourceLine == 0)
      P = splitPlace(A.Source);
    if (P.Path != LastPath) {
      LastPath = P.Path;
      LastName = llvm::sys::path::filename(P.Path);
    }
    return {LastName, P.Line};
  }
  static std::string nameOf(const FileLine &At) {
    return At.second == 0 ? At.first.str()
                          : (At.first + ":" + Twine(At.second)).str();
  }
};

/// Wavefronts of a request on the path between L1 and registers.
double wavefrontsOf(const MemoryCharacteristics &M) {
  if (M.Wavefronts)
    return M.Wavefronts->Value;
  return M.L1Wavefronts ? M.L1Wavefronts->Value : 1;
}

} // namespace

bool ptxpredict::needsLineCounts(const Prediction &P) {
  constexpr double Much = 0.1;
  double Share = 0;
  for (const ResourceUse &U : P.Resources)
    if (dividedBy(U.Resource) == DividedBy::Execution)
      Share += U.Share;
  return Share >= Much;
}

static std::vector<Asked> askedOf(const KernelReport &R, DividedBy By,
                                  Resource Of) {
  std::vector<Asked> All;
  if (By == DividedBy::Execution) {
    for (const LineCount &L : R.Lines)
      All.push_back({L.File, L.SourceLine, L.Line, "", L.Executed});
    return All;
  }
  for (const MemoryCharacteristics &M : R.Characteristics->Memory) {
    const auto Sectors = sectorsOf(M);
    double Each = 0;
    if (By == DividedBy::Sectors)
      Each = Sectors.value_or(0);
    else if (By == DividedBy::Atomics)
      Each = M.Access == AccessKind::Atomic ? M.ActiveLanes.Value : 0;
    else if (Of == Resource::Shared || Sectors)
      Each = Of == Resource::Shared && Sectors ? 0 : wavefrontsOf(M);
    if (Each > 0)
      All.push_back({M.Place.Source, 0, M.Place.Line, M.shownOpcode(),
                     M.Requests.Value * Each});
  }
  return All;
}

std::vector<LineCost> ptxpredict::hottestLines(const KernelReport &R,
                                               const Prediction &P,
                                               size_t Max) {
  // Resources that divide alike are divided at once.
  double Executed = 0;
  LineShares Found;
  for (const ResourceUse &U : P.Resources) {
    const DividedBy By = dividedBy(U.Resource);
    if (By == DividedBy::Nothing || !(U.Share > 0))
      continue;
    if (By == DividedBy::Execution)
      Executed += U.Share;
    else if (By != DividedBy::Waits)
      Found.divide(U.Share, askedOf(R, By, U.Resource));
    else if (P.Warp)
      for (const PathCharacteristics &W : P.Warp->Waits)
        Found.add({W.Source, 0, W.Line, "", 0}, U.Share * W.Share);
  }
  if (Executed > 0)
    Found.divide(Executed, askedOf(R, DividedBy::Execution, Resource::Issue));
  return Found.take(Max);
}
