/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-header.h - what a perf.data says of its records: byte order, events, machine, clock, build-ids
 *
 * perf writes it as a header with a table of events and sections behind the records, or, to a pipe, as
 * records among others; rs_perf_header_record reads those. All of it is untrusted.
 */
#ifndef RS_PERFDATA_PERF_HEADER_H
#define RS_PERFDATA_PERF_HEADER_H

#include "base/buf.h"
#include "base/error.h"
#include "recording/bytes.h"
#include "source/perf/samples.h"

#define RS_PERF_BUILD_ID_BYTES 20

/* A perf_event_attr. */
struct rs_perf_event {
	struct rs_sample_info info;  /* how its records are read */
	uint32_t type;
	uint64_t config;
	unsigned int hz;             /* 0: not sampled by frequency */
	char name[64];               /* "cycles"; "": unknown */
	uint64_t nr_samples;         /* counted by who reads the records */
};

struct rs_perf_event_id {
	uint64_t id;
	uint32_t event;
};

struct rs_perf_build_id {
	char *path;                  /* "[kernel.kallsyms]", "/usr/lib/libc.so.6" */
	uint8_t id[RS_PERF_BUILD_ID_BYTES];
	uint8_t len_bytes;
};

struct rs_perf_header {
	int fd;
	const char *path;            /* for messages */
	uint64_t file_bytes;
	bool big_endian, is_pipe, is_cut; /* is_cut: the file ends before its records do */
	uint64_t data_at, data_end;  /* where the records are */
	struct rs_perf_event *events;
	size_t nr_events, events_room;
	struct rs_perf_event_id *ids; /* sorted at the first question */
	size_t nr_ids, ids_room;
	bool ids_are_sorted;
	struct rs_perf_build_id *build_ids; /* likewise, by path */
	size_t nr_build_ids, build_ids_room;
	bool build_ids_are_sorted;
	struct rs_buf tracing;       /* the formats of tracepoints, as trace-cmd writes them; empty: none */
	char host[256], kernel[128], machine[64];
	unsigned int nr_cpus;        /* 0: not said */
	int clock;                   /* clockid_t; -1: perf's own */
	bool realtime_offset_known;
	int64_t realtime_offset_ns;
};

/* fd stays the caller's. -1 with err set; rs_perf_header_done in any case. */
int rs_perf_header_read(struct rs_perf_header *h, int fd, const char *path, struct rs_error *err);
void rs_perf_header_done(struct rs_perf_header *h);

/*
 * Reads a record of a pipe that says something of the others, whose type is RS_PERF_...; others are left
 * alone.
 */
int rs_perf_header_record(struct rs_perf_header *h, uint32_t type, uint16_t misc, struct rs_bytes *body,
			  struct rs_error *err);
/* Returns the event that a record is of; NULL: of none that the file tells of. record: with its header. */
struct rs_perf_event *rs_perf_header_event(struct rs_perf_header *h, const struct rs_sample_record *record);
struct rs_perf_event *rs_perf_header_event_of_id(struct rs_perf_header *h, uint64_t id);
/* NULL: none is known. */
const struct rs_perf_build_id *rs_perf_header_build_id(struct rs_perf_header *h, const char *path);

/* Reads bytes of the file. -1 with err set if they are not there. */
int rs_perf_header_pread(const struct rs_perf_header *h, uint64_t at, void *to, size_t bytes,
			 const char *what, struct rs_error *err);

/* perf's own types of records, from 64 on: tools/lib/perf/include/perf/event.h. */
enum rs_perf_record_type {
	RS_PERF_HEADER_ATTR = 64,
	RS_PERF_HEADER_TRACING_DATA = 66,
	RS_PERF_HEADER_BUILD_ID = 67,
	RS_PERF_FINISHED_ROUND = 68,
	RS_PERF_AUXTRACE = 71,
	RS_PERF_EVENT_UPDATE = 78,
	RS_PERF_HEADER_FEATURE = 80,
	RS_PERF_COMPRESSED = 81,
	RS_PERF_COMPRESSED2 = 83,
};

#endif
