#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# storms.sh - sizes and keys without end and without sense, many tasks, a stop in the midst of it
#
# SEED=n: the same keys again. KEYS=n: how many
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$samples:$PATH
file=$root/tests/traces/debian-6.1-amd64-mixed.dat
seed=${SEED:-$((10#$(date +%N)))} keys=${KEYS:-10000}
echo "seed $seed"

# tui COMMAND: ringside, begun by it
tui() {
	screen_type "clear; $*; echo status \$?"
	screen_wait ' [0-9,]+ (ev/s|events) ' 20
	tui_pid=$(pgrep -P "$(screen_is '#{pane_pid}')" -x ringside)
}
quit() {
	screen_resize 30 100
	screen_wait 'q Quit|q Back|^ *[a-z ]+: '
	screen_keys C-c
	screen_wait '^status 0' 10
}

no_cost() { sed 's/own .*//'; } # of ringside itself, which differs from run to run

begin "a hundred sizes"
mkdir here
screen_dir=$tmp/here
screen_open 30 100
tui ringside "$file"
screen_wait Processes
screen_settled no_cost >before
RANDOM=$seed
for ((i = 0; i < 100; i++)); do
	screen_resize $((1 + RANDOM % 60)) $((1 + RANDOM % 220))
	[ $((i % 10)) = 0 ] && screen_keys Tab
done
for i in {1..10}; do screen_keys BTab; done
screen_resize 30 100
for i in {1..200}; do screen_text | no_cost >after; cmp -s before after && break; sleep 0.03; done
cmp -s before after || fail "another picture of the same: $(diff before after)"
quit

# Pasted: at once, not key by key. What a terminal sends for arrows, function keys and the mouse is among it, and pieces
# of these; not among it: Ctrl-C, Ctrl-Z and Ctrl-\, which are no keys, and q, Q, F10 and : (with its list of commands), after which
# there may be none to read more.
begin "noise"
mkdir -m 777 here
screen_open 30 100
"$python" - "$seed" "$keys" >noise <<'PY'
import random, sys
random.seed(int(sys.argv[1]))
out = sys.stdout.buffer
letters = [bytes([c]) for c in range(32, 127) if chr(c) not in "qQ:"]
control = [bytes([c]) for c in range(1, 32) if c not in (3, 26, 28)]
special = [b"\033[" + c for c in (b"A", b"B", b"C", b"D", b"H", b"F", b"5~", b"6~", b"2~", b"3~", b"Z", b"15~", b"17~")]
special += [b"\033O" + c for c in (b"P", b"Q", b"R", b"S", b"A", b"B", b"H", b"F")]
special += [b"\r", b"\r", b"\r", b"\x7f", b"\x7f", b"\033", b"\t", b" "]
odd = [b"\033[", b"\033O", b"\033[M", b"\033[<0;", b"\033[999;999~", "é漢e\u0301".encode(), b"\xff", b"\xc3", b"\0"]
def mouse():
    button, x, y = random.choice((0, 1, 3, 64, 65)), random.randrange(1, 80), random.randrange(1, 48)
    return random.choice((b"\033[M%c%c%c" % (32 + button, 32 + x, 32 + y), b"\033[<%d;%d;%d%c" % (button, x, y, random.choice(b"Mm"))))
for i in range(int(sys.argv[2])):
    kind = random.random()
    out.write(random.choice(letters) if kind < 0.35 else random.choice(special) if kind < 0.75 else
              mouse() if kind < 0.85 else random.choice(control) if kind < 0.95 else random.choice(odd))
out.write(b"   ") # where a mouse's three bytes are due, the Ctrl-C that follows would be the first of them
PY
nobody=
setpriv --reuid 65534 --regid 65534 --clear-groups "$ringside" version >/dev/null 2>&1 &&
	nobody="setpriv --reuid 65534 --regid 65534 --clear-groups" # what is typed may be a path
tui $nobody ringside "$file"
screen_wait Processes
tty=$(screen_is '#{pane_tty}')
screen load-buffer noise
screen paste-buffer -r
end=$((SECONDS + 60))
# taken in: what stands in the terminal's queue is nothing
while [ $SECONDS -lt $end ] && [ "$("$python" -c 'import fcntl, sys, termios
print(int.from_bytes(fcntl.ioctl(open(sys.argv[1]), termios.FIONREAD, b"\0\0\0\0"), "little"))' "$tty")" != 0 ]; do sleep 0.1; done
screen_text >last
kill -0 "$tui_pid" || { fail "it ended"; cat last; }
quit
screen_text | grep -q 'ERROR\|Sanitizer' && fail "$(screen_text)"

[ "$(id -u)" != 0 ] && { screen_close; finish; }
begin "ten thousand tasks"
need_tracing
screen_open 30 120
hold crowd -n 10000 -r 60 -t 1000000
tui ringside tui --own --screen sched
exec 9>&-
screen_wait 'of 1[0-9],[0-9][0-9][0-9] rows' 30
screen_keys End # which asks for all of them
screen_wait '[^f] 1[0-9],[0-9][0-9][0-9] rows' 30
screen_keys /
screen_wait '^search'
screen_type 'crowd-7777'
screen_wait '^crowd-7777 ' 30
for key in NPage PPage Home ">" r End Home; do screen_keys $key; done
screen_keys Enter
screen_wait ' sched › '
within "memory of what draws, MiB" 1 150 "$(awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$tui_pid/status")"
kill $sample_job 2>/dev/null
wait $sample_job 2>/dev/null
quit
screen_close
finish
