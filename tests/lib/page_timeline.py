# SPDX-License-Identifier: GPL-2.0-or-later
"""page_timeline.py PAGE INCIDENTS - a page of tests/traces/debian-6.1-amd64-mixed.dat, worked with as a user does, in Chromium

What is expected is from debian-6.1-amd64-mixed.report.gz, what trace-cmd says of the recording, whose first event is at 25.187330525:

    spawner-364  [003]  25.283550122: sched_switch: spawner:364 S ==> faulter:363     in wait4
    exe-365      [002]  25.314189834: sched_waking: comm=spawner pid=364
    disker-368   [003]  25.315330732: sched_switch: disker:368 R ==> spawner:364      it had run since 25.309308940
    spawner-364  [003]  25.315578564: sched_switch: spawner:364 S ==> kthreadd:369
    trace-cmd-352 [003]  25.201073354: sched_switch: trace-cmd:352 S ==> swapper/3:0           and nothing of it after that
"""
import json
import re
import sys

import devtools

SLEEP = 96219597, 126859309       # of spawner, from the begin: 25.283550122 and 25.314189834 less 25.187330525
DELAY = 126859309, 128000207
RUN = 128000207, 128248039
IDLE = 128248039, 148308249       # nanosleep: a timer wakes it at 25.335638774
LENGTH = 779439693                # to the last event, at 25.966770218
ASLEEP = "spawner (364): sleep\n30.6ms from 0.096219597 s\nculprit: exe (365), child\nwoken by exe (365)"
DELAYED = "spawner (364): delay\n1.14ms from 0.126859309 s\nculprit: disker (368), run queue\nwoken by exe (365)"
IDLES = "spawner (364): idle\n20.1ms from 0.128248039 s\nwoken by an interrupt"
RAN = "CPU 3: spawner (364) runs\n248us from 0.128000207 s\nwoken by exe (365)"

failed = 0


def check(what, is_so, said=""):
    global failed
    failed += not is_so
    print(("ok " if is_so else "FAILED ") + what + ("" if is_so else f": {said}"))


class Timeline:
    """Where things are is read from what is seen: the labels, the box of the picture, the link."""

    def __init__(self, page):
        self.page = page

    def text(self, element):
        return self.page.value(f"document.getElementById('{element}').textContent")

    def link(self):
        self.page.settle()
        return dict(part.split("=", 1) for part in self.page.value("decodeURIComponent(location.hash.slice(1))").split("&") if part)

    def view(self):
        link = self.link()
        return int(link.get("from", 0)), int(link.get("to", LENGTH))

    def box(self):
        return self.page.value("(b => [b.left, b.top, b.width, b.height])(document.getElementById('detail').getBoundingClientRect())")

    def spot(self, label, ns):
        y = self.page.value(f"(e => {{ e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect(); return b.top + b.height / 2; }})"
                            f"([...document.querySelectorAll('#timeline .lane')].find(e => e.firstChild.data === {json.dumps(label)}))")
        (begin, end), (left, _, width, _) = self.view(), self.box()
        return left + (ns - begin) / (end - begin) * width, y

    def hover(self, label, ns):
        self.page.move(*self.spot(label, ns))
        self.page.settle()
        return self.text("tip")

    def color(self, label, ns, below=0):
        """Of the canvas there, so many pixels below the middle of the track."""
        x, y = self.spot(label, ns)
        left, top, width, _ = self.box()
        return self.page.value("(to => { const c = document.getElementById('detail'), of = c.width / " + f"{width}; "
                               f"to.drawImage(c, Math.floor(({x} - {left}) * of), Math.floor(({y + below} - {top}) * of), 1, 1, 0, 0, 1, 1); "
                               "return [...to.getImageData(0, 0, 1, 1).data].slice(0, 3); })"
                               "(document.createElement('canvas').getContext('2d', { willReadFrequently: true }))")

    def color_of(self, name):
        text = self.page.value(f"(e => {{ e.className = {json.dumps(name)}; document.body.append(e); const c = getComputedStyle(e).backgroundColor; "
                               "e.remove(); return c; })(document.createElement('i'))")
        return [int(n) for n in re.findall(r"\d+", text)][:3]


def middle(of):
    return (of[0] + of[1]) / 2


def check_hover(t):
    for label, of, says in (("spawner/364", SLEEP, ASLEEP), ("spawner/364", DELAY, DELAYED), ("spawner/364", IDLE, IDLES), ("CPU 3", RUN, RAN)):
        said = t.hover(label, middle(of))
        check(f"hover: {says.splitlines()[0]}", said.startswith(says + "\n"), said)
    check("a slice has the color of its cause", t.color("spawner/364", middle(SLEEP)) == t.color_of("c-sleep"), t.color("spawner/364", middle(SLEEP)))


def check_ink(t):
    """Of spawner a finding says that its waits for a child cost; nobody says that of the futex that wl-x86_64 waits in."""
    ground = t.page.value("getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()")
    ground = [int(ground[i:i + 2], 16) for i in (1, 3, 5)]
    dim, full = t.color("wl-x86_64/355", 400000000, below=5), t.color_of("c-futex")
    check("a wait that cost is drawn in full", t.color("spawner/364", middle(SLEEP), below=-5) == t.color_of("c-sleep"))
    check("one that cost nobody is thin", t.color("wl-x86_64/355", 400000000) == ground, t.color("wl-x86_64/355", 400000000))
    check("and dim", dim != ground and all(min(a, b) < c < max(a, b) for a, b, c in zip(ground, full, dim) if abs(a - b) > 9), (ground, full, dim))
    check("who is idle has no color", t.color("spawner/364", middle(IDLE)) == t.color("spawner/364", middle(IDLE), below=6) == ground)
    said = t.hover("trace-cmd/352", 400000000)
    check("what is open at the end is drawn, as open", said.startswith("trace-cmd (352): idle\nat least 766ms from 0.013742829 s, open at the end\n"), said)


def check_names(browser, path):
    """A name of the data that is HTML is text, in the tip and below the timeline."""
    page = open(path, encoding="utf-8").read()
    changed = page.replace('"x\\u003c&>\\"\'"', '"\\u003cb id=made>x"')
    assert changed != page
    with open(path + "-names.html", "w", encoding="utf-8") as out:
        out.write(changed)
    t = Timeline(browser.open("file://" + path + "-names.html"))
    spot = "x<&>\"'/358", 121100000
    said = t.hover(*spot)
    t.page.click(*t.spot(*spot))
    t.page.settle()
    check("a name is text", said.startswith("<b id=made>x (358)") and t.text("picked").startswith("<b id=made>x (358)"), said)
    check("nothing is made of a name", not t.page.value("document.querySelectorAll('#made').length"))


def check_incidents(browser, path):
    """Of inversion.dat: the time of the second is half of what is seen then; the slowest wait of it is picked on its thread's track."""
    t = Timeline(browser.open("file://" + path))
    for link, seconds in ((0, (1.464198501, 1.726694464)), (1, (1.464198501, 1.566112385))):
        t.page.value(f"document.querySelectorAll('#incidents tr')[2].querySelectorAll('a.instance')[{link}].click()")
        begin, end = t.view()
        width, length = (end - begin) / 1e9, seconds[1] - seconds[0]
        check(f"incident, link {link}: its time is seen", begin / 1e9 <= seconds[0] + 1e-6 and end / 1e9 >= seconds[1] - 1e-6 and
              width <= 2 * length + 1e-6, (begin, end))
    check("the slowest wait is picked", "order" in t.text("picked"), t.text("picked"))


def check_zoom(t):
    page = t.page
    x, y = t.spot("spawner/364", middle(DELAY))
    page.wheel(x, y, -300)
    check("the wheel scrolls the page where the timeline has no focus", t.view() == (0, LENGTH), t.view())
    page.wheel(*t.spot("spawner/364", middle(DELAY)), -400, modifiers=2)
    begin, end = t.view()
    check("Ctrl and the wheel zoom: 1.002 ^ -400", abs((end - begin) / LENGTH - 1.002 ** -400) < 1e-3, (begin, end))
    check("what is under the pointer stays there", abs((middle(DELAY) - begin) / (end - begin) - middle(DELAY) / LENGTH) < 2e-3, (begin, end))
    page.click(*t.spot("CPU 0", 1000000 + begin))
    page.wheel(*t.spot("spawner/364", middle(DELAY)), -500)
    nearer = t.view()
    check("with the focus the wheel zooms", nearer[1] - nearer[0] < (end - begin) / 2, nearer)
    said = t.hover("spawner/364", middle(DELAY))
    check("hover where it is zoomed", said.startswith(DELAYED), said)
    x, y = t.spot("CPU 1", middle(nearer))
    page.drag(x, y, x + 100)
    begin, end = t.view()
    check("dragging to the right shows what was before", abs(nearer[0] - begin - 100 / t.box()[2] * (end - begin)) < 2e-3 * (end - begin), (nearer, begin))
    left, _, width, _ = t.box()
    page.drag(left + width / 4, y, left + width / 2, modifiers=8)
    part = t.view()
    check("Shift and dragging shows that range", abs(part[0] - (3 * begin + end) / 4) < 3e-3 * (end - begin) and
          abs(part[1] - (begin + end) / 2) < 3e-3 * (end - begin), part)


def check_pinch(t):
    """Fingers at 0.4 and 0.6 of the width that go to 0.2 and 0.8 show a third of the time, with the same middle."""
    page = t.page
    page.press("Escape")
    page.press("0")
    page.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    _, y = t.spot("CPU 1", 1000000)
    left, _, width, _ = t.box()
    page.pinch(y, [left + width * 0.4, left + width * 0.6], [left + width * 0.2, left + width * 0.8])
    begin, end = t.view()
    check("two fingers zoom", abs(begin / LENGTH - 1 / 3) < 5e-3 and abs(end / LENGTH - 2 / 3) < 5e-3, (begin, end))
    check("and select nothing", "slice" not in t.link(), t.link())
    page.pinch(y, [left + width * 0.2, left + width * 0.8], [left + width * 0.4, left + width * 0.6])
    check("and back", t.view()[1] - t.view()[0] > 0.98 * LENGTH, t.view())
    page.call("Emulation.setTouchEmulationEnabled", enabled=False)
    page.press("0")
    for _ in range(10):
        page.wheel(*t.spot("spawner/364", middle(DELAY)), -10, modifiers=2)
    begin, end = t.view()
    check("a trackpad's pinch follows the fingers: e ^ -1", abs((end - begin) / LENGTH - 0.36788) < 1e-3, (begin, end))


def gesture(page, x, y, scales):
    """As Safari tells of a trackpad's pinch. Returns how many of the events the page has not taken."""
    names = ["gesturestart"] + ["gesturechange"] * (len(scales) - 2) + ["gestureend"]
    return page.value(f"((at, all) => all.filter(([name, scale]) => at.dispatchEvent(Object.assign(new Event(name, {{ bubbles: true, cancelable: true }}), "
                      f"{{ scale, rotation: 0, clientX: {x}, clientY: {y} }}))).length)"
                      f"(document.getElementById('detail'), {json.dumps(list(zip(names, scales)))})")


def check_gesture(t):
    """Safari has events of its own for a trackpad's pinch: a scale of 4 shows a fourth, around what is under the pointer."""
    page = t.page
    page.press("0")
    left = gesture(page, *t.spot("spawner/364", middle(DELAY)), [1, 1.5, 3, 4, 4])
    begin, end = t.view()
    check("Safari's gesture zooms: a scale of 4", abs((end - begin) / LENGTH - 0.25) < 1e-3, (begin, end))
    check("what is under the pointer stays there too", abs((middle(DELAY) - begin) / (end - begin) - middle(DELAY) / LENGTH) < 2e-3, (begin, end))
    check("and the page does not zoom", left == 0, left)
    gesture(page, *t.spot("spawner/364", middle(DELAY)), [1, 0.5, 0.5])
    begin, end = t.view()
    check("the next one begins at its own scale", abs((end - begin) / LENGTH - 0.5) < 1e-3, (begin, end))


def check_keys(t):
    page = t.page
    page.press("0")
    check("0 shows all", t.view() == (0, LENGTH), t.view())
    page.press("w")
    near = t.view()
    check("w zooms", abs((near[1] - near[0]) / LENGTH - 0.7) < 1e-3, near)
    page.press("+")
    page.press("-")
    check("+ and - are each the reverse of the other", t.view() == near, t.view())
    page.press("ArrowRight")
    check("the arrow pans by a fifth", abs(t.view()[0] - near[0] - 0.2 * (near[1] - near[0])) < 2, t.view())
    page.press("a")
    check("a pans back", abs(t.view()[0] - near[0]) < 2, t.view())
    page.press("s")
    check("s shows more", t.view()[1] - t.view()[0] > near[1] - near[0], t.view())


def check_pick(t):
    page = t.page
    page.press("0")
    page.click(*t.spot("spawner/364", middle(SLEEP)))
    link = t.link()
    check("a click selects", t.text("picked").startswith(ASLEEP) and link.get("slice", "").endswith(f"@{SLEEP[0]}"), (t.text("picked"), link))
    page.press("n")
    check("n: the next slice", t.text("picked").startswith(DELAYED), t.text("picked"))
    page.press("p")
    page.press("Enter")
    begin, end = t.view()
    check("Enter zooms to it: it has half of the width", abs((SLEEP[1] - SLEEP[0]) / (end - begin) - 0.5) < 1e-3, (begin, end))
    page.press("Escape")
    check("Escape selects nothing", "slice" not in t.link() and t.text("picked") == "", t.link())


def check_finding(t):
    """The slowest of spawner's waits for a child: S at 25.553256782, woken by exe-372 at 25.618988823."""
    page = t.page
    page.press("0")
    before = t.color("wl-x86_64/355", 400000000)
    page.click_on(".finding:nth-of-type(2) a.instance")
    link, (begin, end) = t.link(), t.view()
    check("a finding jumps to its instance", link.get("finding") == "1" and abs(begin + end - 365926257 - 431658298) < 4 and
          abs((end - begin) / (431658298 - 365926257) - 2) < 1e-3, link)
    check("and selects it", t.text("picked").startswith("spawner (364): sleep\n65.7ms from 0.365926257 s\nculprit: exe (372), child\n"), t.text("picked"))
    y = page.value("(b => b.top)([...document.querySelectorAll('#timeline .lane')].find(e => e.firstChild.data === 'spawner/364').getBoundingClientRect())")
    check("its track is in sight, and the timeline has the focus", 0 <= y < 900 and page.value("document.activeElement.id") == "detail", y)
    check("who takes part keeps its colors", t.color("exe/372", 410000000) == t.color_of("c-otherd") and
          t.color("spawner/364", 400000000) == t.color_of("c-sleep"), (t.color("exe/372", 410000000), t.color("spawner/364", 400000000)))
    check("who does not is faded", t.color("wl-x86_64/355", 400000000) != before, before)
    check("its sentence is marked", page.value("document.querySelector('.finding.shown a').dataset.finding") == "1")



def check_tree(t):
    """Of that wait: exe-372 did meanwhile what it is for; it was in state D from 25.587820991 to 25.617408450, its longest."""
    page = t.page
    tree = page.value("[...document.querySelectorAll('.finding:nth-of-type(2) .tree tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
    check("a finding has the tree of its wait", [row[0] + row[3] for row in tree[:3]] ==
          ["65.7msspawner (364): wait4", "65.7ms  exe (372), child", "36.5ms    kernel (D)"] and tree[2][1] == "0.400490", tree)
    page.value("document.querySelector('.finding:nth-of-type(2) details').open = true")
    widths = page.value("[...document.querySelectorAll('.finding:nth-of-type(2) .tree i')].map(i => i.getBoundingClientRect().width)")
    check("bars to scale", abs(widths[2] / widths[0] - 36.5 / 65.7) < 0.01, widths)
    page.click_on(".finding:nth-of-type(2) .tree tbody tr:nth-child(3) a")
    begin, end = t.view()
    check("a row of it shows that", abs(begin + end - 400490466 - 430077925) < 4 and
          t.text("picked").startswith("exe (372): other D\n29.6ms from 0.400490466 s\n"), (begin, end, t.text("picked")))


def rows(page, table):
    return page.value(f"[...document.querySelectorAll('table.rows')[{table}].tBodies[0].rows].filter(r => !r.hidden).map(r => r.innerText)")


def check_tables(t):
    """Of the view tasks, which is sorted by click, and filtered."""
    page = t.page
    table = page.value("[...document.querySelectorAll('table.rows')].indexOf(document.querySelector('#v-tasks table'))")
    page.value("document.getElementById('v-tasks').open = true")
    all_rows = rows(page, table)
    page.click_on("#v-tasks th")
    up = rows(page, table)
    names = [row.split("\t")[0] for row in up]
    check("a click sorts", sorted(up) == sorted(all_rows) and names == sorted(names) and len(set(names)) > 5 and t.link().get(f"sort.{table}") == "1" and
          page.value("document.querySelector('#v-tasks th').getAttribute('aria-sort')") == "ascending", t.link())
    page.press("Tab")
    page.value("document.querySelector('#v-tasks th').focus()")
    page.press("Enter")
    check("Enter sorts the other way", t.link().get(f"sort.{table}") == "-1", t.link())
    page.value("document.querySelector('#v-tasks .filter').focus()")
    page.type("SPAWN 364")
    found = rows(page, table)
    check("a filter shows the rows with all words", found == [r for r in all_rows if "spawn" in r and "364" in r] and len(found) == 1, found)
    check("and says how many", page.value("document.querySelector('#v-tasks .tools span').textContent") == f"1 of {len(all_rows)}")
    return table, found


def check_link(t, table, found):
    """All of it is in the link: opened anew it is the same."""
    page = t.page
    page.settle()
    before, picked, link = t.link(), t.text("picked"), page.value("location.href")
    page.open(link)
    page.settle()
    check("a link restores the timeline", t.link() == before and t.text("picked") == picked, (before, t.link()))
    check("its finding", page.value("document.querySelector('.finding.shown a').dataset.finding") == "1")
    check("and its tables", rows(page, table) == found and page.value("document.querySelector('#v-tasks').open") and
          page.value("document.querySelector('#v-tasks th').getAttribute('aria-sort')") == "descending", rows(page, table))
    page.value("location.hash = '#from=100000000&to=200000000'")
    check("a changed link is followed", t.text("range").startswith("0.100000 s to 0.200000 s") and len(rows(page, table)) > 1, t.text("range"))
    page.open(page.value("location.href").split("#")[0] + "#from=x&to=-1&slice=99%407&finding=1e9&sort.0=77&at=%3Cb%3E")
    check("a wrong one is ignored", t.view() == (0, LENGTH) and t.text("picked") == "", t.view())


def check_dark(t):
    light = t.color("exe/375", 100000000)
    t.page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    t.page.settle()
    dark = t.color("exe/375", 100000000)
    check("dark follows the system", sum(light) > 600 and sum(dark) < 200, (light, dark))
    t.page.call("Emulation.setEmulatedMedia", features=[])


def check_without_script(browser, url):
    page = browser.open("about:blank")
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.open(url)
    counts = page.call("DOM.getDocument") and {
        what: len(page.call("DOM.querySelectorAll", nodeId=page.call("DOM.getDocument")["root"]["nodeId"], selector=what)["nodeIds"])
        for what in (".finding > b", "#v-tasks td", "#timeline path[class]", "canvas, input")}
    check("without a script: sentences, tables, the picture, nothing that needs one",
          counts[".finding > b"] == 7 and counts["#v-tasks td"] > 40 and counts["#timeline path[class]"] > 40 and not counts["canvas, input"], counts)


def main(path, incidents):
    url = "file://" + path
    with devtools.Browser() as browser:
        page = browser.open(url)
        t = Timeline(page)
        check_hover(t)
        check_ink(t)
        check_zoom(t)
        check_pinch(t)
        check_gesture(t)
        check_keys(t)
        check_pick(t)
        check_finding(t)
        check_tree(t)
        check_link(t, *check_tables(t))
        check_dark(t)
        check("no error, and no network", not page.errors, page.errors)
        check_names(browser, path)
        check_incidents(browser, incidents)
        check_without_script(browser, url)
    sys.exit(failed > 0)


main(sys.argv[1], sys.argv[2])
