#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# exec.sh - what a shell begins, what it is refused, and what ends: as many as there were, with their parents
. "$(dirname "$0")/../lib/live.sh"
need_tracing

cat >job.sh <<'S'
echo $$ >shell
for i in 1 2 3 4 5; do /bin/sleep 0.3; done
for i in 1 2 3; do /nonexistent/program 2>/dev/null; done
/bin/sh -c 'echo $$ >inner; /bin/sleep 0.3; /bin/sleep 0.3'
:
S
counts() { # in out: what job.sh did
	local shell inner
	shell=$(cat shell) inner=$(cat inner)
	expect "sleeps of the shell" 5 "$(ask "len(of(type='exec', comm='sleep', ppid=$shell, ret=0))")"
	expect "sleeps of the inner shell" 2 "$(ask "len(of(type='exec', comm='sleep', ppid=$inner, ret=0))")"
	expect "the inner shell's parent" "[$shell]" "$(ask "[r['ppid'] for r in of(type='exec', pid=$inner, ret=0)]")"
	expect "refused" "[-2, -2, -2]" "$(ask "[r['ret'] for r in rows if r['ppid'] == $shell and r['ret']]")"
	expect "an exit for each of its children" 9 "$(ask "len(of(type='exit', ppid=$shell))")"
	expect "each lived for 0.3 s or more" True "$(ask "all(300e6 <= r['lifetime_ns'] < 60e9 for r in of(type='exit', comm='sleep') if r['ppid'] in ($shell, $inner))")"
	expect "exit says no status" "{None}" "$(ask "{r['ret'] for r in of(type='exit')}")"
	expect "the shell's own exit" 1 "$(ask "len(of(type='exit', pid=$shell))")"
}
begin() { [ -z "${TIMES-}" ] || echo "$SECONDS $*"; test=$*; } # job.sh stays

begin "live: with the words of what still runs"
run execsnoop --json -- /bin/sh ./job.sh
fine
counts
expect "words" "{'/bin/sleep 0.3'}" "$(ask "{r['args'] for r in rows if r['ret'] == 0 and r['comm'] == 'sleep' and r['ppid'] in ($(cat shell), $(cat inner))}")"
expect "files" "{'/bin/sleep'}" "$(ask "{r['filename'] for r in of(comm='sleep', ret=0, ppid=$(cat shell))}")"

begin "from a recording of it: the words, too, unless they were not to be recorded"
run record -q -o trace.dat -a execsnoop -- /bin/sh ./job.sh
fine
"$ringside" execsnoop -i trace.dat --json >out 2>err || fail "report: $(cat err)"
counts
# a machine that begins many programs at once leaves some unread
expect "words" "{'/bin/sleep 0.3'}" "$(ask "{r['args'] for r in rows if r['args'] and r['ret'] == 0 and r['comm'] == 'sleep' and r['ppid'] in ($(cat shell), $(cat inner))}")"
run record -q --no-args -o trace.dat -a execsnoop -- /bin/sh ./job.sh
fine
"$ringside" execsnoop -i trace.dat --json >out 2>err || fail "report: $(cat err)"
expect "no words" "{None}" "$(ask "{r['args'] for r in rows}")"

begin "from a recording of all: refused once, though two events tell"
run record -q -o trace.dat -- /bin/sh ./job.sh
fine
"$ringside" execsnoop -i trace.dat --json >out 2>err || fail "report: $(cat err)"
counts

begin "a program that takes another one's place at once has its own words or none"
cat >first <<'S'
#!/bin/sh
echo $$ >own
exec /bin/sleep 0.5
S
chmod 755 first
run execsnoop --json -- ./first a b
fine
expect "words of the script" True "$(ask "{r['args'] for r in of(comm='first', ret=0, pid=$(cat own))} <= {None, '/bin/sh ./first a b'}")"
expect "words of sleep" "['/bin/sleep 0.5']" "$(ask "[r['args'] for r in of(comm='sleep', ret=0, filename='/bin/sleep', pid=$(cat own))]")"

begin "narrowed to who is there already: what it begins is shown, and nobody else's"
mkfifo go
/bin/sh -c 'read line <go; /bin/sleep 0.2; /bin/sleep 0.2; :' 7>&- 8<&- &
shell=$!
start execsnoop --json -p $shell
/bin/true
echo >go
wait $shell
end
fine
expect "sleeps" 2 "$(ask "len(of(type='exec', comm='sleep', ppid=$shell))")"
expect "nobody else" True "$(ask "all(r['ppid'] == $shell or r['pid'] == $shell for r in rows)")"
expect "it is older than the capture" "[None]" "$(ask "[r['lifetime_ns'] for r in of(type='exit', pid=$shell)]")"
expect "its parent, from /proc" "[$$]" "$(ask "[r['ppid'] for r in of(type='exit', pid=$shell)]")"

begin "processes of several threads: one end each"
run execsnoop --json -- "$samples/spawn" -p 3 -t 4
fine
expect "ends of processes" 4 "$(ask "len([r for r in rows if r['type'] == 'exit' and (r['pid'] in {int(x) for x in '$(sed -n 's/^pid=\([0-9]*\) .*/\1/p' did | sort -u | tr '\n' ' ')'.split()} or (r['comm'] == 'spawn' and r['ppid'] == $pid))])")"

begin "the wrapper: what the tool of that name shows"
RINGSIDE=$ringside "$root/scripts/wrappers/execsnoop" -t --input trace.dat >text 2>err || fail "wrapper: $(cat err)"
finds '^ *TIMEs PCOMM  *PID  *PPID RET ARGS' text
grep -q exit text && fail "the wrapper shows exits"
finish
