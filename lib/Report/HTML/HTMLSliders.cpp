//===- HTMLSliders.cpp - The points of a sweep by sliders -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The page has all points as data, and one script that shows the point that the
// sliders stand at. It computes nothing: texts are those of the tables.
//===----------------------------------------------------------------------===//
#include "HTMLParts.h"
#include "ptxpredict/Model/LimiterWords.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::html;
namespace json = llvm::json;

/// What keeps a page small: points of a kernel.
static constexpr size_t MaxSliderPoints = 4000;

// One literal, so that it can be read and copied as the script that it is. The
// page's policy allows it by its hash and no other.
static constexpr StringRef Script = R"(
for (const box of document.querySelectorAll(".sliders")) {
  const data = JSON.parse(box.querySelector("script").textContent);
  const controls = box.querySelector(".controls"), answers = box.querySelector("dl"), inputs = [];
  const add = (parent, tag, text) => {
    const e = parent.appendChild(document.createElement(tag));
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const show = () => {
    let point = 0;
    for (const [n, axis] of data.axes.entries()) {
      const at = Number(inputs[n].value);
      inputs[n].parentElement.querySelector("output").textContent = axis.values[at];
      inputs[n].setAttribute("aria-valuetext", axis.values[at]);
      point = point * axis.values.length + at;
    }
    answers.replaceChildren();
    for (const s of data.series) {
      add(answers, "dt", s.name);
      add(answers, "dd", s.points[point]);
    }
  };
  for (const axis of data.axes) {
    const label = add(controls, "label", axis.name + " "), input = add(label, "input");
    add(label, "output");
    input.type = "range";
    input.min = input.value = 0;
    input.max = axis.values.length - 1;
    input.addEventListener("input", show);
    inputs.push(input);
  }
  show();
  box.hidden = false;
}
)";

std::string html::scriptHash() {
  return "sha256-" + llvm::encodeBase64(llvm::SHA256::hash(
                         ArrayRef(Script.bytes_begin(), Script.size())));
}

void html::printScript(raw_ostream &OS) {
  OS << "<script>" << Script << "</script>\n";
}

namespace {

struct SweptAxis {
  std::string Name;
  std::vector<std::string> Values; ///< in their order, each once
};

} // namespace

static std::vector<SweptAxis> axesOf(const KernelReport &K) {
  std::vector<SweptAxis> Axes;
  for (const Prediction &P : K.Predictions)
    for (auto [N, V] : llvm::enumerate(P.Sweep)) {
      if (N == Axes.size())
        Axes.push_back({V.Name, {}});
      if (!llvm::is_contained(Axes[N].Values, V.Value))
        Axes[N].Values.push_back(V.Value);
    }
  return Axes;
}

/// "69.88 us?, limited by shared memory, occupancy 100 %"
static std::string pointText(const KernelReport &K, const Prediction &P) {
  if (!P.TimeUs)
    return "no answer" + (P.Applies.Notes.empty()
                              ? std::string()
                              : ": " + P.Applies.Notes.front());
  std::string Text =
      shortTime(P.TimeUs->Value) + statusMark(P.TimeUs->Status).str();
  if (const StringRef By = limitedBy(P, *K.Characteristics); !By.empty())
    Text += (", limited by " + By).str();
  Text += ", occupancy " + percent(P.Occ.Fraction);
  if (P.PowerW)
    Text += ", " + shortNumber(P.PowerW->Value) + " W";
  return Text;
}

/// JSON in which nothing can end the element that it is in.
static std::string blockOf(const json::Value &V) {
  std::string Plain, Block;
  llvm::raw_string_ostream(Plain) << V;
  for (const char C : Plain) {
    if (C == '<')
      Block += "\\u003c";
    else if (C == '>')
      Block += "\\u003e";
    else if (C == '&')
      Block += "\\u0026";
    else
      Block += C;
  }
  return Block;
}

void html::printSliders(const KernelReport &K, raw_ostream &OS) {
  const std::vector<SweptAxis> Axes = axesOf(K);
  size_t NumPoints = 1;
  for (const SweptAxis &A : Axes)
    NumPoints *= A.Values.size();
  // Points follow each other for each device and model.
  if (Axes.empty() || NumPoints < 2 || K.Predictions.size() > MaxSliderPoints ||
      K.Predictions.size() % NumPoints != 0)
    return;
  json::Array AxesData, Series;
  for (const SweptAxis &A : Axes) {
    json::Array Values;
    for (const std::string &V : A.Values)
      Values.push_back(printable(V));
    AxesData.push_back(json::Object{{"name", printable(A.Name)},
                                    {"values", std::move(Values)}});
  }
  for (size_t First = 0; First != K.Predictions.size(); First += NumPoints) {
    json::Array Points;
    for (const Prediction &P : ArrayRef(K.Predictions).slice(First, NumPoints))
      Points.push_back(printable(pointText(K, P)));
    Series.push_back(json::Object{
        {"name", printable(predictionName(K, K.Predictions[First]))},
        {"points", std::move(Points)}});
  }
  OS << "<div class=\"sliders\" hidden>\n<script type=\"application/json\">"
     << blockOf(json::Object{{"axes", std::move(AxesData)},
                             {"series", std::move(Series)}})
     << "</script>\n<div class=\"controls\"></div>\n<dl "
        "aria-live=\"polite\"></dl>\n</div>\n";
}
