#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""ctf.py FOLDER - a strict reader of what `export -f ctf` writes: prints JSON, or ends with what is wrong

It parses the metadata (the part of TSDL that the exporter uses), reads every packet of every stream by it to the last bit, and
checks what readers rely on: magic, uuid, order of packets and events, times inside of their packet, sizes, known ids, UTF-8.

    {"events": {"sched_switch": 12}, "lost": {"0": 94}, "packets": 3, "most": 65000, "last": 46215098490, "first": [...], "comms": [...], "clock": {...}, "env": {...}}
"""
import json
import os
import re
import struct
import sys

TOKEN = re.compile(r'\s+|/\*.*?\*/|("(?:[^"\\]|\\.)*"|:=|\.\.\.|[A-Za-z_][A-Za-z0-9_.]*|-?\d+|[{}\[\]<>=;:,()])', re.S)
KEYWORDS = set('align const char clock double enum env event floating_point float integer int long short signed stream string '
               'struct trace typealias typedef unsigned variant void _Bool _Complex _Imaginary callsite'.split())


def tokens(text):
    at = 0
    while at < len(text):
        m = TOKEN.match(text, at)
        assert m, f'metadata: what is {text[at:at + 40]!r}?'
        at = m.end()
        if m[1]:
            yield m[1]


class Parser:
    def __init__(self, text):
        self.tokens, self.at, self.types = list(tokens(text)), 0, {}

    def next(self, want=None):
        token = self.tokens[self.at]
        self.at += 1
        assert want is None or token == want, f'metadata: {token!r}, not {want!r}'
        return token

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def value(self):
        token = self.next()
        return json.loads(token) if token[0] == '"' else int(token) if re.match(r'-?\d+$', token) else token

    def pairs(self):
        """{ key = value; ... }"""
        out = {}
        self.next('{')
        while self.peek() != '}':
            key = self.next()
            self.next('=')
            assert key not in out, f'metadata: {key} twice'
            out[key] = self.value()
            self.next(';')
        self.next('}')
        return out

    def type(self):
        token = self.next()
        if token == 'integer':
            return ('integer', self.pairs())
        if token == 'string':
            assert self.pairs() == {'encoding': 'UTF8'}
            return ('string',)
        if token == 'struct':
            name = self.next() if self.peek() != '{' else None
            if self.peek() != '{':
                return self.types['struct ' + name]
            kind = ('struct', self.fields())
            if name:
                self.types['struct ' + name] = kind
            return kind
        if token == 'enum':
            self.next(':')
            of, ranges = self.type(), {}
            self.next('{')
            while True:
                label = self.next()
                self.next('=')
                low = high = int(self.next())
                if self.peek() == '...':
                    self.next()
                    high = int(self.next())
                ranges[label] = (low, high)
                if self.next() == '}':
                    return ('enum', of, ranges)
        if token == 'variant':
            self.next('<')
            tag = self.next()
            self.next('>')
            return ('variant', tag, dict(self.fields()))
        return self.types[token]

    def fields(self):
        out = []
        self.next('{')
        while self.peek() != '}':
            kind, name = self.type(), self.next()
            assert re.fullmatch(r'[A-Za-z_][A-Za-z0-9_]*', name) and name not in KEYWORDS, f'metadata: a field {name!r}'
            assert name not in [n for n, _ in out], f'metadata: field {name} twice'
            if self.peek() == '[':
                self.next()
                length = self.next()
                self.next(']')
                kind = ('array', int(length), kind) if length.isdigit() else ('sequence', length, kind)
            self.next(';')
            out.append((name, kind))
        self.next('}')
        if self.peek() == 'align':
            for want in 'align', '(', '8', ')':
                self.next(want)
        return out

    def all(self):
        """the blocks: [(name, {key: value or type})]"""
        blocks = []
        while self.peek():
            name = self.next()
            if name == 'typealias':
                kind = self.type()
                self.next(':=')
                self.types[self.next()] = kind
            elif name == 'struct':
                self.at -= 1
                self.type()
            else:
                block = {}
                self.next('{')
                while self.peek() != '}':
                    key = self.next()
                    block[key] = self.value() if self.next() == '=' else self.type()
                    self.next(';')
                self.next('}')
                blocks.append((name, block))
            self.next(';')
        return blocks


class Stream:
    def __init__(self, data, order):
        self.data, self.order, self.at, self.clock = data, order, 0, 0

    def read(self, kind, scope):
        what = kind[0]
        if what == 'integer':
            size = kind[1]['size'] // 8
            assert kind[1]['align'] == 8
            raw = self.data[self.at:self.at + size]
            assert len(raw) == size, 'a field ends behind the end of the file'
            self.at += size
            value = int.from_bytes(raw, self.order, signed=kind[1]['signed'] == 'true')
            if 'map' in kind[1]:
                if size == 4:
                    base = self.clock & ~0xffffffff | value
                    value = base + (1 << 32) * (base < self.clock)
                self.clock = value
            return value
        if what == 'string':
            end = self.data.index(b'\0', self.at)
            text = self.data[self.at:end].decode('utf-8')
            self.at = end + 1
            return text
        if what in ('array', 'sequence'):
            nr = kind[1] if what == 'array' else scope[kind[1]]
            if kind[2][1].get('encoding') == 'UTF8':
                raw = self.data[self.at:self.at + nr]
                self.at += nr
                raw.decode('utf-8')
                return raw.split(b'\0')[0].decode('utf-8')
            return [self.read(kind[2], scope) for _ in range(nr)]
        if what == 'struct':
            values = {}
            for name, of in kind[1]:
                values[name] = self.read(of, values)
            return values
        if what == 'enum':
            self.label = None
            value = self.read(kind[1], scope)
            for label, (low, high) in kind[2].items():
                if low <= value <= high:
                    self.label = label
            return value
        assert what == 'variant'
        return self.read(kind[2][self.label], scope)


def check(folder):
    text = open(os.path.join(folder, 'metadata'), 'rb').read().decode('utf-8')
    assert text.startswith('/* CTF 1.8 */'), 'no signature'
    blocks = Parser(text).all()
    by_name = {}
    for name, block in blocks:
        by_name.setdefault(name, []).append(block)
    trace, stream = by_name['trace'][0], by_name['stream'][0]
    order = {'le': 'little', 'be': 'big'}[trace['byte_order']]
    classes = {e['id']: e for e in by_name.get('event', [])}
    assert len(classes) == len(by_name.get('event', [])), 'one id for two events'
    out = {'events': {}, 'lost': {}, 'packets': 0, 'most': 0, 'last': 0, 'first': [], 'comms': set(), 'clock': by_name['clock'][0], 'env': by_name['env'][0]}
    for file in sorted(os.listdir(folder)):
        if file == 'metadata':
            continue
        cpu = int(re.fullmatch(r'channel0_(\d+)', file)[1])
        s = Stream(open(os.path.join(folder, file), 'rb').read(), order)
        last, lost, seq = 0, 0, 0
        while s.at < len(s.data):
            begin = s.at
            head = s.read(trace['packet.header'], {})
            assert head['magic'] == 0xC1FC1FC1 and head['stream_id'] == 0, 'no packet'
            assert bytes(head['uuid']).hex() == trace['uuid'].replace('-', ''), 'the uuid of another trace'
            s.clock = 0
            packet = s.read(stream['packet.context'], {})
            end = begin + packet['content_size'] // 8
            assert packet['cpu_id'] == cpu and packet['packet_seq_num'] == seq, (file, packet)
            assert packet['packet_size'] == packet['content_size'] and end <= len(s.data), (file, packet)
            assert packet['events_discarded'] >= lost, 'the number of lost events decreases'
            assert last <= packet['timestamp_begin'] <= packet['timestamp_end'], (file, packet, last)
            s.clock = last = packet['timestamp_begin']
            while s.at < end:
                header = s.read(stream['event.header'], {})
                number = header['v']['id'] if header['id'] == 65535 else header['id']
                context = s.read(stream['event.context'], {})
                assert number in classes, f'an unknown id {number}'
                fields = s.read(classes[number]['fields'], {})
                assert last <= s.clock <= packet['timestamp_end'], (file, 'time', last, s.clock, packet)
                last = s.clock
                name = classes[number]['name']
                out['events'][name] = out['events'].get(name, 0) + 1
                out['comms'].update(value for key, value in fields.items() if key.endswith('comm'))
                if name not in [e['event'] for e in out['first']]:
                    out['first'].append({'event': name, 'time': last, 'cpu': cpu, 'tid': context['_tid'],
                                         **{key[1:]: value for key, value in fields.items()}})
            assert s.at == end, 'an event ends behind the end of its packet'
            last, lost, seq = packet['timestamp_end'], packet['events_discarded'], seq + 1
            out['most'] = max(out['most'], s.at - begin)
            out['last'] = max(out['last'], last)
        out['packets'] += seq
        if lost:
            out['lost'][str(cpu)] = lost
    return {**out, 'comms': sorted(out['comms'])}


if __name__ == '__main__':
    try:
        print(json.dumps(check(sys.argv[1])))
    except (AssertionError, UnicodeDecodeError, KeyError, ValueError, IndexError) as wrong:
        raise SystemExit(f'{sys.argv[1]}: {type(wrong).__name__}: {wrong}')
