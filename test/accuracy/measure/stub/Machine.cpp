//===- Machine.cpp - A made-up GPU that executes nothing ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <unistd.h>

using namespace stub;

std::string stub::setting(const char *Key) {
  const char *All = std::getenv("PTXPREDICT_STUB");
  std::istringstream Parts(All ? All : "");
  std::string Part;
  while (std::getline(Parts, Part, ';')) {
    const size_t Equals = Part.find('=');
    if (Part.substr(0, Equals) == Key && Equals != std::string::npos)
      return Part.substr(Equals + 1);
  }
  return "";
}

static unsigned long numberSetting(const char *Key, unsigned long Default) {
  const std::string Text = setting(Key);
  return Text.empty() ? Default : std::strtoul(Text.c_str(), nullptr, 0);
}

Machine &Machine::get() {
  static Machine TheOne;
  return TheOne;
}

unsigned Machine::capability() const {
  return unsigned(numberSetting("capability", 90));
}

int Machine::gpus() const { return int(numberSetting("gpus", 1)); }

size_t Machine::memoryBytes() const {
  return numberSetting("memory", 512UL << 20);
}

unsigned Machine::watts() {
  constexpr unsigned Idle = 50, Busy = 200;
  const bool IsBusy = WasBusy;
  WasBusy = false;
  return IsBusy ? Busy : Idle;
}

Address Machine::allocate(size_t Bytes) {
  constexpr size_t Align = 1024;
  if (Bytes > freeBytes())
    return nullptr;
  size_t Room = Bytes + Align;
  // Pages that nobody touches take no memory.
  Allocation Data(static_cast<unsigned char *>(std::calloc(Room, 1)));
  if (!Data)
    return nullptr;
  void *Begin = Data.get();
  auto *const At = static_cast<Address>(std::align(Align, Bytes, Begin, Room));
  Memory[At] = {std::move(Data), Bytes};
  Used += Bytes;
  return At;
}

void Machine::free(Address Begin) {
  const auto It = Memory.find(Begin);
  if (It == Memory.end())
    return;
  Used -= It->second.Bytes;
  Memory.erase(It);
}

static bool startsWith(std::string_view Text, std::string_view Prefix) {
  return Text.substr(0, Prefix.size()) == Prefix;
}

/// Adds what an instruction takes: round numbers, which are no GPU's.
static void addCosts(std::string_view Text, Kernel &K) {
  struct Cost {
    std::string_view Prefix;
    double Alone, Together, OfDram;
  };
  static constexpr Cost Costs[] = {
      {"ld.global.ca", 32, 4, 32},
      {"ld.global.cg", 200, 8, 500},
      {"ld.global", 200, 4, 500},
      {"ld.volatile.shared", 24, 1, 24},
      {"ldmatrix", 30, 2, 30},
      {"st.volatile.shared", 8, 1, 8},
      {"tex", 300, 8, 300},
      {"red", 100, 16, 100},
      {"atom", 200, 16, 200},
      {"bar", 20, 2, 20},
      {"mma", 16, 2, 16},
      {"wmma", 32, 4, 32},
      {"wgmma.mma", 64, 16, 64},
      {"tcgen05.mma", 128, 32, 128},
      {"cp.async.bulk", 500, 64, 500},
      {"cp.async", 100, 8, 100},
      {"rsqrt", 40, 2, 40},
      {"", 4, 0.25, 4},
  };
  for (const Cost &C : Costs)
    if (startsWith(Text, C.Prefix)) {
      K.Alone += C.Alone;
      K.Together += C.Together;
      K.OfDram += C.OfDram;
      return;
    }
}

/// A parameter's declaration: ".param .u64 in", ".param .align 8 .b8 p[40]".
static size_t parameterBytes(const std::string &Line) {
  std::istringstream Words(Line);
  std::string Word;
  size_t Size = 0;
  while (Words >> Word) {
    if (Word == ".align" || Word == ".ptr") {
      Words >> Word;
      continue;
    }
    const size_t Digits = Word.find_first_of("0123456789");
    if (Size == 0 && Word[0] == '.' && Digits == 2)
      Size = std::strtoul(Word.c_str() + 2, nullptr, 10) / 8;
    const size_t Open = Word.find('[');
    if (Open != std::string::npos)
      Size *= std::strtoul(Word.c_str() + Open + 1, nullptr, 10);
  }
  return Size;
}

/// The threads that a line's .maxntid allows: "16, 8" are 128. Else \p Default.
static uint64_t mostThreads(const std::string &Line, uint64_t Default) {
  constexpr std::string_view Clause = ".maxntid ";
  const size_t At = Line.find(Clause);
  if (At == std::string::npos)
    return Default;
  std::istringstream Extents(Line.substr(At + Clause.size()));
  uint64_t Product = 1, Extent = 0;
  for (char Comma = ','; Comma == ',' && Extents >> Extent;) {
    Product *= Extent;
    Comma = 0;
    Extents >> Comma;
  }
  return Product;
}

Module *Machine::load(const char *Text) {
  const std::string Refused = setting("refuse");
  if (!Refused.empty() && std::strstr(Text, Refused.c_str()))
    return nullptr;
  auto M = std::make_unique<Module>();
  std::istringstream Lines(Text);
  std::string Line;
  Kernel *Now = nullptr;
  bool IsHead = false;
  while (std::getline(Lines, Line)) {
    const size_t At = Line.find(".entry ");
    if (At != std::string::npos) {
      std::string Name = Line.substr(At + 7);
      Name = Name.substr(0, Name.find_first_of("( \t"));
      Now = &M->Kernels[Name];
      Now->Name = Name;
      IsHead = true;
    }
    if (!Now)
      continue;
    const size_t First = Line.find_first_not_of(" \t");
    if (First == std::string::npos)
      continue;
    if (IsHead)
      Now->MostThreads = mostThreads(Line, Now->MostThreads);
    if (Line[First] == '{' && IsHead)
      IsHead = false;
    else if (IsHead && Line.find(".param ") != std::string::npos) {
      if (Now->Parameters.empty())
        Now->IsBenchmark = Line.find(" spans") != std::string::npos;
      Now->Parameters.push_back(parameterBytes(Line));
    } else if (!IsHead && Line[First] == '}')
      Now = nullptr;
    else if (!IsHead && Line[First] != '.' &&
             Line.find(';') != std::string::npos) {
      std::string_view Code = std::string_view(Line).substr(First);
      if (Code[0] == '@')
        Code.remove_prefix(std::min(Code.find(' ') + 1, Code.size()));
      addCosts(Code, *Now);
    }
  }
  Modules.push_back(std::move(M));
  return Modules.back().get();
}

namespace {

/// The parameters of a benchmark, from its launch.
struct Arguments {
  explicit Arguments(void **From) {
    std::memcpy(static_cast<void *>(&Spans), From[0], sizeof(Spans));
    std::memcpy(static_cast<void *>(&In), From[2], sizeof(In));
    std::memcpy(&Rounds, From[3], sizeof(Rounds));
    std::memcpy(&A, From[4], sizeof(A));
  }
  Address Spans = nullptr, In = nullptr;
  unsigned Rounds = 0, A = 0;
};

} // namespace

/// Cycles of a block.
double Machine::cyclesOf(const Launch &L) const {
  if (!L.What->IsBenchmark)
    return 200 * L.What->Alone;
  const Arguments Given(L.Arguments);
  if (L.What->Name == "busy")
    return Given.A;
  const unsigned Warps = (L.Threads + 31) / 32;
  constexpr size_t Cached = 8 << 20;
  const auto In = Memory.find(Given.In);
  const double Alone = In != Memory.end() && In->second.Bytes > Cached
                           ? L.What->OfDram
                           : L.What->Alone;
  return std::max(Given.Rounds, 1U) *
         (Warps == 1 ? Alone : std::max(L.What->Together * Warps, 1.0));
}

void Machine::fillSpans(const Launch &L, double Cycles) {
  const Arguments Given(L.Arguments);
  const auto It = Memory.find(Given.Spans);
  if (It == Memory.end())
    return;
  const auto Begin = uint64_t(Now), End = uint64_t(Now + Cycles);
  const uint64_t Span[] = {Begin, End, Begin, End};
  for (uint64_t Block = 0;
       Block != L.Blocks && (Block + 1) * sizeof(Span) <= It->second.Bytes;
       ++Block)
    std::memcpy(Given.Spans + Block * sizeof(Span), Span, sizeof(Span));
}

void Machine::launch(const Launch &L) {
  const std::string &Name = L.What->Name;
  WasBusy = true;
  if (setting("die") == Name)
    std::abort();
  Hangs |= setting("hang") == Name;
  if (setting("fault") == Name)
    Fault = 700;
  const double Cycles = cyclesOf(L);
  if (L.What->IsBenchmark && Name != "empty")
    fillSpans(L, Cycles);
  constexpr double LaunchNs = 2000, BlockNs = 2, BytesPerNs = 1000;
  const uint64_t Waves = (L.Blocks + SMs - 1) / SMs;
  double Ns = Cycles * double(Waves);
  if (Name == "empty")
    Ns = double(L.Blocks) * BlockNs;
  else if (startsWith(Name, "stream_") && L.What->IsBenchmark)
    Ns = Arguments(L.Arguments).A * 16.0 *
         (Name == "stream_read"   ? 1
          : Name == "stream_copy" ? 2
                                  : 3) /
         BytesPerNs;
  Now += LaunchNs + Ns;
  for (Played &P : ToPlay) {
    if (setting("wrong") == Name)
      P.Bytes[0] ^= 1;
    std::memcpy(P.To, P.Bytes.data(), P.Bytes.size());
  }
  ToPlay.clear();
}

void Machine::copy(void *To, const void *From, size_t Bytes, Copy How) {
  std::memcpy(To, From, Bytes);
  // Round numbers, which are no link's: of one with 15.75 GB/s.
  const double StartupNs = How == Copy::Pageable ? 8000 : 2000;
  const double BytesPerNs = How == Copy::Pageable ? 6.3
                            : How == Copy::Pinned ? 12.6
                                                  : 9.45;
  Now += StartupNs + double(Bytes) / BytesPerNs;
}

void Machine::play(Address To, const void *From, size_t Bytes) {
  const auto *Data = static_cast<const unsigned char *>(From);
  ToPlay.push_back({To, {Data, Data + Bytes}});
}

void Machine::wait() {
  while (Hangs)
    ::sleep(1);
}
