/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - where pages come from: a live instance, a trace.dat, a daemon's window
 *
 * A source hands out sub-buffers ("pages") CPU by CPU, raw as the kernel wrote
 * them, and says once what is needed to read them. It decodes nothing.
 */
#ifndef RS_SOURCE_SOURCE_H
#define RS_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ringside/sample.h"
#include "source/pauses.h"

/* Text that the source owns and that is not terminated; hostile in a file. */
struct rs_text {
	const char *data;
	size_t len;
};

struct rs_format_text {
	const char *system;      /* "sched", terminated, owned by the source */
	struct rs_text text;     /* the kernel's "format" file */
};

/* Where a task slept when /proc was read: live, as root. */
struct rs_initial_wait {
	char letter;             /* D or S */
	bool named;              /* by -p, -t: told of even where it is in no call */
	int64_t syscall;         /* -1: in none, or not told */
	uint64_t args[6];
	char wchan[48];          /* the kernel's function; "" not told */
	bool terminal;           /* the call's first argument is a descriptor of a terminal */
};

/* The ABI of a process' program, on a 64-bit kernel. */
enum rs_abi { RS_ABI_UNKNOWN, RS_ABI_NATIVE, RS_ABI_COMPAT /* of 32 bits */ };

/* A task's name at a time: from /proc live, from the list in a file. */
struct rs_initial_task {
	uint64_t ts_ns;          /* when it was read; 0: unknown, a weak hint from a file's cmdlines */
	int32_t tid, pid;        /* pid 0: unknown */
	int32_t ppid;            /* the process' parent; 0: unknown */
	char comm[16];
	char letter;             /* live: its state then, as /proc has it; 0 not told */
	bool self;               /* one of the recorder's own threads */
	bool kernel_thread;
	uint8_t abi;             /* enum rs_abi */
	bool stat_known;         /* /proc/PID/task/TID/stat was read: the next two members are valid; live only */
	uint64_t start_ticks;    /* when the task began: distinguishes it from an earlier task with the same tid */
	uint64_t nr_major_faults;
	const char *cgroup;      /* live, where it was asked for; else NULL. The source's */
	const struct rs_initial_wait *wait; /* likewise: it was asleep then; NULL: it was not, or was not asked */
};

/* What /proc says at one time, see ringside/sample.h. */
struct rs_proc_sample {
	const struct rs_initial_task *tasks; /* by tid */
	size_t nr_tasks;
	struct rs_gauges gauges;
};

struct rs_disk {
	uint32_t dev;            /* kernel's dev_t: MAJ << 20 | MIN */
	char name[32];
};

/* Another machine, which runs on the one of the recording: its own recording has that id. */
struct rs_guest {
	const char *name;        /* terminated */
	uint64_t trace_id;
};

/* A task of this machine that runs a CPU of a guest. */
struct rs_vcpu {
	const char *guest;       /* its name, terminated */
	uint32_t cpu;
	int32_t tid;
};

struct rs_time_map;

/* A system call's parameters as the kernel has them: "int dfd, const char * filename, ...", see call-params.h. */
struct rs_call_params {
	char *name, *params;
};

struct rs_trace_info {
	unsigned int nr_cpus;
	size_t page_bytes;       /* of a sub-buffer, header included */
	unsigned int long_bytes; /* 4 or 8 */
	bool big_endian;
	struct rs_text header_page; /* the kernel's events/header_page */
	struct rs_text header_event; /* events/header_event: not read here, but part of a trace.dat */
	const struct rs_format_text *formats;
	size_t nr_formats;
	const struct rs_call_params *call_params; /* live: from rs_live_start on; recordings of ringside's have them too */
	size_t nr_call_params;
	struct rs_text kallsyms, printk_formats;
	const char *clock;       /* "boot", "local"...; NULL unknown */
	const char *kernel;      /* release; NULL unknown */
	const char *machine;     /* uname -m; NULL unknown */
	const char *host;        /* uname -n; NULL unknown */
	/* the map that converts the pages' times (decode/retime.h); NULL: they need no conversion */
	const struct rs_time_map *time_map;
	uint64_t trace_id;       /* of this recording; 0 unknown */
	uint64_t host_id;        /* a guest's: of that of its host; 0 unknown */
	const struct rs_guest *guests; /* that were recorded with it */
	size_t nr_guests;
	const struct rs_vcpu *vcpus;   /* of all of them */
	size_t nr_vcpus;
	/* ns are cycles * mult >> shift, which has been applied, see time-map.h; mult 0: they never were cycles, or still are */
	uint32_t cycles_mult, cycles_shift;
	bool realtime_offset_known;
	int64_t realtime_offset_ns;
	const struct rs_initial_task *snapshot; /* by ts_ns; live: may grow until the first page is handed out */
	size_t nr_initial;
	const struct rs_disk *disks;
	size_t nr_disks;
	bool live;
	bool of_live;            /* pages of a running or ended capture of this process that are read again: not live itself */
	int32_t command_pid;     /* that the recording was made of, with what it forked; 0: of none, or not told */
	const char *command;     /* its words */
	const struct rs_gauges *gauges; /* live, where they were asked for: when the capture began; else NULL */
	const char *warnings;       /* sections skipped and the like, lines; NULL none */
};

struct rs_page {
	const uint8_t *data;     /* valid until the next rs_source_next on this CPU */
	size_t len_bytes;        /* header and data; may be less than page_bytes */
	/*
	 * Live: the reader saw this CPU empty at empty_at_ns (trace clock) just before
	 * these events came, so a gap flagged on this page cannot begin earlier. 0 unknown.
	 */
	uint64_t empty_at_ns;
};

enum rs_next {
	RS_NEXT_PAGE,   /* *page is set */
	RS_NEXT_NONE,   /* live: nothing now */
	RS_NEXT_END,    /* no more for ever */
	RS_NEXT_ERROR,  /* *err is set; the CPU is at its end */
};

struct rs_source;

struct rs_source_ops {
	enum rs_next (*next)(struct rs_source *s, unsigned int cpu, struct rs_page *page, struct rs_error *err);
	/* Every event before this time of this CPU has been handed out; UINT64_MAX at the end. Files: NULL */
	uint64_t (*watermark_ns)(struct rs_source *s, unsigned int cpu);
	/* Live: sleeps until there is something new or timeout_ms passed; false at the end. Files: NULL */
	bool (*wait)(struct rs_source *s, int timeout_ms);
	/* Live: ends a wait, from any thread. Files: NULL */
	void (*wake)(struct rs_source *s);
	/*
	 * Live: the words that process pid, called comm, was begun with, see rs_proc_args. Files: NULL.
	 */
	size_t (*args)(struct rs_source *s, int32_t pid, const char *comm, char *buf, size_t size_bytes);
	/*
	 * Only the pages with events of from_ns <= t < to_ns, and a few before and after: before the first next. -1: err.
	 * NULL: it cannot
	 */
	int (*seek)(struct rs_source *s, uint64_t from_ns, uint64_t to_ns, struct rs_error *err);
	/* Another reading of the same, from its begin; any thread, while this one is open. Live: NULL. NULL: err */
	struct rs_source *(*again)(const struct rs_source *s, struct rs_error *err);
	/* How many pages of this CPU are still to come; NULL: not known. Live: NULL */
	uint64_t (*left)(struct rs_source *s, unsigned int cpu);
	/* For progress: bytes handed out and in all; may be NULL */
	void (*progress)(struct rs_source *s, uint64_t *done_bytes, uint64_t *all_bytes);
	/* The kernel's list of its symbols, opened while we had the right to its addresses; -1 none. NULL: info.kallsyms */
	int (*symbols_fd)(struct rs_source *s);
	/*
	 * Live: what /proc says now, or said when tracing ended, valid until the next call. NULL where nothing was
	 * asked for. Files: NULL
	 */
	const struct rs_proc_sample *(*sample)(struct rs_source *s);
	void (*close)(struct rs_source *s);
};

struct rs_window;

struct rs_source {
	const struct rs_source_ops *ops;
	struct rs_window *window; /* what is handed out is kept there, too; NULL: nowhere */
	struct rs_trace_info info;
	struct rs_pauses pauses;
};

/* As ops->next, and the page is kept in the window. */
enum rs_next rs_source_next(struct rs_source *s, unsigned int cpu, struct rs_page *page, struct rs_error *err);

struct rs_json;
/* "disks": [[dev, "name"], ...], as a recording's trailer and the answer to "follow" have them. */
void rs_source_put_disks(struct rs_json *j, const struct rs_trace_info *info);

/*
 * rs_tracedat_open - opens a trace.dat of version 6 or 7.
 * buffer: NULL for the top buffer, else the name of one inside. NULL on error, with err set.
 */
struct rs_source *rs_tracedat_open(const char *path, const char *buffer, struct rs_error *err);
/* The same of a file that is open already, as path; fd stays the caller's, -1: opened by its path. */
struct rs_source *rs_tracedat_open_fd(int fd, const char *path, const char *buffer, struct rs_error *err);
/*
 * Its times are cycles without a factor, of a counter that has one in another recording: that one, from the next
 * reading on. Before anything is read of a source that one of the functions above has just opened.
 */
void rs_tracedat_lend_factor(struct rs_source *source, uint32_t mult, uint32_t shift);
/* The names of the buffers inside, one a line, "" for none; to be freed by the caller. */
char *rs_tracedat_buffers(const char *path, struct rs_error *err);

/* "web vcpu 0 (CPU 0/KVM)", where that task is a guest's CPU; else the name alone. */
void rs_source_vcpu_name(const struct rs_trace_info *info, int32_t tid, const char *comm, char *out,
			 size_t size);

#endif
