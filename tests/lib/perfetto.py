#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perfetto.py FILE [--raw OUT] - reads a Perfetto trace strictly, and prints what is in it as JSON
perfetto.py --serve            likewise each file that a line of its input names; a line for each, which begins with that name

Independent of the program's code: the messages and their fields are listed here once more, by Perfetto's definitions, and a
field that is not listed is an error. Of what readers require is checked: sequences and interned numbers, tracks, nesting,
flows, order, UTF-8. --raw writes the packets without their compression, for protoc --decode_raw.
"""
import collections
import json
import re
import sys
import zlib

INT, FIXED, TEXT, PACKED = 'int', 'fixed64', 'text', 'packed'

IID_TEXT = {1: ('iid', INT), 2: ('text', TEXT)}
MESSAGES = {
    'Trace': {1: ('packet', 'Packet')},
    'Packet': {1: ('ftrace_events', 'Bundle'), 2: ('process_tree', 'Tree'), 6: ('clock_snapshot', 'Snapshot'), 8: ('timestamp', INT),
               10: ('sequence', INT), 11: ('track_event', 'TrackEvent'), 12: ('interned', 'Interned'), 13: ('flags', INT),
               34: ('ftrace_stats', 'Stats'), 45: ('system_info', 'System'), 50: ('compressed', 'bytes'),
               60: ('track', 'Track'), 66: ('perf_sample', 'Sample'), 87: ('first', INT), 98: ('machine_id', INT)},
    'Bundle': {1: ('cpu', INT), 2: ('event', 'Event'), 3: ('lost_events', INT), 4: ('compact', 'Compact')},
    'Compact': {1: ('switch_ts', PACKED), 2: ('switch_state', PACKED), 3: ('switch_pid', PACKED), 4: ('switch_prio', PACKED),
                5: ('names', TEXT), 6: ('switch_comm', PACKED), 7: ('waking_ts', PACKED), 8: ('waking_pid', PACKED),
                9: ('waking_cpu', PACKED), 10: ('waking_prio', PACKED), 11: ('waking_comm', PACKED), 12: ('waking_flags', PACKED)},
    'Event': {1: ('timestamp', INT), 2: ('pid', INT), 4: ('sched_switch', 'Switch'), 11: ('cpu_frequency', 'Power'),
              13: ('cpu_idle', 'Power'), 17: ('sched_wakeup', 'Waking'), 18: ('sched_blocked_reason', 'Reason'), 20: ('sched_waking', 'Waking'),
              24: ('softirq_entry', 'Softirq'), 25: ('softirq_exit', 'Softirq'), 36: ('irq_handler_entry', 'IrqEntry'),
              37: ('irq_handler_exit', 'IrqExit'), 235: ('task_newtask', 'Newtask'), 236: ('task_rename', 'Rename'),
              237: ('sched_process_exec', 'Exec'), 238: ('sched_process_exit', 'Exit'), 239: ('sched_process_fork', 'Fork'),
              240: ('sched_process_free', 'Free'), 546: ('block_io_start', 'BlockIo'), 547: ('block_io_done', 'BlockIo')},
    'Switch': {1: ('prev_comm', TEXT), 2: ('prev_pid', INT), 3: ('prev_prio', INT), 4: ('prev_state', INT), 5: ('next_comm', TEXT),
               6: ('next_pid', INT), 7: ('next_prio', INT)},
    'Waking': {1: ('comm', TEXT), 2: ('pid', INT), 3: ('prio', INT), 5: ('target_cpu', INT)},
    'BlockIo': {1: ('dev', INT), 2: ('sector', INT), 3: ('nr_sector', INT), 4: ('bytes', INT), 6: ('rwbs', TEXT)},
    'Reason': {1: ('pid', INT), 2: ('caller', INT), 3: ('io_wait', INT)},
    'Power': {1: ('state', INT), 2: ('cpu_id', INT)},
    'Softirq': {1: ('vec', INT)}, 'IrqEntry': {1: ('irq', INT), 2: ('name', TEXT)}, 'IrqExit': {1: ('irq', INT), 2: ('ret', INT)},
    'Newtask': {1: ('pid', INT), 2: ('comm', TEXT), 3: ('clone_flags', INT), 4: ('oom_score_adj', INT)},
    'Rename': {1: ('pid', INT), 2: ('oldcomm', TEXT), 3: ('newcomm', TEXT), 4: ('oom_score_adj', INT)},
    'Exec': {1: ('filename', TEXT), 2: ('pid', INT), 3: ('old_pid', INT)},
    'Exit': {1: ('comm', TEXT), 2: ('pid', INT), 4: ('prio', INT)}, 'Free': {1: ('comm', TEXT), 2: ('pid', INT), 3: ('prio', INT)},
    'Fork': {1: ('parent_comm', TEXT), 2: ('parent_pid', INT), 3: ('child_comm', TEXT), 4: ('child_pid', INT)},
    'Stats': {1: ('phase', INT), 2: ('cpu_stats', 'CpuStats')}, 'CpuStats': {1: ('cpu', INT), 3: ('overrun', INT)},
    'System': {1: ('utsname', 'Utsname'), 8: ('num_cpus', INT)},
    'Utsname': {1: ('sysname', TEXT), 3: ('release', TEXT), 4: ('machine', TEXT)},
    'Snapshot': {1: ('clocks', 'Clock'), 2: ('primary', INT)}, 'Clock': {1: ('id', INT), 2: ('timestamp', INT)},
    'Tree': {1: ('processes', 'Process'), 2: ('threads', 'Thread')},
    'Process': {1: ('pid', INT), 2: ('ppid', INT), 3: ('cmdline', TEXT), 8: ('is_kthread', INT), 9: ('cmdline_is_comm', INT)},
    'Thread': {1: ('tid', INT), 2: ('name', TEXT), 3: ('tgid', INT)},
    'Track': {1: ('uuid', INT), 2: ('name', TEXT), 4: ('thread', 'TrackThread'), 5: ('parent', INT), 8: ('counter', 'Counter')},
    'TrackThread': {1: ('pid', INT), 2: ('tid', INT), 5: ('name', TEXT)}, 'Counter': {3: ('unit', INT)},
    'TrackEvent': {3: ('category_iids', INT), 4: ('annotations', 'Annotation'), 9: ('type', INT), 10: ('name_iid', INT),
                   11: ('uuid', INT), 22: ('categories', TEXT), 23: ('name', TEXT), 30: ('counter_value', INT),
                   47: ('flow_ids', FIXED), 48: ('terminating_flow_ids', FIXED), 56: ('callstack', INT)},
    'Annotation': {1: ('name_iid', INT), 3: ('uint', INT), 4: ('int', INT), 6: ('string', TEXT), 10: ('name', TEXT),
                   17: ('string_iid', INT)},
    'Interned': {1: ('categories', 'Text'), 2: ('names', 'Text'), 3: ('annotation_names', 'Text'), 5: ('functions', 'Text'),
                 6: ('frames', 'Frame'), 7: ('callstacks', 'Callstack'), 17: ('paths', 'Text'), 19: ('mappings', 'Mapping'),
                 26: ('kernel_symbols', 'Text'), 29: ('strings', 'Text')},
    'Text': IID_TEXT,
    'Frame': {1: ('iid', INT), 2: ('function', INT), 3: ('mapping', INT), 4: ('rel_pc', INT)},
    'Mapping': {1: ('iid', INT), 7: ('paths', INT)}, 'Callstack': {1: ('iid', INT), 2: ('frames', INT)},
    'Sample': {1: ('cpu', INT), 2: ('pid', INT), 3: ('tid', INT), 4: ('callstack', INT), 5: ('mode', INT)},
}
REPEATED = {'packet', 'event', 'names', 'cpu_stats', 'clocks', 'processes', 'threads', 'cmdline', 'annotations', 'categories',
            'annotation_names', 'functions', 'frames', 'callstacks', 'paths', 'mappings', 'strings', 'kernel_symbols', 'category_iids', 'flow_ids',
            'terminating_flow_ids'}
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


class Wrong(Exception):
    pass


def need(holds, *why):
    if not holds:
        raise Wrong(' '.join(str(w) for w in why))


def varint(data, at):
    value = shift = 0
    while True:
        need(at < len(data) and shift < 70, 'a number that does not end')
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            need(value < 1 << 64, 'a number of more than 64 bits')
            return value, at


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def decode(data, message):
    """A message as a dict by the names of its fields; all of its fields are known, of their type and in their number."""
    at, out, fields = 0, {}, MESSAGES[message]
    while at < len(data):
        tag, at = varint(data, at)
        need(tag >> 3 in fields, f'{message}: unknown field {tag >> 3}')
        name, kind = fields[tag >> 3]
        need(tag & 7 == {INT: 0, FIXED: 1}.get(kind, 2), f'{message}.{name}: wire type {tag & 7}')
        if kind == INT:
            value, at = varint(data, at)
        else:
            size = 8
            if kind != FIXED:
                size, at = varint(data, at)
            need(at + size <= len(data), f'{message}.{name} ends beyond its message')
            value, at = data[at:at + size], at + size
            if kind == FIXED:
                value = int.from_bytes(value, 'little')
            elif kind == TEXT:
                value = value.decode('utf-8')
            elif kind == PACKED:
                value = packed(value)
            elif kind != 'bytes':
                value = decode(value, kind)
        if name in REPEATED and (message, name) not in {('Interned', 'x')}:
            out.setdefault(name, []).append(value)
        else:
            need(name not in out, f'{message}.{name} twice')
            out[name] = value
    return out


def packets_of(data, raw=None):
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        need(tag == 10, 'no packet', tag)
        size, at = varint(data, at)
        need(at + size <= len(data), 'a packet ends beyond the file')
        packet = decode(data[at:at + size], 'Packet')
        at += size
        if 'compressed' not in packet:
            yield packet
            continue
        need(len(packet) == 1, 'a compressed packet with', list(packet))
        need(size < 512 << 10, 'compressed packets of', size)
        inflated = zlib.decompress(packet['compressed'])
        if raw:
            raw.write(inflated)
        yield from packets_of(inflated)


class Sequence:
    def __init__(self):
        self.interned = collections.defaultdict(dict)

    def define(self, data):
        for table, rows in data.items():
            for row in rows:
                iid = row.pop('iid', 0)
                need(iid, f'{table}: number 0')
                need(self.interned[table].get(iid, row) == row, f'{table}: {iid} has two meanings')
                self.interned[table][iid] = row
        for row in data.get('mappings', []):
            need(all(p in self.interned['paths'] for p in row['paths']), 'a mapping of an unknown path')
        for row in data.get('frames', []):
            need(row['function'] in self.interned['functions'], 'a frame of an unknown function')
            need(row['mapping'] in self.interned['mappings'] and 'rel_pc' in row, 'a frame of an unknown mapping')
        for row in data.get('callstacks', []):
            need(all(f in self.interned['frames'] for f in row.get('frames', [])), 'a call stack of an unknown frame')

    def text(self, table, iid):
        need(iid in self.interned[table], f'{table}: {iid} is not defined')
        return self.interned[table][iid]['text']


class Trace:
    def __init__(self, data, raw=None):
        self.sequences, self.tracks, self.events = {}, {}, []
        self.flows = collections.defaultdict(list)
        self.cpus = collections.defaultdict(list)       # (machine, cpu): (ts, what, value)
        self.count = collections.Counter()
        self.lost, self.processes, self.clocks, self.facts, self.samples, self.systems = {}, {}, [], {}, [], []
        self.counters = {}                              # the last value of each
        self.functions = collections.Counter()          # that tasks wait in
        self.order, self.said = 0, []                   # said: (ts, order, what, packet) of processes, threads and samples
        for packet in packets_of(data, raw):
            self.order += 1
            self.take(packet)
        need(self.order, 'no packet')
        self.check_tracks()
        self.check_cpus()
        self.check_requests()

    def take(self, packet):
        number = packet.get('sequence')
        need(number, 'a packet without a sequence')
        need(packet.get('timestamp', 0) < 1 << 63, 'a time beyond 63 bits', packet)
        if number not in self.sequences:
            need(packet.get('flags') == 1 and packet.get('first') == 1, 'a sequence does not begin with cleared state')
            self.sequences[number] = Sequence()
        else:
            need('flags' not in packet and 'first' not in packet, 'a sequence begins twice')
        sequence = self.sequences[number]
        sequence.define(packet.get('interned', {}))
        data = [n for n in packet if n not in ('timestamp', 'sequence', 'machine_id', 'flags', 'first', 'interned')]
        if not data:
            need('interned' in packet and 'timestamp' not in packet, 'an empty packet')
            return
        need(len(data) == 1 and 'timestamp' in packet, 'a packet with', list(packet))
        getattr(self, 'take_' + data[0])(packet, packet[data[0]], sequence)

    def take_ftrace_events(self, packet, bundle, sequence):
        rows = self.cpus[packet.get('machine_id', 0), bundle['cpu']]
        self.count['lossy bundles'] += bundle.get('lost_events', 0)
        compact = bundle.get('compact', {})
        for what, columns in (('switch', ('state', 'pid', 'prio', 'comm')), ('waking', ('pid', 'cpu', 'prio', 'comm', 'flags'))):
            times, ts = compact.get(what + '_ts', []), 0
            cells = [compact.get(f'{what}_{c}', []) for c in columns]
            need(all(len(c) == len(times) for c in cells), f'{what}: columns of different lengths')
            for i, delta in enumerate(times):
                ts = (ts + delta) % (1 << 64)
                row = dict(zip(columns, (c[i] for c in cells)))
                need(row['comm'] < len(compact.get('names', [])), 'a name that is not interned')
                row['comm'] = compact['names'][row['comm']]
                rows.append((ts, self.order, what, row))
        for event in bundle.get('event', []):
            names = [n for n in event if n not in ('timestamp', 'pid')]
            need(len(names) == 1 and 'timestamp' in event and 'pid' in event, 'an event with', names)
            rows.append((event['timestamp'], self.order, names[0], {'by': event['pid'], **event[names[0]]}))
            if event.get('sched_blocked_reason', {}).get('caller'):
                self.functions[sequence.text('kernel_symbols', event['sched_blocked_reason']['caller'])] += 1
            self.count[names[0]] += 1

    def take_process_tree(self, packet, tree, sequence):
        for process in tree.get('processes', []):
            need(process['pid'] > 0 and len(process['cmdline']) == 1 and process['cmdline'][0], 'a process without a name', process)
        for thread in tree.get('threads', []):
            need(thread['tid'] > 0 and thread['tgid'] > 0, 'a thread', thread)
            self.processes[thread['tid']] = thread['tgid']
        self.said.append((packet['timestamp'], self.order, 'tree', tree))

    def take_clock_snapshot(self, packet, snapshot, sequence):
        self.clocks.append({c['id']: c['timestamp'] for c in snapshot['clocks']})
        need(6 in self.clocks[-1] and len(self.clocks[-1]) == len(snapshot['clocks']), 'the clocks', snapshot)

    def take_system_info(self, packet, system, sequence):
        self.systems.append({**system['utsname'], 'cpus': system['num_cpus']})

    def take_ftrace_stats(self, packet, stats, sequence):
        if stats['phase'] == 2:
            self.lost.update({str(c['cpu']): c['overrun'] for c in stats['cpu_stats'] if c['overrun']})

    def take_perf_sample(self, packet, sample, sequence):
        need(sample['callstack'] in sequence.interned['callstacks'], 'a sample of an unknown call stack')
        need(sample['pid'] > 0 and sample['tid'] > 0 and sample['mode'] in (1, 2), 'a sample', sample)
        self.said.append((packet['timestamp'], self.order, 'sample', sample))
        stack = sequence.interned['callstacks'][sample['callstack']].get('frames', [])
        self.samples.append([sequence.text('functions', sequence.interned['frames'][f]['function']) for f in stack])

    def take_track(self, packet, track, sequence):
        need(track['uuid'] not in self.tracks, 'a track is defined twice', track)
        need('parent' not in track or track['parent'] in self.tracks, 'a track of an unknown parent', track)
        if 'thread' in track:
            need(track['thread']['pid'] > 0 and track['thread']['tid'] > 0, 'a thread', track)
        need(track['uuid'] and ('name' in track or 'thread' in track), 'a track', track)
        self.said.append((packet['timestamp'], self.order, 'track', track))
        self.tracks[track['uuid']] = {'since': packet['timestamp'], **track}

    def thread_since(self, track):
        """Readers make another thread of what is earlier than the thread that a track is, or is under."""
        while 'thread' not in track and 'parent' in track:
            track = self.tracks[track['parent']]
        return track['since'] if 'thread' in track else 0

    def take_track_event(self, packet, event, sequence):
        kind = event['type']
        track = self.tracks.get(event['uuid'])
        need(track, 'an event on an unknown track', event)
        need(packet['timestamp'] >= self.thread_since(track), 'an event before its thread began', event)
        need(('counter' in track) == (kind == COUNTER) == ('counter_value' in event), 'a counter', event)
        categories = [sequence.text('categories', c) for c in event.get('category_iids', [])] + event.get('categories', [])
        name = sequence.text('names', event['name_iid']) if 'name_iid' in event else event.get('name')
        need((kind in (BEGIN, INSTANT)) == (len(categories) == 1) == bool(name), 'a name or category', event)
        need('callstack' not in event or event['callstack'] in sequence.interned['callstacks'], 'a slice of an unknown call stack')
        self.count['slices with a stack'] += 'callstack' in event
        annotations = {}
        for a in event.get('annotations', []):
            key = sequence.text('annotation_names', a['name_iid']) if 'name_iid' in a else a['name']
            values = [sequence.text('strings', v) if n == 'string_iid' else signed(v) if n == 'int' else v
                      for n, v in a.items() if n not in ('name', 'name_iid')]
            need(len(values) == 1 and key not in annotations, 'an annotation', a)
            annotations[key] = values[0]
        row = {'ts': packet['timestamp'], 'order': self.order, 'kind': kind, 'uuid': event['uuid'], 'name': name,
               'cat': categories[0] if categories else None, 'args': annotations}
        self.events.append(row)
        if kind == COUNTER:
            self.counters[event['uuid']] = signed(event['counter_value'])
        self.count[{BEGIN: 'begin', END: 'end', INSTANT: 'instant', COUNTER: 'counter'}[kind]] += 1
        if categories:
            self.count[f'{categories[0]} {"slices" if kind == BEGIN else "instants"}'] += 1
        if name == 'recording' and categories == ['ringside']:
            self.facts = annotations
        for ids, ends in (('flow_ids', False), ('terminating_flow_ids', True)):
            for flow in event.get(ids, []):
                self.flows[flow].append((packet['timestamp'], self.order, ends))

    def check_tracks(self):
        """As readers do: by time, those of equal time by their order in the file."""
        open_slices, begun, ends = collections.defaultdict(list), collections.defaultdict(list), {}
        for e in self.events: # what belongs together stands together
            if e['kind'] == BEGIN:
                begun[e['uuid']].append(e['order'])
            elif e['kind'] == END:
                ends[e['order']] = begun[e['uuid']].pop()
        for e in sorted(self.events, key=lambda e: (e['ts'], e['order'])):
            stack = open_slices[e['uuid']]
            if e['kind'] == BEGIN:
                stack.append(e)
            elif e['kind'] == END:
                need(stack, 'an end without a begin', e)
                begin = stack.pop()
                begin['end'] = e['ts']
                need(begin['order'] == ends.get(e['order']), 'a slice is ended by the end of another', begin, e)
        self.count['open'] = sum(len(s) for s in open_slices.values())
        for flow, ends in self.flows.items():
            ends.sort()
            need(len(ends) > 1 and [e[2] for e in ends] == [False] * (len(ends) - 1) + [True], 'flow', flow, ends)

    def letter(self, bits):
        """Of a prev_state: what bits mean follows from the kernel's release, and if that is not known, it is 4.4."""
        known = re.fullmatch(r'(\d+)\.(\d+)(\..*)?', self.systems[0].get('release', '') if self.systems else '')
        version = (int(known[1]), int(known[2])) if known else (4, 4)
        names = dict(zip((1, 2, 4, 8, 16, 32), 'SDTtXZ'))
        names.update({0x40: 'P', 0x80: 'I', 0x100: 'R+'} if version >= (4, 14) else
                     {0x40: 'x', 0x80: 'K', 0x100: 'W', 0x200: 'P', 0x400: 'N', 0x1000 if version >= (4, 8) else 0x800: 'R+'})
        return ''.join(name for bit, name in names.items() if bits & bit).replace('DN', 'I') or 'R'

    def check_requests(self):
        """Each that began has ended, and no other."""
        rows = sorted((ts, what == 'block_io_start', row['dev'], row['sector']) for of in self.cpus.values() for ts, _, what, row in of
                      if what.startswith('block_io_'))
        is_open = collections.Counter()
        for ts, begins, dev, sector in sorted(rows, key=lambda r: (r[0], not r[1])):
            is_open[dev, sector] += 1 if begins else -1
            need(is_open[dev, sector] >= 0, 'a request ended that did not begin', ts, dev, sector)
        need(not any(is_open.values()), 'requests have not ended', +is_open)

    def check_cpus(self):
        self.runs, self.ends = [], []
        for (machine, cpu), rows in self.cpus.items():
            running = None
            for ts, order, what, row in sorted(rows, key=lambda r: (r[0], r[1])):
                if what in ('sched_switch', 'switch'):
                    self.ends.append((ts, cpu, self.letter(row['prev_state' if what == 'sched_switch' else 'state'])))
                if what == 'sched_switch':
                    need(running is None, f'CPU {cpu}: a switch in full that is not the first')
                    running = row['next_pid']
                    self.runs.append((ts, cpu, running, row['next_comm']))
                elif what == 'switch':
                    need(running is not None, f'CPU {cpu}: a compact switch is the first, which readers drop')
                    need(running or row['pid'], f'CPU {cpu}: from idle to idle at {ts}')
                    running = row['pid']
                    self.runs.append((ts, cpu, running, row['comm']))
                elif what in ('waking', 'sched_waking'):
                    self.count['wakings'] += 1
        self.count['switches to tasks'] = sum(1 for r in self.runs if r[2])

    def summary(self):
        slices = [{'name': e['name'], 'cat': e['cat'], 'ts': e['ts'], 'dur': e.get('end', e['ts']) - e['ts'], 'open': 'end' not in e,
                   'track': self.name_of(e['uuid']), 'args': e['args']} for e in self.events if e['kind'] == BEGIN]
        return {'packets': self.order, 'count': self.count, 'lost': self.lost, 'facts': self.facts, 'clocks': self.clocks,
                'flows': len(self.flows), 'tracks': len(self.tracks), 'samples': len(self.samples), 'systems': self.systems, 'functions': self.functions,
                'fault counts': sum(v for uuid, v in self.counters.items() if self.tracks[uuid]['name'] in ('fault count', 'kernel-fault count')),
                'slices': slices, 'runs': sorted(self.runs), 'ends': sorted(self.ends), 'stacks': self.samples[:100],
                'instants': [{'name': e['name'], 'cat': e['cat'], 'ts': e['ts'], 'track': self.name_of(e['uuid'])}
                             for e in self.events if e['kind'] == INSTANT]}

    def name_of(self, uuid):
        track = self.tracks[uuid]
        return f'{track["thread"]["pid"]}/{track["thread"]["tid"]}' if 'thread' in track else track['name']


def serve():
    for line in sys.stdin:
        path = line.rstrip('\n')
        try:
            with open(path, 'rb') as file:
                answer = json.dumps(Trace(file.read(), None).summary())
        except (Wrong, KeyError, UnicodeDecodeError, zlib.error) as e:
            answer = f'{type(e).__name__}: {e}'.replace('\n', ' ')
        print(path, answer, flush=True)
    return 0


def main(argv):
    if argv[1:] == ['--serve']:
        return serve()
    raw = open(argv[3], 'wb') if len(argv) == 4 and argv[2] == '--raw' else None
    try:
        with open(argv[1], 'rb') as file:
            trace = Trace(file.read(), raw)
    except (Wrong, KeyError, UnicodeDecodeError, zlib.error) as e:
        print(f'{argv[1]}: {type(e).__name__}: {e}', file=sys.stderr)
        return 1
    json.dump(trace.summary(), sys.stdout)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
