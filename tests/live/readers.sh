#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# readers.sh - a capture that has gone wrong does not take the machine with it, and one that is only held goes on
. "$(dirname "$0")/../lib/live.sh"
need_tracing
shim=$build/tests/lib/fail-wait.so
[ -e "$shim" ] || skip "there is no $shim: run make tools"
grep -q __asan_init "$ringside" && skip "not with sanitizers"

# "CPU-ticks POLICY" of each reader of process PID; policy 1 is FIFO
readers() {
	local t
	for t in /proc/"$1"/task/*; do
		case $(cat "$t/comm" 2>/dev/null) in ringside-rd*) sed 's/.*) //' "$t/stat" | awk '{ print $12 + $13, $39 }' ;; esac
	done
}
nr_fifo() { readers "$1" | grep -c ' 1$'; }
ticks() { readers "$pid" | awk '{ n += $1 } END { print n + 0 }'; } # of 10 ms
has_readers() { [ "$(nr_fifo "$pid")" -gt 0 ]; }
# they have run, 200 ms at least, and are real-time no longer
ordinary() { readers "$pid" | awk '{ nr++; other += $2 == 1 || $1 < 20 } END { exit !nr || other }'; }
gone() { ! kill -0 "$pid" 2>/dev/null; }
# faulty CALLS ARGUMENTS...: ringside whose readers cannot CALLS, in the background
faulty() {
	FAIL_CALLS=$1 LD_PRELOAD=$shim "$ringside" "${@:2}" >out 2>err </dev/null &
	pid=$!
}
ended() { wait "$pid"; status=$?; nothing_left "$pid"; }

begin "a reader that cannot poll sleeps: it takes no CPU, and stays what it is"
faulty poll cpus -d 60
until_soon 10 has_readers || fail "no reader runs real-time"
before=$(ticks) at=$(date +%s%N)
sleep 1.5
within "CPU time of its readers, percent of the time" 0 20 $((($(ticks) - before) * 1000000000 / ($(date +%s%N) - at)))
has_readers || fail "it is no longer real-time: $(readers $pid) $(cat err)"
kill -INT $pid
ended
expect "status" 0 $status
[ ! -s err ] || fail "on stderr: $(cat err)"

demotion="^ringside: note: a reader of the trace buffers ran without a pause and lost its real-time priority"
begin "a reader that spins and reads nothing is made an ordinary thread, and that is told"
faulty poll,nanosleep,read cpus -d 30
until_soon 10 ordinary || fail "not ordinary: $(readers $pid) $(cat err)"
kill -INT $pid
ended
expect "status" 0 $status
finds "$demotion" err

# The pages that it finds, each with an event or two, are no work that needs it real-time. The watch must come before
# RLIMIT_RTTIME, which would end the session after two seconds.
begin "so is one that never sleeps, and reads what there is"
faulty poll,nanosleep syscalls --json -d 30
until_soon 10 ordinary || fail "not ordinary: $(readers $pid) $(cat err)"
kill -INT $pid
ended
expect "status" 0 $status
finds "$demotion" err

begin "so is one that a single call keeps on a CPU: the kernel would end the process after two seconds"
faulty stay cpus -d 30
until_soon 10 ordinary || fail "not ordinary: $(readers $pid) $(cat err)"
kill -INT $pid
ended
expect "status" 0 $status
finds "$demotion" err

begin "a daemon tells it in its log and its status"
daemon_warns() { "$ringside" status --json --socket "$tmp/socket" 2>/dev/null | grep -q '"warning":"a reader of the trace buffers ran'; }
touch none
faulty poll,nanosleep,read daemon --config none --socket "$tmp/socket"
until_soon 15 daemon_warns || fail "no warning: $("$ringside" status --socket "$tmp/socket" 2>&1) $(cat err)"
kill -TERM $pid
ended
expect "status" 0 $status
finds "warning: a reader of the trace buffers ran" err

# Of one process that does little: where all others of a busy machine are seen, the consumer has always something to do,
# and comes to its fifth poll late.
begin "a consumer that stands still ends the session"
while :; do sleep 0.05; done &
little=$!
FAIL_STALL=5 LD_PRELOAD=$shim "$ringside" syscalls --json -p $little >out 2>err </dev/null &
pid=$!
until_soon 20 gone || fail "it lives"
kill -9 $pid 2>/dev/null
ended
kill $little
expect "status" 1 $status
finds "^ringside: nobody has taken the events" err

begin "one whose output nobody reads for longer than two seconds goes on"
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
storm=$!
"$ringside" syscalls --json -d 3 2>err </dev/null | { sleep 2.8; tail -n 1; } >last
status=${PIPESTATUS[0]}
kill $storm
expect "status" 0 "$status"
finds '"_meta"' last
[ "$(stat -c %s err)" = 0 ] || fail "$(cat err)"

begin "one that was stopped for longer than two seconds goes on"
start syscalls --json
kill -STOP "$pid"
sleep 2.5
kill -CONT "$pid"
sleep 0.5
end
expect "status" 0 "$status"

begin "an engine does not outlive the process that began it"
for ms in 020 100 300; do
	"$ringside" tui --own --batch >out 2>err </dev/null &
	pid=$!
	disown $pid
	sleep 0.$ms
	kill -9 $pid
	until_soon 2 nobody_left || fail "after $ms ms: $left"
done
finish
