//===- Check.cpp - Names resolved, operands checked -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Nothing is refused here that ptxas accepts; where its rules are not certain,
// the operand passes.
//===----------------------------------------------------------------------===//
#include "ParserImpl.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

using Kind = ptx::Operand::KindTy;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void Parser::resolve(Operand &O, Unresolved Policy) {
  switch (O.Kind) {
  case Kind::Name:
    return resolveName(O, Policy);
  case Kind::Integer:
  case Kind::Float:
  case Kind::String:
  case Kind::Sink:
  case Kind::Directive:
    return;
  case Kind::Assign: // a field of a sampler, with a word as its value
    return;
  case Kind::Binary: // a long sum is a chain to the left
    for (Operand *Left = &O;; Left = &Left->children()[0]) {
      if (!Left->is(Kind::Binary))
        return resolve(*Left, Policy);
      resolve(Left->children()[1], Policy);
    }
  default:
    for (Operand &Child : O.children())
      resolve(Child, Policy);
  }
}

void Parser::resolveName(Operand &O, Unresolved Policy) {
  StringRef Text = O.text();
  if (size_t Dot = Text.find('.'); Dot != StringRef::npos) {
    StringRef Name = Text.take_front(Dot).rtrim(), Selector = Text.substr(Dot);
    if (isSpecialRegister(Text) ||
        isSpecialRegister((Name + Selector).str())) // `%tid .x`
      return;
    if (Text.size() - Name.size() < 32)
      O.SelectorLength = uint8_t(Text.size() - Name.size());
  }
  uint32_t Index;
  if (const Node *Target = Symbols.lookup(O.name(), Index)) {
    O.Target = Target;
    O.Index = Index;
    return;
  }
  if (isSpecialRegister(Text))
    return;
  if (Text == "WARP_SZ") {
    O.Kind = Kind::Integer;
    O.Value = 32; // ISA 4.5.3: the warp size of every target so far
    return;
  }
  if (Policy == Unresolved::IsLabel && !Text.starts_with("%"))
    Pending.push_back({&O, Policy});
  else
    undeclared(O, Policy);
}

void Parser::undeclared(const Operand &O, Unresolved Policy) {
  StringRef Name = O.name();
  if (ScopeDamaged || Stop || !ReportedNames.insert(Name).second)
    return;
  if (Diags.numErrors() >= DiagnosticEngine::MaxErrors) {
    errorAt(O.loc(), "");
    return;
  }
  std::string Hint;
  if (RegisterName R = splitRegisterName(Name); R.IsNumbered)
    if (const Variable *V = Symbols.range(R.Prefix))
      Hint = V->RangeCount == 0
                 ? ("; '" + V->Name + "<0>' has none").str()
                 : ("; '" + V->Name + "<" + Twine(V->RangeCount) +
                    ">' ends at '" + V->Name + Twine(V->RangeCount - 1) + "'")
                       .str();
  if (Hint.empty() && Name.size() >= 3 && Name.size() <= 64) {
    SmallVector<StringRef, 0> Names;
    Symbols.names(Names, 2000);
    Hint = didYouMean(Name, Names);
  }
  StringRef What = Name.starts_with("%")              ? "register"
                   : Policy == Unresolved::IsLabel    ? "label"
                   : Policy == Unresolved::IsFunction ? "function"
                                                      : "symbol";
  errorAt(O.loc(), "use of undeclared " + What + " " + quoted(Name) + Hint);
}

void Parser::resolvePending(size_t From, bool Final) {
  size_t Kept = From;
  for (size_t I = From; I != Pending.size(); ++I) {
    uint32_t Index;
    Operand &O = *Pending[I].Use;
    if (const Node *Target = Symbols.lookup(O.name(), Index))
      O.Target = Target;
    else if (Final)
      undeclared(O, Pending[I].Policy);
    else
      Pending[Kept++] = Pending[I];
  }
  Pending.resize(Kept);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static const Variable *registerOf(const Operand &O) {
  if (!O.is(Kind::Name) || !O.Target)
    return nullptr;
  auto *V = dyn_cast<Variable>(O.Target);
  return V && V->Space == AddressSpace::Register ? V : nullptr;
}

/// Which forms an operand could be taken for.
static uint16_t formsOf(const Operand &O) {
  switch (O.Kind) {
  case Kind::Name: {
    if (!O.Target) // special, or reported, or a label further on
      return O.Begin[0] == '%' ? FormSpecial | FormRegister : FormSymbol;
    const Variable *V = registerOf(O);
    if (!V)
      return FormSymbol;
    if (V->Vector > 1 && O.SelectorLength == 0)
      return FormVector | FormRegister;
    return V->Type == ScalarType::Pred ? FormPredicate | FormRegister
                                       : FormRegister;
  }
  case Kind::Sink:
    return FormSink;
  case Kind::Not:
    return FormPredicate;
  case Kind::Pair:
    return FormPair;
  case Kind::Vector:
    return FormVector;
  case Kind::List:
    return FormList;
  case Kind::Address:
    return FormAddress;
  case Kind::Element:
    return FormAddress | FormSymbol;
  case Kind::Integer:
  case Kind::Float:
    return FormImmediate;
  case Kind::Unary:
  case Kind::Paren:
  case Kind::Cast:
    return formsOf(O.child());
  case Kind::Binary:
    return FormImmediate | FormSymbol;
  default:
    return FormImmediate | FormSymbol;
  }
}

static std::string describeForms(uint16_t Forms) {
  static const std::pair<OperandForm, const char *> Names[] = {
      {FormRegister, "a register"},
      {FormPredicate, "a predicate"},
      {FormImmediate, "a constant"},
      {FormVector, "a vector {...}"},
      {FormAddress, "an address in brackets"},
      {FormSymbol, "a name"},
      {FormPair, "a pair p|q"},
      {FormList, "a list (...)"}};
  SmallVector<StringRef, 8> Parts;
  for (auto [Form, Name] : Names)
    if (Forms & Form)
      Parts.push_back(Name);
  std::string Text;
  for (size_t I = 0; I != Parts.size(); ++I) {
    if (I != 0)
      Text += I + 1 == Parts.size() ? " or " : ", ";
    Text += Parts[I];
  }
  return Text;
}

/// `%laneid`, `%tid.x` or, with blanks, `%tid .x`.
static bool isSpecial(const Operand &O) {
  StringRef Text = O.text();
  auto [Name, Selector] = Text.split('.');
  return isSpecialRegister(Text) ||
         (!Selector.empty() &&
          isSpecialRegister((Name.rtrim() + "." + Selector).str()));
}

void Parser::check(Instruction &I) {
  if (I.Guard) {
    Operand &G = *const_cast<Operand *>(I.Guard);
    resolve(G, Unresolved::IsError);
    const Operand &Name = G.is(Kind::Not) ? G.child() : G;
    const Variable *V = registerOf(Name);
    bool IsReported = Name.is(Kind::Name) && !Name.Target && !isSpecial(Name);
    if (!IsReported && (!V || V->Type != ScalarType::Pred))
      errorAt(Name.loc(),
              "a guard must be a register of type .pred; " +
                  quoted(Name.text()) + " is " +
                  (V ? "of type ." + toString(V->Type).str() : "none"));
  }
  MutableArrayRef<Operand> Operands(const_cast<Operand *>(I.Operands.data()),
                                    I.Operands.size());
  const Mnemonic &M = *I.Op;
  if (isCall(M.Decoded.Op))
    return checkCall(I, Operands);
  if (!M.CountOk) {
    errorAt(I.loc(), quoted(M.Text) + " takes " +
                         operandCounts(M.Decoded.Op, M.Decoded.Modifiers) +
                         " operands, not " + Twine(M.NumOperands));
    return;
  }
  bool Unknown = M.Decoded.Op == Opcode::Unknown;
  for (unsigned N = 0; N != Operands.size(); ++N) {
    const OperandInfo *Info =
        N < M.Signature.size() ? &M.Signature[N] : nullptr;
    bool MayBeLabel = Unknown || !Info || Info->Role == OperandRole::Label;
    resolve(Operands[N],
            MayBeLabel ? Unresolved::IsLabel : Unresolved::IsError);
    if (Info && !Unknown)
      checkOperand(I, N, Operands[N], *Info);
  }
  if (M.Decoded.Op == Opcode::CpAsync)
    checkCopySizes(I);
}

/// ISA 9.7.9.25.3.1: cp-size is 4, 8 or 16, with .cg 16; src-size is at most
/// that.
void Parser::checkCopySizes(const Instruction &I) {
  constexpr unsigned CopyAt = 2, SourceAt = 3;
  if (I.Operands.size() <= CopyAt)
    return;
  const Operand &Copy = I.Operands[CopyAt];
  const auto Bytes = evaluate(Copy);
  if (!Bytes)
    return;
  const bool All = hasModifier(I.Op->Decoded.Modifiers, "cg");
  if (*Bytes != 16 && (All || (*Bytes != 4 && *Bytes != 8))) {
    errorAt(Copy.loc(), quoted(I.Op->Text) + " copies " +
                            (All ? "16" : "4, 8 or 16") + " bytes, not " +
                            Twine(*Bytes));
    return;
  }
  if (I.Operands.size() <= SourceAt || !I.Operands[SourceAt].is(Kind::Integer))
    return;
  const Operand &Source = I.Operands[SourceAt];
  if (const auto Read = evaluate(Source); Read && (*Read < 0 || *Read > *Bytes))
    errorAt(Source.loc(), "of " + Twine(*Bytes) + " bytes that " +
                              quoted(I.Op->Text) + " writes, " + Twine(*Read) +
                              " cannot be read");
}

CallParts ptx::callParts(const Instruction &I) {
  CallParts P;
  for (const Operand &O : I.Operands) {
    if (O.is(Kind::List))
      (P.Callee ? P.Arguments : P.Returns) = &O;
    else
      (P.Callee ? P.Targets : P.Callee) = &O;
  }
  return P;
}

/// `call (returns), callee, (arguments), targets`: all but the callee may miss,
/// so that a position says nothing.
void Parser::checkCall(Instruction &I, MutableArrayRef<Operand> Operands) {
  CallParts P = callParts(I);
  for (Operand &O : Operands)
    resolve(O, &O == P.Callee ? Unresolved::IsFunction : Unresolved::IsError);
  if (!P.Callee)
    errorAt(I.loc(), quoted(I.Op->Text) + " names no function");
  else if (!P.Callee->is(Kind::Name))
    errorAt(P.Callee->loc(), "a call needs the name of a function or a "
                             "register that holds its address");
  else if (const auto *F = llvm::dyn_cast_or_null<Function>(P.Callee->Target)) {
    checkCount(I, *F, P.Returns, /*AreReturns=*/true);
    checkCount(I, *F, P.Arguments, /*AreReturns=*/false);
  }
  for (const Operand *List : {P.Returns, P.Arguments})
    if (List)
      for (const Operand &O : List->children())
        checkPassed(O);
}

void Parser::checkPassed(const Operand &O) {
  if (!O.is(Kind::Name) || !O.Target)
    return; // a constant, or reported
  const auto *V = llvm::dyn_cast<Variable>(O.Target);
  if (V && V->Space == AddressSpace::Register)
    return;
  bool IsParameter = V && V->Space == AddressSpace::Param;
  if (IsParameter && !(CurrentFunction &&
                       (llvm::is_contained(CurrentFunction->Parameters, V) ||
                        llvm::is_contained(CurrentFunction->Returns, V))))
    return;
  errorAt(O.loc(),
          "a call passes registers and variables of .param that the body "
          "declares; " +
              quoted(O.text()) + " is " +
              (IsParameter ? "a parameter of this function"
               : V         ? "in ." + toString(V->Space).str()
                           : "no variable"));
}

void Parser::checkCount(const Instruction &I, const Function &F,
                        const Operand *Given, bool AreReturns) {
  ArrayRef<Variable *> Formal = AreReturns ? F.Returns : F.Parameters;
  size_t Count = Given ? Given->children().size() : 0;
  if (Count == Formal.size() || Stop)
    return;
  errorAt(Given ? Given->loc() : I.loc(),
          quoted(F.Name) + (AreReturns ? " returns " : " takes ") +
              Twine(Formal.size()) + (AreReturns ? " value" : " argument") +
              (Formal.size() == 1 ? "" : "s") + ", not " + Twine(Count));
  Diags.note(F.loc(), "declared here");
}

void Parser::checkOperand(const Instruction &I, unsigned Number,
                          const Operand &O, const OperandInfo &Info) {
  if (O.is(Kind::Name) && !O.Target && !isSpecialRegister(O.text()))
    return; // reported, or a label further on
  if (Info.Forms != 0 && (formsOf(O) & Info.Forms) == 0) {
    errorAt(O.loc(), "operand " + Twine(Number + 1) + " of " +
                         quoted(I.Op->Text) + " must be " +
                         describeForms(Info.Forms));
    return;
  }
  if (O.is(Kind::Address)) {
    switch (I.opcode()) { // not of others: ptxas looks at these only
    case Opcode::Ld:
    case Opcode::St:
    case Opcode::Atom:
    case Opcode::Red:
      checkAddress(O);
      break;
    default:
      break;
    }
    return;
  }
  if (!Info.Checked)
    return;
  const Operand &Main = O.is(Kind::Pair) ? O.child() : O; // `d|p`, `{a, b}|p`
  if (!Main.is(Kind::Vector))
    return checkType(I, Number, Main, Info);
  if (I.opcode() != Opcode::Mov) // which packs narrower registers
    checkVector(I, Number, Main, Info);
}

/// True if a register of type \p Have may stand where \p Info asks for a type.
/// Bits go with everything; a wider register holds integers and bits, or
/// anything as bits.
static bool agrees(ScalarType Have, const OperandInfo &Info) {
  ScalarType Want = Info.Type;
  if (Have == Want)
    return true;
  TypeKind HaveKind = kindOf(Have), WantKind = kindOf(Want);
  if (HaveKind == TypeKind::Pred || WantKind == TypeKind::Pred ||
      HaveKind == TypeKind::Opaque || WantKind == TypeKind::Opaque)
    return false;
  unsigned HaveBits = bitWidth(Have), WantBits = bitWidth(Want);
  if (HaveBits != WantBits && !(Info.MayBeWider && HaveBits > WantBits))
    return false;
  if (HaveKind == TypeKind::Bits || WantKind == TypeKind::Bits)
    return true;
  if (WantKind == TypeKind::Float)
    return HaveKind == TypeKind::Float && HaveBits == WantBits;
  return HaveKind != TypeKind::Float;
}

/// Elements of one type are checked like a register, but that integers may
/// stand for floats; those of several types pass as bits.
void Parser::checkVector(const Instruction &I, unsigned Number,
                         const Operand &Vector, const OperandInfo &Info) {
  std::optional<ScalarType> Common;
  bool Mixed = false;
  for (const Operand &E : Vector.children()) {
    const Variable *V = registerOf(E);
    if (!V || (V->Vector > 1 && E.SelectorLength == 0))
      continue;
    Mixed |= Common && *Common != V->Type;
    Common = V->Type;
  }
  if (!Common)
    return;
  OperandInfo Relaxed = Info;
  if (Mixed || (kindOf(Info.Type) == TypeKind::Float &&
                kindOf(*Common) != TypeKind::Float))
    switch (bitWidth(Info.Type)) {
    case 8:
      Relaxed.Type = ScalarType::B8;
      break;
    case 16:
      Relaxed.Type = ScalarType::B16;
      break;
    case 32:
      Relaxed.Type = ScalarType::B32;
      break;
    case 64:
      Relaxed.Type = ScalarType::B64;
      break;
    default:
      break;
    }
  for (const Operand &E : Vector.children())
    if (const Variable *V = registerOf(E);
        V && !(Mixed && V->Type == ScalarType::Pred))
      checkType(I, Number, E, Relaxed);
}

void Parser::checkType(const Instruction &I, unsigned Number, const Operand &O,
                       const OperandInfo &Info) {
  auto Complain = [&](const Twine &Is) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    print(O, OS);
    errorAt(O.loc(), "operand " + Twine(Number + 1) + " of " +
                         quoted(I.Op->Text) + " must be of type ." +
                         toString(Info.Type) +
                         (Info.MayBeWider ? " or wider; " : "; ") +
                         quoted(Text) + " is " + Is);
  };
  if (O.is(Kind::Not))
    return checkType(I, Number, O.child(), Info);
  if (const Variable *V = registerOf(O)) {
    if ((V->Vector > 1 && O.SelectorLength == 0) || agrees(V->Type, Info))
      return;
    Complain("of type ." + toString(V->Type));
    if (!Stop)
      Diags.note(V->loc(), "declared here");
    return;
  }
  TypeKind Want = kindOf(Info.Type);
  if (Want == TypeKind::Float && bitWidth(Info.Type) >= 32 && evaluate(O))
    Complain("an integer; write a number with a point or its bits as 0f...");
  else if (O.is(Kind::Float) &&
           (Want == TypeKind::Signed || Want == TypeKind::Unsigned))
    Complain("a floating-point number");
}

void Parser::checkAddress(const Operand &O) {
  const Operand *Base = splitAddress(O).Base;
  const Variable *V = Base ? registerOf(*Base) : nullptr;
  if (V && (kindOf(V->Type) == TypeKind::Float ||
            kindOf(V->Type) == TypeKind::Pred)) {
    errorAt(Base->loc(), "an address must be in an integer register; " +
                             quoted(Base->text()) + " is of type ." +
                             toString(V->Type));
    if (!Stop)
      Diags.note(V->loc(), "declared here");
  }
}
