//===- HTMLStyle.cpp - How a page looks -----------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/HTMLStyle.h"
#include "ptxpredict/Version.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

// One literal, so that it can be read and copied as the CSS that it is.
StringRef html::styleSheet() {
  return R"(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1c2330; --soft: #5b6577;
  --rule: #dfe3ea; --track: #eceff4; --accent: #0b63c4; --warn: #9a4a00;
  --warn-page: #fff2e2; --heat: 232, 93, 4;
  --c0: #0b63c4; --c1: #c2410c; --c2: #0f7f63; --c3: #9333b5;
  --c4: #946200; --c5: #be1862; --c6: #3f6a12; --c7: #475569;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11151c; --card: #191f29; --ink: #e6e9ef; --soft: #9aa5b8;
    --rule: #2d3644; --track: #252d3a; --accent: #6cb2ff; --warn: #ffb870;
    --warn-page: #3a2a16; --heat: 242, 107, 28;
    --c0: #6cb2ff; --c1: #ff9a66; --c2: #45d3ab; --c3: #cf9bf0;
    --c4: #e6bd4f; --c5: #ff8ab5; --c6: #a5d46a; --c7: #a6b2c6;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 3rem; max-width: 88rem;
  background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1 { font-size: 1.45rem; margin: 0 0 .2rem; line-height: 1.25; }
h3 { font-size: 1rem; margin: 1.6rem 0 .5rem; }
p { margin: .3rem 0; overflow-wrap: anywhere; }
a { color: var(--accent); text-decoration-thickness: 1px; }
.hint, .where, figcaption small, footer { color: var(--soft); font-size: .87rem; }
.top { float: right; font-size: .87rem; margin-left: 1rem; }
code, .src, .name { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas,
  "DejaVu Sans Mono", monospace; font-size: .92em; }
h2, h2.name { font-size: 1.2rem; margin: 0; line-height: 1.3;
  overflow-wrap: anywhere; }
.card {
  background: var(--card); border: 1px solid var(--rule); border-radius: 10px;
  padding: 1.1rem 1.25rem; margin: 1.1rem 0;
}
.card > details > summary { cursor: pointer; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.kernel > summary h2 { display: inline; }
.kernel > summary .brief { color: var(--soft); font-size: .9rem; }
.tiles { display: flex; flex-wrap: wrap; gap: .6rem; margin: .9rem 0; padding: 0;
  list-style: none; }
.tiles li { background: var(--track); border-radius: 8px; padding: .5rem .8rem;
  flex: 1 1 8.5rem; min-width: 0; overflow-wrap: anywhere; }
.tiles b { display: block; font-size: 1.2rem; line-height: 1.3; font-weight: 650; }
.tiles span { color: var(--soft); font-size: .84rem; }
.tiles .main { background: var(--accent); color: #fff; }
.tiles .main span { color: inherit; opacity: .9; }
@media (prefers-color-scheme: dark) { .tiles .main { color: #0b1420; } }
.note { background: var(--warn-page); border-left: 3px solid var(--warn);
  border-radius: 4px; padding: .4rem .7rem; margin: .5rem 0; font-size: .92rem; }
.findings { margin: .3rem 0; padding-left: 1.4rem; }
.findings li { margin: .45rem 0; overflow-wrap: anywhere; }
.findings code { color: var(--soft); }
.findings .chip { margin-left: .3em; white-space: normal; }
.charts { display: grid; gap: 1rem 1.5rem; align-items: start;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); }
figure { margin: 0; min-width: 0; max-width: 36rem; break-inside: avoid; }
figcaption { font-weight: 600; font-size: .93rem; margin-bottom: .3rem; }
figcaption small { display: block; font-weight: 400; }
svg { display: block; width: 100%; height: auto; overflow: hidden; }
svg .text { fill: var(--ink); font-size: 11.5px; font-family: inherit; }
svg .label { fill: var(--soft); }
svg .note { font-weight: 600; }
svg .number { font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .axis { stroke: var(--soft); stroke-width: 1; }
svg .mark { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 3 3; }
svg .track { fill: var(--track); }
svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
svg .d1 { stroke-dasharray: 9 5; } svg .d2 { stroke-dasharray: 4 4; }
svg .d3 { stroke-dasharray: 2 5; }
svg .dot { stroke: var(--card); stroke-width: 1.5; }
.s0 { stroke: var(--c0); } .s1 { stroke: var(--c1); } .s2 { stroke: var(--c2); }
.s3 { stroke: var(--c3); } .s4 { stroke: var(--c4); } .s5 { stroke: var(--c5); }
.s6 { stroke: var(--c6); } .s7 { stroke: var(--c7); }
.f0 { fill: var(--c0); } .f1 { fill: var(--c1); } .f2 { fill: var(--c2); }
.f3 { fill: var(--c3); } .f4 { fill: var(--c4); } .f5 { fill: var(--c5); }
.f6 { fill: var(--c6); } .f7 { fill: var(--c7); }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { padding: .2rem .6rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td.num, th.num { text-align: right; font-variant-numeric: tabular-nums; }
td { white-space: nowrap; }
td.name { white-space: normal; overflow-wrap: anywhere; min-width: 10rem; }
td.long { white-space: normal; overflow-wrap: anywhere; min-width: 12rem; }
td.option { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas,
  "DejaVu Sans Mono", monospace; font-size: .84em; }
.bar { display: block; height: .55rem; border-radius: 3px; background: var(--c0);
  min-width: 1px; }
td.bars { width: 30%; min-width: 6rem; vertical-align: middle; }
.kernels td.name { width: 55%; }
.kernels td.name > * { display: -webkit-box; -webkit-box-orient: vertical;
  -webkit-line-clamp: 4; overflow: hidden; word-break: break-all; }
.kernels td.bars { width: 18%; vertical-align: top; padding-top: .6rem; }
abbr { text-decoration: none; color: var(--warn); font-weight: 600; cursor: help; }
.main abbr { color: inherit; }
details { margin: .5rem 0; }
details > summary { font-weight: 600; padding: .15rem 0; }
.listing > summary { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas,
  "DejaVu Sans Mono", monospace; font-size: .87rem; }
table.code { font-size: .82rem; line-height: 1.45; min-width: 100%; }
table.code td, table.code th { border: 0; padding: 0 .55rem; text-align: right;
  white-space: nowrap; font-variant-numeric: tabular-nums; }
table.code .src { text-align: left; white-space: pre; tab-size: 4; width: 100%; }
table.code th { border-bottom: 1px solid var(--rule); cursor: help; }
.ln, .cold { color: var(--soft); }
tr.gap td { color: var(--soft); background: var(--track); }
table.code tr.gap td:last-child { text-align: left; }
.chip { font-family: system-ui, sans-serif; font-size: .9em; margin-left: .8em;
  background: var(--warn-page); color: var(--warn); border-radius: 4px;
  padding: 0 .45em; white-space: nowrap; }
.h1 { background: rgba(var(--heat), .06); } .h2 { background: rgba(var(--heat), .12); }
.h3 { background: rgba(var(--heat), .18); } .h4 { background: rgba(var(--heat), .24); }
.h5 { background: rgba(var(--heat), .30); } .h6 { background: rgba(var(--heat), .37); }
.h7 { background: rgba(var(--heat), .44); } .h8 { background: rgba(var(--heat), .51); }
.h9 { background: rgba(var(--heat), .58); }
.sliders label { display: grid; grid-template-columns: 9rem 1fr 5rem; gap: .6rem;
  align-items: center; margin: .3rem 0; font-size: .9rem; max-width: 44rem; }
.sliders input { width: 100%; min-width: 0; accent-color: var(--accent); }
.sliders dl { margin: .5rem 0; font-size: .95rem; }
.sliders dt { font-weight: 600; overflow-wrap: anywhere; }
.sliders dd { margin: 0 0 .3rem; overflow-wrap: anywhere; }
.columns { columns: 17rem; column-gap: 2rem; margin: 0; }
.columns div { display: flex; justify-content: space-between; gap: 1rem;
  break-inside: avoid; border-bottom: 1px solid var(--rule); font-size: .88rem; }
.columns dt, .columns dd { margin: 0; overflow-wrap: anywhere; }
.columns dd { font-variant-numeric: tabular-nums; white-space: nowrap; }
.error { color: var(--warn); }
@media (max-width: 40rem) {
  body { padding: .9rem .7rem 2rem; }
  .card { padding: .8rem .75rem; border-radius: 8px; }
  .tiles li { flex-basis: 7rem; }
  .sliders label { grid-template-columns: 1fr auto; }
  .sliders input { grid-column: 1 / -1; grid-row: 2; }
  .charts { grid-template-columns: minmax(0, 1fr); }
  .tiles b { font-size: 1.05rem; }
  table.code { font-size: .74rem; }
  table.code td, table.code th { padding: 0 .3rem; }
}
@media print {
  :root { --page: #fff; --card: #fff; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .card { border: 0; padding: 0; }
  .top { display: none; }
  .scroll { overflow: visible; }
  table.code .src { white-space: pre-wrap; }
  details::details-content { content-visibility: visible; block-size: auto; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
)";
}

void html::printHead(const PageHead &Head, raw_ostream &OS) {
  OS << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; style-src 'unsafe-inline'"
     << (Head.ScriptHash.empty() ? ""
                                 : "; script-src '" + Head.ScriptHash + "'")
     << "\">\n"
        "<meta name=\"generator\" content=\"ptx-predict " PTXPREDICT_VERSION
        "\">\n<title>"
     << Head.Title << " · ptx-predict</title>\n<style>" << styleSheet()
     << "</style>\n</head>\n<body id=\"top\">\n<header>\n<h1>" << Head.Heading
     << "</h1>\n<p class=\"hint\">" << Head.Hint << "</p>\n</header>\n";
}
