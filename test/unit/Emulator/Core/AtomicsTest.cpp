//===- AtomicsTest.cpp - Atomic operations and reductions -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <random>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APFloat;
using llvm::APInt;

namespace {

/// The scalar types of atomic operations.
struct AtomicForm {
  const char *Op, *Type;
};

constexpr AtomicForm AtomicForms[] = {
    {"and", "b32"},         {"or", "b32"},         {"xor", "b32"},
    {"exch", "b32"},        {"cas", "b32"},        {"add", "u32"},
    {"add", "s32"},         {"inc", "u32"},        {"dec", "u32"},
    {"min", "u32"},         {"min", "s32"},        {"max", "u32"},
    {"max", "s32"},         {"and", "b64"},        {"or", "b64"},
    {"xor", "b64"},         {"exch", "b64"},       {"cas", "b64"},
    {"add", "u64"},         {"min", "u64"},        {"min", "s64"},
    {"max", "u64"},         {"max", "s64"},        {"cas", "b16"},
    {"add", "f32"},         {"add", "f64"},        {"add.noftz", "f16"},
    {"add.noftz", "f16x2"}, {"add.noftz", "bf16"}, {"add.noftz", "bf16x2"},
};

unsigned bitsOfType(StringRef Type) {
  bool Pair = Type.consume_back("x2");
  unsigned Bits = 0;
  (void)Type.drop_until(llvm::isDigit).getAsInteger(10, Bits);
  return Pair ? 2 * Bits : Bits;
}

/// With what operands work, one of which is much like the other now and then.
uint64_t operandOf(StringRef Type, std::mt19937_64 &Random) {
  auto Float = [&](const llvm::fltSemantics &S) {
    // Small sums of powers of two, so that results round now and then.
    APFloat F(double(int64_t(Random() % 4001) - 2000) / 512.0);
    bool Loses;
    F.convert(S, APFloat::rmNearestTiesToEven, &Loses);
    return F.bitcastToAPInt().getZExtValue();
  };
  if (Type == "f32")
    return Float(APFloat::IEEEsingle());
  if (Type == "f64")
    return Float(APFloat::IEEEdouble());
  if (Type == "f16")
    return Float(APFloat::IEEEhalf());
  if (Type == "bf16")
    return Float(APFloat::BFloat());
  if (Type == "f16x2" || Type == "bf16x2") {
    StringRef Half = Type.drop_back(2);
    return operandOf(Half, Random) | operandOf(Half, Random) << 16;
  }
  uint64_t V = Random() % 3 ? Random() % 12 : Random();
  return V & llvm::maskTrailingOnes<uint64_t>(bitsOfType(Type));
}

/// The host's model: the new value of a place with \p Old.
uint64_t applied(StringRef Op, StringRef Type, uint64_t Old, uint64_t B,
                 uint64_t C) {
  Op.consume_back(".noftz");
  unsigned Bits = bitsOfType(Type);
  if (Type.ends_with("x2")) {
    StringRef Half = Type.drop_back(2);
    return applied(Op, Half, Old & 0xffff, B & 0xffff, 0) |
           applied(Op, Half, Old >> 16, B >> 16, 0) << 16;
  }
  APInt X(Bits, Old), Y(Bits, B);
  if (Type.contains('f')) {
    const llvm::fltSemantics &S = Type == "f16"    ? APFloat::IEEEhalf()
                                  : Type == "bf16" ? APFloat::BFloat()
                                  : Type == "f32"  ? APFloat::IEEEsingle()
                                                   : APFloat::IEEEdouble();
    APFloat F(S, X), G(S, Y);
    if (Op == "add")
      F.add(G, APFloat::rmNearestTiesToEven);
    else
      F = Op == "min" ? minnum(F, G) : maxnum(F, G);
    return F.bitcastToAPInt().getZExtValue();
  }
  bool Signed = Type.front() == 's';
  APInt R = X;
  if (Op == "and")
    R = X & Y;
  else if (Op == "or")
    R = X | Y;
  else if (Op == "xor")
    R = X ^ Y;
  else if (Op == "exch")
    R = Y;
  else if (Op == "cas")
    R = X == Y ? APInt(Bits, C) : X;
  else if (Op == "add")
    R = X + Y;
  else if (Op == "inc")
    R = X.uge(Y) ? APInt(Bits, 0) : X + 1;
  else if (Op == "dec")
    R = X.isZero() || X.ugt(Y) ? Y : X - 1;
  else if (Op == "min")
    R = (Signed ? X.slt(Y) : X.ult(Y)) ? X : Y;
  else
    R = (Signed ? X.sgt(Y) : X.ugt(Y)) ? X : Y;
  return R.getZExtValue();
}

/// Lane t updates the place t % 5 of one memory, in three rounds.
struct AtomicCase {
  StringRef Op, Type, Space;
  bool Returns;
};

void check(const AtomicCase &C) {
  unsigned Bits = bitsOfType(C.Type);
  StringRef Prefix = Bits == 16 ? "%h" : Bits == 32 ? "%r" : "%rd";
  bool IsCas = C.Op == "cas";
  std::string Extra = IsCas ? llvm::formatv(", {0}12", Prefix).str() : "";
  std::string Update =
      C.Returns ? llvm::formatv("atom{0}.{1}.{2} {3}13, [%rd9], {3}11{4};\n",
                                C.Space, C.Op, C.Type, Prefix, Extra)
                      .str()
                : llvm::formatv("red{0}.{1}.{2} [%rd9], {3}11;\n", C.Space,
                                C.Op, C.Type, Prefix)
                      .str();
  bool IsShared = C.Space.contains("shared");
  // p0: 5 places of 8 bytes; p1: operands of 96 rounds and lanes, 16 bytes
  // each; p2: what was there.
  std::string Body = llvm::formatv(
      R"(
    .shared .align 8 .b8 places[40];
    mov.u32 %r0, %tid.x; rem.u32 %r1, %r0, 5;
    mul.wide.u32 %rd3, %r1, 8;
    add.u64 %rd4, %rd0, %rd3;
    mov.u64 %rd5, places; add.u64 %rd5, %rd5, %rd3;
    ld.global.b64 %rd6, [%rd4]; st.shared.b64 [%rd5], %rd6;
    mov.u64 %rd9, %rd{0};
    mov.u32 %r2, 0;
  Loop:
    mad.lo.u32 %r3, %r2, 32, %r0;
    mul.wide.u32 %rd7, %r3, 16; add.u64 %rd7, %rd1, %rd7;
    ld.global.b{1} {2}11, [%rd7];
    ld.global.b{1} {2}12, [%rd7+8];
    {3}
    mul.wide.u32 %rd8, %r3, 8; add.u64 %rd8, %rd2, %rd8;
    {4}
    add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 3;
    @%p0 bra Loop;
    ld.shared.b64 %rd6, [%rd5];
    {5}
    ret;)",
      IsShared ? "5" : "4", Bits, Prefix, Update,
      C.Returns
          ? llvm::formatv("st.global.b{0} [%rd8], {1}13;", Bits, Prefix).str()
          : "",
      IsShared ? "st.global.b64 [%rd4], %rd6;" : "");
  EmulatedText T(EmulatedText::kernel(Body, 3));
  std::mt19937_64 Random(Bits * 7 + C.Op.size());
  std::vector<uint64_t> Places(5), Operands(192), Want(96);
  for (uint64_t &V : Places)
    V = operandOf(C.Type, Random);
  for (uint64_t &V : Operands)
    V = operandOf(C.Type, Random);
  if (IsCas) // that some find what they want
    for (size_t N = 0; N < 192; N += 2)
      Operands[N] = N < 20 ? Places[N / 2 % 5] : Operands[(N - 10) | 1];
  T.buffer<uint64_t>(Places).buffer<uint64_t>(Operands).buffer(96 * 8).run();
  unsigned Changes = 0;
  for (unsigned N = 0; N != 96; ++N) {
    uint64_t &P = Places[N % 32 % 5];
    Want[N] = C.Returns ? P : 0;
    uint64_t New =
        applied(C.Op, C.Type, P, Operands[2 * N], Operands[2 * N + 1]);
    Changes += New != P;
    P = New;
  }
  std::string Name = (C.Returns ? "atom" : "red") +
                     (C.Space + "." + C.Op + "." + C.Type).str();
  EXPECT_GE(Changes, 2u) << Name;
  EXPECT_EQ(T.contents<uint64_t>(0), Places) << Name;
  EXPECT_EQ(T.contents<uint64_t>(2), Want) << Name;
}

TEST(EmulatorAtomics, EveryOperatorAndType) {
  for (const AtomicForm &F : AtomicForms)
    for (StringRef Space : {".global", ".shared"}) {
      check({F.Op, F.Type, Space, true});
      StringRef Op = F.Op;
      if (Op != "exch" && Op != "cas")
        check({F.Op, F.Type, Space, false});
    }
}

TEST(EmulatorAtomics, OrdersAndScopesGiveTheSame) {
  for (StringRef Space :
       {".relaxed.gpu.global", ".acquire.sys.global", ".release.cta.shared",
        ".acq_rel.cluster.global", ".relaxed.cta.shared::cta"})
    check({"add", "u32", Space, true});
}

TEST(EmulatorAtomics, VectorsOfFloats) {
  struct Form {
    const char *Op, *Type;
    unsigned Elements;
  };
  for (const Form &F : {Form{"add", "f32", 2},
                        {"add", "f32", 4},
                        {"add.noftz", "f16", 2},
                        {"add.noftz", "f16", 8},
                        {"min.noftz", "f16", 4},
                        {"max.noftz", "f16x2", 4},
                        {"add.noftz", "bf16x2", 2},
                        {"min.noftz", "bf16", 8}}) {
    unsigned Bits = bitsOfType(F.Type), Bytes = Bits / 8 * F.Elements;
    std::string From, To, Loads, Stores;
    for (unsigned N = 0; N != F.Elements; ++N) {
      std::string Prefix = Bits == 16 ? "%h" : "%r";
      From += (N ? ", " : "") + (Prefix + std::to_string(10 + N));
      To += (N ? ", " : "") + (Prefix + std::to_string(20 + N));
      Loads += llvm::formatv("ld.global.b{0} {1}{2}, [%rd3+{3}];\n", Bits,
                             Prefix, 10 + N, N * Bits / 8)
                   .str();
      Stores += llvm::formatv("st.global.b{0} [%rd4+{3}], {1}{2};\n", Bits,
                              Prefix, 20 + N, N * Bits / 8)
                    .str();
    }
    // All lanes at one place; then reductions at the next.
    // The operator comes before the vector: atom.global.add.noftz.v2.f16.
    std::string Body =
        llvm::formatv("mov.u32 %r0, %tid.x; mul.wide.u32 %rd5, %r0, {0};\n"
                      "add.u64 %rd3, %rd1, %rd5; add.u64 %rd4, %rd2, %rd5;\n{1}"
                      "atom.global.{3}.v{2}.{4} {{{5}}, [%rd0], {{{6}};\n{7}"
                      "red.global.{3}.v{2}.{4} [%rd0+16], {{{6}};\nret;",
                      Bytes, Loads, F.Elements, F.Op, F.Type, To, From, Stores);
    EmulatedText T(EmulatedText::kernel(Body, 3));
    std::mt19937_64 Random(F.Elements);
    size_t Width = Bits / 8;
    std::vector<uint8_t> Places(32), Operands(size_t(Bytes) * 32),
        Want(Operands.size());
    auto Fill = [&](std::vector<uint8_t> &V) {
      for (size_t N = 0; N != V.size(); N += Width) {
        uint64_t Bits64 = operandOf(F.Type, Random);
        memcpy(&V[N], &Bits64, Width);
      }
    };
    Fill(Places);
    Fill(Operands);
    T.buffer<uint8_t>(Places).buffer<uint8_t>(Operands).buffer(Want.size());
    T.run();
    for (unsigned L = 0; L != 32; ++L)
      for (unsigned N = 0; N != F.Elements; ++N)
        for (unsigned Base : {0u, 16u}) {
          uint64_t Old = 0, B = 0;
          memcpy(&Old, &Places[Base + N * Width], Width);
          memcpy(&B, &Operands[L * Bytes + N * Width], Width);
          if (Base == 0)
            memcpy(&Want[L * Bytes + N * Width], &Old, Width);
          Old = applied(F.Op, F.Type, Old, B, 0);
          memcpy(&Places[Base + N * Width], &Old, Width);
        }
    EXPECT_EQ(T.contents<uint8_t>(0), Places) << F.Op << F.Type << F.Elements;
    EXPECT_EQ(T.contents<uint8_t>(2), Want) << F.Op << F.Type << F.Elements;
    EXPECT_EQ(T.at(T.Result.Profile.Instructions.back().Opcode).Executions, 1u);
  }
}

TEST(EmulatorAtomics, SixteenBytes) {
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 16 .b8 s[16];
    mov.u32 %r0, %tid.x; cvt.u64.u32 %rd2, %r0;
    mov.b64 %rd3, 7; add.u64 %rd4, %rd2, 1;
    mov.b128 %q0, {%rd2, %rd3};
    mov.b128 %q1, {%rd4, %rd3};
    atom.global.cas.b128 %q2, [%rd0], %q0, %q1;
    mov.b128 {%rd5, %rd6}, %q2;
    mul.wide.u32 %rd7, %r0, 16; add.u64 %rd7, %rd1, %rd7;
    st.global.v2.b64 [%rd7], {%rd5, %rd6};
    atom.global.exch.b128 %q3, [%rd0+16], %q0;
    mov.b128 {%rd5, %rd6}, %q3;
    st.global.v2.b64 [%rd7+512], {%rd5, %rd6};
    ret;)",
                                      2));
  T.buffer<uint64_t>({0, 7, 100, 101}).buffer(1024).run();
  // Each lane finds what the one before wrote, and adds one.
  EXPECT_EQ(T.contents<uint64_t>(0), (std::vector<uint64_t>{32, 7, 31, 7}));
  std::vector<uint64_t> Out = T.contents<uint64_t>(1);
  for (unsigned L = 0; L != 32; ++L) {
    EXPECT_EQ(Out[2 * L], L);
    EXPECT_EQ(Out[2 * L + 1], 7u);
    EXPECT_EQ(Out[64 + 2 * L], L ? L - 1 : 100u);
    EXPECT_EQ(Out[64 + 2 * L + 1], L ? 7u : 101u);
  }
}

/// What an addition of \p B to \p A leaves in global and in shared memory, the
/// latter also by a generic address.
std::vector<uint32_t> addedFloats(uint32_t A, uint32_t B) {
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 4 .b8 s[8];
    ld.global.b32 %r1, [%rd0]; ld.global.f32 %f1, [%rd0+4];
    st.shared.b32 [s], %r1; st.shared.b32 [s+4], %r1;
    red.shared.add.f32 [s], %f1;
    mov.u64 %rd1, s; cvta.shared.u64 %rd1, %rd1;
    red.add.f32 [%rd1+4], %f1;
    red.global.add.f32 [%rd0], %f1;
    ld.shared.v2.b32 {%r2, %r3}, [s];
    st.global.b32 [%rd0+4], %r2; st.global.b32 [%rd0+8], %r3;
    ret;)"));
  T.Launch.Block = {1, 1, 1};
  T.buffer<uint32_t>({A, B, 0}).run();
  return T.contents<uint32_t>();
}

TEST(EmulatorAtomics, SubnormalFloatsAndNaNs) {
  // "atom.add.f32 on global memory flushes subnormal inputs and results to
  // sign-preserving zero; on shared memory it supports them" (PTX ISA, atom).
  EXPECT_EQ(addedFloats(0x00000003, 0x00000004),
            (std::vector<uint32_t>{0, 7, 7}));
  EXPECT_EQ(addedFloats(0x00800000, 0x80000001),
            (std::vector<uint32_t>{0x00800000, 0x007fffff, 0x007fffff}));
  EXPECT_EQ(addedFloats(0x80800001, 0x00800000),
            (std::vector<uint32_t>{0x80000000, 0x80000001, 0x80000001}));
  EXPECT_EQ(addedFloats(0x7fc12345, 0x3f800000),
            (std::vector<uint32_t>{0x7fffffff, 0x7fffffff, 0x7fffffff}));
  EXPECT_EQ(addedFloats(0x7f800000, 0xff800000),
            (std::vector<uint32_t>{0x7fffffff, 0x7fffffff, 0x7fffffff}));
}

TEST(EmulatorAtomics, OnlyLanesWhoseGuardHoldsTakePart) {
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 1; setp.eq.u32 %p0, %r1, 1;
    mov.u32 %r2, 555;
    @%p0 atom.global.add.u32 %r2, [%rd0], 1;
    @!%p0 red.global.or.b32 [%rd0+4], 1;
    mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;
    st.global.u32 [%rd1+8], %r2;
    ret;)"));
  T.buffer(8 + 128).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>();
  EXPECT_EQ(Out[0], 16u);
  EXPECT_EQ(Out[1], 1u);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(Out[2 + L], L % 2 ? L / 2 : 555);
  EXPECT_EQ(T.at("atom.global.add.u32").Lanes, 16u);
}

TEST(EmulatorAtomics, ThreadsOfAllBlocksCountTogether) {
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 3;
    mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %rd0, %rd1;
    red.global.add.u32 [%rd1], 1;
    atom.global.max.u32 %r2, [%rd0+16], %r0;
    cvt.rn.f64.u32 %fd0, %r0;
    red.global.add.f64 [%rd0+24], %fd0;
    ret;)"));
  T.Launch.Grid = {40, 1, 1};
  T.Launch.Block = {100, 1, 1};
  T.Options.Jobs = 4;
  T.buffer(32).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>();
  for (unsigned N = 0; N != 4; ++N)
    EXPECT_EQ(Out[N], 1000u);
  EXPECT_EQ(Out[4], 99u);
  EXPECT_EQ(T.contents<double>()[3], 40 * 99 * 50.0);
}

TEST(EmulatorAtomics, LongLoopsWithThemAreNoWaiting) {
  // Lane t counts 1000 t times. Lanes that are done must not go ahead: what
  // follows the loop runs once.
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %tid.x; mul.lo.u32 %r1, %r0, 1000; mov.u32 %r2, 0;
  Loop:
    setp.ge.u32 %p0, %r2, %r1;
    @%p0 bra Out;
    red.global.add.u32 [%rd0], 1;
    add.u32 %r2, %r2, 1;
    bra Loop;
  Out:
    red.global.add.u32 [%rd0+4], 1;
    ret;)"));
  T.buffer(8).run();
  EXPECT_EQ(T.contents<uint32_t>(), (std::vector<uint32_t>{496000, 32}));
  EXPECT_EQ(T.at("ret").Executions, 1u);
}

} // namespace
