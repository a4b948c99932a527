#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# daemon.sh - a daemon of its own socket: what it says, what can be turned, who may, how it ends
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
begin_daemon "status"
asked status --json
fine
expect "pid" $daemon_pid "$(ask 'rows[0]["pid"]')"
expect "tracing" True "$(ask 'rows[0]["tracing"]')"
expect "clients" 1 "$(ask 'rows[0]["clients"]')"
expect "measured" True "$(ask 'rows[0]["budget"]["measured"]')"
asked status
fine
finds "^daemon  *ringside .*, pid $daemon_pid, tracing is on" out
finds "^window  " out
finds "^events  " out
finds "ns each (measured)" out
expect "mode" "660" "$(stat -c %a run/socket)"
# a sanitizer needs calls that the filter would refuse
[ "${RINGSIDE_BUILD-}" != "" ] || expect "seccomp" 2 "$(sed -n 's/^Seccomp:\t//p' /proc/$daemon_pid/status)"
[ "$(stat -c %u /proc/$daemon_pid)" = 0 ] || [ "$(sed -n 's/^Uid:\t\([0-9]*\).*/\1/p' /proc/$daemon_pid/status)" != 0 ] || fail "it is still root"

test="a second daemon beside it"
asked daemon --config none
expect "exit status" 1 "$status"
finds "serves '$RINGSIDE_SOCKET' already" err
asked status
fine

test="tracing off and on"
asked trace off
fine
asked status --json
expect "tracing" False "$(ask 'rows[0]["tracing"]')"
expect "tracing_on" 0 "$(cat "$(left_behind $daemon_pid | head -n 1)/tracing_on")"
asked sched -d 0.2
expect "exit status" 0 "$status"
finds "note: the daemon's tracing is off" err
asked trace on
fine
sample spawn >/dev/null
sleep 1.2 # one interval: the gap is met with the first event after it
asked status --json
expect "tracing" True "$(ask 'rows[0]["tracing"]')"
[ "$(ask 'rows[0]["gaps"]')" -ge 1 ] || fail "no gap is told: $(ask 'rows[0]["gaps"]')"

test="one event off and on"
instance=$(left_behind $daemon_pid | head -n 1)
asked trace set sched:sched_switch=off irq:softirq_raise=off
fine
expect "enable" 0 "$(cat "$instance/events/sched/sched_switch/enable")"
expect "others" 1 "$(cat "$instance/events/raw_syscalls/sys_enter/enable")"
asked status
finds "^off  *.*sched:sched_switch" out
finds "^without  *sched: needs sched:sched_switch, which was turned off" out
grep -q "^without  *irqs" out && fail "irqs can do without softirq_raise"
client 'c = Client(path); r = c.ask("rows", view="sched"); print(r["ok"], r.get("error"))' >said 2>&1
finds "^False .*sched_switch" said
asked trace set sched:sched_switch=on irq:softirq_raise=on
fine
expect "enable" 1 "$(cat "$instance/events/sched/sched_switch/enable")"
sleep 1.2
client 'c = Client(path); r = c.ask("rows", view="sched"); print(r["ok"], len(r["rows"]) > 0)' >said 2>&1
expect "rows again" "True True" "$(cat said)"
grep -q "common_pid" "$instance/events/exceptions/page_fault_user/filter" || fail "the filter of own work is gone"

test="all or nothing, and by name alone"
asked trace set sched:sched_switch=off sched:sched_swich=off
expect "exit status" 2 "$status"
expect "the first of them" 1 "$(cat "$instance/events/sched/sched_switch/enable")"
asked trace set sched_waking=off sys_enter=off
fine
expect "enable" 00 "$(cat "$instance/events/sched/sched_waking/enable" "$instance/events/raw_syscalls/sys_enter/enable" | tr -d '\n')"
asked trace set sched_waking=on sys_enter=on
fine
asked trace set sched_wakin=off
expect "exit status" 2 "$status"
finds "did you mean 'sched_waking'" err

test="what makes no sense"
for words in "" "maybe" "set" "set sched:sched_switch" "set sched:sched_switch=maybe" "on off"; do
	# shellcheck disable=SC2086
	asked trace $words
	expect "exit status of 'trace $words'" 2 "$status"
done
asked trace set sched:sched_swich=off
expect "exit status" 2 "$status"
finds "did you mean 'sched:sched_switch'" err
asked status more
expect "exit status" 2 "$status"

test="the end"
end_daemon
expect "exit status" 0 "$status"
soon no_files
asked status
expect "exit status" 1 "$status"
finds "no daemon runs at '$RINGSIDE_SOCKET'" err

begin_daemon "rights" --group daemon
asked status && as 65534 65534 "$ringside" status >out 2>err && fail "a user outside the group may look"
finds "may not ask the daemon" err
as 65534 "$(id -g daemon)" "$ringside" status >out 2>err || fail "a member may not look: $(cat err)"
finds "tracing is on" out
as 65534 "$(id -g daemon)" "$ringside" trace off >out 2>err && fail "a member may change"
finds "only root and the owner" err
mkdir -m 777 theirs
as 65534 "$(id -g daemon)" "$ringside" save -o theirs/it.dat >out 2>err && fail "a member may save"
finds "only root and the owner" err
[ -z "$(ls theirs)" ] || fail "left where nothing was saved: $(ls theirs)"
# with no word the screens, for whoever may look, where there is a terminal
if command -v script >/dev/null; then
	as 65534 "$(id -g daemon)" env TERM=xterm LINES=24 COLUMNS=80 timeout 3 script -qc "$copy" /dev/null </dev/null >out 2>&1
	finds "overview" out
fi
asked status --json
expect "tracing" True "$(ask 'rows[0]["tracing"]')"
chmod 666 run/socket # whoever gets past the file's mode is still asked who he is
as 65534 65534 "$ringside" status >out 2>err && fail "a user outside the group may look where the mode lets him"
end_daemon
expect "exit status" 0 "$status"
asked daemon --group no-such-group
expect "exit status" 2 "$status"

begin "options from a file, and again"
printf '# what is too much\nmax-overhead = 100%%\nanalysis sched\n\nlog-level debug\n' >file
"$ringside" daemon --config file >daemon.out 2>daemon.err </dev/null 7>&- 8<&- &
daemon_pid=$!
soon grep -q serving daemon.err
asked status --json
expect "bound" 1000 "$(ask 'rows[0]["budget"]["max_milli"]')"
expect "analyses" "['sched']" "$(ask '[a["name"] for a in rows[0]["analyses"]]')"
printf 'max-overhead 0.1%%\nanalysis sched\n' >file
kill -HUP $daemon_pid
soon grep -q "read again" daemon.err
bound() { asked status --json; [ "$(ask 'rows[0]["budget"]["max_milli"]')" = 1 ]; }
soon bound
"$samples/spawn" -p 500 >/dev/null 2>&1 &
soon grep -q "over the 0.1 % of --max-overhead: most of it is .*ringside trace set" daemon.err
wait $!
asked status
finds "^warning  *costs .*=off)" out
printf 'max-overhad 5%%\n' >file
kill -HUP $daemon_pid
soon grep -q "did you mean '--max-overhead'" daemon.err
end_daemon
expect "exit status" 0 "$status"
printf 'frobnicate\n' >file
asked daemon --config file
expect "exit status" 1 "$status"
finds "'file': .*frobnicate" err
asked daemon --config nowhere
finds "cannot read 'nowhere'" err

begin_daemon "buffers that are too small become larger" -b 8 --mem 64M -a syscalls
instance=$(left_behind $daemon_pid | head -n 1)
for i in 1 2; do "$samples/calls" -n 0 >/dev/null & storm[i]=$!; done
grown() { asked status --json; [ "$(ask 'rows[0]["buffer"]["kib"] > rows[0]["buffer"]["begun_kib"] or rows[0]["buffer"]["behind"]')" = True ]; }
soon grown
kill "${storm[@]}"
wait "${storm[@]}" 2>/dev/null
asked status --json
grep -q "buffers grow to" daemon.err && within "the kernel's buffers, KiB" $(($(ask 'rows[0]["buffer"]["begun_kib"]') + 1)) 65536 "$(cat "$instance/buffer_size_kb")"
asked status
finds "^buffers  .* a CPU" out
end_daemon
expect "exit status" 0 "$status"

expect "the global buffer's settings" "$before" "$(settings)"
finish
