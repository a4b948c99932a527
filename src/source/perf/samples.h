/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples.h - which code each CPU runs: perf's samples, and its records of mappings and processes, ring by
 * ring
 *
 * A sample source hands out records raw, as the kernel wrote them, beside the pages of a source.
 * decode/sample-record.h reads them, decode/sample-merge.h puts them in the order of time.
 */
#ifndef RS_SOURCE_PERF_SAMPLES_H
#define RS_SOURCE_PERF_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/perf/pmu-counters.h"

#define RS_MAX_BUILD_ID_BYTES 20     /* the kernel reports no longer ones */
#define RS_SAMPLES_HZ 99             /* not 100: in step with no timer of the sampled programs */
#define RS_SAMPLES_MAX_HZ 10000
#define RS_SAMPLES_STACK_BYTES 8192  /* as perf */
#define RS_SAMPLES_MAX_STACK_BYTES 65528 /* a record's size has 16 bits */

/* A record of perf_event_open(2), struct perf_event_header first. */
struct rs_sample_record {
	const uint8_t *data;         /* valid until the next one of its ring */
	size_t len_bytes;
};

/* A mapping that existed when sampling began. */
struct rs_initial_mapping {
	int32_t pid;
	uint64_t start, end, offset, inode;
	uint8_t build_id[RS_MAX_BUILD_ID_BYTES], build_id_len; /* 0: not reported */
	const char *path;            /* "[vdso]", "//anon": as perf reports them */
};

struct rs_symbolizer;

struct rs_sample_info {
	unsigned int nr_rings;
	uint64_t sample_type;        /* perf_event_attr: which members a record has */
	uint64_t read_format, branch_type, user_regs; /* likewise: what some of these have */
	unsigned int nr_counters;    /* of the event's group; 0: samples have no counts */
	/* enum rs_counter, in the order of the group: the event itself is the first */
	uint8_t counters[RS_MAX_GROUP];
	/* records other than samples do not say their time and CPU: of perf.data alone */
	bool no_sample_ids;
	bool swaps;                  /* the records are of the other byte order */
	/* of this machine, now: addresses are of files that can be opened here */
	bool local;
	const char *event;           /* "cycles", "cpu-clock" */
	unsigned int hz;
	const struct rs_initial_mapping *mappings;
	size_t nr_mappings;
	/* of a recording: the symbols that it saved, see symbols/saved-symbols.h; NULL: none */
	const uint8_t *symbols;
	size_t symbols_len;
	/*
	 * of a recording without symbols: a file of this machine may name it if its build-id is the mapping's
	 */
	bool by_build_id;
	/* likewise maps of code that processes made: see symbols/symbolizer.h */
	int64_t jitted_from_ns, jitted_to_ns;
	uint32_t jitted_owner;
	bool debuginfod;             /* the user lets debuginfod servers be asked for symbols */
	uint64_t nr_samples;         /* of a recording: that it has */
	uint64_t nr_lost;            /* likewise: that the kernel had no room for */
	/* of the session whose window it is, which outlives the source; NULL: none */
	struct rs_symbolizer *symbolizer;
};

struct rs_sample_source;

struct rs_sample_ops {
	/* Returns false if the ring has no record now. */
	bool (*next)(struct rs_sample_source *s, unsigned int ring, struct rs_sample_record *record);
	/*
	 * Returns the time, in the trace clock, before which no record will come that is not in its ring by
	 * now. UINT64_MAX: none.
	 */
	uint64_t (*known_ns)(struct rs_sample_source *s);
	/* Returns what to add to a record's time to get the trace clock's. */
	int64_t (*offset_ns)(struct rs_sample_source *s);
	/*
	 * Returns how many samples the kernel had no room for so far; 0 where it does not count them. NULL:
	 * only records tell
	 */
	uint64_t (*nr_lost)(struct rs_sample_source *s);
	/*
	 * Requests the file of a mapping, which the process itself may not be allowed to open; the reply has
	 * the id, and comes later or never. take_file: a file to be closed by the caller; -1: no reply now.
	 * NULL: there is nobody to ask.
	 */
	bool (*ask_file)(struct rs_sample_source *s, uint32_t id, int32_t pid, uint64_t start, uint64_t end);
	int (*take_file)(struct rs_sample_source *s, uint32_t *id);
	/*
	 * Live: .start reads the mappings of all processes, too; mappings are followed in a pause all the
	 * same. NULL: of a recording.
	 */
	void (*start)(struct rs_sample_source *s);
	void (*pause)(struct rs_sample_source *s, bool pause);
	void (*stop)(struct rs_sample_source *s);
	void (*close)(struct rs_sample_source *s);
};

struct rs_sample_source {
	const struct rs_sample_ops *ops;
	struct rs_sample_info info;
};

struct perf_event_attr;

/*
 * How counts are read, of linux/perf_event.h: all of a group, each with the ID of its event, and how long the
 * group was on the PMU.
 */
#define RS_SAMPLES_READ_FORMAT \
	((uint64_t)(PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | \
		    PERF_FORMAT_ID))

struct rs_samples_options {
	unsigned int hz;             /* 0: no samples, only mappings and processes */
	/* of the program's stack in each sample, to be unwound; 0: the kernel follows frame pointers */
	unsigned int stack_bytes;
	uint64_t user_regs;          /* with stack_bytes: the registers that this takes */
	const char *clock;           /* name of the trace clock */
	int files_fd;                /* see tracefs/mapped-files.h; -1 none */
	/*
	 * of all tasks; group_fd: of the group's leader, or -1. NULL: perf_event_open, another one for tests
	 */
	int (*open_event)(struct perf_event_attr *attr, int cpu, int group_fd);
};

/*
 * rs_samples_open - opens perf events on all CPUs that are online, while the process has the rights to
 *
 * NULL with err set: the kernel refuses, or user space cannot read this clock.
 */
struct rs_sample_source *rs_samples_open(const struct rs_samples_options *options, struct rs_error *err);

struct rs_probes;
/* Adds the probes' rings; owns them from then on. */
void rs_samples_add_probes(struct rs_sample_source *s, struct rs_probes *probes);

/* Returns which event the kernel can sample, "cycles" or "cpu-clock"; NULL with err set: none, and why. */
const char *rs_samples_probe(struct rs_error *err);

#endif
