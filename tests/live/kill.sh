#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kill.sh - kills the processes of a capture with -9 at random moments and looks at what stays behind
#
#	tests/live/kill.sh [BUILD] [ONE-BY-ONE] [ALL-AT-ONCE] [SEED]
#
# One by one: the engine or a guardian, then tracefs must be as found within 2 s
# and every other process of the session gone. All at once: tracing off and the
# buffer freed within 2 s; the instance gone at the next start.
# Exit 0 all well, 1 something stayed behind, 77 cannot be had here.
set -u
build=${1:-build} singles=${2:-50} volleys=${3:-20}
RANDOM=${4:-$$}
echo "seed ${4:-$$}"
capture=$build/tests/tools/live-counts
tracefs=/sys/kernel/tracing
[ -d $tracefs/instances ] || tracefs=/sys/kernel/debug/tracing
[ "$(id -u)" = 0 ] || { echo "skipped: needs root"; exit 77; }
[ -d $tracefs/instances ] || { echo "skipped: no tracefs"; exit 77; }
command -v pgrep >/dev/null || { echo "skipped: pgrep is not installed"; exit 77; }
[ -x $capture ] || { echo "skipped: $capture is not built (make tools)"; exit 77; }
bad=0 reached_running=0

# What a session could have left in the global buffer's settings.
settings() { cat $tracefs/tracing_on $tracefs/trace_clock $tracefs/set_event $tracefs/buffer_size_kb; }
# The instance of an engine, whichever suffix its name has.
instance_of() {
	compgen -G "$tracefs/instances/ringside-$1" || compgen -G "$tracefs/instances/ringside-$1.*"
}
# Guardians are the engine's children until it dies, so they are asked for before.
session_of() { echo "$1 $(pgrep -P "$1" | tr '\n' ' ')"; }
# Those of the processes that live; a zombie holds nothing.
alive() {
	for p in "$@"; do
		grep -q '^State:.[^Z]' "/proc/$p/status" 2>/dev/null && echo "$p"
	done
}
complain() { echo "FAIL: $*"; bad=$((bad + 1)); }
# within_2s COMMAND..: true as soon as the command is; where each CPU has more to do, the two seconds are as many more.
within_2s() {
	for _ in $(seq "$(awk -v cpus="$(nproc)" '{ print int(100 * (1 + $1 / cpus)) }' /proc/loadavg)"); do
		"$@" && return 0
		sleep 0.02
	done
	return 1
}

launch() {
	$capture -d 20000 >/dev/null 2>&1 &
	engine=$!
	disown $engine
	sleep 0.$(printf %03d $((RANDOM % 120)))
	session=$(session_of $engine)
	if instance_of $engine >/dev/null; then reached_running=$((reached_running + 1)); fi
}

dead() { [ -z "$(alive $session)" ]; }
gone() { [ -z "$(instance_of $engine)" ] && [ -z "$(alive $session)" ]; }

kill_one() {
	set -- $session
	shift $((RANDOM % $#))
	kill -9 "$1" 2>/dev/null
	victim=$1
	within_2s gone ||
		complain "$victim of '$session' killed: '$(instance_of $engine)', alive '$(alive $session)'"
	kill -9 $session 2>/dev/null
}

off_and_freed() {
	dir=$(instance_of $engine) || return 0
	[ "$(cat $dir/tracing_on 2>/dev/null || echo 0)" = 0 ] &&
		[ "$(sed 's/ .*//' $dir/buffer_total_size_kb 2>/dev/null || echo 0)" -le "$least_kib" ]
}

kill_all() {
	kill -9 $session 2>/dev/null
	within_2s off_and_freed ||
		complain "all of '$session' killed: $(head "$dir"/tracing_on "$dir"/buffer_total_size_kb)"
	within_2s dead || complain "all of '$session' killed: alive '$(alive $session)'"
	$capture -d 1 >/dev/null 2>&1
	within_2s gone || complain "all of '$session' killed: instance stays after the next start"
}

# A ring buffer keeps a few pages a CPU when it is freed.
least_kib=$(($(nproc --all) * 16))
before=$(settings)
for i in $(seq "$singles"); do launch; kill_one; done
echo "one by one: $singles killed, $reached_running of them with an instance"
reached_running=0
for i in $(seq "$volleys"); do launch; kill_all; done
echo "all at once: $volleys killed, $reached_running of them with an instance"
[ "$(settings)" = "$before" ] || complain "the global buffer's settings changed"
[ $bad = 0 ] || exit 1
echo "nothing stayed behind"
