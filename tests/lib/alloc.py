# SPDX-License-Identifier: GPL-2.0-or-later
"""alloc.py - runs ringside with failing allocations and says how each run ended

    alloc.py [SCENARIO...] [--live] [--points N | --all] [--mode at|from] [--seed S] [--at N | --stack HASH]
             [--jobs J] [--seconds S --done FILE] [-v]

A first run lists the call stacks that allocate. Then the first allocation of each stack (N of them at random; with
--all each single allocation) fails in a run of its own: alone (at), or with all that come after it (from). With --done
a sweep goes on where one with the same FILE ended after its --seconds. Ends:

    same       status 0, the same output
    explained  status 1 (2 where options are read), and a line "ringside: ...: out of memory ..."
    silent     status 0, other output            mute    another status, or nothing said of memory
    signal     killed by one                     hang    not ended in time
    behind     a process or an instance of it lived two seconds later
"""
import argparse, collections, concurrent.futures, glob, json, os, queue, random, re, shutil, signal, struct, subprocess, sys, tempfile, time

import exports

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("RINGSIDE_BUILD", "build"))
RINGSIDE = os.path.join(BUILD, "ringside")
SHIM = os.path.join(BUILD, "tests/lib/fail-alloc.so")
GOOD = ("same", "explained", "known")
# What libraries do by themselves where memory runs out: an innermost function of ours, how that ends, and why.
KNOWN = {
    "begin(main.c": ("silent", "setlocale: glibc takes a locale for which it has no memory for one that is not there, and remembers that"),
    "find_group(listen.c": ("mute", "getgrnam: ld.so ends the process with 127 and \"cannot allocate memory for thread-local data\"; nothing is traced yet"),
}
SECONDS = 20


class Scenario:
    """A command line; same(run, base) says whether what it gave is what it should be."""

    def __init__(self, *arguments, files=(), live=False, same=None, daemon=False, shell=None, program=RINGSIDE, exports=None):
        self.arguments, self.files, self.live, self.same = arguments, files, live, same
        self.exports = exports  # the format that it writes to "out"
        self.daemon = daemon  # one that does not fail serves
        self.program = program  # whose allocations fail
        self.command = ["sh", "-c", shell, "sh", RINGSIDE] if shell else [program, *arguments]
        self.one_line = not shell


def body(screen):
    """A screen without its first line, which says what ringside itself takes."""
    return screen.split(b"\n", 1)[1:]


def recording(r, base):
    """That it is whole: it can be read, and holds what recordings hold."""
    with tempfile.NamedTemporaryFile(suffix=".dat") as f:
        f.write(r.files["out.dat"] or b"")
        f.flush()
        return subprocess.run([RINGSIDE, "report", f.name, "--check"], capture_output=True).returncode == 0


def shown(r, base):
    """Of a live command: that it showed something, and that all of it was there is what the status says."""
    return len(r.out) > 0 and not r.err


def parsed(out):
    lines = [json.loads(line) for line in out.splitlines()]
    rows = [line for line in lines if "_meta" not in line]
    return rows, [line["_meta"] for line in lines if "_meta" in line]


def alike(r, base):
    """The same columns, and a quality line with the same keys. Which rows there are is the machine's."""
    try:
        rows, meta = parsed(r.out)
        rows0, meta0 = parsed(base.out)
    except ValueError:
        return False
    columns = {tuple(row) for row in rows} == {tuple(row) for row in rows0} or not rows or not rows0
    return not r.err and columns and [set(m) for m in meta] == [set(m) for m in meta0]


def same_calls(r, base):
    """What a command did is the same each time."""
    def calls(out):
        return [(row["comm"], row["syscall"], row["errno"]) for row in parsed(out)[0]]
    return alike(r, base) and calls(r.out) == calls(base.out)


TRACE = os.path.join(ROOT, "tests/traces/debian-6.1-i386-v6.dat")
SHORT = os.path.join(ROOT, "tests/traces/debian-6.1-amd64-stacks.dat") # what formats allocate does not depend on the length
DAEMON = """
    R=$1; export RINGSIDE_SOCKET=$PWD/socket; touch none; "$R" daemon --config none --window 16M 2>daemon.log & d=$!
    for i in $(seq 400); do grep -q 'serving at' daemon.log && break; kill -0 $d 2>/dev/null || break; sleep 0.05; done
    unset LD_PRELOAD; c=0
    %s
    sleep 0.1; grep -q 'ringside: ending' daemon.log || kill -TERM $d 2>/dev/null; wait $d; d=$?; cat daemon.log >&2
    [ $d != 0 ] && exit $d; exit $c"""
SCENARIOS = {
    "report": Scenario("report", TRACE),
    "rows": Scenario("report", TRACE, "--view", "all", "--json"),
    "csv": Scenario("sched", "-i", TRACE, "--csv"),
    "check": Scenario("report", TRACE, "--check"),
    "summary": Scenario("summary", "-d", "0.2", live=True, same=shown),
    "view": Scenario("syscall-latency", "--json", "-d", "0.2", live=True, same=alike),
    "stream": Scenario("iosnoop", "--json", "-d", "0.2", live=True, same=alike),
    "command": Scenario("syscalls", "--json", "--", "true", live=True, same=same_calls),
    "record": Scenario("record", "-o", "out.dat", "--", "true", live=True, same=recording, files=("out.dat",)),
    "tui": Scenario("tui", "--own", "--batch", "-n", "1", live=True, same=shown),
    "daemon": Scenario(shell=DAEMON % """
        "$R" syscalls --json -d 0.2 || c=$?""", live=True, same=lambda r, base: len(r.out) > 0),
    "daemon-save": Scenario(shell=DAEMON % """
        { "$R" status && "$R" save -o out.dat --last 1s; } || c=$?""", live=True, same=recording, files=("out.dat",)),
    "attach": Scenario("syscalls", "--json", "-d", "0.2", live=True, daemon=True, same=alike),
    "attach-stream": Scenario("iosnoop", "--json", "-d", "0.2", live=True, daemon=True, same=alike),
    "attach-tui": Scenario("tui", "--batch", "-n", "1", live=True, daemon=True, same=shown),
    "save": Scenario("save", "-o", "out.dat", "--last", "1s", live=True, daemon=True, files=("out.dat",), same=recording),
    "status": Scenario("status", live=True, daemon=True, same=shown),
    # the filter is whole, or none: it is for each allocation, since libseccomp makes many rules by the same calls
    "sandbox": Scenario(program=os.path.join(BUILD, "tests/tools/sandbox-program")),
    "screen": Scenario("tui", TRACE, "--batch", same=lambda r, base: body(r.out) == body(base.out)),
}


def read_whole(r, base):
    """Of an export: strict readers take it, and it says what it says where nothing fails. Ids and times of writing are others each time."""
    if r.says is None or r.out != base.out:
        return False
    return r.says == base.says


def exported(path, name):
    """What an export says, by its strict reader; None: it is not there, or not whole."""
    if not os.path.exists(path):
        return None
    try:
        return exports.read(name, path)
    except SystemExit:
        return None


for name in exports.listed(RINGSIDE):
    SCENARIOS["export-" + name] = Scenario("export", SHORT, "-f", name, "-o", "out", "-q", exports=name, same=read_whole)


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


def instances(pids):
    """Those of a run, by the processes that it had."""
    return {i for i in glob.glob("/sys/kernel/tracing/instances/ringside-*")
            if (m := re.search(r"/ringside-(\d+)(\.\d+)?$", i)) and int(m[1]) in pids}


def top_level():
    """What tracing does outside of instances."""
    try:
        return [open("/sys/kernel/tracing/" + f).read() for f in ("set_event", "current_tracer", "tracing_on")]
    except OSError:
        return None


class Daemon:
    """One that does not fail, for all runs of a scenario: several would see each other's work."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="ringside-alloc-")
        self.socket = os.path.join(self.folder, "socket")
        open(os.path.join(self.folder, "none"), "w").close()
        self.log = open(os.path.join(self.folder, "log"), "w+")
        self.process = subprocess.Popen([RINGSIDE, "daemon", "--config", "none", "--window", "16M"], cwd=self.folder,
                                        env=dict(os.environ, RINGSIDE_SOCKET=self.socket), stderr=self.log)
        for _ in range(1200):
            if "serving at" in open(self.log.name).read():
                return
            time.sleep(0.05)
        self.close()
        sys.exit("the daemon does not begin")

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


class Bench:
    def __init__(self, scenario, daemon):
        self.scenario = scenario
        self.socket = daemon.socket if daemon else "none/socket"
        self.folder = tempfile.mkdtemp(prefix="ringside-alloc-")
        self.count = os.path.join(self.folder, "count")
        self.log = os.path.join(self.folder, "log")
        self.nr = 0

    def run(self, **fail):
        s, r = self.scenario, Run()
        self.nr += 1
        mark = f"FAIL_RUN={self.folder}.{self.nr}"
        with open(self.count, "wb") as f:
            f.truncate(4096)
        for name in [self.log, *(os.path.join(self.folder, f) for f in s.files)]:
            if os.path.exists(name):
                os.remove(name)
        for name in glob.glob(os.path.join(self.folder, "out*")) if s.exports else ():
            shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
        env = dict(os.environ, LD_PRELOAD=SHIM, FAIL_COUNT=self.count, FAIL_LOG=self.log, RINGSIDE_SOCKET=self.socket)
        env["FAIL_NAME"] = os.path.basename(s.program)
        env.update({k: str(v) for k, v in fail.items()})
        env["FAIL_RUN"] = mark.split("=")[1]
        p = subprocess.Popen(s.command, cwd=self.folder, env=env, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            r.out, r.err = p.communicate(timeout=SECONDS)
            r.hung = False
        except subprocess.TimeoutExpired:
            r.hung = True
        r.left = self.left(mark.encode() + b"\0") if s.live or r.hung else ""
        if r.hung:
            r.out, r.err = p.communicate()
        r.status = p.returncode
        r.files = {f: self.read(f) for f in s.files}
        r.says = exported(os.path.join(self.folder, "out"), s.exports) if s.exports else None
        if s.exports and r.status: # a library that crashes leaves what is written meanwhile, as a kill does
            r.left += " ".join(glob.glob("out" if b"crashed of it" in r.err else "out*", root_dir=self.folder))
        r.log = open(self.log).read().splitlines() if os.path.exists(self.log) else []
        return r

    def read(self, name):
        try:
            return open(os.path.join(self.folder, name), "rb").read()
        except OSError:
            return None

    def nr_allocations(self):
        return struct.unpack("Q", open(self.count, "rb").read()[:8])[0]

    def pids(self):
        return set(struct.unpack("256I", open(self.count, "rb").read()[16:16 + 1024]))

    def left(self, mark):
        """What is there after two seconds; it is ended then."""
        end = time.monotonic() + 2
        while (processes := marked(mark)) or instances(self.pids()):
            if time.monotonic() > end:
                break
            time.sleep(0.05)
        what = [f"{p}:{open(f'/proc/{p}/comm').read().strip()}" for p in processes if os.path.exists(f"/proc/{p}/comm")]
        for p in processes:
            try:
                os.kill(p, signal.SIGKILL)
            except OSError:
                pass
        return " ".join([*what, *instances(self.pids())])

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
        shutil.rmtree(self.folder)


def symbols(frames, program):
    """FUNCTION for each MODULE+OFFSET, of the program by addr2line."""
    own = [f.split("+")[1] for f in frames if f.startswith("ringside+")]
    own = [hex(int(a, 16) - 1) for a in own]
    names = subprocess.run(["addr2line", "-fse", program, *own], capture_output=True, text=True).stdout.split("\n")[:-1] if own else []
    pairs = iter([f"{names[i]}({names[i + 1].split(' ')[0]})" for i in range(0, len(names), 2)])
    return [next(pairs, f) if f.startswith("ringside+") else f for f in frames]


def stack_of(line):
    return line.split(" ")[4:]


def show(stack, program, depth=9):
    stack = [s for s in symbols(stack, program) if "libc.so" not in s] or symbols(stack, program)
    return " < ".join(stack[:depth])


def main():
    a = argparse.ArgumentParser()
    a.add_argument("scenarios", nargs="*")
    a.add_argument("--points", type=int, default=0)
    a.add_argument("--all", action="store_true", help="each allocation, and not each call stack")
    a.add_argument("--mode", default="at")
    a.add_argument("--seed", type=int, default=0)
    a.add_argument("--step", type=int, default=1)
    a.add_argument("--at", type=int)
    a.add_argument("--stack")
    a.add_argument("--through", help="only stacks that pass a function or library whose name has this")
    a.add_argument("--lists", type=int, default=3, help="runs that list the call stacks")
    a.add_argument("--jobs", type=int, default=2)
    a.add_argument("--seconds", type=float, default=1e9)
    a.add_argument("--done")
    a.add_argument("--live", action="store_true", help="without names: those that trace")
    a.add_argument("-v", action="store_true")
    o = a.parse_args()
    o.end = time.monotonic() + o.seconds
    before = top_level()
    bad = [sweep(name, o) for name in o.scenarios or SCENARIOS if o.scenarios or SCENARIOS[name].live == o.live]
    if top_level() != before:
        sys.exit("what traces outside of instances is not as it was")
    sys.exit(any(bad))


class Tally:
    """How the runs of a sweep ended."""

    def __init__(self, program):
        self.program = program
        self.ends, self.groups, self.example = collections.Counter(), collections.defaultdict(collections.Counter), {}

    def add(self, point, r, end, verbose):
        self.ends[end] += 1
        if end in GOOD and not verbose:
            return
        where = next((l for l in r.log if l.startswith("- ")), None) if end == "signal" else None
        where = where or next((l for l in r.log if not l.startswith("- ")), "0 - 0 - -")
        key = tuple(stack_of(where)[:14])
        self.groups[end][key] += 1
        said = r.err.decode(errors="replace").strip().replace("\n", " | ")[:200]
        self.example.setdefault((end, key), (point, r.status, r.left, said))

    def print(self):
        for end, nr in self.ends.most_common():
            print(f"  {nr:6} {end}")
        for end, stacks in self.groups.items():
            for key, nr in stacks.most_common(500):
                point, status, left, said = self.example[end, key]
                print(f"{end:9} {nr:5}x  e.g. {point} -> {status} {left} {said!r}\n      {show(list(key), self.program)}")


def points_of(listed, nr, o, exports_format):
    """(WHAT FAILS, ITS VALUE) of each run to do; listed: a line for each call stack; nr: all allocations."""
    if o.at:
        return [("FAIL_AT" if o.mode == "at" else "FAIL_FROM", o.at)]
    if o.all:
        what = {"at": "FAIL_AT", "from": "FAIL_FROM", "every": "FAIL_EVERY"}[o.mode]
        return [(what, n) for n in range(1, nr + 2, o.step)]
    if o.through:
        listed = [line for line in listed if any(o.through in s for s in symbols(stack_of(line), RINGSIDE))]
    stacks = [o.stack] if o.stack else [line.split(" ")[3] for line in listed]
    if o.points:
        points = -(-o.points // 4) if exports_format else o.points # formats share nearly all that allocates
        stacks = random.Random(f"{exports_format}{o.seed}" if exports_format else o.seed).sample(stacks, min(points, len(stacks)))
    return [("FAIL_STACK" if o.mode == "at" else "FAIL_FROM_STACK", h) for h in stacks]


def judge(b, base, point):
    r = b.run(**dict([point]))
    end = b.end(r, base)
    if end not in GOOD and r.log:
        where = show(stack_of(r.log[0]), b.scenario.program)
        end = "known" if any(k in where and end == how for k, (how, why) in KNOWN.items()) else end
    return r, end


def sweep(name, o):
    """Prints how the runs of a scenario ended; true if one ended badly."""
    daemon = Daemon() if SCENARIOS[name].daemon else None
    benches = [Bench(SCENARIOS[name], daemon) for _ in range(o.jobs)]
    free = queue.SimpleQueue()
    base = benches[0].run()
    if base.hung or base.status not in (0, 3):
        sys.exit(f"{name}: without a failure: {base.status} {base.err!r}")
    # threads meet other allocations each time
    listed = {line.split(" ")[3]: line for _ in range(o.lists) for line in benches[0].run(FAIL_LIST=1).log}
    listed = list(listed.values())
    done = set(open(o.done).read().split()) if o.done and os.path.exists(o.done) else set()
    points = [p for p in points_of(listed, benches[0].nr_allocations(), o, SCENARIOS[name].exports) if f"{name}:{o.mode}:{p[1]}" not in done]
    print(f"{name}: {len(listed)} call stacks; {len(points)} points, mode {o.mode}", flush=True)
    tally, suspects = Tally(SCENARIOS[name].program), []
    for b in benches:
        free.put(b)

    def one(point):
        if time.monotonic() > o.end:
            return None
        b = free.get()
        try:
            return point, *judge(b, base, point)
        finally:
            free.put(b)

    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for result in pool.map(one, points):
            if not result:
                continue
            point, r, end = result
            if o.done:
                with open(o.done, "a") as f:
                    f.write(f"{name}:{o.mode}:{point[1]}\n")
            if end in GOOD:
                tally.add(point[1], r, end, o.v)
            else:
                suspects.append((point, r, end))
    # what is late beside other runs may be in time alone
    for point, r, end in suspects:
        if end in ("hang", "behind") and time.monotonic() < o.end + 20:
            r, end = judge(benches[0], base, point)
        tally.add(point[1], r, end, o.v)
    tally.print()
    for b in benches:
        b.close()
    if daemon:
        daemon.close()
    return any(e not in GOOD for e in tally.ends)


if __name__ == "__main__":
    main()
