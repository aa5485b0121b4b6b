//===- SharedMemoryCheckTest.cpp - Races, by hand and by history ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Sequences of events whose races are plain, and random ones that are compared
// with a checker that keeps every event and what came before it.
//===----------------------------------------------------------------------===//
#include "Emulator/Check/SharedMemoryCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <bitset>
#include <map>
#include <random>
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

char letter(SharedAccess K) { return "RWASE"[unsigned(K)]; }

/// "1W:0 2R:32 @4": instruction 1 of thread 0 wrote, 2 of thread 32 read.
std::string text(ArrayRef<SharedMemoryReport> Reports) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::ListSeparator Separator("; ");
  for (const SharedMemoryReport &R : Reports) {
    OS << Separator;
    if (R.What == SharedMemoryReport::Kind::Race)
      OS << R.First.Instruction << letter(R.First.Kind) << ':' << R.First.Thread
         << ' ';
    else
      OS << "unwritten ";
    OS << R.Second.Instruction << letter(R.Second.Kind) << ':'
       << R.Second.Thread << " @" << R.Address;
  }
  return Text;
}

/// Runs events, with spaces between, on a block of four warps with 64 B:
///   1W5@8        warp 1 writes, by instruction 5, the 4 bytes at 8 in lane 0;
///                W R A, S E for the start and end of a copy, and for global
///                memory G (a store), H (a load) and J (an atomic)
///   +lane /bytes =  another lane; another width; a store that changes nothing
///   +*           all lanes side by side from the address, +** all at it
///   .rlx .acq .rel .ar                       the order of a strong access
///   sync         all warps that have not exited, at barrier 0
///   arrive:0     at barrier 1; wait:12 warps 1 and 2 arrive and are released
///   done:12      the same for warps that arrived before
///   exit:0 fence:0 marrive:0 mcomplete mwait:0 minit
///   next         another block
class Runner {
public:
  std::string run(StringRef Events) {
    Check.reset(4, 64);
    Live = 0xF;
    SmallVector<StringRef> Tokens;
    Events.split(Tokens, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef T : Tokens)
      event(T);
    Check.finish();
    return text(Check.reports());
  }

private:
  void event(StringRef T) {
    WarpOrder &Order = Check.order();
    const auto [Word, Warps] = T.split(':');
    const unsigned Warp = Warps.empty() ? 0 : unsigned(Warps[0] - '0');
    if (T == "sync")
      release(0, Live);
    else if (T == "next")
      Check.reset(4, 64);
    else if (Word == "arrive")
      Order.barrierArrive(Warp, 1);
    else if (Word == "wait")
      release(1, mask(Warps));
    else if (Word == "done")
      Order.barrierRelease(1, mask(Warps));
    else if (Word == "exit")
      Order.exit(Warp), Live &= ~(1u << Warp);
    else if (Word == "fence")
      Order.fence(Warp);
    else if (Word == "minit")
      Order.mbarrierInit(32);
    else if (Word == "marrive")
      Order.mbarrierArrive(Warp, 32);
    else if (Word == "mcomplete")
      Order.mbarrierComplete(32);
    else if (Word == "mwait")
      Order.mbarrierWait(Warp, 32);
    else
      access(T);
  }

  static unsigned mask(StringRef Warps) {
    unsigned Mask = 0;
    for (char C : Warps)
      Mask |= 1u << (C - '0');
    return Mask;
  }

  void release(unsigned Barrier, unsigned Mask) {
    for (unsigned W = 0; W != 4; ++W)
      if (Mask >> W & 1)
        Check.order().barrierArrive(W, Barrier);
    Check.order().barrierRelease(Barrier, Mask);
  }

  void access(StringRef T) {
    const unsigned Warp = unsigned(T[0] - '0');
    const char Kind = T[1];
    unsigned Instruction = 0, Address = 0, Bytes = 4, Lane = 0;
    T = T.drop_front(2);
    bool Bad = T.consumeInteger(10, Instruction) || !T.consume_front("@") ||
               T.consumeInteger(10, Address);
    WarpAccess A;
    bool IsAll = false, IsUnchanged = false;
    unsigned Step = 0;
    MemoryOrder MO = MemoryOrder::Weak;
    while (!T.empty() && !Bad) {
      if (T.consume_front("+**"))
        IsAll = true;
      else if (T.consume_front("+*"))
        IsAll = true, Step = 1;
      else if (T.consume_front("+"))
        Bad = T.consumeInteger(10, Lane);
      else if (T.consume_front("/"))
        Bad = T.consumeInteger(10, Bytes);
      else if (T.consume_front("="))
        IsUnchanged = true;
      else if (T.consume_front(".rlx"))
        MO = MemoryOrder::Relaxed;
      else if (T.consume_front(".acq"))
        MO = MemoryOrder::Acquire;
      else if (T.consume_front(".rel"))
        MO = MemoryOrder::Release;
      else if (T.consume_front(".ar"))
        MO = MemoryOrder::AcquireRelease;
      else
        Bad = true;
    }
    ASSERT_FALSE(Bad) << T.str();
    A.BytesPerLane = Bytes;
    A.Active = IsAll ? ~0u : 1u << Lane;
    for (unsigned L = 0; L != WarpSize; ++L)
      A.Address[L] = Address + L * Step * Bytes;
    const size_t Known = StringRef("RWASE").find(Kind);
    if (Known != StringRef::npos)
      return Check.access(
          {Warp, Instruction, SharedAccess(Known), MO, IsUnchanged ? ~0u : 0},
          A);
    if (Kind != 'G')
      Check.order().acquire(Warp, A, /*IsShared=*/false, MO);
    if (Kind != 'H')
      Check.order().release(Warp, A, /*IsShared=*/false, MO);
  }

  SharedMemoryCheck Check;
  unsigned Live = 0;
};

struct Case {
  const char *What, *Events, *Want;
};

const Case Cases[] = {
    // Plain accesses.
    {"write, read", "0W1@0 1R2@0", "1W:0 2R:32 @0"},
    {"read, write", "0W1@0 sync 0R2@0 1W3@0", "2R:0 3W:32 @0"},
    {"write, write", "0W1@0 1W2@0", "1W:0 2W:32 @0"},
    {"reads alone", "0W1@0 sync 0R2@0 1R3@0 2R4@0", ""},
    {"one warp", "0W1@0 0R2@0+5 0W3@0+7", ""},
    {"other words", "0W1@0 1W2@4 2W3@8", ""},
    {"the same instruction", "0W1@0+3 1W1@0+4", "1W:3 1W:36 @0"},
    {"a pair once", "0W1@0 1R2@0 1R2@0 2R2@0", "1W:0 2R:32 @0"},
    {"a pair once, whichever first", "0W1@0 1R2@0 sync 0R2@4 1W1@4",
     "1W:0 2R:32 @0"},
    {"two pairs", "0W1@0 1R2@0 1R3@0", "1W:0 2R:32 @0"},
    {"two readers", "0W1@0 sync 0R2@0 1R3@0 2W4@0",
     "2R:0 4W:64 @0; 3R:32 4W:64 @0"},
    {"a reader behind another", "0W1@0 sync 0R2@0 1R3@0 1W4@0",
     "2R:0 4W:32 @0"},
    {"a write in one loop round, a read in the next", "0W1@0 sync 0R2@0 1W1@0",
     "2R:0 1W:32 @0"},
    {"all lanes", "0W1@0+* 1R2@12", "1W:3 2R:32 @12"},
    {"beyond the end", "0W1@64 1W2@64 0W3@62/4 1R4@60/2 1W5@62/8",
     "3W:0 5W:32 @62; unwritten 4R:32 @60"},
    {"across all lanes", "0W1@4+** 1R2@4+**", "1W:0 2R:32 @4"},

    // Widths.
    {"neighbouring bytes", "0W1@0/1 1W2@1/1 2W3@2/2", ""},
    {"a byte of a word", "0W1@0 1R2@3/1", "1W:0 2R:32 @3"},
    {"a word over a byte", "0W1@2/1 1R2@0", "1W:0 2R:32 @2"},
    {"halves", "0W1@0/2 1W2@2/2 2R3@0", "1W:0 3R:64 @0; 2W:32 3R:64 @2"},
    {"a vector", "0W1@12 1R2@0/16", "1W:0 2R:32 @12"},
    {"readers of a word, then bytes", "0W1@0 sync 0R2@0 1R3@0 1W4@1/1 2W5@3/1",
     "2R:0 4W:32 @1; 2R:0 5W:64 @3; 3R:32 5W:64 @3"},
    {"bytes of an earlier phase", "0W1@0/1 sync 1W2@1/1 sync 2W3@0", ""},
    {"misaligned", "0W1@2/4 1R2@4/2", "1W:0 2R:32 @4"},

    // Barriers.
    {"a barrier between", "0W1@0 sync 1R2@0", ""},
    {"two phases", "0W1@0 sync 1R2@0 sync 0W3@0", ""},
    {"no barrier before the next write", "0W1@0 sync 1R2@0 0W3@0",
     "2R:32 3W:0 @0"},
    {"a barrier of two warps", "0W1@0 wait:01 1R2@0", ""},
    {"a warp that skips it", "0W1@0 wait:01 2R2@0", "1W:0 2R:64 @0"},
    {"a warp that skips it, through another", "0W1@0 wait:01 wait:12 2R2@0",
     ""},
    {"arriving gives", "0W1@0 arrive:0 wait:1 1R2@0", ""},
    {"arriving does not learn", "1W1@0 arrive:0 wait:1 0R2@0", "1W:32 2R:0 @0"},
    {"after arriving", "arrive:0 0W1@0 wait:1 1R2@0", "1W:0 2R:32 @0"},
    {"lanes that go on while others of the warp wait",
     "arrive:0 0W1@0 fence:0 arrive:1 arrive:2 arrive:3 done:0123 1R2@0",
     "1W:0 2R:32 @0"},
    {"no arrival", "0W1@0 wait:1 1R2@0", "1W:0 2R:32 @0"},
    {"another barrier", "0W1@0 arrive:0 sync 1R2@0", ""},
    {"an arrival counts once", "arrive:0 wait:1 0W1@0 wait:1 1R2@0",
     "1W:0 2R:32 @0"},
    {"producers and consumers",
     "0W1@0 arrive:0 1W2@4 wait:12 1R3@0 2R4@0 2R5@4", ""},

    // Exits.
    {"a warp that has exited", "0W1@0 exit:0 sync 1R2@0", ""},
    {"exited, with no barrier after", "0W1@0 exit:0 1R2@0", "1W:0 2R:32 @0"},
    {"exited, barrier of a part", "0W1@0 exit:0 wait:12 1R2@0",
     "1W:0 2R:32 @0"},
    {"the last two", "exit:0 exit:1 2W1@0 sync 3R2@0", ""},

    // Unwritten bytes.
    {"never written", "0R1@0", "unwritten 1R:0 @0"},
    {"one report", "0R1@0 1R1@4 0R2@4+3",
     "unwritten 1R:0 @0; unwritten 2R:3 @4"},
    {"partly written", "0W1@0/1 0R2@0 0R3@2/2", "unwritten 3R:0 @2"},
    {"one lane of many", "0W1@0/64 0R2@0+* 0R3@0/1", ""},
    {"lanes beyond what was written", "0W1@0/16 0R2@0+*", "unwritten 2R:4 @16"},
    {"an atomic reads", "0A1@0 0A2@0", "unwritten 1A:0 @0"},
    {"an atomic writes", "0W1@0 0A2@0 0R3@0", ""},
    {"written later, ordered", "0R1@0 sync 1W2@0", "unwritten 1R:0 @0"},
    {"written too late is a race", "0R1@0 1W2@0", "1R:0 2W:32 @0"},
    {"written in the block before", "0W1@0 sync next 1R2@0",
     "unwritten 2R:32 @0"},
    {"no races between blocks", "0W1@0 next 1W2@0", ""},

    // Strong accesses.
    {"atomics", "0W9@0 sync 0A1@0 1A2@0 2A1@0", ""},
    {"atomic, read", "0W9@0 sync 0A1@0 1R2@0", "1A:0 2R:32 @0"},
    {"atomic, write", "0W9@0 sync 0A1@0 1W2@0", "1A:0 2W:32 @0"},
    {"write, atomic", "0W1@0 1A2@0", "1W:0 2A:32 @0"},
    {"read, atomic", "0W9@0 sync 0R1@0 1A2@0", "1R:0 2A:32 @0"},
    {"atomics of two warps, read", "0W9@0 sync 0A1@0 1A2@0 1R3@0",
     "1A:0 3R:32 @0"},
    {"a strong write hides no plain read",
     "0W9@0 sync 0R1@0 0W2@0.rlx 1W3@0.rlx", "1R:0 3W:32 @0"},
    {"a strong write hides no plain write", "0W1@0 0W2@0.rlx 1R3@0.rlx",
     "1W:0 3R:32 @0"},
    {"strong read, plain read", "0W9@0 sync 0R1@0.rlx 1R2@0", ""},
    {"strong read, plain write", "0W9@0 sync 0R1@0.rlx 1W2@0", "1R:0 2W:32 @0"},
    {"strong on both sides", "0W9@0 sync 0R1@0.rlx 1W2@0.rlx 2A3@0", ""},
    {"readers of bytes, strongly", "0W9@0 sync 0A1@0 1A2@0 2R3@1/1",
     "1A:0 3R:64 @1; 2A:32 3R:64 @1"},

    // Locks and flags.
    {"release, acquire", "0W1@0 0W2@8.rel 1R3@8.acq 1R4@0", ""},
    {"release, relaxed", "0W1@0 0W2@8.rel 1R3@8.rlx 1R4@0", "1W:0 4R:32 @0"},
    {"relaxed, acquire", "0W1@0 0W2@8.rlx 1R3@8.acq 1R4@0", "1W:0 4R:32 @0"},
    {"fences", "0W1@0 fence:0 0W2@8.rlx 1R3@8.rlx fence:1 1R4@0", ""},
    {"a fence on one side", "0W1@0 fence:0 0W2@8.rlx 1R3@8.rlx 1R4@0",
     "1W:0 4R:32 @0"},
    {"fences and no flag", "0W1@0 fence:0 fence:1 1R4@0", "1W:0 4R:32 @0"},
    {"after the fence", "fence:0 0W1@0 0W2@8.rlx 1R3@8.acq 1R4@0",
     "1W:0 4R:32 @0"},
    {"after the release", "0W2@8.rel 0W1@0 1R3@8.acq 1R4@0", "1W:0 4R:32 @0"},
    {"acquired too early", "0W9@8 sync 1R3@8.acq 0W1@0 0W2@8.rel 1R4@0",
     "1W:0 4R:32 @0"},
    {"another flag", "0W1@0 0W2@8.rel 0W9@12 1R3@12.acq 1R4@0",
     "9W:0 3R:32 @12; 1W:0 4R:32 @0"},
    {"a lock", "0W9@8 sync 0A1@8.ar 0W2@0 0A3@8.ar 1A1@8.ar 1W2@0 1A3@8.ar",
     ""},
    {"a lock with fences",
     "0W9@8 sync 0A1@8 fence:0 0W2@0 fence:0 0A3@8 1A1@8 fence:1 1W2@0", ""},
    {"a lock without fences", "0W9@8 sync 0A1@8 0W2@0 0A3@8 1A1@8 1W2@0",
     "2W:0 2W:32 @0"},
    {"a chain of flags",
     "0W1@0 0W2@8.rel 1R3@8.acq 1W4@12.rel 2R5@12.acq 2R6@0", ""},
    {"a global flag", "0W1@0 0G2@8.rel 1H3@8.acq 1R4@0", ""},
    {"global is not shared", "0W1@0 0W2@8.rel 1H3@8.acq 1R4@0",
     "1W:0 4R:32 @0"},
    {"a global counter", "0W1@0 fence:0 0J2@8.rlx 1J2@8.rlx fence:1 1R4@0", ""},
    {"what a barrier taught goes through a flag",
     "0W1@0 wait:01 1W2@8.rlx 2R3@8.acq 2R4@0", ""},
    {"a barrier ends a relaxed load", "0W1@0 0W2@8.rel 1R3@8.rlx wait:12 2R4@0",
     ""},

    // mbarriers.
    {"arrive, wait", "0W1@0 marrive:0 mcomplete mwait:1 1R2@0", ""},
    {"not complete", "0W1@0 marrive:0 mwait:1 1R2@0", "1W:0 2R:32 @0"},
    {"of the next phase", "mcomplete 0W1@0 marrive:0 mwait:1 1R2@0",
     "1W:0 2R:32 @0"},
    {"two phases on",
     "0W1@0 marrive:0 mcomplete marrive:2 mcomplete mwait:1 1R2@0", ""},
    {"no wait", "0W1@0 marrive:0 mcomplete 1R2@0", "1W:0 2R:32 @0"},
    {"made anew", "0W1@0 marrive:0 mcomplete minit mwait:1 1R2@0",
     "1W:0 2R:32 @0"},

    // Copies.
    {"a copy waited for", "0S1@0 0E1@0 sync 1R2@0", ""},
    {"a copy not waited for", "0S1@0 sync 1R2@0", "1S:0 2R:32 @0"},
    {"of the warp itself", "0S1@0 0R2@0", "1S:0 2R:0 @0"},
    {"waited for by one warp", "0S1@0 0E1@0 1R2@0", "1S:0 2R:32 @0"},
    {"into what is being read", "0W1@0 sync 1R2@0 0S3@0", "2R:32 3S:0 @0"},
    {"two copies", "0S1@0 0S2@0", "1S:0 2S:0 @0"},
    {"one copy, many lanes", "0S1@0+*/2 0E1@0+*/2 0R2@0/16", ""},
    {"bytes beside a copy", "0S1@0/2 1W2@2/2", ""},
    {"a copy of other bytes is over", "0S1@0/2 0S2@2/2 0E1@0/2 0R3@0/2 0R4@2/2",
     "2S:0 4R:0 @0"},

    // Stores that leave the bytes as they were.
    {"the same value twice", "0W1@0 1W1@0=", ""},
    {"and an atomic", "0W9@0 sync 0A1@0 1W2@0=", ""},
    {"read before", "0W9@0 sync 0R1@0 1W2@0=", "1R:0 2W:32 @0"},
    {"read after", "0W1@0 1W1@0= 2R2@0", "1W:32 2R:64 @0"},
};

TEST(SharedMemoryCheckTest, Sequences) {
  Runner R;
  for (const Case &C : Cases)
    EXPECT_EQ(R.run(C.Events), C.Want) << C.What << ": " << C.Events;
}

TEST(SharedMemoryCheckTest, LargestBlock) {
  SharedMemoryCheck Check;
  Check.reset(WarpOrder::MaxWarps, 228 * 1024);
  WarpAccess A;
  A.Active = ~0u;
  A.BytesPerLane = 16;
  for (unsigned L = 0; L != WarpSize; ++L)
    A.Address[L] = 228 * 1024 - 512 + L * 16;
  Check.access({0, 1, SharedAccess::Write}, A);
  for (unsigned W = 0; W != WarpOrder::MaxWarps; ++W)
    Check.order().barrierArrive(W, 0);
  Check.order().barrierRelease(0, ~uint64_t(0));
  for (unsigned W = 0; W != WarpOrder::MaxWarps; ++W)
    Check.access({W, 2, SharedAccess::Read}, A);
  EXPECT_EQ(text(Check.reports()), "");
  A.Active = 1u << 31;
  Check.access({0, 3, SharedAccess::Write}, A);
  Check.finish();
  EXPECT_EQ(text(Check.reports()), "2R:63 3W:31 @233456");
}

/// Keeps each event, what happened before it and what it touched.
class History {
public:
  static constexpr unsigned MaxEvents = 512;
  using Before = std::bitset<MaxEvents>;

  explicit History(unsigned NumWarps) : LastOf(NumWarps), FenceOf(NumWarps) {}

  unsigned size() const { return unsigned(Events.size()); }

  /// An event of \p Warp after its last one; returns its number.
  unsigned add(unsigned Warp) {
    Events.emplace_back();
    Event &E = Events.back();
    E.Warp = Warp;
    if (LastOf[Warp])
      E.Earlier = Events[*LastOf[Warp]].Earlier, E.Earlier.set(*LastOf[Warp]);
    LastOf[Warp] = size() - 1;
    return size() - 1;
  }

  void order(unsigned First, unsigned Second) {
    Events[Second].Earlier |= Events[First].Earlier;
    Events[Second].Earlier.set(First);
  }

  /// The event learns what the warp's relaxed loads saw.
  void takeLoads(unsigned E) {
    auto &Loads = Seen[Events[E].Warp];
    for (unsigned From : Loads)
      order(From, E);
    Loads.clear();
  }

  void fence(unsigned E) {
    takeLoads(E);
    FenceOf[Events[E].Warp] = E;
  }

  void access(unsigned E, const WarpAccess &A, bool Reads, bool Writes,
              MemoryOrder MO) {
    Event &Ev = Events[E];
    Ev.Access = A;
    Ev.Reads = Reads;
    Ev.Writes = Writes;
    Ev.IsStrong = MO != MemoryOrder::Weak;
    if (!Ev.IsStrong)
      return;
    std::set<uint64_t> Words;
    for (unsigned L = 0; L != WarpSize; ++L)
      for (unsigned B = 0; A.isActive(L) && B != A.BytesPerLane; ++B)
        Words.insert((A.Address[L] + B) / 4);
    for (uint64_t W : Words) {
      if (!Reads)
        break;
      for (unsigned From : Given[W]) {
        if (MO == MemoryOrder::Acquire || MO == MemoryOrder::AcquireRelease)
          order(From, E);
        else
          Seen[Ev.Warp].push_back(From);
      }
    }
    const bool GivesAll =
        MO == MemoryOrder::Release || MO == MemoryOrder::AcquireRelease;
    for (uint64_t W : Words) {
      if (Writes && GivesAll)
        Given[W].push_back(E);
      else if (Writes && FenceOf[Ev.Warp])
        Given[W].push_back(*FenceOf[Ev.Warp]);
    }
  }

  bool touches(unsigned E, unsigned Lane, uint64_t Byte) const {
    const WarpAccess &A = Events[E].Access;
    return A.isActive(Lane) && Byte >= A.Address[Lane] &&
           Byte < A.Address[Lane] + A.BytesPerLane;
  }

  bool touches(unsigned E, uint64_t Byte) const {
    for (unsigned L = 0; L != WarpSize; ++L)
      if (touches(E, L, Byte))
        return true;
    return false;
  }

  bool isRace(unsigned First, unsigned Second, uint64_t Byte) const {
    const Event &A = Events[First], &B = Events[Second];
    return A.Warp != B.Warp && (A.Writes || B.Writes) &&
           !(A.IsStrong && B.IsStrong) && touches(First, Byte) &&
           touches(Second, Byte) && !B.Earlier.test(First);
  }

  bool reads(unsigned E) const { return Events[E].Reads; }

  /// Whether a lane of E reads and nobody wrote any of its bytes, in time.
  bool readsUnwritten(unsigned E) const {
    const WarpAccess &A = Events[E].Access;
    for (unsigned L = 0; L != WarpSize; ++L) {
      bool Written = !Events[E].Reads || !A.isActive(L);
      for (unsigned B = 0; B != A.BytesPerLane && !Written; ++B) {
        const uint64_t Byte = A.Address[L] + B;
        for (unsigned W = 0; W != E && !Written; ++W)
          Written = Events[W].Writes && touches(W, Byte);
        for (unsigned Lane = 0; Lane != L && Events[E].Writes; ++Lane)
          Written |= touches(E, Lane, Byte);
      }
      if (!Written)
        return true;
    }
    return false;
  }

private:
  struct Event {
    unsigned Warp = 0;
    WarpAccess Access; ///< no lanes if it is none
    bool Reads = false, Writes = false, IsStrong = false;
    Before Earlier;
  };
  std::vector<Event> Events;
  std::vector<std::optional<unsigned>> LastOf, FenceOf;
  std::map<unsigned, std::vector<unsigned>> Seen;  ///< by warp
  std::map<uint64_t, std::vector<unsigned>> Given; ///< by word
};

/// Random events for both checkers. An access is the instruction with its
/// number in the history.
class RandomBlock {
public:
  static constexpr unsigned SharedBytes = 24, NumEvents = 60;

  RandomBlock(SharedMemoryCheck &Check, unsigned Seed)
      : Check(Check), Random(Seed), NumWarps(2 + pick(4)), Known(NumWarps),
        Live((1u << NumWarps) - 1), SyncShare(pick(4)), StrongShare(pick(6)) {}

  void run() {
    Check.reset(NumWarps, SharedBytes);
    while (Known.size() < NumEvents && Live)
      event();
    Check.finish();
    compare();
  }

  unsigned NumRaces = 0, NumUnwritten = 0;

private:
  unsigned pick(unsigned N) { return unsigned(Random() % N); }

  unsigned liveWarp() {
    unsigned W = pick(NumWarps);
    while (!(Live >> W & 1))
      W = (W + 1) % NumWarps;
    return W;
  }

  void event() {
    const unsigned W = liveWarp();
    if (pick(12) >= SyncShare)
      return access(W);
    switch (pick(10)) {
    case 0:
    case 1:
      return barrier(Live);
    case 2:
      return barrier(Live & unsigned(Random()));
    case 3:
      Check.order().barrierArrive(W, 1);
      return arrive(W);
    case 4:
    case 5:
      Check.order().fence(W);
      return Known.fence(Known.add(W));
    case 6:
      if (pick(8))
        return;
      Check.order().exit(W);
      Exits.push_back(Known.add(W));
      Known.takeLoads(Exits.back());
      Live &= ~(1u << W);
      return;
    case 7: {
      Check.order().mbarrierArrive(W, 0);
      const unsigned E = Known.add(W);
      Known.takeLoads(E);
      MArrived.push_back(E);
      return;
    }
    case 8:
      Check.order().mbarrierComplete(0);
      MDone.insert(MDone.end(), MArrived.begin(), MArrived.end());
      return MArrived.clear();
    default: {
      Check.order().mbarrierWait(W, 0);
      const unsigned E = Known.add(W);
      for (unsigned From : MDone)
        Known.order(From, E);
      return Known.fence(E);
    }
    }
  }

  void arrive(unsigned W) {
    const unsigned E = Known.add(W);
    Known.takeLoads(E);
    Arrived.push_back(E);
  }

  void barrier(unsigned Mask) {
    for (unsigned W = 0; W != NumWarps; ++W)
      if (Mask >> W & 1) {
        Check.order().barrierArrive(W, 1);
        arrive(W);
      }
    Check.order().barrierRelease(1, Mask);
    for (unsigned W = 0; W != NumWarps; ++W) {
      if (!(Mask >> W & 1))
        continue;
      const unsigned E = Known.add(W);
      for (unsigned From : Arrived)
        Known.order(From, E);
      for (unsigned From : Exits)
        if (Mask == Live)
          Known.order(From, E);
      Known.fence(E);
    }
    Arrived.clear();
  }

  void access(unsigned W) {
    WarpAccess A;
    A.BytesPerLane = 1u << pick(4);
    for (unsigned N = 1 + pick(3); N; --N) {
      const unsigned L = pick(WarpSize);
      A.Active |= 1u << L;
      A.Address[L] = pick(SharedBytes / A.BytesPerLane) * A.BytesPerLane;
    }
    SharedAccess Kind = pick(2) ? SharedAccess::Read : SharedAccess::Write;
    MemoryOrder MO = MemoryOrder::Weak;
    if (pick(8) < StrongShare) {
      MO = MemoryOrder(1 + pick(4));
      Kind = SharedAccess(pick(3));
    }
    const unsigned E = Known.add(W);
    Known.access(E, A, Kind != SharedAccess::Write, Kind != SharedAccess::Read,
                 MO);
    Check.access({W, E, Kind, MO}, A);
  }

  void compare() {
    std::set<unsigned> Found, RacingReaders, Unwritten;
    for (const SharedMemoryReport &R : Check.reports()) {
      const unsigned First = R.First.Instruction, Second = R.Second.Instruction;
      if (R.What == SharedMemoryReport::Kind::UninitializedRead) {
        Unwritten.insert(First);
        continue;
      }
      ++NumRaces;
      EXPECT_TRUE(Known.isRace(First, Second, R.Address)) << text(R);
      EXPECT_TRUE(Known.touches(First, R.First.Thread % 32, R.Address));
      EXPECT_TRUE(Known.touches(Second, R.Second.Thread % 32, R.Address));
      Found.insert(Second);
      for (unsigned E : {First, Second})
        if (Known.reads(E))
          RacingReaders.insert(E);
    }
    for (uint64_t Byte = 0; Byte != SharedBytes; ++Byte) {
      const std::optional<unsigned> E = firstRace(Byte);
      EXPECT_TRUE(!E || Found.count(*E)) << "event " << *E << " byte " << Byte;
    }
    for (unsigned E = 0; E != Known.size(); ++E)
      EXPECT_EQ(Unwritten.count(E),
                unsigned(Known.readsUnwritten(E) && !RacingReaders.count(E)))
          << "event " << E;
    NumUnwritten += unsigned(Unwritten.size());
  }

  std::optional<unsigned> firstRace(uint64_t Byte) const {
    for (unsigned Second = 0; Second != Known.size(); ++Second)
      for (unsigned First = 0; First != Second; ++First)
        if (Known.isRace(First, Second, Byte))
          return Second;
    return std::nullopt;
  }

  SharedMemoryCheck &Check;
  std::mt19937 Random;
  unsigned NumWarps;
  History Known;
  unsigned Live, SyncShare, StrongShare;
  std::vector<unsigned> Arrived, Exits, MArrived, MDone;
};

TEST(SharedMemoryCheckTest, AgreesWithWholeHistories) {
  constexpr unsigned Parts = PTXPREDICT_IS_SANITIZED ? 4 : 1;
  SharedMemoryCheck Check; // one for all, as for the blocks of a launch
  unsigned Races = 0, Unwritten = 0;
  for (unsigned Seed = 0; Seed != 3000 / Parts; ++Seed) {
    RandomBlock Block(Check, Seed);
    Block.run();
    Races += Block.NumRaces;
    Unwritten += Block.NumUnwritten;
    ASSERT_FALSE(HasFailure()) << "seed " << Seed;
  }
  EXPECT_GT(Races, 10000 / Parts);
  EXPECT_GT(Unwritten, 1000 / Parts);
}

} // namespace
