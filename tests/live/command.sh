#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# command.sh - a command that is launched is what is shown: its process and its children, and nobody else
. "$(dirname "$0")/../lib/live.sh"
need_tracing

# somebody else, in calls and on the CPU all the while
"$samples/sleeper" -n 1000000 -t 1000 >/dev/null 7>&- 8<&- 9>&- &
other=$!
cat >.job <<'S'
echo $$ >shell
/bin/sleep 0.05
/bin/sh -c 'echo $$ >inner; /bin/sleep 0.05; :'
:
S
begin() { [ -z "${TIMES-}" ] || echo "$SECONDS $*"; test=$*; }
names() { ask "sorted({r['comm'] for r in rows})"; }

begin "calls: the shell, the inner shell and their sleeps"
run syscalls --json -- /bin/sh ./.job
fine
expect "who" "['sh', 'sleep']" "$(names)"
expect "the shell and what it began" 4 "$(ask "len({r['pid'] for r in rows})")"
expect "sleeps" 2 "$(ask "len(of(syscall='clock_nanosleep'))")"
expect "the last line says so" "-- /bin/sh" "$(ask "meta['filters']")"

begin "without --"
run sched --json /bin/sh ./.job
fine
expect "who" "['sh', 'sleep']" "$(names)"
expect "tasks" 4 "$(ask "len(rows)")"

begin "without its children"
run sched --json --no-children /bin/sh ./.job
fine
expect "who" "[$(cat shell)]" "$(ask "[r['tid'] for r in rows]")"

begin "the screens: all of its time, when it has ended"
LINES=40 COLUMNS=140 "$ringside" tui --batch -- /bin/sh ./.job >page 2>err
expect "exit status" 0 $?
grep -q "PAST .* to .* s" page && grep -q "filters -- /bin/sh" page || fail "$(head -3 page)"
expect "who" "sh sleep" "$(sed -n '/^Processes/,/^$/p' page | sed 1d | grep -o '^[a-z]*' | sort -u | tr '\n' ' ' | sed 's/ $//')"
LINES=40 COLUMNS=110 "$ringside" tui --batch -- ./no-such >page 2>err
expect "exit status without a command" 1 $?
expect "what it says" "ringside: cannot run './no-such': No such file or directory" "$(cat err)"

begin "the whole machine"
run sched --json --system /bin/sh ./.job
fine
expect "the other one too" True "$(ask "$other in {r['tid'] for r in rows} and $(cat inner) in {r['tid'] for r in rows}")"
expect "the last line" "" "$(ask "meta['filters']")"

begin "somebody who is named, as long as the command runs"
run sched --json -p $other /bin/sleep 0.1
fine
expect "who" "[$other]" "$(ask "[r['tid'] for r in rows]")"
expect "the counts are of all tasks" 1 "$(ask "meta['all_tasks']")"
run events -e raw_syscalls --json -p $other /bin/sleep 0.1
fine
expect "the counts where the kernel filters by task" 0 "$(ask "meta['all_tasks']")"

begin "what no task has is the machine's"
run cpus --json /bin/sleep 0.1
fine
expect "CPUs" "$(nproc)" "$(ask "len(rows)")"
expect "the last line says so" "-- /bin/sleep (whole machine: all of it)" "$(ask "meta['filters']")"

begin "a page of all views"
run summary -q /bin/sh ./.job
fine
finds '^cpus: .* (whole machine: all of it)$' out
# in its first column, or behind the time: as who had the CPU before, anybody may be on it
others='^ *\([0-9.]* *\)\{0,1\}sleeper'
grep -q "$others" out && fail "somebody else is on it: $(grep "$others" out | head -n 1)"

kill $other
wait $other 2>/dev/null
finish
