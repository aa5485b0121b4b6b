//===- KernelPairs.cpp - Which kernels of two builds are one --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/KernelPairs.h"
#include "ptxpredict/Support/KernelNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>

using namespace ptxpredict;

StringRef ptxpredict::toString(PairedBy P) {
  switch (P) {
  case PairedBy::Place:
    return "file";
  case PairedBy::Name:
    return "name";
  case PairedBy::Content:
    return "content";
  case PairedBy::Similarity:
    return "similarity";
  }
  return "";
}

/// The sums of the lesser and of the greater counts of two maps.
template <typename Map, typename Fn>
static double weightedJaccard(const Map &A, const Map &B, Fn ValueOf) {
  double Shared = 0, Either = 0;
  auto I = A.begin(), J = B.begin();
  while (I != A.end() || J != B.end()) {
    const bool InA = J == B.end() || (I != A.end() && I->first <= J->first);
    const bool InB = I == A.end() || (J != B.end() && J->first <= I->first);
    const double Of = InA ? ValueOf((I++)->second) : 0;
    const double Other = InB ? ValueOf((J++)->second) : 0;
    Shared += std::min(Of, Other);
    Either += std::max(Of, Other);
  }
  return Either == 0 ? 1 : Shared / Either;
}

double ptxpredict::similarity(const KernelRecord &A, const KernelRecord &B) {
  const double Size = std::max(A.NumStatic, B.NumStatic);
  const double Sizes =
      Size == 0 ? 1 : std::min(A.NumStatic, B.NumStatic) / Size;
  const double Mix = weightedJaccard(A.Mix, B.Mix, [](const Estimate &C) {
    return std::isfinite(C.Value) ? C.Value : 0;
  });
  const double Memory =
      weightedJaccard(A.MemoryOpcodes, B.MemoryOpcodes,
                      [](unsigned N) { return static_cast<double>(N); });
  return (Mix + Memory + Sizes) / 3;
}

/// How much of two names is the same at their ends, from 0 to 1.
static double nameSimilarity(StringRef A, StringRef B) {
  const size_t Least = std::min(A.size(), B.size());
  size_t Front = 0, Back = 0;
  while (Front != Least && A[Front] == B[Front])
    ++Front;
  while (Back != Least - Front &&
         A[A.size() - 1 - Back] == B[B.size() - 1 - Back])
    ++Back;
  const size_t Most = std::max(A.size(), B.size());
  return Most == 0 ? 1 : static_cast<double>(Front + Back) / Most;
}

/// Everything that is counted of a kernel, as one text; sums of fractions are
/// the same whatever their order.
static std::string contentOf(const KernelRecord &K) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  auto Add = [&](double V) { OS << llvm::format("%.9g ", V); };
  OS << toString(K.Block) << ' ' << K.NumStatic << ' ' << K.StaticSharedBytes
     << ' ' << K.LocalBytes << ' ';
  Add(K.Registers.Value);
  for (const auto &[Class, N] : K.Mix) {
    OS << Class << ' ';
    Add(N.Value);
  }
  for (const auto &[Opcode, N] : K.MemoryOpcodes)
    OS << Opcode << ' ' << N << ' ';
  return Text;
}

namespace {

class Pairing {
public:
  Pairing(const Build &Base, const Build &Head) : Base(Base), Head(Head) {
    BaseLeft = allOf(Base);
    HeadLeft = allOf(Head);
  }

  KernelPairs run();

private:
  const Build &Base, &Head;
  std::vector<KernelRef> BaseLeft, HeadLeft; ///< without partner, in order
  KernelPairs Result;

  static std::vector<KernelRef> allOf(const Build &B);

  /// Pairs those with the same key, in order, where both sides have as many.
  /// \p KeyOf takes a build and a kernel.
  template <typename Fn>
  void pairBy(PairedBy How, Fn KeyOf);
  void pairSimilar();
};

} // namespace

std::vector<KernelRef> Pairing::allOf(const Build &B) {
  std::vector<KernelRef> All;
  for (size_t I = 0; I != B.Inputs.size(); ++I)
    for (size_t K = 0; K != B.Inputs[I].Kernels.size(); ++K)
      All.push_back({I, K});
  return All;
}

template <typename Fn>
void Pairing::pairBy(PairedBy How, Fn KeyOf) {
  if (BaseLeft.empty() || HeadLeft.empty())
    return;
  struct Group {
    std::vector<KernelRef> Base, Head;
    bool fits() const { return Base.size() == Head.size(); }
  };
  llvm::StringMap<Group> Groups;
  for (KernelRef R : BaseLeft)
    Groups[KeyOf(Base, R)].Base.push_back(R);
  std::vector<Group *> OfHead; // in the order of HeadLeft
  for (KernelRef R : HeadLeft) {
    Group &G = Groups[KeyOf(Head, R)];
    G.Head.push_back(R);
    OfHead.push_back(&G);
  }
  std::vector<KernelRef> Left;
  for (size_t I = 0; I != HeadLeft.size(); ++I)
    if (!OfHead[I]->fits())
      Left.push_back(HeadLeft[I]);
  HeadLeft = std::move(Left);
  llvm::erase_if(BaseLeft,
                 [&](KernelRef R) { return Groups[KeyOf(Base, R)].fits(); });
  for (const auto &Entry : Groups)
    if (Entry.second.fits())
      for (const auto &[B, H] : llvm::zip(Entry.second.Base, Entry.second.Head))
        Result.Pairs.push_back({B, H, How});
}

/// The most similar ones first; among equals those with the most similar names.
void Pairing::pairSimilar() {
  std::vector<KernelRef> BySize = BaseLeft;
  auto SizeOf = [](const Build &B, KernelRef R) {
    return kernelAt(B, R).NumStatic;
  };
  llvm::stable_sort(BySize, [&](KernelRef A, KernelRef B) {
    return SizeOf(Base, A) < SizeOf(Base, B);
  });
  struct Candidate {
    double Similarity, Names;
    KernelRef Base, Head;
  };
  std::vector<Candidate> Candidates;
  for (KernelRef H : HeadLeft) {
    const KernelRecord &Of = kernelAt(Head, H);
    // The window of neighbours in size, around where this one would stand.
    const size_t At = size_t(llvm::lower_bound(BySize, Of.NumStatic,
                                               [&](KernelRef R, unsigned N) {
                                                 return SizeOf(Base, R) < N;
                                               }) -
                             BySize.begin());
    const size_t Half = MaxCandidates / 2;
    const size_t Most = std::min(BySize.size(), MaxCandidates);
    const size_t First =
        std::min(At > Half ? At - Half : 0, BySize.size() - Most);
    for (KernelRef B : ArrayRef(BySize).slice(First, Most)) {
      const KernelRecord &Other = kernelAt(Base, B);
      const double S = similarity(Other, Of);
      if (S >= LeastSimilarity)
        Candidates.push_back(
            {S, nameSimilarity(Other.Demangled, Of.Demangled), B, H});
    }
  }
  llvm::stable_sort(Candidates, [](const Candidate &A, const Candidate &B) {
    return std::tie(B.Similarity, B.Names, A.Head, A.Base) <
           std::tie(A.Similarity, A.Names, B.Head, B.Base);
  });
  std::set<KernelRef> BaseTaken, HeadTaken;
  for (const Candidate &C : Candidates) {
    if (BaseTaken.count(C.Base) != 0 || HeadTaken.count(C.Head) != 0)
      continue;
    BaseTaken.insert(C.Base);
    HeadTaken.insert(C.Head);
    Result.Pairs.push_back(
        {C.Base, C.Head, PairedBy::Similarity, C.Similarity});
  }
  llvm::erase_if(BaseLeft,
                 [&](KernelRef R) { return BaseTaken.count(R) != 0; });
  llvm::erase_if(HeadLeft,
                 [&](KernelRef R) { return HeadTaken.count(R) != 0; });
}

KernelPairs Pairing::run() {
  auto NameOf = [](const Build &B, KernelRef R) {
    return withoutFileHashes(kernelAt(B, R).Name);
  };
  pairBy(PairedBy::Place, [](const Build &B, KernelRef R) {
    return B.Places[R.Input] + '\0' + kernelAt(B, R).Name;
  });
  pairBy(PairedBy::Place, [&](const Build &B, KernelRef R) {
    return B.Places[R.Input] + '\0' + NameOf(B, R);
  });
  pairBy(PairedBy::Name,
         [](const Build &B, KernelRef R) { return kernelAt(B, R).Name; });
  pairBy(PairedBy::Name, NameOf);
  pairBy(PairedBy::Content,
         [](const Build &B, KernelRef R) { return contentOf(kernelAt(B, R)); });
  pairSimilar();
  llvm::sort(Result.Pairs, [](const KernelPair &A, const KernelPair &B) {
    return A.Head < B.Head;
  });
  Result.Removed = std::move(BaseLeft);
  Result.Added = std::move(HeadLeft);
  return std::move(Result);
}

KernelPairs ptxpredict::pairKernels(const Build &Base, const Build &Head) {
  return Pairing(Base, Head).run();
}
