# SPDX-License-Identifier: GPL-2.0-or-later
"""yardstick - runs in turn, ratios pair by pair, and what they are held against

A machine's speed drifts by half within minutes, so only ratios of one interleaved run count: A B C A B C ...,
each ratio within its own round, the median of the rounds, and the spread beside it. A round in which somebody
else worked on the machine is taken anew.
"""
import os
import pathlib
import statistics
import subprocess
import threading
import time

ROUNDS = int(os.environ.get('ROUNDS', '5'))
# Of a CPU: what others may use meanwhile. The kernel's own threads work for the tools, too.
MAX_FOREIGN = 0.3
TICK_S = 1 / os.sysconf('SC_CLK_TCK')


def busy_s():
    """CPU time of all CPUs that was not idle."""
    with open('/proc/stat', encoding='ascii') as f:
        user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, f.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) * TICK_S


class Run:
    """A command that has ended: wall_s, cpu_s (with the children it waited for), status, out, disturbed."""

    def __init__(self, argv, keep=False, sample=None):
        out = subprocess.PIPE if keep else subprocess.DEVNULL
        busy_before_s = busy_s()
        self.begin_ns = time.monotonic_ns()
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT if keep else out)
        if sample:
            thread = threading.Thread(target=sample, args=(process.pid,), daemon=True)
            thread.start()
        self.out = process.stdout.read().decode(errors='replace') if keep else ''
        _, status, used = os.wait4(process.pid, 0)
        self.end_ns = time.monotonic_ns()
        process.returncode = self.status = os.waitstatus_to_exitcode(status)
        if keep:
            process.stdout.close()
        if sample:
            thread.join()
        self.wall_s = (self.end_ns - self.begin_ns) / 1e9
        self.cpu_s = used.ru_utime + used.ru_stime
        foreign_s = busy_s() - busy_before_s - self.cpu_s
        self.disturbed = foreign_s > MAX_FOREIGN * self.wall_s + 4 * TICK_S


class Memory:
    """The most that a process had of its own: RssAnon, sampled. Mapped pages of a file are not."""

    def __init__(self):
        self.peak_bytes = 0

    def __call__(self, pid):
        try:
            while True:
                for line in pathlib.Path(f'/proc/{pid}/status').read_text().splitlines():
                    if line.startswith('RssAnon:'):
                        self.peak_bytes = max(self.peak_bytes, int(line.split()[1]) * 1024)
                if pathlib.Path(f'/proc/{pid}/stat').read_text().rsplit(')', 1)[1].split()[0] == 'Z':
                    return
                time.sleep(0.005)
        except (FileNotFoundError, ProcessLookupError):
            return


def rounds(candidates, nr=None, again=True):
    """candidates: name -> function that returns a Run, or what has one as .run. All of them in turn, nr
    times; name -> list of what they returned. At most twice as many, then disturbed rounds count, too."""
    nr = nr or ROUNDS
    results, disturbed = [], []
    while len(results) < nr and len(results) + len(disturbed) < (2 * nr if again else nr):
        one = {name: run() for name, run in candidates.items()}
        runs = [getattr(result, 'run', result) for result in one.values()]
        (disturbed if any(run.disturbed for run in runs) else results).append(one)
    if disturbed and again:
        print(f'  ({len(disturbed)} rounds were disturbed by others'
              f'{"" if len(results) == nr else f", {nr - len(results)} of them are used"})', flush=True)
    results += disturbed[:nr - len(results)]
    return {name: [one[name] for one in results] for name in candidates}


def spread(values):
    return statistics.median(values), min(values), max(values)


class Report:
    """Prints what was measured; remembers what does not hold."""

    def __init__(self):
        self.wrong, self.missed, self.skipped = [], [], []

    def title(self, text):
        print(f'\n{text}', flush=True)

    def figure(self, name, text):
        print(f'  {name:<52} {text}', flush=True)

    def numbers(self, name, values, unit, digits=2):
        median, least, most = spread(values)
        self.figure(name, f'{median:.{digits}f} {unit} ({least:.{digits}f} to {most:.{digits}f})')

    def held(self, name, values, at_most, unit=''):
        """The median against its target."""
        median, least, most = spread(values)
        verdict = 'holds' if median <= at_most else 'MISSED'
        digits = 4 if at_most < 0.1 else 2 if at_most < 10 else 1
        if verdict == 'MISSED':
            self.missed.append(name)
        self.figure(name, f'{median:.{digits}f}{unit} ({least:.{digits}f} to {most:.{digits}f}), '
                          f'at most {at_most:g}{unit}: {verdict}')

    def right(self, name, holds, detail=''):
        """A speed without its correctness does not count."""
        if not holds:
            self.wrong.append(name)
        self.figure(name, f'{"right" if holds else "WRONG"}{": " if detail else ""}{detail}')

    def skip(self, name, why):
        self.skipped.append(name)
        self.figure(name, f'not measured: {why}')

    def end(self):
        print()
        for what, names in (('wrong', self.wrong), ('missed', self.missed), ('not measured', self.skipped)):
            if names:
                print(f'{what}: {"; ".join(names)}')
        return 1 if self.wrong else 3 if self.missed else 0


def ratios(results, name, other, value):
    return [value(a) / value(b) for a, b in zip(results[name], results[other])]
