#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_page.py PAGE: whether a page is whole and needs nothing else; prints what is on it.

Tags must balance, ids be unique, links within the page lead somewhere, and nothing be loaded or run but one script whose hash
the page's policy has; data of scripts must be JSON. Printed are titles,
headings, figures, summaries and rows of tables, one a line, as `KIND text | text`; of a picture how many of each element
it has.
"""

import base64
import collections
import hashlib
import html.parser
import json
import sys

VOID = {"meta", "br", "hr", "img", "link", "input"}
SHOWN = {"title", "h1", "h2", "h3", "figcaption", "summary", "tr", "p", "li", "dt", "dd"}
# Elements and attributes that load or run something.
ACTIVE = {"link", "img", "iframe", "object", "embed", "base", "form", "audio", "video", "image", "use"}
LOADING = {"src", "srcset", "action", "formaction", "data", "background", "poster", "xlink:href"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.wrong, self.out = [], [], [], [], []
        self.text, self.cells = [], 0
        self.picture = None
        self.script, self.policy, self.hashes = None, "", []

    def handle_starttag(self, tag, attributes):
        self.start(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.start(tag, attributes)

    def start(self, tag, attributes):
        if tag in ACTIVE:
            self.wrong.append(f"<{tag}>")
        if tag == "script":
            self.script = dict(attributes).get("type", "")
        if tag == "meta" and dict(attributes).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attributes)["content"]
        for name, value in attributes:
            if name.startswith("on") or name in LOADING:
                self.wrong.append(f"<{tag} {name}={value}>")
            elif name == "href":
                self.links.append(value)
            elif name == "id":
                self.ids.append(value)
            elif name == "style" and "url" in value:
                self.wrong.append(f"style {value}")
        if self.picture is not None:
            self.picture[tag] += 1
        if tag == "svg":
            self.picture = collections.Counter()
        if tag in SHOWN and "svg" not in self.open:
            self.show(next((t for t in reversed(self.open) if t in SHOWN), None))
        if tag in ("td", "th") and self.text:
            self.text.append(" | ")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise SystemExit(f"error: line {self.getpos()[0]}: </{tag}> closes nothing")
        if tag == "svg":
            if not self.picture["title"]:
                self.wrong.append("a picture without a title")
            self.out.append("svg " + " ".join(f"{k}:{n}" for k, n in sorted(self.picture.items())))
            self.picture = None
        if tag in SHOWN and self.picture is None:
            self.show(tag)

    def show(self, tag):
        line = " ".join("".join(self.text).split())
        if tag and line:
            self.out.append(f"{tag} {line}")
        self.text = []

    def handle_data(self, data):
        if "style" in self.open and ("url(" in data or "@import" in data):
            self.wrong.append("the style sheet loads something")
        if "script" in self.open:
            if self.script == "application/json":
                json.loads(data)
            else:
                self.hashes.append("'sha256-" + base64.b64encode(hashlib.sha256(data.encode()).digest()).decode() + "'")
            return
        if self.picture is None and "style" not in self.open:
            self.text.append(data)


def main():
    with open(sys.argv[1], "rb") as file:
        text = file.read().decode("utf-8")  # fails where it is none
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        raise SystemExit(f"error: <{page.open[-1]}> is not closed")
    if not text.startswith("<!DOCTYPE html>"):
        raise SystemExit("error: no document type")
    if len(set(page.ids)) != len(page.ids):
        raise SystemExit("error: an id stands twice")
    for link in page.links:
        if not link.startswith("#") or link[1:] not in page.ids:
            raise SystemExit(f"error: {link} leads nowhere")
    if any(ord(c) < 0x20 and c != "\n" for c in text):
        raise SystemExit("error: a control character")
    allowed = [p.split()[1:] for p in page.policy.split(";") if p.split()[:1] == ["script-src"]]
    if page.hashes != sum(allowed, []):
        raise SystemExit(f"error: scripts {page.hashes}, and the policy is {page.policy}")
    if page.wrong:
        raise SystemExit(f"error: {page.wrong[0]}")
    print("\n".join(page.out))


main()
