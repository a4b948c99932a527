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
# until SECONDS COMMAND...: waits for it
until_true() {
	local i nr=$(($1 * 20))
	shift
	for ((i = 0; i < nr; i++)); do "$@" && return 0; sleep 0.05; done
	return 1
}
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
faulty poll cpus -d 1.5
until_true 10 has_readers || fail "no reader runs real-time"
sleep 1
ticks=$(readers $pid | awk '{ n += $1 } END { print n }')
within "ticks of 10 ms in a second" 0 20 "$ticks"
has_readers || fail "it is no longer real-time"
ended
expect "status" 0 $status

begin "a reader that spins and reads nothing is made an ordinary thread"
faulty poll,nanosleep,read cpus -d 30
until_true 10 ordinary || fail "not ordinary: $(readers $pid) $(cat err)"
kill -INT $pid
ended
expect "status" 0 $status

# which of the two: whether it finds pages within a second, while nobody else gets a CPU, is chance
begin "a real-time thread that never sleeps ends the session, or is made ordinary"
faulty poll,nanosleep syscalls --json -d 30
harmless() { gone || ordinary; }
until_true 15 harmless || fail "it lives: $(readers $pid)"
kill -INT $pid 2>/dev/null
ended
[ $status = 0 ] || finds "^ringside: a real-time thread did not sleep" err

begin "a consumer that stands still ends the session"
FAIL_STALL=5 LD_PRELOAD=$shim "$ringside" syscalls --json -d 60 >out 2>err </dev/null &
pid=$!
until_true 20 gone || fail "it lives"
ended
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
	for i in {1..100}; do [ -z "$(marked)" ] && break; sleep 0.02; done
	[ -z "$(marked)" ] || fail "after $ms ms: $(ps -o pid=,args= -p "$(marked | paste -sd,)")"
done
finish
