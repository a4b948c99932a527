# SPDX-License-Identifier: GPL-2.0-or-later
"""docs.py BUILD - the work of docs.sh"""
import csv
import glob
import json
import lzma
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

BUILD = sys.argv[1]
RINGSIDE = os.path.abspath(f"{BUILD}/ringside")
SAMPLE = os.path.abspath("tests/traces/debian-6.1-amd64-mixed.dat")
PAGES = sorted(glob.glob("docs/src/*.md"))
TEXTS = ["README.md", "CONTRIBUTING.md", "docs/guide.md", "docs/alerts.md", "docs/coming-from.md", *sorted(glob.glob("docs/labs/*.md")), "docs/tour.md", "docs/trace-dat.md", *PAGES]
NOT_PAGES = {"ringside", "json"} # in docs/src, and no command
failures = 0


def fail(what):
    global failures
    failures += 1
    print("FAILED:", what)


def run(*words, cwd=None):
    return subprocess.run([RINGSIDE, *words], capture_output=True, text=True, cwd=cwd, stdin=subprocess.DEVNULL)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def listed(what):
    return list(csv.DictReader(run("list", what, "--csv").stdout.splitlines()))


COMMANDS = re.findall(r"^  (\S+)", run("help").stdout.partition("commands:")[2].partition("views:")[0], re.M)
VIEWS = [row["view"] for row in listed("views")]
COLUMNS = {}
for row in listed("columns"):
    COLUMNS.setdefault(row["view"], []).append(row["column"])
EVENTS = {row["event"] for row in listed("events")} | {row["system"] for row in listed("events")}
META = set(json.loads(run("report", SAMPLE, "--view", "all", "--json").stdout.splitlines()[-1])["_meta"])
META |= {"samples", "samples_lost", "stacks", "stacks_unmatched", "stack_cost_ns", "changed", "starved_ns"} # only where there are some
META |= {"clock_offset_ns", "clock_wall_offset_ns", "clock_uncertainty_ns"} # of several hosts


def options_of(name):
    """The sections of its help that list options."""
    return "".join(re.findall(r"^(?:\w+ )?options:\n((?:  .*\n)+)", run("help", name).stdout, re.M))


OPTIONS = {name: set(re.findall(r"--[a-z][a-z-]*", options_of(name))) for name in COMMANDS + VIEWS}
# Words with an underscore that are no column: keys of the trailer, kernel names, make's.
OTHER_WORDS = {"no_new_privs", "sched_process_exec", "lost_by_cpu", "nr_"}


def check_pages():
    """A page in docs/src for each command and view, and no other."""
    pages = {os.path.basename(p)[:-3] for p in PAGES} - NOT_PAGES
    for name in sorted(pages ^ set(COMMANDS + VIEWS)):
        fail(f"docs/src/{name}.md: " + ("no such command or view" if name in pages else "is missing"))
    for name in sorted(pages & set(COMMANDS + VIEWS)):
        if "## Examples" not in read(f"docs/src/{name}.md"):
            fail(f"docs/src/{name}.md: no examples")
        if name in VIEWS and "## Overhead and limits" not in read(f"docs/src/{name}.md"):
            fail(f"docs/src/{name}.md: nothing of overhead and limits")


def groups_of_help():
    """{question: [views]}, as `ringside help` has them."""
    groups = {}
    for block in run("help").stdout.partition("\nviews:\n")[2].strip().split("\n\n"):
        question, *lines = block.splitlines()
        if question.endswith("?"):
            groups[question] = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    return groups


def check_groups():
    """README.md has the groups of help, in their order, and in each the same views in the same order."""
    groups = groups_of_help()
    table = re.search(r"^\| question \| views \|\n\| --- \| --- \|\n((?:\|.*\n)+)", read("README.md"), re.M)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1].splitlines()] if table else []
    if [question for question, _ in rows] != list(groups):
        fail(f"README.md: its table of views does not have the questions of 'ringside help': {list(groups)}")
    for question, cell in rows:
        named = [name for name in re.findall(r"`([a-z-]+)`", cell) if name in VIEWS]
        if named != groups.get(question):
            fail(f"README.md: '{question}': has {named}, 'ringside help' has {groups.get(question)}")
    if sorted(view for views in groups.values() for view in views) != sorted(VIEWS):
        fail("ringside help: its groups do not have each view once")
    for view in listed("views"):
        if view["topic"] == "other":
            fail(f"{view['view']}: answers no question (.topic of its descriptor)")


def check_man():
    """The pages have every option and column, and groff has nothing to say of them."""
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run(["docs/make-man", RINGSIDE, "man", tmp], check=True)
        for name in COMMANDS + VIEWS:
            page = read(f"{tmp}/ringside-{name}.1").replace("\\-", "-")
            for word in [*OPTIONS[name], *COLUMNS.get(name, [])]:
                if f"\\fB{word}\\fP" not in page:
                    fail(f"ringside-{name}.1: {word} is missing")
        if subprocess.run(["which", "groff"], capture_output=True).returncode == 0:
            for page in sorted(glob.glob(f"{tmp}/*.1")):
                said = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], capture_output=True, text=True).stderr
                if said:
                    fail(f"{os.path.basename(page)}: {said.splitlines()[0]}")


def check_protocol():
    """Its last part is what the tables of messages say."""
    made = subprocess.run([f"{BUILD}/tests/tools/protocol"], check=True, capture_output=True, text=True).stdout
    if not read("docs/protocol.md").endswith(made):
        fail("docs/protocol.md is not what src/rpc/messages.inc says now: make docs/protocol.md")


def check_json():
    made = subprocess.run(["docs/make-man", RINGSIDE, "json"], check=True, capture_output=True, text=True).stdout
    if made != read("docs/json.md"):
        fail("docs/json.md is not what the program says now: docs/make-man build/ringside json >docs/json.md")
    keys = set(re.findall(r"^\| `(\w+)` \|", made.partition("## _meta")[2], re.M))
    for key in keys ^ META:
        fail(f"docs/json.md: _meta.{key} is " + ("not in the output" if key in keys else "not described"))
    for line in run("report", SAMPLE, "--view", "all", "--json").stdout.splitlines()[:-1]:
        row = json.loads(line)
        # the file of a request, the socket of a call: only in recordings that have files; stacks of events, control groups: only on request
        if list(row)[1:] != [c for c in COLUMNS[row["_view"]] if (c in row or c not in ("stack", "cgroup", "unit", "slice", "container", "pod")) and (row["_view"], c) not in (("iosnoop", "file"), ("syscalls", "socket"))]:
            fail(f"{row['_view']}: the keys of its JSON are not its columns")
            break


def spans(text):
    """What is between backticks, outside of code blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


def check_words():
    """Options and columns that are mentioned exist; those in a view's page, in that view."""
    every_option = set().union(*OPTIONS.values()) | {"--help", "--debug"}
    every_column = {c for columns in COLUMNS.values() for c in columns}
    for path in TEXTS:
        name = os.path.basename(path)[:-3]
        for span in spans(read(path)):
            own = OPTIONS.get(name, every_option)
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", span):
                if option not in (every_option if span.startswith("report") else own):
                    fail(f"{path}: `{span}`: no such option")
            if path == "docs/trace-dat.md" or not re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)+", span):
                continue
            if span not in every_column | META | EVENTS | OTHER_WORDS and not span.startswith("rs_"):
                fail(f"{path}: `{span}`: no column, no key of _meta and no event")
            elif name in COLUMNS and span in every_column and span not in COLUMNS[name]:
                fail(f"{path}: `{span}`: {name} has no such column")


def check_wrappers():
    """Letters that a page says its wrapper takes are those of src/cli/options/as-tool.c."""
    rows = read("src/cli/options/as-tool.c")
    for wrapper in glob.glob("scripts/wrappers/*"):
        name, tool = os.path.basename(wrapper), re.search(r"--as (\S+)", read(wrapper))[1]
        view = re.search(r'^exec \S+ (\S+)', read(wrapper), re.M)[1]
        about = re.search(r"The wrapper `%s` takes.*?\n\n" % name, read(f"docs/src/{view}.md"), re.S)
        if not about:
            fail(f"docs/src/{view}.md: nothing of the wrapper {name}")
            continue
        said = set(re.findall(r"`-(\w)`", about[0]))
        takes = set(re.findall(r'\{ "%s", TOOL_(?:FLAG|VALUE|ONLY|NAME|BEFORE|BEHIND|INSTEAD), \'(\w)\'' % tool, rows))
        if said != takes:
            fail(f"docs/src/{view}.md: letters of the wrapper {name}: differs in {sorted(said ^ takes)}")


def shown(text):
    """(command line, the line beneath) of each "$ " in a code block."""
    for block in re.findall(r"^```\n(.*?)^```$", text, re.M | re.S):
        lines = block.splitlines()
        for i, line in enumerate(lines):
            if line.startswith("$ "):
                yield line[2:], lines[i + 1] if i + 1 < len(lines) else ""


def without_command(words):
    """Up to the command that is launched: what comes after "--", or begins with the first word that is no option."""
    text, i = options_of(words[0]) if words else "", 1
    if words and words[0] not in VIEWS + ["summary", "record", "tui", "diff", "baseline"]:
        return words
    while i < len(words) and words[i] != "--" and words[i].startswith("-"):
        takes_value = re.search(r"(?:^|[\s,])%s(?:, --[a-z-]+)? [A-Z]" % re.escape(words[i]), text, re.M)
        i += 2 if takes_value else 1
    return words[:i]


def on_sample(words):
    """The same question to a recording: without what only live capture knows, and without filters that leave nothing."""
    words = [w for w in words if w not in ("--system", "--command") and not w.startswith("--stacks")] # the sample has no command and no stacks
    out, i, drop = [words[0]], 1, {"-d", "-I", "-b", "-c", "-p", "-t", "-m", "--dev", "--from", "--to"}
    while i < len(words):
        if words[i] in drop:
            i += 1
        else:
            out.append(words[i])
        i += 1
    return out if words[0] == "report" or "-i" in out else [*out, "-i", SAMPLE]


def check_examples():
    with tempfile.TemporaryDirectory() as tmp:
        os.symlink(SAMPLE, f"{tmp}/trace.dat")
        os.symlink(os.path.abspath("tests"), f"{tmp}/tests")
        with lzma.open("tests/perfdata/mixed.data.xz") as packed, open(f"{tmp}/perf.data", "wb") as f:
            shutil.copyfileobj(packed, f)
        for path in TEXTS + ["docs/json.md"]:
            for line, beneath in shown(read(path)):
                words = shlex.split(line)
                words = words[1:] if words[0] == "sudo" else words
                if words[0] == "ringside":
                    check_example(path, line, words[1:], beneath, tmp)


def check_example(path, line, words, beneath, tmp):
    if words and os.path.exists(f"{tmp}/{words[0]}"): # a file alone: its screens
        words = ["tui", *words]
    words = without_command(words)
    parsed = run(*words, "--help")
    if parsed.returncode:
        return fail(f"{path}: $ {line}: {parsed.stderr.strip()}")
    if not words or words[0] not in VIEWS + ["report", "summary", "list", "help", "version"]:
        return None
    got = run(*(on_sample(words) if words[0] in VIEWS + ["report", "summary"] else words), cwd=tmp)
    # that is all that it can say without the kernel, or of a recording that lacks these events
    if "live only" in got.stderr or re.search("which this trace does not have|this trace has no such event|no samples of the CPUs", got.stderr):
        return None
    if got.returncode:
        return fail(f"{path}: $ {line}: {got.stderr.strip()}")
    first = got.stdout.splitlines()[0] if got.stdout else ""
    if beneath and not re.match(r"\$ |\.\.\.|\d+\t", beneath) and beneath.split() != first.split():
        fail(f"{path}: $ {line}: shows '{beneath}', the program prints '{first}'")


def check_contributing():
    """The analysis of CONTRIBUTING.md, with its test, is built and passes, in a copy of the tree."""
    files = re.findall(r"^```c (\S+)\n(.*?)^```$", read("CONTRIBUTING.md"), re.M | re.S)
    if len(files) != 2:
        return fail("CONTRIBUTING.md: no analysis with its test")
    with tempfile.TemporaryDirectory() as tmp:
        tree = ["Makefile", "docs", "include", "plugins", "scripts", "src", "tui", BUILD]
        subprocess.run(["cp", "-a", *tree, tmp], check=True)
        subprocess.run(f"mkdir -p {tmp}/tests && cp -a tests/unit {tmp}/tests/", shell=True, check=True)
        for path, text in files:
            with open(f"{tmp}/{path}", "w", encoding="utf-8") as f:
                f.write(text)
        suite = re.search(r"test-(\w+)\.c", files[1][0])[1]
        # what is tested here is not the program's speed: no second minute of link-time optimization
        done = subprocess.run(f"make -s B={BUILD} LTO=-fno-lto all unit WERROR= && CK_RUN_SUITE={suite} {BUILD}/unit", shell=True, cwd=tmp,
                              capture_output=True, text=True)
        if done.returncode or "100%: Checks: 1," not in done.stdout:
            fail(f"CONTRIBUTING.md: its analysis: {(done.stdout + done.stderr)[-1500:]}")


def check_tour():
    """Each path of docs/tour.md exists, and a function stands in a file that its step names."""
    for step in re.split(r"\n(?=\d+\. |\n)", read("docs/tour.md")):
        paths = re.findall(r"`((?:src|tui|plugins|include|docs|tests)/[\w./-]*)`", step)
        for path in paths:
            if not os.path.exists(path):
                fail(f"docs/tour.md: there is no {path}")
        sources = [read(path) for path in paths if os.path.isfile(path)]
        for name in re.findall(r"`(\w+)\(\)`", step):
            if not any(re.search(rf"\b{name}\(", text) for text in sources):
                fail(f"docs/tour.md: {name}() is in none of {', '.join(paths)}")


def check_links():
    for path in TEXTS:
        for target in re.findall(r"\]\(([^)#:]+)\)", read(path)):
            if not os.path.exists(os.path.join(os.path.dirname(path), target)):
                fail(f"{path}: a link to {target}, which is not there")


for check in (check_pages, check_groups, check_man, check_json, check_protocol, check_words, check_wrappers, check_examples, check_links, check_tour,
              check_contributing):
    check()
if failures:
    sys.exit(f"docs: {failures} failed")
print("docs: the program and its documents say the same")
