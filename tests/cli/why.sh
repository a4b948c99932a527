#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# why.sh - what `why` prints of a recording: the chain, the parts; of single calls; as JSON
cd "$(dirname "$0")/../.." || exit 1
ringside=$PWD/${RINGSIDE_BUILD:-build}/ringside
sample=tests/traces/debian-6.1-amd64-v6.dat
failed=0
fail() { failed=$((failed + 1)); echo "FAIL: $*"; }
why() { # why STATUS WORD...: runs it over the sample, its output in $got
	local want=$1 is
	shift
	got=$("$ringside" why -i $sample "$@" 2>&1)
	is=$?
	[ $is = "$want" ] || fail "why $*: exit status $is instead of $want: $got"
}
has() { [[ $got == *"$1"* ]] || fail "not said: $1: $got"; }
lacks() { [[ $got != *"$1"* ]] || fail "said: $1: $got"; }
# the sum of a column of the JSON rows of one view
sum() { python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
print(round(sum(r[sys.argv[2]] for r in rows if r.get("_view") == sys.argv[1])))' "$1" "$2" <<<"$got"; }

why 0
has "critical-path: "
has "antagonists: "
lacks "findings"
tid=$("$ringside" tasks -i $sample --by tid --csv -n 1 --columns tid 2>/dev/null | sed -n 2p)
why 0 -t "$tid"
has "why: "
lacks "antagonists: "
pid=$("$ringside" tasks -i $sample --csv --columns pid 2>/dev/null | grep -m 1 '^[1-9]')
why 0 -p "$pid" # its commands are of the same recording and process
has " -i $sample -p $pid"
why 0 -t "$tid" --json
[ "$(sum why share)" = 100 ] || fail "the parts are $(sum why share) % of the wall time"
# the time inside of calls is what syscall-latency has
calls=$("$ringside" syscall-latency -i $sample --json | python3 -c '
import json, sys
print(sum(r["total_ns"] for r in map(json.loads, sys.stdin) if r.get("syscall") == "futex"))')
why 0 --syscall futex --json
[ "$calls" -gt 0 ] && [ "$(sum why total_ns)" = "$calls" ] || fail "parts of futex calls: $(sum why total_ns), not $calls"
why 0 --syscall futex -m 1000s --json
[ "$(sum why total_ns)" = 0 ] || fail "calls of more than 1000 s"
why 2 -d 1
has "for live capture"
exit $((failed > 0))
