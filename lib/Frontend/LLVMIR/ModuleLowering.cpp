//===- ModuleLowering.cpp - What all functions of a module share ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ModuleLowering.h"
#include "InputLines.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

AddressSpace llvmir::spaceOf(unsigned Number) {
  switch (Number) {
  case llvm::NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return AddressSpace::Global;
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED:
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER:
    return AddressSpace::Shared;
  case llvm::NVPTXAS::ADDRESS_SPACE_CONST:
    return AddressSpace::Const;
  case llvm::NVPTXAS::ADDRESS_SPACE_LOCAL:
    return AddressSpace::Local;
  case llvm::NVPTXAS::ADDRESS_SPACE_PARAM:
    return AddressSpace::Param;
  default:
    return AddressSpace::Generic;
  }
}

ModuleLowering::ModuleLowering(const llvm::Module &IR, Module &M,
                               DiagnosticEngine &Diags)
    : IR(IR), M(M), Diags(Diags), Capability(M.targetCapability()),
      Texts(M.Allocator) {}

const llvm::DataLayout &ModuleLowering::layout() const {
  return IR.getDataLayout();
}

const SourceLocation *ModuleLowering::location(const llvm::DILocation *L) {
  if (!L || L->getLine() == 0)
    return nullptr;
  if (const SourceLocation *Known = Locations.lookup(L))
    return Known;
  const SourceLocation *At = location(L->getInlinedAt());
  auto *S = new (M.Allocator.Allocate<SourceLocation>()) SourceLocation;
  llvm::SmallString<128> Path(L->getFilename());
  if (!llvm::sys::path::is_absolute(Path) && !L->getDirectory().empty()) {
    Path = L->getDirectory();
    llvm::sys::path::append(Path, L->getFilename());
  }
  S->File = Texts.save(Path.str());
  S->Line = L->getLine();
  S->Column = L->getColumn();
  S->InlinedAt = At;
  if (At)
    if (const llvm::DISubprogram *P = L->getScope()->getSubprogram())
      S->Function = Texts.save(
          P->getLinkageName().empty() ? P->getName() : P->getLinkageName());
  Locations[L] = S;
  return S;
}

unsigned ModuleLowering::line(const llvm::Instruction &I) {
  return inputLine(I);
}

void ModuleLowering::note(const llvm::Instruction &I, const Twine &Message) {
  Diagnostic D = Diags.make(Severity::Note, SMLoc(), Message);
  D.Line = line(I);
  D.Column = 1;
  D.HasText = false;
  Diags.add(std::move(D));
}
