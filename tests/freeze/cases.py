# SPDX-License-Identifier: GPL-2.0-or-later
"""cases - the command lines that are compared: each view in each format, with each option that it takes"""
import collections
import json

import recordings

# screen: it says what the program itself costs; group: how differences are counted
Case = collections.namedtuple('Case', 'name group recording argv environment screen')
View = collections.namedtuple('View', 'name kind columns keys options')

SMALL, LARGE = (('LINES', '24'), ('COLUMNS', '80')), (('LINES', '60'), ('COLUMNS', '220'))
SCREENS = ('overview', 'timeline', 'histogram', 'heat')
# Options of a view's own, with something that most recordings have.
OWN = {'--dev': '*', '--type': 'R,WS,softirq,mutex,rwsem*', '--syscall': 'read,futex,open*', '-x': None, '-Q': None,
       '-m': '100us', '--list': None, '--histogram': None}


def chosen(cases, words):
    return [case for case in cases if not words or any(word in case.name for word in words)]


def rows(program, *argv):
    text = program.output(Case('', '', '', argv, (), False))[1]
    return [json.loads(line) for line in text.splitlines()]


def keys_of(program, view, recording):
    """What --by may name: a name that is none is refused with a list of them."""
    refused = program.output(Case('', '', '', (view, '-q', '-i', recording, '--by', 'nope'), (), False))[2].decode()
    return refused.strip().split(' groups by ')[1].split(', ') if ' groups by ' in refused else []


def views_of(program, recording):
    columns = collections.defaultdict(list)
    for row in rows(program, 'list', 'columns', '--json'):
        columns[row.get('view')].append(row.get('column'))
    for row in rows(program, 'list', 'views', '--json'):
        if 'view' not in row:
            continue
        name = row['view']
        words = program.output(Case('', '', '', ('help', name), (), False))[1].decode().split()
        options = {word.rstrip(',') for word in words if word.startswith('-')}
        yield View(name, row['kind'], columns[name], keys_of(program, name, recording), options)


def groupings(keys):
    """Each key, each two that stand side by side, and all."""
    return dict.fromkeys([*keys, *(f'{a},{b}' for a, b in zip(keys, keys[1:])), ','.join(keys)]) if keys else []


class Maker:
    def __init__(self, recording):
        self.recording, self.cases = recording, []

    def add(self, group, what, *argv, environment=(), screen=False):
        self.cases.append(Case(f'{self.recording}: {what}', group, self.recording, argv, environment, screen))

    def report(self, group, what, *argv):
        self.add(group, what, 'report', '-q', self.recording, *argv)


def all_views(maker, views):
    """Every view in one command line, in each format, whole and narrowed."""
    names = ','.join(view.name for view in views)
    for name, argv in (('json', ['--json']), ('csv', ['--csv']), ('csv=meta', ['--csv=meta']), ('text', [])):
        maker.report('rows', f'all views, {name}', '--view', names, *argv)
    for argv in (['--exact'], ['--self'], ['-C', '0'], ['-c', '*a*'], ['--where', 'comm ~ "*r*"']):
        maker.report('rows', f'all views, json, {" ".join(argv)}', '--view', names, '--json', *argv)
    for argv in (['--last', '0.3'], ['--from', '0.1', '--to', '0.4']):
        maker.report('ranges', f'all views, json, {" ".join(argv)}', '--view', names, '--json', *argv)
        maker.report('ranges', f'all views, text, {" ".join(argv)}', '--view', names, '--time', 'wall', *argv)
        maker.report('ranges', f'summary, {" ".join(argv)}', *argv)
    for name, argv in (('all, json', ['--json']), ('all', []), ('all, -n 3', ['-n', '3'])):
        maker.report('rows', f'--view {name}', '--view', 'all', *argv)


def accounting(maker):
    maker.report('rows', 'summary')
    for argv in (['--check'], ['--check', '--exact'], ['--check', '--from', '0.1', '--to', '0.4']):
        maker.report('check', ' '.join(argv), *argv)


def exports(maker):
    for argv in ([], ['--compat'], ['--from', '0.1', '--to', '0.4'], ['-c', '*a*']):
        maker.add('export', f'chrome {" ".join(argv)}', 'export', '-q', '-f', 'chrome', maker.recording, *argv)


def screens(maker, views, closely):
    def screen(what, *argv, size=LARGE):
        maker.add('screens', f'screen {what}', 'tui', '--batch', '-n', '1', *argv, maker.recording, environment=size, screen=True)
    for name in SCREENS:
        screen(name, '--screen', name)
    for view in views:
        screen(view.name, '--screen', view.name)
    screen('overview, a range', '--from', '0.1', '--to', '0.4')
    if not closely:
        return
    for name in SCREENS:
        screen(f'{name} 80x24', '--screen', name, size=SMALL)
        screen(f'{name}, ASCII', '--screen', name, '--ascii')
    screen('overview, SVG', '--svg')
    screen('overview, -c', '-c', '*a*')


def one_view(maker, view, closely):
    """What only one view takes, or takes in its own way."""
    def report(group, what, *argv):
        maker.report(group, f'{view.name} {what}', '--view', view.name, *argv)
    for keys in groupings(view.keys):
        report('by', f'--by {keys}, json', '--json', '--by', keys)
        if closely:
            report('by', f'--by {keys}, text', '--by', keys)
    if not closely:
        return
    report('rows', 'text, all columns', '--columns', ','.join(view.columns), '--time', 'boot')
    for name, argv in (('json', ['--json']), ('csv', ['--csv']), ('text', [])):
        report('rows', name, *argv)
    report('rows', 'sorted', '-n', '20', '-s', f'-{view.columns[0]},{view.columns[-1]}')
    for option, value in OWN.items():
        if option in view.options:
            report('options', f'{option}, json', '--json', option, *([value] if value else []))


def words(program, views):
    """Help and lists: what is read, and no number."""
    maker = Maker('words')
    for name in ('', *sorted(row['name'] for row in commands(program)), *(view.name for view in views)):
        maker.add('words', f'help {name}', 'help', *([name] if name else []))
    for what in ('views', 'columns', 'formats'):
        for name in ('--json', '--csv'):
            maker.add('words', f'list {what} {name}', 'list', what, name)
        maker.add('words', f'list {what}', 'list', what)
    for view in views:
        maker.add('words', f'{view.name} --columns help', view.name, '--columns', 'help')
    for argv in (['nope'], ['report', '--nope'], ['report', 'nope.dat'], ['sched', '-s', 'nope', '-i', 'nope.dat'], ['tui', '--screen', 'nope'],
                 ['report', '--from', '3', '--to', '2', 'nope.dat'], ['-p', 'x', 'sched'], ['sched', '-m', 'x'], ['sched', '--where', 'comm ~']):
        maker.add('words', ' '.join(argv), *argv)
    return maker.cases


def commands(program):
    """The names in the first part of the help."""
    text = program.output(Case('', '', '', ('help',), (), False))[1].decode()
    for line in text.split('commands:\n', 1)[-1].split('\n\n', 1)[0].splitlines():
        yield {'name': line.split()[0]}


def machines(views):
    maker = Maker('host.dat')
    names = ','.join(view.name for view in views)
    for what, argv in (('json', ['--view', names, '--json']), ('text', ['--view', names]), ('csv', ['--view', names, '--csv']),
                       ('summary', []), ('--check', ['--check'])):
        maker.report('machines', f'and guest.dat, {what}', 'guest.dat', *argv)
    maker.add('machines', 'and guest.dat, chrome', 'export', '-q', 'host.dat', 'guest.dat')
    return maker.cases


def all_of(program, names):
    """Of tests/traces everything; of what lies elsewhere each view, format, grouping and screen once."""
    own = {path.name for path in (recordings.ROOT / 'tests/traces').glob('*.dat')}
    views = list(views_of(program, next(name for name in names if name in own)))
    cases = words(program, views) + machines(views)
    for name in names:
        maker, closely = Maker(name), name in own
        all_views(maker, views)
        accounting(maker)
        exports(maker)
        if name.endswith('.dat'):
            screens(maker, views, closely)
            for view in views:
                one_view(maker, view, closely)
        cases += maker.cases
    return cases
