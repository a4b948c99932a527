# SPDX-License-Identifier: GPL-2.0-or-later
"""page.py PAGE ROWS.json - a page of `export -o x.html`: well-formed, its own scripts alone, no address outside of it, all findings,
the first rows of each view, and the data of its timeline. ROWS: what `report --view all --json` says of the recording, and then its findings.
"""
import html.parser
import json
import re
import sys

VOID = {"meta", "br"}
KNOWN = set("html head meta title style body h1 h2 h3 p a nav section div b details summary ul li code table thead tbody tr th td i span svg path text "
            "iframe br footer script".split())


class Page(html.parser.HTMLParser):
    def __init__(self, source):
        super().__init__()
        self.open, self.ids, self.links, self.scripts, self.tables, self.findings, self.frames = [], [], [], [], {}, [], []
        self.table = self.cell = self.data = None
        self.feed(source)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        attrs = dict(attrs)
        assert len(names) == len(attrs), (tag, names)
        assert not any(name.startswith("on") for name in names), (tag, names)  # no handler in an attribute
        for name in ("src", "href", "action", "data", "background", "poster"):
            assert attrs.get(name, "#").startswith("#"), (tag, name, attrs[name])
        assert tag in KNOWN, tag
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if "href" in attrs:
            self.links.append(attrs["href"][1:])
        if tag == "script" and attrs.get("type") == "application/json":
            assert attrs == {"type": "application/json", "id": "slices"}, attrs
            self.data = ""
        elif tag == "script":
            self.scripts.append(attrs.get("nonce"))
        if tag == "iframe":
            self.frames.append(attrs)
        if tag == "details" and attrs.get("id", "").startswith("v-"):
            self.table = self.tables[attrs["id"][2:]] = []
        if tag == "tr" and self.table is not None:
            self.table.append([])
        if tag in ("td", "th") and self.table is not None:
            self.table[-1].append("")
            self.cell = True
        if tag == "b" and self.open and self.open[-1][1].startswith("finding"):
            self.findings.append("")
        if tag not in VOID:
            self.open.append((tag, attrs.get("class", "")))

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.open and self.open[-1][0] == tag, (tag, self.open[-3:], self.getpos())
        self.open.pop()
        if tag in ("td", "th"):
            self.cell = None
        if tag == "details":
            self.table = None

    def handle_data(self, data):
        if self.open and self.open[-1][0] == "script" and self.data == "":
            self.data = data
        if self.cell and self.table:
            self.table[-1][-1] += data
        if [t for t, _ in self.open[-2:]] == ["div", "b"] and self.open[-2][1].startswith("finding"):
            self.findings[-1] += data


def check(path):
    """Returns the Page; an AssertionError: what is wrong with it."""
    page = open(path, "rb").read().decode("utf-8")  # strictly
    assert len(page.encode()) <= 5000000, len(page)
    p = Page(page)
    assert len(p.ids) == len(set(p.ids)), "an id is there twice"
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    nonce = re.search(r"script-src 'nonce-([0-9a-f]{32})'", policy)[1]
    assert policy.startswith("default-src 'none';") and "unsafe-inline'; script" in policy and "unsafe-eval" not in policy, policy
    assert p.scripts == [nonce], p.scripts
    check_data(p.data)
    assert not re.search(r"https?:(?!//www\.w3\.org/)", page.split("<body>")[0]), "an address outside of the page"
    for frame in p.frames:
        assert frame["sandbox"] == "allow-scripts allow-modals" and "src" not in frame
        inner = frame["srcdoc"]
        assert inner.count("<script") == 1 == inner.count(f'<script nonce="{nonce}">') and inner.count("</script") == 1, "a script of a name"
    return p


def check_data(text):
    """Numbers that are within their tables; slices of a track that follow each other; no byte that could end the script."""
    assert "<" not in text, text[:200]
    data = json.loads(text)
    for kind in data["kinds"]:
        state, *parties, part, cpu, is_open = kind
        assert is_open in (0, 1) and state < len(data["states"]) and part <= len(data["parts"]) and cpu >= 0 and max(parties) < len(data["parties"]), kind
    for track in data["tracks"]:
        at, slices = 0, track["slices"]
        assert len(slices) % 3 == 0 and ("cpu" in track) != ("party" in track), track.keys()
        for gap, length, kind in zip(slices[::3], slices[1::3], slices[2::3]):
            assert gap >= 0 and length > track["shorter_ns"] and kind < len(data["kinds"]), (track.get("cpu"), gap, length, kind, at)
            at += gap + length
    for name, tid, pid, process in data["parties"]:
        assert name.isprintable() and process.isprintable(), (name, process)


def printed(text):  # as the page shows what has control characters
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", lambda m: "", text)


def plain(text):
    return re.sub(r"\\x[0-9a-f]{2}|\\u\{[0-9a-f]+\}", "", text)


def check_rows(p, path):
    rows, findings = {}, []
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        if "rule" in row:
            findings.append(row)
        elif "_view" in row:
            rows.setdefault(row["_view"], []).append(row)
    shown = [plain(f) for f in p.findings]
    assert shown == [printed(f["text"]) for f in findings] or (not findings and len(shown) == 1), (shown, [f["text"] for f in findings])
    for link in p.links:
        assert link in p.ids or link.startswith("v-"), link
    for view, of in rows.items():
        if "stack" in of[0] and "self" in of[0] or "from_ns" in of[0] and "count" in of[0]:
            continue  # a flame graph, a distribution
        assert view in p.tables, (view, list(p.tables))
        assert len(p.tables[view]) == 1 + min(len(of), 40), (view, len(p.tables[view]), len(of))
        assert all(len(r) == len(p.tables[view][0]) for r in p.tables[view]), view
    print(len(findings), "findings", len(p.tables), "tables", len(p.frames), "flame graphs")


if __name__ == "__main__":
    check_rows(check(sys.argv[1]), sys.argv[2])
