#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# alarms.sh - conditions: `wait` ends with the first that holds; a daemon keeps a recording of it, and runs a command; and
# what is unusual, of what an earlier daemon has learned
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
. "$root/tests/lib/screen.sh"
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$PATH

says_flock() { asked unusual --json && grep -q '"sentence":"p99 of flock by flock' out; }

begin "the first conditions come by SIGHUP"
chmod 711 . # the process that keeps it is another user's
printf '%s\n' 'max-overhead 100%' 'window 2s' 'keep-around 500ms,10ms' "keep-in $tmp/kept" \
	"run echo \"\$RINGSIDE_NAME: \$RINGSIDE_RECORDING\" >>$tmp/kept/ran" >file
"$python" "$root/tests/lib/learned.py" learned
while :; do flock lock sleep 0.1; done 2>/dev/null 7>&- 8<&- & # two programs, one of which always waits
locks=$!
while :; do flock lock sleep 0.1; done 2>/dev/null 7>&- 8<&- &
locks+=" $!"
"$ringside" daemon --config file --learn learned >daemon.out 2>daemon.err </dev/null 7>&- 8<&- &
daemon_pid=$!
soon grep -qs serving daemon.err
printf '%s\n' "when burst: execsnoop.pid{comm = true} > 0 every 1h" 'when = iosnoop.lat > 1000s' \
	'when lost > 1000000000' >>file
kill -HUP $daemon_pid
soon grep -q "read again" daemon.err

test="what fires is kept"
kept() { /bin/true; [ -s kept/ran ]; } # of each interval: the first one began without conditions
soon kept
json=$(ls kept/*-burst.json)
expect "one recording" 1 "$(wc -w <<<"$json")"
expect "run" "burst: $tmp/${json%.json}.dat" "$(cat kept/ran)"
finds "^ringside: warning: burst: pid [0-9]*: .*comm true" daemon.err
"$ringside" execsnoop -i "${json%.json}.dat" -q >out 2>err || fail "it does not open: $(cat err)"
finds " true " out
stem=${json%.json}
expect "files" "$stem.dat $stem.findings.json $stem.findings.txt $stem.json" "$(echo "$stem".*)"
finds "^burst: pid [0-9]*: .*comm true" "$stem.findings.txt"
finds "^no findings in these \|^    try: " "$stem.findings.txt"
expect "each an object a line" "$(grep -c '^    try: ' "$stem.findings.txt")" "$(ask "sum('rule' in r for r in rows)" "$stem.findings.json")"
asked incidents --keep-in kept --json
fine
expect "incidents" "1 burst kept/$(basename "${json%.json}").dat" "$(ask 'len(rows), rows[0]["name"], rows[0]["recording"]' | tr -d "(),'")"
for _ in 1 2 3; do /bin/true; done # not again within the hour

asked alert-rules --config file
fine
finds "expr: 'ringside_condition_on{condition=\"burst\"} > 0 or " out
expect "alerts" 3 "$(grep -c "alert:" out)"

test="a condition that is wrong changes nothing"
sed 's/iosnoop.lat /iosnoop.latt /' file >worse && mv worse file
kill -HUP $daemon_pid
soon grep -q "'file': line 7: when: at 9: iosnoop has no column 'latt': did you mean 'lat'?" daemon.err
sed -i 's/iosnoop.latt > 1000s/sched.switches > 0 every 1h/' file
kill -HUP $daemon_pid
soon grep -q "read again" daemon.err
soon grep -q "warning: sched.switches > 0" daemon.err
asked incidents --keep-in kept --json
expect "one that is in no recording yet" "sched.switches > 0 every 1h" "$(ask 'rows[-1]["when"]')"
expect "the first goes on, and fired once" 1 "$(grep -c "warning: burst" daemon.err)"

test="unusual"
soon says_flock
expect "it is compared with all that was learned" "slow 14 False" "$(ask 'row["unusual"][0]["kind"], row["unusual"][0]["blocks"], row["unusual"][0]["by_day"]' | tr -d "(',)")"
asked unusual
finds "^p99 of flock by flock is [0-9]* times its usual: [0-9.]*ms, usually 1.0[0-9]us$" out
finds "^learned   from 2 h 20 min, of any time of day" out
asked status
finds "^unusual   p99 of flock by flock is .* (ringside unusual)$" out
# shellcheck disable=SC2086 # two
kill $locks
asked unusual --forget
fine
asked unusual
finds "^learned   from 0 h 00 min" out
soon [ ! -s learned ]

test="wait"
asked wait --when 'sched.switches{comm = no-such} > 0' --when 'x: sched.switches > 0' -I 100ms -d 20
expect "exit status" 3 "$status"
finds "^[0-9.]* s: x: switches [0-9]*: comm " out
asked wait --when 'meminfo.free > 0' -I 100ms -d 20 # no event tells it: /proc is read with each step
expect "exit status of what is read" 3 "$status"
asked wait --when 'sched.switches{comm = no-such} > 0' -I 100ms -d 0.3
expect "exit status" 0 "$status"

test="on the screens: Enter opens the recording of a time that has expired"
screen_open 14 110
screen_type "clear; ringside tui; echo status \$?"
screen_wait ' ! [0-9]+ fired '
screen_keys I
screen_wait ' burst .* comm true'
screen_keys End
screen_wait '^expired, but kept as .*-burst.dat'
screen_keys Enter
screen_wait '^ ringside .*-burst.dat .* overview'
screen_keys q
screen_wait ' overview . fired  .* live '
screen_keys Q
screen_wait '^status 0'
screen_close
end_daemon
expect "exit status" 0 "$status"
finish
