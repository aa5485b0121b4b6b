//===- Counters.cpp - What profilers count of a launch --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/Counters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <charconv>

using namespace ptxpredict;

static constexpr CounterInfo Infos[] = {
#define COUNTER(MEMBER, NAME, UNIT, SCOPE, MEANING)                            \
  {NAME, CounterUnit::UNIT, CounterScope::SCOPE, MEANING},
#include "ptxpredict/Launch/Counters.def"
};

static constexpr CounterName Names[] = {
#define COUNTER_NAME(MEMBER, PROFILER, NAME, UNIT, FACTOR)                     \
  {NAME, Counter::MEMBER, Profiler::PROFILER, CounterUnit::UNIT, FACTOR},
#include "ptxpredict/Launch/Counters.def"
#define COUNTER(MEMBER, NAME, UNIT, SCOPE, MEANING)                            \
  {NAME, Counter::MEMBER, std::nullopt, CounterUnit::UNIT, 1},
#include "ptxpredict/Launch/Counters.def"
};

const CounterInfo &ptxpredict::infoOf(Counter C) { return Infos[size_t(C)]; }

StringRef ptxpredict::toString(CounterUnit U) {
  static constexpr StringRef Shown[] = {
#define COUNTER_UNIT(MEMBER, SHOWN, WORDS) SHOWN,
#include "ptxpredict/Launch/Counters.def"
  };
  return Shown[size_t(U)];
}

StringRef ptxpredict::toString(CounterScope S) {
  static constexpr StringRef Shown[] = {"launch", "SM", "warp"};
  return Shown[size_t(S)];
}

ArrayRef<CounterName> ptxpredict::counterNames() { return Names; }

const CounterName *ptxpredict::findCounterName(StringRef Name) {
  static const llvm::StringMap<const CounterName *> ByName = [] {
    llvm::StringMap<const CounterName *> Result;
    for (const CounterName &N : Names)
      Result[N.Name] = &N;
    return Result;
  }();
  return ByName.lookup(Name);
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

static StringRef wordsOf(CounterUnit U) {
  static constexpr StringRef Words[] = {
#define COUNTER_UNIT(MEMBER, SHOWN, WORDS) WORDS,
#include "ptxpredict/Launch/Counters.def"
  };
  return Words[size_t(U)];
}

/// Microseconds of a unit of time.
static std::optional<double> microseconds(StringRef Word) {
  static constexpr std::pair<StringRef, double> Units[] = {
      {"ns", 1e-3}, {"nsecond", 1e-3}, {"us", 1},  {"usecond", 1},
      {"ms", 1e3},  {"msecond", 1e3},  {"s", 1e6}, {"second", 1e6}};
  for (auto [Name, Value] : Units)
    if (Word == Name)
      return Value;
  return std::nullopt;
}

static bool isWordOf(CounterUnit U, StringRef Word) {
  SmallVector<StringRef, 8> Words;
  wordsOf(U).split(Words, ' ');
  return llvm::is_contained(Words, Word);
}

/// The prefix's value, after which \p Word is without it.
static double takePrefix(StringRef &Word) {
  static constexpr std::pair<char, double> Prefixes[] = {
      {'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
  for (auto [Letter, Value] : Prefixes)
    if (Word.size() > 1 && Word.front() == Letter) {
      Word = Word.drop_front();
      return Value;
    }
  return 1;
}

std::optional<double> ptxpredict::counterScale(const CounterName &Name,
                                               StringRef Word) {
  const bool IsNcu = Name.By == Profiler::Ncu;
  if (Name.Unit == CounterUnit::Time) {
    std::optional<double> Unit = microseconds(
        !Word.empty() ? Word : (IsNcu ? StringRef("ns") : StringRef("us")));
    return Unit ? std::optional(*Unit * Name.Factor) : std::nullopt;
  }
  if (Name.Unit == CounterUnit::Share) {
    if (Word.empty() ? IsNcu : Word == "%")
      return Name.Factor / 100;
    return Word.empty() ? std::optional(Name.Factor) : std::nullopt;
  }
  if (Word.empty())
    return Name.Factor;
  const double Prefix = takePrefix(Word);
  if (!isWordOf(Name.Unit, Word))
    return std::nullopt;
  return Prefix * Name.Factor;
}

std::string ptxpredict::counterWords(const CounterName &Name) {
  SmallVector<StringRef, 8> Words;
  wordsOf(Name.Unit).split(Words, ' ');
  return llvm::join(Words, ", ");
}

std::string ptxpredict::howToCollect(Counter C) {
  static constexpr std::pair<Profiler, StringRef> Commands[] = {
      {Profiler::Ncu, "ncu --metrics "},
      {Profiler::Nvprof, "nvprof --metrics "},
      {Profiler::Cupti, "nvprof --events "}};
  std::string Result;
  for (auto [By, Command] : Commands)
    for (const CounterName &N : Names)
      if (N.Of == C && N.By == By) {
        Result += (Result.empty() ? "" : ", ") + (Command + N.Name).str();
        break;
      }
  return Result;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::optional<double> ptxpredict::parseCounterNumber(StringRef Text) {
  char Digits[64];
  if (Text.contains(',')) {
    // Commas part groups of three digits before the point.
    SmallVector<StringRef, 8> Groups;
    const StringRef Whole = Text.substr(0, Text.find_first_of(".eE"));
    Whole.split(Groups, ',');
    StringRef First = Groups.front();
    (void)First.consume_front("-");
    if (Text.size() > sizeof(Digits) ||
        Text.drop_front(Whole.size()).contains(',') || First.empty() ||
        First.size() > 3 ||
        llvm::any_of(ArrayRef(Groups).drop_front(),
                     [](StringRef G) { return G.size() != 3; }))
      return std::nullopt;
    char *End = Digits;
    for (char C : Text)
      if (C != ',')
        *End++ = C;
    Text = StringRef(Digits, size_t(End - Digits));
  }
  double Value;
  const auto [End, Error] = std::from_chars(Text.begin(), Text.end(), Value);
  if (End != Text.end() ||
      (Error != std::errc() && Error != std::errc::result_out_of_range))
    return std::nullopt;
  // Too large for a double; what is too small for one is none.
  if (Error != std::errc())
    return Text.contains("e-") || Text.contains("E-")
               ? 0.
               : std::numeric_limits<double>::infinity();
  return Value;
}
