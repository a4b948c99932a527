#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ink.sh - what the overview draws of processes: of a fault mostly what cost, of a healthy load next to nothing
. "$(dirname "$0")/../lib/live.sh"
need_tracing
need_commands chrt
export LC_ALL=C.UTF-8 XDG_CONFIG_HOME=$tmp/config PATH=$build:$samples:$PATH
unset NO_COLOR COLORTERM

# stage_recorded PREFIX... -- LINE...: 3 s of a load, into x.dat; $pid: of the program that began it
stage_recorded() {
	local -a prefix=()
	while [ "$1" != -- ]; do prefix+=("$1"); shift; done
	shift
	ringside record -q -o x.dat -- "${prefix[@]}" stage -d 3 "$@" >did 2>&1 || fail "no recording: $(cat did)"
	pid=$(ringside tasks --csv --where 'comm == "stage"' -i x.dat 2>/dev/null | sed -n 2p | cut -d, -f2)
	[ "${pid:-0}" -gt 0 ] || fail "no stage in the recording"
}
# What else the machine does is not what is tested: -p.
overview() { LINES=40 COLUMNS=119 ringside tui --batch -n 1 -p "$pid" -i x.dat 2>err; }
# cost PLACE: 1: percent of what is colored in the rows of processes, 2: thousandths of all cells there
cost() {
	"$root/tests/tools/ink-share" "$ringside" x.dat -- -p "$pid" >ink || fail "no picture: $(cat ink)"
	sed -n 's/^x.dat.*cost: *\([0-9]*\) %, *\([0-9]*\) of 1000 cells$/\'"$1"'/p' ink
}

# As real time they never wait for a CPU, whatever else runs.
begin "a fault: a lock whose holder sleeps"
stage_recorded chrt -f 10 -- 'app/victim*3: lock m, burn 100, unlock m, sleep 500' 'app/holder: lock m, sleep 20000, unlock m, sleep 1000'
share=$(cost 1)
[ "${share:-0}" -gt 50 ] || fail "of the ink $share % cost: $(cat ink)"
overview | grep -Eq '^app +[0-9]+ +5 +[0-9]+% .*lock [0-9]+%' || fail "app did not lose time by a lock: $(overview)"

begin "a healthy load: an idle pool, a reader that waits for work"
stage_recorded chrt -f 10 -- 'java/pool*20: await 500000 900000' 'java/timer: sleep 50000, burn 200' 'reader: get q 1'
lit=$(cost 2)
[ "${lit:-1000}" -lt 30 ] || fail "$lit of 1000 cells are lit as cost: $(cat ink)"
overview >seen
# a short wait for a CPU may be the slowest that there is
sed -nE '/^(Stuck|Slowest)/,$p' seen | grep -v 'run-queue wait' | grep -E 'java|pool|reader' && fail "who waits for work is stuck, or slow: $(cat seen)"

begin "many of one name"
stage_recorded -- 'backup*24: burn 5000, sleep 20000'
overview >seen
grep -Eq '^backup x24 +- +24 ' seen || fail "24 processes are not one row: $(cat seen)"
[ "$(grep -c '^backup' seen)" = 1 ] || fail "backup has several rows: $(cat seen)"
ringside tasks --csv --where 'comm == "backup"' -i x.dat 2>/dev/null >rows
expect "rows of text" 25 "$(wc -l <rows)"

finish
