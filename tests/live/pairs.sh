#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# pairs.sh - pairs of events live: those that are known are turned on by themselves, and each timer that was armed is one
#
# The kernel keeps the timer of a sleep on the sleeper's stack (16 KiB, and where in it is left to chance).
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing

begin "each timer of a sleeper, of pairs that nobody named"
start pairs --own --by key --json
sample sleeper -n 300 -t 300 >did
end
fine
expect "lost" 0 "$(ask "meta['lost']")"
python3 - <<'PY' >stacks
import collections, json
stacks = collections.Counter()
for line in open("out"):
    r = json.loads(line)
    if r.get("pair") == "hrtimer_expire_entry-hrtimer_expire_exit" and r["key"]:
        stacks[int(r["key"].split("=")[1], 16) >> 14] += r["count"]
# who had the stack before may have slept on it, too
print(sum(300 <= n < 310 for n in stacks.values()), stacks.most_common(5))
PY
grep -q '^1 ' stacks || fail "a stack with 300 timers: $(cat stacks)"

begin "what a CPU does is no task's, ours neither"
start pairs hrtimer_expire_entry hrtimer_expire_exit --own --by tid --json
sample sleeper -n 300 -t 300 >did
end
fine
expect "tasks" "[None]" "$(ask "[r['tid'] for r in rows]")"
[ "$(ask 'rows[0]["count"]')" -ge 300 ] || fail "of 300 timers $(ask 'rows[0]["count"]')"
finish
