#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# changed.sh - another program changes what a session records: that is said, and another clock ends the session
. "$(dirname "$0")/../lib/live.sh"
need_tracing
. "$root/tests/lib/daemon.sh"

# The changes, each with what is said of it. $i is the instance.
changes=(
	'echo 0 >$i/tracing_on|tracing_on 0'
	'echo 0 >$i/events/sched/sched_switch/enable|sched:sched_switch disabled'
	'echo "prev_pid == 1" >$i/events/sched/sched_switch/filter|sched:sched_switch filter'
	'echo 77777 >$i/set_event_pid|set_event_pid 77777'
	'echo 1 >$i/tracing_cpumask|tracing_cpumask 1'
	'echo 300 >$i/buffer_size_kb|buffer_size_kb'
	'echo 0 >$i/options/overwrite|options/overwrite 0'
	': >$i/trace|buffer cleared'
)
# It has recorded something, more than it will in the moment after a change.
has_events() { [ "$(cat "$i"/per_cpu/cpu*/stats | awk '/^(entries|read events|overrun):/ { n += $NF } END { print n }')" -gt 200 ]; }
# change PID COMMAND: after the first comparison, of 0.1 s after the begin
change() {
	i=$(left_behind "$1" | head -n 1)
	[ -n "$i" ] || { fail "no instance"; return; }
	until_soon 10 has_events || fail "no events"
	sleep 0.5
	eval "$2"
}

for each in "${changes[@]}"; do
	how=${each%|*} said=${each#*|}
	begin "record: $how"
	start record -o t.dat -e sched
	change $pid "$how"
	sleep 0.1
	end
	expect "status" 0 $status
	finds "another program changed $said" err
	"$ringside" report t.dat --view sched >out 2>&1
	finds "changed by another program: $said" out
	"$ringside" report t.dat --view sched --json >out 2>&1
	expect "changed in JSON" True "$(ask "'$said' in meta['changed'] and meta['gaps'] >= 0")"
done

begin "sched: an event that another program disables and enables again is a gap that ends"
start sched -d 60 --json
change $pid 'echo 0 >$i/events/sched/sched_switch/enable'
sleep 1.5
echo 1 >"$i/events/sched/sched_switch/enable"
sleep 2.5
end
expect "status" 0 $status
expect "changed" True "$(ask "'sched:sched_switch disabled' in meta['changed']")"
expect "gaps" True "$(ask "meta['gaps'] > 0 and meta['lost'] is None")"

begin "another clock ends a session"
start record -o t.dat -e sched
change $pid 'echo counter >$i/trace_clock'
wait $pid
status=$?
nothing_left $pid
expect "status" 1 $status
finds "has set the trace clock of .* to 'counter'" err
"$ringside" report t.dat --view sched >out 2>&1
finds "changed by another program: trace_clock counter" out

begin "a daemon says so, too, until all is as it was"
touch none
start_daemon -a sched
tracing $daemon_pid || fail "it does not trace"
is_changed() { "$ringside" status >out 2>&1; grep -q "changed   by another program: $1" out; }
is_as_set() { "$ringside" status >out 2>&1; ! grep -q '^changed ' out; }
change $daemon_pid 'echo 0 >$i/tracing_on'
until_soon 10 is_changed "tracing_on 0" || fail "$(cat out)"
finds "another program changed this session's tracing: tracing_on 0" daemon.err
expect "in state, for the screens" "tracing_on 0" "$(client 'print(Client(path).ask("state")["changed_now"])' 2>&1)"
"$ringside" trace on >out 2>&1 || fail "$(cat out)"
until_soon 10 is_as_set || fail "$(cat out)"
expect "tracing_on" 1 "$(cat "$i/tracing_on")"
finds "missing   events, because another program changed: tracing_on 0" out
end_daemon

begin "what the session itself turns off and on is no change"
touch none
start_daemon -a sched,syscalls
tracing $daemon_pid || fail "it does not trace"
until_soon 10 quietly "$ringside" trace off 2>/dev/null || fail "it cannot be turned off"
sleep 1.2
"$ringside" trace on >out 2>&1 || fail "$(cat out)"
"$ringside" trace set sched:sched_switch=off >out 2>&1 || fail "$(cat out)"
sleep 1.2
"$ringside" status >out 2>&1
grep -q "another program" out daemon.err && fail "a false alarm: $(cat out daemon.err)"
end_daemon
start_stoppable sched -d 60 --json
sleep 0.3
kill -TSTP $pid
sleep 1.5
kill -CONT $pid
sleep 1.2
end
expect "no change" None "$(ask "meta.get('changed')")"

begin "a healthy recording of a few seconds says nothing"
"$samples/spawn" >did 2>&1 &
run record -o t.dat -d 2.5 -e sched
finds "^ringside: t.dat: " err
grep -q "another program" err && fail "$(cat err)"
finish
