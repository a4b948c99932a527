# SPDX-License-Identifier: GPL-2.0-or-later
# fish completion: commands, views, and the options and columns of each, as its own help lists them

function __ringside_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and echo $words[2]
end

function __ringside_ours # what follows -- belongs to the command
    not contains -- -- (commandline -opc)
end

function __ringside_list # what stands before the last comma is kept
    set -l before (string match -r '.*,' -- (commandline -ct))
    for word in $argv
        echo $before$word
    end
end

function __ringside_after
    contains -- (commandline -opc)[-1] $argv
end

function __ringside_columns
    __ringside_list (ringside (__ringside_command) --columns help 2>/dev/null | sed '1d;s/^..//;s/ .*//')
end

complete -c ringside -n 'test (count (commandline -opc)) -eq 1' -a "(ringside help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p')"
complete -c ringside -n '__ringside_after --view' -f -a "(__ringside_list all (ringside list views --csv 2>/dev/null | sed '1d;s/,.*//'))"
complete -c ringside -n '__ringside_after --columns --by --sort -s --where' -f -a '(__ringside_columns)'
complete -c ringside -n '__ringside_ours; and string match -q -- "-*" (commandline -ct)' -f -a "(ringside help (__ringside_command) 2>/dev/null | grep -o -- '--[a-z][a-z-]*')"
complete -c ringside -n 'test (count (commandline -opc)) -eq 2; and test (__ringside_command) = help' -f -a "guide (ringside help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p') (ringside list rules --csv 2>/dev/null | sed '1d;s/,.*//')"
