#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# power.sh - idle states of the CPUs: each event of a recording is the begin or the end of one
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ -d $tracefs/events/power/cpu_idle ] || skip "this kernel has no event power:cpu_idle"

begin "two events for each time that a CPU is idle"
run record -q -o trace.dat -a power -- "$samples/sleeper" -n 200 -t 2000
fine
"$ringside" report trace.dat --view power --json >out || fail "report"
"$ringside" report trace.dat --view events --json >events || fail "report"
events=$(ask "sum(r['count'] for r in rows if r['event'] == 'power:cpu_idle')" events)
counted=$(ask "sum(r['count'] for r in rows)")
lost=$(ask "meta['lost']")
expect "lost" 0 "$lost"
# at both ends of the recording a CPU may be in one
within "events without their other half" 0 $((2 * $(nproc))) $((events - 2 * counted))
expect "more wakes than idle states" "[]" "$(ask "[r for r in rows if r['wakes'] > r['count']]")"
expect "times make sense" "[]" "$(ask "[r for r in rows if not 0 < r['idle_avg_ns'] <= r['idle_max_ns'] <= r['idle_ns'] or r['idle_pct'] > 100]")"
[ -d /sys/devices/system/cpu/cpu0/cpufreq ] ||
	expect "frequencies that nobody tells" "[]" "$(ask "[r for r in rows if r['mhz'] is not None or r['mhz_avg'] is not None]")"

finish
