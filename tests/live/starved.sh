#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# starved.sh - on a machine that gives it no CPU time a session loses events, counts them, says so, and goes on
. "$(dirname "$0")/../lib/live.sh"
need_tracing
need_commands chrt
. "$root/tests/lib/daemon.sh"
. "$root/tests/lib/screen.sh"

# spinners SECONDS PER_CPU POLICY: tasks that take all CPUs, and end by themselves, whatever becomes of this test
spinners() {
	"$python" - "$@" 7>&- 8<&- <<-'PY' &
	import os, signal, sys, time
	seconds, each, policy = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
	until = time.monotonic() + seconds
	for _ in range(max(30, each * os.cpu_count())):
	    if os.fork() == 0:
	        signal.alarm(int(seconds) + 2)
	        if policy == "fifo":
	            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
	        elif policy == "nice":
	            os.nice(-20)
	        while time.monotonic() < until:
	            pass
	        os._exit(0)
	while True:
	    try:
	        os.wait()
	    except ChildProcessError:
	        break
	PY
	spinners=$!
}
is_alive() { kill -0 "$1" 2>/dev/null || fail "$2 has ended: $(tail -n 3 "$3")"; }
status_json() { timeout 20 "$ringside" status --json >status.json 2>status.err && grep -q '"lost":[0-9]' status.json; }
status_says() { timeout 20 "$ringside" status >status 2>/dev/null && grep -q "$1" status; }

begin "real-time tasks on each CPU for ten seconds: nobody ends, what is lost is counted, the state is starved"
touch none
start_daemon --window 64M
screen_open 30 150
screen_type "$copy tui --own"
screen_wait 'Verdict'
"$ringside" record -d 14 -o trace.dat >/dev/null 2>record.err </dev/null 7>&- 8<&- & recorder=$!
tracing $recorder || fail "nothing is recorded: $(cat record.err)"
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null 7>&- 8<&- & storm=$!
spinners 10 2 fifo
until_soon 20 status_says '^warning   starved: ' || fail "the daemon's state: $(cat status)"
wait $spinners
is_alive $daemon_pid "the daemon" daemon.err
is_alive $recorder "record" record.err
until_soon 20 status_says 'starved for' || fail "afterwards: $(cat status)"
until_soon 20 grep -q 'warning: starved' daemon.err || fail "the daemon's log: $(cat daemon.err)"
screen_wait 'starved [0-9]' 20
kill $storm
wait $recorder
expect "record's exit status" 0 $?
finds ' starved for [0-9]' record.err
until_soon 20 status_json || fail "the state as JSON: $(cat status.err status.json)"
within "events lost" 1 1000000000 "$(sed -n 's/.*"lost":\([0-9]*\).*/\1/p' status.json)"
within "ns starved" 2000000000 60000000000 "$(sed -n 's/.*"starved_ns":\([0-9]*\).*/\1/p' status.json)"
screen_keys q
screen_wait '^ready>' 20
screen_close
end_daemon
expect "the daemon's exit status" 0 $status

# The watchdog and the readers run, and the thread that takes their pages does not: two seconds of that ended a session.
begin "a consumer that is runnable and gets no CPU for five seconds is not one that stands still"
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null 7>&- 8<&- & storm=$!
start syscalls --json -p $storm
# before the others run: this shell would not get to it
nr_demoted=0
for task in /proc/$pid/task/*; do
	# nice -20, and not real-time as the readers are
	[ "$(sed 's/.*) //' "$task/stat" | cut -d' ' -f17,39)" != "-20 0" ] || { chrt --idle --pid 0 "${task##*/}" && nr_demoted=$((nr_demoted + 1)); }
done
within "the thread that opens the session and the consumer" 2 9 "$nr_demoted"
spinners 6 4 nice
wait $spinners
is_alive $pid "the session" err
kill $storm
end
fine
within "ns starved" 1 60000000000 "$(ask "meta.get('starved_ns', 0)")"

finish
