#compdef ringside
# SPDX-License-Identifier: GPL-2.0-or-later
# zsh completion: commands, views, and the options and columns of each, as its own help lists them

_ringside() {
	local command=$words[2] before=$words[CURRENT-1]
	local -a found

	if (( ${words[(I)--]} && ${words[(I)--]} < CURRENT )); then
		_normal
	elif (( CURRENT == 2 )); then
		found=(${(f)"$(ringside help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  *\(.*\)/\1:\2/p')"})
		_describe command found
		_files
	elif [[ $command = help && CURRENT -eq 3 ]]; then
		found=(guide ${(f)"$(ringside help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  *\(.*\)/\1:\2/p')"}
			${(f)"$(ringside list rules --csv 2>/dev/null | sed '1d;s/,.*//')"})
		_describe 'command, view or rule' found
	elif [[ $before = --view ]]; then
		found=(all ${(f)"$(ringside list views --csv 2>/dev/null | sed '1d;s/,.*//')"})
		_values -s , view $found
	elif [[ $before = (--columns|--by|--sort|-s|--where) ]]; then
		found=(${(f)"$(ringside $command --columns help 2>/dev/null | sed '1d;s/^..//;s/ .*//')"})
		_values -s , column $found
	elif [[ $PREFIX = -* ]]; then
		found=(${(f)"$(ringside help $command 2>/dev/null | grep -o -- '--[a-z][a-z-]*')"})
		compadd -- $found
	else
		_files
	fi
}
_ringside "$@"
