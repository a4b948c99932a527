# SPDX-License-Identifier: GPL-2.0-or-later
# queries.py RINGSIDE DIR - asks each question of docs/queries.md, and compares the answer with the one that stands there and
# with what a view says. UPDATE=1 writes the answers into the document: review the diff.
import collections, json, os, re, sqlite3, subprocess, sys

ringside, where = sys.argv[1:3]
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
DOC = os.path.join(root, "docs/queries.md")
BLOCK = re.compile(r"^## (\d+)\. (.*?)\n\n(.*?)\n\n```sql\n(.*?)```\n\n```answer (\S+)\n(.*?)```", re.M | re.S)
failed = 0


def fail(*lines):
    global failed
    failed += 1
    print("FAIL:", "\n    ".join(lines))


def recording(name):
    for path in (f"tests/traces/{name}.dat", f"tests/perfdata/{name}"):
        if os.path.exists(os.path.join(root, path)):
            return os.path.join(root, path)
    raise FileNotFoundError(name)


databases, asked = {}, {}


def database(name):
    if name not in databases:
        path = os.path.join(where, name + ".db")
        subprocess.run([ringside, "export", recording(name), "-q", "-o", path], check=True)
        databases[name] = sqlite3.connect(path)
    return databases[name]


def rows(name, view, *options):
    if (name, view, options) not in asked:
        out = subprocess.run([ringside, view, "-i", recording(name), "--json", "-q", *options], check=True, capture_output=True, text=True).stdout
        asked[name, view, options] = [row for row in map(json.loads, out.splitlines()) if "_meta" not in row]
    return asked[name, view, options]


def meta(name):
    out = subprocess.run([ringside, "cpus", "-i", recording(name), "--json", "-q"], check=True, capture_output=True, text=True).stdout
    return json.loads(out.splitlines()[-1])["_meta"]


def shown(value):  # as sqlite3 -header prints it
    return "" if value is None else f"{value:.15g}" if isinstance(value, float) and value != int(value) else \
        f"{value:.1f}" if isinstance(value, float) else str(value)


def grouped(of, keys, **sums):
    """GROUP BY keys: the sum (or max, count) of what each function says of a row."""
    groups = collections.defaultdict(list)
    for row in of:
        groups[tuple(row[k] for k in keys)].append(row)
    return {key: {name: how(members) for name, how in sums.items()} for key, members in groups.items()}


def total(column):
    return lambda members: sum(m[column] or 0 for m in members)


def most(column):
    return lambda members: max(m[column] for m in members)


def slices(name):  # of those that ended: each was a state RUN
    return [r for r in rows(name, "timehist") if r["run_ns"] is not None]


# What a view says, by the number of the question: rows as the answer has them, all or the first. None: the document alone is compared.
def findings(name):
    return [(f["rule"], f["victim"], f["culprit"], f["cost_ns"]) for f in rows(name, "findings")]


IDLE = "wait4 clock_nanosleep epoll_wait poll ppoll select pselect6".split()
TAKEN = ["run queue", "lock", "futex", "disk: queued", "disk: in device"]


def slow_calls(name):
    calls = [c for c in rows(name, "syscalls") if c["syscall"] not in IDLE and c["lat_ns"] is not None]
    return [(c["comm"], c["tid"], c["syscall"], c["lat_ns"], c["ret"]) for c in sorted(calls, key=lambda c: -c["lat_ns"])]


def call_time(name):
    found = [r for r in rows(name, "syscall-latency", "--by", "tid,syscall") if r["calls"]]
    return {(r["tid"], r["syscall"], r["calls"], r["total_ns"]) for r in found}


def p99(name):
    lat = sorted(c["lat_ns"] for c in rows(name, "syscalls") if c["syscall"] == "read")
    return [(lat[-(-len(lat) * 99 // 100) - 1],)]


def by_error(name):
    groups = collections.defaultdict(list)
    for c in rows(name, "syscalls"):
        if c["errno"] is not None:
            groups[c["syscall"], c["errno"]].append(c)
    return groups


def check(number, name, answer):
    """Compares the answer with what views say of the same recording. Each row is a tuple."""
    if number == 1:
        return answer == findings(name)[:3]
    if number == 2:
        return answer == slow_calls(name)[:3]
    if number == 3:
        return all((tid, call, calls, ns) in call_time(name) for _, tid, call, calls, ns in answer)
    if number == 4:
        return answer == p99(name)
    if number == 5:
        return all(len(by_error(name)[call, errno]) == n and len({c["tid"] for c in by_error(name)[call, errno]}) == nr
                   for call, errno, n, nr in answer)
    if number == 6:  # the sums of its columns, with what is in flight
        of = [r for r in rows(name, "sched") if r["comm"] == "disker"]
        ran = [r[3] for r in answer if r[0] == "run"]
        return ran == [sum(r["run_ns"] for r in of)]
    if number == 7:
        sched = {r["tid"]: r for r in rows(name, "sched")}
        return all(n == sched[tid]["delay_count"] + sched[tid]["preempt_count"] and
                   ns == sched[tid]["delay_total_ns"] + sched[tid]["preempt_total_ns"] and
                   longest == max(sched[tid]["delay_max_ns"] or 0, sched[tid]["preempt_max_ns"] or 0)
                   for _, tid, n, ns, longest in answer)
    if number == 8:  # no more than the wait of that task for all of them, which has what is in flight too
        of = grouped((r for r in rows(name, "antagonists", "--by", "tid,part") if r["part"] == "run queue"), ["tid"], n=total("count"), ns=total("total_ns"))
        return all(0 < ns <= of[tid,]["ns"] and 0 < n <= of[tid,]["n"] for _, tid, _, n, ns in answer)
    if number == 9:
        of = grouped(slices(name), ["cpu"], n=len, ns=total("run_ns"))
        return answer == [(cpu, of[cpu,]["n"], of[cpu,]["ns"]) for (cpu,) in sorted(of)]
    if number == 10:
        at = meta(name)["from_ns"] + 200000000
        of = [r for r in slices(name) if r["time_ns"] - r["run_ns"] <= at < r["time_ns"]]
        return answer == sorted((r["cpu"], r["comm"], r["tid"], r["run_ns"]) for r in of)
    if number == 11:
        return all(len({r["cpu"] for r in slices(name) if r["tid"] == tid}) == cpus and sum(r["run_ns"] for r in slices(name) if r["tid"] == tid) == ns
                   for _, tid, cpus, n, ns in answer)
    if number == 12:  # each sleep of the most frequent pairs is one that offcpu counts
        asleep = grouped(rows(name, "offcpu"), ["comm"], n=total("count"))
        return all(0 < n <= sum(v["n"] for k, v in asleep.items()) for _, comm, n, _ in answer)
    if number == 13:
        of = sorted(rows(name, "iosnoop"), key=lambda r: -r["lat_ns"])
        return answer == [tuple(r[k] for k in ("comm", "type", "dev", "sector", "bytes", "lat_ns", "queue_ns")) for r in of[:3]]
    if number == 14:
        of = grouped([dict(r, way=r["type"][:1]) for r in rows(name, "iosnoop")], ["comm", "way"], n=len, bytes=total("bytes"), most=most("lat_ns"))
        return all(of[comm, way] == {"n": n, "bytes": b, "most": m} for comm, way, n, b, m in answer)
    if number == 15:
        begin = meta(name)["from_ns"]
        of = grouped([dict(r, ms=(r["end_ns"] - begin) // 20000000 * 20) for r in rows(name, "iosnoop")], ["ms"], n=len, ns=total("lat_ns"), most=most("lat_ns"))
        return answer == [(ms, v["n"], v["ns"] / v["n"], v["most"]) for (ms,), v in sorted(of.items())[:3]]
    if number == 16:
        of = grouped(rows(name, "locks", "--by", "type,tid"), ["type", "comm"], n=total("contended"), ns=total("total_ns"))
        return all(of[kind, comm] == {"n": n, "ns": ns} for kind, comm, n, ns, _ in answer)
    if number == 17:  # sleeps in calls: the calls take longer
        of = grouped(rows(name, "futex"), ["uaddr"], n=total("waits"), ns=total("total_ns"))
        return all(n <= of[address,]["n"] and ns <= of[address,]["ns"] for address, _, _, n, ns in answer)
    if number == 18:
        of = grouped(rows(name, "antagonists"), ["comm", "part"], ns=total("total_ns"))
        return all(ns <= of[victim, part]["ns"] for victim, _, part, _, ns in answer)
    if number == 19:
        of = {(r["kind"], r["name"]): (r["count"], r["total_ns"], r["max_ns"]) for r in rows(name, "irqs")}
        return all(of[kind, label.split(" ")[-1]] == (n, ns, longest) for kind, label, n, ns, longest in answer)
    if number == 20:
        longest = max((c for c in rows(name, "syscalls") if c["syscall"] == "fsync"), key=lambda c: c["lat_ns"])
        return answer[0] == ("syscall", "fsync", 0, longest["lat_ns"])
    if number == 21:
        of = sorted((r for r in rows(name, "execsnoop") if r["type"] == "exit" and r["lifetime_ns"]), key=lambda r: -r["lifetime_ns"])
        return answer == [(r["comm"], r["pid"], r["ppid"], r["lifetime_ns"]) for r in of[:3]]
    if number == 22:
        of = grouped(rows(name, "profile"), ["function", "module"], n=total("self"))
        return all(of[function or "[unknown]", module]["n"] == n for function, module, n in answer)
    if number == 23:
        of = [r for r in rows(name, "wait-stacks") if r["stack"]]
        return all(sum(r["time_ns"] for r in of if r["comm"] == comm and r["stack"].endswith(text)) >= ns for comm, _, ns, text in answer)
    if number == 24:
        m = meta(name)
        return answer[0][:3] == (m["events"], m["lost"], m["gaps"])
    return False


# A perf.data has addresses: their names are known where the recorded programs and the kernel still are. Elsewhere the sums
# without these columns must hold what the document's rows add up to.
NAMES = {22: "function", 23: "stack"}


def sums(lines, named):
    groups = collections.defaultdict(lambda: collections.Counter())
    header = lines[0].split("|")
    for line in lines[1:]:
        cells = [(h, v) for h, v in zip(header, line.split("|")) if h != named]
        groups[tuple(v for _, v in cells if not v.isdigit())].update({h: int(v) for h, v in cells if v.isdigit()})
    return groups


def unnamed(number, lines):
    at = lines[0].split("|").index(NAMES[number]) if number in NAMES else None
    return at is not None and any(line.split("|")[at] == "" or "[unknown]" in line.split("|")[at] for line in lines[1:])


def agrees(number, document, lines):
    if not unnamed(number, lines):
        return document == lines
    here, there = sums(lines, NAMES[number]), sums(document, NAMES[number])
    return bool(there) and all(here[key][column] >= n for key, of in there.items() for column, n in of.items())


text = open(DOC, encoding="utf-8").read()
blocks = list(BLOCK.finditer(text))
if len(blocks) != text.count("```sql") or [int(b[1]) for b in blocks] != list(range(1, len(blocks) + 1)) or len(blocks) < 20:
    fail("docs/queries.md: a question is not numbered, or has no query or no answer")
for b in reversed(blocks):
    number, name = int(b[1]), b[5]
    cursor = database(name).execute(b[4])
    answer = cursor.fetchall()
    lines = ["|".join(column[0] for column in cursor.description)] + ["|".join(map(shown, row)) for row in answer]
    if os.environ.get("UPDATE") and not unnamed(number, lines):
        text = text[:b.start(6)] + "\n".join(lines) + "\n" + text[b.end(6):]
    elif not agrees(number, b[6].splitlines(), lines):
        fail(f"question {number}: the document's answer is not", *lines)
    if not answer or not check(number, name, answer):
        fail(f"question {number} ({b[2]}): a view says otherwise:", *lines)
if os.environ.get("UPDATE"):
    open(DOC, "w", encoding="utf-8").write(text)
print(f"queries: {len(blocks)} questions, {failed} failed")
sys.exit(failed > 0)
