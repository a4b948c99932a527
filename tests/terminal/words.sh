#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# words.sh - on all screens of the recorded faults a state has one name, and a sum says what it is a sum over
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
export LC_ALL=C.UTF-8 XDG_CONFIG_HOME=$tmp/config PATH=$build:$PATH
unset NO_COLOR COLORTERM

begin "one name: run queue"
for file in "$root"/tests/traces/faults/*.dat.xz; do
	for screen in overview incidents why timeline antagonists waterfall; do
		LINES=50 COLUMNS=140 ringside tui --batch -n 1 --screen $screen "$file" >seen 2>err || fail "$file $screen: $(cat err)"
		# the first line has the name of the file
		sed 1d seen | grep -nE '\b(runnable|runqueue|scheduling delay)\b|(^|[^n] )\bqueue\b' && fail "$(basename "$file"), $screen: another name"
	done
done

begin "a sum over threads that exceeds the time that is shown says of how much it is"
# seconds TEXT: in nanoseconds, of a duration as it is shown
ns() { awk '{ u["ns"] = 1; u["us"] = 1e3; u["ms"] = 1e6; u["s"] = 1e9; match($1, /[a-z]+$/); printf "%d", $1 * u[substr($1, RSTART)] }' <<<"$1"; }
for file in "$root"/tests/traces/faults/*.dat.xz; do
	LINES=50 COLUMNS=140 ringside tui --batch -n 1 "$file" >seen 2>err || fail "$file: $(cat err)"
	all=$(sed -nE '1s/.* ([0-9.]+[a-z]+)  [0-9]+ CPUs.*/\1/p' seen)
	while read -r lost rest; do
		[ "$(ns "$lost")" -le "$(ns "$all")" ] || [[ $rest =~ ^of\ [0-9.]+[a-z]*s ]] ||
			fail "$(basename "$file"): $lost of a recording of $all: $(cat seen)"
	done < <(sed -n '/^Verdict/,/^$/p' seen | sed '1d' | grep -E '^ +[0-9.]+[mun]?s ')
	grep -Eq '^Verdict +sums over all threads; % of their awake time' seen || fail "no base: $(cat seen)"
done
LINES=50 COLUMNS=140 ringside tui --batch -n 1 "$root/tests/traces/faults/threads.dat.xz" >seen 2>err
grep -Eq '^ *4\.00s of 6\.[0-9]+s ' seen || fail "six threads that lost 4 s in one: $(cat seen)"

begin "a table whose sums and percentages are of several threads says so, at each width"
nr=$(ringside report --view tasks --json --columns threads "$root/tests/traces/faults/threads.dat.xz" |
	awk -F '[:}]' '/^{"threads":/ { nr += $2 } END { print nr }')
# based VIEW BASE [REST]: what its title says before and after the number of rows
based() {
	for width in 80 120 200; do
		LINES=24 COLUMNS=$width ringside tui --batch -n 1 --screen "$1" "$root/tests/traces/faults/threads.dat.xz" >seen 2>err
		sed -n 2p seen | grep -Eq "^ $1  $2  .*[0-9] rows  all 1\.01s${3-} *$" || fail "no base, $width columns: $(sed -n 2p seen)"
	done
}
based waterfall '% of wall time'
based antagonists "sums over threads; % of a victim's waits"
based tasks 'sums over threads' ", $nr threads"

begin "the percentages of CPUs say of what"
for width in 80 120 200; do
	LINES=40 COLUMNS=$width ringside tui --batch -n 1 "$root/tests/traces/faults/threads.dat.xz" >seen 2>err
	grep -Eq '^CPUs .* I irq .*% (of its )?time ' seen || fail "no base, $width columns: $(grep ^CPUs seen)"
done

begin "details: the same base; the name, the headings and the counts share a line where they fit"
screen_open 40 120
screen_type "clear; ringside tui $root/tests/traces/faults/threads.dat.xz"
screen_wait '^Processes'
screen_keys Tab Tab d
screen_wait '^.tasks  7 rows  all 1\.01s, 7 threads  sums over threads '
screen_wait '^ faults +PID +TID +USER▼ +KERNEL +MAJOR  7 rows  all 1\.01s  page faults of each task'
screen_wait '^ futex  1 row  all 1\.01s '
screen_close

begin "details: a column that is sorted by is on the screen"
screen_open 24 80
screen_type "clear; ringside tui $root/tests/traces/faults/threads.dat.xz"
screen_wait '^Processes'
screen_keys Tab Tab d
screen_wait '^ *.tasks  7 rows '
screen_keys Down Down Down
screen_wait '^.futex  1 row '
screen_wait '^COMM +PID +ADDRESS .* TOTAL\(ms\)▼'
screen_close

begin "the thread that the finding is about is named, not its process"
LINES=50 COLUMNS=200 ringside tui --batch -n 1 "$root/tests/traces/faults/inversion.dat.xz" >seen 2>err
grep -Eq 'audit-log \([0-9]+\) holds it' seen || fail "who holds the lock: $(cat seen)"
grep -Eq '(trader|order) \([0-9]+\) .*nice 19' seen && fail "the process has the nice value of a thread"

finish
