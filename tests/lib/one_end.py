#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""one_end.py IN OUT LOCAL REMOTE - a recording of both ends of connections, as if the machine had that of LOCAL alone

The ends of REMOTE, in events and in what was looked up, get another address, so that they are of other connections.
Addresses are IPv4, as long as "10.9.0.9". Plain trace.dat files alone.
"""
import re
import socket
import sys

source, to, local, remote = sys.argv[1:]
OTHER = "10.9.0.9"
addr = {a: socket.inet_aton(a) for a in (local, remote, OTHER)}
mapped = bytes(10) + b"\xff\xff"
with open(source, "rb") as f:
    data = f.read()
data = data.replace(addr[remote] + addr[local], addr[OTHER] + addr[local])
data = data.replace(mapped + addr[remote] + mapped + addr[local], mapped + addr[OTHER] + mapped + addr[local])
data = re.sub(rb"%s(:\d+->%s:)" % (re.escape(remote.encode()), re.escape(local.encode())), OTHER.encode() + rb"\1", data)
with open(to, "wb") as f:
    f.write(data)
