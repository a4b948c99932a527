#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# record.sh [RINGSIDE] - recordings of the running kernel, read by trace-cmd: what was done is what is there
# exit 77: cannot be run here, with the reason
set -u
ringside=$(realpath "${1:-build/ringside}")
[ -x "$ringside" ] || { echo "record: there is no '${1:-build/ringside}': run make"; exit 1; }
[ "$(id -u)" = 0 ] || { echo "skipped: only root can record"; exit 77; }
command -v trace-cmd >/dev/null || { echo "skipped: trace-cmd is not installed"; exit 77; }
command -v perl >/dev/null || { echo "skipped: perl is not installed"; exit 77; }
instances=$(findmnt -n -o TARGET -t tracefs | head -n 1)/instances
[ -d "$instances" ] || { echo "skipped: tracefs is not mounted"; exit 77; }

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

fail() { echo "FAILED: $test: $*"; failed=1; }
expect() { [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"; }
# what a pattern is found in
finds() { grep -q -- "$1" "$2" || fail "no '$1' in $2: $(tail -n 3 "$2")"; }

# Runs ringside with what it says in err; $status is its exit status. What it made is gone when it returns.
run() {
	"$ringside" "$@" 2>err &
	pid=$!
	wait $pid
	status=$?
	[ -e "$instances/ringside-$pid" ] && fail "left behind: ringside-$pid"
}

begin() { test=$1; rm -f ./*; }
report() { trace-cmd report -t "$@" >report 2>warnings; [ -s warnings ] && fail "trace-cmd warns: $(head -n 3 warnings)"; }

begin "a command's calls are all there, from its execve to its exit"
run record -o out.dat -e raw_syscalls -- perl -e 'getppid for 1..5000'
expect "exit status" 0 $status
report out.dat
tid=$(sed -n 's/.*sched_process_exec:.*filename=.*perl pid=\([0-9]*\) .*/\1/p' report | head -n 1)
[ -n "$tid" ] || fail "no execve of the command"
case $(uname -m) in
x86_64) getppid=110 exit_group=231 ;;
aarch64 | riscv64) getppid=173 exit_group=94 ;;
s390x) getppid=64 exit_group=248 ;;
*) getppid= ;;
esac
if [ "$getppid" ]; then
	expect "getppid calls" 5000 "$(grep -c -- "perl-$tid .*sys_enter: *NR $getppid " report)"
	expect "getppid returns" 5000 "$(grep -c -- "perl-$tid .*sys_exit: *NR $getppid " report)"
	finds "perl-$tid .*sys_enter: *NR $exit_group " report
fi
finds "perl-$tid .*sched_process_exit" report
finds "out.dat: .* in .* s, no events lost" err

begin "names of what came and went"
run record -e sched_switch -- sh -c 'for i in 1 2 3; do sleep 0.01; done; cp /bin/true ./shortlived; ./shortlived'
expect "exit status" 0 $status
report trace.dat
finds "shortlived-[0-9]" report
expect "tasks without a name" 0 "$(grep -c '^ *<\.\.\.>-' report)"

begin "the report knows the command"
run record -a sched -- sh -c 'echo $$ >pid; cp /bin/true ./shortlived; ./shortlived'
expect "exit status" 0 $status
child=$(cat pid)
"$ringside" report trace.dat --view sched,cpus >all 2>note
expect "the note, once" "ringside: note: recorded with 'sh -c echo \$\$ >pid; cp /bin/true ./shortlived; ./shortlived' (pid $child): shown is the whole machine, with --command it and its children alone" "$(cat note)"
"$ringside" report trace.dat --view sched --command --csv -q >alone 2>note
"$ringside" report trace.dat --view sched -p "$child" --csv -q >named 2>note
finds "^shortlived," alone
expect "as -p with its pid" "$(cat named)" "$(cat alone)"

begin "loss is marked in the pages, and said at the end"
run record -b 8 -e raw_syscalls -- dd if=/dev/zero of=/dev/null bs=1 count=300000 status=none
report trace.dat
if grep -q "no events lost" err; then
	echo "note: $test: nothing was lost here"
else
	finds "EVENTS DROPPED" report
	finds "events lost (CPU" err
fi

begin "-d ends it"
began=$(date +%s%N)
run record -d 0.5 -e sched_switch
expect "exit status" 0 $status
ms=$((($(date +%s%N) - began) / 1000000))
[ $ms -ge 500 ] || fail "ended after $ms ms"
report trace.dat
finds "sched_switch" report

for sig in INT TERM HUP; do
	begin "SIG$sig ends it with a whole file"
	"$ringside" record -e sched_switch 2>err &
	pid=$!
	for i in $(seq 100); do [ -e "$instances/ringside-$pid/tracing_on" ] && [ "$(cat "$instances/ringside-$pid/tracing_on")" = 1 ] && break; sleep 0.05; done
	sleep 0.2
	kill -$sig $pid
	wait $pid
	expect "exit status" 0 $?
	[ -e "$instances/ringside-$pid" ] && fail "left behind: ringside-$pid"
	report trace.dat
	finds "sched_switch" report
done

begin "Ctrl-Z turns tracing off until it goes on"
set -m # a process group of its own: in one that nobody could continue, no SIGTSTP stops
"$ringside" record -e sched_switch 2>err &
pid=$!
set +m
for i in $(seq 100); do [ "$(cat "$instances/ringside-$pid/tracing_on" 2>/dev/null)" = 1 ] && break; sleep 0.05; done
sleep 0.1
kill -TSTP $pid
for i in $(seq 100); do grep -q "^State:.*T" /proc/$pid/status && break; sleep 0.02; done
finds "^State:.*T" /proc/$pid/status
expect "tracing_on while stopped" 0 "$(cat "$instances/ringside-$pid/tracing_on")"
kill -CONT $pid
for i in $(seq 100); do [ "$(cat "$instances/ringside-$pid/tracing_on")" = 1 ] && break; sleep 0.02; done
expect "tracing_on after it went on" 1 "$(cat "$instances/ringside-$pid/tracing_on")"
kill -INT $pid
wait $pid
expect "exit status" 0 $?

begin "a command that does not exist"
run record -- ./no-such-command
expect "exit status" 1 $status
finds "^ringside: cannot run './no-such-command': No such file or directory" err
run record -- no-such-command-in-the-path
expect "exit status" 1 $status
run record -- /etc
finds "^ringside: cannot run '/etc': Permission denied" err
[ -e trace.dat ] && fail "a file was made"

begin "a command that is no program"
printf '#!/no/such/interpreter\n' >broken
chmod +x broken
run record -- ./broken
expect "exit status" 1 $status
finds "^ringside: cannot run './broken': No such file or directory" err
[ -s trace.dat ] && fail "something was kept"

begin "a command that dies by a signal"
run record -e sched_switch -- sh -c 'kill -SEGV $$'
expect "exit status" 0 $status
finds "'sh' was ended by signal 11 (Segmentation fault)" err

begin "a command goes on when the recording ends"
run record -d 0.2 -e sched_switch -- sh -c 'echo $$ >pid; exec sleep 30'
expect "exit status" 0 $status
[ -s pid ] && kill "$(cat pid)" || fail "the command is gone"

begin "the user who called sudo"
SUDO_UID=65534 SUDO_GID=65534 run record -o out.dat -e sched_switch -- sh -c 'id -u; id -G' >out
expect "the command's user and groups" "65534 65534" "$(tr '\n' ' ' <out | sed 's/ $//')"
expect "the file's owner" 65534:65534 "$(stat -c %u:%g out.dat)"
SUDO_UID=65534 SUDO_GID=65534 run record -o out2.dat --as-root -e sched_switch -- id -u >out
expect "the command's user with --as-root" 0 "$(cat out)"

begin "a command's signals and files are as without ringside"
# not by way of a shell, which would mend its signals itself
grep "^Sig[BI]" /proc/self/status >plain &
wait $!
ls /proc/self/fd >>plain &
wait $!
run record -e sched_switch -- grep "^Sig[BI]" /proc/self/status >out
run record -e sched_switch -- ls /proc/self/fd >>out
expect "signals and files" "$(cat plain)" "$(cat out)"

begin "standard output"
"$ringside" record -o - -d 0.1 >piped.dat 2>err || fail "-o -: $(cat err)"
"$ringside" report piped.dat --check >checked 2>&1 || fail "-o -: $(cat checked)"

begin "misuse"
run record -o /nowhere/out.dat -d 0.1
expect "exit status of an output that cannot be" 1 $status
finds "cannot write '/nowhere/out.dat': No such file or directory" err
run record -e sched:sched_swich -d 0.1
expect "exit status of an unknown event" 2 $status
finds "did you mean 'sched:sched_switch'" err
run record --clock bot -d 0.1
expect "exit status of an unknown clock" 2 $status
finds "did you mean 'boot'" err
run record -p 999999999 -d 0.1
expect "exit status of an unknown process" 1 $status
finds "no such process" err
[ -e trace.dat ] && fail "a file was made"

format_of() { # format_of NAME [-f FORMAT]
	case $1 in
	*.json.gz) echo chrome ;; *.db) echo sqlite ;; *.ctf) echo ctf ;; *.html) echo html ;; *.dat) echo trace.dat ;; *) echo "$3" ;;
	esac
}
begin "--chrome writes the export too, with the rights that ringside began with"
mkdir -m 700 mine
SUDO_UID=65534 SUDO_GID=65534 "$ringside" record -q -o mine/out.dat --chrome mine/out.json -- true >out 2>err
expect "exit status" 0 $?
expect "owner" 65534 "$(stat -c %u mine/out.json)"
"$ringside" export mine/out.dat -q -o again.json
cmp -s mine/out.json again.json || fail "the export is not that of the recording"
"$ringside" record -q -o out.dat --chrome out.dat -- true 2>err
expect "the same file twice" 2 $?
SUDO_UID=65534 SUDO_GID=65534 "$ringside" record -q -o mine/out.dat --export mine/out.pftrace -- true >out 2>err
expect "exit status" 0 $?
"$ringside" export mine/out.dat -q -o again.pftrace
cmp -s mine/out.pftrace again.pftrace || fail "--export: Perfetto's format is not that of the recording"

rm -rf mine
begin "--export in every format is what export makes of the recording"
for name in out.json.gz out.db out.ctf out.html cut.dat "rows -f clickhouse"; do
	file=${name%% *}
	rm -rf again "$file"
	# shellcheck disable=SC2086 # an option behind the name
	"$ringside" record -o out.dat --export $name -e sched -- true 2>err
	expect "exit status of $name" 0 $?
	finds "^ringside: $file: [0-9.]*[KM]*i*B, [0-9]* events" err
	# shellcheck disable=SC2086
	"$ringside" export out.dat -q -o again -f "$(format_of $name)" || fail "export to $name"
	case $file in
	*.gz) gzip -dc $file | cmp -s - again ;;
	*.db) diff <(sqlite3 $file .dump) <(sqlite3 again .dump) >differs ;;
	*.html) sed -i 's/nonce[-="]*[0-9a-f]*//' $file again && cmp $file again >differs ;;
	*.ctf) diff <(cd $file && stat -c '%n %s' -- *) <(cd again && stat -c '%n %s' -- *) >differs ;; # each has a uuid of its own
	*) diff -r $file again >differs ;;
	esac || fail "$name is not what export writes: $(head -c 300 differs)"
done
for name in "out.db" "out.ctf"; do
	"$ringside" record -o out.dat --export $name -e sched -- /no/such/program 2>err
	[ $? != 0 ] && [ "$(ls)" = "$(ls | grep -v "$name\.")" ] || fail "$name: an error leaves $(ls)"
done
refused() { # refused MESSAGE OPTIONS...: and nothing is recorded
	local message=$1
	shift
	rm -f out.dat
	"$ringside" record -o out.dat "$@" -- true 2>err
	expect "exit status of $*" 2 $?
	finds "$message" err
	[ ! -e out.dat ] || fail "$*: a recording was made"
}
refused "what format is 'x.unknown'?" --export x.unknown
refused "--compat is for chrome, not for sqlite" --export x.db --compat
refused "are for --export FILE" -f ctf
"$ringside" record -o out.dat --export out.ctf -- true 2>err
expect "exit status where the folder is there" 1 $?
finds "'out.ctf' is there already" err
rm -rf again mine out.ctf rows

begin "a full disk ends it with a readable file"
mkdir disk
cat >full.sh <<END
mount -t tmpfs -o size=32m none disk || exit 9
'$ringside' record -o disk/out.dat --chrome disk/out.json -e raw_syscalls -- dd if=/dev/zero of=/dev/null bs=1 count=3000000 status=none 2>err
echo \$? >status
trace-cmd report -t disk/out.dat 2>warnings | tail -n 1000 >report
stat -c %s disk/out.dat >size
umount disk
END
unshare -m sh full.sh
expect "exit status" 1 "$(cat status)"
finds "cannot write more to 'disk/out.dat': No space left on device" err
finds "nothing was exported to 'disk/out.json'" err
finds "sys_enter\|sys_exit" report
expect "trace-cmd's warnings" "" "$(cat warnings)"
[ "$(cat size)" -gt $((16 << 20)) ] || fail "only $(cat size) bytes are there"

[ $failed = 0 ] && echo "record: all as it should be"
exit $failed
