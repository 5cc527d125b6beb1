#!/usr/bin/env python3
"""report_look.py REPORT.html: what a browser would find in the page of `xlate report`, by Python's parser: the elements that run or
fetch something, the programs, and the fields of each program's page."""
import base64
import html.parser
import json
import sys
import zlib


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.scripts, self.odd, self.policy = [], [], None
        self.inside = None

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "script":
            self.scripts.append([a, ""])
        if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy":
            self.policy = a["content"]
        if tag in ("img", "iframe", "object", "embed", "link", "base", "form") and (tag, a) != ("form", {"method": "dialog"}):
            self.odd.append(tag)
        self.odd += [k for k, v in a.items() if k.startswith("on") or k == "src" or (v or "").startswith("javascript:")]
        self.inside = tag

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts[-1][1] += data


page = Page()
with open(sys.argv[1], encoding="utf-8") as f:
    page.feed(f.read())
data = [json.loads(text) for a, text in page.scripts if a.get("id") == "data"]
runs = [a for a, _ in page.scripts if a.get("type") not in ("application/json", "text/plain")]
chunks = [text for a, text in page.scripts if a.get("type") == "text/plain"]
print(f"{len(runs)} script, its nonce in the policy: {len(runs) == 1 and runs[0]['nonce'] in page.policy}; "
      f"policy fetches: {'http' in page.policy or 'default-src' not in page.policy}; odd: {page.odd}")
pages = [p for c in chunks for p in json.loads(zlib.decompress(base64.b64decode(c), -15))]
for row in data[0]["rows"]:
    p = pages[row[10]] if row[10] >= 0 else {}
    assert p.get("name", row[0]) == row[0]
    print(row[0], data[0]["stages"][row[1]], data[0]["cpus"][row[2]], row[4], "guest words,", "module," if row[5] else "no module,",
          "ok" if row[6] == 0 else data[0]["codes"][row[7]], "pages:", " ".join(k for k in p if p[k] not in ([], 0)))
