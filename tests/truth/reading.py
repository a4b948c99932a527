#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""reading - an independent reading of a recording, from the text of `trace-cmd report -t`

    reading.py FILE.report.gz MACHINE [--exact]     prints JSON

It computes what SEMANTICS says, naively, with all of the recording in memory:
nothing here is fast or clever, so that it can be checked by reading it once. It
shares no code and no data with ringside: what both say is probably so.

MACHINE is x86_64, i386 or s390x: the text does not say what a long is.
"""
import gzip
import json
import re
import sys
from collections import defaultdict

LINE = re.compile(r'^\s*(.*)-(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}):\s+(\w+):\s*(.*)$')
DROPPED = re.compile(r'^CPU:(\d+) \[(?:(\d+) )?EVENTS DROPPED\]$')
SWITCH = re.compile(r'^(.*):(\d+) \[\d+\] (\S+) ==> (.*):(\d+) \[\d+\]$', re.S)
WAKEUP = re.compile(r'^(.*):(\d+) \[\d+\](?: success=1)? CPU:(\d+)$', re.S)
WAKING = re.compile(r'^comm=(.*) pid=(\d+) prio=\d+ target_cpu=(\d+)$', re.S)
ABOUT = re.compile(r'^comm=(.*) pid=(\d+) prio=', re.S)
FORK = re.compile(r'^comm=(.*) pid=(\d+) child_comm=(.*) child_pid=(\d+)$', re.S)
ENTER = re.compile(r'^NR (-?\d+) \(')
EXIT = re.compile(r'^NR (-?\d+) = (-?\d+)$')
REQUEST = re.compile(r'^(\d+),(\d+) (\S*) (\d+) \(.*?\) (\d+) \+ (\d+) (?:\S+ )?\[(.*)\]$', re.S)
COMPLETE = re.compile(r'^(\d+),(\d+) (\S*) \(.*?\) (\d+) \+ (\d+) (?:\S+ )?\[(-?\d+)\]$', re.S)

IRQ = re.compile(r'^irq=(-?\d+) (?:name|ret)=(.*)$', re.S)
SOFTIRQ = re.compile(r'^vec=(\d+) \[action=(.*)\]$')

# trace-cmd 3.1 has a table of letters of its own, from older kernels; these are the kernels' own letters.
LETTER = {'W': 'I', 'Z': 'X', 'X': 'Z', 'x': 'P', 'R': 'R', 'R+': 'R', 'S': 'S', 'D': 'D', 'T': 'T', 't': 't'}
LONG_BITS = {'x86_64': 64, 'i386': 32, 's390x': 64}
SIGRETURN = {'x86_64': {15}, 'i386': {173, 119}, 's390x': {173, 119}}
NEVER_RETURNS = {'x86_64': {60, 231}, 'i386': {1, 252}, 's390x': {1, 248}}
NO_SECTOR = 2 ** 64 - 1
# They belong to the event before them on their CPU, and are no evidence of who runs.
COMPANIONS = {'kernel_stack', 'user_stack', 'print', 'bprint', 'bputs', 'raw_data'}
# Part of a switch: fired in the context of the task that leaves, after its sched_switch.
SWITCHING = {'tlb_flush', 'write_msr', 'read_msr', 'rdpmc', 'x86_fpu_regs_activated', 'x86_fpu_regs_deactivated'}


class Event:
    def __init__(self, ts, cpu, tid, comm, name, text):
        self.ts, self.cpu, self.tid, self.comm, self.name, self.text = ts, cpu, tid, comm, name, text


def read(path):
    """Events in order, and the gaps as (cpu, from, to, lost or None)."""
    events, gaps, dropped, last = [], [], {}, {}
    with gzip.open(path, 'rt', encoding='utf-8', errors='surrogateescape', newline='\n') as text:
        for line in text:
            line = line.rstrip('\n')
            if line.startswith(('cpus=', '=> ')) or not line: # the latter: a stack's frames
                continue
            loss = DROPPED.match(line)
            if loss:
                dropped[int(loss[1])] = int(loss[2]) if loss[2] else None
                continue
            m = LINE.match(line)
            if not m:
                raise SystemExit(f'{path}: cannot read the line: {line!r}')
            ev = Event(int(m[4]) * 10 ** 9 + int(m[5]), int(m[3]), int(m[2]), m[1], m[6], m[7])
            if ev.cpu in dropped:
                gaps.append((ev.cpu, last.get(ev.cpu, 0), ev.ts, dropped.pop(ev.cpu)))
            last[ev.cpu] = ev.ts
            events.append(ev)
    events.sort(key=lambda ev: (ev.ts, ev.cpu))  # stable: within a CPU the order stays
    return events, gaps


class Task:
    def __init__(self, tid):
        self.tid = tid
        self.state, self.since, self.letter = 'unknown', None, None
        self.cpu = None
        self.woken_on_cpu = False                # a waking came while it was on its CPU
        self.by_switch_out = False               # that waking's delay began when it left its CPU
        self.slices = []                         # lengths of those that are whole
        self.run = self.switches = self.migrations = self.inferred = 0
        self.delays, self.preempts = [], []      # (begin, length)
        self.blocked = defaultdict(int)          # by letter
        self.call = None                         # (nr, begin)
        self.faults = {'user': 0, 'kernel': 0}
        self.is_new = False                      # born within the recording, its first exit still to come
        self.hits = []                           # interrupts that came while it was on a CPU


class Cpu:
    def __init__(self):
        self.tid, self.since = None, None        # who is on it; None: not known
        self.busy = self.idle = self.unknown = self.switches = 0
        self.left, self.next_seen = None, False  # who left it in the last switch; has the other fired an event since?


class Reading:
    def __init__(self, events, gaps, machine, exact):
        self.events, self.gaps, self.exact, self.machine = events, gaps, exact, machine
        self.tasks, self.lives = {}, []
        self.cpus = defaultdict(Cpu)
        self.calls = {}                          # (tid, nr) -> [latencies, errors]
        self.unmatched = self.mismatched = self.child_returns = 0
        self.inferred = self.nr_handled = 0
        self.requests, self.rows = [], []        # block: open ones, rows
        self.open_irqs, self.irqs = {}, []       # (cpu, kind, number and, for softirqs, tid) -> begin; those that ended
        self.raised, self.raises = {}, []        # (cpu, vector) -> since; (vector, delay)
        self.end = events[-1].ts if events else 0
        self.has_waking = any(ev.name == 'sched_waking' for ev in events)
        self.has_io_start = any(ev.name == 'block_io_start' for ev in events)

    # ---- loss ----

    def void(self, begin, end, cpu=None):
        """Does [begin, end] overlap a gap of any CPU, or of the one named?"""
        return any(f < end and begin < t for c, f, t, _ in self.gaps if cpu is None or c == cpu)

    # ---- tasks ----

    def task(self, tid):
        if tid not in self.tasks:
            self.tasks[tid] = Task(tid)
            self.lives.append(self.tasks[tid])
        return self.tasks[tid]

    def born(self, tid):
        self.tasks.pop(tid, None)
        self.task(tid).is_new = True

    def forget_if_void(self, t, now):
        """A gap since its state began makes a task's state unknown; one that runs is judged by its own CPU."""
        if t.state in ('delay', 'preempted', 'blocked') and self.void(t.since, now):
            t.state = 'unknown'
        if t.state == 'run' and self.void(t.since, now, t.cpu):
            t.state = 'unknown'

    def waking(self, tid, now):
        t = self.task(tid)
        self.forget_if_void(t, now)
        if t.state == 'run':
            t.woken_on_cpu = True
        elif t.state == 'blocked':
            t.blocked[t.letter] += now - t.since
            t.state, t.since = 'delay', now
        elif t.state == 'delay' and t.by_switch_out:  # another waking before its switch-in: that one counts
            t.blocked[t.letter] += now - t.since
            t.since, t.by_switch_out = now, False
        elif t.state == 'unknown':
            t.state, t.since, t.by_switch_out = 'delay', now, False

    def switch_in(self, tid, now, cpu, inferred=False):
        t = self.task(tid)
        self.forget_if_void(t, now)
        if not (inferred and self.exact):
            if t.state == 'delay':
                t.delays.append((t.since, now - t.since))
            elif t.state == 'preempted':
                t.preempts.append((t.since, now - t.since))
        if not (inferred and self.exact):
            t.switches += 1                      # a missing switch was one all the same
            t.inferred += inferred
        t.state, t.since, t.cpu, t.woken_on_cpu = 'run', now, cpu, False
        if inferred and self.exact:
            t.state = 'unknown'

    def switch_out(self, tid, now, letter):
        t = self.task(tid)
        woken = t.woken_on_cpu or (t.state == 'delay' and not self.void(t.since, now))
        if t.state == 'run' and not self.void(t.since, now, t.cpu):
            t.run += now - t.since
            t.slices.append(now - t.since)
        t.woken_on_cpu = t.by_switch_out = False
        t.letter, t.since = letter, now
        if letter == 'R':
            t.state = 'preempted'
        elif letter in 'XZ':                     # not at sched_process_exit: a task still sleeps while it exits
            t.state = 'dead'
        elif woken:
            t.state, t.by_switch_out = 'delay', True
        else:
            t.state = 'blocked'

    # ---- CPUs ----

    def cpu_interval(self, c, nr, now):
        if c.since is None:
            return
        if c.tid is None or self.void(c.since, now, nr):
            c.unknown += now - c.since
        elif c.tid == 0:
            c.idle += now - c.since
        else:
            c.busy += now - c.since

    def is_on_its_way_out(self, c, ev):
        """Between its sched_switch and the switch itself. On an idle CPU a task that was woken since may be back."""
        if ev.tid != c.left or c.next_seen or self.void(c.since, ev.ts, ev.cpu):
            return False
        is_back = c.tid == 0 and ev.tid != 0 and self.task(ev.tid).since != c.since
        return ev.name in SWITCHING or not is_back

    def missing_switch(self, ev):
        """Somebody else than who was switched in is on this CPU: a switch is missing, without a gap."""
        c = self.cpus[ev.cpu]
        if ev.name in COMPANIONS or c.tid is None:
            return
        if c.tid == ev.tid:
            c.next_seen = True
            return
        if ev.name != 'sched_switch' and self.is_on_its_way_out(c, ev):
            return
        if self.void(c.since, ev.ts, ev.cpu):    # a gap explains it
            self.cpu_interval(c, ev.cpu, ev.ts)
            c.tid, c.since = None, ev.ts
            return
        if c.tid:                                # who was on it left, nobody saw when
            self.tasks[c.tid].state = 'unknown'
        if self.exact:
            c.unknown += ev.ts - c.since
            c.tid, c.since = None, ev.ts
            self.task(ev.tid).state = 'unknown'
            return
        self.cpu_interval(c, ev.cpu, ev.ts)
        c.tid, c.since, c.left = ev.tid, ev.ts, None
        if ev.tid:
            self.inferred += 1
            self.switch_in(ev.tid, ev.ts, ev.cpu, inferred=True)

    def on_switch(self, ev):
        m = SWITCH.match(ev.text)
        prev, letter, nxt = int(m[2]), LETTER[m[3]], int(m[5])
        c = self.cpus[ev.cpu]
        self.cpu_interval(c, ev.cpu, ev.ts)
        c.tid, c.since = nxt, ev.ts
        c.left, c.next_seen = prev, False
        c.switches += 1
        if prev:
            self.switch_out(prev, ev.ts, letter)
        if nxt:
            self.switch_in(nxt, ev.ts, ev.cpu)

    # ---- calls ----

    def on_enter(self, ev):
        self.task(ev.tid).call = (int(ENTER.match(ev.text)[1]), ev.ts)

    def on_exit(self, ev):
        m = EXIT.match(ev.text)
        nr, ret, bits = int(m[1]), int(m[2]), LONG_BITS[self.machine]
        nr = nr - 2 ** bits if nr >= 2 ** (bits - 1) else nr
        ret = ret - 2 ** bits if ret >= 2 ** (bits - 1) else ret
        t = self.task(ev.tid)
        call, is_new, t.call, t.is_new = t.call, t.is_new, None, False
        if call is None:
            if is_new:
                self.child_returns += 1
            else:
                self.unmatched += 1
            return
        is_sigreturn = nr == -1 and call[0] in SIGRETURN[self.machine]
        if self.void(call[1], ev.ts):
            return
        if nr != call[0] and not is_sigreturn:
            self.mismatched += 1
            return
        row = self.calls.setdefault((ev.tid, call[0]), [[], 0])
        row[0].append(ev.ts - call[1])
        row[1] += -4095 <= ret <= -1 and not is_sigreturn

    # ---- block ----

    def find(self, dev, rwbs, sector, nr, want):
        """The first request of that key; of the completions, one of equal size before others."""
        if nr == 0:
            found = [r for r in self.requests if r['nr'] == 0 and r['dev'] == dev and r['type'] == rwbs and want(r)]
        else:
            found = [r for r in self.requests if r['nr'] and r['dev'] == dev and r['sector_now'] == sector and want(r)]
        equal = [r for r in found if r['left'] == nr]
        return (equal or found or [None])[0]

    def request(self, ev, m):
        r = {'dev': f'{m[1]},{m[2]}', 'type': m[3], 'bytes': int(m[4]), 'sector': int(m[5]), 'sector_now': int(m[5]),
             'nr': int(m[6]), 'left': int(m[6]), 'tid': ev.tid, 'tid_from': ev.name, 'insert': None, 'issue': None,
             'first': ev.ts}
        if r['nr'] == 0:
            r['sector'] = 0
        self.requests.append(r)
        return r

    def on_insert(self, ev):
        m = REQUEST.match(ev.text)
        r = self.find(f'{m[1]},{m[2]}', m[3], int(m[5]), int(m[6]), lambda r: r['issue'] is None)
        if r is None:
            r = self.request(ev, m)
        if r['insert'] is None and not r.get('requeued'):
            r['insert'] = ev.ts

    def begin_is_lost(self, ev, nr):
        """Issued with no begin before it, after a gap, where each request with data has a block_io_start."""
        return self.has_io_start and nr and any(t <= ev.ts for _, _, t, _ in self.gaps)

    def on_issue(self, ev):
        m = REQUEST.match(ev.text)
        dev, sector, nr = f'{m[1]},{m[2]}', int(m[5]), int(m[6])
        known = True
        r = self.find(dev, m[3], sector, nr, lambda r: r['issue'] is None)
        if r and self.void(r['first'], ev.ts):   # insert to issue is void, issue to completion may yet be whole
            self.requests.remove(r)
            r, known = None, False
        if r is None:
            known = known and not self.begin_is_lost(ev, nr)
            r = self.request(ev, m)
            if not known:                        # not whoever issues it
                r['tid'] = None
        r.update(issue=ev.ts, bytes=int(m[4]), nr=nr, left=nr, type=m[3])
        # Inserts inside of it were merged into it.
        self.requests = [o for o in self.requests
                         if o is r or o['issue'] or o['dev'] != dev or not o['nr'] or
                         not sector <= o['sector'] < sector + nr]

    def on_requeue(self, ev):
        m = COMPLETE.match(ev.text)
        r = self.find(f'{m[1]},{m[2]}', m[3], int(m[4]), int(m[5]), lambda r: r['issue'] is not None)
        if r:
            r['issue'], r['requeued'] = None, True

    def on_complete(self, ev):
        m = COMPLETE.match(ev.text)
        dev, sector, nr = f'{m[1]},{m[2]}', int(m[4]), int(m[5])
        r = self.find(dev, m[3], sector, nr, lambda r: r['issue'] is not None)
        if r is None:
            self.unmatched += 1
            return
        if nr < r['left']:
            r['left'] -= nr
            r['sector_now'] += nr
            return
        self.requests.remove(r)
        if self.void(r['issue'], ev.ts):
            return
        self.rows.append({'start_ns': r['issue'], 'end_ns': ev.ts, 'dev': r['dev'], 'type': r['type'],
                          'sector': r['sector'], 'bytes': r['bytes'], 'tid': r['tid'], 'lat_ns': ev.ts - r['issue'],
                          'queue_ns': None if r['insert'] is None else r['issue'] - r['insert']})

    # ---- interrupts ----

    def on_irq(self, ev, kind, what):
        m = (IRQ if kind == 'irq' else SOFTIRQ).match(ev.text)
        nr, name = int(m[1]), m[2]
        if what == 'raise':
            self.raised.setdefault((ev.cpu, nr), ev.ts)
            return
        key = (ev.cpu, kind, nr, ev.tid if kind == 'softirq' else None)
        begun = self.open_irqs.pop(key, None)
        if what == 'entry':
            if begun and not self.void(begun['from'], ev.ts, ev.cpu):
                self.unmatched += 1                # its exit was not written
            self.open_irqs[key] = {'kind': kind, 'id': nr, 'name': name, 'from': ev.ts, 'cpu': ev.cpu, 'tid': ev.tid,
                                   'first': self.nr_handled}
            since = self.raised.pop((ev.cpu, nr), None) if kind == 'softirq' else None
            if since is not None and not self.void(since, ev.ts, ev.cpu):
                self.raises.append((nr, name, ev.ts - since))
        elif begun is None:
            self.unmatched += 1
        elif not self.void(begun['from'], ev.ts, ev.cpu):
            begun.update(to=ev.ts, last=self.nr_handled, task=self.tasks.get(ev.tid), comm=ev.comm)
            self.irqs.append(begun)

    def own_time(self, irq):
        """Its nanoseconds less those of what came within it: each is looked at as a piece of the line of time."""
        within = sorted((i['from'], i['to']) for i in self.irqs
                        if i['cpu'] == irq['cpu'] and irq['first'] < i['first'] and i['last'] < irq['last'])
        own, at = irq['to'] - irq['from'], irq['from']
        for begin, end in within:
            own -= max(0, end - max(begin, at))
            at = max(at, end)
        return own

    def find_victims(self):
        for irq in self.irqs:
            is_own_work = irq['kind'] == 'softirq' and irq['comm'].startswith(('ksoftirqd/', 'ktimers/', 'ktimersoftd/'))
            if irq['tid'] and not is_own_work:
                irq['task'].hits.append((self.own_time(irq), irq['kind'], f"{irq['kind']} {irq['id']} {irq['name']}"))

    def victim_row(self, t):
        worst = max(own for own, *_ in t.hits)
        return {'tid': t.tid, 'worst_ns': worst, 'worst_ids': [text for own, _, text in t.hits if own == worst],
                'irqs': sum(kind == 'irq' for _, kind, _ in t.hits),
                'irq_ns': sum(own for own, kind, _ in t.hits if kind == 'irq'),
                'softirqs': sum(kind == 'softirq' for _, kind, _ in t.hits),
                'softirq_ns': sum(own for own, kind, _ in t.hits if kind == 'softirq')}

    def irq_rows(self):
        table = defaultdict(lambda: ([], []))
        for irq in self.irqs:
            table[irq['kind'], irq['id'], irq['name']][0].append(irq['to'] - irq['from'])
        for nr, name, delay in self.raises:
            table['softirq', nr, name][1].append(delay)
        return [{'kind': kind, 'id': nr, 'name': name, 'lengths': sorted(lengths), 'raises': sorted(raises)}
                for (kind, nr, name), (lengths, raises) in table.items()]

    # ---- all ----

    def on_event(self, ev):
        self.nr_handled += 1
        if ev.tid:
            self.task(ev.tid)
        self.missing_switch(ev)
        if ev.name == 'sched_switch':
            self.on_switch(ev)
        elif ev.name == 'sched_waking':
            self.waking(int(WAKING.match(ev.text)[2]), ev.ts)
        elif ev.name == 'sched_wakeup_new' or (ev.name == 'sched_wakeup' and not self.has_waking):
            self.waking(int(WAKEUP.match(ev.text)[2]), ev.ts)
        elif ev.name == 'sched_migrate_task':
            self.task(int(ABOUT.match(ev.text)[2])).migrations += 1
        elif ev.name == 'sched_process_fork':
            self.born(int(FORK.match(ev.text)[4]))
        elif ev.name == 'sched_process_exit':
            self.task(int(ABOUT.match(ev.text)[2])).call = None  # killed, or exit: never returns
        elif ev.name in ('page_fault_user', 'page_fault_kernel') and ev.tid:
            self.task(ev.tid).faults[ev.name[len('page_fault_'):]] += 1
        elif ev.name == 'sys_enter':
            self.on_enter(ev)
        elif ev.name == 'sys_exit':
            self.on_exit(ev)
        elif ev.name in ('block_rq_insert', 'block_io_start'):
            self.on_insert(ev) if ev.name == 'block_rq_insert' else self.on_io_start(ev)
        elif ev.name == 'block_rq_issue':
            self.on_issue(ev)
        elif ev.name == 'block_rq_requeue':
            self.on_requeue(ev)
        elif ev.name == 'block_rq_complete':
            self.on_complete(ev)
        elif ev.name.startswith(('irq_handler_', 'softirq_')):
            self.on_irq(ev, 'irq' if ev.name.startswith('irq') else 'softirq', ev.name.rsplit('_', 1)[1])

    def on_io_start(self, ev):
        self.request(ev, REQUEST.match(ev.text))

    def sched_row(self, t):
        self.forget_if_void(t, self.end)
        is_open = t.state in ('run', 'delay', 'preempted', 'blocked')
        delays, preempts = [n for _, n in t.delays], [n for _, n in t.preempts]
        longest = max(delays) if delays else None
        return {'tid': t.tid, 'run_ns': t.run, 'switches': t.switches, 'inferred': t.inferred,
                'migrations': t.migrations, 'delay_count': len(delays), 'delay_total_ns': sum(delays),
                'delay_max_ns': longest, 'delay_max_at_ns': [b for b, n in t.delays if n == longest],
                'preempt_count': len(preempts), 'preempt_total_ns': sum(preempts),
                'preempt_max_ns': max(preempts) if preempts else None,
                'slices': t.slices, 'delays': delays, 'preempts': preempts, 'by_letter_ns': dict(t.blocked),
                'open_ns': self.end - t.since if is_open else None}

    def in_flight(self):
        return [(t.tid, t.call[0]) for t in self.lives
                if t.call and t.call[0] not in NEVER_RETURNS[self.machine] and not self.void(t.call[1], self.end)]

    def lost(self, cpu=None):
        """Of what was counted, on all CPUs or one; None where there are gaps and none was."""
        all_of_them = [lost for nr, _, _, lost in self.gaps if cpu is None or nr == cpu]
        counted = [lost for lost in all_of_them if lost is not None]
        return sum(counted) if counted or not all_of_them else None

    def result(self):
        for ev in self.events:
            self.on_event(ev)
        self.find_victims()
        return {
            'sched': [self.sched_row(t) for t in self.lives if t.tid],
            'calls': [{'tid': tid, 'nr': nr, 'calls': len(lat), 'errors': errors, 'total_ns': sum(lat),
                       'min_ns': min(lat), 'max_ns': max(lat), 'latencies': lat}
                      for (tid, nr), (lat, errors) in self.calls.items()],
            'in_flight': self.in_flight(),
            'faults': [{'tid': t.tid, **t.faults} for t in self.lives if any(t.faults.values())],
            'block': self.rows,
            'irqs': self.irq_rows(), 'victims': [self.victim_row(t) for t in self.lives if t.hits],
            'cpus': [{'cpu': nr, 'busy_ns': c.busy, 'idle_ns': c.idle, 'switches': c.switches}
                     for nr, c in sorted(self.cpus.items())],
            'unmatched': self.unmatched, 'mismatched': self.mismatched, 'child_returns': self.child_returns,
            'inferred': self.inferred, 'events': len(self.events), 'gaps': len(self.gaps),
            'gaps_uncounted': sum(lost is None for *_, lost in self.gaps),
            'lost': self.lost(), 'lost_by_cpu': {nr: self.lost(nr) for nr in self.cpus},
            'from_ns': self.events[0].ts, 'to_ns': self.end,
        }


def main():
    args = [a for a in sys.argv[1:] if a != '--exact']
    if len(args) != 2 or args[1] not in LONG_BITS:
        raise SystemExit(__doc__)
    events, gaps = read(args[0])
    json.dump(Reading(events, gaps, args[1], '--exact' in sys.argv).result(), sys.stdout, indent=1)


if __name__ == '__main__':
    main()
