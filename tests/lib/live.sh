# SPDX-License-Identifier: GPL-2.0-or-later
# live.sh - what tests of the running kernel share; to be sourced, first of all
#
#	. "$(dirname "$0")/../lib/live.sh"
#	begin "what this is about"
#	run syscalls --json -- "$samples/sleeper" -n 5      # -> out, err, $status; nothing may stay behind
#	expect "sleeps" 5 "$(ask 'len(rows)')"
#
# Files are in a directory of their own, which goes at the end with every process
# that the test began. A test ends with: finish
# shellcheck shell=bash disable=SC2034 # the variables are the tests'
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/${RINGSIDE_BUILD:-build}
ringside=$build/ringside samples=$build/samples
skip() { echo "$*"; exit 77; }
# need_commands NAME...: what a test cannot do without; make setup installs it
need_commands() {
	local name
	for name; do command -v "$name" >/dev/null || skip "$name is not installed"; done
}
[ -x "$ringside" ] || { echo "there is no $ringside: run make"; exit 1; }
[ -x "$samples/spawn" ] || { echo "there is no $samples/spawn: run make samples"; exit 1; }
python=$(PATH=/usr/bin:/bin:$PATH command -v python3) || skip "python3 is not installed"

need_tracing() {
	[ "$(id -u)" = 0 ] || skip "needs root"
	tracefs=/sys/kernel/tracing
	[ -d $tracefs/instances ] || tracefs=/sys/kernel/debug/tracing
	[ -d $tracefs/instances ] || skip "tracefs is not mounted"
	instances=$tracefs/instances
}

# Whatever a test begins bears its mark, so that what stays behind can be told from what is another's.
export RINGSIDE_TEST=$$
tmp=$(mktemp -d) || exit 1
# a daemon of this machine's is not what is tested
export RINGSIDE_SOCKET=$tmp/none/socket
# the tests' own user nobody looks in
chmod 755 "$tmp"
cd "$tmp" || exit 1
failed=0 test=begin

marked() { # the processes that bear the mark and live
	local p
	for p in $(grep -lsz "^RINGSIDE_TEST=$RINGSIDE_TEST\$" /proc/[0-9]*/environ | cut -d/ -f3); do
		[ "$p" != $$ ] && [ "$p" != "$BASHPID" ] && [ -e "/proc/$p/exe" ] && echo "$p"
	done
}
clean_up() {
	local p
	for p in $(marked); do kill -9 "$p" 2>/dev/null; done
	cd / && rm -rf "$tmp"
}
trap clean_up EXIT

begin() { [ -z "${TIMES-}" ] || echo "$SECONDS $*"; test=$*; rm -rf "${tmp:?}"/*; }
fail() { echo "FAILED: $test: $*"; failed=$((failed + 1)); }
expect() { # expect WHAT WANTED GOT
	[ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}
within() { # within WHAT LEAST MOST GOT: whole numbers
	[ "$4" -ge "$2" ] && [ "$4" -le "$3" ] 2>/dev/null || fail "$1: expected $2 to $3, got '$4'"
}
finds() { grep -q -- "$1" "$2" || fail "no '$1' in $2: $(head -c 300 "$2")"; }

# What is said to take so many seconds takes more where each CPU has more to do: seconds SECONDS
seconds() { awk -v cpus="$(nproc)" -v s="$1" '{ print int(s * (1 + $1 / cpus)) + 1 }' /proc/loadavg; }
# until SECONDS COMMAND...: the command succeeds now or soon
until_soon() {
	local end=$((SECONDS + $(seconds "$1")))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.02
	done
}
# sample NAME ARGUMENTS...: a sample in the foreground, which must succeed
sample() {
	local name=$1
	shift
	"$samples/$name" "$@" || fail "the sample $name failed with status $?"
}

# The instance of the session that process PID began, if any. Guardians may outlive it by the time that a removal takes.
left_behind() { compgen -G "$instances/ringside-$1" || compgen -G "$instances/ringside-$1.*"; }
is_gone() { ! left_behind "$1" >left; }
nothing_left() { until_soon 2 is_gone "$1" || fail "left behind: $(cat left)"; }

# run ARGUMENTS...: ringside, in the foreground; what a sample that it launches says is in did
run() {
	rm -f did
	SAMPLE_OUT=$tmp/did "$ringside" "$@" >out 2>err </dev/null 7>&- 8<&- 9>&- &
	pid=$!
	wait $pid
	status=$?
	nothing_left $pid
}
# start ARGUMENTS...: ringside in the background, tracing when this returns; end [SIGNAL] ends it
start() {
	"$ringside" "$@" >out 2>err </dev/null 7>&- 8<&- 9>&- & # an open end of hold's pipe would keep the sample waiting
	pid=$!
	tracing $pid || fail "'$*' does not trace: $(cat err)"
}
# start_stoppable ARG...: the same in a process group of its own. The kernel lets no SIGTSTP stop a group
# that nobody could ever continue, and that is what a test runner without a terminal may be in.
start_stoppable() {
	set -m
	start "$@"
	set +m
}
# A new instance is on, with no event enabled, until it is told otherwise. It may bear a suffix.
is_tracing() {
	local in
	in=$(left_behind "$1" | head -n 1)
	[ ! -e "/proc/$1" ] || { [ "$(cat "$in/events/enable" 2>/dev/null || echo 0)" != 0 ] &&
		[ "$(cat "$in/tracing_on" 2>/dev/null)" = 1 ]; }
}
tracing() { until_soon 10 is_tracing "$1" && [ -e "/proc/$1" ]; }
end() {
	kill -"${1:-INT}" $pid 2>/dev/null
	wait $pid
	status=$?
	nothing_left $pid
}
# fine: the last run or end went well, and said nothing on stderr
fine() {
	expect "exit status" 0 "$status"
	[ ! -s err ] || fail "on stderr: $(head -n 3 err)"
}

# hold SAMPLE ARGUMENTS...: a sample that waits to be told; its pid in $sample_pid. release: lets it go on, and waits
hold() {
	local name=$1
	shift
	rm -f go did && mkfifo go # an older did says ready, too
	"$samples/$name" -w "$@" <go >did 7>&- 8<&- &
	sample_job=$!
	exec 9>go
	until grep -q ready did 2>/dev/null; do
		[ -e /proc/$sample_job ] || { fail "$name ended"; return; }
		sleep 0.01
	done
	sample_pid=$(sed -n 's/^ready pid=//p' did)
}
release() { exec 9>&-; wait $sample_job || fail "the sample failed: $(cat did)"; }
# said WORD [FILE]: the value of WORD=... in what a sample printed
said() { sed -n "s/^\(.* \)\{0,1\}$1=\([^ ]*\).*/\2/p" "${2:-did}" | head -n 1; }

# ask EXPRESSION [FILE]: of the rows and the quality line in out; bytes that are no UTF-8, or no JSON, are an error
# One interpreter answers all questions of a test: to start one is slow in an emulator.
coproc ASK { exec env -u RINGSIDE_TEST "$python" -u -c '
import json, os, sys
def strict(name):
    raise ValueError(name)
def of(**keys):
    return [r for r in rows if all(r[k] == v for k, v in keys.items())]
seen = None
for question in sys.stdin:
    path, expression = question.rstrip("\n").split("\t", 1)
    try:
        s = os.stat(path)
        if seen != (s.st_ino, s.st_size, s.st_mtime_ns, path):
            rows, meta, seen = [], None, None
            for line in open(path, "rb"):
                row = json.loads(line.decode("utf-8"), parse_constant=strict)
                if "_meta" in row:
                    meta = row["_meta"]
                else:
                    rows.append(row)
            seen = (s.st_ino, s.st_size, s.st_mtime_ns, path)
        print(str(eval(expression)).replace("\n", " "))
    except Exception as e:
        print("%s: %s" % (type(e).__name__, str(e).replace("\n", " ")))
'; }
# where subshells, too, find them
exec 7>&"${ASK[1]}" 8<&"${ASK[0]}"
ask() {
	local answer
	printf '%s\t%s\n' "$tmp/${2:-out}" "$1" >&7
	IFS= read -r answer <&8 && echo "$answer"
}

# finish: what the test found, and that nothing is left of what it began. A session does not wait for its second
# guardian where the first saw the instance gone, and a removal stands in a line behind every other session's.
nobody_left() {
	left=$(for p in $(marked); do echo "$p ($(tr '\0' ' ' 2>/dev/null <"/proc/$p/cmdline"))"; done)
	[ -z "$left" ]
}
finish() {
	until_soon 2 nobody_left || { test="the end" && fail "still alive: $left"; }
	[ $failed = 0 ] || { echo "$(basename "$0" .sh): $failed failed"; exit 1; }
	echo "$(basename "$0" .sh): all passed"
	exit 0
}
