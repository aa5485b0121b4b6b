//===- SystemTest.cpp - Tests of system files -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/System/System.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

namespace {

class SystemFile : public ::testing::Test {
protected:
  std::unique_ptr<System> parse(StringRef Text) {
    DiagnosticEngine Diags(
        llvm::MemoryBuffer::getMemBufferCopy(Text, "s.yaml"));
    std::unique_ptr<System> S = parseSystem(Diags, {Devices, Links});
    EXPECT_EQ(S == nullptr, Diags.hasErrors());
    Messages.clear();
    llvm::raw_string_ostream OS(Messages);
    Diags.print(OS, /*Colors=*/false);
    return S;
  }
  /// A file with one node of \p Rest.
  std::unique_ptr<System> parseNode(StringRef Rest) {
    return parse(("schema: ptx-predict/system\nversion: 1\nname: mine\n"
                  "nodes:\n- name: node\n" +
                  Rest)
                     .str());
  }
  void expectError(StringRef Rest, StringRef Message) {
    EXPECT_FALSE(parseNode(Rest));
    EXPECT_THAT(Messages, HasSubstr(Message.str())) << Rest.str();
  }
  std::unique_ptr<System> carried(StringRef Name) {
    return parse(*embeddedSystem(Name));
  }

  DeviceRegistry Devices;
  LinkRegistry Links;
  std::string Messages;
};

std::string printedSystem(const System &S) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printSystem(S, OS);
  return Text;
}

bool isSameQuantity(const Quantity &A, const Quantity &B) {
  return A.Value == B.Value && A.Source == B.Source && A.From == B.From;
}

void expectSameSystem(const SystemComponent &A, const SystemComponent &B) {
  SCOPED_TRACE(A.Name);
  EXPECT_EQ(A.Name, B.Name);
  EXPECT_EQ(A.Kind, B.Kind);
  EXPECT_EQ(A.Count, B.Count);
  EXPECT_EQ(A.DeviceName, B.DeviceName);
  EXPECT_EQ(A.On, B.On);
  ASSERT_EQ(A.Labels.size(), B.Labels.size());
  for (auto [L, M] : llvm::zip(A.Labels, B.Labels)) {
    EXPECT_EQ(L.Label, M.Label);
    EXPECT_EQ(L.Places, M.Places);
  }
  EXPECT_EQ(A.Attributes, B.Attributes);
  EXPECT_EQ(A.Sources, B.Sources);
  EXPECT_EQ(A.Cores, B.Cores);
  EXPECT_EQ(A.CopyEngines, B.CopyEngines);
  EXPECT_EQ(A.ConcurrentKernels, B.ConcurrentKernels);
  for (Quantity SystemComponent::*Q :
       {&SystemComponent::IdleW, &SystemComponent::ActiveW,
        &SystemComponent::MTBFHours, &SystemComponent::MemoryBytes,
        &SystemComponent::Performance, &SystemComponent::LaunchUs})
    EXPECT_TRUE(isSameQuantity(A.*Q, B.*Q));
}

void expectSameSystem(const SystemLinkKind &A, const SystemLinkKind &B) {
  EXPECT_EQ(A.Of, B.Of);
  EXPECT_EQ(A.Sharing, B.Sharing);
  EXPECT_EQ(A.Duplex, B.Duplex);
}

void expectSameSystem(const System &A, const System &B) {
  EXPECT_EQ(A.Name, B.Name);
  EXPECT_EQ(A.Description, B.Description);
  EXPECT_EQ(A.Source, B.Source);
  ASSERT_EQ(A.Nodes.size(), B.Nodes.size());
  for (auto [N, M] : llvm::zip(A.Nodes, B.Nodes)) {
    EXPECT_EQ(N.Name, M.Name);
    EXPECT_EQ(N.Count, M.Count);
    ASSERT_EQ(N.Components.size(), M.Components.size());
    for (auto [C, D] : llvm::zip(N.Components, M.Components))
      expectSameSystem(C, D);
    ASSERT_EQ(N.Links.size(), M.Links.size());
    for (auto [L, K] : llvm::zip(N.Links, M.Links)) {
      expectSameSystem(static_cast<const SystemLinkKind &>(L), K);
      EXPECT_EQ(L.Ends[0], K.Ends[0]);
      EXPECT_EQ(L.Ends[1], K.Ends[1]);
      EXPECT_EQ(L.Count, K.Count);
    }
    EXPECT_TRUE(isSameQuantity(N.BaseW, M.BaseW));
    EXPECT_TRUE(isSameQuantity(N.PSUEfficiency, M.PSUEfficiency));
    EXPECT_TRUE(isSameQuantity(N.MTBFHours, M.MTBFHours));
  }
  expectSameSystem(A.Network, B.Network);
}

/// Everything, and the lists of a node in no order.
constexpr StringRef WholeSystem =
    "schema: ptx-predict/system\n"
    "version: 1\n"
    "name: mine\n"
    "description: all that there is\n"
    "nodes:\n"
    "- name: big\n"
    "  count: 3\n"
    "  links:\n"
    "  - {between: [cpu, plx], link: pcie3-x16, sharing: fifo, duplex: half}\n"
    "  - {between: [plx, gpu], link: pcie3-x8}\n"
    "  - {between: [plx, nic], link: pcie3-x4, count: 1}\n"
    "  nics: [{name: nic, mtbf_hours: 1e6}]\n"
    "  gpus:\n"
    "  - name: gpu\n"
    "    device: gtx-970\n"
    "    count: 4\n"
    "    labels: {worker: 2, helper: 1}\n"
    "    copy_engines: 1\n"
    "    concurrent_kernels: {value: 16, source: a table}\n"
    "    memory: 8Gi\n"
    "    launch_us: 2.5\n"
    "    idle_w: 10\n"
    "    active_w: {value: 150, unit: W, source: a meter}\n"
    "    attributes: {bytes_per_cycle: {value: 13.78, source: a page}, x: -1}\n"
    "    source: of the gpu\n"
    "  cpus:\n"
    "  - {name: cpu, count: 2, cores: 8, memory: 64G, labels: {host: 1},\n"
    "     performance: 3042.28, idle_w: 20, active_w: 95, mtbf_hours: 1e7}\n"
    "  switches: [{name: plx, count: 2, idle_w: 5}]\n"
    "  base_w: 50\n"
    "  psu_efficiency: 0.9\n"
    "  mtbf_hours: 1e5\n"
    "  source: of the node\n"
    "- name: small\n"
    "  cpus: [{name: cpu, device: xeon-e5645}]\n"
    "network: {link: infiniband-qdr-4x, sharing: fair, duplex: full}\n"
    "source: mine\n";

TEST_F(SystemFile, IsReadWithDevicesLinksAndSources) {
  const std::unique_ptr<System> S = parse(WholeSystem);
  ASSERT_TRUE(S) << Messages;
  EXPECT_EQ(S->Name, "mine");
  EXPECT_EQ(S->Source, "mine");
  ASSERT_EQ(S->Nodes.size(), 2u);
  const NodeKind &Big = S->Nodes[0];
  EXPECT_EQ(Big.Count, 3u);
  EXPECT_EQ(*Big.BaseW, 50);
  EXPECT_EQ(Big.BaseW.Source, "of the node");
  EXPECT_EQ(*Big.PSUEfficiency, 0.9);
  EXPECT_EQ(*Big.MTBFHours, 1e5);
  ASSERT_EQ(Big.Components.size(), 4u);

  const SystemComponent &CPU = Big.Components[0], &GPU = Big.Components[1];
  EXPECT_EQ(CPU.Kind, ComponentKind::CPU);
  EXPECT_EQ(CPU.Count, 2u);
  EXPECT_EQ(CPU.Cores, 8u);
  EXPECT_EQ(CPU.Sources.at("cores"), "of the node");
  EXPECT_EQ(*CPU.MemoryBytes, 64e9);
  EXPECT_EQ(*CPU.Performance, 3042.28);
  EXPECT_EQ(*CPU.MTBFHours, 1e7);
  EXPECT_FALSE(CPU.On);
  ASSERT_EQ(CPU.Labels.size(), 1u);
  EXPECT_EQ(CPU.Labels[0].Label, "host");

  EXPECT_EQ(GPU.Kind, ComponentKind::GPU);
  EXPECT_EQ(GPU.Count, 4u);
  EXPECT_EQ(GPU.DeviceName, "gtx-970");
  ASSERT_TRUE(GPU.On);
  EXPECT_EQ(GPU.On->Name, "gtx-970");
  ASSERT_EQ(GPU.Labels.size(), 2u);
  EXPECT_EQ(GPU.Labels[0].Places, 2u);
  EXPECT_EQ(GPU.CopyEngines, 1u);
  EXPECT_EQ(GPU.ConcurrentKernels, 16u);
  EXPECT_EQ(GPU.Sources.at("concurrent_kernels"), "a table");
  EXPECT_EQ(*GPU.MemoryBytes, 8.0 * (1 << 30));
  EXPECT_EQ(*GPU.LaunchUs, 2.5);
  EXPECT_EQ(GPU.IdleW.Source, "of the gpu");
  EXPECT_EQ(GPU.ActiveW.Source, "a meter");
  EXPECT_EQ(GPU.Attributes.at("bytes_per_cycle"), 13.78);
  EXPECT_EQ(GPU.Attributes.at("x"), -1);
  EXPECT_EQ(GPU.Sources.at("attributes.bytes_per_cycle"), "a page");
  EXPECT_EQ(GPU.Sources.at("attributes.x"), "of the gpu");

  EXPECT_EQ(Big.Components[2].Name, "plx");
  EXPECT_EQ(*Big.Components[2].IdleW, 5);
  EXPECT_EQ(Big.Components[3].Kind, ComponentKind::NIC);
  ASSERT_EQ(Big.Links.size(), 3u);
  const SystemLink &ToSwitch = Big.Links[0];
  EXPECT_EQ(ToSwitch.Of->Name, "pcie3-x16");
  EXPECT_EQ(ToSwitch.Sharing, LinkSharing::FIFO);
  EXPECT_EQ(ToSwitch.Duplex, LinkDuplex::Half);
  EXPECT_EQ(ToSwitch.Ends[0], 0u);
  EXPECT_EQ(ToSwitch.Ends[1], 2u);
  EXPECT_EQ(ToSwitch.Count, 2u);
  EXPECT_EQ(Big.Links[1].Sharing, LinkSharing::Fair);
  EXPECT_EQ(Big.Links[1].Duplex, LinkDuplex::Full);
  EXPECT_EQ(Big.Links[1].Count, 4u); // one for each of the larger end
  EXPECT_EQ(Big.Links[2].Count, 1u);
  ASSERT_TRUE(S->Network.Of);
  EXPECT_EQ(S->Network.Of->Name, "infiniband-qdr-4x");
}

TEST_F(SystemFile, TakesFromDevicesWhatItDoesNotSay) {
  const std::unique_ptr<System> S =
      parseNode("  cpus: [{name: cpu, device: xeon-e5645}]\n"
                "  gpus: [{name: gpu, device: h100}]\n");
  ASSERT_TRUE(S) << Messages;
  const SystemComponent &CPU = S->Nodes[0].Components[0],
                        &GPU = S->Nodes[0].Components[1];
  EXPECT_EQ(CPU.Cores, 12u);
  const Device &D = *llvm::cantFail(Devices.find("h100-sxm"));
  EXPECT_EQ(GPU.On, &D);
  EXPECT_EQ(GPU.DeviceName, "h100");
  EXPECT_EQ(*GPU.MemoryBytes, *D.DRAMBytes);
  EXPECT_EQ(*GPU.IdleW, *D.IdleWatts);
  EXPECT_EQ(GPU.IdleW.From, "h100-sxm");
  EXPECT_FALSE(GPU.ActiveW);
  EXPECT_EQ(GPU.CopyEngines, 2u);
  EXPECT_EQ(GPU.ConcurrentKernels, 1u);
  const Quantity *Launch = D.modelParameter("bottleneck", "launch_overhead");
  EXPECT_EQ(bool(GPU.LaunchUs), Launch != nullptr);
  EXPECT_FALSE(S->Network.Of);
  EXPECT_FALSE(S->Nodes[0].PSUEfficiency);
}

TEST_F(SystemFile, ReportsAllThatIsWrongAtItsPlace) {
  EXPECT_FALSE(parse("schema: ptx-predict/system\n"
                     "version: 1\n"
                     "name: mine\n"
                     "source: mine\n"
                     "nodes:\n"
                     "- name: node\n"
                     "  cpus:\n"
                     "  - {name: cpu, device: gtx-970, cors: 3}\n"
                     "  - {name: cpu, memory: lots}\n"
                     "  gpus:\n"
                     "  - {name: gpu, device: rtx-4091, copy_engines: 3}\n"
                     "  - {name: gpu2, labels: {the worker: 1}}\n"
                     "  switches: [{name: plx, labels: {a: 1}}]\n"
                     "  links:\n"
                     "  - {between: [cpu, gpv], link: pcie3-x16}\n"
                     "  - {between: [cpu], link: pcie9-x16, sharing: fare}\n"
                     "  - {between: [gpu, gpu], link: pcie3-x16}\n"
                     "  psu_efficiency: 1.1\n"
                     "network: {link: infiniband-qdr-4x}\n"));
  for (StringRef Message :
       {"s.yaml:8:25: error: 'gtx-970' is a GPU; it belongs among the gpus\n"
        "  - {name: cpu, device: gtx-970, cors: 3}\n"
        "                        ^\n",
        "s.yaml:8:34: error: unknown key 'cors'; did you mean 'cores'?\n",
        "s.yaml:9:12: error: a second component 'cpu' of the node\n",
        "s.yaml:9:25: error: 'memory' must be a number, not 'lots'\n",
        "s.yaml:11:25: error: no device named 'rtx-4091'; did you mean "
        "'rtx-4090'?",
        "s.yaml:11:49: error: 'copy_engines' must be a whole number from 1 to "
        "2, not 3\n",
        "s.yaml:12:27: error: a label is named by at most 100 letters, digits "
        "and '_', no digit first: formulas may name it\n",
        "s.yaml:12:5: error: a gpu lacks the key 'device'\n",
        "s.yaml:13:34: error: a switch has no labels: processes run on CPUs "
        "and GPUs\n",
        "s.yaml:16:28: error: no link named 'pcie9-x16'; did you mean "
        "'pcie1-x16'?",
        "s.yaml:16:48: error: sharing is one of fair, fifo, not 'fare'; did "
        "you mean 'fair'?\n",
        "s.yaml:16:15: error: 'between' takes the names of two components, "
        "such as [cpu, gpu]\n",
        "s.yaml:15:21: error: no component of the node is named 'gpv'; did you "
        "mean 'gpu'?",
        "s.yaml:17:21: error: a link joins two components; what joins equal "
        "ones goes over a switch between them\n",
        "s.yaml:18:19: error: 'psu_efficiency' must be above 0 and at most 1, "
        "not 1.1\n",
        "s.yaml:19:10: error: a network joins NICs, and no node has one: nics: "
        "[{name: nic}]\n"})
    EXPECT_THAT(Messages, HasSubstr(Message.str()));
}

TEST_F(SystemFile, NeedsSourcesForNumbersOfHardware) {
  EXPECT_FALSE(parseNode("  cpus: [{name: cpu, idle_w: 3, cores: 4}]\n"
                         "  base_w: 3\n"));
  EXPECT_EQ(Messages,
            "s.yaml:6:30: error: 'idle_w' has no source; write {value: …, "
            "source: \"…\"}, or source: once for the file\n"
            "  cpus: [{name: cpu, idle_w: 3, cores: 4}]\n"
            "                             ^\n"
            "s.yaml:7:11: error: 'base_w' has no source; write {value: …, "
            "source: \"…\"}, or source: once for the file\n"
            "  base_w: 3\n"
            "          ^\n");
  EXPECT_TRUE(
      parseNode("  cpus: [{name: cpu, cores: 4, attributes: {a: 1}}]\n"))
      << Messages;
}

TEST_F(SystemFile, KeepsNumbersWithinBounds) {
  expectError("  count: 0\n  cpus: [{name: cpu}]\n",
              "s.yaml:6:10: error: 'count' must be a whole number from 1 to "
              "10000000, not 0\n");
  expectError("  count: 10000001\n  cpus: [{name: cpu}]\n",
              "'count' must be a whole number from 1 to 10000000");
  expectError("  cpus: [{name: cpu, count: 1000001}]\n",
              "s.yaml:6:29: error: 'count' must be a whole number from 1 to "
              "1000000, not 1000001\n");
  expectError("  cpus: [{name: cpu, count: 1e400}]\n",
              "'count' must be a number, not '1e400'");
  expectError("  cpus: [{name: cpu, labels: {host: 1.5}}]\n",
              "'host' must be a whole number from 1 to 1000000, not 1.5");
  expectError("  cpus: [{name: cpu, attributes: {a: nan}}]\n",
              "'a' must be a number, not 'nan'");
  expectError("  cpus: [{name: cpu, attributes: {a-b: 1}}]\n",
              "s.yaml:6:35: error: an attribute is named by");
  expectError("  count: 1000\n"
              "  cpus: [{name: cpu, count: 100000}, {name: c2}]\n",
              "s.yaml:5:9: error: with this node the system has more than "
              "100000000 components\n");
  expectError("  count: 1000\n  cpus: [{name: cpu}, {name: c2}]\n"
              "  links: [{between: [cpu, c2], link: pcie3-x16, count: 1M}]\n",
              "with this node the system has more than 100000000 links\n");
  EXPECT_TRUE(parseNode("  count: 10M\n  cpus: [{name: cpu, count: 10}]\n"))
      << Messages;
}

TEST_F(SystemFile, NeedsWhatRunsProcesses) {
  expectError("  nics: [{name: nic}]\n",
              "s.yaml:5:9: error: a node needs a CPU or a GPU: cpus: [{name: "
              "cpu}]\n");
  expectError("  cpus: []\n", "a node needs a CPU or a GPU");
  EXPECT_FALSE(
      parse("schema: ptx-predict/system\nversion: 1\nname: a\nnodes: []\n"));
  EXPECT_THAT(Messages, StartsWith("s.yaml:4:8: error: 'nodes' has no entry"));
  EXPECT_FALSE(parse("name: [1]\n"));
  EXPECT_THAT(Messages, HasSubstr("a system lacks the keys 'schema', "
                                  "'version', 'nodes'"));
  expectError("  cpus: [{name: cpu}]\n- name: node\n  cpus: [{name: cpu}]\n",
              "s.yaml:7:9: error: a second node 'node'\n");
}

TEST_F(SystemFile, GivesUpNoMoreThanItShows) {
  std::string Text = "  cpus: [{name: cpu}]\n  links:\n";
  for (unsigned I = 0; I != 900; ++I)
    Text += "  - {between: [cpu, x" + std::to_string(I) + "], link: none}\n";
  EXPECT_FALSE(parseNode(Text));
  EXPECT_THAT(Messages, HasSubstr("no link named 'none'"));
  EXPECT_THAT(Messages, Not(HasSubstr("not looked for")));
  // More kinds than a node may have.
  Text = "  cpus:\n";
  for (unsigned I = 0; I != 257; ++I)
    Text += "  - {name: c" + std::to_string(I) + "}\n";
  expectError(Text, "a node has at most 256 kinds of components\n");
}

TEST_F(SystemFile, PrintsWhatReadsBackTheSame) {
  const std::unique_ptr<System> S = parse(WholeSystem);
  ASSERT_TRUE(S) << Messages;
  const std::string Text = printedSystem(*S);
  const std::unique_ptr<System> Again = parse(Text);
  ASSERT_TRUE(Again) << Messages << Text;
  expectSameSystem(*S, *Again);
  EXPECT_EQ(printedSystem(*Again), Text);
}

TEST_F(SystemFile, IsCarriedWithSources) {
  const std::vector<StringRef> Wanted = {
      "dgx-a100",       "dgx-h100",  "dori",    "gajger-gtx-970",
      "gajger-titan-x", "keeneland", "systemg", "workstation-pcie4"};
  EXPECT_EQ(embeddedSystemNames(), ArrayRef<StringRef>(Wanted));
  EXPECT_FALSE(embeddedSystem("dgx"));
  for (StringRef Name : embeddedSystemNames()) {
    SCOPED_TRACE(Name.str());
    const std::unique_ptr<System> S = carried(Name);
    ASSERT_TRUE(S) << Messages;
    EXPECT_EQ(Messages, "");
    EXPECT_EQ(S->Name, Name);
    EXPECT_FALSE(S->Description.empty());
    EXPECT_FALSE(S->Source.empty());
    for (const NodeKind &N : S->Nodes)
      for (const SystemComponent &C : N.Components) {
        // So that one scenario fits all.
        if (C.Kind == ComponentKind::CPU || C.Kind == ComponentKind::GPU) {
          ASSERT_EQ(C.Labels.size(), 1u);
          EXPECT_EQ(C.Labels[0].Label,
                    C.Kind == ComponentKind::CPU ? "host" : "worker");
          EXPECT_EQ(C.Labels[0].Places, 1u);
        }
        for (const auto &[Attribute, Value] : C.Attributes)
          EXPECT_TRUE(C.Sources.count("attributes." + Attribute)) << Attribute;
        EXPECT_TRUE(C.Cores == 1 || C.Sources.count("cores"));
      }
    const std::unique_ptr<System> Again = parse(printedSystem(*S));
    ASSERT_TRUE(Again) << Messages;
    expectSameSystem(*S, *Again);
  }
}

/// The numbers of components of \p S's first node, by kind.
std::vector<uint64_t> counts(const System &S) {
  std::vector<uint64_t> Counts(4);
  for (const SystemComponent &C : S.Nodes[0].Components)
    Counts[size_t(C.Kind)] += C.Count;
  return Counts;
}

TEST_F(SystemFile, CarriesWhatIsPublished) {
  const struct {
    StringRef Name, GPU;
    uint64_t Nodes, Cores;
    std::vector<uint64_t> Counts; ///< CPUs, GPUs, switches, NICs
    StringRef Network;
  } Facts[] = {
      {"workstation-pcie4", "rtx-a6000", 1, 64, {1, 2, 0, 0}, ""},
      {"dgx-a100", "a100-80gb", 1, 128, {1, 8, 5, 8}, "infiniband-hdr-4x"},
      {"dgx-h100", "h100-sxm", 1, 112, {1, 8, 9, 8}, "infiniband-ndr-4x"},
      {"keeneland", "m2090", 120, 12, {1, 3, 0, 1}, "infiniband-qdr-4x"},
      {"systemg", "", 325, 8, {1, 0, 0, 1}, "infiniband-qdr-4x"},
      {"dori", "", 8, 4, {1, 0, 0, 1}, "ethernet-1g"}};
  for (const auto &F : Facts) {
    SCOPED_TRACE(F.Name.str());
    const std::unique_ptr<System> S = carried(F.Name);
    ASSERT_TRUE(S) << Messages;
    ASSERT_EQ(S->Nodes.size(), 1u);
    EXPECT_EQ(S->Nodes[0].Count, F.Nodes);
    EXPECT_EQ(S->Nodes[0].Components[0].Cores, F.Cores);
    EXPECT_EQ(counts(*S), F.Counts);
    if (!F.GPU.empty()) {
      EXPECT_EQ(S->Nodes[0].Components[1].On->Name, F.GPU);
    }
    EXPECT_EQ(S->Network.Of ? StringRef(S->Network.Of->Name) : "", F.Network);
  }
}

/// Gajger, Tables 6.1 and 6.2, and what Fig. 5.24 lets infer.
TEST_F(SystemFile, CarriesGajgersComputers) {
  const std::unique_ptr<System> GTX = carried("gajger-gtx-970"),
                                Titan = carried("gajger-titan-x");
  ASSERT_TRUE(GTX && Titan);
  const std::map<std::string, double, std::less<>> OfGTX = {
      {"GMem_bandwidth", 13.78},
      {"SM_clock", 1253},
      {"CUDA_cores", 128},
      {"schedulers", 4},
      {"SMs", 13}};
  const std::map<std::string, double, std::less<>> OfTitan = {
      {"GMem_bandwidth", 13.03},
      {"SM_clock", 1076},
      {"CUDA_cores", 128},
      {"schedulers", 4},
      {"SMs", 24}};
  const SystemComponent &GPU = GTX->Nodes[0].Components[1];
  EXPECT_EQ(GPU.Attributes, OfGTX);
  EXPECT_EQ(Titan->Nodes[0].Components[1].Attributes, OfTitan);
  EXPECT_EQ(*GPU.IdleW, 0);
  EXPECT_EQ(*GPU.ActiveW, 8.4);
  EXPECT_EQ(*GPU.LaunchUs, 0);
  EXPECT_EQ(*GTX->Nodes[0].BaseW, 56.6);
  EXPECT_EQ(GTX->Nodes[0].Links[0].Of->Name, "gajger-pcie3-x16");
  EXPECT_EQ(GTX->Nodes[0].Links[0].Sharing, LinkSharing::FIFO);
  EXPECT_EQ(Titan->Nodes[0].Links[0].Of->Name, "gajger-pcie2-x4");
}

} // namespace
