#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timers.sh - timers that a program sets: as many as it says, none earlier than it asked for
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ -d $tracefs/events/timer/hrtimer_start ] || skip "this kernel has no timer events"

begin "a timer for each sleep"
run timers --json -- "$samples/sleeper" -n 300 -t 2000
fine
expect "lost" 0 "$(ask "meta['lost']")"
mine="of(comm='sleeper', kind='hrtimer', function='hrtimer_wakeup')"
expect "rows" 1 "$(ask "len($mine)")"
expect "set" 300 "$(ask "$mine[0]['starts']")"
expect "expired" 300 "$(ask "$mine[0]['expirations']")"
expect "canceled" 0 "$(ask "$mine[0]['cancels']")"
expect "times make sense" True "$(ask "0 < $mine[0]['late_avg_ns'] <= $mine[0]['late_max_ns'] and $mine[0]['late_p99_ns'] <= $mine[0]['late_max_ns']")"
expect "others' without --system" "[]" "$(ask "[r for r in rows if r['comm'] not in ('sleeper', 'ringside')]")"

begin "an itimer"
run timers --json -- "$python" -c '
import signal
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.02)
signal.pause()
'
fine
itimer="of(kind='itimer', function='ITIMER_REAL')"
expect "rows" 1 "$(ask "len($itimer)")"
expect "set" 1 "$(ask "$itimer[0]['starts']")"
expect "expired" 1 "$(ask "$itimer[0]['expirations']")"

finish
