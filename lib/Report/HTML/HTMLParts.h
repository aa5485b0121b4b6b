//===- HTMLParts.h - The parts of a page ------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_HTML_HTMLPARTS_H
#define PTXPREDICT_LIB_REPORT_HTML_HTMLPARTS_H

#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Report/Writers/HTMLStyle.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <mutex>

namespace ptxpredict::html {

/// "1.235 ms", "12.6 MB"
std::string timeText(double Us);
std::string bytesText(double Bytes);
/// "125.8 mJ" with its status, as HTML.
std::string energyText(const Estimate &Joules);
/// A name as HTML, cut where it is long.
std::string nameText(StringRef Name);
/// A number with its status as HTML.
std::string estimateText(const Estimate &E);
/// The mark of a status with its meaning, as HTML; empty if known.
std::string statusHTML(Status S);
/// A share as a length of CSS: "12.5%".
std::string percentStyle(double Part, double Whole);
/// "h100-sxm", and the model where \p K was predicted by several.
std::string predictionName(const KernelReport &K, const Prediction &P);
/// The predictions that are shown at length: the first of each device, or for
/// one device of each model; not many. All have their device.
std::vector<const Prediction *> shownPredictions(const KernelReport &K);

/// Findings of a kernel that a page has, and files of which it has a listing.
constexpr size_t MaxSectionFindings = 40, MaxListedFiles = 4;

/// Those of a kernel that a page lists: it has what kernel-summary says anyway.
std::vector<const Finding *> listedFindings(const KernelReport &K);

/// The number of the source in which \p F lies, if that has a listing.
std::optional<size_t> listedSource(const KernelReport &K, const Finding &F);

/// Of a finding the id of its entry in the list, and of the row of the listing
/// that it is about; \p Number is its place in the list. They are unique on the
/// page. The second is empty where no listing has the line.
std::string findingAnchor(const KernelReport &K, size_t Number);
std::string lineAnchor(const Report &Head, const KernelReport &K,
                       const Finding &F);

/// Where the lines of texts begin, found once a text.
class LineCache {
public:
  /// The lines' beginnings. \p Text must live as long as this. Any number of
  /// threads may ask.
  ArrayRef<size_t> of(StringRef Text);
  /// Line \p N, from 1 on, without its end.
  static StringRef line(StringRef Text, ArrayRef<size_t> Starts, unsigned N);

private:
  std::mutex Mutex;
  std::map<const char *, std::vector<size_t>> Starts;
};

/// All that a page says of a kernel, below its name.
void printSection(const Report &Head, const KernelReport &K,
                  const ModelOptions &Options, LineCache &Cache,
                  raw_ostream &OS);

/// Source and input with what each line costs. Of a long kernel the lines that
/// cost most, and those around them.
void printCode(const Report &Head, const KernelReport &K, LineCache &Cache,
               raw_ostream &OS);

/// A chart with its heading and, below that, what it shows.
template <typename ChartT>
void printFigure(StringRef Heading, StringRef Explanation, const ChartT &Chart,
                 raw_ostream &OS) {
  OS << "<figure><figcaption>" << escapeHTML(Heading) << "<small>"
     << escapeHTML(Explanation) << "</small></figcaption>\n";
  svg::print(Chart, OS);
  OS << "</figure>\n";
}

/// How a block's copies and what is done with them follow each other, where
/// the model knows its ring of buffers: else nothing, and false.
bool printCopyTimeline(const Prediction &P, raw_ostream &OS);

/// Bottlenecks, roofline and what other warps, SMs, blocks, registers and
/// shared memory would do.
void printCharts(const KernelReport &K, const ModelOptions &Options,
                 raw_ostream &OS);

/// Of a sweep: sliders for its axes, which show a point's answer. Without the
/// script they are hidden.
void printSliders(const KernelReport &K, raw_ostream &OS);
/// The script that they need, once at the end of the page, and its hash for the
/// page's policy.
void printScript(raw_ostream &OS);
std::string scriptHash();

/// Loops, accesses, branches, resources, terms.
void printTables(const KernelReport &K, raw_ostream &OS);

} // namespace ptxpredict::html

#endif // PTXPREDICT_LIB_REPORT_HTML_HTMLPARTS_H
