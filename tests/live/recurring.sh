#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# recurring.sh - who is kept waiting at regular times, rarely: no share of the time tells, the distances do
. "$(dirname "$0")/../lib/live.sh"
need_tracing

# Held for 200 ms and free for a second: each time the waiter comes too late once. A machine that is busy for most of a
# period may move one of them; then it is judged again.
begin "a lock that is held for 200 ms, again and again"
holds='holder: sleep 1000000, lock m, sleep 200000, unlock m' waits='waiter: lock m, unlock m, sleep 20000'
found() { ask "[r for r in rows if r['rule'] == 'recurring-wait' and r['victim'] == 'waiter']"; }
for _ in 1 2 3; do
	run findings --json --as-root -- "$samples/stage" -d 9 "$holds" "$waits"
	[ "$(found)" = '[]' ] || break
done
fine
expect "who is kept waiting, and by whom" "[('waiter', 'holder', 'lock')]" \
	"$(ask "[(r['victim'], r['culprit'], r['category']) for r in rows if r['rule'] == 'recurring-wait' and r['victim'] == 'waiter']")"
# seven of 1.2 s are in 9 s, and the first may have been seen from its middle on
within "times" 3 7 "$(ask "max(r['measured'] for r in rows if r['rule'] == 'recurring-wait') // 1000")"
expect "a sentence with the period" True "$(ask "any(__import__('re').search(r' every 1[0-9]{3} ms, ', r['text']) is not None for r in rows if r['rule'] == 'recurring-wait')")"

test="without regular distances there is none"
run findings --json --as-root -- "$samples/stage" -d 4 "$waits"
fine
expect "findings of a lock that is free" '[]' "$(found)"
finish
