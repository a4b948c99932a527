#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fleet.sh - the files for other people's engines: their metrics are ones that a daemon has, and their own tools accept them
cd "$(dirname "$0")/../.." || exit 1
python3 - <<'END' || exit 1
import json, pathlib, re
source = pathlib.Path("src/service/metrics-text.c").read_text()
known = set(re.findall(r'"(ringside_[a-z_]+)"', source))
assert len(known) > 15, known
for name in ("samples/fleet/alerts.yml", "samples/fleet/grafana-ringside.json", "docs/fleet.md"):
    text = pathlib.Path(name).read_text()
    used = set(re.findall(r"\bringside_[a-z_]+", text))
    assert used, f"{name}: no metric"
    for metric in used:
        base = re.sub(r"_(total|bucket|sum|count)$", "", metric)
        assert base in known or metric in known or not re.search(r"_(seconds|bytes|total|info)", metric), f"{name}: {metric} is no metric"
board = json.loads(pathlib.Path("samples/fleet/grafana-ringside.json").read_text())
ids = [p["id"] for p in board["panels"]]
assert len(ids) == len(set(ids)) and all(p["targets"] for p in board["panels"])
# what Grafana's own types (@grafana/schema: Options of a time series) require; a legend without showLegend may be hidden
assert all(p["options"]["legend"].keys() >= {"displayMode", "placement", "showLegend", "calcs"} for p in board["panels"])
assert all(p["options"]["tooltip"].keys() >= {"mode", "sort"} for p in board["panels"])
END
if command -v promtool >/dev/null; then
	cd samples/fleet || exit 1
	promtool check rules alerts.yml >/dev/null || exit 1
	promtool test rules alerts-test.yml || exit 1
else
	echo "promtool is not installed: the rules are not tested"
fi
echo "fleet: all passed"
