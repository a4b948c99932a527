#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# host-clock.sh - times of one of several hosts are told in the clock of who asks, and the quality says by how much they were moved
#
# Usage: tests/cli/host-clock.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"
xz -dc "$traces/faults/peer.dat.xz" >peer.dat
alone() { "$ringside" "$1" -i peer.dat "${@:2}" 2>err || fail "$*: $(cat err)"; }
begin=$(alone timehist --json | sed -n 's/.*"_meta".*"from_ns":\([0-9]*\).*/\1/p')
# It has run for a second longer than this machine, and its clock is half a second ahead, within 30 ns.
among() { RINGSIDE_MACHINE="1000000000 500000000 30 $((begin - 1000000000 + 30)) web1" "$ringside" "$1" -i peer.dat "${@:2}" 2>err || fail "$*: $(cat err)"; }

alone timehist --json >alone
among timehist --json >among
python3 - <<'PY' || fail "rows"
import json
alone, among = ([json.loads(line) for line in open(name)] for name in ("alone", "among"))
assert len(alone) == len(among) > 100
for a, b in zip(alone[:-1], among[:-1]):
    assert list(b)[0] == "_machine" and b.pop("_machine") == "web1"
    assert a.pop("time_ns") - b.pop("time_ns") == 1000000000 and a == b, (a, b)
a, b = alone[-1]["_meta"], among[-1]["_meta"]
assert (b["machine"], b["clock_offset_ns"], b["clock_wall_offset_ns"], b["clock_uncertainty_ns"]) == ("web1", 1000000000, 500000000, 30)
assert a["from_ns"] - b["from_ns"] == a["to_ns"] - b["to_ns"] == 1000000000
assert b["realtime_offset_ns"] - a["realtime_offset_ns"] == 500000000 # the time of day is ours: half a second earlier
PY
# Text counts from the common begin, which is the recording's here.
alone timehist -n 5 | grep '^[^#]' >alone
among timehist -n 5 | tr -d '\f' | grep '^[^#]' >among
cmp alone among || fail "text: $(diff alone among)"
among cpus >out
[ "$(tail -c 1 out)" = $'\f' ] || fail "a table ends with a form feed"
among cpus --csv | grep -q $'\f' && fail "none in CSV"
among findings --json >out
python3 -c "
import json
rows = [json.loads(line) for line in open('out')]
assert len(rows) > 1 and all(list(r)[0] == '_machine' and r['_machine'] == 'web1' for r in rows[:-1])" || fail "findings: $(cat out)"
# A command that it runs does not see it.
RINGSIDE_MACHINE="1 2 3" "$ringside" cpus -i peer.dat >out 2>err || fail "no stamp: $(cat err)"
grep -q machine out && fail "no stamp: $(cat out)"
finish "all passed"
