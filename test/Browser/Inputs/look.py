#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""look.py BROWSER PAGE FOLDER: loads a page in a headless Chromium and prints what is wrong with how it looks.

First as it is: what it writes to the console is printed (its security policy reports whatever it tried to load or run) and
the elements that it has are counted. Then, in copies that a script is put into, light and dark, in frames of 400 and 1400
pixels with everything unfolded: what sticks out of the window or of its picture, labels that lie on each other, text that is
hard to tell from what is behind it, what a keyboard does not reach or show, and resources that were loaded.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse

WIDTHS = (400, 1400)
SCHEMES = {"light": 1, "dark": 0}

SCRIPT = r"""
<script>
const wrong = [];
const say = (what, e) => wrong.push(what + ": " + (e.textContent || e.tagName).trim().slice(0, 60));
for (const d of document.querySelectorAll("details")) d.open = true;
const root = document.documentElement;
if (root.scrollWidth > root.clientWidth) wrong.push("the page is " + root.scrollWidth + " wide");
for (const e of document.body.querySelectorAll("*"))
  if (!e.closest(".scroll") && !e.closest("svg") && e.getBoundingClientRect().right > root.clientWidth + 0.5)
    say("sticks out", e);

// Labels of pictures.
const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
for (const picture of document.querySelectorAll("svg")) {
  const frame = picture.getBoundingClientRect();
  const texts = [...picture.querySelectorAll("text")].map(e => [e, e.getBoundingClientRect()]);
  for (const [e, box] of texts)
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1 || box.top < frame.top - 1)
      say("sticks out of its picture", e);
  texts.forEach(([e, box], i) => {
    for (const [other, otherBox] of texts.slice(i + 1))
      if (meet(box, otherBox)) say("lies on '" + other.textContent + "'", e);
  });
}

// WCAG 2.1's contrast ratio.
const color = text => {
  const c = text.match(/[\d.]+/g).map(Number);
  return c.length == 3 ? [...c, 1] : c;
};
const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const luminance = c => {
  const [r, g, b] = c.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = e => {
  const layers = [];
  for (; e; e = e.parentElement) layers.unshift(color(getComputedStyle(e).backgroundColor));
  return layers.reduce((below, top) => over(top, below), [255, 255, 255, 1]);
};
const seen = new Set();
for (const e of document.body.querySelectorAll("*")) {
  if (![...e.childNodes].some(n => n.nodeType == 3 && n.data.trim()) || e.matches("title, script")) continue;
  const style = getComputedStyle(e), back = behind(e);
  const front = over(color(e.closest("svg") ? style.fill : style.color), back);
  const [dark, light] = [luminance(front), luminance(back)].sort((a, b) => a - b);
  const ratio = (light + 0.05) / (dark + 0.05), kind = e.tagName + "." + e.getAttribute("class") + ratio.toFixed(1);
  if (ratio < 4.5 && !seen.has(kind)) {
    seen.add(kind);
    say("contrast " + ratio.toFixed(2), e);
  }
}
// Without a mouse: what can be acted upon takes the focus, in the order of the page, and shows that it has it.
for (const e of document.querySelectorAll("a[href], summary, input")) {
  e.focus({focusVisible: true, preventScroll: true});
  if (document.activeElement != e || e.tabIndex != 0) say("takes no focus", e);
  else if (getComputedStyle(e).outlineStyle == "none") say("does not show its focus", e);
}
for (const r of performance.getEntriesByType("resource")) wrong.push("loaded " + r.name);
parent.postMessage({width: innerWidth, scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
                    texts: document.querySelectorAll("svg text").length, wrong: wrong}, "*");
</script>
"""
FRAMES = """<!DOCTYPE html><body><pre id="result"></pre><script>
const all = [];
addEventListener("message", e => {
  all.push(e.data);
  if (all.length == %d) document.getElementById("result").textContent = "RESULT" + encodeURIComponent(JSON.stringify(all)) + "END";
});
</script>%s"""


def browse(path, scheme):
    """What the page becomes, and what the browser logged from it."""
    profile = os.path.join(Folder, "profile")
    done = subprocess.run(
        [Browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-sync",
         "--user-data-dir=" + profile, "--enable-logging=stderr", "--log-level=0",
         f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}", "--window-size=1500,1000",
         "--virtual-time-budget=20000", "--dump-dom", "file://" + os.path.abspath(path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    shutil.rmtree(profile, ignore_errors=True)
    return done.stdout.decode(), [l for l in done.stderr.decode(errors="replace").splitlines() if "CONSOLE" in l]


Browser, Page, Folder = sys.argv[1:]
os.makedirs(Folder, exist_ok=True)
DOM, Console = browse(Page, "light")
for Line in Console:
    print("console:", Line)
print("elements:", " ".join(f"{Tag}:{len(re.findall('<' + Tag + '[ >]', DOM))}" for Tag in ("section", "svg", "path", "table", "details")))

with open(Page, encoding="utf-8") as File:
    Text = File.read()
Policy = re.search(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>\n", Text)
if not Policy:
    sys.exit("error: the page has no security policy")
with open(os.path.join(Folder, "copy.html"), "w", encoding="utf-8") as File:
    File.write(Text.replace(Policy.group(0), "").replace("</body>", SCRIPT + "</body>"))
with open(os.path.join(Folder, "frames.html"), "w", encoding="utf-8") as File:
    File.write(FRAMES % (len(WIDTHS), "".join(f"<iframe src='copy.html' style='width:{W}px;height:900px;border:0'></iframe>" for W in WIDTHS)))
for Scheme in SCHEMES:
    DOM, Console = browse(os.path.join(Folder, "frames.html"), Scheme)
    for Line in Console:
        print("console:", Line)
    Result = re.search(r"RESULT(\S+?)END</pre>", DOM)
    if not Result:
        sys.exit("error: the script gave no result")
    for Frame in sorted(json.loads(urllib.parse.unquote(Result.group(1))), key=lambda F: F["width"]):
        print(f"{Frame['scheme']}, {Frame['width']} wide: {len(Frame['wrong'])} wrong of {Frame['texts']} labels")
        for Wrong in Frame["wrong"]:
            print(" ", Wrong)
