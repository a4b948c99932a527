#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# pairs.sh - pairs of events that are named on the command line: the same as what the engine knows of system calls
#
# Usage: tests/cli/pairs.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"
t=$traces/debian-6.1-amd64-v6.dat
refused() { # refused STATUS MESSAGE ARGUMENTS...
	"$ringside" "${@:3}" >out 2>err
	[ $? = "$1" ] && grep -qF "$2" err || fail "ringside ${*:3}: wanted '$2', came '$(head -1 err)'"
}

# Each call that the engine paired is a pair of these two events, as long to the nanosecond. The engine leaves out the
# first exit of a new task, which has no enter, and tells calls that never return apart.
"$ringside" pair-list sys_enter sys_exit -i "$t" --json >pairs
"$ringside" syscalls -i "$t" --json >calls
"$ringside" pairs raw_syscalls:sys_enter raw_syscalls:sys_exit -i "$t" --by tid --json >table
python3 - <<'PY' || fail "pairs of sys_enter and sys_exit are not the system calls"
import json, collections
def rows(name):
    return [json.loads(l) for l in open(name)][:-1]
pairs, calls, table = rows("pairs"), rows("calls"), rows("table")
assert len(calls) > 1000
assert {(r["tid"], r["start_ns"], r["lat_ns"]) for r in calls} == {(r["tid"], r["start_ns"], r["lat_ns"]) for r in pairs}
total = collections.Counter()
for r in pairs:
    total[r["tid"]] += r["lat_ns"]
assert dict(total) == {r["tid"]: r["total_ns"] for r in table}
PY
"$ringside" pairs sys_enter sys_exit -i "$t" -H | grep -q '^sys_enter-sys_exit$' || fail "-H draws no picture"
"$ringside" export "$t" -a pairs -q -o x.json || fail "export -a pairs: status $?"

refused 2 "pairs: 'sys_enter' begins what?" pairs sys_enter -i "$t"
refused 2 "pairs: --key is of the events that are named" pairs --key cpu -i "$t"
refused 2 "pairs: --list and --histogram: one of them" pairs sys_enter sys_exit --list -H -i "$t"
refused 1 "pairs: needs foo:bar, which this trace does not have" pairs foo:bar sys_exit -i "$t"
refused 1 "pairs: needs sys_exi, which this trace does not have (did you mean 'sys_exit'?)" pairs sys_enter sys_exi -i "$t"
refused 1 "pairs: needs raw_syscalls:sys_entr, which this trace does not have (did you mean 'sys_enter'?)" pairs raw_syscalls:sys_entr sys_exit -i "$t"
refused 1 "pairs: needs sys_enter, which has no field nothing" pairs sys_enter sys_exit --key nothing -i "$t"

finish "all passed"
