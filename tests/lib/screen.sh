# SPDX-License-Identifier: GPL-2.0-or-later
# screen.sh - a terminal that tests type into and look at: tmux, a server of our own; to be sourced after live.sh
#
#	screen_open 24 100                     # a shell with the prompt "ready> "
#	screen_type "$ringside trace.dat"      # and Enter
#	screen_keys F2 Down C-z                # as tmux names keys
#	screen_wait 'Overview'                 # until a line of the screen matches (extended), else the test fails
#	screen_text                            # what is there
#	screen_settled                         # the same, once it does not change any more
#
# The shell begins in $screen_dir, or where the test's files are.
# shellcheck shell=bash disable=SC2154 # tmp and fail come from live.sh
need_commands tmux pgrep

screen() { tmux -L "ringside-test-$$" -f /dev/null "$@"; }
screen_close() {
	screen kill-server 2>/dev/null
	while screen has-session 2>/dev/null; do sleep 0.02; done
}
trap 'screen_close; clean_up' EXIT

# screen_open HEIGHT WIDTH [TERM]: the size is what the program may use
screen_open() {
	screen_close
	cat >"$tmp/screenrc" <<-'RC'
	PS1='ready> '
	unset PROMPT_COMMAND LINES COLUMNS MAILCHECK
	RC
	# what the session is made with must be set before there is one
	screen start-server \; set-option -g exit-empty off \; set-option -g default-terminal "${3:-tmux-256color}" \; \
		set-option -g status off \; set-option -g escape-time 0 \; set-option -g remain-on-exit off
	screen new-session -d -x "$2" -y "$1" -c "${screen_dir:-$tmp}" "exec bash --rcfile $tmp/screenrc --noprofile -i"
	screen_wait '^ready>'
}
screen_keys() { screen send-keys "$@"; }
screen_type() { screen send-keys -l "$1" && screen send-keys Enter; }
screen_text() { screen capture-pane -p; }
screen_colours() { screen capture-pane -p -e; }
screen_resize() { screen resize-window -x "$2" -y "$1"; } # HEIGHT WIDTH
screen_is() { screen display-message -p "$1"; } # a format of tmux: '#{alternate_on}'
# What the shell's terminal is like between programs: modes, screen, cursor, mouse, keypad.
screen_state() {
	screen_is 'alternate #{alternate_on} cursor #{cursor_flag} mouse #{mouse_any_flag} #{mouse_sgr_flag}'
	screen_is 'keypad #{keypad_flag} #{keypad_cursor_flag}'
	stty -a <"$(screen_is '#{pane_tty}')" | sed 's/rows [0-9]*; columns [0-9]*;//'
}

screen_try() { # screen_try PATTERN [SECONDS]: is there a line that matches, now or soon?
	local end=$((SECONDS + $(seconds "${2:-10}")))
	while ! screen_text | grep -Eq -- "$1"; do
		[ $SECONDS -ge $end ] && return 1
		sleep 0.03
	done
}
screen_wait() {
	screen_try "$@" || { fail "never on the screen: $1"; screen_text | sed 's/^/	| /'; return 1; }
}
# until no line matches, else the test fails
screen_wait_gone() {
	local end=$((SECONDS + $(seconds "${2:-10}")))
	while screen_text | grep -Eq -- "$1"; do
		[ $SECONDS -lt $end ] || { fail "stays on the screen: $1"; screen_text | sed 's/^/	| /'; return 1; }
		sleep 0.05
	done
}
# screen_settled [FILTER...]: what is there, through a filter, once it has been the same for half a second
screen_settled() {
	local same=0 before='' now
	[ $# != 0 ] || set -- cat
	while [ $same -lt 10 ]; do
		sleep 0.05
		now=$(screen_text | "$@"; echo .) # so that empty lines at its end stay
		if [ "$now" != . ] && [ "$now" = "$before" ]; then same=$((same + 1)); else same=0; fi
		before=$now
	done
	printf '%s' "${now%.}"
}
