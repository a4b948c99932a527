#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# connections.sh - TCP of the running kernel: each connection, attempt and segment that is sent again, as it is known to be made
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ -d $tracefs/events/sock/inet_sock_set_state ] || skip "this kernel has no sock:inet_sock_set_state"
[ -d $tracefs/events/sock/sock_send_length ] || messages=no

for version in 4 6; do
	begin "both sides of each connection, IPv$version"
	run connections --json --by side,comm,pid,remote,state -- "$samples/tcp" -n 20 -m 5 -s 300 -v $version
	fine
	[ "${messages-}" = no ] || expect "connections, bytes" \
		"[('client', 'tcp-client', $(said client), 20, 30000, 60000), ('server', 'tcp-server', $(said server), 20, 60000, 30000)]" \
		"$(ask "sorted((r['side'], r['comm'], r['pid'], r['connections'], r['sent_bytes'], r['received_bytes']) for r in rows)")"
	address=127.0.0.1
	[ $version = 4 ] || address=::1
	expect "addresses" "{'$address'}" "$(ask "{r['remote'] for r in rows}")"
	expect "states" "{'CLOSED'}" "$(ask "{r['state'] for r in rows}")"
done

begin "attempts: connected, refused; whose resets they are"
run tcpconnect --json -- "$samples/tcp" -n 30 -a 7
fine
expect "connected" 30 "$(ask "len([r for r in rows if r['result'] == 'connected' and r['remote_port'] == $(said port) and r['pid'] == $(said client)])")"
expect "refused" 7 "$(ask "len([r for r in rows if r['error'] == 'ECONNREFUSED' and r['remote_port'] == $(said nobodys) and r['pid'] == $(said client)])")"
expect "others" 0 "$(ask "len(rows) - 37")"
run connections --json --by side,reset -- "$samples/tcp" -n 12 -r 5
fine
expect "resets" "[('client', '-', 7), ('client', 'local', 5), ('server', '-', 7), ('server', 'peer', 5)]" \
	"$(ask "sorted((r['side'], r['reset'] or '-', r['connections']) for r in rows)")"

begin "an answer that takes 50 ms, of a recording"
"$ringside" record -q -o x.dat -a connections,exchanges -- "$samples/tcp" -n 3 -m 2 -d 50 >did 2>err || fail "no recording: $(cat err)"
if [ "${messages-}" != no ]; then
	"$ringside" requests -i x.dat --json >out 2>err || fail "$(cat err)"
	expect "requests" "[('client', 'tcp-client', 'tcp-server', 6, 600, 1200), ('server', 'tcp-server', 'tcp-client', 6, 600, 1200)]" \
		"$(ask "sorted((r['side'], r['comm'], r['peer_comm'], r['requests'], r['request_bytes'], r['response_bytes']) for r in rows)")"
	expect "the server has them for 50 ms, and the client waits as long" True \
		"$(ask "all(r['p50_ns'] >= 50e6 for r in rows) and all(50e6 <= r['served_avg_ns'] <= r['avg_ns'] for r in of(side='client'))")"
fi
"$ringside" connections -i x.dat --json >out 2>err || fail "$(cat err)"
expect "ages are at least that" 3 "$(ask "len([r for r in rows if r['side'] == 'client' and r['age_ns'] > 100e6 and r['connect_ns'] < r['age_ns']])")"

begin "a queue of two, and six that want to be in it: as many attempts are dropped as the kernel counts"
"$ringside" record -q -o x.dat -a tcpaccept,netlat -- unshare -n bash -c "ip link set lo up; '$samples/tcp' -n 6 -q 500; nstat -asz TcpExtListenOverflows >nstat" \
	>did 2>err || fail "no recording: $(cat err)"
"$ringside" listeners -i x.dat --json >out 2>err || fail "$(cat err)"
mine="of(local_port=$(said port))"
expect "dropped" "$(awk '$1 == "TcpExtListenOverflows" { print $2 }' nstat)" "$(ask "$mine[0]['overflows']")"
expect "the queue" "(1, 6, 2)" "$(ask "[(r['backlog'], r['accepts'], r['waiting_max']) for r in $mine][0]")"
"$ringside" tcpaccept -i x.dat --json >out 2>err || fail "$(cat err)"
expect "the first two were in it for 500 ms" "[True, True]" "$(ask "[500e6 <= r['queue_ns'] < 5e9 for r in rows if r['local_port'] == $(said port)][:2]")"

if [ -d $tracefs/events/tcp/tcp_probe ] && [ "${messages-}" != no ] && command -v ss >/dev/null; then
	begin "round-trip time, window and bytes are those of ss -ti"
	cat >ss.py <<'END'
import os, re, socket, subprocess
listens = socket.create_server(("127.0.0.1", 0))
if not os.fork():
    s = listens.accept()[0]
    while s.recv(1000, socket.MSG_WAITALL): s.sendall(b"x" * 2000)
    os._exit(0)
c = socket.create_connection(listens.getsockname())
def exchange():
    c.sendall(b"x" * 1000)
    c.recv(2000, socket.MSG_WAITALL)
for i in range(40): exchange() # the first segments are acknowledged at once, the later ones by the answer
ss = subprocess.run(["ss", "-tinH", f"sport = {c.getsockname()[1]}"], capture_output=True, text=True).stdout
exchange() # the event of its answer comes before that is taken into account
rtt, cwnd, sent, received = (re.search(" " + what + r":([0-9.]+)", ss)[1] for what in ("rtt", "cwnd", "bytes_sent", "bytes_received"))
with open(os.environ["SAMPLE_OUT"], "w") as did:
    print(f"port={c.getsockname()[1]} is={round(float(rtt) * 1e6)},{cwnd},{int(sent) + 1000},{int(received) + 2000}", file=did)
END
	run record -q -o x.dat -a connections -e tcp:tcp_probe -- "$python" ss.py
	"$ringside" connections -i x.dat --json >out 2>err || fail "$(cat err)"
	expect "rtt, cwnd, bytes" "$(said is)" "$(ask "','.join(str(of(local_port=$(said port))[0][k]) for k in ('rtt_ns', 'cwnd', 'sent_bytes', 'received_bytes'))")"
fi

begin "open ones are shown, quiet or not"
hold tcp -n 1 -m 40 -d 50
start connections --json -I 0.3 -p "$sample_pid"
exec 9>&-
until_soon 8 grep -q '"state":"ESTAB"' out || fail "no open connection: $(cat out)"
wait $sample_job
end
fine
finish
