#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# stacks.sh - waits in known functions, as often as the kernel counts them; triggers and instances are removed, also after kill -9
. "$(dirname "$0")/../lib/live.sh"
need_tracing

# waited NAME: as often as the kernel says that the task left its CPU below outer_NAME()
nr_waits() { ask "sum(r['count'] for r in of(type='off-cpu') if 'outer_$1' in (r['callers'] or ''))"; }
waited() { expect "waits in outer_$1()" "$(said "$1")" "$(nr_waits "$1")"; }

begin "waits of a program, by stack"
run stacks --json -b 16384 --as-root -- "$samples/waiters" -n 10
fine
within "stacks" 30 10000000 "$(ask "meta['stacks']")"
within "what a wait with its stack costs, ns" 50 100000 "$(ask "meta['stack_cost_ns']")"
for name in pipe futex vfork; do waited $name; done
expect "the kernel's function that waits for a child of vfork" True "$(ask "any('kernel_clone' in r['callers'] and 'outer_vfork' in r['callers'] for r in rows if r['callers'])")"

begin "without the program's frames"
run stacks --json -b 16384 --stacks=off-cpu,kernel --as-root -- "$samples/waiters" -n 2
fine
expect "frames of the program" 0 "$(ask "sum('outer_' in (r['callers'] or '') for r in rows)")"
within "stacks of the kernel" 1 1000 "$(ask "sum('read' in (r['callers'] or '') for r in rows)")"

begin "recorded, and read again when the program, and one that ran before, are removed"
mkdir -m 700 private
cp "$samples/waiters" private/waiters
cp "$samples/waiters" private/early
private/early -n 1000000 >/dev/null &
early=$!
run record -q -b 16384 --stacks=off-cpu -e sched -o waits.dat --as-root -- private/waiters -n 10
expect "exit status" 0 "$status"
kill $early
wait $early 2>/dev/null
rm -r private
"$ringside" stacks --json -c early -i waits.dat >out 2>err || fail "$(cat err)"
within "waits of the program that ran before" 1 1000000 "$(nr_waits pipe)"
"$ringside" stacks --json -c waiters -i waits.dat >out 2>err || fail "$(cat err)"
for name in pipe futex vfork; do waited $name; done

begin "each trigger is in the instance alone, and is removed with it after kill -9"
start stacks --stacks=off-cpu,block,contention,syscall:read -p $$
in=$(left_behind $pid | head -n 1)
# tracing is on for a moment before that, without the triggers, to measure what a stack costs
for _ in $(seq 200); do
	[ "$(grep -vc '^#' "$in/events/syscalls/sys_enter_read/trigger")" = 1 ] && break
	sleep 0.05
done
expect "trigger" "stacktrace:unlimited if prev_state > 0" "$(grep -v '^#' "$in/events/sched/sched_switch/trigger")"
expect "trigger of a call" 1 "$(grep -vc '^#' "$in/events/syscalls/sys_enter_read/trigger")"
expect "userstacktrace" 1 "$(cat "$in/options/userstacktrace")"
kill -9 $pid
wait $pid 2>/dev/null
nothing_left $pid
expect "triggers of the global buffer" 0 "$(cat "$tracefs"/events/{sched/sched_switch,syscalls/sys_enter_read}/trigger | grep -vc '^#')"

begin "kinds that there are not"
run stacks --stacks=offcpu -d 1
expect "exit status" 2 "$status"
finds "did you mean 'off-cpu'" err
run stacks --stacks=syscall:nosuch -d 1
expect "exit status" 2 "$status"
finds "no event syscalls:sys_enter_nosuch" err
finish
