#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# daemon-faults.sh - clients that misbehave, and processes that are killed or stopped: capture goes on, nothing stays
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
need_commands pgrep
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
trap 'exec 9>&-; clean_up' EXIT

lost() { asked status --json; ask 'rows[0]["lost"]'; }
events() { asked status --json; ask 'rows[0]["events"]'; }
alive() { # of these processes those that live
	for p in "$@"; do grep -qs '^State:.[^Z]' "/proc/$p/status" && echo "$p"; done
}
dead() { [ -z "$(alive "$@")" ]; }

# Buffers of some seconds: the load beside the tests loses nothing, an engine that waits for a client does.
begin_daemon "ten clients" --group daemon -b 8192
client '
clients = [Client(path) for i in range(10)]
for turn in range(20):
    for c in clients:
        c.begin("state")
        c.begin("rows", view="syscall-latency", limit=5)
    for c in clients:
        for nr in (c.id - 1, c.id):
            r = c.answer(nr)
            assert r["ok"], r
print(clients[0].ask("status")["clients"])' >said 2>&1
expect "clients" 10 "$(cat said)"

test="clients that say nothing, as many as there is room for"
client '
import os, time
os.setgid(1), os.setuid(65534)
silent = []
refused = 0
for i in range(100):
    c = Client(path, hello=False)
    try:
        said = c.hear(0.05)
        refused += said is not None and said.get("event") == "failed" and "as many as one may have" in said["error"]
    except Exception:
        silent.append(c)
print("let in", len(silent), "told why not", refused, flush=True)
time.sleep(2)
print("dropped", sum(c.gone(8) for c in silent))' >said 2>&1 &
crowd=$!
let_in() { grep "^let in" said; }
soon let_in
asked status
fine # root gets in beside them
wait $crowd
expect "of one user" "let in 32 told why not 68" "$(sed -n 1p said)"
expect "after five seconds" "dropped 32" "$(sed -n 2p said)"

test="one that never reads"
before_events=$(events)
fds_before=$(ls /proc/$daemon_pid/fd | wc -l)
client '
deaf = Client(path)
deaf.socket.setblocking(False)
other = Client(path)
def flood():
    for i in range(100000):
        try:
            deaf.begin("hello", protocol=1)
        except (BlockingIOError, BrokenPipeError, ConnectionResetError):
            return
flood()
for i in range(5):
    assert other.ask("state")["ok"]
print("served")' >said 2>&1
expect "the others" "served" "$(cat said)"
client '
# what it was asked for is more than may wait for it: it is dropped though it only sleeps
import time
deaf = Client(path)
for i in range(32):
    deaf.begin("hello", protocol=1)
time.sleep(13)
assert Client(path).ask("state")["ok"]
print("clients", Client(path).ask("status")["clients"])' >said 2>&1
finds "^clients [123]$" said

test="one that sends noise"
client '
import os, random, socket, struct
random.seed(7)
def refused(what, *frames, hello=True):
    c = Client(path, hello)
    try:
        for f in frames:
            c.send(f) if isinstance(f, bytes) else c.frame(f)
    except (BrokenPipeError, ConnectionResetError):
        return
    if not c.gone():
        print("not dropped:", what)
def answered(what, code, **request):
    r = Client(path).ask(**request)
    if r is None or r["ok"] or r["code"] != code:
        print("not", code, what, r)
refused("a length beyond all bounds", struct.pack(">I", 0xffffffff))
refused("one more than a request may have", struct.pack(">I", 65537))
refused("no JSON", struct.pack(">I", 4) + b"\xff\xfe{}")
refused("an array", struct.pack(">I", 2) + b"[]")
refused("nothing", struct.pack(">I", 0))
deep = b"[" * 40 + b"]" * 40
refused("too deep", struct.pack(">I", len(deep)) + deep)
nested = b"{\"id\":1,\"op\":\"state\",\"x\":" + b"[" * 20 + b"]" * 20 + b"}"
refused("too deep inside", struct.pack(">I", len(nested)) + nested)
refused("no hello", {"id": 1, "op": "state"}, hello=False)
refused("another protocol first", {"id": 1, "op": "nothing"}, hello=False)
for bad in (0, -1, 1.5, 2 ** 40, "seven", None, [1]):
    refused("id %r" % (bad,), {"id": bad, "op": "state"})
answered("an unknown request", "usage", op="frobnicate")
answered("a number as op", "usage", op=7)
answered("no view", "usage", op="rows")
answered("a view that is none", "usage", op="rows", view="x" * 60000)
answered("a limit", "usage", op="rows", view="sched", limit=-1)
answered("trace", "usage", op="trace", set="perhaps")
answered("trace", "usage", op="trace", events=[1])
answered("trace", "usage", op="trace", events={"sched:sched_switch": "off"})
answered("trace", "usage", op="trace", events={"\x1b[31m": False})
print("done")' >said 2>&1
expect "noise" "done" "$(cat said)"
client '
# descriptors that nobody asked for, and halves of frames: whatever they leave open has to be closed again
import os
for i in range(50):
    c = Client(path)
    pipes = [os.pipe() for k in range(3)]
    try:
        c.frame({"id": 2, "op": "state"}, [fd for pair in pipes for fd in pair])
        c.send(b"\0\0\1\0{\"id\"", [pipes[0][0]])
        c.hear(1)
    except Exception:
        pass
    c.close()
    for a, b in pipes:
        os.close(a), os.close(b)
print("done")' >said 2>&1
expect "descriptors" "done" "$(cat said)"
same_fds() { [ "$(ls /proc/$daemon_pid/fd | wc -l)" -le "$fds_before" ]; }
soon same_fds
client '
import os, random
random.seed(os.getpid())
for i in range(100):
    c = Client(path, hello=False)
    try:
        c.send(os.urandom(random.randrange(1, 5000)))
    except Exception:
        pass
    c.close()
print("done")' >said 2>&1
expect "noise" "done" "$(cat said)"
expect "it lives" $daemon_pid "$(alive $daemon_pid)"
[ "$(events)" -gt "$before_events" ] || fail "the capture does not go on"
after_bad=$(lost)
end_daemon
expect "exit status" 0 "$status"

begin_daemon "and nothing more was lost than without them" -b 8192
client '
c = Client(path)
for turn in range(100):
    c.ask("rows", view="syscall-latency", limit=5)'
without=$(lost)
[ "$after_bad" -le "$((without + 1000))" ] || fail "lost $after_bad with such clients, $without without"

test="stopped, and going on"
kill -STOP $daemon_pid
timeout 1 "$ringside" status >out 2>err && fail "who is stopped answers"
kill -CONT $daemon_pid
asked status
fine
end_daemon
expect "exit status" 0 "$status"

asked_until() { asked status --json; "$@"; }

# Guardians are the engine's children until it dies, so they are asked for before.
session_of() { echo "$1 $(pgrep -P "$1" | tr '\n' ' ')"; }
for nr in 1 2 3; do
	begin_daemon "process $nr is killed"
	session=$(session_of $daemon_pid)
	victim=$(echo "$session" | cut -d' ' -f$nr)
	kill -9 "$victim"
	# shellcheck disable=SC2086
	soon dead $session
	nothing_left $daemon_pid
	soon no_files
	wait $daemon_pid 2>/dev/null
	start_daemon || break
	asked status
	fine
	end_daemon
done

begin_daemon "who follows is told that it is gone, and the next one begins at once"
"$ringside" sched -d 60 >rows 2>said &
follower=$!
# One that has just gone may still be counted.
follows() { [ "$(ask 'rows[0]["clients"]')" = 2 ] && ls -l /proc/$follower/fd | grep -q socket: ; }
soon asked_until follows
kill -9 $daemon_pid
old=$daemon_pid
start_daemon
wait $follower
expect "the follower's exit status" 1 $?
finds "the daemon has gone" said
finds "^# .* events" rows
wait $old 2>/dev/null
nothing_left $old
"$ringside" sched -d 60 >rows 2>said &
follower=$!
soon asked_until follows
end_daemon
wait $follower
expect "the follower's exit status" 0 $?
finds "note: the daemon has ended" said
soon no_files

begin_daemon "all are killed at one stroke"
# shellcheck disable=SC2046
kill -9 $(session_of $daemon_pid)
wait $daemon_pid 2>/dev/null
[ -S run/socket ] || fail "no stale socket to take over"
asked status
expect "exit status" 1 "$status"
finds "no daemon runs" err
old=$daemon_pid
start_daemon
asked status
fine
nothing_left $old # every start takes away what nobody lives in
end_daemon
soon no_files

begin "a client that dies in the middle of an answer"
touch none
start_daemon
for i in {1..20}; do
	client '
c = Client(path)
for i in range(10):
    c.begin("hello", protocol=1)
os.kill(os.getpid(), 9)' 2>/dev/null
done
only_we() { asked status --json; [ "$(ask 'rows[0]["clients"]')" = 1 ]; }
soon only_we
end_daemon
expect "exit status" 0 "$status"

begin "again and again, under load"
touch none
while [ ! -e enough ]; do "$samples/spawn" -p 50 >/dev/null; done 7>&- 8<&- &
load=$!
for i in {1..6}; do
	start_daemon || break
	asked status
	fine
	end_daemon "$([ $((i % 2)) = 0 ] && echo TERM || echo INT)"
	expect "exit status" 0 "$status"
	soon no_files
done
touch enough
wait $load

expect "the global buffer's settings" "$before" "$(settings)"
finish
