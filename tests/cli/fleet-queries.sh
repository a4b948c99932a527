#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fleet-queries.sh - which host differs, in what: each question of samples/fleet/queries.sql names the host that was made to, and
# nobody where all are alike; asked of the real server
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_commands curl clickhouse-server
# shellcheck source=tests/lib/clickhouse.sh
. "$root/tests/lib/clickhouse.sh"

# statements: one on a line, without its comment: NAME, a tab, the statement
statements() {
	"$python" - "$root/samples/fleet/queries.sql" <<-'END'
	import re, sys
	for name, text in re.findall(r"^-- name: (\w+)\n(.*?;)\n", open(sys.argv[1]).read(), re.S | re.M):
	    print(name, " ".join(line for line in text.split("\n") if not line.startswith("--")).replace("\t", " "), sep="\t")
	END
}
# ask NAME: the first column of its answer, a blank between rows
ask_statement() { clickhouse_ask 0 "$(statements | sed -n "s/^$1	//p" | tr -d ';')" | cut -f "${2:-1}" | tr '\n' ' '; }
# alike HOST: the answer to the question of docs/fleet.md about the costliest finding of that host, now
alike() {
	clickhouse_ask 0 "$("$python" - "$root/docs/fleet.md" "$1" <<-'END'
	import re, sys
	text = re.search(r"How often the same .*?```\n(.*?)```", open(sys.argv[1]).read(), re.S)[1]
	text = re.sub(r"'[^']*' AND '[^']*'", "now() - 1200 AND now()", text).replace("'db1'", f"'{sys.argv[2]}'")
	print(" ".join(text.split()))
	END
	)" | cut -f 1,2
}
# fill DIFFERING: six hosts in two hours, of which one differs, "" none; in the earlier hour none does
fill() {
	local table
	for table in latency finding batch; do clickhouse_ask 0 "DROP TABLE IF EXISTS ringside_$table"; done
	while IFS= read -r statement; do clickhouse_ask 0 "${statement%;}"; done <rows/schema.sql
	"$python" - "$1" <<-'END'
	import json, sys, time
	differing, now = sys.argv[1], int(time.time())
	tables = {"latency": [], "finding": [], "batch": []}
	def put(table, host, ago, **row):
	    rows = tables[table]
	    rows.append({"host": host, "boot": "b", "batch": ago, "sequence": len(rows), "time": now - ago, "time_ns": (now - ago) * 10**9} | row)
	def latencies(host, ago, operation, command, ns, count, kind="wait"):
	    buckets = [0] * ns.bit_length()
	    buckets[ns.bit_length() - 1] = count
	    put("latency", host, ago, kind=kind, operation=operation, command=command, count=count, sum_ns=ns * count, max_ns=ns, buckets=buckets)
	for i in range(6):
	    host = f"web{i}"
	    for ago in 600, 4200: # this hour, and the one before it
	        slow = host == differing and ago == 600
	        latencies(host, ago, "disk", "postgres", 64_000_000 if slow else 2_000_000 + i * 100_000, 4000)
	        latencies(host, ago, "futex", "nginx", 1_000_000, 300)
	        put("batch", host, ago, from_ns=1, to_ns=2, lost=5 if slow else 0, gaps=1 if slow else 0, gaps_uncounted=0, unmatched=0, spans=0, dropped_batches=0)
	        put("finding", host, ago, rule="disk-wait", text="postgres waits", victim="postgres", culprit="vda", confidence="measured", cost_ns=1, advice="")
	        if slow: put("finding", host, ago, rule="lock-wait", text="postgres waits for a lock", victim="postgres", culprit="backup", confidence="measured", cost_ns=10**9, advice="")
	for name, rows in tables.items():
	    open(f"rows-{name}", "w").write(f"INSERT INTO ringside_{name} FORMAT JSONEachRow\n" + "\n".join(json.dumps(r) for r in rows))
	END
	for table in latency finding batch; do
		curl -s -m 20 "http://127.0.0.1:$(http_port 0)/" --data-binary @rows-$table
	done
}

begin "which host differs"
clickhouse_config 0
start_clickhouse 0
"$ringside" export "$root/tests/traces/debian-6.1-amd64-v6.dat" -q -f clickhouse -o rows
fill web4
expect "statements" "latency time finding since loss " "$(statements | cut -f 1 | tr '\n' ' ')"
expect "latency" "web4 " "$(ask_statement latency)"
expect "in what" "disk " "$(ask_statement latency 3)"
expect "time" "web4 " "$(ask_statement time)"
expect "finding" "lock-wait " "$(ask_statement finding)"
expect "since" "web4 " "$(ask_statement since)"
expect "loss" "web4 " "$(ask_statement loss)"
expect "alike, on hosts" "12	6" "$(alike web1)"
expect "alike of what one host has" "1	1" "$(alike web4)"
fill ""
for name in latency time finding since loss; do expect "all alike: $name" " " "$(ask_statement $name) "; done
kill "${clickhouse_pid[0]}"
wait "${clickhouse_pid[0]}" 2>/dev/null
finish
