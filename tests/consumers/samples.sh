#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# samples.sh - samples of the CPUs in a real browser: folded stacks in speedscope, a Chrome trace in the viewer behind
# chrome://tracing. Each function must have as many samples there as `ringside profile-stacks` says.
#
# Needs what chrome.sh needs. speedscope reads no samples of a Chrome trace: its slices alone.
. "$(dirname "$0")/../lib/offline.sh"
. "$root/tests/lib/browser.sh"
need_playwright
recordings=$root/tests/perfdata passed=0

compare() { # compare WHAT JSON-OF-THE-VIEWER: the samples in each function
	python3 - "$2" <<'PY' || fail "$1: other samples"
import collections, json, sys
ours, theirs = collections.Counter(), collections.Counter()
for line in open("stacks"):
    row = json.loads(line)
    if "_meta" not in row:
        ours[row["stack"].split(";")[-1]] += row["self"]
seen = json.load(open(sys.argv[1]))
for profile in seen.get("profiles", []):
    theirs.update({f["name"]: f["selfWeight"] for f in profile["heaviest"] if f["selfWeight"]})
theirs.update(seen.get("leaves", {}))
assert sum(ours.values()) > 50, ours
assert ours == theirs, (ours - theirs, theirs - ours)
PY
	passed=$((passed + 1))
}

for name in stacks mixed; do
	data=$recordings/$name.data.xz
	"$ringside" profile-stacks -q -i "$data" --json --by stack >stacks || fail "$name: no stacks"
	if [ -d "$here/node_modules/speedscope" ]; then
		"$ringside" profile -q -i "$data" -f folded >$name.folded || fail "$name: not folded"
		node "$here/check-speedscope.mjs" --top 10000 $name.folded >seen 2>err || fail "speedscope: $name: $(tail -n 3 err)"
		compare "speedscope: $name" seen
	fi
	if [ -n "${TRACE_VIEWER_DIR-}" ] || compgen -G "/usr/share/go-*/src/cmd/trace/static/trace_viewer_full.html" >/dev/null; then
		"$ringside" export "$data" -q -o $name.json || fail "$name: not exported"
		node "$here/check-chrome-trace.mjs" --names $name.json >seen 2>err
		[ $? -le 1 ] || fail "the viewer: $name: $(tail -n 3 err)" # 1: of other events than samples, see chrome.sh
		compare "the viewer: $name" seen
	fi
done
[ $passed -gt 0 ] || skip "no viewer is installed (golang-1.19-src, or npm install in tests/consumers)"
finish "$passed times as many in each function"
