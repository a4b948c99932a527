#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# perf_script.py - compares what "perf script -F comm,tid,time,event,ip,sym,dso --no-inline --ns" prints of a perf.data with
# what ringside reads from it: samples of the CPUs by address, self and total, and the number of events and stacks of tracepoints.
#
# Usage: perf_script.py SCRIPT ADDRESSES EVENTS [FOLDED]
#
# ADDRESSES is of "ringside profile --by address --json", EVENTS of "ringside events --json". A frame is a module and an
# offset in both; ringside looks a return address up where the call is, one byte before. With FOLDED, of "ringside profile -f
# folded", whole stacks are compared by name, too: run it on the machine of the recording. ADDRESSES may be "-": of programs
# that begin another one perf keeps the mappings, and a stack of one frame it does not print.
import collections, json, re, sys

HEAD = re.compile(r"\s*(\S.*?)\s+(-?\d+)\s+\d+\.\d+:\s+(\S+?):?\s*$")
FRAME = re.compile(r"\s+([0-9a-f]+) (.*) \((.*)\)$")


def read_script(path):
    """Yields comm, tid, event, frames (address, symbol, module), innermost first."""
    head, frames = None, []
    for line in open(path):
        if m := FRAME.match(line):
            if int(m[1], 16):  # 0: the end of a chain of frame pointers
                frames.append((int(m[1], 16), m[2], m[3]))
        elif m := HEAD.match(line):
            head, frames = m, []
        elif not line.strip() and head:
            yield head[1], int(head[2]), head[3], frames
            head = None


def in_kernel(module):
    return module.startswith("[") and module not in ("[vdso]", "[unknown]", "[vsyscall]")


def addresses(frames):
    for i, (address, _, module) in enumerate(frames):
        caller = i > 0 and in_kernel(module) == in_kernel(frames[i - 1][2])
        place = "" if in_kernel(module) or module == "[unknown]" else module.rsplit("/", 1)[-1] + "+"
        yield f"{place}0x{address - caller:x}"


def read_rows(path):
    return [r for r in map(json.loads, open(path)) if "_meta" not in r]


def is_tracepoint(event):
    return ":" in event and not event.startswith(("cpu-clock", "cycles", "task-clock"))


script, shown, counted = sys.argv[1:4]
self_, total, events, stacks = (collections.Counter() for _ in range(4))
for comm, tid, event, frames in read_script(script):
    if is_tracepoint(event):
        events[event] += 1
        # its callchain follows as the kernel's own events
        events["ftrace:kernel_stack"] += tid > 0 and any(in_kernel(module) for _, _, module in frames)
        events["ftrace:user_stack"] += tid > 0 and any(not in_kernel(module) for _, _, module in frames)
    elif tid:
        at = list(addresses(frames)) or ["0x0"]
        self_[at[0]] += 1
        total.update(set(at))
        names = ["[unknown]" if s == "[unknown]" else re.sub("@@?[A-Z].*", "", s) for _, s, _ in frames]
        stacks[";".join([comm] + names[::-1])] += 1
bad = 0


def compare(what, theirs, ours):
    global bad
    for key in sorted(theirs.keys() | ours.keys()):
        if theirs[key] != ours[key]:
            bad += 1
            print(f"{what} {key}: perf {theirs[key]}, ringside {ours[key]}")


if shown != "-":
    rows = read_rows(shown)
    compare("self", self_, collections.Counter({r["address"]: r["self"] for r in rows if r["self"]}))
    compare("total", total, collections.Counter({r["address"]: r["total"] for r in rows}))
made = ("task:task_newtask", "task:task_rename", "sched:sched_process_exit")
compare("events", events, collections.Counter({r["event"]: r["count"] for r in read_rows(counted) if r["event"] not in made}))
if len(sys.argv) > 4:
    ours = collections.Counter()
    for line in open(sys.argv[4]):
        stack, n = line.rstrip("\n").rsplit(" ", 1)
        ours[";".join("[unknown]" if f.startswith("[unknown]") else f for f in stack.split(";"))] += int(n)
    compare("stack", stacks, ours)
if not sum(self_.values()):
    sys.exit("perf script has no samples")
print(f"{sum(self_.values())} samples at {len(total)} addresses, {sum(events.values())} events: {bad} differ")
sys.exit(bad > 0)
