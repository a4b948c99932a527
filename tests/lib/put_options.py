# SPDX-License-Identifier: GPL-2.0-or-later
"""put_options.py IN OUT OPTION... - options put into a trace.dat of version 6, in the room that its CPUSTAT options take

	tsc2nsec=MULT,SHIFT,OFFSET  offset=NS  trace_id=ID  guest=NAME,ID,NR_CPUS[,TID/TID...]
	time_shift=FLAGS:TIME,OFFSET,SCALING,FRACTION/...   each sample, of one CPU each, or with
	time_shift_cpus=NR                                  all of them of each of NR CPUs
"""
import struct
import sys

source, target = sys.argv[1], sys.argv[2]
given = [a.split("=", 1) for a in sys.argv[3:]]
wanted = dict(given)
data = bytearray(open(source, "rb").read())
order = ">" if data[12] else "<"


def pack(layout, *values):
    return struct.pack(order + layout, *values)


def time_shift(text):
    flags, samples = text.split(":")
    samples = [tuple(map(int, s.split(","))) for s in samples.split("/")]
    nr = wanted.get("time_shift_cpus")
    cpus = [samples] * int(nr) if nr else [[s] for s in samples]
    out = pack("QII", int(wanted.get("host_id", "5")), int(flags), len(cpus))
    for cpu in cpus:
        out += pack("I", len(cpu))
        for field in (0, 1, 2):
            out += b"".join(pack("q", s[field]) for s in cpu)
    for cpu in cpus:
        out += b"".join(pack("q", s[3]) for s in cpu)
    return out


def guest(text):
    name, trace_id, nr, *tids = text.split(",")
    tids = list(map(int, tids[0].split("/"))) if tids else range(1000, 1000 + int(nr))
    return name.encode() + b"\0" + pack("QI", int(trace_id), int(nr)) + b"".join(
        pack("II", cpu, tids[cpu]) for cpu in range(int(nr)))


makers = {
    "tsc2nsec": (14, lambda t: pack("IIQ", *map(int, t.split(",")))),
    "offset": (7, lambda t: t.encode() + b"\0"),
    "trace_id": (11, lambda t: pack("Q", int(t))),
    "guest": (13, guest),
    "time_shift": (12, time_shift),
}
new = b""
for name, text in given:
    if name in makers:
        number, make = makers[name]
        body = make(text)
        new += pack("HI", number, len(body)) + body

at = data.index(b"options  \0") + 10
begin = end = None
while True:
    number, = struct.unpack_from(order + "H", data, at)
    if not number:
        break
    length, = struct.unpack_from(order + "I", data, at + 2)
    if number == 11 and "trace_id" in wanted:  # the one that the file had goes
        struct.pack_into(order + "H", data, at, 9)
    if number == 2 and end in (None, at):
        begin = at if begin is None else begin
        end = at + 6 + length
    at += 6 + length
room = end - begin - len(new) - 6
if room < 0:
    sys.exit("%s: no room for %d bytes of options" % (source, len(new)))
data[begin:end] = new + pack("HI", 2, room) + b" " * room
open(target, "wb").write(data)
