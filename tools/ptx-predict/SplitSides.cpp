//===- SplitSides.cpp - The devices that work is split among --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SplitSides.h"
#include "RegistryFiles.h"
#include "SystemFile.h"
#include "ptxpredict/Scenario/Plan/SplitLinks.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

static bool wrong(const Twine &Message) { return usageError(Message) != Done; }

/// The name that stands in reports for every \p N-th side of a device.
static std::string numbered(StringRef Name, size_t N) {
  return N == 1 ? Name.str() : (Name + " (" + Twine(N) + ")").str();
}

/// Gives sides of the same device names of their own.
static void numberSides(std::vector<SplitSide> &Sides) {
  for (size_t I = 0; I != Sides.size(); ++I) {
    size_t Before = 1;
    for (size_t J = 0; J != I; ++J)
      Before += Sides[J].On && Sides[J].On == Sides[I].On;
    if (Before > 1)
      Sides[I].Name = numbered(Sides[I].Name, Before);
  }
}

/// "2 rtx-a6000, xeon"
static std::string listOf(ArrayRef<SplitSide> Sides) {
  std::string Text;
  for (size_t I = 0; I != Sides.size(); ++I)
    if (I == 0 || Sides[I].On != Sides[I - 1].On)
      Text += (Text.empty() ? "" : ", ") + Sides[I].Name;
  return Text;
}

/// Of \p There, in the system, those that \p Asked names, each part once. True
/// on error (reported).
static bool chooseSides(std::vector<SplitSide> There,
                        std::vector<SplitSide> &Asked, StringRef System) {
  const std::string Names = listOf(There);
  for (SplitSide &Side : Asked) {
    const auto At = llvm::find_if(
        There, [&](const SplitSide &S) { return S.On->Name == Side.On->Name; });
    if (At != There.end()) {
      Side = std::move(*At);
      There.erase(At);
    } else if (!Side.On->IsCPU) { // any CPU may be the host
      return wrong("--device=" + Side.Name + ": a node of '" + System +
                   "' has no " +
                   (StringRef(Names).contains(Side.Name) ? "further one"
                                                         : "such device") +
                   "; it has " + (Names.empty() ? "none" : Names));
    }
  }
  return false;
}

bool SplitSideOptions::readSystemSides(
    LinkRegistry &LinkKinds, DeviceRegistry &Registry,
    std::vector<SplitSide> &Sides, std::vector<std::string> &Assumed) const {
  if (!Links.empty())
    return wrong("--system has links of its own; not with --link");
  const std::unique_ptr<ptxpredict::System> S =
      readSystem(System, {Registry, LinkKinds});
  if (!S)
    return true;
  Expected<std::vector<SplitSide>> There = splitSidesOf(*S, memory(), Assumed);
  if (!There)
    return wrong("--system: " + llvm::toString(There.takeError()));
  if (Sides.empty()) {
    Sides = std::move(*There);
    return false;
  }
  return chooseSides(std::move(*There), Sides, S->Name);
}

/// "US[,WATTS[,IDLE]]"; nothing if it is none.
static std::optional<MeasuredSide> parseMeasured(StringRef Text) {
  constexpr double LeastUs = 1e-6, MostUs = 1e12, MostWatts = 1e6;
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ',');
  MeasuredSide M;
  const std::optional<double> Us = parseNumber(Parts[0]);
  if (Parts.size() > 3 || !Us || !(*Us >= LeastUs) || *Us > MostUs)
    return std::nullopt;
  M.TimeUs = *Us;
  auto Watts = [&](size_t N, std::optional<double> &Into) {
    if (N >= Parts.size())
      return true;
    Into = parseNumber(Parts[N]);
    return Into && *Into >= 0 && *Into <= MostWatts;
  };
  if (!Watts(1, M.PowerW) || !Watts(2, M.IdleW) ||
      (M.IdleW && *M.IdleW > *M.PowerW))
    return std::nullopt;
  return M;
}

bool SplitSideOptions::readMeasured(DeviceRegistry &Registry,
                                    std::vector<SplitSide> &Sides) const {
  for (StringRef Text : Measured) {
    const auto [Name, Numbers] = Text.split('=');
    const std::optional<MeasuredSide> M = parseMeasured(Numbers);
    if (Name.empty() || !M)
      return valueError("measured",
                        "DEVICE=US[,WATTS[,IDLE]], US from 1e-6 to 1e12 and "
                        "WATTS not below IDLE",
                        Text);
    auto At = llvm::find_if(Sides, [Name = Name](const SplitSide &S) {
      return S.Name == Name ||
             (S.On && llvm::is_contained(S.On->Aliases, Name));
    });
    if (At != Sides.end() && At->Measured)
      return wrong("--measured: '" + Name + "' is there twice");
    if (At == Sides.end()) {
      SplitSide &Side = Sides.emplace_back();
      Side.Name = Name.str();
      // Any name will do; that of a device brings what is known of it.
      Expected<const Device *> D = Registry.find(Name);
      if (!D)
        llvm::consumeError(D.takeError());
      else if ((*D)->Name == Name)
        Side.On = *D;
      At = std::prev(Sides.end());
    }
    At->Measured = M;
  }
  return false;
}

bool SplitSideOptions::readLinks(LinkRegistry &LinkKinds,
                                 std::vector<SplitSide> &Sides,
                                 std::vector<std::string> &Assumed) const {
  std::vector<const Link *> Chosen(Sides.size(), nullptr);
  for (StringRef Text : Links) {
    const bool IsOfOne = Text.contains('=');
    const StringRef Name = IsOfOne ? Text.split('=').second : Text;
    const Link *L = nullptr;
    if (Name != "none") {
      Expected<const Link *> Found = LinkKinds.find(Name);
      if (!Found)
        return wrong("--link: " + llvm::toString(Found.takeError()));
      L = *Found;
    }
    bool Any = false;
    for (auto [S, Into] : llvm::zip_equal(Sides, Chosen)) {
      const bool IsMeant =
          IsOfOne ? S.Name == Text.split('=').first : S.On && !S.On->IsCPU;
      if (IsMeant)
        Into = L;
      Any |= IsMeant;
    }
    if (Any)
      continue;
    std::vector<StringRef> Names;
    Names.reserve(Sides.size());
    for (const SplitSide &S : Sides)
      Names.emplace_back(S.Name);
    return wrong(IsOfOne
                     ? "--link: no device is '" + Text.split('=').first.str() +
                           "'" + didYouMean(Text.split('=').first, Names)
                     : "--link=" + Text.str() +
                           ": there is no GPU; --link=DEVICE=" + Name.str() +
                           " joins another device");
  }
  for (auto [S, L] : llvm::zip_equal(Sides, Chosen))
    if (L)
      S.Link = splitLinkOver(L, memory(), Assumed);
  return false;
}

bool SplitSideOptions::read(const StringList &Devices, DeviceRegistry &Registry,
                            std::vector<SplitSide> &Sides,
                            std::vector<std::string> &Assumed) const {
  if (llvm::is_contained(Devices, "all"))
    return wrong("work is split among a few devices, not all");
  for (StringRef Name : Devices) {
    Expected<const Device *> D = Registry.find(Name);
    if (!D)
      return wrong("--device: " + llvm::toString(D.takeError()));
    noteTaken("--device=", Name, **D);
    SplitSide &Side = Sides.emplace_back();
    Side.Name = (*D)->Name;
    Side.On = *D;
  }
  LinkRegistry LinkKinds;
  if (addFiles(LinkFiles, LinkKinds))
    return true;
  const bool HasSystem = System.getNumOccurrences() != 0;
  if (HasSystem && readSystemSides(LinkKinds, Registry, Sides, Assumed))
    return true;
  numberSides(Sides);
  if (readMeasured(Registry, Sides) ||
      (!HasSystem && readLinks(LinkKinds, Sides, Assumed)))
    return true;
  if (Sides.size() < 2)
    return wrong("work is split among two devices or more: --device=A "
                 "--device=B");
  if (Sides.size() > MostSplitParties)
    return wrong("work is split among at most " + Twine(MostSplitParties) +
                 " devices");
  return false;
}
