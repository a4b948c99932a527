#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# clocks.sh - what a recording says of its clock is applied as trace-cmd applies it, to the nanosecond
#
# Usage: tests/cli/clocks.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"
put=$root/tests/lib/put_options.py
command -v trace-cmd >/dev/null || { echo "no trace-cmd to compare with"; exit 77; }

# Every switch's time, in the order of time: as ringside and as trace-cmd have it.
compare() { # compare WHAT TRACE OPTION...
	local what=$1 trace=$2 nr
	shift 2
	python3 "$put" "$traces/$trace.dat" clock.dat "$@" || { fail "$what: no file"; return; }
	"$ringside" timehist -i clock.dat --json --columns time_ns >rows 2>err || fail "$what: $(cat err)"
	sed -n 's/^{"time_ns":\([0-9]*\)}$/\1/p' rows | sort -n >ours
	trace-cmd report -t clock.dat 2>/dev/null | sed -n 's/.* \([0-9]*\)\.\([0-9]\{9\}\): sched_switch: .*/\1\2/p' |
		sed 's/^0*//' | sort -n >theirs
	nr=$(wc -l <ours)
	[ "$nr" -gt 100 ] || fail "$what: $nr slices"
	# a slice ends in a switch; one of idle is none
	[ -z "$(comm -23 <(sort -u ours) <(sort -u theirs))" ] ||
		fail "$what: times that trace-cmd has not: $(comm -23 <(sort -u ours) <(sort -u theirs) | head -3)"
}

t=debian-6.1-amd64-v6
compare "a factor of 1.5" $t tsc2nsec=3,1,0
compare "a factor of 0.39, and an offset that nobody adds" $t tsc2nsec=838860800,31,777
compare "an offset" $t offset=-1000000007
compare "a sample a CPU" $t time_shift=1:0,250,1,0/0,-250,1,0/0,1000000,1,0/0,7,1,0
compare "two samples, a line through them" $t \
	time_shift=1:39900000000,100,1,0/40100000000,1000100,1,0 time_shift_cpus=4
compare "two samples, no line" $t time_shift=0:39000000000,-500,1,0/40000000000,900,1,0 time_shift_cpus=4
compare "three samples, a line" $t \
	time_shift=1:39900000000,-5000000,1,0/40000000000,7000,1,0/40100000000,-3,1,0 time_shift_cpus=4
compare "samples of one time, out of order" $t \
	time_shift=1:40100000000,900,1,0/39900000000,5,1,0/39900000000,5,1,0 time_shift_cpus=4
compare "fewer CPUs than there are" $t time_shift=1:0,250,1,0/1000,251,1,0 time_shift_cpus=2
compare "two of them, the last holds" $t time_shift=1:0,250,1,0 time_shift=0:0,900,1,0 time_shift_cpus=4
compare "a scaling of 3 / 4" $t time_shift=1:0,250,3,2/1000000000000,5250,3,2 time_shift_cpus=4
compare "a guest's, all together" $t time_shift=1:0,250,3,2/1000000000000,5250,3,2 time_shift_cpus=4 tsc2nsec=5,1,0 offset=17
compare "big-endian" debian-6.1-s390x-v6 time_shift=1:23000000000,100,1,0/23900000000,1000100,1,0 \
	time_shift_cpus=2 tsc2nsec=3,1,0
compare "32 bits" debian-6.1-i386-v6 tsc2nsec=3,1,0

# A counter without its factor: no time is claimed, in no heading and no cell.
python3 "$put" "$traces/$t.dat" clock.dat tsc2nsec=0,0,0
"$ringside" report clock.dat -q >page 2>err || fail "cycles: $(cat err)"
grep -E '[0-9](ns|us|ms|s)( |$)|[a-zA-Z0-9]\((ns|us|ms|s)\)|[a-z0-9](ms|us)( |$)' page | grep -v '^[a-z]*: ' >units
[ ! -s units ] || fail "cycles: $(head -3 units)"
grep -q 'RUN(cycles)' page || fail "cycles: no such heading"
"$ringside" runqlat -i clock.dat -q >picture 2>&1
grep -q '^     cycles  ' picture || fail "cycles: $(head -2 picture)"
"$ringside" sched -i clock.dat --json 2>err | tail -1 | grep -q '"clock":"x86-tsc","unit":"cycles"' || fail "cycles: _meta"
for screen in overview timeline histogram heat sched; do
	LINES=40 COLUMNS=140 "$ringside" tui --batch -n 1 --screen $screen clock.dat >page 2>err || fail "cycles: $(cat err)"
	sed 's/ sums over / /' page | # no unit
		grep -E '[0-9] ?(ns|us|ms|s)( |$)|[a-zA-Z0-9]\((ns|us|ms|s)\)|[a-z0-9](ms|us)( |$)' >units
	[ ! -s units ] || fail "cycles: $screen: $(head -3 units)"
done
# nothing else has changed: a recording whose clock is nanoseconds has the same numbers
"$ringside" sched -i clock.dat --json -q 2>err | grep -v _meta >a
"$ringside" sched -i "$traces/$t.dat" --json -q 2>err | grep -v _meta | cmp -s - a || fail "cycles: other numbers"

finish "all passed"
