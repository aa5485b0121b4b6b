//===- DeviceNames.cpp - Devices by what people type ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmbeddedDevices.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace ptxpredict;

std::string ptxpredict::plainDeviceName(StringRef Name) {
  std::string Plain;
  for (char C : Name)
    if (!StringRef("-_ ()\t").contains(C))
      Plain += llvm::toLower(C);
  StringRef Rest = Plain;
  for (StringRef Maker : {"nvidia", "geforce", "tesla"})
    if (Rest.size() > Maker.size())
      Rest.consume_front(Maker);
  return Rest.str();
}

namespace {
/// A name or alias, and the device that has it.
struct NameEntry {
  StringRef Text, Device;
};
} // namespace

/// Whether \p Name from behind one of its dashes on begins with \p Plain, or
/// \p IsAll of it is that.
static bool hasPart(StringRef Name, StringRef Plain, bool IsAll) {
  for (size_t Dash = Name.find('-'); Dash != StringRef::npos;
       Dash = Name.find('-', Dash + 1)) {
    const std::string Rest = plainDeviceName(Name.drop_front(Dash + 1));
    if (IsAll ? Rest == Plain : StringRef(Rest).starts_with(Plain))
      return true;
  }
  return false;
}

/// The devices of \p Entries that \p Meets.
static std::set<StringRef>
devicesOf(ArrayRef<NameEntry> Entries,
          llvm::function_ref<bool(const NameEntry &)> Meets) {
  std::set<StringRef> Result;
  for (const NameEntry &E : Entries)
    if (Meets(E))
      Result.insert(E.Device);
  return Result;
}

/// What \p Asked may mean, by the first way in which it means anything.
static std::set<StringRef>
candidates(StringRef Asked, ArrayRef<NameEntry> Entries, bool IsWhole) {
  // Shorter ones would be found in too many names.
  constexpr size_t LeastOfName = 2, LeastOfPart = 3;
  const std::string Plain = plainDeviceName(Asked);
  if (Plain.empty())
    return {};
  std::set<StringRef> Found = devicesOf(Entries, [&](const NameEntry &E) {
    return plainDeviceName(E.Text) == Plain;
  });
  if (!Found.empty() || IsWhole || Plain.size() < LeastOfName)
    return Found;
  // "4090" is rtx-4090 rather than rtx-4090-d.
  auto IsPart = [&](bool IsAll) {
    return devicesOf(Entries, [&](const NameEntry &E) {
      return E.Text == E.Device && hasPart(E.Text, Plain, IsAll);
    });
  };
  Found = devicesOf(Entries, [&](const NameEntry &E) {
    return StringRef(plainDeviceName(E.Text)).starts_with(Plain);
  });
  if (Found.size() == 1 || Plain.size() < LeastOfPart)
    return Found;
  if (Found.empty())
    if (std::set<StringRef> Ends = IsPart(/*IsAll=*/true); Ends.size() == 1)
      return Ends;
  const std::set<StringRef> ByPart = IsPart(/*IsAll=*/false);
  Found.insert(ByPart.begin(), ByPart.end());
  return Found;
}

Expected<std::string> DeviceRegistry::resolve(StringRef Asked,
                                              bool IsWhole) const {
  // Those of files go before the program's.
  std::vector<NameEntry> Entries;
  for (const auto &[Name, D] : Loaded)
    if (!D->Abstract)
      for (StringRef Alias : D->Aliases)
        Entries.push_back({Alias, Name});
  for (const DeviceAlias &A : embeddedDeviceAliases())
    Entries.push_back({A.Alias, A.Name});
  for (const NameEntry &E : Entries)
    if (E.Text == Asked)
      return E.Device.str();
  const std::vector<std::string> Names = names();
  for (StringRef Name : Names)
    Entries.push_back({Name, Name});

  const std::set<StringRef> Found = candidates(Asked, Entries, IsWhole);
  if (Found.empty()) {
    const std::vector<StringRef> Listed(Names.begin(), Names.end());
    std::vector<StringRef> Candidates = Listed; // names before aliases
    for (const NameEntry &E : Entries)
      Candidates.push_back(E.Text);
    std::vector<std::string> Plain;
    Plain.reserve(Candidates.size());
    for (StringRef Name : Candidates)
      Plain.push_back(plainDeviceName(Name));
    const std::vector<StringRef> PlainNames(Plain.begin(), Plain.end());
    const StringRef Near = nearestName(plainDeviceName(Asked), PlainNames);
    if (auto It = llvm::find(PlainNames, Near); It != PlainNames.end())
      Candidates = {Candidates[size_t(It - PlainNames.begin())]};
    return unknownDevice(Asked, Candidates, Listed);
  }
  if (Found.size() == 1)
    return Found.begin()->str();
  return llvm::createStringError(
      "'" + Asked + "' may be any of " +
      listNames(std::vector<StringRef>(Found.begin(), Found.end())));
}

std::string ptxpredict::takenInPlace(StringRef Asked, const Device &Found) {
  return Found.Name == Asked ? "" : Found.Name + " is taken";
}
