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
