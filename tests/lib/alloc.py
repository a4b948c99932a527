# SPDX-License-Identifier: GPL-2.0-or-later
"""alloc.py - runs ringside with failing allocations and says how each run ended

    alloc.py [SCENARIO...] [--live] [--points N | --all] [--mode at|from] [--seed S] [--at N] [-v]

A first run lists the allocations with their call stacks. Then each point (an allocation, or the first of each distinct
stack, N of them at random) fails in a run of its own: alone (at), or with all that come after it (from). Ends:

    same       status 0, the same output
    explained  status 1 (2 where options are read), and a line "ringside: ...: out of memory ..."
    silent     status 0, other output            mute    another status, or nothing said of memory
    signal     killed by one                     hang    not ended in time
    behind     a process or an instance of it lived two seconds later
"""
import argparse, collections, glob, os, random, re, shutil, signal, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("RINGSIDE_BUILD", "build"))
RINGSIDE = os.path.join(BUILD, "ringside")
SHIM = os.path.join(BUILD, "tests/lib/fail-alloc.so")
GOOD = ("same", "explained", "known")
# Libraries that run without what they did not get, and leave no sign of it: an innermost function of ours, and why.
KNOWN = {
    "begin(main.c": "setlocale: glibc takes a locale for which it has no memory for one that is not there, and remembers that",
}
SECONDS = 20


class Scenario:
    """A command line; same(run, base) says whether what it gave is what it should be."""

    def __init__(self, *arguments, files=(), live=False, same=None, daemon=False, shell=None):
        self.arguments, self.files, self.live, self.same = arguments, files, live, same
        self.daemon = daemon  # one that does not fail serves
        self.command = ["sh", "-c", shell, "sh", RINGSIDE] if shell else [RINGSIDE, *arguments]
        self.one_line = not shell


def body(screen):
    """A screen without its first line, which says what ringside itself takes."""
    return screen.split(b"\n", 1)[1:]


def recording(r, base):
    """That it is whole: it can be read, and holds what recordings hold."""
    path = os.path.join(tempfile.gettempdir(), f"ringside-alloc-{os.getpid()}.dat")
    with open(path, "wb") as f:
        f.write(r.files["out.dat"] or b"")
    read = subprocess.run([RINGSIDE, "report", path, "--check"], capture_output=True)
    os.remove(path)
    return read.returncode == 0


def shown(r, base):
    """Of a live command: that it showed something, and that all of it was there is what the status says."""
    return len(r.out) > 0 and not r.err


TRACE = os.path.join(ROOT, "tests/traces/debian-6.1-i386-v6.dat")
SCENARIOS = {
    "report": Scenario("report", TRACE),
    "rows": Scenario("report", TRACE, "--view", "all", "--json"),
    "csv": Scenario("sched", "-i", TRACE, "--csv"),
    "check": Scenario("report", TRACE, "--check"),
    "export": Scenario("export", TRACE, "-o", "out.json", files=("out.json",)),
    "summary": Scenario("summary", "-d", "0.2", live=True, same=shown),
    "daemon": Scenario(shell="""
        R=$1; export RINGSIDE_SOCKET=$PWD/socket; touch none; "$R" daemon --config none --window 16M 2>daemon.log & d=$!
        for i in $(seq 100); do [ -S socket ] && break; kill -0 $d 2>/dev/null || break; sleep 0.05; done
        env -u LD_PRELOAD "$R" syscalls --json -d 0.2; c=$?
        sleep 0.1; grep -q 'ringside: ending' daemon.log || kill -TERM $d; wait $d; d=$?; cat daemon.log >&2
        [ $d != 0 ] && exit $d; exit $c""", live=True, same=lambda r, base: len(r.out) > 0),
    "attach": Scenario("syscalls", "--json", "-d", "0.2", live=True, daemon=True, same=shown),
    "save": Scenario("save", "-o", "out.dat", "--last", "1s", live=True, daemon=True, files=("out.dat",), same=recording),
    "status": Scenario("status", live=True, daemon=True, same=shown),
    "tui": Scenario("tui", "--own", "--batch", "-n", "1", live=True, same=shown),
    "record": Scenario("record", "-o", "out.dat", "--", "true", live=True, same=recording, files=("out.dat",)),
    "view": Scenario("syscalls", "--json", "-d", "0.2", live=True, same=shown),
    "screen": Scenario("tui", TRACE, "--batch", same=lambda r, base: body(r.out) == body(base.out)),
}


class Run:
    pass


def marked(mark):
    """The processes of a run that live, by the mark in their environment."""
    found = []
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            if mark in open(path, "rb").read() and open(path.replace("environ", "stat")).read().rsplit(")", 1)[1].split()[0] != "Z":
                found.append(int(path.split("/")[2]))
        except OSError:
            pass
    return found


def instances():
    """As a session names its own: unit tests of others make some, too."""
    return {i for i in glob.glob("/sys/kernel/tracing/instances/ringside-*") if re.search(r"/ringside-\d+(\.\d+)?$", i)}


def others(mark):
    """Those of processes that live and are none of the run's: somebody else's."""
    mine = marked(mark)
    return {i for i in instances() if (pid := re.search(r"ringside-(\d+)", i)) and os.path.exists("/proc/" + pid[1])
            and int(pid[1]) not in mine}


class Bench:
    def __init__(self, scenario):
        self.scenario = scenario
        self.folder = tempfile.mkdtemp(prefix="ringside-alloc-")
        self.count = os.path.join(self.folder, "count")
        self.log = os.path.join(self.folder, "log")
        self.nr = 0
        self.daemon = None
        if scenario.daemon:
            self.start_daemon()

    def start_daemon(self):
        open(os.path.join(self.folder, "none"), "w").close()
        self.daemon = subprocess.Popen([RINGSIDE, "daemon", "--config", "none", "--window", "16M"], cwd=self.folder,
                                       env=dict(os.environ, RINGSIDE_SOCKET=self.folder + "/socket"), stderr=subprocess.DEVNULL)
        for _ in range(200):
            if os.path.exists(os.path.join(self.folder, "socket")):
                time.sleep(0.5)
                return
            time.sleep(0.05)
        sys.exit("the daemon does not begin")

    def run(self, **fail):
        s, r = self.scenario, Run()
        self.nr += 1
        mark = f"FAIL_RUN={os.getpid()}.{self.nr}"
        with open(self.count, "wb") as f:
            f.truncate(4096)
        for name in [self.log, *(os.path.join(self.folder, f) for f in s.files)]:
            if os.path.exists(name):
                os.remove(name)
        env = dict(os.environ, LD_PRELOAD=SHIM, FAIL_COUNT=self.count, FAIL_LOG=self.log, RINGSIDE_SOCKET=self.folder + ("/socket" if s.daemon else "/none"))
        env.update({k: str(v) for k, v in fail.items()})
        env["FAIL_RUN"] = mark.split("=")[1]
        before = instances() if s.live else set()
        p = subprocess.Popen(s.command, cwd=self.folder, env=env, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            r.out, r.err = p.communicate(timeout=SECONDS)
            r.hung = False
        except subprocess.TimeoutExpired:
            r.hung = True
        r.left = self.left(mark.encode(), before) if s.live or r.hung else ""
        if r.hung:
            r.out, r.err = p.communicate()
        r.status = p.returncode
        r.files = {f: self.read(f) for f in s.files}
        r.log = open(self.log).read().splitlines() if os.path.exists(self.log) else []
        return r

    def read(self, name):
        try:
            return open(os.path.join(self.folder, name), "rb").read()
        except OSError:
            return None

    def left(self, mark, before):
        """What is there after two seconds; it is ended then."""
        end = time.monotonic() + 2
        while (processes := marked(mark)) or (self.scenario.live and instances() - before - others(mark)):
            if time.monotonic() > end:
                break
            time.sleep(0.01)
        what = [f"{p}:{open(f'/proc/{p}/comm').read().strip()}" for p in processes if os.path.exists(f"/proc/{p}/comm")]
        for p in processes:
            try:
                os.kill(p, signal.SIGKILL)
            except OSError:
                pass
        if self.scenario.live:
            what += instances() - before - others(mark)
        return " ".join(what)

    def end(self, r, base):
        if r.hung:
            return "hang"
        if r.left:
            return "behind"
        if any(line.startswith("- signal") for line in r.log) or r.status < 0:
            if not (r.status == 1 and b"out of memory" in r.err):
                return "signal"
        same = self.scenario.same(r, base) if self.scenario.same else r.out == base.out and r.files == base.files
        if r.status == base.status:
            return "same" if same else "silent"
        said = [l for l in r.err.decode(errors="replace").splitlines() if l.startswith("ringside: ") and not l.startswith("ringside: note: ")]
        said = [line for line in said if re.search("out of memory|annot allocate memory|no memory|not enough memory", line)]
        if r.status == 1 and said and (len(said) == 1 or not self.scenario.one_line):
            return "explained"
        return "mute"

    def close(self):
        if self.daemon:
            self.daemon.terminate()
            self.daemon.wait()
        shutil.rmtree(self.folder)


def symbols(frames):
    """FUNCTION for each MODULE+OFFSET, of the program by addr2line."""
    own = [f.split("+")[1] for f in frames if f.startswith("ringside+")]
    own = [hex(int(a, 16) - 1) for a in own]
    names = subprocess.run(["addr2line", "-fse", RINGSIDE, *own], capture_output=True, text=True).stdout.split("\n")[:-1] if own else []
    pairs = iter([f"{names[i]}({names[i + 1].split(' ')[0]})" for i in range(0, len(names), 2)])
    return [next(pairs, f) if f.startswith("ringside+") else f for f in frames]


def stack_of(line):
    return line.split(" ")[3:]


def show(stack, depth=9):
    stack = [s for s in symbols(stack) if "libc.so" not in s] or symbols(stack)
    return " < ".join(stack[:depth])


def main():
    a = argparse.ArgumentParser()
    a.add_argument("scenarios", nargs="*")
    a.add_argument("--points", type=int, default=0)
    a.add_argument("--all", action="store_true")
    a.add_argument("--mode", default="at")
    a.add_argument("--seed", type=int, default=0)
    a.add_argument("--step", type=int, default=1)
    a.add_argument("--at", type=int)
    a.add_argument("--per", type=int, default=1, help="of each distinct stack")
    a.add_argument("--live", action="store_true", help="without names: those that trace")
    a.add_argument("-v", action="store_true")
    o = a.parse_args()
    bad = [sweep(name, o) for name in o.scenarios or SCENARIOS if o.scenarios or SCENARIOS[name].live == o.live]
    sys.exit(any(bad))


def sweep(name, o):
    """Prints how the runs of a scenario ended; true if one ended badly."""
    b = Bench(SCENARIOS[name])
    base = b.run()
    if base.hung or base.status not in (0, 3):
        sys.exit(f"{name}: without a failure: {base.status} {base.err!r}")
    listed = b.run(FAIL_LIST=1).log
    by = collections.defaultdict(list)
    for line in listed:
        by[tuple(line.split(" ")[1:2] + stack_of(line))].append(int(line.split(" ")[0]))
    if o.at:
        points = [o.at]
    elif o.all:
        points = list(range(1, len(listed) + 2, o.step))
    else:
        points = [n for nrs in by.values() for n in random.Random(o.seed).sample(nrs, min(o.per, len(nrs)))]
        if o.points:
            points = random.Random(o.seed).sample(points, min(o.points, len(points)))
    print(f"{name}: {len(listed)} allocations, {len(by)} call stacks; {len(points)} points, mode {o.mode}", flush=True)
    ends, groups = collections.Counter(), collections.defaultdict(collections.Counter)
    example = {}
    for n in points:
        r = b.run(**{"FAIL_AT" if o.mode == "at" else "FAIL_FROM" if o.mode == "from" else "FAIL_EVERY": n})
        end = b.end(r, base)
        if end not in GOOD and any(k in show(stack_of(r.log[0])) for k in KNOWN if r.log):
            end = "known"
        ends[end] += 1
        if end not in GOOD or o.v:
            where = next((l for l in r.log if l.startswith("- ")), None) if end == "signal" else None
            where = where or next((l for l in r.log if not l.startswith("- ")), "0 - 0 -")
            key = tuple(stack_of(where)[:14])
            groups[end][key] += 1
            example.setdefault((end, key), (n, r.status, r.left, r.err.decode(errors="replace").strip().replace("\n", " | ")[:200]))
    for end, nr in ends.most_common():
        print(f"  {nr:6} {end}")
    for end, stacks in groups.items():
        for key, nr in stacks.most_common(60 if not o.v else 500):
            n, status, left, err = example[end, key]
            print(f"{end:9} {nr:5}x  e.g. {n} -> {status} {left} {err!r}\n      {show(list(key))}")
    b.close()
    return any(e not in GOOD for e in ends)


if __name__ == "__main__":
    main()
