//===- EmulatedText.h - Runs PTX that a test has as text --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_EMULATOR_EMULATEDTEXT_H
#define PTXPREDICT_TEST_UNIT_EMULATOR_EMULATEDTEXT_H

#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstring>

namespace ptxpredict::emulator {

/// A kernel of one text, launched once. Buffers are made in the order of the
/// calls and are the kernel's first parameters; numbers follow.
class EmulatedText {
public:
  /// A whole module, whose only kernel is run.
  explicit EmulatedText(const Twine &Module)
      : Diags(llvm::MemoryBuffer::getMemBufferCopy(Module.str(), "test.ptx")) {
    Tree = ptx::parse(Diags);
    if (Tree && !Diags.hasErrors())
      M = ptx::lower(*Tree, Diags);
    std::string Messages;
    llvm::raw_string_ostream OS(Messages);
    Diags.print(OS, false);
    EXPECT_EQ(Messages, "");
    if (!M)
      return;
    for (const auto &F : M->Functions)
      if (F->IsKernel)
        Kernel = F.get();
    Launch.Block = {32, 1, 1};
  }

  /// \p Body with the usual registers and the parameters p0 to p3, of 64 bits
  /// each, of which \p NumParameters are there.
  static std::string kernel(const Twine &Body, unsigned NumParameters = 1,
                            StringRef Declarations = "") {
    std::string Text = ".version 9.0\n.target sm_90a\n.address_size 64\n";
    Text += Declarations;
    Text += "\n.visible .entry k(";
    for (unsigned N = 0; N != NumParameters; ++N)
      Text += (N ? ", .param .u64 p" : ".param .u64 p") + std::to_string(N);
    Text += ") {\n.reg .pred %p<16>;\n.reg .b16 %h<32>;\n.reg .b32 %r<64>;\n"
            ".reg .b64 %rd<32>;\n.reg .f32 %f<64>;\n.reg .f64 %fd<32>;\n"
            ".reg .b128 %q<4>;\n";
    for (unsigned N = 0; N != NumParameters; ++N)
      Text += "ld.param.u64 %rd" + std::to_string(N) + ", [p" +
              std::to_string(N) + "];\n";
    Text += Body.str();
    return Text + "\n}\n";
  }

  template <class T>
  EmulatedText &buffer(ArrayRef<T> Contents) {
    std::vector<uint8_t> Bytes(Contents.size() * sizeof(T));
    if (!Bytes.empty())
      memcpy(Bytes.data(), Contents.data(), Bytes.size());
    Initial.push_back(std::move(Bytes));
    return *this;
  }
  /// Zeros.
  EmulatedText &buffer(size_t Bytes) {
    Initial.emplace_back(Bytes);
    return *this;
  }
  EmulatedText &number(int64_t V) {
    Numbers.push_back(V);
    return *this;
  }

  /// Runs the kernel; the error's text if it cannot start.
  std::string start() {
    for (size_t N = 0; N != Initial.size() + Numbers.size(); ++N) {
      ArgumentValue A;
      if (N < Initial.size()) {
        A.Kind = ArgumentValue::KindTy::Buffer;
        A.Buffer = "b" + std::to_string(N);
      } else {
        A.Integer = Numbers[N - Initial.size()];
      }
      Launch.Args[unsigned(N)] = A;
    }
    Run = std::make_unique<Emulation>(*Kernel, Launch, Options);
    for (size_t N = 0; N != Initial.size(); ++N) {
      BufferSpec Spec;
      Spec.Type = "u8";
      Spec.Count = Initial[N].size();
      std::string Name = "b" + std::to_string(N);
      if (Error E = Run->addBuffer(Name, Spec, ""))
        return toString(std::move(E));
      std::memcpy(Run->buffer(Name).data(), Initial[N].data(),
                  Initial[N].size());
    }
    Expected<EmulationResult> R = Run->run();
    if (!R)
      return toString(R.takeError());
    Result = std::move(*R);
    return "";
  }
  /// Runs the kernel, which must end well.
  EmulatedText &run() {
    EXPECT_EQ(start(), "");
    EXPECT_EQ(fault(), "");
    return *this;
  }
  /// Where and why the run ended: "LINE: MESSAGE".
  std::string fault() const {
    if (!Result.Fault)
      return "";
    return (Result.Fault->Where ? std::to_string(Result.Fault->Where->Line)
                                : "") +
           ": " + Result.Fault->Message;
  }

  template <class T>
  std::vector<T> contents(unsigned Buffer = 0) {
    MutableArrayRef<uint8_t> B = Run->buffer("b" + std::to_string(Buffer));
    std::vector<T> Out(B.size() / sizeof(T));
    std::memcpy(Out.data(), B.data(), Out.size() * sizeof(T));
    return Out;
  }
  /// What the instruction at a line of the text counted. Lines count from the
  /// first of the kernel's body, after the parameters were loaded.
  const InstructionProfile &at(StringRef Opcode, unsigned Nth = 0) const {
    for (const InstructionProfile &I : Result.Profile.Instructions)
      if (I.Opcode == Opcode && Nth-- == 0)
        return I;
    ADD_FAILURE() << "no " << Opcode.str();
    static const InstructionProfile None;
    return None;
  }

  DiagnosticEngine Diags;
  std::unique_ptr<ptx::AST> Tree;
  std::unique_ptr<Module> M;
  const InstructionGraph *Kernel = nullptr;
  LaunchConfig Launch;
  EmulationOptions Options;
  std::unique_ptr<Emulation> Run;
  EmulationResult Result;

private:
  std::vector<std::vector<uint8_t>> Initial;
  std::vector<int64_t> Numbers;
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_TEST_UNIT_EMULATOR_EMULATEDTEXT_H
