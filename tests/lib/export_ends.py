# SPDX-License-Identifier: GPL-2.0-or-later
"""export_ends.py RINGSIDE LONG SHORT [small] - each format of `ringside export` on a full disk, and interrupted: a clear error, status 1, and
nothing half under the name of the output or beside it

Run in a folder of its own. LONG: a recording that takes long enough to be interrupted; SHORT: one that fits on a disk. small: a tmpfs is
mounted at `small`, whose size this changes; else nothing is said of full disks.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import exports

RINGSIDE, LONG, SHORT = sys.argv[1:4]
FULL = "No space left on device"
failed = []


def fail(*why):
    failed.append(why)
    print("FAILED:", *why)


def export(recording, name, to, **keys):
    return subprocess.run([RINGSIDE, "export", recording, "-q", "-f", name, *to], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, **keys)


def size_of(path):
    if not os.path.isdir(path):
        return os.stat(path).st_size
    return sum(-os.stat(os.path.join(path, f)).st_size // 4096 * -4096 for f in os.listdir(path))


def remove(path):
    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)


# ---- a full disk ----

def without_room(name):
    """A device that takes nothing, then disks of a page, of half, and of nearly all that is to be written."""
    with open("/dev/full", "w") as full:
        r = export(SHORT, name, (), stdout=full)
    is_stream = r.returncode == 1 and r.stderr == f"ringside: cannot write the output: {FULL}\n"
    if not is_stream and not (r.returncode == 2 and re.fullmatch(r"ringside: .*\(name a (file|folder) with -o\)\n", r.stderr)):
        fail(name, "> /dev/full:", r.returncode, r.stderr)
    r = export(SHORT, name, ("-o", "/dev/full"))
    if r.returncode != 1 or is_stream and r.stderr != f"ringside: cannot write '/dev/full': {FULL} (it is not whole)\n":
        fail(name, "-o /dev/full:", r.returncode, r.stderr)
    r = export(SHORT, name, ("-o", "whole"))
    if r.returncode:
        fail(name, r.returncode, r.stderr)
    all_bytes = size_of("whole")
    remove("whole")
    for size in (4096, all_bytes // 2, all_bytes - 4096):
        subprocess.run(["mount", "-o", f"remount,size={max(size // 4096 * 4096, 4096)}", "small"], check=True)
        r = export(SHORT, name, ("-o", "small/out"))
        if r.returncode != 1 or not re.fullmatch(rf"ringside: cannot write .*: ({FULL}|database or disk is full) \(nothing was written\)\n", r.stderr):
            fail(name, f"on a disk of {size} bytes, for {all_bytes}:", r.returncode, r.stderr)
        left = os.listdir("small")
        if left:
            fail(name, f"on a disk of {size} bytes: it leaves", left)
            for path in left:
                remove("small/" + path)


# ---- Ctrl-C ----

def interrupted(name, takes_folder, delay):
    """True if it was; false if it had ended before."""
    before = [] if takes_folder else ["out"]
    if before:
        with open("here/out", "w") as file:
            file.write("before\n")
    p = subprocess.Popen([RINGSIDE, "export", LONG, "-q", "-f", name, "-o", "here/out"], stderr=subprocess.PIPE, text=True)
    while os.listdir("here") == before and p.poll() is None: # it opens the output before it reads
        pass
    time.sleep(delay)
    p.send_signal(signal.SIGINT)
    begin = time.monotonic()
    said = p.communicate()[1]
    if p.returncode == 0:
        if os.listdir("here") != ["out"] or said:
            fail(name, "ended:", os.listdir("here"), said)
    elif p.returncode != 1 or said != "ringside: export: interrupted (nothing was written)\n":
        fail(name, "interrupted:", p.returncode, said)
    elif os.listdir("here") != before or before and open("here/out").read() != "before\n":
        fail(name, "interrupted: it leaves", os.listdir("here"))
    elif time.monotonic() - begin > 5:
        fail(name, "takes", time.monotonic() - begin, "s to end")
    for path in os.listdir("here"):
        remove("here/" + path)
    return p.returncode != 0


def ctrl_c(name):
    begin = time.monotonic()
    export(LONG, name, ("-o", "whole"))
    takes = time.monotonic() - begin
    takes_folder = os.path.isdir("whole")
    remove("whole")
    if not any(interrupted(name, takes_folder, 0) for _ in range(20)):
        fail(name, "it ends before it can be interrupted")
    for part in 0.4, 0.8:
        interrupted(name, takes_folder, takes * part)


os.mkdir("here")
for name in exports.listed(RINGSIDE):
    ctrl_c(name)
    if sys.argv[4:]:
        without_room(name)
sys.exit(len(failed) > 0)
