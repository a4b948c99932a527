#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# daemon-memory.sh - a daemon whose window is full does not grow with each task that has come and gone
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
[[ ${build##*/} != build-* ]] || skip "a sanitizer keeps what was freed"

anon_kib() { awk '/^RssAnon:/ { print $2 }' /proc/$daemon_pid/status; }
# so many tasks: processes with nine threads each
churn() { for _ in $(seq $(($1 / 1000))); do sample spawn -p 100 -t 9 >/dev/null; done; }

begin_daemon "tasks that no page of the window knows are forgotten" --window 4M
churn 10000
before=$(anon_kib)
# how many there are in a second differs, so what is kept for reuse still grows; a task that stays takes 2.3 KiB: 40 MiB
churn 18000
after=$(anon_kib)
within "KiB after 18,000 tasks more" 0 $((before + 20480)) "$after"
echo "$before KiB, then $after KiB"
end_daemon
expect "the daemon's exit status" 0 $status
finish
