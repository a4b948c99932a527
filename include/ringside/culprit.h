/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * culprit.h - what the time of a task went to, and who had what it waited for, by SEMANTICS "Culprits"
 *
 *	struct rs_culprits k;
 *
 *	rs_culprits_find(c, wait->interval->task, wait->interval->from_ns, wait->interval->to_ns, &k);
 *	for (unsigned int i = 0; i < k.nr; i++)
 *		...                                        // k.at[i].ns: the sum of all is to_ns - from_ns
 *
 * Requires .requires_history. Works for a wait as it ends, a call, a time range: whatever the history still
 * has.
 */
#ifndef RINGSIDE_CULPRIT_H
#define RINGSIDE_CULPRIT_H

#include "irq.h"
#include "request.h"
#include "task.h"
#include "wait.h"

/* A task instance, by name: it outlives the task. A segment's name is valid as long as the segment. */
struct rs_task_name {
	const struct rs_task *task;  /* NULL: it was evicted, and the members below are its last */
	/* the engine's */
	struct rs_task_name *evicted_next;
	uint32_t newest, used;       /* its newest segment; the newest segment that refers to it */
	uint32_t list, place;        /* its place in the list of culprits of that number */
	uint64_t part_from_ns;       /* of a run-queue wait: when it came to the CPU that it waits for now */
	/* the run-queue wait that ended as its slice began, which will tell of it; 0: told */
	uint64_t wait_from_ns, wait_to_ns;
	uint16_t wait_cpu;
	uint8_t waited;              /* its kind: enum rs_state */
	/* see .task */
	bool kernel_thread;
	int32_t tid, pid;
	uint32_t inst;
	char comm[RS_COMM_LEN];      /* its own */
	char process[RS_COMM_LEN];   /* of its group leader */
};

static inline int32_t rs_task_name_pid(const struct rs_task_name *n)
{
	return n->task ? n->task->pid : n->pid;
}

struct rs_ctx;
/* Returns the name of its process, else its own; "" unknown. */
const char *rs_task_name_comm(struct rs_ctx *c, const struct rs_task_name *n);

/*
 * The leaves of the tree of time: a category has causes, a cause has parts, see wait.h. The engine finds the
 * cause of a wait as it ends, its parts by the history: they may be of another cause that explains more.
 * PART(id, cause, name, view that shows more, help). The order is that of a waterfall.
 */
#define RS_PARTS(PART) \
	PART(RUN, RUN, "run", "sched", "on a CPU, without the interrupts that came meanwhile") \
	PART(SLOW, RUN, "run (low frequency)", "power", \
	     "the same, below its base frequency and three quarters of the highest that its CPU has") \
	PART(IRQ, IRQ, "irq", "irqs", "interrupts that ran in its place, or before it") \
	PART(SOFTIRQ, IRQ, "softirq", "irqs", "softirqs, likewise") \
	PART(QUEUE, DELAY, "run queue", "runqlat", \
	     "runnable while another ran on the CPU that it waited for") \
	PART(IDLE_EXIT, DELAY, "idle exit", "power", \
	     "runnable until that CPU, which was idle, had left its idle state") \
	PART(DEEP_EXIT, DELAY, "deep idle exit", "power", \
	     "the same, and the state is a deep one: it has an exit latency of 15 us or more") \
	PART(WAKEUP, DELAY, "wake-up", "runqlat", \
	     "runnable while that CPU was idle, for at most 10 ms: it had to wake up") \
	PART(IDLE_CPU, DELAY, "idle CPU", "runqslower", \
	     "the same for longer: throttled by its cgroup, or unexplained") \
	PART(THROTTLED, DELAY, "throttled", "cgroups", \
	     "runnable while the quota of its cgroup (cpu.max) was used up, until its next period") \
	PART(LOCK, LOCK, "lock", "locks", "a lock of the kernel") \
	PART(FUTEX, FUTEX, "futex", "futex", "futex(2): a lock or a condition of the program") \
	PART(DISK_BEFORE, DISK, "disk: before request", "iosnoop", \
	     "until there was a request: io.max, no free tag, the block layer's own work") \
	PART(DISK_QUEUE, DISK, "disk: queued", "iosnoop", \
	     "its request waited in the queue of the I/O scheduler") \
	PART(DISK_DEVICE, DISK, "disk: in device", "iosnoop", "its request was in the device") \
	PART(DISK_FLUSH, DISK, "disk: flush", "iosnoop", \
	     "the device wrote its cache to the medium, for it or for whoever flushed") \
	PART(DISK_DONE, DISK, "disk: completed", "iosnoop", \
	     "from the completion of its request until it was woken") \
	PART(FAULT, DISK, "major fault", "iosnoop", "a page that had to be read from disk") \
	PART(RECLAIM, RECLAIM, "reclaim", "reclaim", "direct reclaim of memory") \
	PART(MEMCG, RECLAIM, "memcg reclaim", "reclaim", "reclaim for the limit of its memory cgroup") \
	PART(COMPACTION, RECLAIM, "compaction", "reclaim", "direct compaction of memory") \
	PART(THROTTLE, RECLAIM, "reclaim throttled", "reclaim", \
	     "reclaim that waits for reclaim or write-back") \
	PART(DIRTY, RECLAIM, "write-back throttled", "reclaim", \
	     "held back as a writer: too many dirty pages") \
	PART(WORK, OTHER_D, "work queue", "offcpu", \
	     "work of the kernel was queued, and no worker had begun with it") \
	PART(KERNEL, OTHER_D, "kernel (D)", "offcpu", "state D, and no event tells for what") \
	PART(READ_WRITE, SLEEP, "read, write", "syscall-latency", \
	     "asleep in read, write and their kin: a pipe, a terminal, a socket") \
	PART(SOCKET, SLEEP, "socket", "syscall-latency", "asleep in a call on a socket") \
	PART(NETWORK, SLEEP, "network", "connections", \
	     "asleep in a call on a TCP socket while a handshake, or a segment sent again, was on its way") \
	PART(SEND_BUFFER, SLEEP, "send buffer", "connections", \
	     "asleep in a call that sends by TCP: the send buffer was full") \
	PART(SEND_PEER, SLEEP, "send buffer: peer", "connections", \
	     "the same, and the peer, on this machine, had not read") \
	PART(SEND_LINK, SLEEP, "send buffer: link", "connections", \
	     "the same, and the peer, on this machine, was waiting for what is sent: the link is slow") \
	PART(ACCEPT_QUEUE, SLEEP, "accept queue", "listeners", \
	     "asleep in a call on a TCP socket that the peer, on this machine, had not accepted") \
	PART(DELAYED_ACK, SLEEP, "delayed ACK", "connections", \
	     "asleep in a call on a TCP socket for as long as a peer delays an ACK, after small sends") \
	PART(CHILD, SLEEP, "child", "execsnoop", \
	     "wait4 and its kin: until a child changed its state") \
	PART(OTHER_CALL, OTHER_CALL, "other call", "syscall-latency", "asleep in any other system call") \
	PART(POLL, IDLE, "poll", "offcpu", "epoll, poll, select: until something came") \
	PART(TIMER, IDLE, "timer", "offcpu", "nanosleep: the task chose how long") \
	PART(SIGNAL, IDLE, "signal", "offcpu", \
	     "pause, sigsuspend, sigtimedwait: until a signal came") \
	PART(STOPPED, IDLE, "stopped", "offcpu", "stopped, by a signal or a debugger") \
	PART(IDLE, IDLE, "idle", "offcpu", "a kernel thread without work") \
	PART(SLEEP, NOT_RECORDED, "sleep", "offcpu", \
	     "asleep, and no system call that was recorded tells why") \
	PART(OFF_CPU, OFF_CPU, "off-CPU", "offcpu", \
	     "asleep, then runnable: no wakings were recorded that would divide it") \
	PART(UNKNOWN, NOT_SEEN, "unknown", "tasks", "not seen, lost, or older than the history")

#define RS_PART_ID(id, ...) RS_PART_##id,
enum rs_time_part { RS_PARTS(RS_PART_ID) RS_NR_PARTS };
#undef RS_PART_ID

struct rs_part_row {
	const char *name;            /* in rows: "run queue" */
	enum rs_cause cause;         /* of which it is a part: of its category, and of its rank */
	const char *view;            /* that shows more */
	const char *help;
};

/* One that does not exist is RS_PART_UNKNOWN. */
const struct rs_part_row *rs_part_row(enum rs_time_part part);
/* The row of its cause. */
const struct rs_cause_row *rs_part_cause(enum rs_time_part part);

enum rs_culprit_kind {
	RS_CULPRIT_UNKNOWN,
	RS_CULPRIT_SELF,             /* the task itself: it ran; its own requests were in the device */
	RS_CULPRIT_TASK,
	RS_CULPRIT_INTERRUPT,        /* woken by an interrupt: a timer, a device */
	RS_CULPRIT_IRQ,              /* .irq */
	RS_CULPRIT_IDLE,             /* nobody: the CPU was idle */
	RS_CULPRIT_OTHERS,           /* several: too many to tell apart */
};

struct rs_culprit {
	enum rs_time_part part;
	enum rs_culprit_kind kind;
	/* of its kind: the process, the interrupt's source; with part and kind it tells culprits apart */
	uint64_t id;
	uint64_t ns, at_ns;          /* its share; where its longest piece begins */
	uint64_t piece_ns;         /* of that piece */
	int32_t pid, tid;            /* TASK; pid 0: unknown */
	const struct rs_task_name *name; /* TASK; NULL: only a request tells of it */
	const char *comm;            /* TASK without a name */
	const struct rs_irq_source *irq;
	/* of the parts DISK_* and FAULT: of its longest piece, as is .rwbs; 0: unknown */
	uint32_t dev;
	uint64_t rwbs;               /* the type of the longest request, rs_rwbs_text; 0: unknown */
	uint64_t lock_addr;          /* LOCK; FUTEX its address: of the longest piece */
	unsigned int lock_flags;     /* LOCK: enum rs_lock_flags */
	/* RS_PARTS_OF_SOCKET, READ_WRITE and POLL: of the longest piece, by rs_socket_name; 0: unknown */
	uint32_t socket;
	/* QUEUE, WAKEUP, IDLE_CPU: 1 + the CPU of the longest piece; 0: unknown */
	uint16_t cpu_1;
};

#define RS_MAX_CULPRITS (33 + RS_NR_PARTS) /* beyond, the rest of a part is of RS_CULPRIT_OTHERS */

/* Without a culprit twice; of a lock, threads of one process are apart. */
struct rs_culprits {
	unsigned int nr;
	uint32_t number;             /* of this list: see rs_task_name; 0: none. The engine's */
	bool by_type;                /* requests of one culprit are apart by rs_request_type */
	/* how many slices, requests and culprits were looked at; of a sample, the limit: 0 none */
	unsigned int steps, most_steps;
	struct rs_culprit at[RS_MAX_CULPRITS];
};

/*
 * rs_culprits_find - divides the time of the task between from_ns and to_ns
 *
 * Where there are too many culprits, tasks of one name are one, and the rest of a part is one of
 * RS_CULPRIT_OTHERS.
 */
void rs_culprits_find(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
		      struct rs_culprits *out);

/* Adds time that went to a part, and nobody is known to have taken it. */
void rs_culprits_add_part(struct rs_culprits *out, enum rs_time_part part, uint64_t from_ns, uint64_t to_ns);

/* Divides the time of the request that completes now, from its first event on. Call it in RS_ON_REQUEST. */
void rs_culprits_find_request(struct rs_ctx *c, const struct rs_request *r, struct rs_culprits *out);

/* Likewise, with the requests of one culprit apart by their type. */
void rs_culprits_find_by_type(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
			      struct rs_culprits *out);

/*
 * The same of the last part of that time, which so many steps, or the history, reach. The sum of all may be
 * less than to_ns - from_ns.
 */
void rs_culprits_sample(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
			unsigned int most_steps, struct rs_culprits *out);

/* What `ringside why` was asked about. */
enum rs_time_asked_kind {
	RS_ASKED_ALL,                /* all time of the selected tasks */
	/* the time inside of the system calls that match .calls and took at least .least_ns */
	RS_ASKED_CALLS,
	RS_ASKED_SLICE,              /* what thread .tid was in at .at_ns: its system call, else its state */
	RS_ASKED_TIME,               /* all that thread .tid did from .at_ns to .to_ns: of its chain alone */
	RS_ASKED_REQUEST,            /* the block requests at .sector of the disks .disks */
};

struct rs_time_asked {
	enum rs_time_asked_kind kind;
	const char *calls, *disks;   /* patterns, see rs_pattern_matches; NULL: all */
	uint64_t least_ns, at_ns, to_ns, sector;
	int32_t tid;
};

const struct rs_time_asked *rs_culprits_asked(const struct rs_ctx *c);
/* Returns true if that call, state or request is asked about, and not all time. */
bool rs_culprits_asked_call(const struct rs_ctx *c, const struct rs_call *call);
bool rs_culprits_asked_state(const struct rs_ctx *c, const struct rs_interval *iv);
bool rs_culprits_asked_request(const struct rs_ctx *c, const struct rs_request *r);

/*
 * What a request is by its rwbs, as far as that tells. Who writes for himself, or syncs, marks the request S;
 * write-back of dirty pages, later, does not.
 */
enum rs_request_type {
	RS_REQUEST_OTHER,
	RS_REQUEST_READ,
	RS_REQUEST_READ_AHEAD,
	RS_REQUEST_WRITE,
	RS_REQUEST_WRITE_BACK,
	RS_REQUEST_FLUSH,
	RS_REQUEST_DISCARD,
	RS_NR_REQUEST_TYPES
};

enum rs_request_type rs_request_type(uint64_t rwbs);
const char *rs_request_type_name(enum rs_request_type type); /* "read-ahead"; NULL: OTHER */

/*
 * "postgres", "irq 28 ahci": who it is, without numbers; "" unknown. buf may be used, and lives as long as
 * the text.
 */
const char *rs_culprit_text(struct rs_ctx *c, const struct rs_culprit *culprit, char *buf, size_t size_bytes);

/*
 * Writes the command that shows more of a part: "ringside iosnoop -i trace.dat -p 4242"; of one that is all
 * in flight that of RS_PART_UNKNOWN, for most views show what has ended. Interrupts are no task's, and
 * requests on a disk may be of others. pid 0: of the thread tid, for its process is not known; both 0: of the
 * selected tasks.
 */
void rs_part_command(const struct rs_ctx *c, enum rs_time_part part, uint32_t dev, int32_t pid, int32_t tid,
		     char *buf, size_t size_bytes);

/*
 * What a task did between two times: the time in each cause, RUN, DELAY, PREEMPTED and the WAITs; what is not
 * seen is NOT_SEEN. Looks at most_steps of its states, the last; the time before them, and before the
 * history, is taken to be like theirs. Returns how many it looked at.
 */
unsigned int rs_culprits_meanwhile(struct rs_ctx *c, const struct rs_task_name *n, uint64_t from_ns,
				   uint64_t to_ns, unsigned int most_steps, uint64_t ns[RS_NR_CAUSES]);

/* ---- what all processes of a name waited for: requires .requires_blame ---- */

#define RS_PART_BIT(part) (1ull << RS_PART_##part)
#define RS_PARTS_OF_SOCKET \
	(RS_PART_BIT(SOCKET) | RS_PART_BIT(NETWORK) | RS_PART_BIT(SEND_BUFFER) | RS_PART_BIT(SEND_PEER) | \
	 RS_PART_BIT(SEND_LINK) | RS_PART_BIT(ACCEPT_QUEUE) | RS_PART_BIT(DELAYED_ACK))
#define RS_PARTS_OF_DISK \
	(RS_PART_BIT(DISK_BEFORE) | RS_PART_BIT(DISK_QUEUE) | RS_PART_BIT(DISK_DEVICE) | \
	 RS_PART_BIT(DISK_DONE) | RS_PART_BIT(DISK_FLUSH))

/*
 * Returns how long they were on a CPU, or waited in parts of RS_RANK_WAIT, since the last reset; 0: there is
 * no process of that name. Of an interpreter's, as python3, those that run what process pid runs.
 */
uint64_t rs_busy_ns(struct rs_ctx *c, const char *comm, int32_t pid);
/* Sets who they waited for most in these parts. Returns false: they did not wait in them. */
bool rs_main_culprit(struct rs_ctx *c, const char *comm, int32_t pid, uint64_t parts,
		     enum rs_culprit_kind *kind);

/*
 * ---- the critical path: what a wait waited for, link by link ----
 *
 * Backwards over wake-ups. The first link is a task and a time: a slow call, a wait, the whole run of a
 * command. Of its time the largest share is looked at. If the task was blocked and another task woke it, that
 * task is the next link, for just that time; so each link says what a task did while the one before waited
 * for it. Time on a CPU, in a run queue, in a device, of a timer, of an interrupt ends the chain. Those above
 * a link are blocked meanwhile, so no task comes twice.
 */

#define RS_MAX_LINKS 10

struct rs_chain_link {
	int32_t pid, tid;            /* pid 0: unknown */
	uint32_t pid_inst, inst;     /* their task instances */
	char comm[RS_COMM_LEN];      /* the task's own name */
	char process[RS_COMM_LEN];
	/* of the longest wait for it, which it ended; of the first link, what was asked about */
	uint64_t from_ns, to_ns;
	uint64_t ns;                 /* how long the link before waited for it, in all */
	uint32_t nr_waits;           /* in how many waits */
	bool several;                /* for several tasks of that name; this is the one of the longest wait */
	/* what most of that time went to: */
	enum rs_time_part part;
	uint64_t part_ns;
	int64_t call;                /* in which system call, see rs_call_number; -1: none, or unknown */
	/*
	 * a worker of the kernel: the function of the work that ended the longest wait; 0: none, or unknown
	 */
	uint64_t function;
	bool followed;               /* it waited for the next link */
	bool is_queued;              /* it waited until the next link queued that work */
	bool kernel_thread;
	struct rs_culprit culprit;   /* of the last link; .name and .comm are not valid */
	char culprit_text[48];
	/* what was not followed: other tasks that this one waited for, and for how long */
	uint32_t nr_others;
	uint64_t others_ns;
};

/* Why the last link is RS_PART_UNKNOWN. */
enum rs_trail {
	RS_TRAIL_KNOWN,
	RS_TRAIL_FORGOTTEN,          /* it is older than the history */
	RS_TRAIL_EVENTS_LOST,
	RS_TRAIL_NOT_SEEN,           /* no event tells of the task at that time */
};

struct rs_chain {
	unsigned int nr;
	struct rs_chain_link at[RS_MAX_LINKS];
	enum rs_trail trail;
	bool is_cut;                 /* there is no room for the rest */
	/* of a block request: its type, rs_rwbs_text; 0: the first link is a call or a wait */
	uint64_t rwbs;
};

/* Finds the chain of a task's time between two times. Requires .requires_history; without it nr is 0. */
void rs_chain_find(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
		   struct rs_chain *chain);

/*
 * The chain of a block request that completes now, of one link: what its time went to. Call it in
 * RS_ON_REQUEST.
 */
void rs_chain_find_request(struct rs_ctx *c, const struct rs_request *r, struct rs_chain *chain);

/*
 * Of an analysis that requires the events workqueue_queue_work, workqueue_execute_start and
 * workqueue_execute_end: what they tell. by: the task in whose context the work was queued; NULL: an
 * interrupt. Then a chain goes on from a worker of the kernel to who queued the work that ended the wait,
 * with the time that it was queued as RS_PART_WORK.
 */
void rs_works_queue(struct rs_ctx *c, uint64_t work, const struct rs_task *by, uint64_t ts_ns);
void rs_works_begin(struct rs_ctx *c, uint64_t work, uint64_t function, const struct rs_task *worker,
		    uint64_t ts_ns);
void rs_works_end(struct rs_ctx *c, uint64_t work, const struct rs_task *worker, uint64_t ts_ns);

/*
 * The whole run of the command that was launched, or that a recording was made of (--command). nr 0: there is
 * none.
 */
void rs_chain_find_command(struct rs_ctx *c, struct rs_chain *chain);

/*
 * Returns how much of the time the last link explains: 0 if the trail is lost there or ringside took it, less
 * than all if in the end somebody slept of his own choice, or the wait is a kernel thread's. To compare
 * chains.
 */
uint64_t rs_chain_explained_ns(const struct rs_chain *chain);

#define RS_MAX_CHAINS 8

/* The chains that explain most, the first one the most; of each process name one. All zeros: empty. */
struct rs_chain_list {
	unsigned int nr;
	uint64_t least_ns;           /* what took less is not worth finding its chain */
	/*
	 * a process' chain gives way to one that may explain an eighth more, not to each: far fewer are
	 * looked for
	 */
	bool is_rough;
	struct rs_listed_chain {
		uint64_t explained_ns;
		struct rs_chain chain;
	} at[RS_MAX_CHAINS];
};

/* Returns false for what is too short to be listed: nearly all calls. */
static inline bool rs_chain_list_has_room(const struct rs_chain_list *list, uint64_t ns)
{
	return ns >= list->least_ns;
}

void rs_chain_list_add(struct rs_chain_list *list, const struct rs_chain *chain);
/*
 * Of callbacks: find the chain of what ended, if it may explain more than one in the list. A state in which
 * the task did not run and a wait count only outside of a call, for the call itself is a candidate. syscall:
 * that it was in; -1: none.
 */
void rs_chain_list_add_state(struct rs_ctx *c, struct rs_chain_list *list, const struct rs_interval *iv,
			     int64_t syscall);
void rs_chain_list_add_wait(struct rs_ctx *c, struct rs_chain_list *list, const struct rs_wait *w);
void rs_chain_list_add_call(struct rs_ctx *c, struct rs_chain_list *list, const struct rs_call *call);

/*
 * "server (297) meanwhile: recvfrom, 37.2 ms of it waiting for db: socket". Of the i-th link; hostile bytes
 * (names).
 */
void rs_chain_text(struct rs_ctx *c, const struct rs_chain *chain, unsigned int i, char *buf,
		   size_t size_bytes);

/*
 * ---- the wait tree: where all of a wait's time went, of which the critical path is the largest branch ----
 *
 * Below a task are the parts of its time that explain themselves, and the tasks that it waited for, each with
 * what it did meanwhile; below a part is who had what was waited for. Largest first. The times below a node
 * add up to its own.
 */

#define RS_MAX_WAIT_NODES 48

enum rs_wait_node_kind {
	RS_WAIT_NODE_TASK,           /* the first node; below another task: that waited for it */
	RS_WAIT_NODE_PART,
	RS_WAIT_NODE_CULPRIT,        /* of the part above */
	RS_WAIT_NODE_OTHERS,         /* the rest of the node above: what is small */
};

struct rs_wait_node {
	enum rs_wait_node_kind kind;
	unsigned int depth;
	bool on_path; /* it is the largest of its node, and that is on the path: so is the first node */
	/* TASK: what the task above waited in; of the first node RS_PART_UNKNOWN */
	enum rs_time_part part;
	uint64_t ns;
	uint32_t nr;                 /* TASK: waits; OTHERS: nodes that it stands for */
	uint64_t from_ns, to_ns;     /* of its longest piece: TASK, of the longest wait; both 0: unknown */
	int32_t pid, tid;            /* TASK, CULPRIT; 0: unknown, or no task */
	uint32_t inst;               /* TASK */
	char name[48];               /* TASK: its own name; CULPRIT: see rs_culprit_text */
	int64_t call; /* TASK: the call that it is in, or was in longest; -1: none, or unknown */
	uint64_t function;           /* TASK: see struct rs_chain_link */
	uint32_t dev;                /* PART, CULPRIT: see struct rs_culprit */
	uint64_t lock_addr;          /* TASK: that the task above waited for; 0: none, or unknown */
	/* TASK: that the task above waited on; PART: see struct rs_culprit; by rs_socket_name; 0: none */
	uint32_t socket;
	uint16_t cpu_1;              /* PART, CULPRIT: see struct rs_culprit */
};

struct rs_wait_tree {
	unsigned int nr;
	struct rs_wait_node at[RS_MAX_WAIT_NODES];
};

/*
 * Finds the tree of a task's time between two times; call: that it was in; -1: none, or unknown. Requires
 * .requires_history. nr is 0 if nothing is known of the task. False: out of memory.
 */
bool rs_wait_tree_find(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
		       int64_t call, struct rs_wait_tree *tree);
/*
 * "victim", "holder" of a lock, "peer", "child", "worker"; of a culprit "takes": it ran on the CPU; "device":
 * it had requests there; NULL: none of these.
 */
const char *rs_wait_node_role(const struct rs_wait_node *n);
/* "  audit-log (384), holder": indented by its depth. Hostile bytes (names). */
void rs_wait_node_text(struct rs_ctx *c, const struct rs_wait_node *n, char *buf, size_t size_bytes);

#endif
