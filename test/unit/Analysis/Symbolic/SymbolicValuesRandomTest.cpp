//===- SymbolicValuesRandomTest.cpp - Random index computations, emulated -===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Generated sequences of integer instructions, with guards, branches and loops,
// run by the emulator. Every result that is stored must equal the value of its
// expression, for each thread, block and iteration. A few are generated in an
// ordinary run; PTXPREDICT_RANDOM_EXPRESSIONS=10000 in the environment asks for
// as many as that.
//===----------------------------------------------------------------------===//
#include "../Emulator/EmulatedText.h"
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>
#include <random>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::formatv;

namespace {

/// How often a loop runs: always Base + 1 times, or by the thread's x.
struct Trips {
  unsigned Base = 0, Mask = 0;
  uint64_t of(uint64_t X) const { return Base + (X & Mask) + 1; }
  unsigned most() const { return Base + Mask + 1; }
};

/// One `st.global.u64` of the text.
struct Store {
  size_t FirstSlot = 0; ///< one slot of all threads for each iteration
  std::vector<std::string> Loops; ///< labels of headers, outer ones first
};

struct Form {
  const char *Mnemonic;
  /// Operands: a, b and c are registers of 16, 32 and 64 bits, p predicates;
  /// capitals may be immediates; s is a shift's amount, n a byte.
  const char *Operands;
};

constexpr Form Common[] = {
    {"add.u32", "bbB"},      {"add.s32", "bbB"},     {"sub.s32", "bbB"},
    {"mul.lo.u32", "bbB"},   {"mad.lo.s32", "bbBb"}, {"shl.b32", "bbs"},
    {"shr.u32", "bbs"},      {"shr.s32", "bbs"},     {"and.b32", "bbB"},
    {"or.b32", "bbB"},       {"xor.b32", "bbB"},     {"mul.wide.u32", "cbB"},
    {"mul.wide.s32", "cbB"}, {"add.s64", "ccC"},     {"cvt.u64.u32", "cb"},
    {"cvt.s64.s32", "cb"},   {"cvt.u32.u64", "bc"},  {"div.u32", "bbB"},
    {"rem.u32", "bbB"},      {"min.s32", "bbB"},     {"max.s32", "bbB"},
    {"shl.b64", "ccs"},      {"selp.b32", "bbBp"},   {"setp.lt.s32", "pbB"},
    {"setp.ge.u32", "pbB"},  {"bfe.u32", "bbss"},    {"mul.hi.u32", "bbB"}};

constexpr Form Rare[] = {{"add.u16", "aaA"},
                         {"sub.s16", "aaA"},
                         {"mul.lo.u16", "aaA"},
                         {"mul.hi.s16", "aaA"},
                         {"mul.hi.u16", "aaA"},
                         {"div.s16", "aaA"},
                         {"rem.s16", "aaA"},
                         {"div.u16", "aaA"},
                         {"rem.u16", "aaA"},
                         {"min.u16", "aaA"},
                         {"max.s16", "aaA"},
                         {"mad.lo.u16", "aaAa"},
                         {"mad.lo.s16", "aaAa"},
                         {"mul.wide.u16", "baA"},
                         {"mul.wide.s16", "baA"},
                         {"mad.wide.u16", "baAb"},
                         {"mad.wide.s16", "baAb"},
                         {"abs.s16", "aa"},
                         {"neg.s16", "aa"},
                         {"and.b16", "aaA"},
                         {"or.b16", "aaA"},
                         {"xor.b16", "aaA"},
                         {"not.b16", "aa"},
                         {"shl.b16", "aas"},
                         {"shr.u16", "aas"},
                         {"shr.s16", "aas"},
                         {"cnot.b16", "aa"},
                         {"sad.s16", "aaaa"},
                         {"mul.hi.s32", "bbB"},
                         {"mad.hi.s32", "bbBb"},
                         {"mad.hi.u32", "bbBb"},
                         {"mad.wide.s32", "cbBc"},
                         {"mad.wide.u32", "cbBc"},
                         {"div.s32", "bbB"},
                         {"rem.s32", "bbB"},
                         {"min.u32", "bbB"},
                         {"max.u32", "bbB"},
                         {"sad.u32", "bbbb"},
                         {"sad.s32", "bbbb"},
                         {"abs.s32", "bb"},
                         {"neg.s32", "bb"},
                         {"not.b32", "bb"},
                         {"cnot.b32", "bb"},
                         {"mul24.lo.u32", "bbB"},
                         {"mul24.hi.u32", "bbB"},
                         {"mul24.lo.s32", "bbB"},
                         {"mul24.hi.s32", "bbB"},
                         {"mad24.lo.s32", "bbBb"},
                         {"mad24.hi.u32", "bbBb"},
                         {"mad24.hi.sat.s32", "bbBb"},
                         {"add.sat.s32", "bbB"},
                         {"sub.sat.s32", "bbB"},
                         {"mad.hi.sat.s32", "bbBb"},
                         {"dp4a.u32.u32", "bbbb"},
                         {"dp4a.s32.u32", "bbbb"},
                         {"dp2a.lo.s32.s32", "bbbb"},
                         {"dp2a.hi.u32.s32", "bbbb"},
                         {"popc.b32", "bb"},
                         {"popc.b64", "bc"},
                         {"clz.b32", "bb"},
                         {"clz.b64", "bc"},
                         {"bfind.u32", "bb"},
                         {"bfind.s32", "bb"},
                         {"bfind.shiftamt.u32", "bb"},
                         {"bfind.shiftamt.s64", "bc"},
                         {"bfind.u64", "bc"},
                         {"brev.b32", "bb"},
                         {"brev.b64", "cc"},
                         {"bfe.s32", "bbss"},
                         {"bfe.u64", "ccss"},
                         {"bfe.s64", "ccss"},
                         {"bfe.u32", "bbbb"},
                         {"bfe.s32", "bbbs"},
                         {"bfe.s64", "ccsb"},
                         {"bfi.b32", "bbbss"},
                         {"bfi.b64", "cccss"},
                         {"bfi.b32", "bbbbs"},
                         {"bfi.b64", "cccbb"},
                         {"bmsk.clamp.b32", "bbs"},
                         {"bmsk.wrap.b32", "bbb"},
                         {"szext.wrap.s32", "bbs"},
                         {"szext.clamp.u32", "bbb"},
                         {"szext.clamp.s32", "bbs"},
                         {"prmt.b32", "bbbB"},
                         {"prmt.b32", "bbbb"},
                         {"prmt.b32.f4e", "bbbb"},
                         {"prmt.b32.rc8", "bbbb"},
                         {"prmt.b32.ecl", "bbbs"},
                         {"prmt.b32.b4e", "bbbs"},
                         {"prmt.b32.ecr", "bbbb"},
                         {"prmt.b32.rc16", "bbbb"},
                         {"lop3.b32", "bbbbn"},
                         {"shf.l.wrap.b32", "bbbs"},
                         {"shf.r.wrap.b32", "bbbs"},
                         {"shf.l.clamp.b32", "bbbs"},
                         {"shf.r.clamp.b32", "bbbs"},
                         {"shf.l.wrap.b32", "bbbb"},
                         {"shf.r.clamp.b32", "bbbb"},
                         {"shl.b32", "bbb"},
                         {"shr.u32", "bbb"},
                         {"shr.s32", "bbb"},
                         {"shl.b64", "ccb"},
                         {"shr.u64", "ccb"},
                         {"shr.s64", "ccs"},
                         {"shr.u64", "ccs"},
                         {"sub.s64", "ccC"},
                         {"mul.lo.s64", "ccC"},
                         {"mul.hi.u64", "ccC"},
                         {"mul.hi.s64", "ccC"},
                         {"mad.lo.u64", "ccCc"},
                         {"div.u64", "ccC"},
                         {"rem.u64", "ccC"},
                         {"div.s64", "ccC"},
                         {"rem.s64", "ccC"},
                         {"min.u64", "ccC"},
                         {"max.s64", "ccC"},
                         {"abs.s64", "cc"},
                         {"neg.s64", "cc"},
                         {"and.b64", "ccC"},
                         {"or.b64", "ccC"},
                         {"xor.b64", "ccC"},
                         {"not.b64", "cc"},
                         {"cnot.b64", "cc"},
                         {"selp.b64", "ccCp"},
                         {"selp.b16", "aaAp"},
                         {"slct.b32.s32", "bbbb"},
                         {"slct.u64.s32", "cccb"},
                         {"setp.eq.b32", "pbB"},
                         {"setp.ne.s32", "pbB"},
                         {"setp.le.u32", "pbB"},
                         {"setp.hi.u32", "pbB"},
                         {"setp.gt.s32", "pbB"},
                         {"setp.lt.u64", "pcC"},
                         {"setp.ge.s64", "pcC"},
                         {"setp.eq.s64", "pcC"},
                         {"setp.lt.s16", "paA"},
                         {"setp.hs.u16", "paA"},
                         {"setp.lt.and.s32", "pbBp"},
                         {"setp.ge.or.u32", "pbBp"},
                         {"setp.ne.xor.s32", "pbBp"},
                         {"set.lt.u32.s32", "bbB"},
                         {"set.ge.s32.u64", "bcC"},
                         {"set.eq.and.u32.u32", "bbBp"},
                         {"and.pred", "ppp"},
                         {"or.pred", "ppp"},
                         {"xor.pred", "ppp"},
                         {"not.pred", "pp"},
                         {"cvt.u16.u32", "ab"},
                         {"cvt.s16.s32", "ab"},
                         {"cvt.u32.u16", "ba"},
                         {"cvt.s32.s16", "ba"},
                         {"cvt.s64.s16", "ca"},
                         {"cvt.u64.u16", "ca"},
                         {"cvt.s32.s8", "bb"},
                         {"cvt.u32.u8", "bb"},
                         {"cvt.u16.u8", "ab"},
                         {"cvt.s16.s8", "aa"},
                         {"cvt.u64.s32", "cb"},
                         {"cvt.s32.s64", "bc"},
                         {"cvt.u16.u64", "ac"},
                         {"cvt.sat.s16.s32", "ab"},
                         {"cvt.sat.u16.s32", "ab"},
                         {"cvt.sat.u32.s64", "bc"},
                         {"cvt.sat.s32.u64", "bc"},
                         {"cvt.sat.u8.s32", "bb"},
                         {"cvt.sat.s8.u16", "ba"},
                         {"cvt.u32.s16", "ba"},
                         {"cvt.s64.u32", "cb"},
                         {"mov.b32", "bB"},
                         {"mov.b64", "cC"}};

/// A kernel of several computations.
class Generator {
public:
  explicit Generator(unsigned Seed) : Random(Seed) {
    static constexpr Dim3 Blocks[] = {{32, 1, 1},  {64, 1, 1}, {16, 4, 1},
                                      {8, 8, 2},   {40, 1, 1}, {33, 2, 1},
                                      {128, 1, 1}, {32, 4, 1}, {4, 4, 4}};
    Block = Blocks[upTo(std::size(Blocks))];
    Grid = {1 + upTo(4), 1 + upTo(3), 1};
    N = uint32_t(oneIn(2) ? upTo(300) : Random());
    M = oneIn(2) ? upTo(5000) : Random();
  }

  void computation() {
    Scope = Count++;
    Have[0] = 2, Have[1] = 6, Have[2] = 3, Have[3] = 2;
    Depth = 0, NumLoops = 0;
    emit("{\n.reg .b16 %a<100>; .reg .b32 %b<100>; .reg .b64 %c<100>;\n"
         ".reg .pred %p<100>; .reg .b32 %t<9>;");
    emit("mov.u32 %b0, %tid.x;\nmov.u32 %b1, %tid.y;\nmov.u32 %b2, %ctaid.x;\n"
         "mov.u32 %b3, %ntid.x;\ncvt.u32.u64 %b4, %rd1;\nmov.u32 %b5, "
         "%ctaid.y;");
    emit("mov.u64 %c0, %rd2;\ncvt.u64.u32 %c1, %b0;\nmul.wide.u32 %c2, %b2, "
         "%b3;");
    emit("cvt.u16.u32 %a0, %b0;\nmov.u16 %a1, 77;");
    emit("setp.lt.u32 %p0, %b0, %b4;\nsetp.eq.u32 %p1, %b2, 1;");
    if (oneIn(2))
      emit("mad.lo.u32 %b4, %b2, %b3, %b0;");
    HasLocals = oneIn(2);
    if (HasLocals) {
      emit(formatv(".local .align 8 .b8 depot{0}[{1}];\n"
                   ".reg .b64 %sl, %sp, %sq;\nmov.u64 %sl, depot{0};\n"
                   "cvta.local.u64 %sp, %sl;\nadd.s64 %sq, %sp, 16;",
                   Scope, DepotBytes));
      emit(formatv("st.local.v2.u32 {0}, {{%b0, %b1};", local(0)));
      emit(formatv("st.local.u64 {0}, %c0;", local(8)));
      emit(formatv("st.local.u16 {0}, %a0;", local(16)));
    }
    unsigned Length = 2 + upTo(8);
    for (unsigned I = 0; I != Length; ++I)
      statement();
    if (oneIn(3)) {
      loop();
      for (unsigned I = 0; I != 2; ++I)
        statement();
    }
    if (HasLocals && oneIn(20)) { // nobody knows which of two was written
      emit("and.b64 %sq, %c0, 4;\nadd.s64 %sq, %sq, %sl;");
      emit("st.local.u32 [%sq], " + old('b') + ";");
      emit("ld.local.u32 " + made('b') + ", " + local(4) + ";");
      done();
    }
    for (unsigned I = 0; I != 2; ++I)
      store();
    emit("}");
  }

  std::string kernel() const {
    // The thread's place in each slot, in bytes.
    std::string Start =
        "mov.u32 %r0, %ctaid.y;\nmov.u32 %r1, %nctaid.x;\n"
        "mov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
        "mov.u32 %r3, %tid.z;\nmov.u32 %r4, %ntid.y;\nmov.u32 %r5, %tid.y;\n"
        "mad.lo.u32 %r3, %r3, %r4, %r5;\nmov.u32 %r4, %ntid.x;\n"
        "mov.u32 %r5, %tid.x;\nmad.lo.u32 %r3, %r3, %r4, %r5;\n" +
        formatv("mad.lo.u32 %r0, %r0, {0}, %r3;\n", Block.count()).str() +
        "mul.wide.u32 %rd3, %r0, 8;\nadd.s64 %rd4, %rd0, %rd3;\n";
    // Writes the second word of what it gets the address of.
    StringRef Called = ".func touch(.param .b64 p, .param .b32 v) {\n"
                       ".reg .b64 %rd<3>; .reg .b32 %r<2>;\n"
                       ".local .align 8 .b8 own[8];\n"
                       "ld.param.b64 %rd1, [p]; ld.param.b32 %r1, [v];\n"
                       "st.local.u64 [own], %rd1; ld.local.u64 %rd2, [own];\n"
                       "st.u32 [%rd2+4], %r1;\nret;\n}\n";
    return EmulatedText::kernel(Start + Text + "ret;", 3, Called);
  }

  uint64_t threads() const { return Block.count() * Grid.count(); }
  size_t slots() const { return NumSlots; }

  Dim3 Block, Grid;
  uint32_t N;
  uint64_t M;
  std::vector<Store> Stores;
  std::map<std::string, Trips> Loops; ///< by label of the header

private:
  uint64_t upTo(uint64_t Limit) { return Random() % Limit; }
  bool oneIn(unsigned Of) { return upTo(Of) == 0; }
  void emit(const Twine &Line) { Text += Line.str() + "\n"; }

  std::string immediate(unsigned Bits) {
    static constexpr int64_t Values[] = {
        0,  1,  2,   3,   4,    5,    7,  8,  15, 16,  31, 32,  33,  48, 63,
        64, 96, 127, 255, 1023, 1024, -1, -2, -8, -32, 28, 511, 100, 9,  12};
    int64_t V = Values[upTo(std::size(Values))];
    if (oneIn(8))
      V = int64_t(Random());
    if (Bits < 64)
      V = Bits == 16 ? int16_t(V) : int32_t(V);
    return std::to_string(V);
  }

  static unsigned kindOf(char C) {
    return unsigned(StringRef("abcp").find(char(tolower(C))));
  }
  std::string old(char C) {
    unsigned K = kindOf(C);
    // Mostly what was made last.
    uint64_t Index =
        oneIn(2) ? upTo(Have[K]) : Have[K] - 1 - upTo(std::min(Have[K], 3u));
    return formatv("%{0}{1}", "abcp"[K], Index);
  }
  std::string made(char C) {
    unsigned K = kindOf(C);
    if (Have[K] >= 95 || (Depth == 0 && oneIn(5)))
      return old(C);
    return formatv("%{0}{1}", "abcp"[K], Pending[K] = Have[K]);
  }
  void done() {
    for (unsigned K = 0; K != 4; ++K) {
      Have[K] = std::max(Have[K], unsigned(Pending[K] + 1));
      Pending[K] = -1;
    }
  }

  void instruction(StringRef Guard = "") {
    const Form &F = oneIn(2) ? Common[upTo(std::size(Common))]
                             : Rare[upTo(std::size(Rare))];
    std::string Line = Guard.str() + F.Mnemonic + " ";
    std::string Sources;
    for (const char *O = F.Operands + 1; *O; ++O) {
      Sources += ", ";
      if (*O == 's')
        Sources += std::to_string(oneIn(10) ? upTo(80) : upTo(33));
      else if (*O == 'n')
        Sources += std::to_string(upTo(256));
      else if (isupper(*O) && oneIn(2))
        Sources += immediate(16u << kindOf(*O));
      else
        Sources += old(*O);
    }
    // A guarded instruction writes what has a value already.
    std::string To = Guard.empty() ? made(F.Operands[0]) : old(F.Operands[0]);
    emit(Line + To + Sources + ";");
    done();
  }

  /// From any type of integers to any, in registers as wide or wider.
  void conversion() {
    static constexpr struct {
      const char *Name;
      const char *Registers;
      unsigned Bits;
    } Types[] = {{"u8", "abc", 8},   {"s8", "abc", 8},  {"u16", "abc", 16},
                 {"s16", "abc", 16}, {"u32", "bc", 32}, {"s32", "bc", 32},
                 {"u64", "c", 64},   {"s64", "c", 64}};
    const auto &To = Types[upTo(8)], &From = Types[upTo(8)];
    auto Of = [this](StringRef Registers) {
      return Registers[upTo(Registers.size())];
    };
    // Only where a number may be out of range.
    const bool ToSigned = To.Name[0] == 's', FromSigned = From.Name[0] == 's';
    const bool Fits = ToSigned == FromSigned ? To.Bits >= From.Bits
                                             : ToSigned && To.Bits > From.Bits;
    const std::string Source = old(Of(From.Registers));
    emit(formatv("cvt{0}.{1}.{2} {3}, {4};", !Fits && oneIn(4) ? ".sat" : "",
                 To.Name, From.Name, made(Of(To.Registers)), Source));
    done();
  }

  void special() {
    if (oneIn(2))
      return conversion();
    switch (upTo(6)) {
    case 0:
      emit("mov.b32 " + made('b') + ", {" + old('a') + ", " + old('a') + "};");
      break;
    case 1:
      emit("mov.b64 " + made('c') + ", {" + old('b') + ", " + old('b') + "};");
      break;
    case 2: {
      std::string From = old('c');
      emit("mov.b64 {" + made('b') + ", %t0}, " + From + ";");
      break;
    }
    case 3: {
      std::string From = old('b');
      emit("mov.b32 {" + made('a') + ", %a99}, " + From + ";");
      break;
    }
    case 4: { // 64 bits in two parts
      std::string A = old('b'), B = old('b'), C = old('b'), D = old('b');
      bool Sub = oneIn(2);
      emit(formatv("{0}.cc.u32 %t1, {1}, {2};", Sub ? "sub" : "add", A, B));
      emit(formatv("{0}.u32 {1}, {2}, {3};", Sub ? "subc" : "addc", made('b'),
                   C, D));
      break;
    }
    default: {
      std::string A = old('b'), B = old('b'), C = old('b');
      emit(formatv("mad.lo.cc.u32 %t2, {0}, {1}, {2};", A, B, C));
      emit(formatv("madc.hi.u32 {0}, {1}, {2}, {3};", made('b'), A, B, C));
      break;
    }
    }
    done();
  }

  void branch() {
    std::string Else = formatv("E{0}", NumLabels++),
                End = formatv("E{0}", NumLabels++);
    emit("@" + std::string(oneIn(2) ? "!" : "") + old('p') + " bra " + Else +
         ";");
    unsigned Before[4];
    std::copy(Have, Have + 4, Before);
    auto Side = [&] {
      for (unsigned I = 0; I != 2; ++I) {
        instruction();
        // What both sides have, or what was there before, goes on.
        emit(formatv("mov.b32 %t{0}, {1};", 3 + I, old('b')));
        if (oneIn(6) && NumLabels % 3 == 0)
          branch();
      }
      std::copy(Before, Before + 4, Have);
    };
    Side();
    bool HasElse = oneIn(2);
    if (HasElse)
      emit("bra " + End + ";");
    else
      emit("mov.b32 %t3, 3; mov.b32 %t4, 4; bra " + End + ";");
    emit(Else + ":");
    if (HasElse)
      Side();
    else
      emit("mov.b32 %t3, %b0; mov.b32 %t4, %b1;");
    emit(End + ":");
    emit("add.u32 " + made('b') + ", %t3, %t4;");
    done();
  }

  /// An address in the computation's local variable.
  std::string local(unsigned Offset) {
    if (oneIn(2))
      return formatv("[depot{0}+{1}]", Scope, Offset);
    return formatv("[%sl+{0}]", Offset);
  }

  /// Stores to a slot, or loads from one; in loops what was just stored.
  void throughMemory() {
    static constexpr std::pair<unsigned, char> Slots[] = {
        {0, 'b'}, {4, 'b'}, {8, 'c'}, {16, 'a'}};
    auto [Offset, C] = Slots[upTo(std::size(Slots))];
    std::string Type = C == 'a' ? "u16" : C == 'b' ? "u32" : "u64";
    bool InLoop = Depth != 0;
    if (InLoop || oneIn(2)) {
      std::string Guard;
      if (!InLoop && oneIn(4))
        Guard = "@" + std::string(oneIn(2) ? "!" : "") + old('p') + " ";
      emit(Guard + "st" + place(Offset + 32 * InLoop, Type) + ", " + old(C) +
           ";");
      if (!InLoop)
        return;
    }
    std::string Place = place(Offset + 32 * InLoop, Type);
    if (C == 'a' && oneIn(2)) {
      std::string Extended = place(Offset + 32 * InLoop, "s16");
      auto [Suffix, Address] = StringRef(Extended).split(' ');
      emit(formatv("ld{0} {1}, {2};", Suffix, made('b'), Address));
    } else {
      auto [Suffix, Address] = StringRef(Place).split(' ');
      emit(formatv("ld{0} {1}, {2};", Suffix, made(C), Address));
    }
    done();
  }

  /// A call that writes one slot.
  void callWithAddress() {
    emit("{ .param .b64 p; .param .b32 v;\nst.param.b64 [p], %sp;\n"
         "st.param.b32 [v], " +
         old('b') + ";\ncall.uni touch, (p, v);\n}");
    // What it holds is not known otherwise.
    if (!oneIn(20))
      emit("st" + place(4, "u32") + ", " + old('b') + ";");
  }

  /// ".local.u32 [depot+8]" or the same as a generic address.
  std::string place(unsigned Offset, StringRef Type) {
    if (oneIn(2))
      return (".local." + Type + " " + local(Offset)).str();
    if (oneIn(2))
      return formatv(".{0} [%sp+{1}]", Type, Offset);
    return formatv(".{0} [%sq+{1}]", Type, int(Offset) - 16);
  }

  void statement() {
    if (HasLocals && oneIn(4))
      throughMemory();
    else if (HasLocals && Depth == 0 && oneIn(16))
      callWithAddress();
    else if (oneIn(8))
      special();
    else if (oneIn(8) && Depth == 0)
      instruction("@" + std::string(oneIn(2) ? "!" : "") + old('p') + " ");
    else if (oneIn(10))
      branch();
    else
      instruction();
  }

  /// A register that changes from iteration to iteration, in a way that has a
  /// closed form.
  std::string recurrence(const std::string &R, const std::string &By) {
    switch (upTo(10)) {
    case 0:
    case 1:
      return "add.u32 " + R + ", " + R + ", " + By + ";";
    case 9: { // of fewer bits than its register has
      static constexpr const char *Narrow[] = {"u32.u8", "s32.s8", "u32.u16",
                                               "s32.s16"};
      return "add.u32 " + R + ", " + R + ", " + By + ";\ncvt." +
             Narrow[upTo(4)] + " " + R + ", " + R + ";";
    }
    case 2:
      return "sub.u32 " + R + ", " + R + ", " + By + ";";
    case 3:
      return "shl.b32 " + R + ", " + R + ", " + std::to_string(upTo(4)) + ";";
    case 4:
      return "shr.u32 " + R + ", " + R + ", " + std::to_string(upTo(4)) + ";";
    case 5:
      return "shr.s32 " + R + ", " + R + ", " + std::to_string(upTo(4)) + ";";
    case 6:
      return "mul.lo.u32 " + R + ", " + R + ", " + By + ";";
    case 7:
      return "xor.b32 " + R + ", " + R + ", " + By + ";";
    default:
      return "sub.u32 " + R + ", " + By + ", " + R + ";";
    }
  }

  void loop() {
    std::string Header = formatv("H{0}", NumLabels++);
    Trips T;
    T.Base = unsigned(upTo(4));
    if (oneIn(3))
      T.Mask = oneIn(2) ? 3 : 1;
    Loops[Header] = T;
    std::string I = formatv("%k{0}", NumLoops++);
    emit("{ .reg .b32 " + I + ", %last" + std::to_string(Depth) +
         "; .reg .pred %go;");
    std::string Last = "%last" + std::to_string(Depth);
    emit(formatv("and.b32 {0}, %tid_x, {1};\nadd.u32 {0}, {0}, {2};", Last,
                 T.Mask, T.Base));
    // %tid.x under a name that nothing else writes.
    size_t At = Text.rfind("%tid_x");
    Text.replace(At, 6, "%r5");
    std::string By1 = oneIn(2) ? immediate(32) : old('b'), By2 = old('b');
    std::string R1 = made('b');
    emit("mov.u32 " + R1 + ", " + old('b') + ";");
    done();
    std::string R2 = made('b');
    emit("add.u32 " + R2 + ", " + old('b') + ", 3;");
    done();
    std::string W = made('c');
    emit("add.u64 " + W + ", " + old('c') + ", 5;");
    done();
    // Some grow by another one.
    std::string Next1 = recurrence(R1, By1),
                Next2 = StringRef(Next1).starts_with("add") && oneIn(2)
                            ? "add.u32 " + R2 + ", " + R2 + ", " + R1 + ";"
                            : recurrence(R2, By2);
    std::string Step = oneIn(2) ? immediate(64) : old('c');
    // One may be kept in memory.
    std::string Kept;
    if (HasLocals && oneIn(2)) {
      Kept = place(64 + 4 * Depth, "u32");
      emit("st" + Kept + ", " + R2 + ";");
    }
    emit("mov.u32 " + I + ", 0;");
    Path.push_back(Header);
    Counters.push_back(I);
    ++Depth;
    emit(Header + ":");
    if (!Kept.empty()) {
      auto [Suffix, Address] = StringRef(Kept).split(' ');
      emit("ld" + Suffix + " " + R2 + ", " + Address + ";");
    }
    for (unsigned S = 0; S != 3; ++S)
      statement();
    if (Depth == 1 && oneIn(3))
      loop();
    store();
    auto Round = [&] {
      emit(Next1);
      emit(Next2);
      if (!Kept.empty())
        emit("st" + Kept + ", " + R2 + ";");
      emit("add.u64 " + W + ", " + W + ", " + Step + ";");
      emit(formatv("setp.lt.u32 %go, {0}, {1};", I, Last));
      emit(formatv("add.u32 {0}, {0}, 1;\n@%go bra {1};", I, Header));
    };
    std::string End = formatv("E{0}", NumLabels++);
    if (oneIn(3)) { // two ways round
      std::string Other = formatv("E{0}", NumLabels++);
      emit("@" + old('p') + " bra " + Other + ";");
      Round();
      emit("bra " + End + ";");
      emit(Other + ":");
    }
    Round();
    emit(End + ":");
    emit("}");
    --Depth;
    Path.pop_back();
    Counters.pop_back();
  }

  void store() {
    char C = "abbbcc"[upTo(6)];
    std::string From = old(C);
    emit(C == 'a'   ? "cvt.u64.u16 %rd20, " + From + ";"
         : C == 'b' ? "cvt.u64.u32 %rd20, " + From + ";"
                    : "mov.u64 %rd20, " + From + ";");
    Store S;
    S.FirstSlot = NumSlots;
    S.Loops = Path;
    size_t Number = 1;
    emit("mov.u32 %r20, 0;");
    for (size_t L = 0; L != Path.size(); ++L) {
      emit(formatv("mad.lo.u32 %r20, %r20, {0}, {1};", Loops[Path[L]].most(),
                   Counters[L]));
      Number *= Loops[Path[L]].most();
    }
    emit(formatv("mul.wide.u32 %rd21, %r20, {0};\nadd.s64 %rd21, %rd21, %rd4;\n"
                 "st.global.u64 [%rd21+{1}], %rd20;",
                 threads() * 8, NumSlots * threads() * 8));
    NumSlots += Number;
    Stores.push_back(std::move(S));
  }

  std::mt19937_64 Random;
  std::string Text;
  static constexpr unsigned DepotBytes = 80;
  bool HasLocals = false; ///< in this computation
  unsigned Scope = 0, Count = 0, Depth = 0, NumLoops = 0, NumLabels = 0;
  unsigned Have[4] = {};
  int Pending[4] = {-1, -1, -1, -1};
  size_t NumSlots = 0;
  std::vector<std::string> Path, Counters;
};

struct Totals {
  size_t Stores = 0, Unknown = 0, Values = 0;
};

/// Compares one kernel's stores with the expressions. False at the first
/// difference.
bool check(unsigned Seed, unsigned NumComputations, Totals &All) {
  Generator Made(Seed);
  for (unsigned I = 0; I != NumComputations; ++I)
    Made.computation();
  std::string Text = Made.kernel();
  constexpr uint64_t Untouched = 0x5ea1ed0ff1ce0000;
  std::vector<uint64_t> Initial(Made.slots() * Made.threads(), Untouched);
  EmulatedText T(Text);
  if (!T.Kernel) {
    ADD_FAILURE() << Text;
    return false;
  }
  T.Launch.Block = Made.Block, T.Launch.Grid = Made.Grid;
  T.buffer<uint64_t>(Initial).number(Made.N).number(int64_t(Made.M)).run();
  std::vector<uint64_t> Got = T.contents<uint64_t>();

  LaunchConfig Launch;
  Launch.Block = Made.Block, Launch.Grid = Made.Grid;
  if (Seed % 2) // else they stay symbols
    for (unsigned P : {1u, 2u})
      Launch.Args[P].Integer = P == 1 ? int64_t(Made.N) : int64_t(Made.M);
  // Of an assumed launch all must hold for this one too.
  if (Seed % 3 == 0) {
    Launch.BlockIsAssumed = Launch.GridIsAssumed = true;
    bool WholeRows = Made.Block.X % WarpSize == 0;
    Launch.Block = WholeRows ? Dim3{256, 1, 1} : Dim3{48, 2, 1};
    Launch.Grid = {1024, 1, 1};
  }
  ControlFlow CF(*T.Kernel);
  Expressions E(Launch);
  SymbolicValues V(*T.Kernel, CF, Launch, E);
  size_t Next = 0;
  for (const Block *B : T.Kernel->Blocks)
    for (const Instruction *I : B->Instructions) {
      if (I->Mnemonic != "st.global.u64")
        continue;
      const Store &S = Made.Stores[Next++];
      const Expression *X = V.of(*I, I->Operands[1], 64);
      ++All.Stores;
      // Of an unknown value at least the lanes must be the same if it says so.
      bool IsOpaque = X->opaque() != nullptr;
      All.Unknown += IsOpaque;
      if (IsOpaque && !X->isUniform())
        continue;
      SmallVector<Trips, 2> Loops;
      for (const std::string &L : S.Loops)
        Loops.push_back(Made.Loops[L]);
      size_t Iterations = 1;
      for (const Trips &L : Loops)
        Iterations *= L.most();
      Assignment A;
      A.Block = Made.Block, A.Grid = Made.Grid;
      CompiledExpressions Compiled(X);
      uint64_t Warps = llvm::divideCeil(Made.Block.count(), WarpSize);
      for (size_t N = 0; N != Iterations * Warps * Made.Grid.count(); ++N) {
        size_t Iteration = N % Iterations, Rest = N / Iterations;
        A.Warp = Rest % Warps;
        uint64_t Block = Rest / Warps;
        A.BlockIndex = {Block % Made.Grid.X, Block / Made.Grid.X, 0};
        // Which iteration of each loop, inner ones running fastest.
        SmallVector<uint64_t, 2> Counters(Loops.size());
        size_t Left = Iteration;
        for (size_t L = Loops.size(); L-- != 0; Left /= Loops[L].most())
          Counters[L] = Left % Loops[L].most();
        for (const Expression *Sym : X->Symbols) {
          const Symbol &Is = *Sym->Sym;
          if (Is.Kind == Symbol::KindTy::Parameter)
            A.Values[Sym->Sym->Quantity] = Is.Name == "p1" ? Made.N : Made.M;
          if (Is.Kind != Symbol::KindTy::Counter &&
              Is.Kind != Symbol::KindTy::ExitCount)
            continue;
          std::string Header =
              CF.cycles()[Is.Number & 0xffff].Header->Label.str();
          if (Is.Kind == Symbol::KindTy::Counter) {
            size_t L = size_t(llvm::find(S.Loops, Header) - S.Loops.begin());
            A.Values[Sym->Sym->Quantity] = Counters[L];
            continue;
          }
          LaneArray &Exit = A.LaneValues[Sym->Sym->Quantity];
          for (uint64_t Lane = 0; Lane != WarpSize; ++Lane)
            Exit[Lane] = Made.Loops[Header].of((A.Warp * WarpSize + Lane) %
                                               Made.Block.X) -
                         1;
          A.Values[Sym->Sym->Quantity] = Exit[0]; // of all, where it is alike
        }
        Compiled.run(A);
        std::optional<uint64_t> First;
        for (uint64_t Lane = 0; Lane != WarpSize; ++Lane) {
          uint64_t Thread = A.Warp * WarpSize + Lane;
          bool Runs = Thread < Made.Block.count();
          for (size_t L = 0; L != Loops.size(); ++L)
            Runs &= Counters[L] < Loops[L].of(Thread % Made.Block.X);
          size_t Place = (S.FirstSlot + Iteration) * Made.threads() +
                         Block * Made.Block.count() + Thread;
          if (!Runs)
            continue;
          ++All.Values;
          if (!First)
            First = Got[Place];
          uint64_t Want = IsOpaque ? *First : Compiled.lane(0, unsigned(Lane));
          if (Got[Place] == Want)
            continue;
          ADD_FAILURE() << "seed " << Seed << ", line " << I->Line << ", warp "
                        << A.Warp << ", lane " << Lane << ", block " << Block
                        << ", iteration " << Iteration << ": emulated "
                        << int64_t(Got[Place]) << ", expression "
                        << int64_t(Want) << " = " << X->str();
          return false;
        }
      }
    }
  EXPECT_EQ(Next, Made.Stores.size());
  return true;
}

TEST(ValuesRandomTest, ExpressionsEqualEmulation) {
  const char *Asked = std::getenv("PTXPREDICT_RANDOM_EXPRESSIONS");
  unsigned Count = 300;
  if (Asked) {
    ASSERT_FALSE(StringRef(Asked).getAsInteger(10, Count));
  }
  constexpr unsigned PerKernel = 20;
  Totals All;
  for (unsigned Seed = 1; Seed <= Count / PerKernel; ++Seed)
    if (!check(Seed, PerKernel, All))
      break;
  RecordProperty("Stores", int(All.Stores));
  EXPECT_GT(All.Stores, 0u);
  EXPECT_LE(double(All.Unknown), 0.02 * double(All.Stores));
  if (Asked)
    llvm::outs() << All.Stores << " results, " << All.Unknown << " unknown, "
                 << All.Values << " values compared\n";
}

} // namespace
