#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# record-samples.sh - a recording with samples: known shares, read without the program that was recorded, and by trace-cmd
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"

four_deviations() { python3 -c "print(int(4 * ($1 * 0.21) ** 0.5) + 1)"; }

begin "record 70 % and 30 %, and remove the program"
mkdir -m 700 private
cp "$samples/shares" private/shares
"$ringside" record -q --samples=999 -e sched_switch -o "$tmp/.a.dat" --as-root -- private/shares -t 1000 -d 5 >/dev/null 2>err || fail "$(cat err)"
rm private/shares
a=$tmp/.a.dat
run profile --json --by function -c shares -i "$a"
fine
n=$(ask "sum(r['self'] for r in rows if r['function'] in ('seventy', 'thirty'))")
within "samples" 100 5000 "$n"
within "of seventy()" "$((n * 7 / 10 - $(four_deviations "$n")))" "$((n * 7 / 10 + $(four_deviations "$n")))" "$(ask "sum(r['self'] for r in of(function='seventy'))")"
expect "lost" 0 "$(ask "meta['samples_lost']")"
all=$(ask "meta['samples']")

begin "a time range has its part, and its names"
run profile --json --by function -c shares -i "$a" --from 0.3 --to 0.6
fine
within "samples in it" 50 "$((all / 2))" "$(ask "meta['samples']")"
within "of seventy()" 20 1000 "$(ask "sum(r['self'] for r in of(function='seventy'))")"

begin "folded stacks of the file"
"$ringside" profile -f folded -c shares -i "$a" >out 2>err || fail "$(cat err)"
within "stacks of seventy()" 1 1000 "$(grep -c '^shares;.*main;work;\(recurse;\)*seventy [0-9]*$' out)"

begin "trace-cmd reads it without a warning"
if command -v trace-cmd >/dev/null; then
	trace-cmd report "$a" >out 2>err
	expect "warnings" "" "$(cat err)"
	within "events" 100 1000000 "$(grep -c sched_switch: out)"
fi

begin "hardly a sample is later than the last event, which says what ran"
"$ringside" record -q --samples=999 -o e.dat --as-root -- "$samples/shares" -t 300 >/dev/null 2>err || fail "$(cat err)"
"$ringside" export e.dat -q -f perfetto -o e.pftrace || fail "export"
within "samples after it" 0 10 "$(PYTHONPATH=$root/tests/lib python3 -c "
import perfetto
trace = perfetto.Trace(open('e.pftrace', 'rb').read())
last = max(row[0] for rows in trace.cpus.values() for row in rows)
samples = [row[0] for row in trace.said if row[2] == 'sample']
assert len(samples) > 50, samples
print(sum(ts > last for ts in samples))")"

begin "a file without samples says so"
"$ringside" record -q -e sched_switch -o b.dat -d 0.1 2>/dev/null || fail "record"
run profile -i b.dat
grep -q "this recording has no samples of the CPUs" out err || fail "$(cat out err)"

begin_daemon "the window of a daemon has samples" -a profile -a sched -F 999
"$samples/shares" -t 500 >/dev/null
sleep 1
asked profile --json --by function -c shares --from -5s
fine
within "of seventy()" 3 1000 "$(ask "sum(r['self'] for r in of(function='seventy'))")"
asked save -o w.dat
expect "exit status" 0 "$status"
end_daemon
run profile --json --by function -c shares -i w.dat
fine
within "of seventy(), saved" 3 1000 "$(ask "sum(r['self'] for r in of(function='seventy'))")"
finish
