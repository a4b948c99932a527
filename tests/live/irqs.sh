#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# irqs.sh - interrupts and softirqs: what the kernel counts itself is what is shown, and whom they hit
#
# The kernel counts each softirq where it fires the event, in /proc/softirqs: the count that is shown
# lies between what it counted while tracing was on for certain and from before to after.
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
many=${RINGSIDE_TEST_DATAGRAMS:-2000}

softirqs() { awk 'NR > 1 { n = 0; for (i = 2; i <= NF; i++) n += $i; sub(":", "", $1); print $1, n }' /proc/softirqs; }
counted() { awk -v v="$1" '$1 == v { print $2 }' "$2"; }

begin "each vector as often as the kernel counts it"
softirqs >before
start irqs --json --type softirq
softirqs >from
sample sleeper -n 2000 -t 500 >did
softirqs >to
end
softirqs >after
fine
expect "lost" 0 "$(ask "meta['lost']")"
[ "$(ask 'len(rows)')" -ge 1 ] || fail "no softirq at all: $(head -c 300 out)"
while read -r name _; do
	least=$(($(counted "$name" to) - $(counted "$name" from)))
	most=$(($(counted "$name" after) - $(counted "$name" before)))
	# one that was under way at the end is in flight
	within "$name" $((least - $(nproc))) $most "$(ask "sum(r['count'] for r in of(name='$name'))")"
done <before
expect "names that /proc/softirqs does not have" "[]" "$(ask "[r['name'] for r in rows if r['name'] not in '$(awk '{ print $1 }' before | tr '\n' ' ')'.split()]")"
expect "more of a vector raised than begun" "[]" "$(ask "[r['name'] for r in rows if r['raise_delays'] > r['count'] + $(nproc)]")"

begin "lines that /proc/interrupts has"
run irqs --json --type irq -d 1
fine
tr -s ' ' </proc/interrupts >interrupts
for id in $(ask "' '.join(str(r['id']) + ':' + r['name'].split()[0] for r in rows if r['name'])"); do
	grep -q "^ *${id%%:*}:.*${id#*:}" interrupts || fail "/proc/interrupts does not have $id"
done

if [ $(($(cat /sys/class/net/lo/flags 2>/dev/null || echo 0) & 1)) = 0 ]; then
	echo "the loopback device is down: no datagrams"
	finish
fi

begin "a softirq for each datagram on the loopback device"
run irqs --json -- "$samples/datagrams" -n "$many"
fine
expect "lost" 0 "$(ask "meta['lost']")"
got=$(ask "sum(r['count'] for r in of(name='NET_RX'))")
[ "$got" -ge "$many" ] || fail "$many datagrams, and NET_RX $got times"
within "raised and begun" "$many" $((got + 1)) "$(ask "of(name='NET_RX')[0]['raise_delays']")"
expect "times make sense" "[]" "$(ask "[r for r in rows if not 0 < r['p50_ns'] <= r['p99_ns'] <= r['max_ns'] <= r['total_ns']]")"

begin "whom they hit"
run record -q -o trace.dat -e irq -e sched:sched_switch -- "$samples/datagrams" -n "$many"
fine
"$ringside" report trace.dat --view irqtime --json >out || fail "report"
tid=$(said pid)
# the datagrams' softirqs are done in the sender's context, or else by ksoftirqd in its place
row="(of(tid=$tid) or [{'softirqs': 0, 'softirq_ns': 0}])[0]"
mine=$(ask "$row['softirqs']") mine_ns=$(ask "$row['softirq_ns']")
sums=$(ask "(sum(r['irqs'] for r in rows), sum(r['irq_ns'] for r in rows))")
worst=$(ask "[r for r in rows if not r['worst_id'] or not 0 < r['worst_ns'] <= r['total_ns']]")
expect "a worst one of each" "[]" "$worst"
expect "softirqs of ksoftirqd" 0 "$(ask "sum(r['softirqs'] for r in rows if r['comm'].startswith('ksoftirqd/'))")"
"$ringside" report trace.dat --view irqs --by kind --json >out || fail "report"
nr=$(ask "sum(r['count'] for r in of(kind='softirq'))") ns=$(ask "sum(r['total_ns'] for r in of(kind='softirq'))")
[ "$mine" -le "$nr" ] && [ "$mine_ns" -le "$ns" ] || fail "the sender lost $mine softirqs of $mine_ns ns, there were $nr of $ns"
expect "interrupts that hit tasks are among all" True "$(ask "(lambda s: s[0] <= sum(r['count'] for r in of(kind='irq')) and s[1] <= sum(r['total_ns'] for r in of(kind='irq')))($sums)")"
"$ringside" report trace.dat --view irqs -p "$tid" --by kind --json >out || fail "report -p"
expect "-p: those that came while it was on a CPU" "$mine" "$(ask "sum(r['count'] for r in of(kind='softirq'))")"
if command -v trace-cmd >/dev/null; then
	# in flight at the end is the difference: one a CPU at most
	trace-cmd report -F irq_handler_entry trace.dat 2>/dev/null | grep -c ': irq_handler_entry:' >entries
	"$ringside" report trace.dat --view irqs --by kind --json >out
	within "interrupts, as trace-cmd counts them" $(($(cat entries) - $(nproc))) "$(cat entries)" "$(ask "sum(r['count'] for r in of(kind='irq'))")"
fi
finish
