/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - a recording built from readable lines, in the layout of several kernels
 *
 *	struct rs_source *s = rs_lines_source(LINES(
 *		"without sched_waking",                        // this recording lacks the event's format
 *		"with sys_enter_read",                         // and has one that few have: see lines-format.c
 *		"pause 1000 2000",                             // tracing was off on all CPUs
 *		"seed a/10 pid=9",                             // the file's own list of names; or ppid=8 too, as live; of a 32-bit program: bits=32
 *		"seed ringside/9 own=1",                       // which marks those of ringside, where it recorded the file
 *		"live",                                        // and of a capture, not of a file:
 *		"seed a/10 pid=9 majors=3 start=50",           //   what /proc said of it at the begin,
 *		"seed b/11 at=900 asleep=D call=read wchan=f", //   and of one that slept: in read(3, 0x10, 0x20), or no call
 *		"seed k/13 at=900 asleep=S kernel=1",          //   a thread of the kernel
 *		"proc a/10 majors=7 start=50 at=2000",         //   and when rows are asked for; by tid
 *		"gauges at=0 total=9 free=8 faults=100",       //   of the machine at the begin, and a second time when asked
 *		"params setns int fd, int flags",               // of one call: what the kernel calls its parameters
 *		"containers CONTAINER:[3f2a...,web,]", // what the runtime of a container calls it
 *		"counts /a periods=9 throttled=5 throttled_ns=70", // how a control group's counts grew while it was recorded
 *		"pressure 2000 /a cpu=500 cpu_full=100",       // and what its pressure had come to by then
 *		"fd 10 3 1160 /a",                             // descriptor 3 of thread 10, as it was looked up while recording
 *		"told 10 3 500 2000 TCP:[...]",                // descriptor 3 of process 10, as another session knew it from 500 to 2000
 *		"disk 8,0 sda /var",                           // a disk's name, and where it is mounted
 *		"symbol 18446744071578845440 flush_work",       // a function of the kernel, for addresses in events
 *		"stacked 254,0 8,0 vg-root",                   // a disk that lies on another, and how it is known
 *		"idle-state 0 2 C6 85 600",                    // of CPU 0: its number, name, exit latency and residency in us
 *		"speed 0 2400000 2000000",                     // of CPU 0: its highest and its base frequency in kHz
 *		"args 10 ls -l /",                             // what a live source would be told of process 10
 *		"1000 cpu0 sched_switch a/10 S -> idle/0",     // ns, CPU, event, what it says
 *		"1200 cpu1 sched_waking b/11 target=0 by idle/0",
 *		"1300 cpu0 sys_enter t=11 nr=read 1 2 3",      // args in hex
 *		"1301 cpu0 user_stack t=11 tgid=11 400010 400120", // in hex, innermost first; and irq, softirq
 *		"1302 cpu0 kernel_stack t=11 c1000110 c1000010",  // size=9: says so, and has two
 *		"cpu0 lost 5",                                 // or "lost ?": before this CPU's next event
 *		"cpu0 page",                                   // this CPU's next event begins a page: a turn ends before it
 *		"2000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a"), layout);
 *
 * What an event needs and a line does not say is 0 or "". Every line is written
 * in order of time on its CPU; CPUs may be mixed. All formats are there but those
 * named by "without", and the rare ones that no "with" names. A line that cannot be read aborts the test and names it.
 */
#ifndef TEST_LINES_H
#define TEST_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "source/source.h"

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* How one kernel lays its records out: what the same line must not depend on. */
struct layout {
	const char *name, *machine, *kernel;
	unsigned int long_bytes, u64_align, entry_bytes; /* entry_bytes: the common fields */
	unsigned int rwbs_bytes, letters_bits;
	bool big_endian, comm_is_data_loc, has_ioprio, has_success, has_group_dead, flags_is_u64;
	const char *letters;       /* prev_state's letter of bit 0, 1, ... */
	const char *syscalls;      /* "read=0 write=1 ..." */
};

extern const struct layout rs_layouts[];
extern const unsigned int rs_nr_layouts;

/* A field of an event in a layout. */
struct slot {
	char name[24], type[24];
	unsigned int offset, size, nr;  /* nr: elements of an array, else 1 */
	bool is_text, is_data_loc, is_signed;
};

#define MAX_SLOTS 16

struct event_layout {
	const char *system, *name, *pattern;
	unsigned int id, size;
	bool rare;                      /* only there where a line says "with" it */
	unsigned int nr_slots;
	struct slot slots[MAX_SLOTS];
};

/* lines-format.c: the events known, their fields in a layout, and the kernel's text for them. */
bool rs_event_layout(struct event_layout *ev, const struct layout *l, unsigned int index); /* false: no more */
void rs_event_format(struct rs_buf *out, const struct event_layout *ev, const struct layout *l);
void rs_header_page(struct rs_buf *out, const struct layout *l);

/* NULL where this layout has no letter for a state in the lines: nothing to test there. Closed by ops->close. */
struct rs_source *rs_lines_source(const char *const *lines, const struct layout *layout);

#endif
