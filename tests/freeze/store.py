# SPDX-License-Identifier: GPL-2.0-or-later
"""store - what a program printed, kept in a folder: an index, and each text once, in one file for zstd"""
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile

from cases import Case
from program import Program, in_parallel


def agreed(program, case):
    """What two of three runs print: a screen may be drawn at another moment in one of them."""
    first = program.output(case)
    if not case.screen:
        return first
    second = program.output(case)
    if first == second:
        return first
    three = [first, second, program.output(case)]
    return max(three, key=three.count)


def take(program, cases, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    places, index, offset = {}, [], 0
    with open(folder / 'texts.zst', 'wb') as out, \
            subprocess.Popen(['zstd', '-q', '-3', '-c'], stdin=subprocess.PIPE, stdout=out) as zstd:
        for case, (status, *texts) in zip(cases, in_parallel(lambda case: agreed(program, case), cases)):
            for text in texts:
                digest = hashlib.sha256(text).hexdigest()
                if digest not in places:
                    places[digest] = (offset, len(text))
                    zstd.stdin.write(text)
                    offset += len(text)
            index.append([case, status, *(hashlib.sha256(text).hexdigest() for text in texts)])
        zstd.stdin.close()
        if zstd.wait():
            raise ValueError('zstd failed')
    (folder / 'index.json').write_text(json.dumps({'places': places, 'cases': index}))


class Taken:
    """Answers as the program did of which it was taken."""

    def __init__(self, path):
        index = json.loads((pathlib.Path(path) / 'index.json').read_text())
        self.places = index['places']
        self.index = {}
        for (name, group, recording, argv, environment, screen), *rest in index['cases']:
            case = Case(name, group, recording, tuple(argv), tuple(map(tuple, environment)), screen)
            self.index[case] = rest
        self.texts = tempfile.TemporaryFile()
        subprocess.run(['zstd', '-q', '-d', '-c', pathlib.Path(path) / 'texts.zst'], stdout=self.texts, check=True)

    def cases(self, names):
        return [case for case in self.index if case.recording in names or not case.recording.count('.')]

    def output(self, case):
        status, *digests = self.index[case]
        return (status, *(os.pread(self.texts.fileno(), length, offset)
                          for offset, length in map(self.places.get, digests)))


def open_source(path):
    """What is compared with: a folder that was taken, or a program."""
    return Taken(path) if os.path.isdir(path) else Program(path)
