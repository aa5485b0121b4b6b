//===- ExactResources.cpp - What an assembler says of inputs --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

std::vector<std::string>
Driver::Impl::architecturesOf(const Input &In, const Device &Target) const {
  const Module &M = In.Parsed->module();
  const unsigned Capability = M.targetCapability();
  std::vector<std::string> Architectures;
  auto Add = [&](std::string Architecture) {
    if (!llvm::is_contained(Architectures, Architecture))
      Architectures.push_back(std::move(Architecture));
  };
  if (Capability != 0)
    Add(M.Target.str());
  for (const Device *D : Devices)
    Add(architectureFor(M.Target, Capability, D->ComputeCapability));
  if (Devices.empty())
    Add(architectureFor(M.Target, Capability, Target.ComputeCapability));
  return Architectures;
}

void Driver::Impl::compile(Input &In, const Device &Target) {
  const std::vector<std::string> Architectures = architecturesOf(In, Target);
  std::optional<StringRef> Text = In.Parsed->ptx(*In.Diags);
  if (!Text) {
    if (!Options.Read.LowerToSASS)
      In.Diags->note(SMLoc(), "machine code says what registers it has: --via "
                              "changes nothing");
    return;
  }
  CompileAnswer Answer;
  const CompileRequest Request = {*Text, In.Parsed->module().Target,
                                  Architectures};
  (void)compileVia(*Assembler, Request, Answer, *In.Diags,
                   General); // reported
  In.Compiled = std::move(Answer.Info);
  In.Refusals = std::move(Answer.Refusals);
}

const CompileAnswer *Driver::Impl::askNearStep(const Job &J) const {
  std::call_once(Nearby.Once, [this] {
    if (Expected<Ptxas> Found = Ptxas::find(Options.Via->Path))
      Nearby.Found = std::move(*Found);
    else
      Nearby.WhyNot = llvm::toString(Found.takeError());
  });
  if (!Nearby.Found)
    return nullptr;
  const Input &In = Inputs[J.Input];
  CompileAnswer &Answer = In.NearSteps->Answer;
  std::call_once(In.NearSteps->Once, [&] {
    const std::vector<std::string> Architectures =
        architecturesOf(In, *J.Target);
    // Its messages are of a question that nobody asked.
    DiagnosticEngine Problems;
    std::optional<StringRef> Text = In.Parsed->ptx(Problems);
    if (Text) {
      const CompileRequest Request = {*Text, In.Parsed->module().Target,
                                      Architectures};
      (void)compileVia(*Nearby.Found, Request, Answer, Problems, Problems);
    }
    for (const Diagnostic &D : Problems.diagnostics())
      for (const std::string &Architecture : Architectures)
        Answer.Refusals.try_emplace(Architecture, D.Message);
  });
  return &Answer;
}

CompiledKernel Driver::Impl::exactResources(const Job &J, StringRef Name,
                                            StringRef Target) const {
  const Input &In = Inputs[J.Input];
  CompiledKernel Result(J.Exact     ? J.Exact->Info
                        : Assembler ? In.Compiled
                                    : Log,
                        Name, Target);
  for (const auto &[Architecture, Why] :
       J.Exact ? J.Exact->Refusals : In.Refusals)
    Result.Refusals.push_back({Architecture, Why});
  return Result;
}
