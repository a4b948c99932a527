/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines-parts.h - for the files that read lines: a line's words fill named values; a record is then made by going
 * over the event's fields in the layout and asking for the value of each field's name
 */
#ifndef TEST_LINES_PARTS_H
#define TEST_LINES_PARTS_H

#include <check.h>

#include "lines.h"

#define PAGE 4096
#define MAX_CPUS 8
#define MAX_PAGES 128
#define MAX_VALUES 24
#define MAX_EVENTS 128
#define MAX_ARGS 8

struct value {
	char name[24], text[128];
	uint64_t number;
};

struct cpu {
	uint8_t *pages[MAX_PAGES];
	unsigned int nr_pages, nr_given;
	size_t at;              /* in the last page */
	uint64_t ts_ns;
	bool begin_page, lost, counted;
	uint64_t nr_lost;
};

struct lines {
	struct rs_source source;
	const char *const *text;  /* to be read again: the caller keeps it */
	const struct layout *layout;
	struct event_layout events[MAX_EVENTS];
	struct rs_buf texts[MAX_EVENTS], header_page, symbols;
	struct rs_format_text formats[MAX_EVENTS];
	struct rs_initial_task snapshot[16], proc[16];
	struct rs_initial_wait waits[16];
	char task_cgroups[16][128];
	unsigned int nr_task_cgroups;
	unsigned int nr_waits;
	struct rs_proc_sample sample;
	struct rs_gauges gauges;
	struct { int32_t pid; const char *words; } args[MAX_ARGS];
	unsigned int nr_args;
	char call_name[32], call_params[160];
	struct rs_call_params call;
	struct rs_stacked_disk stacked;
	struct rs_disk disk;
	struct rs_idle_state idle_states[8];
	struct rs_cpu_speed speeds[4];
	struct rs_fd_path fd;
	char fd_text[32];
	struct rs_fd_socket told;
	char told_name[64];
	struct rs_cgroup_row cgroups[4];
	char cgroup_paths[4][32];
	struct rs_pressure_reading pressure[256];
	char containers[512];
	struct cpu cpus[MAX_CPUS];
	bool without[MAX_EVENTS];
	unsigned int nr_events;
	bool no_letter;         /* a state that this layout cannot say */

	/* the line being read */
	const char *line, *at;
	struct value values[MAX_VALUES];
	unsigned int nr_values;
};

/* ---- lines-words.c ---- */

__attribute__((noreturn)) void rs_lines_bad(const struct lines *l, const char *why);
const struct value *rs_lines_get(const struct lines *l, const char *name);  /* NULL: it was not said */
void rs_lines_skip_spaces(struct lines *l);
bool rs_lines_word(struct lines *l, char *buf, size_t size);                /* false: the line ends */
uint64_t rs_lines_number(struct lines *l, const char *text, int base);
uint64_t rs_lines_syscall_nr(struct lines *l, const char *text);
/* "a/10": its name and number as values of these names. */
void rs_lines_read_task(struct lines *l, const char *comm, const char *tid, unsigned int cpu);
/* "key=value", "by NAME/TID" ... up to the line's end. */
void rs_lines_read_options(struct lines *l, const struct event_layout *ev, unsigned int cpu);
/* All that follows the event's name, and in whose context it fired. */
void rs_lines_read_event(struct lines *l, const struct event_layout *ev, unsigned int cpu);

/* ---- lines-pages.c ---- */

size_t rs_lines_make_record(const struct lines *l, const struct event_layout *ev, uint8_t *record);
/* The last page of the CPU is complete: its header says how much is in it, and what was lost before. */
void rs_lines_close_page(struct lines *l, struct cpu *c);
void rs_lines_put_record(struct lines *l, struct cpu *c, uint64_t ts_ns, const uint8_t *record, size_t len);

#endif
