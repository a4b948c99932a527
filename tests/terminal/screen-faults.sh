#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screen-faults.sh - what was wrong with the screens once, and must not come back
#
# A list of 21 was made of what misled people. Each has a test that fails where it comes back:
#
#	 1  idle time is as loud as trouble            ink, and here
#	 2  all rows lead to one page                  keys-to-cause, and here
#	 3  t forgets the time of the row              keys-to-cause, and here
#	 4  "nothing is slow" beside a stall           here
#	 5  pause holds nothing                        pause
#	 6  evidence without a tree, a chain, advice   keys-to-cause, on-call, and here
#	 7  ringside in its own way                    here
#	 8  a heat map in which the worst is dark      here
#	 9  timeline: order, columns, zoom by itself   here
#	10  states that the color-blind confuse        unit: theme
#	11  bars without a heading                     here
#	12  numbers without a base                     words
#	13  one state with seven names                 words
#	14  what is alike is not folded                ink ("many of one name"), flame, unit: icicle
#	15  h and H open on nothing                    here
#	16  what waits for work is stuck, or slow      ink ("an idle pool"), and here
#	17  a column that says nothing, a hidden sort  here
#	18  numbers of another time                    here
#	19  a wrong filter closes the prompt           here
#	20  keys with two meanings                     here
#	21  help that explains nothing, flat lists     here
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
need_commands xz
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$samples:$PATH
export LC_ALL=C.UTF-8
unset NO_COLOR COLORTERM
faults=$root/tests/traces/faults
mixed=$root/tests/traces/debian-6.1-amd64-mixed.dat

# batch HEIGHT WIDTH OPTION...: the screen as text, in seen
batch() { LINES=$1 COLUMNS=$2 ringside tui --batch -n 1 "${@:3}" >seen 2>err || fail "no screen: $(cat err)"; }
shown() { grep -qE -- "$1" seen || { fail "not on the screen: $1"; sed 's/^/	| /' seen; }; }
not_shown() { if grep -qE -- "$1" seen; then fail "on the screen: $(grep -E -- "$1" seen | head -n 2)"; fi; }
line_of() { grep -nE -m 1 -- "$1" seen | cut -d: -f1; }
# tui HEIGHT WIDTH ARGUMENTS: in a terminal, once there is an overview
tui() {
	screen_open "$1" "$2"
	screen_type "clear; ringside tui ${*:3}"
	screen_wait '^Slowest|Slowest  ' 20
	screen_wait '^Processes'
}

begin "1: kernel threads without work are in one line, without color"
batch 40 120 "$mixed"
shown '^[0-9]+ quiet: .*(kworker|ksoftirqd)'
not_shown '^(ksoftirqd/[0-9]|migration/[0-9]) .* [0-9]+% '

begin "4: no finding: what was looked for is said, and the longest wait"
batch 24 80 -c burner "$root/tests/traces/debian-6.1-amd64-v6.dat"
shown '^no known pattern of waits in [0-9]+ms; the longest: [0-9.]+m?s '
not_shown 'nothing is slow'

begin "11: a row has one bar, and a heading, and a letter is explained"
batch 24 80 "$faults/inversion.dat.xz"
shown '^Processes +PID +THR +PAIN +OF WHAT +HISTORY'
shown '^CPUs .* R run +I irq'

begin "17: the column that sorts is on the screen, and no column has one value alone"
batch 24 80 --screen antagonists "$faults/inversion.dat.xz"
shown '^VICTIM .* TIME\(ms\)▼'
not_shown '^[A-Z].* (DEV|TYPE) '
batch 24 80 --screen waterfall "$faults/inversion.dat.xz"
shown '^COMM .*▼'
not_shown 'rings *$'

begin "16: a call that waits for what it is there for is neither slow nor stuck"
batch 40 120 "$faults/inversion.dat.xz"
sed -nE '/(Stuck|Slowest) /,$p' seen >lists
grep -E 'pause|clock_nanosleep|rt_sigtimedwait' lists && fail "sleepers are listed: $(cat lists)"
[ "$(line_of 'Slowest ')" -gt 0 ] || fail "no list of the slowest"

begin "21: the commands and options have headings, the screens a help of each panel"
ringside help >seen
within "headings of views" 8 30 "$(grep -c '^[A-Z].*?$' seen)"
ringside tui --help >seen
for heading in source filter capture output; do shown "^$heading options:"; done
shown '^keys everywhere:'
tui 40 120 "$faults/inversion.dat.xz"
screen_keys '?'
screen_wait '^ This screen'
: >all
for _ in {1..6}; do
	screen_settled >>all
	screen_keys NPage
done
mv all seen
for panel in Verdict CPUs Processes 'Over time' 'Stuck now' Slowest; do shown "^ $panel(:|, )"; done
shown '^ +30 % +of the time'
shown '^ +HISTORY '

test="20: q closes a screen, and leaves where there is none; the footer says which"
screen_wait '^ q Back '
screen_keys q
screen_wait '^ \? Help  q Quit '
screen_keys t
screen_wait '^ \? Help  q Back '
screen_keys q
screen_wait '^ \? Help  q Quit '

test="19: a wrong filter leaves the prompt open, with the reason, and is corrected there"
screen_keys '\'
screen_wait '^filter:'
screen_keys -l 'foo == 1'
screen_keys Enter
screen_wait "no column 'foo'"
screen_wait '^filter: foo == 1'
screen_keys C-e C-u # the cursor is where the mistake is
screen_keys -l 'comm == encode'
screen_keys Enter
screen_wait 'comm == encode ×'
screen_wait_gone '^filter:'
screen_keys '|'
screen_wait_gone ' ×'

test="15: h and H begin with the kind of the finding, and no kind is empty"
kinds_have_data() {
	screen_text | sed -n 2p >kinds
	grep -qE '^ *futex [1-9]' kinds || fail "the first kind is another: $(cat kinds)"
	grep -qE '[a-z] 0( |$)' kinds && fail "an empty kind: $(cat kinds)"
}
screen_keys h
screen_wait '^ *[0-9]+ +avg [0-9.]+m?s '
kinds_have_data
screen_keys BSpace
screen_wait '^Processes'
screen_keys H
screen_wait 'bright: most time'
kinds_have_data

test="8: the longest wait is the brightest cell of the heat map, and rows end where nobody looks"
screen_settled >seen
shown '^ +67.1ms .*█'
shown '^color: above the median [0-9.]+ms   bright: most time together'
not_shown '^ +[0-9.]+ns '
shown ' › futex of trader/order \([0-9]+\) over time '
shown 'slowest 102ms order '

test="18: panels of another time say which, and nothing of the whole file"
screen_keys BSpace
screen_wait '^Processes'
screen_keys '['
screen_wait ' PAST [0-9.]+ s to [0-9.]+ s'
screen_wait '^CPUs .*[^e] 200ms '
screen_settled >seen
not_shown 'all 2.02s'
screen_keys l
screen_wait 'all of the file'

test="2, 3: a row of Slowest is that instance: Enter its tree, t its time"
screen_wait '^Slowest|Slowest  '
screen_wait '146ms run-queue wait   audit-log'
screen_keys BTab
screen_keys Enter
screen_wait '^audit-log \([0-9]+\): 146ms, from 0\.807669 s'
screen_wait '^ +[0-9.]+ms +encode \('
screen_keys t
screen_wait '^victim +audit-log '
screen_wait '^.*│0\.8'
screen_settled >seen
shown '^0\.8[0-9]+ s '

test="6: the page of a finding has its sentence, the tree, the others of the kind, and advice"
screen_keys BSpace BSpace
screen_wait '^Processes'
screen_keys BTab
screen_wait '^Processes'
screen_close
tui 40 120 "$faults/inversion.dat.xz"
screen_keys Enter
screen_wait '^others '
screen_settled >seen
shown '^ trader/order .* waits [0-9]+ % of its time for a user-space lock'
shown '^ *102ms   audit-log \([0-9]+\), holder'
shown '^others .*[▁▂▃▄▅▆▇█].*the longest of [0-9]+ futex calls'
shown '^try '
shown '^ +rule futex-lock'
screen_keys F2
screen_wait 'type to narrow'
screen_keys -l why
screen_wait 'contains: why'
screen_settled >seen
for kind in screen table; do expect "each $kind named why" 1 "$(grep -cE " why +$kind " seen)"; done

test="9: user threads come first; numbers do not touch; the span of time is the user's"
screen_close
screen_open 24 80
screen_type "clear; ringside tui --screen timeline $mixed"
screen_wait 'a cell ' 20
screen_settled >seen
sed -n 3p seen | grep -qE '^[^ /]+ .*[0-9]+ ' || fail "no thread is first: $(sed -n 3p seen)"
kernel=$(line_of '^(ksoftirqd|rcu_|migration|kworker)') thread=$(line_of '^(burner|faulter|spawner|pong|mover) ')
[ "${thread:-99}" -lt "${kernel:-98}" ] || fail "kernel threads are first: $(cat seen)"
not_shown '^[a-z_-]+ +[0-9]{5,} [0-9]'
scale=$(sed -n 2p seen | sed 's/ a cell.*//')
screen_keys .
screen_settled >seen
expect "time a cell" "$scale" "$(sed -n 2p seen | sed 's/ a cell.*//')"
screen_close

[ "$(id -u)" = 0 ] || finish
need_tracing
begin "7: ringside is left out of what it records"
ringside record -q -o own.dat -- stage -d 1 'app: burn 2000, sleep 5000' >did 2>&1 || fail "no recording: $(cat did)"
for screen in overview tasks antagonists waterfall; do
	batch 50 120 --screen $screen own.dat
	not_shown '^ringside +[0-9]'
done
batch 50 120 --screen tasks --self own.dat
shown '^ringside +[0-9]'
finish
