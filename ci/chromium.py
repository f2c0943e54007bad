"""Headless Chromium by the protocol of https://www.w3.org/TR/webdriver/. It uses chromedriver and
Python's standard library only."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-proxy-server",
    # No host name is resolved.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.*",
]


class Failed(Exception):
    """A check failed."""


class Refused(Failed):
    """The driver reported an error: the element does not exist, or no longer exists."""


def same(seen, due, what):
    if seen != due:
        raise Failed(f"{what}: {seen!r} is not {due!r}")


def holds(condition, what):
    if not condition:
        raise Failed(what)


@contextlib.contextmanager
def driver(folder):
    """Starts the driver on a port that it chooses, and ends with what a failed check says."""
    # On SIGTERM the browser is closed as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("FAILED: timeout"))
    with open(os.path.join(folder, "driver.err"), "w", encoding="utf-8") as errors:
        process = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        ports = (re.search(r"successfully on port (\d+)", line) for line in process.stdout)
        yield f"http://127.0.0.1:{next(found for found in ports if found)[1]}"
    except Failed as failure:
        sys.exit(f"FAILED: {failure}")
    finally:
        process.terminate()
        process.wait()


class Window:
    """A browser window. `size` is its width and height; a narrow one is that of a phone."""

    def __init__(self, address, profile, size=None):
        self.address = address
        wanted = {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "goog:chromeOptions": {"args": [*ARGUMENTS, f"--user-data-dir={profile}"]},
        }
        session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = "/session/" + session["sessionId"]
        if size:
            width, height = size
            metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
            self.devtools("Emulation.setDeviceMetricsOverride", metrics)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.call("DELETE", "")

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with DIRECT.open(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise Refused(json.load(error)["value"]["message"]) from error

    def call(self, method, command, body=None):
        return self.ask(method, self.session + command, body)

    def devtools(self, command, parameters):
        self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def visit(self, url):
        self.call("POST", "/url", {"url": url})

    def find(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def write(self, selector, text):
        self.call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def click(self, selector):
        self.call("POST", f"/element/{self.find(selector)}/click", {})

    def text(self, selector):
        return self.call("GET", f"/element/{self.find(selector)}/text")

    def value(self, expression):
        return self.call("POST", "/execute/sync", {"script": f"return {expression};", "args": []})

    def run(self, script, *arguments):
        """Runs a script whose last argument is called with the result."""
        return self.call("POST", "/execute/async", {"script": script, "args": arguments})

    def promised(self, expression):
        """What a promise comes to, or why it is refused."""
        return self.run(f"({expression}).then(arguments[0], (why) => arguments[0](`${{why}}`));")

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind}) or []

    def is_at(self, url, heading):
        """Waits for the page with this address and this heading."""
        # A click returns before the next page has loaded; the check retries until the limit.
        until = time.monotonic() + 30
        while True:
            try:
                same(self.call("GET", "/url"), url, f"the address of {heading}")
                return same(self.text("h1"), heading, f"the heading at {url}")
            except Failed:
                if time.monotonic() > until:
                    raise
            time.sleep(0.02)
