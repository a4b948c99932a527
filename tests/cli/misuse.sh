#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# misuse.sh - what is wrong with a command is said in one line, with the status that says whose fault it is
#
# Usage: tests/cli/misuse.sh [BUILD]; each check: status, the message, the command.
ringside=$(cd "${1:-build}" && pwd)/ringside
traces=$(cd tests/traces && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0 n=0

check() # STATUS MESSAGE ARGUMENTS...
{
	status=$1 message=$2
	shift 2
	n=$((n + 1))
	"$ringside" "$@" >out 2>err </dev/null
	got=$?
	if [ $got != "$status" ] || [ "$(cat err)" != "$message" ] || [ -s out ]; then
		failed=$((failed + 1))
		echo "FAIL: ringside $*"
		echo "  wanted $status: $message"
		echo "  came   $got: $(cat err)"
		[ -s out ] && echo "  and on standard output: $(head -c 200 out)"
	fi
}

# commands
check 2 "ringside: unknown command 'reprot'; did you mean 'report'?" reprot
check 2 "ringside: unknown command 'xyzzy': neither a command, a view nor a file (see 'ringside help')" xyzzy
check 2 "ringside: unknown command 'top'; here it is 'ringside tasks -I 2'" top
check 2 "ringside: unknown command 'hardirqs'; here it is 'ringside irqs --type irq'" hardirqs
check 2 "ringside: '-z': the command or the file comes first (see 'ringside help')" -z
check 2 "ringside: no help on 'reprot'; did you mean 'report'?" help reprot
check 2 "ringside: no list of 'evnets'; did you mean 'events'?" list evnets
check 1 "ringside: cannot open 'x.dat': No such file or directory" x.dat
check 1 "ringside: cannot open './x': No such file or directory" ./x
check 2 "ringside: no screen and no view has the name 'timelin' (did you mean 'timeline'?)" \
	tui --batch -i "$traces/debian-6.1-amd64-v6.dat" --screen timelin
check 2 "ringside: no screen and no view has the name 'shced' (did you mean 'sched'?)" \
	tui --batch -i "$traces/debian-6.1-amd64-v6.dat" --screen shced
check 2 "ringside: no screen and no view has the name 'xyzzy' (see --screen in 'ringside help tui', and 'ringside list views')" \
	tui --batch -i "$traces/debian-6.1-amd64-v6.dat" --screen xyzzy

# options
check 2 "ringside: report: unknown option '--jsn'; did you mean '--json'?" report --jsn
check 2 "ringside: report: -d does not apply here (see 'ringside help report')" report -d 5
check 2 "ringside: report: --json and --csv: one of them" report --json --csv
check 2 "ringside: -n 'x': is not a whole number" report -n x
check 2 "ringside: report: -n needs a value: ROWS" report -n
check 2 "ringside: report: 'b' is one file too many beside -i (name all files without -i)" report -i a b

# names from outside do not reach the terminal raw
check 2 "ringside: unknown command '\\x1B[2J': neither a command, a view nor a file (see 'ringside help')" "$(printf '\033[2J')"

# an output that cannot be written is an error; a reader who has gone is none
"$ringside" help >/dev/full 2>err
[ $? = 1 ] && [ "$(cat err)" = "ringside: cannot write the output: No space left on device" ] || {
	failed=$((failed + 1))
	echo "FAIL: help >/dev/full: $(cat err)"
}
LC_ALL=C.UTF-8 LINES=24 COLUMNS=80 "$ringside" tui --batch "$traces/debian-6.1-amd64-v6.dat" >/dev/full 2>err
[ $? = 1 ] && [ "$(cat err)" = "ringside: cannot write the screen: No space left on device" ] || {
	failed=$((failed + 1))
	echo "FAIL: tui --batch >/dev/full: $(cat err)"
}
{ "$ringside" help; echo $? >status; } 2>err | true
[ ! -s err ] || {
	failed=$((failed + 1))
	echo "FAIL: help | true: $(cat err)"
}

[ $failed = 0 ] || { echo "misuse: $failed of $n failed"; exit 1; }
echo "misuse: $n passed"
