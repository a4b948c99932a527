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
# the other dashboard asks what queries.sql does
fleet = json.loads(pathlib.Path("samples/fleet/grafana-fleet.json").read_text())
queries = re.findall(r"^-- name: \w+\n(.*?);\n", pathlib.Path("samples/fleet/queries.sql").read_text(), re.S | re.M)
plain = lambda text: " ".join(line.strip() for line in text.split("\n") if not line.startswith("--"))
assert [plain(q) for q in queries] == [plain(p["targets"][0]["rawSql"]) for p in fleet["panels"]], "the dashboard's SQL is not that of queries.sql"
# what Grafana's own types (@grafana/schema: Options of a time series) require; a legend without showLegend may be hidden
assert all(p["options"]["legend"].keys() >= {"displayMode", "placement", "showLegend", "calcs"} for p in board["panels"])
assert all(p["options"]["tooltip"].keys() >= {"mode", "sort"} for p in board["panels"])
END
# two exports of a recording have the same rows only where they ask the same: (host, boot, sequence) says so to the database
ringside=$PWD/${1:-build}/ringside tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
n=0
while read -r options; do
	# shellcheck disable=SC2086 # several words
	"$ringside" export tests/traces/debian-6.1-amd64-v6.dat -q -f clickhouse -o "$tmp/$((n += 1))" $options || exit 1
done <<-'END'
	--from 0.05 --to 0.2
	--to 0.2 --from 0.05
	--from 0.05 --to 0.25
	-C 0
	-C 1
	-p 415
	-p 415 --no-children
	-c burner
	-a syscalls

END
python3 - "$tmp" "$n" <<'END' || exit 1
import json, sys
def rows(i, table):
    return [json.loads(line) for line in open(f"{sys.argv[1]}/{i}/ringside_{table}.json")]
def ids(i, table):
    return {(r["host"], r["boot"], r["sequence"]) for r in rows(i, table)}
n = int(sys.argv[2])
assert n == 10
for table in "span", "latency", "batch":
    all_ids = [ids(i, table) for i in range(1, n + 1)]
    assert all(all_ids) and rows(1, table) == rows(2, table), table
    assert len(set.union(*all_ids[1:])) == sum(map(len, all_ids[1:])), f"{table}: two rows are taken for one"
whole, part = (rows(i, "batch")[0] for i in (n, 1))
assert part["from_ns"] == whole["from_ns"] + 50_000_000 and part["to_ns"] == whole["from_ns"] + 200_000_000
assert whole["batch"] == 0 and len({r["boot"] for i in range(1, n + 1) for r in rows(i, "batch")}) == 1
END
if command -v promtool >/dev/null; then
	cd samples/fleet || exit 1
	promtool check rules alerts.yml >/dev/null || exit 1
	promtool test rules alerts-test.yml || exit 1
else
	echo "promtool is not installed: the rules are not tested"
fi
echo "fleet: all passed"
