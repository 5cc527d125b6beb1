#!/usr/bin/env python3
"""report_browser.py CHROMIUM REPORT.html [SCREENSHOTS]: the page of `xlate report` in a headless browser, driven by its debugging
pipe: keys, search, a program's page, a click that lights up lines, light and dark. Fails on any error that the page's script
throws or logs, on any request but the file itself, and on a dialog (a name that ran as script). Prints "N passed, N failed".
"""
import base64
import json
import os
import subprocess
import sys
import tempfile
import time


class Browser:
    def __init__(self, chromium, profile):
        to, out = os.pipe(), os.pipe()
        os.set_inheritable(to[0], True)
        os.set_inheritable(out[1], True)
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}",
                   "--remote-debugging-pipe", "--window-size=1400,1000", "about:blank"]

        def pipes():
            os.dup2(to[0], 63)
            os.dup2(out[1], 64)
            os.dup2(63, 3)
            os.dup2(64, 4)
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
                                        preexec_fn=pipes)
        os.close(to[0])
        os.close(out[1])
        self.to, self.out, self.buffer = to[1], out[0], b""
        self.number, self.session, self.events = 0, None, []

    def read(self):
        while b"\0" not in self.buffer:
            part = os.read(self.out, 1 << 16)
            if not part:
                raise EOFError("the browser is gone")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Page.navigate", url=url)

    def value(self, expression):
        r = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in r:
            raise RuntimeError(expression + ": " + json.dumps(r["exceptionDetails"])[:300])
        return r["result"].get("value")

    def wait(self, expression, seconds=120):
        end = time.monotonic() + seconds
        while not self.value(expression):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def key(self, key, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "",
                      windowsVirtualKeyCode={"Enter": 13, "Escape": 27}.get(key, 0))

    def type(self, text):
        for c in text:
            self.key(c, c)


def problems(browser, file):
    bad = []
    for e in browser.events:
        p = e.get("params", {})
        if e.get("method") == "Runtime.exceptionThrown":
            bad.append("exception: " + json.dumps(p["exceptionDetails"])[:300])
        if e.get("method") == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
            bad.append("console: " + json.dumps(p["args"])[:300])
        if e.get("method") == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
            bad.append("log: " + p["entry"]["text"][:300])
        if e.get("method") == "Page.javascriptDialogOpening":
            bad.append("a dialog: " + p["message"])
        if e.get("method") == "Network.requestWillBeSent" and p["request"]["url"].split("#")[0] not in ("file://" + file, "about:blank"):
            bad.append("a request: " + p["request"]["url"][:100])
    return bad


def look(browser, file, shots):
    results = []

    def check(name, ok):
        results.append((name, bool(ok)))

    def shot(name):
        if shots:
            picture = browser.call("Page.captureScreenshot")["data"]
            with open(os.path.join(shots, name + ".png"), "wb") as f:
                f.write(base64.b64decode(picture))

    start = time.monotonic()
    browser.open("file://" + file)
    check("rows appear", browser.wait("document.querySelectorAll('.row').length > 0"))
    print(f"figure report_first_rows {time.monotonic() - start:.2f} s", file=sys.stderr)
    data = "JSON.parse(document.getElementById('data').textContent)"
    rows = browser.value(data + ".rows.length")
    paged = browser.value(data + ".rows.findIndex((r) => r[10] >= 0 && !r[6])")
    name = browser.value(f"{data}.rows[{paged}][0]")
    check("only the rows in sight are in the document", browser.value("document.querySelectorAll('.row').length") <= min(rows, 120))
    shot("overview")
    browser.key("/", "/")
    check("/ goes to the search", browser.value("document.activeElement.id") == "search")
    browser.type(name)
    check("search finds", browser.wait("document.getElementById('count').textContent.includes(' of ')"
                                       if rows > 1 else "true"))
    check("what is found is shown", browser.wait(f"document.querySelector('.row span').textContent === {json.dumps(name)}"))
    browser.key("Enter")
    browser.key("Enter")
    check("Enter opens a page", browser.wait("!document.getElementById('program').hidden"))
    check("its panes appear", browser.wait("document.querySelectorAll('.pane').length > 0"))
    check("name as text", browser.value("document.getElementById('p_name').firstChild.textContent") == name)
    shot("program")
    if browser.value("document.querySelectorAll('.lines [data-a]').length"):
        browser.value("document.querySelector('.lines [data-a]').click()")
        check("a click lights up lines", browser.value("document.querySelectorAll('.lines .on').length") > 0)
        browser.key("4", "4")
        check("4 shows the picture", browser.wait("document.querySelector('.pic svg .box') !== null"))
        check("with a size", browser.value("document.querySelector('.pic svg').getBoundingClientRect().width") > 100)
        shot("picture")
        browser.key("5", "5")
        check("5 shows the remarks", browser.wait("[...document.querySelectorAll('.pane h2')].some((e) => e.textContent === 'Remarks')"))
    theme = browser.value("document.documentElement.dataset.theme")
    browser.key("t", "t")
    check("t turns light to dark", browser.value("document.documentElement.dataset.theme") != theme)
    shot("dark")
    browser.key("Escape")
    check("Esc goes back", browser.wait("!document.getElementById('overview').hidden"))
    browser.value("document.getElementById('keys').click()")
    check("the keys are told", browser.value("document.getElementById('help').open"))
    browser.value("document.getElementById('help').close()")
    wrong = browser.value(data + ".rows.findIndex((r) => r[6] && r[10] >= 0)")
    if wrong >= 0:
        browser.value(f"location.hash = '#p={wrong}'")
        check("a refused program says why", browser.wait("document.querySelector('#p_diag .diag code') !== null"))
        shot("refused")
    staged = browser.value(data + ".rows.findIndex((r) => r[0] === 'bary_kinds.frag')")
    browser.value(f"location.hash = '#p={staged}'")
    check("a generated stage has its pane", browser.wait("[...document.querySelectorAll('#p_tabs button')].some((e) => e.title === 'Key 6')"))
    browser.key("6", "6")
    check("6 shows it", browser.wait("[...document.querySelectorAll('.pane')].some((e) => e.textContent.includes('OpEmitVertex'))"))
    browser.call("Emulation.setDeviceMetricsOverride", width=420, height=800, deviceScaleFactor=1, mobile=False)
    browser.value("location.hash = ''")
    check("a narrow window has no sideways scrolling",
          browser.wait("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
    shot("narrow")
    bad = problems(browser, file)
    for b in bad:
        print(b)
    check("no errors, no requests, no dialogs", not bad)
    return results


def main():
    chromium, file = sys.argv[1], os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(chromium, profile)
        try:
            results = look(browser, file, sys.argv[3] if len(sys.argv) > 3 else None)
        finally:
            browser.process.kill()
            browser.process.wait()
    failed = [name for name, ok in results if not ok]
    for name in failed:
        print("FAIL " + name)
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
