#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# host.sh - another machine, by ssh: screens, views, what a daemon has there; a connection that breaks; nothing stays behind there
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/screen.sh
. "$root/tests/lib/screen.sh"
export FAKE_SSH=$tmp/.sshd RINGSIDE_SSH="$root/tests/lib/fake-ssh" RINGSIDE_SOCKET=$tmp/none
"$root/tests/lib/fake-ssh" --server "$FAKE_SSH" &
sshd=$!
until_soon 10 test -S "$FAKE_SSH" || fail "no server"
there() { "$ringside" "$@" --host web1 --remote "$ringside"; }
engines() { ls -d $tracefs/instances/ringside-* 2>/dev/null; }

begin "an engine there, as a daemon here"
expect "status" "True" "$(there status --json | "$python" -c "import json, sys; print(json.load(sys.stdin)['pid'] > 0)")"
there save -o window.dat >out 2>err || fail "save: $(cat err)"
expect "events that were saved are those of the answer" "$(sed -n 's/.*, \([0-9]*\) events.*/\1/p' err)" \
	"$("$ringside" event-list -i window.dat --self --json | grep -c '"event"')"
there save -o - 2>err | cat >piped.dat
expect "events in a pipe" "True" "$("$ringside" report piped.dat >out 2>&1 && echo True)"

begin "a view there"
expect "exit status and rows" "0 True" "$(there syscalls -d 1 --json -- sleep 0.1 >out 2>err </dev/null; echo $? "$(grep -q '"comm":"sleep"' out && echo True)")"
there tasks -d 1 --columns "it's" >out 2>err
expect "an error there is one here" "2 1" "$? $(grep -c "it's" err)"
expect "until Ctrl-C, and what it has then" "True" "$(timeout -s INT 3 "$ringside" runqlat --host web1 --remote "$ringside" >out 2>err; grep -q 'count [1-9]' out && echo True)"

expect "what is wrong there" "0" "$(there findings -d 1 --json >out 2>err </dev/null; echo $?)"
expect "lines of the answer" "True" "$("$python" -c "
import json; print(all(isinstance(json.loads(l), dict) for l in open('out') if l.startswith('{')))")"
begin "a host that does not answer, and what is no host"
"$ringside" status --host web1 --remote false >out 2>err
expect "says so" "1 ringside: web1: ringside did not start there" "$? $(cat err)"
FAKE_SSH=$tmp/nowhere there status >out 2>err
expect "with what ssh says" "ringside: web1: ringside did not start there: FileNotFoundError: [Errno 2] No such file or directory" "$(cat err)"
"$ringside" status --host -oProxyCommand=x >out 2>err
expect "an option of ssh" "2" "$?"

"$ringside" cpus --host web1 --remote nowhere >out 2>err
expect "there is no ringside" "1 ringside: web1: ringside did not start there" "$? $(tail -n 1 err)"

begin "two hosts at once"
both() { "$ringside" "$@" --host web1,web2 --remote "$ringside" >out 2>err </dev/null; echo $?; }
expect "exit status" 0 "$(both cpus -d 1 --json)"
"$python" - <<-'PY' || fail "rows: $(cat out)"
	import json
	rows = [json.loads(line) for line in open("out")]
	metas = {r["_meta"]["machine"]: r["_meta"] for r in rows if "_meta" in r}
	assert sorted(metas) == ["web1", "web2"] and {r["_machine"] for r in rows if "_meta" not in r} == set(metas)
	for m in metas.values(): # it is one clock, and they begin together
	    assert abs(m["clock_offset_ns"]) <= m["clock_uncertainty_ns"] + 1, m
	assert abs(metas["web1"]["from_ns"] - metas["web2"]["from_ns"]) < 1e9
PY
expect "time that has passed" "0 web1,web2" "$(both cpus --last 1 --json) $(sed -n 's/.*"_meta".*"machine":"\([^"]*\)".*"clock_offset_ns".*/\1/p' out | paste -sd,)"
expect "what differs between them" "0 A: web1, B: web2," "$(both diff --last 1) $(grep -o '^[AB]: web[12],' out | paste -sd' ')"
expect "a host that fails keeps no other from answering" "1 1 1" "$(FAKE_SSH_FAILS=web2 both cpus -d 0.2) $(grep -c '^machine web1: its clock is' out) $(grep -c '^ringside: web2: ringside did not start there: no route to web2' err)"

begin "recordings that are made there"
there record -o one.dat -e sched_switch,sched_waking -- sleep 0.1 2>err || fail "record: $(cat err)"
expect "both events, and its command" "2 True" "$("$ringside" events -i one.dat --json -q | grep -c 'sched:sched_\(switch\|waking\)"') $("$ringside" report one.dat --view timehist --command -q | grep -q sleep && echo True)"
expect "a file for each host that answers" "1 trace.web1.dat" "$(FAKE_SSH_FAILS=web2 both record -d 0.1 -q) $(echo trace*)"
expect "not written" "1 ringside: web1: cannot write '/dev/full': No space left on device (it is not whole)" "$("$ringside" record --host web1 --remote "$ringside" -d 0.1 -q -o /dev/full 2>err; echo $?) $(tail -n 1 err)"
there record -o gone.dat -d 30 >out 2>err &
until_soon 10 pgrep -f "^$ringside record -o -" >serving || fail "nothing began"
kill -9 "$(pgrep -f "^$ringside serve -- record" | head -n 1)"
wait $!
expect "lost" 1 $?
until_soon 10 eval '! pgrep -f "^$ringside record -o -" >serving' || fail "goes on there: $(cat serving)"
expect "no file of it" "one.dat trace.web1.dat" "$(echo ./*.dat | sed 's,\./,,g')"

begin "screens, over a connection that breaks"
screen_open 30 120
screen_type "clear; $ringside --host web1 --remote $ringside; echo status \$?"
screen_wait ' ev/s ' 20
kill -9 "$(pgrep -f "^$ringside serve --stdio" | head -n 1)"
screen_wait 'THE CONNECTION IS LOST, trying again'
screen_wait 'connected again' 20
screen_keys q
screen_wait '^status 0'
screen_close
until_soon 10 eval '! engines >/dev/null' || fail "stays there: $(engines)"

begin "screens of two hosts, one at a time; one that is lost keeps the other"
screen_open 30 160
screen_type "clear; $ringside --host web1,web2 --remote $ringside -c nobody; echo status \$?"
screen_wait ' web1  clock [-+].* within .* ev/s ' 20
screen_keys M
screen_wait ' web2  clock [-+].* ev/s  filters --comm nobody '
kill -9 "$(pgrep -f "^$ringside serve --stdio" | head -n 1)"
screen_wait 'web1: the connection is lost'
screen_wait ' web2  clock [-+].* ev/s '
screen_keys M
screen_wait 'connected again' 20
screen_wait ' web1  clock [-+].* ev/s ' 20
screen_keys q
screen_wait '^status 0'
screen_close
until_soon 10 eval '! engines >/dev/null' || fail "stays there: $(engines)"

kill $sshd
wait $sshd 2>/dev/null

# The stand-in has no shell that fails, no keys, and none of sshd's own ways to end a session.
if [ -x /usr/sbin/sshd ] && [ -d /run/sshd ]; then
	begin "by ssh itself, to a server that is its own child"
	ssh-keygen -q -t ed25519 -N '' -f key && cp key.pub authorized
	cat >sshd.conf <<-CONF
		HostKey $tmp/key
		AuthorizedKeysFile $tmp/authorized
		StrictModes no
		PermitRootLogin yes
	CONF
	cat >ssh.conf <<-CONF
		ProxyCommand /usr/sbin/sshd -i -e -f $tmp/sshd.conf 2>/dev/null
		IdentityFile $tmp/key
		StrictHostKeyChecking no
		UserKnownHostsFile /dev/null
		LogLevel ERROR
	CONF
	export RINGSIDE_SSH="ssh -T -F $tmp/ssh.conf"
	by_ssh() { "$ringside" "$@" --host root@web1 --remote "$ringside" >out 2>err </dev/null; }
	by_ssh status || fail "status: $(cat err)"
	expect "its daemon" 1 "$(grep -c '^daemon .*tracing is on' out)"
	by_ssh cpus -n x
	expect "what a view ends with" "2 1" "$? $(grep -c "whole number" err)"
	"$ringside" cpus -d 30 --host root@web1 --remote "$ringside" >out 2>err &
	until_soon 10 pgrep -f "^$ringside cpus -d 30\$" >there || fail "nothing began"
	kill -9 "$(pgrep -P "$(pgrep -P $!)")" # the server of its ssh
	wait $!
	expect "a connection that is lost" "1 ringside: root@web1: the connection is lost" "$? $(tail -n 1 err)"
	until_soon 10 eval '! pgrep -f "^$ringside cpus -d 30\$" >there' || fail "stays there: $(cat there)"
	until_soon 10 eval '! engines >/dev/null' || fail "stays there: $(engines)"
else
	echo "sshd is not installed: only the stand-in was tried"
fi
finish
