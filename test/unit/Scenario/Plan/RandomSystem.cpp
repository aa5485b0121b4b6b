//===- RandomSystem.cpp - Systems that no one thought of ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RandomSystem.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

unsigned RandomSystem::numPlaces(const std::string &Label) const {
  unsigned Places = 0;
  for (const RandomNode &N : Nodes)
    for (const RandomPart &P : N.Parts)
      for (const auto &[Name, Each] : P.Labels)
        if (Name == Label)
          Places += N.Count * P.Count * Each;
  return Places;
}

bool RandomSystem::isFIFO() const {
  auto Is = [](const RandomJoint &J) { return J.IsFIFO; };
  return (!Network || Is(*Network)) &&
         llvm::all_of(Nodes, [&](const RandomNode &N) {
           return llvm::all_of(N.Joints, Is);
         });
}

//===----------------------------------------------------------------------===//
// Making them
//===----------------------------------------------------------------------===//

namespace {

class SystemMaker {
public:
  SystemMaker(RandomNumbers &R, const RandomScenarioOptions &O) : R(R), O(O) {}
  RandomSystem make();

private:
  RandomLink link();
  RandomJoint joint(unsigned A, unsigned B, unsigned Count);
  unsigned add(RandomNode &N, ComponentKind Kind, std::string Name,
               unsigned Count);
  RandomNode node(bool HasNetwork);
  void joinGPUs(RandomNode &N, unsigned GPU, unsigned Upper);
  void joinNICs(RandomNode &N, unsigned Count, unsigned Upper);

  RandomNumbers &R;
  const RandomScenarioOptions &O;
  unsigned PercentFIFO = 0;
  bool HasWholeWeights = false;
  bool HasLinkPower = false;
  double LatencyFactor = 1, EnergyFactor = 1;
  unsigned NumLinks = 0;
  DeviceRegistry Devices;
};

} // namespace

RandomLink SystemMaker::link() {
  RandomLink L;
  L.Name = "link-" + std::to_string(++NumLinks);
  // Some seconds for 10 MB; no two have the same.
  L.GBs = (R.from(1000, 9999) * 100 + NumLinks) / 1e8;
  for (unsigned Way = 0; Way != NumTransferWays; ++Way)
    for (unsigned Memory = 0; Memory != NumHostMemories; ++Memory) {
      L.StartupUs[Way][Memory] = R.percent(10) ? 0 : R.from(100'000, 3'000'000);
      L.Efficiency[Way][Memory] = HasWholeWeights ? (R.percent(30) ? 0.5 : 1)
                                                  : R.thousandths(300, 1000);
    }
  if (HasLinkPower && R.percent(70)) {
    L.IdleW = R.from(0, 10);
    L.ActiveW = *L.IdleW + R.from(0, 10);
  }
  L.LatencyFactor = LatencyFactor;
  L.EnergyFactor = EnergyFactor;
  return L;
}

RandomJoint SystemMaker::joint(unsigned A, unsigned B, unsigned Count) {
  RandomJoint J;
  J.Ends[0] = A;
  J.Ends[1] = B;
  J.Count = Count;
  J.IsFIFO = R.percent(PercentFIFO);
  J.IsHalf = R.percent(25);
  J.Of = link();
  return J;
}

unsigned SystemMaker::add(RandomNode &N, ComponentKind Kind, std::string Name,
                          unsigned Count) {
  RandomPart P;
  P.Kind = Kind;
  P.Name = std::move(Name);
  P.Count = Count;
  if (R.percent(80))
    P.IdleW = R.from(0, 40);
  P.X = R.from(1, 3);
  if (Kind == ComponentKind::CPU) {
    P.Cores = R.from(1, 4);
    P.Performance = R.from(500, 2000);
    if (R.percent(80))
      P.ActiveW = P.IdleW.value_or(0) + R.from(0, 100);
    P.Labels = {{"driver", R.from(1, 3)}};
    if (R.percent(50))
      P.Labels.emplace_back("helper", 1);
  } else if (Kind == ComponentKind::GPU) {
    const Device *D = llvm::cantFail(Devices.find("v100"));
    P.DRAMGBs = *D->DRAMBandwidth;
    P.BoardW = *D->TDPWatts;
    if (!P.IdleW) // else it is the device's
      P.IdleW = 25;
    P.CopyEngines = R.from(1, 2);
    P.ConcurrentKernels = R.from(1, 2);
    P.LaunchUs = R.percent(50) ? 0 : R.from(50'000, 900'000);
    if (R.percent(70))
      P.ActiveW = *P.IdleW + R.from(0, 200);
    P.Labels = {{"worker", O.IsOneChain || R.percent(70) ? 1 : 2}};
    if (R.percent(30))
      P.Labels.emplace_back("helper", 1);
  }
  N.Parts.push_back(std::move(P));
  return unsigned(N.Parts.size() - 1);
}

/// Each with a link of its own, or with one that several share.
void SystemMaker::joinGPUs(RandomNode &N, unsigned GPU, unsigned Upper) {
  const unsigned G = N.Parts[GPU].Count, U = N.Parts[Upper].Count;
  std::vector<unsigned> Counts{G, U};
  if (U == 1 && G >= 3)
    Counts.push_back(2);
  N.Joints.push_back(joint(Upper, GPU, R.oneOf(Counts)));
}

void SystemMaker::joinNICs(RandomNode &N, unsigned Count, unsigned Upper) {
  const unsigned NIC = add(N, ComponentKind::NIC, "nic", Count);
  N.Joints.push_back(joint(Upper, NIC, Count));
}

RandomNode SystemMaker::node(bool HasNetwork) {
  RandomNode N;
  const unsigned C = O.IsOneChain || R.percent(70) ? 1 : 2;
  const unsigned S = R.percent(50) ? 0 : C == 2 ? 2 : R.from(1, 2);
  unsigned G = O.IsOneChain ? 1 : R.from(1, HasNetwork ? 3 : 4);
  G = std::max(G, std::max(C, S));
  N.BaseW = R.percent(50) ? 0 : R.from(10, 100);
  N.SupplyEfficiency = R.percent(50) ? 1 : R.thousandths(700, 999);
  const unsigned CPU = add(N, ComponentKind::CPU, "cpu", C);
  std::vector<unsigned> GPUs{add(N, ComponentKind::GPU, "gpu", G)};
  if (!O.IsOneChain && C == 1 && S <= 1 && R.percent(20))
    GPUs.push_back(add(N, ComponentKind::GPU, "other-gpu", R.from(1, 2)));
  unsigned Upper = CPU;
  if (S != 0) {
    Upper = add(N, ComponentKind::Switch, "plx", S);
    N.Joints.push_back(joint(CPU, Upper, S));
  }
  for (unsigned GPU : GPUs)
    joinGPUs(N, GPU, Upper);
  if (R.percent(50)) {
    const unsigned Switch = add(N, ComponentKind::Switch, "nvswitch", 1);
    for (unsigned GPU : GPUs)
      N.Joints.push_back(
          joint(GPU, Switch, R.percent(80) ? N.Parts[GPU].Count : 1));
  }
  unsigned Bus = CPU;
  if (C == 2) {
    Bus = add(N, ComponentKind::Switch, "bus", 1);
    N.Joints.push_back(joint(CPU, Bus, 2));
  }
  if (!HasNetwork)
    return N;
  // With two of them the bytes of a ring are halves.
  if (HasWholeWeights || R.percent(50))
    joinNICs(N, 1, S == 1 && R.percent(50) ? Upper : Bus);
  else
    joinNICs(N, 2, S == 2 ? Upper : CPU);
  return N;
}

RandomSystem SystemMaker::make() {
  PercentFIFO = R.oneOf<unsigned>({0, 0, 50, 100});
  HasWholeWeights = O.HasWholeWeights && PercentFIFO != 100;
  HasLinkPower = R.percent(30);
  LatencyFactor = HasWholeWeights ? R.from(1, 3) : R.thousandths(500, 2000);
  EnergyFactor = R.thousandths(500, 1000);
  RandomSystem S;
  const unsigned NumKinds = O.IsOneChain || R.percent(75) ? 1 : 2;
  const unsigned NumNodes = O.IsOneChain ? 1 : R.from(1, 3);
  const bool HasNetwork = NumKinds * NumNodes > 1;
  for (unsigned K = 0; K != NumKinds; ++K) {
    S.Nodes.push_back(node(HasNetwork));
    S.Nodes.back().Count = K == 0 ? NumNodes : 1;
  }
  if (HasNetwork)
    S.Network = joint(0, 0, 1);
  return S;
}

RandomSystem ptxpredict::randomSystem(RandomNumbers &R,
                                      const RandomScenarioOptions &O) {
  return SystemMaker(R, O).make();
}

//===----------------------------------------------------------------------===//
// As files
//===----------------------------------------------------------------------===//

static std::string kindOf(const RandomJoint &J) {
  return "link: " + J.Of.Name + ", sharing: " + (J.IsFIFO ? "fifo" : "fair") +
         ", duplex: " + (J.IsHalf ? "half" : "full");
}

static std::string textOf(const RandomPart &P) {
  std::string T =
      "  - {name: " + P.Name + ", count: " + std::to_string(P.Count);
  auto Add = [&T](const char *Key, double Value) {
    T += std::string(", ") + Key + ": " + shortestDecimal(Value);
  };
  if (P.IdleW)
    Add("idle_w", *P.IdleW);
  if (P.Kind == ComponentKind::CPU) {
    Add("cores", P.Cores);
    Add("performance", P.Performance);
  } else if (P.Kind == ComponentKind::GPU) {
    T += ", device: v100";
    Add("copy_engines", P.CopyEngines);
    Add("concurrent_kernels", P.ConcurrentKernels);
    Add("launch_us", P.LaunchUs);
  } else {
    return T + "}\n";
  }
  if (P.ActiveW)
    Add("active_w", *P.ActiveW);
  T += ", attributes: {x: " + shortestDecimal(P.X) + "}, labels: {";
  for (const auto &[Label, Places] : P.Labels)
    T += (T.back() == '{' ? "" : ", ") + Label + ": " + std::to_string(Places);
  return T + "}}\n";
}

std::string RandomSystem::text() const {
  std::string T = "schema: ptx-predict/system\nversion: 1\nname: random\n"
                  "description: for tests\nsource: made up\nnodes:\n";
  for (const auto &[Number, N] : llvm::enumerate(Nodes)) {
    T += "- name: node-" + std::to_string(Number) +
         "\n  count: " + std::to_string(N.Count) +
         "\n  base_w: " + shortestDecimal(N.BaseW) +
         "\n  psu_efficiency: " + shortestDecimal(N.SupplyEfficiency) + "\n";
    constexpr std::pair<ComponentKind, const char *> Lists[] = {
        {ComponentKind::CPU, "cpus"},
        {ComponentKind::GPU, "gpus"},
        {ComponentKind::Switch, "switches"},
        {ComponentKind::NIC, "nics"}};
    for (const auto &[Kind, Key] : Lists) {
      std::string List;
      for (const RandomPart &P : N.Parts)
        if (P.Kind == Kind)
          List += textOf(P);
      if (!List.empty())
        T += std::string("  ") + Key + ":\n" + List;
    }
    T += "  links:\n";
    for (const RandomJoint &J : N.Joints)
      T += "  - {between: [" + N.Parts[J.Ends[0]].Name + ", " +
           N.Parts[J.Ends[1]].Name + "], count: " + std::to_string(J.Count) +
           ", " + kindOf(J) + "}\n";
  }
  if (Network)
    T += "network: {" + kindOf(*Network) + "}\n";
  return T;
}

static std::string textOf(const RandomLink &L) {
  auto Numbers = [&L](unsigned Way, unsigned Memory) {
    return "{startup_us: " + shortestDecimal(L.StartupUs[Way][Memory]) +
           ", efficiency: " + shortestDecimal(L.Efficiency[Way][Memory]) + "}";
  };
  std::string T = "schema: ptx-predict/link\nversion: 1\nname: " + L.Name +
                  "\ndescription: for tests\nsource: made up\nbandwidth: " +
                  shortestDecimal(L.GBs) + "\ntransfers:\n";
  for (unsigned Way = 0; Way != 2; ++Way)
    T += "  " + toString(TransferWay(Way)).str() +
         ": {pageable: " + Numbers(Way, 0) + ", pinned: " + Numbers(Way, 1) +
         "}\n";
  T += "  p2p: " + Numbers(2, 0) + "\n";
  if (L.IdleW)
    T += "idle_w: " + shortestDecimal(*L.IdleW) + "\n";
  if (L.ActiveW)
    T += "active_w: " + shortestDecimal(*L.ActiveW) + "\n";
  return T + "policies:\n- {name: saver, from: " +
         std::to_string(RandomPolicyFrom) +
         ", latency_factor: " + shortestDecimal(L.LatencyFactor) +
         ", energy_factor: " + shortestDecimal(L.EnergyFactor) + "}\n";
}

std::vector<std::string> RandomSystem::linkTexts() const {
  std::vector<std::string> All;
  for (const RandomNode &N : Nodes)
    for (const RandomJoint &J : N.Joints)
      All.push_back(textOf(J.Of));
  if (Network)
    All.push_back(textOf(Network->Of));
  return All;
}
