# SPDX-License-Identifier: GPL-2.0-or-later
"""devtools.py - Chromium without a window, driven over its DevTools protocol through a pair of pipes

    with devtools.Browser() as browser:            # CHROMIUM names it, else /usr/bin/chromium
        page = browser.open("file:///tmp/page.html")
        page.press("w")
        page.value("document.title")               # of an expression; a promise is awaited
        page.errors                                # exceptions, messages of the console, requests of the network
"""
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

SECONDS = 60
OPTIONS = ("--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-extensions --hide-scrollbars "
           "--disable-background-networking --remote-debugging-pipe").split()
KEYS = {"Enter": 13, "Escape": 27, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}


def high_pipe():
    """A pipe whose numbers are not those that the browser reads (3) and writes (4)."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in ends]
    for end in ends:
        os.close(end)
    return high


class Browser:
    def __init__(self, width=1300, height=900, options=()):
        self.profile = tempfile.mkdtemp(prefix="chromium.")
        out, self.out = high_pipe()
        self.into, into = high_pipe()

        def connect():
            os.dup2(out, 3)
            os.dup2(into, 4)

        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        self.process = subprocess.Popen([chromium, *OPTIONS, f"--user-data-dir={self.profile}", f"--window-size={width},{height}", *options],
                                        preexec_fn=connect, pass_fds=(3, 4), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(out)
        os.close(into)
        self.read, self.nr, self.events = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.into)
        os.close(self.out)
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, deadline):
        """Returns the next message; None: none came until then."""
        while b"\0" not in self.read:
            if not select.select([self.into], [], [], max(0, deadline - time.monotonic()))[0]:
                return None
            more = os.read(self.into, 1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self.read += more
        text, self.read = self.read.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **params):
        self.nr += 1
        request = {"id": self.nr, "method": method, "params": params}
        if session:
            request["sessionId"] = session
        os.write(self.out, json.dumps(request).encode() + b"\0")
        deadline = time.monotonic() + SECONDS
        while True:
            message = self.message(deadline)
            if message is None:
                raise RuntimeError(f"{method}: no answer in {SECONDS} s")
            if message.get("id") != self.nr:
                self.events.append(message)
            elif "error" in message:
                raise RuntimeError(f"{method}: {message['error']['message']}")
            else:
                return message["result"]

    def wait(self, method, session):
        """Returns the parameters of the next event of that name."""
        deadline = time.monotonic() + SECONDS
        while True:
            for event in self.events:
                if event.get("method") == method and event.get("sessionId") == session:
                    self.events.remove(event)
                    return event["params"]
            message = self.message(deadline)
            if message is None:
                raise RuntimeError(f"{method}: did not come in {SECONDS} s")
            self.events.append(message)

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        return Page(self, self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"], url)


class Page:
    def __init__(self, browser, session, url):
        self.browser, self.session = browser, session
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.open(url)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def open(self, url):
        """Loads it anew, also if only what follows the # differs."""
        if url.split("#")[0] == getattr(self, "url", "").split("#")[0]:
            self.call("Page.navigate", url="about:blank")
            self.browser.wait("Page.loadEventFired", self.session)
        self.url = url
        self.call("Page.navigate", url=url)
        self.browser.wait("Page.loadEventFired", self.session)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def settle(self):
        """Waits until what was asked for is drawn, and written to the link."""
        self.value("new Promise(r => setTimeout(() => requestAnimationFrame(() => r(1)), 250))")

    def mouse(self, kind, x, y, **params):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **params)

    def move(self, x, y):
        self.mouse("mouseMoved", x, y)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1, buttons=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def drag(self, x, y, to_x, modifiers=0):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1, buttons=1, modifiers=modifiers)
        for part in (0.3, 0.7, 1):
            self.mouse("mouseMoved", x + (to_x - x) * part, y, button="left", buttons=1, modifiers=modifiers)
        self.mouse("mouseReleased", to_x, y, button="left", clickCount=1, modifiers=modifiers)

    def click_on(self, selector):
        """Clicks on the middle of an element, where a user would."""
        x, y = self.value(f"(e => {{ e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect(); "
                          f"return [b.left + b.width / 2, b.top + b.height / 2]; }})(document.querySelector({json.dumps(selector)}))")
        self.click(x, y)

    def wheel(self, x, y, by, modifiers=0):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=by, modifiers=modifiers)

    def pinch(self, y, begin, end):
        """Two fingers, from x to x each."""
        def touch(kind, *at):
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i} for i, x in enumerate(at)])
        touch("touchStart", begin[0])
        touch("touchStart", *begin)
        for part in (0.2, 0.6, 1):
            touch("touchMove", *(x + (to - x) * part for x, to in zip(begin, end)))
        touch("touchEnd")

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {}
        code = KEYS.get(key, ord(key[0].upper()))
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    @property
    def errors(self):
        self.value("1")
        wrong = []
        for event in self.browser.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                wrong.append(params["exceptionDetails"].get("exception", {}).get("description") or params["exceptionDetails"]["text"])
            elif method in ("Runtime.consoleAPICalled", "Log.entryAdded"):
                wrong.append(str(params.get("entry", params.get("args"))))
            elif method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(("file:", "about:", "data:")):
                wrong.append("asked the network: " + params["request"]["url"])
        return wrong
