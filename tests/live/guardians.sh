#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# guardians.sh - the processes that stay root beside a session have only the rights that they need, and still do their work
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
need_commands setpriv strace
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"

# status_of PID NAME: a row of /proc/PID/status
status_of() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status"; }
guardians() { pgrep -P "$1" -x ringside-guard; }
nr_guardians() { [ "$(guardians $pid | wc -l)" = 2 ]; }
caps_of() { # caps_of PID: names, as the bits of linux/capability.h
	local bits=$((16#$(status_of "$1" CapPrm))) names=
	[ $((bits >> 1 & 1)) = 1 ] && names+="dac_override " && bits=$((bits & ~(1 << 1)))
	[ $((bits >> 19 & 1)) = 1 ] && names+="sys_ptrace " && bits=$((bits & ~(1 << 19)))
	[ $((bits >> 40 & 1)) = 1 ] && names+="checkpoint_restore " && bits=$((bits & ~(1 << 40)))
	[ $((bits >> 21 & 1)) = 1 ] && names+="sys_admin " && bits=$((bits & ~(1 << 21)))
	echo "$names$bits"
}
# their filters are there a moment after the session traces
limited() { local g; for g in $(guardians $pid); do [ "$(status_of "$g" Seccomp)" = 2 ] || return 1; done; }

begin "capabilities and system calls"
start record -o x.dat -e sched_switch -d 60
until_soon 5 nr_guardians || fail "guardians: $(guardians $pid)"
if ! grep -q "^Seccomp:" /proc/self/status; then
	echo "a kernel without seccomp: their calls are not looked at"
elif [[ ${build##*/} != build-* ]]; then # a sanitizer makes calls of its own
	until_soon 5 limited || fail "a guardian without a filter"
fi
for g in $(guardians $pid); do
	expect "no new privileges" 1 "$(status_of "$g" NoNewPrivs)"
	expect "inheritable, ambient" "0000000000000000 0000000000000000" "$(status_of "$g" CapInh) $(status_of "$g" CapAmb)"
	expect "in effect" "$(status_of "$g" CapPrm)" "$(status_of "$g" CapEff)"
	caps_of "$g" >>caps
done
expect "what they keep" "dac_override 0,dac_override sys_ptrace checkpoint_restore 0," \
	"$(sed 's/sys_admin/checkpoint_restore/' caps | sort | tr '\n' ',')"
end

# what they do from now on is in trace.1 and trace.2
follow() {
	local g n=0
	until_soon 5 nr_guardians || fail "guardians: $(guardians $pid)"
	for g in $(guardians $pid); do
		n=$((n + 1))
		strace -o trace.$n -p "$g" 2>/dev/null &
	done
	until_soon 5 followed || fail "strace does not follow"
}
followed() { local g; for g in $(guardians $pid); do [ "$(status_of "$g" TracerPid)" != 0 ] || return 1; done; }
did() { grep -qs "$1" trace.1 trace.2; }
nothing_refused() {
	local refused
	refused=$(grep -hm 3 "EPERM\|EACCES\|ENOSYS" trace.1 trace.2) && fail "refused: $refused"
	did "unlinkat(3, \"ringside-$pid.*= 0" || fail "who removed the instance?"
}
# what a user runs that nobody else may read, in a folder that only he may enter
private() {
	mkdir home && cp "$samples/descriptors" home/ && chown -R 12345:12345 home && chmod 700 home
	setpriv --reuid 12345 --regid 12345 --clear-groups bash -c 'cd home && ./descriptors "$@"' bash "$@" >did 2>&1
}

begin "what a user's descriptor refers to"
start syscalls --json -c descriptors
follow
private -n 300 -r 0
until_soon 10 did "readlink.*= [0-9]" || fail "no link was read"
end KILL
nothing_refused
within "reads with the file's path" 1 300 "$(ask "len([r for r in of(comm='descriptors') if '<$tmp/home/steady>' in r['call']])")"

begin_daemon "the program that a user runs" --stacks=off-cpu -F 200
pid=$daemon_pid
follow
private -n 300 -r 0
until_soon 10 did "map_files.*= [0-9]" || fail "no mapped file was opened"
end_daemon KILL
nothing_refused
soon no_files
finish
