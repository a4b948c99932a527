/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trailer.h - the trailer of ringside's own recordings, behind the last byte that trace-cmd reads, as both
 * who writes it and who reads it have it
 *
 *	JSON | u64 its length, little-endian | "RNGSIDE1"
 *
 * The JSON is an object with the members of struct rs_trailer. Members that it does not list are skipped:
 * newer versions may write more. Numbers may be strings of digits: a JSON number is exact up to 2^53 only.
 */
#ifndef RS_RECORDING_TRAILER_H
#define RS_RECORDING_TRAILER_H

#include "base/message.h"
#include "source/source.h"

#define RS_TRAILER_VERSION 1
#define RS_TRAILER_MAGIC "RNGSIDE1"

/* A binary section of the trailer. */
struct rs_tracedat_section {
	const char *name;
	uint64_t offset, bytes;
	uint32_t crc;            /* CRC-32 as zlib has it */
};

/* What the trailer says of the section "samples". */
struct rs_tracedat_sampled {
	const char *event;
	uint32_t hz;
	uint64_t sample_type, read_format; /* of perf_event_attr */
	const char *counters;    /* "cycles,instructions": of the group; NULL: samples have no counts */
	uint64_t samples, lost;
	bool by_build_id;        /* see struct rs_sample_info, also of what follows */
	uint64_t jitted_from_ns, jitted_to_ns, jitted_owner;
};

/* A command by its pid, a disk by its dev_t. */
struct rs_trailer_name {
	uint32_t number;
	const char *name;
};

struct rs_trailer_task {
	uint64_t ts_ns;
	uint32_t tid, pid;
	const char *comm;
	uint32_t kernel_thread, ppid;
	uint64_t start_ns;       /* 0: unknown, or an older version */
};

struct rs_trailer_args {
	uint32_t pid;
	const char *comm, *text;
	uint64_t read_ns;        /* an older version lacks it */
};

struct rs_trailer_stacked {
	uint32_t above, below;
	const char *label;
};

/* See struct rs_idle_state. */
struct rs_trailer_idle_state {
	uint32_t cpu, state, exit_us, residency_us;
	const char *name;
};

/* The processes of a control group; several may name the same one. */
struct rs_trailer_cgroup {
	const char *path;
	int32_t *pids;
	size_t nr_pids;
	const char *of[RS_NR_CGROUP_CONTROLLERS]; /* NULL: the same path */
};

/* what: see struct rs_pause; a recording of an older version lacks it. */
struct rs_trailer_pause {
	uint64_t off_ns, on_ns;
	const char *what;
};

/*
 * compat: threads of 32-bit programs; compat_unknown: threads whose program is not known. Without compat it
 * is unknown of all.
 */
struct rs_trailer {
	uint64_t version;
	struct rs_value realtime_offset_ns;
	const struct rs_trailer_name *command;
	int32_t *self;           /* the recorder's own threads */
	size_t nr_self;
	const struct rs_trailer_task *tasks;
	size_t nr_tasks;
	int32_t *compat;
	size_t nr_compat;
	int32_t *compat_unknown;
	size_t nr_compat_unknown;
	const struct rs_call_params *calls;
	size_t nr_calls;
	const struct rs_trailer_name *disks;
	size_t nr_disks;
	const struct rs_trailer_name *mounts;
	size_t nr_mounts;
	const struct rs_trailer_stacked *stacked;
	size_t nr_stacked;
	const struct rs_trailer_idle_state *idle_states;
	size_t nr_idle_states;
	const struct rs_cpu_speed *cpu_speeds;
	size_t nr_cpu_speeds;
	const struct rs_fd_path *fds;
	size_t nr_fds;
	const struct rs_fd_socket *fd_sockets;
	size_t nr_fd_sockets;
	const struct rs_trailer_args *args;
	size_t nr_args;
	const struct rs_trailer_cgroup *cgroups;
	size_t nr_cgroups;
	const struct rs_cgroup_row *cgroup_counts;
	size_t nr_cgroup_counts;
	const struct rs_pressure_reading *pressure;
	size_t nr_pressure;
	const char *containers;  /* lines */
	const struct rs_trailer_pause *pauses;
	size_t nr_pauses;
	const char *warnings;    /* lines */
	const struct rs_tracedat_sampled *sampled;
	const struct rs_value *lost_by_cpu; /* written for other readers: the pages tell it, too */
	size_t nr_lost_by_cpu;
	const struct rs_tracedat_section *sections;
	size_t nr_sections;
};

extern const struct rs_message rs_trailer_message;

#endif
