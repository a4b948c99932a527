#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# chrome.sh - the Chrome trace of every recording, opened by the viewers that people use, in a real browser
#
# Needs what no build needs: apt-get install chromium golang-1.19-src (Debian's source of the viewer behind
# chrome://tracing), and in this folder: npm install --ignore-scripts
. "$(dirname "$0")/../lib/offline.sh"
. "$root/tests/lib/browser.sh"
need_playwright
passed=0

for trace in "$traces"/*.dat; do
	name=$(basename "$trace" .dat)
	"$ringside" export "$trace" -q -o "$name.json" || fail "$name: not exported"
	"$ringside" export "$trace" -q --compat -o "$name-compat.json" || fail "$name: not exported with --compat"
done

# The viewer behind chrome://tracing: it does not know "T", nor in text sched_waking; a gap may void the call that a
# flow was to end in.
if [ -n "${TRACE_VIEWER_DIR-}" ] || compgen -G "/usr/share/go-*/src/cmd/trace/static/trace_viewer_full.html" >/dev/null; then
	node "$here/check-chrome-trace.mjs" --strict --allow async_slice_parse_error --allow parse_error \
		--allow flow_slice_end_error --allow flow_slice_start_error ./*.json >seen 2>err || fail "the viewer: $(cat err)"
	python3 - <<'PY' || fail "what the viewer holds is not what was written"
import json
files = 0
for line in open("seen"):
    held = json.loads(line)
    d = json.load(open(held["file"]))
    ours = lambda *phases: sum(1 for e in d["traceEvents"] if e["ph"] in phases)
    compat = "-compat" in held["file"]
    marks = sum(1 for e in d["traceEvents"] if e["ph"] == "i" and e["s"] == "t")
    for warning in held["importWarnings"]:
        kind, first = warning["type"], warning["first"]
        assert kind != "async_slice_parse_error" or (not compat and warning["count"] == ours("T")), warning
        assert kind != "parse_error" or (compat and first.startswith("Unknown event sched_waking ")), warning
        assert not kind.startswith("flow_") or d["metadata"]["ringside_gaps"] != "0", warning
    assert held["slices"] == ours("X") + marks, (held["file"], held["slices"], ours("X"), marks)
    assert held["asyncSlices"] == ours("b") == ours("e"), held
    assert held["counterSamples"] == ours("C"), held
    assert (held["cpuSlices"] > 10) == compat, held
    assert held["flows"] == ours("t", "f") or d["metadata"]["ringside_gaps"] != "0", (held["flows"], ours("t", "f"))
    files += 1
assert files >= 14, files
PY
	passed=$((passed + 1))
fi

if [ -d "$here/node_modules/speedscope" ]; then
	for json in ./*.json; do
		# 1: it warns, where a begin and an end at the same nanosecond differ in its doubles
		node "$here/check-speedscope.mjs" "$json" >seen 2>err
		[ $? -le 1 ] || fail "speedscope: $json: $(cat seen err | tail -n 3 | cut -c1-300)"
	done
	passed=$((passed + 1))
fi

[ $passed -gt 0 ] || skip "no viewer is installed (golang-1.19-src, or npm install in tests/consumers)"
finish "$passed viewers opened every recording"
