#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perfdata.sh - a perf.data reads as perf script reads it: each address of each sample, and the events of tracepoints
#
# tests/perfdata/NAME.data.xz is a recording, NAME.script.xz what perf script printed of it (tests/lib/perf_script.py).
# Usage: tests/cli/perfdata.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"
recordings=$root/tests/perfdata compare=$root/tests/lib/perf_script.py

for data in "$recordings"/*.data.xz; do
	name=$(basename "$data" .data.xz)
	xz -dc "$recordings/$name.script.xz" >script
	"$ringside" profile -i "$data" --by address --json -n 100000 >addresses 2>err || fail "$name: profile: $(cat err)"
	"$ringside" events -i "$data" --json -n 100000 >events 2>err || fail "$name: events: $(cat err)"
	[ "$name" = mixed ] && set -- - || set -- addresses
	python3 "$compare" script "$1" events >out || fail "$name: $(head -20 out)"
	echo "$name: $(tail -1 out)"
done

# every way in: packed or not, by name and by -i; what perf recorded of processes names the tasks
xz -dc "$recordings/stacks.data.xz" >perf.data
"$ringside" report perf.data --view profile --json >out 2>err || fail "report: $(cat err)"
grep -q '"comm":"shares"' out || fail "report: no samples of shares"
"$ringside" tui --batch perf.data >out 2>err </dev/null || fail "tui: $(cat err)"
"$ringside" profile -i perf.data -f folded 2>/dev/null >out
[ "$(awk '{ n += $NF } END { print n }' out)" = 494 ] || fail "folded: not 494 samples"
"$ringside" profile-stacks -q -i perf.data -f folded | cmp - out || fail "profile-stacks -f folded: not that of profile"

# cut off anywhere it says so, or shows what is there
head -c 30000 perf.data >cut.data
"$ringside" profile -i cut.data >out 2>err || fail "cut: $(cat err)"
grep -q "cut off or damaged" err || fail "cut: no word of it: $(cat err)"
mkdir folder && touch folder/header
"$ringside" report folder >out 2>err
{ [ $? = 1 ] && grep -q "it is a folder of perf record --threads" err; } || fail "a folder: $(cat err)"
left=$(find "${TMPDIR:-/var/tmp}" -maxdepth 1 -name '.ringside-*' -newer script)
[ -z "$left" ] || fail "left behind: $left"

finish "all passed"
