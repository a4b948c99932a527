# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion: commands, views, and the options and columns of each, as its own help lists them

# Commands and views: the left column of the two lists.
_ringside_names() { ringside help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'; }
_ringside_columns() { ringside "$1" --columns help 2>/dev/null | sed '1d;s/^..//;s/ .*//'; }

# The last word of a list with commas: what stands before it is kept, and the - of a column that is sorted the other way.
_ringside_list() # WORDS WORD
{
	local word=$2 before=
	[[ $word = *,* ]] && before=${word%,*}, word=${word##*,}
	[[ $word = -* ]] && before+=- word=${word#-}
	COMPREPLY=($(compgen -P "$before" -W "$1" -- "$word"))
	compopt -o nospace 2>/dev/null
}

_ringside()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} i

	for ((i = 1; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" = -- ] && { compopt -o default; return; }
	done
	if [ "$COMP_CWORD" = 1 ]; then
		COMPREPLY=($(compgen -W "$(_ringside_names)" -- "$word"))
		compopt -o default
	elif [ "$command$COMP_CWORD" = help2 ]; then
		COMPREPLY=($(compgen -W "guide $(_ringside_names) $(ringside list rules --csv 2>/dev/null | sed '1d;s/,.*//')" -- "$word"))
	elif [ "$before" = --view ]; then
		_ringside_list "all $(ringside list views --csv 2>/dev/null | sed '1d;s/,.*//')" "$word"
	elif [[ $before = @(--columns|--by|--sort|-s|--where) ]]; then
		_ringside_list "$(_ringside_columns "$command")" "$word"
	elif [[ $word = -* ]]; then
		COMPREPLY=($(compgen -W "$(ringside help "$command" 2>/dev/null | grep -o -- '--[a-z][a-z-]*')" -- "$word"))
	else
		compopt -o default
	fi
}
complete -F _ringside ringside
