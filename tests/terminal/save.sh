#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# save.sh - what a person saves out of the screens is a file that others read
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$PATH
file=$root/tests/traces/debian-6.1-amd64-v6.dat
nr_events=7124 # what the screens say of it

# save FORMAT NAME TIME: by the keys that a person uses
save() {
	screen_keys e
	screen_wait ' save .*type to narrow' || return
	screen_keys -l "$3"
	screen_wait "contains: $3" || return
	screen_keys Enter
	screen_wait 'save as.*type to narrow' || return
	screen_keys -l "$1"
	screen_wait "contains: $1" || return
	screen_keys Enter
	screen_wait "^save .* as: ringside-[0-9]{8}-[0-9]{6}\\." || return
	screen_keys C-u
	screen_type "$2"
	screen_wait "^ $2: .*B, [0-9,]+ events" 20
}
reports() { trace-cmd report -t "$1" 2>/dev/null | grep -c '^ .*\[[0-9]*\].*: '; }

begin "all of a file, in each format"
screen_open 24 110
screen_type "clear; ringside $file; echo status \$?"
screen_wait Processes
save chrome all.json all
"$python" - all.json <<'PY' || fail "chrome"
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
names = {e.get("name") for e in events}
sys.exit(not (len(events) > 1000 and "futex" in str(names)))
PY
save perfetto all.pftrace all
"$python" "$root/tests/lib/perfetto.py" all.pftrace >perfetto || fail "perfetto: $(tail -n 3 perfetto)"
grep -q burner perfetto || fail "perfetto: no name"
save html all.html all
tail -n 1 all.html | grep -q '</html>$' && grep -q 'class="finding"' all.html && grep -q 'id="v-syscall-latency"' all.html || fail "html: $(tail -c 200 all.html)"
save trace.dat all.dat all
if command -v trace-cmd >/dev/null; then
	expect "events for trace-cmd" "$(reports "$file")" "$(reports all.dat)"
fi
expect "events for ourselves" $nr_events "$("$ringside" report all.dat --view cpus --json | tail -n 1 | sed -n 's/.*"events":\([0-9]*\).*/\1/p')"
save json all.ndjson all
"$python" - all.ndjson <<'PY' || fail "json"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
sys.exit(not (len(rows) > 1000 and any(r.get("comm") == "burner" for r in rows)))
PY
save csv all.csv all
grep -q 'burner' all.csv || fail "csv: $(head -n 3 all.csv)"

test="what exists is not written over unasked"
cp all.csv before.csv
screen_keys e
screen_wait ' save .*type to narrow'
screen_keys Enter
screen_wait 'save as.*type to narrow'
screen_keys Enter
screen_wait '^save .* as: '
screen_keys C-u
screen_type all.csv
screen_wait 'all.csv exists. Write over it\?'
screen_type n
screen_wait_gone 'exists'
cmp -s all.csv before.csv || fail "it was"

test="what cannot be written is said"
screen_keys e
screen_wait ' save .*type to narrow'
screen_keys Enter
screen_wait 'save as.*type to narrow'
screen_keys Enter
screen_wait '^save .* as: '
screen_keys C-u
screen_type nowhere/all.json
screen_wait '^ nowhere/all.json: No such file'

test="a part of it: only its events"
screen_keys b
screen_wait '^go to time'
screen_type 0.1
screen_wait 'PAST 0.100000 s to 0.120000 s'
save trace.dat part.dat shown
"$ringside" report part.dat --view cpus --json >out
expect "events, as trace-cmd counts them from 0.1 to 0.12 s" 75 "$(sed -n 's/.*_meta.*"events":\([0-9]*\).*/\1/p' out)"

test="the screen itself"
screen_keys P
screen_wait 'this screen is in ringside-.*\.txt'
grep -q 'PAST 0.100000 s to 0.120000 s' ringside-*.txt || fail "not what was seen: $(cat ringside-*.txt)"
screen_keys q
screen_wait '^status 0'
screen_close
finish
