#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sockets.sh - waits on the running kernel name their socket: of a connect that is seen, and of a descriptor that is looked up
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ -d $tracefs/events/sock/inet_sock_set_state ] || skip "this kernel has no sock:inet_sock_set_state"

begin "an answer that takes 50 ms: the client's wait has the server's address and port"
run offcpu --by comm,socket --json -- "$samples/tcp" -n 2 -m 3 -d 50
fine
named() { # named WHAT: of each row of the client that names the server's end
	ask "sorted($1 for r in rows if r['comm'] == 'tcp-client' and (r['socket'] or '').endswith('->127.0.0.1:$(said port)]'))"
}
expect "waits of 50 ms, by connection" "[(3, True), (3, True)]" "$(named "(r['count'], 150e6 <= r['total_ns'] < 1e9)")"
expect "the server's waits for a request name what it has accepted" True \
	"$(ask "{(r['socket'] or '').startswith('TCP:[127.0.0.1:$(said port)->') for r in rows if r['comm'] == 'tcp-server' and r['syscall'] == 'recvfrom'} == {True}")"

begin "the same of a recording"
"$ringside" record -q -o x.dat -- "$samples/tcp" -n 2 -m 3 -d 50 >did 2>err || fail "no recording: $(cat err)"
"$ringside" offcpu -i x.dat --by comm,socket --json >out 2>err || fail "$(cat err)"
expect "waits, by connection" "[3, 3]" "$(named "r['count']")"

begin "a connection that is older than the trace, by a look-up"
hold tcp -n 1 -m 60 -d 50
start offcpu --by comm,socket --json -I 0.5 -p "$sample_pid"
exec 9>&-
until_soon 8 grep -q '"socket":"TCP:\[127.0.0.1:' out || fail "no socket: $(cat out)"
wait $sample_job
end
fine
finish
