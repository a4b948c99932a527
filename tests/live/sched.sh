#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sched.sh - tasks of the running kernel: who slept, waited and was preempted how often
# It counts; of times it asks only what cannot be otherwise.
. "$(dirname "$0")/../lib/live.sh"
need_tracing

begin "n sleeps are n waits for a CPU"
run sched --json -- "$samples/sleeper" -n 100 -t 2000
fine
p=$(said pid)
expect "rows" 1 "$(ask "len(of(tid=$p))")"
expect "lost" 0 "$(ask "meta['lost'] + meta['gaps']")"
# its fork, its exec and page-ins are waits too
within "sched delays" 100 180 "$(ask "of(tid=$p)[0]['delay_count']")"
within "switch-ins" 100 240 "$(ask "of(tid=$p)[0]['switches']")"
expect "sleep is most of n times the length" True "$(ask "of(tid=$p)[0]['sleep_ns'] > 100 * 2000000 // 2")"
expect "delays in order" True "$(ask "(lambda r: r['delay_p50_ns'] <= r['delay_p99_ns'] <= r['delay_max_ns'] <= r['delay_total_ns'])(of(tid=$p)[0])")"
run runqlat --json --by tid -- "$samples/sleeper" -n 100 -t 2000
fine
within "runqlat's waits" 100 240 "$(ask "sum(r['count'] for r in of(tid=$(said pid)))")"

begin "n rounds of ping-pong on one CPU are n switches to each"
taskset -c 0 true 2>err || skip "taskset cannot be had: $(cat err)"
run sched --json -- taskset -c 0 "$samples/pingpong" -n 1000
fine
for who in ping pong; do
	within "switches to $who" 1000 2500 "$(ask "of(tid=$(said $who))[0]['switches']")"
	expect "$who's name" $who "$(ask "of(tid=$(said $who))[0]['comm']")"
done
expect "a CPU that two share is never idle between them: the switches add up" True \
	"$(ask "2000 <= sum(r['switches'] for r in rows if r['comm'] in ('ping', 'pong')) <= meta['events']")"

begin "a hog is preempted by whoever wakes beside it"
run sched --json -- "$samples/hog" -n 100 -t 2000 -c 0
fine
h=$(said hog) p=$(said sleeper)
# on a CPU that others want, too, a task that wakes takes the place of one of them as often
least=$(awk -v cpus="$(nproc)" '{ print int(90 / (1 + $1 / cpus)) + 1 }' /proc/loadavg)
within "the hog's preemptions" "$least" 1000000 "$(ask "of(tid=$h)[0]['preempt_count']")"
expect "the hog never sleeps" 0 "$(ask "of(tid=$h)[0]['sleep_ns']")"
within "the sleeper's delays" 100 180 "$(ask "of(tid=$p)[0]['delay_count']")"
expect "who has the CPU" True "$(ask "of(tid=$h)[0]['run_ns'] > of(tid=$p)[0]['run_ns']")"
expect "names" "('hog', 'sleeper')" "$(ask "of(tid=$h)[0]['comm'], of(tid=$p)[0]['comm']")"

begin "one recording, five views: the same switches and waits in each"
run record -q -o trace.dat -a sched -a cpus -- "$samples/hog" -n 100 -t 2000 -c 0
fine
h=$(said hog) p=$(said sleeper)
"$ringside" report trace.dat --check >out 2>err || fail "--check: $(cat out err)"
for view in sched timehist cpus; do "$ringside" report trace.dat --view $view --json >$view || fail "report $view"; done
"$ringside" runqslower -i trace.dat -m 0 --json >runqslower || fail "runqslower"
"$ringside" runqlat -i trace.dat --by tid --json >runqlat || fail "runqlat"
for t in $h $p; do
	waits=$(ask "(lambda r: r['delay_count'] + r['preempt_count'])(of(tid=$t)[0])" sched)
	expect "runqslower's waits of $t" "$waits" "$(ask "len(of(tid=$t))" runqslower)"
	expect "runqlat's waits of $t" "$waits" "$(ask "sum(r['count'] for r in of(tid=$t))" runqlat)"
	expect "timehist's time on a CPU of $t" "$(ask "of(tid=$t)[0]['run_ns']" sched)" \
		"$(ask "sum(r['run_ns'] for r in of(tid=$t))" timehist)"
done
expect "the longest waits" "$(ask "[max(r['delay_max_ns'], r['preempt_max_ns'] or 0) for r in of(tid=$p)]" sched)" \
	"$(ask "[max(r['lat_ns'] for r in of(tid=$p))]" runqslower)"
expect "what a CPU did is within the recording" True \
	"$(ask "all(r['busy_ns'] + r['idle_ns'] + r['unknown_ns'] <= meta['to_ns'] - meta['from_ns'] for r in rows)" cpus)"

finish
