#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# canvas.sh - what is drawn on the terminal, which keys come, and the terminal as it was on every way out
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
show=$build/tests/tools/terminal-show

# begin_show ARGUMENTS: a screen with the tool in it, once it draws
begin_show() {
	screen_state >before
	screen_type "clear; $show $*; echo status \$?"
	screen_wait '^ show [0-9]+x[0-9]+ key 0'
}
# ends_with [STATUS]: the prompt is back, and the terminal as it was
ends_with() {
	[ -z "${1-}" ] || screen_wait "^status $1" 5 || return
	screen_wait '^ready> *$' 5 # its modes are the shell's, not those of the moment before
	screen_state >after
	cmp -s before after || fail "$test: the terminal is another: $(diff before after)"
}
show_pid() { pgrep -P "$(screen_is '#{pane_pid}')" -x terminal-show; }

begin "drawn as it is"
screen_open 14 100
begin_show mouse
screen_text >text
expect "size" " show 14x100 key 0: 0x0 at 0,0" "$(sed -n 1p text)"
expect "wide and combining" \
	"$(printf '  wide 漢字 combining e\u301. escaped \\x1B[2J �')" "$(sed -n 2p text)"
expect "glyphs" "   ▏▎▍▌▋▊▉█ ▁▂▃▄▅▆▇█ ░▒▓█─│▲▼◀▶…·▸›×" "$(sed -n 3p text)"
expect "last line" "the end" "$(sed -n 14p text | sed 's/^ *//')"
expect "columns of the last line" 100 "$(sed -n 14p text | tr -d '\n' | wc -m)"
screen_colours | grep -q '38;5;221mwide' || fail "256 colours: $(screen_colours | sed -n 2p)"

test="keys"
n=0
# its name for tmux, its number for us
for key in a:61 é:e9 Up:200000 Down:200001 Left:200002 Right:200003 PPage:200004 NPage:200005 Home:200006 End:200007 \
	Enter:200008 BSpace:200009 Escape:20000a Tab:20000b BTab:20000c DC:20000d IC:20000e F1:20000f F12:20001a; do
	n=$((n + 1))
	screen_keys "${key%:*}"
	screen_wait "key $n: 0x${key#*:} " 3 || break
done
screen_keys -l $'\033[M!*&' # X10: button 1 (pressed: 32 + 1 is button 2), column 10, row 6
screen_keys -l $'\033[M *&\033[M#*&'
n=$((n + 2)) # the second button is not ours: pressed, released
screen_wait "key $n: 0x200021 at 5,9" 3
screen_keys -l $'\033[M *&'
n=$((n + 1))
screen_wait "key $n: 0x20001e at 5,9" 3
screen_keys -l $'\033[M`*&\033[Ma*&'
n=$((n + 2))
screen_wait "key $n: 0x20001c at 5,9" 3

test="half of a wide character, over and over"
for i in {1..7}; do
	screen_keys x
	n=$((n + 1))
	screen_wait "key $n: 0x78 " 3
	wide=漢字
	[ $((n % 2)) = 0 ] || wide=字漢
	expect "moved by $((n / 2 % 3))" "$(printf "%*swide $wide combining e\u301. escaped" $((2 + n / 2 % 3)) '')" \
		"$(screen_text | sed -n '2s/escaped.*/escaped/p')"
done
screen_keys q
ends_with 0

begin "keys as xterm sends them"
screen_open 14 100 xterm-256color
begin_show mouse
screen_keys -l $'\033[<0;50;7M'
screen_wait "key 1: 0x20001d at 6,49"
screen_keys -l $'\033[<32;52;7M\033[<35;53;7M' # dragged; then moved with no button
screen_wait "key 2: 0x200020 at 6,51"
screen_keys -l $'\033[<0;52;7m'
screen_wait "key 3: 0x200021 at 6,51"
screen_keys -l $'\033[<80;52;7M' # Ctrl and the wheel
screen_wait "key 4: 0x200022 at 6,51"
test="what is no report, and one that is cut off"
screen_keys -l $'\033[<0;99999;1M\033[<0;0;1'
screen_keys a # ends what was cut off, and is a key
screen_wait "key 5: 0x61 "
screen_keys q
ends_with 0

begin "Ctrl-L paints over what another program wrote"
begin_show
screen_text >text
printf '\033[2J\033[5;5Hrubbish' >"$(screen_is '#{pane_tty}')"
screen_wait '^    rubbish'
screen_keys C-l
screen_wait '^ show 14x100 key 1: 0x20001f'
expect "all but what a key changes" "$(sed 1,2d text)" "$(screen_text | sed 1,2d)"
screen_keys q
ends_with 0

begin "restored on every way out"
for way in q:0 e:3 C-c:0 C-'\':131 g:139 o:139 A:134; do
	test="restored after ${way%:*}"
	begin_show mouse
	screen_keys "${way%:*}"
	ends_with "${way#*:}"
done
for sig in TERM:143 HUP:129 INT:0 USR1:138 SEGV:139 ABRT:134; do
	test="restored after SIG${sig%:*}"
	begin_show mouse
	kill -"${sig%:*}" "$(show_pid)"
	ends_with "${sig#*:}"
done
test="restored after a hang"
begin_show mouse
screen_keys H
sleep 0.2
screen_keys C-c
sleep 0.7
expect "asked once, it hangs on" 1 "$(screen_is '#{alternate_on}')"
screen_keys C-c
ends_with # of a command that Ctrl-C killed the shell forgets what was to come after it

begin "stopped and continued"
begin_show mouse
stopped() {
	screen_wait '^\[1\]\+  Stopped' 3 || return
	screen_state >after
	cmp -s before after || fail "while stopped: $(diff before after)"
}
screen_keys C-z
stopped
screen_type "clear; fg"
screen_wait '^ show 14x100 key 1: 0x20001f'
screen_text | grep -q 'the end' || fail "not drawn anew: $(screen_text)"
kill -TSTP "$(show_pid)"
stopped
screen_resize 12 80
screen_type "clear; fg"
screen_wait '^ show 12x80 key [2-9]: 0x20001f'
expect "last line" 80 "$(screen_text | sed -n 12p | tr -d '\n' | wc -m)"
# what cannot be caught leaves the screen, but the shell has its own modes; fg brings ours back
kill -STOP "$(show_pid)"
screen_try 'Stopped' 3 || fail "SIGSTOP"
screen_type "fg"
screen_wait '^ show 12x80 key [3-9]: 0x20001f'
screen_keys x
screen_wait 'key [4-9]: 0x78 '
screen_keys q
ends_with

begin "any size at any moment"
begin_show
for i in {1..40}; do
	screen_resize $((1 + i * 7 % 30)) $((1 + i * 31 % 140))
done
screen_resize 1 1
sleep 0.1
screen_resize 10 40
screen_wait '^ show 10x40 key'
expect "last line" 40 "$(screen_text | sed -n 10p | tr -d '\n' | wc -m)"
screen_resize 30 120
screen_wait '^ show 30x120 key'
expect "last line" 120 "$(screen_text | sed -n 30p | tr -d '\n' | wc -m)"
screen_keys q
ends_with 0

begin "the terminal goes away"
for how in "" "trap '' HUP; "; do
	screen_open 14 100
	screen_state >before
	screen_type "${how}$show"
	screen_wait '^ show 14x100 key 0'
	pid=$(show_pid)
	[ -n "$pid" ] || fail "no process"
	screen kill-session
	for i in {1..100}; do kill -0 "$pid" 2>/dev/null || break; sleep 0.03; done
	kill -0 "$pid" 2>/dev/null && fail "goes on without a terminal (${how:-SIGHUP})"
done

begin "a picture that others can read"
for theme in dark light mono; do
	$show svg $theme >$theme.svg
	"$python" - $theme.svg <<-'PY' || fail "$theme"
	import sys, xml.etree.ElementTree as tree
	texts = [e.text for e in tree.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}text")]
	sys.exit("漢" not in texts or "style 5" not in texts)
	PY
done

begin "what cannot be drawn on"
screen_open 14 200
for term in dumb nonsense ""; do
	screen_type "clear; TERM='$term' $show; echo status \$?"
	screen_wait '^terminal-show: TERM is .*--batch' 3
	screen_wait '^status 1' 3
done
screen_type "clear; $show 2>&1 | cat"
screen_wait '^terminal-show: standard output is no terminal .*--batch' 3

begin "fewer colours, fewer letters"
screen_type "clear; NO_COLOR=1 $show; echo status \$?"
screen_wait '^ show'
screen_colours | grep -q '38;5\|\[3[0-7]m' && fail "NO_COLOR: $(screen_colours | sed -n 2p)"
screen_colours | grep -q $'\033\\[4mwide' || fail "NO_COLOR: what warns is underlined: $(screen_colours | sed -n 2p)"
screen_keys q
screen_wait '^status 0'
screen_type "clear; TERM=screen $show; echo status \$?"
screen_wait '^ show'
screen_colours | grep -q '38;5' && fail "8 colours: $(screen_colours | sed -n 2p)"
screen_colours | grep -q '33mwide' || fail "8 colours: $(screen_colours | sed -n 2p)"
screen_keys q
screen_wait '^status 0'
for how in "LC_ALL=C $show" "$show ascii"; do
	screen_type "clear; $how; echo status \$?"
	screen_wait '^ show'
	screen_text | LC_ALL=C grep -q '[^ -~]' && fail "$how: not ASCII: $(screen_text | head -n 3)"
	expect "$how: glyphs" '   ...:::|# _..--=*# .:+#-|^v<>~.>>x' "$(screen_text | sed -n 3p)"
	screen_keys q
	screen_wait '^status 0'
done

screen_close
finish
