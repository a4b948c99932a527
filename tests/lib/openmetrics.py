# SPDX-License-Identifier: GPL-2.0-or-later
"""A strict reading of metrics: families whole and once, series once, histograms that add up.

    python3 openmetrics.py text|openmetrics FILE          -> prints the number of series
    python3 openmetrics.py text|openmetrics FILE NAME [LABEL=VALUE ...]  -> sum of the samples NAME with these labels
"""
import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"')
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}


def parse_labels(text):
    labels, at = {}, 0
    while at < len(text):
        m = LABEL.match(text, at)
        assert m, f"labels: {text[at:]}"
        assert m[1] not in labels, f"label {m[1]} twice"
        labels[m[1]] = re.sub(r"\\(.)", lambda e: "\n" if e[1] == "n" else e[1], m[2])
        at = m.end()
        if at < len(text):
            assert text[at] == ",", text
            at += 1
    return labels


def family_of(name, families, openmetrics):
    for family, kind in families.items():
        for suffix in SUFFIXES[kind]:
            if not openmetrics and kind == "counter":
                suffix = ""
            if name == family + suffix:
                return family
    raise AssertionError(f"{name}: of no family")


def parse(text, openmetrics):
    lines = text.split("\n")
    assert lines.pop() == "", "the last line has no end"
    if openmetrics:
        assert lines.pop() == "# EOF", "no # EOF"
    families, samples, closed, current = {}, {}, set(), None
    for line in lines:
        if line.startswith("# "):
            _, what, name, rest = line.split(" ", 3)
            assert what in ("TYPE", "HELP") or (openmetrics and what == "UNIT"), line
            if what == "TYPE":
                assert name not in families, f"{name} twice"
                families[name] = rest
            if what == "UNIT":
                assert name.endswith("_" + rest), line
            continue
        m = re.fullmatch(rf"({NAME})(?:\{{(.*)\}})? (\S+)", line)
        assert m, line
        family = family_of(m[1], families, openmetrics)
        if family != current:
            assert family not in closed, f"{family} is not in one piece"
            closed.add(family)
            current = family
        labels = parse_labels(m[2] or "")
        key = (m[1], tuple(sorted(labels.items())))
        assert key not in samples, f"twice: {line}"
        samples[key] = float(m[3])
        assert samples[key] >= 0, line
    check_histograms(families, samples)
    return samples


def check_histograms(families, samples):
    buckets = {}
    for (name, labels), value in samples.items():
        if name.endswith("_bucket"):
            rest = tuple(l for l in labels if l[0] != "le")
            buckets.setdefault((name[:-7], rest), []).append((float(dict(labels)["le"]), value))
    for (family, labels), row in buckets.items():
        assert families[family] == "histogram"
        assert row == sorted(row), f"{family}{labels}: buckets"
        assert [v for _, v in row] == sorted(v for _, v in row), f"{family}{labels}: not cumulative"
        assert row[-1] == (float("inf"), samples[(family + "_count", labels)]), f"{family}{labels}: +Inf is not the count"
        assert (family + "_sum", labels) in samples


if __name__ == "__main__":
    found = parse(open(sys.argv[2], encoding="utf-8", errors="strict").read(), sys.argv[1] == "openmetrics")
    if len(sys.argv) == 3:
        print(len(found))
    else:
        wanted = [w.split("=", 1) for w in sys.argv[4:]]
        rows = [v for (name, labels), v in found.items() if name == sys.argv[3] and all(dict(labels).get(k) == v2 for k, v2 in wanted)]
        print(f"{sum(rows):.15g}" if rows else "none")
