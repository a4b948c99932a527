# SPDX-License-Identifier: GPL-2.0-or-later
"""report - the first places where two outputs differ, for people"""
import collections
import itertools
import json

WIDTH = 200


def clipped(text, at):
    """A line around its first difference."""
    begin = max(0, at - WIDTH // 2) if at > WIDTH * 3 // 4 else 0
    part = text[begin:begin + WIDTH].encode('utf-8', 'backslashreplace').decode()
    return ('...' if begin else '') + part + ('...' if begin + WIDTH < len(text) else '')


def first_difference(a, b):
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def of_objects(was, now):
    """Which keys of two JSON lines differ; None: they are no such."""
    try:
        was, now = json.loads(was, object_pairs_hook=collections.OrderedDict), json.loads(now, object_pairs_hook=collections.OrderedDict)
    except ValueError:
        return None
    if not isinstance(was, dict) or not isinstance(now, dict):
        return None
    was, now = was.get('_meta', was), now.get('_meta', now)
    keys = [f'{key}: {was.get(key, "no such key")} -> {now.get(key, "no such key")}' for key in dict.fromkeys([*was, *now])
            if was.get(key, NotImplemented) != now.get(key, NotImplemented)]
    return ', '.join(keys) or 'the order of the keys'


def of_texts(what, was, now):
    if was == now:
        return []
    was_lines, now_lines = was.split('\n'), now.split('\n')
    pairs = itertools.zip_longest(was_lines, now_lines)
    at, old, new = next((i, a, b) for i, (a, b) in enumerate(pairs, 1) if a != b)
    nr = sum(a != b for a, b in itertools.zip_longest(was_lines, now_lines))
    lines = [f'{what}, line {at}; {nr} lines differ (of {len(was_lines)} and {len(now_lines)})']
    if at > 1 and not was.startswith('{'):
        lines.append(f'    {clipped(was_lines[at - 2], 0)}')
    column = first_difference(old or '', new or '')
    lines += [f'  - {clipped(old, column)}' if old is not None else '  - (it ends here)',
              f'  + {clipped(new, column)}' if new is not None else '  + (it ends here)']
    keys = old and new and of_objects(old, new)
    return lines + ([f'    {clipped(keys, 0)}'] if keys else [])


def difference(was, now):
    """Lines that say where they differ; none: nowhere, after the renames."""
    lines = [f'exit status {was[0]} -> {now[0]}'] if was[0] != now[0] else []
    return lines + of_texts('output', was[1], now[1]) + of_texts('messages', was[2], now[2])


class Shown:
    """The first differences, a few of each group, and how many more there are."""

    def __init__(self, at_most):
        self.at_most, self.of_group, self.more = at_most, collections.Counter(), collections.Counter()

    def add(self, case, lines):
        self.of_group[case.group] += 1
        if sum(self.of_group.values()) - sum(self.more.values()) > self.at_most or self.of_group[case.group] > max(1, self.at_most // 3):
            self.more[case.group] += 1
            return
        print(f'\n{case.name}\n  ringside {" ".join(case.argv)}')
        print('\n'.join(f'  {line}' for line in lines))

    def end(self):
        if self.of_group:
            print()
        for group, nr in sorted(self.more.items()):
            print(f'and {nr} more of {group} (--only to see them, --show N for more of them)')
