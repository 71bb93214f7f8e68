"""A headless Chromium for the tests, spoken to by a pipe: no port, no network, no library.

Its DevTools messages are JSON ended by a zero byte, on descriptors 3 (to it) and 4 (from it).
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NEEDED = "BACCARAT_NEEDS_CHROMIUM"
"""Where this is set, a missing Chromium is a failure and no reason to skip."""

PATIENCE = 120
"""Seconds without a word after which a test fails, rather than waiting for ever."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip


class Tab:
    """One page of the browser. ``asked`` are the addresses that it wanted to load."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back, self._waiting, self._count = to, back, b"", 0
        self._session: str | None = None
        self.asked: list[str] = []
        self._heard: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send one command and wait for its answer."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                return dict(answer["result"])

    def _next(self) -> dict[str, Any]:
        """The next message; what it says of loading is kept."""
        while b"\0" not in self._waiting:
            heard, _, _ = select.select([self._back], [], [], PATIENCE)
            assert heard, "Chromium does not answer"
            read = os.read(self._back, 1 << 20)
            assert read, "Chromium has ended"
            self._waiting += read
        text, self._waiting = self._waiting.split(b"\0", 1)
        message: dict[str, Any] = json.loads(text)
        if message.get("method") == "Network.requestWillBeSent":
            self.asked.append(message["params"]["request"]["url"])
        self._heard.append(message.get("method", ""))
        return message

    def show(self, file: Path, width: int, *, dark: bool = False, height: int = 844) -> None:
        """Load ``file`` on a screen of that many CSS pixels, a telephone's below 600."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self._heard.clear()
        self.call("Page.navigate", url=file.as_uri())
        while "Page.loadEventFired" not in self._heard:
            self._next()
        self.ask("document.fonts.ready.then(() => true)")

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page; the page's own scripts stay forbidden."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def picture(self, top: int = 0, height: int = 844) -> bytes:
        """A PNG of the page from ``top`` on."""
        width = self.ask("document.documentElement.clientWidth")
        clip = {"x": 0, "y": top, "width": width, "height": height, "scale": 1}
        shot = self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        return base64.b64decode(shot["data"])


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are none of the low numbers that the browser gets its own on."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]


@contextmanager
def chromium() -> Iterator[Tab]:
    """A tab of a new Chromium with an empty profile, off the network; it ends with the block."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        if os.environ.get(NEEDED):
            pytest.fail("no Chromium is installed here, and this run needs one")
        pytest.skip("no Chromium is installed here (Debian: apt-get install chromium)")
    profile = Path(tempfile.mkdtemp(prefix="baccarat-chromium-"))
    theirs_in, to = _pipe()
    back, theirs_out = _pipe()

    def place() -> None:
        os.dup2(theirs_in, 3)
        os.dup2(theirs_out, 4)

    # Every name resolves to nothing, so that nothing could be reached even if it were asked for.
    command = [found, *QUIET, f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND"]
    browser = subprocess.Popen(
        command, preexec_fn=place, pass_fds=(3, 4), start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Tab(to, back)
    finally:
        os.close(to)  # Which tells it to end.
        try:
            browser.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()
        os.close(back)
        shutil.rmtree(profile, ignore_errors=True)


def pixels(png: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and the rows of an 8-bit RGB or RGBA picture, as its bytes are."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, data, head = 8, b"", b""
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        content = png[at + 8 : at + 8 + length]
        head = content if kind == b"IHDR" else head
        data += content if kind == b"IDAT" else b""
        at += length + 12
    width, height, depth, colour = struct.unpack_from(">IIBB", head)
    assert (depth, colour in (2, 6)) == (8, True)
    size = 3 if colour == 2 else 4
    raw, rows, above = zlib.decompress(data), [], bytes(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        above = _unfiltered(raw[start], raw[start + 1 : start + 1 + width * size], above, size)
        rows.append(above)
    return width, height, rows


def _unfiltered(kind: int, line: bytes, above: bytes, size: int) -> bytes:
    """One row of a PNG without its filter (PNG specification, section 9)."""
    row = bytearray(line)
    for n in range(len(row)):
        a = row[n - size] if n >= size else 0
        b, c = above[n], above[n - size] if n >= size else 0
        if kind == 1:
            row[n] = (row[n] + a) & 255
        elif kind == 2:
            row[n] = (row[n] + b) & 255
        elif kind == 3:
            row[n] = (row[n] + (a + b) // 2) & 255
        elif kind == 4:
            p = a + b - c
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[n] = (row[n] + near) & 255
    return bytes(row)
