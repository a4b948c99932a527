#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""waits - why tasks were off their CPU, read independently: offcpu, futex and the split of each life

As reading.py, whose tasks, calls and requests this builds on: naive, with all in memory. The numbers of
the calls are the kernel's tables', by machine.
"""
import re
from collections import Counter, defaultdict

import reading

CONTENTION = re.compile(r'^(0x[0-9a-f]+) ')
ARGS = re.compile(r'^NR -?\d+ \((.*)\)$')
IDLE = {
    'x86_64': {232, 281, 441, 7, 271, 23, 270, 35, 230, 34, 130, 128},
    'i386': {256, 319, 441, 168, 309, 414, 82, 142, 308, 413, 162, 267, 407, 29, 179, 72, 177, 421},
    's390x': {251, 312, 441, 168, 302, 142, 301, 162, 262, 29, 179, 72, 177},
}
IO_WAIT = {'x86_64': {208, 333, 426}, 'i386': {247, 385, 416, 426}, 's390x': {245, 382, 426}}
FUTEX = {'x86_64': {202}, 'i386': {240, 422}, 's390x': {238}}
# clone, vfork, clone3: in D until the child goes on
CHILD = {'x86_64': {56, 58, 435}, 'i386': {120, 190, 435}, 's390x': {120, 190, 435}}
FUTEX_WAITS = {0, 6, 9, 11, 13}
EAGAIN, ETIMEDOUT = 11, 110


class Waits(reading.Reading):
    def __init__(self, events, gaps, machine, exact):
        super().__init__(events, gaps, machine, exact)
        self.locks = defaultdict(dict)           # tid -> lock -> begin, in the order of the begins
        self.own_call = {}                       # tid -> (nr, args, begin)
        self.request_done = {}                   # tid -> when one of its requests completed last
        self.kernel_threads = set()
        self.offcpu = defaultdict(list)          # (tid, state, nr, cause) -> lengths
        self.futexes = defaultdict(list)         # address -> (length, ret)
        self.begin = events[0].ts if events else 0

    def task(self, tid):
        t = super().task(tid)
        if not hasattr(t, 'birth'):
            t.birth, t.death, t.seen = None, None, False
        return t

    # ---- what a task waits for ----

    def call_of(self, tid, now):
        call = self.own_call.get(tid)
        return call if call and not self.void(call[2], now) else None

    def is_futex_wait(self, call):
        return bool(call) and call[0] in FUTEX[self.machine] and call[1][1] & 127 in FUTEX_WAITS

    def cause(self, t, now):
        call = self.call_of(t.tid, now)
        begun = list(self.locks[t.tid].values())
        if begun and not self.void(begun[-1], now) and begun[-1] <= t.since:
            return 'lock'
        if t.letter == 'D' or (call and call[0] in IO_WAIT[self.machine]):
            if self.request_done.get(t.tid, -1) >= t.since:
                return 'disk'
        if t.letter == 'D':
            return 'sleep' if call and call[0] in CHILD[self.machine] else 'other D'
        if t.letter in 'Tt':
            return 'sleep'
        if self.is_futex_wait(call):
            return 'futex'
        if t.letter == 'I' or (call and call[0] in IDLE[self.machine]):
            return 'idle'
        return 'sleep' if call or t.tid in self.kernel_threads else None

    def waking(self, tid, now):
        t = self.task(tid)
        t.seen = True
        self.forget_if_void(t, now)
        if t.state == 'blocked' or (t.state == 'delay' and t.by_switch_out):
            call = self.call_of(tid, now)
            self.offcpu[tid, t.letter, call[0] if call else None, self.cause(t, now)].append(now - t.since)
        super().waking(tid, now)

    # ---- events ----

    def on_switch(self, ev):
        super().on_switch(ev)
        m = reading.SWITCH.match(ev.text)
        for tid in int(m[2]), int(m[5]):
            self.task(tid).seen = True
        if reading.LETTER[m[3]] in 'XZ' and int(m[2]):
            self.task(int(m[2])).death = ev.ts
            self.own_call.pop(int(m[2]), None)

    def born(self, tid):
        for table in self.locks, self.own_call, self.request_done:
            table.pop(tid, None)
        self.kernel_threads.discard(tid)
        super().born(tid)
        self.task(tid).birth = self.now

    def on_call_end(self, ev):
        call = self.own_call.pop(ev.tid, None)
        m = reading.EXIT.match(ev.text)
        if self.is_futex_wait(call) and not self.void(call[2], ev.ts) and int(m[1]) == call[0]:
            bits = reading.LONG_BITS[self.machine]
            ret = int(m[2]) - (2 ** bits if int(m[2]) >= 2 ** (bits - 1) else 0)
            self.futexes[call[1][0]].append((ev.ts - call[2], ret))

    def on_contention(self, ev):
        lock, held = CONTENTION.match(ev.text)[1], self.locks[ev.tid]
        if ev.name == 'contention_end':
            self.unmatched += held.pop(lock, None) is None
        elif lock not in held or self.void(held[lock], ev.ts):
            held.pop(lock, None)
            held[lock] = ev.ts

    def on_complete(self, ev):
        before = len(self.rows)
        super().on_complete(ev)
        for row in self.rows[before:]:
            if row['tid'] and row['start_ns'] >= (self.task(row['tid']).birth or 0):
                self.request_done[row['tid']] = ev.ts

    def on_event(self, ev):
        self.now = ev.ts
        if ev.name == 'sys_exit':
            self.on_call_end(ev)
        super().on_event(ev)
        if ev.name == 'sys_enter':
            args = [int(a, 16) for a in ARGS.match(ev.text)[1].split(', ')]
            self.own_call[ev.tid] = (int(reading.ENTER.match(ev.text)[1]), args, ev.ts)
        elif ev.name in ('contention_begin', 'contention_end') and ev.tid:
            self.on_contention(ev)
        elif ev.name == 'sched_process_fork' and ev.tid == 2:
            self.kernel_threads.add(int(reading.FORK.match(ev.text)[4]))
        elif ev.name == 'sched_process_exit':
            call = self.own_call.get(ev.tid)
            if call and call[0] not in reading.NEVER_RETURNS[self.machine]:
                del self.own_call[ev.tid]        # killed in the middle of it

    # ---- what came of it ----

    def split(self):
        """By tid, all its lives together: what each part of its time was."""
        parts = defaultdict(Counter)
        for t in self.lives:
            if t.tid and t.seen:
                begin, end = self.begin if t.birth is None else t.birth, t.death or self.end
                parts[t.tid].update(run=t.run, delay=sum(n for _, n in t.delays), life=end - begin,
                                    preempted=sum(n for _, n in t.preempts))
        for (tid, _, _, cause), lengths in self.offcpu.items():
            if cause:
                parts[tid][cause.lower().replace(' ', '_')] += sum(lengths)
        return parts

    def waits(self):
        return {
            'offcpu': {key: (len(n), sum(n), max(n)) for key, n in self.offcpu.items()},
            'futex': {address: (len(n), sum(ret == -EAGAIN for _, ret in n), sum(ret == -ETIMEDOUT for _, ret in n),
                                sum(ns for ns, _ in n), max(ns for ns, _ in n)) for address, n in self.futexes.items()},
            'split': self.split(),
        }


def merge(rows, key, value):
    table = defaultdict(list)
    for row in rows:
        table[key(row)].append(value(row))
    return table


def compare(diff, want, program, path, flags, ringside):
    """ringside(program, path, *args) gives rows and the quality line."""
    def rows(view, *args):
        return ringside(program, path, '--view', view, *args, *flags)[0]

    names = {row['syscall']: row['nr'] for row in rows('syscall-latency', '--by', 'syscall')}
    offcpu = merge(rows('offcpu', '--by', 'tid,state,syscall,cause'),
                   lambda r: (r['tid'], r['state'], r['syscall'], r['cause']), lambda r: (r['count'], r['total_ns'], r['max_ns']))
    # calls that nobody returned from have no number there: they are told apart by their rows alone
    came = defaultdict(list)
    for (tid, state, call, cause), values in offcpu.items():
        came[tid, state, call and names.get(call, 'open'), cause] += values
    expected = defaultdict(list)
    for (tid, state, nr, cause), value in want['offcpu'].items():
        expected[tid, state, nr if nr is None or nr in names.values() else 'open', cause].append(value)
    for key in sorted(expected.keys() | came.keys(), key=str):
        total = [[sum(v[0] for v in table[key]), sum(v[1] for v in table[key]), max((v[2] for v in table[key]), default=0)]
                 for table in (expected, came)]
        diff.same(f'offcpu {key}: count, total, max', *total)

    futex = merge(rows('futex'), lambda r: int(r['uaddr'], 16),
                  lambda r: [r['waits'], r['failed_at_once'], r['timeouts'], r['total_ns'], r['max_ns'] or 0])
    for address in sorted(want['futex'].keys() | futex.keys()):
        is_ = [sum(column) for column in zip(*futex.get(address, [[0] * 5]))]
        is_[4] = max((v[4] for v in futex.get(address, [])), default=0)
        diff.same(f'futex {address:#x}', list(want['futex'].get(address, [0] * 5)), is_)

    split = merge(rows('tasks', '--by', 'tid'), lambda r: r['tid'], lambda r: r)
    for tid in sorted(want['split'].keys() | split.keys()):
        for part in ('run', 'delay', 'preempted', 'disk', 'lock', 'futex', 'reclaim', 'other_d', 'idle', 'sleep', 'life'):
            diff.same(f'tasks {tid}: {part}_ns', want['split'][tid][part], sum(r[f'{part}_ns'] for r in split[tid]))
