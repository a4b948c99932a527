#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# labs.sh - the programs of docs/labs do what their pages say, and ringside counts it
. "$(dirname "$0")/../lib/live.sh"
need_tracing
labs=$samples/labs
rounds() { sed -n "s/^name=$1 .*rounds=//p" did; }

begin "1: the spinner stands on the player's CPU five times a second, for 60 ms each"
# What the page shows of antagonists. Its finding follows on a quiet machine only: on a busy one others take more.
run antagonists --json -c player --as-root -- "$labs/1-stutter" 2
fine
took="sum(r['total_ns'] for r in of(part='run queue', culprit='spinner')) // 1000000"
within "milliseconds that the spinner took" $(($(rounds spinner) * 20)) $((($(rounds spinner) + 2) * 90)) "$(ask "$took")"

begin "2: as many tasks, and a fault for each page"
for kind in threads processes; do
	run faults --json --by comm -- "$labs/2-hundred" -n 20 -r 10 -k 8 $kind
	fine
	expect "$kind: pages" 1600 "$(said touched)"
	within "$kind: faults" 1600 "$(said faults)" "$(ask "of(comm='2-hundred')[0]['user']")"
done

begin "3: two calls for each block; through memory, none"
run syscall-latency --json --by comm,syscall -- "$labs/3-copy" -m 1 -b 1024 read
fine
within "reads: a block each, the end, and the loader's" 1025 1040 "$(ask "of(comm='3-copy', syscall='read')[0]['calls']")"
within "writes: a block each, 1 for the file, and its line" 1025 1026 "$(ask "of(comm='3-copy', syscall='write')[0]['calls']")"
run syscall-latency --json --by comm,syscall -- "$labs/3-copy" -m 1 -b 1024 mmap
fine
within "writes of the copy through memory: the file's and its line" 1 2 "$(ask "of(comm='3-copy', syscall='write')[0]['calls']")"

begin "4: one waits for a CPU, because of the other on it"
run why --json --by comm,part,culprit -c solver -- "$labs/4-disk-or-cpu" 1 "$tmp/data"
fine
expect "in the run queue solver waits for indexer, more than for logger" indexer \
	"$(ask "max((r for r in rows if r.get('part') == 'run queue' and r['culprit'] in ('indexer', 'logger')), key=lambda r: r['total_ns'])['culprit']")"

begin "5: who sent which signal to whom, and who died of it where"
run signals --json -- "$labs/5-segv"
fine
sent() { ask "[(r['comm'], r['via']) for r in rows if r.get('signal') == '$1' and r['to_tid'] == $2]"; }
expect "SIGSEGV" "[('parser', 'kernel')]" "$(sent SIGSEGV "$(said parser)")"
expect "SIGABRT" "[('checker', 'tgkill')]" "$(sent SIGABRT "$(said checker)")"
expect "SIGTERM" "[('5-segv', 'kill')]" "$(sent SIGTERM "$(said server)")"
run findings --json -- "$labs/5-segv"
fine
expect "findings" "[('parser', True), ('checker', True)]" \
	"$(ask "sorted(((r['victim'], 'SIG' in r['cause']) for r in rows if r['rule'] == 'crash'), reverse=True)")"

finish
