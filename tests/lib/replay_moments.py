# SPDX-License-Identifier: GPL-2.0-or-later
"""replay_moments.py SVG CAST SHOWN - a replay of tests/traces/faults/inversion.dat.xz at moments, and the text of its cast into SHOWN

The wait is 101.9 ms, less than 150: it plays for 3 s, and the end is shown for 4 s more.
"""
import json
import sys

import devtools

WAITS = "audit-log (24669) has the lock, waits for CPU 1: encode (24665) runs"
RUNS = "audit-log (24669) has the lock, runs on CPU 1"
failed = 0


def check(what, is_so, said=""):
    global failed
    failed += not is_so
    print(("ok " if is_so else "FAILED ") + what + ("" if is_so else f": {said}"))


def visible(page, second, class_name):
    page.value(f"document.documentElement.pauseAnimations(), document.documentElement.setCurrentTime({second}), 1")
    page.settle()
    return page.value(f"[...document.querySelectorAll('.{class_name}')].filter(e => getComputedStyle(e).visibility === 'visible')"
                      ".map(e => e.textContent)")


def now(page):
    return page.value("document.getElementById('now').transform.animVal[0].matrix.e")


def main(svg, cast, shown):
    with devtools.Browser() as browser:
        page = browser.open("file://" + svg)
        tracks = visible(page, 1, "does")
        check("at 1 s it waits", visible(page, 1, "caption") == [WAITS], visible(page, 1, "caption"))
        check("at 1 s a third is over", abs(now(page) - 140) < 2, now(page))
        check("at 1 s: each track", tracks == ["waits for a lock (futex)", "waits for CPU 1", "runs on CPU 1", "encode (24665) runs"], tracks)
        check("at 1 s there is no last sentence", not visible(page, 1, "last"))
        tracks = visible(page, 3.5, "does")
        check("at the end it runs", visible(page, 3.5, "caption") == [RUNS], visible(page, 3.5, "caption"))
        check("at the end all is over", abs(now(page) - 420) < 1, now(page))
        check("at the end: each track", tracks == ["waits for a lock (futex)", "runs on CPU 1", "waits for CPU 1", "audit-log (24669) runs"], tracks)
        last = " ".join(visible(page, 3.5, "last"))
        check("the last sentence", last.startswith("order (24667) waited 102ms.") and "encode (24665) ran in its place" in last, last)
        check("no error, and no network", not page.errors, page.errors)
    with open(cast, encoding="utf-8") as lines:
        header, *events = [json.loads(line) for line in lines]
    check("the cast ends at 3 s", events[-1][0] == 3, events[-1][0])
    text = "".join(e[2] for e in events if e[0] < 1)
    check("the cast says who waits, and not how it ends", WAITS in text and RUNS not in text and "waited 102ms" not in text, text)
    with open(shown, "w", encoding="utf-8") as out:
        out.write("".join(e[2] for e in events))
    sys.exit(failed > 0)


main(*sys.argv[1:])
