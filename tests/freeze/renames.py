# SPDX-License-Identifier: GPL-2.0-or-later
"""renames - the table of intended renames, and both programs' output as it is after them"""
import collections
import re

Rename = collections.namedtuple('Rename', 'old new where')
WHERE = ('column', 'view', 'key', 'value', 'text', 'line')
# Options whose value is made of names of columns or views.
NAMED = ('--by', '--columns', '--view', '--where', '--screen', '-s')
# What the length of a name moves: blanks, lines that fill a row, and the places of texts in a picture.
PADDING = re.compile(r'[ \t]+|─+')
PLACES = re.compile(r' (x|textLength)="[0-9]+"')


def read(path):
    table = []
    with open(path, encoding='utf-8') as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith('#') or not line.strip():
                continue
            row = line.rstrip('\n').split('\t')
            if len(row) != 3 or row[2] not in WHERE:
                raise ValueError(f'{path}:{number}: not OLD, NEW and one of {", ".join(WHERE)}')
            table.append(Rename(*row))
    return sorted(table, key=lambda rename: -len(rename.old))  # a longer one has a shorter one in it


def word(text):
    return rf'(?<![\w-]){re.escape(text)}(?![\w-])'


def arguments(table, case):
    """The command line for NEW."""
    argv = list(case.argv)
    for i, value in enumerate(argv):
        if i and argv[i - 1] in NAMED or i == 0 or argv[0] == 'help':
            for rename in table:
                if rename.where in ('column', 'view'):
                    value = re.sub(word(rename.old), lambda _, new=rename.new: new, value)
            argv[i] = value
    return case._replace(argv=tuple(argv))


def pattern(rename, case):
    if rename.where in ('column', 'view'):
        return word(rename.old), rename.new
    if rename.where == 'key' and '--csv=meta' in case.argv:
        return rf'(?m)^{re.escape(rename.old)},', f'{rename.new},'
    if rename.where == 'key':
        return f'"{re.escape(rename.old)}":', f'"{rename.new}":'
    if rename.where == 'value' and '--csv' in case.argv:
        return rf'(?m)(?<![^,\n])"?{re.escape(rename.old)}"?(?![^,\n])', rename.new
    if rename.where == 'value':
        return f'"{re.escape(rename.old)}"', f'"{rename.new}"'
    return re.escape(rename.old), rename.new


def in_blocks(text):
    """Views in the order of their names: a rename moves one."""
    if text.startswith('{'):
        return '\n'.join(sorted(text.splitlines(), key=lambda line: (re.match(r'{"_(?:machine|view)":"[^"]*"', line) or [''])[0]))
    return '\n\n'.join(sorted(text.split('\n\n')))


def canonical(table, case, output, is_old):
    """Status, output and messages, with the old names replaced and what renames move laid aside."""
    status, *texts = output
    texts = [text.decode('utf-8', 'surrogateescape') for text in texts]
    for rename in table:
        if rename.where == 'line':
            texts = [re.sub(rf'(?m)^.*{re.escape(rename.old)}.*\n', '', text) for text in texts]
    if is_old:
        for rename in (rename for rename in table if rename.where != 'line'):
            old, new = pattern(rename, case)
            texts = [re.sub(old, lambda _, new=new: new, text) for text in texts]
    if table:
        texts = [PADDING.sub(lambda run: ' ' if run[0][0] in ' \t' else '─', text) for text in texts]
        if '--svg' in case.argv:
            texts = [PLACES.sub('', text) for text in texts]
    if any(rename.where == 'view' for rename in table) and not case.screen:
        texts = [in_blocks(text) for text in texts]
    return status, *texts
