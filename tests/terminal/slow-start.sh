#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slow-start.sh - an engine that answers late is waited for, keys work meanwhile; a daemon that comes again is used again
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$PATH
screen_open 20 120

touch none
start_daemon
test="a daemon that stands still: q leaves, and what was typed before is not left for the shell"
kill -STOP "$daemon_pid"
screen_type "clear; ringside tui; echo status \$?"
screen_wait '^ ringside  starting *$'
screen_wait '^ ringside  starting, the machine is busy' 5
screen_keys -l 'echo typed'
screen_keys q q q
screen_wait '^status 0' 5
screen_wait '^ready> *$'
screen_text | grep -E 'typed|q' && fail "keys went to the shell"

test="it goes on: what was typed is for the first screen"
screen_type "clear; ringside tui; echo status \$?"
screen_wait '^ ringside  starting, the machine is busy' 5
screen_keys t
kill -CONT "$daemon_pid"
screen_wait ' overview .+ timeline '

test="a daemon that begins anew"
kill -9 "$daemon_pid"
screen_wait 'overview .+ timeline .*THE DAEMON HAS GONE, waiting for it'
wait "$daemon_pid" 2>/dev/null
start_daemon
screen_wait 'the daemon has begun anew'
screen_wait ' overview .+ timeline .* live '
screen_keys o
screen_wait '^CPUs '
end_daemon

test="another daemon than before: it begins with what that one offers"
start_daemon -a execsnoop
screen_wait 'it offers other views'
screen_wait ' overview .* live '
screen_keys q
screen_wait '^status 0' 5
end_daemon
test="an engine that takes its time to end: the terminal is ours until it has"
screen_type "clear; ringside tui $root/tests/traces/debian-6.1-amd64-v6.dat; echo status \$?"
screen_wait '^Disks '
engine_pid=$(pgrep -P "$(pgrep -P "$(screen_is '#{pane_pid}')" -x ringside)")
kill -STOP "$engine_pid"
screen_keys q
screen_wait 'ending, the machine is busy' 5
screen_keys -l 'echo later'
sleep 0.2
kill -CONT "$engine_pid"
screen_wait '^status 0' 5
screen_wait '^ready> *$'
screen_text | grep later && fail "keys went to the shell"
screen_close
finish
