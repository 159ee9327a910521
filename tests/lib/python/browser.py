# SPDX-License-Identifier: GPL-2.0-or-later
"""A browser without a screen, driven over the WebDriver protocol (W3C) with nothing but the standard library.

	with Browser() as b:
		b.open("page.html")
		b.run("return document.title")

Needs chromedriver and the Chromium it belongs to: as a program this says what is not there.
"""
import base64
import glob
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    @staticmethod
    def missing():
        """What is not there, or None."""
        for names in ("chromedriver",), ("chromium", "chromium-browser", "google-chrome"):
            if not any(map(shutil.which, names)):
                return "no " + names[0]
        return None

    def __init__(self, width=1400, height=900, dark=False):
        self.home = tempfile.mkdtemp(prefix="browser.")
        env = dict(os.environ, HOME=self.home)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True,
                                       stderr=subprocess.DEVNULL, env=env, start_new_session=True)
        self.session = None
        try:
            for line in self.driver.stdout:
                m = re.search(r"successfully on port (\d+)", line)
                if m:
                    self.base = f"http://127.0.0.1:{m[1]}"
                    break
            else:
                raise RuntimeError("chromedriver does not start")
            args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                    "--disable-background-networking", "--disable-component-update", "--no-first-run",
                    "--disable-extensions", "--disable-sync", "--force-device-scale-factor=1",
                    f"--window-size={width},{height}", f"--user-data-dir={self.home}/profile"]
            if dark:
                args.append("--force-dark-mode")
            found = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome", "goog:chromeOptions": {"args": args},
                "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
                "pageLoadStrategy": "normal", "timeouts": {"script": 150000, "pageLoad": 150000}}}})
            self.session = found["sessionId"]
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.session:
            try:
                self.to("DELETE", "")
            except (OSError, RuntimeError):
                pass
            self.session = None
        try:
            os.killpg(self.driver.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.driver.wait()
        self.driver.stdout.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=200) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise RuntimeError(json.load(e)["value"]["message"]) from None

    def to(self, method, path, body=None):
        return self.call(method, f"/session/{self.session}{path}", body)

    def open(self, where):
        """A file, or an address."""
        if "://" not in where:
            where = pathlib.Path(where).resolve().as_uri()
        self.to("POST", "/url", {"url": where})

    def run(self, script, *args):
        """The value that the body of a function returns; what it waits for is waited for."""
        return self.to("POST", "/execute/sync", {"script": script, "args": list(args)})

    def wait(self, script, seconds=90):
        end = time.monotonic() + seconds
        while True:
            value = self.run(script)
            if value or time.monotonic() > end:
                return value
            time.sleep(0.02)

    def find(self, css):
        return self.to("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.to("POST", f"/element/{self.find(css)}/click", {})

    def type(self, css, text):
        self.to("POST", f"/element/{self.find(css)}/value", {"text": text})

    def keys(self, text):
        """Keys pressed one after the other, wherever the focus is."""
        actions = [{"type": kind, "value": c} for c in text for kind in ("keyDown", "keyUp")]
        self.to("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def pointer(self, *steps):
        """("move", x, y), ("down",), ("up",) with the left button."""
        actions = []
        for step in steps:
            if step[0] == "move":
                actions.append({"type": "pointerMove", "duration": 0, "x": int(step[1]), "y": int(step[2]),
                                "origin": "viewport"})
            else:
                actions.append({"type": "pointerDown" if step[0] == "down" else "pointerUp", "button": 0})
        self.to("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions,
                                                  "parameters": {"pointerType": "mouse"}}]})

    def size(self, width, height):
        self.to("POST", "/window/rect", {"width": width, "height": height})

    def dark(self, on):
        """What the page is told of the system's colours."""
        self.devtools("Emulation.setEmulatedMedia",
                      {"features": [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]})

    def devtools(self, command, params):
        return self.to("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def screenshot(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.to("GET", "/screenshot")))

    def cpu(self):
        """The milliseconds that the main thread of the page's process has run: it has run most of all."""
        def text(path):
            try:
                with open(path) as f:
                    return f.read()
            except OSError:
                return ""

        pids = [path.split("/")[2] for path in glob.glob("/proc/[0-9]*/cmdline")
                if "--type=renderer" in text(path) and self.home in text(path)]
        return max(int((text(f"/proc/{pid}/task/{pid}/schedstat") or "0").split()[0]) / 1e6 for pid in pids)

    def requests(self):
        """Addresses that were asked for since the last time."""
        out = []
        for entry in self.to("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                out.append(message["params"]["request"]["url"])
        return out

    def console(self):
        """What the page complained of since the last time."""
        return [entry["message"] for entry in self.to("POST", "/se/log", {"type": "browser"})]


class Checks:
    """What is checked on a page: methods called t01_name and so on, one after the other. With a folder for pictures
    there is one of the screen after each."""

    def __init__(self, page, pictures=None):
        self.page, self.pictures = page, pictures

    def checks(self, b):
        """Prints one line for each: "ok name" or "not ok name: why"."""
        self.b = b
        for name in [n for n in dir(self) if re.match(r"t\d+_", n)]:
            try:
                getattr(self, name)()
                print("ok " + name[4:])
            except (AssertionError, RuntimeError) as e:
                print(f"not ok {name[4:]}: {type(e).__name__} {str(e)[:400]}")
            if self.pictures:
                b.screenshot(os.path.join(self.pictures, name + ".png"))

    def open(self, state="", page=None):
        self.b.open("about:blank")
        self.b.open("file://" + os.path.abspath(page or self.page) + state)
        ready = self.b.wait("return document.documentElement.dataset.ready")
        assert ready == "1", self.b.run("return document.body.innerText.slice(0, 200)")

    def get(self, what):
        return self.b.run("return " + what)

    def equal(self, what, value):
        got = self.get(what)
        assert got == value, f"{what} is {got!r}, not {value!r}"

    def opens_alone(self, without):
        """The page opens, asks no server for anything, has nothing to say on the console, and none of these elements."""
        self.b.requests()
        self.open()
        asked = [a for a in self.b.requests() if not a.startswith(("file:", "about:", "chrome:", "data:"))]
        assert not asked, asked
        assert not self.b.console()
        self.equal("document.querySelectorAll('%s').length" % without, 0)


if __name__ == "__main__":
    sys.exit(Browser.missing())
