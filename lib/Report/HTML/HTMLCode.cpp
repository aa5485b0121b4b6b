//===- HTMLCode.cpp - Code with what each line costs ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HTMLLimits.h"
#include "HTMLParts.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::html;

/// What keeps a page small: rows of a listing, bytes of a line, notes at one.
static constexpr size_t MaxRows = 400, MaxLineBytes = 240, MaxNotes = 3;
/// Lines that are shown around one that costs something.
static constexpr unsigned ContextLines = 4;

ArrayRef<size_t> LineCache::of(StringRef Text) {
  std::lock_guard<std::mutex> Lock(Mutex);
  std::vector<size_t> &Found = Starts[Text.data()];
  if (Found.empty()) {
    Found.push_back(0);
    for (size_t I = Text.find('\n'); I != StringRef::npos;
         I = Text.find('\n', I + 1))
      Found.push_back(I + 1);
    if (Found.back() == Text.size() && Found.size() > 1)
      Found.pop_back(); // nothing is behind the last line's end
  }
  return Found;
}

StringRef LineCache::line(StringRef Text, ArrayRef<size_t> Starts, unsigned N) {
  size_t End = N < Starts.size() ? Starts[N] - 1 : Text.size();
  return Text.slice(Starts[N - 1], End);
}

namespace {

/// What a line costs a launch.
struct LineHeat {
  double Executed = 0;            ///< instructions per warp
  double Bytes = 0;               ///< that its requests touch in device memory
  double Wavefronts = 0;          ///< per warp
  double Waits = 0;               ///< share of all waiting
  std::vector<std::string> Notes; ///< each once

  void note(std::string Note) {
    if (!llvm::is_contained(Notes, Note))
      Notes.push_back(std::move(Note));
  }
};

ArrayRef<std::string> shownNotes(ArrayRef<std::string> Notes) {
  return Notes.take_front(std::min(Notes.size(), MaxNotes));
}

struct Column {
  StringRef Name, Meaning;
  double LineHeat::*Member;
  std::string (*Text)(double);
  double Most = 0;
};

class Listing {
public:
  std::map<unsigned, LineHeat> Heat;
  /// Shown besides those with heat: the head of the kernel.
  unsigned FirstLine = 0;
  /// Findings by line: the row's own id, and links to their entries.
  struct LinkedLine {
    std::string Id;
    std::vector<std::pair<StringRef, std::string>> Findings; ///< rule, anchor
  };
  std::map<unsigned, LinkedLine> Linked;

  void print(StringRef Text, ArrayRef<size_t> Starts, raw_ostream &OS);

private:
  std::vector<Column> Columns;

  void chooseColumns();
  double share(const LineHeat &H) const;
  std::set<unsigned> chooseLines(unsigned NumLines) const;
  void printRow(unsigned Line, StringRef Text, raw_ostream &OS) const;
};

} // namespace

void Listing::chooseColumns() {
  Columns = {
      {"executed", "instructions per warp", &LineHeat::Executed, shortNumber},
      {"traffic", "bytes of device memory that the launch's requests touch",
       &LineHeat::Bytes, bytesText},
      {"shared", "wavefronts of shared memory per warp", &LineHeat::Wavefronts,
       shortNumber},
      {"waits", "share of the time that a warp alone waits for results",
       &LineHeat::Waits, percent}};
  for (Column &C : Columns)
    for (const auto &[Line, H] : Heat)
      C.Most = std::max(C.Most, H.*C.Member);
  llvm::erase_if(Columns, [](const Column &C) { return !(C.Most > 0); });
}

/// Of the hottest line of the column where this one is hottest.
double Listing::share(const LineHeat &H) const {
  double Share = 0;
  for (const Column &C : Columns)
    Share = std::max(Share, H.*C.Member / C.Most);
  return Share;
}

std::set<unsigned> Listing::chooseLines(unsigned NumLines) const {
  std::vector<std::pair<double, unsigned>> Order;
  Order.reserve(Heat.size());
  for (const auto &[Line, H] : Heat)
    Order.emplace_back(share(H), Line);
  llvm::stable_sort(Order, [](auto &A, auto &B) { return A.first > B.first; });
  std::set<unsigned> Lines;
  auto Add = [&](unsigned Line) {
    unsigned First = Line > ContextLines ? Line - ContextLines : 1;
    for (unsigned L = First; L <= std::min(NumLines, Line + ContextLines); ++L)
      Lines.insert(L);
  };
  if (FirstLine != 0 && FirstLine <= NumLines)
    Lines.insert(FirstLine);
  for (const auto &[Line, L] : Linked)
    if (Line <= NumLines)
      Add(Line);
  for (auto [Share, Line] : Order) {
    if (Lines.size() + 2 * ContextLines + 1 > MaxRows)
      break;
    Add(Line);
  }
  return Lines;
}

void Listing::printRow(unsigned Line, StringRef Text, raw_ostream &OS) const {
  auto It = Heat.find(Line);
  const auto Link = Linked.find(Line);
  OS << "<tr";
  if (Link != Linked.end())
    OS << " id=\"" << Link->second.Id << "\"";
  OS << "><td class=\"ln\">" << Line << "</td>";
  for (const Column &C : Columns) {
    double V = It == Heat.end() ? 0 : It->second.*C.Member;
    if (!(V > 0)) {
      OS << "<td></td>";
      continue;
    }
    long Level = std::clamp(std::lround(V / C.Most * 9), 1L, 9L);
    OS << "<td class=\"h" << Level << "\">" << C.Text(V) << "</td>";
  }
  StringRef Shown = Text.rtrim();
  bool IsCut = Shown.size() > MaxLineBytes;
  OS << "<td class=\"src" << (It == Heat.end() ? " cold" : "") << "\">"
     << escapeHTML(Shown.take_front(MaxLineBytes)) << (IsCut ? "…" : "");
  if (It != Heat.end())
    for (const std::string &Note : shownNotes(It->second.Notes))
      OS << " <span class=\"chip\">" << escapeHTML(Note) << "</span>";
  if (Link != Linked.end())
    for (const auto &[Rule, Anchor] : Link->second.Findings)
      OS << " <a class=\"chip\" href=\"#" << Anchor << "\">" << Rule << "</a>";
  OS << "</td></tr>\n";
}

void Listing::print(StringRef Text, ArrayRef<size_t> Starts, raw_ostream &OS) {
  chooseColumns();
  std::set<unsigned> Chosen = chooseLines(unsigned(Starts.size()));
  OS << "<div class=\"scroll\"><table class=\"code\"><thead><tr><th>line</th>";
  for (const Column &C : Columns)
    OS << "<th title=\"" << C.Meaning << "\">" << C.Name << "</th>";
  OS << "<th class=\"src\">code</th></tr></thead><tbody>\n";
  unsigned Last = 0;
  for (unsigned Line : Chosen) {
    if (Last != 0 && Line != Last + 1)
      OS << "<tr class=\"gap\"><td>⋮</td><td colspan=\"" << Columns.size() + 1
         << "\">" << Line - Last - 1 << " lines</td></tr>\n";
    printRow(Line, LineCache::line(Text, Starts, Line), OS);
    Last = Line;
  }
  OS << "</tbody></table></div>\n";
}

/// "k.cu:7:12" in two: file and line.
static std::pair<StringRef, unsigned> splitLine(StringRef Source) {
  auto IsNumber = [](StringRef S) {
    return !S.empty() && S.find_first_not_of("0123456789") == StringRef::npos;
  };
  auto [File, Last] = Source.rsplit(':');
  unsigned Line = 0;
  if (auto [Front, Number] = File.rsplit(':'); IsNumber(Number)) {
    (void)Number.getAsInteger(10, Line);
    return {Front, Line};
  }
  (void)Last.getAsInteger(10, Line);
  return {File, Line};
}

namespace {

/// The listings of a kernel: of its input and of its sources.
class KernelListings {
public:
  KernelListings(const Report &Head, const KernelReport &Kernel)
      : Kernel(Kernel) {
    addCounts();
    addMemory();
    addWaits();
    addBranches();
    for (const LoopCharacteristics &L : Kernel.Characteristics->Loops)
      Input.Heat[L.Line].note("loop, " + shortEstimate(L.TripCount) + " times");
    Input.FirstLine = Kernel.Characteristics->Line;
    addFindings(Head);
  }

  Listing Input;
  std::map<std::string, Listing, std::less<>> Sources; ///< by file

private:
  const KernelReport &Kernel;

  /// Calls \p Fn for the line of the input and for that of the source.
  template <typename FnT>
  void at(unsigned Line, StringRef File, unsigned SourceLine, FnT Fn) {
    if (Line != 0)
      Fn(Input.Heat[Line]);
    if (SourceLine != 0)
      Fn(Sources[File.str()].Heat[SourceLine]);
  }
  template <typename FnT>
  void at(unsigned Line, StringRef Source, FnT Fn) {
    auto [File, SourceLine] = splitLine(Source);
    at(Line, File, SourceLine, Fn);
  }

  void addCounts();
  void addMemory();
  void addWaits();
  void addBranches();
  void addFindings(const Report &Head);
};

} // namespace

void KernelListings::addCounts() {
  for (const LineCount &L : Kernel.Lines)
    at(L.Line, L.File, L.SourceLine,
       [&](LineHeat &H) { H.Executed += L.Executed; });
}

void KernelListings::addMemory() {
  const KernelCharacteristics &K = *Kernel.Characteristics;
  double Warps = double(K.Launch.blocks()) * double(K.Launch.warpsPerBlock());
  for (const MemoryCharacteristics &M : K.Memory)
    at(M.Place.Line, M.Place.Source, [&](LineHeat &H) {
      if (std::optional<double> Sectors = sectorsOf(M)) {
        H.Bytes += M.Requests.Value * *Sectors * 32 * Warps;
        unsigned Needed = fewestTransactions(
            AccessRule::Sector, M.ActiveLanes.Value, M.BytesPerLane);
        if (M.BytesPerLane != 0 && *Sectors > Needed * (1 + 1e-9))
          H.note(shortEstimate(*M.Sectors) + " sectors a request, " +
                 std::to_string(Needed) + " needed");
      } else if (M.Wavefronts) {
        H.Wavefronts += M.Requests.Value * M.Wavefronts->Value;
        if (M.Wavefronts->Value > 1 + 1e-9 && M.BytesPerLane <= 4)
          H.note(shortEstimate(*M.Wavefronts) + " wavefronts a request");
      }
    });
}

void KernelListings::addWaits() {
  std::vector<const Prediction *> Shown = shownPredictions(Kernel);
  if (Shown.empty())
    return;
  WarpLatency Alone = warpAlone(*Kernel.Characteristics, *Shown.front());
  for (const PathCharacteristics &W : Alone.Waits)
    at(W.Line, W.Source, [&](LineHeat &H) { H.Waits += W.Share; });
}

void KernelListings::addBranches() {
  for (const BranchCharacteristics &B : Kernel.Characteristics->Branches)
    if (B.Divergent && B.Divergent->Value > 0 && B.Executions.Value > 0)
      at(B.Line, B.Source, [&](LineHeat &H) {
        H.note("splits a warp in " + percent(B.Divergent->Value) + " of " +
               shortEstimate(B.Executions));
      });
}

void KernelListings::addFindings(const Report &Head) {
  for (auto [N, Listed] : llvm::enumerate(listedFindings(Kernel))) {
    if (N == MaxSectionFindings)
      break;
    const Finding &F = *Listed;
    std::string Anchor = lineAnchor(Head, Kernel, F);
    if (Anchor.empty())
      continue;
    const bool IsOfSource = listedSource(Kernel, F).has_value();
    Listing &Of = IsOfSource ? Sources[F.Where.Path] : Input;
    Listing::LinkedLine &L =
        Of.Linked[IsOfSource ? F.Where.Line : F.Where.InputLine];
    L.Id = std::move(Anchor);
    L.Findings.emplace_back(F.Id, findingAnchor(Kernel, N + 1));
  }
}

void html::printCode(const Report &Head, const KernelReport &K,
                     LineCache &Cache, raw_ostream &OS) {
  const DiagnosticEngine *Code = Head.Inputs[K.Input].Code;
  if (!Code || K.Lines.empty() || Code->lines().empty())
    return;
  const StringRef Text = Code->lines();
  KernelListings L(Head, K);
  std::vector<const Prediction *> Shown = shownPredictions(K);
  OS << "<h3>Code</h3>\n<p class=\"hint\">";
  if (!Shown.empty())
    OS << "Waits are those of one warp alone on "
       << escapeHTML(Shown.front()->Device) << ". ";
  OS << "The strongest colour is each column's largest number.</p>\n";
  size_t NumFiles = 0;
  for (const SourceText &S : K.Sources) {
    auto It = L.Sources.find(S.Path);
    if (It == L.Sources.end() || NumFiles == MaxListedFiles)
      continue;
    OS << "<details class=\"listing\"" << (NumFiles++ == 0 ? " open" : "")
       << "><summary>" << escapeHTML(S.Path) << "</summary>\n";
    It->second.print(S.Text, Cache.of(S.Text), OS);
    OS << "</details>\n";
  }
  OS << "<details class=\"listing\"" << (NumFiles == 0 ? " open" : "")
     << "><summary>" << escapeHTML(Head.Inputs[K.Input].Path) << "</summary>\n";
  L.Input.print(Text, Cache.of(Text), OS);
  OS << "</details>\n";
}
