"""A headless Chromium that tests drive: its DevTools protocol over two pipes, so that nothing is
needed but the browser (Debian's package `chromium` or `chromium-headless-shell`)."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
SECONDS = 60.0  # that an answer may take

# The browser reads commands from 3 and writes answers to 4.
START = """
import fcntl, os, sys
own = [fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3]]
for number, pipe in zip((3, 4), own):
    os.dup2(pipe, number)
os.execv(sys.argv[3], sys.argv[3:])
"""

FOUND = next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page of a browser."""

    def __init__(self, program: str, folder: Path, size: tuple[int, int]) -> None:
        commands, self._write = os.pipe()
        self._read, answers = os.pipe()
        options = [
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
            *("--no-first-run", "--disable-extensions", "--disable-background-networking"),
            *("--remote-debugging-pipe", f"--user-data-dir={folder}", "--hide-scrollbars"),
            "--force-prefers-color-scheme=light",
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", START, str(commands), str(answers)]
            + [program, *options, "about:blank"],
            pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder)},
        )
        os.close(commands)
        os.close(answers)
        self._left = b""
        self._number = 0
        self._loaded = False
        self._session: str | None = None
        self.errors: list[str] = []  # what scripts of pages have raised
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        width, height = size
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def call(self, method: str, **parameters: Any) -> Any:
        """What the browser answers to a command."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while True:
            answer = self._next(end)
            self._loaded |= answer.get("method") == "Page.loadEventFired"
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(answer["params"]["exceptionDetails"])[:2000])
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def _next(self, end: float) -> Any:
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self._read, 1 << 20) if ready else b""
            if not data:
                raise TimeoutError("the browser does not answer")
            self._left += data
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)

    def navigate(self, url: str) -> None:
        """Load a page."""
        self._loaded = False
        self.call("Page.navigate", url=url)
        end = time.monotonic() + SECONDS
        while not self._loaded:
            self._loaded = self._next(end).get("method") == "Page.loadEventFired"

    def open(self, url: str) -> None:
        """Open a page, and wait until its script has run."""
        self.navigate("about:blank")  # else a new #line alone loads nothing
        self.navigate(url)
        end = time.monotonic() + SECONDS
        while not self.run("document.body && document.body.dataset.ready === '1'"):
            assert time.monotonic() < end and not self.errors, self.errors
            time.sleep(0.02)

    def run(self, script: str) -> Any:
        """The value of an expression in the page, when what it has asked for is drawn."""
        wrapped = (
            "(async () => { const value = (() => { return " + script + "})();"
            "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));"
            "return value; })()"
        )
        answer = self.call(
            "Runtime.evaluate", expression=wrapped, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def center(self, selector: str) -> tuple[float, float]:
        """Where an element is in the window: near its left, as rows are longer than columns."""
        x, y = self.run(
            f"(() => {{ const b = document.querySelector({selector!r}).getBoundingClientRect();"
            "return [b.x + Math.min(b.width / 2, 60), b.y + b.height / 2]; })()"
        )
        return x, y

    def hover(self, selector: str) -> None:
        """Move the mouse to an element."""
        x, y = self.center(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.run("0")

    def click(self, selector: str) -> None:
        """Click an element."""
        x, y = self.center(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.run("0")

    def press(self, key: str) -> None:
        """Press a key."""
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.run("0")

    def screenshot(self, path: Path) -> None:
        """Write what is to be seen to a PNG file."""
        data = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        """End the browser."""
        self.process.kill()
        self.process.wait()
        os.close(self._read)
        os.close(self._write)


@contextmanager
def browser(folder: Path, size: tuple[int, int] = (1600, 900)) -> Iterator[Browser]:
    """A browser with its profile in a folder."""
    assert FOUND is not None
    found = Browser(FOUND, folder, size)
    try:
        yield found
    finally:
        found.close()
