#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# calls.sh - system calls of the running kernel: what the samples did is what is shown
. "$(dirname "$0")/../lib/live.sh"
need_tracing

begin "n sleeps of a length"
run syscall-latency --json --as-root -- "$samples/sleeper" -n 50 -t 3000
fine
sleeps='of(syscall="clock_nanosleep", comm="sleeper")'
expect "rows" 1 "$(ask "len($sleeps)")"
expect "calls" 50 "$(ask "sum(r['calls'] for r in $sleeps)")"
expect "the shortest is as long as was asked" True "$(ask "$sleeps[0]['min_ns'] >= 3000000")"
expect "total is at least n times the length" True "$(ask "$sleeps[0]['total_ns'] >= 50 * 3000000")"
expect "errors, in flight" "(0, 0)" "$(ask "$sleeps[0]['errors'], $sleeps[0]['in_flight']")"
expect "quantiles in order" True "$(ask "(lambda r: r['min_ns'] <= r['p50_ns'] <= r['p95_ns'] <= r['p99_ns'] <= r['max_ns'])($sleeps[0])")"
expect "sleeping needs little of the CPU" True "$(ask "$sleeps[0]['cpu_ns'] is None or $sleeps[0]['cpu_ns'] < $sleeps[0]['total_ns'] / 4")"

begin "n rounds of ping-pong: each process reads n times and writes n times"
hold pingpong -n 2000
start syscall-latency --json --by comm,pid,syscall
release
end
fine
expect "lost" 0 "$(ask 'meta["lost"]')"
for who in ping pong; do
	p=$(said $who)
	expect "$who's reads" 2000 "$(ask "sum(r['calls'] for r in of(pid=$p, syscall='read'))")"
done
expect "pong's writes" 2000 "$(ask "sum(r['calls'] for r in of(pid=$(said pong), syscall='write'))")"

# The calls of one run in strace's format, from the exec on: names, and results that are no addresses and no pids.
calls_of() {
	"$python" - "$1" <<'P'
import re, sys
calls = []
for line in open(sys.argv[1]):
    m = re.match(r'\[?(?:pid +)?\d+\]? +\d\d:\d\d:\d\d\.\d{6} (\w+)\(.*\) += (.+?)(?: <\d+\.\d{6}>)?$|.*\+\+\+ (exited with \d+) \+\+\+$', line)
    if not m:
        sys.exit(f"not in strace's format: {line}")
    name, result, end = m.groups()
    if name == "execve":
        calls = []
    calls.append(end or (name if result.startswith("0x") or name in ("getpid", "set_tid_address") else f"{name} = {result}"))
print("\n".join(calls))
P
}
if command -v strace >/dev/null && strace -o strace.probe true 2>/dev/null; then
	begin "lines in the format of strace"
	SAMPLE_OUT=$tmp/strace.did strace -f -tt -T -o strace.out "$samples/failing-calls" -n 20 || fail "strace"
	run syscalls --follow --as-root -- "$samples/failing-calls" -n 20
	expect "status" 0 "$status"
	calls_of strace.out >calls.strace || fail "strace: $(cat calls.strace)"
	calls_of out >calls.follow || fail "ringside: $(cat calls.follow)"
	expect "calls" "$(grep -c . calls.strace)" "$(grep -c . calls.follow)"
	diff calls.strace calls.follow || fail "the calls differ"
fi

begin "calls that fail, and how"
run syscalls --json --failed -- "$samples/failing-calls" -n 200
fine
for call in openat close chdir; do
	expect "$call with its errno" 200 "$(ask "len(of(comm='failing-calls', syscall='$call', errno=$(said $call)))")"
	expect "$call's ret" "{-$(said $call)}" "$(ask "{r['ret'] for r in of(comm='failing-calls', syscall='$call', errno=$(said $call))}")"
done
expect "none that did not fail" 0 "$(ask "len([r for r in rows if r['errno'] is None])")"
run syscall-latency --json -- "$samples/failing-calls" -n 200
fine
expect "errors counted" "[200, 200]" "$(ask "[r['errors'] for r in of(comm='failing-calls') if r['syscall'] in ('close', 'chdir')]")"

begin "the events of single calls serve as that of all does; where both are recorded each call counts once"
singles=$(for call in openat close chdir; do printf -- '-e syscalls:sys_enter_%s -e syscalls:sys_exit_%s ' $call $call; done)
for more in "" "-e raw_syscalls"; do
	# shellcheck disable=SC2086 # options
	run record -q -o trace.dat $singles $more -- "$samples/failing-calls" -n 70
	fine
	mv did errors
	run report -q trace.dat --view syscalls --failed --json
	fine
	for call in openat close chdir; do
		expect "$call with its errno ($more)" 70 \
			"$(ask "len(of(comm='failing-calls', syscall='$call', errno=$(said $call errors)))")"
	done
	expect "an argument by the kernel's name for it ($more)" True \
		"$(ask "all(r['call'].startswith('chdir(filename: 0x') for r in of(comm='failing-calls', syscall='chdir'))")"
	expect "--check ($more)" "" "$("$ringside" report trace.dat --check 2>/dev/null | grep -v ^holds)"
	command -v trace-cmd >/dev/null || continue
	run report trace.dat --view syscalls --json
	expect "closes as trace-cmd has them ($more)" "$(trace-cmd report trace.dat 2>/dev/null | grep -c 'failing-calls-.*sys_exit_close:')" \
		"$(ask "len(of(comm='failing-calls', syscall='close'))")"
done

compat=$samples/compat-calls
begin "the calls of a 32-bit program have the names of its own table"
if [ ! -x "$compat" ]; then
	echo "no 32-bit program: $(head -n 1 "$compat.err" 2>/dev/null)"
elif ! "$compat"; then
	echo "this kernel runs no 32-bit programs"
else
	own="[('execve', 1), ('getpid', 50), ('poll', 10), ('pselect6', 20)]"
	counts="sorted((r['syscall'], r['calls']) for r in of(comm='compat-calls') if r['syscall'] and r['calls'])"
	run syscall-latency --json -- "$compat"
	fine
	expect "calls" "$own" "$(ask "$counts")"
	run offcpu --json -- "$compat"
	fine
	expect "its waits are idle" "[('poll', 'idle'), ('pselect6', 'idle')]" \
		"$(ask "sorted((r['syscall'], r['cause']) for r in of(comm='compat-calls') if r['state'] == 'S' and r['syscall'] in ('poll', 'pselect6', 'swapoff', 'setns'))")"
	# what ran before the capture: /proc tells
	mkfifo go
	"$compat" wait <go &
	job=$!
	exec 9>go
	start record -q -o trace.dat -e raw_syscalls -p $job
	echo >&9
	wait $job
	exec 9>&-
	end
	fine
	run report trace.dat --view syscall-latency --json
	fine
	expect "calls of one that ran before, recorded" "[('getpid', 50), ('poll', 10), ('pselect6', 20)]" "$(ask "[c for c in $counts if c[0] != 'read']")"
fi

many=${RINGSIDE_TEST_CALLS:-1000000}
begin "$many calls: each is counted, none is lost"
# where somebody else storms at the same time, loss is not ours to prevent: another attempt, and never more than there were
for attempt in 1 2 3; do
	run syscall-latency --json -- "$samples/calls" -n "$many"
	fine
	seen=$(ask "sum(r['calls'] for r in of(syscall='getppid', pid=$(said pid)))")
	within "calls" 0 "$many" "$seen"
	[ "$(ask "meta['lost']")" != 0 ] || break
done
expect "lost" 0 "$(ask "meta['lost']")"
expect "calls" "$many" "$seen"

begin "a command is seen from its first call to its end"
run syscalls --json -- /bin/sh -c 'echo $$ >pid; exec "$0" -n 3' "$samples/failing-calls"
fine
p=$(cat pid)
expect "its first call" execve "$(ask "of(tid=$p)[0]['syscall']")"
expect "the calls in order" True "$(ask "(lambda t: t == sorted(t))([r['end_ns'] for r in rows])")"
expect "both its programs" "['sh', 'failing-calls']" "$(ask "sorted({r['comm'] for r in of(tid=$p)}, reverse=True)")"
expect "its process" "{$p}" "$(ask "{r['pid'] for r in of(tid=$p)}")"
run syscall-latency --json --by pid,syscall -- /bin/sh -c 'echo $$ >pid; exec "$0" -n 3' "$samples/failing-calls"
fine
p=$(cat pid)
expect "execve" "[2]" "$(ask "[r['calls'] for r in of(pid=$p, syscall='execve')]")"
expect "exit_group does not return" 0 "$(ask "sum(r['calls'] + r['in_flight'] for r in of(pid=$p, syscall='exit_group'))")"
expect "nothing of it is in flight" 0 "$(ask "sum(r['in_flight'] for r in of(pid=$p))")"
run record -q -o trace.dat -e raw_syscalls -- /bin/sh -c 'echo $$ >pid; exec "$0" -n 3' "$samples/failing-calls"
fine
"$ringside" report trace.dat --check >out 2>err || fail "--check of the same, recorded: $(cat out err)"

begin "-p narrows to a process, its threads and children: where the kernel can do it, and where it cannot"
hold pingpong -n 500
start syscalls --json -p "$sample_pid"
release
end
fine
expect "only its own" "{$(said ping), $(said pong)}" "$(ask "'{%s}' % ', '.join(map(str, sorted({r['pid'] for r in rows})))")"
expect "its child's reads" 500 "$(ask "len(of(pid=$(said pong), syscall='read'))")"
hold failing-calls -n 100
start record -q -o trace.dat -e raw_syscalls -p "$sample_pid"
finds "$sample_pid" "$instances/ringside-$pid/set_event_pid"
release
end
fine
if command -v trace-cmd >/dev/null; then
	trace-cmd report -R trace.dat 2>warnings >report
	expect "whose calls are in a recording that the kernel narrowed" "$sample_pid" \
		"$(sed -n 's/^ *.*-\([0-9]*\) .*sys_enter:.*/\1/p' report | sort -u)"
	for error in openat close chdir; do
		expect "its failed ${error}s" 100 "$(grep -c -- "sys_exit: .* ret=-$(said $error)$" report)"
	done
	expect "trace-cmd's warnings" "" "$(cat warnings)"
fi

begin "what reads rests where little happens, though its own calls are events, too"
# ticks of 10 ms that the readers' threads used: real-time ones that went round and round would take the machine with them
start syscall-latency --json
sleep 2
ticks=$(cat /proc/$pid/task/*/stat | sed -n 's/^[0-9]* (ringside-rd[0-9]*) //p' | awk '{ sum += $12 + $13 } END { print sum + 0 }')
end
fine
within "ticks of readers in 2 s" 0 $((50 * $(nproc))) "$ticks"
[ "$(ask 'len([r for r in rows if r["comm"].startswith("ringside-rd")])')" = 0 ] || fail "the readers' own calls are shown"

finish
