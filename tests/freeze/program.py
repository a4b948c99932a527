# SPDX-License-Identifier: GPL-2.0-or-later
"""program - runs command lines of one program, each in the same surroundings"""
import concurrent.futures
import os
import re

import cases

ENVIRONMENT = {'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'HOME': '/nonexistent',
               'XDG_CONFIG_HOME': '/nonexistent', 'TERM': 'xterm-256color', 'LINES': '24', 'COLUMNS': '120'}
# What a program says of its own cost on screens, and nothing else, is another one in each run.
OWN_COST = re.compile(rb'own +[0-9.]+% +[0-9.]+[KMG]?i?B|own +[0-9.]+%')


def in_parallel(function, values):
    """The results in the order of the values. Screens wait more than they work: two for each CPU."""
    with concurrent.futures.ThreadPoolExecutor(2 * os.cpu_count()) as pool:
        yield from pool.map(function, values)


class Program:
    """The program works in the folder of its caller: where the recordings are."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        if not os.access(self.path, os.X_OK):
            raise ValueError(f'{path}: no program')

    def cases(self, names):
        return cases.all_of(self, names)

    def output(self, case):
        """Exit status, standard output and messages."""
        out, messages = (os.memfd_create(name) for name in ('out', 'messages'))
        nothing = os.open(os.devnull, os.O_RDONLY)
        actions = [(os.POSIX_SPAWN_DUP2, nothing, 0), (os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, messages, 2)]
        try:
            pid = os.posix_spawn(self.path, [self.path, *case.argv], {**ENVIRONMENT, **dict(case.environment)}, file_actions=actions)
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            return status, OWN_COST.sub(b'own #', read(out)) if case.screen else read(out), read(messages)
        finally:
            for fd in (out, messages, nothing):
                os.close(fd)


def read(fd):
    size = os.fstat(fd).st_size
    return os.pread(fd, size, 0) if size else b''
