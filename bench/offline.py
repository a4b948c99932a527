# SPDX-License-Identifier: GPL-2.0-or-later
"""offline - a recording of 2 M events through ringside, trace-cmd and the plain-C walk"""
import json
import os
import pathlib
import re
import shutil

from yardstick import ROUNDS, Memory, Run, ratios, rounds

def default_views(tools):
    """The first view of each analysis that is on by default; what a stream would print is cut off by -m."""
    views = {}
    for line in Run([tools.ringside, 'list', 'views', '--json'], keep=True).out.splitlines():
        row = json.loads(line)
        if row.get('default') == 'yes':
            views.setdefault(row['analysis'], [row['view']] if row['kind'] != 'stream' else [row['view'], '-m', '1000s'])
    return views


SHORT = str(pathlib.Path(__file__).resolve().parent.parent / 'tests/traces/debian-6.1-amd64-mixed.dat')

WORKLOAD = '''
dd if=/dev/zero of={dir}/blocks bs=1M count=16 oflag=direct status=none
dd if={dir}/blocks of=/dev/null bs=4k iflag=direct status=none
rm -f {dir}/blocks
{messaging}
{dir}/storm pipe -j 8 -n {rounds}
{dir}/storm mix -j 2 -n 75000
'''


def make_recording(tools, path):
    perf = shutil.which('perf')
    messaging = 'perf bench sched messaging -g 10 -l 50 >/dev/null 2>&1' if perf else ''
    workload = WORKLOAD.format(dir=tools.dir, messaging=messaging, rounds=8000 if perf else 16000)
    return Run([tools.ringside, 'record', '-q', '-b', '65536', '-o', path, '--', 'sh', '-c', workload],
               keep=True)


def json_rows(tools, path, *args):
    out = Run([tools.ringside, 'report', path, '--json', '-q', *args], keep=True).out
    rows = [json.loads(line) for line in out.splitlines()]
    return rows[:-1], rows[-1]['_meta']


def same_events(report, tools, path):
    """All readers must have read the same; returns the number of events."""
    rows, meta = json_rows(tools, path, '--view', 'syscall-latency')
    # a return from a signal says -1 at its exit, which the walk does not know
    calls = sum(row['calls'] for row in rows if row['syscall'] not in (None, 'rt_sigreturn'))
    walk = dict(re.findall(r'(\w+)=(\d+)', Run([tools.walk, 'ana', path], keep=True).out))
    counts = {'ringside': meta['events'], 'walk': int(walk['events'])}
    if tools.trace_cmd:
        lines = Run([tools.trace_cmd, 'report', '-i', path], keep=True).out.splitlines()
        counts['trace-cmd'] = sum(1 for line in lines if re.match(r'\s.*\[\d+\]', line))
    report.right('equal event totals', len(set(counts.values())) == 1,
                 ', '.join(f'{name} {nr}' for name, nr in counts.items()))
    report.right('equal system call pairs', calls == int(walk['calls']),
                 f'ringside {calls}, walk {walk["calls"]}')
    report.figure('the recording', f'{os.path.getsize(path) / 1e6:.0f} MB, {meta["events"]} events, '
                                   f'{meta["lost"]} lost')
    return meta['events']


def measure_walls(report, tools, path):
    candidates = {
        'ringside': lambda: Run([tools.ringside, 'report', path]),
        'walk': lambda: Run([tools.walk, 'ana', path]),
        'json': lambda: Run([tools.ringside, 'report', path, '--view', 'all', '--json']),
    }
    if tools.trace_cmd:
        candidates['profile'] = lambda: Run([tools.trace_cmd, 'report', '--profile', '-i', path])
        candidates['trace-cmd'] = lambda: Run([tools.trace_cmd, 'report', '-i', path])
    results = rounds(candidates)
    wall = lambda run: run.wall_s  # noqa: E731
    for name, runs in results.items():
        report.numbers(f'wall, {name}', [wall(run) * 1e3 for run in runs], 'ms', 0)
    report.held('report / walk ana', ratios(results, 'ringside', 'walk', wall), 6)
    report.numbers('report --view all --json / walk ana', ratios(results, 'json', 'walk', wall), 'times', 1)
    if tools.trace_cmd:
        report.held('report / trace-cmd report', ratios(results, 'ringside', 'trace-cmd', wall), 1 / 40)
        report.held('report / trace-cmd report --profile', ratios(results, 'ringside', 'profile', wall),
                    1 / 4)
    else:
        report.skip('report / trace-cmd report', 'trace-cmd is not installed')


def measure_export(report, tools, path, events):
    """Chrome JSON: events a second, and how many bytes an event becomes."""
    out = f'{tools.dir}/export.json'
    results = rounds({'export': lambda: Run([tools.ringside, 'export', '-q', '-i', path, '-o', out])})
    report.held('export -f chrome', [run.wall_s * 1e9 / events for run in results['export']], 100, ' ns an event')
    report.numbers('of CPU, its two threads', [run.cpu_s * 1e9 / events for run in results['export']], 'ns an event', 1)
    report.held('its size', [os.path.getsize(out) / events], 100, ' bytes an event')
    packets = f'{tools.dir}/export.pftrace'
    results = rounds({'perfetto': lambda: Run([tools.ringside, 'export', '-q', '-i', path, '-o', packets]),
                      'chrome': lambda: Run([tools.ringside, 'export', '-q', '-i', path, '-o', out])})
    report.numbers('export -f perfetto / -f chrome', ratios(results, 'perfetto', 'chrome', lambda run: run.wall_s), 'times', 2)
    report.held('its size / of chrome', [os.path.getsize(packets) / os.path.getsize(out)], 1 / 4)
    os.unlink(packets)
    os.unlink(out)


def measure_analyses(report, tools, path, events):
    """Each analysis alone, and all of them: what one more costs."""
    candidates = {}
    for name, view in default_views(tools).items():
        candidates[name] = lambda view=view: Run([tools.ringside, 'report', path, '--view', *view])
    candidates['all'] = lambda: Run([tools.ringside, 'report', path])
    results = rounds(candidates)
    for name, runs in results.items():
        report.numbers('all of them' if name == 'all' else f'{name} alone',
                       [run.cpu_s * 1e9 / events for run in runs], 'ns of CPU an event', 1)


def measure_findings(report, tools, paths):
    """What findings add to a summary's CPU time: all rules at work, and all silenced."""
    rules = Run([tools.ringside, 'list', 'rules', '--csv'], keep=True).out.splitlines()[1:]
    silence = '--silence=' + ','.join(line.split(',')[0] for line in rules)
    for name, path in paths.items():
        summary = [tools.ringside, 'summary', '-q', '-i', path]
        results = rounds({'on': lambda argv=summary: Run(argv), 'off': lambda argv=summary: Run([*argv, silence])}, 3 * ROUNDS)
        report.held(f'summary / summary without findings, {name}', ratios(results, 'on', 'off', lambda run: run.cpu_s), 1.03)
        report.numbers('findings', [(on.cpu_s - off.cpu_s) * 1e3 for on, off in zip(results['on'], results['off'])], 'ms of CPU')


def measure_memory(report, tools, path, events):
    memory = Memory()
    Run([tools.ringside, 'report', path], sample=memory)
    report.held('memory beyond 48 MB, bytes an event', [max(0, memory.peak_bytes - 48e6) / events], 24)
    report.figure('its own memory at most',
                  f'{memory.peak_bytes / 1e6:.1f} MB (sampled; mapped pages of the file are not its own)')


def run(report, tools):
    path = f'{tools.dir}/recording.dat'
    report.title('offline: a recording, all analyses')
    if tools.may_trace:
        made = make_recording(tools, path)
        if made.status:
            report.right('ringside record', False, made.out.strip())
            return
    if not os.path.exists(path):
        report.skip('offline', 'no recording yet, and only root can make one (sudo make bench)')
        return
    events = same_events(report, tools, path)
    measure_walls(report, tools, path)
    measure_findings(report, tools, {'a long recording': path, 'a short one': SHORT})
    measure_memory(report, tools, path, events)
    measure_export(report, tools, path, events)
    report.title('offline: what one more analysis costs')
    measure_analyses(report, tools, path, events)
