#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# workqueues.sh - works that a program makes the kernel do: what it writes to a terminal goes through one each
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ -d $tracefs/events/workqueue/workqueue_queue_work ] || skip "this kernel has no workqueue events"

begin "a work for each byte on a terminal"
# the next byte is written when this one was read, so that no work serves two
run workqueues --json -- "$python" -c '
import os, tty
master, slave = os.openpty()
tty.setraw(slave)
for _ in range(200):
    os.write(master, b"x")
    os.read(slave, 1)
'
fine
expect "lost" 0 "$(ask "meta['lost']")"
flush="of(function='flush_to_ldisc')"
expect "rows" 1 "$(ask "len($flush)")"
within "queued" 200 201 "$(ask "$flush[0]['queued']")"
within "executed" 200 201 "$(ask "$flush[0]['executed']")"
expect "by" True "$(ask "$flush[0]['top_queuer'].startswith('python')")"
expect "workqueue" True "$(ask "bool($flush[0]['workqueue'])")"
expect "times make sense" True "$(ask "0 < $flush[0]['wait_avg_ns'] <= $flush[0]['wait_max_ns'] and 0 < $flush[0]['run_max_ns'] <= $flush[0]['run_total_ns']")"

begin "who waits for a work waits for who queued it"
run why --syscall read -m 150ms --json -- "$python" -c '
import os, time, tty
master, slave = os.openpty()
tty.setraw(slave)
if not os.fork():
    time.sleep(0.2)
    os.write(master, b"x")
    os._exit(0)
os.read(slave, 1)
'
fine
expect "lost" 0 "$(ask "meta['lost']")"
path="of(_view='critical-path')"
expect "functions" "[None, 'flush_to_ldisc', None]" "$(ask "[r['function'] for r in $path]")"
expect "its text" True "$(ask "$path[1]['text'].endswith('until ' + $path[2]['comm'] + ' queued that work')")"
expect "who queued it slept" "timer" "$(ask "$path[2]['part']")"

finish
