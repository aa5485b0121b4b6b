//===- LiftModule.cpp - What all functions of a cubin share ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftModule.h"
#include "LiftFunction.h"
#include "ptxpredict/Frontend/SASS/Lift.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

/// Read off compiled code; sm_100 has moved them.
static LaunchWords launchWordsOf(unsigned Architecture) {
  constexpr unsigned FirstMoved = 100;
  if (Architecture >= FirstMoved)
    return {0x360, 0x370, 0x37c, 0x2f8, std::nullopt};
  return {0x0, 0xc, 0x28, 0x20, 0x18};
}

LiftModule::LiftModule(CubinImage TheImage, Module &M, DiagnosticEngine &Diags)
    : Image(std::move(TheImage)), M(M), Diags(Diags),
      Words(launchWordsOf(Image.cubin().Architecture)), Texts(M.Allocator),
      Mnemonics(M.Allocator) {
  M.Frontend = FrontendKind::SASS;
  M.Target = keep(Image.cubin().Target);
  M.AddressBits = 64;
  if (Image.cubin().HasLines) {
    if (llvm::Expected<CodeLines> Read = readCodeLines(Image.bytes()))
      Lines = std::move(*Read);
    else
      Diags.warning(SMLoc(), llvm::toString(Read.takeError()));
  }
  addVariables();
  // As the listing has them: a line for the file, and one for each function in
  // front of its code.
  unsigned Line = 1;
  for (const CubinFunction &F : Image.cubin().Functions) {
    Line += 2;
    FirstLine[&F] = Line;
    Line += unsigned(F.CodeBytes / InstructionBytes) - 1;
    addFunction(F);
    addLocalFunctions(F);
  }
}

StringRef LiftModule::keep(const Twine &Text) {
  llvm::SmallString<64> Written;
  const StringRef All = Text.toStringRef(Written);
  std::lock_guard<std::mutex> Lock(Mutex);
  return Texts.save(All);
}

const ptx::WrittenMnemonics::Entry &LiftModule::mnemonic(StringRef Mnemonic,
                                                         unsigned NumOperands,
                                                         bool HasReturnList) {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Mnemonics.find(Mnemonic, NumOperands, HasReturnList);
}

unsigned LiftModule::line(const CubinFunction &F, uint64_t Address) const {
  return FirstLine.lookup(&F) + unsigned(Address / InstructionBytes);
}

void LiftModule::addVariables() {
  for (const CubinSection &S : Image.sections()) {
    const bool IsConstant = S.Name == ".nv.constant3";
    const bool IsGlobal = S.Name == ".nv.global" || S.Name == ".nv.global.init";
    if (!IsConstant && !IsGlobal)
      continue;
    auto Add = [&](StringRef Name, uint64_t Offset, uint64_t Bytes) {
      auto *V = new (M.Allocator.Allocate<Variable>()) Variable;
      V->Name = keep(printable(Name));
      V->Space = IsConstant ? AddressSpace::Const : AddressSpace::Global;
      V->Type = ScalarType::B8;
      V->Bytes = Bytes;
      V->Align = std::min<uint64_t>(S.Align, 256);
      if (Offset < S.Content.size()) {
        const StringRef Content = S.Content.substr(Offset, Bytes);
        V->Initializer = ArrayRef(
            reinterpret_cast<const uint8_t *>(Content.data()), Content.size());
      }
      M.Variables.push_back(V);
      return V;
    };
    // Code reads bank 3 by its offset, whatever variable lies there.
    if (IsConstant) {
      Variables[S.Name] = Add(S.Name, 0, S.Bytes);
      continue;
    }
    for (const CubinSymbol &Symbol : S.Symbols)
      Variables[Symbol.Name] = Add(Symbol.Name, Symbol.Offset, Symbol.Bytes);
  }
}

const Variable *LiftModule::variable(StringRef Name) {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Variables.lookup(Name);
}

const Variable *LiftModule::bankVariable(unsigned Bank, StringRef Function) {
  const CubinSection *S = Image.bank(Bank, Function);
  if (!S)
    return nullptr;
  std::lock_guard<std::mutex> Lock(Mutex);
  const Variable *&Known = Variables[S->Name];
  if (!Known) {
    auto *V = new (M.Allocator.Allocate<Variable>()) Variable;
    V->Name = Texts.save(printable(S->Name));
    V->Space = AddressSpace::Const;
    V->Type = ScalarType::B8;
    V->Bytes = S->Bytes;
    V->Align = 16;
    V->Initializer =
        ArrayRef(reinterpret_cast<const uint8_t *>(S->Content.data()),
                 S->Content.size());
    Known = V;
  }
  return Known;
}

void LiftModule::addFunction(const CubinFunction &F) {
  auto New = std::make_unique<InstructionGraph>();
  InstructionGraph &G = *New;
  G.Parent = &M;
  G.Name = keep(printable(F.Name));
  G.IsKernel = F.IsKernel;
  G.Link = Linkage::Visible;
  G.Line = FirstLine.lookup(&F) - 1;
  G.Bounds = F.Bounds;
  G.Assembled = AssembledResources{F.Registers.value_or(0),
                                   F.SharedBytes,
                                   std::max(F.StackBytes, F.FrameBytes),
                                   F.Barriers,
                                   F.CodeBytes,
                                   F.Spills.has_value()};
  unsigned Position = 0;
  uint64_t End = 0, EndInBank = 0;
  for (const CubinParameter &P : F.Parameters) {
    Parameter Of;
    Of.Name = keep(G.Name + "_param_" + Twine(P.Position));
    Of.Bytes = P.Bytes;
    Of.Position = Position++;
    Of.Type = P.Bytes == 8   ? ScalarType::B64
              : P.Bytes == 4 ? ScalarType::B32
              : P.Bytes == 2 ? ScalarType::B16
                             : ScalarType::B8;
    const unsigned Size = bitWidth(Of.Type) / 8;
    Of.Elements = std::max<uint64_t>(1, P.Bytes / Size);
    // As far as its place tells: the least that leads there from the one
    // before. The bank's own beginning may be less aligned.
    constexpr uint64_t MaxAlign = 128;
    const uint64_t Base = F.ParameterBase;
    Of.Align = std::min<uint64_t>(
        uint64_t(1) << llvm::countr_zero(uint64_t(P.Offset) | MaxAlign),
        P.Bytes > 8 ? 8 : Size);
    while (Of.Align < MaxAlign &&
           llvm::alignTo(Base + EndInBank, Of.Align) < Base + P.Offset)
      Of.Align *= 2;
    Of.Offset = llvm::alignTo(End, Of.Align);
    End = Of.Offset + Of.Bytes;
    EndInBank = uint64_t(P.Offset) + P.Bytes;
    G.Parameters.push_back(Of);
  }
  Functions[&G] = {&F, 0};
  M.Functions.push_back(std::move(New));
}

/// Their heads, which all must be there before a body is.
void LiftModule::addLocalFunctions(const CubinFunction &F) {
  TextCode Code(Image, F);
  LocalFunctions Of(Code);
  if (Of.empty())
    return;
  for (LocalFunction &Local : Of.all()) {
    auto New = std::make_unique<InstructionGraph>();
    Local.Graph = New.get();
    New->Parent = &M;
    const StringRef Name = Code.nameOf(Local.Entry);
    New->Name = Name.empty()
                    ? keep(printable(F.Name) + "_0x" +
                           llvm::utohexstr(Local.Entry, /*LowerCase=*/true))
                    : keep(printable(Name));
    New->Line = line(F, Local.Entry);
    Functions[New.get()] = {&F, Local.Entry};
    M.Functions.push_back(std::move(New));
  }
  Locals[&F] = std::move(Of);
}

const SourceLocation *LiftModule::location(const CubinFunction &F,
                                           uint64_t Address) {
  if (!Lines)
    return nullptr;
  const CodeLine *Of = Lines->of(F.Name, Address);
  if (!Of)
    return nullptr;
  std::lock_guard<std::mutex> Lock(Mutex);
  return locate(*Of);
}

const SourceLocation *LiftModule::locate(const CodeLine &Of) {
  if (const SourceLocation *Known = Locations.lookup(&Of))
    return Known;
  auto *New = new (M.Allocator.Allocate<SourceLocation>()) SourceLocation;
  New->File = Texts.save(printable(Of.File));
  New->Line = Of.Line;
  New->Function = Texts.save(printable(Of.Function));
  if (Of.InlinedAt)
    New->InlinedAt = locate(*Of.InlinedAt);
  Locations[&Of] = New;
  return New;
}

/// From sm_90 on a block's own shared memory begins behind what the system has,
/// and so do the addresses in its code.
uint64_t LiftModule::reservedShared(const CubinFunction &F) const {
  constexpr unsigned FirstWithReserved = 90, BlockInCluster = 136;
  constexpr uint64_t Bytes = 1024;
  if (architecture() < FirstWithReserved)
    return 0;
  if (F.SharedBytes != 0)
    return Bytes;
  const StringRef Code = Image.codeOf(F);
  for (size_t At = 0; At + InstructionBytes <= Code.size();
       At += InstructionBytes) {
    const Encoding E{llvm::support::endian::read64le(Code.data() + At),
                     llvm::support::endian::read64le(Code.data() + At + 8)};
    const MachineInstruction I = decode(E, architecture(), At);
    if (llvm::any_of(I.Operands, [](const MachineOperand &O) {
          return O.Kind == OperandKind::Special && O.Number == BlockInCluster;
        }))
      return Bytes;
  }
  return 0;
}

void LiftModule::addLocals(InstructionGraph &G, const CubinFunction &F,
                           const LocalFunction *Local, uint64_t FrameBytes) {
  auto Add = [&](AddressSpace Space, const Twine &Name, uint64_t Bytes) {
    const StringRef Kept = keep(Name);
    std::lock_guard<std::mutex> Lock(Mutex);
    auto *V = new (M.Allocator.Allocate<Variable>()) Variable;
    V->Name = Kept;
    V->Space = Space;
    V->Type = ScalarType::B8;
    V->Bytes = Bytes;
    V->Align = 16;
    G.LocalVariables.push_back(V);
  };
  if (Local && !Local->Interface.HasFrame)
    FrameBytes = 0; // that is the caller's
  else if (!Local)
    FrameBytes = std::max(FrameBytes, F.FrameBytes);
  if (FrameBytes != 0)
    Add(AddressSpace::Local, "frame", FrameBytes);
  if (Local)
    return;
  // Its addresses are numbers in the code.
  const uint64_t Reserved = reservedShared(F);
  if (Reserved + F.SharedBytes != 0)
    Add(AddressSpace::Shared, G.Name + "_shared", Reserved + F.SharedBytes);
}

bool LiftModule::lowerBody(InstructionGraph &G) {
  StageTimer Timer(Stage::Lower);
  const CodePlace At = Functions.lookup(&G);
  TextCode Code(Image, *At.In);
  static const LocalFunctions None;
  const LocalFunctions *Others = &None;
  if (auto It = Locals.find(At.In); It != Locals.end()) {
    std::lock_guard<std::mutex> Lock(Mutex);
    It->second.findInterfaces(Code);
    Others = &It->second;
  }
  G.LocalVariables.clear();
  if (FunctionLift(*this, Code, At.Entry, *Others, G).lift())
    return false;
  std::lock_guard<std::mutex> Lock(Mutex);
  Diags.error(SMLoc(), "the loops of '" + G.Name +
                           "' are nested too deeply to be analysed");
  return true;
}

std::unique_ptr<Module> sass::lift(DiagnosticEngine &Diags) {
  Diags.hideLines(); // of no text
  llvm::Expected<CubinImage> Image = CubinImage::read(Diags.text());
  if (!Image) {
    Diags.error(SMLoc(), llvm::toString(Image.takeError()));
    return nullptr;
  }
  if (const unsigned Of = Image->cubin().Architecture; Of < FirstArchitecture) {
    Diags.error(SMLoc(), "machine code for sm_" + Twine(Of) +
                             " is not read: before sm_" +
                             Twine(FirstArchitecture) +
                             " instructions have another form");
    return nullptr;
  }
  for (const std::string &Problem : Image->cubin().Problems)
    Diags.warning(SMLoc(), Problem);
  auto M = std::make_unique<Module>();
  auto Lifted = std::make_unique<LiftModule>(std::move(*Image), *M, Diags);
  M->Bodies = std::move(Lifted);
  return M;
}
