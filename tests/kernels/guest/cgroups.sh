#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cgroups.sh - control groups of version 2 in a guest: a quota, weights, limits of memory and disk, groups that fight
#
# make test-cgroups boots the guest: a machine's own groups are not touched, and here version 1 has no controller.
. "$(dirname "$0")/../../lib/live.sh"
need_tracing
top=/sys/fs/cgroup
[ -f $top/cgroup.controllers ] || mount -t cgroup2 none $top 2>/dev/null
grep -qw cpu $top/cgroup.controllers 2>/dev/null || skip "version 2 has no controller cpu here"
echo "+cpu +io +memory" >$top/cgroup.subtree_control || skip "no controllers below $top"

# group NAME FILE=VALUE...: a group with these limits, which goes at the end
group() {
	local name=$1 set
	shift
	mkdir -p "$top/$name"
	for set; do echo "${set#*=}" >"$top/$name/${set%%=*}" || skip "no ${set%%=*} in $top/$name"; done
	groups="$groups $top/$name"
}
# inside NAME COMMAND...: in the background, in that group when this returns
inside() {
	local name=$1
	shift
	(echo "$BASHPID" >"$top/$name/cgroup.procs" && exec "$@") >/dev/null 2>&1 &
	jobs="$jobs $!"
	until_soon 10 grep -qx $! "$top/$name/cgroup.procs" || fail "no task in $name"
}
# Those of a shell that is killed go on; one that began after the list was read is in the next.
end_jobs() {
	local g
	for g in $groups; do
		# shellcheck disable=SC2046 # pids
		while grep -q . "$g/cgroup.procs"; do kill -9 $(cat "$g/cgroup.procs") 2>/dev/null; done
	done
	# without a word it waits for all children, for good for those of others
	# shellcheck disable=SC2086
	[ -z "$jobs" ] || wait $jobs
	jobs=''
} 2>/dev/null # the shell tells of each
groups='' jobs=''
trap 'end_jobs; for g in $groups; do rmdir "$g"; done 2>/dev/null; clean_up' EXIT
# counts NAME FILE KEY
counts() { awk -v key="$3" '$1 == key { print $2 }' "$top/$1/$2"; }
row() { ask "[r for r in rows if r['cgroup'] == '/$1'][0]['$2']"; }

begin "a quota of 20 % of a CPU"
group quota 'cpu.max=20000 100000'
inside quota sh -c 'while :; do :; done'
before=$(counts quota cpu.stat throttled_usec)
run cgroups --json -d 3
after=$(counts quota cpu.stat throttled_usec)
fine
expect "its quota" "20000000 100000000" "$(row quota quota_ns) $(row quota period_ns)"
periods=$(row quota periods) # an emulated machine takes its time to begin and to end
within "periods" 15 1000 "$periods"
within "periods in which it was throttled" $((periods * 3 / 4)) "$periods" "$(row quota throttled)"
within "CPU time, ms" $((periods * 16)) $((periods * 25)) "$(($(row quota cpu_ns) / 1000000))"
within "throttled, us: no more than cpu.stat of the time around it" 1000000 "$((after - before + 1000))" "$(($(row quota throttled_ns) / 1000))"
expect "its share of the periods" "$(($(row quota throttled) * 100000 / periods))" "$(ask "round($(row quota throttled_pct) * 1000)")"
run wait --when 'cgroups.throttled_pct{unit = quota} > 50' -d 30
expect "a condition on that share" 3 "$status"
finds "throttled_pct [0-9.]*: cgroup /quota" out
# No event tells of it: by what its tasks ran. cpu.stat counts a period when it has ended, so the first and the last differ.
run record -o trace.dat -d 3
run cgroups -i trace.dat --json
counted=$(($(row quota throttled_ns) / 1000000)) periods=$(row quota throttled)
run why -i trace.dat --cgroup quota --by part --json
throttled=$(ask "sum(r.get('total_ns', 0) for r in rows if r.get('part') == 'throttled') // 1000000")
# the timers of an emulated machine are late by more than that, and then less is told
within "throttled, ms: no more than is counted, and a period at each end" $((counted / 3)) $((counted + periods + 160)) "$throttled"
end_jobs

begin "weights of 10 and 1000 on one CPU: the light one is disturbed by the heavy one, not the other way round"
group light cpu.weight=10
group heavy cpu.weight=1000
inside light taskset -c 0 sh -c 'while :; do :; done'
inside heavy taskset -c 0 sh -c 'while :; do :; done'
run cgroups --json -d 3
fine
expect "weights" "10 1000" "$(row light weight) $(row heavy weight)"
expect "who disturbs it" /heavy "$(row light disturbed_by)"
expect "whom it disturbs" /light "$(row heavy disturbs)"
# Both want the CPU all the time, and others take it from both alike: the one loses more by what the other runs more, of 3 s
within "what the light one loses more, ms" 1500 3500 $((($(row light disturbed_ns) - $(row heavy disturbed_ns)) / 1000000))
run tasks --json --by unit -d 1
fine
expect "the heavy one runs" True "$(ask "[r['run_ns'] for r in rows if r['unit'] == 'heavy'][0] > 5 * [r['run_ns'] for r in rows if r['unit'] == 'light'][0]")"
run sched --json --cgroup heavy -d 1
fine
expect "only tasks of that group" True "$(ask "len(rows) > 0 and all(r['comm'] in ('sh', 'taskset') for r in rows)")"
end_jobs

# What is read is kept in memory as long as there is room. A file system in memory would keep it for good.
read -r disk _ <<<"${VM_DISKS-}"
[ -n "$disk" ] || { echo "no disk: memory and io.max are left out"; finish; }
reader="while :; do dd if=$disk of=/dev/null bs=64k iflag=fullblock; done"
for limit in high max; do
	begin "memory.$limit is told from the other by the hits it had"
	group "memory-$limit" "memory.$limit=$((16 << 20))"
	inside "memory-$limit" sh -c "$reader"
	run cgroups --json -d 3
	fine
	expect "the limit" $((16 << 20)) "$(row memory-$limit memory_$limit)"
	[ $limit = high ] && other=max || other=high
	within "hits of memory.$limit" 1 1000000000 "$(row memory-$limit "${limit}_events")"
	expect "hits of memory.$other" 0 "$(row memory-$limit "${other}_events")"
	end_jobs
done

begin "io.max of 1 MiB a second"
group io "io.max=$(lsblk -dno MAJ:MIN "$disk" | tr -d ' ') rbps=$((1 << 20))"
inside io sh -c "while :; do dd if=$disk of=/dev/null bs=64k iflag=direct; done"
run cgroups --json -d 4
fine
expect "the limit" $((1 << 20)) "$(row io io_max_read)"
within "bytes that it read" $((1 << 20)) $((30 << 20)) "$(row io read_bytes)"
within "pressure, %" 20 100 "$(ask "int($(row io io_pressure))")"
run record -o trace.dat -d 5
run cgroups -i trace.dat --json
within "steps of its pressure in the recording" 2 6 "$(ask "len('$(row io io_line)')")"
expect "most of them with much of it" True "$(ask "sum(d in '23456789' for d in '$(row io io_line)') * 2 > len('$(row io io_line)')")"
run export trace.dat -f chrome -o trace.json
within "and as a counter" 3 8 "$(grep -c '"io some /io"' trace.json)"
end_jobs
finish
