#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""export_truth.py RINGSIDE RECORDING FOLDER - holds what Perfetto makes of both its exports against the truth, thread by thread

The truth is the independent reading of tests/truth, where RECORDING has a text of trace-cmd beside it, and ringside's own views. Of each
thread are compared its name, process and states, and the time that it ran and waited for a CPU; of each CPU its
interrupts; and the direction of each flow. Prints what differs; exit 1 if anything does.
"""
import collections
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '../truth'))
import importer  # noqa: E402
import perfetto  # noqa: E402
import reading  # noqa: E402
import names as truth_names  # noqa: E402

INSTANCE = 1 << 22                                      # ids of reused tids in the JSON
FAKE = 4000000000
wrong = []


def same(what, expected, came):
    if expected != came:
        wrong.append(f'{what}: expected {expected}, came {came}'[:300])


def rows(program, view, recording):
    out = subprocess.run([program, view, '-i', recording, '--self', '--json', '-q'], capture_output=True, text=True).stdout.splitlines()
    return [r for r in map(json.loads, out) if '_meta' not in r]


class Chrome:
    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            trace = json.load(file)
        self.events, self.base = trace['traceEvents'], int(trace['metadata']['ringside_base_ns'])
        self.states, self.names, self.processes = collections.defaultdict(list), {}, {}
        for e in self.events:
            if e['ph'] == 'T':
                self.states[e['tid']].append((e['name'], self.ns(e['ts']), self.ns(e['ts'] + e['dur'])))
            elif e['ph'] == 'M' and 'name' in e['args'] and e['pid'] < FAKE:
                (self.names if e['name'] == 'thread_name' else self.processes)[e['tid']] = e['args']['name']
        self.irqs = [(e['cat'], e['tid'] - FAKE, self.ns(e['ts']), self.ns(e['ts'] + e['dur'])) for e in self.events
                     if e['ph'] == 'X' and e.get('cat') in ('irq', 'softirq')]

    def ns(self, us):
        return self.base + round(us * 1000)


def compare_threads(p, chrome):
    """Of what both say; a thread of the JSON is one life of a tid."""
    for tid, lives in p.by_tid().items():
        if not tid:
            continue
        known = sum(tid + nr * INSTANCE in chrome.names for nr in range(len(lives)))
        if known and len(lives) > known and any(t.begin is None for t in lives):
            wrong.append(f'thread {tid} is there {len(lives)} times, not {known}: {[(t.name, t.begin, len(t.states), t.events) for t in lives]}')
        for nr, t in enumerate(lives):
            key = tid + nr * INSTANCE
            if not (t.name and t.process and t.process.name):
                wrong.append(f'thread {tid}: no name, or none of its process: {t.name} {t.process and t.process.name}')
            if key in chrome.names:
                same(f'name of {tid}', chrome.names[key], t.name)
            compare_states(p, t, chrome.states.pop(key, []))
    same('threads of the JSON alone', [], sorted(chrome.states))


def compare_states(p, t, expected):
    """A fork is runnable for Perfetto at once; what has exited is a zombie; a wait whose begin was not recorded begins at the first event."""
    first = [s for s in t.states if s[0] in ('R', 'R+')][:1]
    came = {(letter, begin, end or p.end) for letter, begin, end in t.states if letter not in ('X', 'Z', 'x')}
    for letter, begin, end in sorted(set(expected) - came, key=lambda s: s[1]):
        if begin < end and not (letter == 'R' and t.begin and first[0][1] == t.begin and first[0][2] == end):
            wrong.append(f'{t.tid} {t.name}: no {letter} from {begin} to {end}')
    for letter, begin, end in sorted(came - set(expected), key=lambda s: s[1]):
        if [letter, begin, end] not in first:
            wrong.append(f'{t.tid} {t.name}: {letter} from {begin} to {end}, which the JSON has not')


def compare_reading(p, chrome, recording):
    """Time on a CPU, of both, as the independent reading has it; it leaves out what is open at the end."""
    machine = next((m for m in ('i386', 's390x') if m in recording), 'x86_64')
    events, gaps = reading.read(recording.replace('.dat', '.report.gz'))
    want = reading.Reading(events, gaps, machine, False).result()
    said = truth_names.Names(events)
    lives = collections.Counter()
    threads = p.by_tid()
    for row in want['sched']:
        tid, nr = row['tid'], lives[row['tid']]
        lives[tid] += 1
        slices = {'JSON': [(b, e) for name, b, e in chrome.states.get(tid + nr * INSTANCE, []) if name == 'Running'],
                  'protobuf': [(b, e or p.end) for t in threads[tid][nr:nr + 1] for name, b, e in t.states if name == 'Running']}
        for name, of in slices.items():
            run = sum(e - b for b, e in of if e < want['to_ns'])
            if row['run_ns'] or run:
                same(f'{name}: run time of {tid}', row['run_ns'], run)
    for tid, of in threads.items():
        name = said.at(tid, len(events) - 1) if tid else None
        if name:
            same(f'protobuf: the last name of {tid}', name.encode('utf-8', 'surrogateescape').decode('utf-8', 'replace'), of[-1].name)
    for kind in ('irq', 'softirq'):
        lengths = sorted(n for i in want['irqs'] if i['kind'] == kind for n in i['lengths'])
        same(f'JSON: lengths of {kind}', lengths, sorted(e - b for k, _, b, e in chrome.irqs if k == kind))


def main(program, recording, folder):
    paths = {name: os.path.join(folder, name) for name in ('chrome', 'perfetto')}
    for name, path in paths.items():
        subprocess.run([program, 'export', recording, '-q', '-f', name, '-o', path], check=True, stderr=subprocess.DEVNULL)
    chrome = Chrome(paths['chrome'])
    with open(paths['perfetto'], 'rb') as file:
        trace = perfetto.Trace(file.read())
    p = importer.Perfetto(trace)
    same('threads that exist twice', [], [(t.tid, t.name) for t in p.doubles()])
    same('wakings that are dropped', 0, p.dropped)
    same('interrupts', sorted(chrome.irqs), sorted(p.irqs))
    same('interrupts in the view irqs', sum(r['count'] for r in rows(program, 'irqs', recording)), len(p.irqs))
    flows = importer.chrome_flows(chrome.events)
    same('flows of the JSON', {'flows': flows['flows'], 'backward': 0, 'unbound': 0}, flows)
    if not int(trace.facts['ringside_gaps']): # beside what was lost states go on in Perfetto
        if os.path.exists(recording.replace('.dat', '.report.gz')):
            compare_reading(p, chrome, recording)
        compare_threads(p, chrome)
    print(f"{os.path.basename(recording)}: {len(p.threads.all)} threads, {sum(len(t.states) for t in p.threads.all)} states, {len(p.irqs)} interrupts, "
          f"{flows['flows']} flows")
    for text in wrong[:20]:
        print('  ' + text)
    return len(wrong) > 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
