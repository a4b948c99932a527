# SPDX-License-Identifier: GPL-2.0-or-later
"""stacks - what stacks of waits cost: the kernel, as a ratio of threads that only wake each other; the engine, for each stack"""
import json

from live import Traced
from yardstick import ROUNDS, Run, ratios, rounds

WORK = ['pipe', '-j', '2', '-n', '60000']
ENGINE_US = 1.5


def kernel(report, tools):
    """The work's wall time beside that under sched events and calls alone."""
    begin = [tools.ringside, 'offcpu', '--own', '-q', '-b', '65536']
    tracers = {'without': begin, 'kernel': [*begin, '--stacks=off-cpu,kernel'], 'both': [*begin, '--stacks=off-cpu']}
    results = rounds({name: lambda argv=argv: Traced(tools, [*argv, '--'], [tools.storm, *WORK], keep=True)
                      for name, argv in tracers.items()})
    report.right('stacks: every run ended well', all(t.ok for runs in results.values() for t in runs))
    for name, text in (('kernel', "kernel's stacks"), ('both', "kernel's and program's")):
        report.numbers(f'  work with {text}, beside no stacks', ratios(results, name, 'without', lambda t: t.work_s), 'times')


def engine(report, tools):
    """A recording with stacks, by a view that takes them and by one that does not."""
    path = f'{tools.dir}/stacks.dat'
    Run([tools.ringside, 'record', '-q', '-b', '65536', '-e', 'sched', '--stacks=off-cpu', '-o', path, '--', tools.storm, *WORK])
    rows = [json.loads(line) for line in Run([tools.ringside, 'stacks', '-q', '-i', path, '--json', '--by', 'type'], keep=True).out.splitlines()]
    nr = sum(row['count'] for row in rows if row.get('type') == 'off-cpu')
    report.right('stacks: of each wait there is one', nr > 50000, f'{nr} stacks')
    if not nr:
        return
    runs = rounds({view: lambda view=view: Run([tools.ringside, view, '-q', '-i', path, '--json', '--by', 'pid'], keep=True)
                   for view in ('tasks', 'stacks')})
    cost_us = [(a.cpu_s - b.cpu_s) / nr * 1e6 for a, b in zip(runs['stacks'], runs['tasks'])]
    report.held('  the engine, for each stack', cost_us, ENGINE_US, ' us')


def run(report, tools):
    report.title(f'stacks of waits, {ROUNDS} rounds')
    if not tools.may_trace:
        report.skip('stacks', 'no right to trace')
        return
    kernel(report, tools)
    engine(report, tools)
