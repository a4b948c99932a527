#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# words.sh - on all screens of the recorded faults a state has one name, and a sum says what it is a sum over
. "$(dirname "$0")/../lib/live.sh"
export LC_ALL=C.UTF-8 XDG_CONFIG_HOME=$tmp/config PATH=$build:$PATH
unset NO_COLOR COLORTERM

begin "one name: run queue"
for file in "$root"/tests/traces/faults/*.dat.xz; do
	for screen in overview incidents why timeline antagonists waterfall; do
		LINES=50 COLUMNS=140 ringside tui --batch -n 1 --screen $screen "$file" >seen 2>err || fail "$file $screen: $(cat err)"
		grep -nE '\b(runnable|runqueue|scheduling delay)\b|(^|[^n] )\bqueue\b' seen && fail "$(basename "$file"), $screen: another name"
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

begin "the thread that the finding is about is named, not its process"
LINES=50 COLUMNS=200 ringside tui --batch -n 1 "$root/tests/traces/faults/inversion.dat.xz" >seen 2>err
grep -Eq 'audit-log \([0-9]+\) holds it' seen || fail "who holds the lock: $(cat seen)"
grep -Eq '(trader|order) \([0-9]+\) .*nice 19' seen && fail "the process has the nice value of a thread"

finish
