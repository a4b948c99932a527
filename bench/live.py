# SPDX-License-Identifier: GPL-2.0-or-later
"""live - the same work untraced, under ringside, trace-cmd and perf, in turn

A workload's wall time and CPU are what `timed`, right around it, says; a tool's CPU is all that it used
less that. Nobody reading (`drain ring`) traces the same events into a buffer that goes round: what the kernel
itself costs. Of trace-cmd and perf the same events are asked for.
"""
import json
import os
import re
import time

from yardstick import Memory, Run, ratios, rounds

INSTANCES = '/sys/kernel/tracing/instances'

# trace-cmd writes to control files that some kernels refuse, and to settings of the whole machine: in a mount
# namespace of its own those are scratch files. -B keeps it away from the global buffer.
DETOUR = '''
T={instances}/{name}
mkdir $T && printf '1\\n' >{dir}/one && : >{dir}/scratch || exit 1
for f in ftrace_enabled kptr_restrict; do mount --bind {dir}/one /proc/sys/kernel/$f || exit 1; done
for f in set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace set_ftrace_pid \\
	set_ftrace_notrace_pid; do
	for d in $T /sys/kernel/tracing; do [ ! -e $d/$f ] || mount --bind {dir}/scratch $d/$f || exit 1; done
done
exec trace-cmd record --file-version 6 -o {dir}/peer.dat -B {name} "$@"
'''


class Workload:
    def __init__(self, name, argv, at_least):
        self.name, self.argv, self.at_least = name, argv, at_least


class Traced:
    """One run of a tool around a workload."""

    def __init__(self, tools, tool_argv, workload, **how):
        stamp = f'{tools.dir}/timed.out'
        if os.path.exists(stamp):
            os.unlink(stamp)
        self.run = Run([*tool_argv, tools.timed, stamp, *workload], **how)
        self.ok = self.run.status == 0 and os.path.exists(stamp)
        if not self.ok:
            return
        with open(stamp, encoding='ascii') as f:
            begin_ns, end_ns, cpu_ns = map(int, f.read().split())
        self.work_s = (end_ns - begin_ns) / 1e9
        self.work_cpu_s = cpu_ns / 1e9
        self.tool_cpu_s = max(self.run.cpu_s - self.work_cpu_s, 1e-4)
        self.first_ms = (begin_ns - self.run.begin_ns) / 1e6
        self.gone_ms = (self.run.end_ns - end_ns) / 1e6


def events_of_all(tools):
    """What ringside turns on with all analyses on."""
    out = Run([tools.ringside, 'list', 'events', '--json'], keep=True).out
    views = (json.loads(line) for line in Run([tools.ringside, 'list', 'views', '--json'], keep=True).out.splitlines())
    named = {view['analysis'] for view in views if view.get('default') == 'no'}
    events, previous_here = [], False
    for row in (json.loads(line) for line in out.splitlines()):
        if '_meta' in row or row['analysis'] in named:
            continue
        if row['need'] == 'if recorded' or (row['need'] == 'fallback' and previous_here):
            continue
        previous_here = row['here'] == 'yes'
        name = f'{row["system"]}:{row["event"]}'
        if previous_here and name not in events:
            events.append(name)
    return events


def trace_cmd(tools, events):
    name = f'ringside-bench-tc-{os.getpid()}'
    script = DETOUR.format(instances=INSTANCES, name=name, dir=tools.dir)
    return ['unshare', '-m', 'sh', '-c', script, 'sh', *(x for e in events for x in ('-e', e))]


def perf(tools, events):
    return ['perf', 'record', '-a', '-q', '-o', f'{tools.dir}/peer.perf',
            *(x for e in events for x in ('-e', e))]


def remove_instances():
    for name in os.listdir(INSTANCES):
        if name.startswith(f'ringside-bench-tc-{os.getpid()}'):
            os.rmdir(f'{INSTANCES}/{name}')


class Tracers:
    """The tools that work here, by name: how to run one around a workload."""

    def __init__(self, report, tools, events):
        self.argv = {'nobody reads': [tools.drain, 'ring', ','.join(events)],
                     'ringside': [tools.ringside, 'summary', '--'],
                     'nobody reads, filtered': [tools.drain, 'filter', ','.join(events)],
                     'read and forget': [tools.drain, 'read', ','.join(events)]}
        self.add(report, tools, 'trace-cmd', tools.trace_cmd, trace_cmd(tools, events))
        self.add(report, tools, 'perf record', tools.perf, perf(tools, events))

    def add(self, report, tools, name, installed, argv):
        if not installed:
            report.skip(name, 'it is not installed')
            return
        probe = Traced(tools, argv, ['true'], keep=True)
        remove_instances()
        if probe.ok:
            self.argv[name] = argv
        else:
            report.skip(name, 'it does not work here: ' + ' '.join(probe.run.out.split())[-160:])


def trust_of(out):
    """events and lost, from the quality line of text."""
    line = re.search(r'([\d,]+) events  lost (\S+)', out)
    if not line:
        return None, None
    return tuple(int(n.replace(',', '')) if n[:1].isdigit() else None for n in line.groups())


def lost_of(name, traced):
    if name == 'ringside':
        return trust_of(traced.run.out)
    if name in ('nobody reads', 'nobody reads, filtered', 'read and forget'):
        found = re.search(r'events=(\d+) lost=(\d+)', traced.run.out)
        return int(found[1]), int(found[2])
    if name == 'trace-cmd':
        return traced.stat
    return None, None


def with_stat(tools, traced):
    """What trace-cmd's file says of its buffers: events made, and of these lost."""
    out = Run([tools.trace_cmd, 'report', '--stat', '-i', f'{tools.dir}/peer.dat'], keep=True).out
    count = lambda what: sum(int(n) for n in re.findall(rf'(?m)^{what}: (\d+)', out))  # noqa: E731
    lost = count('overrun') + count('commit overrun') + count('dropped events')
    traced.stat = count('entries') + count('read events') + lost, lost
    return traced


def show_tool(report, name, runs):
    lost = [lost_of(name, traced) for traced in runs]
    events = max((n for n, _ in lost if n), default=None)
    nr_lost = [n for _, n in lost if n is not None]
    if name == 'untraced':
        report.figure(f'  {name}', f'work {sorted(t.work_s for t in runs)[len(runs) // 2] * 1e3:.0f} ms')
        return
    text = [f'work {sorted(t.work_s for t in runs)[len(runs) // 2] * 1e3:.0f} ms',
            f'tool {sorted(t.tool_cpu_s for t in runs)[len(runs) // 2] * 1e3:.0f} ms of CPU']
    text += [f'{events} events'] if events else []
    text += [f'lost {max(nr_lost)}' if nr_lost else 'lost unknown'] if 'nobody' not in name else []
    report.figure(f'  {name}', ', '.join(text))


def measure(report, tools, workload, tracers):
    report.title(f'live: {workload.name}')
    keep = lambda argv: Traced(tools, argv, workload.argv, keep=True)  # noqa: E731
    candidates = {'untraced': lambda: keep([])}
    candidates |= {name: lambda argv=argv: keep(argv) for name, argv in tracers.argv.items()}
    if 'trace-cmd' in candidates:
        candidates['trace-cmd'] = lambda: with_stat(tools, keep(tracers.argv['trace-cmd']))
    results = rounds(candidates)
    remove_instances()
    bad = [name for name, runs in results.items() if not all(traced.ok for traced in runs)]
    if bad:
        report.right(f'{workload.name}: every run ended well', False, ', '.join(bad))
        return
    for name, runs in results.items():
        show_tool(report, name, runs)
    check_loss(report, workload, results['ringside'])
    show_ratios(report, workload, results)


def check_loss(report, workload, runs):
    seen = [trust_of(traced.run.out) for traced in runs]
    least = min(events or 0 for events, _ in seen)
    report.right(f'{workload.name}: 0 lost', all(lost == 0 for _, lost in seen), f'{[n for _, n in seen]}')
    report.right(f'{workload.name}: all that was done was seen', least >= workload.at_least,
                 f'at least {workload.at_least} events, seen {least}')


def kept(traced):
    """Events that reached the tool."""
    if hasattr(traced, 'stat'):
        events, lost = traced.stat
        return max(events - lost, 1)
    return trust_of(traced.run.out)[0]


def show_ratios(report, workload, results):
    def of(name, other, value):
        return ratios(results, name, other, value)

    def work(traced):
        return traced.work_s

    def cpu(traced):
        return traced.tool_cpu_s

    name, idle = workload.name, 'nobody reads'
    report.held(f'{name}: slower than with nobody reading', of('ringside', idle, work), 1.15)
    report.numbers(f'{name}: all CPU, of that with nobody reading',
                   of('ringside', idle, lambda t: t.work_cpu_s + t.tool_cpu_s), 'times')
    report.numbers(f'{name}: nobody reads but own work is filtered',
                   of(f'{idle}, filtered', idle, work), 'times')
    for other in ('read and forget', 'trace-cmd', 'perf record'):
        if other in results:
            report.numbers(f'{name}: {other}, slower than that', of(other, idle, work), 'times')
    report.numbers(f'{name}: slower than untraced', of('ringside', 'untraced', work), 'times')
    report.numbers(f'{name}: CPU, of read and forget\'s', of('ringside', 'read and forget', cpu), 'times')
    if 'trace-cmd' not in results:
        report.skip(f'{name}: CPU, of trace-cmd record\'s', 'no trace-cmd')
        return
    report.held(f'{name}: CPU, of trace-cmd record\'s', of('ringside', 'trace-cmd', cpu), 0.6)
    report.numbers(f'{name}: the same, for an event that was not lost',
                   of('ringside', 'trace-cmd', lambda t: cpu(t) / kept(t)), 'times')


def with_first_event(tools, traced):
    """When the first event of the recording was, after the launch: its clock is boot's."""
    since_boot_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()
    out = Run([tools.ringside, 'report', f'{tools.dir}/first.dat', '--view', 'cpus', '--json', '-q'], keep=True).out
    meta = json.loads(out.splitlines()[-1])['_meta']
    traced.event_ms = (meta['from_ns'] - since_boot_ns - traced.run.begin_ns) / 1e6
    return traced


def measure_ends(report, tools, tracers):
    report.title('live: begin and end')
    candidates = {name: lambda argv=argv: Traced(tools, argv, ['true'], keep=True)
                  for name, argv in tracers.argv.items() if 'read' not in name}
    record = [tools.ringside, 'record', '-q', '-o', f'{tools.dir}/first.dat', '--']
    candidates['ringside record'] = lambda: with_first_event(tools, Traced(tools, record, ['true'], keep=True))
    results = rounds(candidates, 9, again=False)
    remove_instances()
    for name, runs in results.items():
        runs = [traced for traced in runs if traced.ok]
        first, gone = [t.first_ms for t in runs], [t.gone_ms for t in runs]
        if name == 'ringside record':
            report.held('launch to the first event', [t.event_ms for t in runs], 40, ' ms')
        elif name == 'ringside':
            report.numbers('launch to the command\'s first instruction', first, 'ms', 1)
            report.held('the command\'s end to all gone', gone, 150, ' ms')
        else:
            report.numbers(f'  {name}: begin', first, 'ms', 1)
            report.numbers(f'  {name}: end', gone, 'ms', 1)


def measure_memory(report, tools, workload):
    memory = Memory()
    traced = Traced(tools, [tools.ringside, 'summary', '--'], workload.argv, keep=True, sample=memory)
    events, _ = trust_of(traced.run.out)
    if not events:
        report.right('memory', False, 'no quality line')
        return
    report.held(f'{workload.name}: memory beyond 48 MB, bytes an event',
                [max(0, memory.peak_bytes - 48e6) / events], 24)
    report.figure('its own memory at most', f'{memory.peak_bytes / 1e6:.1f} MB (sampled, RssAnon)')


def check_exact(report, tools, rounds_each):
    """What the storm does is known to the call."""
    argv = [tools.ringside, 'syscall-latency', '--json', '-c', 'storm', '--by', 'comm,syscall', '--',
            tools.storm, 'mix', '-j', '2', '-n', str(rounds_each)]
    calls = {}
    for row in (json.loads(line) for line in Run(argv, keep=True).out.splitlines()):
        if row.get('comm') == 'storm':
            calls[row['syscall']] = calls.get(row['syscall'], 0) + row['calls']
    report.right('storm: each of its getppid calls, once', calls.get('getppid') == 2 * rounds_each,
                 f'{calls.get("getppid")} of {2 * rounds_each}')


def run(report, tools):
    if not tools.may_trace:
        report.title('live')
        report.skip('live', 'only root can trace (sudo make bench)')
        return
    report.title('live: tools')
    events = events_of_all(tools)
    report.figure('events', ' '.join(events))
    tracers = Tracers(report, tools, events)
    storm = Workload('storm', [tools.storm, 'mix', '-j', '2', '-n', '400000'], 2 * 6 * 400000)
    workloads = [storm]
    if tools.perf:
        messaging = ['perf', 'bench', 'sched', 'messaging', '-g', '10', '-l', '300']
        workloads.append(Workload('messaging', messaging, 1000000))
    else:
        report.skip('messaging', 'perf is not installed')
    for workload in workloads:
        measure(report, tools, workload, tracers)
        measure_memory(report, tools, workload)
    check_exact(report, tools, 400000)
    measure_ends(report, tools, tracers)
    for leftover in ('first.dat', 'peer.dat', 'peer.perf', 'one', 'scratch', 'timed.out'):
        if os.path.exists(f'{tools.dir}/{leftover}'):
            os.unlink(f'{tools.dir}/{leftover}')
