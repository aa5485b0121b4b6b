//===- LineCosts.cpp - What lines of the code cost ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Prediction/LineCosts.h"
#include "ptxpredict/Model/SpeedOfLight.h"
#include "ptxpredict/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
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
    std::string Key = nameOf(A);
    auto [It, IsNew] = Index.try_emplace(
        Key.empty() ? std::to_string(A.InputLine) : Key, All.size());
    if (IsNew)
      All.push_back({{std::move(Key), A.InputLine, A.What.str(), 0}, 0});
    Entry &E = All[It->second];
    E.Cost.Share += Share;
    if (Share > E.Most) {
      E.Most = Share;
      E.Cost.InputLine = A.InputLine;
      if (!A.What.empty())
        E.Cost.What = A.What.str();
    }
  }
  std::vector<LineCost> take(size_t Max) {
    llvm::stable_sort(All, [](const Entry &A, const Entry &B) {
      return A.Cost.Share > B.Cost.Share;
    });
    All.resize(std::min(Max, All.size()));
    std::vector<LineCost> Costs;
    Costs.reserve(All.size());
    for (Entry &E : All)
      Costs.push_back(std::move(E.Cost));
    return Costs;
  }

private:
  struct Entry {
    LineCost Cost;
    double Most; ///< of one instruction there
  };
  std::vector<Entry> All;
  llvm::StringMap<size_t> Index;

  static std::string nameOf(const Asked &A) {
    if (A.Source.empty())
      return "";
    if (A.SourceLine != 0)
      return (llvm::sys::path::filename(A.Source) + ":" + Twine(A.SourceLine))
          .str();
    const PathPlace P = splitPlace(A.Source);
    return P.Line == 0
               ? llvm::sys::path::filename(P.Path).str()
               : (llvm::sys::path::filename(P.Path) + ":" + Twine(P.Line))
                     .str();
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
      All.push_back(
          {M.Place.Source, 0, M.Place.Line, M.Opcode, M.Requests.Value * Each});
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
