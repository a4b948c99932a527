#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# offcpu.sh - why tasks of the running kernel are off their CPU: what the sample waited for is what is shown
. "$(dirname "$0")/../lib/live.sh"
need_tracing

n=20 us=2000
begin "futex waits of a known waker, number and length"
run futex --json --as-root -- "$samples/waits" -n $n -t $us
fine
at() { echo "of(uaddr='$(said "$1")', comm='waits', pid=$(said pid))"; }
expect "woken: one row" 1 "$(ask "len($(at woken))")"
expect "woken: waits, at once, timeouts" "($n, 0, 0)" "$(ask "tuple($(at woken)[0][k] for k in ('waits', 'failed_at_once', 'timeouts'))")"
expect "woken: by whom" "waker/$(said waker)" "$(ask "$(at woken)[0]['top_waker']")"
expect "alone: waits, at once, timeouts" "($n, 0, $n)" "$(ask "tuple($(at alone)[0][k] for k in ('waits', 'failed_at_once', 'timeouts'))")"
expect "alone: nobody ends it" None "$(ask "$(at alone)[0]['top_waker']")"
expect "alone: as long as was asked, at least" True "$(ask "$(at alone)[0]['total_ns'] >= $n * $us * 1000")"
expect "changed: waits, at once, timeouts" "($n, $n, 0)" "$(ask "tuple($(at changed)[0][k] for k in ('waits', 'failed_at_once', 'timeouts'))")"
expect "for ever: ended by the exit, and by nobody" "[(1, None)]" "$(ask "[(r['waits'], r['top_waker']) for r in $(at forever)]")"

begin "who still waits at the end"
hold waits -n $n -t 30000000
start futex --json -p "$sample_pid"
exec 9>&-
for _ in {1..100}; do [ "$(ls "/proc/$sample_pid/task" | wc -l)" = 4 ] && break; sleep 0.02; done
sleep 0.3
end
fine
kill $sample_job; wait $sample_job 2>/dev/null
expect "threads in flight: stuck, waiter, and the first that joins" 3 "$(ask "sum(r['in_flight'] for r in rows)")"
expect "that returned" 0 "$(ask "sum(r['waits'] for r in rows)")"

# A disk of our own, where one can be had
if command -v losetup >/dev/null && truncate -s 8M "$tmp/../ringside-disk.$$" 2>/dev/null; then
	mv "$tmp/../ringside-disk.$$" "$tmp/.disk"
	loop=$(losetup --find --show "$tmp/.disk" 2>/dev/null)
	trap '[ -z "$loop" ] || losetup -d "$loop"; clean_up' EXIT
fi
begin "each way to wait, by cause"
# a thread that is woken before it has left its CPU was not off it: at most n, and on a quiet machine all
for attempt in 1 2 3; do
	run offcpu --json --by tid,syscall,state,cause --as-root -- "$samples/waits" -n $n -t $us ${loop:+-f "$loop"}
	fine
	[ "$(ask "meta['lost'] + meta['gaps']")" != 0 ] || break
done
of_waiter() { echo "sum(r['count'] for r in of(tid=$(said waiter), syscall='$1', cause='$2', kind='$3', state='$4'))"; }
within "futex" $n $((2 * n)) "$(ask "$(of_waiter futex futex block S)")"
within "sleeps" $((n / 2)) $n "$(ask "$(of_waiter clock_nanosleep idle idle S)")"
within "pipe" 1 $n "$(ask "$(of_waiter read sleep block S)")"
expect "the pipe's waker" "waker/$(said waker)" "$(ask "of(tid=$(said waiter), syscall='read', cause='sleep')[0]['top_waker']")"
expect "a sleep's waker is no task" "<irq>" "$(ask "of(tid=$(said waiter), cause='idle')[0]['top_waker']")"
[ -z "${loop-}" ] || within "disk" 1 $n "$(ask "$(of_waiter pread64 disk block D)")"
expect "the waker sleeps" "['idle']" "$(ask "sorted({r['cause'] for r in of(tid=$(said waker)) if r['syscall'] == 'clock_nanosleep'})")"

begin "the control group that a process was begun in"
run tasks --json --as-root -- "$samples/waits" -n 1 -t 1000
fine
group=$(ask "of(pid=$(said pid))[0]['cgroup']")
# a kernel without any hierarchy mounted has none
[ -n "$(cat /proc/self/cgroup)" ] || expect "cgroup" None "$group"
[ -z "$(cat /proc/self/cgroup)" ] || grep -q ":$group\$" /proc/self/cgroup || fail "cgroup: '$group' is none of $(cat /proc/self/cgroup)"

begin "tasks: the row sums to its life, and equals the parts that the other views have"
for attempt in 1 2 3; do
	run record -q -o trace.dat --as-root -- sh -c '"$0/waits" -n 50 -t 1000 "$@" & "$0/pingpong" -n 500 >/dev/null & "$0/hog" -n 20 -t 2000 >/dev/null & wait' \
		"$samples" ${loop:+-f "$loop"}
	fine
	"$ringside" report trace.dat --check >out 2>err || fail "--check: $(grep -v ^holds out)$(cat err)"
	"$ringside" report trace.dat --view all --json >out 2>err || fail "report: $(cat err)"
	"$ringside" report trace.dat --view tasks --by tid --json >tasks || fail "report --view tasks"
	"$ringside" report trace.dat --view sched --json >sched || fail "report --view sched"
	"$ringside" report trace.dat --view offcpu --by tid,cause --json >offcpu || fail "report --view offcpu"
	[ -s tasks ] && break
done
"$python" - >differ 2>&1 <<'PY' || fail "$(head -n 5 differ)"
import json
from collections import Counter, defaultdict
def read(path):
    return [json.loads(line) for line in open(path)][:-1]
PARTS = ('run', 'delay', 'preempted', 'disk', 'lock', 'futex', 'reclaim', 'other_d', 'idle', 'sleep', 'unknown', 'open')
tasks, sched, offcpu = read('tasks'), read('sched'), read('offcpu')
assert len(tasks) > 3
for r in tasks:
    assert sum(r[f'{p}_ns'] for p in PARTS) == r['life_ns'], ('sum', r)
# lives of one tid are told apart by nothing that all views have: sum them
def by_tid(rows, key, value):
    sums = Counter()
    for r in rows:
        if key(r) is not None:
            sums[r['tid'], key(r)] += value(r)
    return {k: v for k, v in sums.items() if v}
ours = Counter()
for r in tasks:
    for p in PARTS:
        ours[r['tid'], p] += r[f'{p}_ns']
for r in sched:
    ours[r['tid'], 'run'] -= r['run_ns']
    ours[r['tid'], 'delay'] -= r['delay_total_ns']
    ours[r['tid'], 'preempted'] -= r['preempt_total_ns']
for r in offcpu:
    ours[r['tid'], 'other_d' if r['cause'] == 'other D' else r['cause'] or 'unknown'] -= r['total_ns']
for (tid, part), rest in ours.items():
    assert part in ('unknown', 'open') or rest == 0, (tid, part, rest)
    assert rest >= 0, (tid, part, rest)
PY

finish
