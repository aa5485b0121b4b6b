//===- DeviceTest.cpp - Tests of the embedded devices ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Device/Device.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

TEST(Device, EmbedsTheDevicesOfTheManual) {
  std::vector<StringRef> Wanted = {"8800-gt",
                                   "8800-gtx",
                                   "a10",
                                   "a100-40gb",
                                   "a100-40gb-pcie",
                                   "a100-80gb",
                                   "a100-80gb-pcie",
                                   "a2",
                                   "a30",
                                   "a40",
                                   "b200",
                                   "b300",
                                   "c2075",
                                   "gb10",
                                   "gb200",
                                   "gb300",
                                   "gh200",
                                   "gt-1030",
                                   "gtx-1050",
                                   "gtx-1050-3gb",
                                   "gtx-1050-ti",
                                   "gtx-1060-3gb",
                                   "gtx-1060-6gb",
                                   "gtx-1070",
                                   "gtx-1070-ti",
                                   "gtx-1080",
                                   "gtx-1080-ti",
                                   "gtx-1630",
                                   "gtx-1650",
                                   "gtx-1650-gddr6",
                                   "gtx-1650-super",
                                   "gtx-1660",
                                   "gtx-1660-super",
                                   "gtx-1660-ti",
                                   "gtx-280",
                                   "gtx-295",
                                   "gtx-580",
                                   "gtx-660",
                                   "gtx-670",
                                   "gtx-680",
                                   "gtx-750",
                                   "gtx-750-ti",
                                   "gtx-760",
                                   "gtx-770",
                                   "gtx-780",
                                   "gtx-780-ti",
                                   "gtx-950",
                                   "gtx-960",
                                   "gtx-970",
                                   "gtx-980",
                                   "gtx-980-ti",
                                   "gtx-titan",
                                   "gtx-titan-black",
                                   "h100-nvl",
                                   "h100-pcie",
                                   "h100-sxm",
                                   "h200",
                                   "h200-nvl",
                                   "h800-pcie",
                                   "h800-sxm",
                                   "jetson-agx-orin",
                                   "jetson-orin-nano",
                                   "jetson-orin-nx",
                                   "jetson-thor",
                                   "k20",
                                   "k20x",
                                   "k40",
                                   "k80",
                                   "l4",
                                   "l40",
                                   "l40s",
                                   "m2090",
                                   "m40",
                                   "m40-24gb",
                                   "m60",
                                   "p100",
                                   "p100-12gb",
                                   "p100-sxm2",
                                   "p4",
                                   "p40",
                                   "quadro-fx-5600",
                                   "quadro-gp100",
                                   "quadro-gv100",
                                   "quadro-k5000",
                                   "quadro-k6000",
                                   "quadro-m2000",
                                   "quadro-m4000",
                                   "quadro-m5000",
                                   "quadro-m6000",
                                   "quadro-p2000",
                                   "quadro-p2200",
                                   "quadro-p400",
                                   "quadro-p4000",
                                   "quadro-p5000",
                                   "quadro-p600",
                                   "quadro-p6000",
                                   "quadro-rtx-4000",
                                   "quadro-rtx-5000",
                                   "quadro-rtx-6000",
                                   "quadro-rtx-8000",
                                   "rtx-2060",
                                   "rtx-2060-12gb",
                                   "rtx-2060-super",
                                   "rtx-2070",
                                   "rtx-2070-super",
                                   "rtx-2080",
                                   "rtx-2080-super",
                                   "rtx-2080-ti",
                                   "rtx-3050",
                                   "rtx-3050-6gb",
                                   "rtx-3060",
                                   "rtx-3060-ti",
                                   "rtx-3070",
                                   "rtx-3070-ti",
                                   "rtx-3080",
                                   "rtx-3080-12gb",
                                   "rtx-3080-ti",
                                   "rtx-3090",
                                   "rtx-3090-ti",
                                   "rtx-4000-ada",
                                   "rtx-4000-sff-ada",
                                   "rtx-4060",
                                   "rtx-4060-ti",
                                   "rtx-4060-ti-16gb",
                                   "rtx-4070",
                                   "rtx-4070-super",
                                   "rtx-4070-ti",
                                   "rtx-4070-ti-super",
                                   "rtx-4080",
                                   "rtx-4080-super",
                                   "rtx-4090",
                                   "rtx-4090-d",
                                   "rtx-4500-ada",
                                   "rtx-5000-ada",
                                   "rtx-5060",
                                   "rtx-5060-ti",
                                   "rtx-5060-ti-8gb",
                                   "rtx-5070",
                                   "rtx-5070-ti",
                                   "rtx-5080",
                                   "rtx-5090",
                                   "rtx-6000-ada",
                                   "rtx-a1000",
                                   "rtx-a2000",
                                   "rtx-a2000-12gb",
                                   "rtx-a400",
                                   "rtx-a4000",
                                   "rtx-a4500",
                                   "rtx-a5000",
                                   "rtx-a5500",
                                   "rtx-a6000",
                                   "rtx-pro-6000",
                                   "rtx-pro-6000-max-q",
                                   "t1000",
                                   "t1000-8gb",
                                   "t4",
                                   "t400",
                                   "t600",
                                   "titan-rtx",
                                   "titan-v",
                                   "titan-x-maxwell",
                                   "titan-x-pascal",
                                   "titan-xp",
                                   "v100",
                                   "v100-32gb",
                                   "v100-sxm2",
                                   "v100-sxm2-32gb",
                                   "xeon-e5645"};
  llvm::sort(Wanted);
  EXPECT_EQ(embeddedDeviceNames().vec(), Wanted);
}

/// Without regard to what people write in several ways.
std::string plain(StringRef Name) {
  std::string Result;
  for (char C : Name.lower())
    if (C != '-' && C != '_')
      Result += C;
  return Result;
}

TEST(Device, AliasesAreThoseOfTheFilesAndUnique) {
  DeviceRegistry Registry;
  std::map<std::string, std::string> Devices; // by what means them
  for (StringRef Name : embeddedDeviceNames())
    EXPECT_TRUE(Devices.emplace(plain(Name), Name.str()).second) << Name.str();
  size_t Num = 0;
  for (StringRef Name : embeddedDeviceNames())
    for (StringRef Alias : llvm::cantFail(Registry.find(Name))->Aliases) {
      EXPECT_TRUE(Devices.emplace(plain(Alias), Name.str()).second)
          << Alias.str();
      EXPECT_TRUE(llvm::any_of(embeddedDeviceAliases(),
                               [&](const DeviceAlias &A) {
                                 return A.Alias == Alias && A.Name == Name;
                               }))
          << Alias.str();
      EXPECT_EQ(llvm::cantFail(Registry.find(Alias))->Name, Name);
      ++Num;
    }
  EXPECT_EQ(embeddedDeviceAliases().size(), Num);
  EXPECT_TRUE(llvm::is_sorted(embeddedDeviceAliases(),
                              [](const DeviceAlias &L, const DeviceAlias &R) {
                                return L.Alias < R.Alias;
                              }));
}

TEST(Device, FindsWhatPeopleType) {
  DeviceRegistry Registry;
  for (auto [Asked, Name] :
       std::initializer_list<std::pair<StringRef, StringRef>>{
           {"h100", "h100-sxm"},
           {"4090", "rtx-4090"},
           {"A100", "a100-80gb"},
           {"rtx4090", "rtx-4090"},
           {"RTX 4090", "rtx-4090"},
           {"NVIDIA GeForce RTX 4090", "rtx-4090"},
           {"h100_sxm", "h100-sxm"},
           {"Tesla V100-PCIE-16GB", "v100"},
           {"NVIDIA H100 80GB HBM3", "h100-sxm"},
           {"NVIDIA TITAN X (Pascal)", "titan-x-pascal"},
           {"gtx-titan-b", "gtx-titan-black"},
           {"1080", "gtx-1080"}})
    EXPECT_EQ(llvm::cantFail(Registry.find(Asked))->Name, Name) << Asked.str();
  for (StringRef Asked : {"", "-", "a", "nvidia", "titan-x", "pcie", "gtx"}) {
    Expected<const Device *> D = Registry.find(Asked);
    EXPECT_FALSE(bool(D)) << Asked.str();
    llvm::consumeError(D.takeError());
  }
}

/// Base files take part through `inherits:`.
TEST(Device, ParsesEveryEmbeddedDevice) {
  DeviceRegistry Registry;
  for (StringRef Name : embeddedDeviceNames()) {
    SCOPED_TRACE(Name.str());
    Expected<const Device *> D = Registry.find(Name);
    ASSERT_TRUE(bool(D)) << toString(D.takeError());
    EXPECT_EQ((*D)->Name, Name);
    EXPECT_FALSE((*D)->Abstract);
    EXPECT_FALSE((*D)->Description.empty());
    for (const DeviceField &F : deviceFields()) {
      const Quantity &Q = (*D)->*F.Member;
      EXPECT_TRUE(Q || !F.Required) << F.Key.str();
      EXPECT_EQ(bool(Q), !Q.Source.empty()) << F.Key.str();
    }
    // What a device's numbers owe each other.
    const Device &V = **D;
    if (V.IsCPU)
      continue;
    EXPECT_EQ(*V.MaxWarpsPerSM * *V.WarpSize, *V.MaxThreadsPerSM);
    if (Name != "gtx-970") { // its published bandwidth leaves a part out
      double FromClock = *V.MemoryMHz * 2 * *V.BusBits / 8 / 1000;
      EXPECT_NEAR(FromClock / *V.DRAMBandwidth, 1, 0.03);
    }
  }
}

TEST(Device, IsSurveyedBySpotChecks) {
  DeviceRegistry Registry;
  struct {
    StringRef Name;
    unsigned CC;
    double SMs, Boost, Memory, Bandwidth;
  } const Facts[] = {{"h100-sxm", 90, 132, 1980, 2619, 3352},
                     {"a100-80gb", 80, 108, 1410, 1593, 2039},
                     {"v100", 70, 80, 1380, 877, 898},
                     {"t4", 75, 40, 1590, 5001, 320},
                     {"h200", 90, 132, 1980, 3201, 4800},
                     {"rtx-5090", 120, 170, 2407, 14001, 1792},
                     {"rtx-5080", 120, 84, 2617, 15000, 960},
                     {"rtx-4070", 89, 46, 2475, 10500, 504},
                     {"l40s", 89, 142, 2520, 9000, 864},
                     {"rtx-a6000", 86, 84, 1800, 8000, 768},
                     {"titan-v", 70, 80, 1455, 850, 652.8},
                     {"gtx-1060-6gb", 61, 10, 1708, 4000, 192},
                     {"k80", 37, 13, 824, 2500, 240},
                     {"gh200", 90, 132, 1980, 2619, 4023},
                     {"gb300", 103, 152, 2070, 3996, 7928},
                     {"jetson-agx-orin", 87, 16, 1300, 3200, 204.8},
                     {"jetson-thor", 110, 20, 1575, 4266, 273},
                     {"gb10", 121, 48, 2418, 4267, 273},
                     {"gtx-280", 13, 30, 1296, 1107, 141.7},
                     {"8800-gt", 11, 14, 1500, 900, 57.6}};
  for (const auto &F : Facts) {
    SCOPED_TRACE(F.Name.str());
    const Device &D = **Registry.find(F.Name);
    EXPECT_EQ(D.ComputeCapability, F.CC);
    EXPECT_EQ(*D.NumSMs, F.SMs);
    EXPECT_EQ(*D.BoostMHz, F.Boost);
    EXPECT_EQ(*D.MemoryMHz, F.Memory);
    EXPECT_EQ(*D.DRAMBandwidth, F.Bandwidth);
  }
}

TEST(Device, PrintsWhatReadsBackTheSame) {
  DeviceRegistry Registry;
  for (StringRef Name : embeddedDeviceNames()) {
    SCOPED_TRACE(Name.str());
    const Device &D = **Registry.find(Name);
    std::string Text, Again;
    llvm::raw_string_ostream OS(Text), AgainOS(Again);
    printDevice(D, OS);
    DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(Text, "d.yaml"));
    std::unique_ptr<Device> Read = parseDevice(Diags);
    ASSERT_TRUE(Read) << Diags.diagnostics().front().Message;
    printDevice(*Read, AgainOS);
    EXPECT_EQ(Text, Again);
    for (const DeviceField &F : deviceFields()) {
      EXPECT_EQ((D.*F.Member).Value, (*Read.*F.Member).Value) << F.Key.str();
      EXPECT_EQ((D.*F.Member).Source, (*Read.*F.Member).Source);
    }
    EXPECT_EQ(D.ModelParameters.size(), Read->ModelParameters.size());
  }
}

TEST(Device, IsDocumentedWhole) {
  auto Page = llvm::MemoryBuffer::getFile(PTXPREDICT_SOURCE_DIR
                                          "/docs/formats/Devices.md");
  ASSERT_TRUE(bool(Page));
  std::string Text = (*Page)->getBuffer().str();
  for (const DeviceField &F : deviceFields()) {
    std::string Row = "| `" + F.Key.str() + "`" +
                      (F.Required ? "" : " (optional)") + " | " +
                      (F.Unit.empty() ? "–" : F.Unit.str()) + " | " +
                      F.Meaning.str() + " |\n";
    EXPECT_THAT(Text, HasSubstr(Row));
  }
  DeviceRegistry Registry;
  for (StringRef Name : embeddedDeviceNames()) {
    const Device &D = **Registry.find(Name);
    StringRef What = D.Description;
    What.consume_front("NVIDIA ");
    EXPECT_THAT(Text,
                HasSubstr("| `" + D.Name + "` | " + What.str() + " | " +
                          (D.IsCPU ? "a CPU" : "`" + D.Inherits + "`") + " |"));
  }
}

/// The text without sources, which EmbeddedDevices.cmake writes, says the same.
TEST(DeviceRegistry, DroppedSourcesChangeNoNumber) {
  DeviceRegistry Whole, Numbers(DeviceRegistry::Sources::Dropped);
  for (StringRef Name : embeddedDeviceNames()) {
    const Device &A = **Whole.find(Name), &B = **Numbers.find(Name);
    EXPECT_EQ(A.Name, B.Name);
    EXPECT_EQ(A.Description, B.Description);
    EXPECT_EQ(A.Inherits, B.Inherits);
    EXPECT_EQ(A.IsCPU, B.IsCPU);
    EXPECT_EQ(A.ComputeCapability, B.ComputeCapability);
    EXPECT_EQ(A.AccessRule, B.AccessRule);
    for (const DeviceField &F : deviceFields()) {
      const Quantity &OfA = A.*F.Member, &OfB = B.*F.Member;
      EXPECT_EQ(OfA.Value, OfB.Value) << Name.str() << ' ' << F.Key.str();
      EXPECT_EQ(bool(OfA), !OfA.Source.empty());
    }
    ASSERT_EQ(A.ModelParameters.size(), B.ModelParameters.size());
    for (const auto &[Model, Parameters] : A.ModelParameters) {
      const auto &Others = B.ModelParameters.at(Model);
      ASSERT_EQ(Parameters.size(), Others.size());
      for (const auto &[Key, Q] : Parameters) {
        EXPECT_EQ(Q.Value, Others.at(Key).Value) << Name.str() << ' ' << Key;
        EXPECT_EQ(Q.Unit, Others.at(Key).Unit);
        EXPECT_FALSE(Q.Source.empty());
      }
    }
  }
}

/// What no file can change is read once for all.
TEST(DeviceRegistry, SharesEmbeddedDevices) {
  DeviceRegistry A, B, Other(DeviceRegistry::Sources::Dropped);
  EXPECT_EQ(*A.find("h100-sxm"), *B.find("h100-sxm"));
  EXPECT_NE(*A.find("h100-sxm"), *Other.find("h100-sxm"));
}

TEST(DeviceRegistry, NamesTheNearest) {
  DeviceRegistry Registry;
  EXPECT_THAT(toString(Registry.find("h100-smx").takeError()),
              StartsWith("no device named 'h100-smx'; did you mean 'h100-sxm'? "
                         "There are 8800-gt, "));
  EXPECT_THAT(
      toString(Registry.find("toaster").takeError()),
      AllOf(StartsWith("no device named 'toaster'; there are 8800-gt, "),
            EndsWith("more ('ptx-predict devices' lists them)")));
  // A base is none, though other devices inherit it.
  ASSERT_TRUE(bool(Registry.find("h100-sxm")));
  EXPECT_THAT(toString(Registry.find("sm-90").takeError()),
              HasSubstr("no device named 'sm-90'"));
}

TEST(DeviceRegistry, PrefersAddedFiles) {
  DeviceRegistry Registry;
  const Device *Embedded = *Registry.find("t4");
  auto Add = [&](StringRef Text) {
    DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(Text, "d.yaml"));
    return Registry.addFile(Diags);
  };
  EXPECT_FALSE(Add("name: t4\ninherits: t4\n"
                   "limits: {sms: {value: 20, source: half}}\n"));
  EXPECT_FALSE(Add("name: mine\ninherits: t4\n"));
  EXPECT_TRUE(Add("name: broken\n"));
  EXPECT_EQ(*Embedded->NumSMs, 40) << "a device lives as long as its registry";
  EXPECT_EQ(*(*Registry.find("t4"))->NumSMs, 20);
  EXPECT_EQ(*(*Registry.find("mine"))->NumSMs, 20);
  std::vector<std::string> Names = Registry.names();
  EXPECT_EQ(Names.size(), embeddedDeviceNames().size() + 1);
  EXPECT_TRUE(llvm::is_sorted(Names));
  EXPECT_TRUE(llvm::is_contained(Names, "mine"));
}

TEST(Device, StandsForAComputeCapability) {
  struct {
    unsigned CC;
    StringRef Name;
  } const Cases[] = {
      {0, "h100-sxm"},  {13, "h100-sxm"}, {61, "h100-sxm"},  {70, "v100"},
      {72, "v100"},     {75, "t4"},       {80, "a100-80gb"}, {86, "rtx-3090"},
      {87, "rtx-3090"}, {89, "rtx-4090"}, {90, "h100-sxm"},  {100, "b200"},
      {103, "b200"},    {110, "b200"},    {120, "rtx-5090"}, {121, "rtx-5090"}};
  for (const auto &C : Cases)
    EXPECT_EQ(representativeDevice(C.CC), C.Name) << C.CC;
}

} // namespace
