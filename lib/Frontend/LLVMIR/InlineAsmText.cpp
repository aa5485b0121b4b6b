//===- InlineAsmText.cpp - The text of inline assembly --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InlineAsmText.h"
#include "Heads.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The register class of a constraint, as NVPTXTargetLowering has them.
static std::optional<ScalarType> registerClass(StringRef Code) {
  if (Code.size() != 1)
    return std::nullopt;
  switch (Code[0]) {
  case 'b':
    return ScalarType::Pred;
  case 'c':
  case 'h':
    return ScalarType::B16;
  case 'r':
  case 'f':
    return ScalarType::B32;
  case 'l':
  case 'N':
  case 'd':
    return ScalarType::B64;
  case 'q':
    return ScalarType::B128;
  default:
    return std::nullopt;
  }
}

static void applyCode(StringRef Code, AsmOperand &O) {
  bool IsConstant = O.Argument && isa<llvm::Constant>(O.Argument);
  if ((Code == "n" || Code == "i" || Code == "s" || Code == "E" ||
       Code == "F" || Code == "X") &&
      IsConstant) {
    O.IsImmediate = true;
  } else if (Code == "m" && O.Argument) {
    O.IsMemory = true;
    O.Class = ScalarType::B64;
  } else if (!O.Class) {
    O.Class = registerClass(Code);
  }
}

SmallVector<AsmOperand, 8> llvmir::operandsOf(const llvm::CallBase &I) {
  SmallVector<AsmOperand, 8> Out;
  unsigned NextArgument = 0;
  for (const llvm::InlineAsm::ConstraintInfo &C :
       cast<llvm::InlineAsm>(I.getCalledOperand())->ParseConstraints()) {
    bool IsResult = C.Type == llvm::InlineAsm::isOutput && !C.isIndirect;
    if (C.Type != llvm::InlineAsm::isOutput &&
        C.Type != llvm::InlineAsm::isInput)
      continue;
    AsmOperand &O = Out.emplace_back();
    if (!IsResult && NextArgument != I.arg_size())
      O.Argument = I.getArgOperand(NextArgument++);
    for (const std::string &Code : C.Codes) {
      unsigned Output;
      if (!StringRef(Code).getAsInteger(10, Output) && Output < Out.size()) {
        O.Tied = Output;
        O.Class = Out[Output].Class;
      } else {
        applyCode(Code, O);
      }
    }
    O.NeedsStore =
        C.Type == llvm::InlineAsm::isOutput && C.isIndirect && !O.IsMemory;
  }
  return Out;
}

SmallVector<const llvm::ExtractValueInst *, 8>
llvmir::takenResults(const llvm::CallBase &I) {
  SmallVector<const llvm::ExtractValueInst *, 8> Out;
  auto *T = dyn_cast<llvm::StructType>(I.getType());
  if (!T)
    return Out;
  Out.resize(T->getNumElements());
  llvm::BitVector Seen(T->getNumElements());
  for (const llvm::Instruction *Next = I.getNextNode(); Next;
       Next = Next->getNextNode()) {
    const auto *E = dyn_cast<llvm::ExtractValueInst>(Next);
    if (!E || E->getAggregateOperand() != &I)
      break;
    unsigned N = E->getIndices().front();
    Out[N] = Seen.test(N) || E->getNumIndices() != 1 ? nullptr : E;
    Seen.set(N);
  }
  return Out;
}

void llvmir::forEachTied(const llvm::CallBase &I,
                         llvm::function_ref<void(const llvm::Instruction &,
                                                 const llvm::Instruction &)>
                             Fn) {
  SmallVector<AsmOperand, 8> Operands = operandsOf(I);
  SmallVector<const llvm::ExtractValueInst *, 8> Taken = takenResults(I);
  SmallVector<const llvm::Instruction *, 8> Results; // by operand
  size_t Member = 0;
  for (const AsmOperand &O : Operands) {
    const llvm::Instruction *Result = nullptr;
    if (!O.Argument && O.Class && !I.getType()->isStructTy())
      Result = &I;
    else if (!O.Argument && O.Class && Member < Taken.size())
      Result = Taken[Member++];
    Results.push_back(Result);
  }
  for (const AsmOperand &O : Operands) {
    const auto *In = O.Tied
                         ? llvm::dyn_cast_or_null<llvm::Instruction>(O.Argument)
                         : nullptr;
    if (In && Results[*O.Tied] && llvm::count(I.args(), In) == 1)
      Fn(*Results[*O.Tied], *In);
  }
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

namespace {
/// Puts operands into the text of inline assembly, as AsmPrinter does.
class TextWriter {
public:
  TextWriter(StringRef Template, ArrayRef<AsmOperand> Operands)
      : Rest(Template), Operands(Operands) {}

  /// True on error: no operand, or no text for it.
  bool write();
  std::string Text;

private:
  bool writeEscape();
  bool writeOperand(StringRef Number, StringRef Modifier);
  bool writeImmediate(const llvm::Value *V, StringRef Modifier);
  void add(const Twine &T) {
    if (Alternative <= 0) // the first of several is for this printer
      Text += T.str();
  }

  StringRef Rest;
  ArrayRef<AsmOperand> Operands;
  int Alternative = -1; ///< within `$(`…`$|`…`$)`; -1 outside
};
} // namespace

bool TextWriter::write() {
  while (!Rest.empty()) {
    size_t Plain = std::min(Rest.find('$'), Rest.size());
    add(Rest.take_front(Plain));
    Rest = Rest.drop_front(Plain);
    if (!Rest.empty() && writeEscape())
      return true;
  }
  return false;
}

/// What starts with a dollar.
bool TextWriter::writeEscape() {
  Rest = Rest.drop_front();
  if (Rest.consume_front("$")) {
    add("$");
  } else if (Rest.consume_front("(")) {
    Alternative = 0;
  } else if (Rest.consume_front("|")) {
    if (Alternative < 0)
      add("|");
    else
      ++Alternative;
  } else if (Rest.consume_front(")")) {
    if (Alternative < 0)
      add("}");
    Alternative = -1;
  } else if (Rest.consume_front("{")) {
    auto [Inside, Behind] = Rest.split('}');
    Rest = Behind;
    auto [Number, Modifier] = Inside.split(':');
    if (!Number.empty())
      return writeOperand(Number, Modifier);
    // A number for each call tells labels apart; each call has its own anyway.
    if (Modifier == "uid")
      add("0");
    else if (Modifier == "comment")
      add("//");
    else if (Modifier != "private")
      return true;
  } else {
    StringRef Number = Rest.take_while(llvm::isDigit);
    Rest = Rest.drop_front(Number.size());
    return writeOperand(Number, "");
  }
  return false;
}

bool TextWriter::writeOperand(StringRef Number, StringRef Modifier) {
  unsigned N;
  if (Number.getAsInteger(10, N) || N >= Operands.size())
    return true;
  const AsmOperand &O = Operands[N];
  if (O.IsImmediate)
    return writeImmediate(O.Argument, Modifier);
  if (!O.Class)
    return true;
  std::string Name = "%" + std::to_string(O.Tied.value_or(N));
  add(O.IsMemory ? "[" + Name + "]" : Name);
  return false;
}

bool TextWriter::writeImmediate(const llvm::Value *V, StringRef Modifier) {
  if (const auto *G = dyn_cast<llvm::GlobalValue>(V)) {
    add(G->getName());
    return false;
  }
  if (const auto *F = dyn_cast<llvm::ConstantFP>(V)) {
    bool IsDouble = F->getType()->isDoubleTy();
    uint64_t Bits = F->getValueAPF().bitcastToAPInt().getZExtValue();
    add((IsDouble ? "0d" : "0f") +
        llvm::utohexstr(Bits, /*LowerCase=*/false, IsDouble ? 16 : 8));
    return false;
  }
  const auto *I = dyn_cast<llvm::ConstantInt>(V);
  if (!I || I->getBitWidth() > 64)
    return !isa<llvm::UndefValue>(V);
  int64_t Value = I->getSExtValue();
  add(llvm::itostr(Modifier == "n" ? int64_t(0 - uint64_t(Value)) : Value));
  return false;
}

/// Calls \p Fn for each name in \p Text that may be one of the module's.
template <typename FnT>
static void forEachName(StringRef Text, FnT Fn) {
  auto IsInName = [](char C) {
    return llvm::isAlnum(C) || C == '_' || C == '$' || C == '%' || C == '.';
  };
  while (!Text.empty()) {
    StringRef Name = Text.take_while(IsInName);
    Text = Text.drop_front(std::max<size_t>(Name.size(), 1));
    if (!Name.empty() && !llvm::isDigit(Name[0]) && Name[0] != '%' &&
        !Name.contains('.'))
      Fn(Name);
  }
}

std::optional<std::string> llvmir::asmText(StringRef Template,
                                           ArrayRef<AsmOperand> Operands) {
  TextWriter Writer(Template, Operands);
  if (Writer.write())
    return std::nullopt;
  return std::move(Writer.Text);
}

Expected<std::unique_ptr<ptx::Fragment>>
llvmir::parseAsm(ModuleLowering &Context, StringRef Text,
                 ArrayRef<AsmOperand> Operands) {
  ptx::FragmentNames Names;
  for (unsigned N = 0; N != Operands.size(); ++N)
    if (Operands[N].hasRegister())
      Names.Registers.push_back(
          {Context.keep("%" + Twine(N)), *Operands[N].Class});
  llvm::SmallPtrSet<const llvm::GlobalValue *, 4> Seen;
  std::vector<std::unique_ptr<InstructionGraph>> Heads; // of declarations
  forEachName(Text, [&](StringRef Name) {
    const llvm::GlobalValue *G = Context.ir().getNamedValue(Name);
    if (!G || !Seen.insert(G).second)
      return;
    if (const auto *V = dyn_cast<llvm::GlobalVariable>(G)) {
      if (const Variable *Known = Context.variable(*V))
        Names.Variables.push_back(Known);
    } else if (const auto *F = dyn_cast<llvm::Function>(G)) {
      const InstructionGraph *Known = Context.graph(*F);
      if (!Known) {
        Heads.push_back(std::make_unique<InstructionGraph>());
        lowerHead(Context, *F, *Heads.back());
        Known = Heads.back().get();
      }
      Names.Functions.push_back(Known);
    }
  });
  return ptx::Fragment::parse(Text, Names, Context.module());
}
