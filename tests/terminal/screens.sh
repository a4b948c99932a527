#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# screens.sh [NAME...] - keys beside the screens that they must give: tests/terminal/screens/NAME, typed and looked at
#
# A line of such a file is a step; what a step needs to be understood is said in lines that begin with #:
#
#	size 24 100           a terminal of 24 lines, 100 columns; must be first. A third word: its TERM
#	$ ringside mixed.dat  typed into a shell, among the recordings of tests/traces (and more: see below)
#	keys F2 Down C-z      as tmux names keys
#	type comm ~ burn      letters
#	resize 10 40
#	wait TEXT             until the text is on the screen: before keys that would come too early
#	screen                the lines that follow, each with a | before it, are what the screen becomes
#	body                  the same without the footer
#
# UPDATE=1 writes what the screen becomes into the files. Look at it before you commit it: what is there is what is right.
. "$(dirname "$0")/../lib/live.sh"
export LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR COLORTERM
. "$root/tests/lib/screen.sh"
scripts=$root/tests/terminal/screens

# What the header says of our own cost differs from run to run, and so do the names that are proposed for files.
plain() {
	sed -E -e "s|$tmp|/tmp/tmp.0123456789|" -e 's/own( cost    )? [0-9.]+%( of a CPU,)? [0-9.]+[KMG]?i?B/own #/' -e 's/ringside-[0-9]{8}-[0-9]{6}/ringside-DATE/g' \
		-e 's/ +$//' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' | # empty lines at the end go
		if [ "$looking" = body ]; then sed '$d'; else cat; fi
}
# Until it is so, or has not been so for long; what it is then is in the file "seen".
becomes() {
	local end=$((SECONDS + $(seconds 8)))
	until screen_text | plain >seen && cmp -s "$1" seen; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.03
	done
}
# A host and its guest, whose counter is behind the host's; both count 2/3 ns.
make_machines() {
	local put=$root/tests/lib/put_options.py traces=$root/tests/traces
	python3 "$put" "$traces/debian-6.1-amd64-v6.dat" "$1/host.dat" trace_id=5 guest=web,77,2 tsc2nsec=3,1,0
	python3 "$put" "$traces/debian-5.10-amd64-v6.dat" "$1/guest.dat" trace_id=77 host_id=5 tsc2nsec=3,1,0 \
		time_shift=1:0,-23874000000,1,0/0,-23874000000,1,0
}

look() {
	sed 's/^| \{0,1\}//' wanted >wanted.screen
	if [ -n "${UPDATE-}" ]; then
		screen_settled plain >seen
		sed -e 's/^/| /' -e 's/ $//' seen >>became
	elif [ ! -s wanted ]; then
		fail "line $line: which screen?"
		return 1
	elif ! becomes wanted.screen; then
		fail "line $line: the screen is another than it must be (-)"
		diff -U1 wanted.screen seen | tail -n +3 | sed 's/^/	/'
		return 1
	fi
}

step() {
	local what=${1%% *} rest=${1#* }
	local -a words
	read -r -a words <<<"$rest"
	case $what in
	'#'* | '') ;;
	size) rm -rf config; screen_open "${words[@]}" ;;
	'$') screen_type "clear; $rest" ;;
	keys) screen_keys "${words[@]}" ;;
	type) screen_keys -l "$rest" ;;
	resize) screen_resize "${words[@]}" ;;
	wait) screen_try "$(sed 's/[][(){}.*+?^$|\\]/\\&/g' <<<"$rest")" 8 || { fail "line $line: never on the screen: $rest"; screen_text | sed 's/^/	| /'; return 1; } ;;
	screen | body) looking=$what; : >wanted ;;
	*) fail "line $line: what is '$what'?"; return 1 ;;
	esac
}

play() {
	local line=0 looking='' text
	: >became
	while IFS= read -r text || [ -n "$text" ]; do
		line=$((line + 1))
		if [ -n "$looking" ]; then
			[ "${text:0:1}" = '|' ] && { echo "$text" >>wanted; continue; }
			look || return
			looking=
		fi
		echo "$text" >>became
		step "$text" || return
	done <"$1"
	[ -z "$looking" ] || look
}

export XDG_CONFIG_HOME=$tmp/config PATH=$build:$PATH
# shellcheck disable=SC2034 # screen.sh's
screen_dir=$tmp/here
[ $# != 0 ] || set -- $(cd "$scripts" && ls)
for name; do
	begin "$name"
	mkdir here
	ln -s "$root"/tests/traces/*.dat "$root"/tests/traces/faults/*.dat.xz here/
	[ "$name" != machines ] || make_machines here
	play "$scripts/$name" && [ -n "${UPDATE-}" ] && cp became "$scripts/$name"
done
screen_close
finish
