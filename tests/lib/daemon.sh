# SPDX-License-Identifier: GPL-2.0-or-later
# daemon.sh - what tests of the daemon share; to be sourced after live.sh and need_tracing
# shellcheck shell=bash disable=SC2034,SC2154
export PYTHONPATH=$root/tests/lib RINGSIDE_SOCKET=$tmp/run/socket
settings() { cat $tracefs/tracing_on $tracefs/trace_clock $tracefs/set_event $tracefs/buffer_size_kb; }
before=$(settings)

# start_daemon ARGUMENTS...: one that traces and serves, and keeps nothing; its pid in $daemon_pid
start_daemon() {
	rm -f daemon.err
	"$ringside" daemon --config "$tmp/none" --keep 0 "$@" >daemon.out 2>daemon.err </dev/null 7>&- 8<&- &
	daemon_pid=$!
	until grep -qs serving daemon.err; do
		[ -e /proc/$daemon_pid ] || { fail "no daemon: $(cat daemon.err)"; return 1; }
		sleep 0.02
	done
}
begin_daemon() { begin "$1"; shift; touch none; start_daemon "$@"; }
# end_daemon [SIGNAL]: it ends, and nothing stays
end_daemon() {
	kill -"${1:-TERM}" $daemon_pid
	wait $daemon_pid
	status=$?
	nothing_left $daemon_pid
}
no_files() { ! ls run/socket run/socket.lock 2>/dev/null; }
soon() { until_soon 10 quietly "$@" || fail "not soon: $*"; }
quietly() { "$@" >/dev/null; }
asked() { "$ringside" "$@" >out 2>err; status=$?; }
# as USER GROUP COMMAND...
# The program is a copy that they may run, wherever the checkout is; begin leaves it where it is.
copy=$tmp/.ringside
cp "$ringside" "$copy" && chmod 755 "$copy"
as() {
	local user=$1 group=$2
	shift 2
	[ "$1" != "$ringside" ] || set -- "$copy" "${@:2}"
	setpriv --reuid "$user" --regid "$group" --clear-groups "$@"
}
client() { "$python" -c "from client import *; import os; path = os.environ['RINGSIDE_SOCKET']
$1"; }
