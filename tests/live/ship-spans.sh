#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ship-spans.sh - each span is in the batch in which it ends, once, however long it is and whoever is killed meanwhile
#
# Kernel locks, because they are few, so that what others do on the machine moves neither the window nor its reading.
# No server: the batches stay in the spool, where they are counted. live/ship has a real database.
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
[ -e $tracefs/events/lock/contention_begin ] || skip "this kernel has no lock:contention_begin"
"$samples/lock-fight" -n 1 >out 2>err || skip "no lock can be held as long as the test wants: $(cat err)"
WAITS=50

ship() { "$ringside" ship --to http://127.0.0.1:1/ --spool spool -I 0.2 -q & } # what began 0.4 s before a batch's end is long
next() { sed -n 's/.* next=\([0-9]*\) .*/\1/p' spool/state; } # what has no smaller number is being made
rows() { # rows TABLE: of all batches
	local n
	for ((n = 0; n < $(next); n++)); do cat "spool/$(printf %012d $n)/ringside_$1.json"; done >rows
}
mine='r["kind"] == "lock" and r["command"] == "waiter" and r["duration_ns"] >= 10000000' # others are the kernel's own
# waits CONDITION: rows of the waiters, different ones and all
waits() { ask "'%d of %d' % (len({r['sequence'] for r in rows if $mine and $1}), len([r for r in rows if $mine and $1]))" rows; }
long='r["duration_ns"] >= 2000000000'
all_there() { rows span && [ "$(waits 'True')" = "$((WAITS + 1)) of $((WAITS + 1))" ]; }

begin "spans"
mkdir -p run
touch none
start_daemon -a locks
ship
shipper_pid=$!
sample lock-fight -n 1 -t 2000000 >did-long &
long_pid=$!
until_soon 10 test -s spool/state || fail "no batch"
sample lock-fight -n $WAITS -t 10000 >did &
until_soon 10 eval '[ "$(next)" -ge 2 ]' || fail "no second batch"
kill -9 $shipper_pid
wait $shipper_pid 2>/dev/null
ship
shipper_pid=$!
wait $long_pid
until_soon 10 all_there
kill -TERM $shipper_pid
wait $shipper_pid
expect "end by a signal" 0 $?
rows span
expect "long ones" "1 of 1" "$(waits "$long")"
expect "short ones" "$WAITS of $WAITS" "$(waits "not $long")"
expect "in flight" "0 of 0" "$(waits 'r["in_flight"]')"
expect "with what its end says" 1 "$(ask "len([r for r in rows if $mine and $long and json.loads(r['details'])])" rows)"
expect "sequences" True "$(ask 'len({r["sequence"] for r in rows}) == len(rows)' rows)"
expect "what a killed one left half made" "" "$(find spool -name '0*.*')"
rows latency
expect "summed: waits" $((WAITS + 1)) "$(ask 'sum(sum(r["buckets"][23:]) for r in of(kind="lock", command="waiter"))' rows)" # 2^23 ns: 8 ms
expect "summed: the long one" 1 "$(ask 'sum(sum(r["buckets"][30:]) for r in of(kind="lock", command="waiter"))' rows)" # 2^30 ns and more
expect "sequences of sums" True "$(ask 'len({r["sequence"] for r in rows}) == len(rows)' rows)"
rows batch
expect "batches that meet" True "$(ask 'all(b["from_ns"] == a["to_ns"] + 1 and b["batch"] == a["batch"] + 1 for a, b in zip(rows, rows[1:]))' rows)"
within "batches" 3 1000 "$(ask 'len(rows)' rows)"

test="a window that does not reach back to the last batch"
mkdir -m 700 old
echo "boot=$(cat /proc/sys/kernel/random/boot_id) next=0 done_ns=1 dropped=0" >old/state
"$ringside" ship --to http://127.0.0.1:1/ --spool old -d 0.1 2>err
finds "does not reach back to the last batch" err
oldest=$("$ringside" status --json | sed 's/.*"oldest_ns":\([0-9]*\).*/\1/')
within "the hole's end: where the window began then" 1000 "$oldest" "$(sed 's/.*"from_ns":\([0-9]*\).*/\1/' old/000000000000/ringside_batch.json)"
end_daemon
expect "exit status" 0 "$status"
finish
