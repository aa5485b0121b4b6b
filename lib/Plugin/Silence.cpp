//===- Silence.cpp - Findings that the source asks to leave out -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Silence.h"
#include "ptxpredict/Lint/Suppression.h"
#include "ptxpredict/Support/InputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
using namespace ptxpredict::plugin;

/// The text of `__attribute__((annotate("...")))`.
static StringRef annotationText(const llvm::Value *V) {
  auto *Variable = dyn_cast<llvm::GlobalVariable>(V->stripPointerCasts());
  auto *Text =
      Variable && Variable->hasInitializer()
          ? dyn_cast<llvm::ConstantDataSequential>(Variable->getInitializer())
          : nullptr;
  return Text && Text->isCString() ? Text->getAsCString() : StringRef();
}

void Silence::readAnnotations() {
  const llvm::GlobalVariable *All =
      IR.getNamedGlobal("llvm.global.annotations");
  if (!All || !All->hasInitializer())
    return;
  for (const llvm::Use &Entry : All->getInitializer()->operands()) {
    auto *Fields = dyn_cast<llvm::ConstantStruct>(Entry);
    if (!Fields || Fields->getNumOperands() < 2)
      continue;
    auto *F =
        dyn_cast<llvm::Function>(Fields->getOperand(0)->stripPointerCasts());
    StringRef Text = annotationText(Fields->getOperand(1));
    if (!F || !Text.contains(Suppression::Marker))
      continue;
    Annotations[F].push_back(Text);
    if (const llvm::DISubprogram *P = F->getSubprogram())
      Annotations[P].push_back(Text);
  }
}

bool Silence::isAnnotated(const void *F, StringRef Rule) {
  if (!std::exchange(HasAnnotations, true))
    readAnnotations();
  auto Found = Annotations.find(F);
  return Found != Annotations.end() &&
         llvm::any_of(Found->second, [&](StringRef Text) {
           return Suppression::find(Text, Rule).has_value();
         });
}

const Silence::File &Silence::file(const llvm::DILocation &At) {
  llvm::SmallString<128> Path(At.getFilename());
  if (!llvm::sys::path::is_absolute(Path)) {
    Path = At.getDirectory();
    llvm::sys::path::append(Path, At.getFilename());
  }
  auto [It, IsNew] = Files.try_emplace(Path);
  File &F = It->second;
  if (!IsNew)
    return F;
  F.Text = readFoundFile(Path, MaxInputBytes);
  if (!F.Text)
    return F;
  StringRef All = F.Text->getBuffer();
  F.MayIgnore = All.contains(Suppression::Marker);
  if (F.MayIgnore)
    for (size_t Start = 0; Start != StringRef::npos;) {
      F.LineStarts.push_back(Start);
      size_t End = All.find('\n', Start);
      Start = End == StringRef::npos ? End : End + 1;
    }
  return F;
}

StringRef Silence::line(const File &F, unsigned Number) {
  if (Number == 0 || Number > F.LineStarts.size())
    return {};
  return F.Text->getBuffer()
      .drop_front(F.LineStarts[Number - 1])
      .take_until([](char C) { return C == '\n'; });
}

bool Silence::isCommented(const llvm::DILocation &At, StringRef Rule) {
  const File &F = file(At);
  if (!F.MayIgnore)
    return false;
  return Suppression::findOfLine(line(F, At.getLine()),
                                 line(F, At.getLine() - 1), Rule)
      .has_value();
}

bool Silence::covers(const llvm::Function &F, StringRef Rule) {
  return isAnnotated(&F, Rule);
}

bool Silence::covers(const llvm::DILocation &At, StringRef Rule) {
  return isCommented(At, Rule) ||
         isAnnotated(At.getScope()->getSubprogram(), Rule);
}
