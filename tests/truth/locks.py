#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""locks - contention on kernel locks, read independently: by lock, type and task, and who woke the last that slept

As reading.py, whose tasks this builds on: naive, with all in memory.
"""
import re
from collections import defaultdict

import reading

BEGIN = re.compile(r'^(0x[0-9a-f]+) \(flags=(.*)\)$')
END = re.compile(r'^(0x[0-9a-f]+) \(ret=(-?\d+)\)$')
TYPES = {'': 'semaphore', 'SPIN': 'spinlock', 'SPIN|READ': 'rwlock:R', 'SPIN|WRITE': 'rwlock:W', 'READ': 'rwsem:R',
         'WRITE': 'rwsem:W', 'RT': 'rt-mutex', 'READ|PERCPU': 'percpu-rwsem:R', 'WRITE|PERCPU': 'percpu-rwsem:W',
         'MUTEX': 'mutex', 'SPIN|MUTEX': 'mutex', 'READ|RT': 'rwlock-rt:R', 'WRITE|RT': 'rwlock-rt:W'}


class Locks(reading.Reading):
    def __init__(self, events, gaps, machine, exact):
        super().__init__(events, gaps, machine, exact)
        self.open = defaultdict(dict)            # a tid, or a CPU that is idle -> lock -> what was begun, in order
        self.contentions = []                    # (lock, type, tid, begin, end, waker)

    def contention_begins(self, key, ev):
        lock, flags = BEGIN.match(ev.text).groups()
        begun = self.open[key].get(lock)
        if begun and not self.void(begun['from'], ev.ts):
            return                               # it spun, and sleeps now
        self.open[key].pop(lock, None)
        self.open[key][lock] = {'from': ev.ts, 'type': TYPES[flags], 'waker': None}

    def contention_ends(self, key, ev):
        lock = END.match(ev.text)[1]
        begun = self.open[key].pop(lock, None)
        if begun and not self.void(begun['from'], ev.ts):
            self.contentions.append((lock, begun['type'], ev.tid or None, begun['from'], ev.ts, begun['waker']))

    def waking(self, tid, now):
        t = self.task(tid)
        self.forget_if_void(t, now)
        innermost = list(self.open[tid].values())[-1:]
        slept = t.state == 'blocked' or (t.state == 'delay' and t.by_switch_out)
        if slept and innermost and innermost[0]['from'] <= t.since and not self.void(innermost[0]['from'], now):
            innermost[0]['waker'] = self.waker
        super().waking(tid, now)

    def born(self, tid):
        self.open.pop(tid, None)
        super().born(tid)

    def on_event(self, ev):
        self.waker = ev.tid
        super().on_event(ev)
        key = ev.tid or ('cpu', ev.cpu)
        if ev.name == 'contention_begin':
            self.contention_begins(key, ev)
        elif ev.name == 'contention_end':
            self.contention_ends(key, ev)
        elif ev.name == 'sched_switch' and reading.LETTER[reading.SWITCH.match(ev.text)[3]] in 'XZ':
            self.open.pop(int(reading.SWITCH.match(ev.text)[2]), None)

    def locks(self):
        self.result()
        table = defaultdict(list)
        for lock, kind, tid, begin, end, waker in self.contentions:
            table[lock, kind, tid].append((begin, end, waker))
        return table


def waker_of(text):
    """The number in "comm (1234)"; 0 for an interrupt."""
    if text is None:
        return None
    return 0 if text == '<idle>' else int(re.search(r'\((\d+)\)$', text)[1])


def numbers(lengths):
    return [len(lengths), sum(lengths), sum(lengths) // len(lengths), max(lengths)]


def compare(diff, want, program, path, flags, ringside):
    """ringside(program, path, *args) gives rows and the quality line; of a kernel that does not tell of locks, nothing."""
    if not want:
        return
    rows, _ = ringside(program, path, '--view', 'locks', '--by', 'lock_addr,type,tid', *flags)
    came = defaultdict(list)
    for row in rows:
        came[row['lock_addr'], row['type'], row['tid']].append(row)
    for key in sorted(want.keys() | came.keys(), key=str):
        diff.same(f'locks {key}: rows', 1 if key in want else 0, len(came[key]))
        if len(came[key]) != 1:
            continue
        row, pairs = came[key][0], want.get(key, [(0, 0, None)])
        diff.same(f'locks {key}: contended, total, avg, max', numbers([end - begin for begin, end, _ in pairs]),
                  [row['contended'], row['total_ns'], row['avg_ns'], row['max_ns']])
        woken = [(end, waker) for _, end, waker in pairs if waker is not None]
        diff.same(f'locks {key}: last_waker', max(woken)[1] if woken else None, waker_of(row['last_waker']))
    by_lock = defaultdict(list)
    for (lock, kind, _), pairs in want.items():
        by_lock[lock, kind] += [end - begin for begin, end, _ in pairs]
    rows = {(row['lock_addr'], row['type']): row for row in ringside(program, path, '--view', 'locks', *flags)[0]}
    diff.same('locks: which', sorted(by_lock), sorted(rows))
    for key in by_lock.keys() & rows.keys():
        row = rows[key]
        diff.same(f'locks {key}: contended, total, avg, max', numbers(by_lock[key]),
                  [row['contended'], row['total_ns'], row['avg_ns'], row['max_ns']])
