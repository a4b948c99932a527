#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# neighbours.sh - sessions beside each other, beside clean-ups, and beside who traces with the global buffer
. "$(dirname "$0")/../lib/live.sh"
need_tracing
global() { cat $tracefs/{tracing_on,trace_clock,set_event,set_event_pid,buffer_size_kb,current_tracer,tracing_cpumask,trace_options}; }
before=$(global)

begin "starts while others clean up as fast as they can"
# what every start does, too: an instance that nobody holds yet is anybody's to remove
(while :; do rmdir $instances/ringside-[0-9]* 2>/dev/null; done) & cleaners[0]=$!
(while :; do rmdir $instances/ringside-[0-9]* 2>/dev/null; done) & cleaners[1]=$!
bad=0
for i in {1..40}; do "$ringside" runqlat -d 0.01 >out 2>err || { bad=$((bad + 1)); cp err why; }; done
kill "${cleaners[@]}"
wait "${cleaners[@]}" 2>/dev/null
[ $bad = 0 ] || fail "$bad of 40 failed: $(cat why)"

begin "many that start at once"
# each cleans up: an instance that goes, and one that is made where its memory was, must not be taken for one another
bad=0
for i in {1..15}; do
	pids=()
	for k in 1 2 3 4 5 6; do "$ringside" runqlat -d 0.05 >/dev/null 2>err$k & pids+=($!); done
	for k in 1 2 3 4 5 6; do wait "${pids[k - 1]}" || { bad=$((bad + 1)); cp err$k why; }; done
done
[ $bad = 0 ] || fail "$bad of 90 failed: $(cat why)"

begin "cleanup leaves those alone that somebody lives in"
start syscalls --json
"$ringside" cleanup >cleaned 2>&1 || fail "cleanup: $(cat cleaned)"
left_behind $pid >/dev/null || fail "cleanup took away an instance that is in use"
end
fine
mkdir $instances/ringside-0.99 || fail "mkdir"
"$ringside" cleanup >cleaned 2>&1 || fail "cleanup: $(cat cleaned)"
[ ! -e $instances/ringside-0.99 ] || { fail "an empty one stays"; rmdir $instances/ringside-0.99; }

begin "four sessions at once: each sees the same process"
hold failing-calls -n 100
pids=()
for i in 1 2 3 4; do
	"$ringside" syscalls --json -p "$sample_pid" >out$i 2>err$i </dev/null 9>&- & pids+=($!)
done
for p in "${pids[@]}"; do tracing "$p" || fail "$p does not trace"; done
release
for p in "${pids[@]}"; do kill -INT "$p"; done
for i in 1 2 3 4; do
	wait "${pids[i - 1]}" || fail "status $?: $(cat err$i)"
	nothing_left "${pids[i - 1]}"
	expect "calls that session $i saw" 100 "$(ask "len(of(syscall='chdir'))" out$i)"
done

begin "eight at once leave out what each other does"
pids=()
for i in 1 2 3 4 5 6 7 8; do
	"$ringside" syscall-latency --json -d 1 $([ $i != 8 ] || echo --self) >out$i 2>err$i </dev/null & pids+=($!)
done
for i in 1 2 3 4 5 6 7 8; do wait "${pids[i - 1]}" || fail "status $?: $(cat err$i)"; done
for i in 1 2 3 4 5 6 7; do
	expect "ringsides that session $i shows" "[]" "$(ask "[r['comm'] for r in rows if r['comm'].startswith('ringside')]" out$i)"
done
expect "with --self" True "$(ask "any(r['comm'].startswith('ringside') for r in rows)" out8)"

[ "$(global)" = "$before" ] || { test="the global buffer" && fail "its settings changed"; }
finish
