#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""compare - holds ringside against the independent reading and against what the workload says it did

    compare.py RINGSIDE TRACES_DIR [NAME...]

Every task, call, request and CPU of every recording, each number exactly; but
quantiles, which come from a histogram. Prints each difference; exit 1 if any.
"""
import json
import pathlib
import re
import subprocess
import sys
from collections import defaultdict

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import locks  # noqa: E402
import names  # noqa: E402
import reading  # noqa: E402
import waits  # noqa: E402

BLOCKED = 'D'   # what is neither this nor runnable is sleep
# System calls by the name of the kernel's table; the C library of each recording chose one of these.
NAPS = {'nanosleep', 'clock_nanosleep', 'clock_nanosleep_time64'}


class Differences:
    def __init__(self):
        self.nr_compared, self.texts = 0, []

    def same(self, what, expected, came):
        self.nr_compared += 1
        if expected != came:
            self.texts.append(f'{what}: expected {expected}, ringside says {came}')


def ringside(program, path, *args):
    out = subprocess.run([program, 'report', path, '--json', *args], capture_output=True, check=True)
    if out.stderr:
        raise SystemExit(f'{path}: {out.stderr.decode()}')
    rows = [json.loads(line) for line in out.stdout.decode('utf-8').splitlines()]
    return rows[:-1], rows[-1]['_meta']


def machine_of(name):
    return next((m for m in ('i386', 's390x') if m in name), 'x86_64')


def by_key(rows, *names):
    """Rows by key, in order: a tid may have more lives than one."""
    table = defaultdict(list)
    for row in rows:
        table[tuple(row[n] for n in names)].append(row)
    return table


def compare_tables(diff, what, expected, came, names, columns):
    expected, came = by_key(expected, *names), by_key(came, *names)
    for key in sorted(expected.keys() | came.keys(), key=str):
        diff.same(f'{what} {key}: rows', len(expected[key]), len(came[key]))
        for e, c in zip(expected[key], came[key]):
            for column in columns:
                diff.same(f'{what} {key}: {column}', e[column], c[column])


SCHED = ('run_ns', 'switches', 'migrations', 'delay_count', 'delay_total_ns', 'delay_max_ns', 'preempt_count',
         'preempt_total_ns', 'preempt_max_ns', 'sleep_ns', 'blocked_ns', 'open_ns', 'inferred')


def compare_sched(diff, want, rows):
    for row in want['sched']:
        letters = row['by_letter_ns']
        row['sleep_ns'] = sum(ns for letter, ns in letters.items() if letter not in BLOCKED)
        row['blocked_ns'] = sum(ns for letter, ns in letters.items() if letter in BLOCKED)
    # Lives of one tid are told apart by nothing that both know but their order of birth: sort by what they did.
    compare_tables(diff, 'sched', sorted(want['sched'], key=lambda r: r['run_ns']),
                   sorted(rows, key=lambda r: r['run_ns']), ['tid'], SCHED)
    longest = {row['tid']: row['delay_max_at_ns'] for row in want['sched']}
    for row in rows:
        if row['delay_max_at_ns'] is not None:
            diff.same(f"sched {row['tid']}: delay_max_at_ns among the longest", True,
                      row['delay_max_at_ns'] in longest.get(row['tid'], []))


def compare_calls(diff, want, rows):
    closed = [row for row in rows if row['calls']]
    compare_tables(diff, 'calls', want['calls'], closed, ['tid', 'nr'],
                   ('calls', 'errors', 'total_ns', 'min_ns', 'max_ns'))
    diff.same('calls in flight', sorted(map(tuple, want['in_flight'])),
              sorted((row['tid'], row['nr']) for row in rows if row['in_flight']))


def compare_block(diff, want, rows):
    columns = ('start_ns', 'end_ns', 'dev', 'type', 'sector', 'bytes', 'tid', 'lat_ns', 'queue_ns')
    diff.same('block: requests', len(want['block']), len(rows))
    for i, (e, c) in enumerate(zip(want['block'], rows)):
        for column in columns:
            diff.same(f'block: request {i}: {column}', e[column], c[column])


def compare_meta(diff, want, meta):
    for name in ('events', 'gaps', 'gaps_uncounted', 'lost', 'inferred', 'unmatched', 'from_ns', 'to_ns'):
        diff.same(f'meta: {name}', want[name], meta[name])
    for cpu, lost in want['lost_by_cpu'].items():
        diff.same(f'meta: lost on CPU {cpu}', lost, meta['lost_by_cpu'][cpu])


def lengths(rows, length, *names):
    """The lengths by key, sorted: a stream's rows as the reading keeps them."""
    table = defaultdict(list)
    for row in rows:
        table[tuple(row[n] for n in names)].append(row[length])
    return {key: sorted(values) for key, values in table.items()}


def merged(rows, *lists):
    table = defaultdict(list)
    for row in rows:
        for name in lists:
            table[row['tid'],] += row[name]
    return {key: sorted(values) for key, values in table.items() if values}


def compare_streams(diff, want, program, path, flags):
    """The other views of the same facts: each slice, each wait, each call, and what the histograms hold."""
    def rows(view, *args):
        return ringside(program, path, '--view', view, *args, *flags)[0]

    slices = lengths(rows('timehist'), 'run_ns', 'tid')
    waits = lengths(rows('runqslower', '-m', '0'), 'lat_ns', 'tid')
    calls = lengths(rows('syscalls'), 'lat_ns', 'tid')
    for what, expected, came in (('slices', merged(want['sched'], 'slices'), slices),
                                 ('waits', merged(want['sched'], 'delays', 'preempts'), waits)):
        for key in sorted(expected.keys() | came.keys()):
            diff.same(f'{what} of {key}', expected.get(key), came.get(key))
    diff.same('calls one by one', sorted(ns for row in want['calls'] for ns in row['latencies']),
              sorted(ns for key in calls for ns in calls[key]))
    for view, expected in (('runqlat', sum(map(len, waits.values()))), ('biolatency', len(want['block']))):
        diff.same(f'{view}: waits in all', expected, sum(row['count'] for row in rows(view)))


EXECVE = {'x86_64': {59, 322}, 'i386': {11, 358}, 's390x': {11, 354}}


def compare_execs(diff, events, gaps, machine, rows):
    """Programs begun and refused, one by one; the end of each process that is known to be one."""
    began, refused, born, ended = [], [], {}, []
    for ev in events:
        if ev.name == 'sched_process_exec':
            m = re.match(r'^filename=(.*) pid=(\d+) old_pid=\d+$', ev.text)
            began.append((ev.ts, int(m[2]), m[1]))
        elif ev.name == 'sys_exit' and (m := reading.EXIT.match(ev.text)):
            if int(m[1]) in EXECVE[machine] and int(m[2]) < 0:
                refused.append((ev.ts, int(m[2])))
        elif ev.name == 'sched_process_fork':
            born[int(reading.FORK.match(ev.text)[4])] = ev.ts
        elif ev.name == 'sched_process_exit':
            ended.append((ev.ts, int(re.search(r' pid=(\d+) prio=', ev.text)[1])))
    execs, exits = ([r for r in rows if r['type'] == t] for t in ('exec', 'exit'))
    diff.same('execs', began, [(r['time_ns'], r['pid'], r['filename']) for r in execs if r['ret'] == 0])
    diff.same('execs refused', refused, [(r['time_ns'], r['ret']) for r in execs if r['ret']])
    lifetimes = {(r['time_ns'], r['pid']): r['lifetime_ns'] for r in exits if r['pid']}
    diff.same('exits that are none', set(), {key for key in lifetimes if key not in ended})
    for ts, pid in ended:
        if pid in {p for _, p, _ in began}:
            begin = born.get(pid)
            void = begin and any(f < ts and begin < t for _, f, t, _ in gaps)
            diff.same(f'exit of {pid}', ts - begin if begin and not void else None, lifetimes.get((ts, pid), 'no row'))


def compare_names(diff, events, rows):
    """The name in each row of a call is the one at its return."""
    said = names.Names(events)
    returns = {(ev.ts, ev.cpu, ev.tid): i for i, ev in enumerate(events) if ev.name == 'sys_exit'}
    for row in rows:
        name = said.at(row['tid'], returns[row['end_ns'], row['cpu'], row['tid']])
        if name is not None:    # a byte that is no UTF-8 is shown as U+FFFD
            name = name.encode('utf-8', 'surrogateescape').decode('utf-8', 'replace')
            diff.same(f"name of {row['tid']} at {row['end_ns']}", name, row['comm'])


def compare_disks(diff, want, rows):
    for row in rows:
        own = [r for r in want['block'] if r['dev'] == row['dev']]
        for name, letter in (('read', 'R'), ('write', 'W')):
            some = [r for r in own if letter in r['type']]
            diff.same(f"disk {row['dev']}: {name}s", len(some), row[f'{name}s'])
            diff.same(f"disk {row['dev']}: {name}_bytes", sum(r['bytes'] for r in some), row[f'{name}_bytes'])
        diff.same(f"disk {row['dev']}: d2c_max_ns", max((r['lat_ns'] for r in own), default=None), row['d2c_max_ns'])


def is_near(values, per_mille, came):
    """Nearest rank, within the 1 % of a histogram's buckets."""
    if not values:
        return came is None
    exact = values[max(0, -(-len(values) * per_mille // 1000) - 1)]
    return came is not None and abs(came - exact) * 100 <= exact


def compare_irqs(diff, want, rows):
    for row in want['irqs']:
        lengths, raises = row['lengths'], row['raises']
        row.update(count=len(lengths), total_ns=sum(lengths), max_ns=max(lengths, default=None),
                   raise_delays=len(raises) if row['kind'] == 'softirq' else None,
                   raise_delay_max_ns=max(raises, default=None))
    compare_tables(diff, 'irqs', want['irqs'], rows, ['kind', 'id', 'name'],
                   ('count', 'total_ns', 'max_ns', 'raise_delays', 'raise_delay_max_ns'))
    lists = {(row['kind'], row['id'], row['name']): row for row in want['irqs']}
    for row in rows:
        e = lists.get((row['kind'], row['id'], row['name']), {'lengths': [], 'raises': []})
        for column, values, per_mille in (('p50_ns', e['lengths'], 500), ('p99_ns', e['lengths'], 990),
                                          ('raise_delay_p99_ns', e['raises'], 990)):
            diff.same(f"irqs {row['kind']} {row['id']}: {column} {row[column]} of {values} is near", True,
                      is_near(values, per_mille, row[column]))


def compare_victims(diff, want, rows):
    def by_loss(row):
        return row['irq_ns'] + row['softirq_ns']

    compare_tables(diff, 'irqtime', sorted(want['victims'], key=by_loss), sorted(rows, key=by_loss), ['tid'],
                   ('irqs', 'irq_ns', 'softirqs', 'softirq_ns', 'worst_ns'))
    worst = defaultdict(list)
    for row in want['victims']:
        worst[row['tid']] += row['worst_ids']
    for row in rows:
        diff.same(f"irqtime {row['tid']}: worst_id among the worst", True, row['worst_id'] in worst[row['tid']])


def compare_faults(diff, want, program, path, flags):
    if 's390x' in path.name:                     # it has no such events, and says so
        return
    rows = ringside(program, path, '--view', 'faults', *flags)[0]
    order = lambda r: (r['user'], r['kernel'])   # lives of one tid, as in compare_sched
    compare_tables(diff, 'faults', sorted(want['faults'], key=order), sorted(rows, key=order), ['tid'],
                   ('user', 'kernel'))
    diff.same('faults: major', {None}, {row['major'] for row in rows} or {None})


def workload_says(path):
    """The lines that the workload printed, as (part, {key: number})."""
    says = []
    for line in path.read_text().splitlines():
        m = re.match(r'^(\w+) tid=(\d+) (.*)$', line)
        if m:
            numbers = {k: int(v) for k, v in re.findall(r'(\w+)=(\d+)', m[3])}
            says.append((m[1], int(m[2]), numbers))
    return says


def compare_workload(diff, path, calls, requests, faults):
    """What each thread counted itself; only for recordings that lost nothing."""
    made = defaultdict(int)
    for row in calls:
        made[row['tid'], row['syscall']] += row['calls']

    def nr(tid, *names):
        return sum(made[tid, name] for name in names)

    for part, tid, says in workload_says(path):
        what = f'workload {part} {tid}'
        if part == 'ping':
            diff.same(f'{what}: reads', says['rounds'], nr(tid, 'read'))
            diff.same(f'{what}: writes, one more to print this', says['rounds'] + 1, nr(tid, 'write'))
            diff.same(f'{what}: reads of pong, one more at the end', says['rounds'] + 1, nr(says['pong'], 'read'))
            diff.same(f'{what}: writes of pong', says['rounds'], nr(says['pong'], 'write'))
        elif part == 'contender':
            diff.same(f'{what}: naps', says['taken'], nr(tid, *NAPS))
        elif part == 'faulter':
            diff.same(f'{what}: naps', says['rounds'], nr(tid, *NAPS))
            if faults:                           # what it touched, and a few of its stack and code
                own = sum(row['user'] for row in faults if row['tid'] == tid)
                diff.same(f'{what}: faults', True, says['touched'] <= own <= says['touched'] + 32)
        elif part == 'mover':
            diff.same(f'{what}: moves', says['moves'], nr(tid, 'sched_setaffinity'))
        elif part == 'spawner':
            diff.same(f'{what}: forks', says['children'], nr(tid, 'clone', 'fork', 'vfork', 'clone3'))
            diff.same(f'{what}: waits', says['children'], nr(tid, 'wait4', 'waitpid'))
        elif part == 'disker':
            diff.same(f'{what}: calls', says['requests'], nr(tid, 'pread64', 'pwrite64'))
            own = [r for r in requests if r['tid'] == tid and r['bytes']]
            if not path.name.startswith('host'):   # there the disk is a file, and its blocks are the file system's
                diff.same(f'{what}: requests', says['requests'], len(own))
                diff.same(f'{what}: bytes', says['bytes'], sum(r['bytes'] for r in own))


def compare(program, path, exact):
    diff = Differences()
    flags = ['--exact'] if exact else []
    events, gaps = reading.read(path.with_suffix('.report.gz'))
    independent = waits.Waits(events, gaps, machine_of(path.name), exact)
    want = independent.result()
    sched, meta = ringside(program, path, '--view', 'sched', *flags)
    calls, _ = ringside(program, path, '--view', 'syscall-latency', '--by', 'tid,syscall', *flags)
    requests, _ = ringside(program, path, '--view', 'iosnoop', *flags)
    cpus, _ = ringside(program, path, '--view', 'cpus', *flags)
    compare_meta(diff, want, meta)
    compare_sched(diff, want, sched)
    compare_calls(diff, want, calls)
    compare_block(diff, want, requests)
    compare_tables(diff, 'cpus', want['cpus'], cpus, ['cpu'], ('busy_ns', 'idle_ns', 'switches'))
    compare_execs(diff, events, gaps, machine_of(path.name), ringside(program, path, '--view', 'execsnoop', *flags)[0])
    compare_streams(diff, want, program, path, flags)
    compare_faults(diff, want, program, path, flags)
    locks.compare(diff, locks.Locks(events, gaps, machine_of(path.name), exact).locks(), program, path, flags, ringside)
    waits.compare(diff, independent.waits(), program, path, flags, ringside)
    compare_names(diff, events, ringside(program, path, '--view', 'syscalls', *flags)[0])
    compare_disks(diff, want, ringside(program, path, '--view', 'disks', *flags)[0])
    compare_irqs(diff, want, ringside(program, path, '--view', 'irqs', *flags)[0])
    compare_victims(diff, want, ringside(program, path, '--view', 'irqtime', *flags)[0])
    if not gaps:
        compare_workload(diff, path.with_suffix('.out'), calls, requests, want['faults'])
    return diff


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    program, folder, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    failed = False
    for path in sorted(folder.glob('*.dat')):
        if names and path.stem not in names:
            continue
        for exact in (False, True):
            diff = compare(program, path, exact)
            failed |= bool(diff.texts)
            print(f"{path.stem}{' --exact' if exact else ''}: {diff.nr_compared} compared, {len(diff.texts)} differ")
            for text in diff.texts[:40]:
                print(f'  {text}')
    sys.exit(failed)


if __name__ == '__main__':
    main()
