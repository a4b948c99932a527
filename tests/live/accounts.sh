#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# accounts.sh - run and wait of tasks are within 1 % of what the kernel's own books, /proc/PID/schedstat, say
# Only where the kernel tells of every switch: where it leaves some out, ringside's bounds are bounds.
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ -r /proc/self/schedstat ] || skip "this kernel keeps no /proc/PID/schedstat"

# A wait begins at sched_waking, the kernel's books a moment later, when the task is queued: nothing on a CPU, up to 0.1 ms of
# one that is emulated instruction by instruction.
early_ns=0
grep -q "QEMU" /proc/cpuinfo && early_ns=100000

# books: each task that told against its row; best holds how near each number came in any attempt so far
books() {
	"$python" - out did best "$early_ns" <<'PY'
import json, os, re, sys
rows = {}
for line in open(sys.argv[1]):
    row = json.loads(line)
    if "_meta" not in row:
        rows[row["tid"]] = row
told = [dict(re.findall(r"(\w+)=(\S+)", line)) for line in open(sys.argv[2])]
best = json.load(open(sys.argv[3])) if os.path.exists(sys.argv[3]) else {}
bad = len(told) != 4
for t in told:
    r = rows.get(int(t["tid"]))
    if not r or r["comm"] != t["name"]:
        print("%s: %r" % (t["name"], r))
        bad = True
        continue
    waited = r["delay_total_ns"] + r["preempt_total_ns"]
    for what, got, books in (("run", r["run_ns"], int(t["run_ns"])), ("wait", waited, int(t["wait_ns"]))):
        early = int(sys.argv[4]) * int(t["times"]) if what == "wait" else 0
        off = 100 * max(0, abs(got - books) - early) / books
        print("%-9s %-5s ringside %11d ns, the kernel %11d ns: %.3f %% off" % (t["name"], what, got, books, off))
        key = t["name"] + " " + what
        best[key] = min(off, best.get(key, 100))
        bad |= best[key] > 1
    print("%-9s switch-ins: ringside %d, the kernel %s" % (t["name"], r["switches"], t["times"]))
    bad |= not 0 <= r["switches"] - int(t["times"]) <= 20 # after it has read its books it still has to end
json.dump(best, open(sys.argv[3], "w"))
sys.exit(bad)
PY
}

begin "tasks that share a CPU, from their birth to nearly their end"
# A guest may lose its CPU at any moment, between the event and the clock of the books too: chance puts a number off in
# one attempt, an error of ours in each.
for attempt in 1 2 3 4 5; do
	run record -q -o trace.dat -a sched -- "$samples/accounts" -t 2000 -c 0
	fine
	"$ringside" report trace.dat --check >invariants 2>&1 || fail "--check: $(cat invariants)"
	"$ringside" report trace.dat --view sched --json >out 2>err || fail "report: $(cat err)"
	inferred=$(ask "sum(r['inferred'] for r in rows)")
	[ "$inferred" != 0 ] && [ $failed = 0 ] && skip "this kernel leaves switches out of its trace ($inferred here)"
	expect "lost" 0 "$(ask "meta['lost']")"
	books && break
	[ $attempt != 5 ] || fail "the kernel's books say otherwise"
done

finish
