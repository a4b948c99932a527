#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# hidden.sh - tracefs that is mounted nowhere, elsewhere, or whose function tracer refuses everything
. "$(dirname "$0")/../lib/live.sh"
need_tracing
unshare -m true 2>err || skip "no mount namespace can be had: $(cat err)"

# apart SCRIPT: in a mount namespace of its own, without any tracefs; the script has $ringside and $samples
export ringside samples SAMPLE_OUT=$tmp/did
apart() {
	unshare -m --propagation private bash -c '
		while umount /sys/kernel/tracing 2>/dev/null; do :; done
		while umount /sys/kernel/debug/tracing 2>/dev/null || umount /sys/kernel/debug 2>/dev/null; do :; done
		if grep -q " tracefs \| debugfs " /proc/self/mounts; then echo "tracefs stays mounted" >&2; exit 77; fi
		'"$1"
}
begin "mounted nowhere"
apart '"$ringside" syscalls --json -- "$samples/failing-calls" -n 20
	status=$?
	grep " tracefs " /proc/self/mounts
	exit $status' >out 2>err
status=$?
[ $status != 77 ] || skip "$(cat err)"
fine
expect "its calls" 20 "$(ask "len(of(syscall='chdir', comm='failing-calls'))")"
expect "mounts of it that stay" 0 "$(grep -c ' tracefs ' out)"

begin "mounted elsewhere"
mkdir elsewhere
apart "mount -t tracefs tracefs '$tmp/elsewhere' && \"\$ringside\" sched --json -- \"\$samples/sleeper\" -n 10" >out 2>err
status=$?
fine
within "its delays" 10 60 "$(ask "sum(r['delay_count'] for r in of(tid=$(said pid)))")"
rmdir elsewhere || fail "it is mounted there still"

begin "mounted by debugfs alone"
if apart 'mount -t debugfs debugfs /sys/kernel/debug && [ -d /sys/kernel/debug/tracing/instances ]' >out 2>err; then
	apart 'mount -t debugfs debugfs /sys/kernel/debug
		"$ringside" syscalls --json -- "$samples/failing-calls" -n 20' >out 2>err
	status=$?
	fine
	expect "its calls" 20 "$(ask "len(of(syscall='chdir', comm='failing-calls'))")"
else
	echo "note: no debugfs here"
fi

begin "what is missing is said by doctor, too"
apart '"$ringside" doctor' >out 2>err
status=$?
expect "exit status: it can mount its own" 0 $status

begin "each event that is missing is named once, and so is each view that lacks it"
apart 'mount -t tracefs tracefs /sys/kernel/tracing
	mkdir -p none && mount --bind none /sys/kernel/tracing/events/block || exit 9
	"$ringside" doctor' >out 2>err
names() { sed -n "s/^ *$1 *//p" out | tr -s ' ,;' '\n' | sort; }
names 'lacks *events *no' >events
grep -qx block:block_rq_issue events || fail "doctor: $(cat out err)"
expect "events twice" "" "$(uniq -d events)"
names 'loses:' >views
grep -qx iosnoop views && grep -qx tasks views || fail "doctor: $(cat out err)"
expect "views twice" "" "$(grep -Fxf <("$ringside" list views --columns view) views | uniq -d)"

begin "the function tracer refuses everything"
apart 'mount -t tracefs tracefs /sys/kernel/tracing
	: >refuses && chmod 0 refuses
	for file in /proc/sys/kernel/ftrace_enabled /sys/kernel/tracing/{current_tracer,set_ftrace_filter,set_ftrace_notrace,kprobe_events}; do
		[ ! -e $file ] || { mount --bind refuses $file && mount -o remount,bind,ro $file; } || exit 9
		[ ! -e $file ] || ! echo nop 2>/dev/null >$file || exit 9
	done
	"$ringside" sched --json -- "$samples/sleeper" -n 10' >out 2>err
status=$?
fine
within "its delays" 10 60 "$(ask "sum(r['delay_count'] for r in of(tid=$(said pid)))")"

finish
