#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# profile.sh - functions with known shares: 70 % and 30 % of a program's time, whatever becomes of its file and its threads
. "$(dirname "$0")/../lib/live.sh"
need_tracing

share() { # share FUNCTION MEMBER: of the sample's process
	ask "sum(r['$2'] for r in of(function='$1'))"
}

# n samples of a share p have a standard deviation of sqrt(n p (1 - p)): four of them are 1 in 15,000 runs
shares_are_right() {
	local n
	n=$(ask "sum(r['self'] for r in rows if r['function'] in ('seventy', 'thirty'))")
	within "samples" 100 5000 "$n"
	within "of seventy()" "$((n * 7 / 10 - $(four_deviations "$n")))" "$((n * 7 / 10 + $(four_deviations "$n")))" "$(share seventy self)"
	# a sample may be in recurse() itself, or where seventy() has no frame yet
	within "callers of it" "$((n * 7 / 10 - $(four_deviations "$n") - 5))" "$((n * 7 / 10 + $(four_deviations "$n") + 5))" "$(share recurse total)"
	expect "lost" 0 "$(ask "meta['samples_lost']")"
}
four_deviations() { python3 -c "print(int(4 * ($1 * 0.21) ** 0.5) + 1)"; }

begin "shares, with recursion"
run profile --json -F 999 --by function --as-root -- "$samples/shares" -t 1000 -d 5
fine
shares_are_right
expect "recursion counts once" 1 "$(ask "int(of(function='recurse')[0]['total'] <= meta['samples'])")"

begin "threads that exit"
run profile --json -F 999 --by function --as-root -- "$samples/shares" -t 1000 -n 25
fine
shares_are_right

begin "a program in a folder that only its owner may enter, and that is removed while it runs"
mkdir -m 700 private
cp "$samples/shares" private/gone
private/gone -t 3000 >/dev/null &
gone=$!
sleep 0.3
rm private/gone
run profile --json -F 999 --by function -p $gone -d 1
fine
shares_are_right
wait $gone

begin "a program in another root, as in a container"
mkdir root
for file in $(ldd "$samples/shares" | grep -o '/[^ ]*'); do
	mkdir -p "root$(dirname "$file")"
	cp -L "$file" "root$file"
done
cp "$samples/shares" root/inside
run profile --json -F 999 --by function --as-root -- sh -c 'exec env -u SAMPLE_OUT chroot root /inside -t 1000 >did'
fine
shares_are_right

begin "a stripped program has no names, and no wrong ones"
cp "$samples/shares" stripped
strip stripped
run profile --json -F 499 --by function,module --as-root -- ./stripped -t 500
fine
expect "names in it" "['[unknown]']" "$(ask "sorted({r['function'] for r in of(module='stripped')})")"

begin "without frame pointers: callers by --call-graph dwarf"
run profile --json --call-graph dwarf -F 999 --by function --as-root -- "$samples/frameless" -t 1000 -d 5
fine
shares_are_right
expect "recursion counts once" 1 "$(ask "int(of(function='recurse')[0]['total'] <= meta['samples'])")"

begin "without frame pointers and without --call-graph dwarf the callers are not named"
run profile --json --call-graph fp -F 999 --by function --as-root -- "$samples/frameless" -t 500 -d 5
fine
n=$(ask "sum(r['self'] for r in rows if r['function'] in ('seventy', 'thirty'))")
within "samples" 50 5000 "$n"
within "callers of seventy()" 0 $((n / 10)) "$(share recurse total)"

begin "a stripped program, and a stack too small for its callers"
cp "$samples/frameless" frameless
strip frameless
run profile --json --call-graph dwarf,64 -F 999 --by function,module --as-root -- ./frameless -t 300 -d 5
fine
expect "names in it" "['[unknown]']" "$(ask "sorted({r['function'] for r in of(module='frameless')})")"

begin "a recording has callers, and no stacks"
"$ringside" record -q --call-graph dwarf -F 999 -e sched_switch -o dwarf.dat --as-root -- "$samples/frameless" -t 500 -d 3 >out 2>err || fail "$(cat err)"
"$ringside" profile -i dwarf.dat -f folded >out 2>err || fail "$(cat err)"
within "stacks of seventy()" 1 1000 "$(grep -c '^frameless;.*main;work;recurse;recurse;recurse;recurse;seventy [0-9]*$' out)"

begin "folded stacks"
"$ringside" profile -f folded -F 499 --as-root -- "$samples/shares" -t 500 -d 2 >out 2>err || fail "$(cat err)"
within "stacks of seventy()" 1 1000 "$(grep -c '^shares;.*main;work;recurse;recurse;recurse;seventy [0-9]*$' out)"

begin "where the time of a command went names its code, if samples are taken"
run why --json --samples=999 --as-root -- "$samples/shares" -t 2000
fine
finds '^seventy (shares) [5-8][0-9] %$' <(ask "[r['code'] for r in rows if r.get('part') == 'run' and 'code' in r][0]")
run why --json --as-root -- "$samples/shares" -t 100
fine
expect "samples by default" "False False" "$(ask "('samples' in meta, any('code' in r for r in rows))" | tr -d '(),')"
finish
