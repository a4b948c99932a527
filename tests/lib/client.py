# SPDX-License-Identifier: GPL-2.0-or-later
"""client.py - a client of the protocol (docs/protocol.md) that is written from the document alone, and can misbehave

    c = Client(path)             connects and says hello; Client(path, hello=False): connects
    c.ask("state")               the answer, as a dict
    c.send(bytes) c.frame(dict)  raw bytes; a frame
    c.hear(seconds)              the next frame; None: the server has closed; raises Silence
    c.gone(seconds)              has the server closed the connection?
"""
import json
import socket
import struct
import time


class Silence(Exception):
    pass


class Client:
    def __init__(self, path, hello=True):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.buffer = b""
        self.id = 0
        self.events = []
        if hello:
            self.hello = self.ask("hello", protocol=2, name="test")

    def send(self, data, fds=()):
        if fds:
            socket.send_fds(self.socket, [data], list(fds))
        else:
            self.socket.sendall(data)

    def frame(self, message, fds=()):
        text = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.send(struct.pack(">I", len(text)) + text, fds)

    def begin(self, op, fds=(), **members):
        self.id += 1
        self.frame({"id": self.id, "op": op, **members}, fds)
        return self.id

    def hear(self, seconds=10):
        until = time.monotonic() + seconds
        while True:
            if len(self.buffer) >= 4:
                (length,) = struct.unpack(">I", self.buffer[:4])
                if len(self.buffer) >= 4 + length:
                    text, self.buffer = self.buffer[4:4 + length], self.buffer[4 + length:]
                    return json.loads(text)
            self.socket.settimeout(max(until - time.monotonic(), 0.001))
            try:
                data = self.socket.recv(1 << 16)
            except (TimeoutError, socket.timeout):
                raise Silence() from None
            except ConnectionResetError:
                return None
            if not data:
                return None
            self.buffer += data

    def answer(self, wanted, seconds=10):
        while True:
            said = self.hear(seconds)
            if said is None or said.get("id") == wanted:
                return said
            if "event" in said:
                self.events.append(said)

    def ask(self, op, fds=(), **members):
        return self.answer(self.begin(op, fds, **members))

    def gone(self, seconds=10):
        try:
            while self.hear(seconds) is not None:
                pass
            return True
        except Silence:
            return False

    def close(self):
        self.socket.close()
