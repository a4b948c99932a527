#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sockets.sh - waits on the running kernel name their socket: of a connect that is seen, and of a descriptor that is looked up
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ -d $tracefs/events/sock/inet_sock_set_state ] || skip "this kernel has no sock:inet_sock_set_state"

begin "an answer that takes 50 ms: the client's wait has the server's address and port"
run offcpu --by comm,syscall,socket --json -- "$samples/tcp" -n 1 -m 3 -d 50
fine
named() { # named WHAT: of each row of the client that names the server's end
	ask "sorted($1 for r in rows if r['comm'] == 'tcp-client' and (r['socket'] or '').endswith('->127.0.0.1:$(said port)]'))"
}
expect "waits of 50 ms, by connection" "[(3, True)]" "$(named "(r['count'], 150e6 <= r['total_ns'] < 1e9)")"
# one connection: of two handshakes that end at once it is not known which one is accepted, until a use tells
expect "the server's waits for a request name what it has accepted" True \
	"$(ask "True in {(r['socket'] or '').startswith('TCP:[127.0.0.1:$(said port)->') for r in rows if r['comm'] == 'tcp-server' and r['syscall'] == 'recvfrom'}")"

begin "the same of a recording"
"$ringside" record -q -o x.dat -- "$samples/tcp" -n 2 -m 3 -d 50 >did 2>err || fail "no recording: $(cat err)"
"$ringside" offcpu -i x.dat --by comm,socket --json >out 2>err || fail "$(cat err)"
expect "waits, by connection" "[3, 3]" "$(named "r['count']")"

begin "a peer that reads only after 400 ms: its sender waits for room in the send buffer; bytes are those of calls"
cat >late.py <<'EOF'
import os, socket, time
s = socket.create_server(("127.0.0.1", 0))
parent = os.fork()
if parent:
    c = socket.create_connection(s.getsockname())
    c.sendall(bytes(16 << 20))
    c.close()
    os.wait()
else:
    c = s.accept()[0]
    time.sleep(0.4)
    while c.recv(1 << 20):
        pass
EOF
"$ringside" record -q -o late.dat -- "$python" late.py >did 2>err || fail "no recording: $(cat err)"
"$ringside" connections -i late.dat --json >out 2>err || fail "$(cat err)"
ends() { # ends WHAT: of both ends of the connection, the client's first
	ask "[$1 for r in sorted(rows, key=lambda r: r['side'] or '') if r['sent_bytes'] == 16 << 20 or r['received_bytes'] == 16 << 20]"
}
expect "bytes" "[('client', 16777216, 0), ('server', 0, 16777216)]" "$(ends "(r['side'], r['sent_bytes'], r['received_bytes'])")"
expect "waits of 300 ms or longer in calls that send" "[True, False]" "$(ends "r['wait_send_ns'] >= 300e6")"

begin "event loops: an answer that takes 50 ms; the client's polls and the server's name their connection, and the client's wait for the peer"
cat >loops.py <<'END'
import os, selectors, socket, time
listens = socket.create_server(("127.0.0.1", 0))
listens.setblocking(False)
def loop(of, act):
    s = selectors.EpollSelector()
    s.register(of, selectors.EVENT_READ)
    while act(s, s.select()[0][0].fileobj): pass
def serve(s, k):
    if k is listens:
        k = listens.accept()[0]
        k.setblocking(False)
        s.register(k, selectors.EVENT_READ)
        return True
    if data := k.recv(100):
        time.sleep(0.05)
        k.send(data)
    return data
def ask(s, k):
    global left
    k.recv(100)
    left -= 1
    return left and k.send(b"x")
if not os.fork():
    open("/proc/self/comm", "w").write("loop-server")
    loop(listens, serve)
    os._exit(0)
open("/proc/self/comm", "w").write("loop-client")
left = 5
c = socket.create_connection(listens.getsockname())
c.setblocking(False)
c.send(b"x")
loop(c, ask)
c.close()
os.wait()
END
"$ringside" record -q -o loops.dat -- "$python" loops.py >did 2>err || fail "no recording: $(cat err)"
polls() { # polls COMM WHAT: of its polls that name the connection
	ask "sorted($2 for r in rows if r['comm'] == '$1' and r['syscall'] == 'epoll_wait' and '->' in (r['socket'] or ''))"
}
"$ringside" offcpu -i loops.dat --by comm,syscall,cause,socket --json >out 2>err || fail "$(cat err)"
expect "the client" "[('sleep', 5, True)]" "$(polls loop-client "(r['cause'], r['count'], r['total_ns'] >= 250e6)")"
expect "the server, which does not wait for what is there already" "['idle']" "$(polls loop-server "r['cause']")"
"$ringside" why -i loops.dat -c loop-client --by part --json >out 2>err || fail "$(cat err)"
expect "the parts" "(5, True)" "$(ask "[(r['count'], r['total_ns'] >= 250e6) for r in rows if r.get('part') == 'socket'][0]")"

begin "a connection that is older than the trace, by a look-up"
hold tcp -n 1 -m 60 -d 50
start offcpu --by comm,socket --json -I 0.5 -p "$sample_pid"
exec 9>&-
until_soon 8 grep -q '"socket":"TCP:\[127.0.0.1:' out || fail "no socket: $(cat out)"
wait $sample_job
end
fine
# Of the interval in which a socket is looked up it is not known what went over it before.
begin "Unix sockets: who is at both ends, and what went over them; the inodes are those that ss shows"
need_commands ss
cat >unix.py <<'END'
import os, socket, subprocess, time
server = socket.socket(socket.AF_UNIX)
server.bind("x.sock")
server.listen(1)
named, pair = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
named.bind("d.sock")
me, child = os.getpid(), os.fork()
if not child:
    open("/proc/self/comm", "w").write("unix-server")
    s = server.accept()[0]
    while s.recv(100):
        s.send(b"x" * 200)
        pair[1].recv(100)
        pair[1].send(b"x" * 70)
        named.recv(100)
    os._exit(0)
open("/proc/self/comm", "w").write("unix-client")
c = socket.socket(socket.AF_UNIX)
c.connect("x.sock")
to_named = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
to_named.connect("d.sock")
def ask():
    c.send(b"x" * 100)
    c.recv(200)
    pair[0].send(b"x" * 50)
    pair[0].recv(100)
    to_named.send(b"x" * 30)
for i in range(20): # until it is looked up, however busy the machine is
    ask()
    time.sleep(0.1)
time.sleep(1.5)
for i in range(50): ask()
ino = os.fstat(c.fileno()).st_ino
ss = [line.split() for line in subprocess.run(["ss", "-xH"], capture_output=True, text=True).stdout.splitlines()]
peer = [w[7] for w in ss if w[5] == str(ino)][0]
with open(os.environ["SAMPLE_OUT"], "w") as did: # the path with its spaces is the last
    one, other, to = (os.fstat(k.fileno()).st_ino for k in (*pair, to_named))
    print(f"client={me} server={child} ino={ino} one={one} other={other} to={to} path={[w[4] for w in ss if w[5] == peer][0]}", file=did)
END
run connections --json -I 1 --by connection,side,comm,pid,local,remote,protocol,peer_pid -- "$python" unix.py
fine
expect "both ends" "[('client', 'unix-client', $(said client), '[$(said ino)]', '$(said path)', $(said server)), ('server', 'unix-server', $(said server), '$(said path)', '[$(said ino)]', $(said client))]" \
	"$(ask "sorted({(r['side'], r['comm'], r['pid'], r['local'], r['remote'], r['peer_pid']) for r in of(protocol='unix') if 'x.sock' in (r['local'], r['remote']) and r['peer_pid']})")"
known="[r for r in of(protocol='unix', side=side) if 'x.sock' in (r['local'], r['remote']) and r['sends'] is not None]"
expect "messages" "[True, True]" "$(ask "[50 <= sum(r['sends'] for r in $known) <= 70 for side in ('client', 'server')]")"
expect "bytes" "[True, True]" "$(ask "[all(r['sent_bytes'] == r['sends'] * size for r in $known) for side, size in (('client', 100), ('server', 200))]")"
# a pair of datagrams has two ends, and who is connected to a name one: what is bound to it is connected to nobody
ends="('[$(said one)]', '[$(said other)]', '[$(said to)]')"
expect "ends of datagrams" "[('unix-client', '[$(said one)]', '[$(said other)]'), ('unix-client', '[$(said to)]', 'd.sock'), ('unix-server', '[$(said other)]', '[$(said one)]')]" \
	"$(ask "sorted({(r['comm'], r['local'], r['remote']) for r in of(protocol='unix') if r['local'] in $ends})")"
# known once both ends were looked up
expect "their peers" "[('[$(said one)]', $(said server)), ('[$(said other)]', $(said client))]" \
	"$(ask "sorted({(r['local'], r['peer_pid']) for r in of(protocol='unix') if r['local'] in $ends and r['peer_pid']})")"
known="[r for r in of(protocol='unix', local=local) if r['sends'] is not None]"
expect "datagrams" "[True, True, True]" "$(ask "[50 <= sum(r['sends'] for r in $known) <= 70 for local in $ends]")"
expect "bytes of datagrams" "[True, True, True]" "$(ask "[all((r['sent_bytes'], r['received_bytes']) == (r['sends'] * sends, r['receives'] * receives) for r in $known) for local, sends, receives in (($ends[0], 50, 70), ($ends[1], 70, 50), ($ends[2], 30, 0))]")"
begin "recordings of two machines: each end names the task at the other one"
need_commands ip
cat >pair.py <<'END'
import os, socket, time
s = socket.create_server(("10.9.0.2", 5432))
server = os.fork()
if server:
    open("/proc/self/comm", "w").write("shop")
    c = socket.create_connection(("10.9.0.2", 5432), source_address=("10.9.0.1", 0))
    for i in range(4): c.send(b"ask"), c.recv(100)
    print(f"shop={os.getpid()} db={server}")
else:
    open("/proc/self/comm", "w").write("db")
    a = s.accept()[0]
    while a.recv(100):
        time.sleep(0.02)
        a.send(b"answer")
END
unshare -n bash -c 'ip link set lo up && ip addr add 10.9.0.1/32 dev lo && ip addr add 10.9.0.2/32 dev lo && exec "$@"' pair \
	"$ringside" record -q -o pair.dat -a connections,exchanges,critical-path -- "$python" pair.py >did 2>err || fail "no recording: $(cat err)"
"$root/tests/lib/one_end.py" pair.dat one 10.9.0.1 10.9.0.2 && "$root/tests/lib/one_end.py" pair.dat other 10.9.0.2 10.9.0.1
"$python" "$root/tests/lib/put_options.py" one host.dat trace_id=5 guest=web,77,1,413
"$python" "$root/tests/lib/put_options.py" other guest.dat trace_id=77 host_id=5 time_shift=1:0,0,1,0/0,0,1,0
both() { "$ringside" report host.dat guest.dat --json "$@" >out 2>err || fail "$(cat err)"; }
both --view connections --by connection,comm,peer_comm,peer_pid,peer_machine
host="$(ask 'rows[0]["_machine"]')"
expect "connections" "[('db', 'shop', $(said shop), '$host'), ('shop', 'db', $(said db), 'web')]" \
	"$(ask "sorted((r['comm'], r['peer_comm'], r['peer_pid'], r['peer_machine']) for r in rows if r['peer_machine'])")"
both --view offcpu --by comm,socket
expect "waits" "[('db', 'shop ($(said shop)) on $host'), ('shop', 'db ($(said db)) on web')]" "$(ask "sorted({(r['comm'], r['peer']) for r in rows if r['peer']})")"
both --view requests
expect "requests" "[('client', 'db', 'web', 4), ('server', 'shop', '$host', 4)]" \
	"$(ask "sorted((r['side'], r['peer_comm'], r['peer_machine'], r['requests']) for r in rows if r['peer_machine'])")"
finish
