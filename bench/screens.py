# SPDX-License-Identifier: GPL-2.0-or-later
"""screens - the TUI in a terminal of 200x50 that is read at once, and the daemon: how soon, at what cost"""
import os
import pathlib
import pty
import re
import select
import signal
import struct
import fcntl
import sys
import termios
import time

from yardstick import TICK_S, Run, rounds

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'tests/lib'))
from client import Client  # noqa: E402

ROWS, COLUMNS = 50, 200
BOOT = time.CLOCK_BOOTTIME


def cpu_s(pid):
    fields = pathlib.Path(f'/proc/{pid}/stat').read_text().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def children(pid):
    return [int(c) for t in pathlib.Path(f'/proc/{pid}/task').iterdir()
            for c in (t / 'children').read_text().split()]


class Screen:
    """The program in a terminal: what it wrote, and when."""

    def __init__(self, argv):
        self.begin = time.monotonic()
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(TERM='xterm-256color', LANG='C.UTF-8', XDG_CONFIG_HOME='/nonexistent')
            time.sleep(0.05)  # the size is set by now
            os.execv(argv[0], argv)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack('HHHH', ROWS, COLUMNS, 0, 0))
        self.begin += 0.05
        self.text = b''

    def read(self, seconds):
        """What comes within that time, at most; b'' nothing."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return b''
        try:
            got = os.read(self.fd, 1 << 16)
        except OSError:
            return b''
        self.text += got
        return got

    def until(self, words, seconds):
        """Milliseconds since the launch until they were written; None: not in time."""
        end = time.monotonic() + seconds
        while words not in self.text:
            if time.monotonic() > end:
                return None
            self.read(0.05)
        return (time.monotonic() - self.begin) * 1e3

    def drain(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(end - time.monotonic())

    def key(self, keys, quiet=0.04):
        """Milliseconds from a key to the last byte of what it changed."""
        while self.read(0):
            pass
        begin = last = time.monotonic()
        os.write(self.fd, keys)
        while self.read(quiet if last > begin else 1):
            last = time.monotonic()
        return (last - begin) * 1e3

    def end(self):
        os.write(self.fd, b'q')
        end = time.monotonic() + 5
        while time.monotonic() < end and os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            self.read(0.05)
        os.close(self.fd)


class Daemon:
    def __init__(self, tools):
        self.socket = f'{tools.dir}/daemon.socket'
        self.process = os.spawnv(os.P_NOWAIT, tools.ringside, [tools.ringside, 'daemon', '--socket', self.socket,
                                                               '--log-level', 'error'])
        for _ in range(200):
            if os.path.exists(self.socket):
                break
            time.sleep(0.02)

    def pids(self):
        return [self.process, *children(self.process)]

    def end(self):
        os.kill(self.process, signal.SIGTERM)
        os.waitpid(self.process, 0)


def measure_frames(report, tools, nr):
    """What a frame costs who draws: every cell another one, and none."""
    frames = []
    for _ in range(nr):
        out = Run([f'{tools.dir}/../tests/tools/terminal-speed'], keep=True).out
        frames.append([float(ms) for ms in re.findall(r'([0-9.]+) ms', out)])
    if not all(len(frame) == 5 for frame in frames):
        report.skip('frames', 'make tools builds what measures them')
        return
    report.held('CPU of a frame that is all new', [frame[0] for frame in frames], 4, ' ms')
    report.held('CPU of an unchanged frame', [frame[2] for frame in frames], 0.1, ' ms')
    report.held('CPU of a flame graph of 4,000 stacks', [frame[4] for frame in frames], 16, ' ms')


def measure_launch(report, tools, nr):
    paints, numbers = [], []
    for _ in range(nr):
        screen = Screen([tools.ringside, 'tui', '--own'])
        paints.append(screen.until(b'ringside', 5) or 5e3)
        numbers.append(screen.until(b'Processes', 5) or 5e3)
        screen.end()
    report.held('launch to the first picture', paints, 200, ' ms')
    report.held('launch to the first numbers', numbers, 1000, ' ms')


def measure_storm(report, tools):
    """The process that draws, while two CPUs are full and every event is taken."""
    screen = Screen([tools.ringside, 'tui', '--own'])
    screen.until(b'Processes', 5)
    storm = os.spawnv(os.P_NOWAIT, tools.storm, [tools.storm, 'mix', '-j', '2', '-n', '4000000'])
    time.sleep(1)
    before, begin = cpu_s(screen.pid), time.monotonic()
    screen.drain(8)
    share = (cpu_s(screen.pid) - before) / (time.monotonic() - begin) * 100
    os.kill(storm, signal.SIGTERM)
    os.waitpid(storm, 0)
    screen.drain(1.5)
    report.held('CPU of who draws, under a storm', [share], 2, ' %')
    report.right('nothing lost under a storm with the screens open', b'LOST' not in screen.text)
    screen.end()


def measure_lag(report, tools):
    """From an event, a system call of ours, to an answer that knows of it."""
    daemon, lags = Daemon(tools), []
    client = Client(daemon.socket)
    for _ in range(200):
        at = time.clock_gettime_ns(BOOT)
        while client.ask('state')['now_ns'] < at:
            time.sleep(0.001)
        lags.append((time.clock_gettime_ns(BOOT) - at) / 1e6)
        time.sleep(0.01)
    lags.sort()
    report.held('an event to a snapshot with it, 99th percentile', [lags[int(len(lags) * 0.99)]], 100, ' ms')
    client.close()
    time.sleep(1)
    before, begin = [cpu_s(pid) for pid in daemon.pids()], time.monotonic()
    time.sleep(10)
    used = sum(cpu_s(pid) for pid in daemon.pids()) - sum(before)
    report.held('an idle daemon', [used / (time.monotonic() - begin) * 100], 1.5, ' % of a CPU')
    daemon.end()


def measure_why(report, tools):
    """All waits of the last 10 s of a storm, as far as the window reaches, while the daemon goes on."""
    daemon = Daemon(tools)
    storm = os.spawnv(os.P_NOWAIT, tools.storm, [tools.storm, 'pipe', '-j', '8', '-n', '100000000'])
    time.sleep(10)
    os.kill(storm, signal.SIGTERM)
    os.waitpid(storm, 0)
    before = [cpu_s(pid) for pid in daemon.pids()]
    answers = [Run([tools.ringside, 'why', '--socket', daemon.socket, '--last', '10s'], keep=True) for _ in range(3)]
    used = sum(cpu_s(pid) for pid in daemon.pids()) - sum(before) + sum(run.cpu_s for run in answers)
    told = [re.search(r'[\d,]+ events', run.out) for run in answers]
    report.right('why tells of a storm, each time', all(told) and not any(run.status for run in answers),
                 ', '.join(t.group(0) if t else f'exit status {run.status}, {len(run.out)} bytes' for t, run in zip(told, answers)))
    report.held('why of the last 10 s of a storm', [run.wall_s for run in answers], 1, ' s')
    report.numbers('its CPU, with the daemon\'s meanwhile', [used / len(answers)], 's')
    daemon.end()


def measure_file(report, tools, path):
    pictures = []
    for _ in range(3):
        screen = Screen([tools.ringside, 'tui', path])
        pictures.append(screen.until(b'Processes', 20) or 20e3)
        screen.end()
    report.figure('the file', f'{os.path.getsize(path) / 1e6:.0f} MB')
    report.held('opening it: the first picture', pictures, 300, ' ms')
    results = rounds({'tui': lambda: Run([tools.ringside, 'tui', path, '--batch', '-n', '1']),
                      'report': lambda: Run([tools.ringside, 'report', '-q', path])}, 3)
    report.held('opening it: the whole / report', [a.wall_s / b.wall_s for a, b in
                                                   zip(results['tui'], results['report'])], 1.5)
    screen = Screen([tools.ringside, 'tui', path])
    screen.until(b'all of the file', 60)
    screen.drain(results['tui'][0].wall_s + 1)
    screen.key(b't', 0.5)
    redraws = [screen.key(key) for key in (b'd', b'a', b'w', b's') * 10]
    report.held('redraw of its timeline', redraws, 16, ' ms')
    screen.end()


def make_big_recording(tools, path):
    return Run([tools.ringside, 'record', '-q', '-b', '131072', '-o', path, '--', tools.storm, 'mix', '-j', '2', '-n', '900000'],
               keep=True)


def run(report, tools):
    report.title('screens: a terminal of 200x50')
    if not tools.may_trace:
        report.skip('screens', 'only root can trace (sudo make bench)')
        return
    measure_frames(report, tools, 5)
    measure_launch(report, tools, 5)
    measure_storm(report, tools)
    measure_lag(report, tools)
    measure_why(report, tools)
    path = f'{tools.dir}/big.dat'
    if not os.path.exists(path):
        made = make_big_recording(tools, path)
        if made.status:
            report.right('ringside record', False, made.out.strip())
            return
    measure_file(report, tools, path)
