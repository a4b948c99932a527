#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# locks.sh - locks of the running kernel: a fight with a known number of waits and a known holder; a map's lock
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ -d $tracefs/events/lock/contention_begin ] || skip "this kernel does not tell of its locks (5.19 and later do)"
"$samples/lock-fight" -n 1 >/dev/null 2>err || skip "no lock can be held as long as the test wants: $(cat err)"

rounds=${RINGSIDE_TEST_ROUNDS:-25} us=2000
# the waiter's waits for a mutex: one for each round, woken by the holder, each at least as long as it was held
check() { # check ROWS-FILE
	waits="[r for r in of(tid=$(said waiter), type='mutex') if r['contended'] >= $rounds]"
	expect "waits for the lock" "[$rounds]" "$(ask "[r['contended'] for r in $waits]" "$1")"
	expect "who let the last one go on" "['holder ($(said holder))']" "$(ask "[r['last_waker'] for r in $waits]" "$1")"
	expect "whose waits" "[('waiter', $(said pid))]" "$(ask "[(r['comm'], r['pid']) for r in $waits]" "$1")"
	expect "as long as it was held" True "$(ask "all(r['total_ns'] >= $rounds * $us * 1000 and r['avg_ns'] >= $us * 1000 and \
		r['avg_ns'] <= r['max_ns'] <= r['total_ns'] for r in $waits)" "$1")"
	expect "the holder waits for no mutex so often" "[]" "$(ask "[r for r in of(tid=$(said holder), type='mutex') if r['contended'] >= $rounds]" "$1")"
	expect "lost" 0 "$(ask "meta['lost'] + meta['gaps']" "$1")"
}

begin "a lock fight, by lock, type and task"
run locks --json --by lock_addr,type,tid -- "$samples/lock-fight" -n $rounds -t $us
fine
check out
expect "addresses are hexadecimal" True "$(ask "all(r['lock_addr'] == hex(int(r['lock_addr'], 16)) for r in rows if r['lock_addr'])")"

begin "the same by lock alone, by type, and as text"
run locks --json -- "$samples/lock-fight" -n $rounds -t $us
fine
# other tasks may wait for other mutexes, but not that often and that long
expect "the mutex" 1 "$(ask "len([r for r in rows if r['type'] == 'mutex' and r['contended'] == $rounds and \
	r['last_waker'] == 'holder ($(said holder))'])")"
run locks --json --by type -- "$samples/lock-fight" -n $rounds -t $us
fine
within "waits for mutexes" $rounds 100000 "$(ask "of(type='mutex')[0]['contended']")"
run locks -- "$samples/lock-fight" -n $rounds -t $us
fine
expect "a row of text" 1 "$(grep -Ec "^ +$rounds +[0-9.]+ms +[0-9.]+ms +[0-9.]+ms mutex +0x[0-9a-f]+ .* holder \($(said holder)\)" out)"

begin "only one process's"
hold lock-fight -n $rounds -t $us
start locks --json --by lock_addr,type,tid -p "$sample_pid"
sample lock-fight -n 5 -t $us >other
release
end
fine
sed -i '/^ready/d' did
check out
expect "nobody else's" "set()" "$(ask "{r['pid'] for r in rows} - {$sample_pid}")"

begin "recorded, and read again"
run record -q -o trace.dat -a locks -- "$samples/lock-fight" -n $rounds -t $us
fine
"$ringside" report trace.dat --view locks --by lock_addr,type,tid --json >out 2>err || fail "report: $(cat err)"
check out
"$ringside" report trace.dat --check >checked 2>&1 || fail "--check: $(cat checked)"

begin "n maps and unmaps are 2n waits and holds of the map's lock"
if [ -d $tracefs/events/mmap_lock/mmap_lock_released ]; then
	run mmaplock --json -- "$samples/mapper" -n 1000
	fine
	if [ "$(ask "meta['lost'] + meta['gaps']")" = 0 ]; then
		mine="of(pid=$(said pid))[0]"
		# its exec, and the pages that it faults in, come on top
		within "waits" 2000 2600 "$(ask "$mine['waits']")"
		within "holds" 2000 2600 "$(ask "$mine['holds']")"
		expect "the longest is a part" True "$(ask "0 < $mine['hold_max_ns'] <= $mine['hold_total_ns']")"
	fi
	expect "by name only" 0 "$("$ringside" list views --csv | grep -c '^mmaplock,.*,yes$')"
fi

finish
