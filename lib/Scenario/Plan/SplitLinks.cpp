//===- SplitLinks.cpp - The links of devices that share work --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/SplitLinks.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

SplitLink ptxpredict::splitLinkOver(ArrayRef<const Link *> Links,
                                    HostMemory Memory,
                                    std::vector<std::string> &Assumed) {
  SplitLink Result;
  auto Assume = [&Assumed](std::string Text) {
    if (!llvm::is_contained(Assumed, Text))
      Assumed.push_back(std::move(Text));
  };
  for (const Link *L : Links) {
    Result.Name += (Result.Name.empty() ? "" : " + ") + L->Name;
    for (TransferWay Way :
         {TransferWay::HostToDevice, TransferWay::DeviceToHost}) {
      const Link::Timing T = L->timing(Way, Memory);
      SplitLink::Way &Into =
          Way == TransferWay::HostToDevice ? Result.In : Result.Out;
      Into.StartupSeconds += T.StartupSeconds;
      Into.SecondsPerByte = std::max(Into.SecondsPerByte, 1 / T.BytesPerSecond);
      const std::string Which =
          (toString(Way) + " from " + toString(Memory) + " memory ").str();
      if (T.StartupIsAssumed)
        Assume(L->Name + ": startup of " + Which +
               shortNumber(T.StartupSeconds * 1e6) + " us");
      if (T.EfficiencyIsAssumed)
        Assume(L->Name + ": efficiency of " + Which +
               shortNumber(T.BytesPerSecond / (*L->BandwidthGBs * 1e9)));
    }
  }
  return Result;
}

static Error sideError(const Twine &Message) {
  return llvm::createStringError(Message);
}

Expected<std::vector<SplitSide>>
ptxpredict::splitSidesOf(const System &S, HostMemory Memory,
                         std::vector<std::string> &Assumed) {
  std::vector<SplitSide> Sides;
  SystemLayout Layout(S);
  const NodeKind &Node = S.Nodes.front();
  auto Add = [&](size_t Number, const SystemComponent &C) -> Error {
    if (C.Count > MostSplitParties - std::min(MostSplitParties, Sides.size()))
      return sideError("a node of '" + S.Name + "' has more than " +
                       Twine(MostSplitParties) +
                       " devices; --device=NAME chooses some");
    for (uint32_t I = 0; I != C.Count; ++I) {
      SplitSide Side;
      Side.Name = C.On->Name;
      Side.On = C.On;
      Side.IdleW = C.IdleW.Value;
      Side.ActiveW = C.ActiveW.Value;
      const ComponentPlace Place{0, 0, uint16_t(Number), I};
      if (C.Kind == ComponentKind::GPU) {
        const std::optional<ComponentPlace> Host = Layout.cpuOf(Place);
        const std::optional<SystemRoute> Way =
            Host ? Layout.route(*Host, Place) : std::nullopt;
        if (!Way)
          return sideError("no link joins '" + C.Name + "' of '" + S.Name +
                           "' to a CPU");
        std::vector<const Link *> Links;
        Links.reserve(Way->size());
        for (const RouteHop &H : *Way)
          Links.push_back(H.By->Of);
        Side.Link = splitLinkOver(Links, Memory, Assumed);
      }
      Sides.push_back(std::move(Side));
    }
    return Error::success();
  };
  for (ComponentKind Kind : {ComponentKind::CPU, ComponentKind::GPU})
    for (const auto &[Number, C] : llvm::enumerate(Node.Components))
      if (C.Kind == Kind && C.On)
        if (Error E = Add(Number, C))
          return E;
  return Sides;
}
