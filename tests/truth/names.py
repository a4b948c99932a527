# SPDX-License-Identifier: GPL-2.0-or-later
"""names - what each task is called at each event, by what the events say; see reading.py

The last name that was told; before the first that is told in a life, that first.
None where no event tells one.
"""
import bisect
import re
from collections import defaultdict

import reading

OWN = re.compile(r'\[([^\]]*)\](?: \d+)?$', re.S)
EXEC = re.compile(r'^filename=(.*) pid=(\d+) old_pid=', re.S)
BLOCK = {'block_rq_insert', 'block_rq_issue', 'block_rq_merge', 'block_io_start', 'block_io_done', 'block_bio_queue',
         'block_bio_backmerge', 'block_bio_frontmerge', 'block_getrq', 'block_plug', 'block_unplug'}


def told(ev, has_waking):
    """(tid, name, how) of each name in an event; how: 'is', 'set' from now on, or 'born' by that name."""
    if ev.name == 'sched_switch':
        m = reading.SWITCH.match(ev.text)
        return [(int(m[2]), m[1], 'is'), (int(m[5]), m[4], 'is')]
    if ev.name == 'sched_wakeup_new' or (ev.name == 'sched_wakeup' and not has_waking):
        m = reading.WAKEUP.match(ev.text)
        return [(int(m[2]), m[1], 'is')]
    if ev.name in ('sched_waking', 'sched_migrate_task', 'sched_process_exit'):
        m = reading.ABOUT.match(ev.text)
        return [(int(m[2]), m[1], 'is')]
    if ev.name == 'sched_process_fork':
        m = reading.FORK.match(ev.text)
        return [(int(m[2]), m[1], 'is'), (int(m[4]), m[3], 'born')]
    if ev.name == 'sched_process_exec':
        m = EXEC.match(ev.text)
        return [(int(m[2]), m[1].rpartition('/')[2], 'set')]
    if ev.name in BLOCK:
        return [(ev.tid, OWN.search(ev.text)[1], 'is')]
    return []


class Names:
    def __init__(self, events):
        self.said = defaultdict(list)    # tid -> (index of the event, name, how), in order
        has_waking = any(ev.name == 'sched_waking' for ev in events)
        for i, ev in enumerate(events):
            for tid, name, how in told(ev, has_waking):
                self.said[tid].append((i, name[:15], how))

    def at(self, tid, i):
        said = self.said[tid]
        k = bisect.bisect_right(said, i, key=lambda s: s[0])
        if k:
            return said[k - 1][1]
        # nothing yet: what is said first was so before, but for a name that is set, or another life's
        return said[0][1] if said and said[0][2] == 'is' else None
