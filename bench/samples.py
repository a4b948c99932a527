# SPDX-License-Identifier: GPL-2.0-or-later
"""samples - what samples cost: of a recording of 100,000 with 20 frames each, as docs/trace-dat.md has them; live, on all CPUs"""
import json
import os
import random
import re
import struct
import tempfile
import zlib

from live import Traced
from offline import SHORT
from yardstick import ROUNDS, Run, ratios, rounds

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


# The same number of steps on each CPU, in every run.
BURN = 'import os\nfor _ in range(%d):\n if not os.fork():\n  sum(i * i for i in range(12000000))\n  os._exit(0)\n' \
       'while True:\n try:\n  os.wait()\n except ChildProcessError:\n  break\n'


def live(report, tools):
    """How long a fixed load on all CPUs takes, beside a recording of the same events without samples: whatever uses a CPU delays it.
    Symbols are read after it."""
    report.title(f'samples: 99 a second on {os.cpu_count()} busy CPUs, {ROUNDS} rounds')
    work = ['python3', '-c', BURN % os.cpu_count()]
    begin = [tools.ringside, 'record', '-o', f'{tools.dir}/sampled.dat']
    tracers = {'without': begin, 'sampled': [*begin, '--samples=99']}
    results = rounds({name: lambda argv=argv: Traced(tools, [*argv, '--'], work, keep=True) for name, argv in tracers.items()})
    report.right('samples: every run ended well', all(t.ok for runs in results.values() for t in runs))
    counts = [re.search(r'(\d+) samples of \S+ (\d+) lost', t.run.out) for t in results['sampled']]
    report.right('samples: 0 lost', all(c and int(c[1]) > 0 and c[2] == '0' for c in counts), str([c and c[1] for c in counts]))
    report.held('  the load, beside no samples', ratios(results, 'sampled', 'without', lambda t: t.work_s), 1.01)
    os.unlink(f'{tools.dir}/sampled.dat')


def run(report, tools):
    if tools.may_trace:
        live(report, tools)
    else:
        report.skip('samples, live', 'no right to trace')
    report.title('samples: 100,000 of 20 frames')
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/samples.dat'
        make_recording(path)
        argv = [tools.ringside, 'profile', '-i', path, '--json', '--by', 'function']
        out = Run(argv, keep=True).out.splitlines()
        meta = json.loads(out[-1])['_meta']
        named = sum(json.loads(line)['self'] for line in out[:-1] if json.loads(line)['function'].startswith('function_'))
        report.right('samples with names', meta['samples'] == NR and named == NR, f'{named} of {meta["samples"]}')
        runs = rounds({'named': lambda: Run(argv), 'counted': lambda: Run([*argv[:-1], 'pid']),
                       'events': lambda: Run([tools.ringside, 'cpus', '-i', path, '--json'])})
        report.held('profile -i FILE, CPU', [r.cpu_s for r in runs['named']], 1, ' s')
        report.held('  the engine, for each sample, without names',
                    [(a.cpu_s - b.cpu_s) / NR * 1e6 for a, b in zip(runs['counted'], runs['events'])], 2, ' us')
