#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live-screens.sh - what is seen of a running kernel is what goes on in it
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
need_tracing
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$samples:$PATH
unset NO_COLOR COLORTERM

# tui ARGUMENTS: in a fresh shell, until there are numbers; its pid in $tui_pid, its engine's in $pid
tui() {
	screen_open 50 150
	screen_type "clear; ringside tui --own $*; echo status \$?"
	screen_wait '[0-9] ev/s ' 20 || return
	tui_pid=$(pgrep -P "$(screen_is '#{pane_pid}')" -x ringside)
	pid=$(pgrep -P "$tui_pid")
	left_behind "$pid" >/dev/null || fail "no instance of $pid"
}
# None lost, unless the kernel says so, too: where others make the machine too busy.
leave() {
	local lost
	lost=$(cat "$(left_behind "$pid" | head -n 1)"/per_cpu/cpu*/stats | awk '/^(overrun|dropped events):/ { n += $NF } END { print n }')
	if [ "$lost" = 0 ]; then
		screen_text | sed -n 2p | grep -q ' lost ' && fail "no event was lost, and it says so: $(screen_text | head -n 3)"
	else
		screen_wait '^ .*events +lost [1-9?]' || fail "$lost events were lost: $(screen_text | head -n 3)"
	fi
	screen_keys Q
	screen_wait '^status 0' 10
	nothing_left "$pid"
}

begin "a hog is seen, is at the top of who runs most, and gone when it is killed"
tui
# it gets its CPU, whoever else wants one: sessions share a CPU among them before processes do
setsid nice -n -20 timeout 60 bash -c 'echo -20 >/proc/self/autogroup; exec hog -n 100000 -t 1000000' 2>/dev/null &
job=$!
began=$(date +%s%N)
screen_wait '^hog  *[0-9]+ .*runs [0-9]+%'
took=$((($(date +%s%N) - began) / 1000000))
hog_pid=$(screen_text | sed -En 's/^hog  *([0-9]+) .*/\1/p')
expect "its name" hog "$(cat "/proc/$hog_pid/comm")"
screen_keys F2
screen_wait 'type to narrow'
screen_type tasks
screen_wait '^COMM .*RUN.*▼'
first() { screen_text | grep -A 1 '^COMM .*RUN.*▼' | tail -n 1; }
for i in {1..100}; do first | grep -q "^hog  *$hog_pid " && break; sleep 0.1; done
first | grep -q "^hog  *$hog_pid " || { fail "not at the top: $(first)"; screen_text; }

test="Enter is about the process that is selected"
screen_keys Enter
screen_wait "tasks › hog \($hog_pid\)"
screen_wait '^.tasks  1 row'
screen_keys BSpace
screen_wait '^COMM .*RUN.*▼'
kill -9 "$hog_pid"
screen_wait_gone "^hog  *$hog_pid "
kill $job 2>/dev/null
wait $job 2>/dev/null
screen_keys BSpace
screen_wait '^Processes '

test="a call that does not return"
screen_resize 120 150 # room for all that is stuck, however busy the machine is
"$samples/stuck" >did & # who waits for input is not stuck: the parent of a vfork that goes no further is
stuck_job=$!
until grep -q blocked= did; do sleep 0.02; done
blocked=$(said blocked)
stuck() { screen_text | sed -En "s/.* (>?=?[0-9.]+(ms|s)) +call +blocked \($blocked\)  .*/\1/p"; }
age_ms() { stuck | sed -E 's/[>=]//g; s/([0-9.]+)(m?s)/\1 \2/' | awk '{ printf "%d", $2 == "s" ? $1 * 1000 : $1 }'; }
for i in {1..200}; do before_ms=$(age_ms); [ -n "$before_ms" ] && break; sleep 0.05; done
[ -n "$before_ms" ] || { fail "not stuck"; screen_text; }
for i in {1..200}; do after_ms=$(age_ms); [ "${after_ms:-0}" -ge $((${before_ms:-0} + 1000)) ] && break; sleep 0.05; done
within "its age grows" $((${before_ms:-0} + 1000)) $((${before_ms:-0} + 60000)) "${after_ms:-0}"
kill $stuck_job
wait $stuck_job 2>/dev/null
screen_wait_gone "call +blocked \($blocked\)"
screen_resize 50 150

test="paused: what is shown stays, capture goes on"
screen_keys Space
screen_wait 'PAUSED at'
shown() { sed 1d; } # but what has come since
stays() {
	screen_settled shown >paused
	sample sleeper -n 3 >/dev/null
	sleep 1.2
	screen_text | shown >still
	cmp -s paused still
}
# The panels' answers come one by one, on a busy machine seconds apart; what follows the capture never stays.
stays || stays || stays || fail "it changes: $(diff paused still | head -n 5)"
screen_keys '['
screen_wait ' PAST '
screen_keys l
screen_wait ' live [0-9.]+ s'
leave

begin "what slept before anybody looked"
mkfifo pipe
exec 5<>pipe
cat <pipe >/dev/null &
cat_pid=$!
tui -p $cat_pid
screen_wait ">=[0-9.]+m?s .*cat \($cat_pid\)  read\(0"
echo >pipe
kill $cat_pid
wait $cat_pid 2>/dev/null
screen_wait_gone "cat \($cat_pid\)  read\(0"
leave

begin "every view can be looked at live"
tui
screen_keys F2
screen_wait 'type to narrow'
# The name stands before the kind, with its topic before it on the first line of a topic; the number of rows comes after.
views=$(screen_text | awk '{ for (i = 2; i < NF; i++) if ($i ~ /^(table|log|histogram)$/) { print $(i - 1); break } }')
# What nothing that is recorded belongs to has its reason in place of its help, and is not left for by Enter.
off=$(screen_text | awk '{ for (i = 2; i < NF; i++) if ($i ~ /^(table|log|histogram)$/ && $(i + 2) == "needs") { print $(i - 1); break } }')
for view in $views; do
	screen_type "$view"
	if grep -qx "$view" <<<"$off"; then
		screen_wait "^ *$view: needs " || break
		screen_keys Escape
	else
		screen_wait " › $view( |$)" || break
		screen_keys BSpace F2
	fi
	screen_wait 'type to narrow'
done
grep -qx pairs <<<"$off" || fail "pairs, of which none were named, says no reason"
within "views" 15 99 "$(wc -w <<<"$views")"
screen_keys Escape
leave

screen_close
echo "a hog is seen after $took ms"
finish
