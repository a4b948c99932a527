# SPDX-License-Identifier: GPL-2.0-or-later
"""yardstick - runs in turn, ratios pair by pair, and what they are held against

A machine's speed drifts by half within minutes, so only ratios of one interleaved run count: A B C A B C ...,
each ratio within its own round, the median of the rounds, and the spread beside it.
"""
import os
import pathlib
import statistics
import subprocess
import threading
import time

ROUNDS = int(os.environ.get('ROUNDS', '5'))


class Run:
    """A command that has ended: wall_s, cpu_s (its own and that of the children it waited for), status, out."""

    def __init__(self, argv, keep=False, sample=None):
        out = subprocess.PIPE if keep else subprocess.DEVNULL
        self.begin_ns = time.monotonic_ns()
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT if keep else out)
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


class Memory:
    """The most that a process had of its own: RssAnon, sampled. Mapped pages of the recording are the page cache's."""

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


def rounds(candidates, nr=None):
    """candidates: name -> function. All of them once, in turn, nr times; name -> list of what they returned."""
    results = {name: [] for name in candidates}
    for _ in range(nr or ROUNDS):
        for name, run in candidates.items():
            results[name].append(run())
    return results


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
