#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# rights.sh - what cannot be begun: one line that says what, why and what to do, and nothing stays behind
. "$(dirname "$0")/../lib/live.sh"
need_tracing
command -v setpriv >/dev/null || skip "setpriv is not installed"

refused() { # refused STATUS PATTERN COMMAND...
	local wanted=$1 pattern=$2 got
	shift 2
	timeout 20 "$@" >out 2>err </dev/null &
	local job=$!
	wait $job
	got=$?
	expect "$*: status" "$wanted" $got
	expect "$*: lines" 1 "$(wc -l <err)"
	grep -Eq "^ringside: $pattern" err || fail "$*: no '$pattern': $(head -c 300 err)"
	[ ! -s out ] || fail "$*: on standard output: $(head -c 200 out)"
}
# nobody may look into a home: a copy where everybody may
nobody() { echo setpriv --reuid=65534 --regid=65534 --clear-groups; }
cp "$ringside" "$samples/failing-calls" "$tmp"/
chmod 755 "$tmp"/ringside "$tmp"/failing-calls
mkdir secret && chmod 700 secret && cp "$root/tests/traces/debian-6.1-amd64-v6.dat" secret/ && cp secret/*.dat closed.dat && chmod 600 closed.dat
begin() { test=$*; } # the files above stay

begin "a user without rights"
for view in sched syscalls iosnoop summary; do
	# shellcheck disable=SC2046 # words
	refused 1 ".*(root|sudo)" $(nobody) "$tmp/ringside" $view -d 0.1
done
# shellcheck disable=SC2046
refused 1 ".*(root|sudo)" $(nobody) "$tmp/ringside" record -o /tmp/ringside-nobody.$$ -d 0.1
[ ! -e /tmp/ringside-nobody.$$ ] || { fail "a file was made"; rm /tmp/ringside-nobody.$$; }
# shellcheck disable=SC2046
refused 1 ".*(root|sudo)" $(nobody) "$tmp/ringside" syscalls -- "$tmp/failing-calls"
# shellcheck disable=SC2046
refused 1 ".*Permission denied" $(nobody) "$tmp/ringside" report closed.dat
# shellcheck disable=SC2046
refused 1 ".*Permission denied" $(nobody) "$tmp/ringside" report secret/debian-6.1-amd64-v6.dat
# shellcheck disable=SC2046
$(nobody) "$tmp/ringside" doctor >out 2>err </dev/null
expect "doctor: exit status where capture cannot work" 3 $?
finds "^cannot " out

begin "a root without capabilities"
refused 1 ".*" setpriv --bounding-set=-all --inh-caps=-all "$ringside" sched -d 0.1
"$ringside" report closed.dat >out 2>err || fail "report: $(cat err)"

begin "the engine's user"
uids() { sed -n 's/^Uid:\t//p' "/proc/$1/status"; }
is_dropped() { [ "$(uids "$1" | cut -f1)" != 0 ]; }
engine_of() { # engine_of NAME: a session's four user ids, all the same
	"$ringside" sched -d 60 >out.$1 2>err.$1 </dev/null 7>&- 8<&- &
	echo $! >pid.$1
	until_soon 10 is_dropped $! || fail "still root: $(cat err.$1)"
	uids "$(cat pid.$1)" | tr '\t' '\n' | sort -u >uid.$1
	expect "user ids" 1 "$(wc -l <uid.$1)"
}
engine_of one
engine_of two
if ! grep -q "^ringside:" /etc/passwd; then
	within "an id of a service" 61184 65519 "$(cat uid.one)"
	within "another session's" 61184 65519 "$(cat uid.two)"
	[ "$(cat uid.one)" != "$(cat uid.two)" ] || fail "two sessions are one user"
	expect "entries of that user" "" "$(getent passwd "$(cat uid.one)")"
	# one of that user cannot send signals to the other session
	can_end() { setpriv --reuid "$(cat uid.$1)" --regid "$(cat uid.$1)" --clear-groups kill -0 "$(cat pid.$2)" 2>/dev/null; }
	can_end two two || fail "a process of the same user cannot: this test finds nothing"
	! can_end one two || fail "a session can end another"
fi
for name in one two; do
	kill -INT "$(cat pid.$name)"
	wait "$(cat pid.$name)"
	expect "exit status" 0 $?
	nothing_left "$(cat pid.$name)"
done
"$ringside" doctor >out 2>err
grep -q "^good *user  *the engine becomes user [0-9]*, which no other" out || fail "doctor: $(grep user out)"
# a user namespace that has two ids alone, root and nobody
cat >ids.py <<-'END'
	import ctypes, os, sys, time
	r, w = os.pipe()
	child = os.fork()
	if not child: # once its ids are there
	    ctypes.CDLL(None).unshare(0x10000000) # CLONE_NEWUSER
	    os.write(w, b"x")
	    while "65534" not in open("/proc/self/gid_map").read():
	        time.sleep(0.01)
	    os.execv(sys.argv[1], sys.argv[1:])
	os.read(r, 1)
	for kind in "uid", "gid":
	    open("/proc/%d/%s_map" % (child, kind), "w").write("0 0 1\n65534 65534 1\n")
	sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
END
if unshare -U true 2>/dev/null; then
	"$python" ids.py "$ringside" doctor >out 2>err
	grep -q "^lacks *user  *the engine becomes nobody" out || fail "doctor in a user namespace: $(cat err; grep user out)"
	grep -q "^good *capture *works" out || fail "a capture in a user namespace: $(cat err; grep -A 2 capture out)"
else
	echo "no user namespaces: nobody is not tried"
fi

begin "commands that cannot be begun"
refused 1 "cannot run '/nonexistent/x': No such file or directory" "$ringside" sched -- /nonexistent/x
refused 1 "cannot run 'no-such-command-here': No such file or directory" "$ringside" syscalls -- no-such-command-here
refused 1 "cannot run '$tmp': Permission denied" "$ringside" sched -- "$tmp"
printf '#!/nonexistent/shell\n' >script && chmod 755 script
refused 1 "cannot run './script': No such file or directory" "$ringside" sched -- ./script
refused 1 "cannot run './closed.dat': Permission denied" "$ringside" record -o x.dat -- ./closed.dat
refused 1 "cannot run './\\\\x1B\[31m': No such" "$ringside" sched -- "$(printf './\033[31m')"
export SUDO_UID=65534 SUDO_GID=65534
refused 1 "cannot run '$tmp/secret/x': Permission denied" "$ringside" sched -- "$tmp/secret/x"
unset SUDO_UID SUDO_GID

begin "tasks and events that are not there"
refused 1 "-p 999999999: no such process" "$ringside" syscalls -p 999999999
refused 2 "unknown event 'sched_swich'.*did you mean '[a-z:]*sched_switch'" "$ringside" record -o x.dat -e sched_swich -d 0.1
refused 2 "unknown event 'shed:\*'" "$ringside" record -o x.dat -e 'shed:*' -d 0.1
refused 2 "unknown analysis 'shced'.*did you mean 'sched'" "$ringside" record -o x.dat -a shced -d 0.1
refused 2 ".*'bot'.*did you mean 'boot'" "$ringside" sched --clock bot -d 0.1
refused 2 ".*CPU" "$ringside" sched -C 9999 -d 0.1
[ ! -e x.dat ] || fail "a recording was made"

begin "output that cannot be"
refused 1 ".*'/nonexistent/x.dat': No such file or directory" "$ringside" record -o /nonexistent/x.dat -d 0.1
refused 1 ".*'/proc/x.dat'" "$ringside" record -o /proc/x.dat -d 0.1
refused 1 ".*'$tmp/secret'.*irectory" "$ringside" record -o "$tmp/secret" -d 0.1

begin "no room, no descriptors"
refused 1 ".*(Too many open files|ulimit)" bash -c 'ulimit -n 12; exec "$0" sched -d 0.1' "$ringside"
refused 1 ".*(memory|ENOMEM|Cannot allocate)" "$ringside" sched -b 1000000000 -d 0.1

# What is there for two seconds and can be removed was left behind; what lives is busy, what comes and goes is another's.
before=$(ls -d "$instances"/ringside-* 2>/dev/null)
sleep 2
for i in $before; do
	[ -d "$i" ] && rmdir "$i" 2>/dev/null && fail "left behind: $i"
done
finish
