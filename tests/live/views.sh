#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# views.sh - views of the running kernel: each way in which they end, with results, and nothing left behind
#
# Usage: tests/live/views.sh [BUILD]; root. It counts, it does not time.
cd "$(dirname "$0")/../.." || exit 1
ringside=$PWD/${1:-build}/ringside
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
[ -d /sys/kernel/tracing/instances ] || { echo "no tracefs at /sys/kernel/tracing"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
fail() { failed=$((failed + 1)); echo "FAIL: $*"; }
nothing_left() { # of the session of process $1
	[ ! -e "/sys/kernel/tracing/instances/ringside-$1" ] || fail "$2: its instance is still there"
}

# The end of the command: what it did is what is shown, from its first call on.
"$ringside" syscalls --json -- sh -c 'echo $$ >pid; kill -0 $$; kill -0 $$; kill -0 $$' >out 2>err || fail "command: $(cat err)"
grep "\"pid\":$(cat pid)," out >own
[ "$(grep -c '"syscall":"kill"' own)" = 3 ] || fail "command: $(grep -c '"syscall":"kill"' own) kills, not 3"
grep -q '"syscall":"execve"' own || fail "command: its execve was not seen"
tail -1 out | grep -q '^{"_meta"' || fail "command: no quality line"
[ ! -s err ] || fail "command: $(cat err)"

# -d, and -I: a block and a quality line for each interval.
"$ringside" runqlat --json -I 0.2 -d 0.7 >out 2>err || fail "-I: $(cat err)"
[ "$(grep -c '^{"_meta"' out)" = 4 ] || fail "-I 0.2 -d 0.7: $(grep -c '^{"_meta"' out) blocks, not 4"
"$ringside" sched -I 0.2 -d 0.5 >out 2>err || fail "-I: $(cat err)"
[ "$(grep -c '^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]$' out)" = 3 ] || fail "-I 0.2 -d 0.5: $(grep -c '^..:..:..$' out) times, not 3"

# Signals end it in good order, with what there is so far.
for signal in INT TERM HUP; do
	"$ringside" sched >out 2>err &
	child=$!
	for i in $(seq 100); do [ -e "/sys/kernel/tracing/instances/ringside-$child" ] && break; sleep 0.02; done
	sleep 0.2
	kill -$signal $child
	wait $child || fail "SIG$signal: status $?: $(cat err)"
	tail -1 out | grep -q '^# ' || fail "SIG$signal: no results"
	nothing_left $child "SIG$signal"
done

# -n rows of a stream are enough: it ends, the command goes on.
"$ringside" syscalls -n 5 --json -- sh -c 'echo $$ >pid; i=0; while [ $i -lt 1000 ]; do kill -0 $$; i=$((i + 1)); done; exec sleep 5' \
	>out 2>err &
child=$!
wait $child || fail "-n: $(cat err)"
[ "$(grep -vc '^{"_meta"' out)" = 5 ] || fail "-n 5: $(grep -vc '^{"_meta"' out) rows"
kill "$(cat pid)" || fail "-n 5: it went on until the end of the command"
nothing_left $child "-n"

# The reader goes away: it ends, quietly. (A command keeps the rows coming.)
sh -c 'i=0; while [ $i -lt 200000 ]; do kill -0 $$; i=$((i + 1)); done' &
noise=$!
"$ringside" syscalls 2>err | head -1 >out
status=${PIPESTATUS[0]}
[ "$status" = 0 ] && [ ! -s err ] || fail "| head: status $status, $(cat err)"

# A reader that is slow gets every row that was made, and the last line; what did not fit meanwhile is counted as lost.
"$ringside" syscalls --json -d 0.5 2>err | { sleep 1; cat; } >out
tail -1 out | grep -q '^{"_meta".*"lost":[0-9]' || fail "slow reader: $(tail -1 out | cut -c1-300)"
[ "$(grep -vc '^{"start_ns"' out)" = 1 ] || fail "slow reader: a row is torn: $(grep -v '^{"start_ns"' out | head -1 | cut -c1-300)"
kill $noise 2>/dev/null
wait $noise 2>/dev/null

# What cannot be begun leaves nothing, and says why.
refused() { # refused STATUS MESSAGE ARGUMENTS...
	local status=$1 message=$2 got
	shift 2
	"$ringside" "$@" >out 2>err
	got=$?
	[ $got = "$status" ] && [ "$(cat err)" = "ringside: $message" ] && [ ! -s out ] || fail "ringside $*: $got: $(cat err out)"
}
refused 1 "cannot run '/nonexistent': No such file or directory" sched -- /nonexistent
refused 2 "--columns: sched has no column 'nonsense' (--columns help lists them)" sched --columns nonsense

# The page of everything.
"$ringside" summary -d 0.3 >out 2>err || fail "summary: $(cat err)"
for view in $("$ringside" list views --csv | grep ',yes$' | cut -d, -f1); do
	# those of which nothing was seen share a line
	grep -q "^$view: \|^none seen: \(.*, \)\{0,1\}$view\(,\| (\|\$\)" out || fail "summary: nothing of $view: $(cat out)"
done
"$ringside" doctor >out 2>err || fail "doctor: $(cat err out)"
grep -q '^good *capture *works: ' out || fail "doctor: $(cat out)"

[ $failed = 0 ] || { echo "views: $failed failed"; exit 1; }
echo "views: all passed"
