#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# stacks.sh - waits in known functions, as often as the kernel counts them; triggers and instances are removed, also after kill -9
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# before Linux 5.17 triggers write to the global buffer: perf's stacks take their place
is_old=$([ "$(printf '%s\n' 5.17 "$(uname -r)" | sort -V | head -n 1)" = 5.17 ] || echo yes)

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

begin "by perf's callchains, as before Linux 5.17"
run stacks --json --stacks=perf --as-root -- "$samples/waiters" -n 10
fine
within "stacks" 30 10000000 "$(ask "meta['stacks']")"
within "stacks unmatched" 0 5 "$(ask "meta['stacks_unmatched']")"
within "what a wait with its stack costs, ns" 50 1000000 "$(ask "meta['stack_cost_ns']")"
for name in pipe futex vfork; do waited $name; done

for words in off-cpu,kernel perf,kernel; do
	begin "without the program's frames, $words"
	run stacks --json -b 16384 --stacks=$words --as-root -- "$samples/waiters" -n 2
	fine
	expect "frames of the program" 0 "$(ask "sum('outer_' in (r['callers'] or '') for r in rows)")"
	within "stacks of the kernel" 1 1000 "$(ask "sum('read' in (r['callers'] or '') for r in rows)")"
done

for words in off-cpu perf; do
	begin "recorded, and read again when the program, and one that ran before, are removed: $words"
	# the guardian opens what nobody else may, if it can read without waiting: overlayfs and tmpfs cannot in old kernels
	if [ -n "$is_old" ]; then mkdir -m 711 private; else mkdir -m 700 private; fi
	cp "$samples/waiters" private/waiters
	cp "$samples/waiters" private/early
	private/early -n 1000000 >/dev/null &
	early=$!
	# it must live until it is seen: then its file is opened, which nobody can by its name
	run record -q -b 16384 --stacks=$words -e sched -o waits.dat --as-root -- private/waiters -n 50
	expect "exit status" 0 "$status"
	kill $early
	wait $early 2>/dev/null
	rm -r private
	"$ringside" stacks --json -c early -i waits.dat >out 2>err || fail "$(cat err)"
	within "waits of the program that ran before" 1 1000000 "$(nr_waits pipe)"
	"$ringside" stacks --json -c waiters -i waits.dat >out 2>err || fail "$(cat err)"
	for name in pipe futex vfork; do waited $name; done
	"$ringside" offcpu --json --by stack -c waiters -i waits.dat >out 2>err || fail "$(cat err)"
	for name in pipe futex vfork; do
		expect "offcpu --by stack: waits in outer_$name()" "$(said $name)" "$(ask "sum(r['count'] for r in rows if 'outer_$name' in (r['stack'] or ''))")"
	done
done

if [ -n "$is_old" ]; then
	begin "kinds that need a trigger"
	run stacks --stacks=block -d 1
	expect "exit status" 1 "$status"
	finds "before Linux 5.17" err
	finish
fi

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
run stacks --stacks=perf,block -d 1
expect "exit status" 2 "$status"
finds "those of off-cpu alone" err
finish
