#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""words.py - names, comments and texts use the words of docs/glossary.md

usage: tests/checks/words.py              each violation, file:line: what, and the word to use; exit 1 if there is one
       tests/checks/words.py --count      how many of each kind in each folder; exit 0
       tests/checks/words.py --list KIND  those of one kind; exit 0
       tests/checks/words.py --self-test  does it find what it must, in a tree made for that?

Kinds: word (refused everywhere), name (refused in names), struct, macro, global (a global function without its
file's name), static (one name in two files), file (one base name twice), subject (of a commit since SINCE).
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

KINDS = ('word', 'name', 'struct', 'macro', 'global', 'static', 'file', 'subject')
GLOSSARY = 'docs/glossary.md'
# Commits after the one that added this file are held to the rule for subjects.
SINCE = 'docs/tour.md'
TOKENS = re.compile(r'''(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<char>'(?:\\.|[^'\\\n])+')'''
                    r'''|(?P<name>[A-Za-z_]\w*)|(?P<rest>\s+|.)''', re.S)
PRODUCT = ('src/', 'plugins/', 'include/', 'tui/')
TEXTS = ('.md', '.sh', '.py', '.tsv')
# The glossary names what is refused; logs and recordings hold what others wrote; the table of renames has old names.
EXEMPT = re.compile(r'^(docs/glossary\.md|tests/checks/words\.py|tests/freeze/renames\.tsv|tests/traces/|tests/fuzz/corpus|LICENSE)')
# Names that a reader knows without their file.
SHORT = {'main', 'rs_fail', 'rs_fail_usage', 'RS_MESSAGE'}
# After the part's name and a colon: what is no verb, and forms that are none of a command's.
NOT_IMPERATIVE = re.compile(r'(?:a|an|the|no|one|two|what|who|where|when|it|its|each|every|all|\w+(?:ed|ing|[^s]s))\b', re.I)
IMPERATIVE = re.compile(r'(?:embed|need|feed|seed|speed|exceed|proceed|bring|focus|bus)\b', re.I)

Violation = collections.namedtuple('Violation', 'kind path line text')


class Rule:
    """A word or a name that is refused, where, and what to say instead."""

    def __init__(self, entry, instead, in_names):
        self.text, self.folder = re.fullmatch(r'(.*?)(?: \((.*)\))?', entry).groups()
        self.folder, self.instead = self.folder or '', instead
        word = re.escape(self.text)
        self.in_text = None if in_names else re.compile(rf'\b{word}(?:e?s)?\b', re.I)
        if not in_names:
            self.in_name = re.compile(rf'(?:^|_){word}s?(?:_|$)', re.I)
        elif self.text.endswith('*'):
            self.in_name = re.compile(rf'^{re.escape(self.text[:-1])}\w*$')
        elif '_' in self.text:
            self.in_name = re.compile(rf'(?:^|_){word}(?:_|$)')
        else:
            self.in_name = re.compile(rf'(?:^|_){word}s?(?:_|$)', re.I)


class Rules:
    """All of them. Most texts and names break none: one search, or the answer for the same name, says so."""

    def __init__(self, everywhere, names):
        self.everywhere, self.all, self.of_name = everywhere, everywhere + names, {}
        self.any_in_text = re.compile('|'.join(rule.in_text.pattern for rule in everywhere), re.I)

    def broken_by_name(self, name, path):
        """The first rule that refuses the name in that file, or None."""
        if name not in self.of_name:
            self.of_name[name] = [rule for rule in self.all if rule.in_name.search(name)]
        return next((rule for rule in self.of_name[name] if path.startswith(rule.folder)), None)


def read_glossary(root):
    everywhere, names = [], []
    for line in (root / GLOSSARY).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        if not line.startswith('| ') or len(cells) != 4 or cells[0] in ('idea', '---'):
            continue
        for rules, cell, in_names in ((everywhere, cells[2], False), (names, cells[3], True)):
            rules += [Rule(entry.strip(), cells[1], in_names) for entry in cell.split(',') if entry.strip()]
    if not everywhere or not names:
        raise ValueError(f'{GLOSSARY}: no table of words')
    return Rules(everywhere, names)


def files_of(root):
    listed = subprocess.run(['git', '-C', root, 'ls-files', '-co', '--exclude-standard'], capture_output=True, text=True, check=True)
    for path in listed.stdout.splitlines():
        if not EXEMPT.match(path) and (root / path).is_file():
            yield path


def lines_with(pattern, text, first_line):
    for match in pattern.finditer(text):
        yield first_line + text.count('\n', 0, match.start()), match[0]


def check_text(path, text, first_line, rules):
    if not rules.any_in_text.search(text):
        return
    for rule in rules.everywhere:
        if path.startswith(rule.folder):
            for line, word in lines_with(rule.in_text, text, first_line):
                yield Violation('word', path, line, f'"{word}": {rule.instead}')


def check_c(path, text, rules):
    """Comments and strings are text; a name is looked at once in a file."""
    seen, line = set(), 1
    for token in TOKENS.finditer(text):
        kind, spelling = token.lastgroup, token[0]
        if kind in ('comment', 'string'):
            yield from check_text(path, spelling, line, rules)
        elif kind == 'name' and spelling not in seen:
            seen.add(spelling)
            rule = rules.broken_by_name(spelling, path)
            if rule:
                yield Violation('name', path, line, f'{spelling} ("{rule.text}"): {rule.instead}')
        line += spelling.count('\n')


def check_words(root, paths):
    rules = read_glossary(root)
    for path in paths:
        if path.endswith(('.c', '.h')):
            yield from check_c(path, (root / path).read_text(), rules)
        elif path.endswith(TEXTS) or path in ('Makefile',) or path.startswith('scripts/'):
            yield from check_text(path, (root / path).read_text(errors='replace'), 1, rules)


Definition = collections.namedtuple('Definition', 'name path line kind is_static')


def definitions(root, paths):
    """Of functions, structs, enums, unions and macros; by ctags."""
    result = subprocess.run(['ctags', '-n', '-L', '-', '-f', '-', '--languages=C', '--langmap=C:.c.h', '--c-kinds=fsugd', '--fields=+kns'], cwd=root,
                            input='\n'.join(paths), capture_output=True, text=True, check=True)
    for row in result.stdout.splitlines():
        name, path, _, kind, *fields = row.split('\t')
        line = next((int(field[5:]) for field in fields if field.startswith('line:')), 0)
        if not name.startswith('__anon'):
            yield Definition(name, path, line, kind, 'file:' in fields)


def forms(word):
    """A word, its singular and its plural."""
    return {word, word + 's', word.removesuffix('s'), re.sub('y$', 'ies', word), re.sub('ies$', 'y', word)}


def prefixes(path, families):
    """What a global function of the file may begin with, after rs_."""
    path = pathlib.PurePosixPath(path)
    words = re.sub('^(cmd|op)-', '', path.stem).split('-')
    for nr in range(1, len(words) + 1):
        head = '-'.join(words[:nr])
        if nr == len(words) or families[path.parent, head] > 1:
            yield from forms(head.replace('-', '_'))
    yield path.stem.replace('-', '_')


def check_twice(root, found):
    """No two structs, unions, enums or macros of one name in two files, but macros that their file undefines again."""
    places = collections.defaultdict(dict)
    undefined = {path: set(re.findall(r'^#undef (\w+)', (root / path).read_text(), re.M)) for path in {d.path for d in found}}
    for d in found:
        if d.kind in 'sugd' and not d.name.endswith('_H') and not (d.kind == 'd' and d.name in undefined[d.path]):
            places['macro' if d.kind == 'd' else 'struct', d.name][d.path] = d
    for (kind, name), where in places.items():
        for d in list(where.values())[1:]:
            yield Violation(kind, d.path, d.line, f'{name} is defined in {next(iter(where))}, too')


def check_functions(root, found):
    functions = [d for d in found if d.kind == 'f']
    public = set(re.findall(r'\b(rs_\w+)\(', ' '.join(p.read_text() for p in (root / 'include').rglob('*.h'))))
    families = collections.Counter()
    for path in {pathlib.PurePosixPath(d.path) for d in functions if d.path.endswith('.c')}:
        words = path.stem.split('-')
        families.update((path.parent, '-'.join(words[:nr])) for nr in range(1, len(words) + 1))
    for d in functions:
        if d.is_static or d.path.endswith('.h') or d.name in SHORT | public or d.name.startswith('__wrap_'):
            continue
        if not any(re.match(rf'rs_{prefix}(_|$)', d.name) for prefix in prefixes(d.path, families)):
            yield Violation('global', d.path, d.line, f'{d.name} does not begin with rs_ and its file\'s name')
    statics = collections.defaultdict(dict)
    for d in functions:
        if d.is_static and not is_member(root, d):
            statics[d.name][d.path] = d
    for name, where in statics.items():
        for d in where.values() if len(where) > 1 else ():
            other = next(path for path in where if path != d.path)
            yield Violation('static', d.path, d.line, f'{name} is a function of {other}, too' + (f' and {len(where) - 2} more' if len(where) > 2 else ''))


def is_member(root, d, cache={}):  # noqa: B006
    """Is the function a member of a const table in its file: .name = function, or in the rows of one?"""
    if d.path not in cache:
        text = TOKENS.sub(lambda t: ' ' if t.lastgroup in ('comment', 'string') else t[0], (root / d.path).read_text())
        tables = re.findall(r'^(?:static )?const struct[^;{=]*= ?\{.*?^\};|^(?:static )?const struct[^;{=\n]*= ?\{[^\n]*\};', text, re.M | re.S)
        cache[d.path] = set(re.findall(r'\b[a-z_]\w*\b', ' '.join(re.sub(r'\.\w+ *=', '', table) for table in tables)))
    return d.name in cache[d.path]


def check_files(paths):
    seen = {}
    for path in paths:
        name = pathlib.PurePosixPath(path).name
        if name in seen:
            yield Violation('file', path, 1, f'{seen[name]} has the same name')
        seen.setdefault(name, path)


def check_subjects(root):
    def git(*words):
        return subprocess.run(['git', '-C', root, *words], capture_output=True, text=True, check=False).stdout

    added = git('log', '--diff-filter=A', '--format=%h', '--', SINCE).split()
    # in a shallow clone its oldest commit adds every file
    if not added or git('rev-parse', '--is-shallow-repository').strip() != 'false':
        print('subjects of commits: skipped, no history here', file=sys.stderr)
        return
    log = git('log', '--no-merges', '--format=%h %s', f'{added[-1]}..')
    for row in log.splitlines():
        commit, subject = row.split(' ', 1)
        yield from check_subject(commit, subject)


def check_subject(commit, subject):
    if len(subject) > 72:
        yield Violation('subject', commit, 1, f'over 72 columns: {subject}')
    sentence = subject.split(': ', 1)[-1]
    if NOT_IMPERATIVE.match(sentence) and not IMPERATIVE.match(sentence):
        yield Violation('subject', commit, 1, f'not imperative: {subject}')


def check(root):
    paths = sorted(files_of(root))
    product = [path for path in paths if path.startswith(PRODUCT) and path.endswith(('.c', '.h'))]
    found = list(definitions(root, product))
    return [*check_words(root, paths), *check_twice(root, found), *check_functions(root, found), *check_files(product), *check_subjects(root)]


def folder_of(path):
    return '/'.join(path.split('/')[:2 if path.startswith(('src/', 'tests/', 'docs/')) else 1]) if '/' in path else '.'


def print_counts(violations):
    counts = collections.Counter((folder_of(v.path) if v.kind != 'subject' else 'commits', v.kind) for v in violations)
    print(f'{"":16}' + ''.join(f'{kind:>9}' for kind in KINDS))
    for folder in sorted({folder for folder, _ in counts}):
        print(f'{folder:16}' + ''.join(f'{counts[folder, kind] or "-":>9}' for kind in KINDS))
    print(f'{"all":16}' + ''.join(f'{sum(n for (_, k), n in counts.items() if k == kind) or "-":>9}' for kind in KINDS))


# A tree in which each rule is broken once, and obeyed beside it; what must be found, in its order.
BROKEN = {
    'src/base/one.c': '/* an orphan, a borphan */\nstruct twice { int law_1; };\n#define TWICE 1\nvoid rs_one_begin(void) {}\nvoid rs_other(void) {}\n'
                      'static void same(void) {}\nstatic void rows(void) {}\nstatic const struct ops ops = { .rows = rows };\n',
    'src/base/two.c': 'struct twice { int lawn; };\n#define TWICE 2\nvoid rs_two(void) { const char *s = "one epoch"; }\nstatic void same(void) {}\n'
                      'static void rows(void) {}\nstatic const struct ops more[] = {\n\t{ "a", rows },\n};\nint epoch_ns;\n',
    'src/model/one.c': 'int block;\n',
    'tui/part.c': 'int block, nr_blocks, blocked;\n',
    'include/ringside/x.h': 'int x;\n',
}
FOUND = ['src/base/one.c word orphan', 'src/base/one.c name law_1', 'src/base/two.c word epoch', 'src/base/two.c name epoch_ns',
         'tui/part.c name block', 'tui/part.c name nr_blocks', 'src/base/two.c struct twice', 'src/base/two.c macro TWICE',
         'src/base/one.c global rs_other', 'src/base/one.c static same', 'src/base/two.c static same', 'src/model/one.c file src/base/one.c']
SUBJECTS = {'merge: swap CPU cursors without a full sift': 0, 'merge: swaps CPU cursors': 1, 'the merge is faster': 1, 'merge: ' + 'b' * 80: 1,
            'process the rest': 0, 'tests: pass the options on': 0, 'tests: wait for the line': 0, 'tests: two live tests hold': 1, 'fixed it': 1}


def self_test(root):
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for path, text in {**BROKEN, GLOSSARY: (root / GLOSSARY).read_text()}.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text)
        subprocess.run(['git', '-C', folder, 'init', '-q'], check=True)
        found = [f'{v.path} {v.kind} {re.split(r"[ :]", v.text)[0].strip(chr(34))}' for v in check(tree)]
    bad = [f'not found: {f}' for f in FOUND if f not in found] + [f'found: {f}' for f in found if f not in FOUND]
    bad += [f'subject {subject!r}' for subject, nr in SUBJECTS.items() if len(list(check_subject('x', subject))) != nr]
    print('\n'.join(bad) or f'{len(FOUND)} violations and {len(SUBJECTS)} subjects as they must be')
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split('\n\n', 1)[1], add_help=False)
    parser.add_argument('--count', action='store_true')
    parser.add_argument('--list', metavar='KIND', action='append', choices=KINDS)
    parser.add_argument('--self-test', action='store_true')
    args = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    if args.self_test:
        return self_test(root)
    violations = check(root)
    if args.count:
        print_counts(violations)
        return 0
    for v in violations:
        if not args.list or v.kind in args.list:
            print(f'{v.path}:{v.line}: {v.text}')
    return 1 if violations and not args.list else 0


if __name__ == '__main__':
    sys.exit(main())
