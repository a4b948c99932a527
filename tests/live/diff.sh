#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# diff.sh - two recordings of a workload whose request takes 5 ms more of one thing: diff names it, its culprit and how much
#
# What is compared is one part of the time for a request, which other load does not change: what a task runs itself, sleeps,
# waits for a lock, and for one that runs before everybody else.
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
requests=100
kept=$(mktemp -d) || skip "no folder for recordings can be made"
netns=rsdiff$$
trap 'rm -rf "$kept"; ip netns del $netns 2>/dev/null; clean_up' EXIT

# measured KIND: a recording of it
measured() {
	"$ringside" record -q -o "$kept/$1.dat" -- "$samples/loads/checkout" $requests "${1%-again}" 5000 "$kept/checkout.data" >did 2>err || fail "record: $(cat err)"
}

# more CONDITION: of the parts of checkout that are told and count those that CONDITION chooses: the sum of their changes, in us
more() {
	ask "round(sum(part['change_ns'] for r in rows if r.get('process') == 'checkout' for part in r['parts'] if part['counts'] and $1) / 1000)"
}

begin "the same again is no difference"
measured none
measured none-again
"$ringside" diff "$kept/none.dat" "$kept/none-again.dat" --json -q >out 2>err || fail "diff: $(cat err)"
expect "the unit" "read of shop" "$(ask "[r['unit'] + ' of ' + r['unit_of'] for r in rows if r.get('process') == 'checkout'][0]")"
expect "requests" "[$requests, $requests]" "$(ask "[[r['units_a'], r['units_b']] for r in rows if r.get('process') == 'checkout'][0]")"
# other load of the machine may make both wait for a CPU, but not run, sleep or wait for a lock longer
expect "what it does itself" "[]" \
	"$(ask "[part for r in rows if r.get('process') == 'checkout' for part in r['parts'] if part['category'] in ('sleep', 'lock', 'disk') or part['change_ns'] > 1e6 and part['category'] == 'run']")"

compared() {
	measured "$1"
	"$ringside" diff "$kept/none.dat" "$kept/$1.dat" --json -q >out 2>err || fail "diff: $(cat err)"
}

begin "5 ms more on a CPU"
compared cpu
within "us" 4500 5500 "$(more "part['category'] == 'run'")"

begin "5 ms more asleep"
compared sleep
within "us" 4500 5500 "$(more "part['part'] == 'timer'")"

# saved CULPRIT CHANGE: of each request of shop, in us, by what-if of the recording
saved() {
	"$ringside" what-if -i "$kept/$kind.dat" -c shop --json -q >out 2>err || fail "what-if: $(cat err)"
	ask "round(sum(r['saved_ns'] / r['waits'] for r in rows if (r.get('culprit'), r.get('change'), r.get('peer')) == ('$1', '$2', 'checkout')) / 1000)"
}

# at_most: 6 ms, or a fifth more than the extra took by the workload's own clock, where others had its CPU, too
at_most() { sed 's/.*extra_us=\([0-9]*\).*/\1/' did | awk '{ print ($1 > 5000 ? int($1 * 1.2) : 6000) }'; }

# who waits for a CPU before it asks for the lock waits less for it, and longer where its holder waits for one
begin "5 ms of a lock that another has"
compared lock
within "us" 2000 20000 "$(more "part['part'] == 'futex' and part['culprit'] == 'holder'")"
within "us without the holder" 4000 "$(at_most)" "$(kind=lock saved holder gone)"

begin "5 ms behind one that runs before everybody"
compared neighbor
within "us" 4500 5500 "$(more "part['category'] == 'queue' and part['culprit'] == 'importer'")"
within "us without importer" 4000 "$(at_most)" "$(kind=neighbor saved importer gone)"

begin "one that is asked, and works for 5 ms"
compared peer
expect "who" "['store']" "$(ask "sorted({part['culprit'] for r in rows if r.get('process') == 'checkout' for part in r['parts'] if part['category'] == 'peer' and part['counts']})")"
# it runs for 5 ms, and is before others in line
within "us with store twice as fast" 2000 4000 "$(kind=peer saved store 'twice as fast')"

# over a link of 20 Mbit/s 12,500 bytes take 4 ms more; before everybody else, so that no other load comes between
begin "answers over a slow link"
if ip netns add $netns 2>/dev/null && ip link add rsdiff0 type veth peer name rsdiff1 netns $netns; then
	ip addr add 10.77.83.1/24 dev rsdiff0 && ip link set rsdiff0 up
	ip -n $netns addr add 10.77.83.2/24 dev rsdiff1 && ip -n $netns link set rsdiff1 up
	over_link() {
		"$ringside" record -q -o "$kept/$1.dat" -- chrt -f 10 "$samples/loads/checkout" $requests link 0 /run/netns/$netns >did 2>err || fail "record: $(cat err)"
		took=$(sed -n 's/.*extra_us=//p' did)
	}
	over_link fast
	fast=$took
	ip netns exec $netns tc qdisc add dev rsdiff1 root tbf rate 20mbit burst 2000 limit 100000 || fail "no token bucket filter"
	over_link slow
	"$ringside" diff "$kept/fast.dat" "$kept/slow.dat" --json -q >out 2>err || fail "diff: $(cat err)"
	within "us of $((took - fast))" $(((took - fast) * 8 / 10)) $(((took - fast) * 11 / 10)) "$(more "part['server'] == '10.77.83.2:7183'")"
	expect "to whom" "store" "$(ask "[part['server_process'] for r in rows if r.get('process') == 'checkout' for part in r['parts'] if part['server']][0]")"
else
	echo "diff: no network namespaces, or no veth: answers over a slow link are not tested"
fi

begin "writes that are synced for 5 ms"
compared disk
expect "what the disk does more" True "$(ask "any(r['verdict'] in ('new', 'more') for r in rows if r.get('view') == 'biolatency')")"

begin "a check that fails"
"$ringside" diff "$kept/none.dat" "$kept/lock.dat" -q --fail-on new:futex >out 2>err
expect "status" 3 $?
"$ringside" diff "$kept/none.dat" "$kept/lock.dat" -q --fail-on gone:futex >out 2>err
expect "status of what is not there" 0 $?
finds '^B: .*lock.dat, ' out
"$ringside" diff "$kept/none.dat" "$kept/lock.dat" -q --fail-on new:futex --report junit >out 2>err
"$python" - out <<'PY' || fail "JUnit: $(head -c 300 out)"
import sys
import xml.etree.ElementTree as tree

suite = tree.parse(sys.argv[1]).getroot()
failed = [(c.get('classname'), c.get('name')) for c in suite.iter('testcase') if c.find('failure') is not None]
assert ('ringside.futex', 'checkout') in failed and len(failed) == int(suite.get('failures')), failed
assert len(list(suite.iter('testcase'))) == int(suite.get('tests'))
PY

"$ringside" diff "$kept/none.dat" "$kept/lock.dat" -q --report html >out 2>err || fail "page: $(cat err)"
"$python" - out <<'PY' || fail "page: $(head -c 300 out)"
import re
import sys
from html.parser import HTMLParser

page = open(sys.argv[1]).read()
HTMLParser().feed(page)
assert re.search(r'<b>checkout: [^<]*behind holder', page), 'no sentence'
assert '<h3>futex</h3>' in page, 'no rows'
assert page.count('class="dist"') >= 1, 'no distribution'
assert len(page) < 2000000, len(page)
PY

begin "two times of one recording"
"$ringside" diff "$kept/sleep.dat" --from 0 --to 0.3 --from 0.3 --to 0.6 -q >out 2>err || fail "diff: $(cat err)"
grep -q '^B: .*sleep.dat from 0.300 s to 0.600 s, 0.' out || fail "$(head -3 out)"

begin "a baseline"
"$ringside" baseline save friday "$kept/none.dat" --store "$kept/store.db" -q 2>err || fail "save: $(cat err)"
"$ringside" baseline compare friday "$kept/sleep.dat" --store "$kept/store.db" --json -q >out 2>err || fail "compare: $(cat err)"
within "us" 4500 5500 "$(more "part['part'] == 'timer'")"
"$ringside" baseline compare friday --store "$kept/store.db" -q -- sleep 0.1 >out 2>err || fail "compare with a command: $(cat err)"
finds '^B: sleep 0.1, ' out

blocks() {
	"$ringside" baseline show friday --store "$kept/store.db" --view syscall-latency --json -q >out 2>err || fail "show: $(cat err)"
	ask "[r['blocks'] for r in rows if 'blocks' in r][0]"
}
before=$(blocks) # at most 32; those with lost events are none
"$ringside" baseline save friday --add "$kept/none-again.dat" --store "$kept/store.db" -q 2>err || fail "add: $(cat err)"
within "blocks" $((before + 1)) $((before + 32)) "$(blocks)"
expect "reads of shop" True "$(ask "any(r.get('key') == 'shop read' and 0 < r['p50_ns'] < r['p99_ns'] for r in rows)")"
"$ringside" baseline save friday --add "$kept/none.dat" --store "$kept/store.db" -q --comm shop 2>err && fail "baselines of other options were added"
finds "its list of options is '', and this one '--comm shop'" err
"$ringside" baseline trend --store "$kept/store.db" -q >out 2>err || fail "trend: $(cat err)"
finds '^1 baselines, fewer than 16: nothing can be concluded' out

# of one run nothing can be concluded, and the commands are run in turn
begin "two commands"
"$ringside" diff -n 1 -q -- "echo old >>$kept/ran" -- sh -c "echo new >>$kept/ran" >out 2>err || fail "diff: $(cat err)"
expect "what ran" "old new " "$(tr '\n' ' ' <"$kept/ran")"
grep -q '^undetermined: 1 process' out || fail "$(cat out)"
"$ringside" diff -n 1 -- true >out 2>err
expect "status of one command" 2 $?

finish
