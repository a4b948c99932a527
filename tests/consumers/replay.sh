#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# replay.sh - the slowest wait of a finding in slow motion: the SVG in Chromium at two moments, the asciicast in a terminal
#
# Needs what no build needs: apt-get install chromium tmux. In inversion.dat.xz audit-log has the lock and no CPU for nearly all of
# the wait of order: encode has that; at the end it runs. What is read of the file is in tests/lib/replay_moments.py.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/browser.sh
command -v tmux >/dev/null || skip "tmux is not installed"
fail() { echo "FAIL: $*"; exit 1; }
socket=replay-$$
trap 'tmux -L $socket kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
xz -dc tests/traces/faults/inversion.dat.xz >"$tmp/wait.dat" || fail "xz"
for format in replay asciicast; do
	for nr in 1 2; do
		build/ringside export "$tmp/wait.dat" -q -f $format -o "$tmp/$format.$nr" || fail "export -f $format"
	done
	cmp "$tmp/$format.1" "$tmp/$format.2" || fail "$format: not the same each time"
	python3 tests/lib/exports.py $format "$tmp/$format.1" >/dev/null || fail "$format"
done
# The only finding of that time is about a wait of another thread. In the second, audit-log runs on as the time ends, and is hidden.
part() { build/ringside export "$tmp/wait.dat" -q -f replay -t 24667 --to @1832.172562400 "$@" >"$tmp/part.svg" || fail "-t $*"; }
part
grep -q 'class="track">[a-z]* (24667), victim' "$tmp/part.svg" || fail "-t: another thread's wait"
part --from 1.3
grep -q 'class="caption">audit-log (24669) has the lock, runs on CPU 1<' "$tmp/part.svg" || fail "--to: a hidden task's open state"
cp "$tmp/replay.1" "$tmp/wait.svg"
build/ringside export "$tmp/wait.dat" -q -o "$tmp/by-name.svg" && cmp "$tmp/by-name.svg" "$tmp/wait.svg" || fail "the name does not say the format"
python3 tests/lib/replay_moments.py "$tmp/wait.svg" "$tmp/asciicast.1" "$tmp/shown" || fail "see above"
tmux -L $socket -f /dev/null new-session -d -x 100 -y 25 "cat '$tmp/shown'; sleep 600" || fail "tmux"
for words in "order (24667), victim" "audit-log (24669), holder" "audit-log (24669) has the lock, runs on CPU 1" "order (24667) waited 102ms."; do
	for _ in $(seq 100); do
		tmux -L $socket capture-pane -p | grep -qF "$words" && break
		sleep 0.1
	done
	tmux -L $socket capture-pane -p | grep -qF "$words" || fail "not on the terminal: $words"
done
echo "replay: two moments in a browser, and on a terminal"
