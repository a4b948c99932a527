// SPDX-License-Identifier: GPL-2.0-or-later
/* peer-waits - findings: who waits for another task, over a pipe, a socket or a lock, and what that task does meanwhile */
#include <inttypes.h>
#include <stdio.h>

#include "ringside/plugin.h"

#define PEER_LEAST 33333              /* of one thread's time, in thousandths of a percent */
#define LOCK_LEAST 20000
#define FUTEX_LEAST 12000
#define MMAP_LEAST 10000              /* of what all threads of a process did: some of them rarely ask for memory */
#define LEAST_MEAN_NS 1000000         /* of a wait for a peer: shorter ones are a pipeline at work */
#define PEER_LEAST_OF_READER 20000    /* likewise, of one that writes to a reader that is busy */
#define BUSY_READER_MILLI 700
#define BUSY_MILLI 850                /* of the time that a peer runs, for it to be at its limit */
#define TURNS_LEAST_THREADS 3
#define TURNS_MOST_MILLI 1350         /* of the time that all threads run that take turns: little more than one CPU */
#define TURNS_MOST_NS 20000000
#define MANY_CLIENTS 3
#define MANY_CHILDREN 10              /* a second */
#define MAX_DEPTH 5                   /* of a chain of peers */
#define SCRIPT_LEAST 3                /* names of programs that a script runs, one after the other */

enum { PIPE_READ, PIPE_WRITE, SOCKET, CHILD, SERVER, ONE_THREAD, FILE_LOCK, FUTEX, KERNEL_LOCK, MMAP_LOCK, OWN_SLEEP };

static const struct rs_rule rules[] = {
	[PIPE_READ] = { "peer-read", "a process waits to read what another has to write, over a pipe or a socket", PEER_LEAST, "%", "waits",
			"see what the other does meanwhile" },
	[PIPE_WRITE] = { "peer-write", "a process waits to write what another does not read, into a full pipe or socket", PEER_LEAST_OF_READER, "%", "waits",
			 "make the reader faster, or write less" },
	[SOCKET] = { "peer-socket", "a process waits in a call on a socket for another", PEER_LEAST, "%", "waits", "see what the other does meanwhile" },
	[CHILD] = { "peer-child", "a process waits for its child", PEER_LEAST, "%", "waits", "see what the child does meanwhile" },
	[SERVER] = { "server-busy", "several processes wait for one that is busy all the time", PEER_LEAST, "%", "waits",
		     "give the server more threads, or less work" },
	[ONE_THREAD] = { "one-thread", "the threads of a process wait for one of them, which runs all the time", PEER_LEAST, "%", "waits",
			 "divide the work of that thread" },
	[FILE_LOCK] = { "file-lock", "a process waits for a file lock, or a semaphore", PEER_LEAST, "%", "waits", "hold the lock for shorter" },
	[FUTEX] = { "futex-lock", "threads wait for a lock of their program", FUTEX_LEAST, "%", "waits", "hold the lock for shorter, or split it" },
	[KERNEL_LOCK] = { "kernel-lock", "tasks wait for a lock of the kernel", LOCK_LEAST, "%", "waits",
			  "see which system calls take it, and let fewer tasks do them at once" },
	[MMAP_LOCK] = { "mmap-lock", "threads wait for the mmap_lock of their process", LOCK_LEAST, "%", "waits",
			"map, unmap and fault less, or in other processes" },
	[OWN_SLEEP] = { "own-sleep", "a process that was asked about sleeps nearly all the time, by its own choice", 80000, "%", "sleeps",
			"see why it waits that long, in its source" },
	{ 0 },
};

/* ---- calls ---- */

static bool peer_is_write(struct rs_ctx *c, int64_t call)
{
	return rs_call_is_one_of(c, call, "write,writev,pwrite64,send,sendto,sendmsg,sendmmsg,sendfile,sendfile64,splice,tee,vmsplice");
}

static bool peer_is_file_lock(struct rs_ctx *c, int64_t call)
{
	return rs_call_is_one_of(c, call, "flock,fcntl,fcntl64");
}

static bool peer_is_semaphore(struct rs_ctx *c, int64_t call)
{
	return rs_call_is_one_of(c, call, "semop,semtimedop,semtimedop_time64");
}

static bool peer_is_mmap_call(struct rs_ctx *c, int64_t call)
{
	return call < 0 || rs_call_is_one_of(c, call, "mmap,mmap2,munmap,mprotect,mremap,brk,madvise");
}

/* Their work is to wait for what they started: no sentence is worth that. */
static bool peer_is_launcher(const char *comm)
{
	static const char names[] = ",sh,bash,dash,zsh,ksh,fish,busybox,sudo,su,env,time,timeout,nice,ionice,xargs,script,watch,strace,perf,"
				    "ssh,sshd,login,systemd,init,cron,crond,screen,tmux,cc,c++,gcc,g++,clang,collect2,ccache,";
	const char *at = strstr(names, comm);
	size_t len = strlen(comm);

	return len && at && at[-1] == ',' && at[len] == ',';
}

/* ---- what the other does meanwhile ---- */

enum peer_does { DOES_RUN, DOES_WAIT_CPU, DOES_DISK, DOES_LOCK, DOES_FUTEX, DOES_MEMORY, DOES_SLEEP, DOES_WAIT, DOES_UNKNOWN, NR_DOES };

static enum peer_does peer_what_it_does(const struct rs_blame_entry *e)
{
	const uint64_t *did = e->did_ns;
	const uint64_t ns[NR_DOES] = {
		[DOES_RUN] = did[RS_CAUSE_RUN], [DOES_WAIT_CPU] = did[RS_CAUSE_DELAY] + did[RS_CAUSE_PREEMPTED],
		[DOES_DISK] = did[RS_CAUSE_DISK] + did[RS_CAUSE_OTHER_D], [DOES_LOCK] = did[RS_CAUSE_LOCK], [DOES_FUTEX] = did[RS_CAUSE_FUTEX],
		[DOES_MEMORY] = did[RS_CAUSE_RECLAIM], [DOES_SLEEP] = did[RS_CAUSE_IDLE], [DOES_WAIT] = did[RS_CAUSE_SLEEP],
	};
	enum peer_does most = DOES_UNKNOWN;

	for (enum peer_does does = 0; does < NR_DOES; does++)
		if (ns[does] > ns[most])
			most = does;
	return most;
}

/* The costliest entry of the parts that is not about `except`. */
static const struct rs_blame_entry *peer_entry(const struct rs_blame *b, uint64_t parts, const char *except)
{
	for (unsigned int i = 0; b && i < b->nr; i++)
		if ((parts >> b->at[i].part & 1) && strcmp(b->at[i].comm, except) != 0)
			return &b->at[i];
	return NULL;
}

#define PEER_PARTS (RS_PART_BIT(READ_WRITE) | RS_PART_BIT(SOCKET) | RS_PART_BIT(CHILD) | RS_PART_BIT(OTHER_CALL) | RS_PART_BIT(POLL))

/*
 * Is the peer a server that the victim asks: does it wait for the victim in poll? Where both wait in read, one of them
 * asks and sleeps at its leisure, and nothing tells which.
 */
static bool peer_answers(struct rs_ctx *c, const struct rs_blame *victim, const struct rs_blame_entry *e)
{
	const struct rs_blame *peer = rs_blame_find(c, e->comm);

	for (unsigned int i = 0; peer && i < peer->nr; i++)
		if (peer->at[i].part == RS_PART_POLL && peer->at[i].kind == RS_CULPRIT_TASK && !strcmp(peer->at[i].comm, victim->comm))
			return true;
	return false;
}

/*
 * Does what the victim waits for go round, through several others, and come back to it: a relay, in which all wait for the
 * one that sleeps? Between two, nothing tells who asks at its leisure.
 */
static bool peer_is_relay(struct rs_ctx *c, const struct rs_blame *victim, const struct rs_blame_entry *e)
{
	for (unsigned int nr = 1; e && e->kind == RS_CULPRIT_TASK && nr <= 2 * MAX_DEPTH; nr++) {
		if (!strcmp(e->comm, victim->comm))
			return nr > 2;
		e = peer_entry(rs_blame_find(c, e->comm), PEER_PARTS & ~RS_PART_BIT(POLL), "");
	}
	return false;
}

/* What the peer does, where state D may be a kernel lock, for which there are no events. */
static enum peer_does peer_does(const struct rs_blame *peer, const struct rs_blame_entry *e)
{
	enum peer_does does = peer_what_it_does(e);
	const struct rs_blame_entry *first = peer_entry(peer, RS_PARTS_OF_DISK | RS_PART_BIT(KERNEL) | RS_PART_BIT(FAULT) | RS_PART_BIT(LOCK), "");

	return does == DOES_DISK && first && first->part == RS_PART_LOCK && !first->lock_addr ? DOES_LOCK : does;
}

struct peer_words {
	char text[200];            /* what the culprit does: "runs on a CPU" */
	const char *culprit;       /* at the end of the chain */
	int32_t pid;
	unsigned int nr;
};

static void peer_say_cpu(const struct rs_blame *peer, const struct rs_blame_entry *e, struct peer_words *w)
{
	const struct rs_blame_entry *next = peer_entry(peer, RS_PART_BIT(QUEUE), e->comm);

	if (peer && peer->part_ns[RS_PART_IDLE_CPU] > peer->part_ns[RS_PART_QUEUE] && peer->part_ns[RS_PART_IDLE_CPU] >= e->ns / 4)
		snprintf(w->text, sizeof w->text, "waits for a CPU beside an idle one, throttled by the quota of its cgroup (cpu.max)");
	else
		snprintf(w->text, sizeof w->text, "waits for a CPU%s%.16s%s", next ? ", where " : "", next ? next->comm : "", next ? " runs" : "");
}

static void peer_say_disk(struct rs_ctx *c, const struct rs_blame *peer, struct peer_words *w)
{
	const struct rs_blame_entry *e = peer_entry(peer, RS_PARTS_OF_DISK | RS_PART_BIT(KERNEL) | RS_PART_BIT(FAULT), ""), *dev = NULL;
	const char *call = e && e->call >= 0 ? rs_syscall_name(c, e->call) : NULL, *name;
	char number[32];

	for (unsigned int i = 0; peer && i < peer->nr && !dev; i++)
		dev = peer->at[i].dev ? &peer->at[i] : NULL;
	name = dev ? rs_disk_name(c, dev->dev) : NULL;
	if (dev)
		rs_dev_text(dev->dev, number, sizeof number);
	snprintf(w->text, sizeof w->text, "waits for disk%s%.30s%s%s", dev ? " " : "", name ? name : dev ? number : "", call ? " in " : "",
		 call ? call : "");
}

/* What the culprit of an entry does while the victim waits. Sets w->text, and the culprit at the end of the chain. */
static void peer_say(struct rs_ctx *c, const struct rs_blame *victim, const struct rs_blame_entry *e, unsigned int depth, struct peer_words *w)
{
	const struct rs_blame *peer = rs_blame_find(c, e->comm);
	const struct rs_blame_entry *next;
	struct peer_words deeper;

	w->culprit = e->comm;
	w->pid = e->pids[0];
	w->nr = rs_blame_nr_culprits(c, e);
	switch (peer_does(peer, e)) {
	case DOES_RUN:
		snprintf(w->text, sizeof w->text, "runs on a CPU");
		break;
	case DOES_WAIT_CPU:
		peer_say_cpu(peer, e, w);
		break;
	case DOES_DISK:
		peer_say_disk(c, peer, w);
		break;
	case DOES_LOCK:
		next = peer_entry(peer, RS_PART_BIT(LOCK), "");
		snprintf(w->text, sizeof w->text, "waits for a lock of the kernel%s%.16s%s", next ? " that " : "", next ? next->thread : "",
			 next ? " holds" : "");
		break;
	case DOES_FUTEX:
		next = peer_entry(peer, RS_PART_BIT(FUTEX), "");
		snprintf(w->text, sizeof w->text, "waits for a lock (futex)%s%.16s%s", next ? " that its thread " : "", next ? next->thread : "",
			 next ? " holds" : "");
		break;
	case DOES_MEMORY:
		snprintf(w->text, sizeof w->text, "waits for memory (reclaim)");
		break;
	case DOES_SLEEP:
		snprintf(w->text, sizeof w->text, "sleeps, as long as " RS_CULPRIT "it asked for");
		break;
	case DOES_WAIT:
		next = peer && depth < MAX_DEPTH ? peer_entry(peer, PEER_PARTS, victim->comm) : NULL;
		if (next && next->kind == RS_CULPRIT_TASK) {
			peer_say(c, peer, next, depth + 1, &deeper);
			snprintf(w->text, sizeof w->text, "waits for %s%.16s, which %.120s", peer_is_file_lock(c, next->call) ? "the file lock of " : "", next->comm,
				 deeper.text);
			w->culprit = deeper.culprit;
			w->pid = deeper.pid;
			w->nr = deeper.nr;
			break;
		}
		snprintf(w->text, sizeof w->text, "waits for another in turn");
		break;
	default:
		snprintf(w->text, sizeof w->text, "ends it");
	}
}

/* ---- one finding ---- */

struct peer_case {
	const struct rs_blame *b;
	const struct rs_blame_entry *e;  /* the costliest of its kind */
	unsigned int rule;
	uint64_t ns, nr, of_ns, interval_ns;
	uint64_t nr_children;            /* that it waited for */
	bool is_thread;                  /* the culprit is a thread of the victim */
};

static void peer_put(struct rs_ctx *c, const struct peer_case *k, const char *cause, const char *how, const struct peer_words *w)
{
	bool names_thread = k->b->nr_threads > 1 && k->b->nr_processes == 1 && strcmp(k->e->waiter, k->b->comm) != 0;
	char where[48], victim[2 * RS_COMM_LEN + 4];
	const struct rs_evidence evidence[] = { { "offcpu", "-total_ns", where, NULL }, { "tasks", NULL, where, NULL }, { "antagonists", NULL, where, NULL },
						{ 0 } };

	snprintf(victim, sizeof victim, "%.16s%s%.16s", k->b->comm, names_thread ? "/" : "", names_thread ? k->e->waiter : "");
	snprintf(where, sizeof where, "pid == %d", k->b->pid);
	rs_report_finding(c, &(struct rs_finding){
		.rule = &rules[k->rule], .cost_ns = k->rule == OWN_SLEEP ? k->ns / 1000 : k->ns, .of_ns = k->of_ns, .victim = victim, .victim_pid = k->b->pid,
		.nr_victims = k->b->nr_processes, .cause = cause, .how = how, .culprit = w->culprit, .culprit_pid = w->pid,
		.nr_culprits = w->nr, .confidence = k->e->part == RS_PART_LOCK && !k->e->lock_addr ? RS_INFERRED : RS_MEASURED, .since_ns = k->e->since_ns, .measured = rs_milli(k->ns, k->interval_ns, 100).u, .view = "offcpu",
		.where = where, .evidence = evidence,
	});
}

/* ---- locks ---- */

static const char *peer_lock_name(struct rs_ctx *c, const struct rs_blame_entry *e, char *buf, size_t size_bytes)
{
	const char *type = rs_lock_type(e->lock_flags), *symbol = e->lock_addr ? rs_symbol(c, e->lock_addr) : NULL;

	if (!e->lock_addr)
		snprintf(buf, size_bytes, "a kernel lock, most likely (this kernel has no lock events),");
	else if (symbol)
		snprintf(buf, size_bytes, "the kernel's %s %.40s", type ? type : "lock", symbol);
	else
		snprintf(buf, size_bytes, "a kernel lock (%s at 0x%" PRIx64 ")", type ? type : "unknown type", e->lock_addr);
	return buf;
}

static void peer_put_lock(struct rs_ctx *c, struct peer_case *k)
{
	const char *call = k->e->call >= 0 ? rs_syscall_name(c, k->e->call) : "a page fault";
	char cause[140], how[200], lock[100];
	struct peer_words w;

	peer_say(c, k->b, k->e, 0, &w);
	w.culprit = k->e->thread[0] ? k->e->thread : k->e->comm;
	w.pid = k->e->nr_pids > 1 || !k->is_thread ? k->e->pids[0] : k->e->tid;
	w.nr = k->is_thread ? 0 : rs_blame_nr_culprits(c, k->e);
	if (k->rule == FUTEX) {
		snprintf(cause, sizeof cause, "for a lock of " RS_VICTIM "its own (futex at 0x%" PRIx64 ")", k->e->lock_addr);
		if (peer_what_it_does(k->e) == DOES_FUTEX)
			snprintf(how, sizeof how, "its threads take turns, * has it most");
		else if (k->e->did_ns[RS_CAUSE_PREEMPTED] + k->e->did_ns[RS_CAUSE_DELAY] > k->e->ns / 4) {
			const struct rs_blame_entry *next = peer_entry(k->b, RS_PART_BIT(QUEUE), k->b->comm);

			snprintf(how, sizeof how, "* holds it while it is preempted%s%.16s", next ? " by " : "", next ? next->comm : "");
			k->ns += rs_blame_sum(k->b, RS_PART_BIT(QUEUE), NULL); /* the holder's wait is the victim's */
			k->of_ns = 0;
		} else
			snprintf(how, sizeof how, "* holds it (" RS_CULPRIT "it " RS_CULPRIT "%.120s)", w.text);
	} else {
		snprintf(cause, sizeof cause, "for %s in %s", k->rule == MMAP_LOCK ? k->e->lock_addr ? "the mmap_lock of " RS_VICTIM "its process" : "the mmap_lock of " RS_VICTIM "its process, most likely," : peer_lock_name(c, k->e, lock, sizeof lock),
			 call ? call : "a call");
		snprintf(how, sizeof how, "* holds it (" RS_CULPRIT "it " RS_CULPRIT "%.120s)", w.text);
	}
	peer_put(c, k, cause, how, &w);
}

/* Who had the lock while the others stood in line, one behind the other; NULL: nobody in particular. */
static const struct rs_blame_entry *peer_holder(const struct rs_blame *b, const struct rs_blame_entry *first, uint64_t all_ns)
{
	const struct rs_blame_entry *holder = NULL;
	uint64_t most_ns = all_ns / 4;

	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];
		uint64_t in_line_ns = e->did_ns[RS_CAUSE_FUTEX] < e->ns ? e->did_ns[RS_CAUSE_FUTEX] : e->ns;

		if (e->part != RS_PART_FUTEX || e->kind != RS_CULPRIT_TASK || !e->call_arg || e->lock_addr != first->lock_addr || e->ns - in_line_ns <= most_ns)
			continue;
		most_ns = e->ns - in_line_ns;
		holder = e;
	}
	return holder;
}

/*
 * Threads that wait for short times, over and over, while one of them runs at any time, each in its turn: a lock of an
 * interpreter, which is asked for with a time-out.
 */
static void peer_judge_turns(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	struct peer_case k = { .b = b, .rule = FUTEX, .interval_ns = interval_ns, .of_ns = rs_blame_busy_ns(b) };
	uint64_t run_milli = rs_milli(b->run_ns, interval_ns, 1).u;

	for (unsigned int i = 0; i < b->nr; i++) {
		if (b->at[i].part != RS_PART_FUTEX || b->at[i].kind != RS_CULPRIT_INTERRUPT)
			continue;
		k.ns += b->at[i].ns;
		k.nr += b->at[i].nr;
		k.e = k.e ? k.e : &b->at[i];
	}
	if (!k.e || b->nr_processes > 1 || b->nr_threads < TURNS_LEAST_THREADS || run_milli < BUSY_MILLI || run_milli > TURNS_MOST_MILLI ||
	    b->busiest_ns > b->run_ns / 3 * 2 || k.ns / k.nr > TURNS_MOST_NS || rs_milli(k.ns, b->lifetime_ns, 100).u < PEER_LEAST)
		return;
	k.of_ns += k.ns;
	peer_put(c, &k, "for a lock of its own (futex)", "the threads of * take turns, one runs at a time", &(struct peer_words){ .culprit = b->comm, .pid = b->pid });
}

static void peer_judge_locks(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	const struct rs_blame_entry *holder;
	struct peer_case kernel = { .b = b, .rule = KERNEL_LOCK, .interval_ns = interval_ns, .of_ns = rs_blame_busy_ns(b) };
	struct peer_case futex = { .b = b, .rule = FUTEX, .interval_ns = interval_ns, .of_ns = rs_blame_busy_ns(b) };

	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];
		struct peer_case *k = e->part == RS_PART_LOCK ? &kernel : e->part == RS_PART_FUTEX && e->call_arg ? &futex : NULL;

		if (!k || e->kind != RS_CULPRIT_TASK)
			continue;
		k->ns += e->ns;
		k->nr += e->nr;
		k->e = k->e ? k->e : e;
		k->is_thread = !strcmp(k->e->comm, b->comm) && b->nr_processes == 1;
	}
	holder = futex.e ? peer_holder(b, futex.e, futex.ns) : NULL;
	futex.e = holder ? holder : futex.e;
	futex.of_ns += futex.ns;
	if (futex.e && rs_milli(futex.ns, interval_ns, 100).u >= FUTEX_LEAST)
		peer_put_lock(c, &futex);
	if (!kernel.e || rs_milli(kernel.ns, interval_ns, 100).u < LOCK_LEAST)
		return;
	if (kernel.is_thread && peer_is_mmap_call(c, kernel.e->call) &&
	    (!kernel.e->lock_addr || strncmp(rs_lock_type(kernel.e->lock_flags) ? : "", "rwsem", 5) == 0))
		kernel.rule = MMAP_LOCK;
	if (rs_milli(kernel.ns, kernel.of_ns, 100).u >= (kernel.rule == MMAP_LOCK ? MMAP_LEAST : LOCK_LEAST))
		peer_put_lock(c, &kernel);
}

/* ---- pipes, sockets, children ---- */

/* Who calls vfork waits in state D until its child calls exec. */
static bool peer_is_child(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	return e->part == RS_PART_CHILD || (e->part == RS_PART_KERNEL && rs_call_is_one_of(c, e->call, "vfork,clone,clone3"));
}

static unsigned int peer_rule(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	if (e->part == RS_PART_CHILD || e->part == RS_PART_KERNEL)
		return CHILD;
	if (peer_is_file_lock(c, e->call) || peer_is_semaphore(c, e->call))
		return FILE_LOCK;
	if (peer_is_write(c, e->call))
		return PIPE_WRITE;
	return e->part == RS_PART_SOCKET ? SOCKET : PIPE_READ;
}

/* As a lock: who only gives them is a producer, and whoever waits has nothing to do. */
static bool peer_takes_semaphores(struct rs_ctx *c, const char *comm)
{
	const struct rs_blame *b = rs_blame_find(c, comm);

	for (unsigned int i = 0; b && i < b->nr; i++)
		if (b->at[i].kind == RS_CULPRIT_TASK && peer_is_semaphore(c, b->at[i].call))
			return true;
	return false;
}

static bool peer_has_many_children(const struct peer_case *k)
{
	return k->nr_children * 1000000000 / k->interval_ns >= MANY_CHILDREN;
}

/* Does it wait for one program after the other, for one as long as it lives, or read what short-lived ones write, as a script does? */
static bool peer_is_script(struct rs_ctx *c, const struct peer_case *k)
{
	const char *names[SCRIPT_LEAST];
	const struct rs_blame *peer;
	unsigned int nr = 0, n;

	for (unsigned int i = 0; i < k->b->nr && nr < SCRIPT_LEAST; i++) {
		const struct rs_blame_entry *e = &k->b->at[i];

		if (e->part != RS_PART_CHILD || e->kind != RS_CULPRIT_TASK)
			continue;
		for (n = 0; n < nr && strcmp(names[n], e->comm); n++)
			;
		if (n == nr)
			names[nr++] = e->comm;
	}
	if (k->rule == CHILD && !peer_has_many_children(k) && k->b->lifetime_ns / k->b->nr_processes < k->interval_ns / 2)
		return true;
	peer = rs_blame_find(c, k->e->comm);
	return nr == SCRIPT_LEAST || (k->rule == PIPE_READ && peer && rs_blame_is_short_lived(peer, k->interval_ns));
}

/* Is somebody slow, or is nobody in need of anything? */
static bool peer_is_to_blame(struct rs_ctx *c, const struct peer_case *k)
{
	enum peer_does does = peer_what_it_does(k->e);

	if (k->rule == CHILD && peer_is_launcher(k->b->comm))
		return false;
	if (peer_is_semaphore(c, k->e->call) && (does == DOES_SLEEP || does == DOES_UNKNOWN) && !peer_takes_semaphores(c, k->e->comm))
		return false;
	if ((k->rule == CHILD || k->rule == PIPE_READ) && (does == DOES_RUN || does == DOES_WAIT_CPU) && peer_is_script(c, k))
		return false;
	switch (does) {
	case DOES_SLEEP:
		return k->rule == PIPE_WRITE || k->rule == FILE_LOCK || (!k->is_thread && (peer_answers(c, k->b, k->e) || peer_is_relay(c, k->b, k->e)));
	case DOES_WAIT: {
		struct peer_words w;

		peer_say(c, k->b, k->e, 0, &w);
		return strstr(w.text, ", which ") && (!strstr(w.text, "sleeps") || strstr(w.text, "the file lock of ") || peer_answers(c, k->b, k->e) || peer_is_relay(c, k->b, k->e));
	}
	case DOES_UNKNOWN:
		return k->rule == FILE_LOCK;
	default:
		return true;
	}
}

/* A peer at its limit: a server with a queue before it, a thread that the others wait for. */
static unsigned int peer_rule_of_busy(struct rs_ctx *c, const struct peer_case *k)
{
	const struct rs_blame *peer = rs_blame_find(c, k->e->comm);

	if (!peer || peer_what_it_does(k->e) != DOES_RUN)
		return k->rule;
	if (k->is_thread)
		return rs_milli(k->b->busiest_ns, k->interval_ns, 1).u >= BUSY_MILLI ? ONE_THREAD : k->rule;
	if (peer->run_ns / 1000 * 1000 >= k->interval_ns / 1000 * BUSY_MILLI && (k->b->nr_processes >= MANY_CLIENTS || k->b->nr_threads >= MANY_CLIENTS) && k->rule != CHILD)
		return SERVER;
	return k->rule;
}

static void peer_put_peer(struct rs_ctx *c, struct peer_case *k)
{
	const char *call = k->e->call >= 0 ? rs_syscall_name(c, k->e->call) : "a call";
	char cause[120], how[200];
	struct peer_words w;

	peer_say(c, k->b, k->e, 0, &w);
	k->rule = peer_rule_of_busy(c, k);
	if (k->is_thread) {
		w.culprit = k->e->thread;
		w.pid = k->e->tid;
		w.nr = 0;
	}
	snprintf(how, sizeof how, "%s%.16s%s%.130s", w.culprit == k->e->comm || k->is_thread ? "*" : "", w.culprit == k->e->comm || k->is_thread ? "" : k->e->comm,
		 " ", w.text);
	switch (k->rule) {
	case PIPE_READ:
		snprintf(cause, sizeof cause, "in %s for a peer, over a pipe or a socket", call);
		break;
	case PIPE_WRITE:
		snprintf(cause, sizeof cause, "in %s, a pipe or a socket's send buffer is full", call);
		snprintf(how, sizeof how, "* reads slowly, " RS_CULPRIT "it " RS_CULPRIT "%.120s", w.text);
		w.culprit = k->e->comm;
		break;
	case SOCKET:
		snprintf(cause, sizeof cause, "in %s for a peer, over a socket", call);
		break;
	case CHILD:
		snprintf(cause, sizeof cause, "in %s for %s", call, peer_has_many_children(k) ? "the short-lived children that " RS_VICTIM "it " RS_VICTIM "starts (fork, exec)" : "its child");
		break;
	case SERVER:
		snprintf(cause, sizeof cause, "in %s for a busy server, in its queue", call);
		snprintf(how, sizeof how, "* runs all the time, for one after the other");
		break;
	case ONE_THREAD:
		snprintf(cause, sizeof cause, "for one of " RS_VICTIM "its threads");
		snprintf(how, sizeof how, "* runs %u %% of the time on a CPU, and is the bottleneck",
			 (unsigned int)(rs_milli(k->b->busiest_ns, k->interval_ns, 100).u / 1000));
		break;
	default:
		snprintf(cause, sizeof cause, "in %s for a %s", call, peer_is_semaphore(c, k->e->call) ? "lock (semaphore)" : "file lock");
		snprintf(how, sizeof how, "* holds it (" RS_CULPRIT "it " RS_CULPRIT "%.120s)", w.text);
		w.culprit = k->e->comm;
	}
	peer_put(c, k, cause, how, &w);
}

static bool peer_is_wait_for(const struct rs_blame_entry *e, const char *comm)
{
	return e->kind == RS_CULPRIT_TASK && (RS_PART_BIT(READ_WRITE) | RS_PART_BIT(SOCKET) | RS_PART_BIT(POLL)) >> e->part & 1 && !strcmp(e->comm, comm);
}

/*
 * A client with a time-out waits in poll(2) for its answer. Who waits for whatever comes does so too: it is a client if the
 * other waits for it about as often, for shorter, and not in the same way, which would tell nothing, and works meanwhile.
 */
static bool peer_is_answer(struct rs_ctx *c, const struct rs_blame *b, const struct rs_blame_entry *e)
{
	static const char polls[] = "poll,ppoll,ppoll_time64,select,_newselect,pselect6,pselect6_time64";
	const struct rs_blame *peer = e->part == RS_PART_POLL && strcmp(e->comm, b->comm) != 0 && rs_call_is_one_of(c, e->call, polls) ? rs_blame_find(c, e->comm) : NULL;
	enum peer_does does = peer_what_it_does(e);
	uint64_t nr = 0, ns = 0;

	if (!peer || does == DOES_SLEEP || does == DOES_WAIT || does == DOES_UNKNOWN)
		return false;
	for (unsigned int i = 0; i < peer->nr; i++)
		if (peer_is_wait_for(&peer->at[i], b->comm)) {
			if (rs_call_is_one_of(c, peer->at[i].call, polls))
				return false;
			nr += peer->at[i].nr;
			ns += peer->at[i].ns;
		}
	return e->nr / 2 <= nr && nr / 2 <= e->nr && ns <= e->ns / 3 * 2;
}

/* A thread that waits for the one that runs all the time to tell it something: no lock, and no pool without work. */
static bool peer_is_condition(const struct rs_blame *b, const struct rs_blame_entry *e)
{
	return e->part == RS_PART_FUTEX && !e->call_arg && b->busiest && !strcmp(e->comm, b->comm) && !strcmp(e->thread, b->busiest->comm) &&
	       b->busiest_ns >= b->lifetime_ns / 1000 * BUSY_MILLI / (b->nr_threads ? b->nr_threads : 1);
}

/* The share from which on it is judged: less where the one that reads is at its limit, the slow member of a pipeline. */
static uint64_t peer_least(struct rs_ctx *c, const struct peer_case *k)
{
	const struct rs_blame *peer = k->rule == PIPE_WRITE ? rs_blame_find(c, k->e->comm) : NULL;

	return peer && peer->nr_threads == 1 && peer->run_ns >= k->interval_ns / 1000 * BUSY_READER_MILLI ? PEER_LEAST_OF_READER : PEER_LEAST;
}

static void peer_judge(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	struct peer_case k = { .b = b, .interval_ns = interval_ns };
	uint64_t least;

	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];

		if (!((PEER_PARTS & ~RS_PART_BIT(POLL)) >> e->part & 1) && !peer_is_child(c, e) && !peer_is_condition(b, e) && !peer_is_answer(c, b, e))
			continue;
		if (e->kind != RS_CULPRIT_TASK || e->kernel_thread)
			continue;
		if (k.e && strcmp(k.e->comm, e->comm) != 0)
			continue;
		k.e = k.e ? k.e : e;
		k.ns += e->ns;
		k.nr += e->nr;
		k.nr_children += peer_is_child(c, e) ? e->nr : 0;
	}
	if (!k.e || k.ns / k.nr < LEAST_MEAN_NS)
		return;
	k.rule = peer_rule(c, k.e);
	least = peer_least(c, &k);
	if (rs_milli(k.ns, b->lifetime_ns, 100).u < least * b->nr_processes / (b->nr_threads > b->nr_processes ? b->nr_threads : b->nr_processes) ||
	    rs_milli(k.ns, interval_ns, 100).u < least)
		return;
	k.is_thread = !strcmp(k.e->comm, b->comm) && b->nr_processes == 1;
	k.of_ns = rs_blame_busy_ns(b) + k.ns;
	if (k.e->part == RS_PART_FUTEX && peer_rule_of_busy(c, &k) != ONE_THREAD)
		return;
	if (peer_is_to_blame(c, &k))
		peer_put_peer(c, &k);
}

/* ---- nobody to wait for ---- */

#define OWN_SLEEP_LEAST 80000         /* of its threads' time */

/* Only of what the user asked about: a daemon that waits for work is no finding. It costs nobody anything. */
static void peer_judge_sleep(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	struct peer_case k = { .b = b, .rule = OWN_SLEEP, .interval_ns = interval_ns, .of_ns = b->lifetime_ns / 1000 };
	const char *call;
	char cause[100];

	if (rs_shown(c, NULL))
		return;
	k.ns = rs_blame_sum(b, RS_PART_BIT(TIMER) | RS_PART_BIT(POLL), &k.e);
	call = k.e && k.e->call >= 0 ? rs_syscall_name(c, k.e->call) : NULL;
	if (!k.e || rs_milli(k.ns, b->lifetime_ns, 100).u < OWN_SLEEP_LEAST)
		return;
	snprintf(cause, sizeof cause, "by " RS_VICTIM "its own wish, in %s", call ? call : "a call");
	peer_put(c, &k, cause, NULL, &(struct peer_words){ .culprit = b->comm, .pid = b->pid });
}

static void peer_waits_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	size_t nr = 0;
	const struct rs_blame *list = interval_ns ? rs_blame_list(c, &nr) : NULL;

	for (size_t i = 0; i < nr; i++) {
		peer_judge_locks(c, &list[i], interval_ns);
		peer_judge_turns(c, &list[i], interval_ns);
		peer_judge(c, &list[i], interval_ns);
		peer_judge_sleep(c, &list[i], interval_ns);
	}
}

const struct rs_analysis rs_analysis_peer_waits = {
	.abi = RS_ABI,
	.name = "peer-waits",
	.summary = "who waits for another task, and what that does meanwhile",
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.rules = rules,
	.findings = peer_waits_put_findings,
};
