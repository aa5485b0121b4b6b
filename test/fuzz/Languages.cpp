//===- Languages.cpp - What the mutators know of PTX, LLVM IR and YAML ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TextMutator.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::fuzz;

using Words = std::vector<std::string>;

/// The first parts of PTX's mnemonics, which begin an instruction.
static Words ptxOpcodes() {
  Words Result;
  for (StringRef Name : {
#define PTX_OPCODE(ENUMERATOR, NAME, CLASS, EFFECT, TRAIT, SIGNATURE) NAME,
#include "ptxpredict/ISA/PTXOpcodes.def"
       }) {
    StringRef First = Name.split('.').first;
    if (!llvm::is_contained(Result, First))
      Result.push_back(First.str());
  }
  return Result;
}

static Words ptxTypes() {
  return {
#define SCALAR_TYPE(ENUMERATOR, NAME, BITS, KIND) "." NAME,
#include "ptxpredict/ISA/Types.def"
#define INSTRUCTION_FORMAT(ENUMERATOR, NAME, HOLDER, BITS, CLASS) "." NAME,
#include "ptxpredict/ISA/PTXFormats.def"
  };
}

static Words ptxSpecialRegisters() {
  return {
#define PTX_SPECIAL_REGISTER(ENUMERATOR, NAME, TYPE, ELEMENTS) "%" NAME,
#include "ptxpredict/ISA/PTXSpecialRegisters.def"
  };
}

static Language ptxLanguage() {
  Language L;
  L.Alike = {
      ptxOpcodes(),
      ptxTypes(),
      ptxSpecialRegisters(),
      {".global", ".shared", ".local", ".const", ".param"},
      {".entry", ".func"},
      {".eq", ".ne", ".lt", ".le", ".gt", ".ge", ".ltu", ".hs", ".nan"},
      {".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".approx", ".ftz", ".sat"},
      {".v2", ".v4", ".v8"},
      {".x", ".y", ".z", ".w"},
      {".wide", ".lo", ".hi"}};
  return L;
}

static Language irLanguage() {
  Language L;
  L.NamesOnce = true;
  L.Alike = {
      {"add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr",
       "ashr", "and", "or", "xor"},
      {"fadd", "fsub", "fmul", "fdiv", "frem"},
      {"trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi",
       "uitofp", "sitofp", "ptrtoint", "inttoptr", "bitcast", "addrspacecast"},
      {"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"},
      {"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "une", "uno"},
      {"i1", "i8", "i16", "i32", "i64", "i128", "i7", "i48"},
      {"half", "bfloat", "float", "double"},
      {"nuw", "nsw", "exact", "inbounds", "fast", "contract", "volatile"},
      {"monotonic", "acquire", "release", "acq_rel", "seq_cst"},
      {"load", "store"},
      {"ret", "br", "unreachable", "switch"},
      {"undef", "poison", "zeroinitializer", "null", "true", "false"}};
  return L;
}

static Language yamlLanguage() {
  Language L;
  L.IsIndented = true;
  L.Alike = {{"true", "false", "null", "nan", "inf"}};
  return L;
}

std::string fuzz::mutatePTX(StringRef Text, Dice &D, ByteMutator) {
  static TextMutator M(ptxLanguage());
  return M.mutate(Text, D);
}

std::string fuzz::mutateIR(StringRef Text, Dice &D, ByteMutator Bytes) {
  static TextMutator M(irLanguage());
  return Text.contains('\0') ? Bytes(Text) : M.mutate(Text, D);
}

std::string fuzz::mutateYAML(StringRef Text, Dice &D, ByteMutator) {
  static TextMutator M(yamlLanguage());
  return M.mutate(Text, D);
}
