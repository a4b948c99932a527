#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# on-call.sh - ten questions of an engineer on call, each answered on the screen after a few keys, which are counted
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
need_commands xz
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$samples:$PATH
unset NO_COLOR COLORTERM
finding='^ *[0-9.]+m?s (of [0-9.]+m?s )?[█▉▊▋▌▍▎▏ ]+ '

# task QUESTION FILE OPTION...: the overview of a recording; a word without a / is one of tests/traces/faults, or on-call
task() {
	test=$1 nr_keys=0
	local file=$2
	[[ $file = */* ]] || file=$(ls "$root"/tests/traces/{faults,on-call}/"$file.dat.xz" 2>/dev/null)
	screen_open 40 120
	screen set-option -s set-clipboard on
	screen_type "clear; ringside tui ${*:3} $file"
	screen_wait '[0-9] CPUs ' 20
}
press() { # press KEY...: as tmux names them; TEXT of several letters that is no such name is typed, and is one
	nr_keys=$((nr_keys + $#))
	screen_keys "$@"
}
is_shown() { screen_text | tail -n +2 | grep -qE -- "$1"; }
# answer KEYS PATTERN...: at most so many keys led to a screen with a line that matches each of these, at the same time
answer() {
	local pattern most=$1
	shift
	for pattern; do until_soon 10 is_shown "$pattern"; done
	screen_text | tail -n +2 >seen
	for pattern; do
		grep -qE -- "$pattern" seen || { fail "not on the screen: $pattern"; sed 's/^/	| /' seen; }
	done
	within "keys" 0 "$most" $nr_keys
}

task "a lock: who has it, and who takes the CPU from that one?" inversion
screen_wait "$finding"
press Enter
answer 1 '^ *[0-9.]+ms +audit-log \([0-9]+\), holder ' '^ *[0-9.]+ms +run queue ' '^ *[0-9.]+ms +encode \([0-9]+\) '

task "a disk: whose requests are ahead of mine?" queue
screen_wait "$finding"
answer 0 'checkout \([0-9]+\) waits [0-9]+ % .*for disk .*4 backup'
press t
answer 1 '^victim +checkout ' '^device .*backup/.*YOU' 'disk: [0-9]+ ahead, [0-9.]+ms, most of it of backup'

task "a disk: is it the device, or the line before it?" device
screen_wait "$finding"
press Enter
answer 1 'report .* the device .* is slow, it takes [0-9.]+ ms for a request, one at' 'queue depth 1' '^ +rule disk-slow'

task "its own threads take the CPUs from one another" own
screen_wait "$finding"
answer 0 'app .* waits [0-9]+ % .*for a CPU: its own 7 threads compete'
press Enter
answer 1 '^ *[0-9.]+m?s worker \([0-9]+\) ' '^ *[0-9.]+m?s +run queue ' '^ *[0-9.]+m?s +app \([0-9]+\) ' '^try +run as many threads'

task "a slow call: its arguments, and who ended it" peer
screen_wait "$finding"
press t
screen_wait '^critical path'
press c
screen_wait_gone '^critical path'
press Down Enter
answer 4 '^syscall read +[0-9.]+ms .*shop' '^ARGS 0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ +RET [0-9]+' '^woken by pricing '

task "another time in the flame graph: what is more, what less?" "$root/tests/perfdata/stacks.data.xz" --screen flame
screen_wait '^.on-CPU '
press D
screen_wait 'now choose another time range'
press '['
screen_wait '^.on-CPU .* compared with '
press Down Down Down Down
answer 6 '^.[-+]\[unknown\] shares' '^ .*[0-9.]+ % \([-+][0-9.]+, was [0-9.]+ %\)'

task "one process alone, on all screens, and all of them again" inversion
screen_wait '^encode +[0-9]+'
press '\'
screen_wait '^filter:'
screen_keys -l trader
press Tab Enter
screen_wait 'comm ~ trader ×'
screen_wait_gone '^encode '
answer 3 '^trader +[0-9]+'
press t
screen_wait '^ *(victim +)?trader|^victim'
screen_text | head -1 | grep -q 'comm ~ trader' || fail "the timeline is another's: $(screen_text | head -1)"
press BSpace
screen_wait '^Processes'
press '|'
answer 6 '^encode +[0-9]+'

task "the text for a ticket" inversion
screen_wait "$finding"
press Enter
screen_wait '^others '
press y
screen_wait 'copied to the clipboard'
within "keys" 1 2 $nr_keys
has_text() { screen show-buffer 2>/dev/null >text && grep -q "$1" text; }
until_soon 5 has_text 'rule\|ringside' || fail "nothing in the clipboard"
for pattern in 'trader/order .* waits [0-9]* % of its time for a user-space lock' 'audit-log' 'ringside .* -i .*inversion\.dat\.xz'; do
	grep -q -- "$pattern" text || fail "the text has no '$pattern': $(cat text)"
done

if [ "$(id -u)" != 0 ] || ! command -v chrt >/dev/null; then
	screen_close
	finish
fi
need_tracing
test="who starts all these processes?"
ringside record -q -o storm.dat -- chrt -f 10 stage -d 2 'builder: exec /bin/true, sleep 500' >did 2>&1 || fail "no recording: $(cat did)"
pid=$(ringside tasks --csv --where 'comm == "stage"' -i storm.dat 2>/dev/null | sed -n 2p | cut -d, -f2)
task "who starts all these processes?" "$tmp/storm.dat" -p "$pid"
screen_wait "$finding"
answer 0 'builder \([0-9]+\) starts [0-9]+ short-lived processes a second \(fork, exec\)'
press Enter
answer 1 'builder \([0-9]+\) starts [0-9]+ short-lived' 'rule fork-storm|^TYPE +LIFE'

test="a stall now and then, live: how often, how long, because of whom?"
nr_keys=0
chrt -f 10 stage -d 60 'cart/cart: lock m, burn 200, unlock m, sleep 10000' 'cart/flush: lock m, sleep 300000, unlock m, sleep 1200000' >did 2>&1 &
load=$!
screen_open 40 120
screen_type "clear; ringside tui --own -c cart"
screen_wait '[0-9] ev/s ' 20
press i
answer 1 ' [3-9] times.*cart .*waits .*user-space lock'
press Enter
answer 2 '^ *(29|30)[0-9.]+ms cart \([0-9]+\): futex' '^ *[0-9.]+ms +flush \([0-9]+\), holder'
kill $load
wait $load 2>/dev/null
screen_close
finish
