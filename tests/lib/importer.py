# SPDX-License-Identifier: GPL-2.0-or-later
"""importer.py - what Perfetto makes of an export: threads, processes, their names, states, interrupts, flows

A model of the parts of its trace processor that an export can get wrong without any error. Of the protobuf:

    threads     task_newtask begins one, whatever is known of its tid; all else that names a tid is about the latest one of that
                tid (and, where a process is said, of that process), or begins one: so does the task of each event, and a track
                for the thread that it is under, however far above. A second track of a thread begins another thread
    processes   the process tree begins another one if it says another parent than the fork did: 0, where it says none
    names       those of an event are replaced by the next one; those of the process tree, and of tracks, by none of an event. A
                cmdline_is_comm is such a name of the first thread
    states      from sched_switch, sched_waking and task_newtask; a waking of who is not blocked is ignored, a compact one before the
                first switch of its CPU dropped
    order       by time; of equal times what is no event of the kernel is first, then by CPU, then as in the file

Of the JSON, a flow's end binds to the innermost slice that is open there, and of the two slices the flow leads from the one that
begins first to the other.
"""
import collections

EVENT, TREE, TRACK = 1, 2, 4                            # who says a name
CLONE_THREAD = 0x10000
BLOCKED = ['S', 'D', 'T', 't', 'X', 'Z', 'P', 'I', 'x']


class Thread:
    def __init__(self, tid, begin):
        self.tid, self.begin, self.process, self.name, self.said_by, self.states, self.events = tid, begin, None, None, 0, [], 0


class Process:
    def __init__(self, pid, begin):
        self.pid, self.begin, self.name, self.parent = pid, begin, None, None


class Threads:
    def __init__(self):
        self.all, self.of_tid, self.of_pid, self.pending, self.children = [], collections.defaultdict(list), {}, [], []

    def begin(self, tid, ts):
        t = Thread(tid, ts)
        self.all.append(t)
        self.of_tid[tid].append(t)
        return t

    def find(self, tid, pid=None):
        for t in reversed(self.of_tid[tid]):
            if t.process and self.of_pid.get(t.process.pid) is not t.process:
                continue # its process was replaced: it is dead
            if not t.process or pid is None or t.process.pid == pid:
                return t
        return None

    def get(self, tid):
        return self.find(tid) or self.begin(tid, None)

    def process(self, pid):
        if pid not in self.of_pid:
            self.of_pid[pid] = Process(pid, None)
            self.of_process(pid, pid)
        return self.of_pid[pid]

    def of_process(self, tid, pid):
        t = self.find(tid, pid) or self.begin(tid, None)
        if not t.process:
            self.join(t, self.process(pid))
        return t

    def join(self, t, process):
        t.process = t.process or process
        for pair in [p for p in self.children if p[0] is t]:
            self.children.remove(pair)
            pair[1].parent = t.process
        for pair in [p for p in self.pending if t in p]:
            self.pending.remove(pair)
            self.join(pair[pair[0] is t], process)

    def begin_process(self, pid, ts):
        self.of_pid.pop(pid, None)
        self.of_tid.pop(pid, None)
        self.begin(pid, ts)
        self.process(pid).begin = ts

    def fork(self, parent, child):
        if parent.process:
            child.parent = parent.process
        else:
            self.children.append((parent, child))

    def say_parent(self, pid, ppid):
        parent, child = self.process(ppid), self.process(pid)
        if child.parent and child.parent is not parent:
            self.begin_process(pid, None)
        self.of_pid[pid].parent = parent

    def together(self, a, b):
        if a.process or b.process:
            self.join(b if a.process else a, a.process or b.process)
        else:
            self.pending.append((a, b))

    def name(self, t, name, by):
        if name and by >= t.said_by:
            t.name, t.said_by = name, by

    def name_first(self, t, name):
        if t.process and t.process.pid == t.tid:
            t.process.name = name


class Perfetto:
    """Of a perfetto.Trace of one machine."""

    def __init__(self, trace):
        self.threads, self.irqs, self.last, self.dropped = Threads(), [], {}, 0
        self.tracks, self.thread_of_track, self.with_track = trace.tracks, {}, set()
        rows = [(ts, 0, order, what, data) for ts, order, what, data in trace.said]
        for (_, cpu), events in trace.cpus.items():
            rows += [(ts, 1 + cpu, order, what, data) for ts, order, what, data in events]
        rows += [(e['ts'], 0, e['order'], 'event', e['uuid']) for e in trace.events]
        rows.sort(key=lambda r: r[:3])
        self.open_irqs, self.letter = {}, trace.letter
        for ts, queue, _, what, data in rows:
            handle = getattr(self, 'on_' + what, None)
            if queue and 'by' in data and what != 'sched_switch':
                self.threads.get(data['by'])
            if handle:
                handle(ts, queue - 1, data)
        self.end = rows[-1][0]

    def on_tree(self, ts, cpu, tree):
        for p in tree.get('processes', []):
            self.threads.say_parent(p['pid'], p.get('ppid', 0))
            self.threads.process(p['pid']).name = p['cmdline'][0]
            if p.get('cmdline_is_comm'):
                self.threads.name(self.threads.get(p['pid']), p['cmdline'][0], TREE)
        for t in tree.get('threads', []):
            self.threads.name(self.threads.of_process(t['tid'], t['tgid']), t.get('name'), TREE)

    def thread_of(self, uuid):
        """Of a track: the thread that it is, or is under."""
        track = self.tracks[uuid]
        thread = track.get('thread')
        if not thread:
            return self.thread_of(track['parent']) if 'parent' in track else None
        if uuid not in self.thread_of_track:
            t = self.threads.of_process(thread['tid'], thread['pid'])
            if t in self.with_track:
                t = self.threads.begin(thread['tid'], None)
                self.threads.join(t, self.threads.process(thread['pid']))
            self.thread_of_track[uuid] = t
            self.with_track.add(t)
        return self.thread_of_track[uuid]

    def on_track(self, ts, cpu, track):
        t = self.thread_of(track['uuid'])
        if 'thread' in track:
            self.threads.name(t, track['thread'].get('name'), TRACK)

    def on_sample(self, ts, cpu, sample):
        self.threads.of_process(sample['tid'], sample['pid']).events += 1

    def on_event(self, ts, cpu, uuid):
        t = self.thread_of(uuid)
        if t:
            t.events += 1

    def on_task_newtask(self, ts, cpu, e):
        if e.get('clone_flags', 0) & CLONE_THREAD:
            t = self.threads.begin(e['pid'], ts)
            self.threads.together(self.threads.get(e['by']), t)
        else:
            self.threads.begin_process(e['pid'], ts)
            t = self.threads.get(e['pid'])
            t.process.name = e['comm']
            self.threads.fork(self.threads.get(e['by']), t.process)
        self.threads.name(t, e['comm'], EVENT)
        self.state(t, ts, 'R')

    def on_task_rename(self, ts, cpu, e):
        t = self.threads.get(e['pid'])
        self.threads.name(t, e['newcomm'], EVENT)
        self.threads.name_first(t, e['newcomm'])

    def on_sched_process_free(self, ts, cpu, e):
        t = self.threads.find(e['pid'])
        if t:
            self.threads.of_tid[e['pid']].remove(t)

    def state(self, t, ts, letter):
        if t.tid:
            if t.states and t.states[-1][2] is None:
                t.states[-1][2] = ts
            t.states.append([letter, ts, None])

    def on_sched_switch(self, ts, cpu, e):
        self.state(self.threads.get(e['prev_pid']), ts, self.letter(e['prev_state']))
        t = self.threads.get(e['next_pid'])
        self.threads.name(t, e['next_comm'], EVENT)
        self.state(t, ts, 'Running')
        self.last[cpu] = e['next_pid']

    def on_switch(self, ts, cpu, e):
        self.on_sched_switch(ts, cpu, {'prev_pid': self.last[cpu], 'prev_state': e['state'], 'next_pid': e['pid'], 'next_comm': e['comm']})

    def on_sched_waking(self, ts, cpu, e):
        t = self.threads.get(e['pid'])
        if 'by' in e:
            self.threads.name(t, e['comm'], EVENT)
        if not t.states or t.states[-1][0] in BLOCKED:
            self.state(t, ts, 'R')

    def on_waking(self, ts, cpu, e):
        if cpu in self.last:
            self.on_sched_waking(ts, cpu, e)
        else:
            self.dropped += 1

    def begin_irq(self, ts, cpu, kind, name):
        self.open_irqs[cpu, kind] = ts, name

    def end_irq(self, ts, cpu, kind):
        if (cpu, kind) in self.open_irqs:
            begin, name = self.open_irqs.pop((cpu, kind))
            self.irqs.append((kind, cpu, begin, ts))

    def on_irq_handler_entry(self, ts, cpu, e):
        self.begin_irq(ts, cpu, 'irq', e.get('name'))

    def on_irq_handler_exit(self, ts, cpu, e):
        self.end_irq(ts, cpu, 'irq')

    def on_softirq_entry(self, ts, cpu, e):
        self.begin_irq(ts, cpu, 'softirq', e.get('vec'))

    def on_softirq_exit(self, ts, cpu, e):
        self.end_irq(ts, cpu, 'softirq')

    def doubles(self):
        """Threads of one tid of which none began when another was there."""
        return [t for tid, all_of in self.by_tid().items() for t in all_of[1:] if tid and t.begin is None]

    def by_tid(self):
        table = collections.defaultdict(list)
        for t in self.threads.all:
            table[t.tid].append(t)
        return table


# ---- flows of the JSON ----

def chrome_flows(events):
    """Pairs of (what it should be, what it is): the ends' threads and times from s to f, and those as they are bound."""
    by_track, flows = collections.defaultdict(list), collections.defaultdict(list)
    for nr, e in enumerate(events):
        key = e['pid'], e['tid']
        if e['ph'] in 'Xi' and e.get('s', 't') == 't':
            begin = round(e['ts'] * 1000)
            by_track[key].append((begin, 0, -round(e.get('dur', 0) * 1000), nr, e))
        elif e['ph'] in 'stf':
            by_track[key].append((round(e['ts'] * 1000), 1, 0, nr, e))
    unbound = 0
    for rows in by_track.values():
        stack = []
        for begin, what, minus, _, e in sorted(rows, key=lambda r: r[:4]):
            while stack and stack[-1][1] < begin or stack and stack[-1][1] == begin and not what and stack[-1][0] < begin:
                stack.pop()
            if not what:
                stack.append((begin, begin - minus, e))
            elif stack:
                flows[e['cat'], e['id']].append((e['ph'], begin, stack[-1]))
            else:
                unbound += 1
    backward = 0
    for ends in flows.values():
        ends.sort(key=lambda end: ('stf'.index(end[0]), end[1]))
        backward += any(a[2][0] > b[2][0] for a, b in zip(ends, ends[1:]))
    return {'flows': len(flows), 'backward': backward, 'unbound': unbound}
