# SPDX-License-Identifier: GPL-2.0-or-later
"""samples - a recording of 100,000 samples with 20 frames each, as docs/trace-dat.md has them"""
import json
import random
import struct
import tempfile
import zlib

from offline import SHORT
from yardstick import ROUNDS, Run

NR, FRAMES = 100000, 20
PATH = b'/usr/bin/prog\0'


def record(i, ts_ns):
    """A sample of process 10: the outer frames are few, the inner ones many."""
    frames = [0x400000 + (k * 0x1000 if k < 12 else random.randrange(50) * 0x40 + k * 0x1000) for k in range(FRAMES)]
    body = struct.pack('<IIQIIQQ', 10, 10, ts_ns, i & 1, 0, 1000, FRAMES + 1)
    body += struct.pack(f'<Q{FRAMES}Q', 0xfffffffffffffe00, *reversed(frames))
    return struct.pack('<IHH', 9, 2, 8 + len(body)) + body


def parts():
    mapping = struct.pack('<iIQQQQB23x', 10, 0, 0x400000, 0x500000, 0, 1, 0)
    # a return address is looked up one byte before
    offsets = sorted({k * 0x1000 + j * 0x40 - back for k in range(FRAMES) for j in range(50) for back in (0, 1)} - {-1})
    text = PATH + b''.join(b'function_%06x\0' % offset for offset in offsets)
    symbols = b''.join(struct.pack('<QI', offset, len(PATH) + i * 16) for i, offset in enumerate(offsets))
    return [('samples', b''.join(record(i, 1000 + i) for i in range(NR))),
            ('mappings', struct.pack('<II', 1, len(PATH)) + PATH + mapping),
            ('symbols', struct.pack('<II', 1, len(text)) + text + struct.pack('<IiQB23xI', 0, 0, 1, 0, len(offsets)) + symbols)]


def make_recording(path):
    """The events are those of a short recording that has no trailer."""
    random.seed(1)
    with open(SHORT, 'rb') as short:
        data = short.read()
    sections = []
    for name, part in parts():
        sections.append([name, str(len(data)), str(len(part)), zlib.crc32(part)])
        data += part
    sampled = {'event': 'cpu-clock', 'hz': 99, 'sample_type': '422', 'samples': str(NR), 'lost': '0'}
    text = json.dumps({'version': 1, 'sampled': sampled, 'sections': sections}).encode()
    with open(path, 'wb') as out:
        out.write(data + text + struct.pack('<Q', len(text)) + b'RNGSIDE1')


def run(report, tools):
    report.title('samples: 100,000 of 20 frames')
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/samples.dat'
        make_recording(path)
        argv = [tools.ringside, 'profile', '-i', path, '--json', '--by', 'function']
        out = Run(argv, keep=True).out.splitlines()
        meta = json.loads(out[-1])['_meta']
        named = sum(json.loads(line)['self'] for line in out[:-1] if json.loads(line)['function'].startswith('function_'))
        report.right('samples with names', meta['samples'] == NR and named == NR, f'{named} of {meta["samples"]}')
        report.held('profile -i FILE, CPU', [Run(argv).cpu_s for _ in range(ROUNDS)], 1, ' s')
