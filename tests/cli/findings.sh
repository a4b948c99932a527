#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# findings.sh - what `findings` says of a recording, what it leaves out, and when it fails
cd "$(dirname "$0")/../.." || exit 1
ringside=$PWD/${RINGSIDE_BUILD:-build}/ringside
sample=tests/traces/debian-6.1-amd64-mixed.dat # too many tasks for its CPUs, and three that wait for a futex
failed=0
fail() { failed=$((failed + 1)); echo "FAIL: $*"; }
exits() { # exits STATUS WORD...: runs findings over the sample, its output in $got
	local want=$1 is
	shift
	got=$("$ringside" findings -i $sample "$@" 2>&1)
	is=$?
	[ $is = "$want" ] || fail "findings $*: exit status $is instead of $want: $got"
}
has() { [[ $got == *"$1"* ]] || fail "not said: $1: $got"; }
lacks() { [[ $got != *"$1"* ]] || fail "said: $1"; }

exits 0
has "faulter (363) waits 41 % of its time for a CPU: "
has "see: ringside antagonists --where 'tid == 363' -i $sample"
[[ $got == faulter* ]] || fail "it does not begin with the costliest"
exits 0 --silence cpu-saturated,cpu-hog
lacks "faulter (363) waits 41"
has futex-lock
all=$("$ringside" list rules --csv | sed '1d; s/,.*//' | paste -sd,)
exits 0 --silence "$all"
has "no findings: none of "
exits 0 --to 0.05
has "no findings: events were lost, or less than 0.1 s"

exits 3 --fail-on cpu-saturated,disk-wait
has "ringside: --fail-on: "
exits 3 --fail-on any
exits 0 --fail-on disk-wait
exits 0 --fail-on any --silence "$all"
exits 2 --fail-on kernel-lok
has "no rule is named 'kernel-lok' (did you mean 'kernel-lock'?)"
exits 2 --silence any

exits 0 --json
[ "$(head -n 1 <<<"$got" | grep -c '^{"rule":"cpu-saturated",.*"victim":"faulter","victim_pids":\[363\],')" = 1 ] || fail "JSON: $got"
[ "$(tail -n 1 <<<"$got" | grep -c '^{"_meta":{"view":"findings",')" = 1 ] || fail "JSON: its last line"
got=$("$ringside" report $sample | head -n 1)
has "faulter (363) waits"

# each command that is printed as evidence: it has rows, and where it sorts the largest come first
see() { # see COMMAND: as it is printed
	local rows sort
	rows=$(eval "\"\$ringside\" ${1#ringside } --csv" 2>&1) || fail "$1: exit status $?: $rows"
	[ "$(wc -l <<<"$rows")" -ge 2 ] || fail "$1: no rows"
	[[ $1 == *" -s "* ]] || return
	sort=${1##* -s } sort=${sort%% *}
	rows=$(eval "\"\$ringside\" ${1#ringside } --csv --columns ${sort#-}" 2>/dev/null | tail -n +2)
	[ -n "$rows" ] && sort -C -g -r <<<"$rows" || fail "$1: the largest do not come first"
}
nr=0
for file in tests/traces/*.dat; do
	while read -r command; do
		nr=$((nr + 1))
		see "$command"
	done < <("$ringside" findings -i "$file" 2>/dev/null | sed -n 's/^    see: //p')
done
[ $nr -ge 10 ] || fail "$nr commands to run"

[ $failed = 0 ] && echo "findings: all passed, $nr commands run"
exit $((failed > 0))
