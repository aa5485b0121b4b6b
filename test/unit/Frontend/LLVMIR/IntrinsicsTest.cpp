//===- IntrinsicsTest.cpp - Intrinsics against the back end ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each intrinsic that LLVM's NVPTX back end knows is called in a function of
// its own. The back end writes PTX of it, which the PTX front end reads; both
// graphs must show the same instructions with the same operands.
//===----------------------------------------------------------------------===//
#include "GraphText.h"
#include "IntrinsicCalls.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "gtest/gtest.h"
#include <map>

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

struct CaseRow {
  StringRef Prefix, Types, Immediates, Processor;
};
constexpr CaseRow CaseRows[] = {
#define CASES(PREFIX, TYPES, IMMEDIATES, PROCESSOR)                            \
  {PREFIX, TYPES, IMMEDIATES, PROCESSOR},
#include "IntrinsicCases.def"
};
constexpr CaseRow GenericRows[] = {
#define GENERIC(NAME, TYPES, IMMEDIATES) {NAME, TYPES, IMMEDIATES, ""},
#include "IntrinsicCases.def"
};
constexpr StringRef LeftOut[] = {
#define LEFT_OUT(NAME, REASON) NAME,
#include "IntrinsicCases.def"
};
constexpr StringRef Refused[] = {
#define REFUSED(NAME, REASON) NAME,
#include "IntrinsicCases.def"
};

CaseRow rowOf(StringRef Name) {
  for (const CaseRow &R : CaseRows)
    if (Name.starts_with(R.Prefix))
      return R;
  return {"", "", "", "sm_100a"};
}

/// A module for one processor, and the calls in its functions, which are named
/// c0, c1 …
struct Calls {
  std::unique_ptr<llvm::Module> M;
  std::unique_ptr<llvm::TargetMachine> TM;
  std::vector<std::string> Names;

  Calls(llvm::LLVMContext &Context, StringRef Processor)
      : M(std::make_unique<llvm::Module>("calls", Context)) {
    M->setTargetTriple(llvm::Triple("nvptx64-nvidia-cuda"));
    std::string Error;
    TM = createTargetMachine(*M, Processor, Error);
    EXPECT_TRUE(TM) << Error;
    // The newest PTX; but shfl without a mask went away with 6.4.
    TM.reset(TM->getTarget().createTargetMachine(
        M->getTargetTriple(), Processor,
        Processor == "sm_60" ? "+ptx60" : "+ptx90", llvm::TargetOptions(),
        std::nullopt));
    M->setDataLayout(TM->createDataLayout());
  }
  void add(llvm::Intrinsic::ID ID, const CaseRow &R) {
    size_t Before = Names.size();
    for (const IntrinsicCall &Call :
         callsOf(M->getContext(), ID, R.Types, R.Immediates))
      if (addCaller(*M, Call, "c" + llvm::Twine(Names.size())))
        Names.push_back(Call.name());
    EXPECT_GT(Names.size(), Before)
        << llvm::Intrinsic::getBaseName(ID).str() << " is not called";
  }
};

/// What the back end writes of a module, as graphs, which refer to the text.
struct Written {
  std::unique_ptr<DiagnosticEngine> Diags;
  std::unique_ptr<ptx::AST> Tree;
  std::unique_ptr<Module> M;

  explicit Written(const Calls &C) {
    std::unique_ptr<llvm::Module> Copy = llvm::CloneModule(*C.M);
    llvm::SmallString<0> Text;
    llvm::raw_svector_ostream OS(Text);
    llvm::legacy::PassManager PM;
    EXPECT_FALSE(C.TM->addPassesToEmitFile(
        PM, OS, nullptr, llvm::CodeGenFileType::AssemblyFile));
    PM.run(*Copy);
    Diags = std::make_unique<DiagnosticEngine>(
        llvm::MemoryBuffer::getMemBufferCopy(Text, "t.ptx"));
    Tree = ptx::parse(*Diags);
    M = ptx::lower(*Tree, *Diags);
    std::string Messages;
    llvm::raw_string_ostream MS(Messages);
    Diags->print(MS, false);
    EXPECT_EQ(Messages, "");
  }
};

std::unique_ptr<Module> directly(const Calls &C) {
  std::unique_ptr<llvm::Module> Copy = llvm::CloneModule(*C.M);
  prepareForLowering(*Copy, *C.TM);
  DiagnosticEngine Diags;
  std::unique_ptr<Module> Out = lower(*Copy, C.TM->getTargetCPU(), Diags);
  EXPECT_FALSE(Diags.hasErrors());
  return Out;
}

std::string joined(ArrayRef<std::string> Lines) {
  return llvm::join(Lines, "\n") + "\n";
}

void expectSame(const Calls &C) {
  Written Text(C);
  Module *Theirs = Text.M.get();
  std::unique_ptr<Module> Ours = directly(C);
  ASSERT_TRUE(Theirs && Ours);
  llvm::StringMap<const InstructionGraph *> ByName;
  for (const auto &F : Theirs->Functions)
    ByName[F->Name] = F.get();
  unsigned Shown = 0;
  for (const auto &F : Ours->Functions) {
    const InstructionGraph *Other = ByName.lookup(F->Name);
    ASSERT_TRUE(Other) << F->Name.str();
    EXPECT_EQ(verify(*F), "");
    unsigned Number = 0;
    F->Name.drop_front().getAsInteger(10, Number);
    std::vector<std::string> Expected = graphText(*Other),
                             Actual = graphText(*F);
    if (Expected == Actual)
      continue;
    if (++Shown <= 40)
      ADD_FAILURE() << C.Names[Number] << "\nback end:\n"
                    << joined(Expected) << "here:\n"
                    << joined(Actual);
  }
  EXPECT_EQ(Shown, 0u);
}

TEST(Intrinsics, OfNVVMAreWhatTheBackEndWrites) {
  llvm::LLVMContext Context;
  std::map<StringRef, std::unique_ptr<Calls>> ByProcessor;
  unsigned NumCalled = 0;
  for (llvm::Intrinsic::ID ID = 1; ID != llvm::Intrinsic::num_intrinsics;
       ++ID) {
    StringRef Name = llvm::Intrinsic::getBaseName(ID);
    Name.consume_front("llvm.");
    if (!Name.starts_with("nvvm.") || llvm::is_contained(Refused, Name))
      continue;
    ++NumCalled;
    CaseRow R = rowOf(Name);
    std::unique_ptr<Calls> &C = ByProcessor[R.Processor];
    if (!C)
      C = std::make_unique<Calls>(Context, R.Processor);
    C->add(ID, R);
  }
  EXPECT_GT(NumCalled, 2500u);
  for (const auto &[Processor, C] : ByProcessor)
    expectSame(*C);
}

TEST(Intrinsics, OfLLVMAreWhatTheBackEndWrites) {
  for (StringRef Processor : {"sm_90", "sm_80"}) {
    llvm::LLVMContext Context;
    Calls C(Context, Processor);
    for (const CaseRow &R : GenericRows) {
      llvm::Intrinsic::ID ID =
          llvm::Intrinsic::lookupIntrinsicID(("llvm." + R.Prefix).str());
      ASSERT_NE(ID, llvm::Intrinsic::not_intrinsic) << R.Prefix.str();
      C.add(ID, R);
    }
    expectSame(C);
  }
}

/// A new LLVM's new intrinsics are noticed.
TEST(Intrinsics, OfLLVMAreCalledOrLeftOut) {
  for (llvm::Intrinsic::ID ID = 1; ID != llvm::Intrinsic::num_intrinsics;
       ++ID) {
    StringRef Name = llvm::Intrinsic::getBaseName(ID);
    if (llvm::Intrinsic::isTargetIntrinsic(ID))
      continue;
    Name.consume_front("llvm.");
    bool IsCalled = llvm::any_of(
        GenericRows, [&](const CaseRow &R) { return R.Prefix == Name; });
    bool IsLeftOut = llvm::any_of(LeftOut, [&](StringRef Row) {
      return Row.ends_with(".") ? Name.starts_with(Row) : Name == Row;
    });
    EXPECT_TRUE(IsCalled || IsLeftOut) << Name.str();
  }
}

} // namespace
