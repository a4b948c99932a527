#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# job-control.sh - live views in a shell on a terminal: Ctrl-Z, fg, Ctrl-C, Ctrl-S, and a terminal that nobody reads
. "$(dirname "$0")/../lib/live.sh"
need_tracing
export ringside samples instances

begin "keys in, screen out"
"$python" - <<'PY' || fail "see above"
import fcntl, glob, os, pty, re, select, signal, struct, sys, termios, time

ringside, samples, instances = (os.environ[k] for k in ("ringside", "samples", "instances"))
bad = 0

def fail(what):
    global bad
    bad += 1
    print("FAILED: %s; the screen's end:\n%s" % (what, screen[-600:].decode("utf-8", "replace")))

pid, fd = pty.fork()
if not pid:
    os.environ.update(PS1="ready> ", TERM="xterm", LC_ALL="C.UTF-8")
    os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 150, 0, 0))
screen = b""

def read(seconds):
    global screen
    end = time.time() + seconds
    while time.time() < end:
        if select.select([fd], [], [], 0.05)[0]:
            try:
                screen += os.read(fd, 65536)
            except OSError:
                return

def until(pattern, what, seconds=10):
    end = time.time() + seconds
    while time.time() < end:
        if re.search(pattern, screen):
            return True
        read(0.05)
    fail("never came: " + what)
    return False

def keys(text):
    global screen
    screen = b""
    os.write(fd, text.encode())

def pid_of_ringside():
    for path in glob.glob("/proc/%d/task/%d/children" % (pid, pid)):
        for child in open(path).read().split():
            if os.path.realpath("/proc/%s/exe" % child) == os.path.realpath(ringside):
                return int(child)

def wait_for(what, true, seconds=10):
    end = time.time() + seconds
    while time.time() < end:
        if true():
            return True
        read(0.02)
    fail("never: " + what)
    return False

def tracing(p):
    try:
        with open(glob.glob("%s/ringside-%d*/events/enable" % (instances, p))[0]) as f:
            if f.read().strip() == "0":
                return False
        return open(glob.glob("%s/ringside-%d*/tracing_on" % (instances, p))[0]).read().strip() == "1"
    except (IndexError, OSError):
        return False

def begin(command):
    keys(command + "\n")
    if not wait_for(command + " runs", lambda: pid_of_ringside()):
        return 0
    p = pid_of_ringside()
    wait_for(command + " traces", lambda: tracing(p))
    return p

def gone(p):
    return not os.path.exists("/proc/%d" % p) and not glob.glob("%s/ringside-%d" % (instances, p))

until(rb"ready> $", "the prompt")

# Ctrl-Z stops tracing, fg goes on, Ctrl-C shows the result with the gap
p = begin(ringside + " sched")
until(rb"Ctrl-C ends it", "the hint how it ends")
keys("\x1a")
until(rb"Stopped", "the shell's word that it is stopped")
wait_for("tracing off while stopped", lambda: not tracing(p))
keys("fg\n")
wait_for("tracing on again", lambda: tracing(p))
keys("\x03")
until(rb"(?s)TASK .*# .*ready> $", "the result")
if not re.search(rb"lost unknown|gap", screen):
    fail("the quality line says nothing of the gap")
wait_for("nothing of it left", lambda: gone(p))
if max(map(len, screen.decode("utf-8", "replace").replace("\r", "").split("\n"))) > 250:
    fail("lines without an end")
keys("echo status $?\n")
until(rb"status 0\r", "exit status 0")

# Ctrl-S: the terminal stands still, the capture does not; Ctrl-Q: all of it comes
p = begin(ringside + " syscalls -c sleeper -- " + samples + "/sleeper -n 1500 -t 1000")
until(rb"clock_nanosleep", "rows")
os.write(fd, b"\x13")
read(0.3)
before = len(screen)
read(0.3)
if len(screen) != before:
    fail("it writes while the terminal stands still")
os.write(fd, b"\x11")
until(rb"(?s)\n# .*lost .*ready> $", "the quality line")
if re.search(rb"# .*lost 0 ", screen) and screen.count(b"clock_nanosleep(") != 1500:
    fail("%d sleeps on the screen, not 1500" % screen.count(b"clock_nanosleep("))
wait_for("nothing of it left", lambda: gone(p))

# a terminal that nobody reads: the second Ctrl-C ends it, too
read(0.3)
noise = os.spawnv(os.P_NOWAIT, samples + "/calls", ["calls", "-n", "0"])
p = begin(ringside + " syscalls")
time.sleep(0.5)
os.kill(p, signal.SIGINT)
time.sleep(0.3)
if os.path.exists("/proc/%d" % p):
    os.kill(p, signal.SIGINT)
end = time.time() + 5
while not gone(p) and time.time() < end:
    time.sleep(0.05)
if not gone(p):
    fail("it stays after two Ctrl-C")
os.kill(noise, signal.SIGKILL)
os.waitpid(noise, 0)
until(rb"ready> $", "the prompt")

# the terminal goes away
p = begin(ringside + " sched")
os.close(fd)
end = time.time() + 5
while not gone(p) and time.time() < end:
    time.sleep(0.05)
if not gone(p):
    fail("it stays when the terminal has gone")
os.waitpid(pid, 0)
sys.exit(bad != 0)
PY

finish
