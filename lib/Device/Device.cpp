//===- Device.cpp - What a GPU is -----------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Device/Device.h"
#include "EmbeddedDevices.h"
#include "ptxpredict/Support/NameLists.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <mutex>
#include <set>

using namespace ptxpredict;

ArrayRef<DeviceField> ptxpredict::deviceFields() {
  static constexpr DeviceField Fields[] = {
#define DEVICE_FIELD(SECTION, MEMBER, KEY, UNIT, REQUIRED, MEANING)            \
  {#SECTION, KEY, UNIT, REQUIRED, MEANING, &Device::MEMBER},
#include "ptxpredict/Device/DeviceFields.def"
  };
  return Fields;
}

const Quantity *Device::modelParameter(StringRef Model, StringRef Key) const {
  auto Table = ModelParameters.find(Model);
  if (Table == ModelParameters.end())
    return nullptr;
  auto Parameter = Table->second.find(Key);
  return Parameter == Table->second.end() ? nullptr : &Parameter->second;
}

Error ptxpredict::unknownDevice(StringRef Name, ArrayRef<StringRef> Candidates,
                                ArrayRef<StringRef> Listed) {
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      "no device named '" + Name + "'" +
          meantOrListed(Name, Candidates, Listed, "'ptx-predict devices'"));
}

Expected<const Device *> ptxpredict::findEmbedded(
    StringRef Name, std::vector<std::unique_ptr<Device>> &Storage,
    std::map<std::string, const Device *, std::less<>> &Known,
    DeviceRegistry::Sources Sources) {
  if (auto It = Known.find(Name); It != Known.end())
    return It->second;
  ArrayRef<EmbeddedFile> Files = embeddedFiles();
  const EmbeddedFile *File =
      llvm::lower_bound(Files, Name, [](const EmbeddedFile &F, StringRef N) {
        return F.Name < N;
      });
  if (File == Files.end() || File->Name != Name) {
    SmallVector<StringRef, 64> Candidates;
    for (const EmbeddedFile &F : Files)
      Candidates.push_back(F.Name);
    for (const auto &Entry : Known)
      Candidates.push_back(Entry.first);
    return unknownDevice(Name, Candidates, Candidates);
  }
  const bool IsWhole = Sources == DeviceRegistry::Sources::Kept;
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(
      IsWhole ? File->Text : File->Numbers, File->Name,
      /*RequiresNullTerminator=*/false));
  std::unique_ptr<Device> D = readDevice(
      Diags,
      [&](StringRef Base) {
        return findEmbedded(Base, Storage, Known, Sources);
      },
      IsWhole ? DeviceText::Embedded : DeviceText::Numbers);
  if (!D)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   Name + ": " +
                                       Diags.diagnostics().front().Message);
  Storage.push_back(std::move(D));
  return Known[Name.str()] = Storage.back().get();
}

std::unique_ptr<Device>
ptxpredict::parseDevice(DiagnosticEngine &Diags,
                        ArrayRef<const Device *> KnownDevices) {
  std::vector<std::unique_ptr<Device>> Storage;
  std::map<std::string, const Device *, std::less<>> Known;
  for (const Device *D : KnownDevices)
    Known[D->Name] = D;
  return readDevice(
      Diags,
      [&](StringRef Base) {
        return findEmbedded(Base, Storage, Known,
                            DeviceRegistry::Sources::Kept);
      },
      DeviceText::File);
}

/// An embedded device or base that no file's device stands in for: nothing ever
/// changes it, so that all registries share it.
static Expected<const Device *> findShared(StringRef Name,
                                           DeviceRegistry::Sources Sources) {
  struct Shared {
    std::mutex Mutex;
    std::vector<std::unique_ptr<Device>> Storage;
    std::map<std::string, const Device *, std::less<>> Known;
  };
  static std::array<Shared, 2> BySources;
  Shared &S = BySources[size_t(Sources)];
  std::lock_guard<std::mutex> Lock(S.Mutex);
  return findEmbedded(Name, S.Storage, S.Known, Sources);
}

bool DeviceRegistry::addFile(DiagnosticEngine &Diags) {
  std::unique_ptr<Device> D = readDevice(
      Diags,
      [&](StringRef Base) {
        return findEmbedded(Base, Storage, Loaded, OfEmbedded);
      },
      DeviceText::File);
  if (!D)
    return true;
  Loaded[D->Name] = D.get();
  Storage.push_back(std::move(D));
  return false;
}

Expected<const Device *> DeviceRegistry::find(StringRef Name) {
  return find(Name, /*IsWhole=*/false);
}

Expected<const Device *> DeviceRegistry::findWhole(StringRef Name) {
  return find(Name, /*IsWhole=*/true);
}

Expected<const Device *> DeviceRegistry::find(StringRef Name, bool IsWhole) {
  std::string Meant;
  const auto Added = Loaded.find(Name);
  const bool IsAdded = Added != Loaded.end() && !Added->second->Abstract;
  if (!IsAdded && !llvm::binary_search(embeddedDeviceNames(), Name)) {
    Expected<std::string> Found = resolve(Name, IsWhole);
    if (!Found)
      return Found.takeError();
    Name = Meant = std::move(*Found);
  }
  return Loaded.empty() ? findShared(Name, OfEmbedded)
                        : findEmbedded(Name, Storage, Loaded, OfEmbedded);
}

std::vector<std::string> DeviceRegistry::names() const {
  ArrayRef<StringRef> Embedded = embeddedDeviceNames();
  std::set<std::string> Names(Embedded.begin(), Embedded.end());
  for (const auto &Entry : Loaded)
    if (!Entry.second->Abstract)
      Names.insert(Entry.first);
  return {Names.begin(), Names.end()};
}

StringRef ptxpredict::representativeDevice(unsigned ComputeCapability) {
  static constexpr struct {
    unsigned ComputeCapability;
    StringRef Name;
  } Representatives[] = {{120, "rtx-5090"}, {100, "b200"},    {90, "h100-sxm"},
                         {89, "rtx-4090"},  {86, "rtx-3090"}, {80, "a100-80gb"},
                         {75, "t4"},        {70, "v100"}};
  for (const auto &R : Representatives)
    if (ComputeCapability >= R.ComputeCapability)
      return R.Name;
  return "h100-sxm";
}
