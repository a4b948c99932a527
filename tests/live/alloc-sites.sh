#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# alloc-sites.sh - a known number of allocations by known functions; probes are in that process alone, and are removed, also after kill -9
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ -e /sys/bus/event_source/devices/uprobe ] || skip "this kernel has no uprobes"
case $(uname -m) in x86_64 | aarch64 | riscv64) ;; *) skip "no probes on $(uname -m)" ;; esac
probes() { grep "^[pr]:ringside_$1_" "$tracefs/dynamic_events" 2>/dev/null; }
no_probes() { ! probes "$1" >left; }
removed() { until_soon 3 no_probes "$1" || fail "left behind: $(head -n 1 left)"; }

# expected FUNCTION TYPE ALLOCS BYTES FREES LIVE LIVE_BYTES
expected() {
	expect "$2 by $1()" "[($3, $4, $5, $6, $7)]" "$(ask "[(r['allocs'], r['alloc_bytes'], r['frees'], r['live'], r['live_bytes']) for r in of(function='$1', type='$2')]")"
}
all_expected() {
	expected keep malloc 500 500000 0 500 500000
	expected pass malloc 500 32000 500 0 0
	expected grow malloc 500 8000 500 0 0
	expected grow realloc 500 2048000 500 0 0
	expected clear calloc 500 100000 250 250 50000
	expect "freed, and allocated before" "[(1, None)]" "$(ask "[(r['frees'], r['live']) for r in of(type='earlier')]")"
	expect "lost" 0 "$(ask "meta['samples_lost']")"
}

begin "each allocation of a process, by its place in the code"
hold allocs -n 500
start alloc --json -p "$sample_pid"
mine=$pid
release
end
expect "exit status" 0 "$status"
finds "allocates and frees [0-9]* times a second" err
all_expected
removed "$mine"

begin "recorded, and shown from the recording"
hold allocs -n 500
start record -q -a alloc -p "$sample_pid" -o allocs.dat
release
end
"$ringside" alloc --json -i allocs.dat >out 2>err || fail "$(cat err)"
all_expected
"$ringside" alloc -f folded -i allocs.dat >out 2>err || fail "$(cat err)"
expect "the heaviest stack" 1 "$(grep -c '^allocs;.*main;keep 500000$' out)"
expect "the same stacks" "$(cat out)" "$("$ringside" alloc-stacks -q -f folded -i allocs.dat)"

begin "of a command, from its first instruction on"
run alloc --json -- "$samples/allocs" -n 500
expect "exit status" 0 "$status"
finds "its probes take [0-9.]* us a call" err
expected keep malloc 500 500000 0 500 500000
expected pass malloc 500 32000 500 0 0
expected grow realloc 500 2048000 500 0 0
expected clear calloc 500 100000 250 250 50000
expected main malloc 1 300 1 0 0
expect "lost" 0 "$(ask "meta['samples_lost']")"
run alloc -- /nonexistent
expect "exit status" 1 "$status"
finds "cannot run '/nonexistent'" err
cp "$samples/allocs" bad && printf '#!/nonexistent\n' >bad
run alloc -- ./bad
expect "exit status of what cannot be executed" 1 "$status"
finds "cannot run './bad'" err

# what the process has where its malloc begins
first_byte() {
	"$python" -c '
import sys
pid, offset = int(sys.argv[1]), int(sys.argv[2], 16)
for line in open("/proc/%d/maps" % pid):
    start, end = (int(x, 16) for x in line.split()[0].split("-"))
    at, file = int(line.split()[2], 16), (line.split() + [""])[5]
    if "libc.so" in file and at <= offset < at + end - start:
        with open("/proc/%d/mem" % pid, "rb", 0) as memory:
            memory.seek(start + offset - at)
            print(memory.read(4).hex())
' "$1" "$2"
}

begin "another process has no breakpoint; none is left after kill -9"
hold allocs -n 500
start alloc -p "$sample_pid"
mine=$pid
probes "$mine" >made
offset=$(sed -n 's/^p:[^ ]*\/alloc .*:\(0x[0-9a-f]*\)$/\1/p' made | head -n 1)
if [ -n "$offset" ] && grep -q libc.so "/proc/$$/maps"; then
	[ "$(first_byte "$sample_pid" "$offset")" != "$(first_byte $$ "$offset")" ] || fail "no breakpoint in the process"
	expect "this shell, as another one" "$(first_byte $PPID "$offset")" "$(first_byte $$ "$offset")"
fi
kill -9 "$mine"
wait "$mine" 2>/dev/null
nothing_left "$mine"
removed "$mine"
[ -z "$offset" ] || until_soon 2 eval '[ "$(first_byte "$sample_pid" "$offset")" = "$(first_byte $$ "$offset")" ]' || fail "its breakpoint is left"
release

begin "a program that would hardly go on is not probed"
"$samples/allocs" -n 1 -b 4000000000 >/dev/null &
busy=$!
until_soon 5 eval 'grep -q libc.so /proc/$busy/maps'
run alloc -p $busy -d 1
expect "exit status" 1 "$status"
finds "would slow the program down too much" err
kill $busy
wait $busy 2>/dev/null

begin "which process?"
run alloc -d 1
expect "exit status" 2 "$status"
finds "of which process" err
run alloc -p 999999 -d 1
expect "exit status" 1 "$status"
finish
