#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""random_keys [-s SEED] [-n KEYS] [-x KEYS] COMMAND... - types random keys into a program of a terminal: does it go on?

The seed gives keys, prompts' words, mouse reports, sizes, and how many are sent at once; the next are sent when the program
has read these. Not sent: Q, F10, what -x names, and Ctrl-C, Ctrl-Z and Ctrl-\\, which are signals. Where the program ends with
status 0 (q on its first screen), it is started again. On any other end: status 1, the seed, the last keys, and the end of what
it wrote.
"""
import argparse, collections, fcntl, os, random, select, signal, struct, sys, termios, time

SPECIAL = ["\033[A", "\033[B", "\033[C", "\033[D", "\033OA", "\033OB", "\033OC", "\033OD", "\033[5~", "\033[6~", "\033[H", "\033[F",
           "\t", "\033[Z", "\x7f", "\x08", "\x14", "\x15", "\x0c", "\x01", "\x05", "\x17", "\x0b", "\033[3~", "\033[2~"]
FUNCTION = ["\033OP", "\033OQ", "\033OR", "\033OS", "\033[15~", "\033[17~", "\033[18~", "\033[19~", "\033[20~"]
OPENERS = ["\r"] * 6 + list("tWhHfiduvKoOC0anN") + ["\033"] * 5
ODD = ["é", "漢", "\U0001f600", "e\u0301", "\033\033", "\033[M !!", "\033[", "\033O", "\033[M", "\033[<0;", "\033[<", "\033[999;999~"]
WORDS = ["a", "run", "cpu", "sched", "disk", "lock", "futex", ">1ms", "<5us", "dev == 8,0", "4711", "0", "-1", "12.5", "-10s", "@1",
         "14:03:07", "99999999999999999999", "theme light", "refresh 2s", "timeline", "flame", "heat", "latency", "overview", "why",
         "incidents", "burner", "(", "!", "comm == x", "é漢", "%s%n", "x" * 300, ""]
BEFORE_WORDS, AFTER_WORDS = [":", "\\", "/", "b", "\033OQ", "V", ""], ["\r", "\r", "\r", "\033", "\t", ""]
# out of prompts, lists and times without events
HOME = "\033\033\033\x15\033\033\033l|"
SIZES = [(24, 80), (40, 120), (50, 200)]


class Keys:
    def __init__(self, seed, without):
        self.r = random.Random(seed)
        self.plain = [c for c in map(chr, range(32, 127)) if c not in "Qq" + without]
        self.special = [c for c in SPECIAL if c not in without]
        self.height, self.width = 40, 120

    def mouse(self):
        r = self.r
        button = r.choice([0, 0, 0, 2, 64, 65, 80, 81, 3, 35, 128, 99999])
        y, x = r.randint(0, self.height + 2), r.randint(0, self.width + 5)
        report = f"\033[<{button};{x};{y}M"
        if not button and r.random() < 0.5:
            report += f"\033[<32;{r.randint(1, self.width)};{r.randint(1, self.height)}M\033[<0;{x};{y}m"
        return report[:r.randint(1, len(report))] if r.random() < 0.05 else report

    def words(self):
        return self.r.choice(BEFORE_WORDS) + self.r.choice(WORDS) + self.r.choice(AFTER_WORDS)

    def next(self):
        r = self.r
        kinds = [(30, lambda: r.choice(self.plain)), (25, lambda: r.choice(OPENERS)), (22, lambda: r.choice(self.special)),
                 (3, lambda: r.choice(FUNCTION)), (12, self.mouse), (5, self.words), (2.6, lambda: r.choice(ODD)),
                 (0.1, lambda: "q"), (3, lambda: HOME)]
        return r.choices([k for _, k in kinds], [w for w, _ in kinds])[0]()

    def size(self):
        r = self.r
        self.height, self.width = r.choice(SIZES) if r.random() < 0.7 else (r.randint(1, 60), r.randint(1, 220))
        return self.height, self.width


class Program:
    def __init__(self, command):
        self.last = b""
        # its own end stays open here, to see what it has not read yet
        self.fd, self.slave = os.openpty()
        self.resize((40, 120))
        self.pid = os.fork()
        if not self.pid:
            os.close(self.fd)
            os.login_tty(self.slave)
            os.execvp(command[0], command)
        # what is typed before the first screen is lost with what the terminal had before
        self.read_until(lambda: b"Help" in self.last, 60)

    def resize(self, size):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))

    def read(self, seconds):
        if select.select([self.fd], [], [], seconds)[0]:
            self.last = (self.last + os.read(self.fd, 65536))[-65536:]
            return True
        return False

    def read_until(self, is_so, seconds):
        end = time.monotonic() + seconds
        while not is_so() and self.status() is None:
            self.read(0.002)
            if time.monotonic() > end:
                return False
        return True

    def nr_unread(self):
        return struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, b"\0" * 4))[0]

    def send(self, text):
        data = text.encode()
        while data and self.status() is None:
            data = data[os.write(self.fd, data[:256]):]
            if not self.read_until(lambda: not self.nr_unread(), 60):
                return False
        return True

    ended = None # its wait status

    def status(self):
        if self.ended is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.ended = status if pid else None
        return self.ended

    def close(self):
        while self.read(0.01):
            pass
        os.close(self.fd)
        os.close(self.slave)


def failed(program, what, seed, nr, sent):
    end = program.last[-3000:].decode(errors="replace")
    print(f"seed {seed}: {what} after {nr} keys; the last: {list(sent)}\nthe end of its output: {end!r}")
    return 1


def check_end(program, seed, nr, sent):
    """A program that has ended: 0, or 1 after a message."""
    status = program.ended
    program.close()
    return failed(program, f"wait status {status}", seed, nr, sent) if status else 0


def type_keys(command, seed, nr_keys, without):
    keys, sent, nr = Keys(seed, without), collections.deque(maxlen=50), 0
    program = Program(command)
    while nr < nr_keys:
        batch = [keys.next() for _ in range(keys.r.choice([1, 1, 2, 3, 5, 20]))]
        nr += len(batch)
        sent.extend(batch)
        if not program.send("".join(batch)):
            failed(program, "does not read its keys", seed, nr, sent)
            os.kill(program.pid, signal.SIGABRT)
            return 1
        if keys.r.random() < 0.1:
            sent.append(keys.size())
            program.resize(sent[-1])
        # now and then, the answers that the keys asked for are there before the next key
        pause = keys.r.choice([0, 0, 0.01, 0.05, 0.1])
        end = time.monotonic() + pause
        program.read_until(lambda: time.monotonic() > end, pause + 1)
        if program.status() is not None:
            if check_end(program, seed, nr, sent):
                return 1
            program = Program(command)
            program.resize((keys.height, keys.width))
    os.kill(program.pid, signal.SIGTERM)
    if not program.read_until(lambda: False, 60) and program.ended is None:
        return failed(program, "does not end", seed, nr, sent)
    return check_end(program, seed, nr, sent)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-s", type=int, default=0)
    p.add_argument("-n", type=int, default=2000)
    p.add_argument("-x", default="")
    p.add_argument("command", nargs=argparse.REMAINDER)
    a = p.parse_args()
    return type_keys(a.command, a.s, a.n, a.x)


if __name__ == "__main__":
    sys.exit(main())
