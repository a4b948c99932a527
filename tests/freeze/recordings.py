# SPDX-License-Identifier: GPL-2.0-or-later
"""recordings - those at hand, under short names in one folder, so that no path is in what is printed"""
import hashlib
import lzma
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ('.dat', '.data', '.html', '.pftrace', '.txt')

# A host and its guest on one clock (see tests/cli/machines.sh), of recordings of tests/traces.
MACHINES = {'host.dat': ('debian-6.1-amd64-v6.dat', 'trace_id=5', 'guest=web,77,2', 'tsc2nsec=3,1,0'),
            'guest.dat': ('debian-5.10-amd64-v6.dat', 'trace_id=77', 'host_id=5', 'tsc2nsec=3,1,0',
                          'time_shift=1:0,-25000000000,1,0/0,-24999999000,1,0')}


def folders(more):
    own = ROOT / 'tests/traces'
    shared = [ROOT.parent / 'shared/traces', ROOT.parent / 'shared/traces/outside']
    return [folder for folder in (own, *shared, *map(pathlib.Path, more)) if folder.is_dir()]


def lay_out(folder, more):
    """Puts each recording into the folder, once though it lies in several places; returns the names."""
    names, seen = [], set()
    for source in folders(more):
        for path in sorted(source.iterdir()):
            name = path.name.removesuffix('.xz')
            if pathlib.Path(name).suffix not in KINDS or not path.is_file():
                continue
            data = lzma.decompress(path.read_bytes()) if path.suffix == '.xz' else path.read_bytes()
            digest = hashlib.sha256(data).digest()
            if digest in seen or name in names:
                continue
            seen.add(digest)
            names.append(name)
            (folder / name).write_bytes(data)
    for name, (source, *options) in MACHINES.items():
        subprocess.run([sys.executable, ROOT / 'tests/lib/put_options.py', ROOT / 'tests/traces' / source,
                        folder / name, *options], check=True)
    return names
