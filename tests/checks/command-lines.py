# SPDX-License-Identifier: GPL-2.0-or-later
"""command-lines.py BUILD - the work of command-lines.sh"""
import glob
import lzma
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

USAGE = 2
SAMPLE = "tests/traces/debian-6.1-amd64-mixed.dat"
DOCS = ["README.md", "CONTRIBUTING.md", *(p for d in ("docs", "docs/labs", "docs/src") for p in sorted(glob.glob(f"{d}/*.md")))]
SOURCES = [path for where in ("src", "plugins", "tui") for path in sorted(glob.glob(f"{where}/**/*.[ch]", recursive=True))]
# What stands for a value in a line.
PLACEHOLDERS = {"PID": "4242", "FILE": "trace.dat", "VIEW": "sched", "SECTION": "guide", "NAME": "sched", "HOST": "trace.dat", "GUEST": "guest.dat",
                "EVENT": "sched:sched_switch", "COMMAND": "true", "ANY-NODE": "node"}
# A line is right, and asks for what this test does not give it.
NOT_HERE = re.compile("standard output is no terminal|unknown command '(hello|execs)'|this recording was made of no command")
# Each of these must be refused, or a line of its kind is not checked here.
REFUSED = """findings --fail-on cpu-wait
findings --silence cpu-wait -i trace.dat
sched --sort nothing
sched --columns nothing -d 1
syscalls --where 'nothing > 1ms'
offcpu --by nothing -p 4242
iosnoop -m 1parsec
report trace.dat --view nothing
list nothing
help no-such-word
daemon -a nothing
daemon --window 1parsec
record -a nothing -- make
export trace.dat -f nothing
save -o x -f nothing
why -i trace.dat --nothing
trace.dat --screen nothing
tui --screen nothing
trace nothing
nothing"""
failures = 0


def fail(what):
    global failures
    failures += 1
    print("FAILED:", what)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def of_blocks(text):
    """Lines of code blocks that begin with "$ "."""
    for block in re.findall(r"^```\n(.*?)^```$", text, re.M | re.S):
        yield from (line[2:] for line in block.splitlines() if line.startswith("$ "))


def of_spans(text):
    """`ringside ...` in a sentence."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    yield from re.findall(r"`((?:sudo )?ringside [^`\n]+)`", text)


def of_quotes(text):
    """ "ringside ...", 'ringside ...' and (ringside ...) in a help text or a message, but not what is put together there."""
    text = re.sub(r'\\n"\s*"', " ", text.replace('\\"', "\x01"))
    for quoted in re.findall(r"\x01(?:sudo )?(ringside [a-z][^\x01%]*)\x01|'(?:sudo )?(ringside [a-z][^'%]*)'", text):
        yield quoted[0] or quoted[1]
    for listed in re.findall(r"\((?:with: |nearest: |see )?((?:sudo )?ringside [a-z][^();%\"]*)\)", text):
        yield from (line.removesuffix(" begins one") for line in listed.split(", ") if "ringside" in line)


def lines():
    """(where it stands, a command line) of all."""
    for path in DOCS:
        for line in [*of_blocks(read(path)), *of_spans(read(path))]:
            yield path, line
    for path in SOURCES:
        for line in of_quotes(read(path)):
            yield path, line


def words_of(line):
    """The words behind "ringside" in a shell's line, up to a pipe or a redirection; None: it runs something else."""
    line = re.sub(r"\[[^]]*\]|\.\.\.", "", line)
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    for i, word in enumerate(words):
        if os.path.basename(word) == "ringside" and not any(w in ("cp", "cd", "install") for w in words[:i]):
            end = next((n for n in range(i + 1, len(words)) if set(words[n]) <= set("|&;<>") and words[n]), len(words))
            return [re.sub(r"^[A-Z-]+(?=$|=)|ANY-NODE", lambda m: PLACEHOLDERS.get(m[0], m[0]), w) for w in words[i + 1:end]]
    return None


class Place:
    """A folder of a user without rights, with the program and the recordings that a line names."""

    def __init__(self, build, folder):
        self.folder, self.as_user = folder, []
        shutil.copy(f"{build}/ringside", f"{folder}/program")
        with lzma.open("tests/perfdata/mixed.data.xz") as packed, open(f"{folder}/perf.data", "wb") as f:
            shutil.copyfileobj(packed, f)
        shutil.copytree("tests/traces", f"{folder}/tests/traces")
        if os.geteuid() == 0:
            self.as_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
            os.chown(folder, 65534, 65534)
        os.chmod(folder, 0o755)

    def run(self, words):
        # screens as text; their names are read after the input
        if (words[0] == "tui" or "--screen" in words) and "--" not in words:
            words = [*(["tui", "-i", "trace.dat"] if words[0] == "tui" else words[:1]), *words[1:], "--batch"]
        for i, word in enumerate(words):
            path = f"{self.folder}/{word}"
            if word.endswith(".dat") and (not i or words[i - 1] != "-o") and not os.path.exists(path):
                shutil.copy(SAMPLE, path)
        return subprocess.run([*self.as_user, "./program", *words], cwd=self.folder, capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL, errors="replace")


def main(build):
    seen = {}
    with tempfile.TemporaryDirectory() as folder:
        place = Place(build, folder)
        for path, line in lines():
            words = words_of(line)
            if words and "%" not in "".join(words[:1]):
                seen.setdefault(tuple(words), (path, line))
        for words, (path, line) in seen.items():
            # "`ringside save` writes it" names a command, and is no whole line
            got = place.run([*words, "--help"] if len(words) == 1 else list(words))
            if got.returncode == USAGE and not NOT_HERE.search(got.stderr):
                fail(f"{path}: {line}: {got.stderr.strip()}")
        for line in REFUSED.splitlines():
            if place.run(shlex.split(line)).returncode != USAGE:
                fail(f"ringside {line}: is not refused here, so no line like it is checked")
    if failures:
        sys.exit(f"command lines: {failures} of {len(seen)} failed")
    print(f"command lines: {len(seen)} are taken")


main(sys.argv[1])
