#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ends.sh - however a view ends or stands still: what there is is shown, what is missing is said, nothing stays
. "$(dirname "$0")/../lib/live.sh"
need_tracing
state() { sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null; }
wait_until() { local i; for i in {1..250}; do "$@" && return 0; sleep 0.02; done; fail "never: $*"; return 1; }
is_stopped() { [ "$(state $pid)" = T ]; }
is_off() { [ "$(cat "$instances/ringside-$pid/tracing_on")" = 0 ]; }

for view in syscalls syscall-latency sched; do
	for signal in INT TERM HUP; do
		begin "$view ends by SIG$signal with what there is"
		hold failing-calls -n 50
		start $view --json -p "$sample_pid"
		release
		end $signal
		fine
		expect "there are rows, all of its process" "{$sample_pid}" "$(ask "{r['pid'] for r in rows}")"
		case $view in
		syscalls) expect "calls" 150 "$(ask "len([r for r in rows if r['errno']])")" ;;
		syscall-latency) expect "errors" 150 "$(ask "of(syscall=None)[0]['errors']")" ;;
		esac
	done
done

begin "a time, an interval, a number of rows"
run sched --json -d 0.2
fine
expect "-d: a quality line" sched "$(ask "meta['view']")"
run sched --json -d 0.5 -I 0.2 -n 2
fine
expect "-I: a quality line each, and one at the end" 3 "$(grep -c '^{"_meta"' out)"
within "-n: rows of each" 1 2 "$(($(grep -vc '^{"_meta"' out) / 3))"
run syscalls --json -n 7 -- "$samples/failing-calls" -n 1000
fine
expect "-n: rows" 7 "$(ask "len(rows)")"

begin "each interval counts its own"
hold failing-calls -n 30
start syscall-latency --json -I 0.3 --by pid,syscall
release
wait_until grep -q '"syscall":"chdir"' out
wait_until test "$(grep -c '^{"_meta"' out)" -ge 1
until [ "$(grep -c '^{"_meta"' out)" -ge 3 ]; do sleep 0.05; done
end
fine
expect "its calls, over all intervals" 30 "$(ask "sum(r['calls'] for r in of(pid=$sample_pid, syscall='chdir'))")"

# The C library's setresuid() interrupts each thread: one that slept a quarter of a second for it held up the end.
begin "a short command's session takes no longer than its begin and end: the shortest of twenty, in ms"
for ((least = 9999, i = 0; i < 20; i++)); do
	at=$(date +%s%N)
	run sched -- /bin/true
	took=$((($(date +%s%N) - at) / 1000000))
	[ $took -ge $least ] || least=$took
	[ $least -ge 240 ] || break
done
fine
within "ms" 0 239 $least

begin "Ctrl-Z: tracing is off until it goes on, and that is a gap of every CPU"
hold sleeper -n 1500 -t 1000
start_stoppable syscalls --json -p "$sample_pid"
exec 9>&-
wait_until grep -q clock_nanosleep out
kill -TSTP $pid
wait_until is_stopped && is_off || fail "tracing is on while it is stopped"
sleep 0.3
kill -CONT $pid
tracing $pid || fail "tracing stays off"
wait $sample_job || fail "the sample: $(cat did)"
end
fine
expect "gaps" "$(nproc --all)" "$(ask "meta['gaps']")"
expect "how many events that cost nobody knows" "(None, $(nproc --all))" "$(ask "meta['lost'], meta['gaps_uncounted']")"
within "calls outside of the gap" 100 1400 "$(ask "len(of(syscall='clock_nanosleep'))")"
expect "no call reaches over the gap" True "$(ask "max(r['lat_ns'] for r in of(syscall='clock_nanosleep')) < 300000000")"

begin "stopped for good, then ended: nothing stays"
start_stoppable sched --json
kill -TSTP $pid
wait_until is_stopped
kill -TERM $pid
kill -CONT $pid
wait $pid || fail "status $?: $(cat err)"
nothing_left $pid
begin "stopped, then killed"
start_stoppable sched --json
kill -TSTP $pid
wait_until is_stopped
kill -9 $pid
wait $pid 2>/dev/null
nothing_left $pid

begin "the reader goes away"
"$samples/calls" -n 0 >/dev/null & noise=$!
for view in "syscalls" "syscalls --json" "timehist" "iosnoop -I 1" "sched -I 0.1"; do
	[ "$view" = "iosnoop -I 1" ] && continue # intervals are not for streams
	# shellcheck disable=SC2086 # words
	{ "$ringside" $view 2>err 9>&-; echo $? >status; } | head -n 1 >out
	expect "$view: status" 0 "$(cat status)"
	[ ! -s err ] || fail "$view: on stderr: $(cat err)"
done
begin "standard output is closed"
"$ringside" syscalls -d 5 >&- 2>err & pid=$!
wait $pid
expect "exit status" 1 $?
nothing_left $pid
expect "what is said" 1 "$(grep -c '^ringside: .*standard output\|^ringside: cannot write' err)"
begin "the disk is full"
"$ringside" syscalls -d 20 >/dev/full 2>err & pid=$!
wait $pid
expect "exit status" 1 $?
nothing_left $pid
expect "what is said" "ringside: cannot write the output: No space left on device" "$(cat err)"
kill $noise
wait $noise 2>/dev/null

begin "the command's own end is told"
run sched --json -- /bin/sh -c 'echo $$ >pid; kill -SEGV $$'
expect "exit status" 0 $status
finds "'/bin/sh' was ended by signal 11 (Segmentation fault)" err
expect "what it did is shown all the same" "['sh']" "$(ask "[r['comm'] for r in of(tid=$(cat pid))]")"
run sched --json -- /bin/sh -c 'exit 3'
expect "exit status" 0 $status
run sched -- ./no-such-command
expect "exit status" 1 $status
expect "what is said" "ringside: cannot run './no-such-command': No such file or directory" "$(cat err)"
expect "nothing on standard output" "" "$(cat out)"
run sched -- /etc/passwd
expect "exit status" 1 $status
expect "what is said" "ringside: cannot run '/etc/passwd': Permission denied" "$(cat err)"

begin "a command goes on when the view has ended"
run sched -d 0.2 -- /bin/sh -c 'echo $$ >pid; exec sleep 30'
fine
kill "$(cat pid)" || fail "it is gone"

begin "whose the command is"
touch ids && chmod 666 ids
export SUDO_UID=65534 SUDO_GID=65534 SUDO_USER=nobody
run syscalls --json -- /bin/sh -c '{ id -u; id -g; id -G; echo "${SUDO_UID-none}"; echo $$; } >ids'
fine
expect "user, groups, and without sudo's variables" "65534 65534 65534 none" "$(head -n 4 ids | tr '\n' ' ' | sed 's/ $//')"
expect "its calls are seen as any other's" execve "$(ask "of(tid=$(tail -n 1 ids))[0]['syscall']")"
run syscalls --json --as-root -- /bin/sh -c 'id -u >ids'
fine
expect "--as-root" 0 "$(cat ids)"
unset SUDO_UID SUDO_GID SUDO_USER

finish
