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
#include "ringside/power.h"
#include "ringside/sample.h"
#include "source/pauses.h"
#include "source/process-args.h"

/* Text owned by the source, not NUL-terminated; untrusted if it comes from a file. */
struct rs_text {
	const char *data;
	size_t len;
};

struct rs_format_text {
	const char *system;      /* "sched", terminated, owned by the source */
	struct rs_text text;     /* the kernel's "format" file */
};

/* What a task slept in when /proc was read. Live only, as root. */
struct rs_initial_wait {
	char letter;             /* D or S */
	bool named;              /* by -p or -t: reported even if it is in no system call */
	int64_t syscall;         /* -1: in no system call, or unknown */
	uint64_t args[6];
	char wchan[48];          /* the kernel function it slept in; "": unknown */
	bool terminal;           /* the call's first argument is a descriptor of a terminal */
};

/* The ABI of a process on a 64-bit kernel. */
enum rs_abi { RS_ABI_UNKNOWN, RS_ABI_NATIVE, RS_ABI_COMPAT /* 32-bit */ };

/* A task and its name at a given time: from /proc if live, else from the recording's cmdlines. */
struct rs_initial_task {
	uint64_t ts_ns;          /* when it was read; 0: unknown, a weak hint from a file's cmdlines */
	int32_t tid, pid;        /* pid 0: unknown */
	int32_t ppid;            /* the process' parent; 0: unknown */
	char comm[16];
	char letter;             /* live: its state letter in /proc; 0: unknown */
	bool self;               /* one of the recorder's own threads */
	bool kernel_thread;
	uint8_t abi;             /* enum rs_abi */
	/* /proc/PID/task/TID/stat was read: the next two members are valid; live only */
	bool stat_known;
	/* when the task began: distinguishes it from an earlier task with the same tid */
	uint64_t start_ticks;
	uint64_t start_ns;       /* the same in the trace's clock; 0: unknown */
	uint64_t nr_major_faults;
	/* live, if it was requested, and in ringside's own recordings; else NULL. Owned by the source */
	const char *cgroup;
	const char *cgroup_of[RS_NR_CGROUP_CONTROLLERS]; /* likewise, as rs_task has them */
	/* likewise: set if it was asleep; NULL: it was not, or this was not requested */
	const struct rs_initial_wait *wait;
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
	/* where its only file system is mounted; "" unknown, or it has none, or several */
	char mount[64];
};

/* A disk that lies on another: the requests of the one become requests of the other. */
struct rs_stacked_disk {
	uint32_t above, below;
	char label[32];          /* "vg-root", "/srv/image": how people know the one above; "" as its name */
};

/* A guest of the recorded machine. Its own recording has this trace_id. */
struct rs_guest {
	const char *name;        /* terminated */
	uint64_t trace_id;
};

/* A host task that runs a vCPU of a guest. */
struct rs_vcpu {
	const char *guest;       /* the guest's name, NUL-terminated */
	uint32_t cpu;
	int32_t tid;
};

struct rs_time_map;

/*
 * A system call's parameters as the kernel has them: "int dfd, const char * filename, ...", see
 * call-params.h.
 */
struct rs_call_params {
	char *name, *params;
};

/* What a descriptor was of when it was looked up while the recording was made. */
struct rs_fd_path {
	uint64_t read_ns;
	int32_t tid, fd;         /* a thread of the process */
	/* "/etc/passwd", "socket:[123]"; NULL: it was closed, or there was no right to see it */
	char *path;
	/* of a TCP socket: enum rs_tcp_state, which it was in at state_ns; 0: none, or not known */
	uint32_t state;
	uint64_t state_ns;
};

/*
 * A descriptor of a process that was of a socket from since_ns on, up to until_ns at least: no call had
 * closed it by then. Told by who has followed it since before a time range.
 */
struct rs_fd_socket {
	uint64_t since_ns, until_ns;
	int32_t pid, fd;
	char *name;              /* "TCP:[10.0.0.1:5000->10.0.0.2:80]" */
};

/* What a control group had counted when a capture began, and at the last reading. */
struct rs_cgroup_row {
	char *path;
	struct rs_cgroup_counts begin, end;
	/* of a time range: read before and after it, so there may have been growth outside */
	bool is_around;
};

/* Of enum rs_cgroup_count, from RS_CGROUP_CPU_PRESSURE_NS on. */
#define RS_NR_PRESSURES (RS_CGROUP_IO_FULL_NS - RS_CGROUP_CPU_PRESSURE_NS + 1)

/* What the pressure of a control group had come to by then: see live/pressure-series.h. */
struct rs_pressure_reading {
	uint64_t ts_ns;
	const char *path;
	struct rs_value ns[RS_NR_PRESSURES]; /* null: the group has no such count */
};

struct rs_trace_info {
	unsigned int nr_cpus;
	size_t page_bytes;       /* size of a sub-buffer with its header */
	unsigned int long_bytes; /* 4 or 8 */
	bool big_endian;
	struct rs_text header_page; /* the kernel's events/header_page */
	struct rs_text header_event; /* the kernel's events/header_event: only copied into a trace.dat */
	const struct rs_format_text *formats;
	size_t nr_formats;
	/* live: valid after rs_live_start; ringside's own recordings have them too */
	const struct rs_call_params *call_params;
	size_t nr_call_params;
	struct rs_text kallsyms, printk_formats;
	/* above 0: in the place of kallsyms, opened while it showed addresses; owned by the source */
	int kallsyms_fd;
	const char *clock;       /* "boot", "local"...; NULL unknown */
	const char *kernel;      /* release; NULL unknown */
	const char *machine;     /* uname -m; NULL unknown */
	const char *host;        /* uname -n; NULL unknown */
	/* the map that converts the pages' times (decode/retime.h); NULL: they need no conversion */
	const struct rs_time_map *time_map;
	uint64_t trace_id;       /* of this recording; 0 unknown */
	uint64_t host_id;        /* of a guest's recording: trace_id of its host's recording; 0 unknown */
	const struct rs_guest *guests; /* the guests that were recorded together with this machine */
	size_t nr_guests;
	const struct rs_vcpu *vcpus;   /* of all guests */
	size_t nr_vcpus;
	/*
	 * ns = cycles * mult >> shift, already applied (time-map.h); mult 0: the clock counts no cycles, or
	 * no factor is known
	 */
	uint32_t cycles_mult, cycles_shift;
	bool realtime_offset_known;
	int64_t realtime_offset_ns;
	/* the initial task snapshot, by ts_ns; live: may grow until the first page is handed out */
	const struct rs_initial_task *snapshot;
	size_t nr_initial;
	const struct rs_disk *disks;
	size_t nr_disks;
	const struct rs_stacked_disk *stacked; /* live, and of ringside's own recordings */
	size_t nr_stacked;
	const struct rs_idle_state *idle_states; /* likewise */
	size_t nr_idle_states;
	const struct rs_cpu_speed *cpu_speeds;   /* likewise; none without .max_khz */
	size_t nr_cpu_speeds;
	const struct rs_fd_path *fd_paths; /* of ringside's own recordings, by read_ns */
	size_t nr_fd_paths;
	const struct rs_fd_socket *fd_sockets; /* of a window's time range, by since_ns */
	size_t nr_fd_sockets;
	struct rs_process_args_table *args; /* likewise, and live; NULL: none are known */
	const struct rs_cgroup_row *cgroup_rows; /* likewise, for the whole recording */
	size_t nr_cgroup_rows;
	bool cgroup_rows_of_range; /* they are of the time range that is asked for */
	/* likewise, in order of time: "/" at each reading, another group where it changed */
	const struct rs_pressure_reading *pressure;
	size_t nr_pressure;
	const char *containers;  /* likewise: what they are called, a line each; NULL: none was looked up */
	const char *cgroup_root; /* live: where control groups show their counts now; NULL: nowhere */
	bool live;
	/* a window's pages of a live capture of this process, read again; .live is false */
	bool of_live;
	uint64_t stack_cost_ns;  /* live: of a wait's event with its stack, as it was measured; 0 unknown */
	int32_t command_pid;     /* of the traced command (record -- COMMAND); 0: none, or unknown */
	const char *command;     /* its arguments, separated by spaces */
	const struct rs_gauges *gauges; /* live, if requested: read when the capture began; else NULL */
	const char *warnings;       /* one line each, such as skipped sections; NULL: none */
};

struct rs_page {
	const uint8_t *data;     /* valid until the next rs_source_next() for this CPU */
	size_t len_bytes;        /* header and data; may be less than page_bytes */
	/*
	 * Live: the reader found this CPU's buffer empty at empty_at_ns (trace clock) just before
	 * it read this page, so events lost before this page were lost after that time. 0 unknown.
	 */
	uint64_t empty_at_ns;
};

enum rs_next {
	RS_NEXT_PAGE,   /* *page is set */
	RS_NEXT_NONE,   /* live: nothing now */
	RS_NEXT_END,    /* no more pages will come */
	RS_NEXT_ERROR,  /* *err is set; RS_NEXT_END follows */
};

struct rs_source;

struct rs_source_ops {
	enum rs_next (*next)(struct rs_source *s, unsigned int cpu, struct rs_page *page,
			     struct rs_error *err);
	/* All events of this CPU before this time have been handed out; UINT64_MAX at the end. Files: NULL */
	uint64_t (*watermark_ns)(struct rs_source *s, unsigned int cpu);
	/*
	 * Live: sleeps until new pages may be there, at most timeout_ms. Returns false at the end. Files:
	 * NULL
	 */
	bool (*wait)(struct rs_source *s, int timeout_ms);
	/* Live: ends a wait, from any thread. Files: NULL */
	void (*wake)(struct rs_source *s);
	/*
	 * Live: has the command line of a process read soon, into .info.args; or at once, with a buffer for
	 * it: its length, 0 unknown. Files: NULL
	 */
	size_t (*args)(struct rs_source *s, const struct rs_process *of, char *buf, size_t size_bytes);
	/*
	 * Restricts the source to the pages with events of from_ns <= t < to_ns, and a few before and after.
	 * Call it before the first next. Returns -1 with err set. NULL: the source cannot seek
	 */
	int (*seek)(struct rs_source *s, uint64_t from_ns, uint64_t to_ns, struct rs_error *err);
	/*
	 * Opens the same data again, from its start. From any thread, while this source is open. Returns NULL
	 * with err set. Live: NULL
	 */
	struct rs_source *(*again)(const struct rs_source *s, struct rs_error *err);
	/* Goes back to the first page, for who has looked at some; before a seek. NULL: use .again */
	void (*rewind)(struct rs_source *s);
	/* The number of pages of this CPU that are not read yet. NULL: not known, as live */
	uint64_t (*left)(struct rs_source *s, unsigned int cpu);
	/* For progress: bytes handed out, and the total. May be NULL */
	void (*progress)(struct rs_source *s, uint64_t *done_bytes, uint64_t *all_bytes);
	/*
	 * Live: a sample of /proc, taken now or when tracing ended; valid until the next call. Returns NULL
	 * if no sample was requested. Files: NULL
	 */
	const struct rs_proc_sample *(*sample)(struct rs_source *s);
	void (*close)(struct rs_source *s);
};

/* Rewrites a live source's pages before anybody has them: see decode/stacked-pages.h. */
struct rs_page_filter {
	/* As ops->next of the source, which it calls. */
	enum rs_next (*next)(struct rs_page_filter *f, struct rs_source *s, unsigned int cpu,
			     struct rs_page *page, struct rs_error *err);
	uint64_t nr_lost;         /* stacks that there was no room for, or no event */
};

struct rs_window;
struct rs_starvation;
struct rs_sample_source;
struct rs_sample_window;

struct rs_source {
	const struct rs_source_ops *ops;
	struct rs_window *window; /* stores a copy of each page that is handed out; NULL: no window */
	struct rs_page_filter *filter; /* NULL: none */
	struct rs_sample_source *samples; /* of the CPUs, see samples.h; NULL: none */
	/* for the filter, see switch-stacks.h; NULL: the kernel writes stacks, or there are none */
	struct rs_sample_source *switch_stacks;
	/* of a session that samples, beside .window: see stacks/sample-window.h */
	struct rs_sample_window *sample_window;
	const char *no_samples;   /* why; NULL: the source never has any */
	/* live: of the threads that capture, see starvation.h; NULL: not known */
	const struct rs_starvation *starvation;
	struct rs_trace_info info;
	struct rs_pauses pauses;
};

/* As ops->next, by the filter, and copies the page into the window. */
enum rs_next rs_source_next(struct rs_source *s, unsigned int cpu, struct rs_page *page,
			    struct rs_error *err);

/*
 * Reads offset and size of a field from the text of header_page: "\tfield: local_t
 * commit;\toffset:8;\tsize:8;\tsigned:1;". Of several fields of that name the last counts. Returns 1; 0: no
 * such field; -1: its numbers are missing, or exceed 16 bits.
 */
int rs_source_header_field(struct rs_text header_page, const char *name, unsigned int *offset,
			   unsigned int *size);

/* Writes "web vcpu 0 (CPU 0/KVM)" if the task runs a vCPU of a guest, else comm. */
void rs_source_vcpu_name(const struct rs_trace_info *info, int32_t tid, const char *comm, char *out,
			 size_t size);

#endif
