#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# session-nice.sh - the kernel shares CPUs among sessions first: a capture that has one to itself raises it, no other is raised
#
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ "$(cat /proc/sys/kernel/sched_autogroup_enabled 2>/dev/null)" = 1 ] || skip "this kernel does not group tasks by session"

nice_of() { sed 's/.*nice //' "/proc/$1/autogroup" 2>/dev/null; }
is_raised() { [ "$(nice_of "$1")" = -10 ]; }

begin "a capture that leads its session"
setsid "$ringside" sched -d 3 >out 2>err </dev/null & captor=$!
until_soon 3 is_raised $captor || fail "its session: nice $(nice_of $captor)"
wait $captor

begin "a capture in the session of others"
before=$(nice_of self)
"$ringside" sched -d 1 >out 2>err </dev/null & captor=$!
tracing $captor || fail "nothing is captured: $(cat err)"
expect "this session" "$before" "$(nice_of $captor)"
wait $captor

begin "a capture that leads its session and launches a command"
setsid "$ringside" sched -- sleep 1 >out 2>err </dev/null & captor=$!
tracing $captor || fail "nothing is captured: $(cat err)"
expect "its session" 0 "$(nice_of $captor)"
wait $captor

finish
