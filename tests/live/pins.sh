#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# pins.sh - what a client has pinned stays while the window moves on: the same answers, the same file; gone with the client
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
export PATH=$samples:$PATH

begin_daemon "a pinned time" --window 16M
stage -d 600 'client: ask s, sleep 300' 'server: serve s, burn 500, reply s' 'ticker: sleep 100' >did 2>&1 &
load=$!
until_soon 5 pgrep -x ticker >/dev/null || fail "no load: $(cat did)"
# Pins a tenth of a second, asks of it, waits until the window has passed it three times, and asks again.
client "
import json, os, subprocess, time
c, other = Client(path), Client(path)
views = ('syscalls', 'offcpu', 'waterfall', 'irqs')
def ask(of, op, fds=(), **members): return of.answer(of.begin(op, fds, **members), 120) # however busy the machine is
def state(): return ask(c, 'state')
def answers(of, t):
    return [ask(of, 'rows', view=v, limit=10000, **t) for v in views] + [
        ask(of, 'findings', **t), ask(of, 'latencies', kind='state', **{'as': 'histogram'}, **t), ask(of, 'worst', **t),
        ask(of, 'open', idle=True, limit=1000, **t)]
def plain(a): return {k: v for k, v in a.items() if k != 'id'}
def differing(a, b): # the members, or the rows of a list, that are not in both
    for k in sorted(set(a) | set(b)):
        x, y = a.get(k), b.get(k)
        if x != y and isinstance(x, list) and isinstance(y, list): yield k, [r for r in x if r not in y][:3], [r for r in y if r not in x][:3]
        elif x != y: yield k, str(x)[:200], str(y)[:200]
def same(a, b): return [plain(x) for x in a] == [plain(x) for x in b]
# One is in a call that began before all pages of then, and ends before it is asked again.
os.mkfifo('pipe')
blocked = subprocess.Popen(['cat', 'pipe'])
begun = state()['now_ns']
while state()['oldest_ns'] < begun + 1000000000: time.sleep(0.05)
for i in range(20): # on a busy machine the window may have passed the time before it is pinned
    time.sleep(0.3)
    to = state()['now_ns']
    t = dict(from_ns=to - 100000000, to_ns=to)
    p = ask(c, 'pin', **t)
    if p['ok'] and p['from_ns'] <= t['from_ns']: break
else: print('never pinned', p)
most = state()['window_bytes'] // 2
if not 0 < p['bytes'] <= most: print('bytes', p, most)
before = answers(c, t)
bad = [a for a in before if not a['ok']]
if bad: print('before:', bad)
if not any(r for a in before for r in a.get('rows', [])): print('no rows')
for i in range(3):
    now = state()['now_ns']
    while state()['oldest_ns'] < now: time.sleep(0.05)
if not any(o['pid'] == blocked.pid for o in before[-1].get('open', [])): print('not blocked:', str(before[-1])[:600])
open('pipe', 'w').close()
blocked.wait()
now = state()['now_ns']
while state()['now_ns'] == now: time.sleep(0.05)
after = answers(c, t)
for a, b, what in zip(before, after, views + ('findings', 'latencies', 'worst', 'open')):
    if not same([a], [b]): print(what, 'differs:', *differing(plain(a), plain(b)))
a = ask(other, 'rows', view='syscalls', **t) # to those who have not pinned it, it has expired
if a['ok'] or a['code'] != 'expired': print('other:', str(a)[:200])
f = open('pinned.dat', 'wb')
s = ask(c, 'save', (f.fileno(),), format='trace.dat', **t)
if not s['ok'] or not s['events']: print('save:', s)
json.dump(dict(t, events=before[0]['quality']['events'], lost=before[0]['quality']['lost']), open('range', 'w'))
if not state()['pin']: print('no pin in the state')
print(ask(c, 'unpin').get('ok'), state()['pin'])
a = ask(c, 'rows', view='syscalls', **t)
if a['ok'] or a['code'] != 'expired': print('unpinned:', str(a)[:200])
" >said 2>&1
expect "what clients saw" "True None" "$(cat said)"
expect "events of the file" "$(sed -n 's/.*"events": \([0-9]*\).*/\1/p' range)" \
	"$("$ringside" report pinned.dat --view syscalls --json | tail -n 1 | sed -n 's/.*"events":\([0-9]*\).*/\1/p')"

test="a client that is killed pins nothing more"
"$python" -c "
import os, time
from client import *
c = Client(os.environ['RINGSIDE_SOCKET'])
to = c.ask('state')['now_ns']
print(c.ask('pin', from_ns=to - 50000000, to_ns=to)['ok'], flush=True)
time.sleep(600)" >pinner 2>&1 &
pinner=$!
until_soon 10 grep -q True pinner || fail "not pinned: $(cat pinner)"
kill -9 $pinner
wait $pinner 2>/dev/null
# a pin of its own would be as large as if there had never been another
client "
import time
c = Client(path)
for i in range(100):
    to = c.ask('state')['now_ns']
    p = c.ask('pin', from_ns=1, to_ns=to) # all: as much as one client may
    if p['ok'] and p['bytes'] > 16 * 2 / 3 * 1024 * 1024 / 2 * 0.8: break
    time.sleep(0.1)
else: print(p)" >said 2>&1
expect "all of what can be pinned" "" "$(cat said)"
kill $load
wait $load 2>/dev/null
end_daemon
finish
