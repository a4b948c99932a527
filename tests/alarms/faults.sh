#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# faults.sh - a daemon that keeps recordings is killed, runs out of disk, is reloaded: none is lost, none is half a file
#
# make test-alarms; RS_ROUNDS says how often each is killed (4).
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
trap 'mountpoint -q "$tmp/kept" && umount -l "$tmp/kept"; clean_up' EXIT

# keeping_daemon: a daemon that keeps a recording each second or two, in formats that take their time. Each condition holds for good, and
# fires once.
keeping_daemon() {
	local whens=() n
	for n in {1..40}; do whens+=(--when "busy: sched.switches > 0 for ${n}s"); done
	start_daemon "${whens[@]}" --max-overhead 100% --keep "${keep:-100}" --keep-around 300ms,10ms --keep-in "$tmp/kept" \
		--keep-as trace.dat,findings,html
}
parts() { ls kept/.part-* >/dev/null 2>&1; }
names() { ls kept/*.json 2>/dev/null | grep -v findings; }
has() { [ "$(names | wc -l)" -ge "$1" ]; }
# the process that keeps
responder() {
	local p
	for p in $(marked); do [ "$(cat "/proc/$p/comm" 2>/dev/null)" != ringside-alarms ] || echo "$p"; done
}
in_a_save() { soon parts; }
# whole WHAT: each file that is listed is there and can be read, and no other file has such a name
whole() {
	local name file nr=0
	for name in $(names); do
		for file in $("$python" -c 'import json, sys; print(*json.load(open(sys.argv[1]))["files"])' "$name"); do
			[ -s "kept/$file" ] || [ "${file%.findings.json}" != "$file" ] || fail "$1: $file is empty, or not there"
			nr=$((nr + 1))
		done
		"$ringside" sched -q -i "${name%.json}.dat" >out 2>err || fail "$1: ${name%.json}.dat: $(cat err)"
		tail -c 20 "${name%.json}.html" | grep -q '</html>' || fail "$1: ${name%.json}.html is not whole"
		nr=$((nr + 1))
	done
	expect "$1: files that are listed, and those that are there" "$nr" "$(find kept -type f ! -name '.part-*' | wc -l)"
}
# What is kept stays as it is: remember, and later: as_before WHAT
remember() { (cd kept && find . -type f ! -name '.part-*' -exec sha256sum {} +) >sums; }
as_before() { (cd kept && sha256sum --quiet -c ../sums) >out 2>&1 || fail "$1: $(head -n 3 out)"; }

begin "the process that keeps is killed in a save"
chmod 711 .
touch none
for ((round = 0; round < ${RS_ROUNDS:-4}; round++)); do
	keeping_daemon
	soon has $((round + 1))
	in_a_save
	kill -9 "$(responder)"
	remember
	soon grep -q 'the process that keeps recordings has ended' daemon.err
	asked status
	fine
	end_daemon
	as_before "after it was killed"
done

test="the daemon is killed in a save"
for ((round = 0; round < ${RS_ROUNDS:-4}; round++)); do
	keeping_daemon
	soon has $(($(names | wc -l) + 1))
	in_a_save
	kill -9 $daemon_pid
	wait $daemon_pid 2>/dev/null
	nothing_left $daemon_pid
	gone() { [ -z "$(responder)" ]; }
	soon gone
	remember
	keeping_daemon
	as_before "after it was killed"
	end_daemon
done
kept=$(names | wc -l)

test="what was left is removed at the next start"
keeping_daemon
soon has $((kept + 1))
old=$(ls -A kept | grep -c '^\.part-.*' || :)
within "parts: of one recording, that is being made" 0 5 "$old"
end_daemon
whole "after all of that"

test="SIGHUP while recordings are kept"
rm -rf kept
cat >none <<EOF
log-level info
EOF
keeping_daemon
for _ in {1..60}; do
	kill -HUP $daemon_pid
	sleep 0.05
done
soon has 2
end_daemon
within "reloads" 1 60 "$(grep -c 'read again' daemon.err)"
whole "SIGHUP"

test="no more than a limit, of however many fire"
rm -rf kept
keep=2
keeping_daemon
soon has 2
fired() { [ "$(grep -c 'warning: busy' daemon.err)" -ge 5 ]; }
soon fired
end_daemon
within "recordings" 2 2 "$(names | wc -l)"
whole "limit"
keep=

test="the disk is full"
rm -rf kept
mkdir kept
mount -t tmpfs -o size=256m none kept || finish
keeping_daemon
soon has 1
cat /dev/zero >kept/ballast 2>/dev/null
soon grep -q "no recording was kept of 'busy'" daemon.err
kept=$(names | wc -l)
rm kept/ballast
remember
soon has $((kept + 1))
as_before "with room again"
end_daemon
whole "full disk"
umount kept
finish
